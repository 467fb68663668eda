//! The construction of a tuning's result from its question and answer.

use std::collections::HashSet;

use super::accuracy::accuracy;
use super::kernel_source::kernel_source;
use super::refused::refused;
use super::values::{problem, values};
use crate::compare::near::{Near, Need, ParameterInCommon, Pick, Within};
use crate::index::{EntryId, ProgramId};
use crate::lowering::Infeasible;
use crate::proof::{
    Answer, CostEstimate, Finding, Granularity, ModelProof, Proof, Question, Run, StopReason, Strategy,
};
use crate::result::{
    BestKnown, BestReport, ChoiceReport, ConfigurationReport, Configurations, CostReport, DescentReport, EndsReport,
    EstimateReport, Interval, LISTED, ListedStatus, Listing, ModelReport, NearReport, NeedReport, Optimum,
    ParameterReport, ProofReport, ReasonReport, Report, RunReport, SearchReport, Seconds, Top, UnknownConfiguration,
    UnknownReport, Values, Verdict, WithinReport,
};
use crate::space::{ConfigurationStatus, Entry, Rule, Survey, UniqueProgram, leave_out};
use crate::spec::{Configuration, Preference, Spec};
use crate::ticks::Ticks;

/// The greatest number of ties that are listed; further ties are counted.
const TIES_LISTED: usize = 1_000;
/// The greatest number of unknown configurations that are listed with their reasons; further ones are counted.
const UNKNOWN_LISTED: usize = 1_000;

// A result lists what the survey of a space lists.
const _: () = assert!(LISTED == crate::space::LISTED);

/// The result of a question. `near` is the neighbourhood of its optimum, or of the best time known; `None` if no time
/// is known. `checker` is SPIN's name and version. `artifacts` is the folder that holds the proof; `None` if the proof
/// is not kept.
#[must_use]
pub fn tuning(
    question: &Question,
    answer: &Answer,
    near: Option<&Near>,
    listing: Listing,
    checker: &str,
    artifacts: Option<String>,
) -> Report {
    let builder = Builder { question, answer, near, listing, spec: question.spec };
    let mut report = Report {
        schema: Report::SCHEMA.to_owned(),
        kernel: question.spec.kernel.clone(),
        gpu: question.gpu.to_owned(),
        problem: problem(question.spec),
        verdict: Verdict::Infeasible,
        optimum: None,
        source: None,
        ties: None,
        ties_omitted: 0,
        near: None,
        accuracy: None,
        interval: None,
        best_known: None,
        stopped: None,
        reason: None,
        reasons: None,
        refused: answer.survey.as_ref().map_or(Vec::new(), |survey| refused(question.spec, survey)),
        unknown: builder.unknown(),
        proof: None,
        top: None,
        analysis: None,
        warnings: Vec::new(),
        configurations: builder.configurations(),
        cost: Some(builder.cost(artifacts)),
    };
    match (&answer.finding, &answer.survey) {
        (Finding::Proved { proof, top, stopped }, Some(survey)) => {
            builder.proved(&mut report, survey, proof, top, checker);
            report.stopped = stopped.as_ref().map(|(stopped, _)| stop_name(*stopped).to_owned());
            report.reason = stopped.as_ref().map(|(_, reason)| reason.clone());
        }
        (Finding::Open { lower, upper, stopped, reason }, _) => {
            report.verdict = Verdict::BestEffort;
            report.interval = Some(Interval { lower: *lower, upper: *upper });
            report.best_known = upper.and(builder.best_known());
            report.stopped = Some(stop_name(*stopped).to_owned());
            report.reason = Some(reason.clone());
        }
        (_, survey) => {
            let rules = survey.iter().flat_map(|survey| &survey.rules);
            let reason = |rule: &Rule| ReasonReport { rule: rule.rule.clone(), count: rule.count };
            report.reasons = Some(rules.map(reason).collect());
        }
    }
    report
}

/// The parts from which a report is made.
struct Builder<'a> {
    question: &'a Question<'a>,
    answer: &'a Answer,
    near: Option<&'a Near>,
    listing: Listing,
    spec: &'a Spec,
}

