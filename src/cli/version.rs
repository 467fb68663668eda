//! `autotune --version --verbose`: the version, and how the program was built.

use std::ffi::OsString;

use clap::error::ErrorKind;

use autotune_base::files::version::BUILD_PROFILE;

/// Returns the version with the build's profile if the command line asks for it in full; `None` for all else that the command
/// line's errors stand for.
pub(super) fn asked(error: &clap::Error, mut arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let is_asked = error.kind() == ErrorKind::DisplayVersion;
    let is_verbose = |word: &OsString| ["-v", "-vv", "--verbose"].iter().any(|verbose| word == *verbose);
    (is_asked && arguments.any(|word| is_verbose(&word)))
        .then(|| format!("autotune {}\nprofile: {BUILD_PROFILE}\n", env!("CARGO_PKG_VERSION")))
}
