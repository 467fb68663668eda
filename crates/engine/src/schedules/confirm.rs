//! SPIN's confirmation of what the native explorer found: for each wave its least time, and for the optimum its greatest.

use fs_err as fs;
use rayon::prelude::*;

use autotune_base::index::{CandidateId, ProgramId};
use autotune_base::text::words::grouped;
use autotune_base::ticks::Ticks;
use autotune_lowering::space::Survey;
use autotune_machine::machine::{Program, evaluate, greatest_bound};
use autotune_machine::search::{
    BoundCheck, Bracket, Checker, Probe, Unfinished, Witness, bisect, confirm as confirm_guess,
};

use super::behaviours::WaveProof;
use super::{OrderVerdict, ScheduleProof};
use crate::model::{Candidate, ExploredWave, Form, Model, ModelError, every_order, generic};
use crate::proof::{Event, Observer, ProofContext, Question, Strategy, TuningError, remove_folder};
use crate::spin::pan_output::Claim;
use crate::spin::{Found, ModelChecker, Settings, SpinCost, SpinError};

/// The folder of the model of a configuration that may win.
const RIVAL: &str = "schedules/rival/launch";
/// The memory of the search for a slow run, in MiB: a run that it does not find soon it does not find.
const LOOKED_MIB: u64 = 256;
/// The folder of the models, with a folder for each configuration in their listed order.
pub(super) const FOLDER: &str = "schedules";

/// The question whose decision SPIN confirms.
pub(super) struct Confirmation<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) survey: &'a Survey,
    pub(super) context: &'a ProofContext,
}

