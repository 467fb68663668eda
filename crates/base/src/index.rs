//! The indices on the way of one time from SPIN to JSON, each with a type of its own.
//!
//! ```text
//! SpinIndex ──▶ CandidateId ──▶ ProgramId ──▶ EntryId
//!       model's        searched         survey's
//!       candidates     programs         programs
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

/// Defines an index that no other index can stand for. All count from 0.
macro_rules! indices {
    ($($(#[$attribute:meta])* $name:ident;)*) => {
        $(
            $(#[$attribute])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(usize);

            impl From<usize> for $name {
                fn from(index: usize) -> Self {
                    Self(index)
                }
            }

            impl From<$name> for usize {
                fn from(index: $name) -> Self {
                    index.0
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(formatter)
                }
            }
        )*
    };
}

indices! {
    /// The number that stands for a configuration when SPIN chooses in one model: the index in the model's candidates.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    SpinIndex;
    /// The index of a program in the candidates of a proof, in the order of SPIN's choice.
    CandidateId;
    /// The index of a different program in its survey.
    ProgramId;
    /// The index of a configuration in its survey.
    EntryId;
}
