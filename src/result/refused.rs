//! The configurations that are refused for what their kernel does.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::values::{Values, values};
use autotune_kernel::source::RefusalRule;
use autotune_lowering::space::Survey;
use autotune_lowering::spec::{Configuration, Parameter, Spec};

/// The greatest number of refused configurations of a rule that are listed with their reasons; further ones are counted.
const LISTED: usize = 8;

/// The configurations that are refused under one rule: infeasible for what their kernel does.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct RefusedReport {
    /// The name of the rule.
    #[cfg_attr(test, schemars(with = "RefusalRule"))]
    pub rule: String,
    /// Their number.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub configurations: usize,
    /// The places of what their kernel does wrong, and the parameter that decides; absent for other rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<RefusedPlace>,
    /// The first of them in the space's order, at most 8.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub listed: Vec<RefusedConfiguration>,
}

/// A place where a kernel does something wrong in some configurations.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct RefusedPlace {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub line: u32,
    /// The number of configurations that are refused for it.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub configurations: usize,
    /// The parameter that decides it, and its values there, which no configuration has that can run; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<DecidingValues>,
}

/// A parameter and some of its values.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct DecidingValues {
    /// The parameter.
    pub parameter: String,
    /// The values in the order of the space.
    pub values: Vec<i64>,
}

/// A configuration that is refused.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct RefusedConfiguration {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The place, `file:line:column`, and the reason, in a line.
    pub reason: String,
}

impl RefusedReport {
    /// The refused configurations of a survey by their rules, in the space's order.
    pub(super) fn of_survey(spec: &Spec, survey: &Survey) -> Vec<Self> {
        let mut rules: IndexMap<RefusalRule, Self> = IndexMap::new();
        for entry in survey.entries.iter() {
            let Some((rule, why)) = entry.refusal() else { continue };
            let empty = || Self {
                rule: rule.name().to_owned(),
                configurations: 0,
                places: if rule.is_unsafe() { places(spec, survey, rule) } else { Vec::new() },
                listed: Vec::new(),
            };
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

/// The places where the kernels of configurations do something wrong under a rule, in the space's order.
fn places(spec: &Spec, survey: &Survey, rule: RefusalRule) -> Vec<RefusedPlace> {
    let mut found: IndexMap<(String, u32), Vec<Configuration>> = IndexMap::new();
    let mut can_run: Vec<Configuration> = Vec::new();
    for entry in survey.entries.iter() {
        match entry.refusal() {
            Some((own, why)) if own == rule => {
                if let Some(place) = place(why) {
                    found.entry(place).or_default().push(entry.configuration.clone());
                }
            }
            _ if entry.program().is_some() => can_run.push(entry.configuration.clone()),
            _ => {}
        }
    }
    let place = |((file, line), all): ((String, u32), Vec<Configuration>)| {
        let with = deciding(spec, &all, &can_run);
        RefusedPlace { file, line, configurations: all.len(), with }
    };
    found.into_iter().map(place).collect()
}

/// The file and the line that a reason begins with, `file:line:column: `; `None` if it has no place.
fn place(why: &str) -> Option<(String, u32)> {
    let (place, _) = why.split_once(": ")?;
    let mut parts = place.rsplitn(3, ':');
    let (_, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
    Some((file.to_owned(), line.parse().ok()?))
}

/// The parameter with the fewest values in some configurations, if none of these is a value of those that can run.
fn deciding(spec: &Spec, all: &[Configuration], can_run: &[Configuration]) -> Option<DecidingValues> {
    let of_parameter = |(at, parameter): (usize, &Parameter)| {
        let mut values: Vec<i64> = all.iter().map(|configuration| configuration.0[at]).collect();
        values.sort_unstable();
        values.dedup();
        let decides = !can_run.iter().any(|other| values.contains(&other.0[at]));
        decides.then(|| DecidingValues { parameter: parameter.name.clone(), values })
    };
    let all = spec.parameters.iter().enumerate().filter_map(of_parameter);
    all.filter(|_| !can_run.is_empty()).min_by_key(|one| one.values.len())
}
