//! The types of numbers that matrix units multiply.

/// The type of the numbers that a matrix instruction multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatrixType {
    /// 16-bit floating-point numbers.
    Fp16,
    /// 16-bit numbers with the exponent of single precision.
    Bf16,
    /// Single precision, rounded to 10 bits of fraction.
    Tf32,
    /// Single precision.
    Fp32,
    /// Double precision.
    Fp64,
    /// 8-bit integers.
    Int8,
    /// 8-bit floating-point numbers.
    Fp8,
}

impl MatrixType {
    /// Returns the name of the type in specs and profiles.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fp16 => "fp16",
            Self::Bf16 => "bf16",
            Self::Tf32 => "tf32",
            Self::Fp32 => "fp32",
            Self::Fp64 => "fp64",
            Self::Int8 => "int8",
            Self::Fp8 => "fp8",
        }
    }
}
