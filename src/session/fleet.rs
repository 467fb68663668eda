//! One question about several scenarios: the configuration whose worst slowdown is least, proved by ordinary searches.
//!
//! Each scenario has up to three proofs, each of them the answer to an ordinary question: the optimum of the scenario's own
//! space, the times of the configurations of least worst slowdown, and the least time of the configurations that are
//! assigned to the scenario. The rest is exact arithmetic.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::folder::Folder;
use super::{Inputs, Outcome, Request, Session, SessionError};
use crate::certificate::{self, FLEET_PARTS};
use crate::result::{FleetParts, FleetReport, FleetTree, Report, ScenarioProofs, VariantParts, Verdict, optimal_ticks};
use autotune_base::limits::{Limits, Stop};
use autotune_base::text::json::to_json;
use autotune_base::ticks::Ticks;
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_engine::compare::fleet::{
    BEST_LISTED, Choice, CommonSpace, Exclusions, MOST_BRANCHES, ScenarioTimeError, UnionSpace, Unrefuted,
    VariantChoice, VariantsFound, choose, exclusions, surveyed,
};
use autotune_engine::proof::{Observer, Question, StopReason, TimeComparison, TuningError};
use autotune_engine::spin::Record;
use autotune_lowering::space::Survey;
use autotune_lowering::spec::Configuration;

/// The proofs of a scenario by their places in [`FLEET_PARTS`].
const OPTIMUM: usize = 0;
const BEST: usize = 1;
const OTHERS: usize = 2;
/// The number of configurations that are named where none is common to all scenarios.
const NAMED: usize = 5;

/// A scenario of a question: its inputs, and its weight in the mean.
#[derive(Debug)]
pub struct ScenarioInputs {
    /// The kernel with its problem sizes set, and the GPU.
    pub inputs: Inputs,
    /// The weight, from 1.
    pub weight: u32,
}

/// The answers to the ordinary questions, as far as they are made.
#[derive(Default)]
struct Made<'a> {
    optima: Vec<Report>,
    common: Option<CommonSpace<'a>>,
    exclusions: Option<Exclusions>,
    choice: Option<Choice>,
    union: Option<UnionSpace<'a>>,
    variants: Option<VariantChoice>,
    proofs: Vec<ScenarioProofs>,
}

impl Made<'_> {
    /// True if each scenario's space was joined so far.
    fn joins(&self) -> bool {
        self.common.is_some() || self.union.is_some()
    }

    /// Joins the survey of the next scenario; `None` if it has none, so that nothing is joined any more.
    fn join(&mut self, survey: Option<&Survey>) {
        let Some(survey) = survey else {
            (self.common, self.union) = (None, None);
            return;
        };
        if let Some(common) = &mut self.common {
            common.join(survey);
        }
        if let Some(union) = &mut self.union {
            union.join(survey);
        }
    }

    fn parts<'a>(
        &'a self,
        questions: &'a [Question<'a>],
        weights: &'a [u32],
        most: usize,
        stopped: Option<(String, String)>,
    ) -> FleetParts<'a> {
        let variants = VariantParts { most, union: self.union.as_ref(), choice: self.variants.as_ref() };
        FleetParts {
            questions,
            weights,
            optima: &self.optima,
            common: self.common.as_ref(),
            exclusions: self.exclusions.as_ref(),
            choice: self.choice.as_ref(),
            proofs: &self.proofs,
            variants: (most > 1).then_some(variants),
            stopped,
        }
    }

    /// The tree of the variants; `None` without one.
    fn tree(&self, questions: &[Question]) -> Option<FleetTree> {
        let (union, choice) = self.union.as_ref().zip(self.variants.as_ref())?;
        Some(FleetTree::new(questions[0].spec, union, choice.refutation.as_ref().ok()?))
    }
}

/// An end of the work before the proof is whole.
enum Halt {
    /// A limit was reached: its name, and a sentence with the circumstances.
    Stopped(String, String),
    /// No configuration is feasible in all scenarios.
    Infeasible,
    /// The work failed.
    Failed(Box<SessionError>),
}

impl Halt {
    fn in_scenario(error: SessionError, inputs: &Inputs) -> Self {
        Self::Failed(Box::new(error.in_scenario(|| inputs.scenario())))
    }
}

impl<E: Into<SessionError>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Failed(Box::new(error.into()))
    }
}

