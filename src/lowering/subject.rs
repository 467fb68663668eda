//! What the work of a launch is counted in.

use crate::spec::{OperationKind, Spec, Statement};
use crate::text::Place;

/// One thing that a launch does. Two subjects of the same array or kind are the same, wherever they stand.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Subject<'a> {
    /// Bytes stored to an array of global memory.
    Stored {
        /// Its name.
        array: &'a str,
        /// The first store to it.
        place: Place,
    },
    /// Operations of work items.
    Operations {
        /// Which unit does them.
        kind: OperationKind,
        /// The first `compute` of this kind.
        place: Place,
    },
}

impl<'a> Subject<'a> {
    /// What `varies` calls it by: an array or a kind.
    pub(crate) fn name(self) -> &'a str {
        match self {
            Self::Stored { array, .. } => array,
            Self::Operations { kind, .. } => kind.name(),
        }
    }

    /// Where it stands first.
    pub(crate) fn place(self) -> Place {
        match self {
            Self::Stored { place, .. } | Self::Operations { place, .. } => place,
        }
    }

    pub(super) fn is_same(self, other: &Subject<'_>) -> bool {
        matches!(self, Self::Stored { .. }) == matches!(other, Subject::Stored { .. }) && self.name() == other.name()
    }
}

/// Everything that a spec's kernel stores to or computes, each once, in the order of the body.
pub(crate) fn subjects(spec: &Spec) -> Vec<Subject<'_>> {
    let mut subjects = Vec::new();
    collect(&spec.body, &mut subjects);
    subjects
}

fn collect<'a>(statements: &'a [Statement], subjects: &mut Vec<Subject<'a>>) {
    for statement in statements {
        let subject = match statement {
            Statement::Store(access) => Subject::Stored { array: &access.array, place: access.place },
            Statement::Compute(compute) => Subject::Operations { kind: compute.kind, place: compute.place },
            Statement::Branch(branch) => {
                collect(&branch.then, subjects);
                collect(&branch.otherwise, subjects);
                continue;
            }
            Statement::Loop(repeated) => {
                collect(&repeated.body, subjects);
                continue;
            }
            Statement::Load(_) | Statement::Local(_) | Statement::Barrier(_) => continue,
        };
        if !subjects.iter().any(|known| known.is_same(&subject)) {
            subjects.push(subject);
        }
    }
}
