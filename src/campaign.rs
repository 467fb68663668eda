//! Measuring campaigns: the user's own commands build, check and run one configuration after the other.
//!
//! A measurement lives in a folder. Its `journal.jsonl` has a line for each event, synced before the next step begins.
//! The journal alone says what is measured next: a measurement that was killed goes on as if nothing had
//! happened.
//!
//! ```text
//! request ─▶ course: choose ─▶ runner: build, verify, run ─▶ journal ─▶ state ─▶ choose …
//! ```

mod calibration;
mod command;
mod course;
mod device;
mod error;
mod journal;
mod pick;
mod request;
mod runner;
mod state;
mod template;
mod time;

pub use calibration::{Calibration, CalibrationEnd};
pub use command::UserCommand;
pub use course::{Campaign, MeasureWatcher};
pub use error::MeasureError;
pub use request::{MeasureCommands, MeasureInputs, MeasureLimits, MeasureRequest};
pub use state::MeasureState;
pub use template::BraceError;
pub use time::{TimeError, TimeReader};
