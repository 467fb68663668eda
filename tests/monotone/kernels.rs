//! Kernels in a folder, and the reader that compiles them.

use std::path::Path;

use autotune::source::{SourceReader, Tools};
use autotune::spec::Spec;

/// A folder of kernels, with a spec that names one of them.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    pub(crate) fn spec(&self, text: &str) -> Spec {
        let path = self.0.path().join("spec.yaml");
        std::fs::write(&path, text).unwrap();
        Spec::load(&path).unwrap_or_else(|why| panic!("{why}\n{text}"))
    }
}

/// The reader with the clang of the tests, without the user's cache and without ptxas, which not every machine has.
pub(crate) fn reader() -> SourceReader {
    let clang = Some(Path::new("clang-19").to_owned());
    SourceReader::new(Tools { clang, no_cache: true, no_ptxas: true, ..Tools::default() })
}
