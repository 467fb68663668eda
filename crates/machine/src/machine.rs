//! The abstract machine: programs and their timing.
//!
//! One multiprocessor runs a *wave* of resident groups. The warps of a wave share servers and meet at barriers. All
//! times are in ticks. This module knows nothing of kernels, GPUs or SPIN.

mod bounds;
mod busy;
mod code;
mod evaluate;
mod program;
mod schedules;
mod slots;

pub use bounds::{Bound, By, lower_bound, lower_bound_of_wave};
pub use busy::busy;
pub use evaluate::{
    Activity, Evaluation, Gap, PathSegment, Span, Timeline, TooManyEvents, Totals, Waves, critical_stays, evaluate,
    evaluate_plain, timeline, timeline_plain,
};
pub use program::{
    BarrierScope, LARGEST, LONGEST, MOST_PENDING, Program, ProgramError, Queue, Server, Statement, TICK_LIMIT,
    critical_path,
};
pub use schedules::{Explored, Reduction, Stopped, explore, greatest_bound};
