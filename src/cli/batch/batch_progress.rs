//! The progress of a running batch.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use indicatif::{MultiProgress, ProgressBar};

use super::super::output;
use super::super::progress::{Progress, style};
use super::super::verbosity::{Verbosity, verbosity};
use crate::result::JobReport;
use crate::session::batch::{Job, JobWatcher, Summary, Watcher};
use autotune_engine::proof::Event;

/// The progress bars on a terminal: one for each running job, and one for the batch. Elsewhere a line is printed for
/// each job that has ended.
#[derive(Debug, Default)]
pub(super) struct BatchProgress {
    bars: OnceLock<(MultiProgress, ProgressBar)>,
}

impl Watcher for BatchProgress {
    fn start(&self, ended: usize, all: usize) {
        if verbosity() == Verbosity::Usual && io::stderr().is_terminal() {
            self.bars.get_or_init(|| {
                let bars = MultiProgress::new();
                let bar = bars.add(ProgressBar::new(all as u64));
                bar.set_style(style("{wide_bar} {pos} of {len} jobs, {elapsed}, about {eta} left"));
                bar.set_position(ended as u64);
                bar.reset_eta();
                (bars, bar)
            });
        }
    }

    fn begin(&self, job: &Job) -> Box<dyn JobWatcher> {
        Box::new(match self.bars.get() {
            Some((bars, all)) => Progress::of_job(bars.insert_before(all, ProgressBar::no_length()), &job.label()),
            None => Progress::hidden(),
        })
    }

    fn ended(&self, job: &Job, summary: &Summary, report: &JobReport, ended: usize, all: usize) {
        match self.bars.get() {
            Some((_, bar)) => bar.inc(1),
            None => output::progress(&format!("[{ended}/{all}] {}: {}", job.label(), line(summary, report))),
        }
    }

    fn tell(&self, text: &str) {
        match self.bars.get() {
            Some((bars, _)) => drop(bars.println(text)),
            None => output::progress(text),
        }
    }

    fn stand(&self, text: &str) {
        if let Some((_, all)) = self.bars.get() {
            all.set_style(style("{bar:10} {pos} of {len} jobs, {elapsed}, about {eta} left{wide_msg}"));
            all.set_message(text.to_owned());
        }
    }

    fn end(&self) {
        if let Some((bars, all)) = self.bars.get() {
            all.finish_and_clear();
            let _ = bars.clear();
        }
    }
}

impl JobWatcher for Progress {
    fn show(&self, event: &Event) {
        Self::show(self, event);
    }

    fn end(&self) {
        Self::end(self);
    }
}

fn line(summary: &Summary, report: &JobReport) -> String {
    let words = match &summary.error {
        Some(error) => error.lines().next().unwrap_or_default().to_owned(),
        None => report.in_words(),
    };
    format!("{words} ({:.1} s)", summary.seconds)
}
