//! The compilers' outputs in `tests/data/ir`, with which other tests need no compiler.

use std::path::{Path, PathBuf};

use autotune::limits::Limits;
use autotune::source::{Compiler, KernelSource, Target};

use super::{VERSIONS, clang, macros};

type Defined = &'static [(&'static str, &'static str)];

/// The name of a kept file, its source, and its macros.
const KEPT: [(&str, &str, Defined); 5] = [
    ("matmul_tiled", "matmul_tiled.cl", &[("size", "64"), ("TS", "8"), ("ROWS", "2"), ("COLS", "1")]),
    ("transpose", "transpose.cl", &[("size", "64"), ("TS", "8"), ("ROWS", "2"), ("PAD", "1")]),
    ("reduction", "reduction.cl", &[("TS", "7"), ("WG", "32"), ("VEC", "4")]),
    ("stencil", "stencil.cl", &[("size", "64"), ("block_x", "8"), ("block_y", "4"), ("ROWS", "2"), ("DEPTH", "2")]),
    (
        "convolution",
        "convolution.cl",
        &[
            ("width", "64"),
            ("height", "64"),
            ("filter", "3"),
            ("block_x", "8"),
            ("block_y", "4"),
            ("tile_x", "1"),
            ("tile_y", "2"),
            ("read_only", "1"),
        ],
    ),
];

/// A text without what the compiler's packager adds.
fn bare(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("clang version"));
    lines.fold(String::new(), |text, line| text + line + "\n")
}

#[test]
fn kept_outputs_are_those_of_the_compilers() {
    for version in VERSIONS {
        for (name, file, parameters) in KEPT {
            let source = KernelSource::of_file(&PathBuf::from("examples/kernels").join(file)).unwrap();
            let compiler = Compiler::new(clang(version), source, Target::Portable, None, Limits::default()).unwrap();
            let text = bare(&compiler.compile(&macros(parameters)).unwrap().text);
            let path = Path::new("tests/data/ir").join(version).join(format!("{name}.ll"));
            if std::env::var_os("UPDATE_IR").is_some() {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            } else {
                assert!(std::fs::read_to_string(&path).unwrap() == text, "{} differs; UPDATE_IR=1", path.display());
            }
        }
    }
}
