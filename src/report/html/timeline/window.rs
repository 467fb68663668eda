//! Which part of a timeline is drawn: its beginning and its end, if all of it is too much.

use crate::machine::Timeline;

/// Spans of a lane at the beginning, and as many at the end, on the average.
const SPANS: usize = 48;
/// Gaps at the beginning, and as many at the end.
const GAPS: usize = 4;

/// Drawn ticks from 0 to `head` and from `tail` on; all of them if the two are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) head: u64,
    pub(super) tail: u64,
    /// Ticks between them, those of gaps too.
    pub(super) hidden_ticks: u64,
    /// Gaps between them.
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
            // A gap where it is cut belongs to what is left out.
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
            hidden_ticks: tail - head + hidden.clone().map(crate::machine::Gap::ticks).sum::<u64>(),
            hidden_gaps: hidden.count(),
        }
    }

    pub(super) fn is_cut(&self) -> bool {
        self.head < self.tail
    }

    /// Whether a gap there is drawn by itself.
    pub(super) fn shows(&self, at: u64) -> bool {
        !self.is_cut() || at < self.head || at > self.tail
    }
}
