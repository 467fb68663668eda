//! The configurations of a survey that are refused for what their kernel does, as a result states them.

use indexmap::IndexMap;

use super::values::values;
use crate::lowering::RefusalRule;
use crate::result::{RefusedConfiguration, RefusedReport};
use crate::space::Survey;
use crate::spec::Spec;

/// The greatest number of refused configurations of a rule that are listed with their reasons; further ones are counted.
const LISTED: usize = 8;

/// The refused configurations by their rules, in the space's order.
pub(super) fn refused(spec: &Spec, survey: &Survey) -> Vec<RefusedReport> {
    let mut rules: IndexMap<RefusalRule, RefusedReport> = IndexMap::new();
    for entry in &survey.entries {
        let Some((rule, why)) = entry.refusal() else { continue };
        let empty = || RefusedReport { rule: rule.name().to_owned(), configurations: 0, listed: Vec::new() };
        let report = rules.entry(rule).or_insert_with(empty);
        report.configurations += 1;
        if report.listed.len() < LISTED {
            let parameters = values(spec, &entry.configuration);
            report.listed.push(RefusedConfiguration { parameters, reason: why.to_owned() });
        }
    }
    rules.into_values().collect()
}
