//! The result of a tuning (`schemas/result.json`).

mod cost;
mod listed;
mod orders;
mod picked;
mod proof;
mod unknown;

use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::near::tile;
use super::values::{Values, problem, values};
use super::{AnalysisReport, ChoiceReport, NearReport, RecommendedReport, RefusedReport, SensitivityReport};
use autotune_base::index::{EntryId, ProgramId};
use autotune_base::text::Inferred;
use autotune_base::text::words::{grouped, label};
use autotune_base::ticks::Ticks;
use autotune_engine::check::Warning;
use autotune_engine::compare::expected::Expected;
use autotune_engine::compare::near::{self, Near, Pick};
use autotune_engine::explain::{ExecutedSource, NextChange, may_not_launch};
use autotune_engine::proof::{Answer, Finding, Proof, Question, StopReason};
use autotune_engine::schedules::{OrderVerdict, ScheduleProof};
use autotune_kernel::source::Language;
use autotune_lowering::gpu::Vendor;
use autotune_lowering::space::{Rule, Survey};
use listed::List;

pub use cost::{CostReport, EstimateReport, Seconds};
pub use listed::{ConfigurationReport, ListedStatus, Listing};
pub use orders::{ExploredReport, MayWinReport, OrderProofReport, WaveReport};
pub use proof::{Configurations, DescentReport, EndsReport, ModelReport, ProofReport, RunReport, SearchReport};
pub use unknown::{UnknownConfiguration, UnknownReport};

/// The greatest number of ties that are listed; further ties are counted.
const TIES_LISTED: usize = 1_000;

/// The result of `autotune SPEC --gpu GPU --format json`. Times are ticks of the abstract machine.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, extend("allOf" = parts_of_verdicts())))]
pub struct Report {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = Report::SCHEMA)))]
    pub schema: String,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub problem: Values,
    /// The parts of the question that follow from the text of the source, with their lines; absent if a spec or options state
    /// all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inferred: Vec<Inferred>,
    /// The state of the knowledge about the optimum.
    pub verdict: Verdict,
    /// The configuration that takes the proved time. If several take it, this is the one that `near.prefer` prefers.
    /// If these preferences leave several, a work group that is a multiple of the warp goes first, then the larger
    /// work group, then fewer registers, then the order of the parameters. Absent without a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<Optimum>,
    /// The reason why the launch of the configuration to use may fail, the remedy, and the first of `near.best` that surely
    /// launches. The configuration is `near.chosen`, or else the
    /// optimum. Absent if it surely launches, or without a proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_not_launch: Option<String>,
    /// The kernel's source; absent if the spec has a body, or without a proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<ExecutedSource>,
    /// The other configurations that take the same time, at most 1,000 of them; absent without a proof.
    #[cfg_attr(test, schemars(with = "Option<Vec<crate::result::values::Integers>>"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ties: Option<Vec<Values>>,
    /// The number of ties beyond those in `ties`; absent if it is 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ties_omitted: usize,
    /// The near ties, the best configurations and the choice beside the optimum; absent without a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<NearReport>,
    /// The second opinion: the configuration that neither the machine nor the wave model finds slow. Absent without a proof,
    /// on a lockstep GPU, for programs that use matrix units or wait for what they started before, which the wave model lacks
    /// terms for, and if it takes too many events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommended: Option<RecommendedReport>,
    /// The one change that the numbers of the configuration to use suggest: `near.chosen`, or else the optimum. Null if they
    /// suggest nothing, or without a proof.
    #[serde(default)]
    pub next: Option<NextChange>,
    /// The speed that the optimum is expected to have on the real GPU, as a fraction of the best configuration's, from the
    /// measured spaces nearest to this one. Absent without a proof, on a lockstep GPU, and for a single configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// The optimum under profiles with one changed value. Null without a proof, with `--no-analysis`, on a lockstep GPU, for
    /// a single configuration, and where it is expected to take more than a tenth of the proof's time.
    #[serde(default)]
    pub sensitivity: Option<SensitivityReport>,
    /// The optimum in every order of simultaneous events; absent without a proof, and unless `--schedules any` asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedules: Option<OrderProofReport>,
    /// The open interval of the optimum's time: no configuration is faster than `lower`, and one takes `upper`. Absent
    /// if the verdict is not `best_effort`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The configuration that takes `interval.upper` by the native evaluator, which is not a proof. If several take
    /// it, the preferred one stands here, as for `optimum`. Absent if no time is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_known: Option<BestKnown>,
    /// The limit that stopped the search for the proof of the optimum or of `top`; absent if no limit stopped it.
    /// `search` is a search that was not exhaustive, `source` the limit of a single configuration: see `unknown`. With
    /// `checker`, SPIN or a C compiler is not installed: the interval and `best_known` are the native evaluator's. With
    /// `disagreement`, the evaluator's optimum is not the model's: a bug of this program.
    #[cfg_attr(test, schemars(with = "Option<autotune_engine::proof::StopReason>"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// The reason why the search stopped, in words; absent if no limit stopped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The rules that exclude configurations; absent if the verdict is not `infeasible`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Rule>>,
    /// The configurations that are refused for what their kernel does, by rule: they are infeasible, and nothing is proved of
    /// them. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedReport>,
    /// The unknown configurations: whether they can run, and how fast, is not known; absent if there are none. Beside
    /// them, nothing is proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<UnknownReport>,
    /// The proof of the optimum; absent if the optimum is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofReport>,
    /// The best configurations in the order of `near.best`, at most the number that `--top` asks for. The
    /// configurations of one time are proved together: the search excludes the configurations of less time. Absent
    /// without a proof, or if `--top` is at most 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<Vec<Top>>,
    /// The max-plus models beside a proof; absent without a proof or with `--no-analysis`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisReport>,
    /// The doubtful places of the spec and the profile, which may be intended; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The configurations in the order of the parameters; the last parameter varies fastest. A space of more than
    /// 10,000 lists only the optimum, its ties and the configurations that SPIN searched, unless all are asked for.
    pub configurations: Vec<ConfigurationReport>,
    /// The measurements of the run; absent with `--no-cost`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostReport>,
}

