//! The arguments that a user gives, held against the kernel's parameters.

pub(super) mod problem;

use super::analyse::SourceKernel;
use super::demangle::plain_name;
use super::error::AnalysisError;
use super::execute::{Argument, KnownField};
use super::ir::{DeclaredParameter, DeclaredType, IntegerKind, IrParameter, Type};
use super::value::{KnownFloat, wrap};
pub use problem::ArgumentProblem;

/// The number of local memory's address space.
const LOCAL: u32 = 3;

/// A value that a user gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenValue<'a> {
    /// An integer, or a truth as 1 or 0.
    Integer(i64),
    /// A floating-point number, as it is written.
    Float(&'a str),
    /// Local memory of this many bytes.
    Local(u64),
    /// An array of this many bytes in global memory.
    Global(u64),
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
    #[must_use]
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
    pub fn argument_names(&self) -> Vec<String> {
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

    /// The position of the parameter of a name, or of a number as a name; `None` if there is none.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        let parameters = &self.module.kernel.parameters;
        let by_name = (0..parameters.len()).find(|position| match self.declared(*position) {
            Some(declared) => *declared.name == *name,
            None => parameters[*position].source_name() == name && parameters[*position].name.parse::<usize>().is_err(),
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
            || declared.map_or_else(Vec::new, DeclaredType::paths).iter().map(|way| format!("{base}{way}")).collect();
        let is_structure = parameter.by_value
            || matches!(parameter.of, Type::Structure(..) | Type::Named(_) | Type::Array(..) | Type::Vector(..))
            || matches!(declared, Some(DeclaredType::Structure(_) | DeclaredType::Vector(..)));
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
            (Type::Pointer(0 | 1), GivenValue::Global(bytes)) if !parameter.by_value => {
                Ok(TakenArgument::Whole(position, Argument::Global(bytes)))
            }
            (_, GivenValue::Global(_)) => Err(ArgumentProblem::NotGlobal { name: own() }),
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
        GivenValue::Global(_) => return Err(ArgumentProblem::NotGlobal { name: own() }),
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
            (text.to_owned(), nearest.ok().and_then(|value| KnownFloat::rounded(value, bits)))
        }
        GivenValue::Local(_) => return Err(ArgumentProblem::NotLocal { name: name.to_owned() }),
        GivenValue::Global(_) => return Err(ArgumentProblem::NotGlobal { name: name.to_owned() }),
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
        DeclaredType::Structure(_) | DeclaredType::Array(..) | DeclaredType::Vector(..) => {
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
