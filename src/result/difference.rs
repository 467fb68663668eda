//! The effect of a change on a kernel (`schemas/diff.json`).

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;

use super::values::Values;
use autotune_base::text::Inferred;
use autotune_base::ticks::Ticks;
use autotune_engine::difference::{
    ChangedLine, ComparedConfiguration, ComparedCount, ComparedOptima, ComparedRole, CountOutcome, DescriptionChange,
    DifferenceFinding, DifferenceKind, KernelCounts, KernelDifference, LineAmounts, PredictionPrecision,
};
use autotune_engine::explain::{NextChange, UsedRegisters};
use autotune_engine::proof::Percent;
use autotune_lowering::gpu::{Limit, Profile};
use autotune_lowering::spec::Spec;

/// The result of `autotune diff OLD NEW --gpu GPU,… --format json`: what a change does to a kernel. Times are of the native
/// evaluator, and not proved.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct DifferenceReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = DifferenceReport::SCHEMA)))]
    pub schema: &'static str,
    /// The new kernel's name.
    pub kernel: String,
    /// The old spec or source; of a revision `REVISION:FILE`.
    pub old: String,
    /// The new spec or source.
    pub new: String,
    /// The least change of a predicted time that is a finding, in percent.
    pub threshold: Percent,
    /// True if a slower predicted time fails too.
    pub strict: bool,
    /// The number of findings that fail.
    pub failing: usize,
    /// The trust that predicted slowdowns deserve, by measured spaces.
    pub precision: PredictionPrecision,
    /// The worst count or predicted time, at its line: what to change first. Null if nothing became worse.
    pub next: Option<NextChange>,
    /// The descriptions of both kernels.
    #[serde(flatten)]
    pub description: DescriptionReport,
    /// The comparison on each GPU, in the order of the question.
    pub gpus: Vec<GpuDifference>,
}

/// The descriptions of two kernels: the parts that their texts state, and those that differ.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DescriptionReport {
    /// The parts of the new kernel's description that follow from the text of its source, with their lines; absent if a spec or
    /// options state all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inferred: Vec<Inferred>,
    /// Parts of the old kernel's description that were inferred; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub old_inferred: Vec<Inferred>,
    /// The launch, problem sizes, parameters, arguments and conditions that differ; absent if none does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub description: Vec<DescriptionChange>,
}

impl DescriptionReport {
    /// The report of two descriptions and their changes.
    #[must_use]
    pub fn new(old: &Spec, new: &Spec, description: Vec<DescriptionChange>) -> Self {
        let inferred = |spec: &Spec| spec.source.inferred().to_vec();
        Self { inferred: inferred(new), old_inferred: inferred(old), description }
    }
}

/// A finding that is the same on several GPUs; it is shown only and never written as JSON.
#[derive(Debug)]
pub struct SharedFinding<'a> {
    /// The finding on the first of the GPUs.
    pub found: &'a FoundDifference,
    /// The names of the GPUs.
    pub gpus: Vec<String>,
}

/// The comparison on one GPU.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct GpuDifference {
    /// The GPU's name.
    pub gpu: String,
    /// The fastest configuration of each kernel; null if the question names configurations.
    pub optima: Option<OptimaDifference>,
    /// The findings over all compared configurations, the worst first.
    pub findings: Vec<FoundDifference>,
    /// The compared configurations.
    pub configurations: Vec<ConfigurationDifference>,
}

/// The fastest configuration of each kernel.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct OptimaDifference {
    /// The old kernel's; null if no configuration can run.
    pub old: Option<EvaluatedOptimum>,
    /// The new kernel's; null if no configuration can run.
    pub new: Option<EvaluatedOptimum>,
    /// The new time divided by the old one; null if one is not known.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub ratio: Option<f64>,
}

/// The fastest configuration by the native evaluator.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct EvaluatedOptimum {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The time in ticks.
    pub ticks: Ticks,
    /// The time in microseconds; null on a lockstep GPU, which does not have a clock.
    pub microseconds: Option<f64>,
}

/// A finding, and the configurations that it is about.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FoundDifference {
    /// The finding of the first configuration.
    #[serde(flatten)]
    pub finding: DifferenceFinding,
    /// True if the finding fails the run.
    pub fails: bool,
    /// The configurations with a finding of this kind about this count at this line; empty for the optima of both kernels.
    #[cfg_attr(test, schemars(with = "Vec<crate::result::values::Integers>"))]
    pub configurations: Vec<Values>,
}

