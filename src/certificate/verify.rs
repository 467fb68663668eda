//! The repetition of a folder's proof from its inputs, and the comparison of every file.

use std::path::Path;

use super::error::CertificateError;
use super::hashes::{self, SUMS};
use super::kept::{self, Kept};
use super::scripts::{RESULT, check_scripts};
use super::{again, recompile, repeat};
use crate::result::VerificationReport;
use autotune_base::text::words::printable;
use autotune_engine::proof::Observer;
use autotune_engine::spin::Settings;
use autotune_kernel::source::Tools;

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
    refuse_other_version(folder)?;
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
    let kept = kept.interrupted_by(&settings.limits.interrupt);
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

/// Refuses a folder that another version made.
///
/// # Errors
/// [`CertificateError::OtherVersion`] with the command that proves its question again, or if its manifest cannot be read.
pub(super) fn refuse_other_version(folder: &Path) -> Result<(), CertificateError> {
    let Some(made_by) = kept::other_version(folder)? else { return Ok(()) };
    let (folder, command) = (folder.to_owned(), again::command(folder));
    Err(CertificateError::OtherVersion { folder, made_by: printable(&made_by), command })
}
