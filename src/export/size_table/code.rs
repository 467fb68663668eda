//! The body of a function that decides by problem sizes.

use std::fmt::Write;

use indexmap::IndexMap;

use crate::result::{TableCondition, TableTree};

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
    pub(super) fn body(&self, tree: &TableTree) -> String {
        let mut text = String::new();
        let are_counts = self.problem.values().flatten().all(|value| *value > 0);
        // Conditions count on sizes from 1 on.
        if are_counts && !self.problem.is_empty() {
            let or = if self.syntax == Syntax::C { " || " } else { " or " };
            let below: Vec<String> = self.problem.keys().map(|size| format!("{size} < 1")).collect();
            self.branch(&mut text, 1, &below.join(or));
            self.line(&mut text, 2, "return -1");
            self.end(&mut text, 1);
        } else if self.syntax == Syntax::C {
            self.problem.keys().for_each(|size| self.line(&mut text, 1, &format!("(void)({size})")));
        }
        self.tree(&mut text, 1, tree);
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