/// A configuration of both kernels.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ConfigurationDifference {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The reasons why it is compared.
    pub roles: Vec<ComparedRole>,
    /// The old kernel's counts; null if it cannot run.
    pub old: Option<CountsReport>,
    /// The reason why the old kernel cannot run; absent if it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_refused: Option<String>,
    /// The new kernel's counts; null if it cannot run.
    pub new: Option<CountsReport>,
    /// The reason why the new kernel cannot run; absent if it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_refused: Option<String>,
    /// The new time divided by the old one; null if one is not known.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub ratio: Option<f64>,
    /// The lines with a count that differs.
    pub lines: Vec<ChangedLine>,
}

/// The counts of a configuration of one kernel.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct CountsReport {
    /// The time by the native evaluator in ticks; null if it takes too many events.
    pub ticks: Option<Ticks>,
    /// This time in microseconds; null if it is not known, and on a lockstep GPU.
    pub microseconds: Option<f64>,
    /// The registers of a work item.
    pub registers: UsedRegisters,
    /// The words of a work item that spill.
    pub spilled: u64,
    /// The bytes of a work item's private arrays.
    pub private_bytes: u64,
    /// The bytes of a group's local memory.
    pub local_memory: u64,
    /// The groups that a multiprocessor holds at a time.
    pub resident_groups: u64,
    /// The limit that keeps further groups from fitting; null on a lockstep GPU.
    pub limit: Option<Limit>,
    /// The work items of a group along x, y and z.
    pub work_group: [u64; 3],
    /// The groups of a launch along x, y and z.
    pub groups: [u64; 3],
    /// The number of launches.
    pub launches: u64,
    /// The sums over all lines.
    pub amounts: LineAmounts,
}

impl DifferenceReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.diff/1";

    /// The report of comparisons on GPUs.
    #[must_use]
    pub fn new(
        kernel: &str,
        [old, new]: [String; 2],
        threshold: Percent,
        description: DescriptionReport,
        gpus: Vec<GpuDifference>,
    ) -> Self {
        let kernel = kernel.to_owned();
        let precision = PredictionPrecision::measured();
        let (schema, strict, failing, next) = (Self::SCHEMA, false, 0, None);
        let mut report =
            Self { schema, kernel, old, new, threshold, strict, failing, precision, next, description, gpus }
                .judged(false);
        report.next = report.worst();
        report
    }

    /// The worst finding as the change that it asks for.
    fn worst(&self) -> Option<NextChange> {
        let worst = self.findings().map(|found| &found.finding).min_by_key(|finding| finding.kind)?;
        let place = worst.place.as_ref().map_or(String::new(), |place| format!("{}:{}: ", place.file, place.line));
        let text = format!("{place}{}", worst.message);
        worst.kind.fails(true).then_some(NextChange { text, parameter: None, access: None })
    }

    /// The same report where a slower predicted time fails too if `strict`.
    #[must_use]
    pub fn judged(mut self, strict: bool) -> Self {
        self.strict = strict;
        for found in self.gpus.iter_mut().flat_map(|gpu| &mut gpu.findings) {
            found.fails = found.finding.kind.fails(strict);
        }
        self.failing = self.findings().filter(|found| found.fails).count();
        self
    }

    /// All findings, GPU by GPU.
    pub fn findings(&self) -> impl Iterator<Item = &FoundDifference> {
        self.gpus.iter().flat_map(|gpu| &gpu.findings)
    }
}

impl DifferenceReport {
    /// All findings, those that are the same on several GPUs once; the worst first.
    #[must_use]
    pub fn shared(&self) -> Vec<SharedFinding<'_>> {
        let mut all: Vec<SharedFinding<'_>> = Vec::new();
        for (gpu, found) in self.gpus.iter().flat_map(|gpu| gpu.findings.iter().map(|found| (&gpu.gpu, found))) {
            match all.iter_mut().find(|known| known.found.is_same(found)) {
                Some(known) => known.gpus.push(gpu.clone()),
                None => all.push(SharedFinding { found, gpus: vec![gpu.clone()] }),
            }
        }
        all.sort_by_key(|shared| shared.found.finding.kind);
        all
    }
}

impl FoundDifference {
    fn is_same(&self, other: &Self) -> bool {
        let subject = |found: &Self| (found.finding.kind, found.finding.count);
        subject(self) == subject(other)
            && self.finding.place == other.finding.place
            && self.finding.message == other.finding.message
    }
}

