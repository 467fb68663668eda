//! Exact acceleration: a repetition in a wave is run once and then counted.
//!
//! Whenever the *pivot*, the lowest warp that is not done, begins an iteration of a loop, the state is compared with a
//! snapshot taken at an earlier iteration of the same loop. If the state repeats the snapshot, the events between them
//! will repeat too, and all repetitions that are certain are skipped. Snapshots are renewed at iterations 1, 2, 4, 8, …
//! (R. Brent, "An improved Monte Carlo factorization algorithm", 1980). So one snapshot a loop finds a repetition of
//! any number of iterations that begins anywhere.
//!
//! Any two states of one run may be compared: the choice of pivot, loops and snapshots decides which repetitions are
//! found, and the result is right for every choice.

use super::state::State;
use super::watch::Watch;
use crate::machine::code::{Code, Step};

/// Looks for repetitions in one wave.
pub(super) struct Recurrence {
    /// The warp whose iterations are watched; `None` if the wave is not (or no longer) searched for repetitions.
    pub(super) pivot: Option<usize>,
    /// One entry for each step; only the entries of `Begin` steps are used.
    marks: Vec<Mark>,
    /// The number of events after the last skip before the search of the wave ends.
    patience: u64,
    /// The number of events before the last skip.
    last_skip: u64,
    /// The number of skips.
    pub(super) skips: u64,
    /// The most iterations of the pivot's loop that one repetition spanned.
    pub(super) longest_period: u64,
}

/// The record of the pivot's iterations of one loop.
#[derive(Clone, Default)]
struct Mark {
    /// Iterations seen since the pivot entered the loop or last skipped in it.
    visits: u64,
    /// The state at an earlier iteration; valid if `visits` is not 0.
    snapshot: Option<State>,
}

impl Recurrence {
    pub(super) fn new(code: &Code, patience: u64) -> Self {
        Self {
            pivot: (patience > 0 && code.depth > 0).then_some(0),
            marks: vec![Mark::default(); code.steps.len()],
            patience,
            last_skip: 0,
            skips: 0,
            longest_period: 0,
        }
    }

    /// Notes that a warp is done. If it was the pivot, the next warp that is not done becomes the pivot.
    pub(super) fn done(&mut self, warp: usize, code: &Code, state: &State) {
        if self.pivot == Some(warp) {
            let end = code.steps.len() - 1;
            self.pivot = (warp..state.next.len()).find(|&other| state.next[other] != end);
            // A snapshot's time is the wake of the former pivot, so it does not fit the new one.
            self.marks.iter_mut().for_each(|mark| mark.visits = 0);
        }
    }

    /// Looks for a repetition in the state before the pivot's step, event number `stepped`; returns true if events were
    /// skipped.
    pub(super) fn look(
        &mut self,
        code: &Code,
        state: &mut State,
        pivot: usize,
        stepped: u64,
        watch: &mut impl Watch,
    ) -> bool {
        if stepped - self.last_skip > self.patience {
            self.pivot = None;
            return false;
        }
        let step = state.next[pivot];
        let mut skipped = false;
        for begin in outermost_begun(code, state, pivot)..step {
            skipped |= self.look_at(begin, code, state, pivot, watch);
        }
        if skipped {
            self.last_skip = stepped;
        }
        skipped
    }

    fn look_at(&mut self, begin: usize, code: &Code, state: &mut State, pivot: usize, watch: &mut impl Watch) -> bool {
        let Step::Begin { depth, count } = code.steps[begin] else { unreachable!("only loops are looked at") };
        let level = pivot * code.depth + depth;
        let mark = &mut self.marks[begin];
        if state.left[level] == count {
            mark.visits = 0;
        }
        let now = state.wakes[pivot];
        let mut skipped = false;
        if mark.visits > 0
            && let Some(snapshot) = &mark.snapshot
            && let Some(repetition) = state.repeats(snapshot, now, snapshot.wakes[pivot])
        {
            self.skips += 1;
            self.longest_period = self.longest_period.max(snapshot.left[level] - state.left[level]);
            watch.skips(now, repetition);
            state.skip(snapshot, repetition);
            mark.visits = 0;
            skipped = true;
        }
        if mark.visits == 0 || mark.visits.is_power_of_two() {
            match &mut mark.snapshot {
                Some(snapshot) => snapshot.copy_from(state),
                None => mark.snapshot = Some(state.clone()),
            }
        }
        mark.visits += 1;
        skipped
    }
}

/// The `Begin` of the outermost loop that begins an iteration at the warp's step; the step itself if no loop does.
fn outermost_begun(code: &Code, state: &State, warp: usize) -> usize {
    let step = state.next[warp];
    let mut outermost = step;
    while let Some(begin) = outermost.checked_sub(1)
        && let Step::Begin { depth, count } = code.steps[begin]
    {
        outermost = begin;
        // Further on within the inner loop, the outer loops are in the middle of an iteration.
        if state.left[warp * code.depth + depth] != count {
            break;
        }
    }
    outermost
}
