//! Kept proofs: a folder with a proof and everything that it follows from, sealed by hashes.
//!
//! The folder of `--keep` holds the inputs (`inputs/`, described by `kept.json`), the programs of all configurations
//! (`programs.jsonl.gz`) and `result.json`. For each model it holds the text, the tables, the configurations by SPIN's
//! numbers, the commands, SPIN's outputs and the trails of the counterexamples. `SHA256SUMS` has the hash of each file.
//!
//! Three programs check the folder. [`verify`] proves the question again from the inputs and compares every file with
//! its own. It compiles a kernel's source to compare the compiler's outputs, runs nothing of the folder, and puts nothing
//! of it into a cache. `check.sh` repeats the searches with SPIN and a C
//! compiler. `check.py` recomputes times and bounds with Python alone.

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

use std::path::Path;

use crate::certificate::scripts::{SCRIPTS, check_scripts};
use crate::proof::Observer;
use crate::result::VerificationReport;
use crate::source::Tools;
use crate::space::Survey;
use crate::spin::Settings;
use crate::text::words::printable;
use kept::Kept;

pub use delivery::deliver;
pub use deviation::Deviation;
pub use error::CertificateError;
pub use fleet::folder::{FLEET_PARTS, scenario_folder};
pub use fleet::{is_fleet, seal_fleet, verify_fleet};
pub use hashes::{RUNNING, SUMS, sweep};
pub use kept::KeptInputs;
pub use recompile_error::RecompileError;
pub use scripts::RESULT;

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

/// Proves again from its inputs what `folder` claims, and compares every file. The kernel's source is compiled again by
/// `tools`; without tools, or without a clang, the compiler's outputs in the folder are believed.
///
/// # Errors
/// If the folder is not a proof by this version, if anything differs, or if the proof cannot be repeated.
pub fn verify(
    folder: &Path,
    settings: &Settings,
    tools: Option<&Tools>,
    observe: Observer,
) -> Result<VerificationReport, CertificateError> {
    if [RESULT, SUMS].iter().all(|name| folder.join(name).symlink_metadata().is_err()) {
        return Err(CertificateError::NotKept(folder.to_owned()));
    }
    let differs = |differences| CertificateError::Differs { folder: folder.to_owned(), differences };
    if let Some(made_by) = kept::other_version(folder)?.map(|version| printable(&version)) {
        return Err(CertificateError::OtherVersion { folder: folder.to_owned(), made_by });
    }
    let mut differences = hashes::check(folder)?;
    if !differences.is_empty() {
        // Files that differ from what was sealed are not read further.
        return Err(differs(differences));
    }
    differences.extend(check_scripts(folder));
    let claim = match repeat::Claim::read(folder) {
        Ok(claim) => claim,
        Err(wrong) => {
            differences.extend(wrong);
            return Err(differs(differences));
        }
    };
    let kept = Kept::read(folder).map_err(|difference| differs(vec![difference]))?;
    if !differences.is_empty() {
        return Err(differs(differences));
    }
    let here = settings.toolchain.checker();
    if claim.checker != here {
        let made_by = printable(&claim.checker);
        return Err(CertificateError::OtherChecker { folder: folder.to_owned(), made_by, here });
    }
    let compilations = recompile::check(folder, &kept, tools, &mut *observe)?;
    let (verification, differences) = repeat::prove_again(folder, &kept, &claim, compilations, settings, observe)?;
    if differences.is_empty() { Ok(verification) } else { Err(differs(differences)) }
}
