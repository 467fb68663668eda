//! The sizes of the arrays of a model of granularity `warp`.

use tera::Context;

use super::limits::PROCESSES;
use super::tables::{Layout, Queues};
use super::{Candidate, Form, Uncut};
use crate::model::limits::{Parts, SINGLE_PROCESSES};

/// The sizes of a model's arrays, and the form that decides its processes.
pub(super) struct Size {
    pub(super) form: Form,
    pub(super) layout: Layout,
    pub(super) warps: u64,
    pub(super) groups: u64,
    pub(super) servers: u64,
    pub(super) levels: u64,
    /// The number of slots of a warp's starts.
    pub(super) slots: u64,
}

impl Size {
    pub(super) fn of<'a>(
        form: Form,
        layout: Layout,
        levels: usize,
        members: impl Iterator<Item = &'a Candidate<'a>> + Clone,
    ) -> Self {
        let levels = (levels as u64).max(1);
        let mut size = Self { form, layout, warps: 1, groups: 1, servers: 0, levels, slots: 0 };
        for Candidate { program, .. } in members.clone().filter(|_| layout.has_queues) {
            size.slots = size.slots.max(Queues::of(&program.body).all as u64).max(1);
        }
        let parts = Parts::of(members.map(|member| member.program), layout.has_queues);
        (size.warps, size.groups, size.servers) = (parts.warps.max(1), parts.groups.max(1), parts.servers);
        size
    }

    /// The class of sizes that this size belongs to. Classes are few, so one compiled model serves many proofs. If the
    /// class would have too many processes, the size itself is returned.
    pub(super) fn rounded_up(self) -> Self {
        let class = Self {
            form: self.form,
            layout: self.layout,
            warps: self.warps.next_power_of_two().max(64),
            groups: self.groups.next_power_of_two().max(32),
            servers: self.servers.next_power_of_two().max(8),
            levels: self.levels.next_power_of_two().max(4),
            slots: if self.layout.has_queues { self.slots.next_power_of_two().max(8) } else { 0 },
        };
        if class.processes() <= PROCESSES { class } else { self }
    }

    /// Inserts the sizes into a template's context.
    pub(super) fn insert(&self, context: &mut Context) {
        let sizes = [
            ("warps", self.warps),
            ("groups", self.groups),
            ("servers", self.servers),
            ("levels", self.levels),
            ("slots", self.slots),
            ("vector_bytes", self.vector_bytes()),
        ];
        for (name, size) in sizes {
            context.insert(name, &size);
        }
    }

    pub(super) fn processes(&self) -> u64 {
        match self.form {
            Form::Roles => SINGLE_PROCESSES + self.servers + self.barriers() + self.warps,
            Form::Wave => 2,
        }
    }

    /// The number of barriers: the groups' and the grid's.
    fn barriers(&self) -> u64 {
        self.groups + u64::from(self.layout.has_grid)
    }

    /// The upper estimate of a state's size in bytes: global arrays and a frame of at most 16 bytes a process, doubled
    /// to be safe.
    pub(super) fn vector_bytes(&self) -> u64 {
        let starts = self.warps * self.slots;
        let high_words = if self.layout.width.is_wide() { 4 * (self.warps + self.servers + starts) } else { 0 };
        let waits = 4 * (self.servers + starts) + high_words;
        let globals = 128 + self.warps * (6 + 4 * self.levels) + 2 * self.barriers() + waits;
        (2 * (globals + 16 * self.processes())).next_multiple_of(1024)
    }

    /// The upper estimate of a run's steps: in the form of roles 9 for each event; 4 to start each process, and 2 for
    /// each configuration to choose it.
    pub(super) fn depth(&self, events: u64, configurations: u64) -> u64 {
        let run = match self.form {
            Form::Roles => events.saturating_mul(9),
            Form::Wave => 0,
        };
        run.saturating_add(4 * self.processes() + 2 * configurations + 100).next_multiple_of(1000)
    }

    /// The sizes of a search of these candidates that no bound cuts.
    pub(super) fn uncut<'a>(&self, members: impl Iterator<Item = &'a Candidate<'a>>, configurations: u64) -> Uncut {
        let (mut longest, mut events) = (0, 0_u64);
        for member in members {
            longest = longest.max(member.uncut_events);
            events = events.saturating_add(member.uncut_events);
        }
        Uncut { depth: self.depth(longest, configurations), events }
    }
}
