//! The section of the optimum's wave, warp by warp.

mod draw;
mod kinds;
mod window;

use std::fmt::Write;

use serde::Serialize;

use super::counted;
use crate::render::html::timeline::kinds::{Kind, kind};
use crate::result::{Activity, Gap, Timeline, Totals, WaveReport, Waves};
use crate::text::words::grouped;
use window::Window;

/// The data of the section.
#[derive(Serialize)]
pub(super) struct Section {
    waves: String,
    picture: Option<String>,
    summary: String,
    ticks: String,
    kinds: Vec<Kind>,
    gaps: Vec<String>,
    lanes: Vec<Lane>,
}

#[derive(Serialize)]
struct Lane {
    warp: usize,
    group: u64,
    totals: Vec<String>,
}

impl Section {
    pub(super) fn new(wave: &WaveReport) -> Self {
        let Some(timeline) = &wave.timeline else {
            let waves = format!("Not drawn: the wave takes more than {} events.", grouped(wave.most_events));
            return Self::words(waves);
        };
        let window = Window::of(timeline);
        let shown: Vec<&Gap> = timeline.gaps.iter().filter(|gap| window.shows(gap.at)).collect();
        Self {
            picture: Some(draw::svg(timeline, &window, wave.warps_per_group)),
            summary: summary(timeline, &window),
            ticks: grouped(timeline.waves.ticks),
            kinds: Activity::ALL.into_iter().map(kind).collect(),
            gaps: shown.iter().enumerate().map(|(index, gap)| skipped(index + 1, gap)).chain(cut(&window)).collect(),
            lanes: lanes(timeline, wave.warps_per_group),
            ..Self::words(sum(timeline.waves))
        }
    }

    fn words(waves: String) -> Self {
        let (summary, ticks) = (String::new(), String::new());
        Self { waves, picture: None, summary, ticks, kinds: Vec::new(), gaps: Vec::new(), lanes: Vec::new() }
    }
}

/// A sentence that adds up the optimum's time from the launch and the waves.
fn sum(waves: Waves) -> String {
    let Waves { launch, passes, full, ticks, groups, rest, rest_groups } = waves;
    let each = if full == 1 { "" } else { " each" };
    let mut text = format!(
        "The most loaded multiprocessor runs {} of {}, {} ticks{each}",
        counted(full, "wave"),
        counted(groups, "work group"),
        grouped(ticks)
    );
    if rest_groups > 0 {
        let _ = write!(text, ", then one of {}, {} ticks", counted(rest_groups, "work group"), grouped(rest));
    }
    if passes > 1 {
        let _ = write!(text, ", all this {} times", grouped(passes));
    }
    let (launch, all) = (grouped(launch), grouped(waves.total()));
    let _ = write!(text, "; before them the launch takes {launch} ticks. Together: {all} ticks.");
    text
}

fn summary(timeline: &Timeline, window: &Window) -> String {
    let shown = timeline.lanes.len() as u64;
    let mut summary = match timeline.warps {
        all if all == shown => format!("One wave, {}.", counted(all, "warp")),
        all => format!("One wave: the first {} of its {} warps.", grouped(shown), grouped(all)),
    };
    if !timeline.gaps.is_empty() || window.is_cut() {
        summary += " Where it is broken, time is left out; the numbers below say how much.";
    }
    summary
}

fn skipped(number: usize, gap: &Gap) -> String {
    format!(
        "{number}: the wave repeats itself; left out: {} of {} ticks, {} ticks in all.",
        counted(gap.periods, "more period"),
        grouped(gap.period),
        grouped(gap.ticks())
    )
}

fn cut(window: &Window) -> Option<String> {
    window.is_cut().then(|| {
        let periods = match window.hidden_gaps {
            0 => String::new(),
            gaps => format!(", {} of repeated periods among them", counted(gaps as u64, "gap")),
        };
        format!("…: the middle is too much to draw; left out: {} ticks{periods}.", grouped(window.hidden_ticks))
    })
}

fn lanes(timeline: &Timeline, warps_per_group: u64) -> Vec<Lane> {
    let lane = |(warp, totals): (usize, &Totals)| {
        let done = timeline.waves.ticks - totals.iter().sum::<u64>();
        Lane {
            warp,
            group: warp as u64 / warps_per_group,
            totals: totals.iter().copied().chain([done]).map(grouped).collect(),
        }
    };
    timeline.totals.iter().enumerate().map(lane).collect()
}
