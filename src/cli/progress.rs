//! Progress of a long question, on a terminal's standard error only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output;
use super::verbosity::{Verbosity, verbosity};
use crate::render::text::tuning::estimate;
use autotune_base::text::words::{counted, grouped};
use autotune_engine::proof::Event;
use autotune_lowering::space::{Progress as SpaceProgress, Share};

/// The note before Zig's first compilation.
pub(super) const BUILDING_LIBRARY: &str = "the C compiler is Zig's, which builds its C library before its first compilation, \
                                           once: 4 to 35 s of processor time";

/// The line of a step of unknown length.
const PLAIN: &str = "{spinner} {elapsed} {wide_msg}";
/// The line of a step whose share is known.
const SHARE: &str = "{spinner} {elapsed} {bar:20} {percent:>3} % {wide_msg}";

fn target() -> ProgressDrawTarget {
    if verbosity() == Verbosity::Usual { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }
}

/// Returns the style of a template, or the default bar if the template is invalid.
pub(super) fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The words for a step, and the part of it that is done if that is known; `None` for an event that is not a step.
pub(super) fn step(event: &Event) -> Option<(String, Option<Share>)> {
    let (what, share) = match event {
        Event::Space(SpaceProgress::Enumerating(share)) => ("enumerating the space".to_owned(), Some(*share)),
        Event::Space(SpaceProgress::Lowering(share)) => {
            (format!("lowering {} configurations", grouped(share.of)), Some(*share))
        }
        Event::Space(SpaceProgress::Compiling(share)) => {
            (format!("compiling {} configurations", grouped(share.of)), Some(*share))
        }
        Event::Space(SpaceProgress::Evaluating(share)) => {
            (format!("evaluating {} programs natively", grouped(share.of)), Some(*share))
        }
        Event::Modelling(candidates) => (format!("making the model of {candidates} programs"), None),
        Event::Descending => ("running all, each until it is no longer the fastest".to_owned(), None),
        Event::Probing(probe) => {
            let what = format!(
                "optimum in {} .. {} ticks, probe {} of at most {}: is any run over before {}?",
                probe.bracket.lower, probe.bracket.upper, probe.number, probe.most, probe.bound
            );
            (what, None)
        }
        Event::Ends => ("looking for runs that get stuck".to_owned(), None),
        Event::Ties => ("looking for configurations that are as fast".to_owned(), None),
        Event::Exploring { done, of } => {
            (format!("exploring the orders of simultaneous events: {} of {of} configurations", done + 1), None)
        }
        Event::Confirming(waves) => (format!("searching all orders of {}", counted(*waves as u128, "wave")), None),
        Event::Comparing => ("comparing the times of all configurations".to_owned(), None),
        Event::Top(place) => (format!("looking for the {place}. best"), None),
        Event::Estimated(_) | Event::Searched(..) | Event::BuildingLibrary => return None,
    };
    Some((what, share))
}

/// A line that shows the current step. It is hidden if standard error is not a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    /// The beginning of each message: the job's label and a colon, or empty.
    label: String,
    /// True if the expected cost is printed above the line and stays there.
    tells_estimate: bool,
}

impl Progress {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, target());
        bar.set_style(style(PLAIN));
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { bar, label: String::new(), tells_estimate: true }
    }

    /// Returns the line of one of several jobs.
    pub(super) fn of_job(bar: ProgressBar, label: &str) -> Self {
        bar.set_style(style(PLAIN));
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { bar, label: format!("{label}: "), tells_estimate: false }
    }

    /// Returns a line that shows nothing.
    pub(super) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), label: String::new(), tells_estimate: false }
    }

    pub(super) fn show(&self, event: &Event) {
        match event {
            Event::Estimated(cost) if self.tells_estimate => {
                let expected = estimate(cost.events, cost.memory_mib, cost.seconds);
                self.bar.println(format!("expected  {expected}"));
            }
            Event::BuildingLibrary => self.bar.suspend(|| output::note(BUILDING_LIBRARY)),
            Event::Searched(statistics, elapsed) => {
                #[expect(clippy::cast_precision_loss, reason = "a rate for the eye")]
                let rate = statistics.states as f64 / elapsed.as_secs_f64().max(1e-3);
                let before = self.bar.message();
                self.bar.set_message(format!("{before} ({} states, {rate:.0} a second)", statistics.states));
            }
            event => match step(event) {
                Some((what, Some(share))) => self.say_share(&what, share),
                Some((what, None)) => self.say(&what),
                None => {}
            },
        }
    }

    /// Shows that errors and warnings of a spec are looked for, and in which part of the space they were.
    pub(super) fn diagnosing(&self, share: Option<Share>) {
        match share {
            None => self.say("looking for errors and warnings"),
            Some(share) => {
                let what = format!("looking for errors and warnings in {} configurations", grouped(share.of));
                self.say_share(&what, share);
            }
        }
    }

    /// Shows something above the line.
    pub(super) fn above(&self, show: impl FnOnce()) {
        self.bar.suspend(show);
    }

    /// Shows which version of a kernel is predicted, and the part of the versions before it.
    pub(super) fn predicting(&self, what: &str, share: Share) {
        self.say_share(&format!("predicting {} steps: {what}", grouped(share.of)), share);
    }

    /// Shows how many configurations were looked at, of all on this many GPUs.
    pub(super) fn fitting(&self, share: Share, gpus: usize) {
        let of = if gpus == 1 { "one GPU".to_owned() } else { format!("{gpus} GPUs") };
        self.say_share(&format!("looking what fits {of}: {} launches", grouped(share.of)), share);
    }

    /// Shows a step. A line that is too long for the terminal is cut.
    fn say(&self, what: &str) {
        self.bar.set_style(style(PLAIN));
        self.bar.set_message(format!("{}{what}", self.label));
    }

    /// Shows a step and the part of it that is done.
    fn say_share(&self, what: &str, share: Share) {
        self.bar.set_style(style(SHARE));
        self.bar.set_length(100);
        self.bar.set_position(u64::try_from(share.percent()).unwrap_or(100));
        self.bar.set_message(format!("{}{what}", self.label));
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
