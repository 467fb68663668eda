//! The question of a call: its kernel, its GPU and its problem, read within the server's folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use super::arguments::{KernelArguments, Names, ProblemArguments, SourceArguments, TextLanguage, Word};
use super::confined::{Confined, Texts};
use super::proposals::proposals;
use super::refusal::Refusal;
use crate::session::{Inputs, Named, SessionError, kernel_of_file, spec_within};
use autotune_base::text::Source;
use autotune_base::user_error::{UserError, message};
use autotune_kernel::source::{Language, SourceReader};
use autotune_lowering::gpu::Profile;
use autotune_lowering::spec::{SourceOptions, Spec, SpecError};

/// The kernel of a call: the text of its spec, which names no file outside the server's folder.
pub(super) struct Asked<'a> {
    /// The GPU and the problem.
    pub(super) problem: &'a ProblemArguments,
    /// The source's file, if the kernel was given as a source; `None` for a spec.
    pub(super) file: Option<PathBuf>,
    /// The name of the spec or of the source in messages.
    pub(super) name: String,
    /// The spec, as it was written or as it stands for the arguments of a source.
    pub(super) spec: Source,
    /// The texts that the call gives as files; `None` without any.
    pub(super) texts: Option<Arc<Texts>>,
    /// True if arguments describe the source.
    pub(super) is_described: bool,
}

/// The role of a kernel in a call, which names its text in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextRole {
    /// The kernel of the call.
    Kernel,
    /// The old kernel that it is compared with.
    Old,
}

impl<'a> Asked<'a> {
    /// The kernel that arguments name.
    ///
    /// # Errors
    /// If they name none or several, or a file outside the folder.
    pub(super) fn new(
        kernel: &KernelArguments,
        problem: &'a ProblemArguments,
        role: TextRole,
        folder: &Confined,
    ) -> Result<Self, Refusal> {
        let Given { name, file, spec, texts } = match (&kernel.path, &kernel.text) {
            (Some(path), None) => of_path(kernel, path, role, folder)?,
            (None, Some(text)) => of_text(kernel, text, role, folder)?,
            (given, _) => {
                let error = match (role, given.is_some()) {
                    (TextRole::Kernel, true) => "both `path` and `text` are given",
                    (TextRole::Kernel, false) => "no kernel is given",
                    (TextRole::Old, true) => "both `path` and `text` of the `old` kernel are given",
                    (TextRole::Old, false) => "no `old` kernel is given",
                };
                return Err(Refusal::new(error, "give the kernel's spec or source either as `path` or as `text`"));
            }
        };
        let asked = Self { problem, file, name, spec, texts, is_described: kernel.source.is_some() };
        asked.check_files(folder)?;
        Ok(asked)
    }

    /// Checks that the spec's source lies inside. A spec with errors names none, and no tool reads a source beside a body.
    fn check_files(&self, folder: &Confined) -> Result<(), Refusal> {
        let stated = Spec::read(&self.spec, None).ok().and_then(|spec| spec.kernel_source);
        stated.map_or(Ok(()), |stated| folder.check(&stated.source, self.texts.as_deref()))
    }

    /// The problem sizes of the call.
    pub(super) fn sizes(&self) -> Vec<(String, i64)> {
        self.problem.set.iter().map(|(name, value)| (name.clone(), *value)).collect()
    }

    /// The configuration of the call as the command line has it; `None` if it names none.
    pub(super) fn config(&self) -> Option<String> {
        let values = self.problem.config.iter().map(|(name, value)| format!("{name}={value}"));
        (!self.problem.config.is_empty()).then(|| values.collect::<Vec<_>>().join(","))
    }

    /// The GPU of the call; `None` if it names none.
    ///
    /// # Errors
    /// If it is a profile outside the folder, or the list of GPUs is empty.
    pub(super) fn gpu(&self, folder: &Confined) -> Result<Option<String>, Refusal> {
        self.problem.gpu.as_ref().map(|gpu| confined_gpu(&listed(gpu)?, folder)).transpose()
    }

    /// The inputs of a question about one GPU.
    ///
    /// # Errors
    /// If one of them is missing or cannot be used, or several GPUs are named.
    pub(super) fn inputs(&self, folder: &Confined, reader: &SourceReader) -> Result<Inputs, Refusal> {
        if let Some(gpu) = self.gpu(folder)?.filter(|gpu| names_several(gpu)) {
            return Err(Refusal::new(
                format!("the answer is about one GPU, and `gpu` names several: `{}`", gpu.escape_debug()),
                "ask for each in a call of its own; `check`, `diff` and `gpus` take several",
            ));
        }
        Ok(Inputs::read_named(&self.named(folder)?, reader)?)
    }

