//! A body as straight steps, its loops as jumps.

use crate::machine::{Server, Statement};

/// One step of the body.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Use { server: Server, occupancy: u64, latency: u64 },
    Barrier { cost: u64 },
    Begin { depth: usize, count: u64 },
    Again { depth: usize, body: usize },
    End,
}

/// The body as a list of steps. The `Begin`s of all loops that start at a step stand directly before that step.
pub(super) struct Code {
    pub(super) steps: Vec<Step>,
    /// The greatest nesting depth of the loops.
    pub(super) depth: usize,
    /// Events of one warp, its end included; `u64::MAX` if there are more.
    pub(super) events: u64,
}

impl Code {
    pub(super) fn new(body: &[Statement]) -> Self {
        let mut code = Self { steps: Vec::new(), depth: 0, events: 1 };
        let events = code.append(body, 0);
        code.events = code.events.saturating_add(events);
        code.steps.push(Step::End);
        code
    }

    /// Appends a body and returns its number of events.
    fn append(&mut self, body: &[Statement], depth: usize) -> u64 {
        let mut events = 0u64;
        for statement in body {
            events = events.saturating_add(match *statement {
                Statement::Use { server, occupancy, latency } => {
                    self.steps.push(Step::Use { server, occupancy, latency });
                    1
                }
                Statement::Barrier { cost } => {
                    self.steps.push(Step::Barrier { cost });
                    1
                }
                Statement::Loop { count, ref body } => self.append_loop(count, body, depth),
            });
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
}
