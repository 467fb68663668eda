//! Marks on loops.

use std::collections::BTreeSet;

use super::super::super::marks::{CountedLoop, Mark};
use super::Marking;
use super::conditions::Branch;
use super::function::{Function, Loop};

/// The words of a note about a loop that ask for copies of its body although its iterations are not known.
const UNROLLS: [&str; 3] = ["llvm.loop.unroll.count", "llvm.loop.unroll.enable", "llvm.loop.unroll.runtime.disable"];
/// The bodies of loops.
const BODIES: [&str; 3] = ["for.body", "while.body", "do.body"];

impl Marking<'_> {
    /// Marks the loops of a function that end at a line with an assumption.
    pub(super) fn loops(&mut self, function: &Function) {
        if self.assumed.trips.is_empty() {
            return;
        }
        let loops = function.loops();
        let innermost =
            |block: usize| loops.iter().filter(|one| one.body.contains(&block)).min_by_key(|one| one.body.len());
        for one in &loops {
            let own = |block: &&usize| innermost(**block).is_some_and(|inner| inner.head == one.head);
            let conditional = |block: &&usize| function.blocks[**block].after.len() > 1;
            let own: Vec<usize> = one.body.iter().filter(own).copied().collect();
            let lines: BTreeSet<u32> = own
                .iter()
                .filter(conditional)
                .filter_map(|block| self.user_line(function.blocks[*block].last))
                .filter(|line| self.assumed.trips.contains(line))
                .collect();
            if !lines.is_empty() {
                self.mark_loop(function, one, &own, &lines);
            }
        }
    }

    fn mark_loop(&mut self, function: &Function, one: &Loop, own: &[usize], lines: &BTreeSet<u32>) {
        let is_body = |block: &&usize| BODIES.iter().any(|name| function.blocks[**block].label.starts_with(name));
        let body = own.iter().find(is_body).copied().unwrap_or(one.head);
        let block = &function.blocks[body];
        let first = (block.first..block.last).find(|line| !self.lines[*line].contains(" = phi "));
        let entries = function.entries(one);
        self.counted += 1;
        for line in lines {
            let counted = CountedLoop { line: *line, number: self.counted };
            self.mark_beginning(first.unwrap_or(block.last), Mark::Iteration(counted));
            for entry in &entries {
                self.mark_beginning(function.blocks[*entry].last, Mark::Entry(counted));
            }
        }
        self.mark_exits(function, one, own, lines);
        for latch in &one.latches {
            let at = function.blocks[*latch].last;
            let line = self.replaced.get(&at).cloned().unwrap_or_else(|| self.lines[at].to_owned());
            match line.split_once("!llvm.loop !") {
                Some((_, note)) => {
                    let digits = note.bytes().take_while(u8::is_ascii_digit).count();
                    self.loops.insert(note[..digits].to_owned());
                }
                None if line.trim_start().starts_with("br ") => {
                    let [runtime, peeled] = self.unrolled();
                    let note = self.note(|number| format!("distinct !{{!{number}, !{runtime}, !{peeled}}}"));
                    self.replaced.insert(at, format!("{line}, !llvm.loop !{note}"));
                }
                None => {}
            }
        }
    }

    /// Marks the conditions that leave the loop in the middle of an iteration.
    fn mark_exits(&mut self, function: &Function, one: &Loop, own: &[usize], lines: &BTreeSet<u32>) {
        for block in own {
            let at = function.blocks[*block].last;
            let Some(line) = self.user_line(at).filter(|line| lines.contains(line)) else { continue };
            let Some(branch) = Branch::read(self.lines[at]).filter(|branch| branch.sides().is_some()) else { continue };
            let leaves = branch.labels.map(|label| self.leaves(function, one, label));
            if leaves[0] != leaves[1] && !self.replaced.contains_key(&at) {
                let counted = CountedLoop { line, number: self.counted };
                self.mark_condition(at, &branch, leaves[1], Mark::Exit(counted));
            }
        }
    }

    /// True if the way from a block leaves a loop before it parts. Where variables end with the iteration, a number says where
    /// it goes on: 0 in the iteration.
    fn leaves(&self, function: &Function, of: &Loop, label: &str) -> bool {
        let mut label = label;
        for _ in &function.blocks {
            let Some(number) = function.blocks.iter().position(|block| block.label == label) else { return false };
            if !of.body.contains(&number) {
                return true;
            }
            let block = &function.blocks[number];
            let goes_on = |line: &str| {
                let stored = line.trim_start().strip_prefix("store i32 ")?.split_once(", ")?;
                stored.1.contains("%cleanup.dest.slot").then_some(stored.0 == "0")
            };
            if let Some(goes_on) = (block.first..block.last).rev().find_map(|line| goes_on(self.lines[line])) {
                return !goes_on;
            }
            let [next] = block.after[..] else { return false };
            if number == of.head {
                return false;
            }
            label = next;
        }
        false
    }

    fn mark_beginning(&mut self, at: usize, mark: Mark) {
        self.before.entry(at).or_default().insert(0, format!("  call void @{mark}()"));
        self.marks.insert(mark);
    }

    /// The notes that keep a loop from being unrolled where its iterations are not known, and from being peeled.
    fn unrolled(&mut self) -> [usize; 2] {
        let runtime = self.note(|_| "!{!\"llvm.loop.unroll.runtime.disable\"}".to_owned());
        // A loop that has been peeled as often as that is not peeled again.
        let peeled = self.note(|_| "!{!\"llvm.loop.peeled.count\", i32 1000}".to_owned());
        [runtime, peeled]
    }

    /// Changes the notes of marked loops: what is unrolled wholly or not at all stays so.
    pub(super) fn loop_notes(&mut self) {
        for number in std::mem::take(&mut self.loops) {
            let beginning = format!("!{number} = ");
            let Some(at) = self.lines.iter().position(|line| line.starts_with(&beginning)) else { continue };
            let Some((_, listed)) = self.lines[at].split_once("!{") else { continue };
            let mut kept: Vec<String> = Vec::new();
            for one in listed.trim_end_matches('}').split(", ") {
                let text = one.strip_prefix('!').and_then(|note| self.notes.get(note)).unwrap_or_default();
                if text.contains("llvm.loop.unroll.enable\"") {
                    kept.push(format!("!{}", self.note(|_| "!{!\"llvm.loop.unroll.full\"}".to_owned())));
                } else if !UNROLLS.iter().any(|name| text.contains(&format!("\"{name}\""))) {
                    kept.push(one.to_owned());
                }
            }
            kept.extend(self.unrolled().map(|note| format!("!{note}")));
            self.replaced.insert(at, format!("{beginning}distinct !{{{}}}", kept.join(", ")));
        }
    }
}
