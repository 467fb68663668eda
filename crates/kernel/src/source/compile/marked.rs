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
    counted: u32,
}

/// The text with the marks of these lines.
pub(super) fn marked(text: &str, assumed: &AssumedLines) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut notes = Notes::default();
    for line in &lines {
        notes.take(line);
    }
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
        counted: 0,
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
                Mark::Condition { .. } | Mark::Exit(_) => writeln!(text, "declare i1 @{mark}(i1) {PASSES_ON}"),
                Mark::Iteration(_) | Mark::Entry(_) => writeln!(text, "declare void @{mark}() {COUNTS}"),
            };
        }
        for line in &self.added {
            let _ = writeln!(text, "{line}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `if (!(a > 3)) return;` in line 2, and `#pragma unroll 4 for (…; j < n; …)` in line 3, as the compiler writes them.
    const TEXT: &str = "\
define void @k(i32 %n) !dbg !1 {
entry:
  br i1 %cmp, label %if.end, label %if.then, !dbg !4
if.then:                                          ; preds = %entry
  br label %return, !dbg !4
if.end:                                           ; preds = %entry
  br label %for.cond, !dbg !5
for.cond:                                         ; preds = %for.inc, %if.end
  %less = icmp slt i32 %j, %n, !dbg !5
  br i1 %less, label %for.body, label %for.end, !dbg !5
for.body:                                         ; preds = %for.cond
  br label %for.inc, !dbg !5
for.inc:                                          ; preds = %for.body
  br label %for.cond, !dbg !5, !llvm.loop !6
for.end:                                          ; preds = %for.cond
  br label %return, !dbg !5
return:                                           ; preds = %for.end, %if.then
  ret void
}
!1 = distinct !DISubprogram(name: \"k\", file: !2, line: 1)
!2 = !DIFile(filename: \"k.cu\", directory: \"\")
!4 = !DILocation(line: 2, column: 7, scope: !1)
!5 = !DILocation(line: 3, column: 3, scope: !1)
!6 = distinct !{!6, !5, !7, !8}
!7 = !{!\"llvm.loop.mustprogress\"}
!8 = !{!\"llvm.loop.unroll.count\", i32 4}
";

    fn lines(taken: &[u32], trips: &[u32]) -> AssumedLines {
        AssumedLines { taken: taken.iter().copied().collect(), trips: trips.iter().copied().collect() }
    }

    #[test]
    fn a_condition_passes_a_mark_as_the_source_has_it() {
        let text = marked(TEXT, &lines(&[2], &[]));
        let expected = TEXT.replace(
            "  br i1 %cmp, label %if.end, label %if.then, !dbg !4\n",
            "  %autotune.not.2 = xor i1 %cmp, true, !dbg !4\n  \
             %autotune.truth.2 = call i1 @autotune_condition.2.1.first(i1 %autotune.not.2), !dbg !4\n  \
             br i1 %autotune.truth.2, label %if.then, label %if.end, !dbg !4\n",
        );
        assert_eq!(text, format!("{expected}declare i1 @autotune_condition.2.1.first(i1) {PASSES_ON}\n"));
    }

    #[test]
    fn a_loop_counts_its_iterations_and_is_not_unrolled() {
        let text = marked(TEXT, &lines(&[], &[3]));
        let expected = TEXT
            .replace(
                "  br label %for.cond, !dbg !5\nfor.cond:",
                "  call void @autotune_entry.3.1()\n  br label %for.cond, !dbg !5\nfor.cond:",
            )
            .replace(
                "= %for.cond\n  br label %for.inc",
                "= %for.cond\n  call void @autotune_iteration.3.1()\n  br label %for.inc",
            )
            .replace("!{!6, !5, !7, !8}", "!{!6, !5, !7, !9, !10}");
        let added = format!(
            "declare void @autotune_iteration.3.1() {COUNTS}\ndeclare void @autotune_entry.3.1() {COUNTS}\n!9 = !{{!\"llvm.loop.unroll.runtime.disable\"}}\n\
             !10 = !{{!\"llvm.loop.peeled.count\", i32 1000}}\n"
        );
        assert_eq!(text, expected + &added);
    }

    #[test]
    fn lines_without_a_condition_or_a_loop_change_nothing() {
        assert_eq!(marked(TEXT, &lines(&[1, 3], &[2, 4])), TEXT);
    }
}
