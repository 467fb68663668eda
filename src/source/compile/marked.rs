//! The compiler's text before it is optimised, with marks on the conditions and loops that assumptions speak of.
//!
//! There each condition of the source is a branch of its own, and the names of its targets, which the compiler gives, say
//! which side is which. A marked condition passes a function that the optimiser does not know, so that no pass inverts it or
//! takes it for another one. A marked loop is neither unrolled nor peeled where its iterations are not known.

mod conditions;
mod function;
mod loops;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::super::ir::Notes;
use super::super::marks::{AssumedLines, Mark};
use function::functions;

/// The attributes of a function that only passes its argument on, in the words of all versions.
const PASSES_ON: &str = "nounwind readnone speculatable willreturn nofree nosync";
/// The attributes of a function that has an effect which no access of memory meets.
const COUNTS: &str = "nounwind inaccessiblememonly willreturn nofree nosync";

/// The lines of a text and what changes in them.
struct Marking<'t> {
    lines: Vec<&'t str>,
    notes: Notes<'t>,
    assumed: &'t AssumedLines,
    /// The texts that stand in the place of a line.
    replaced: BTreeMap<usize, String>,
    /// The lines that stand before a line.
    before: BTreeMap<usize, Vec<String>>,
    /// The lines behind all others.
    added: Vec<String>,
    marks: BTreeSet<Mark>,
    /// The notes of loops that are changed.
    loops: BTreeSet<String>,
    /// The number of the next note.
    next_note: usize,
    statements: u32,
}

/// The text with the marks of these lines.
pub(super) fn marked(text: &str, assumed: &AssumedLines) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut notes = Notes::default();
    lines.iter().for_each(|line| notes.take(line));
    let number = |line: &&str| line.strip_prefix('!')?.split_once(" = ")?.0.parse::<usize>().ok();
    let next_note = lines.iter().filter_map(number).max().map_or(0, |last| last + 1);
    let mut marking = Marking {
        lines,
        notes,
        assumed,
        replaced: BTreeMap::new(),
        before: BTreeMap::new(),
        added: Vec::new(),
        marks: BTreeSet::new(),
        loops: BTreeSet::new(),
        next_note,
        statements: 0,
    };
    for function in functions(&marking.lines.clone()) {
        marking.conditions(&function);
        marking.loops(&function);
    }
    marking.loop_notes();
    marking.text()
}

impl Marking<'_> {
    /// The line in the user's files of an instruction; `None` if it has none.
    fn user_line(&self, at: usize) -> Option<u32> {
        let (_, note) = self.lines[at].rsplit_once("!dbg !")?;
        let digits = note.bytes().take_while(u8::is_ascii_digit).count();
        let places = self.notes.places(&note[..digits]);
        places.first().filter(|place| place.is_users()).map(|place| place.line)
    }

    /// Adds a note. Returns its number.
    fn note(&mut self, text: impl FnOnce(usize) -> String) -> usize {
        let number = self.next_note;
        self.next_note += 1;
        self.added.push(format!("!{number} = {}", text(number)));
        number
    }

    /// The whole text.
    fn text(self) -> String {
        let mut text = String::new();
        for (at, line) in self.lines.iter().enumerate() {
            for before in self.before.get(&at).into_iter().flatten() {
                let _ = writeln!(text, "{before}");
            }
            let _ = writeln!(text, "{}", self.replaced.get(&at).map_or(*line, String::as_str));
        }
        for mark in &self.marks {
            let _ = match mark {
                Mark::Condition { .. } => writeln!(text, "declare i1 @{mark}(i1) {PASSES_ON}"),
                Mark::Iteration { .. } => writeln!(text, "declare void @{mark}() {COUNTS}"),
            };
        }
        for line in &self.added {
            let _ = writeln!(text, "{line}");
        }
        text
    }
}
