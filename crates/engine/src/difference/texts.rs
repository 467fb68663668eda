//! The texts of both kernels: which files and lines correspond.

use std::path::Path;

use serde::Serialize;

use super::counts::KernelCounts;
use super::lines::MatchedLines;
use super::side::ComparedKernel;
use crate::explain::lines::KernelLines;
use autotune_base::text::SourceLine;

/// The texts of a configuration of one kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KernelTexts {
    /// The name and the lines of each file; the spec is the first, those of the kernel's source follow.
    files: Vec<(String, Vec<String>)>,
    /// The beginning of the files' names and what is shown in its place.
    shown: Option<(String, String)>,
}

/// The texts of both kernels.
#[derive(Debug)]
pub(super) struct ComparedTexts {
    pub(super) old: KernelTexts,
    pub(super) new: KernelTexts,
    /// The files that correspond, by their numbers: old, new, and their lines.
    files: Vec<(u16, u16, MatchedLines)>,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct LinePlace {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The text of the line without blanks around it.
    pub text: String,
}

impl KernelTexts {
    pub(super) fn read(kernel: &ComparedKernel<'_>, counts: &KernelCounts) -> Self {
        let spec = kernel.spec;
        let lines = spec.source.text().lines().map(str::to_owned).collect();
        let read = KernelLines::read(counts.files.iter().map(String::as_str));
        let spec = (spec.source.name().to_owned(), lines);
        let shown = kernel.shown.map(|(from, to)| (from.to_owned(), to.to_owned()));
        Self { files: std::iter::once(spec).chain(read.files().iter().cloned()).collect(), shown }
    }

    /// The place of a line; `None` for what comes from no line.
    pub(super) fn place(&self, at: SourceLine) -> Option<LinePlace> {
        let (file, lines) = self.files.get(usize::from(at.file))?;
        let index = usize::try_from(at.line.checked_sub(1)?).ok()?;
        let text = lines.get(index).map_or("", |line| line.trim());
        let renamed = self.shown.as_ref().and_then(|(from, to)| Some(format!("{to}{}", file.strip_prefix(from)?)));
        let file = renamed.unwrap_or_else(|| file.clone());
        Some(LinePlace { file, line: at.line, text: text.to_owned() })
    }

    fn line_of(&self, file: &str, line: u32) -> Option<SourceLine> {
        let number = self.files.iter().position(|(name, _)| name == file)?;
        Some(SourceLine { file: u16::try_from(number).ok()?, line })
    }

    /// The numbers of the files that the kernel's statements come from: the spec, or the source's files.
    fn numbers(&self) -> impl Iterator<Item = u16> {
        let number = u16::try_from(self.files.len()).unwrap_or(u16::MAX);
        if number > 1 { 1..number } else { 0..1 }
    }

    fn file_name(&self, number: u16) -> Option<&str> {
        let (name, _) = self.files.get(usize::from(number))?;
        Path::new(name).file_name()?.to_str()
    }
}

impl ComparedTexts {
    /// Matches the files by their names, then those that are left by their order, and their lines.
    pub(super) fn new(old: KernelTexts, new: KernelTexts) -> Self {
        let mut open: Vec<u16> = old.numbers().collect();
        let mut pairs: Vec<(u16, u16)> = Vec::new();
        let mut left: Vec<u16> = Vec::new();
        for number in new.numbers() {
            match open.iter().position(|&other| old.file_name(other) == new.file_name(number)) {
                Some(at) => pairs.push((open.remove(at), number)),
                None => left.push(number),
            }
        }
        pairs.extend(open.into_iter().zip(left));
        pairs.sort_by_key(|(_, number)| *number);
        let lines = |texts: &KernelTexts, number: u16| texts.files[usize::from(number)].1.clone();
        let matched = |(one, other)| (one, other, MatchedLines::new(&lines(&old, one), &lines(&new, other)));
        let files = pairs.into_iter().map(matched).collect();
        Self { old, new, files }
    }

    /// The new line that an old one stands for; `None` if it was removed.
    pub(super) fn new_of(&self, at: SourceLine) -> Option<SourceLine> {
        let (_, file, lines) = self.files.iter().find(|(old, ..)| *old == at.file)?;
        Some(SourceLine { file: *file, line: lines.new_of(at.line)? })
    }

    /// The old line that a new one stands for; `None` if it was added.
    pub(super) fn old_of(&self, at: SourceLine) -> Option<SourceLine> {
        let (file, _, lines) = self.files.iter().find(|(_, new, _)| *new == at.file)?;
        Some(SourceLine { file: *file, line: lines.old_of(at.line)? })
    }

    /// The changed lines of the new texts, in the order of files and lines.
    fn changed(&self) -> impl Iterator<Item = SourceLine> {
        let of_file = |(_, file, lines): &(u16, u16, MatchedLines)| {
            let file = *file;
            lines.changed().iter().map(move |&line| SourceLine { file, line }).collect::<Vec<_>>()
        };
        self.files.iter().flat_map(of_file)
    }

    /// The first changed line of the new texts that is executed, or that is not a comment; `None` if there is none.
    pub(super) fn first_change(&self, new: &KernelCounts) -> Option<LinePlace> {
        let is_executed = |at: &SourceLine| new.lines.iter().any(|line| line.source_line() == *at);
        let is_code = |at: &SourceLine| self.new.place(*at).is_some_and(|place| !is_comment(*at, &place.text));
        let changed = self.changed().find(is_executed).or_else(|| self.changed().find(is_code));
        changed.and_then(|at| self.new.place(at))
    }

    /// The place in the new texts of a line of an old file; `None` if the line was removed.
    pub(super) fn new_place_of(&self, file: &str, line: u32) -> Option<LinePlace> {
        self.new.place(self.new_of(self.old.line_of(file, line)?)?)
    }

    /// The place of a line of a new file; `None` if there is no such file.
    pub(super) fn place_in_new(&self, file: &str, line: u32) -> Option<LinePlace> {
        self.new.place(self.new.line_of(file, line)?)
    }

    /// The place in the new text of a matched or removed old line: its own new line, or that of the nearest old line before
    /// that is still there; `None` if no line before is.
    pub(super) fn near_new(&self, at: SourceLine) -> Option<SourceLine> {
        let before = (1..=at.line).rev().map(|line| SourceLine { line, ..at });
        before.into_iter().find_map(|line| self.new_of(line))
    }
}

/// True for a blank line and for one that begins with the sign of a comment, of a spec or of a kernel's source.
fn is_comment(at: SourceLine, text: &str) -> bool {
    let signs: &[&str] = if at.file == 0 { &["#"] } else { &["//", "/*", "*"] };
    text.is_empty() || signs.iter().any(|sign| text.starts_with(sign))
}
