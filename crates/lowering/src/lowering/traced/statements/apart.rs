//! Starts of a body side by side: neighbours of one queue are one start, unless one of them stands in a loop.

use super::extracted::{Extracted, ExtractedKeyword, ExtractedLoop, SourceLines};

/// A kind of access, or `None` for instructions on matrix units, and its queue.
type Start = (Option<ExtractedKeyword>, &'static str);

impl Extracted {
    /// The queue of the statement's start; `None` if it starts nothing.
    pub(super) fn queue(&self) -> Option<&'static str> {
        self.start().map(|(_, queue)| queue)
    }

    fn start(&self) -> Option<Start> {
        let access = match self {
            Self::Access(access) => access,
            Self::Matrix(product) => return Some((None, product.queue?)),
            _ => return None,
        };
        let keyword = match access.keyword {
            // Reads and exchanges join.
            ExtractedKeyword::Local(_) => ExtractedKeyword::Local(None),
            keyword => keyword,
        };
        Some((Some(keyword), access.queue?))
    }

    /// The start that the statement begins with.
    fn first_start(&self) -> Option<Start> {
        match self {
            Self::Loop(repeated) if repeated.count == 1 => repeated.body.first()?.first_start(),
            Self::Sides(sides) => sides.first()?.first()?.first_start(),
            statement => statement.start(),
        }
    }

    /// The start that the statement ends with.
    fn last_start(&self) -> Option<Start> {
        match self {
            Self::Loop(repeated) if repeated.count == 1 => repeated.body.last()?.last_start(),
            Self::Sides(sides) => sides.last()?.last()?.last_start(),
            statement => statement.start(),
        }
    }
}

/// True if the statements end with a start that others would go on with.
pub(super) fn ends_with(statements: &[Extracted], others: &[Extracted]) -> bool {
    let last = statements.last().and_then(Extracted::last_start);
    last.is_some() && last == others.first().and_then(Extracted::first_start)
}

/// Adds statements whose starts are not those before them. A loop of one iteration keeps them apart.
pub(super) fn extend_apart(statements: &mut Vec<Extracted>, more: Vec<Extracted>) {
    if ends_with(statements, &more) {
        let lines = SourceLines::new();
        statements.push(Extracted::Loop(ExtractedLoop { count: 1, var: None, body: more, lines }));
    } else {
        statements.extend(more);
    }
}
