//! The section of the optimum's wave, warp by warp.

mod draw;
mod kinds;
mod window;

use std::fmt::Write;

use serde::Serialize;

use super::counted;
use crate::render::html::timeline::kinds::{Kind, kind};
use autotune_base::text::words::grouped;
use autotune_engine::explain::PicturedWave;
use autotune_machine::machine::{Gap, Timeline, Totals, Waves};
use window::Window;

/// The number of warps in the first picture; the picture of all lanes opens on demand.
const FEW: usize = 4;

/// The data of the section.
#[derive(Default, Serialize)]
pub(super) struct Section {
    waves: String,
    /// The first warps; `None` if the wave is not drawn.
    picture: Option<String>,
    summary: String,
    /// All lanes; `None` if the first picture has them all.
    all: Option<String>,
    all_summary: String,
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
    pub(super) fn new(wave: &PicturedWave) -> Self {
        let Some(timeline) = &wave.timeline else {
            let waves = format!("Not drawn: the wave takes more than {} events.", grouped(wave.most_events));
            return Self::words(waves);
        };
        let window = Window::of(timeline);
        let shown: Vec<&Gap> = timeline.gaps.iter().filter(|gap| window.shows(gap.at)).collect();
        Self {
            picture: Some(draw::svg("wave", timeline, &window, FEW, wave.warps_per_group)),
            summary: summary(timeline, &window),
            all: (timeline.lanes.len() > FEW)
                .then(|| draw::svg("whole-wave", timeline, &window, timeline.lanes.len(), wave.warps_per_group)),
            all_summary: first(timeline.lanes.len() as u64, timeline.warps),
            ticks: grouped(timeline.waves.ticks),
            kinds: timeline.activities().map(kind).collect(),
            gaps: shown.iter().enumerate().map(|(index, gap)| skipped(index + 1, gap)).chain(cut(&window)).collect(),
            lanes: lanes(timeline, wave.warps_per_group),
            ..Self::words(sum(timeline.waves))
        }
    }

    fn words(waves: String) -> Self {
        Self { waves, ..Self::default() }
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
    let shown = timeline.lanes.len().min(FEW) as u64;
    let mut summary = match timeline.warps {
        all if all == shown => format!("One wave, {}.", counted(all, "warp")),
        all => format!("One wave: {}.", first(shown, all)),
    };
    if !timeline.gaps.is_empty() || window.is_cut() {
        summary += " Where it is broken, time is left out; the numbers below say how much.";
    }
    summary
}

fn first(shown: u64, all: u64) -> String {
    match all {
        _ if all == shown => format!("all {} warps", grouped(all)),
        _ => format!("the first {} of its {} warps", grouped(shown), grouped(all)),
    }
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
            totals: timeline
                .activities()
                .map(|activity| totals[activity as usize])
                .chain([done])
                .map(grouped)
                .collect(),
        }
    };
    timeline.totals.iter().enumerate().map(lane).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_machine::machine::{Program, Server, Statement, timeline};

    fn section(groups: u64) -> Section {
        let program = Program {
            multiprocessors: 1,
            dispatchers: 1,
            groups,
            resident_groups: groups,
            warps_per_group: 1,
            passes: 1,
            launch: 0,
            body: vec![Statement::Use { server: Server::Memory, occupancy: 10, latency: 100 }],
        };
        let timeline = timeline(&program, 6, 1000).ok();
        Section::new(&PicturedWave { timeline, most_events: 1000, warps_per_group: 1 })
    }

    #[test]
    fn a_few_warps_are_drawn_and_the_others_on_demand() {
        let lanes = |picture: &Option<String>| picture.as_ref().map(|picture| picture.matches(">warp ").count());
        let [few, all, cut] = [4, 6, 9].map(section);
        assert_eq!([&few, &all, &cut].map(|section| lanes(&section.picture)), [Some(4); 3]);
        assert_eq!([&few, &all, &cut].map(|section| lanes(&section.all)), [None, Some(6), Some(6)]);
        assert_eq!(few.summary, "One wave, 4 warps.");
        assert_eq!((&*all.summary, &*all.all_summary), ("One wave: the first 4 of its 6 warps.", "all 6 warps"));
        assert_eq!(
            (&*cut.summary, &*cut.all_summary),
            ("One wave: the first 4 of its 9 warps.", "the first 6 of its 9 warps")
        );
    }
}
