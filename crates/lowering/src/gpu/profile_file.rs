//! A profile and the text that it was read from.

use super::profile::Profile;
use super::provenance::{self, Fact};

/// A profile and its text.
#[derive(Debug, Clone)]
pub struct ProfileFile {
    /// The text with its comments, which can be saved, edited and used as a profile. If the file names a base, the
    /// values of the base follow those of the file.
    pub text: String,
    /// The name of the profile that the file names as its base; `None` if it names none.
    pub base: Option<String>,
    /// The profile that the text contains.
    pub profile: Profile,
}

impl ProfileFile {
    /// Returns the values of a real GPU, each with its origin, in the order of the text; nothing of an abstract
    /// processor, whose values describe no GPU.
    pub fn facts(&self) -> impl Iterator<Item = Fact<'_>> {
        let is_real = matches!(self.profile, Profile::Pipelined(_));
        provenance::facts(&self.text).filter(move |_| is_real)
    }
}
