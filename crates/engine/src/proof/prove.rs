//! The proof of the optimum: the candidates of a question under SPIN.

mod ends;
mod error;

use std::ops::Range;
use std::time::Instant;

use fs_err as fs;
use rayon::prelude::*;
use tracing::info;

use super::answer::{Event, Observer, ProofContext, StopReason};
use super::candidates::{Candidates, Tables, witness};
use super::cost_estimate::CostEstimate;
use super::question::{Question, Strategy, TimeComparison};
use super::{Attempt, ProofError, TuningError, folder_of};
use crate::model::Model;
use crate::proof::proved::{Descent, ModelProof, Proof, Run};
use crate::spin::pan_output::Statistics;
use crate::spin::{Found, ModelChecker, SpinCost, SpinError};
use autotune_base::index::{CandidateId, ProgramId};
use autotune_base::text::words;
use autotune_base::ticks::Ticks;
use autotune_lowering::space::{Estimates, Survey};
use autotune_machine::search;
use autotune_machine::search::{BoundCheck, Bracket, Checker, Probe, Unfinished, Witness};
use ends::{MT, NO_BOUND};
use error::{SearchError, proof_error};

pub(super) use super::proved::Ends;

/// Proves the optimum of a survey's programs with these models, made by [`super::models`] or [`super::checked_models`].
///
/// # Errors
/// [`ProofError`] if a limit was reached or a search is not a proof.
pub fn prove(
    question: &Question,
    survey: &Survey,
    estimates: &Estimates,
    models: Vec<Model>,
    context: &ProofContext,
) -> Result<Proof, ProofError> {
    let candidates = Candidates::new(question, survey, estimates);
    let place = Place { folder: &folder_of(1), compares: question.comparison.is_made_of(&models) };
    candidates.prove_with(models, question, context, place, &mut SpinCost::default(), &mut |_| {})
}

impl Candidates<'_> {
    /// Proves the optimum of the remaining candidates, the `place`-th least time of all, in a folder of its own.
    pub(super) fn prove(
        &self,
        question: &Question,
        context: &ProofContext,
        place: usize,
        cost: &mut SpinCost,
        observe: Observer,
    ) -> Attempt<Proof> {
        info!(target: "model.render", "rendering the model of {} programs", self.programs.len());
        observe(Event::Modelling(self.programs.len()));
        // Bisection starts from a simulation by plain SPIN, which cannot read the tables from a file.
        let tables = if question.strategy == Strategy::Bisection { Tables::Text } else { Tables::File };
        let models = self.models(question, tables)?;
        // The candidates of later places were compared at the first.
        let compares = place == 1 && question.comparison.is_made_of(&models);
        let place = Place { folder: &folder_of(place), compares };
        self.prove_with(models, question, context, place, cost, observe)
    }

    fn prove_with(
        &self,
        models: Vec<Model>,
        question: &Question,
        context: &ProofContext,
        place: Place,
        cost: &mut SpinCost,
        observe: Observer,
    ) -> Attempt<Proof> {
        let expected_cost = self.expected_cost(&models);
        observe(Event::Estimated(expected_cost));
        if context.settings.toolchain.compiler.builds_a_library() {
            observe(Event::BuildingLibrary);
        }
        let mut search = Search {
            candidates: self,
            expected_cost,
            checkers: Vec::new(),
            descents: Vec::new(),
            runs: Vec::new(),
            believes_model: false,
            observe,
        };
        let proof = search.open(models, context, place.folder).and_then(|()| search.prove(question, place.compares));
        for checker in &search.checkers {
            cost.add(&checker.cost);
            if proof.is_ok() {
                checker.vouch();
            }
        }
        proof
    }
}

/// The place of a proof among the proofs of the best.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The folder of its models in the folder of all proofs.
    folder: &'a str,
    /// True if each candidate's time is compared with the native one.
    compares: bool,
}

impl TimeComparison {
    /// Returns true if the runs of these models are to be compared to their ends.
    pub(super) fn is_made_of(self, models: &[Model]) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::IfShort => models.iter().fold(0_u64, |sum, model| sum.saturating_add(model.uncut.events)) < SHORT,
        }
    }
}