    /// The names of the inputs of a question about one GPU, or about each of a list.
    ///
    /// # Errors
    /// If the GPU is missing or outside the folder, or the spec cannot be used.
    pub(super) fn named(&self, folder: &Confined) -> Result<Named, Refusal> {
        let gpu = self.gpu(folder)?;
        let gpu =
            gpu.ok_or_else(|| Refusal::new("no `gpu` is given", "name one, such as `a100`; `gpus` lists them"))?;
        let path = PathBuf::from(&self.name);
        // The first error with the words for a spec.
        if !self.spec.is_of_options() {
            Spec::read(&self.spec, None).map_err(|why| in_spec(&path, why))?;
        }
        Ok(Named {
            spec: Some(path),
            options: Some(self.spec.clone()),
            gpu,
            sizes: self.sizes(),
            space: None,
            config: self.config(),
            warm: self.problem.warm,
        })
    }
}

/// A kernel that a call gives.
struct Given {
    name: String,
    file: Option<PathBuf>,
    spec: Source,
    texts: Option<Arc<Texts>>,
}

/// The kernel of a file below the folder.
fn of_path(kernel: &KernelArguments, path: &str, role: TextRole, folder: &Confined) -> Result<Given, Refusal> {
    if let Some(name) = kernel.files.keys().next() {
        return Err(Refusal::new(
            format!("`files` gives `{}` beside a `path`", name.escape_debug()),
            "give the kernel as `text` too, or leave `files` out",
        ));
    }
    let (path, kernel_name) = match kernel_of_file(Path::new(path)) {
        Some((file, kernel)) => (file.display().to_string(), Some(kernel)),
        None => (path.to_owned(), None),
    };
    let file = folder.path(&path)?;
    let name = file.display().to_string();
    let spec = match (Language::from_file(&file), &kernel.source) {
        (Some(_), source) => described((&file, kernel_name), None, source.as_ref(), (role, folder, None))?,
        (None, Some(_)) => return Err(of_spec(&name)),
        (None, None) => Source::new(&name, &Spec::text_of(&file).map_err(|why| in_spec(&file, why))?),
    };
    Ok(Given { name, file: Language::from_file(&file).is_some().then_some(file), spec, texts: None })
}

/// The kernel of a text.
fn of_text(kernel: &KernelArguments, text: &str, role: TextRole, folder: &Confined) -> Result<Given, Refusal> {
    let name = role.file_name(kernel.language);
    let texts = match kernel.language {
        None if kernel.files.is_empty() => None,
        _ => {
            let mut texts: IndexMap<String, String> = kernel.files.clone();
            texts.insert(name.to_owned(), text.to_owned());
            Some(folder.write(&texts)?)
        }
    };
    let path = texts.as_ref().map_or_else(|| PathBuf::from(name), |texts| texts.path(name));
    let spec = match (kernel.language, &kernel.source) {
        (Some(language), source) => {
            described((&path, None), Some(language), source.as_ref(), (role, folder, texts.as_deref()))?
        }
        (None, Some(_)) => return Err(of_spec(name)),
        (None, None) => Source::new(name, text).beside(&path),
    };
    Ok(Given { name: name.to_owned(), file: kernel.language.is_some().then_some(path), spec, texts })
}

/// The list of a call's GPUs between commas.
///
/// # Errors
/// If the list is empty.
pub(super) fn listed(gpus: &Names) -> Result<String, Refusal> {
    match gpus {
        Names::List(names) if names.is_empty() => {
            Err(Refusal::new("`gpu` is an empty list", "name one, such as `a100`; `gpus` without arguments lists them"))
        }
        gpus => Ok(gpus.text()),
    }
}

/// True for a list, and for a group such as `vendor:NVIDIA`.
fn names_several(gpu: &str) -> bool {
    gpu.contains(',') || (Profile::file(gpu).is_none() && (gpu.contains(':') || gpu.eq_ignore_ascii_case("all")))
}

