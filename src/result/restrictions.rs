//! The part of a space that a measuring tuner need not try (`schemas/restrictions.json`): conditions that exclude
//! configurations which cannot run, in the form of Kernel Tuner's `restrictions`, and the promising configurations.

use serde::Serialize;
use serde_json::Value;

use super::values::{Values, configuration};
use super::{ConfigurationReport, ListedStatus, Report, Verdict};
use autotune_base::ticks::Ticks;
use autotune_lowering::lowering::Infeasible;
use autotune_lowering::space::LISTED;
use autotune_lowering::space::restrictions::{self, Excluded, Restrictions, RestrictionsError};
use autotune_lowering::spec::Spec;

/// The greatest number of promising configurations in a result.
const PROMISING: usize = 20;

/// The result of `autotune SPEC --gpu GPU --format restrictions`: the part of a space that a measuring tuner should
/// try. `kernel_tuner.tune_kernel` takes `tune_params` and `restrictions`, and its `strategy_options` take `x0`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct RestrictionsReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = RestrictionsReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub problem: Values,
    /// The values of each parameter.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, Vec<i64>>"))]
    pub tune_params: Values,
    /// Python conditions over the parameters. All of them hold for each configuration that can run.
    pub restrictions: Vec<String>,
    /// The origin of each restriction: a constraint of the spec, or a limit of the GPU.
    pub rules: Vec<String>,
    /// True if the restrictions exclude every configuration that cannot run.
    pub complete: bool,
    /// The number of configurations of the space.
    pub all: u64,
    /// The number of configurations that can run.
    pub feasible: u64,
    /// The fastest configurations on the abstract machine, the best first, at most 20.
    #[cfg_attr(test, schemars(length(max = 20)))]
    pub promising: Vec<PromisingReport>,
    /// The start of a search, as values in the order of the parameters: the proved optimum or the configuration
    /// preferred to it, without a proof the first of `promising`. Null if neither exists.
    #[cfg_attr(test, schemars(with = "Option<Vec<i64>>"))]
    pub x0: Option<Vec<Value>>,
}

/// A configuration that is fast on the abstract machine.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct PromisingReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The time on the abstract machine, in ticks.
    pub ticks: Ticks,
    /// This time in microseconds; null on a lockstep GPU, which does not have a clock, and without a proved optimum.
    pub microseconds: Option<f64>,
    /// True if it is proved that no configuration is faster.
    pub proved: bool,
}

impl RestrictionsReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.restrictions/1";

    /// The report of a space's restrictions. `report` has the status and times of its configurations.
    #[must_use]
    pub fn new(report: &Report, restrictions: Restrictions) -> Self {
        let is_complete = restrictions.exclude_all && is_covered(&restrictions, report);
        let Restrictions { domains, size, conditions, rules, .. } = restrictions;
        let domains = domains.into_iter().map(|(name, values)| (name, values.into())).collect();
        let feasible = report.proof.as_ref().map_or(size - infeasible(report).count() as u128, |proof| {
            proof.configurations.all.saturating_sub(proof.configurations.infeasible)
        });
        let unrestricted = Self::unrestricted(report, domains, [size, feasible]);
        Self { restrictions: conditions, rules, complete: is_complete, ..unrestricted }
    }

    /// The restrictions that a kept result implies. A kept result does not state its rules, so configurations are
    /// excluded one by one.
    ///
    /// # Errors
    /// If a parameter has a name that Python or Kernel Tuner cannot use, or if the result does not list all
    /// configurations.
    pub fn from_kept(report: &Report) -> Result<Self, RestrictionsError> {
        let listed = report.configurations.len();
        let all = report.proof.as_ref().map_or(0, |proof| proof.configurations.all);
        if listed as u128 != all {
            return Err(RestrictionsError::NotListed { listed, all });
        }
        let domains = report.domains();
        restrictions::check_names(domains.keys().map(String::as_str))?;
        let names: Vec<_> = domains.keys().cloned().collect();
        let excluded: Vec<_> = infeasible(report).collect();
        let unrestricted = Self::unrestricted(report, domains, [all, all - excluded.len() as u128]);
        if excluded.is_empty() {
            return Ok(Self { complete: true, ..unrestricted });
        }
        let are_few = excluded.len() * 2 <= listed;
        let chosen =
            report.configurations.iter().filter(|listed| (listed.status == ListedStatus::Infeasible) == are_few);
        let texts = |listed: &ConfigurationReport| listed.parameters.values().map(ToString::to_string).collect();
        let restriction = restrictions::listed(&names, !are_few, &chosen.map(texts).collect::<Vec<_>>());
        let rules = excluded.iter().filter_map(|listed| Some(listed.reason.as_ref()?.rule()));
        Ok(Self {
            restrictions: vec![restriction],
            rules: vec![restrictions::different_rules(rules)],
            complete: true,
            ..unrestricted
        })
    }

    /// A report without restrictions. `counts` are the numbers of all configurations and of those that can run.
    fn unrestricted(report: &Report, tune_params: Values, counts: [u128; 2]) -> Self {
        let promising = promising(report);
        let first = promising.first().map(|first| &first.parameters);
        let [all, feasible] = counts.map(|count| u64::try_from(count).unwrap_or(u64::MAX));
        Self {
            schema: Self::SCHEMA,
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

impl Report {
    /// The listed configurations that cannot run.
    #[must_use]
    pub fn excluded(&self, spec: &Spec) -> Vec<Excluded<'_>> {
        let excluded = infeasible(self).map(|listed| Excluded {
            configuration: configuration(spec, &listed.parameters),
            rule: listed.reason.as_ref().map(Infeasible::rule),
        });
        excluded.collect()
    }
}

fn infeasible(report: &Report) -> impl Iterator<Item = &ConfigurationReport> {
    report.configurations.iter().filter(|listed| listed.status == ListedStatus::Infeasible)
}

/// Returns true if the report covers every configuration that no condition excludes: a large space does not list the
/// configurations that constraints exclude.
fn is_covered(restrictions: &Restrictions, report: &Report) -> bool {
    let is_listed = restrictions.size <= LISTED || restrictions.state_constraints;
    let is_whole = match &report.proof {
        Some(proof) => proof.configurations.all == restrictions.size,
        None => report.verdict == Verdict::Infeasible && report.configurations.len() as u128 == restrictions.size,
    };
    is_listed && is_whole
}

/// The fastest configurations with a time. Of equal times the optimum goes first, then the order of the result.
fn promising(report: &Report) -> Vec<PromisingReport> {
    let mut timed: Vec<_> = report.configurations.iter().filter_map(|listed| Some((listed.ticks?, listed))).collect();
    let optimum = report.optimum.as_ref().map(|optimum| &optimum.parameters);
    timed.sort_by_key(|(ticks, listed)| (*ticks, Some(&listed.parameters) != optimum));
    let promising = |(ticks, listed): (Ticks, &ConfigurationReport)| PromisingReport {
        parameters: listed.parameters.clone(),
        ticks,
        microseconds: report.microseconds(ticks),
        proved: listed.status == ListedStatus::Optimum,
    };
    timed.into_iter().take(PROMISING).map(promising).collect()
}