/// The models of the candidates under SPIN.
struct Search<'a> {
    candidates: &'a Candidates<'a>,
    expected_cost: CostEstimate,
    checkers: Vec<ModelChecker>,
    /// One entry for each checker with strategy `branch-and-bound`, otherwise empty.
    descents: Vec<Descent>,
    runs: Vec<Vec<Run>>,
    /// True if the model's times are not compared with the evaluator's, which it contradicts.
    believes_model: bool,
    observe: Observer<'a>,
}

impl Search<'_> {
    fn open(&mut self, models: Vec<Model>, context: &ProofContext, folder: &str) -> Attempt<()> {
        for (number, model) in models.into_iter().enumerate() {
            let folder = context.folder.join(folder).join(format!("model-{}", number + 1));
            let list = self.candidates.list(&model);
            let checker = ModelChecker::new(model, folder.clone(), context.settings.clone());
            self.checkers
                .push(checker.map_err(|error| proof_error(error, None).during("the compilation of the model"))?);
            fs::write(folder.join("configurations.txt"), list).map_err(|error| proof_error(error.into(), None))?;
            self.runs.push(Vec::new());
        }
        Ok(())
    }

    fn prove(&mut self, question: &Question, compares: bool) -> Attempt<Proof> {
        let optimum = self.optimum(question)?;
        // Until it is shown that no run gets stuck, "holds" is not a lower bound.
        let open = Some(Bracket { lower: self.bound(question), upper: optimum.ticks });
        (self.observe)(Event::Ends);
        let (ends, done) =
            self.ends(optimum.ticks).map_err(|error| error.with(open).during("the search for runs that get stuck"))?;
        (self.observe)(Event::Ties);
        self.check_ties(optimum, &done).map_err(|error| error.with(open).during("the search for ties"))?;
        let mut comparisons = vec![None; self.checkers.len()];
        if compares {
            (self.observe)(Event::Comparing);
            comparisons =
                self.compare(&ends).map_err(|error| error.with(open).during("the comparison of all times"))?;
        }
        for checker in &self.checkers {
            checker.note_searches(optimum.ticks.get()).map_err(|error| proof_error(error, open))?;
        }
        Ok(self.proof(optimum, &done, &ends, &comparisons))
    }

    /// The least time of all runs, and a run that takes it.
    fn optimum(&mut self, question: &Question) -> Attempt<Witness> {
        let found = match question.strategy {
            Strategy::Guess => {
                let bracket = self.candidates.bracket();
                self.search(bracket, search::confirm)
            }
            Strategy::Bisection => self.first_run().and_then(|first| {
                let bracket = Bracket { lower: Ticks::ZERO, upper: first };
                self.search(bracket, search::bisect)
            }),
            Strategy::BranchAndBound => {
                (self.observe)(Event::Descending);
                let least =
                    self.descend().map_err(|error| error.with(None).during("the search for ever faster runs"))?;
                self.search(Bracket { lower: least, upper: least }, search::confirm)
            }
        };
        let native = self.candidates.bracket().upper;
        let (optimum, contradiction) = match found {
            Err(ProofError::Failed(why @ (TuningError::Disagreement(_) | TuningError::WrongTime { .. }))) => {
                match self.bisect_model()? {
                    Some(optimum) => (optimum, Some(why)),
                    None => return Err(why.into()),
                }
            }
            found => (found?, None),
        };
        match contradiction {
            None if optimum.ticks == native => Ok(optimum),
            // Another configuration's time is wrong.
            Some(why) if optimum.ticks == native => Err(why.into()),
            _ => Err(self.disagreement(optimum)),
        }
    }

    /// The least time of the model alone, which the evaluator contradicts; `None` if no run of it ends.
    fn bisect_model(&mut self) -> Attempt<Option<Witness>> {
        self.believes_model = true;
        let any = self.find(0..self.checkers.len(), NO_BOUND).map_err(|error| error.with(None))?;
        let Some(Witness { ticks: upper, .. }) = any else { return Ok(None) };
        self.search(Bracket { lower: Ticks::ZERO, upper }, search::bisect).map(Some)
    }

    /// The answer where the evaluator's optimum is not the model's: nothing is proved.
    fn disagreement(&self, found: Witness) -> ProofError {
        let native = self.candidates.bracket().upper;
        let label = self.candidates.label_of(found.candidate);
        ProofError::Open {
            bracket: Some(Bracket { lower: native.min(found.ticks), upper: native }),
            stopped: StopReason::Disagreement,
            reason: format!(
                "evaluator and model disagree, which is a bug of autotune: the optimum takes {native} ticks by the evaluator, \
                 and {} by bisection with the model ({})",
                found.ticks,
                words::named(&label),
            ),
        }
    }

    fn proof(
        &self,
        optimum: Witness,
        done: &[CandidateId],
        ends: &[Ended],
        comparisons: &[Option<Statistics>],
    ) -> Proof {
        let each = self.checkers.iter().zip(&self.runs).enumerate();
        let models = each.map(|(number, (checker, runs))| {
            let (sha256, tables_sha256) = checker.model().sha256();
            ModelProof {
                sha256,
                tables_sha256,
                configurations: checker.model().candidates.len(),
                descent: self.descents.get(number).copied(),
                runs: runs.clone(),
                ends: ends[number].counts,
                comparison: comparisons[number],
            }
        });
        let program = |candidate: CandidateId| self.candidates.programs[candidate];
        let mut ties: Vec<ProgramId> = done.iter().copied().map(program).collect();
        ties.sort_unstable();
        Proof {
            ticks: optimum.ticks,
            expected_cost: self.expected_cost,
            program: program(optimum.candidate),
            ties,
            form: self.checkers[0].model().form,
            models: models.collect(),
        }
    }

    /// The time of any run: a search without a guess starts from it.
    fn first_run(&mut self) -> Attempt<Ticks> {
        let run = self.checkers[0].simulate();
        run.map(|end| end.ticks.into())
            .map_err(|error| proof_error(error, None).during("the simulation of a first run"))
    }

    /// The lower bound of the optimum in ticks; 0 if the strategy does not use bounds.
    fn bound(&self, question: &Question) -> Ticks {
        if question.strategy == Strategy::Guess { self.candidates.bracket().lower } else { Ticks::ZERO }
    }

    fn search(
        &mut self,
        bracket: Bracket,
        method: fn(&mut Self, Bracket) -> Result<Witness, Unfinished<SearchError>>,
    ) -> Attempt<Witness> {
        method(self, bracket).map_err(|unfinished| match unfinished {
            Unfinished::Disagreement(disagreement) => TuningError::Disagreement(disagreement).into(),
            Unfinished::NoAnswer { bracket, error } => error.with(Some(bracket)).during("the search for the optimum"),
        })
    }

    /// Looks in some of the models for a run before `bound`; returns the run of the first model that has one, or
    /// `None`.
    fn find(&mut self, models: Range<usize>, bound: Ticks) -> Result<Option<Witness>, SearchError> {
        let timed = |checker: &mut ModelChecker| {
            let began = Instant::now();
            checker.find(bound.get()).map(|(found, statistics)| (found, statistics, began.elapsed()))
        };
        let mut first = None;
        let runs = &mut self.runs[models.clone()];
        for ((checker, searched), runs) in in_each(&mut self.checkers[models], timed).into_iter().zip(runs) {
            let (found, statistics, elapsed) = searched?;
            (self.observe)(Event::Searched(statistics, elapsed));
            let witness = match found {
                Found::None => None,
                Found::Witnesses(ends) => {
                    let end = ends.first().ok_or(TuningError::NoProof("a counterexample has no trail".to_owned()))?;
                    let witness = witness(checker.model(), *end)?;
                    if !self.believes_model {
                        self.candidates.check_time(witness.candidate, witness.ticks)?;
                    }
                    Some(witness)
                }
            };
            runs.push(Run { bound, ticks: witness.map(|witness| witness.ticks), statistics });
            first = first.or(witness);
        }
        Ok(first)
    }

    /// The least time of all runs in ticks, by searches that lower their bound as they find faster runs. Each model
    /// starts from the bound that the previous model reached.
    fn descend(&mut self) -> Result<Ticks, SearchError> {
        let mut least = NO_BOUND;
        for checker in &mut self.checkers {
            let began = Instant::now();
            let (ends, statistics) = checker.descend(least.get())?;
            (self.observe)(Event::Searched(statistics, began.elapsed()));
            let read = self.candidates.read_ends(checker.model(), &ends, MT::Falling(least))?;
            least = read.done.last().map_or(least, |(_, ticks)| *ticks);
            self.descents.push(Descent { improvements: read.done.len(), statistics });
        }
        Ok(least)
    }

    /// Checks that every configuration of every model ends in DONE or CUT at MT = T + 1; returns what each model's search
    /// showed, and the candidates in DONE.
    fn ends(&mut self, ticks: Ticks) -> Result<(Vec<Ended>, Vec<CandidateId>), SearchError> {
        let (mut all, mut done) = (Vec::new(), Vec::new());
        for (checker, searched) in in_each(&mut self.checkers, |checker| checker.ends(ticks.after().get())) {
            let (ends, statistics) = searched?;
            let read = self.candidates.read_ends(checker.model(), &ends, MT::Fixed(ticks.after()))?;
            all.push(Ended { counts: read.counts, statistics });
            done.extend(read.done.iter().map(|(candidate, _)| *candidate));
        }
        done.sort_unstable();
        Ok((all, done))
    }

    /// Checks by searches without a bound that every configuration takes its native time. A model of which `ends` cut
    /// no run has shown that already.
    fn compare(&mut self, ends: &[Ended]) -> Result<Vec<Option<Statistics>>, SearchError> {
        let shown = ends.iter().map(|ended| (ended.counts.cut == 0).then_some(ended.statistics));
        let mut comparisons: Vec<Option<Statistics>> = shown.collect();
        let (cut, open): (Vec<_>, Vec<_>) =
            self.checkers.iter_mut().zip(&mut comparisons).filter(|(_, shown)| shown.is_none()).unzip();
        for ((checker, searched), comparison) in in_each(cut, ModelChecker::uncut_ends).into_iter().zip(open) {
            let (ends, statistics) = searched?;
            self.candidates.read_ends(checker.model(), &ends, MT::Fixed(NO_BOUND))?;
            *comparison = Some(statistics);
        }
        Ok(comparisons)
    }

    /// Checks that the candidates that end before T + 1 are exactly those that have a counterexample there, and those
    /// that take T by the evaluator. If more than [`REPLAYED`] end, only the optimum's counterexample is searched for.
    fn check_ties(&mut self, optimum: Witness, done: &[CandidateId]) -> Result<(), SearchError> {
        let mut ties = Vec::new();
        if done.len() <= REPLAYED {
            for (checker, searched) in
                in_each(&mut self.checkers, |checker| checker.find_all(optimum.ticks.after().get()))
            {
                if let (Found::Witnesses(ends), _) = searched? {
                    for end in ends {
                        let witness = witness(checker.model(), end)?;
                        self.candidates.check_time(witness.candidate, witness.ticks)?;
                        ties.push(witness.candidate);
                    }
                }
            }
            ties.sort_unstable();
        } else {
            ties.extend(done);
        }
        let native = self.candidates.programs.keys().filter(|&each| self.candidates.native(each) == optimum.ticks);
        if !native.eq(done.iter().copied()) {
            let runs = done.len();
            let why =
                format!("the {runs} configurations that end before T + 1 are not those that take T by the evaluator");
            return Err(TuningError::NoProof(why).into());
        }
        if ties == done && done.contains(&optimum.candidate) {
            return Ok(());
        }
        let (runs, trails) = (done.len(), ties.len());
        let counts =
            format!("the {runs} configurations that end before T + 1 are not the {trails} that have counterexamples");
        Err(TuningError::NoProof(counts).into())
    }
}

