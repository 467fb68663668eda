//! A timeline as SVG. It is drawn here, since no library draws a broken axis.
//!
//! The axis consists of pieces. A piece is a range of drawn ticks without a break. Between two pieces is a break of a
//! fixed width.

use std::fmt::Write;

use serde::Serialize;
use tera::Context;

use super::super::picture::{labelled, words};
use super::super::render;
use super::kinds::kind;
use super::window::Window;
use autotune_base::text::words::grouped;
use autotune_machine::machine::{Activity, Span, Timeline};

/// Pixels: the picture's width, the margins left of, right of, above and below the lanes, the width of a break, and
/// the space between groups.
const WIDTH: u64 = 1080;
const LEFT: u64 = 64;
const RIGHT: u64 = 16;
const TOP: u64 = 24;
const BELOW: u64 = 28;
const BREAK: u64 = 22;
const APART: u64 = 5;
/// Pixels from one lane to the next (`LANE`), and the most pixels of a bar's height (`BAR`).
const LANE: u64 = 15;
const BAR: u64 = 12;
/// Pixels of the axis for each mark.
const MARK: u64 = 110;
/// Places are rounded to tenths of a pixel.
const TENTH: f64 = 10.0;

/// A part of the axis without a break.
struct Piece {
    /// The range of drawn ticks, from `begin` to `end`.
    begin: u64,
    end: u64,
    /// The tick of the wave at `begin`.
    tick: u64,
    /// Pixels from the picture's left edge to the piece's left end.
    x: f64,
}

/// The mark between two pieces.
#[derive(Serialize)]
struct Break {
    x: f64,
    width: u64,
    middle: f64,
    y: u64,
    label: String,
}

#[derive(Serialize)]
struct Mark {
    x: f64,
    text: String,
    anchor: &'static str,
}

#[derive(Serialize)]
struct Label {
    x: u64,
    y: u64,
    text: String,
}

#[derive(Serialize)]
struct Kind {
    class: &'static str,
    path: String,
}

struct Axis {
    pieces: Vec<Piece>,
    breaks: Vec<Break>,
    /// Pixels per drawn tick.
    scale: f64,
}

/// Returns the picture of a timeline's first `shown` lanes as SVG; `name` begins its elements' names.
pub(super) fn svg(name: &str, timeline: &Timeline, window: &Window, shown: usize, warps_per_group: u64) -> String {
    let drawn = &timeline.lanes[..shown.min(timeline.lanes.len())];
    let axis = Axis::of(timeline, window, drawn);
    let top = |lane: usize| TOP + lane as u64 * LANE + lane as u64 / warps_per_group * APART;
    let bottom = top(drawn.len().saturating_sub(1)) + LANE + 2;
    let label = |lane: usize| Label { x: LEFT - 8, y: top(lane) + 10, text: format!("warp {lane}") };
    let kinds = timeline.activities().map(|activity| {
        let lanes = drawn.iter().enumerate();
        let path = lanes.fold(String::new(), |path, (lane, spans)| path + &axis.path(spans, activity, top(lane)));
        Kind { class: kind(activity).class, path }
    });
    let mut context = Context::new();
    context.insert("attributes", &labelled(name));
    context.insert(
        "words",
        &words(name, "Timeline of the optimum's wave", "The table below has each warp's sums in ticks."),
    );
    context.insert("width", &WIDTH);
    context.insert("height", &(bottom + BELOW));
    context.insert("top", &(TOP - 4));
    context.insert("bottom", &bottom);
    context.insert("holes", &axis.breaks);
    context.insert("kinds", &kinds.collect::<Vec<_>>());
    context.insert("labels", &(0..drawn.len()).map(label).collect::<Vec<_>>());
    context.insert("axis", &axis.line(bottom));
    context.insert("marks", &axis.marks());
    render("report/timeline.svg", context)
}

