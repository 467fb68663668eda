//! Values that an argument cannot have.

use thiserror::Error;

/// The most fields that a message lists.
const MOST_LISTED: usize = 16;

/// A value that an argument cannot have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgumentProblem {
    /// A number for local memory.
    #[error("`{name}` is local memory, which has a size and no value")]
    NumberForLocal {
        /// The argument or the array.
        name: String,
    },
    /// A value for a pointer.
    #[error("`{name}` is a pointer to memory whose data is not known")]
    Pointer {
        /// The argument.
        name: String,
    },
    /// A size for another argument than local memory.
    #[error("`{name}` is not local memory, so that it has no size")]
    NotLocal {
        /// The argument.
        name: String,
    },
    /// The bytes of an array in global memory for another argument.
    #[error("`{name}` is not a pointer to global memory, so that it has no array")]
    NotGlobal {
        /// The argument.
        name: String,
    },
    /// A value for a whole structure or array.
    #[error("`{name}` has several numbers, which are given one by one")]
    Structure {
        /// The argument.
        name: String,
        /// The ways to its numbers; empty if they are not known.
        fields: Vec<String>,
    },
    /// A field that is not a number of the structure.
    #[error("`{name}` is not a number in a structure of the kernel's arguments")]
    NoField {
        /// The field.
        name: String,
        /// The ways to the numbers that there are; empty if they are not known.
        fields: Vec<String>,
    },
    /// A number with a fraction for an integer.
    #[error("`{name}` is an integer, and `{value}` is not one")]
    NoInteger {
        /// The argument.
        name: String,
        /// The value.
        value: String,
    },
    /// A number that the argument's type does not hold.
    #[error("`{name}` holds {least} to {greatest}, not {value}")]
    Range {
        /// The argument.
        name: String,
        /// The value.
        value: String,
        /// The least number of the type.
        least: String,
        /// The greatest number of the type.
        greatest: String,
    },
    /// A value of a type whose values are not followed.
    #[error("`{name}` is {of}, whose value cannot be given")]
    NotFollowed {
        /// The argument.
        name: String,
        /// The type in words.
        of: &'static str,
    },
    /// One size for several pointers to local memory, or for none.
    #[error("{}", match names.as_slice() {
        [] => "`shared` is given, but the kernel has no pointer to local memory without a size".to_owned(),
        names => format!("`shared` is one size, but the kernel has {} pointers to local memory: {}", names.len(),
                         names.join(", ")),
    })]
    SharedBySeveral {
        /// The pointers without a size.
        names: Vec<String>,
    },
}

impl ArgumentProblem {
    /// Advice on how to mend it.
    pub(in crate::source) fn help(&self) -> String {
        let listed = |fields: &[String], name: &str| {
            let some = fields.iter().take(MOST_LISTED).map(|field| format!("`{field}`")).collect::<Vec<_>>().join(", ");
            match fields.len() {
                0 => format!("give its fields by their names, such as `--argument '{name}.field[0]=4'`"),
                1..=MOST_LISTED => format!("its numbers are {some}"),
                _ => format!("its numbers are {some} and more"),
            }
        };
        match self {
            Self::NumberForLocal { name } => format!("give its bytes: `--argument '{name}=local BYTES'`"),
            Self::Pointer { name } => format!(
                "leave the argument out: an address in global memory needs no value; `{name}: global BYTES` states the size \
                 of its array"
            ),
            Self::NotLocal { .. } | Self::NotGlobal { .. } => "give a number, or leave the argument out".to_owned(),
            Self::Structure { name, fields } => listed(fields, name),
            Self::NoField { name, fields } => listed(fields, name.split(['.', '[']).next().unwrap_or_default()),
            Self::NoInteger { .. } | Self::Range { .. } => {
                "give the value that the program passes at this launch".to_owned()
            }
            Self::NotFollowed { .. } => "leave the argument out: what depends on it counts as data".to_owned(),
            Self::SharedBySeveral { .. } => {
                "give each its bytes: `--argument 'NAME=local BYTES'`, or `arguments: { NAME: local BYTES }` in `source`"
                    .to_owned()
            }
        }
    }
}
