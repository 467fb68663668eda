//! Iterations of a loop that are executed once for many.
//!
//! The values at a loop's head have changed by `delta` since the head was reached one period ago. The next period is
//! executed with each value as `base + delta * k`, where `k` counts the periods. If at its end each value is
//! `base + delta + delta * k`, the period repeats as long as all comparisons and all other demands of the period hold.

use super::super::ir::BlockId;
use super::super::marks::CountedLoop;
use super::super::trace::{Round, Trace};
use super::super::value::{Known, Lanes, Mask, RangeDemand, Relation, Shape, Slope, Slopes, Symbol, Value};
use super::error::{ExecuteError, ExecuteProblem};
use super::loop_state::{Folding, Heads, LONGEST, LoopState, MOST_HISTORY};
use super::marked::{Iterations, Progress};
use super::state::Run;
use autotune_base::limits::watch::{Phase, look};

/// Limit of folded periods for a loop whose end depends only on data.
const MOST_PERIODS: u64 = 1 << 40;

/// Repetitions below which another period is tried.
const FEW: u64 = 4;

impl Run<'_> {
    /// Begins a period that is executed for many, if the head's values have changed evenly.
    pub(super) fn open(&mut self, heads: Heads, mask: &Mask) -> Heads {
        let Some(state) = self.loops.last() else { return heads };
        if state.folding.is_some() || state.count < state.patience {
            return heads;
        }
        let found = self.period(&heads, mask);
        let Some(state) = self.loops.last_mut() else { return heads };
        let Some((period, deltas)) = found else {
            state.wait_for_a_period();
            return heads;
        };
        state.period = period;
        self.counter += 1;
        let counter = self.counter;
        let base: Vec<Value> = heads.iter().map(|(_, value)| value.clone()).collect();
        let many = heads.into_iter().zip(&deltas);
        let many = many.map(|((id, value), delta)| (id, counted(value, counter, delta.as_ref()))).collect();
        let heads = base.into_iter().zip(deltas).collect();
        let (left, mask) = (period, mask.clone());
        if let Some(state) = self.loops.last_mut() {
            let from = (state.trips.clone(), self.told.progress.clone());
            state.folding = Some(Folding { counter, heads, demands: Vec::new(), left, walks: false, mask, from });
        }
        many
    }

    /// The shortest period that was not tried in vain and by which the head's values have changed evenly, its iterations
    /// and the changes. One of several iterations must have shown the same changes twice.
    fn period(&self, heads: &Heads, mask: &Mask) -> Option<(usize, Vec<Option<Lanes>>)> {
        let state = self.loops.last()?;
        let history = &state.history;
        let before = |iterations: usize| history.len().checked_sub(iterations).map(|at| &history[at]);
        (1..=LONGEST).filter(|period| !state.failed[period - 1]).find_map(|period| {
            look(Phase::Folding);
            let needed = if period == 1 { 1 } else { 2 * period };
            before(needed)?;
            if history.iter().rev().take(needed).any(|(_, known)| known != mask) {
                return None;
            }
            let (last, _) = before(period)?;
            let deltas = self.deltas(last, heads, mask)?;
            let is_even = period == 1 || {
                let (first, _) = before(2 * period)?;
                let agrees = |(one, other): (&Option<Lanes>, &Option<Lanes>)| match (one, other) {
                    (Some(one), Some(other)) => one.agrees(other, mask, &self.shape),
                    (one, other) => one.is_none() && other.is_none(),
                };
                self.deltas(first, last, mask)?.iter().zip(&deltas).all(agrees)
            };
            is_even.then_some((period, deltas))
        })
    }

    /// The changes of the head's values; `None` for a value that is unknown both times, or if they changed in another
    /// way than by a number.
    fn deltas(&self, before: &Heads, now: &Heads, mask: &Mask) -> Option<Vec<Option<Lanes>>> {
        let delta = |before: &Value, now: &Value| match (before, now) {
            (Value::Known(before), Value::Known(now)) => {
                let fixed = |known: &Known| Known { base: Lanes::Same(0), slopes: known.slopes.clone() };
                if !self.same_known(&fixed(before), &fixed(now), mask) {
                    return None;
                }
                // Work items outside the loop have no say.
                Some(Some(now.base.plus(&before.base, -1, &self.shape).within(mask, &self.shape)))
            }
            (before, now) => (before.is_unknown() && now.is_unknown()).then_some(None),
        };
        before.iter().zip(now).map(|((_, before), (_, now))| delta(before, now)).collect()
    }

    /// Ends a period that was executed for many. Returns the head's values behind the last one.
    pub(super) fn close(&mut self, heads: Heads, mask: &Mask, trace: Trace) -> Result<Heads, ExecuteError> {
        let Some((state, folding)) = self.loops.last().and_then(|state| Some((state, state.folding.as_ref()?))) else {
            return Ok(heads);
        };
        let counter = folding.counter;
        let repeats = !folding.walks
            && heads.iter().zip(&folding.heads).all(|((_, value), (base, delta))| {
                self.same(value, &self.next_period(base, delta.as_ref(), counter), mask)
            });
        let limit = if repeats { self.limit(folding, counter) } else { Some(1) };
        let limit = match limit {
            Some(limit) => limit,
            None if !state.ends_on_data() => {
                return Err(ExecuteError { problem: ExecuteProblem::Endless, places: self.places_of(state.head) });
            }
            None => MOST_PERIODS,
        };
        let times = match self.periods_left(state, folding) {
            Some(most) => limit.min(most).max(1),
            None if state.ends_on_data() => 1,
            None => limit,
        };
        self.demand_outside(times);
        for id in self.loops.last().map_or_else(Vec::new, |state| self.defined_in(state.head)) {
            let value = self.values[id.index()].take();
            self.values[id.index()] = value.map(|value| self.at_iteration(value, counter, times - 1));
        }
        let around = self.loops.iter().rev().skip(1).filter_map(LoopState::counter).collect::<Vec<_>>();
        if let Some(state) = self.loops.last_mut() {
            if let Some(folding) = state.folding.take() {
                state.repeat(&folding, &mut self.told.progress, times - 1);
            }
            state.end_period(times, counter, trace, (&around, &self.shape));
        }
        Ok(heads.into_iter().map(|(id, value)| (id, self.at_iteration(value, counter, times - 1))).collect())
    }

    /// The periods for which iterations are left behind the last one; `None` if no exit depends on data.
    fn periods_left(&self, state: &LoopState, folding: &Folding) -> Option<u64> {
        let of_exits = state.trips.iter().map(|(exit, left)| left / state.done_of(*exit, folding));
        let of_source = self.told.progress.iter().filter_map(|(counted, now)| {
            let trips = self.assumptions.trips.get(&counted.line)?;
            trips.saturating_sub(now.begun).checked_div(done(&folding.from.1, *counted, *now))
        });
        of_exits.chain(of_source).min()
    }

    /// A head's value at the end of a period that repeats.
    fn next_period(&self, base: &Value, delta: Option<&Lanes>, counter: u32) -> Value {
        let (Value::Known(base), Some(delta)) = (base, delta) else { return base.clone() };
        let next = Known { base: base.base.plus(delta, 1, &self.shape), slopes: base.slopes.clone() };
        counted(Value::Known(next), counter, Some(delta))
    }

    /// The number of periods that satisfy all demands, at least 1; `None` if they always hold.
    fn limit(&self, folding: &Folding, counter: u32) -> Option<u64> {
        folding.demands.iter().filter_map(|demand| self.limit_of(demand, counter)).min()
    }

    fn limit_of(&self, demand: &RangeDemand, counter: u32) -> Option<u64> {
        look(Phase::Folding);
        let RangeDemand::Holds { relation, base, slopes, lanes } = demand else { return Some(1) };
        let slope = slopes.iter().find(|(symbol, _)| *symbol == Symbol::Counter(counter)).map(|(_, slope)| slope);
        let Some(Slope::By(slope)) = slope else { return None };
        let of = |lane: usize| periods(*relation, base.at(lane, &self.shape), slope.at(lane, &self.shape));
        match (base, slope, lanes) {
            (Lanes::Same(_), Lanes::Same(_), None) => of(0),
            (_, _, Some(lanes)) => lanes.ones().filter_map(of).min(),
            (_, _, None) => (0..self.shape.lanes()).filter_map(of).min(),
        }
    }

    /// What the innermost loop, which repeats a period that often, asks of the loops around it: its demands at both ends.
    pub(super) fn demand_outside(&mut self, times: u64) {
        let Some(folding) = self.loops.last_mut().and_then(|state| state.folding.as_mut()) else { return };
        let counter = folding.counter;
        let demands = std::mem::take(&mut folding.demands);
        let all = self.context.clone();
        for demand in demands {
            look(Phase::Folding);
            let RangeDemand::Holds { relation, base, slopes, lanes } = demand else { continue };
            let (own, rest): (Slopes, Slopes) =
                slopes.into_iter().partition(|(symbol, _)| *symbol == Symbol::Counter(counter));
            if rest.is_empty() {
                continue;
            }
            let known = Known { base, slopes: own };
            let is_whole = times == 1 && !rest.iter().any(|(symbol, _)| matches!(symbol, Symbol::Counter(_)));
            let ends: &[u64] = if times > 1 { &[0, times - 1] } else { &[0] };
            for end in ends {
                let base = self.known_at(known.clone(), counter, *end).base;
                let lanes = lanes.clone().unwrap_or_else(|| all.clone());
                self.demand_at_end(relation, base, &rest, lanes, is_whole);
            }
        }
    }

    /// Notes a demand at one end of an inner loop. What differs from 0 there must stay on its side of 0, or it might be
    /// 0 within the loop, unless this end is the whole loop and no other loop is around it.
    fn demand_at_end(&mut self, relation: Relation, base: Lanes, slopes: &Slopes, lanes: Mask, is_whole: bool) {
        let all = self.context.clone();
        let places = self.loops.last().map_or_else(|| [].into(), |state| self.places_of(state.head));
        if relation != Relation::NotZero || is_whole {
            self.note_demand(
                RangeDemand::Holds { relation, base, slopes: slopes.clone(), lanes: Some(lanes) },
                &all,
                &places,
            );
            return;
        }
        let mut below = lanes.clone();
        lanes.ones().for_each(|lane| below.set(lane, base.at(lane, &self.shape) < 0));
        let mut above = lanes;
        above.difference_with(&below);
        let one_less = base.plus(&Lanes::Same(1), -1, &self.shape);
        for (relation, base, lanes) in [(Relation::Negative, base, below), (Relation::NotNegative, one_less, above)] {
            self.note_demand(
                RangeDemand::Holds { relation, base, slopes: slopes.clone(), lanes: Some(lanes) },
                &all,
                &places,
            );
        }
    }

    /// A value at an iteration of a counter.
    pub(super) fn known_at(&self, known: Known, counter: u32, iteration: u64) -> Known {
        let iteration = i64::try_from(iteration).unwrap_or(i64::MAX);
        let (own, slopes): (Slopes, Slopes) =
            known.slopes.into_iter().partition(|(symbol, _)| *symbol == Symbol::Counter(counter));
        let base = match own.first() {
            Some((_, Slope::By(slope))) => known.base.plus(slope, iteration, &self.shape),
            _ => known.base,
        };
        Known { base, slopes }
    }
}

