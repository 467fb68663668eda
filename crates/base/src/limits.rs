//! The limits of work: a deadline, a request of the user to stop, and the allowance of a single step.

#[cfg(standstill)]
mod standstill;
pub mod watch;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use nix::time::ClockId;

/// A request to stop, shared with the handler of Ctrl-C. The first request stops in order, the second at once.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicU32>);

impl Interrupt {
    /// Requests a stop.
    pub fn raise(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns true after the first request.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }

    /// Returns true after the second request.
    #[must_use]
    pub fn is_urgent(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 1
    }
}

/// The limits that stop work.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// The moment when work stops; `None` without a time limit.
    pub deadline: Option<Instant>,
    /// The interrupt that stops work.
    pub interrupt: Interrupt,
    /// The time that a single step may take, such as the compilation of a configuration; `None` for the step's usual time.
    pub allowance: Option<Allowance>,
}

impl Limits {
    /// The limit that is exceeded now; `None` if work may go on.
    #[must_use]
    pub fn exceeded(&self) -> Option<Stop> {
        if self.interrupt.is_raised() {
            Some(Stop::Interrupt)
        } else {
            self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::Time)
        }
    }
}

/// A reason for stopping work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Ctrl-C, or a request to terminate.
    Interrupt,
    /// The deadline.
    Time,
}

impl fmt::Display for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Interrupt => "it was interrupted",
            Self::Time => "the time limit was reached",
        })
    }
}

/// The processor time that one step may take. A busy machine lends a step little of its processors, so the clock on the
/// wall stops the step only after three times as long: by then it stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// The most processor time.
    pub processor: Duration,
}

impl Allowance {
    /// The usual allowance of a step of a source's analysis, beside compilation.
    pub const OF_ANALYSIS: Self = Self { processor: Duration::from_secs(10) };

    /// The greatest ratio of the wall clock's time to the processor's.
    const WALL: u32 = 3;

    /// The most time on the wall clock.
    #[must_use]
    pub fn wall(self) -> Duration {
        self.processor.saturating_mul(Self::WALL)
    }

    /// The limit that a step has exceeded after these times; `None` if it may go on.
    #[must_use]
    pub fn overrun(self, processor: Duration, wall: Duration) -> Option<Overrun> {
        if processor >= self.processor {
            Some(Overrun::Processor(self.processor))
        } else {
            (wall >= self.wall()).then_some(Overrun::Wall(self.wall()))
        }
    }
}

/// The limit of its allowance that a step has exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overrun {
    /// The step took this much processor time.
    Processor(Duration),
    /// The step took this much time on the wall clock, and less than a third of it on a processor.
    Wall(Duration),
}

impl fmt::Display for Overrun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processor(limit) => {
                write!(formatter, "it took more than {} of processor time", humantime::format_duration(*limit))
            }
            Self::Wall(limit) => {
                write!(formatter, "it had not ended after {} on a busy machine", humantime::format_duration(*limit))
            }
        }
    }
}

/// The time that the current thread has spent on a step.
#[derive(Debug)]
pub struct StepClock {
    allowance: Allowance,
    began: Instant,
    processor: Duration,
}

impl StepClock {
    /// A clock that starts now, for a step of the current thread alone.
    #[must_use]
    pub fn start(allowance: Allowance) -> Self {
        Self { allowance, began: Instant::now(), processor: processor_time() }
    }

    /// Leaves out the time since another clock of the thread was started.
    fn leave_out(&mut self, other: &Self) {
        self.began += other.began.elapsed();
        self.processor += processor_time().saturating_sub(other.processor);
    }

    /// The limit that the step has exceeded; `None` if it may go on.
    #[must_use]
    pub fn overrun(&self) -> Option<Overrun> {
        let wall = self.began.elapsed();
        if wall < self.allowance.processor {
            // A thread takes no more of a processor than passes on the wall.
            return None;
        }
        self.allowance.overrun(processor_time().saturating_sub(self.processor), wall)
    }
}

/// The processor time of the current thread; without such a clock 0, so that the wall clock decides.
fn processor_time() -> Duration {
    ClockId::CLOCK_THREAD_CPUTIME_ID.now().map_or(Duration::ZERO, Duration::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_step_is_stopped_by_its_processor_time_or_by_three_times_as_much_on_the_wall() {
        let allowance = Allowance { processor: 20 * SECOND };
        assert_eq!(allowance.overrun(19 * SECOND, 59 * SECOND), None);
        assert_eq!(allowance.overrun(20 * SECOND, 21 * SECOND), Some(Overrun::Processor(20 * SECOND)));
        assert_eq!(allowance.overrun(SECOND, 60 * SECOND), Some(Overrun::Wall(60 * SECOND)));
    }

    /// A thread that sleeps takes no processor time: only the wall clock stops it.
    #[test]
    fn sleep_is_not_processor_time() {
        let sleeps = StepClock::start(Allowance { processor: Duration::from_millis(20) });
        std::thread::sleep(Duration::from_millis(40));
        assert_ne!(sleeps.overrun(), Some(Overrun::Processor(Duration::from_millis(20))));
        std::thread::sleep(Duration::from_millis(40));
        assert_eq!(sleeps.overrun(), Some(Overrun::Wall(Duration::from_millis(60))));
        let works = StepClock::start(Allowance { processor: Duration::from_millis(20) });
        let overrun = std::iter::repeat_with(|| works.overrun()).find_map(|overrun| overrun);
        assert!(overrun.is_some());
    }
}
