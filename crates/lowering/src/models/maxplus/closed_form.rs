//! The closed form of a kernel's time, as the paper writes it: in symbols and with the values put in.
//!
//! Vector addition has ceil(N / n) (t + (2n - 1) dt + tau + T + (n - 1) dT), the last formula of section 9.

use super::parts::{Kernel, Operation, Part, Read, Write};
use super::variant::Variant;

/// A formula and its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedForm {
    /// The formula in the paper's symbols; `r` stands for repetitions that are not ceil(N / n), and `b` for a barrier.
    pub formula: String,
    /// The same with the values in place of the symbols, in ticks.
    pub values: String,
}

impl Kernel {
    /// The closed form of the time under a model.
    #[must_use]
    pub fn closed_form(&self, model: Variant) -> ClosedForm {
        let [formula, values] = [true, false].map(|symbols| {
            let form = Form { model, symbols, executors: self.executors };
            let one = form.series(&self.parts).join(" + ");
            let one = if one.is_empty() { "0".to_owned() } else { one };
            let rounds = self.rounds() == Some(self.repetitions.into());
            match symbols {
                true if rounds => format!("{}ceil(N / n) ({one})", if self.launch > 0 { "launch + " } else { "" }),
                true => format!("{}r ({one})", if self.launch > 0 { "launch + " } else { "" }),
                false if self.launch > 0 => format!("{} + {} x ({one})", self.launch, self.repetitions),
                false => format!("{} x ({one})", self.repetitions),
            }
        });
        ClosedForm { formula, values }
    }
}

struct Form {
    model: Variant,
    /// True for symbols, false for their values.
    symbols: bool,
    executors: u128,
}

impl Form {
    /// The terms of parts that follow one another.
    fn series(&self, parts: &[Part]) -> Vec<String> {
        parts.iter().filter_map(|part| self.part(part)).collect()
    }

    fn part(&self, part: &Part) -> Option<String> {
        match part {
            Part::Reads(reads) => self.reads(reads),
            Part::Write(write) => Some(self.write(write)),
            Part::Operation(operation) => self.operation("tau", operation),
            Part::Barrier(barrier) => self.operation("b", barrier).filter(|_| barrier.ticks > 0),
            Part::Branch([then, otherwise]) => {
                let [then, otherwise] = [then, otherwise].map(|side| self.series(side).join(" + "));
                let or_0 = |side: String| if side.is_empty() { "0".to_owned() } else { side };
                Some(format!("max({}, {})", or_0(then), or_0(otherwise)))
            }
            Part::Loop { count, body } => {
                let once = self.series(body);
                let times = if self.symbols { "" } else { "x " };
                (!once.is_empty()).then(|| format!("{count} {times}({})", once.join(" + ")))
            }
        }
    }

    /// t of the read that arrives last, with its wait of (M n - 1) dt where an executor reads M times.
    fn reads(&self, reads: &[Read]) -> Option<String> {
        let arrival = |read: &Read| self.model.read(read).unwrap_or(u128::MAX);
        let last = reads.iter().rev().max_by_key(|read| arrival(read))?;
        let accesses = reads.iter().map(|read| read.accesses).sum();
        let wait = self.wait(accesses, last.delay, last.wait, "dt");
        Some(if self.symbols { format!("t{wait}") } else { format!("{}{wait}", last.ticks) })
    }

    fn write(&self, write: &Write) -> String {
        let wait = self.wait(write.accesses, write.delay, write.wait, "dT");
        match (write.accesses, self.symbols) {
            (1, true) => format!("T{wait}"),
            (1, false) => format!("{}{wait}", write.ticks),
            (accesses, true) => format!("{accesses} T{wait}"),
            (accesses, false) => format!("{accesses} x {}{wait}", write.ticks),
        }
    }

    fn operation(&self, symbol: &str, operation: &Operation) -> Option<String> {
        let is_counted = self.model != Variant::Naive;
        is_counted.then(|| if self.symbols { symbol.to_owned() } else { operation.ticks.to_string() })
    }

    /// The wait for all accesses before the last one; a wait for unlike accesses is not a multiple of a delay.
    fn wait(&self, accesses: u128, delay: u64, wait: u128, symbol: &str) -> String {
        if self.model != Variant::Serialized {
            return String::new();
        }
        let before = self.executors.saturating_mul(accesses).saturating_sub(1);
        let is_multiple = before.checked_mul(delay.into()) == Some(wait);
        match (self.symbols, is_multiple) {
            (true, true) if accesses == 1 => format!(" + (n - 1) {symbol}"),
            (true, true) => format!(" + ({accesses}n - 1) {symbol}"),
            (false, true) => format!(" + {before} x {delay}"),
            (true, false) => " + w".to_owned(),
            (false, false) => format!(" + {wait}"),
        }
    }
}
