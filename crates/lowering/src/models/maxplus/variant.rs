//! The variants of the model and their times.

use crate::models::maxplus::parts::{Operation, Part, Read, Write};
use crate::models::maxplus::scalar::{Overflow, Scalar};

/// A model of a kernel's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Only global memory takes time (sections 5 and 6 of the paper).
    Naive,
    /// Operations take time too (section 8).
    Operations,
    /// In addition, executors wait for each other's accesses (section 9).
    Serialized,
}

impl Variant {
    /// All models, in the order of results.
    pub const ALL: [Self; 3] = [Self::Naive, Self::Operations, Self::Serialized];

    /// The model's name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "max_plus_naive",
            Self::Operations => "max_plus_operations",
            Self::Serialized => "max_plus_serialized",
        }
    }

    /// The model's name among its kind.
    #[must_use]
    pub fn short_name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Operations => "operations",
            Self::Serialized => "serialized",
        }
    }

    /// The time of parts that follow one another.
    pub(super) fn series(self, parts: &[Part]) -> Result<Scalar, Overflow> {
        parts.iter().try_fold(Scalar::ONE, |sum, part| sum.times(self.part(part)?))
    }

    fn part(self, part: &Part) -> Result<Scalar, Overflow> {
        Ok(match part {
            Part::Reads(reads) => {
                let parallel = |longest: Scalar, read| Ok(longest.plus(Scalar::Time(self.read(read)?)));
                reads.iter().try_fold(Scalar::Epsilon, parallel)?
            }
            Part::Write(write) => Scalar::Time(self.write(write)?),
            Part::Operation(operation) | Part::Barrier(operation) => Scalar::Time(self.operation(operation)),
            Part::Branch([then, otherwise]) => self.series(then)?.plus(self.series(otherwise)?),
            Part::Loop { count, body } => self.series(body)?.power(*count)?,
        })
    }

    /// The ticks until the last of the reads arrives.
    pub(super) fn read(self, read: &Read) -> Result<u128, Overflow> {
        u128::from(read.ticks).checked_add(self.wait(read.wait)).ok_or(Overflow)
    }

    /// The ticks until the last of the writes is done.
    pub(super) fn write(self, write: &Write) -> Result<u128, Overflow> {
        let alone = u128::from(write.ticks).checked_mul(write.accesses).ok_or(Overflow)?;
        alone.checked_add(self.wait(write.wait)).ok_or(Overflow)
    }

    /// The ticks of the operation's loop in the graph.
    pub(super) fn operation(self, operation: &Operation) -> u128 {
        if self == Self::Naive { 0 } else { operation.ticks }
    }

    fn wait(self, wait: u128) -> u128 {
        if self == Self::Serialized { wait } else { 0 }
    }
}

/// The times of a kernel by the three models, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Times {
    /// The time by the naive model; at most the machine's time.
    pub naive: u128,
    /// The time with operations; at most the machine's time.
    pub operations: u128,
    /// The time with waits; it can be above or below the machine's time (see
    /// [`serialized_is_a_bound`](super::serialized_is_a_bound)).
    pub serialized: u128,
}

impl Times {
    /// The time by one model, in ticks.
    #[must_use]
    pub fn by(&self, model: Variant) -> u128 {
        match model {
            Variant::Naive => self.naive,
            Variant::Operations => self.operations,
            Variant::Serialized => self.serialized,
        }
    }
}
