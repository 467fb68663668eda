//! Outputs do not depend on the folders, the user or the run: a copy of a source compiles to the same bytes.

use std::path::Path;

use autotune::limits::Limits;
use autotune::source::{Architecture, Compiler, KernelSource, NamedFolder, SourcePlaces, Target};

use super::{VERSIONS, clang, macros};

const OPENCL: &str =
    "#include \"near.h\"\n#include <far.h>\n__kernel void k(__global float* a) { *a = near(far(*a)) + TS; }\n";
const CUDA: &str = "#include \"near.h\"\n#include <far.h>\n__device__ int counter;\n\
                    __global__ void k(float* a) { *a = __expf(near(far(*a))) + TS + counter; }\n";
const NEAR: &str =
    "#ifndef __OPENCL_C_VERSION__\n__device__\n#endif\ninline float near(float x) { return x * 1.5f; }\n";
const FAR: &str = "#ifndef __OPENCL_C_VERSION__\n__device__\n#endif\ninline float far(float x) { return x + 0.5f; }\n";

/// Writes the files of a source into a folder and a folder below it.
fn write(folder: &Path, name: &str, text: &str) {
    std::fs::create_dir_all(folder.join("inner")).unwrap();
    for (name, text) in [(name, text), ("near.h", NEAR), ("inner/far.h", FAR)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

fn folders(folder: &Path, beside: &str, include: &str) -> SourcePlaces {
    let named = |path: &Path, name: &str| NamedFolder { path: path.canonicalize().unwrap(), name: name.to_owned() };
    SourcePlaces {
        files: Vec::new(),
        beside: vec![named(folder, beside)],
        include: vec![named(&folder.join("inner"), include)],
    }
}

#[test]
fn a_copy_compiles_to_the_same_bytes() {
    let amd = || Target::Amd(Architecture::new("gfx906").unwrap());
    let (here, apart) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (name, text) in [("k.cl", OPENCL), ("k.cu", CUDA)] {
        write(here.path(), name, text);
        write(apart.path(), name, text);
        let source = KernelSource::of_file(&here.path().join(name)).unwrap();
        let source = KernelSource { include: vec![here.path().join("inner")], ..source };
        for (version, target) in VERSIONS
            .iter()
            .flat_map(|version| [Target::Nvidia(70), amd(), Target::Portable].map(|target| (version, target)))
        {
            let (clang, limits) = (clang(version), Limits::default());
            let first = Compiler::new(clang.clone(), source.clone(), target.clone(), None, limits.clone()).unwrap();
            let output = first.compile(&macros(&[("TS", "4"), ("WG", "32")])).unwrap().text;
            let names = first.places();
            let copy = folders(apart.path(), &names.beside[0].name, &names.include[0].name);
            let copy = SourcePlaces { files: vec![apart.path().join(name)], ..copy };
            let again = Compiler::with_places(clang, source.clone(), copy, target.clone(), None, limits).unwrap();
            // The source does not name WG.
            let again = again.compile(&macros(&[("TS", "4"), ("WG", "64")])).unwrap().text;
            assert!(output == again, "{version} for {target:?}:\n{output}\n{again}");
            assert!(output.contains("near.h") && output.contains("far.h"), "{output}");
        }
    }
}

/// The compilers' temporary folder lies below that of the source, whose name it does not get.
#[test]
fn a_source_around_the_temporary_folder_compiles_to_the_same_bytes_again() {
    let file = tempfile::Builder::new().suffix(".cu").tempfile().unwrap();
    std::fs::write(file.path(), "__global__ void k(float* a) { *a = __expf(*a); }\n").unwrap();
    let source = KernelSource::of_file(file.path()).unwrap();
    for version in VERSIONS {
        let compile = || {
            let compiler = Compiler::new(clang(version), source.clone(), Target::Nvidia(70), None, Limits::default());
            compiler.unwrap().compile(&macros(&[])).unwrap().text
        };
        let output = compile();
        assert!(output == compile() && !output.contains("run-"), "{output}");
    }
}