/// The parts of a result that were found beside its answer.
#[derive(Debug)]
pub struct TuningParts<'a> {
    /// The neighbourhood of the optimum, or of the best time known; `None` if no time is known.
    pub near: Option<&'a Near>,
    /// The kernel's source as the optimum executes it; `None` if the spec has a body, or without a proof.
    pub source: Option<ExecutedSource>,
    /// The change that the numbers of the configuration to use suggest; `None` if they suggest nothing, or without a proof.
    pub next: Option<NextChange>,
    /// The optimum in every order of simultaneous events; `None` if the question is about one order, or without a proof.
    pub schedules: Option<&'a ScheduleProof>,
    /// The configurations to list.
    pub listing: Listing,
    /// SPIN's name and version.
    pub checker: &'a str,
    /// The folder that holds the proof; `None` if the proof is not kept.
    pub artifacts: Option<String>,
}

impl Report {
    /// The id of the result's schema.
    pub const SCHEMA: &'static str = "autotune.result/2";

    /// True if the answer says of other orders of simultaneous events that they are open.
    #[must_use]
    pub fn leaves_orders_open(&self) -> bool {
        self.schedules.as_ref().is_some_and(|orders| orders.verdict == OrderVerdict::Open)
    }

    /// The result of a question, from its answer and what was found beside it.
    #[must_use]
    pub fn new(question: &Question, answer: &Answer, beside: TuningParts) -> Self {
        let TuningParts { near, source, next, schedules, listing, checker, artifacts } = beside;
        let (builder, survey) = (Builder { question, answer, near, schedules }, answer.survey.as_ref());
        let mut report = Self {
            schema: Self::SCHEMA.to_owned(),
            kernel: question.spec.kernel.clone(),
            gpu: question.gpu.to_owned(),
            problem: problem(question.spec),
            inferred: question.spec.source.inferred().to_vec(),
            verdict: Verdict::Infeasible,
            optimum: None,
            may_not_launch: None,
            source: None,
            ties: None,
            ties_omitted: 0,
            near: None,
            recommended: None,
            next: None,
            expected: None,
            sensitivity: None,
            schedules: None,
            interval: None,
            best_known: None,
            stopped: None,
            reason: None,
            reasons: None,
            refused: survey.map_or(Vec::new(), |survey| RefusedReport::of_survey(question.spec, survey)),
            unknown: survey.and_then(|survey| UnknownReport::of_survey(question.spec, survey)),
            proof: None,
            top: None,
            analysis: None,
            warnings: Vec::new(),
            configurations: List::of_answer(question, answer, listing),
            cost: Some(CostReport::new(answer, artifacts)),
        };
        match (&answer.finding, survey) {
            (Finding::Proved { proof, top, stopped }, Some(survey)) => {
                builder.proved(&mut report, survey, proof, top);
                (report.source, report.next) = (source, next);
                report.proof = Some(ProofReport::new(question, survey, proof, &answer.estimates.searched, checker));
                report.add_stop(stopped.clone());
            }
            (Finding::Open { lower, upper, stopped, reason }, _) => {
                report.verdict = Verdict::BestEffort;
                report.interval = Some(Interval { lower: *lower, upper: *upper });
                report.best_known = upper.and(builder.best_known());
                (report.stopped, report.reason) = (Some(stopped.name().to_owned()), Some(reason.clone()));
            }
            (_, survey) => report.reasons = Some(survey.map_or(Vec::new(), |survey| survey.rules.clone())),
        }
        report
    }

