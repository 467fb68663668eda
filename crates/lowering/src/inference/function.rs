//! Files and the functions in them.

use std::ops::Range;

use super::variables::Definition;
use autotune_kernel::source::Word;

/// A file that was read.
#[derive(Debug)]
pub(super) struct File {
    /// The path as messages show it.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) kind: FileKind,
}

/// The language of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    /// C, C++, OpenCL, CUDA or HIP.
    C,
    /// Python, with the text in the letters of C, each at its place.
    Python(String),
    /// Commands of a Makefile or a script.
    Commands,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub(super) file: usize,
    pub(super) byte: usize,
}

/// A function with its words.
#[derive(Debug)]
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    pub(super) file: usize,
    pub(super) bytes: Range<usize>,
    /// The parameters of its template.
    pub(super) template: Vec<Formal<'a>>,
    pub(super) parameters: Vec<Formal<'a>>,
    /// The words before the parameters' bracket.
    pub(super) head: Vec<Word<'a>>,
    /// The words of the body with its braces; empty for a declaration.
    pub(super) body: Vec<Word<'a>>,
    pub(super) is_kernel: bool,
    /// The variables of the body.
    pub(super) variables: Vec<Definition<'a>>,
}

impl Function<'_> {
    /// The place of the function.
    pub(super) fn at(&self) -> At {
        At { file: self.file, byte: self.bytes.start }
    }

    /// The place of the first word behind the head of its template.
    pub(super) fn head_at(&self) -> At {
        self.head.first().map_or(self.at(), |word| At { file: self.file, byte: word.at })
    }
}

/// A parameter of a function or of a template.
#[derive(Debug, Clone)]
pub(super) struct Formal<'a> {
    pub(super) name: &'a str,
    /// The words of its type.
    pub(super) of_type: Vec<Word<'a>>,
    /// The words of its default; empty if it has none.
    pub(super) default: Vec<Word<'a>>,
}
