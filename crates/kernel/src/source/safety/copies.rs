//! Copies to local memory that go on beside the kernel: each stores from its start to the wait that covers it.

use super::event::Event;

/// The copies that are under way.
#[derive(Default)]
pub(super) struct Copies<'a> {
    /// The copies without a wait so far, with the number of their group.
    started: Vec<(u64, Event<'a>)>,
    /// The copies whose wait lies in this interval.
    ended: Vec<Event<'a>>,
    /// The number of the group that is open.
    group: u64,
}

impl<'a> Copies<'a> {
    /// Starts a copy behind so many events of the interval.
    pub(super) fn start(&mut self, copy: Event<'a>, events: usize) {
        self.started.push((self.group, Event { alive: Some([number(events), u32::MAX]), ..copy }));
    }

    /// Ends a group.
    pub(super) fn commit(&mut self) {
        self.group += 1;
    }

    /// Waits for all groups but the last ones, `pending` of them, behind so many events of the interval.
    pub(super) fn wait(&mut self, pending: u32, events: usize) {
        let first_pending = self.group.saturating_sub(pending.into());
        let (ended, started) =
            std::mem::take(&mut self.started).into_iter().partition(|(group, _)| *group < first_pending);
        self.started = started;
        let ended: Vec<(u64, Event<'a>)> = ended;
        let until = |copy: Event<'a>| Event { alive: copy.alive.map(|[start, _]| [start, number(events)]), ..copy };
        self.ended.extend(ended.into_iter().map(|(_, copy)| until(copy)));
    }

    /// Forgets all: it is not known which are under way.
    pub(super) fn forget(&mut self) {
        self.started.clear();
        self.ended.clear();
    }

    /// The copies that store in an interval, which ends.
    pub(super) fn of_interval(&mut self) -> Vec<Event<'a>> {
        let mut all = std::mem::take(&mut self.ended);
        // An early read of an open group is not claimed: for targets without groups, headers wait where they start.
        let of_group = |(group, copy): &(u64, Event<'a>)| {
            let alive = copy.alive.filter(|_| *group < self.group);
            Event { alive, ..copy.clone() }
        };
        all.extend(self.started.iter().map(of_group));
        for (_, copy) in &mut self.started {
            copy.alive = Some([0, u32::MAX]);
        }
        all
    }
}

fn number(events: usize) -> u32 {
    u32::try_from(events).unwrap_or(u32::MAX)
}
