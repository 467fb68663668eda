//! The YAML of a spec: its shape first, then its names and expressions.

pub(super) mod check;
pub(super) mod diagnosis;
pub(super) mod load;
mod raw;
mod t1;
mod traps;

use std::path::Path;
use std::sync::Arc;

use super::Spec;
use super::error::SpecError;
use autotune_base::text::Source;

pub use t1::OuterSpace;
pub use traps::Trap;

impl Spec {
    /// Reads a spec from its text. Messages call the text `file_name`.
    ///
    /// # Errors
    /// If the text is not a valid spec. The error shows the first place that is wrong.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, SpecError> {
        Self::parse_with(text, file_name, None)
    }

    /// Reads a spec from its text, with the space of another file.
    ///
    /// # Errors
    /// If the text is not a valid spec, or does not fit the space.
    pub fn parse_with(text: &str, file_name: &str, space: Option<&OuterSpace>) -> Result<Self, SpecError> {
        Self::read(&Source::new(file_name, text), space)
    }

    /// Reads a spec from a text that a user wrote or that stands for options, with the space of another file.
    ///
    /// # Errors
    /// If the text is not a valid spec, or does not fit the space.
    pub fn read(source: &Source, space: Option<&OuterSpace>) -> Result<Self, SpecError> {
        let source = Arc::new(source.clone());
        check::check(&source, &load::read(&source)?, space).map_err(|mut errors| errors.swap_remove(0))
    }

    /// Reads a spec from its text and goes on after an error as far as the error allows.
    ///
    /// # Errors
    /// If the text is not a valid spec: all errors that were found, in the order of the text; the list is never empty.
    pub fn diagnose(source: &Source, space: Option<&OuterSpace>) -> Result<Self, Vec<SpecError>> {
        diagnosis::diagnose(source, space)
    }

    /// Reads a spec from a file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid spec.
    pub fn load(path: &Path) -> Result<Self, SpecError> {
        Self::load_with(path, None)
    }

    /// Returns the text of a file that may be a spec.
    ///
    /// # Errors
    /// If the file cannot be read or is not UTF-8.
    pub fn text_of(path: &Path) -> Result<String, SpecError> {
        load::text(path, &path.display().to_string())
    }

    /// Reads a spec from a file. Messages call the file `name`, wherever it lies; a source lies beside the file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid spec.
    pub fn load_as(path: &Path, name: &str) -> Result<Self, SpecError> {
        Self::read(&Source::new(name, &load::text(path, name)?).beside(path), None)
    }

    /// Reads a spec and merges a separate space into it: the space replaces the values of parameters of the same name
    /// and adds its other parameters and its conditions.
    ///
    /// # Errors
    /// If the file cannot be read, is not a valid spec, or does not fit the space.
    pub fn load_with(path: &Path, space: Option<&OuterSpace>) -> Result<Self, SpecError> {
        let name = path.display().to_string();
        Self::parse_with(&load::text(path, &name)?, &name, space)
    }
}
