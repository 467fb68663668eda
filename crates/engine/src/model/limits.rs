//! The number of processes that a model may have.

use super::Candidate;
use autotune_machine::machine::{Program, Server, Statement};

/// The greatest number of processes in SPIN, without the claim.
pub(super) const PROCESSES: u64 = 254;

/// The parts of the machine in a model of some programs, each as many as the program with most of them has.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    pub(super) warps: u64,
    pub(super) groups: u64,
    pub(super) servers: u64,
    /// True if a barrier of all groups stands beside the groups' own.
    pub(super) has_grid: bool,
}

impl Parts {
    /// The parts in a model of these programs that has queues, or has none.
    pub(super) fn of<'a>(programs: impl Iterator<Item = &'a Program>, has_queues: bool) -> Self {
        programs.fold(Self::default(), |most, program| Self {
            warps: most.warps.max(warps_of(program)),
            groups: most.groups.max(program.largest_wave()),
            servers: most.servers.max(servers_of(program, has_queues)),
            has_grid: most.has_grid || Statement::any_of_grid(&program.body),
        })
    }

    /// The parts in a model of all candidates.
    pub(super) fn of_all(candidates: &[Candidate]) -> Self {
        let has_queues = candidates.iter().any(|candidate| has_queues(candidate.program));
        Self::of(candidates.iter().map(|candidate| candidate.program), has_queues)
    }

    /// The number of processes in the form of roles.
    pub(super) fn processes(self) -> u64 {
        let parts = self.warps.saturating_add(self.groups).saturating_add(self.servers);
        parts.saturating_add(SINGLE_PROCESSES).saturating_add(self.has_grid.into())
    }

    /// Returns true if SPIN can give each part a process, and a number to each.
    pub(super) fn fit(self) -> bool {
        self.processes() <= PROCESSES
    }
}

/// The number of processes that exist once: host, multiprocessor and clock.
pub(super) const SINGLE_PROCESSES: u64 = 3;

/// The number of servers that all warps share: memory and local.
const SHARED_SERVERS: u64 = 2;

/// The number of servers in a model of this program, with the matrix units if the model has queues.
fn servers_of(program: &Program, has_queues: bool) -> u64 {
    SHARED_SERVERS + if has_queues { program.dispatchers.saturating_mul(2) } else { program.dispatchers }
}

/// Returns true if a program makes starts, waits for them or uses matrix units.
pub(super) fn has_queues(program: &Program) -> bool {
    Statement::all(&program.body).any(|(statement, _)| {
        matches!(
            statement,
            Statement::Start { .. } | Statement::Wait { .. } | Statement::Use { server: Server::Matrix, .. }
        )
    })
}

/// The number of warps of the largest wave.
pub(super) fn warps_of(program: &Program) -> u64 {
    program.largest_wave().saturating_mul(program.warps_per_group)
}
