//! The compiler, with every clang that `ci/setup tests` installs: what it makes of sources, and what it refuses.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod amdgcn;
mod assumed;
#[path = "../shared/changed_text.rs"]
mod changed_text;
mod confined;
mod cooperative;
mod copies;
mod copies_ahead;
mod counting;
mod differences;
mod errors;
mod extracted;
mod fitting;
mod given;
mod halves;
mod headers;
mod kept;
mod launches;
mod maxplus;
mod mutated;
mod numbers;
mod once;
mod order;
mod products;
mod profile;
mod ptx;
mod readers;
mod registers;
mod sources;
mod targets;
mod tiles;
mod together;
mod twins;
#[path = "../shared/waiting.rs"]
mod waiting;
mod wmma;
mod zig;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

use autotune::limits::Limits;
use autotune::source::{AssumedLines, Clang, Compiler, KernelSource, Language, Macros, Target};

/// The versions of clang: the oldest that is understood, and a new one.
const VERSIONS: [&str; 2] = ["clang-14", "clang-19"];

/// A clang, which is asked about itself once in all tests.
fn clang(name: &str) -> Clang {
    static FOUND: LazyLock<Mutex<HashMap<String, Clang>>> = LazyLock::new(Mutex::default);
    let mut found = FOUND.lock().unwrap();
    let find = || Clang::find(Some(Path::new(name)), &Limits::default(), None);
    let clang = found
        .entry(name.to_owned())
        .or_insert_with(|| find().unwrap_or_else(|why| panic!("{why}; see `ci/setup tests`")));
    clang.clone()
}

fn macros(all: &[(&str, &str)]) -> Macros {
    let mut macros = Macros::default();
    for (name, value) in all {
        match value.parse() {
            Ok(number) => macros.parameter(name, number).unwrap(),
            Err(_) => macros.define(name, value).unwrap(),
        }
    }
    macros
}

/// A folder with files, and a source of the first of them.
struct Written {
    folder: tempfile::TempDir,
    source: KernelSource,
}

impl Written {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let first = folder.path().join(files[0].0);
        let source = KernelSource {
            language: Language::from_file(&first).unwrap(),
            files: vec![first],
            include: Vec::new(),
            options: Vec::new(),
            kernel: None,
            fields: false,
            assumed: AssumedLines::default(),
            macros: Vec::new(),
            types: Vec::new(),
            unaligned: Vec::new(),
        };
        Self { folder, source }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn compiler(&self, clang: &Clang) -> Compiler {
        Compiler::new(clang.clone(), self.source.clone(), Target::Portable, None, Limits::default()).unwrap()
    }
}
