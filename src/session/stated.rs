//! The spec of a source file: the one in its comment, or the one that its text and options state.

use std::path::{Path, PathBuf, absolute};

use super::SessionError;
use autotune_base::files;
use autotune_base::text::{Inferred, InferredKind, Source};
use autotune_kernel::source::{Language, last_name};
use autotune_lowering::inference::{CommentedSpec, Inference, commented_specs, infer_within};
use autotune_lowering::spec::{Overlay, ReplacedValue, SourceOptions};

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

/// True if a comment of the source states the spec of the kernel that the options name.
#[must_use]
pub fn is_commented(given: &SourceOptions, language: Language) -> bool {
    commented(&given.file, given.kernel.as_deref(), language).is_ok_and(|spec| spec.is_some())
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
    spec_within(given, hosts, (language, has_options), None)
}

/// The spec of a source file as [`spec_of_source`] has it. Of the headers that its files include, those below a folder alone
/// are read; with `None`, all.
///
/// # Errors
/// Errors of [`spec_of_source`].
pub fn spec_within(
    given: SourceOptions,
    hosts: &[PathBuf],
    (language, has_options): (Language, bool),
    root: Option<&Path>,
) -> Result<Source, SessionError> {
    let is_whole = states_launch(&given);
    match commented(&given.file, given.kernel.as_deref(), language) {
        Ok(Some(spec)) => return of_comment(&spec, given, (hosts, root), (language, has_options)),
        // Options that state the launch need no comment.
        Err(why) if !is_whole => return Err(why),
        Ok(None) | Err(_) => {}
    }
    if language == Language::Triton || is_whole {
        return Ok(given.to_source());
    }
    let inference = infer_within(given, hosts, language, root).map_err(SessionError::Inference)?;
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

/// The spec in a comment, with what the text says of the keys that it leaves out. Options win over both.
fn of_comment(
    spec: &CommentedSpec,
    given: SourceOptions,
    (hosts, root): (&[PathBuf], Option<&Path>),
    (language, has_options): (Language, bool),
) -> Result<Source, SessionError> {
    let file = given.file.clone();
    refuse_beside(spec, &given, hosts, language)?;
    let options = has_options.then(|| beside_comment(&given)).transpose()?;
    let whole = |inferred: Vec<Inferred>, base: Source, more: Option<Source>| match (&options, &more) {
        (None, None) => base.with_inferred(inferred),
        _ => overlaid(base, more.as_ref(), options.as_ref(), inferred),
    };
    if spec.has("launch") || language == Language::Triton {
        let further = if spec.has("source") || spec.has("body") { "" } else { "source: {}\n" };
        return Ok(whole(Vec::new(), spec.to_source(&file, further), None));
    }
    let inference = inferred(spec, given, (hosts, root), language)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let has_more = (spec.has("problem") && !inference.options.problem.is_empty())
        || (spec.has("parameters") && !inference.options.parameters.is_empty());
    if has_more || options.is_some() {
        let more = SourceOptions { file: name.into(), ..inference.options }.to_source();
        return Ok(whole(inference.inferred, spec.to_source(&file, ""), Some(more)));
    }
    let further = inference.options.keys_beside(&|key| spec.has(key), &name);
    Ok(whole(inference.inferred, spec.to_source(&file, &further), None))
}

/// Refuses an option that says nothing beside a comment.
fn refuse_beside(
    spec: &CommentedSpec,
    given: &SourceOptions,
    hosts: &[PathBuf],
    language: Language,
) -> Result<(), SessionError> {
    let has_launch = spec.has("launch") || language == Language::Triton;
    let refused = [
        ("--host", "launch", has_launch && !hosts.is_empty()),
        ("--parameter", "configurations", spec.has("configurations") && !given.parameters.is_empty()),
    ];
    match refused.into_iter().find(|(.., is_refused)| *is_refused) {
        None => Ok(()),
        Some((option, states, _)) => {
            Err(SessionError::NotBesideComment { path: given.file.clone(), line: spec.line, option, states })
        }
    }
}

/// The launch that the text states for a kernel whose comment states none.
fn inferred(
    spec: &CommentedSpec,
    given: SourceOptions,
    (hosts, root): (&[PathBuf], Option<&Path>),
    language: Language,
) -> Result<Inference, SessionError> {
    // The names that the comment states are not inferred.
    let stated = |key: &str| spec.names_of(key);
    let of_comment: Vec<String> = stated("parameters").into_iter().chain(stated("tune_params")).collect();
    let sizes = stated("problem");
    let is_new = |name: &String, own: &[(String, String)]| own.iter().all(|(known, _)| known != name);
    let parameters =
        of_comment.iter().filter(|name| is_new(name, &given.parameters)).map(|name| (name.clone(), "1".to_owned()));
    let problem =
        sizes.iter().filter(|name| given.problem.iter().all(|(known, _)| known != *name)).map(|name| (name.clone(), 1));
    let kernel = spec.kernels().last().map(ToOwned::to_owned);
    let asked = SourceOptions {
        kernel: given.kernel.clone().filter(|name| name.contains('<')).or(kernel).or(given.kernel.clone()),
        parameters: parameters.chain(given.parameters.clone()).collect(),
        problem: problem.chain(given.problem.clone()).collect(),
        ..given
    };
    let mut inference = infer_within(asked, hosts, language, root).map_err(SessionError::Inference)?;
    let options = &mut inference.options;
    let launch = [&options.work_items, &options.work_group, &options.shared, &options.kernel];
    let texts = launch.into_iter().flatten().chain(options.arguments.iter().map(|(_, value)| value));
    let used: Vec<String> = texts.flat_map(|text| names_in(text)).collect();
    // A comment that has parameters has all but those that the launch cannot do without.
    options.parameters.retain(|(name, _)| !of_comment.contains(name) && (of_comment.is_empty() || used.contains(name)));
    options.problem.retain(|(name, _)| !sizes.contains(name));
    let kept: Vec<String> = options.parameters.iter().map(|(name, _)| name.clone()).collect();
    inference.inferred.retain(|one| one.what != InferredKind::Parameter || kept.contains(&one.name));
    Ok(inference)
}

/// The names in an expression.
fn names_in(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty()).map(ToOwned::to_owned)
}

