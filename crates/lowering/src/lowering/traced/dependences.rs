//! The time of a warp whose instructions wait for what they use: the wave model's time of a thread, as in figure 3 of its
//! paper, without the waits for memory.
//!
//! A warp starts its instructions in order: each when the delay of the one before is over and its operands can be used. So
//! operations that need each other's results take their latencies, and independent ones only their delays. An
//! iteration of a loop is repeated until the next one would take the same time from the same state.

use std::collections::BTreeMap;

use num_traits::ToPrimitive;

use super::pieces::{Made, Piece, Round, Run};
use super::walk::TraceWalk;
use crate::lowering::exact::Exact;
use crate::lowering::instruction_cycles::{DependentCycles, InstructionCycles};
use crate::lowering::phases::traffic::Issued;
use autotune_base::limits::watch::{Phase, look};
use autotune_kernel::source::{BlockId, Instruction, Kind, Operations, TracedKernel, ValueId, operands};

/// Iterations of a loop that are followed; the rest takes the mean time of the last half of them.
const MOST_ITERATIONS: u64 = 8;
/// A difference in cycles that floating-point numbers make.
const SAME: f64 = 1e-6;

/// The time of a warp that executes all pieces of a trace.
pub(super) fn dependent(walk: &TraceWalk<'_>, pieces: &[Piece]) -> DependentCycles {
    let mut warp = Warp {
        traced: walk.traced,
        each: InstructionCycles::new(walk.gpu),
        clock: 0.0,
        pending: BTreeMap::new(),
        at: None,
        from: None,
        counted: Issued::default(),
        weight: 1.0,
    };
    warp.pieces(pieces);
    let cycles = warp.pending.values().fold(warp.clock, |last, ready| last.max(*ready));
    DependentCycles { cycles, counted: warp.counted }
}

/// A warp in the middle of its instructions.
struct Warp<'a> {
    traced: &'a TracedKernel,
    each: InstructionCycles,
    /// The cycle at which the next instruction may start.
    clock: f64,
    /// The first cycle of each value that cannot be used yet.
    pending: BTreeMap<ValueId, f64>,
    /// The block that is executed, and the one before it.
    at: Option<BlockId>,
    from: Option<BlockId>,
    counted: Issued<f64>,
    /// The executions that an instruction counts for.
    weight: f64,
}

