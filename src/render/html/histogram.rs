//! The section of the times: a histogram of all configurations whose time is known, near ties marked.

use std::fmt::Write;

use serde::Serialize;
use tera::Context;

use super::picture::{labelled, words};
use super::{counted, quotient, render};
use crate::result::Verdict;
use autotune_base::text::words::grouped;
use autotune_base::ticks::Ticks;
use autotune_engine::explain::histogram::{Bin, Histogram};
use autotune_engine::explain::landscape::Landscape;

/// Pixels above the bars (`ABOVE`), of the highest bar (`HEIGHT`), and below the bars (`BELOW`).
const ABOVE: u64 = 14;
const HEIGHT: u64 = 190;
const BELOW: u64 = 42;
/// The least height in pixels of a part of a bar whose count is not 0.
const LEAST: u64 = 2;
/// The most marks of an axis; the axis of times can have one more.
const MARKS: usize = 6;
/// The CSS classes of the parts of a bar, and their names in the legend.
const CLASSES: [(&str, &str); 3] = [("near-1", "within 1 %"), ("near-2", "1 to 2 %"), ("slower", "slower")];

/// The data of the section.
#[derive(Serialize)]
pub(super) struct Times {
    summary: String,
    picture: String,
    /// The marks of the axis of counts, as an SVG beside the picture.
    scale: String,
    legend: Vec<Kind>,
    relative: &'static str,
    rows: Vec<Row>,
    total: Vec<String>,
}

#[derive(Serialize)]
struct Kind {
    class: &'static str,
    name: &'static str,
    count: String,
}

/// The counts of one range of times.
#[derive(Serialize)]
struct Row {
    from: String,
    to: String,
    relative: String,
    counts: Vec<String>,
}

/// A part of a bar: `x` and `width` in percent of the picture's width, `y` and `height` in pixels.
#[derive(Serialize)]
struct Bar {
    class: &'static str,
    count: usize,
    x: String,
    width: String,
    y: u64,
    height: u64,
    title: String,
}

#[derive(Serialize)]
struct Mark {
    at: String,
    text: String,
    anchor: &'static str,
}

/// A mark of the axis of counts.
#[derive(Serialize)]
struct Level {
    y: u64,
    text: String,
}

impl Times {
    pub(super) fn new(histogram: &Histogram, landscape: &Landscape, verdict: Verdict) -> Self {
        let counts = histogram.counts();
        let best = if verdict == Verdict::Proved { "optimum" } else { "best known" };
        let legend = CLASSES.iter().zip(counts).map(|(&(class, name), count)| Kind {
            class,
            name,
            count: grouped(count as u64),
        });
        let shown = histogram.bins.iter().filter(|bin| bin.counts != [0; 3]);
        let rows = shown.map(|bin| row(bin, histogram.best));
        Self {
            summary: summary(histogram, landscape),
            picture: picture(histogram, best),
            scale: scale(histogram),
            legend: legend.collect(),
            relative: best,
            rows: rows.collect(),
            total: counts.iter().map(|count| grouped(*count as u64)).collect(),
        }
    }
}

/// Sentences about the numbers of configurations that are shown, that have no time, and that are drawn at random.
fn summary(histogram: &Histogram, landscape: &Landscape) -> String {
    let shown = histogram.counted() as u64;
    let can_run = counted(shown + histogram.without_time as u64, "configuration");
    let mut summary = format!("{} of {can_run} that can run, each evaluated natively or proved.", grouped(shown));
    if histogram.without_time > 0 {
        let _ = write!(
            summary,
            " The others are not shown: {} without such a time.",
            grouped(histogram.without_time as u64)
        );
    }
    if landscape.drawn > 0 {
        let (all, size) = (landscape.points.len() as u64, counted(landscape.size, "configuration"));
        let drawn = grouped(landscape.drawn as u64);
        let _ = write!(
            summary,
            " They are among {} of the space's {size}, of which {drawn} are drawn at random.",
            grouped(all)
        );
    }
    summary
}

fn row(bin: &Bin, best: Ticks) -> Row {
    Row {
        from: grouped(bin.from),
        to: grouped(last(bin)),
        relative: relative(bin, best),
        counts: bin.counts.iter().map(|count| grouped(*count as u64)).collect(),
    }
}

/// The greatest time of a range, in ticks.
fn last(bin: &Bin) -> Ticks {
    Ticks::new(bin.to.get().saturating_sub(1)).max(bin.from)
}

fn relative(bin: &Bin, best: Ticks) -> String {
    format!("{:.2} to {:.2}", quotient(bin.from, best), quotient(last(bin), best))
}