impl Axis {
    /// Returns the axis of these lanes, which ends where the last of them does.
    fn of(timeline: &Timeline, window: &Window, lanes: &[Vec<Span>]) -> Self {
        let end = lanes.iter().flatten().map(|span| span.end).max().unwrap_or(timeline.drawn);
        let end = if window.is_cut() && window.head < end && end <= window.tail { window.head } else { end };
        // The breaks of the axis, each as the last drawn tick before it, the first after it, the ticks left out, and a
        // label.
        let shown = timeline.gaps.iter().filter(|gap| window.shows(gap.at)).enumerate();
        let mut holes: Vec<(u64, u64, u64, String)> =
            shown.map(|(index, gap)| (gap.at, gap.at, gap.ticks(), (index + 1).to_string())).collect();
        if window.is_cut() {
            holes.push((window.head, window.tail, window.hidden_ticks, "…".to_owned()));
            holes.sort_by_key(|hole| hole.0);
        }
        holes.retain(|(before, ..)| *before < end);
        let drawn = end - holes.iter().map(|(before, behind, ..)| behind - before).sum::<u64>();
        let pixels = WIDTH - LEFT - RIGHT - BREAK * holes.len() as u64;
        let scale = real(pixels) / real(drawn.max(1));
        let mut axis = Self { pieces: Vec::new(), breaks: Vec::new(), scale };
        let (mut begin, mut tick, mut x) = (0, 0, real(LEFT));
        for (end, next, ticks, label) in holes {
            axis.pieces.push(Piece { begin, end, tick, x });
            x += real(end - begin) * scale;
            axis.breaks.push(Break { x: tenth(x), width: BREAK, middle: tenth(x + 11.0), y: TOP - 9, label });
            tick += end - begin + ticks;
            (begin, x) = (next, x + real(BREAK));
        }
        axis.pieces.push(Piece { begin, end, tick, x });
        axis
    }

    /// Returns the bars of a lane's spans of one kind, as the data of an SVG path.
    fn path(&self, spans: &[Span], activity: Activity, top: u64) -> String {
        let height = u64::from(kind(activity).height);
        let y = top + (BAR - height) / 2;
        let mut path = String::new();
        for span in spans.iter().filter(|span| span.activity == activity) {
            for piece in self.pieces.iter().filter(|piece| span.begin < piece.end && span.end > piece.begin) {
                let [left, right] =
                    [span.begin.max(piece.begin), span.end.min(piece.end)].map(|at| self.place(piece, at));
                let width = tenth(right - left);
                let _ = write!(path, "M{left} {y}h{width}v{height}h-{width}z");
            }
        }
        path
    }

    fn place(&self, piece: &Piece, at: u64) -> f64 {
        tenth(piece.x + real(at - piece.begin) * self.scale)
    }

    /// Returns the line below the lanes, without the breaks, as the data of an SVG path.
    fn line(&self, y: u64) -> String {
        let line = |piece: &Piece| format!("M{} {y}H{}", tenth(piece.x), self.place(piece, piece.end));
        self.pieces.iter().map(line).collect()
    }

    /// Returns marks at round ticks and at the end, at least 0.8 `MARK` pixels apart.
    fn marks(&self) -> Vec<Mark> {
        let mut marks: Vec<Mark> = Vec::new();
        for piece in &self.pieces {
            let most = real(piece.end - piece.begin) * self.scale / real(MARK);
            let step = round_up(real(piece.end - piece.begin) / most.max(1.0));
            let last = piece.tick + (piece.end - piece.begin);
            let mut tick = piece.tick.div_ceil(step) * step;
            while tick <= last {
                let x = self.place(piece, piece.begin + (tick - piece.tick));
                if marks.last().is_none_or(|before| x - before.x >= real(MARK) * 0.8) {
                    marks.push(Mark { x, text: grouped(tick), anchor: "middle" });
                }
                tick += step;
            }
        }
        if let Some(last) = self.pieces.last() {
            let x = self.place(last, last.end);
            // Its text ends at the mark.
            marks.retain(|mark| x - mark.x >= real(MARK));
            marks.push(Mark { x, text: grouped(last.tick + last.end - last.begin), anchor: "end" });
        }
        marks
    }
}

