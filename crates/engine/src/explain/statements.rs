//! The statements of a spec or the lines of its kernel's source, and those that the uses of a lowered program come from.

use super::lines::KernelLines;
use autotune_base::text::SourceLine;
use autotune_lowering::lowering::Origin;
use autotune_lowering::spec::{self, Spec};

/// A statement in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedStatement {
    /// The file of the kernel's source; `None` for the spec.
    pub file: Option<String>,
    /// Its line, from 1; `None` for registers that spill and for instructions without a line.
    pub line: Option<u32>,
    /// Its keyword, and its array if it has one; or the text of the source's line.
    pub text: String,
}

/// The first statement of a line.
pub(super) fn at(body: &[spec::Statement], line: u32) -> Option<&spec::Statement> {
    executed(body).find(|statement| statement.place().line == line)
}

/// All loads, stores, local accesses, computations and barriers of a spec, in the order of its text.
#[must_use]
pub fn of_spec(spec: &Spec) -> Vec<NamedStatement> {
    let named = |statement: &spec::Statement| NamedStatement {
        file: None,
        line: Some(statement.place().line),
        text: in_words(statement),
    };
    executed(&spec.body).map(named).collect()
}

/// The statements that are neither loops nor branches.
fn executed(body: &[spec::Statement]) -> impl Iterator<Item = &spec::Statement> {
    let holds_others =
        |statement: &spec::Statement| matches!(statement, spec::Statement::Loop(_) | spec::Statement::Branch(_));
    spec::Statement::all(body).filter(move |statement| !holds_others(statement))
}

/// The statements behind a use or a barrier of a program, by their lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UseStatements {
    /// The statements but those that only store to global memory.
    pub others: Vec<NamedStatement>,
    /// The statements that store to global memory.
    pub stores: Vec<NamedStatement>,
}

/// The statements behind each use and barrier of a program, in the order of its text.
#[must_use]
pub fn of_uses(spec: &Spec, kernel: &KernelLines, origins: &[Origin]) -> Vec<UseStatements> {
    let named = |lines: Vec<Option<SourceLine>>| lines.into_iter().map(|line| named(spec, kernel, line)).collect();
    let of_one = |origin: &Origin| {
        let stores = origin.stores.lines.iter().map(|(line, _)| *line);
        UseStatements { others: named(sorted(origin.beside_stores())), stores: named(sorted(stores)) }
    };
    origins.iter().map(of_one).collect()
}

fn sorted(lines: impl Iterator<Item = Option<SourceLine>>) -> Vec<Option<SourceLine>> {
    let mut lines: Vec<Option<SourceLine>> = lines.collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The statement of a line; `None` stands for registers that spill.
pub(super) fn named(spec: &Spec, kernel: &KernelLines, line: Option<SourceLine>) -> NamedStatement {
    let Some(line) = line else {
        return NamedStatement { file: None, line: None, text: "registers that spill".to_owned() };
    };
    let file = kernel.file(line).map(str::to_owned);
    let text = match file {
        Some(_) => kernel.text(line).unwrap_or_default(),
        None if line.line == 0 => "instructions without a line".to_owned(),
        None => at(&spec.body, line.line).map_or(String::new(), in_words),
    };
    NamedStatement { file, line: (line.line > 0).then_some(line.line), text }
}

fn in_words(statement: &spec::Statement) -> String {
    let joined = |keyword: &str, array: &str| {
        if array.is_empty() { keyword.to_owned() } else { format!("{keyword} {array}") }
    };
    match statement {
        spec::Statement::Load(access) => joined("load", &access.array),
        spec::Statement::Store(access) => joined("store", &access.array),
        spec::Statement::Local(access) => joined("local", access.array.as_ref().map_or("", |(_, array)| array)),
        spec::Statement::Copy(copy) => joined("copy", &copy.access.array),
        spec::Statement::Wait(wait) => joined("wait", &wait.queue.name),
        spec::Statement::Compute(_) => "compute".to_owned(),
        spec::Statement::Matrix(_) => spec::MATRIX.to_owned(),
        spec::Statement::Barrier(barrier) => {
            if barrier.is_of_grid {
                "barrier of all groups".to_owned()
            } else {
                "barrier".to_owned()
            }
        }
        spec::Statement::Loop(_) | spec::Statement::Branch(_) => String::new(),
    }
}
