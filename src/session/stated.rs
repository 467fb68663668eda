//! The spec of a source file: the one in its comment, or the one that its text and options state.

use std::path::{Path, PathBuf};

use super::SessionError;
use crate::files;
use crate::inference::{CommentedSpec, commented_specs, infer};
use crate::source::{Language, last_name};
use crate::spec::SourceOptions;
use crate::text::Source;

/// The most bytes of a source whose comments are read.
const LONGEST: u64 = 16 * files::MIB;

/// The file and the kernel of the form `matmul.cu:matmul`; `None` for another form, or if a file has this name.
#[must_use]
pub fn kernel_of_file(file: &Path) -> Option<(PathBuf, String)> {
    let (path, kernel) = file.to_str()?.rsplit_once(':')?;
    let is_name = kernel.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_name && Language::from_file(Path::new(path)).is_some() && !file.exists())
        .then(|| (PathBuf::from(path), kernel.to_owned()))
}

/// True if a comment of the source states the spec of the kernel that the options name, and they do not state a launch.
#[must_use]
pub fn is_commented(given: &SourceOptions, language: Language) -> bool {
    !states_launch(given) && commented(&given.file, given.kernel.as_deref(), language).is_ok_and(|spec| spec.is_some())
}

/// The spec of a source file, whose options say what they say. `has_options` is true if some option describes the source.
///
/// # Errors
/// If the file cannot be read, or if its text and the options do not say how the kernel is launched.
pub fn spec_of_source(
    given: SourceOptions,
    hosts: &[PathBuf],
    language: Language,
    has_options: bool,
) -> Result<Source, SessionError> {
    let kernel = given.kernel.clone();
    if !states_launch(&given)
        && let Some(spec) = commented(&given.file, kernel.as_deref(), language)?
    {
        if has_options {
            return Err(SessionError::TwoSpecs { path: given.file, line: spec.line });
        }
        return of_comment(&spec, given, hosts, language);
    }
    if language == Language::Triton || states_launch(&given) {
        return Ok(given.to_source());
    }
    let inference = infer(given, hosts, language).map_err(SessionError::Inference)?;
    Ok(inference.options.to_source().with_inferred(inference.inferred))
}

/// The spec of a file without options: of a source, `FILE:KERNEL` too; `None` for a file that is a spec.
pub(super) fn spec_of_file(path: &Path) -> Result<Option<Source>, SessionError> {
    let (file, kernel) = match kernel_of_file(path) {
        Some((file, kernel)) => (file, Some(kernel)),
        None => (path.to_owned(), None),
    };
    let Some(language) = Language::from_file(&file) else { return Ok(None) };
    spec_of_source(SourceOptions { file, kernel, ..SourceOptions::default() }, &[], language, false).map(Some)
}

/// True if options state the launch.
fn states_launch(given: &SourceOptions) -> bool {
    given.programs.is_some() || (given.work_items.is_some() && given.work_group.is_some())
}

/// The spec in a comment of a source: of the kernel that is named, or the only one; `None` if there is none.
fn commented(file: &Path, kernel: Option<&str>, language: Language) -> Result<Option<CommentedSpec>, SessionError> {
    let read = files::named(file, LONGEST).bytes();
    // The reader of the source says why the file cannot be read.
    let Ok(bytes) = read else { return Ok(None) };
    let mut all = commented_specs(&String::from_utf8_lossy(&bytes), language == Language::Triton);
    if let Some(wanted) = kernel {
        let of_kernel = all.iter().position(|spec| spec.kernels().any(|name| last_name(name) == last_name(wanted)));
        return Ok(of_kernel.map(|at| all.swap_remove(at)));
    }
    match all.len() {
        0 | 1 => Ok(all.pop()),
        _ => {
            let named =
                all.iter().map(|spec| (spec.kernels().next().unwrap_or_default().to_owned(), spec.line)).collect();
            Err(SessionError::SeveralSpecs { path: file.to_owned(), kernels: named })
        }
    }
}

/// The spec in a comment, with what the text says of the keys that it leaves out.
fn of_comment(
    spec: &CommentedSpec,
    given: SourceOptions,
    hosts: &[PathBuf],
    language: Language,
) -> Result<Source, SessionError> {
    let file = given.file.clone();
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if spec.has("launch") || language == Language::Triton {
        let further = if spec.has("source") || spec.has("body") { "" } else { "source: {}\n" };
        return Ok(spec.to_source(&file, further));
    }
    // The names that the comment states are not inferred.
    let stated = |key: &str| spec.names_of(key);
    let parameters = stated("parameters").into_iter().chain(stated("tune_params"));
    let given = SourceOptions {
        kernel: spec.kernels().last().map(ToOwned::to_owned).or(given.kernel.clone()),
        parameters: parameters.map(|name| (name, "1".to_owned())).collect(),
        problem: stated("problem").into_iter().map(|name| (name, 1)).collect(),
        ..given
    };
    let (of_parameters, of_problem) = (given.parameters.len(), given.problem.len());
    let mut inference = infer(given, hosts, language).map_err(SessionError::Inference)?;
    inference.options.parameters.drain(..of_parameters);
    inference.options.problem.drain(..of_problem);
    let further = inference.options.keys_beside(&|key| spec.has(key), &name);
    Ok(spec.to_source(&file, &further).with_inferred(inference.inferred))
}
