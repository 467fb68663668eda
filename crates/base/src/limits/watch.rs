//! The watch over a step of an analysis. All phases of the step look at one clock; a look behind the limit ends the step.
//!
//! A look ends a step as salsa's queries are cancelled: the stack is unwound to the watch, which returns the reason. So a
//! loop anywhere in a phase can look, and no function on the way has to hand an error on. Steps are computed from what
//! does not change, so what is left behind is as if the step had not begun.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use super::{Allowance, Limits, Overrun, StepClock, Stop};

/// The number of looks between two readings of the clock.
const LOOKS: u32 = 16;

/// A phase of a source's analysis, each with loops that grow with the source, its launch or its trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Reading the compiler's text.
    Text,
    /// Finding loops and joins.
    Flow,
    /// Counting the operations of instructions.
    Prices,
    /// Estimating registers.
    Registers,
    /// Executing blocks.
    Execution,
    /// Folding iterations of loops.
    Folding,
    /// Searching for what follows from data.
    OnData,
    /// Walking through the accesses between barriers.
    Intervals,
    /// Comparing accesses of a group.
    Shared,
    /// Comparing accesses of neighbouring groups.
    Neighbours,
    /// Comparing accesses with the sizes of arrays.
    Bounds,
    /// Comparing the work of groups.
    Groups,
    /// Making the mean of groups.
    Mean,
    /// Measuring the distances of groups.
    Distances,
    /// Joining accesses.
    Merging,
    /// Counting sectors and passes.
    Sectors,
    /// Counting the memory that accesses share.
    Scope,
    /// Making phases and statements of a trace.
    Lowering,
}

impl Phase {
    /// All phases.
    pub const ALL: [Self; 18] = [
        Self::Text,
        Self::Flow,
        Self::Prices,
        Self::Registers,
        Self::Execution,
        Self::Folding,
        Self::OnData,
        Self::Intervals,
        Self::Shared,
        Self::Neighbours,
        Self::Bounds,
        Self::Groups,
        Self::Mean,
        Self::Distances,
        Self::Merging,
        Self::Sectors,
        Self::Scope,
        Self::Lowering,
    ];

    /// The name of the phase, in one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Flow => "flow",
            Self::Prices => "prices",
            Self::Registers => "registers",
            Self::Execution => "execution",
            Self::Folding => "folding",
            Self::OnData => "data",
            Self::Intervals => "intervals",
            Self::Shared => "shared",
            Self::Neighbours => "neighbours",
            Self::Bounds => "bounds",
            Self::Groups => "groups",
            Self::Mean => "mean",
            Self::Distances => "distances",
            Self::Merging => "merging",
            Self::Sectors => "sectors",
            Self::Scope => "scope",
            Self::Lowering => "lowering",
        }
    }

    /// The work of the phase, as it stands in a message.
    #[must_use]
    pub fn work(self) -> &'static str {
        match self {
            Self::Text => "reading what the compiler wrote",
            Self::Flow => "following the flow of control",
            Self::Prices => "counting operations",
            Self::Registers => "estimating registers",
            Self::Execution => "executing a work group",
            Self::Folding => "folding the iterations of a loop",
            Self::OnData => "finding what depends on data",
            Self::Intervals => "finding the accesses between barriers",
            Self::Shared => "comparing the accesses of a group",
            Self::Neighbours => "comparing the accesses of neighbouring groups",
            Self::Bounds => "comparing accesses with the sizes of arrays",
            Self::Groups => "comparing the work of groups",
            Self::Mean => "making the mean of groups",
            Self::Distances => "measuring the distances between groups",
            Self::Merging => "joining accesses",
            Self::Sectors => "counting sectors and passes",
            Self::Scope => "counting the memory that accesses share",
            Self::Lowering => "making the program of a trace",
        }
    }
}

/// The end of a step by a look behind a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Halt {
    /// The phase that looked.
    pub phase: Phase,
    /// The reason.
    pub why: HaltReason,
}

/// The reason why a step was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HaltReason {
    /// A limit of the whole work.
    Stop(Stop),
    /// The allowance of the step.
    Overrun(Overrun),
}

/// A step under way.
struct Watch {
    limits: Limits,
    clock: StepClock,
}

impl Watch {
    fn exceeded(&self) -> Option<HaltReason> {
        self.limits.exceeded().map(HaltReason::Stop).or_else(|| self.clock.overrun().map(HaltReason::Overrun))
    }
}

thread_local! {
    /// The steps of this thread, each within the one before.
    static STEPS: RefCell<Vec<Watch>> = const { RefCell::new(Vec::new()) };
    /// The number of looks of this thread.
    static LOOKED: Cell<u32> = const { Cell::new(0) };
}

