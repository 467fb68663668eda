//! Kept proofs: a folder with a proof and everything from which it follows, sealed by hashes.
//!
//! The folder of `--keep` holds the inputs (`inputs/`, described by `kept.json`), the programs of all configurations
//! (`programs.jsonl.gz`) and `result.json`. For each model it holds the text, the tables, the configurations by SPIN's
//! numbers, the commands, SPIN's outputs and the trails of the counterexamples. `SHA256SUMS` has the hash of each file.
//!
//! Three programs check the folder. [`verify`] proves the question again from the inputs and compares every file with
//! its own; it neither compiles nor runs anything of the folder. `check.sh` repeats the searches with SPIN and a C
//! compiler. `check.py` recomputes times and bounds with Python alone.

mod compare;
mod delivery;
mod deviation;
mod hashes;
mod kept;
mod programs;
mod repeat;

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::compare::cross_check::CrossCheckError;
use crate::compare::near::NearError;
use crate::files::scratch::ScratchError;
use crate::files::{self, MIB};
use crate::proof::{Observer, TuningError};
use crate::result::VerificationReport;
use crate::space::Survey;
use crate::spin::{Settings, SpinError};
use crate::text::words::printable;
use crate::user_error::{ExitStatus, UserError};
use kept::Kept;

pub use delivery::deliver;
pub use deviation::Deviation;
pub use hashes::{RUNNING, SUMS, sweep};
pub use kept::KeptInputs;

/// The file of the result.
pub const RESULT: &str = "result.json";
/// The scripts that check a folder without this program.
const SCRIPTS: [(&str, &str); 2] =
    [("check.sh", include_str!("certificate/check.sh")), ("check.py", include_str!("certificate/check.py"))];

/// A reason for which a folder is not verified.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// A folder that is not a kept proof.
    #[error("`{}` is not a kept proof (a folder written by `--keep`): it has neither {RESULT} nor {SUMS}", .0.display())]
    NotKept(PathBuf),
    /// A folder made by another version of this program.
    #[error(
        "`{}` was made by autotune {made_by}, but this is autotune {}: only the version that made a proof can repeat it",
        folder.display(), kept::VERSION
    )]
    OtherVersion {
        /// The folder.
        folder: PathBuf,
        /// The version that made it.
        made_by: String,
    },
    /// A folder made with another version of SPIN.
    #[error("`{}` was proved by {made_by}, but this is {here}: outputs and trails of two versions cannot be compared", folder.display())]
    OtherChecker {
        /// The folder.
        folder: PathBuf,
        /// The version that the result names.
        made_by: String,
        /// The version that was found.
        here: String,
    },
    /// A folder that differs from its claims.
    #[error("`{}` does not hold the proof that it claims{}", folder.display(), lines(differences))]
    Differs {
        /// The folder.
        folder: PathBuf,
        /// All differences.
        differences: Vec<Deviation>,
    },
    /// A repetition that was stopped, or that does not fit into the memory.
    #[error("the proof was not repeated: {0}")]
    Stopped(String),
    /// A failure of SPIN or the compiler.
    #[error(transparent)]
    Spin(#[from] SpinError),
    /// A proof that cannot be repeated.
    #[error("the proof cannot be repeated: {0}")]
    Tuning(#[from] TuningError),
    /// Near ties that cannot be computed again.
    #[error(transparent)]
    Near(#[from] NearError),
    /// Formulas that cannot be evaluated again.
    #[error(transparent)]
    CrossCheck(#[from] CrossCheckError),
    /// A temporary folder that cannot be made.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

impl UserError for CertificateError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::NotKept(_) => ExitStatus::Unusable,
            Self::Scratch(error) => error.status(),
            Self::OtherVersion { .. }
            | Self::OtherChecker { .. }
            | Self::Differs { .. }
            | Self::Stopped(_)
            | Self::Spin(_)
            | Self::Tuning(_)
            | Self::Near(_)
            | Self::CrossCheck(_)
            | Self::File(_) => ExitStatus::Failure,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NotKept(_) => Some("`autotune SPEC --gpu GPU --keep DIR` fills such a folder".to_owned()),
            Self::Scratch(error) => error.help(),
            Self::OtherVersion { .. }
            | Self::OtherChecker { .. }
            | Self::Differs { .. }
            | Self::Stopped(_)
            | Self::Spin(_)
            | Self::Tuning(_)
            | Self::Near(_)
            | Self::CrossCheck(_)
            | Self::File(_) => None,
        }
    }
}

fn lines(differences: &[Deviation]) -> String {
    differences.iter().flat_map(|difference| ["\n  ".to_owned(), difference.to_string()]).collect()
}

/// Completes a folder in which a question was answered: adds inputs, programs, result, scripts and hashes, and removes
/// the files that can be made again from a model.
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

/// Checks that the scripts are those that this program writes.
fn check_scripts(folder: &Path) -> Vec<Deviation> {
    let mut differences = Vec::new();
    for (name, text) in SCRIPTS {
        if files::kept(&folder.join(name), MIB).bytes().ok().as_deref() != Some(text.as_bytes()) {
            differences.push(Deviation::new(name, "it is not the script that this version of autotune writes"));
        }
    }
    differences
}

/// Proves again from its inputs what `folder` claims, and compares every file.
///
/// # Errors
/// If the folder is not a proof by this version, if anything differs, or if the proof cannot be repeated.
pub fn verify(folder: &Path, settings: &Settings, observe: Observer) -> Result<VerificationReport, CertificateError> {
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
    let (verification, differences) = repeat::prove_again(folder, &kept, &claim, settings, observe)?;
    if differences.is_empty() { Ok(verification) } else { Err(differs(differences)) }
}