/// The iterations of a loop of the source since the progress `from`: none of those that were entered since.
fn done(from: &Progress, counted: CountedLoop, now: Iterations) -> u64 {
    from.get(&counted).filter(|before| before.entered == now.entered).map_or(0, |before| now.begun - before.begun)
}

impl LoopState {
    /// The iterations of an exit that a period has done.
    fn done_of(&self, exit: BlockId, folding: &Folding) -> u64 {
        let done = folding.from.0.get(&exit).map_or(0, |before| before.saturating_sub(self.trips[&exit]));
        // An exit that the period did not reach is taken for one that each iteration of it reaches.
        if done == 0 { self.period as u64 } else { done }
    }

    /// Counts the last period that many times more.
    fn repeat(&mut self, folding: &Folding, progress: &mut Progress, times: u64) {
        let done_of: Vec<u64> = self.trips.keys().map(|exit| self.done_of(*exit, folding)).collect();
        for (left, done) in self.trips.values_mut().zip(done_of) {
            *left = left.saturating_sub(times.saturating_mul(done));
        }
        for (counted, now) in progress {
            now.begun = now.begun.saturating_add(times.saturating_mul(done(&folding.from.1, *counted, *now)));
        }
    }

    /// Keeps a period that counts that many times.
    fn end_period(&mut self, times: u64, counter: u32, steps: Trace, (around, shape): (&[u32], &Shape)) {
        let more = (times - 1) * self.period as u64;
        let counter = (times > 1).then_some(counter);
        let mut round = Round { times, counter, steps };
        if self.period > 1 {
            round = self.begun_earlier(round, around, shape);
        }
        self.rounds.push(round);
        // A period that repeats a few times may be a part of a longer one.
        self.failed[self.period - 1] = times < FEW;
        if times > 1 {
            self.history.clear();
            self.patience = 0;
        }
        if self.failed.iter().all(|failed| *failed) {
            self.failed = [false; LONGEST];
            if times == 1 {
                // Loops that do not repeat are tried ever more rarely.
                self.patience = self.count + if self.count < 24 { 1 } else { self.count.min(64) };
            }
        }
        self.count += more;
    }