impl Builder<'_> {
    fn proved(&self, report: &mut Report, survey: &Survey, proof: &Proof, top: &[(ProgramId, Ticks)], checker: &str) {
        let is_tied = |program: ProgramId| proof.ties.binary_search(&program).is_ok();
        let tied = survey.runnable().filter(|(_, program)| is_tied(*program));
        let tied: Vec<EntryId> = tied.map(|(entry, _)| entry).collect();
        let pick = self.near.map_or_else(|| first(survey, proof), |near| near.optimum);
        let others = || tied.iter().filter(|entry| **entry != pick.entry);
        report.verdict = Verdict::Proved;
        report.optimum = Some(self.optimum(survey, pick));
        report.source = kernel_source(self.question, &survey.entries[pick.entry].configuration);
        report.ties = Some(others().take(TIES_LISTED).map(|&other| self.values_of(survey, other)).collect());
        report.ties_omitted = others().count().saturating_sub(TIES_LISTED);
        report.near = self.near.map(|near| self.near(survey, near));
        report.accuracy = Some(accuracy(self.question.profile));
        report.proof = Some(self.proof(survey, proof, checker));
        if self.question.top > 1 {
            report.top = self.near.map(|near| self.top(survey, &near.best, top));
        }
    }

    /// The best configurations with a proved time, at most the number that was asked for.
    fn top(&self, survey: &Survey, best: &[(EntryId, Ticks)], proved: &[(ProgramId, Ticks)]) -> Vec<Top> {
        let proved: HashSet<ProgramId> = proved.iter().map(|(program, _)| *program).collect();
        let place = |&(entry, ticks): &(EntryId, Ticks)| {
            let program = survey.entries[entry].program().filter(|program| proved.contains(program))?;
            let first = survey.programs[program].entry;
            let same_as = (first != entry).then(|| self.values_of(survey, first));
            Some(Top { parameters: self.values_of(survey, entry), ticks, same_as })
        };
        best.iter().take(self.question.top).map_while(place).collect()
    }

    fn optimum(&self, survey: &Survey, pick: Pick) -> Optimum {
        let Pick { entry, ticks, work_group } = pick;
        let evaluation = survey.entries[entry].program().and_then(|program| self.answer.estimates.evaluations[program]);
        let parameters = self.values_of(survey, entry);
        Optimum {
            tile: self.tile(&parameters),
            parameters,
            work_group,
            ticks,
            microseconds: self.question.profile.microseconds(ticks.get()),
            events: evaluation.map_or(0, |evaluation| evaluation.events),
        }
    }

    fn tile(&self, parameters: &Values) -> Values {
        let is_tile = |name: &String| self.spec.tile.contains(name);
        parameters.iter().filter(|(name, _)| is_tile(name)).map(|(n, v)| (n.clone(), v.clone())).collect()
    }

    /// The fastest configuration by the native evaluator; of several the preferred one. `None` if no time is known.
    fn best_known(&self) -> Option<BestKnown> {
        let Pick { entry, ticks, .. } = self.near?.optimum;
        let parameters = self.values_of(self.answer.survey.as_ref()?, entry);
        Some(BestKnown { parameters, ticks, microseconds: self.question.profile.microseconds(ticks.get()) })
    }

    fn near(&self, survey: &Survey, near: &Near) -> NearReport {
        NearReport {
            within: near.within.iter().map(|within| self.within(within)).collect(),
            best: near
                .best
                .iter()
                .map(|&(entry, ticks)| BestReport { parameters: self.values_of(survey, entry), ticks })
                .collect(),
            not_evaluated: near.not_evaluated,
            prefer: self.spec.prefer.iter().map(Preference::text).collect(),
            asked: self.question.within,
            chosen: near.chosen.map(|pick| self.choice(survey, pick)),
            chosen_by: in_words(&near.chosen_by),
            optimum_by: in_words(&near.optimum_by),
        }
    }

    fn choice(&self, survey: &Survey, Pick { entry, ticks, work_group }: Pick) -> ChoiceReport {
        let parameters = self.values_of(survey, entry);
        let microseconds = self.question.profile.microseconds(ticks.get());
        ChoiceReport { tile: self.tile(&parameters), parameters, work_group, ticks, microseconds }
    }

    fn within(&self, within: &Within) -> WithinReport {
        let name = |place: usize| self.spec.parameters[place].name.clone();
        let need = |need: &Need| NeedReport {
            value: need.value,
            parameters: need.with.iter().map(|(other, value)| (name(*other), (*value).into())).collect(),
        };
        let parameter = |parameter: &ParameterInCommon| ParameterReport {
            name: name(parameter.place),
            matters: parameter.matters,
            values: parameter.values.clone(),
            only_with: parameter.needs.iter().map(need).collect(),
        };
        let Within { percent, configurations, not_evaluated, parameters } = within;
        WithinReport {
            percent: *percent,
            configurations: *configurations,
            not_evaluated: *not_evaluated,
            parameters: parameters.iter().map(parameter).collect(),
        }
    }

    fn proof(&self, survey: &Survey, proof: &Proof, checker: &str) -> ProofReport {
        let is_searched = |program: &ProgramId| self.answer.estimates.searched.binary_search(program).is_ok();
        let pruned = survey.runnable().filter(|(_, program)| !is_searched(program)).count() as u128;
        let searched = proof.models.iter().map(|model| model.configurations as u128).sum();
        ProofReport {
            property: format!("[] (DONE -> (time >= {}))", proof.ticks),
            checker: checker.to_owned(),
            strategy: strategy_name(self.question.strategy).to_owned(),
            granularity: granularity_name(self.question.granularity).to_owned(),
            form: proof.form,
            configurations: Configurations {
                all: survey.all,
                infeasible: survey.infeasible(),
                pruned,
                equal: survey.feasible() - searched - pruned,
                checked: searched,
            },
            models: proof.models.iter().map(model).collect(),
        }
    }

    fn configurations(&self) -> Vec<ConfigurationReport> {
        let Some(survey) = self.answer.survey.as_ref().filter(|survey| survey.cut_short.is_none()) else {
            return Vec::new();
        };
        let ties = match &self.answer.finding {
            Finding::Proved { proof, .. } => proof.ties.as_slice(),
            _ => &[],
        };
        let entries = survey.entries.iter_enumerated();
        let each = entries.map(|(number, entry)| self.configuration(survey, ties, number, entry));
        if survey.all <= LISTED || self.listing == Listing::All {
            return each.collect();
        }
        if self.answer.estimates.stopped {
            // SPIN searched none of them.
            return Vec::new();
        }
        each.filter(|one| matches!(one.status, ListedStatus::Optimum | ListedStatus::Checked)).collect()
    }

    fn configuration(
        &self,
        survey: &Survey,
        ties: &[ProgramId],
        number: EntryId,
        entry: &Entry,
    ) -> ConfigurationReport {
        let mut report = ConfigurationReport {
            parameters: self.values(&entry.configuration),
            status: ListedStatus::Infeasible,
            ticks: None,
            bound: None,
            by: None,
            same_as: None,
            reason: None,
        };
        let program = match &entry.status {
            ConfigurationStatus::Program(program) => *program,
            ConfigurationStatus::Infeasible(reason) => {
                return ConfigurationReport { reason: Some(Infeasible::clone(reason)), ..report };
            }
            ConfigurationStatus::Unknown(_) => return ConfigurationReport { status: ListedStatus::Unknown, ..report },
        };
        let estimates = &self.answer.estimates;
        let first = survey.programs[program].entry;
        report.ticks = estimates.evaluations.get(program).copied().flatten().map(|evaluation| evaluation.ticks.into());
        report.same_as = (first != number).then(|| self.values(&survey.entries[first].configuration));
        report.status = if ties.binary_search(&program).is_ok() {
            ListedStatus::Optimum
        } else if estimates.searched.binary_search(&program).is_err() {
            let bound = estimates.bounds.get(program);
            report.bound = bound.map(|bound| bound.ticks.into());
            report.by = bound.map(|bound| bound.by.to_string());
            report.ticks = report.ticks.filter(|_| self.question.rank);
            ListedStatus::Pruned
        } else if first == number {
            ListedStatus::Checked
        } else {
            ListedStatus::Equal
        };
        report
    }

    /// The configurations of which nothing is known; `None` if there are none.
    fn unknown(&self) -> Option<UnknownReport> {
        let survey = self.answer.survey.as_ref()?;
        let configurations = survey.unknown().count();
        let listed = survey.unknown().take(UNKNOWN_LISTED).map(|(entry, reason)| UnknownConfiguration {
            parameters: self.values_of(survey, entry),
            reason: reason.to_string(),
        });
        let listed = listed.collect();
        (configurations > 0).then(|| UnknownReport { configurations, listed, leave_out: leave_out(self.spec, survey) })
    }

    fn cost(&self, artifacts: Option<String>) -> CostReport {
        let (lowering, spin) = (self.answer.cost.lowering, &self.answer.cost.spin);
        let rounded = |number: f64| (number * 1e4).round() / 1e4;
        let seconds = |time: std::time::Duration| rounded(time.as_secs_f64());
        let estimate = |cost: CostEstimate| EstimateReport {
            events: cost.events,
            memory_mib: rounded(cost.memory_mib),
            search_seconds: rounded(cost.seconds),
        };
        let expected_cost = match &self.answer.finding {
            Finding::Proved { proof, .. } => Some(proof.expected_cost),
            _ => None,
        };
        CostReport {
            seconds: Seconds {
                lowering: seconds(lowering),
                spin: seconds(spin.spin),
                compiler: seconds(spin.compiler),
                search: seconds(spin.search),
                replay: seconds(spin.replay),
            },
            memory_mib: spin.memory_mib,
            stack_mib: spin.stack_mib,
            estimate: expected_cost.map(estimate),
            cached: false,
            artifacts,
        }
    }

    fn values(&self, configuration: &Configuration) -> Values {
        values(self.spec, configuration)
    }

    fn values_of(&self, survey: &Survey, entry: EntryId) -> Values {
        self.values(&survey.entries[entry].configuration)
    }
}

