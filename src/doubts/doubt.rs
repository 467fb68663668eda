//! A reason why a result that was read is not believed.

use thiserror::Error;

use autotune_base::text::words;
use autotune_base::ticks::Ticks;
use autotune_lowering::space::SpaceError;

/// A reason why a result that was read is not believed.
#[derive(Debug, Error)]
pub enum Doubt {
    /// A claim that another claim of the result contradicts.
    #[error("{0}")]
    Contradiction(String),
    /// The result answers another question.
    #[error("it is of {told}, not of {asked}")]
    OtherQuestion {
        /// The kernel, the GPU and the problem sizes of the result.
        told: String,
        /// The kernel, the GPU and the problem sizes of the question.
        asked: String,
    },
    /// A configuration is said to take a time, and has none.
    #[error("{} has no time by the evaluator: {why}", words::named(configuration))]
    NoTime {
        /// The configuration's label, `A=1,B=2`.
        configuration: String,
        /// The reason.
        why: String,
    },
    /// A configuration takes another time.
    #[error("{} takes {native} ticks by the evaluator, not {told}", words::named(configuration))]
    OtherTime {
        /// The configuration's label, `A=1,B=2`.
        configuration: String,
        /// The time by the evaluator.
        native: Ticks,
        /// The time that the result states.
        told: Ticks,
    },
    /// The optimum has work groups of another size.
    #[error("{} has work groups of {native}, not of {told}", words::named(configuration))]
    OtherGroup {
        /// The optimum's label, `A=1,B=2`.
        configuration: String,
        /// The work items of a group.
        native: u64,
        /// The work items that the result states.
        told: u64,
    },
    /// The ticks are another number of microseconds.
    #[error("{ticks} ticks are {}, not {}", in_microseconds(*.native), in_microseconds(*.told))]
    OtherClock {
        /// The time.
        ticks: Ticks,
        /// The time by the profile's clock, in microseconds; `None` without a clock.
        native: Option<f64>,
        /// The time that the result states, in microseconds.
        told: Option<f64>,
    },
    /// The evaluator cannot be asked here, so it does not confirm the result, and does not refute it either.
    #[error("the evaluator cannot be asked: {0}")]
    NotEvaluated(SpaceError),
}

fn in_microseconds(time: Option<f64>) -> String {
    time.map_or("no microseconds".to_owned(), |time| format!("{time} microseconds"))
}
