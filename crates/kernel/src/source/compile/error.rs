//! Reasons why a source cannot be compiled.

use std::io;
use std::path::PathBuf;

use bytesize::ByteSize;
use thiserror::Error;

use super::super::headers;
use super::super::ir::SourcePlace;
use super::super::triton::TritonError;
use super::absent::AbsentHeader;
use super::message::{Message, listed};
use super::undeclared::Undeclared;
use autotune_base::files::scratch::ScratchError;
use autotune_base::limits::{Overrun, Stop};
use autotune_base::process;
use autotune_base::process::ProcessError;
use autotune_base::user_error::{ExitStatus, UserError};

/// The name of clang in messages.
pub const CLANG: &str = "clang";
/// The oldest version of clang that is understood.
pub(super) const OLDEST_CLANG: u32 = 14;

/// A source that cannot be compiled.
#[derive(Debug, Error)]
pub enum CompileError {
    /// No clang is installed.
    #[error("cannot find clang: {}", searched.as_ref().map_or_else(
        || "no `clang` on the search path".to_owned(), |path| format!("there is no program `{}`", path.display())))]
    NoClang {
        /// The path that the user names; `None` for a search.
        searched: Option<PathBuf>,
    },
    /// A program that is not clang.
    #[error("`{}` is not clang: it prints `{says}`", path.display())]
    NotClang {
        /// The program.
        path: PathBuf,
        /// The first line that it prints about its version.
        says: String,
    },
    /// A clang that is too old.
    #[error("`{}` is clang {version}, and {OLDEST_CLANG} is the oldest that can be used", path.display())]
    OldClang {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// A source in a language of another compiler.
    #[error("clang does not compile kernels in Triton")]
    ForeignLanguage,
    /// A file of the source that cannot be read.
    #[error("{0}")]
    Source(io::Error),
    /// A folder for included files that is not there.
    #[error("cannot use the folder `{}` for included files: {why}", path.display())]
    Include {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// An option that a source may not ask for.
    #[error("`{option}` is not an option that can be given to the compiler")]
    Option {
        /// The option.
        option: String,
        /// The options that can be given.
        allowed: Vec<&'static str>,
    },
    /// A macro that cannot be defined.
    #[error("`{name}` cannot be defined as `{value}`: {why}")]
    Macro {
        /// The name.
        name: String,
        /// The value.
        value: String,
        /// The reason.
        why: &'static str,
    },
    /// The name of a kernel that cannot be one.
    #[error("`{0}` is not the name of a kernel")]
    KernelName(String),
    /// Errors that the compiler finds in the source.
    #[error("{}:\n{}", what_is_found(by, messages, undeclared, macros), listed(messages))]
    Refused {
        /// The compiler's name.
        by: &'static str,
        /// The first errors.
        messages: Vec<Message>,
        /// The parameters of the configuration, as `NAME=VALUE`.
        macros: String,
        /// The headers that the compiler got empty replacements for.
        absent: Vec<AbsentHeader>,
        /// The names among the errors that nothing declares, or whose declarations a condition leaves out.
        undeclared: Box<Undeclared>,
        /// True if one of the errors is there in every configuration.
        in_all: bool,
    },
    /// A file that the source includes and that is not there.
    #[error("`{file}` is not there; it is included{}", place.as_ref().map_or_else(
        String::new, |at| format!(" at {}:{}:{}", at.file, at.line, at.column)))]
    MissingInclude {
        /// The file's name in the source.
        file: String,
        /// The place that includes it.
        place: Option<SourcePlace>,
        /// A folder that it is reached from by this name, and that the compiler was not shown; `None` if none is known.
        folder: Option<PathBuf>,
    },
    /// A file that the source includes and that the compiler would wait for, or read without end.
    #[error("`{}` is {kind}, not a regular file; it is included at {}:{}:{}", path.display(), place.file, place.line,
        place.column)]
    Irregular {
        /// The file.
        path: PathBuf,
        /// Its kind, in words.
        kind: &'static str,
        /// The place that includes it.
        place: SourcePlace,
    },
    /// A file that the source reaches by a link out of its folders.
    #[error("the source includes `{}`, which is outside its folders", .0.display())]
    Outside(PathBuf),
    /// A file outside the source's folders that a `#line` names.
    #[error("a `#line` of the source names `{}`, which is outside its folders", .0.display())]
    OutsideLine(PathBuf),
    /// A compilation that did not come to its end: it is not known whether the compiler accepts the source.
    #[error("{by} did not finish{}: {why}", with(macros))]
    Unfinished {
        /// The compiler's name.
        by: &'static str,
        /// The reason.
        why: UnfinishedCompilation,
        /// The parameters of the configuration, as `NAME=VALUE`.
        macros: String,
    },
    /// Triton cannot compile the kernel.
    #[error(transparent)]
    Triton(#[from] TritonError),
    /// A limit or the user stopped the compilation.
    #[error("compiling was stopped: {0}")]
    Stopped(Stop),
    /// A process that cannot be started.
    #[error("cannot run clang")]
    Process(#[from] ProcessError),
    /// A folder for temporary files that cannot be made.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// A temporary file that cannot be written or read.
    #[error("cannot compile: {0}")]
    File(#[from] io::Error),
}

/// The reason why a compilation did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnfinishedCompilation {
    /// The allowance is used up.
    #[error("{0}")]
    Overrun(Overrun),
    /// More memory is needed than a compilation may take.
    #[error("it needs more than {} of memory", ByteSize::b(*bytes))]
    Memory {
        /// The most memory.
        bytes: u64,
    },
    /// Its output is longer than what is read.
    #[error("its output is longer than {}", ByteSize::b(*bytes))]
    Output {
        /// The most bytes.
        bytes: u64,
    },
    /// The system had no room, memory or device for it.
    #[error("it prints `{says}`")]
    NoRoom {
        /// The compiler's message.
        says: String,
    },
    /// Somebody else ended it with a signal.
    #[error("it {status}")]
    Killed {
        /// The exit status, in words.
        status: String,
    },
    /// The compiler failed itself.
    #[error("it {status}: {says}")]
    Crashed {
        /// The exit status, in words.
        status: String,
        /// The first line that it prints.
        says: String,
    },
}

/// The parameters behind a sentence.
fn with(macros: &str) -> String {
    if macros.is_empty() { String::new() } else { format!(" with {macros}") }
}

/// The errors of a compiler in words.
fn what_is_found(by: &str, messages: &[Message], undeclared: &Undeclared, macros: &str) -> String {
    let with = with(macros);
    let with_comma = if with.is_empty() { String::new() } else { format!(",{with}") };
    match (undeclared.names.len(), messages.len()) {
        (0, 1) => format!("{by} finds an error in the source{with}"),
        (0, _) => format!("{by} finds errors in the source{with}"),
        (1, _) => format!("the source uses a name that nothing declares{with_comma}"),
        _ => format!("the source uses names that nothing declares{with_comma}"),
    }
}

/// The words of clang's errors about a name that a header may give.
const LACKING: [&str; 12] = [
    "undeclared",
    "unknown type name",
    "no template named",
    "no member named",
    "no type named",
    "no matching function",
    "use of class template",
    "incomplete type",
    "expected namespace name",
    "expected class name",
    "must specify a type",
    "a type specifier is required",
];

/// True if an error may be about a name that a header gives: of a type or a template, which then makes no declaration, or
/// of anything else.
fn may_lack_header(message: &str) -> bool {
    LACKING.iter().any(|words| message.contains(words)) || message.starts_with("expected ")
}

/// Advice about headers that are empty for the compiler; `None` if there are none.
fn empty_headers(absent: &[AbsentHeader]) -> Option<String> {
    let named = absent.iter().map(|AbsentHeader { name, place }| format!("`{name}` ({}:{})", place.file, place.line));
    let named = named.collect::<Vec<_>>().join(", ");
    (!absent.is_empty()).then(|| {
        format!(
            "these headers are not there, and are empty for the compiler: {named}; name the folder of one that device code \
             needs: `--include DIR`, or `include: [DIR]` in `source`"
        )
    })
}

/// Advice on how to get a clang that can be used.
fn install() -> String {
    let install = process::install_advice(&[process::CLANG]);
    format!("{install}, or name it with `--clang PATH` or the variable AUTOTUNE_CLANG")
}

impl CompileError {
    /// The message in one line, with the place of the first error.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::Refused { messages, .. } => listed(&messages[..1.min(messages.len())]).trim().to_owned(),
            // The configuration stands beside the line.
            Self::Unfinished { by, why, .. } => format!("{by} did not finish: {why}"),
            other => other.to_string(),
        }
    }

    /// The place in a file of the user; `None` if the error has none.
    #[must_use]
    pub fn place(&self) -> Option<SourcePlace> {
        match self {
            Self::Refused { messages, .. } => messages.iter().find_map(|message| message.place.clone()),
            Self::MissingInclude { place, .. } => place.clone(),
            Self::Irregular { place, .. } => Some(place.clone()),
            Self::Triton(why) => why.place(),
            _ => None,
        }
    }

    /// True if the compiler failed itself, and not because of the source, a limit or a signal.
    #[must_use]
    pub fn is_crash(&self) -> bool {
        matches!(self, Self::Unfinished { why: UnfinishedCompilation::Crashed { .. }, .. })
    }

    /// True if a back end refuses a kernel because a group has not that much local memory.
    #[must_use]
    pub fn is_of_local_memory(&self) -> bool {
        let is_of_it = |message: &Message| message.text.starts_with("local memory ");
        matches!(self, Self::Refused { messages, .. } if !messages.is_empty() && messages.iter().all(is_of_it))
    }

    /// The error with what is known of names without a meaning; those that nothing declares are all that it tells.
    pub(super) fn with_undeclared(mut self, found: Undeclared) -> Self {
        if let Self::Refused { messages, undeclared, .. } = &mut self {
            if !found.names.is_empty() {
                *messages = found.names.iter().map(|one| one.message.clone()).collect();
            }
            **undeclared = found;
        }
        self
    }

    /// True if the compiler finds an error that is there in every configuration.
    #[must_use]
    pub fn is_in_all(&self) -> bool {
        matches!(self, Self::Refused { in_all: true, .. })
    }

    /// True if the compiler refuses the source.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused { .. })
    }
}

