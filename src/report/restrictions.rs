//! The restrictions for measuring tuners, from a spec and its result, or from a kept result alone.

use thiserror::Error;

use super::values::configuration;
use crate::gpu::Profile;
use crate::result::{ConfigurationReport, LISTED, ListedStatus, Report, RestrictionsReport, Verdict};
use crate::space::Space;
use crate::spec::{Configuration, Expression, GpuNames, Python, Scope, Spec, SpecError};
use crate::text::words::is_reserved_in_kernel_tuner;
use crate::user_error::{ExitStatus, UserError};

/// The greatest number of configurations that are excluded one by one.
const ONE_BY_ONE: usize = 1_000;

/// A reason for which there are no restrictions.
#[derive(Debug, Error)]
pub enum RestrictionsError {
    /// A parameter has a name that Python or Kernel Tuner cannot use.
    #[error("a parameter would be called `{0}`, which is a word of Python, or taken by Kernel Tuner")]
    Reserved(String),
    /// A kept result that does not list all configurations.
    #[error("the result lists {listed} of its {all} configurations")]
    NotListed {
        /// The number of listed configurations.
        listed: usize,
        /// The number of all configurations.
        all: u128,
    },
    /// A space that cannot be enumerated.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

impl UserError for RestrictionsError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        let advice = match self {
            Self::Reserved(_) => {
                "give the parameter another name in the spec, or the kernel if its name stands in front"
            }
            Self::NotListed { .. } => "`autotune SPEC --gpu GPU --format restrictions` derives them from the spec",
            Self::Spec(_) => return None,
        };
        Some(advice.to_owned())
    }
}

/// The restrictions of a space, by the rules of its spec. `report` has the status and times of its configurations.
///
/// # Errors
/// If a parameter has a name that Python or Kernel Tuner cannot use, or if the space cannot be enumerated.
pub fn restrictions(spec: &Spec, profile: &Profile, report: &Report) -> Result<RestrictionsReport, RestrictionsError> {
    check_names(spec.parameters.iter().map(|parameter| parameter.name.as_str()))?;
    let gpu = profile.names(spec.has_dynamic_local_memory());
    let space = Space::new(spec, &gpu)?;
    let mut conditions = Conditions::new(spec, &gpu, &space);
    let complete = conditions.exclude_the_rest(report)? && conditions.cover(&space, report);
    let domains = spec.parameters.iter().zip(space.domains());
    let domains = domains.map(|(parameter, values)| (parameter.name.clone(), values.clone().into())).collect();
    let feasible = report.proof.as_ref().map_or(space.size() - infeasible(report).count() as u128, |proof| {
        proof.configurations.all.saturating_sub(proof.configurations.infeasible)
    });
    let unrestricted = RestrictionsReport::new(report, domains, [space.size(), feasible]);
    Ok(RestrictionsReport { restrictions: conditions.texts, rules: conditions.rules, complete, ..unrestricted })
}

/// The restrictions that a kept result implies. A kept result does not state its rules, so configurations are excluded
/// one by one.
///
/// # Errors
/// If a parameter has a name that Python or Kernel Tuner cannot use, or if the result does not list all
/// configurations.
pub fn restrictions_of_kept(report: &Report) -> Result<RestrictionsReport, RestrictionsError> {
    let listed = report.configurations.len();
    let all = report.proof.as_ref().map_or(0, |proof| proof.configurations.all);
    if listed as u128 != all {
        return Err(RestrictionsError::NotListed { listed, all });
    }
    let domains = report.domains();
    check_names(domains.keys().map(String::as_str))?;
    let names: Vec<_> = domains.keys().cloned().collect();
    let excluded: Vec<_> = infeasible(report).collect();
    let unrestricted = RestrictionsReport::new(report, domains, [all, all - excluded.len() as u128]);
    if excluded.is_empty() {
        return Ok(RestrictionsReport { complete: true, ..unrestricted });
    }
    let restriction = if excluded.len() * 2 > listed {
        let allowed: Vec<_> =
            report.configurations.iter().filter(|one| one.status != ListedStatus::Infeasible).collect();
        format!("{} in {}", tuple(&names), set(&allowed))
    } else {
        format!("{} not in {}", tuple(&names), set(&excluded))
    };
    Ok(RestrictionsReport {
        restrictions: vec![restriction],
        rules: vec![rules(&excluded)],
        complete: true,
        ..unrestricted
    })
}

fn check_names<'a>(mut names: impl Iterator<Item = &'a str>) -> Result<(), RestrictionsError> {
    let reserved = names.find(|name| is_reserved_in_kernel_tuner(name));
    reserved.map_or(Ok(()), |name| Err(RestrictionsError::Reserved(name.to_owned())))
}