/// The criteria that decided, the most important first; `None` if there are none.
fn in_words(criteria: &[String]) -> Option<String> {
    (!criteria.is_empty()).then(|| criteria.join(", "))
}

/// The first configuration of the optimum's programs.
fn first(survey: &Survey, proof: &Proof) -> Pick {
    let program = proof.ties.first().map_or(proof.program, |program| *program);
    let UniqueProgram { entry, work_group, .. } = survey.programs[program];
    Pick { entry, ticks: proof.ticks, work_group }
}

fn model(model: &ModelProof) -> ModelReport {
    ModelReport {
        sha256: model.sha256.clone(),
        tables_sha256: model.tables_sha256.clone(),
        configurations: model.configurations,
        descent: model.descent.map(|descent| DescentReport {
            improvements: descent.improvements,
            states: descent.statistics.states,
            steps: descent.statistics.steps,
        }),
        runs: model.runs.iter().map(run).collect(),
        ends: EndsReport { done: model.ends.done, cut: model.ends.cut, stuck: 0 },
        comparison: model.comparison.map(|search| SearchReport { states: search.states, steps: search.steps }),
    }
}

fn run(run: &Run) -> RunReport {
    RunReport {
        bound: run.bound,
        holds: run.ticks.is_none(),
        ticks: run.ticks,
        states: run.statistics.states,
        steps: run.statistics.steps,
    }
}

fn stop_name(stopped: StopReason) -> &'static str {
    match stopped {
        StopReason::Interrupt => "interrupt",
        StopReason::Time => "time",
        StopReason::Memory => "memory",
        StopReason::Search => "search",
        StopReason::Source => "source",
    }
}

fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Bisection => "bisection",
        Strategy::Blind => "blind",
        Strategy::BranchAndBound => "branch-and-bound",
    }
}

fn granularity_name(granularity: Granularity) -> &'static str {
    match granularity {
        Granularity::Warp => "warp",
        Granularity::Element => "element",
    }
}
