//! The files of a kept proof that are the same in every folder.

use std::path::Path;

use super::deviation::Deviation;
use autotune_base::files::{self, MIB};

/// The file of the result.
pub const RESULT: &str = "result.json";

/// The scripts that check a folder without this program.
pub(super) const SCRIPTS: [(&str, &str); 2] =
    [("check.sh", include_str!("check.sh")), ("check.py", include_str!("check.py"))];

/// Checks that the scripts are those that this program writes.
pub(super) fn check_scripts(folder: &Path) -> Vec<Deviation> {
    let mut differences = Vec::new();
    for (name, text) in SCRIPTS {
        if files::kept(&folder.join(name), MIB).bytes().ok().as_deref() != Some(text.as_bytes()) {
            differences.push(Deviation::new(name, "it is not the script that this version of autotune writes"));
        }
    }
    differences
}
