//! The number of processes that a model may have.

use crate::machine::Program;

/// The greatest number of processes in SPIN, without the claim.
pub(super) const PROCESSES: u64 = 254;

/// The number of processes in the form of roles.
pub(super) fn processes_of(program: &Program) -> u64 {
    warps_of(program).saturating_add(program.largest_wave() + program.dispatchers + SHARED_SERVERS + SINGLE_PROCESSES)
}

/// Returns true if SPIN can give each part of the machine a process.
pub(super) fn fits_processes(program: &Program) -> bool {
    processes_of(program) <= PROCESSES
}

/// The number of processes that exist once: host, multiprocessor and clock.
pub(super) const SINGLE_PROCESSES: u64 = 3;

/// The number of servers that all warps share: memory and local.
pub(super) const SHARED_SERVERS: u64 = 2;

/// The number of warps of the largest wave.
pub(super) fn warps_of(program: &Program) -> u64 {
    program.largest_wave().saturating_mul(program.warps_per_group)
}
