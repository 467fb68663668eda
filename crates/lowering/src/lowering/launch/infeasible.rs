//! The reason why a configuration cannot run. In JSON the reason is a text, and can be read again from it.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::gpu::{Limit, Unfit};
use autotune_kernel::source::RefusalRule;

/// A product of 128 bits or more.
const HUGE: &str = "2^128";

/// The reason why a configuration is infeasible: a constraint of the spec, a limit of the GPU, or what its kernel does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Infeasible {
    /// The text of the constraint of the spec that excludes the configuration.
    Constraint(String),
    /// A limit of the GPU that the configuration exceeds.
    Limit {
        /// The limit.
        rule: LimitRule,
        /// The configuration's demand in the limit's unit; `None` if it is 2^128 or more.
        needed: Option<u128>,
        /// The GPU's supply in the limit's unit.
        available: u128,
    },
    /// Refusal for what the compiler does not take, the kernel does, or a program cannot hold.
    Refused {
        /// The rule.
        rule: RefusalRule,
        /// The place and the reason, in a line.
        why: String,
    },
}

/// A limit of a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitRule {
    /// Work items of a work group.
    WorkGroup,
    /// Work groups of a multiprocessor.
    Groups,
    /// Warps of a multiprocessor.
    Warps,
    /// Work items of a multiprocessor.
    WorkItems,
    /// Registers of a work item or of a multiprocessor.
    Registers,
    /// Bytes of local memory of a work group or of a multiprocessor.
    LocalMemory,
}

impl Infeasible {
    /// True if the kernel's program does something wrong, whatever the machine.
    #[must_use]
    pub fn is_unsafe(&self) -> bool {
        matches!(self, Self::Refused { rule, .. } if rule.is_unsafe())
    }
}

impl LimitRule {
    const ALL: [Self; 6] =
        [Self::WorkGroup, Self::Groups, Self::Warps, Self::WorkItems, Self::Registers, Self::LocalMemory];

    /// Returns the name of the limit in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::WorkGroup => "work_group",
            Self::Groups => "groups",
            Self::Warps => "warps",
            Self::WorkItems => "work_items",
            Self::Registers => "registers",
            Self::LocalMemory => "local_memory",
        }
    }
}

impl From<Limit> for LimitRule {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Groups => Self::Groups,
            Limit::Warps => Self::Warps,
            Limit::WorkItems => Self::WorkItems,
            Limit::Registers => Self::Registers,
            Limit::LocalMemory => Self::LocalMemory,
        }
    }
}

impl Infeasible {
    pub(in crate::lowering) fn limit(rule: LimitRule, needed: impl Into<Option<u128>>, available: i64) -> Self {
        Self::Limit { rule, needed: needed.into(), available: available.unsigned_abs().into() }
    }

    /// Returns the rule that the configuration is counted under: the name of a limit or a refusal, or the text of a
    /// constraint.
    #[must_use]
    pub fn rule(&self) -> &str {
        match self {
            Self::Constraint(text) => text,
            Self::Limit { rule, .. } => rule.name(),
            Self::Refused { rule, .. } => rule.name(),
        }
    }

    /// Returns the exceeded limit; `None` if the configuration is infeasible for another reason.
    #[must_use]
    pub fn broken_limit(&self) -> Option<LimitRule> {
        match self {
            Self::Constraint(_) | Self::Refused { .. } => None,
            Self::Limit { rule, .. } => Some(*rule),
        }
    }

    /// Returns the rule of a refusal, with its place and reason in a line; `None` if a constraint or a limit excludes the
    /// configuration.
    #[must_use]
    pub fn refusal(&self) -> Option<(RefusalRule, &str)> {
        match self {
            Self::Refused { rule, why } => Some((*rule, why)),
            Self::Constraint(_) | Self::Limit { .. } => None,
        }
    }
}

impl From<Unfit> for Infeasible {
    fn from(Unfit { limit, needed, available }: Unfit) -> Self {
        Self::Limit { rule: limit.into(), needed: Some(needed.into()), available: available.into() }
    }
}

impl fmt::Display for Infeasible {
    /// Prints the rule with its values, as in `local_memory: 65536 > 49152`, or the text of the constraint.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constraint(text) => formatter.write_str(text),
            Self::Limit { rule, needed: Some(needed), available } => {
                write!(formatter, "{}: {needed} > {available}", rule.name())
            }
            Self::Limit { rule, needed: None, available } => {
                write!(formatter, "{}: {HUGE} > {available}", rule.name())
            }
            Self::Refused { rule, why } => write!(formatter, "{}: {why}", rule.name()),
        }
    }
}

impl FromStr for Infeasible {
    type Err = Infallible;

    /// Reads the text of a reason. A text that states neither a limit nor a refusal is the text of a constraint.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let limit = || {
            let (name, numbers) = text.split_once(": ")?;
            let (needed, available) = numbers.split_once(" > ")?;
            let rule = LimitRule::ALL.into_iter().find(|rule| rule.name() == name)?;
            let needed = if needed == HUGE { None } else { Some(needed.parse().ok()?) };
            Some(Self::Limit { rule, needed, available: available.parse().ok()? })
        };
        let refusal = || {
            let (name, why) = text.split_once(": ")?;
            let rule = RefusalRule::ALL.into_iter().find(|rule| rule.name() == name)?;
            Some(Self::Refused { rule, why: why.to_owned() })
        };
        Ok(limit().or_else(refusal).unwrap_or_else(|| Self::Constraint(text.to_owned())))
    }
}

impl Serialize for Infeasible {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Infeasible {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Ok(infeasible) = String::deserialize(deserializer)?.parse();
        Ok(infeasible)
    }
}

#[cfg(feature = "schemas")]
impl schemars::JsonSchema for Infeasible {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Infeasible".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <String as schemars::JsonSchema>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_read_as_they_are_written() {
        let limits = LimitRule::ALL
            .into_iter()
            .flat_map(|rule| [Some(65_536), None].map(|needed| Infeasible::Limit { rule, needed, available: 49_152 }));
        let texts =
            ["A > 3", "registers: A > B", "lanes: 5 > 4", "registers", "work_group: -1 > 0", "", "time", "barrier:"];
        let constraints = texts.map(|text| Infeasible::Constraint(text.to_owned()));
        let refusals =
            RefusalRule::ALL.map(|rule| Infeasible::Refused { rule, why: "k.cl:3:7: the reason: 5 > 4".to_owned() });
        for infeasible in limits.chain(constraints).chain(refusals) {
            let json = serde_json::to_string(&infeasible).unwrap();
            assert_eq!(serde_json::from_str::<Infeasible>(&json).unwrap(), infeasible, "{json}");
        }
        let huge = Infeasible::limit(LimitRule::WorkGroup, None, 1024);
        assert_eq!((huge.to_string().as_str(), huge.rule()), ("work_group: 2^128 > 1024", "work_group"));
    }
}
