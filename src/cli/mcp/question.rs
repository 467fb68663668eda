//! The question of a call: its kernel, its GPU and its problem, read within the server's folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use super::arguments::{KernelArguments, SourceArguments, TextLanguage, Word};
use super::confined::{Confined, Texts};
use super::refusal::Refusal;
use crate::gpu::Profile;
use crate::session::{Inputs, Named, SessionError};
use crate::source::{Language, SourceReader};
use crate::spec::{SourceOptions, Spec, SpecError};
use crate::text::Source;

/// The kernel of a call: the text of its spec, which names no file outside the server's folder.
pub(super) struct Asked<'a> {
    arguments: &'a KernelArguments,
    /// The name of the spec or of the source in messages.
    pub(super) name: String,
    /// The spec, as it was written or as it stands for the arguments of a source.
    pub(super) spec: Source,
    /// The texts that the call gives as files; `None` without any.
    pub(super) texts: Option<Arc<Texts>>,
}

/// The name of a spec that is given as a text.
const SPEC: &str = "spec.yaml";

impl<'a> Asked<'a> {
    /// The kernel that arguments name.
    ///
    /// # Errors
    /// If they name none or several, or a file outside the folder.
    pub(super) fn new(arguments: &'a KernelArguments, folder: &Confined) -> Result<Self, Refusal> {
        let asked = match (&arguments.path, &arguments.text) {
            (Some(path), None) => Self::of_path(arguments, path, folder)?,
            (None, Some(text)) => Self::of_text(arguments, text, folder)?,
            (given, _) => {
                let error = if given.is_some() { "both `path` and `text` are given" } else { "no kernel is given" };
                return Err(Refusal::new(error, "give the kernel's spec or source either as `path` or as `text`"));
            }
        };
        asked.check_files(folder)?;
        Ok(asked)
    }

    fn of_path(arguments: &'a KernelArguments, path: &str, folder: &Confined) -> Result<Self, Refusal> {
        if let Some(name) = arguments.files.keys().next() {
            return Err(Refusal::new(
                format!("`files` gives `{}` beside a `path`", name.escape_debug()),
                "give the kernel as `text` too, or leave `files` out",
            ));
        }
        let file = folder.path(path)?;
        let name = file.display().to_string();
        let spec = match (Language::from_file(&file), &arguments.source) {
            (Some(_), source) => described(&file, None, source.as_ref(), folder)?,
            (None, Some(_)) => return Err(of_spec(&name)),
            (None, None) => Source::new(&name, &Spec::text_of(&file).map_err(|why| in_spec(&file, why))?),
        };
        Ok(Self { arguments, name, spec, texts: None })
    }

    fn of_text(arguments: &'a KernelArguments, text: &str, folder: &Confined) -> Result<Self, Refusal> {
        let name = arguments.language.map_or(SPEC, TextLanguage::file_name);
        let texts = match arguments.language {
            None if arguments.files.is_empty() => None,
            _ => {
                let mut texts: IndexMap<String, String> = arguments.files.clone();
                texts.insert(name.to_owned(), text.to_owned());
                Some(folder.write(&texts)?)
            }
        };
        let path = texts.as_ref().map_or_else(|| PathBuf::from(name), |texts| texts.path(name));
        let spec = match (arguments.language, &arguments.source) {
            (Some(language), source) => described(&path, Some(language), source.as_ref(), folder)?,
            (None, Some(_)) => return Err(of_spec(name)),
            (None, None) => Source::new(name, text).beside(&path),
        };
        Ok(Self { arguments, name: name.to_owned(), spec, texts })
    }

    /// Checks that the spec's source lies inside. A spec with errors names none, and no tool reads a source beside a body.
    fn check_files(&self, folder: &Confined) -> Result<(), Refusal> {
        let stated = Spec::read(&self.spec, None).ok().and_then(|spec| spec.kernel_source);
        stated.map_or(Ok(()), |stated| folder.check(&stated.source, self.texts.as_deref()))
    }

    /// The problem sizes of the call.
    pub(super) fn sizes(&self) -> Vec<(String, i64)> {
        self.arguments.set.iter().map(|(name, value)| (name.clone(), *value)).collect()
    }

    /// The configuration of the call as the command line has it; `None` if it names none.
    pub(super) fn config(&self) -> Option<String> {
        let values = self.arguments.config.iter().map(|(name, value)| format!("{name}={value}"));
        (!self.arguments.config.is_empty()).then(|| values.collect::<Vec<_>>().join(","))
    }

    /// The GPU of the call; `None` if it names none.
    ///
    /// # Errors
    /// If it is a profile outside the folder.
    pub(super) fn gpu(&self, folder: &Confined) -> Result<Option<String>, Refusal> {
        self.arguments.gpu.as_deref().map(|gpu| confined_gpu(gpu, folder)).transpose()
    }

    /// The inputs of a question about one GPU.
    ///
    /// # Errors
    /// If one of them is missing or cannot be used.
    pub(super) fn inputs(&self, folder: &Confined, reader: &SourceReader) -> Result<Inputs, Refusal> {
        let gpu = self.gpu(folder)?;
        let gpu =
            gpu.ok_or_else(|| Refusal::new("no `gpu` is given", "name one, such as `a100`; `gpus` lists them"))?;
        let path = PathBuf::from(&self.name);
        // The first error with the words for a spec.
        if !self.spec.is_of_options() {
            Spec::read(&self.spec, None).map_err(|why| in_spec(&path, why))?;
        }
        let named = Named {
            spec: Some(path),
            options: Some(self.spec.clone()),
            gpu,
            sizes: self.sizes(),
            space: None,
            config: self.config(),
        };
        Ok(Inputs::read_named(&named, reader)?)
    }
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

/// The spec that arguments of a source stand for.
fn described(
    file: &Path,
    language: Option<TextLanguage>,
    source: Option<&SourceArguments>,
    folder: &Confined,
) -> Result<Source, Refusal> {
    let source = source.cloned().unwrap_or_default();
    let words = |map: &IndexMap<String, Word>| map.iter().map(|(name, word)| (name.clone(), word.text())).collect();
    let word = |word: &Option<Word>| word.as_ref().map(Word::text);
    let options = SourceOptions {
        file: file.to_owned(),
        kernel: source.kernel.clone(),
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
    Ok(options.to_source())
}

impl TextLanguage {
    fn name(self) -> &'static str {
        match self {
            Self::Opencl => "opencl",
            Self::Cuda => "cuda",
            Self::Hip => "hip",
        }
    }

    fn file_name(self) -> &'static str {
        match self {
            Self::Opencl => "kernel.cl",
            Self::Cuda => "kernel.cu",
            Self::Hip => "kernel.hip",
        }
    }
}
