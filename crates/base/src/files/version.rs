//! The version of what this program keeps: caches, kept proofs and journals.

/// The version that caches, kept proofs and journals carry. The number behind the plus rises where something is counted otherwise
/// than before, between two releases too: what was kept before then need not be what is found now.
pub const KEPT_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+counts.5");

/// The profile that this program was built with: `release`, `quick`, `dev`, or another one of Cargo.toml.
pub const BUILD_PROFILE: &str = env!("AUTOTUNE_PROFILE");

/// A sentence about something that another version made, and that this one cannot repeat or go on with.
#[must_use]
pub fn made_by_another(what: &str, made_by: &str) -> String {
    format!(
        "{what} was made by autotune {made_by}, but this is autotune {KEPT_VERSION}, which may count otherwise: only the version that \
         made it can repeat it or go on with it"
    )
}