/// A model's search for runs that get stuck.
struct Ended {
    counts: Ends,
    statistics: Statistics,
}

/// Runs `task` on each model, in parallel.
fn in_each<'a, T: Send>(
    checkers: impl IntoParallelIterator<Item = &'a mut ModelChecker, Iter: IndexedParallelIterator>,
    task: impl Fn(&mut ModelChecker) -> Result<T, SpinError> + Sync,
) -> Vec<(&'a ModelChecker, Result<T, SpinError>)> {
    let searched = checkers.into_par_iter().map(|checker| {
        let result = task(checker);
        (&*checker, result)
    });
    searched.collect()
}

/// The number of events below which the runs of all models are compared to their ends.
const SHORT: u64 = 100_000;

/// The greatest number of ties that are replayed one by one.
const REPLAYED: usize = 1_000;

impl Checker for Search<'_> {
    type Error = SearchError;

    fn check(&mut self, probe: Probe) -> Result<BoundCheck, SearchError> {
        (self.observe)(Event::Probing(probe));
        // The first model has the natively fastest: if it has a counterexample, the others need not be searched.
        for models in [0..1, 1..self.checkers.len()] {
            if let Some(witness) = self.find(models, probe.bound)? {
                return Ok(BoundCheck::Witness(witness));
            }
        }
        Ok(BoundCheck::Holds)
    }
}