/// The work on a question about several scenarios.
struct Work<'a> {
    session: &'a Session,
    scenarios: &'a [ScenarioInputs],
    request: &'a Request,
    record: Option<Arc<dyn Record>>,
    deadline: Option<Instant>,
    /// The folder that receives the proofs; `None` if they are not kept.
    folder: Option<PathBuf>,
}

impl Session {
    /// Answers a question about one or more scenarios of one kernel. The request's `top`,
    /// `within` and `strategy` are not heeded. Searches that `record` has are not repeated.
    ///
    /// # Errors
    /// If a part of the question cannot be answered, or the proof cannot be kept. Reaching a limit is not an error.
    pub fn prove_fleet(
        &self,
        scenarios: &[ScenarioInputs],
        request: &Request,
        record: Option<Arc<dyn Record>>,
        observe: Observer,
    ) -> Result<FleetReport, SessionError> {
        let questions: Vec<Question> = scenarios.iter().map(|scenario| request.question(&scenario.inputs)).collect();
        let weights: Vec<u32> = scenarios.iter().map(|scenario| scenario.weight).collect();
        refuse_equal(scenarios)?;
        if request.keep.is_some() {
            self.tools()?;
        }
        let known = self.known_fleet(&questions, &weights, request);
        if let Some(report) = known.as_ref().and_then(|known| known.report(&questions, &weights)) {
            return Ok(warned(report, scenarios));
        }
        let deadline = request.deadline();
        let kept = request.keep.as_deref().map(|path| Folder::open(Some(path))).transpose()?;
        let folder = kept.as_ref().map(|folder| folder.path.clone());
        let work = Work { session: self, scenarios, request, record, deadline, folder };
        let mut made = Made::default();
        let stopped = match work.make(&questions, &mut made, observe) {
            Ok(()) | Err(Halt::Infeasible) => None,
            Err(Halt::Stopped(limit, reason)) => Some((limit, reason)),
            Err(Halt::Failed(error)) => return Err(*error),
        };
        let parts = made.parts(&questions, &weights, request.variants, stopped);
        let contradictions = parts.contradictions();
        if !contradictions.is_empty() {
            return Err(TuningError::Contradiction(contradictions).into());
        }
        let mut report = FleetReport::new(&parts);
        if let Some(folder) = kept {
            let result = to_json(&report).map_err(std::io::Error::from)?;
            let tree = made.tree(&questions).map(|tree| to_json(&tree)).transpose().map_err(std::io::Error::from)?;
            certificate::seal_fleet(&folder.path, &result, tree.as_deref())?;
            folder.keep()?;
            report.artifacts = request.keep.as_ref().map(|path| path.display().to_string());
        }
        if let Some(known) = known {
            known.keep(&report);
        }
        Ok(warned(report, scenarios))
    }
}

/// Refuses two scenarios of one GPU and one problem: an answer could not tell them apart.
fn refuse_equal(scenarios: &[ScenarioInputs]) -> Result<(), SessionError> {
    let mut met = HashMap::new();
    for (number, ScenarioInputs { inputs, .. }) in scenarios.iter().enumerate() {
        if let Some(first) = met.insert(inputs.scenario(), number) {
            return Err(SessionError::TwoScenarios(inputs.scenario(), first, number));
        }
    }
    Ok(())
}

/// An answer with the warnings about its scenarios, each once.
fn warned(mut report: FleetReport, scenarios: &[ScenarioInputs]) -> FleetReport {
    for warning in scenarios.iter().flat_map(|scenario| scenario.inputs.warnings()) {
        if !report.warnings.contains(&warning) {
            report.warnings.push(warning);
        }
    }
    report
}

