//! How far the jobs of a batch are, and what is shown of it meanwhile.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::{MultiProgress, ProgressBar};

use super::super::output;
use super::super::progress::{Progress, style};
use super::super::voice::{Voice, voice};
use crate::report::{self, JobReport};
use crate::session::batch::{Essence, Job, JournalLine, Summary};

/// How far a job is.
#[derive(Debug, Clone)]
pub(super) enum State {
    Waiting,
    Stopped(Option<Essence>),
    Ended(Summary, JournalLine),
}

/// How far all jobs are. On a terminal there is a bar for each that runs, and one for all; elsewhere a line for each that has ended.
#[derive(Debug)]
pub(super) struct Board {
    states: Mutex<Vec<State>>,
    bars: Option<(MultiProgress, ProgressBar)>,
}

impl Board {
    pub(super) fn new(states: Vec<State>) -> Self {
        let bars = (voice() == Voice::Usual && io::stderr().is_terminal()).then(|| {
            let bars = MultiProgress::new();
            let all = bars.add(ProgressBar::new(states.len() as u64));
            all.set_style(style("{wide_bar} {pos} of {len} jobs, {elapsed}, about {eta} left"));
            all.set_position(states.iter().filter(|state| matches!(state, State::Ended(..))).count() as u64);
            all.reset_eta();
            (bars, all)
        });
        Self { states: Mutex::new(states), bars }
    }

    /// The progress of a job that begins.
    pub(super) fn begin(&self, job: &Job) -> Progress {
        match &self.bars {
            Some((bars, all)) => Progress::of_job(bars.insert_before(all, ProgressBar::no_length()), &job.label()),
            None => Progress::hidden(),
        }
    }

    /// Sets how far a job is.
    pub(super) fn set(&self, number: usize, job: &Job, state: State) {
        let mut states = self.states();
        if let State::Ended(summary, _) = &state {
            let ended = states.iter().filter(|state| matches!(state, State::Ended(..))).count() + 1;
            match &self.bars {
                Some((_, all)) => all.inc(1),
                None => {
                    output::progress(&format!("[{ended}/{}] {}: {}", states.len(), job.label(), line(job, summary)));
                }
            }
        }
        states[number] = state;
    }

    /// Tells something in a line of its own.
    pub(super) fn tell(&self, text: &str) {
        match &self.bars {
            Some((bars, _)) => drop(bars.println(text)),
            None => output::progress(text),
        }
    }

    /// Shows beside the bar of all jobs how they stand.
    pub(super) fn stand(&self, text: &str) {
        if let Some((_, all)) = &self.bars {
            all.set_style(style("{bar:10} {pos} of {len} jobs, {elapsed}, about {eta} left{wide_msg}"));
            all.set_message(text.to_owned());
        }
    }

    pub(super) fn end(&self) {
        if let Some((bars, all)) = &self.bars {
            all.finish_and_clear();
            let _ = bars.clear();
        }
    }

    /// The journal's lines of all jobs, if all have ended.
    pub(super) fn lines(&self) -> Option<Vec<JournalLine>> {
        let states = self.states();
        states.iter().map(|state| if let State::Ended(_, line) = state { Some(*line) } else { None }).collect()
    }

    /// What is known of each job.
    pub(super) fn reports(&self, jobs: &[Job]) -> Vec<JobReport> {
        self.states().iter().zip(jobs).map(|(state, job)| report(job, state)).collect()
    }

    pub(super) fn states(&self) -> MutexGuard<'_, Vec<State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn line(job: &Job, summary: &Summary) -> String {
    let words = match &summary.error {
        Some(error) => error.lines().next().unwrap_or_default().to_owned(),
        None => report(job, &State::Ended(summary.clone(), JournalLine { start: 0, length: 0 })).in_words(),
    };
    format!("{words} ({:.1} s)", summary.seconds)
}

fn report(job: &Job, state: &State) -> JobReport {
    let (progress, summary, essence) = match state {
        State::Waiting => (report::Progress::Waiting, None, None),
        State::Stopped(essence) => (report::Progress::Stopped, None, essence.as_ref()),
        State::Ended(summary, _) => (report::Progress::Ended, Some(summary), summary.result.as_ref()),
    };
    JobReport {
        spec: job.spec.clone(),
        gpu: job.gpu.clone(),
        set: job.sizes(),
        progress,
        status: summary.map(|summary| summary.status),
        verdict: essence.map(|essence| essence.verdict),
        optimum: essence.and_then(|essence| essence.optimum.clone()),
        near: essence.and_then(|essence| essence.near.clone()),
        warnings: essence.map_or_else(Vec::new, |essence| essence.warnings.clone()),
        interval: essence.and_then(|essence| essence.interval.clone()),
        error: summary.and_then(|summary| summary.error.clone()),
        help: summary.and_then(|summary| summary.help.clone()),
        seconds: summary.map(|summary| summary.seconds),
    }
}
