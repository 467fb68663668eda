//! Loads behind stores: a warp waits for them by themselves where clang does not take a value loaded before the store in place of
//! theirs. Clang's own alias analysis is the oracle.

use std::fmt::Write;
use std::process::Command;

use autotune::gpu;
use autotune::lowering::Lowering;
use autotune::source::{SourceReader, Tools};
use autotune::spec::{Configuration, Spec};

const CLANG: &str = "clang-19";

/// A kernel that loads an element of `r`, stores it to `s`, and loads an element.
#[derive(Debug, Clone, Copy)]
struct Case {
    /// The array that is loaded behind the store: `s` itself or `t`.
    loaded: char,
    /// The places of the store and of the load among a work item's four elements.
    places: [u32; 2],
    /// The pointers that are `restrict`: `r`, `s` and `t`.
    restrict: [bool; 3],
}

impl Case {
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for loaded in ['s', 't'] {
            for places in [[0, 0], [0, 1]] {
                for number in 0..8 {
                    let restrict = [0, 1, 2].map(|bit| number >> bit & 1 == 1);
                    all.push(Self { loaded, places, restrict });
                }
            }
        }
        all
    }

    /// The kernel, with a load before the store too if it is a probe. A pointer that is `restrict` stores the result, past which all pass.
    fn kernel(&self, name: &str, is_probe: bool) -> String {
        let Self { loaded, places: [stored_at, loaded_at], restrict } = self;
        let arrays = ['r', 's', 't'].iter().zip(restrict);
        let arrays: String = arrays.fold(String::new(), |mut text, (name, restrict)| {
            let restrict = if *restrict { "restrict " } else { "" };
            write!(text, "global float *{restrict}{name}, ").unwrap();
            text
        });
        let load = format!("{loaded}[i + {loaded_at}]");
        let [before, sum] = if is_probe { [load.as_str(), "first * "] } else { ["0.0f", ""] };
        format!(
            "kernel void {name}({arrays}global float *restrict out) {{\n  size_t i = 4 * get_global_id(0);\n  float first = \
             {before};\n  s[i + {stored_at}] = r[i];\n  out[i / 4] = {sum}{load};\n}}\n"
        )
    }
}

/// The loads of each kernel of a text, as clang leaves them.
fn loads_of(text: &str) -> Vec<usize> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("probes.cl");
    std::fs::write(&file, text).unwrap();
    let options = ["-x", "cl", "-cl-std=CL2.0", "-O2", "--target=spir64", "-S", "-emit-llvm", "-o", "-"];
    let run = Command::new(CLANG).args(options).arg(&file).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let ir = String::from_utf8(run.stdout).unwrap();
    let kernels = ir.split("\ndefine ").skip(1);
    kernels.map(|kernel| kernel[..kernel.find("\n}").unwrap()].matches("= load float").count()).collect()
}

/// The waits of a warp for loads in the kernel of a folder.
fn waits(folder: &std::path::Path, name: &str) -> f64 {
    let spec = folder.join(format!("{name}.yaml"));
    let text = format!(
        "kernel: {name}\nproblem: {{ n: 65536 }}\nlaunch: {{ work_items: n, work_group: 128 }}\n\
         source: {{ file: kernels.cl, kernel: {name} }}\n"
    );
    std::fs::write(&spec, text).unwrap();
    let tools = Tools { clang: Some(CLANG.into()), no_cache: true, ..Tools::default() };
    let (spec, reader) = (Spec::load(&spec).unwrap(), SourceReader::new(tools));
    let profile = &gpu::find("a100").unwrap().profile;
    let lowered = Lowering::new(&spec, profile, &reader).lower(&Configuration(Vec::new())).unwrap();
    lowered.feasible().unwrap_or_else(|| panic!("{name} is feasible")).work.unwrap().round_trips
}

#[test]
fn loads_wait_behind_the_stores_that_clang_does_not_move_them_across() {
    let cases = Case::all();
    let text = |is_probe| {
        let kernels = cases.iter().enumerate();
        kernels.map(|(number, case)| case.kernel(&format!("k{number}"), is_probe)).collect::<String>()
    };
    // A probe loads `r`, and what it loads twice once or twice.
    let loads = loads_of(&text(true));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kernels.cl"), text(false)).unwrap();
    let waits: Vec<_> = (0..cases.len()).map(|number| waits(folder.path(), &format!("k{number}"))).collect();
    let expected: Vec<_> = loads.iter().map(|loads| if *loads == 3 { 2.0 } else { 1.0 }).collect();
    assert_eq!(waits, expected, "{cases:#?}");
    assert_eq!(loads.iter().filter(|loads| **loads == 3).count(), 4, "only `s` and `t` without `restrict` may overlap");
}
