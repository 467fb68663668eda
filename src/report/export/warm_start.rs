//! What a measuring tuner needs to try less (`schemas/restrictions.json`): which configurations cannot run, as conditions that
//! Kernel Tuner takes as `restrictions`, and which are promising.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{ExportError, Report, Values, domains, limit, microseconds};
use crate::gpu::Profile;
use crate::report::result::{ConfigurationReport, LISTED, Status, Verdict};
use crate::space::Space;
use crate::spec::{Configuration, Expression, GpuNames, Python, Scope, Spec, SpecError};

/// So many of the fastest are listed.
const PROMISING: usize = 20;
/// More configurations than these are not excluded one by one.
const ONE_BY_ONE: usize = 1_000;
/// Words that cannot be arguments of a Python function, and names that Kernel Tuner refuses.
const RESERVED: &str = "False None True and as assert async await break class continue def del elif else except finally for \
                        from global if import in is lambda nonlocal not or pass raise return try while with yield \
                        grid_size_x grid_size_y grid_size_z time";

/// What a measuring tuner needs to try less.
#[derive(Debug, Serialize)]
pub struct WarmStart {
    schema: &'static str,
    kernel: String,
    gpu: String,
    problem: Values,
    /// The values of each parameter.
    tune_params: Map<String, Value>,
    /// Conditions in Python, all of which hold of what can run.
    restrictions: Vec<String>,
    /// What each of them comes from.
    rules: Vec<String>,
    /// Whether they exclude all that cannot run.
    complete: bool,
    /// How many configurations there are, and how many can run.
    all: u64,
    feasible: u64,
    /// The fastest on the abstract machine, the best first.
    promising: Vec<Promising>,
    /// Where a search should begin: the values of the optimum, or of what is preferred to it; without a proof, of the first of them.
    x0: Option<Vec<Value>>,
}

#[derive(Debug, Serialize)]
struct Promising {
    parameters: Values,
    ticks: u64,
    microseconds: Option<f64>,
    proved: bool,
}

/// What a tuning of this spec tells a measuring tuner; `report` has the times of all configurations.
///
/// # Errors
/// When a parameter has a name that Python or Kernel Tuner cannot use, or the space cannot be enumerated.
pub fn warm_start(spec: &Spec, profile: &Profile, report: &Report) -> Result<WarmStart, ExportError> {
    check_names(spec.parameters.iter().map(|parameter| parameter.name.as_str()))?;
    let gpu = profile.names(spec.resources.dynamic);
    let space = Space::new(spec, &gpu)?;
    let mut conditions = Conditions::new(spec, &gpu, &space);
    let complete = conditions.exclude_the_rest(report)? && conditions.cover(&space, report);
    let domains = spec.parameters.iter().zip(space.domains());
    let domains = domains.map(|(parameter, values)| (parameter.name.clone(), values.clone().into())).collect();
    let feasible = report.proof.as_ref().map_or(space.size() - infeasible(report).count() as u128, |proof| {
        proof.configurations.all.saturating_sub(proof.configurations.infeasible)
    });
    let warm_start = WarmStart::new(report, domains, [space.size(), feasible]);
    Ok(WarmStart { restrictions: conditions.texts, rules: conditions.rules, complete, ..warm_start })
}

/// The same of a kept result: what cannot run is not known by its rules, and is excluded one by one.
///
/// # Errors
/// When a parameter has a name that Python or Kernel Tuner cannot use, or the result does not list all configurations.
pub(super) fn of_kept(report: &Report) -> Result<WarmStart, ExportError> {
    let listed = report.configurations.len();
    let all = report.proof.as_ref().map_or(0, |proof| proof.configurations.all);
    if listed as u128 != all {
        return Err(ExportError::NotListed { listed, all });
    }
    let domains = domains(report);
    check_names(domains.keys().map(String::as_str))?;
    let names: Vec<_> = domains.keys().cloned().collect();
    let excluded: Vec<_> = infeasible(report).collect();
    let warm_start = WarmStart::new(report, domains, [all, all - excluded.len() as u128]);
    if excluded.is_empty() {
        return Ok(WarmStart { complete: true, ..warm_start });
    }
    let restriction = if excluded.len() * 2 > listed {
        let allowed: Vec<_> = report.configurations.iter().filter(|one| one.status != Status::Infeasible).collect();
        format!("{} in {}", tuple(&names), set(&allowed))
    } else {
        format!("{} not in {}", tuple(&names), set(&excluded))
    };
    Ok(WarmStart { restrictions: vec![restriction], rules: vec![rules(&excluded)], complete: true, ..warm_start })
}

