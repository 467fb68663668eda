//! Languages, targets, and the compiler's options for them.

use std::fmt;
use std::path::Path;

use super::error::CompileError;

/// A language of kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// OpenCL C.
    OpenCl,
    /// CUDA C++, also in HIP's spelling.
    Cuda,
    /// Triton, in Python.
    Triton,
}

impl Language {
    /// The language of a file by its ending; `None` if the ending is not a source's.
    #[must_use]
    pub fn from_file(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()? {
            "cl" | "opencl" | "ocl" => Some(Self::OpenCl),
            "cu" | "cuh" | "hip" => Some(Self::Cuda),
            "py" => Some(Self::Triton),
            _ => None,
        }
    }

    /// The language of a name in a spec or an option; `None` for another name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "opencl" => Some(Self::OpenCl),
            "cuda" | "hip" => Some(Self::Cuda),
            "triton" => Some(Self::Triton),
            _ => None,
        }
    }

    /// The language as clang takes it; `None` for Triton, which compiles its own kernels.
    #[must_use]
    pub fn for_clang(self) -> Option<ClangLanguage> {
        match self {
            Self::OpenCl => Some(ClangLanguage::OpenCl),
            Self::Cuda => Some(ClangLanguage::Cuda),
            Self::Triton => None,
        }
    }
}

/// A language that clang compiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClangLanguage {
    /// OpenCL C.
    OpenCl,
    /// CUDA C++, also in HIP's spelling.
    Cuda,
}

impl ClangLanguage {
    /// The name of a source's joined files, as the compiler gets them.
    pub(super) fn file_name(self) -> &'static str {
        match self {
            Self::OpenCl => "autotune_source.cl",
            Self::Cuda => "autotune_source.cu",
        }
    }
}

/// A machine that the compiler translates for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Target {
    /// NVIDIA's GPUs of a compute capability: 70 for `sm_70`.
    Nvidia(u32),
    /// AMD's GPUs of an architecture, such as `gfx906`.
    Amd(Architecture),
    /// No GPU in particular: OpenCL's portable form, and the oldest common NVIDIA GPU for CUDA.
    Portable,
}

impl fmt::Display for Target {
    /// Prints the name that clang has for the target: `sm_70`, `gfx906`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nvidia(capability) => write!(formatter, "sm_{capability}"),
            Self::Amd(architecture) => architecture.fmt(formatter),
            Self::Portable => formatter.write_str("no GPU in particular"),
        }
    }
}

/// The name of an architecture of AMD, such as `gfx906`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Architecture(String);

impl Architecture {
    /// The architecture of this name; `None` if no architecture can have it.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        let number = name.strip_prefix("gfx")?;
        let is_number = (3..=6).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_number.then(|| Self(name.to_owned()))
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The compute capability that stands for CUDA without a GPU in particular.
pub(super) const PORTABLE_CUDA: u32 = 70;

/// The first compute capability with operations of half precision.
const HALVES_SINCE: u32 = 53;

/// The greatest size of a loop, all its iterations together, that is unrolled without a pragma: as NVIDIA's compiler
/// does with tiles of 8 x 8 registers, and clang by its own threshold of 300 does not.
const UNROLLED: u32 = 600;

/// The number of memory accesses that the compiler searches for the one that makes a store dead. Among its own 150 it
/// finds no more in kernels, and spends up to 43 % of its time; among 5 it leaves dead stores in a kernel that updates
/// its arguments.
const DEAD_STORES: u32 = 15;

/// The number of stores of a block that the compiler searches for one that a later store makes dead. Its own 5,000 find no
/// more in kernels, and take a tenth of its time where loops are unrolled a hundred times.
const STORES_OF_BLOCK: u32 = 100;

/// A form of the compiler's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// LLVM's text, with the names and lines of the source.
    Intermediate {
        /// True if the text has the names of structures' fields too.
        fields: bool,
    },
    /// The target's own text.
    Assembly,
}

