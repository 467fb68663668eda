//! The progress of a measurement: a line for each run, and on a terminal a bar with the best so far.

use std::sync::OnceLock;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget};

use super::super::output;
use super::super::progress::style;
use super::super::verbosity::{Verbosity, verbosity};
use crate::campaign::{Campaign, MeasureState, MeasureWatcher};
use crate::render::text::measurement::{header, row};
use crate::render::text::suggestion::number;
use crate::result::{MeasuredRunReport, values};
use crate::session::Inputs;
use autotune_base::text::words::label;
use autotune_lowering::spec::{Configuration, Spec};

/// The display of a measurement.
pub(super) struct MeasureProgress {
    bar: ProgressBar,
    /// The spec, and the width of the longest configuration; set when the space is ranked.
    of: OnceLock<(Spec, usize)>,
}

impl MeasureProgress {
    /// A display of this many configurations.
    pub(super) fn new(configurations: usize) -> Self {
        let target =
            if verbosity() == Verbosity::Usual { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(configurations as u64), target);
        bar.set_style(style("{spinner} {elapsed} {bar:20} {pos}/{len} {prefix}{wide_msg}"));
        Self { bar, of: OnceLock::new() }
    }

    /// Shows the header of the table of runs.
    pub(super) fn begin(&self, inputs: &Inputs, campaign: &Campaign) {
        let spec = &inputs.spec;
        let labels = campaign.space.ranked().map(|(configuration, _)| label(&values(spec, configuration)).len());
        let width = labels.max().unwrap_or_default().max("configuration".len());
        self.of.get_or_init(|| (spec.clone(), width));
        self.line(&header(width, inputs.profile.microseconds(1).is_none()));
        self.bar.enable_steady_tick(Duration::from_millis(100));
        self.bar.set_position(campaign.state.suggested() as u64);
    }

    /// Removes the bar.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Shows a line above the bar.
    fn line(&self, text: &str) {
        self.bar.suspend(|| output::progress(text));
    }
}

impl MeasureWatcher for MeasureProgress {
    fn step(&self, step: &str, configurations: &[&Configuration]) {
        let Some((spec, _)) = self.of.get() else { return };
        let labels: Vec<String> = configurations.iter().map(|one| label(&values(spec, one))).collect();
        self.bar.set_message(format!("{step} {}", labels.join("; ")));
    }

    fn ended(&self, run: &MeasuredRunReport, state: &MeasureState) {
        let best = state.repeated().best().map(|best| best.time);
        let width = self.of.get().map_or(0, |(_, width)| *width);
        self.line(&row(run, best, width));
        self.bar.set_position(state.suggested() as u64);
        if best.is_some() {
            self.bar.set_prefix(format!("best {} ms, ", number(best)));
        }
    }
    fn doubtful(&self, run: usize, time: f64, wall: f64) {
        let [time, wall] = [time, wall].map(|time| number(Some(time)));
        let warning = format!("warning: run {run} prints a time of {time} ms, but its command took {wall} ms in all");
        self.bar.suspend(|| output::warning(&warning, UNIT));
    }
}

const UNIT: &str = "`--unit` states the unit of a time without one, `--time-pattern` which number is the time";
