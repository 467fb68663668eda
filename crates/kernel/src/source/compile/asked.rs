//! The words by which a source asks what its target is.

use std::collections::BTreeSet;

/// The words that ask for what a target has, beside its macros.
const QUESTIONS: [&str; 4] = ["__has_builtin", "__has_feature", "__has_extension", "__nvvm_reflect"];
/// The beginnings of the names of makers' instructions, which not every target has.
const INSTRUCTIONS: [&str; 2] = ["__nvvm_", "__builtin_amdgcn"];
/// The parts of the names of types whose operations not every target has.
const SHORT_NUMBERS: [&str; 6] = ["Float16", "fp16", "bf16", "bfloat", "fp8", "_half"];
/// The beginning of the names of OpenCL's types of 16-bit floating-point numbers.
const HALF: &str = "half";

/// Two targets that a source cannot tell apart, as far as it is known.
#[derive(Debug, Clone)]
pub(in crate::source) struct AlikeTargets {
    /// The macros whose meaning differs.
    pub(super) differing: BTreeSet<String>,
}

/// True for a word that asks for more of a target than its macros say.
pub(super) fn asks_target(word: &str) -> bool {
    let is_half = |width: &str| width.bytes().all(|digit| digit.is_ascii_digit());
    QUESTIONS.contains(&word)
        || word.strip_prefix(HALF).is_some_and(is_half)
        || INSTRUCTIONS.iter().any(|beginning| word.starts_with(beginning))
        || SHORT_NUMBERS.iter().any(|part| word.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_ask_for_the_target_are_known() {
        for word in
            ["__has_builtin", "__nvvm_shfl_sync_idx_i32", "__builtin_amdgcn_mfma_f32_4x4x1f32", "half2", "vload_half4"]
        {
            assert!(asks_target(word), "{word}");
        }
        for word in ["float", "__builtin_bit_cast", "__shfl_sync", "halfway"] {
            assert!(!asks_target(word), "{word}");
        }
    }
}
