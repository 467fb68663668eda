//! The record of a wave while it runs, and the activity totals of its skipped repetitions.

use super::super::state::Repetition;
use super::super::watch::Watch;
use super::span::{Activity, Gap, Span, Totals};
use crate::machine::Server;

/// A recording of the first warps' activities. Times are in drawn ticks, which leave the gaps out.
pub(super) struct Record {
    pub(super) lanes: Vec<Vec<Span>>,
    /// The arrival of each warp at the barrier where it waits, in drawn ticks; `None` if it does not wait at a barrier.
    arrivals: Vec<Option<u64>>,
    skips: Vec<Skip>,
    /// Ticks of all gaps.
    pub(super) skipped: u64,
}

/// A gap and the activities in it.
struct Skip {
    gap: Gap,
    /// The begin of the gap, in ticks.
    now: u64,
    /// The ticks of each lane's activities during the gap.
    totals: Vec<Totals>,
}

impl Record {
    pub(super) fn new(lanes: usize) -> Self {
        Self { lanes: vec![Vec::new(); lanes], arrivals: vec![None; lanes], skips: Vec::new(), skipped: 0 }
    }

    fn add(&mut self, warp: usize, begin: u64, end: u64, activity: Activity) {
        if begin == end {
            return;
        }
        match self.lanes[warp].last_mut() {
            Some(last) if last.activity == activity && last.end == begin => last.end = end,
            _ => self.lanes[warp].push(Span { begin, end, activity }),
        }
    }

    /// The activities of a lane from `begin` to `end`, in drawn ticks.
    fn between(&self, lane: usize, begin: u64, end: u64) -> Totals {
        let spans = &self.lanes[lane];
        let mut totals = Totals::default();
        let first = spans.partition_point(|span| span.end <= begin);
        let waits = self.arrivals[lane].map(|arrival| Span { begin: arrival, end, activity: Activity::Barrier });
        for span in spans[first..].iter().copied().chain(waits).take_while(|span| span.begin < end) {
            totals[span.activity as usize] += span.end.min(end).saturating_sub(span.begin.max(begin));
        }
        totals
    }

    /// The activities of a lane during one repetition of the events from `begin` to `now`, in drawn ticks.
    ///
    /// A repetition repeats the moments when a warp goes on, not its reason for waiting until then: so up to the first
    /// such moment, the lane keeps its present activities.
    fn again(&self, lane: usize, begin: u64, now: u64) -> Totals {
        let goes_on = match (self.arrivals[lane], self.lanes[lane].last()) {
            (None, Some(last)) => last.end.clamp(now, 2 * now - begin),
            _ => now,
        };
        let mut totals = self.between(lane, now, goes_on);
        add_to(&mut totals, &self.between(lane, begin + (goes_on - now), now), 1);
        totals
    }

    pub(super) fn gaps(&self) -> Vec<Gap> {
        self.skips.iter().map(|skip| skip.gap).collect()
    }

    /// The ticks of each lane's activities over the whole wave, gaps included.
    pub(super) fn totals(&self) -> Vec<Totals> {
        let of_lane = |lane| {
            let mut totals = self.between(lane, 0, u64::MAX);
            self.skips.iter().for_each(|skip| add_to(&mut totals, &skip.totals[lane], 1));
            totals
        };
        (0..self.lanes.len()).map(of_lane).collect()
    }
}

fn add_to(totals: &mut Totals, others: &Totals, times: u64) {
    totals.iter_mut().zip(others).for_each(|(sum, other)| *sum += times * other);
}

impl Watch for &mut Record {
    fn uses(&mut self, warp: usize, server: Server, moments: [u64; 4]) {
        if warp >= self.lanes.len() {
            return;
        }
        let activities = [Activity::Queue, Activity::served_by(server), Activity::Latency];
        let moments = moments.map(|moment| moment - self.skipped);
        for (ends, activity) in moments.windows(2).zip(activities) {
            self.add(warp, ends[0], ends[1], activity);
        }
    }

    fn waits(&mut self, warp: usize, now: u64, until: u64) {
        if warp < self.lanes.len() {
            self.add(warp, now - self.skipped, until - self.skipped, Activity::Started);
        }
    }

    fn arrives(&mut self, warp: usize, now: u64) {
        if warp < self.lanes.len() {
            self.arrivals[warp] = Some(now - self.skipped);
        }
    }

    fn leaves(&mut self, warp: usize, now: u64, cost: u64) {
        if let Some(arrival) = self.arrivals.get_mut(warp).and_then(Option::take) {
            self.add(warp, arrival, now - self.skipped + cost, Activity::Barrier);
        }
    }

    fn ends(&mut self, _: usize, _: u64) {}

    fn skips(&mut self, now: u64, Repetition { times, ticks }: Repetition) {
        // A period may hold earlier gaps, always whole: snapshots are taken before a gap or behind it.
        let within = self.skips.iter().rev().take_while(|skip| skip.now >= now - ticks);
        let at = now - self.skipped;
        let begin = at + within.clone().map(|skip| skip.gap.ticks()).sum::<u64>() - ticks;
        let of_lane = |lane| {
            let mut of_period = self.again(lane, begin, at);
            within.clone().for_each(|skip| add_to(&mut of_period, &skip.totals[lane], 1));
            of_period.map(|sum| times * sum)
        };
        let totals = (0..self.lanes.len()).map(of_lane).collect();
        self.skips.push(Skip { gap: Gap { at, periods: times, period: ticks }, now, totals });
        self.skipped += times * ticks;
    }
}
