//! Kept proofs: sealed by hashes, and repeated from what is in their folder alone.
//!
//! A folder holds `result.json`, `SHA256SUMS`, a script that repeats the proof without this program, and for each model its
//! text, its tables, its configurations by SPIN's numbers, the commands, SPIN's outputs and the trails of its counterexamples.
//! [`verify`] knows neither spec nor GPU: it hashes the files, holds the result against itself and against what was printed
//! then, lets SPIN search the models again and replays the trails.

mod claim;
mod hashes;
mod repeat;

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use crate::files;
use crate::report::Report;
use crate::scratch::ScratchError;
use crate::spin::{Settings, SpinError};

pub use hashes::{RUNNING, SUMS, sweep};

use claim::Claim;

/// The file of the result.
pub const RESULT: &str = "result.json";
/// Repeats a proof without this program.
const SCRIPT: (&str, &str) = ("check.sh", include_str!("certificate/check.sh"));

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
    /// What SPIN searched again.
    pub models: usize,
    /// How many configurations it chose from.
    pub configurations: usize,
    /// How many trails were replayed.
    pub trails: usize,
    /// Configurations that a lower bound excludes, of which the folder shows no more than the bound.
    pub pruned: u128,
}

/// Something that is not as the folder says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// A file or folder, from the proof's folder.
    pub place: String,
    /// What is wrong with it.
    pub what: String,
}

impl Difference {
    fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// Why a folder is not verified.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// It is no kept proof.
    #[error("`{}` is no folder that `--keep` has filled: it has neither {RESULT} nor {SUMS}", .0.display())]
    NotKept(PathBuf),
    /// It is not as it says.
    #[error("`{}` does not hold the proof that it claims{}", folder.display(), lines(differences))]
    Differs {
        /// Which folder.
        folder: PathBuf,
        /// All that differs.
        differences: Vec<Difference>,
    },
    /// SPIN cannot be run, or was stopped.
    #[error(transparent)]
    Spin(#[from] SpinError),
    /// There is no place for temporary files.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

fn lines(differences: &[Difference]) -> String {
    differences.iter().flat_map(|difference| ["\n  ".to_owned(), difference.to_string()]).collect()
}

/// Completes a folder in which a question was answered: result, script and hashes. What is made anew from a model goes.
///
/// # Errors
/// A file cannot be read or written.
pub fn seal(folder: &Path, result: &str) -> std::io::Result<()> {
    sweep(folder)?;
    hashes::add(folder, RESULT, result)?;
    hashes::add(folder, SCRIPT.0, SCRIPT.1)?;
    hashes::write(folder)
}

/// What a proved result says against itself; nothing if it is in itself right.
#[must_use]
pub fn contradictions(report: &Report) -> Vec<Difference> {
    let (Some(optimum), Some(proof)) = (report.optimum.clone(), report.proof.clone()) else {
        return vec![Difference::new(RESULT, "it has no optimum or no proof")];
    };
    Claim { report: report.clone(), optimum, proof }.contradictions()
}

/// The script must be the one that this program writes.
fn check_script(folder: &Path) -> Option<Difference> {
    let (name, text) = SCRIPT;
    let path = folder.join(name);
    let is_same = files::kept(&path, text.len() as u64).bytes().is_ok_and(|found| found == text.as_bytes());
    (!is_same).then(|| Difference::new(name, "it is not the script that this version of autotune writes"))
}

/// Repeats the proof that `folder` holds, in folders that go when it is done.
///
/// # Errors
/// The folder holds no proof, something differs, or SPIN cannot be run.
pub fn verify(folder: &Path, settings: &Settings) -> Result<Verification, CertificateError> {
    if !folder.join(RESULT).exists() && !folder.join(SUMS).exists() {
        return Err(CertificateError::NotKept(folder.to_owned()));
    }
    let differs = |differences| CertificateError::Differs { folder: folder.to_owned(), differences };
    let mut differences = hashes::check(folder)?;
    let claim = match Claim::read(folder)? {
        Ok(claim) => claim,
        Err(difference) => {
            differences.push(difference);
            return Err(differs(differences));
        }
    };
    differences.extend(claim.contradictions());
    differences.extend(check_script(folder));
    if !differences.is_empty() {
        // What is not what was sealed is not run.
        return Err(differs(differences));
    }
    let mut verification = Verification {
        schema: "autotune.verification/1",
        kernel: claim.report.kernel.clone(),
        gpu: claim.report.gpu.clone(),
        verdict: "verified",
        property: claim.proof.property.clone(),
        ticks: claim.optimum.ticks,
        checker: settings.toolchain.checker(),
        models: 0,
        configurations: 0,
        trails: 0,
        pruned: claim.proof.configurations.pruned,
    };
    for theorem in claim.theorems(folder) {
        differences.extend(repeat::theorem(folder, &theorem, settings, &mut verification)?);
    }
    if differences.is_empty() { Ok(verification) } else { Err(differs(differences)) }
}
