//! The answer to a shell.

use std::fmt::Write;

/// The candidates for a word, and the files that may stand in their place.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// The beginning of the word that stays, such as `--gpu=fermi,`.
    pub(super) fixed: String,
    /// The rest of the word as it is typed.
    pub(super) rest: String,
    /// The files.
    pub(super) files: Files,
    /// True if no candidate ends the word, so that no blank follows.
    pub(super) is_open: bool,
    /// The candidates for the rest.
    pub(super) candidates: Vec<Candidate>,
}

/// A word or its end, and what it means.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) text: String,
    /// One line; empty if the text says it all.
    pub(super) about: String,
}

/// The files that may stand at a place. Folders lead to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Files {
    #[default]
    None,
    Folders,
    All,
    /// Files with these endings, separated by blanks.
    Ending(&'static str),
}

impl Answer {
    /// An answer with these candidates for the rest of a word.
    pub(super) fn new(fixed: &str, rest: &str, candidates: Vec<Candidate>) -> Self {
        Self { fixed: fixed.to_owned(), rest: rest.to_owned(), candidates, ..Self::default() }
    }

    /// The lines that the scripts read.
    pub(super) fn to_text(&self) -> String {
        let files = match self.files {
            Files::None => "none",
            Files::Folders => "folders",
            Files::All => "files",
            Files::Ending(endings) => endings,
        };
        let end = if self.is_open { "open" } else { "space" };
        let mut text = format!("{}\n{}\n{files}\n{end}\n", self.fixed, self.rest);
        for Candidate { text: candidate, about } in &self.candidates {
            let _ = writeln!(text, "{candidate}\t{about}");
        }
        text
    }
}

impl Candidate {
    /// A candidate. Of what it means, the first line counts.
    pub(super) fn new(text: impl Into<String>, about: &str) -> Self {
        Self { text: text.into(), about: about.lines().next().unwrap_or_default().replace('\t', " ") }
    }
}
