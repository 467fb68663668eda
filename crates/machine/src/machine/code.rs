//! A body as straight steps, its loops as jumps.

use crate::machine::{BarrierScope, Queue, Server, Statement};

/// One step of the body.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) enum Step {
    Use {
        server: Server,
        occupancy: u64,
        latency: u64,
    },
    Start {
        server: Server,
        occupancy: u64,
        latency: u64,
        queue: Queue,
    },
    Wait {
        queue: Queue,
        pending: u64,
    },
    Barrier {
        cost: u64,
        scope: BarrierScope,
    },
    Begin {
        depth: usize,
        count: u64,
    },
    Again {
        depth: usize,
        body: usize,
    },
    /// The warp waits for all of its starts; the last step before the end of a body that makes starts.
    WaitForAll,
    End,
}

/// The starts of a warp in one queue that its future depends on: the last ones, which a wait may leave pending, and the
/// latest of all older ones.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::machine) struct Slots {
    /// The place of the older ones among a warp's slots; the last ones stand behind it, oldest first.
    pub(in crate::machine) older: usize,
    /// P: the greatest number of starts that a wait for the queue leaves pending.
    pub(in crate::machine) last: usize,
}

/// The body as a list of steps. The `Begin`s of all loops that start at a step stand directly before that step.
pub(in crate::machine) struct Code {
    pub(in crate::machine) steps: Vec<Step>,
    /// The greatest nesting depth of the loops.
    pub(in crate::machine) depth: usize,
    /// Events of one warp, its end included; `u64::MAX` if there are more.
    pub(in crate::machine) events: u64,
    /// The slots of each queue of the body.
    pub(in crate::machine) queues: [Slots; Queue::ALL.len()],
    /// The number of slots of a warp.
    pub(in crate::machine) slots: usize,
    /// True if the body uses the matrix units.
    pub(in crate::machine) has_matrix: bool,
}

impl Code {
    pub(in crate::machine) fn new(body: &[Statement]) -> Self {
        let mut code = Self {
            steps: Vec::new(),
            depth: 0,
            events: 1,
            queues: [Slots::default(); Queue::ALL.len()],
            slots: 0,
            has_matrix: false,
        };
        let events = code.append(body, 0);
        code.events = code.events.saturating_add(events);
        code.number_slots();
        if code.slots > 0 {
            code.steps.push(Step::WaitForAll);
            code.events = code.events.saturating_add(1);
        }
        code.steps.push(Step::End);
        code
    }

    /// Appends a body and returns its number of events.
    fn append(&mut self, body: &[Statement], depth: usize) -> u64 {
        let mut events = 0u64;
        for statement in body {
            let step = match *statement {
                Statement::Use { server, occupancy, latency } => Step::Use { server, occupancy, latency },
                Statement::Start { server, occupancy, latency, queue } => {
                    Step::Start { server, occupancy, latency, queue }
                }
                Statement::Wait { queue, pending } => Step::Wait { queue, pending },
                Statement::Barrier { cost, scope } => Step::Barrier { cost, scope },
                Statement::Loop { count, ref body } => {
                    events = events.saturating_add(self.append_loop(count, body, depth));
                    continue;
                }
            };
            self.steps.push(step);
            events = events.saturating_add(1);
        }
        events
    }

    fn append_loop(&mut self, count: u64, body: &[Statement], depth: usize) -> u64 {
        let begin = self.steps.len();
        self.steps.push(Step::Begin { depth, count });
        let events = self.append(body, depth + 1).saturating_mul(count);
        if events == 0 {
            self.steps.truncate(begin);
        } else {
            self.depth = self.depth.max(depth + 1);
            self.steps.push(Step::Again { depth, body: begin + 1 });
        }
        events
    }

    fn number_slots(&mut self) {
        let mut is_used = [false; Queue::ALL.len()];
        for step in &self.steps {
            match *step {
                Step::Use { server: Server::Matrix, .. } => self.has_matrix = true,
                Step::Start { server, queue, .. } => {
                    self.has_matrix |= server == Server::Matrix;
                    is_used[queue as usize] = true;
                }
                Step::Wait { queue, pending } => {
                    is_used[queue as usize] = true;
                    let slots = &mut self.queues[queue as usize];
                    slots.last = slots.last.max(pending.try_into().expect("the program is checked"));
                }
                _ => {}
            }
        }
        for (slots, _) in self.queues.iter_mut().zip(is_used).filter(|(_, is_used)| *is_used) {
            slots.older = self.slots;
            self.slots += 1 + slots.last;
        }
    }
}
