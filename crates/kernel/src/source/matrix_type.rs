//! The types and shapes that matrix units multiply.

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
    /// Bytes of a number in memory.
    pub(super) fn bytes(self) -> u64 {
        match self {
            Self::Int8 | Self::Fp8 => 1,
            Self::Fp16 | Self::Bf16 => 2,
            Self::Tf32 | Self::Fp32 => 4,
            Self::Fp64 => 8,
        }
    }

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

/// M, N and K of a matrix instruction, which multiplies M x K by K x N numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatrixShape(pub [u16; 3]);

impl MatrixShape {
    /// Returns the products and sums of an instruction: M * N * K.
    #[must_use]
    pub fn products(self) -> u64 {
        self.0.into_iter().map(u64::from).product()
    }

    /// M * N.
    pub(super) fn tile(self) -> u64 {
        u64::from(self.0[0]) * u64::from(self.0[1])
    }

    /// The shape with K as many times as deep, at least once: of that many blocks, which are multiplied together.
    pub(super) fn deeper(self, times: u64) -> Self {
        let [m, n, k] = self.0;
        Self([m, n, k.saturating_mul(u16::try_from(times.max(1)).unwrap_or(u16::MAX))])
    }

    /// A number that no other shape has.
    pub(super) fn word(self) -> i64 {
        self.0.into_iter().fold(0, |word, extent| word << 16 | i64::from(extent))
    }
}
