//! Options for versions of clang that no longer do by themselves what older ones did.

use super::clang::Clang;
use super::target::{Architecture, ClangLanguage, PORTABLE_CUDA, Target};

/// The first version that refuses a processor of NVIDIA whose PTX is newer than the driver's own choice, that has no macro for
/// the width of AMD's wavefronts, that makes a kernel in OpenCL C call a function with its body, and whose driver writes no list
/// of files for HIP.
const SINCE: u32 = 22;

/// The PTX version that the driver chooses where no toolkit is installed, as in `ptx42`.
const OF_DRIVER: u32 = 42;

/// Compute capabilities, and the oldest version of PTX that has each: NVIDIA, Parallel Thread Execution ISA, release notes.
/// Below the first, the driver's choice is new enough.
const PTX: [(u32, u32); 18] = [
    (60, 50),
    (61, 50),
    (62, 50),
    (70, 60),
    (72, 61),
    (75, 63),
    (80, 70),
    (86, 71),
    (87, 74),
    (88, 90),
    (89, 78),
    (90, 78),
    (100, 86),
    (101, 86),
    (103, 88),
    (110, 90),
    (120, 87),
    (121, 88),
];

/// The macros of the width of AMD's wavefronts.
const WIDTHS: [&str; 2] = ["__AMDGCN_WAVEFRONT_SIZE", "__AMDGCN_WAVEFRONT_SIZE__"];

/// The beginning of the name of the function with a kernel's body.
const BODY: &str = "__clang_ocl_kern_imp_";

/// The options for a version of clang, beside those for all. `kernels` are the names of the kernels in OpenCL C, as far as they
/// are known.
pub(super) fn options(clang: &Clang, language: ClangLanguage, target: &Target, kernels: &[String]) -> Vec<String> {
    if clang.version < SINCE {
        return Vec::new();
    }
    match (target, language) {
        (Target::Amd(name), _) => WIDTHS.map(|macro_name| format!("-D{macro_name}={}", width(name))).to_vec(),
        (Target::Nvidia(capability), ClangLanguage::Cuda) => ptx(*capability),
        (Target::Nvidia(capability), ClangLanguage::OpenCl) => {
            ptx(*capability).into_iter().chain(inlined(kernels)).collect()
        }
        (Target::Portable, ClangLanguage::Cuda) => ptx(PORTABLE_CUDA),
        (Target::Portable, ClangLanguage::OpenCl) => Vec::new(),
    }
}

/// The options that have the compiler list the files that it reads.
pub(super) fn listing(clang: &Clang, file: &str) -> Vec<String> {
    let words = if clang.version < SINCE {
        vec!["-MD", "-MF", file]
    } else {
        vec!["-MD", "-Xclang", "-dependency-file", "-Xclang", file]
    };
    words.into_iter().map(str::to_owned).collect()
}

/// The options that let kernels' bodies be inlined, which the target of NVIDIA forbids as it does for kernels; those of all
/// functions if no name of a kernel is known.
fn inlined(kernels: &[String]) -> Vec<String> {
    let of = |function: &str| ["-mllvm".to_owned(), format!("-force-remove-attribute={function}noinline")];
    if kernels.is_empty() {
        return of("").to_vec();
    }
    kernels.iter().flat_map(|name| of(&format!("{BODY}{name}:"))).collect()
}

/// The option for the oldest PTX that has a compute capability; of one that is not listed, for the greatest below it.
fn ptx(capability: u32) -> Vec<String> {
    let of = PTX.iter().rev().find(|(known, _)| *known <= capability).map_or(OF_DRIVER, |(_, version)| *version);
    let feature = format!("+ptx{of}");
    ["-Xclang", "-target-feature", "-Xclang", &feature].map(str::to_owned).to_vec()
}

/// The width of a wavefront, as older versions had it: 32 from gfx10 on.
fn width(architecture: &Architecture) -> u32 {
    // The last two digits are the stepping's.
    let name = architecture.to_string();
    if name.len() > "gfx9xx".len() { 32 } else { 64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_capability_gets_the_ptx_that_has_it() {
        for (capability, version) in [(52, 42), (60, 50), (70, 60), (86, 71), (90, 78), (120, 87), (130, 88)] {
            assert_eq!(ptx(capability)[3], format!("+ptx{version}"));
        }
    }

    #[test]
    fn wavefronts_are_as_wide_as_older_versions_say() {
        for (name, of) in [("gfx906", 64), ("gfx90a", 64), ("gfx950", 64), ("gfx1030", 32), ("gfx1201", 32)] {
            assert_eq!(width(&Architecture::new(name).unwrap()), of, "{name}");
        }
    }
}