impl<'a> Work<'a> {
    fn make(&self, questions: &'a [Question<'a>], made: &mut Made<'a>, observe: Observer) -> Result<(), Halt> {
        let limits = self.limits();
        let stopped = self.optima(questions, made, &limits, observe)?;
        // For want of a checker, the choice is the native evaluator's.
        let halt = stopped.map(|(limit, reason)| (is_for_want_of_a_checker(&limit), Halt::Stopped(limit, reason)));
        let unproved = match halt {
            Some((false, halt)) => return Err(halt),
            Some((true, halt)) => Some(halt),
            None => None,
        };
        if !self.choose(made, &limits)? {
            made.exclusions = exclusions(questions, NAMED, &limits)?;
            return Err(infeasible(made, &limits));
        }
        unproved.map_or_else(|| self.prove_all(made, observe), Err)
    }

    /// Chooses what serves all scenarios by native times; false if nothing does.
    fn choose(&self, made: &mut Made, limits: &Limits) -> Result<bool, Halt> {
        let optima: Option<Vec<_>> = made.optima.iter().map(optimal_ticks).collect();
        Ok(match (optima, &mut made.common, &mut made.union) {
            (Some(optima), Some(common), _) => {
                made.choice = choose(common, &optima, BEST_LISTED).map_err(untimed)?;
                made.choice.is_some()
            }
            (Some(optima), None, Some(union)) => {
                made.variants = variants(union, &optima, self.request.variants)?;
                made.variants.is_some()
            }
            (None, ..) => false,
            (Some(_), None, None) => return Err(timed_out(limits)),
        })
    }

    /// Proves the optimum of each scenario, and joins their spaces; returns the first limit that was reached.
    fn optima(
        &self,
        questions: &'a [Question<'a>],
        made: &mut Made<'a>,
        limits: &Limits,
        observe: Observer,
    ) -> Result<Option<(String, String)>, Halt> {
        let is_one = self.request.variants == 1;
        made.common = is_one.then(|| CommonSpace::new(questions, limits));
        made.union = (!is_one).then(|| UnionSpace::new(questions, limits));
        let mut stopped: Option<(String, String)> = None;
        for (number, (scenario, question)) in self.scenarios.iter().zip(questions).enumerate() {
            let (report, survey) = match self.part(&scenario.inputs, self.request, number, OPTIMUM, observe) {
                Err(Halt::Failed(error)) if scenario.inputs.of_group && error.status() == ExitStatus::Infeasible => {
                    made.exclusions = exclusions(questions, NAMED, limits)?;
                    let is_told = made.exclusions.as_ref().is_none_or(|excluded| excluded.refused[number] > 0);
                    return Err(if is_told { infeasible(made, limits) } else { Halt::Failed(error) });
                }
                Err(Halt::Failed(error)) => return Err(Halt::in_scenario(*error, &scenario.inputs)),
                part => part?,
            };
            stopped = match stopped {
                Some((limit, reason)) if !is_for_want_of_a_checker(&limit) => Some((limit, reason)),
                first => limit_of(&report, number).or(first),
            };
            let is_known = report.unknown.is_none();
            made.optima.push(report);
            let survey = match survey.filter(|_| is_known) {
                Some(survey) => Some(survey),
                None if is_known && made.joins() => {
                    surveyed(question, limits).map_err(|error| Halt::in_scenario(error.into(), &scenario.inputs))?
                }
                None => None,
            };
            made.join(survey.as_ref());
        }
        Ok(stopped)
    }

    /// Proves the choice in each scenario.
    fn prove_all(&self, made: &mut Made, observe: Observer) -> Result<(), Halt> {
        for number in 0..self.scenarios.len() {
            let (best, others) = match (&made.common, &made.choice, &made.union, &made.variants) {
                (Some(common), Some(choice), ..) => (
                    common.chosen(choice.optima().iter().map(|ranked| ranked.configuration)),
                    common.chosen(choice.others(number)),
                ),
                (_, _, Some(union), Some(choice)) => {
                    let optimum = made.optima[number].optimum.as_ref().map_or(Ticks::ZERO, |optimum| optimum.ticks);
                    (union.chosen(choice.feasible_in(number)), union.chosen(union.slower(choice, number, optimum)))
                }
                _ => return Err(Halt::Infeasible),
            };
            made.proofs.push(self.prove_scenario(best, others, number, observe)?);
        }
        match made.variants.as_ref().map(|choice| &choice.refutation) {
            Some(Err(why)) => Err(Halt::Stopped("search".to_owned(), unrefuted(*why))),
            _ => Ok(()),
        }
    }

    /// Proves the times of the best configurations in a scenario, and that the assigned ones are slower there.
    fn prove_scenario(
        &self,
        best: Vec<Configuration>,
        others: Vec<Configuration>,
        number: usize,
        observe: Observer,
    ) -> Result<ScenarioProofs, Halt> {
        let inputs = &self.scenarios[number].inputs;
        let whole = |report: Report| match limit_of(&report, number) {
            Some((limit, reason)) => Err(Halt::Stopped(limit, reason)),
            None => Ok(report),
        };
        let (best, _) = self.part(&inputs.among(best), &best_request(self.request), number, BEST, observe)?;
        let best = whole(best)?;
        if others.is_empty() {
            return Ok(ScenarioProofs { best, others: None });
        }
        let (others, _) = self.part(&inputs.among(others), self.request, number, OTHERS, observe)?;
        Ok(ScenarioProofs { best, others: Some(whole(others)?) })
    }

    /// Answers an ordinary question, and keeps it as a part of the scenario's folder. Beside the answer stands the survey of
    /// the space, if it was made.
    fn part(
        &self,
        inputs: &Inputs,
        request: &Request,
        scenario: usize,
        part: usize,
        observe: Observer,
    ) -> Result<(Report, Option<Survey>), Halt> {
        let folder = |folder: &PathBuf| folder.join(certificate::scenario_folder(scenario)).join(FLEET_PARTS[part]);
        let time_limit = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let time_limit = time_limit.map(|left| left.max(Duration::from_millis(1)));
        let request = Request { keep: self.folder.as_ref().map(folder), time_limit, ..request.clone() };
        let (Outcome { mut report, kept }, survey) =
            self.session.answer(inputs, &request, self.record.clone(), observe)?;
        kept?;
        if part != BEST {
            // Nothing else reads what these list, and it may be large.
            report.configurations.clear();
        }
        Ok((report, survey))
    }

    fn limits(&self) -> Limits {
        Limits { deadline: self.deadline, interrupt: self.session.interrupt.clone(), allowance: None }
    }
}

