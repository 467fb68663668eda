//! Lockstep GPUs, the abstract kernel on them, and the closed form of their time.

use autotune::machine::{Program, Server, Statement, evaluate};
use autotune::model::{Candidate, ElementCandidate};

/// A lockstep GPU, with local memory of one tick.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lockstep {
    pub(crate) multiprocessors: u64,
    pub(crate) processing_elements: u64,
    pub(crate) dispatchers: u64,
    pub(crate) global_memory: u64,
}

/// A configuration of a kernel on a lockstep GPU.
#[derive(Debug, Clone)]
pub(crate) struct Configuration {
    pub(crate) label: String,
    pub(crate) program: Program,
    pub(crate) gpu: Lockstep,
    pub(crate) work_group: u64,
}

/// `abstract-tiny`.
pub(crate) const TINY: Lockstep =
    Lockstep { multiprocessors: 1, processing_elements: 4, dispatchers: 2, global_memory: 10 };

impl Lockstep {
    /// A launch of `groups` groups of `work_group` work items.
    pub(crate) fn program(self, groups: u64, work_group: u64, body: Vec<Statement>) -> Program {
        let warp_size = self.processing_elements / self.dispatchers;
        Program {
            multiprocessors: self.multiprocessors,
            dispatchers: self.dispatchers,
            groups,
            resident_groups: 1,
            warps_per_group: work_group.div_ceil(warp_size).min(self.dispatchers),
            passes: work_group.div_ceil(self.processing_elements),
            launch: 0,
            body,
        }
    }

    /// The paper's kernel: size / TS tiles, each a global access and two local ones, between barriers; then the result.
    pub(crate) fn abstract_kernel(self, size: u64, work_group: u64, tile: u64) -> Configuration {
        let tiles = Statement::Loop {
            count: size / tile,
            body: vec![work(self.global_memory), Statement::barrier(0), work(1), work(1), Statement::barrier(0)],
        };
        let body = vec![tiles, work(self.global_memory)];
        Configuration {
            label: format!("WG={work_group} TS={tile}"),
            program: self.program(size.div_ceil(work_group), work_group, body),
            gpu: self,
            work_group,
        }
    }

    /// All powers of two from 2 to size / 2 as WG and TS.
    pub(crate) fn abstract_kernels(self, size: u64) -> Vec<Configuration> {
        let powers = || (1..).map(|power| 1 << power).take_while(move |&power| power <= size / 2);
        powers().flat_map(|work_group| powers().map(move |tile| self.abstract_kernel(size, work_group, tile))).collect()
    }
}

/// Every element of a warp works for `ticks`.
pub(crate) fn work(ticks: u64) -> Statement {
    Statement::Use { server: Server::Dispatcher, occupancy: ticks, latency: ticks }
}

/// A random program made one of a lockstep GPU.
pub(crate) fn random(number: usize, random: Program) -> Configuration {
    fn body(statements: Vec<Statement>) -> Vec<Statement> {
        statements
            .into_iter()
            .map(|statement| match statement {
                Statement::Use { occupancy, .. } | Statement::Start { occupancy, .. } => work(occupancy),
                Statement::Barrier { scope, .. } => Statement::Barrier { cost: 0, scope },
                Statement::Wait { .. } => Statement::barrier(0),
                Statement::Loop { count, body: inner } => Statement::Loop { count, body: body(inner) },
            })
            .collect()
    }
    let gpu = Lockstep {
        multiprocessors: random.multiprocessors,
        processing_elements: random.dispatchers * random.resident_groups,
        dispatchers: random.dispatchers,
        global_memory: 0,
    };
    let mut program = gpu.program(random.groups, random.warps_per_group, body(random.body));
    program.launch = random.launch;
    program.passes *= random.passes;
    Configuration { label: format!("program={number}"), program, gpu, work_group: random.warps_per_group }
}

impl Configuration {
    pub(crate) fn candidate(&self) -> Candidate<'_> {
        let events = evaluate(&self.program, u64::MAX).unwrap().events;
        Candidate { label: self.label.clone(), program: &self.program, events, uncut_events: events }
    }

    pub(crate) fn element_candidate(&self) -> ElementCandidate<'_> {
        ElementCandidate {
            candidate: self.candidate(),
            processing_elements: self.gpu.processing_elements,
            work_group: self.work_group,
            cut: u64::MAX,
        }
    }

    /// launch + ceil(groups / NM) * passes * (sum of the body's costs)
    pub(crate) fn closed_form(&self) -> u64 {
        let waves = self.program.groups.div_ceil(self.program.multiprocessors) * self.program.passes;
        self.program.launch + waves * cost(&self.program.body)
    }

    /// Host, clock, and for each multiprocessor that gets a group itself, its barrier, its warps' dispatchers and the
    /// elements that get a work item; the claim, which SPIN does not count in a simulation, comes on top.
    pub(crate) fn processes(&self) -> u64 {
        let multiprocessors = self.gpu.multiprocessors.min(self.program.groups);
        let elements = self.work_group.min(self.gpu.processing_elements);
        let dispatchers = elements.div_ceil(self.gpu.processing_elements / self.gpu.dispatchers);
        2 + multiprocessors * (2 + dispatchers + elements)
    }
}

fn cost(body: &[Statement]) -> u64 {
    body.iter()
        .map(|statement| match statement {
            Statement::Use { latency, .. } | Statement::Start { latency, .. } => *latency,
            Statement::Barrier { .. } | Statement::Wait { .. } => 0,
            Statement::Loop { count, body } => count * cost(body),
        })
        .sum()
}
