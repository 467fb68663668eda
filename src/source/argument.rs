//! The arguments that a user gives, held against the kernel's parameters.

use thiserror::Error;

use super::analyse::SourceKernel;
use super::compile::plain_name;
use super::error::AnalysisError;
use super::execute::{Argument, KnownField};
use super::ir::{DeclaredParameter, DeclaredType, IntegerKind, IrParameter, Type};
use super::value::{KnownFloat, wrap};

/// The number of local memory's address space.
const LOCAL: u32 = 3;
/// The most fields that a message lists.
const MOST_LISTED: usize = 16;

/// A value that a user gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenValue<'a> {
    /// An integer, or a truth as 1 or 0.
    Integer(i64),
    /// A floating-point number, as it is written.
    Float(&'a str),
    /// Local memory of this many bytes.
    Local(u64),
}

/// A value that a user gives, as an execution takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakenArgument {
    /// The argument at a position.
    Whole(usize, Argument),
    /// A number in a structure.
    Field(KnownField),
    /// The bytes of an array without a size.
    Shared(u64),
}

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
            Self::Pointer { .. } => "leave the argument out: an address in global memory needs no value".to_owned(),
            Self::NotLocal { .. } => "give a number, or leave the argument out".to_owned(),
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

impl SourceKernel {
    /// A value as an execution takes it. `name` is that of an argument, its position, a way to a number in it, or the
    /// name of an array of local memory without a size.
    ///
    /// # Errors
    /// If there is no such argument, or it cannot have the value.
    pub fn taken(&self, name: &str, value: GivenValue<'_>) -> Result<TakenArgument, AnalysisError> {
        let (base, path) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
        if let Some(position) = self.position(base) {
            return Ok(self.value_at(position, name, path, value)?);
        }
        let has_array = path.is_empty() && self.arrays().any(|array| plain_name(array) == base);
        match value {
            GivenValue::Local(bytes) if has_array => Ok(TakenArgument::Shared(bytes)),
            _ if has_array => Err(ArgumentProblem::NumberForLocal { name: base.to_owned() }.into()),
            _ => Err(AnalysisError::NoArgument { name: base.to_owned(), known: self.argument_names() }),
        }
    }

    /// A number as the parameter of a position takes it; `None` if the parameter is not a number.
    ///
    /// # Errors
    /// If the parameter cannot have the value.
    pub fn number_at(&self, position: usize, value: i64) -> Option<Result<Argument, AnalysisError>> {
        let parameter = self.module.kernel.parameters.get(position)?;
        let kind = self.declared(position).map(|declared| &declared.of);
        matches!(parameter.of, Type::Integer(_) | Type::Float(32 | 64)).then(|| {
            let name = parameter.source_name();
            Ok(number(parameter, kind, name, GivenValue::Integer(value))?)
        })
    }

    /// The names of the parameters that are pointers to local memory, by position.
    pub fn local_pointers(&self) -> impl Iterator<Item = (usize, &str)> {
        let parameters = self.module.kernel.parameters.iter().enumerate();
        parameters.filter(|(_, one)| is_local(one)).map(|(position, one)| (position, one.source_name()))
    }

    /// The name of an array or variable as the source has it.
    fn arrays(&self) -> impl Iterator<Item = &str> {
        let globals = self.module.globals.iter();
        globals.filter(|(_, global)| global.is_given_at_launch).map(|(name, _)| &**name)
    }

    /// The names of the kernel's arguments and of its arrays without a size.
    fn argument_names(&self) -> Vec<String> {
        let parameters = self.module.kernel.parameters.iter().enumerate();
        let names = parameters.map(|(position, parameter)| {
            self.declared(position).map_or(parameter.source_name(), |declared| &declared.name).to_owned()
        });
        let mut arrays: Vec<String> = self.arrays().map(plain_name).collect();
        arrays.sort_unstable();
        names.chain(arrays).collect()
    }

