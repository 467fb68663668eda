//! Languages of kernels that are not read.

use std::path::Path;

use thiserror::Error;

/// Advice that names the languages that are read.
pub const READ_LANGUAGES: &str = "OpenCL C (.cl), CUDA and HIP (.cu, .cuh, .hip) and Triton (.py) are read; `--language` names that of another ending";

/// The languages by the endings of their files.
const LANGUAGES: [(&str, &[&str]); 12] = [
    ("WGSL", &["wgsl"]),
    ("Metal", &["metal", "air", "metallib"]),
    ("PTX", &["ptx"]),
    ("Slang", &["slang"]),
    ("GLSL", &["glsl", "comp"]),
    ("HLSL", &["hlsl"]),
    ("SPIR-V", &["spv", "spvasm"]),
    ("NVIDIA's machine code", &["cubin", "fatbin", "sass"]),
    ("LLVM's representation", &["ll", "bc", "mlir"]),
    ("C or C++", &["c", "h", "cc", "cpp", "cxx", "hpp"]),
    ("Julia", &["jl"]),
    ("Mojo", &["mojo"]),
];

/// A language that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("it is in {0}, which is not a language that is read")]
pub struct UnreadLanguage(&'static str);

impl UnreadLanguage {
    /// The language of a file by its ending; `None` if the ending is not known as one of such a language.
    #[must_use]
    pub fn from_file(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        let found = LANGUAGES.iter().find(|(_, endings)| endings.contains(&ending.as_str()));
        found.map(|(language, _)| Self(language))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Language;

    #[test]
    fn no_language_is_both_read_and_unread() {
        for ending in LANGUAGES.iter().flat_map(|(_, endings)| *endings) {
            let file = Path::new("kernel").with_extension(ending);
            assert!(UnreadLanguage::from_file(&file).is_some() && Language::from_file(&file).is_none(), "{ending}");
        }
        assert_eq!(UnreadLanguage::from_file(Path::new("kernel.yaml")), None);
    }
}
