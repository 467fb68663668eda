//! Marks on conditions.

use std::collections::HashMap;

use super::super::super::marks::Mark;
use super::Marking;
use super::function::{Block, Function, targets};

/// The side of a statement's condition that a target of its branch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Where the statement's whole condition is true.
    True,
    /// Where it is false.
    False,
    /// The next condition of `&&`, behind this one where it is true.
    And,
    /// The next condition of `||`, behind this one where it is false.
    Or,
    /// The body of a loop, or what follows it.
    Loop,
    /// Another block.
    Other,
}

impl Side {
    /// The meaning of a label that the compiler gives.
    fn of(label: &str) -> Self {
        let starts = |all: &[&str]| all.iter().any(|start| label.starts_with(start));
        if starts(&["if.then", "cond.true"]) {
            Self::True
        } else if starts(&["if.else", "if.end", "cond.false", "cond.end"]) {
            Self::False
        } else if starts(&["land.lhs.true", "land.rhs"]) {
            Self::And
        } else if starts(&["lor.lhs.false", "lor.rhs"]) {
            Self::Or
        } else if starts(&["for.body", "while.body", "do.body", "for.end", "for.cond", "while.end", "do.end"]) {
            Self::Loop
        } else {
            Self::Other
        }
    }

    fn is_next(self) -> bool {
        matches!(self, Self::And | Self::Or)
    }
}

/// A branch in two ways.
pub(super) struct Branch<'t> {
    condition: &'t str,
    pub(super) labels: [&'t str; 2],
    /// The text behind the targets.
    rest: &'t str,
}

impl<'t> Branch<'t> {
    pub(super) fn read(line: &'t str) -> Option<Self> {
        let (condition, _) = line.trim_start().strip_prefix("br i1 ")?.split_once(", label %")?;
        let labels: Vec<&str> = targets(line).collect();
        let [one, other] = labels[..] else { return None };
        let (_, last) = line.rsplit_once("label %")?;
        let rest = last.find(',').map_or("", |at| &last[at..]);
        (condition.starts_with('%')).then_some(Self { condition, labels: [one, other], rest })
    }

    /// The sides; `None` if the branch decides whether a loop goes on.
    pub(super) fn sides(&self) -> Option<[Side; 2]> {
        let sides = self.labels.map(Side::of);
        (!sides.contains(&Side::Loop)).then_some(sides)
    }

    /// The target on the way to where the source's condition is true: the first or the second.
    fn true_target(sides: [Side; 2]) -> usize {
        match sides {
            [Side::True, _] | [_, Side::False] => 0,
            [Side::False, _] | [_, Side::True] => 1,
            // The end of a value of `||` stands first, and that of one of `&&` second.
            [Side::And, _] | [_, Side::Or] => 0,
            [Side::Or, _] | [_, Side::And] => 1,
            _ => 0,
        }
    }
}

impl Marking<'_> {
    /// Marks the conditions of a function.
    pub(super) fn conditions(&mut self, function: &Function) {
        if self.assumed.taken.is_empty() {
            return;
        }
        // The statements of conditions that others before them lead to, and the truth that these have decided.
        let mut following: HashMap<String, (u32, bool)> = HashMap::new();
        for block in &function.blocks {
            let line = self.lines[block.last];
            let Some(branch) = Branch::read(line) else { continue };
            let Some(sides) = branch.sides() else { continue };
            if self.is_of_loop(function, block, &branch) {
                continue;
            }
            let Some(at) = self.user_line(block.last).filter(|line| self.assumed.taken.contains(line)) else {
                continue;
            };
            let known = following.get(block.label).copied();
            let (statement, follows) = if let Some((statement, truth)) = known {
                (statement, Some(truth))
            } else {
                self.statements += 1;
                (self.statements, None)
            };
            let to_true = Branch::true_target(sides);
            for (number, (label, side)) in branch.labels.iter().zip(sides).enumerate() {
                if side.is_next() {
                    following.insert((*label).to_owned(), (statement, number == to_true));
                }
            }
            self.mark_condition(block.last, &branch, to_true == 1, Mark::Condition { line: at, statement, follows });
        }
    }

    /// True if the branch is a part of what decides whether a loop goes on: `&&` and `||` there make a value.
    fn is_of_loop(&self, function: &Function, block: &Block, branch: &Branch) -> bool {
        let is_value = |label: &&str| label.starts_with("land.") || label.starts_with("lor.");
        if !branch.labels.iter().all(is_value) {
            return false;
        }
        let line = self.user_line(block.last);
        function.blocks.iter().any(|other| {
            let decides = Branch::read(self.lines[other.last]).is_some_and(|branch| branch.sides().is_none());
            decides && self.user_line(other.last) == line
        })
    }

    /// Lets a branch's condition, or its opposite, pass a mark.
    pub(super) fn mark_condition(&mut self, at: usize, branch: &Branch, inverted: bool, mark: Mark) {
        let Branch { condition, labels: [first, second], rest } = branch;
        let place = rest.find(", !dbg !").map_or("", |from| {
            let note = &rest[from + 2..];
            &rest[from..from + 2 + note.find(',').unwrap_or(note.len())]
        });
        let (mut before, mut condition, mut labels) = (Vec::new(), (*condition).to_owned(), [*first, *second]);
        if inverted {
            before.push(format!("  %autotune.not.{at} = xor i1 {condition}, true{place}"));
            condition = format!("%autotune.not.{at}");
            labels.reverse();
        }
        before.push(format!("  %autotune.truth.{at} = call i1 @{mark}(i1 {condition}){place}"));
        let [first, second] = labels.map(|label| {
            let is_plain = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-$".contains(&byte));
            if is_plain { format!("label %{label}") } else { format!("label %\"{label}\"") }
        });
        self.replaced.insert(at, format!("  br i1 %autotune.truth.{at}, {first}, {second}{rest}"));
        self.before.entry(at).or_default().extend(before);
        self.marks.insert(mark);
    }
}
