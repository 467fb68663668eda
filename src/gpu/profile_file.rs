//! A shipped profile and its text.

use super::profile::Profile;

/// A profile of the binary and the file that it was read from.
#[derive(Debug)]
pub struct Shipped {
    /// The text of the file with its comments, which can be saved, edited and used as a profile.
    pub text: &'static str,
    /// The profile that the file contains.
    pub profile: Profile,
}
