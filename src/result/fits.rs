//! The GPUs that configurations fit, a part of `schemas/diagnosis.json`.

use serde::Serialize;

use super::values::{Values, values};
use autotune_base::limits::Stop;
use autotune_engine::check::{Fits, GpuFit, Removed};
use autotune_lowering::spec::Spec;

/// The most configurations that are listed.
const LISTED: usize = 100;

/// The GPUs that the configurations of a spec fit.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FitsReport<'a> {
    /// The GPUs, in the order of the question; a group's by vendor and generation.
    pub gpus: Vec<GpuFitReport<'a>>,
    /// The configurations that run on each of the GPUs.
    pub everywhere: EverywhereReport,
    /// The reason why not all configurations were looked at; `None` if they were.
    #[serde(skip)]
    pub(super) stopped: Option<Stop>,
}

/// The configurations of a spec on one GPU.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct GpuFitReport<'a> {
    /// The GPU's name.
    pub gpu: &'a str,
    /// The architecture that the compiler is given; null if the profile does not state it.
    pub target: Option<&'a str>,
    /// True if `--require` names the GPU: some configuration has to fit it.
    pub required: bool,
    /// The number of configurations of the domains.
    pub configurations: u128,
    /// The number of configurations that no rule refuses.
    pub feasible: u128,
    /// The number of these that may not launch: a compiler that is not told the launch may give a work item more
    /// registers than the group can have.
    pub may_not_launch: u128,
    /// The number of configurations whose feasibility is not known.
    pub not_known: u128,
    /// The rules that refuse configurations: constraints in the order of the spec, then limits of the GPU and what the
    /// kernel does. Each configuration counts for one rule.
    pub refused: &'a [Removed],
}

/// The configurations that run on each GPU.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct EverywhereReport {
    /// The number of configurations that fit each GPU and surely launch there.
    pub configurations: u128,
    /// The number of further configurations that fit each GPU and may not launch on some.
    pub may_not_launch: u128,
    /// The first that surely launch, at most 100, in the order of the space.
    #[cfg_attr(test, schemars(with = "Vec<crate::result::values::Integers>"))]
    pub listed: Vec<Values>,
}

impl<'a> FitsReport<'a> {
    /// The report of what fits the GPUs. `required` are the names of the GPUs that some configuration has to fit.
    #[must_use]
    pub fn new(spec: &Spec, fits: &'a Fits, required: &[&str]) -> Self {
        let Fits { gpus, everywhere, perhaps_everywhere, stopped } = fits;
        let listed = everywhere.iter().take(LISTED).map(|configuration| values(spec, configuration)).collect();
        Self {
            gpus: gpus.iter().map(|fit| GpuFitReport::new(fit, required.contains(&fit.gpu.as_str()))).collect(),
            everywhere: EverywhereReport {
                configurations: everywhere.len() as u128,
                may_not_launch: *perhaps_everywhere,
                listed,
            },
            stopped: *stopped,
        }
    }

    /// True if not all configurations were looked at.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// The names of the GPUs that no configuration fits, those of `--require` alone if `required` is true.
    pub fn without(&self, required: bool) -> impl Iterator<Item = &str> {
        self.gpus.iter().filter(move |fit| fit.is_empty() && (fit.required || !required)).map(|fit| fit.gpu)
    }
}

impl<'a> GpuFitReport<'a> {
    fn new(fit: &'a GpuFit, required: bool) -> Self {
        let GpuFit { gpu, target, configurations, feasible, may_not_launch, not_known, refused } = fit;
        Self {
            gpu,
            target: target.as_deref(),
            required,
            configurations: *configurations,
            feasible: *feasible,
            may_not_launch: *may_not_launch,
            not_known: *not_known,
            refused,
        }
    }

    /// True if no configuration fits the GPU, as far as is known.
    fn is_empty(&self) -> bool {
        self.feasible == 0 && self.not_known == 0
    }
}
