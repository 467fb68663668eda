//! Kept proofs: a folder that holds a proof with all that it follows from, sealed by hashes.
//!
//! The folder of `--keep` holds the inputs (`inputs/`, described by `kept.json`), the programs of all configurations
//! (`programs.jsonl.gz`), `result.json`, and for each model its text, its tables, its configurations by SPIN's numbers, the
//! commands, SPIN's outputs and the trails of its counterexamples. `SHA256SUMS` has the hash of each file.
//!
//! Three programs hold the folder against itself. [`verify`] proves the question again from the inputs and compares every file
//! with what it made itself: it neither compiles nor runs anything of the folder. `check.sh` repeats the searches with SPIN and
//! a C compiler. `check.py` recomputes times and bounds with Python alone.

mod compare;
mod delivery;
mod hashes;
mod kept;
mod programs;
mod repeat;

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use crate::compare::cross_check::CrossCheckError;
use crate::compare::near::NearError;
use crate::files::scratch::ScratchError;
use crate::files::{self, MIB};
use crate::proof::{Observer, TuningError};
use crate::report::printable;
use crate::space::Survey;
use crate::spin::{Settings, SpinError};

pub use delivery::deliver;
pub use hashes::{RUNNING, SUMS, sweep};
pub use kept::KeptInputs;

use kept::Kept;

/// The file of the result.
pub const RESULT: &str = "result.json";
/// The scripts that check a folder without this program.
const SCRIPTS: [(&str, &str); 2] =
    [("check.sh", include_str!("certificate/check.sh")), ("check.py", include_str!("certificate/check.py"))];

/// A proof that was repeated with the same outcome.
#[derive(Debug, Serialize)]
pub struct Verification {
    schema: &'static str,
    /// The kernel that the proof is about.
    pub kernel: String,
    /// The GPU.
    pub gpu: String,
    verdict: &'static str,
    /// The property that holds.
    pub property: String,
    /// The optimum's time.
    pub ticks: u64,
    /// The model checker that repeated it, and its version.
    pub checker: String,
    /// `shipped` if the GPU's profile is the one that this program ships under its name, else `own`.
    pub profile: &'static str,
    /// Different programs that the inputs were lowered to.
    pub programs: usize,
    /// Models that were rendered and searched again.
    pub models: usize,
    /// Configurations that SPIN chose from, in all models.
    pub configurations: usize,
    /// Trails that were found and replayed again.
    pub trails: usize,
    /// Configurations that a lower bound excludes; the bounds were computed again.
    pub pruned: u128,
}

/// Something that is not as the folder says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deviation {
    /// A file or folder, from the proof's folder.
    pub place: String,
    /// What is wrong with it.
    pub what: String,
}

impl Deviation {
    fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // Names and contents are a stranger's: no control character of theirs reaches a terminal.
        write!(f, "{}: {}", printable(&self.place), printable(&self.what))
    }
}

/// Why a folder is not verified.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// It is not a kept proof.
    #[error("`{}` is no folder that `--keep` has filled: it has neither {RESULT} nor {SUMS}", .0.display())]
    NotKept(PathBuf),
    /// It was made by another version of this program.
    #[error(
        "`{}` was made by autotune {made_by}, this is autotune {}: only the version that made a proof can repeat it",
        folder.display(), kept::VERSION
    )]
    OtherVersion {
        /// Which folder.
        folder: PathBuf,
        /// The other version.
        made_by: String,
    },
    /// It was made with another version of SPIN.
    #[error("`{}` was proved by {made_by}, this is {here}: outputs and trails of two versions cannot be compared", folder.display())]
    OtherChecker {
        /// Which folder.
        folder: PathBuf,
        /// The version that the result names.
        made_by: String,
        /// The version that was found.
        here: String,
    },
    /// It is not as it says.
    #[error("`{}` does not hold the proof that it claims{}", folder.display(), lines(differences))]
    Differs {
        /// Which folder.
        folder: PathBuf,
        /// All that differs.
        differences: Vec<Deviation>,
    },
    /// The repetition was stopped, or does not fit the memory that is allowed.
    #[error("the proof was not repeated: {0}")]
    Stopped(String),
    /// SPIN cannot be run.
    #[error(transparent)]
    Spin(#[from] SpinError),
    /// The proof cannot be repeated.
    #[error("the proof cannot be repeated: {0}")]
    Tuning(#[from] TuningError),
    /// The near ties cannot be looked at again.
    #[error(transparent)]
    Near(#[from] NearError),
    /// The formulas cannot be evaluated again.
    #[error(transparent)]
    CrossCheck(#[from] CrossCheckError),
    /// There is no place for temporary files.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

fn lines(differences: &[Deviation]) -> String {
    differences.iter().flat_map(|difference| ["\n  ".to_owned(), difference.to_string()]).collect()
}

/// Completes a folder in which a question was answered: inputs, programs, result, scripts and hashes. What can be made anew from
/// a model is removed.
///
/// # Errors
/// A file cannot be read or written.
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

/// The scripts must be those that this program writes.
fn check_scripts(folder: &Path) -> Vec<Deviation> {
    let mut differences = Vec::new();
    for (name, text) in SCRIPTS {
        if files::kept(&folder.join(name), MIB).bytes().ok().as_deref() != Some(text.as_bytes()) {
            differences.push(Deviation::new(name, "it is not the script that this version of autotune writes"));
        }
    }
    differences
}

/// Proves again what `folder` claims, from its inputs, and compares every file with its own.
///
/// # Errors
/// The folder holds no proof of this version, something differs, or the proof cannot be repeated.
pub fn verify(folder: &Path, settings: &Settings, observe: Observer) -> Result<Verification, CertificateError> {
    if [RESULT, SUMS].iter().all(|name| folder.join(name).symlink_metadata().is_err()) {
        return Err(CertificateError::NotKept(folder.to_owned()));
    }
    let differs = |differences| CertificateError::Differs { folder: folder.to_owned(), differences };
    if let Some(made_by) = kept::other_version(folder)?.map(|version| printable(&version)) {
        return Err(CertificateError::OtherVersion { folder: folder.to_owned(), made_by });
    }
    let mut differences = hashes::check(folder)?;
    if !differences.is_empty() {
        // What is not what was sealed is not read further.
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
