//! Kernels by the names that users give them.

use thiserror::Error;

use super::super::demangle::{declared_name, function_name, likeness};
use super::super::ir::IrText;
use super::text::INSTANCE;
use autotune_base::user_error::{ExitStatus, UserError};

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
    /// The source has no kernels but templates.
    #[error("the compiled source has no kernel")]
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
                "a template is compiled where it is named with its arguments, such as `matmul<32>`; other kernels are functions with \
                           `__kernel` in OpenCL, with `__global__` in CUDA"
                    .to_owned()
            }
        })
    }
}

/// The name in the compiler's output of the kernel that a user names: by the last parts of its name, or as a template with
/// its arguments. If several kernels are meant, the one whose name is given most fully. Without a name, that of the
/// only kernel.
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
    let found = match wanted {
        Some(wanted) => likest(&kernels, wanted),
        None => kernels.clone(),
    };
    match (found.as_slice(), wanted) {
        ([one], _) => Ok(one),
        ([], _) if kernels.is_empty() => Err(KernelNameError::None),
        ([], wanted) => {
            Err(KernelNameError::Missing { wanted: wanted.unwrap_or_default().to_owned(), there: shown(&kernels) })
        }
        (several, wanted) => Err(KernelNameError::Several { wanted: wanted.map(str::to_owned), there: shown(several) }),
    }
}

/// The kernels whose names a user gives most fully.
fn likest<'a>(kernels: &[&'a str], wanted: &str) -> Vec<&'a str> {
    let alike = kernels.iter().filter_map(|name| Some((likeness(name, wanted)?, *name)));
    let alike: Vec<_> = alike.collect();
    let most = alike.iter().map(|(likeness, _)| *likeness).max();
    alike.into_iter().filter(|(likeness, _)| Some(*likeness) == most).map(|(_, name)| name).collect()
}

/// The names that each of these kernels can be named by.
fn shown(kernels: &[&str]) -> Vec<String> {
    let short: Vec<String> = kernels.iter().map(|name| function_name(name)).collect();
    let is_clear = |name: &String| short.iter().filter(|other| *other == name).count() == 1;
    short.iter().zip(kernels).map(|(one, name)| if is_clear(one) { one.clone() } else { declared_name(name) }).collect()
}

/// The function that the variable for a template's instance points to.
fn instance(text: &str) -> Option<&str> {
    let is_instance =
        |line: &&str| line.starts_with('@') && line.split(' ').next().is_some_and(|name| name.contains(INSTANCE));
    let line = text.lines().find(is_instance)?;
    let name = line.split('@').nth(2)?;
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && !"_.$".contains(c)).unwrap_or(name.len());
    Some(&name[..end])
}