impl WarmStart {
    /// Without restrictions; counted are all configurations, and those that can run.
    fn new(report: &Report, tune_params: Map<String, Value>, counts: [u128; 2]) -> Self {
        let promising = promising(report);
        let first = promising.first().map(|first| &first.parameters);
        let [all, feasible] = counts.map(|count| u64::try_from(count).unwrap_or(u64::MAX));
        Self {
            schema: "autotune.restrictions/1",
            kernel: report.kernel.clone(),
            gpu: report.gpu.clone(),
            problem: report.problem.clone(),
            tune_params,
            restrictions: Vec::new(),
            rules: Vec::new(),
            complete: false,
            all,
            feasible,
            x0: report.chosen().or(first).map(|first| first.values().cloned().collect()),
            promising,
        }
    }
}

fn check_names<'a>(mut names: impl Iterator<Item = &'a str>) -> Result<(), ExportError> {
    let reserved = names.find(|name| RESERVED.split_whitespace().any(|word| word == *name));
    let means = "is a word of Python, or taken by Kernel Tuner";
    reserved.map_or(Ok(()), |name| Err(ExportError::Reserved { name: name.to_owned(), means }))
}

fn infeasible(report: &Report) -> impl Iterator<Item = &ConfigurationReport> {
    report.configurations.iter().filter(|one| one.status == Status::Infeasible)
}

/// The conditions that could be written, and the same natively.
struct Conditions<'a> {
    spec: &'a Spec,
    gpu: &'a GpuNames,
    written: Vec<&'a Expression>,
    /// Products that are at most a number.
    limits: Vec<(&'a [Expression], i64)>,
    texts: Vec<String>,
    rules: Vec<String>,
}

impl<'a> Conditions<'a> {
    fn new(spec: &'a Spec, gpu: &'a GpuNames, space: &Space) -> Self {
        let mut conditions =
            Self { spec, gpu, written: Vec::new(), limits: Vec::new(), texts: Vec::new(), rules: Vec::new() };
        let python = Python::new(spec, gpu, space);
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

    /// A condition that excludes nothing is not told.
    fn add(&mut self, text: String, rule: String) {
        if text.parse::<i64>().is_ok_and(|value| value != 0) {
            return;
        }
        self.texts.push(text);
        self.rules.push(rule);
    }

    /// Whether the conditions exclude everything that cannot run; what no rule excludes is listed if it is not too much.
    fn exclude_the_rest(&mut self, report: &Report) -> Result<bool, ExportError> {
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

    /// Whether what no condition excludes has been looked at: in a large space what constraints exclude is not listed.
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

/// A tuple of Python.
fn tuple(items: &[String]) -> String {
    if let [only] = items { format!("({only},)") } else { format!("({})", items.join(", ")) }
}

/// A set of tuples.
fn set(configurations: &[&ConfigurationReport]) -> String {
    let values = |one: &&ConfigurationReport| one.parameters.values().map(ToString::to_string).collect::<Vec<_>>();
    let tuples: Vec<_> = configurations.iter().map(|one| tuple(&values(one))).collect();
    format!("{{{}}}", tuples.join(", "))
}

/// The rules by which configurations cannot run, each once.
fn rules(excluded: &[&ConfigurationReport]) -> String {
    let reasons = excluded.iter().filter_map(|one| one.reason.as_deref());
    let mut rules: Vec<&str> = reasons.map(|reason| limit(reason).unwrap_or(reason)).collect();
    rules.sort_unstable();
    rules.dedup();
    rules.join("; ")
}

fn product(factors: &[Expression], scope: &Scope) -> Option<i128> {
    factors.iter().try_fold(1_i128, |product, factor| product.checked_mul(factor.evaluate(scope).ok()?.into()))
}

fn configuration(spec: &Spec, parameters: &Values) -> Configuration {
    let value = |name: &String| parameters.get(name).and_then(Value::as_i64).unwrap_or_default();
    Configuration(spec.parameters.iter().map(|parameter| value(&parameter.name)).collect())
}

/// The fastest configurations with a time; of equals the optimum goes first, then the first.
fn promising(report: &Report) -> Vec<Promising> {
    let mut timed: Vec<_> = report.configurations.iter().filter_map(|one| Some((one.ticks?, one))).collect();
    let optimum = report.optimum.as_ref().map(|optimum| &optimum.parameters);
    timed.sort_by_key(|(ticks, one)| (*ticks, Some(&one.parameters) != optimum));
    let promising = |(ticks, one): (u64, &ConfigurationReport)| Promising {
        parameters: one.parameters.clone(),
        ticks,
        microseconds: microseconds(report, ticks),
        proved: one.status == Status::Optimum,
    };
    timed.into_iter().take(PROMISING).map(promising).collect()
}