fn infeasible(report: &Report) -> impl Iterator<Item = &ConfigurationReport> {
    report.configurations.iter().filter(|one| one.status == ListedStatus::Infeasible)
}

/// The conditions that could be written in Python, with their native forms.
struct Conditions<'a> {
    spec: &'a Spec,
    gpu: &'a GpuNames,
    written: Vec<&'a Expression>,
    /// The factors of products, each with the greatest value of the product.
    limits: Vec<(&'a [Expression], i64)>,
    texts: Vec<String>,
    rules: Vec<String>,
}

impl<'a> Conditions<'a> {
    fn new(spec: &'a Spec, gpu: &'a GpuNames, space: &Space) -> Self {
        let mut conditions =
            Self { spec, gpu, written: Vec::new(), limits: Vec::new(), texts: Vec::new(), rules: Vec::new() };
        let python = Python::new(spec, gpu, space.domains());
        for constraint in &spec.constraints {
            if let Some(text) = python.condition(constraint) {
                conditions.written.push(constraint);
                conditions.add(text, constraint.text().to_owned());
            }
        }
        let local_memory = spec.resources.local_memory.as_slice();
        for (rule, factors, most) in [
            ("work_group", spec.launch.work_group.as_slice(), gpu.max_work_group),
            ("local_memory", local_memory, gpu.local_memory),
        ] {
            if let Some(text) = python.at_most(factors, most) {
                conditions.limits.push((factors, most));
                conditions.add(text, format!("{rule} <= {most}"));
            }
        }
        conditions
    }

    /// Adds a condition and its rule. A condition that always holds is left out.
    fn add(&mut self, text: String, rule: String) {
        if text.parse::<i64>().is_ok_and(|value| value != 0) {
            return;
        }
        self.texts.push(text);
        self.rules.push(rule);
    }

    /// Returns true if the conditions exclude everything that cannot run. Up to [`ONE_BY_ONE`] configurations that no
    /// condition excludes are excluded one by one.
    fn exclude_the_rest(&mut self, report: &Report) -> Result<bool, RestrictionsError> {
        let mut rest = Vec::new();
        for one in infeasible(report) {
            if !self.exclude(&configuration(self.spec, &one.parameters))? {
                rest.push(one);
            }
        }
        if rest.is_empty() || rest.len() > ONE_BY_ONE {
            return Ok(rest.is_empty());
        }
        let names: Vec<_> = self.spec.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        self.texts.push(format!("{} not in {}", tuple(&names), set(&rest)));
        self.rules.push(rules(&rest));
        Ok(true)
    }

    /// Returns true if the report covers every configuration that no condition excludes: a large space does not list
    /// the configurations that constraints exclude.
    fn cover(&self, space: &Space, report: &Report) -> bool {
        let is_listed = space.size() <= LISTED || self.written.len() == self.spec.constraints.len();
        let is_whole = match &report.proof {
            Some(proof) => proof.configurations.all == space.size(),
            None => report.verdict == Verdict::Infeasible && report.configurations.len() as u128 == space.size(),
        };
        is_listed && is_whole
    }

    fn exclude(&self, configuration: &Configuration) -> Result<bool, SpecError> {
        let scope = self.spec.scope(self.gpu, configuration)?;
        // A condition without a value excludes nothing by itself.
        let breaks = |condition: &&Expression| condition.holds(&scope).is_ok_and(|holds| !holds);
        Ok(self.written.iter().any(breaks)
            || self
                .limits
                .iter()
                .any(|(factors, most)| product(factors, &scope).is_some_and(|needed| needed > i128::from(*most))))
    }
}

/// The text of a Python tuple.
fn tuple(items: &[String]) -> String {
    if let [only] = items { format!("({only},)") } else { format!("({})", items.join(", ")) }
}

/// The text of a Python set of tuples with the configurations' values.
fn set(configurations: &[&ConfigurationReport]) -> String {
    let values = |one: &&ConfigurationReport| one.parameters.values().map(ToString::to_string).collect::<Vec<_>>();
    let tuples: Vec<_> = configurations.iter().map(|one| tuple(&values(one))).collect();
    format!("{{{}}}", tuples.join(", "))
}

/// The different rules that these configurations break, in alphabetical order.
fn rules(excluded: &[&ConfigurationReport]) -> String {
    let mut rules: Vec<&str> = excluded.iter().filter_map(|one| Some(one.reason.as_ref()?.rule())).collect();
    rules.sort_unstable();
    rules.dedup();
    rules.join("; ")
}

fn product(factors: &[Expression], scope: &Scope) -> Option<i128> {
    factors.iter().try_fold(1_i128, |product, factor| product.checked_mul(factor.evaluate(scope).ok()?.into()))
}
