//! The question about what the text does not say, with proposals that make the launch whole.

use std::fmt::Write;

use super::super::error::InferenceError;
use super::super::function::Formal;
use super::super::launches::{self, Extent};
use super::super::resolve::SymbolKind;
use super::super::settled::{Argument, is_integer};
use super::parameters::{GROUP_NAMES, Tuned};
use super::state::Question;

/// The most work items of a launch that is proposed.
const MOST_ITEMS: i64 = 1 << 24;
/// The proposal for a number of elements that a work item takes.
const DIVISOR: i64 = 4;

/// A question while it is put together.
#[derive(Default)]
struct Asked {
    /// The parts that are missing, in words.
    missing: Vec<String>,
    /// Notes about what was seen instead.
    seen: String,
    /// The options that answer.
    answers: Vec<String>,
}

impl Asked {
    fn answer(&mut self, option: &str, value: &str) {
        self.answers.extend([option.to_owned(), value.to_owned()]);
    }
}

impl Question<'_, '_, '_> {
    /// Asks for what is missing, all at once.
    pub(super) fn ask(&self, tuned: &Tuned) -> Result<(), InferenceError> {
        let mut asked = Asked::default();
        for (name, proposed) in self.proposed(tuned) {
            self.ask_for_size(&name, proposed, &mut asked);
        }
        let needs_items = matches!(self.settled.extent, Extent::Unknown(_)) && self.given.work_items.is_none();
        let needs_group = self.settled.group.is_none() && self.given.work_group.is_none();
        if needs_items || needs_group {
            self.ask_for_launch(&mut asked);
            let sizes = self.integer_arguments();
            if needs_items {
                self.propose_items(&sizes, tuned, &mut asked);
            }
            if needs_group {
                self.propose_group(&mut asked);
            }
            self.propose_arguments(&sizes, &mut asked);
        }
        let Asked { missing, seen, answers } = asked;
        if missing.is_empty() { Ok(()) } else { Err(InferenceError::Missing { missing, seen, answers }) }
    }

    fn ask_for_size(&self, name: &str, proposed: i64, asked: &mut Asked) {
        let known = self.resolver.symbols.borrow().get(name).cloned();
        let place = known.as_ref().map_or(String::new(), |symbol| format!(" ({})", self.program.shown(symbol.at)));
        asked.missing.push(format!("how large `{name}` is{place}"));
        let value = match known.map(|symbol| symbol.kind) {
            Some(SymbolKind::Loop(values)) if !values.is_empty() => {
                let _ = write!(asked.seen, "\n  the text gives `{name}` several values");
                values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
            }
            Some(SymbolKind::Counter(first)) => first.to_string(),
            _ => proposed.to_string(),
        };
        asked.answer("--problem", &format!("{name}={value}"));
    }

    /// Proposals for the sizes without a value: as large as a launch of some millions of work items allows.
    fn proposed(&self, tuned: &Tuned) -> Vec<(String, i64)> {
        let open: Vec<&str> =
            tuned.problem.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name.as_str()).collect();
        let is_divisor =
            |name: &str| self.settled.extent().iter().any(|size| size.divisors().iter().any(|own| own.has(name)));
        let in_launch = |name: &str| self.settled.extent().iter().any(|size| size.has(name));
        let fits = |value: i64| {
            let of = |name: &str| {
                let known = self.resolver.symbols.borrow().get(name).and_then(|symbol| symbol.default);
                let given = self.given.problem.iter().find(|(own, _)| own == name).map(|(_, value)| *value);
                known.or(given).or(Some(if is_divisor(name) { DIVISOR } else { value }))
            };
            let groups = self.settled.extent().iter().chain(self.settled.group.iter().flatten());
            let items = groups.map(|size| size.value(&of)).try_fold(1_i64, |all, size| all.checked_mul(size?));
            items.is_some_and(|items| (1..=MOST_ITEMS).contains(&items))
        };
        let size = [20, 16, 14, 12, 11, 10, 9, 8, 6, 4, 2]
            .into_iter()
            .map(|power| 1 << power)
            .find(|size| fits(*size))
            .unwrap_or(64);
        let proposed = |name: &str| match name {
            _ if self.is_truth(name) => 1,
            _ if is_divisor(name) => DIVISOR,
            _ if in_launch(name) => size,
            _ => size.min(1024),
        };
        open.into_iter().map(|name| (name.to_owned(), proposed(name))).collect()
    }

    /// True for a symbol that is nothing but an argument which is true or false.
    fn is_truth(&self, name: &str) -> bool {
        let passed =
            self.settled.arguments.iter().filter(|(_, own)| matches!(own, Argument::Integer(term) if term.has(name)));
        let mut formals = passed.filter_map(|(own, _)| self.kernel.parameters.iter().find(|formal| formal.name == own));
        formals.next().is_some_and(|formal| formal.of_type.iter().any(|word| word.text == "bool"))
    }

    /// Says what of a launch was seen.
    fn ask_for_launch(&self, asked: &mut Asked) {
        asked.missing.push(format!("how `{}` is launched", self.kernel.name));
        if let Some(launch) = self.launch {
            let at = self.program.shown(launch.at);
            let _ = match &self.settled.extent {
                Extent::Unknown(part) if !part.is_empty() => {
                    write!(asked.seen, "\n  `{part}` of {at} is not followed")
                }
                _ => write!(asked.seen, "\n  the launch of {at} is not followed"),
            };
        }
        for (name, at) in launches::hidden(self.program) {
            let _ = write!(asked.seen, "\n  the macro `{name}` ({}) hides a launch", self.program.shown(at));
        }
    }

    /// The number of axes that the kernel asks for ids of.
    fn axes(&self) -> usize {
        (1..3).rev().find(|axis| self.usage.has_ids[*axis]).map_or(1, |axis| axis + 1)
    }

    fn propose_items(&self, sizes: &[&Formal<'_>], tuned: &Tuned, asked: &mut Asked) {
        let axes = self.axes();
        let value = [1 << 20, 4096, 256][axes - 1];
        let named: Vec<String> = (0..axes).map(|axis| size_name(sizes, axis)).collect();
        for name in &named {
            let is_stated = tuned.problem.iter().any(|(own, _)| own == name)
                || self.given.problem.iter().any(|(own, _)| own == name);
            let option = format!("{name}={value}");
            if !is_stated && !asked.answers.contains(&option) {
                asked.answer("--problem", &option);
            }
        }
        asked.answer("--work-items", &named.join(","));
    }

    fn propose_group(&self, asked: &mut Asked) {
        let axes = self.axes();
        let values = [["32..1024:pow2"; 3], ["8..64:pow2", "1..16:pow2", ""], ["4..16:pow2"; 3]][axes - 1];
        let group = &GROUP_NAMES[..axes];
        for (name, values) in group.iter().zip(values) {
            if !self.given.parameters.iter().any(|(own, _)| own == name) {
                asked.answer("--parameter", &format!("{name}={values}"));
            }
        }
        asked.answer("--work-group", &group.join(","));
    }

    fn propose_arguments(&self, sizes: &[&Formal<'_>], asked: &mut Asked) {
        for formal in sizes {
            let is_stated = self.given.arguments.iter().any(|(own, _)| own == formal.name);
            let of_launch = asked.answers.iter().any(|answer| answer.starts_with(&format!("{}=", formal.name)));
            let value = if of_launch { formal.name } else { "1024" };
            if !is_stated {
                asked.answer("--argument", &format!("{}={value}", formal.name));
            }
        }
    }

    /// The arguments of the kernel that are integers, and that no launch passes.
    fn integer_arguments(&self) -> Vec<&Formal<'_>> {
        let is_known = |name: &str| self.settled.arguments.iter().any(|(own, _)| own == name);
        let all = self.kernel.parameters.iter();
        all.filter(|formal| is_integer(self.resolver, formal) && !formal.name.is_empty() && !is_known(formal.name))
            .collect()
    }
}

/// The name of a size of the launch: that of an argument of the kernel, if there is one for the axis.
fn size_name(sizes: &[&Formal<'_>], axis: usize) -> String {
    sizes.get(axis).map_or_else(|| format!("items_{}", ["x", "y", "z"][axis]), |formal| formal.name.to_owned())
}