impl Confirmation<'_> {
    /// Has SPIN confirm the decision. For the verdict `every`, it searches all orders of the explored waves; for `some`, a slow run of
    /// the optimum and a fast run of the configuration that may win. If the optimum has too many orders, it looks for a slow run.
    /// Without a verdict no model stays.
    ///
    /// # Errors
    /// If SPIN fails, or finds another time than the native explorer.
    pub(super) fn confirm(
        &self,
        proof: &mut ScheduleProof,
        cost: &mut SpinCost,
        observe: Observer,
    ) -> Result<(), TuningError> {
        if proof.verdict != OrderVerdict::Open || self.look_for_a_slow_run(proof, cost)? {
            self.confirm_verdict(proof, cost, observe)?;
        }
        if proof.verdict == OrderVerdict::Open {
            remove_folder(&self.context.folder.join(FOLDER))?;
        }
        Ok(())
    }

    /// Has SPIN confirm a verdict. A limit leaves none.
    fn confirm_verdict(
        &self,
        proof: &mut ScheduleProof,
        cost: &mut SpinCost,
        observe: Observer,
    ) -> Result<(), TuningError> {
        let rival = unexplored_rival(proof);
        let is_every = proof.verdict == OrderVerdict::Every;
        let of_optimum = if is_every { Goal::Both } else { Goal::Slow };
        // One configuration that may win is enough.
        let winner = proof.may_win.first().map(|&(program, _)| program);
        let mut tasks: Vec<Task> = Vec::new();
        let explored = std::iter::once(&mut proof.optimum).chain(&mut proof.others).enumerate();
        for (number, behaviours) in
            explored.filter(|(number, one)| is_every || *number == 0 || winner == Some(one.program))
        {
            let (folder, label) = (format!("{FOLDER}/{}", number + 1), self.label(behaviours.program));
            for (wave, number_of_wave) in behaviours.waves.iter_mut().zip(1..) {
                let folder = format!("{folder}/wave-{number_of_wave}");
                let goal = if number == 0 { of_optimum } else { Goal::Least };
                tasks.push(Task {
                    folder,
                    label: label.clone(),
                    program: wave.program.clone(),
                    goal,
                    wave: Some(wave),
                });
            }
        }
        if let Some((program, ticks)) = rival {
            let text = self.survey.programs.get(program).program;
            tasks.push(Task {
                folder: RIVAL.to_owned(),
                label: self.label(program),
                program: text,
                goal: Goal::OwnRun(ticks),
                wave: None,
            });
        }
        observe(Event::Confirming(tasks.len()));
        let searched: Vec<_> =
            tasks.into_par_iter().map(|task| task.run(self.question.strategy, self.context)).collect();
        let mut unanswered = None;
        for result in searched {
            let (spent, outcome) = result?;
            cost.add(&spent);
            unanswered = unanswered.or(outcome.err());
        }
        if let Some(why) = unanswered {
            proof.leave_open(why);
        }
        Ok(())
    }

    fn label(&self, program: ProgramId) -> String {
        let Self { question, survey, .. } = self;
        question.spec.label(&survey.entries.get(survey.programs.entry(program)).configuration)
    }

    /// Has SPIN look for a run of the optimum that is slower than the fastest other configuration's own run: if there is one, that
    /// configuration may win. Returns true if it found one.
    fn look_for_a_slow_run(&self, proof: &mut ScheduleProof, cost: &mut SpinCost) -> Result<bool, TuningError> {
        let Self { survey, context, .. } = self;
        let Some(&(_, rival)) = proof.challengers.first().filter(|_| !proof.optimum.is_explored()) else {
            return Ok(false);
        };
        let text = survey.programs.get(proof.optimum.program).program;
        let own = |program: &Program| evaluate(program, u64::MAX).map_or(0, |evaluation| evaluation.ticks);
        let waves = text.wave_programs().map(|(times, wave)| (times, own(&wave), wave));
        let Some((times, ticks, wave)) = waves.max_by_key(|(times, ticks, _)| times * ticks) else { return Ok(false) };
        let launch = own(&text);
        // The launch takes longer than the rival if this wave takes longer than the bound, and the others their own times.
        let bound = ticks + rival.get().saturating_sub(launch) / times;
        let label = self.label(proof.optimum.program);
        let model = every_order(&label, &ExploredWave { program: &wave, states: 1, events: 1 })?;
        let memory_mib = context.settings.memory_mib.min(LOOKED_MIB);
        let settings = Settings { memory_mib, ..context.settings.clone() };
        let folder = context.folder.join(FOLDER).join("slow/wave-1");
        let mut searcher = ModelChecker::new(model, folder.clone(), settings)?;
        fs::write(folder.join("configuration.txt"), format!("{label}\n")).map_err(SpinError::from)?;
        let found = searcher.find_extreme(Claim::Greatest, bound);
        cost.add(&searcher.cost);
        let slow = match found {
            Ok((Found::Witnesses(ends), _)) => ends.first().map_or(0, |end| end.ticks),
            Ok((Found::None, _)) | Err(SpinError::Stopped(_) | SpinError::Cut(_)) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        searcher.note_extremes(&[(Claim::Greatest, bound)])?;
        searcher.vouch();
        let slow_run = Ticks::from(launch + times * (slow - ticks));
        proof.slow_run = Some(slow_run);
        proof.may_win = proof.challengers.iter().copied().filter(|&(_, own)| own < slow_run).collect();
        proof.undecided.retain(|program| proof.may_win.iter().all(|(other, _)| other != program));
        (proof.verdict, proof.reason) = (OrderVerdict::Some, None);
        Ok(true)
    }
}

/// The fastest program that may win and its time in ticks, if only its own run is known.
fn unexplored_rival(proof: &ScheduleProof) -> Option<(ProgramId, Ticks)> {
    let &(program, ticks) = proof.may_win.first()?;
    proof.others.iter().all(|other| other.program != program).then_some((program, ticks))
}

/// The part of a wave's behaviours that SPIN is to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// The least time.
    Least,
    /// The least and the greatest time.
    Both,
    /// One behaviour that takes the greatest time.
    Slow,
    /// The run of the whole launch in the order of the warps' numbers, which takes this time.
    OwnRun(Ticks),
}

