//! Kernels by the names that users give them.

use cpp_demangle::Symbol;
use thiserror::Error;

use super::super::ir::IrText;
use super::text::INSTANCE;
use crate::user_error::{ExitStatus, UserError};

/// A kernel that a source does not have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KernelNameError {
    /// No kernel has the name.
    #[error("the source has no kernel `{wanted}`")]
    Missing {
        /// The name that is wanted.
        wanted: String,
        /// The kernels that there are.
        there: Vec<String>,
    },
    /// Several kernels are meant.
    #[error("{}", match wanted {
        Some(wanted) => format!("several kernels are called `{wanted}`"),
        None => "the source has several kernels".to_owned(),
    })]
    Several {
        /// The name that is wanted; `None` if none is given.
        wanted: Option<String>,
        /// The kernels that are meant.
        there: Vec<String>,
    },
    /// The source has no kernels.
    #[error("the source has no kernel")]
    None,
}

impl UserError for KernelNameError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        let listed = |there: &[String]| there.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        Some(match self {
            Self::Missing { there, .. } | Self::Several { there, .. } => {
                format!("name one of these with `kernel:` of `source`, or with `--kernel`: {}", listed(there))
            }
            Self::None => {
                "a template is named with its arguments, such as `matmul<32>`; other kernels are functions with \
                           `__kernel` in OpenCL, with `__global__` in CUDA"
                    .to_owned()
            }
        })
    }
}

/// The name in the compiler's output of the kernel that a user names: as it is there, without the types of its arguments,
/// or as a template with its arguments. Without a name, that of the only kernel.
///
/// # Errors
/// If there is no such kernel, or there are several.
pub fn kernel_name<'a>(text: &'a str, split: &IrText<'a>, wanted: Option<&str>) -> Result<&'a str, KernelNameError> {
    if wanted.is_some_and(|wanted| wanted.contains('<'))
        && let Some(instance) = instance(text)
    {
        return Ok(instance);
    }
    let kernels = split.kernels();
    let shown = |kernels: &[&str]| kernels.iter().map(|name| demangled(name)).collect();
    let wanted_is = |name: &&str| wanted.is_none_or(|wanted| *name == wanted || base(&demangled(name)) == wanted);
    let found: Vec<&'a str> = kernels.iter().copied().filter(wanted_is).collect();
    match (found.as_slice(), wanted) {
        ([one], _) => Ok(one),
        ([], _) if kernels.is_empty() => Err(KernelNameError::None),
        ([], wanted) => {
            Err(KernelNameError::Missing { wanted: wanted.unwrap_or_default().to_owned(), there: shown(&kernels) })
        }
        (several, wanted) => Err(KernelNameError::Several { wanted: wanted.map(str::to_owned), there: shown(several) }),
    }
}

/// The function to which the variable for a template's instance points.
fn instance(text: &str) -> Option<&str> {
    let is_instance =
        |line: &&str| line.starts_with('@') && line.split(' ').next().is_some_and(|name| name.contains(INSTANCE));
    let line = text.lines().find(is_instance)?;
    let name = line.split('@').nth(2)?;
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && !"_.$".contains(c)).unwrap_or(name.len());
    Some(&name[..end])
}

/// The name in C++, or the name as it is.
fn demangled(name: &str) -> String {
    let symbol = Symbol::new(name).ok().filter(|_| name.starts_with("_Z"));
    symbol.and_then(|symbol| symbol.demangle().ok()).unwrap_or_else(|| name.to_owned())
}

/// The name of an array or variable as the source has it, without the spaces of names around it.
pub(crate) fn plain_name(name: &str) -> String {
    let shown = demangled(name);
    shown.rsplit("::").next().map_or_else(|| shown.clone(), str::to_owned)
}

/// The name of a function without its type, arguments and template's arguments.
fn base(demangled: &str) -> &str {
    let end = demangled.find(['(', '<']).unwrap_or(demangled.len());
    let name = &demangled[..end];
    name.rsplit(' ').next().unwrap_or(name)
}
