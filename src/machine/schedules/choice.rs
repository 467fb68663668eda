//! The warps that may be next.

use super::reduction::Reduction;
use super::run::Run;
use crate::machine::code::Step;

impl Run<'_> {
    /// Collects the ready warps at servers that may be next, one for each kind of them.
    pub(super) fn options(&self, options: &mut Vec<usize>) {
        options.clear();
        let ready = (0..self.warps()).filter(|&warp| self.is_ready(warp) && self.needs_server(warp));
        options.extend(ready.filter(|&warp| self.reduction == Reduction::Off || !self.has_twin_before(warp)));
        if !self.one_server || options.len() < 2 {
            return;
        }
        let place = |warp: usize| match self.step(warp) {
            Step::Use { server, .. } | Step::Start { server, .. } => self.server(warp, server),
            _ => unreachable!("the warp needs a server"),
        };
        let waiting = |at: usize| options.iter().filter(|&&warp| place(warp) == at).count();
        let Some(at) = options.iter().map(|&warp| place(warp)).min_by_key(|&at| (waiting(at), at)) else { return };
        options.retain(|&warp| place(warp) == at);
    }

    /// True if a warp before this one is in the same state and may change places with it: one of its group at its dispatcher, or
    /// one of an equal group at the same dispatchers.
    fn has_twin_before(&self, warp: usize) -> bool {
        let (group, lane) = (warp / self.warps_per_group, warp % self.warps_per_group);
        let first = group * self.warps_per_group;
        let words = |lane: usize| &self.words[(first + lane) * self.width..(first + lane + 1) * self.width];
        let mut lanes = (lane % self.dispatchers..lane).step_by(self.dispatchers);
        lanes.any(|twin| words(twin) == words(lane))
            || (0..group).any(|twin| {
                self.first_dispatcher(twin) == self.first_dispatcher(group)
                    && self.group_words(twin) == self.group_words(group)
            })
    }

    /// The dispatcher of a group's first warp.
    pub(super) fn first_dispatcher(&self, group: usize) -> usize {
        group * self.warps_per_group % self.dispatchers
    }

    pub(super) fn group_words(&self, group: usize) -> &[u64] {
        let width = self.warps_per_group * self.width;
        &self.words[group * width..(group + 1) * width]
    }
}
