//! The body of a function that decides by problem sizes.

use std::fmt::Write;

use indexmap::IndexMap;

use crate::result::{TableBounds, TableCondition, TableGpu, TableTree};

/// A language of functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    C,
    Python,
}

/// A writer of functions of problem sizes.
pub(super) struct Code<'a> {
    pub(super) syntax: Syntax,
    /// The asked values of each size.
    pub(super) problem: &'a IndexMap<String, Vec<i64>>,
}

impl Code<'_> {
    /// The statements of a function.
    pub(super) fn body(&self, decided: &TableGpu) -> String {
        let mut text = String::new();
        // Conditions count on sizes within their bounds.
        let beyond = |size: &String| {
            let TableBounds { least, most } = decided.bounds.get(size).copied().unwrap_or(TableBounds::USUAL);
            let above = most.map(|most| format!("{size} > {most}"));
            std::iter::once(format!("{size} < {least}")).chain(above)
        };
        let beyond: Vec<String> = self.problem.keys().flat_map(beyond).collect();
        if !beyond.is_empty() {
            let or = if self.syntax == Syntax::C { " || " } else { " or " };
            self.branch(&mut text, 1, &beyond.join(or));
            self.line(&mut text, 2, "return -1");
            self.end(&mut text, 1);
        }
        self.tree(&mut text, 1, &decided.tree);
        text
    }

    fn tree(&self, text: &mut String, depth: usize, tree: &TableTree) {
        match tree {
            TableTree::Split(split) => {
                self.branch(text, depth, &format!("{} < {}", split.size, split.at));
                self.tree(text, depth + 1, &split.below);
                self.end(text, depth);
                // Each tree ends in a return.
                self.tree(text, depth, &split.from);
            }
            TableTree::Leaf(choices) => {
                for choice in choices {
                    let returned = format!("return {}", choice.variant);
                    if choice.conditions.is_empty() {
                        return self.line(text, depth, &returned);
                    }
                    self.branch(text, depth, &self.all(&choice.conditions));
                    self.line(text, depth + 1, &returned);
                    self.end(text, depth);
                }
                self.line(text, depth, "return -1");
            }
        }
    }

    fn all(&self, conditions: &[TableCondition]) -> String {
        let (and, text): (_, fn(&TableCondition) -> &String) = match self.syntax {
            Syntax::C => (" && ", |condition| &condition.c),
            Syntax::Python => (" and ", |condition| &condition.python),
        };
        match conditions {
            [only] => text(only).clone(),
            _ => conditions.iter().map(|one| format!("({})", text(one))).collect::<Vec<_>>().join(and),
        }
    }

    fn branch(&self, text: &mut String, depth: usize, condition: &str) {
        let indent = "    ".repeat(depth);
        let _ = match self.syntax {
            Syntax::C => writeln!(text, "{indent}if ({condition}) {{"),
            Syntax::Python => writeln!(text, "{indent}if {condition}:"),
        };
    }

    fn line(&self, text: &mut String, depth: usize, statement: &str) {
        let end = if self.syntax == Syntax::C { ";" } else { "" };
        let _ = writeln!(text, "{}{statement}{end}", "    ".repeat(depth));
    }

    fn end(&self, text: &mut String, depth: usize) {
        if self.syntax == Syntax::C {
            let _ = writeln!(text, "{}}}", "    ".repeat(depth));
        }
    }
}
