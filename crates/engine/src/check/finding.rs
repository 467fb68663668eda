//! A finding: a matter and its place.

use super::matter::Matter;
use super::warning::{InspectionWarning, Warning};
use autotune_base::text::{Place, Source};
use autotune_kernel::source::SourcePlace;

/// A doubtful matter in a description, and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckFinding {
    matter: Matter,
    /// The name of the file in messages, or the option of a command line with its value.
    file: String,
    /// The line of the file, counted from 1.
    line: u32,
    /// The column in characters, counted from 1.
    column: u32,
}

impl CheckFinding {
    /// A finding in a spec or a profile.
    pub(super) fn in_text(matter: Matter, source: &Source, place: Place) -> Self {
        let (file, Place { line, column, .. }) = source.whereabouts(place.offset as usize);
        Self { matter, file, line, column }
    }

    /// A finding in a kernel's source.
    pub(super) fn in_source(matter: Matter, place: &SourcePlace) -> Self {
        Self { matter, file: place.file.to_string(), line: place.line.max(1), column: place.column.max(1) }
    }

    /// True if another finding is about the same matter at the same place, whatever its values.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let place = |finding: &Self| (finding.line, finding.column);
        self.matter.is_same(&other.matter) && place(self) == place(other) && self.file == other.file
    }

    /// The finding in words.
    #[must_use]
    pub fn warning(&self) -> Warning {
        Warning {
            kind: self.matter.kind(),
            message: self.matter.message(),
            file: self.file.clone(),
            line: self.line,
            column: self.column,
            help: self.matter.help(),
        }
    }

    /// The finding in words, as an inspection shows it; `None` if it is not about one configuration's execution.
    #[must_use]
    pub fn inspected(&self) -> Option<InspectionWarning> {
        let Warning { message, file, line, help, .. } = self.warning();
        Some(InspectionWarning { kind: self.matter.inspected()?, file, line, message, help })
    }
}
