//! The texts of the lines of a kernel's source.

use std::path::Path;

use autotune_base::files;
use autotune_base::text::SourceLine;
use autotune_lowering::lowering::{Feasibility, Lowering, LoweringError};
use autotune_lowering::spec::Configuration;

/// The most bytes of a file that are read.
const LONGEST_FILE: u64 = 16 * files::MIB;

/// The most characters of a line that are shown.
const LONGEST_LINE: usize = 56;

/// The user's files behind a configuration's kernel.
#[derive(Debug, Clone, Default)]
pub struct KernelLines {
    /// The name and the lines of each file, by its number from 1; no lines if the file cannot be read.
    files: Vec<(String, Vec<String>)>,
}

impl KernelLines {
    /// Reads the files behind a configuration's kernel; none if the spec has a body.
    ///
    /// # Errors
    /// If the source cannot be compiled, read or executed.
    pub fn new(lowering: &Lowering<'_>, configuration: &Configuration) -> Result<Self, LoweringError> {
        Ok(match lowering.trace(configuration)? {
            Some(Feasibility::Feasible(traced)) => Self::read(traced.files().iter().map(|name| &**name)),
            _ => Self::default(),
        })
    }

    /// Reads files by their names.
    pub fn read<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let read = |name: &str| {
            let text = files::named(Path::new(name), LONGEST_FILE).text().unwrap_or_default();
            (name.to_owned(), text.lines().map(str::to_owned).collect())
        };
        Self { files: names.map(read).collect() }
    }

    /// The name and the lines of each file; number 1 is the first.
    #[must_use]
    pub fn files(&self) -> &[(String, Vec<String>)] {
        &self.files
    }

    /// The name of a line's file; `None` for a line of the spec.
    #[must_use]
    pub fn file(&self, line: SourceLine) -> Option<&str> {
        let (name, _) = self.files.get(usize::from(line.file.checked_sub(1)?))?;
        Some(name)
    }

    /// The text of a line without blanks around it, cut if it is long; `None` for a line of the spec and a file that
    /// cannot be read.
    #[must_use]
    pub fn text(&self, line: SourceLine) -> Option<String> {
        let (_, lines) = self.files.get(usize::from(line.file.checked_sub(1)?))?;
        let text = lines.get(usize::try_from(line.line.checked_sub(1)?).ok()?)?.trim();
        let cut = text.char_indices().nth(LONGEST_LINE).map(|(end, _)| format!("{}…", text[..end].trim_end()));
        Some(cut.unwrap_or_else(|| text.to_owned()))
    }
}