impl GpuDifference {
    /// The report of a comparison on one GPU.
    #[must_use]
    pub fn new(gpu: &str, profile: &Profile, difference: KernelDifference) -> Self {
        let KernelDifference { optima, configurations } = difference;
        let findings = joined(optima.as_ref(), &configurations);
        let of_both = |one: &ComparedConfiguration| one.old.counts().is_some() || one.new.counts().is_some();
        Self {
            gpu: gpu.to_owned(),
            optima: optima.map(|optima| OptimaDifference::new(profile, optima)),
            findings,
            configurations: configurations
                .into_iter()
                .filter(of_both)
                .map(|one| ConfigurationDifference::new(profile, one))
                .collect(),
        }
    }
}

impl OptimaDifference {
    fn new(profile: &Profile, optima: ComparedOptima) -> Self {
        let ComparedOptima { old, new, .. } = optima;
        let ratio = old.as_ref().zip(new.as_ref()).map(|((_, old), (_, new))| quotient(*new, *old));
        let optimum = |(values, ticks): (Vec<(String, i64)>, Ticks)| EvaluatedOptimum {
            parameters: map(&values),
            ticks,
            microseconds: profile.microseconds(ticks.get()),
        };
        Self { old: old.map(optimum), new: new.map(optimum), ratio }
    }
}

impl ConfigurationDifference {
    fn new(profile: &Profile, compared: ComparedConfiguration) -> Self {
        let ComparedConfiguration { values, roles, old, new, lines, .. } = compared;
        let ticks = |outcome: &CountOutcome| outcome.counts().and_then(|counts| counts.ticks);
        let ratio = ticks(&old).zip(ticks(&new)).map(|(old, new)| quotient(new, old));
        let counts = |outcome: &CountOutcome| outcome.counts().map(|counts| CountsReport::new(profile, counts));
        let refused = |outcome: &CountOutcome| match outcome {
            CountOutcome::Counted(_) => None,
            CountOutcome::Refused(why) | CountOutcome::Foreign(why) => Some(why.clone()),
        };
        Self {
            parameters: map(&values),
            roles,
            old: counts(&old),
            old_refused: refused(&old),
            new: counts(&new),
            new_refused: refused(&new),
            ratio,
            lines,
        }
    }
}

impl CountsReport {
    fn new(profile: &Profile, counts: &KernelCounts) -> Self {
        Self {
            ticks: counts.ticks,
            microseconds: counts.ticks.and_then(|ticks| profile.microseconds(ticks.get())),
            registers: counts.registers,
            spilled: counts.spilled,
            private_bytes: counts.private_bytes,
            local_memory: counts.local_memory,
            resident_groups: counts.resident_groups,
            limit: counts.limit,
            work_group: counts.work_group,
            groups: counts.groups,
            launches: counts.launches,
            amounts: counts.amounts(),
        }
    }
}

/// Joins the findings of all configurations that are of one kind, about one count, at one line. The worst go first.
fn joined(optima: Option<&ComparedOptima>, configurations: &[ComparedConfiguration]) -> Vec<FoundDifference> {
    type Subject = (DifferenceKind, ComparedCount, Option<(String, u32)>, Option<(String, u32)>);
    let mut found: IndexMap<Subject, FoundDifference> = IndexMap::new();
    let of_both = optima.and_then(|optima| optima.finding.clone()).into_iter().map(|finding| (finding, None));
    let of_each =
        configurations.iter().flat_map(|one| one.findings.iter().map(move |finding| (finding.clone(), Some(one))));
    for (finding, of) in of_each.chain(of_both) {
        let place = finding.place.as_ref().map(|place| (place.file.clone(), place.line));
        let old_place = finding.old_place.as_ref().map(|place| (place.file.clone(), place.line));
        // The optima of both are no configuration: their finding stands alone.
        let subject = (finding.kind, finding.count, place, of.map_or(Some((String::new(), 0)), |_| old_place));
        let all = found.entry(subject).or_insert(FoundDifference { finding, fails: false, configurations: Vec::new() });
        all.configurations.extend(of.map(|one| map(&one.values)));
    }
    let mut found: Vec<FoundDifference> = found.into_values().collect();
    found.sort_by_key(|one| one.finding.kind);
    found
}

fn map(values: &[(String, i64)]) -> Values {
    values.iter().map(|(name, value)| (name.clone(), Value::from(*value))).collect()
}

fn quotient(ticks: Ticks, other: Ticks) -> f64 {
    ticks.to_f64() / other.to_f64().max(1.0)
}
