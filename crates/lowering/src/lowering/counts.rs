//! Executions by the warps of a work group, of a body and of a kernel's source alike, so that the two can be held
//! against each other.

pub(super) mod body;
pub(super) mod traced;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::exact::Exact;

/// A quantity that is compared between a body and its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schemas", schemars(rename = "CountedQuantity"))]
pub enum Quantity {
    /// Loads from global memory by warps.
    #[serde(rename = "global_loads")]
    Loads,
    /// Stores to global memory by warps.
    #[serde(rename = "global_stores")]
    Stores,
    /// Accesses to local memory and exchanges between lanes, by warps.
    #[serde(rename = "local_accesses")]
    Local,
    /// Operations of single precision by warps.
    Fp32,
    /// Barriers of the group.
    Barriers,
    /// Bytes of local memory of the group.
    LocalMemory,
    /// All other operations by warps.
    #[serde(rename = "other_operations")]
    Other,
}

/// A number of executions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amount {
    /// Executions by the warps of a group.
    pub executions: Exact,
    /// Executions once neighbouring accesses are one, as compilers join them. A body joins nothing.
    pub(crate) joined: Exact,
    /// Executions with each element by itself, as a lockstep GPU makes them; 0 elsewhere.
    pub(super) elements: Exact,
    /// Bytes that a work item of each warp accesses.
    pub bytes: Exact,
}

/// The place of what is executed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CountedAt {
    /// The source's file; `None` for a spec.
    pub file: Option<Arc<str>>,
    /// The line, from 1.
    pub line: u32,
    /// The array; empty if it is not known or there is none.
    pub array: String,
}

/// The executions of a work group, by quantity and place.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    parts: BTreeMap<(Quantity, CountedAt), Amount>,
    /// Bytes of local memory: of the arrays one behind the other, and with each array aligned.
    pub local_memory: [u64; 2],
}

impl Amount {
    pub(super) const ZERO: Self =
        Self { executions: Exact::ZERO, joined: Exact::ZERO, elements: Exact::ZERO, bytes: Exact::ZERO };

    /// Executions without bytes.
    pub(super) fn without_bytes(executions: Exact) -> Self {
        Self { executions, joined: executions, ..Self::ZERO }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            executions: self.executions + other.executions,
            joined: self.joined + other.joined,
            elements: self.elements + other.elements,
            bytes: self.bytes + other.bytes,
        }
    }
}

impl Quantity {
    /// All quantities, those that must agree first.
    pub const ALL: [Self; 7] =
        [Self::Loads, Self::Stores, Self::Local, Self::Fp32, Self::Barriers, Self::LocalMemory, Self::Other];

    /// True if a body must agree with its source.
    #[must_use]
    pub fn is_judged(self) -> bool {
        self != Self::Other
    }
}

impl Counts {
    /// Adds executions at a place.
    pub(super) fn add(&mut self, quantity: Quantity, at: CountedAt, amount: Amount) {
        if amount.executions.is_positive() || amount.joined.is_positive() || amount.elements.is_positive() {
            let known = self.parts.entry((quantity, at)).or_insert(Amount::ZERO);
            *known = known.plus(amount);
        }
    }

    /// Adds all executions of other counts.
    pub(super) fn append(&mut self, other: Self) {
        for ((quantity, at), amount) in other.parts {
            self.add(quantity, at, amount);
        }
    }

    /// Leaves out a quantity.
    pub(super) fn without(&mut self, quantity: Quantity) {
        self.parts.retain(|(known, _), _| *known != quantity);
    }

    /// The places of a quantity with their executions, in the order of the text.
    pub fn places(&self, quantity: Quantity) -> impl Iterator<Item = (&CountedAt, Amount)> {
        let of_quantity = self.parts.iter().filter(move |((known, _), _)| *known == quantity);
        of_quantity.map(|((_, at), amount)| (at, *amount))
    }

    /// The sum of a quantity.
    #[must_use]
    pub fn sum(&self, quantity: Quantity) -> Amount {
        match quantity {
            Quantity::LocalMemory => Amount::without_bytes(Exact::from(self.local_memory[0])),
            _ => self.places(quantity).fold(Amount::ZERO, |sum, (_, amount)| sum.plus(amount)),
        }
    }

    /// True if a body's counts are those of its source. Accesses of a body may be those of the source or, of as many
    /// bytes, those that compilers make of them; on a lockstep GPU also those of its elements. Local memory may be aligned.
    pub(crate) fn agrees(&self, source: &Self, quantity: Quantity) -> bool {
        let (body, source_sum) = (self.sum(quantity), source.sum(quantity));
        let by_elements = source_sum.elements.is_positive() && body.executions == source_sum.elements;
        match quantity {
            Quantity::LocalMemory => source.local_memory.contains(&self.local_memory[0]),
            _ if body.executions == source_sum.executions => true,
            Quantity::Loads | Quantity::Stores | Quantity::Local => {
                // A joined access of local memory may bring words that nothing uses.
                let has_bytes = match quantity {
                    Quantity::Local => !source_sum.bytes.saturating_sub(body.bytes).is_positive(),
                    _ => body.bytes == source_sum.bytes,
                };
                let joins = body.executions == source_sum.joined && has_bytes;
                joins || by_elements
            }
            Quantity::Fp32 | Quantity::Barriers | Quantity::Other => false,
        }
    }
}
