//! The subjects of the work of a launch: bytes of an array, operations of a kind.

use crate::spec::{MATRIX, OperationKind, Spec, Statement};
use autotune_base::text::Place;

/// A subject of a launch's work. Subjects of the same array or kind are equal, whatever their places.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// Bytes stored to an array of global memory.
    Stored {
        /// The array's name.
        array: &'a str,
        /// The first store to the array.
        place: Place,
    },
    /// Operations of work items.
    Operations {
        /// The operation.
        kind: OperationKind,
        /// The first `compute` of this kind.
        place: Place,
    },
    /// Products of the matrix units.
    Products {
        /// The first `matrix`.
        place: Place,
    },
}

impl<'a> Subject<'a> {
    /// The name in `varies`: an array or a kind.
    #[must_use]
    pub fn name(self) -> &'a str {
        match self {
            Self::Stored { array, .. } => array,
            Self::Operations { kind, .. } => kind.name(),
            Self::Products { .. } => MATRIX,
        }
    }

    /// The first place in the spec.
    #[must_use]
    pub fn place(self) -> Place {
        match self {
            Self::Stored { place, .. } | Self::Operations { place, .. } | Self::Products { place } => place,
        }
    }

    pub(in crate::lowering) fn is_same(self, other: &Subject<'_>) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(other) && self.name() == other.name()
    }
}

/// The subjects of a spec's kernel, each once, in the order of the body.
#[must_use]
pub fn subjects(spec: &Spec) -> Vec<Subject<'_>> {
    let mut subjects: Vec<Subject<'_>> = Vec::new();
    for statement in Statement::all(&spec.body) {
        let subject = match statement {
            Statement::Store(access) => Subject::Stored { array: &access.array, place: access.place },
            Statement::Compute(compute) => Subject::Operations { kind: compute.kind, place: compute.place },
            Statement::Matrix(product) => Subject::Products { place: product.place },
            _ => continue,
        };
        if !subjects.iter().any(|known| known.is_same(&subject)) {
            subjects.push(subject);
        }
    }
    subjects
}
