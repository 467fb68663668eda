//! The findings about an access.

use super::matrix::Matrices;
use super::nest::Keyword;
use super::theorems::Class;
use autotune_base::text::Place;

/// An access and the analysis of its locality.
#[derive(Debug, Clone, PartialEq)]
pub struct AccessFinding {
    /// The statement's keyword.
    pub keyword: Keyword,
    /// The name of the array; `None` if the spec does not name it.
    pub array: Option<String>,
    /// The file of the kernel's source; `None` for the spec.
    pub file: Option<String>,
    /// The place of the statement, or of the access in `file`.
    pub place: Place,
    /// Elements between neighbouring lanes; `None` if the spec states only a bank conflict, or the lanes of a kernel's
    /// source are not evenly apart.
    pub stride: Option<u64>,
    /// 32-byte sectors that a warp asks for at a time, as the mean over the group's warps; `None` for local memory.
    pub sectors: Option<f64>,
    /// Ways of the bank conflict, as the mean over the group's warps; `None` for global memory and for GPUs without
    /// banks.
    pub conflict: Option<f64>,
    /// The classes of the access in most blocks; empty if no theorem applies.
    pub classes: Vec<Class>,
    /// Examples of the blocks that give the access other classes.
    pub elsewhere: Vec<Elsewhere>,
    /// The matrices that the theorems are applied to; `None` if the spec does not state the subscripts.
    pub matrices: Option<Matrices>,
    /// The best memory; `None` if the spec does not state the subscripts.
    pub advice: Option<Advice>,
    /// Information that the spec would have to state for all theorems to be applied; `None` if nothing is missing.
    pub missing: Option<&'static str>,
}

impl AccessFinding {
    /// True if a finding says the same of an access on the same line.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let all = |one: &Self| {
            let home = one.advice.map(|advice| advice.home);
            (one.keyword, one.place.source_line(), one.stride, one.sectors, one.conflict, home, one.missing)
        };
        all(self) == all(other)
            && self.array == other.array
            && self.classes == other.classes
            && self.elsewhere == other.elsewhere
    }

    /// Adds the savings of another access.
    pub(super) fn add_savings(&mut self, other: &Self) {
        if let (Some(advice), Some(more)) = (&mut self.advice, other.advice) {
            advice.saves = advice.saves.zip(more.saves).map(|(one, more)| one.saturating_add(more));
        }
    }
}

/// A work group where an access has other classes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "ElsewhereReport", deny_unknown_fields)
)]
pub struct Elsewhere {
    /// The work group's id along x, y and z, each counted from 0.
    pub group: [u64; 3],
    /// The number of the launch, counted from 0.
    pub launch: u64,
    /// The classes of the access in this work group.
    #[cfg_attr(feature = "schemas", schemars(extend("uniqueItems" = true)))]
    pub classes: Vec<Class>,
}

/// The best memory for an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advice {
    /// The memory.
    pub home: Home,
    /// Transactions that this memory saves over all launches: sectors of global memory, or passes of local memory.
    /// `None` if they cannot be counted.
    pub saves: Option<u64>,
}

/// A memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Home {
    /// Registers of a work item.
    Register,
    /// Local memory of a work group.
    Local,
    /// Constant memory, which serves all lanes of a warp at once if they want the same word.
    Constant,
    /// Global memory, read through the texture cache.
    Texture,
    /// Global memory.
    Global,
}

impl Home {
    /// Returns the name of the memory in the JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Local => "local",
            Self::Constant => "constant",
            Self::Texture => "texture",
            Self::Global => "global",
        }
    }
}