    /// The parameter as the source declares it; `None` if the compiler was not asked for it.
    fn declared(&self, position: usize) -> Option<&DeclaredParameter> {
        let kernel = &self.module.kernel;
        kernel.declared.get(position).filter(|_| kernel.declared.len() == kernel.parameters.len())
    }

    fn position(&self, name: &str) -> Option<usize> {
        let parameters = &self.module.kernel.parameters;
        let by_name = (0..parameters.len()).find(|position| match self.declared(*position) {
            Some(declared) => *declared.name == *name,
            None => parameters[*position].source_name() == name && !parameters[*position].name.parse::<usize>().is_ok(),
        });
        by_name.or_else(|| name.parse().ok().filter(|at| *at < parameters.len()))
    }

    fn value_at(
        &self,
        position: usize,
        name: &str,
        path: &str,
        value: GivenValue<'_>,
    ) -> Result<TakenArgument, ArgumentProblem> {
        let parameter = &self.module.kernel.parameters[position];
        let declared = self.declared(position).map(|declared| &declared.of);
        let own = || name.to_owned();
        let base = name.strip_suffix(path).unwrap_or(name);
        let fields =
            || declared.map_or_else(Vec::new, |of| of.paths()).iter().map(|way| format!("{base}{way}")).collect();
        let is_structure = parameter.by_value
            || matches!(parameter.of, Type::Structure(..) | Type::Named(_) | Type::Array(..))
            || matches!(declared, Some(DeclaredType::Structure(_)));
        if is_structure || !path.is_empty() {
            let found = declared.and_then(|of| of.at(path)).filter(|_| !path.is_empty());
            return match (found, value) {
                (Some((offset, of)), value) => field(parameter, (position, offset), of, name, value),
                (None, _) if path.is_empty() => Err(ArgumentProblem::Structure { name: own(), fields: fields() }),
                (None, _) => Err(ArgumentProblem::NoField { name: own(), fields: fields() }),
            };
        }
        match (&parameter.of, value) {
            (_, GivenValue::Local(bytes)) if is_local(parameter) => {
                Ok(TakenArgument::Whole(position, Argument::Local(bytes)))
            }
            (_, GivenValue::Local(_)) => Err(ArgumentProblem::NotLocal { name: own() }),
            _ if is_local(parameter) => Err(ArgumentProblem::NumberForLocal { name: own() }),
            (Type::Pointer(_), _) => Err(ArgumentProblem::Pointer { name: own() }),
            _ => Ok(TakenArgument::Whole(position, number(parameter, declared, name, value)?)),
        }
    }
}

/// True for a pointer to local memory.
fn is_local(parameter: &IrParameter) -> bool {
    parameter.of == Type::Pointer(LOCAL) && !parameter.by_value
}

/// A number as a parameter takes it.
fn number(
    parameter: &IrParameter,
    declared: Option<&DeclaredType>,
    name: &str,
    value: GivenValue<'_>,
) -> Result<Argument, ArgumentProblem> {
    match parameter.of {
        Type::Integer(bits @ 1..=64) => {
            let signed = match declared {
                Some(DeclaredType::Integer { kind, .. }) => Some(*kind == IntegerKind::Signed),
                _ => parameter.signed,
            };
            Ok(Argument::Integer(wrap(integer(name, value, bits, signed)?, bits)))
        }
        Type::Float(bits @ (32 | 64)) => Ok(Argument::Float(float(name, value, bits)?)),
        Type::Float(_) => Err(not_followed(name, "a floating-point number of 16 bits")),
        Type::Vector(..) => Err(not_followed(name, "a vector")),
        _ => Err(not_followed(name, "of a type that is not a number")),
    }
}

fn not_followed(name: &str, of: &'static str) -> ArgumentProblem {
    ArgumentProblem::NotFollowed { name: name.to_owned(), of }
}