/// Returns the least of 1, 2, 5, 10, 20, … that is at least `step`.
fn round_up(step: f64) -> u64 {
    let mut decade: u64 = 1;
    loop {
        for digit in [1, 2, 5] {
            if real(digit * decade) >= step {
                return digit * decade;
            }
        }
        decade *= 10;
    }
}

fn tenth(pixels: f64) -> f64 {
    (pixels * TENTH).round() / TENTH
}

#[expect(clippy::cast_precision_loss, reason = "places in a picture")]
fn real(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_machine::machine::{Program, Server, Statement, timeline};

    fn axis() -> (Axis, Timeline) {
        let memory = Statement::Use { server: Server::Memory, occupancy: 10, latency: 100 };
        let program = Program {
            multiprocessors: 1,
            dispatchers: 1,
            groups: 2,
            resident_groups: 2,
            warps_per_group: 1,
            passes: 1,
            launch: 0,
            body: vec![Statement::Loop { count: 100, body: vec![memory] }],
        };
        let timeline = timeline(&program, 2, 1000).unwrap();
        (Axis::of(&timeline, &Window::of(&timeline), &timeline.lanes), timeline)
    }

    #[test]
    fn every_tick_is_in_a_piece_or_in_a_break() {
        let (axis, timeline) = axis();
        assert_eq!((axis.pieces.len(), axis.breaks.len(), timeline.gaps.len()), (2, 1, 1));
        let [before, behind] = [&axis.pieces[0], &axis.pieces[1]];
        assert_eq!((before.begin, before.tick, before.end), (0, 0, behind.begin));
        assert_eq!(behind.tick, before.end + timeline.gaps[0].ticks());
        assert_eq!(behind.tick + behind.end - behind.begin, timeline.waves.ticks);
        let end = axis.place(behind, behind.end);
        assert!((end - real(WIDTH - RIGHT)).abs() < 0.1, "{end}");
    }

    #[test]
    fn the_axis_ends_where_the_drawn_lanes_do() {
        let (_, timeline) = axis();
        let first: Vec<Span> = timeline.lanes[0][..3].to_vec();
        let end = first[2].end;
        let axis = Axis::of(&timeline, &Window::of(&timeline), &[first]);
        assert_eq!((axis.pieces.len(), axis.breaks.len(), axis.pieces[0].end), (1, 0, end));
        assert_eq!(axis.marks().last().unwrap().text, grouped(end));
        assert_eq!(axis.line(7), format!("M{LEFT} 7H{}", WIDTH - RIGHT));
    }

    #[test]
    fn marks_are_round_ticks_at_their_places() {
        let (axis, timeline) = axis();
        let marks = axis.marks();
        assert_eq!(marks[0].text, "0");
        let (end, round) = marks.split_last().unwrap();
        assert!(round.iter().all(|mark| mark.text.ends_with('0')) && marks.len() > 4);
        assert!(marks.windows(2).all(|two| two[0].x + 80.0 < two[1].x));
        assert_eq!((end.x, &end.text), (real(WIDTH - RIGHT), &grouped(timeline.waves.ticks)));
        assert_eq!([0.3, 1.0, 1.1, 3.0, 7.0, 1234.0].map(round_up), [1, 1, 2, 5, 10, 2000]);
    }

    #[test]
    fn a_span_across_a_break_has_a_bar_on_both_sides() {
        let (axis, timeline) = axis();
        let at = timeline.gaps[0].at;
        let span = Span { begin: at - 5, end: at + 5, activity: Activity::Memory };
        let path = axis.path(&[span], Activity::Memory, 0);
        assert_eq!((path.matches('M').count(), path.matches('z').count()), (2, 2));
    }
}