    fn add_stop(&mut self, stopped: Option<(StopReason, String)>) {
        let named = stopped.map(|(stopped, reason)| (stopped.name().to_owned(), reason));
        (self.stopped, self.reason) = named.unzip();
    }

    /// The language of the kernel's source by the ending of its file; `None` without a source, or if the ending says nothing.
    #[must_use]
    pub fn language(&self) -> Option<Language> {
        Language::from_file(Path::new(self.source.as_ref()?.files.first()?))
    }

    /// The GPU's time for these ticks in microseconds, rounded to the picosecond. `None` if the GPU does not have a
    /// clock, or if the optimum is not proved.
    #[must_use]
    pub fn microseconds(&self, ticks: Ticks) -> Option<f64> {
        let optimum = self.optimum.as_ref()?;
        let relative = ticks.to_f64() / optimum.ticks.to_f64();
        Some((optimum.microseconds? * relative * 1e6).round() / 1e6).filter(|time| time.is_finite())
    }

    /// The values of each parameter among the listed configurations, in the order of their first appearance.
    #[must_use]
    pub fn domains(&self) -> Values {
        let mut domains = Values::new();
        for (name, value) in self.configurations.iter().flat_map(|listed| &listed.parameters) {
            if let Value::Array(values) = domains.entry(name).or_insert_with(|| Value::Array(Vec::new()))
                && !values.contains(value)
            {
                values.push(value.clone());
            }
        }
        domains
    }

    /// The configuration to use: the preferred one if there is one, otherwise the optimum. `None` if nothing is
    /// proved.
    #[must_use]
    pub fn chosen(&self) -> Option<&Values> {
        let optimum = self.optimum.as_ref()?;
        Some(self.choice().map_or(&optimum.parameters, |choice| &choice.parameters))
    }

    /// The configuration that is preferred to the optimum; `None` if that is the optimum itself, or if nothing is
    /// proved.
    #[must_use]
    pub fn choice(&self) -> Option<&ChoiceReport> {
        self.near.as_ref()?.chosen.as_ref()
    }
}

/// The schema's conditions for the parts that each verdict requires and forbids.
#[cfg(test)]
fn parts_of_verdicts() -> Value {
    use serde_json::json;

    let has = |parts: &[&str]| -> Vec<_> { parts.iter().map(|part| json!({ "required": [part] })).collect() };
    let case = |verdict: Verdict, required: &[&str], absent: &[&str]| {
        json!({
            "if": { "properties": { "verdict": { "const": verdict } } },
            "then": { "required": required, "not": { "anyOf": has(absent) } }
        })
    };
    json!([
        case(Verdict::Proved, &["optimum", "ties", "proof"], &["best_known", "unknown"]),
        case(Verdict::BestEffort, &["interval", "stopped", "reason"], &["proof", "optimum"]),
        case(Verdict::Infeasible, &["reasons"], &["proof", "optimum", "best_known"]),
    ])
}

/// The state of the knowledge about the optimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The optimum is proved.
    Proved,
    /// The optimum is not proved: an interval of its time is still open.
    BestEffort,
    /// No configuration is feasible.
    Infeasible,
}

/// A configuration whose time is proved to be the least.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Optimum {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The number of work items of a work group.
    pub work_group: u64,
    /// The parameters that form the tile, with their values.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub tile: Values,
    /// The proved time, in ticks.
    pub ticks: Ticks,
    /// The proved time in microseconds; null on a lockstep GPU, which does not have a clock.
    pub microseconds: Option<f64>,
    /// The number of events of one full wave and of the last, smaller one. SPIN's steps and states are compared with
    /// it.
    pub events: u64,
}

/// An open interval of the optimum's time, in ticks.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Interval {
    /// The lower bound in ticks: no configuration is faster; 0 if no bound is known.
    pub lower: Ticks,
    /// The upper bound in ticks, which is the time of a configuration; null if no time is known.
    pub upper: Option<Ticks>,
}

/// A configuration with the least known time, where no optimum is proved.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct BestKnown {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The time by the native evaluator, in ticks.
    pub ticks: Ticks,
    /// This time in microseconds; null on a lockstep GPU, which does not have a clock.
    pub microseconds: Option<f64>,
}

/// One of the best configurations, with a proved time.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Top {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The proved time, in ticks.
    pub ticks: Ticks,
    /// The first configuration with the same program; absent if this is the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<crate::result::values::Integers>"))]
    pub same_as: Option<Values>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
pub(super) fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The parts that a report is made from.
struct Builder<'a> {
    question: &'a Question<'a>,
    answer: &'a Answer,
    near: Option<&'a Near>,
    schedules: Option<&'a ScheduleProof>,
}

