//! The configurations that are refused for what their kernel does.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::values::{Integers, Values, values};
use crate::source::RefusalRule;
use crate::space::Survey;
use crate::spec::Spec;

/// The greatest number of refused configurations of a rule that are listed with their reasons; further ones are counted.
const LISTED: usize = 8;

/// The configurations that are refused under one rule: infeasible for what their kernel does.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RefusedReport {
    /// The name of the rule. `compilation`: the compiler refuses the source. `barrier`: not all work items of a group reach
    /// it. `launch_bounds`: a work group that the kernel is not compiled for. `race`: two work items touch the same bytes at once.
    /// `mask`: an operation of a warp names other lanes than those that arrive.
    /// `local_array`: an access beyond its end.
    /// `instruction`: one that the machine or the GPU does not have. `endless_loop`. `time`: 2^60 ticks or more.
    /// `range`: a number beyond those of a program.
    #[schemars(extend("enum" = RefusedReport::RULES))]
    pub rule: String,
    /// Their number.
    #[schemars(range(min = 1))]
    pub configurations: usize,
    /// The first of them in the space's order, at most 8.
    #[schemars(length(min = 1))]
    pub listed: Vec<RefusedConfiguration>,
}

/// A configuration that is refused.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RefusedConfiguration {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The place, `file:line:column`, and the reason, in a line.
    pub reason: String,
}

impl RefusedReport {
    /// The names of the rules.
    const RULES: [&'static str; 10] = [
        "compilation",
        "barrier",
        "launch_bounds",
        "race",
        "mask",
        "local_array",
        "instruction",
        "endless_loop",
        "time",
        "range",
    ];

    /// The refused configurations of a survey by their rules, in the space's order.
    pub(super) fn of_survey(spec: &Spec, survey: &Survey) -> Vec<Self> {
        let mut rules: IndexMap<RefusalRule, Self> = IndexMap::new();
        for entry in survey.entries.iter() {
            let Some((rule, why)) = entry.refusal() else { continue };
            let empty = || Self { rule: rule.name().to_owned(), configurations: 0, listed: Vec::new() };
            let report = rules.entry(rule).or_insert_with(empty);
            report.configurations += 1;
            if report.listed.len() < LISTED {
                let parameters = values(spec, &entry.configuration);
                report.listed.push(RefusedConfiguration { parameters, reason: why.to_owned() });
            }
        }
        rules.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_all_rules() {
        assert_eq!(RefusalRule::ALL.map(RefusalRule::name), RefusedReport::RULES);
    }
}
