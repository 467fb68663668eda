//! The subjects in which the work of a launch is counted: bytes of an array, operations of a kind.

use crate::spec::{OperationKind, Spec, Statement};
use crate::text::Place;

/// A subject of a launch's work. Subjects of the same array or kind are equal, whatever their places.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Subject<'a> {
    /// Bytes stored to an array of global memory.
    Stored {
        /// The array's name.
        array: &'a str,
        /// The first store to the array.
        place: Place,
    },
    /// Operations of work items.
    Operations {
        kind: OperationKind,
        /// The first `compute` of this kind.
        place: Place,
    },
}

impl<'a> Subject<'a> {
    /// The name in `varies`: an array or a kind.
    pub(crate) fn name(self) -> &'a str {
        match self {
            Self::Stored { array, .. } => array,
            Self::Operations { kind, .. } => kind.name(),
        }
    }

    /// The first place in the spec.
    pub(crate) fn place(self) -> Place {
        match self {
            Self::Stored { place, .. } | Self::Operations { place, .. } => place,
        }
    }

    pub(in crate::lowering) fn is_same(self, other: &Subject<'_>) -> bool {
        matches!(self, Self::Stored { .. }) == matches!(other, Subject::Stored { .. }) && self.name() == other.name()
    }
}

/// The subjects of a spec's kernel, each once, in the order of the body.
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