impl Builder<'_> {
    fn proved(&self, report: &mut Report, survey: &Survey, proof: &Proof, top: &[(ProgramId, Ticks)]) {
        let is_tied = |program: ProgramId| proof.ties.binary_search(&program).is_ok();
        let tied = survey.runnable().filter(|(_, program)| is_tied(*program));
        let tied: Vec<EntryId> = tied.map(|(entry, _)| entry).collect();
        let pick = near::optimum(survey, proof, self.near);
        let others = || tied.iter().filter(|entry| **entry != pick.entry);
        report.verdict = Verdict::Proved;
        report.optimum = Some(self.optimum(survey, pick));
        report.ties = Some(others().take(TIES_LISTED).map(|&other| self.values_of(survey, other)).collect());
        report.ties_omitted = others().count().saturating_sub(TIES_LISTED);
        report.near = self.near.map(|near| NearReport::new(self.question, survey, near));
        let recommended = self.near.and_then(|near| near.recommended);
        report.recommended = recommended.map(|found| RecommendedReport::new(self.question, survey, found));
        report.may_not_launch = self.launch(survey, self.near.and_then(|near| near.chosen).unwrap_or(pick).entry);
        report.expected = self.expected(survey, pick);
        report.schedules = self.schedules.map(|proof| OrderProofReport::new(self.question, survey, proof));
        if self.question.top > 1 {
            report.top = self.near.map(|near| self.top(survey, &near.best, top));
        }
    }

    /// The expected speed of a pick; `None` where nothing like it was measured.
    fn expected(&self, survey: &Survey, pick: Pick) -> Option<Expected> {
        let waves: Vec<Option<f64>> = survey.runnable().map(|(entry, _)| survey.entries.waves(entry)).collect();
        let groups = survey.programs.get(survey.entries.program(pick.entry)?).program.groups;
        Expected::of_space(self.question.profile, &waves, groups)
    }

    /// The reason why the launch of a configuration may fail, the remedy, and the best configuration known that surely
    /// launches; `None` if the configuration surely launches.
    fn launch(&self, survey: &Survey, entry: EntryId) -> Option<String> {
        let may_fail = |entry: EntryId| may_not_launch(self.question, &survey.entries.get(entry).configuration);
        let mut why = may_fail(entry)?;
        if self.question.spec.kernel_source.is_some() && self.question.profile.vendor() == Some(Vendor::Nvidia) {
            why += "; or let `--registers ptxas` count them";
        }
        let best = self.near.map_or(&[][..], |near| &near.best);
        if let Some((other, ticks)) = best.iter().find(|(other, _)| may_fail(*other).is_none()) {
            let _ = write!(
                why,
                "; {} surely launches and takes {} ticks",
                label(&self.values_of(survey, *other)),
                grouped(*ticks)
            );
        }
        Some(why)
    }

    /// The best configurations with a proved time, at most the number of `--top`.
    fn top(&self, survey: &Survey, best: &[(EntryId, Ticks)], proved: &[(ProgramId, Ticks)]) -> Vec<Top> {
        let proved: HashSet<ProgramId> = proved.iter().map(|(program, _)| *program).collect();
        let place = |&(entry, ticks): &(EntryId, Ticks)| {
            let program = survey.entries.program(entry).filter(|program| proved.contains(program))?;
            let first = survey.programs.entry(program);
            let same_as = (first != entry).then(|| self.values_of(survey, first));
            Some(Top { parameters: self.values_of(survey, entry), ticks, same_as })
        };
        best.iter().take(self.question.top).map_while(place).collect()
    }

    fn optimum(&self, survey: &Survey, Pick { entry, ticks, work_group }: Pick) -> Optimum {
        let evaluation = survey.entries.program(entry).and_then(|program| self.answer.estimates.evaluations[program]);
        let parameters = self.values_of(survey, entry);
        Optimum {
            tile: tile(self.question.spec, &parameters),
            parameters,
            work_group,
            ticks,
            microseconds: self.question.profile.microseconds(ticks.get()),
            events: evaluation.map_or(0, |evaluation| evaluation.events),
        }
    }

    /// The fastest configuration by the native evaluator; of several the preferred one. `None` if no time is known.
    fn best_known(&self) -> Option<BestKnown> {
        let Pick { entry, ticks, .. } = self.near?.optimum;
        let parameters = self.values_of(self.answer.survey.as_ref()?, entry);
        Some(BestKnown { parameters, ticks, microseconds: self.question.profile.microseconds(ticks.get()) })
    }

    fn values_of(&self, survey: &Survey, entry: EntryId) -> Values {
        values(self.question.spec, &survey.entries.get(entry).configuration)
    }
}
