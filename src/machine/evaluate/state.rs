//! The state of a wave between two events, and when a later one repeats an earlier one.

/// The wake of a warp that does not go on by itself: it waits at a barrier, or is done.
pub(super) const NEVER: u64 = u64::MAX;

/// All that the rest of a wave depends on.
///
/// Which warps wait at a barrier and which are done needs no place of its own: they never wake, and stand at a barrier
/// or at the end.
#[derive(Clone)]
pub(super) struct State {
    /// When each warp goes on.
    pub(super) wakes: Vec<u64>,
    /// The step that each warp executes next, or waits at.
    pub(super) next: Vec<usize>,
    /// Iterations left of the loops around it, the present one included, for each warp and depth; 0 outside.
    pub(super) left: Vec<u64>,
    /// When memory, local and each dispatcher is free.
    pub(super) free: Vec<u64>,
}

/// What happened between two states comes again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Repetition {
    /// How often, at least.
    pub(super) times: u64,
    /// Ticks that one takes.
    pub(super) ticks: u64,
}

impl State {
    /// Takes over the other state without allocating.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.wakes.clone_from(&other.wakes);
        self.next.clone_from(&other.next);
        self.left.clone_from(&other.left);
        self.free.clone_from(&other.free);
    }

    /// How often the events between `earlier`, at `then`, and this state, at `now`, come again, if it is at least once.
    ///
    /// What happens next depends on times from now and on the steps alone, as long as every loop is gone round or left as
    /// it was before. Between the states, a warp whose iterations differ only in the level l went round l and entered
    /// the loops inside afresh; so it does the same again while an iteration of l is left *after* it: hence `left - 1`.
    /// A warp whose iterations differ in two levels left the inner loop, which it will not do at the same point again.
    /// Warps need not keep step: each has its own level and its own number of iterations.
    pub(super) fn repeats(&self, earlier: &Self, now: u64, then: u64) -> Option<Repetition> {
        let rests = |free: &u64, at: u64| free.saturating_sub(at);
        let ticks = now - then;
        let same = self.free.iter().zip(&earlier.free).all(|(free, before)| rests(free, now) == rests(before, then))
            && self.next == earlier.next
            && self
                .wakes
                .iter()
                .zip(&earlier.wakes)
                .all(|(&wake, &before)| if before == NEVER { wake == NEVER } else { wake == before + ticks });
        let times = if same { self.iterations_to_skip(earlier)? } else { 0 };
        (times > 0).then_some(Repetition { times, ticks })
    }

    /// The least of what the warps can repeat; `None` if one differs in two levels or if none differs.
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

    /// Goes on as if the events since `earlier` had come again so often.
    pub(super) fn skip(&mut self, earlier: &Self, repetition: Repetition) {
        let later = repetition.times * repetition.ticks;
        for wake in self.wakes.iter_mut().filter(|wake| **wake != NEVER) {
            *wake += later;
        }
        for free in &mut self.free {
            *free += later;
        }
        for (left, before) in self.left.iter_mut().zip(&earlier.left) {
            *left -= repetition.times * (before - *left);
        }
    }
}