fn picture(histogram: &Histogram, best: &str) -> String {
    let highest = highest(histogram);
    let description = "Configurations by their time, a bar for each range. The table below has the same counts.";
    let mut context = Context::new();
    context.insert("attributes", &labelled("histogram"));
    context.insert("words", &words("histogram", "How many configurations take how long", description));
    context.insert("height", &(ABOVE + HEIGHT + BELOW));
    context.insert("bottom", &(ABOVE + HEIGHT));
    context.insert("levels", &levels(highest));
    let bins = histogram.bins.iter().enumerate();
    context.insert("bars", &bins.flat_map(|(place, bin)| bars(histogram, place, bin, highest)).collect::<Vec<_>>());
    context.insert("marks", &marks(histogram));
    context.insert("label", &format!("time / {best}"));
    render("report/times.svg", context)
}

/// Returns the marks of the axis of counts as an SVG. Their size is fixed, while the picture's width follows the page.
fn scale(histogram: &Histogram) -> String {
    let mut context = Context::new();
    context.insert("levels", &levels(highest(histogram)));
    context.insert("height", &(ABOVE + HEIGHT + BELOW));
    render("report/times_scale.svg", context)
}

fn highest(histogram: &Histogram) -> usize {
    histogram.bins.iter().map(|bin| bin.counts.iter().sum()).max().unwrap_or(1).max(1)
}

/// Returns the parts of a range's bar, from the foot: within 1 %, within 2 %, slower.
fn bars(histogram: &Histogram, place: usize, bin: &Bin, highest: usize) -> Vec<Bar> {
    let width = 100.0 / real(histogram.bins.len());
    let mut foot = ABOVE + HEIGHT;
    let parts = CLASSES.iter().zip(bin.counts).filter(|(_, count)| *count > 0);
    let bar = |(&(class, name), count): (&(&'static str, &str), usize)| {
        let height = (HEIGHT * count as u64 / highest as u64).max(LEAST);
        foot = foot.saturating_sub(height);
        let (counted, relative) = (counted(count as u64, "configuration"), relative(bin, histogram.best));
        Bar {
            class,
            count,
            x: percent(width * (real(place) + 0.06)),
            width: percent(width * 0.88),
            y: foot,
            height,
            title: format!("{relative} times the least time: {counted} {name}"),
        }
    };
    parts.map(bar).collect()
}

/// Returns marks at multiples of 1, 2 or 5 times a power of ten.
fn levels(highest: usize) -> Vec<Level> {
    let steps = (0..).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_usize.saturating_pow(zeros)));
    let step = steps.into_iter().find(|step| highest / step < MARKS).unwrap_or(highest);
    let level = |count: usize| Level {
        y: ABOVE + HEIGHT - HEIGHT * count as u64 / highest as u64,
        text: grouped(count as u64),
    };
    (0..=highest).step_by(step).map(level).collect()
}

/// Returns the marks of the axis of times, as factors of the least time: powers of 2 if the times span a factor of 4
/// or more, else round steps.
fn marks(histogram: &Histogram) -> Vec<Mark> {
    let doublings = real(histogram.bins.len()) / f64::from(histogram.per_doubling);
    let factors: Vec<(f64, String)> = if doublings >= 2.0 {
        let step = (1..64).find(|step| doublings / f64::from(*step) < real(MARKS + 1)).unwrap_or(1);
        let powers = (0..64).step_by(usize::try_from(step).unwrap_or(1));
        powers.map(|power| (f64::from(power), format!("{}×", 1_u64 << power))).collect()
    } else {
        let most = doublings.exp2() - 1.0;
        let steps = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
        let step = steps.into_iter().find(|step| most / step < real(MARKS)).unwrap_or(1.0);
        let digits = if step < 0.001 {
            4
        } else if step < 0.01 {
            3
        } else {
            2
        };
        let factors = (0..MARKS).map(|number| 1.0 + step * real(number));
        factors.map(|factor| (factor.log2(), format!("{factor:.digits$}×"))).collect()
    };
    let shown = factors.into_iter().filter(|(power, _)| *power <= doublings);
    let mark = |(power, text): (f64, String)| {
        let anchor = match power / doublings {
            left if left < 0.02 => "start",
            right if right > 0.97 => "end",
            _ => "middle",
        };
        Mark { at: percent(100.0 * power / doublings), text, anchor }
    };
    shown.map(mark).collect()
}

/// Returns a place in percent, with two decimals.
fn percent(place: f64) -> String {
    format!("{place:.2}%")
}

#[expect(clippy::cast_precision_loss, reason = "places in a picture")]
fn real(count: usize) -> f64 {
    count as f64
}
