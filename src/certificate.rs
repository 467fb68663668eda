//! Kept proofs: a folder with a proof and everything that it follows from, sealed by hashes.
//!
//! The folder of `--keep` holds the inputs (`inputs/`, described by `kept.json`), the programs of all configurations
//! (`programs.jsonl.gz`) and `result.json`. For each model it holds the text, the tables, the configurations by SPIN's
//! numbers, the commands, SPIN's outputs and the trails of the counterexamples. `SHA256SUMS` has the hash of each file.
//!
//! Three programs check the folder. [`verify()`] proves the question again from the inputs and compares every file with
//! its own. It compiles a kernel's source to compare the compiler's outputs, runs nothing of the folder, and puts nothing
//! of it into a cache. `check.sh` repeats the searches with SPIN and a C
//! compiler. `check.py` recomputes times and bounds with Python alone.

mod again;
mod compare;
mod compiled;
mod delivery;
mod deviation;
mod error;
mod fleet;
mod hashes;
mod kept;
mod programs;
mod recompile;
mod recompile_error;
mod repeat;
mod scripts;
mod source_copy;
mod verify;

use std::path::Path;

use crate::certificate::scripts::SCRIPTS;
use autotune_lowering::space::Survey;

pub use delivery::deliver;
pub use deviation::Deviation;
pub use error::CertificateError;
pub use fleet::folder::{FLEET_PARTS, scenario_folder};
pub use fleet::{is_fleet, seal_fleet, verify_fleet};
pub use hashes::{RUNNING, SUMS, sweep};
pub use kept::KeptInputs;
pub use recompile_error::RecompileError;
pub use scripts::RESULT;
pub use verify::verify;

/// Completes the folder of an answered question: adds inputs, programs, result, scripts and hashes, and removes the
/// files that can be made again from a model.
///
/// # Errors
/// If a file cannot be read or written.
pub fn seal(folder: &Path, inputs: KeptInputs, survey: Option<&Survey>, result: &str) -> std::io::Result<()> {
    sweep(folder)?;
    kept::write(folder, inputs)?;
    if let Some(survey) = survey {
        hashes::add(folder, programs::FILE, programs::packed(inputs.question.spec, survey)?)?;
    }
    hashes::add(folder, RESULT, result)?;
    for (name, text) in SCRIPTS {
        hashes::add(folder, name, text)?;
    }
    hashes::write(folder)
}
