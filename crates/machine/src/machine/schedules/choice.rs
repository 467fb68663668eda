//! The warps that may be next.

use smallvec::SmallVec;

use super::reduction::Reduction;
use super::run::Run;
use crate::machine::code::Step;

impl Run<'_> {
    /// The ready warps at servers that may be next, one for each kind of them.
    pub(super) fn options(&self) -> SmallVec<[usize; 8]> {
        let ready = (0..self.warps()).filter(|&warp| self.is_ready(warp) && self.needs_server(warp));
        let options = ready.filter(|&warp| self.reduction == Reduction::Off || !self.has_twin_before(warp));
        let mut options: SmallVec<[usize; 8]> = options.collect();
        if !self.one_server || options.len() < 2 {
            return options;
        }
        let place = |warp: usize| match self.step(warp) {
            Step::Use { server, .. } | Step::Start { server, .. } => self.server(warp, server),
            _ => unreachable!("the warp needs a server"),
        };
        let waiting = |at: usize| options.iter().filter(|&&warp| place(warp) == at).count();
        let least = options.iter().map(|&warp| place(warp)).min_by_key(|&at| (waiting(at), at));
        options.retain(|warp| Some(place(*warp)) == least);
        options
    }

    /// True if a warp before this one is in the same state and may change places with it: one of its group at its dispatcher, or
    /// one of an equal group at the same dispatchers.
    fn has_twin_before(&self, warp: usize) -> bool {
        let (group, lane) = (warp / self.warps_per_group, warp % self.warps_per_group);
        let first = group * self.warps_per_group;
        let words = |lane: usize| self.warp_words(first + lane);
        let mut lanes = (lane % self.dispatchers..lane).step_by(self.dispatchers);
        lanes.any(|twin| words(twin) == words(lane))
            || (0..group).any(|twin| {
                ((group - twin) * self.warps_per_group).is_multiple_of(self.dispatchers)
                    && self.group_words(twin) == self.group_words(group)
            })
    }
}