/// The options that are put over a comment. Folders are those of the working folder.
fn beside_comment(given: &SourceOptions) -> Result<Source, SessionError> {
    let whole = |folder: &PathBuf| absolute(folder).map_err(SessionError::File);
    let include = given.include.iter().map(whole).collect::<Result<_, _>>()?;
    Ok(SourceOptions { include, ..given.clone() }.to_source())
}

/// A comment's spec with what is inferred, below it, and options, above it.
fn overlaid(base: Source, more: Option<&Source>, options: Option<&Source>, mut inferred: Vec<Inferred>) -> Source {
    // A text that is no YAML is the error of its reader.
    let Some(mut overlay) = Overlay::new(&base) else { return base };
    for (layer, is_over) in [(more, false), (options, true)] {
        let Some(layer) = layer else { continue };
        if !(if is_over { overlay.replace(layer) } else { overlay.fill(layer) }) {
            return layer.clone();
        }
    }
    let file = base.name().to_owned();
    let (spec, replaced) = overlay.finish();
    inferred.extend(replaced.into_iter().filter_map(|replaced| of_option(replaced, &file)));
    spec.with_inferred(inferred)
}

/// The line of an answer about a value of a comment that an option replaced; `None` for what answers do not show.
fn of_option(replaced: ReplacedValue, file: &str) -> Option<Inferred> {
    let ReplacedValue { key, name, value, before, line } = replaced;
    let what = match key {
        "problem" => InferredKind::Problem,
        "parameters" => InferredKind::Parameter,
        "launch" => InferredKind::Launch,
        "arguments" => InferredKind::Argument,
        _ => return None,
    };
    let (name, value) = match what {
        InferredKind::Launch => (format!("{} {value}", name.replace('_', " ")), String::new()),
        _ => (name, value),
    };
    let rule = format!("by an option in place of {before}");
    Some(Inferred { what, name, value, file: file.to_owned(), line, by_rule: false, rule })
}