/// Does a step that looks end at limits; without an allowance in the limits, at `usual`.
///
/// # Errors
/// If a look ended the step.
pub fn watched<T>(limits: &Limits, usual: Allowance, step: impl FnOnce() -> T) -> Result<T, Halt> {
    let clock = StepClock::start(limits.allowance.unwrap_or(usual));
    STEPS.with_borrow_mut(|steps| steps.push(Watch { limits: limits.clone(), clock }));
    let done = catch_unwind(AssertUnwindSafe(step));
    let ended = STEPS.with_borrow_mut(Vec::pop);
    STEPS.with_borrow_mut(|steps| {
        // The time of a step within another is its own.
        if let (Some(around), Some(ended)) = (steps.last_mut(), ended) {
            around.clock.leave_out(&ended.clock);
        }
    });
    done.or_else(|why| match why.downcast::<Halt>() {
        Ok(halt) => Err(*halt),
        Err(other) => resume_unwind(other),
    })
}

/// Does what has limits of its own: its time is not that of the step around it.
pub fn apart<T>(of: impl FnOnce() -> T) -> T {
    let clock = StepClock::start(Allowance { processor: Duration::MAX });
    let done = of();
    STEPS.with_borrow_mut(|steps| {
        if let Some(around) = steps.last_mut() {
            around.clock.leave_out(&clock);
        }
    });
    done
}

/// The limit of the whole work that the step of this thread has reached; `None` if there is none, or no step.
#[must_use]
pub fn stopped() -> Option<Stop> {
    STEPS.with_borrow(|steps| steps.last().and_then(|step| step.limits.exceeded()))
}

/// Looks at the limits of the step that a phase belongs to, and ends the step behind them. Cheap enough for inner loops.
#[inline]
pub fn look(phase: Phase) {
    #[cfg(standstill)]
    stand(phase);
    let looked = LOOKED.get().wrapping_add(1);
    LOOKED.set(looked);
    if looked.is_multiple_of(LOOKS) {
        read(phase);
    }
}

/// Stands still if the environment says so: a loop that reads the clock of the phase, and nothing else.
#[cfg(standstill)]
fn stand(phase: Phase) {
    if super::standstill::stands(phase.name()) {
        loop {
            read(phase);
            // Many may stand at a time.
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Reads the clock.
fn read(phase: Phase) {
    let exceeded = STEPS.with_borrow(|steps| steps.last().and_then(Watch::exceeded));
    if let Some(why) = exceeded {
        // No panic: the hook that prints one is not asked.
        resume_unwind(Box::new(Halt { phase, why }));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::super::Interrupt;
    use super::*;

    const SECOND: Allowance = Allowance { processor: Duration::from_secs(1) };
    const SHORT: Allowance = Allowance { processor: Duration::from_millis(20) };

    fn stand() -> u32 {
        loop {
            look(Phase::Scope);
        }
    }

    #[test]
    fn a_look_behind_a_limit_ends_the_step_with_its_phase_and_reason() {
        let interrupt = Interrupt::default();
        interrupt.raise();
        let raised = Limits { interrupt, ..Limits::default() };
        let over = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        let why = |limits: &Limits, usual| watched(limits, usual, stand).map_err(|halt| (halt.phase, halt.why));
        assert_eq!(why(&raised, SECOND), Err((Phase::Scope, HaltReason::Stop(Stop::Interrupt))));
        assert_eq!(why(&over, SECOND), Err((Phase::Scope, HaltReason::Stop(Stop::Time))));
        let overrun = why(&Limits::default(), SHORT);
        assert!(matches!(overrun, Err((Phase::Scope, HaltReason::Overrun(_)))), "{overrun:?}");
        assert_eq!(watched(&Limits::default(), SECOND, || 7), Ok(7));
    }

    #[test]
    fn a_step_within_another_takes_none_of_its_time() {
        let long = Limits { allowance: Some(Allowance { processor: Duration::from_millis(60) }), ..Limits::default() };
        let within = || {
            let ends = (0..8).map(|_| watched(&Limits::default(), SHORT, stand).is_err());
            let all = ends.filter(|ended| *ended).count();
            apart(|| std::thread::sleep(Duration::from_millis(200)));
            (0..LOOKS).for_each(|_| look(Phase::Text));
            all
        };
        assert_eq!(watched(&long, SECOND, within), Ok(8));
    }

    #[test]
    fn looks_without_a_step_and_panics_go_on() {
        (0..2 * LOOKS).for_each(|_| look(Phase::Text));
        let other = catch_unwind(|| watched(&Limits::default(), SECOND, || resume_unwind(Box::new("other"))));
        assert_eq!(other.unwrap_err().downcast_ref::<&str>(), Some(&"other"));
        assert_eq!(stopped(), None);
    }
}