/// Chooses the variants; `None` if no so few configurations serve all scenarios.
fn variants(union: &mut UnionSpace, optima: &[Ticks], most: usize) -> Result<Option<VariantChoice>, Halt> {
    match union.choose(optima, most).map_err(untimed)? {
        VariantsFound::Chosen(choice) => Ok(Some(*choice)),
        VariantsFound::Nowhere => Ok(None),
        VariantsFound::OutOfWork => {
            let reason = format!("the search for {most} configurations reached its limit before it found any");
            Err(Halt::Stopped("search".to_owned(), reason))
        }
    }
}

fn unrefuted(why: Unrefuted) -> String {
    match why {
        Unrefuted::Met => "the search for variants reached its limit, and there may be better ones".to_owned(),
        Unrefuted::TooLarge => {
            format!(
                "the tree that shows that there are no better variants has more than {MOST_BRANCHES} nodes and branches"
            )
        }
    }
}

fn untimed(error: ScenarioTimeError) -> Halt {
    match error {
        ScenarioTimeError::Space(error) => Halt::from(error),
        ScenarioTimeError::Stopped(stop) => {
            Halt::Stopped(StopReason::from(stop).name().to_owned(), format!("{stop} while times were computed"))
        }
    }
}

/// The request for the best configurations: all are searched and run to completion.
fn best_request(request: &Request) -> Request {
    Request { no_prune: true, comparison: TimeComparison::Always, ..request.clone() }
}

/// The limit that left a scenario's report without a whole proof; `None` if it is proved, or infeasible.
fn limit_of(report: &Report, scenario: usize) -> Option<(String, String)> {
    if report.verdict != Verdict::BestEffort && report.stopped.is_none() {
        return None;
    }
    let (limit, reason) = (report.stopped.clone().unwrap_or_default(), report.reason.clone().unwrap_or_default());
    // What is not installed is missing in all scenarios.
    let reason = if is_for_want_of_a_checker(&limit) { reason } else { format!("{reason}, in scenario {scenario}") };
    Some((limit, reason))
}

/// True if what stopped a proof is that SPIN or a C compiler is not installed.
fn is_for_want_of_a_checker(stopped: &str) -> bool {
    stopped == StopReason::Checker.name()
}

/// The end of a question without a configuration for all scenarios.
fn infeasible(made: &Made, limits: &Limits) -> Halt {
    if made.exclusions.is_some() { Halt::Infeasible } else { timed_out(limits) }
}

fn timed_out(limits: &Limits) -> Halt {
    let stop = limits.exceeded().unwrap_or(Stop::Time);
    Halt::Stopped(StopReason::from(stop).name().to_owned(), format!("{stop} while the spaces were lowered"))
}
