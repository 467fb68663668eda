//! The part of a timeline that is drawn: all of it, or its beginning and its end if it is too long.

use autotune_machine::machine::{Gap, Timeline};

/// The average number of spans of a lane that are drawn at the beginning, and as many at the end.
const SPANS: usize = 48;
/// The most gaps that are drawn at the beginning, and as many at the end.
const GAPS: usize = 4;

/// A window of a timeline's drawn ticks: from 0 to `head` and from `tail` on, or all ticks if the two are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) head: u64,
    pub(super) tail: u64,
    /// The ticks between `head` and `tail`, including the ticks of gaps.
    pub(super) hidden_ticks: u64,
    /// The number of gaps between `head` and `tail`.
    pub(super) hidden_gaps: usize,
}

impl Window {
    pub(super) fn of(timeline: &Timeline) -> Self {
        let mut begins: Vec<u64> = timeline.lanes.iter().flatten().map(|span| span.begin).collect();
        begins.sort_unstable();
        let most = SPANS * timeline.lanes.len();
        let nth = |place: usize, from: u64| begins.get(place).copied().unwrap_or(from);
        let (mut head, mut tail) = (timeline.drawn, timeline.drawn);
        if begins.len() > 2 * most {
            (head, tail) = (nth(most, head), nth(begins.len() - most, tail));
        }
        let gaps = &timeline.gaps;
        if gaps.len() > 2 * GAPS {
            // A gap at a cut is left out.
            head = head.min(gaps[GAPS].at);
            tail = if tail == timeline.drawn { head } else { tail }.max(gaps[gaps.len() - GAPS - 1].at);
        }
        let whole = Self { head: timeline.drawn, tail: timeline.drawn, hidden_ticks: 0, hidden_gaps: 0 };
        if head >= tail {
            return whole;
        }
        let hidden = gaps.iter().filter(|gap| (head..=tail).contains(&gap.at));
        Self {
            head,
            tail,
            hidden_ticks: tail - head + hidden.clone().map(Gap::ticks).sum::<u64>(),
            hidden_gaps: hidden.count(),
        }
    }

    pub(super) fn is_cut(&self) -> bool {
        self.head < self.tail
    }

    /// True if a gap at the drawn tick `at` is drawn by itself.
    pub(super) fn shows(&self, at: u64) -> bool {
        !self.is_cut() || at < self.head || at > self.tail
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_machine::machine::{Activity, Span, Totals, Waves};

    /// One warp with spans of 10 ticks, and gaps of 1,000 ticks at these places.
    fn timeline(spans: u64, gaps: &[u64]) -> Timeline {
        let span = |number: u64| {
            let activity = if number.is_multiple_of(2) { Activity::Issue } else { Activity::Latency };
            Span { begin: 10 * number, end: 10 * number + 10, activity }
        };
        let ticks = 10 * spans + 1_000 * gaps.len() as u64;
        Timeline {
            waves: Waves { launch: 0, passes: 1, full: 1, ticks, groups: 1, rest: 0, rest_groups: 0 },
            warps: 1,
            lanes: vec![(0..spans).map(span).collect()],
            gaps: gaps.iter().map(|&at| Gap { at, periods: 4, period: 250 }).collect(),
            totals: vec![Totals::default()],
            drawn: 10 * spans,
        }
    }

    #[test]
    fn what_is_short_is_drawn_whole() {
        let window = Window::of(&timeline(96, &[10, 20, 30]));
        assert!(!window.is_cut() && window.shows(20));
    }

    #[test]
    fn of_many_spans_the_middle_is_left_out_with_its_gaps() {
        let window = Window::of(&timeline(1000, &[100, 5000, 9900]));
        assert_eq!((window.head, window.tail), (480, 9520));
        assert_eq!((window.hidden_ticks, window.hidden_gaps), (9040 + 1000, 1));
        assert_eq!([100, 5000, 9900].map(|at| window.shows(at)), [true, false, true]);
    }

    #[test]
    fn of_many_gaps_the_first_and_the_last_are_drawn() {
        let gaps: Vec<u64> = (1..=20).map(|number| 40 * number).collect();
        let window = Window::of(&timeline(90, &gaps));
        let shown: Vec<u64> = gaps.iter().copied().filter(|&at| window.shows(at)).collect();
        assert_eq!(shown, [40, 80, 120, 160, 680, 720, 760, 800]);
        assert_eq!((window.hidden_gaps, window.hidden_ticks), (12, 640 - 200 + 12_000));
    }
}