impl Warp<'_> {
    fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            look(Phase::Lowering);
            match piece {
                Piece::Run(run) => self.run(run),
                Piece::Loop(rounds) => rounds.iter().for_each(|round| self.round(round)),
                Piece::Sides(_, sides) => sides.iter().for_each(|(share, pieces)| self.side(*share, pieces)),
            }
        }
    }

    /// The iterations of a round.
    fn round(&mut self, round: &Round) {
        let outer = self.weight;
        let times = round.times.to_f64().unwrap_or(f64::INFINITY);
        self.weight = outer * times;
        let mut clocks = vec![self.clock];
        let mut before: Option<(f64, Vec<(ValueId, f64)>)> = None;
        for iteration in 1..=round.times.min(MOST_ITERATIONS) {
            self.pieces(&round.pieces);
            // The first iteration has counted the instructions of all.
            self.weight = 0.0;
            let state = (self.clock - clocks[clocks.len() - 1], self.state());
            clocks.push(self.clock);
            let repeats = before.as_ref().is_some_and(|before| is_same(before, &state));
            if repeats || iteration == MOST_ITERATIONS {
                let followed = if repeats { 1 } else { clocks.len() / 2 };
                let advance = self.clock - clocks[clocks.len() - 1 - followed];
                let rest = (round.times - iteration).to_f64().unwrap_or(f64::INFINITY);
                self.pass(rest * advance / followed.to_f64().unwrap_or(1.0));
                break;
            }
            before = Some(state);
        }
        self.weight = outer;
    }

    /// A side that a share of the executions takes.
    fn side(&mut self, share: f64, pieces: &[Piece]) {
        let (outer, begin) = (self.weight, self.clock);
        self.weight = outer * share;
        self.pieces(pieces);
        self.weight = outer;
        self.pass((share - 1.0) * (self.clock - begin));
    }

    /// Lets some cycles pass. The results that were pending are pending still.
    fn pass(&mut self, cycles: f64) {
        let clock = self.clock;
        self.pending.retain(|_, ready| *ready > clock);
        self.pending.values_mut().for_each(|ready| *ready += cycles);
        self.clock += cycles;
    }

    /// The pending results, each with the cycles until it can be used.
    fn state(&mut self) -> Vec<(ValueId, f64)> {
        let clock = self.clock;
        self.pending.retain(|_, ready| *ready > clock);
        self.pending.iter().map(|(value, ready)| (*value, ready - clock)).collect()
    }

    fn run(&mut self, run: &Run) {
        if run.instructions.start == 0 {
            self.from = self.at.replace(run.block);
        }
        let prices = self.traced.kernel.prices.block(run.block);
        let mut made = run.made.iter().peekable();
        for position in run.instructions.clone() {
            let mut accesses = Issued::default();
            while let Some(one) = made.next_if(|one| one.position() <= position) {
                if let Made::Access(prepared) = one {
                    add(&mut accesses, issued_of_access(prepared.work.first_warp), 1.0);
                }
            }
            let instruction = self.traced.instruction(run.block, position);
            self.instruction(instruction, prices[position], accesses);
        }
    }

    fn instruction(&mut self, instruction: &Instruction, price: Operations, accesses: Issued<f64>) {
        let needed = self.needed(instruction);
        let computed = issued_of(price);
        add(&mut self.counted, computed, self.weight);
        add(&mut self.counted, accesses, self.weight);
        let ready = if computed.instructions + accesses.instructions > 0.0 {
            let start = self.clock.max(needed);
            let delay = computed.cycles(&self.each.delay);
            // The elements of a vector are independent: the last one starts when the others have.
            let elements = elements(&instruction.kind).min(price.all()).max(1).to_f64().unwrap_or(1.0);
            let last = delay * (elements - 1.0) / elements;
            let issued = start + delay + accesses.cycles(&self.each.delay);
            self.clock = issued;
            issued.max(start + last + computed.cycles(&self.each.latency) / elements)
        } else {
            needed
        };
        let Some(result) = instruction.result else { return };
        if ready > self.clock {
            self.pending.insert(result, ready);
        } else {
            self.pending.remove(&result);
        }
    }

    /// The first cycle that may use all operands of an instruction.
    fn needed(&self, instruction: &Instruction) -> f64 {
        let last = |ids: &mut dyn Iterator<Item = ValueId>| {
            ids.filter_map(|id| self.pending.get(&id)).fold(0.0_f64, |last, ready| last.max(*ready))
        };
        match &instruction.kind {
            Kind::Phi(_, incoming) => {
                let of_way = incoming.iter().filter(|(block, _)| Some(*block) == self.from);
                last(&mut of_way.filter_map(|(_, operand)| operand.value()))
            }
            Kind::ExtractValue(from, _) | Kind::Branch(from, _) | Kind::Switch(from, ..) => {
                last(&mut from.operand.value().into_iter())
            }
            kind => last(&mut operands(kind)),
        }
    }
}

/// True if two iterations took the same time and left the same results pending.
fn is_same(before: &(f64, Vec<(ValueId, f64)>), after: &(f64, Vec<(ValueId, f64)>)) -> bool {
    let near = |left: f64, right: f64| (left - right).abs() <= SAME * (1.0 + left.abs());
    let pairs = || before.1.iter().zip(&after.1);
    near(before.0, after.0)
        && before.1.len() == after.1.len()
        && pairs().all(|(left, right)| left.0 == right.0 && near(left.1, right.1))
}

/// The operations of a work item as instructions of its warp.
fn issued_of(operations: Operations) -> Issued<f64> {
    let real = |count: u64| count.to_f64().unwrap_or(f64::INFINITY);
    Issued {
        instructions: real(operations.all()),
        fp32: real(operations.fp32),
        int32: real(operations.int32),
        fp64: real(operations.fp64),
        fp16: real(operations.fp16),
        special: real(operations.special),
        accesses: 0.0,
    }
}

fn issued_of_access(mut issued: Issued<Exact>) -> Issued<f64> {
    let mut numbers = Issued::default();
    for (number, exact) in numbers.each().into_iter().zip(issued.each()) {
        *number = exact.to_f64().unwrap_or(0.0);
    }
    numbers
}

fn add(sum: &mut Issued<f64>, mut more: Issued<f64>, times: f64) {
    for (sum, more) in sum.each().into_iter().zip(more.each()) {
        *sum += times * *more;
    }
}

/// The elements of a vector that an instruction computes one by one; 1 for a number.
fn elements(kind: &Kind) -> u64 {
    match kind {
        Kind::Binary { left, .. } | Kind::Compare(_, left, _) | Kind::CompareFloat(_, left, _) | Kind::Negate(left) => {
            left.of.elements()
        }
        Kind::Select([_, first, _]) => first.of.elements(),
        Kind::Cast(_, _, to) => to.elements(),
        Kind::Call { returns, .. } => returns.elements(),
        _ => 1,
    }
}
