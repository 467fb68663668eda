//! The state of a wave between two events, and the test for a repetition of an earlier state.

/// The wake of a warp that another warp must wake, because it waits at a barrier, or that is done.
pub(super) const NEVER: u64 = u64::MAX;

/// The state that the rest of a wave depends on.
///
/// Warps that wait at a barrier and warps that are done need no field: their wake is [`NEVER`], and they stand at a
/// barrier or at the end.
#[derive(Clone)]
pub(super) struct State {
    /// The tick when each warp goes on.
    pub(super) wakes: Vec<u64>,
    /// The step that each warp executes next, or waits at.
    pub(super) next: Vec<usize>,
    /// For each warp and depth, the iterations left of the loop there, the current one included; 0 outside.
    pub(super) left: Vec<u64>,
    /// The tick when memory, local, each dispatcher and each matrix unit is free.
    pub(super) free: Vec<u64>,
    /// The ticks when the starts of each warp are done, by its slots ([`crate::machine::code::Slots`]); 0 where there is none.
    pub(super) done: Vec<u64>,
}

/// A sequence of events that will come again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Repetition {
    /// The number of repetitions that are certain.
    pub(super) times: u64,
    /// The ticks of one repetition.
    pub(super) ticks: u64,
}

impl State {
    /// Copies another state without allocating.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.wakes.clone_from(&other.wakes);
        self.next.clone_from(&other.next);
        self.left.clone_from(&other.left);
        self.free.clone_from(&other.free);
        self.done.clone_from(&other.done);
    }

    /// The number of times that the events between `earlier`, at `then`, and this state, at `now`, come again; `None`
    /// if it is 0.
    ///
    /// The next events depend only on times relative to now and on the steps, as long as every loop is repeated or left
    /// as before. Between the two states, a warp whose iterations differ only in level l repeated l and entered the
    /// loops inside l afresh. It does so again while an iteration of l is left *after* the current one: hence
    /// `left - 1`. A warp whose iterations differ in two levels left the inner loop, which it will not do at the same
    /// point again. Warps need not keep step: each has its own level and its own number of iterations.
    pub(super) fn repeats(&self, earlier: &Self, now: u64, then: u64) -> Option<Repetition> {
        let ticks = now - then;
        let rest_as_before = |moments: &[u64], before: &[u64]| {
            moments.iter().zip(before).all(|(at, before)| at.saturating_sub(now) == before.saturating_sub(then))
        };
        let same = rest_as_before(&self.free, &earlier.free)
            && rest_as_before(&self.done, &earlier.done)
            && self.next == earlier.next
            && self
                .wakes
                .iter()
                .zip(&earlier.wakes)
                .all(|(&wake, &before)| if before == NEVER { wake == NEVER } else { wake == before + ticks });
        let times = if same { self.iterations_to_skip(earlier)? } else { 0 };
        (times > 0).then_some(Repetition { times, ticks })
    }

    /// The least number of repetitions over all warps; `None` if a warp differs in two levels or if no warp differs.
    fn iterations_to_skip(&self, earlier: &Self) -> Option<u64> {
        let depth = self.left.len() / self.next.len();
        let warps = self.left.chunks_exact(depth).zip(earlier.left.chunks_exact(depth));
        let mut times = None;
        for (left, before) in warps {
            let mut differing = left.iter().zip(before).filter(|(left, before)| left != before);
            let Some((left, before)) = differing.next() else { continue };
            if differing.next().is_some() {
                return None;
            }
            // The outermost level that differs has fewer iterations left than before.
            let own = (left - 1) / (before - left);
            times = Some(times.map_or(own, |least: u64| least.min(own)));
        }
        times
    }

    /// Changes the state as if the events since `earlier` had come again `repetition.times` times.
    pub(super) fn skip(&mut self, earlier: &Self, repetition: Repetition) {
        let later = repetition.times * repetition.ticks;
        for wake in self.wakes.iter_mut().filter(|wake| **wake != NEVER) {
            *wake += later;
        }
        for moment in self.free.iter_mut().chain(&mut self.done) {
            *moment += later;
        }
        for (left, before) in self.left.iter_mut().zip(&earlier.left) {
            *left -= repetition.times * (before - *left);
        }
    }
}
