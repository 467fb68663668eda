//! The rates of matrix units, by the type of the numbers that they multiply.

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Unexpected, Visitor};

use super::number::{Rate, UNKNOWN, known_rate};
use autotune_kernel::source::MatrixType;

/// Multiply-accumulates per cycle, by the type of the numbers that are multiplied. `None` for a type that is not stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Hash)]
#[serde(deny_unknown_fields)]
pub(super) struct MatrixRates {
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    fp16: Option<Rate>,
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    bf16: Option<Rate>,
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    tf32: Option<Rate>,
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    fp32: Option<Rate>,
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    fp64: Option<Rate>,
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    int8: Option<Rate>,
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    fp8: Option<Rate>,
}

impl MatrixRates {
    /// The rate of a type; `None` if it is not stated.
    pub(super) fn of(&self, multiplied: MatrixType) -> Option<Rate> {
        match multiplied {
            MatrixType::Fp16 => self.fp16,
            MatrixType::Bf16 => self.bf16,
            MatrixType::Tf32 => self.tf32,
            MatrixType::Fp32 => self.fp32,
            MatrixType::Fp64 => self.fp64,
            MatrixType::Int8 => self.int8,
            MatrixType::Fp8 => self.fp8,
        }
    }

    /// The stated types and their rates.
    pub(super) fn stated(&self) -> impl Iterator<Item = (MatrixType, Rate)> {
        use MatrixType::{Bf16, Fp8, Fp16, Fp32, Fp64, Int8, Tf32};
        [Fp16, Bf16, Tf32, Fp32, Fp64, Int8, Fp8].into_iter().filter_map(|each| Some((each, self.of(each)?)))
    }

    /// The stated rates.
    pub(super) fn stated_mut(&mut self) -> impl Iterator<Item = &mut Rate> {
        let Self { fp16, bf16, tf32, fp32, fp64, int8, fp8 } = self;
        [fp16, bf16, tf32, fp32, fp64, int8, fp8].into_iter().flatten()
    }

    /// The greatest rate; `None` if no type is stated.
    pub(super) fn greatest(&self) -> Option<Rate> {
        self.stated().map(|(_, rate)| rate).max()
    }
}

/// Reads an optional mapping from types to rates; [`UNKNOWN`] is `None`.
pub(super) fn rates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<MatrixRates>, D::Error> {
    deserializer.deserialize_any(Mapping)
}

struct Mapping;

impl<'de> Visitor<'de> for Mapping {
    type Value = Option<MatrixRates>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the rate of each type, such as `{ fp16: 1024, int8: 2048 }`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        if text == UNKNOWN { Ok(None) } else { Err(E::invalid_value(Unexpected::Str(text), &self)) }
    }

    fn visit_map<A: MapAccess<'de>>(self, types: A) -> Result<Self::Value, A::Error> {
        MatrixRates::deserialize(MapAccessDeserializer::new(types)).map(Some)
    }
}