impl UnfinishedCompilation {
    /// Advice on how to let the compiler finish; `None` if nothing is known to help.
    fn help(&self) -> Option<&'static str> {
        match self {
            Self::Overrun(_) => Some(
                "give it more time with `--source-limit`, or let it unroll less and compute less while it compiles",
            ),
            Self::Memory { .. } | Self::Output { .. } => {
                Some("let the compiler unroll less, or compute less while it compiles")
            }
            Self::NoRoom { .. } => {
                Some("make room there, or name another place for temporary files with the variable TMPDIR")
            }
            Self::Killed { .. } | Self::Crashed { .. } => None,
        }
    }
}

impl UserError for CompileError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::NoClang { .. }
            | Self::NotClang { .. }
            | Self::OldClang { .. }
            | Self::Process(_)
            | Self::File(_)
            | Self::Unfinished { why: UnfinishedCompilation::Crashed { .. }, .. } => ExitStatus::Failure,
            Self::Scratch(error) => error.status(),
            Self::Triton(error) => error.status(),
            Self::Stopped(_) | Self::Unfinished { .. } => ExitStatus::BestEffort,
            _ => ExitStatus::Unusable,
        }
    }

    fn answers(&self) -> Vec<String> {
        if let Self::Refused { undeclared, .. } = self { undeclared.answers() } else { Vec::new() }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NoClang { .. } | Self::NotClang { .. } | Self::OldClang { .. } => Some(install()),
            Self::MissingInclude { file, folder: None, .. } => Some(match headers::refusal(file) {
                Some(why) => why.to_owned(),
                None => "name the folder that has it: `--include DIR`, or `include: [DIR]` in `source`".to_owned(),
            }),
            Self::MissingInclude { folder: Some(folder), .. } => {
                let folder = folder.display();
                Some(format!("let it be read: `--include {folder}`, or `include: [{folder}]` in `source`"))
            }
            Self::Refused { undeclared, absent, messages, .. } => match (
                undeclared.help(),
                // A header gives names, and mends no other error.
                empty_headers(absent).filter(|_| messages.iter().any(|message| may_lack_header(&message.text))),
            ) {
                (Some(macros), Some(headers)) if undeclared.closed.is_empty() => {
                    Some(format!("{macros}; or {headers}"))
                }
                (macros, headers) => macros.or(headers),
            },
            Self::Irregular { .. } => Some("write what it gives to a file, and include that file".to_owned()),
            Self::OutsideLine(_) => Some(
                "leave the `#line` out, or name the folder that has the file with `include:`, if it may be read"
                    .to_owned(),
            ),
            Self::Outside(_) => Some("name the folder that has the file with `include:`, if it may be read".to_owned()),
            Self::Option { allowed, .. } => Some(format!("these can be given: {}", allowed.join(", "))),
            Self::Unfinished { why, .. } => why.help().map(str::to_owned),
            Self::Scratch(error) => error.help(),
            Self::Triton(error) => error.help(),
            _ => None,
        }
    }
}