/// The options for a language, a target and a form of output; paths are left to the caller.
pub(super) fn options(language: ClangLanguage, target: &Target, form: Form) -> Vec<String> {
    // The vectorizers would hide the work items' own accesses.
    let mut options = words("-O2 -fno-vectorize -fno-slp-vectorize -mllvm -inline-threshold=100000 -w -S");
    options.extend(words("-fno-crash-diagnostics -fno-caret-diagnostics -ferror-limit=5"));
    options.extend(words("-fmacro-backtrace-limit=1 -ftemplate-backtrace-limit=1"));
    if !matches!(target, Target::Amd(_)) {
        // AMD's compiler is clang itself, with thresholds of its own.
        options.extend(words("-mllvm"));
        options.push(format!("-unroll-threshold={UNROLLED}"));
        options.extend(words("-mllvm"));
        options.push(format!("-dse-memoryssa-walklimit={DEAD_STORES}"));
        options.extend(words("-mllvm"));
        options.push(format!("-dse-memoryssa-defs-per-block-limit={STORES_OF_BLOCK}"));
    }
    match form {
        // From DWARF 5 on, a checksum of the file is noted, and it covers macros that the source does not name.
        Form::Intermediate { fields } => {
            // The driver leaves types out of optimised code for NVIDIA, which the compiler itself does not.
            options.extend(words("-emit-llvm -gdwarf-4 -fno-discard-value-names"));
            options.extend(words(if fields { "-g2 -Xclang -debug-info-kind=standalone" } else { "-g1" }));
        }
        Form::Assembly => options.push("-DAUTOTUNE_REGISTERS".to_owned()),
    }
    options.extend(match (language, target) {
        (ClangLanguage::OpenCl, Target::Nvidia(sm)) => {
            // Clang does not know that these GPUs have half precision.
            let halves = if *sm >= HALVES_SINCE { " -Xclang -cl-ext=+cl_khr_fp16" } else { "" };
            words(&format!("-x cl -target nvptx64-nvidia-cuda -march=sm_{sm}{halves}"))
        }
        (ClangLanguage::OpenCl, Target::Amd(name)) => {
            words(&format!("-x cl -target amdgcn-amd-amdhsa -mcpu={name} -nogpulib"))
        }
        (ClangLanguage::OpenCl, Target::Portable) => words("-x cl -target spir64"),
        (ClangLanguage::Cuda, Target::Amd(name)) => {
            // The output would have a number made of the path of the compilation's folder.
            words(&format!("-x hip --cuda-device-only --offload-arch={name} -nogpuinc -nogpulib -fuse-cuid=none"))
        }
        (ClangLanguage::Cuda, target) => {
            let sm = if let Target::Nvidia(sm) = target { *sm } else { PORTABLE_CUDA };
            words(&format!("-x cuda --cuda-device-only --cuda-gpu-arch=sm_{sm} -nocudainc -nocudalib"))
        }
    });
    options.extend(match language {
        // A word `asm` as OpenCL's compilers of NVIDIA and AMD have it.
        ClangLanguage::OpenCl => words("-cl-std=CL1.2 -D__OPENCL_VERSION__=120 -fgnu-keywords"),
        ClangLanguage::Cuda => {
            // As NVIDIA's compiler; clang 14 would take C++ 14 for CUDA and 11 for HIP. The storage class is not an error
            // there.
            let mut options = words("-std=gnu++17 -Wno-register -nostdinc++ -nostdlibinc -fdeclspec");
            // Numbers of 16 bits are computed with as such.
            options.extend(words("-Xclang -fnative-half-type -Xclang -fnative-half-arguments-and-returns"));
            options
        }
    });
    options
}

/// The options that a user may give: by their names, the compiler's words for them.
const OF_USERS: [(&str, &str); 24] = [
    ("-cl-std=CL1.0", "-cl-std=CL1.0 -D__OPENCL_VERSION__=100"),
    ("-cl-std=CL1.1", "-cl-std=CL1.1 -D__OPENCL_VERSION__=110"),
    ("-cl-std=CL1.2", "-cl-std=CL1.2"),
    ("-cl-std=CL2.0", "-cl-std=CL2.0 -D__OPENCL_VERSION__=200"),
    ("-cl-std=CL3.0", "-cl-std=CL3.0 -D__OPENCL_VERSION__=300"),
    ("-cl-fast-relaxed-math", "-cl-fast-relaxed-math"),
    ("-cl-mad-enable", "-cl-mad-enable"),
    ("-cl-unsafe-math-optimizations", "-cl-unsafe-math-optimizations"),
    ("-cl-finite-math-only", "-cl-finite-math-only"),
    ("-cl-no-signed-zeros", "-cl-no-signed-zeros"),
    ("-cl-denorms-are-zero", "-cl-denorms-are-zero"),
    ("-cl-single-precision-constant", "-cl-single-precision-constant"),
    ("-std=c++11", "-std=c++11"),
    ("-std=c++14", "-std=c++14"),
    ("-std=c++17", "-std=c++17"),
    ("-std=c++20", "-std=c++20"),
    ("-use_fast_math", "-ffast-math"),
    ("--use_fast_math", "-ffast-math"),
    ("-ffast-math", "-ffast-math"),
    ("-ffp-contract=off", "-ffp-contract=off"),
    ("-ffp-contract=on", "-ffp-contract=on"),
    ("-ffp-contract=fast", "-ffp-contract=fast"),
    ("--fmad=true", "-ffp-contract=fast"),
    ("--fmad=false", "-ffp-contract=off"),
];

/// The compiler's words for an option of the user.
///
/// # Errors
/// If the option is not one of those that a user may give.
pub(super) fn of_user(option: &str) -> Result<Vec<String>, CompileError> {
    let found = OF_USERS.iter().find(|(name, _)| *name == option);
    let allowed = || OF_USERS.iter().map(|(name, _)| *name).collect();
    found
        .map(|(_, said)| words(said))
        .ok_or_else(|| CompileError::Option { option: option.to_owned(), allowed: allowed() })
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}
