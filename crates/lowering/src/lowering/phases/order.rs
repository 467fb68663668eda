//! The uses, starts and waits of a straight run whose statements keep their order.

use std::borrow::Cow;

use super::run::{Run, RunKind};
use super::servers::{Servers, ticks};
use super::work::Work;
use crate::lowering::exact::Exact;
use crate::lowering::stop::{LoweringProblem, LoweringStop};
use autotune_base::text::Place;
use autotune_machine::machine::{LONGEST, Queue, Server, Statement};

/// The queue that holds the passes of copies and of loads that are waited for later. No wait names it.
const PASSES: Queue = Queue::H;

/// The queue of matrix instructions that hold the warp. The warp issues them while the units multiply, and waits behind
/// the last one.
pub const MULTIPLYING: Queue = Queue::G;

/// A statement of the machine, and the work that it comes from.
pub(super) struct Step<'r> {
    pub(super) statement: Statement,
    /// The server and its work; `None` for a wait.
    pub(super) served: Option<Served<'r>>,
}

/// The work of a server in a straight run.
pub(super) struct Served<'r> {
    pub(super) server: Server,
    pub(super) work: Cow<'r, Work>,
    /// Instructions of the whole straight run.
    pub(super) straight: Exact,
    /// True if each statement's part of the latency is its part of the waits of a warp.
    pub(super) held: bool,
}

/// The latency of a server's work, in cycles, and the queue in which it is started; `None` if the warp is held.
struct Service {
    server: Server,
    latency: Exact,
    queue: Option<Queue>,
}

/// The steps of a straight run.
///
/// # Errors
/// If a number does not fit.
pub(super) fn steps<'r>(servers: &Servers<'_>, runs: &'r [Run]) -> Result<Vec<Step<'r>>, LoweringStop> {
    let place = runs.first().map_or_else(Place::default, |run| run.work.place);
    fitting(servers, runs).ok_or(LoweringStop::At(place, LoweringProblem::TooMuch))
}

/// The steps of a straight run; `None` if a number does not fit.
fn fitting<'r>(servers: &Servers<'_>, runs: &'r [Run]) -> Option<Vec<Step<'r>>> {
    let straight = runs.iter().fold(Exact::ZERO, |sum, run| sum + run.work.code);
    let mut steps = Steps { servers, straight, issue: Work::default(), made: Vec::new() };
    for run in runs {
        if run.kind == RunKind::Matrix(None) {
            steps.multiply(run)?;
            continue;
        }
        steps.issue += &run.work.issue();
        if let RunKind::Wait { queue, pending } = run.kind {
            steps.issue()?;
            steps.wait(queue, pending);
        } else if run.kind != RunKind::Compute {
            steps.issue()?;
            steps.serve_all(run)?;
        }
    }
    steps.issue()?;
    Some(steps.made)
}

struct Steps<'s, 'r> {
    servers: &'s Servers<'s>,
    straight: Exact,
    /// Instructions that are not yet issued.
    issue: Work,
    made: Vec<Step<'r>>,
}

impl<'r> Steps<'_, 'r> {
    /// Issues the instructions so far.
    fn issue(&mut self) -> Option<()> {
        let work = std::mem::take(&mut self.issue);
        self.serve(&Service { server: Server::Dispatcher, latency: Exact::ZERO, queue: None }, Cow::Owned(work))
    }

    /// Adds matrix instructions that hold the warp: they are issued while the units are at work.
    fn multiply(&mut self, run: &'r Run) -> Option<()> {
        self.issue()?;
        self.serve_all(run)?;
        self.issue += &run.work.issue();
        self.issue()?;
        self.wait(MULTIPLYING, 0);
        Some(())
    }

    fn wait(&mut self, queue: Queue, pending: u64) {
        self.made.push(Step { statement: Statement::Wait { queue, pending }, served: None });
    }

    /// Adds the services of a run behind its issue.
    fn serve_all(&mut self, run: &'r Run) -> Option<()> {
        services(self.servers, run).iter().try_for_each(|service| self.serve(service, Cow::Borrowed(&run.work)))
    }

    /// Adds a use or start; nothing if a warp would be held for no time.
    fn serve(&mut self, service: &Service, work: Cow<'r, Work>) -> Option<()> {
        let Service { server, latency, queue } = *service;
        let occupancy = self.servers.occupancy_in(server, &work, Exact::ONE, self.straight)?;
        let until_done = occupancy.checked_add(ticks(latency).ceil()?).filter(|ticks| *ticks <= LONGEST)?;
        if until_done == 0 && queue.is_none_or(|queue| queue == PASSES) {
            return Some(());
        }
        let statement = match queue {
            None => Statement::Use { server, occupancy, latency: until_done },
            Some(queue) => Statement::Start { server, occupancy, latency: until_done, queue },
        };
        let served = Served { server, work, straight: self.straight, held: queue.is_none() };
        self.made.push(Step { statement, served: Some(served) });
        Some(())
    }
}

/// The services of a run behind its issue, in their order.
fn services(servers: &Servers<'_>, run: &Run) -> Vec<Service> {
    let of = |server, latency, queue| Service { server, latency, queue };
    let work = &run.work;
    match run.kind {
        RunKind::Compute | RunKind::Wait { .. } => Vec::new(),
        RunKind::Local(None) => vec![of(Server::Local, servers.latency(work), None)],
        RunKind::Local(queue) => vec![of(Server::Local, servers.local_latency(), queue)],
        RunKind::LocalStore => vec![of(Server::Local, Exact::ZERO, None)],
        RunKind::Load(None) => {
            vec![of(Server::Memory, work.load_latency, None), of(Server::Local, Exact::ZERO, None)]
        }
        RunKind::Load(queue) => {
            vec![of(Server::Memory, servers.memory_latency(work), queue), of(Server::Local, Exact::ZERO, Some(PASSES))]
        }
        RunKind::Store => vec![of(Server::Local, Exact::ZERO, None), of(Server::Memory, Exact::ZERO, None)],
        RunKind::Copy(queue) => {
            let memory = of(Server::Memory, servers.memory_latency(work), Some(queue));
            vec![memory, of(Server::Local, Exact::ZERO, Some(PASSES))]
        }
        RunKind::Matrix(queue) => {
            let latency = queue.map_or(Exact::ZERO, |_| servers.matrix_latency(work));
            vec![of(Server::Matrix, latency, queue.or(Some(MULTIPLYING))), of(Server::Local, Exact::ZERO, Some(PASSES))]
        }
    }
}