/// An integer that a type of that many bits holds; `signed` is `None` if it may have a sign or not.
fn integer(name: &str, value: GivenValue<'_>, bits: u32, signed: Option<bool>) -> Result<i64, ArgumentProblem> {
    let own = || name.to_owned();
    let value = match value {
        GivenValue::Integer(value) => value,
        GivenValue::Float(text) => {
            return Err(ArgumentProblem::NoInteger { name: own(), value: text.to_owned() });
        }
        GivenValue::Local(_) => return Err(ArgumentProblem::NotLocal { name: own() }),
    };
    let half = 1_i128 << (bits - 1);
    let [least, end] = match signed {
        _ if bits == 1 => [0, 2],
        Some(true) => [-half, half],
        Some(false) => [0, 2 * half],
        None => [-half, 2 * half],
    };
    if (least..end).contains(&value.into()) {
        return Ok(value);
    }
    let [least, greatest, value] = [least, end - 1, value.into()].map(|number: i128| number.to_string());
    Err(ArgumentProblem::Range { name: own(), value, least, greatest })
}

/// A floating-point number of a type of that many bits.
fn float(name: &str, value: GivenValue<'_>, bits: u32) -> Result<KnownFloat, ArgumentProblem> {
    let (text, known) = match value {
        GivenValue::Integer(value) => (value.to_string(), KnownFloat::of_integer(value.into(), bits)),
        GivenValue::Float(text) => {
            let nearest = if bits == 32 { text.parse::<f32>().map(f64::from) } else { text.parse::<f64>() };
            (text.to_owned(), nearest.ok().and_then(|value| KnownFloat::of(value, bits)))
        }
        GivenValue::Local(_) => return Err(ArgumentProblem::NotLocal { name: name.to_owned() }),
    };
    known.filter(|known| known.value().is_finite()).ok_or_else(|| {
        let greatest = if bits == 32 { f64::from(f32::MAX) } else { f64::MAX };
        let [least, greatest] = [-greatest, greatest].map(|end| format!("{end:e}"));
        ArgumentProblem::Range { name: name.to_owned(), value: text, least, greatest }
    })
}

/// A number in a structure.
fn field(
    parameter: &IrParameter,
    (position, offset): (usize, u64),
    of: &DeclaredType,
    name: &str,
    value: GivenValue<'_>,
) -> Result<TakenArgument, ArgumentProblem> {
    let (bytes, bits) = match of {
        DeclaredType::Integer { bytes: bytes @ 1..=8, kind } => {
            let width = if *kind == IntegerKind::Truth { 1 } else { u32::try_from(8 * bytes).unwrap_or(64) };
            let value = integer(name, value, width, Some(*kind == IntegerKind::Signed))?;
            (*bytes, value.cast_unsigned())
        }
        DeclaredType::Float(bytes @ (4 | 8)) => {
            let width = u32::try_from(8 * bytes).unwrap_or(64);
            (*bytes, float(name, value, width)?.own_bits(width).unwrap_or(0))
        }
        DeclaredType::Float(_) => return Err(not_followed(name, "a floating-point number of 16 bits")),
        DeclaredType::Pointer => return Err(ArgumentProblem::Pointer { name: name.to_owned() }),
        DeclaredType::Structure(_) | DeclaredType::Array(..) => {
            let fields = of.paths().iter().map(|way| format!("{name}{way}")).collect();
            return Err(ArgumentProblem::Structure { name: name.to_owned(), fields });
        }
        _ => return Err(not_followed(name, "of a type that is not a number")),
    };
    // A structure of one number may be passed as the number.
    match parameter.of {
        Type::Integer(width) => Ok(TakenArgument::Whole(position, Argument::Integer(wrap(bits.cast_signed(), width)))),
        Type::Float(width) => match KnownFloat::of_bits(bits, width) {
            Some(known) => Ok(TakenArgument::Whole(position, Argument::Float(known))),
            None => Err(not_followed(name, "of a type that is not a number")),
        },
        _ => Ok(TakenArgument::Field(KnownField { parameter: position, offset, bytes, bits })),
    }
}