    /// Looks for a period more rarely in a loop that has shown none for long.
    fn wait_for_a_period(&mut self) {
        if self.history.len() == MOST_HISTORY {
            self.patience = self.count + self.count.min(64) / 8;
        }
    }
}

/// A value that grows by `delta` with each step of a counter.
fn counted(value: Value, counter: u32, delta: Option<&Lanes>) -> Value {
    let (Value::Known(mut known), Some(delta)) = (value.clone(), delta) else { return value };
    if *delta != Lanes::Same(0) {
        known.slopes.push((Symbol::Counter(counter), Slope::By(delta.clone())));
        known.slopes.sort_by_key(|(symbol, _)| *symbol);
    }
    Value::Known(known)
}

/// The number of periods while `base + slope * k` keeps a relation to 0, at least 1; `None` if it always does.
fn periods(relation: Relation, base: i64, slope: i64) -> Option<u64> {
    let (base, slope) = (i128::from(base), i128::from(slope));
    let first = match relation {
        Relation::Negative if slope > 0 => (-base + slope - 1) / slope,
        Relation::NotNegative if slope < 0 => base / -slope + 1,
        Relation::Zero if slope != 0 => 1,
        Relation::NotZero if slope != 0 && base % slope == 0 && -base / slope > 0 => -base / slope,
        _ => return None,
    };
    Some(u64::try_from(first).unwrap_or(1).max(1))
}