/// One wave to be searched.
struct Task<'a> {
    folder: String,
    label: String,
    program: Program,
    goal: Goal,
    /// The extremes to confirm; `None` with [`Goal::OwnRun`].
    wave: Option<&'a mut WaveProof>,
}

/// SPIN's cost of a wave, and the limit that left it without an answer.
type Searched = (SpinCost, Result<(), String>);

impl Task<'_> {
    fn run(mut self, strategy: Strategy, context: &ProofContext) -> Result<Searched, TuningError> {
        let folder = context.folder.join(&self.folder);
        let model = self.model()?;
        let sha256 = model.sha256();
        let states = self.wave.as_ref().map(|wave| wave.states);
        let mut searcher = ModelChecker::new(model, folder.clone(), context.settings.clone())?;
        fs::write(folder.join("configuration.txt"), format!("{}\n", self.label)).map_err(SpinError::from)?;
        let outcome = match (self.goal, self.wave.take()) {
            (Goal::OwnRun(ticks), _) => self.own_run(&mut searcher, ticks),
            (_, None) => Ok(()),
            (goal, Some(wave)) => {
                wave.sha256 = sha256.1.map(|tables| [sha256.0, tables]);
                if goal == Goal::Slow {
                    self.slow_run(&mut searcher, wave.greatest)
                } else {
                    self.extremes(&mut searcher, wave, strategy)
                }
            }
        };
        let cost = searcher.cost;
        match outcome {
            Ok(()) => {
                searcher.vouch();
                Ok((cost, Ok(())))
            }
            Err(TuningError::Spin(error @ (SpinError::Stopped(_) | SpinError::Cut(_)))) => {
                let states = states.map_or(String::new(), |states| {
                    format!(", which have {} states besides their times", grouped(states))
                });
                Ok((cost, Err(format!("{error} while SPIN searched the orders of {}{states}", self.label))))
            }
            Err(error) => Err(error),
        }
    }

    /// The model of all orders of the wave, or that of the launch in one order.
    fn model(&self) -> Result<Model, ModelError> {
        if let Goal::OwnRun(_) = self.goal {
            let events = evaluate(&self.program, u64::MAX).map_or(u64::MAX, |evaluation| evaluation.stepped);
            let program = &self.program;
            let candidate = Candidate { label: self.label.clone(), program, events, uncut_events: events };
            return generic(Form::Wave, &[candidate]).map(|mut models| models.remove(0));
        }
        let (states, events) = self.wave.as_ref().map_or((1, 1), |wave| (wave.states, wave.events));
        every_order(&self.label, &ExploredWave { program: &self.program, states, events })
    }

    /// Runs all behaviours to their ends, and searches the properties.
    fn extremes(
        &self,
        searcher: &mut ModelChecker,
        wave: &mut WaveProof,
        strategy: Strategy,
    ) -> Result<(), TuningError> {
        let (ends, statistics) = searcher.uncut_ends()?;
        let times = ends.iter().map(|end| end.ticks);
        let (least, greatest) = (times.clone().min(), times.max());
        if !ends.iter().all(|end| end.done) || (least, greatest) != (Some(wave.least), Some(wave.greatest)) {
            let [native, by_spin] = [(Some(wave.least), Some(wave.greatest)), (least, greatest)].map(shown);
            return Err(TuningError::WrongExtremes { configuration: self.label.clone(), native, checked: by_spin });
        }
        let mut sides = vec![(Claim::Least, wave.least)];
        // A wave that takes no time has no run that takes less.
        sides.extend((self.goal == Goal::Both && wave.greatest > 0).then_some((Claim::Greatest, wave.greatest)));
        for &(claim, ticks) in &sides {
            self.extreme(searcher, claim, ticks, strategy)?;
        }
        searcher.note_extremes(&sides)?;
        wave.ends = Some(statistics);
        Ok(())
    }

    /// Has SPIN confirm an extreme, or find it by bisection.
    fn extreme(
        &self,
        searcher: &mut ModelChecker,
        claim: Claim,
        expected: u64,
        strategy: Strategy,
    ) -> Result<(), TuningError> {
        let most = greatest_bound(&self.program);
        let mut side = Side { searcher, claim, most };
        let guess = side.mirrored(expected);
        let found = match strategy {
            Strategy::Guess => confirm_guess(&mut side, Bracket { lower: Ticks::ZERO, upper: guess.into() }),
            Strategy::Bisection | Strategy::BranchAndBound => {
                bisect(&mut side, Bracket { lower: Ticks::ZERO, upper: most.into() })
            }
        };
        let by_spin = match found {
            Ok(witness) if witness.ticks.get() == guess => return Ok(()),
            Ok(witness) => Some(side.mirrored(witness.ticks.get())),
            Err(Unfinished::NoAnswer { error, .. }) => return Err(error),
            Err(Unfinished::Disagreement(found)) => found.found.map(|witness| side.mirrored(witness.ticks.get())),
        };
        let [native, by_spin] = [Some(expected), by_spin].map(|ticks| shown((ticks, ticks)));
        Err(TuningError::WrongExtremes { configuration: self.label.clone(), native, checked: by_spin })
    }

    /// Looks for one behaviour that takes the greatest time.
    fn slow_run(&self, searcher: &mut ModelChecker, greatest: u64) -> Result<(), TuningError> {
        let Some(bound) = greatest.checked_sub(1) else { return Ok(()) };
        match searcher.find_extreme(Claim::Greatest, bound)?.0 {
            Found::Witnesses(ends) if ends.iter().any(|end| end.ticks == greatest) => {
                Ok(searcher.note_extremes(&[(Claim::Greatest, bound)])?)
            }
            _ => Err(self.without(greatest)),
        }
    }

    /// The error where SPIN does not find a time that the native explorer found.
    fn without(&self, ticks: u64) -> TuningError {
        let [native, checked] = [Some(ticks), None].map(|ticks| shown((ticks, ticks)));
        TuningError::WrongExtremes { configuration: self.label.clone(), native, checked }
    }

    /// Runs the launch in the order of the warps' numbers.
    fn own_run(&self, searcher: &mut ModelChecker, ticks: Ticks) -> Result<(), TuningError> {
        match searcher.uncut_ends()?.0[..] {
            [end] if end.done && Ticks::from(end.ticks) == ticks => Ok(searcher.note_extremes(&[])?),
            _ => Err(self.without(ticks.get())),
        }
    }
}

