//! The restrictions of a space: Python conditions, as Kernel Tuner takes them, that exclude what cannot run.

use thiserror::Error;

use super::enumerate::Space;
use crate::gpu::Profile;
use crate::spec::{Configuration, Expression, GpuNames, Python, Scope, Spec, SpecError};
use autotune_base::text::words::is_reserved_in_kernel_tuner;
use autotune_base::user_error::{ExitStatus, UserError};

/// The greatest number of configurations that are excluded one by one.
const ONE_BY_ONE: usize = 1_000;

/// A reason why there are no restrictions.
#[derive(Debug, Error)]
pub enum RestrictionsError {
    /// A parameter has a name that Python or Kernel Tuner cannot use.
    #[error("a parameter would be called `{0}`, which is a word of Python, or taken by Kernel Tuner")]
    Reserved(String),
    /// A result that does not list all configurations.
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

/// A configuration that cannot run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excluded<'a> {
    /// The values of its parameters.
    pub configuration: Configuration,
    /// The rule that it breaks; `None` if the rule is not known.
    pub rule: Option<&'a str>,
}

/// The restrictions of a space, by the rules of its spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restrictions {
    /// The parameters with their values, in the spec's order.
    pub domains: Vec<(String, Vec<i64>)>,
    /// The number of configurations of the space.
    pub size: u128,
    /// The conditions. All of them hold for each configuration that can run.
    pub conditions: Vec<String>,
    /// The origin of each condition: a constraint of the spec, or a limit of the GPU.
    pub rules: Vec<String>,
    /// True if the conditions exclude every one of the configurations that are said to be excluded.
    pub exclude_all: bool,
    /// True if every constraint of the spec is among the conditions.
    pub state_constraints: bool,
}

impl Restrictions {
    /// The restrictions of a space. `excluded` are the configurations that are known not to run; up to 1,000 of them
    /// that no condition excludes are excluded one by one.
    ///
    /// # Errors
    /// If a parameter has a name that Python or Kernel Tuner cannot use, or if the space cannot be enumerated.
    pub fn new(spec: &Spec, profile: &Profile, excluded: &[Excluded]) -> Result<Self, RestrictionsError> {
        check_names(spec.parameters.iter().map(|parameter| parameter.name.as_str()))?;
        let gpu = profile.names(spec.has_dynamic_local_memory());
        let space = Space::new(spec, &gpu)?;
        let mut conditions = Conditions::new(spec, &gpu, &space);
        let exclude_all = conditions.exclude_the_rest(excluded)?;
        let domains = spec.parameters.iter().zip(space.domains());
        Ok(Self {
            domains: domains.map(|(parameter, values)| (parameter.name.clone(), values.clone())).collect(),
            size: space.size(),
            state_constraints: conditions.written.len() == spec.constraints.len(),
            exclude_all,
            conditions: conditions.texts,
            rules: conditions.rules,
        })
    }
}

/// Checks that Python and Kernel Tuner can use the names of parameters.
///
/// # Errors
/// If they cannot.
pub fn check_names<'a>(mut names: impl Iterator<Item = &'a str>) -> Result<(), RestrictionsError> {
    let reserved = names.find(|name| is_reserved_in_kernel_tuner(name));
    reserved.map_or(Ok(()), |name| Err(RestrictionsError::Reserved(name.to_owned())))
}

/// A Python condition that holds for the configurations that are listed, or for the others if `is_listed` is false.
#[must_use]
pub fn listed(names: &[String], is_listed: bool, configurations: &[Vec<String>]) -> String {
    let tuples: Vec<_> = configurations.iter().map(|values| tuple(values)).collect();
    let within = if is_listed { "in" } else { "not in" };
    format!("{} {within} {{{}}}", tuple(names), tuples.join(", "))
}

/// The different rules that configurations break, in alphabetical order.
#[must_use]
pub fn different_rules<'a>(rules: impl Iterator<Item = &'a str>) -> String {
    let mut rules: Vec<&str> = rules.collect();
    rules.sort_unstable();
    rules.dedup();
    rules.join("; ")
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
    fn exclude_the_rest(&mut self, excluded: &[Excluded]) -> Result<bool, SpecError> {
        let mut rest = Vec::new();
        for excluded in excluded {
            if !self.exclude(&excluded.configuration)? {
                rest.push(excluded);
            }
        }
        if rest.is_empty() || rest.len() > ONE_BY_ONE {
            return Ok(rest.is_empty());
        }
        let names: Vec<_> = self.spec.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let texts = |excluded: &&Excluded| excluded.configuration.0.iter().map(ToString::to_string).collect();
        self.texts.push(listed(&names, false, &rest.iter().map(texts).collect::<Vec<_>>()));
        self.rules.push(different_rules(rest.iter().filter_map(|excluded| excluded.rule)));
        Ok(true)
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

fn product(factors: &[Expression], scope: &Scope) -> Option<i128> {
    factors.iter().try_fold(1_i128, |product, factor| product.checked_mul(factor.evaluate(scope).ok()?.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work groups of up to 2,048 work items: a GPU of 1,024 refuses 1,024 of the configurations.
    const SPEC: &str = "
kernel: restricted
parameters: { X: { range: { from: 1, to: 2048 } }, Y: { values: [1] } }
constraints: [ X != 3 ]
launch: { work_items: 4096, work_group: X * Y }
body: [ barrier ]
";

    fn restrictions(spec: &str, excluded: impl Iterator<Item = i64>) -> Result<Restrictions, RestrictionsError> {
        let spec = Spec::parse(spec, "restricted").unwrap();
        let rule = Some("a rule");
        let excluded: Vec<_> = excluded.map(|x| Excluded { configuration: Configuration(vec![x, 1]), rule }).collect();
        Restrictions::new(&spec, &Profile::resolve("volta").unwrap(), &excluded)
    }

    #[test]
    fn what_conditions_exclude_is_not_excluded_one_by_one() {
        let beyond = restrictions(SPEC, 1025..=2048).unwrap();
        assert_eq!(beyond.rules, ["X != 3", "work_group <= 1024"]);
        assert!(beyond.exclude_all && beyond.state_constraints);
    }

    #[test]
    fn up_to_a_thousand_configurations_are_excluded_one_by_one() {
        let thousand = restrictions(SPEC, [3].into_iter().chain(5..=1004)).unwrap();
        assert_eq!(thousand.rules, ["X != 3", "work_group <= 1024", "a rule"]);
        assert!(thousand.exclude_all);
        assert!(thousand.conditions[2].starts_with("(X, Y) not in {(5, 1), (6, 1), "), "{}", thousand.conditions[2]);
        let more = restrictions(SPEC, 5..=1005).unwrap();
        assert_eq!((more.rules.len(), more.exclude_all), (2, false));
    }

    #[test]
    fn a_word_of_python_is_no_name_of_a_parameter() {
        let spec = SPEC.replace("Y: {", "lambda: {").replace(" * Y", "");
        let refused = restrictions(&spec, std::iter::empty());
        assert!(matches!(refused, Err(RestrictionsError::Reserved(name)) if name == "lambda"));
    }
}
