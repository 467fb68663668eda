//! A few measured runs in place of many: a kernel's space, ranked by the machine and corrected by what is measured.
//!
//! A [`CorrectedSpace`] learns from runs and suggests the next configurations. The correction itself is in
//! [`autotune_machine::correction`].
//!
//! ```
//! use autotune::compare::measured::MeasuredRun;
//! use autotune::measuring::CorrectedSpace;
//! use autotune::session::Inputs;
//! use autotune::source::SourceReader;
//!
//! let inputs = Inputs::read("tuning-specs/vector_add.yaml", "fermi", &SourceReader::default())?;
//! let mut space = CorrectedSpace::of(&inputs.spec, &inputs.profile, &inputs.reader, None)?;
//! for milliseconds in [Some(1.5), None, Some(1.25)] {
//!     let next = space.next(1).remove(0);
//!     space.tell(&[MeasuredRun { configuration: next.configuration, milliseconds }])?;
//! }
//! assert_eq!(space.best().map(|best| best.time), Some(1.25));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod calibration;
mod error;
mod notes;
mod repeats;
mod rows;
mod space;
mod worth;

pub use calibration::{BenchmarkLaunch, CalibrationError, MeasuredLaunch, MeasuredValues, Microbenchmark, TimedLaunch};
pub use error::MeasuringError;
pub use notes::ModelNotes;
pub use repeats::{BestRuns, LEAST_RUNS, RepeatedRuns, RunEnd};
pub use space::{BestMeasured, CorrectedSpace, RefusedRun, SpaceAdvice, SpaceStanding, Suggestion};
pub use worth::FURTHER_RUNS;