/// The extremes of a wave in words.
fn shown((least, greatest): (Option<u64>, Option<u64>)) -> String {
    match (least, greatest) {
        (Some(least), Some(greatest)) if least == greatest => format!("{least} ticks"),
        (Some(least), Some(greatest)) => format!("{least} to {greatest} ticks"),
        _ => "no time".to_owned(),
    }
}

/// A side of a wave's times as a search for a least time: the greatest times are counted down from a bound of all.
struct Side<'a> {
    searcher: &'a mut ModelChecker,
    claim: Claim,
    /// A bound of the wave's time in every order, in ticks.
    most: u64,
}

impl Side<'_> {
    fn mirrored(&self, ticks: u64) -> u64 {
        if self.claim == Claim::Greatest { self.most.saturating_sub(ticks) } else { ticks }
    }
}

impl Checker for Side<'_> {
    type Error = TuningError;

    fn check(&mut self, probe: Probe) -> Result<BoundCheck, TuningError> {
        let bound = self.mirrored(probe.bound.get());
        match self.searcher.find_extreme(self.claim, bound)?.0 {
            Found::None => Ok(BoundCheck::Holds),
            Found::Witnesses(ends) => {
                let end = ends.first().ok_or(TuningError::NoProof("a counterexample has no trail".to_owned()))?;
                let ticks = self.mirrored(end.ticks).into();
                Ok(BoundCheck::Witness(Witness { candidate: CandidateId::from(0), ticks }))
            }
        }
    }
}