/// A GPU whose profile, if it is a file, lies in the folder. A list is looked at item by item.
fn confined_gpu(gpu: &str, folder: &Confined) -> Result<String, Refusal> {
    let item = |item: &str| match Profile::file(item) {
        // A group such as `vendor:NVIDIA` has no file.
        Some(_) => {
            let path = folder.path(item)?.display().to_string();
            Ok(if path.contains('/') { path } else { format!("./{path}") })
        }
        None => Ok(item.to_owned()),
    };
    let items: Vec<String> = gpu.split(',').map(|name| item(name.trim())).collect::<Result<_, Refusal>>()?;
    Ok(items.join(","))
}

fn in_spec(path: &Path, why: SpecError) -> Refusal {
    SessionError::Spec { path: path.to_owned(), why }.into()
}

/// The refusal of a description beside a spec, which has one.
fn of_spec(name: &str) -> Refusal {
    Refusal::new(
        format!("`source` describes a kernel's source, and `{name}` is a spec"),
        "write it into the spec; or name a source file (.cl, .cu, .hip), or the `language` of the text",
    )
}

/// The spec that arguments of a source stand for, with what its text and that of host code say beside them. An old source
/// that does not say how it is launched has the new one's launch.
fn described(
    (file, kernel): (&Path, Option<String>),
    language: Option<TextLanguage>,
    source: Option<&SourceArguments>,
    (role, folder, texts): (TextRole, &Confined, Option<&Texts>),
) -> Result<Source, Refusal> {
    let is_given = source.is_some();
    let source = source.cloned().unwrap_or_default();
    let words = |map: &IndexMap<String, Word>| map.iter().map(|(name, word)| (name.clone(), word.text())).collect();
    let word = |word: &Option<Word>| word.as_ref().map(Word::text);
    let options = SourceOptions {
        file: file.to_owned(),
        kernel: source.kernel.clone().or(kernel),
        problem: source.problem.iter().map(|(name, value)| (name.clone(), *value)).collect(),
        parameters: source.parameters.iter().map(|(name, values)| (name.clone(), values.text())).collect(),
        configurations: Vec::new(),
        constraints: source.constraints.clone(),
        work_items: word(&source.work_items),
        work_group: word(&source.work_group),
        programs: None,
        shared: word(&source.shared),
        arguments: words(&source.arguments),
        define: words(&source.define),
        include: source.include.iter().map(|name| folder.path(name)).collect::<Result<_, _>>()?,
        assume: words(&source.assume),
        language: language.map(|language| language.name().to_owned()),
        options: source.options.clone(),
        types: Vec::new(),
        unaligned: Vec::new(),
        contents: words(&source.contents),
    };
    let host = |name: &String| match texts.map(|texts| texts.path(name)).filter(|path| path.is_file()) {
        Some(path) => Ok(path),
        None => folder.path(name),
    };
    let hosts: Vec<PathBuf> = source.host.iter().map(host).collect::<Result<_, Refusal>>()?;
    let named = language.and_then(|language| Language::from_name(language.name()));
    let read = named.or_else(|| Language::from_file(file)).unwrap_or(Language::Cuda);
    let root = texts.map_or(folder.root(), Texts::folder);
    match spec_within(options.clone(), &hosts, (read, is_given), Some(root)) {
        Err(_) if role == TextRole::Old && !is_given => Ok(options.to_source()),
        Ok(stated) => Ok(stated),
        Err(why) => Err(match proposals(&why.answers()) {
            Some(source) => Refusal::new(message(&why), format!("say it; proposals: `source`: {source}")),
            None => why.into(),
        }),
    }
}

impl TextLanguage {
    fn name(self) -> &'static str {
        match self {
            Self::Opencl => "opencl",
            Self::Cuda => "cuda",
            Self::Hip => "hip",
        }
    }
}

impl TextRole {
    /// The name of a text: that of a spec, or of a source in a language.
    fn file_name(self, language: Option<TextLanguage>) -> &'static str {
        match (self, language) {
            (Self::Kernel, None) => "spec.yaml",
            (Self::Kernel, Some(TextLanguage::Opencl)) => "kernel.cl",
            (Self::Kernel, Some(TextLanguage::Cuda)) => "kernel.cu",
            (Self::Kernel, Some(TextLanguage::Hip)) => "kernel.hip",
            (Self::Old, None) => "old.yaml",
            (Self::Old, Some(TextLanguage::Opencl)) => "old.cl",
            (Self::Old, Some(TextLanguage::Cuda)) => "old.cu",
            (Self::Old, Some(TextLanguage::Hip)) => "old.hip",
        }
    }
}
