//! A kernel on a lockstep GPU, and the waits of its executors for each other.
//!
//! The n executors are min(NM, groups) * min(WG, PE). Their repetitions are the machine's own, because rounding happens
//! per group; the paper's ceil(N / n) rounds once.

use super::parts::{Kernel, Part, Read};
use super::scalar::Overflow;
use crate::gpu::Lockstep;
use crate::spec::{EvaluationError, Launch, Scope, Spec};
use autotune_machine::machine::Program;

/// The kernel of a configuration with these parts and N work items.
pub(super) fn kernel(
    mut parts: Vec<Part>,
    gpu: &Lockstep,
    program: &Program,
    work_items: u128,
) -> Result<Kernel, Overflow> {
    let together = program.groups.min(program.multiprocessors);
    let elements = (program.warps_per_group * gpu.warp_size()).min(gpu.processing_elements);
    let executors = u128::from(together) * u128::from(elements);
    serialize(&mut parts, executors)?;
    let repetitions = program.most_groups() * program.passes;
    Ok(Kernel { parts, launch: program.launch, repetitions, executors, work_items: Some(work_items) })
}

/// N: the work items of all launches of a configuration.
///
/// # Errors
/// If an expression cannot be evaluated.
pub(super) fn work_items(spec: &Spec, scope: &Scope) -> Result<u128, EvaluationError> {
    let Launch { work_items, times, .. } = &spec.launch;
    let axes = work_items.iter().chain([times]);
    axes.map(|axis| Ok(u128::from(axis.positive(scope)?.unsigned_abs())))
        .try_fold(1_u128, |all, axis| axis.map(|axis| all.saturating_mul(axis)))
}

/// The wait of an access of the last of n executors, in ticks: (M n - M + j - 1) dt, where an executor has M `accesses`
/// and j - 1 of them go `before` (section 9 and footnote 5 of the paper). All accesses of the other executors go first.
///
/// # Errors
/// If a wait exceeds 128 bits.
pub(super) fn wait(executors: u128, accesses: u128, before: u128, delay: u64) -> Result<u128, Overflow> {
    let of_others = executors.saturating_sub(1).checked_mul(accesses).ok_or(Overflow)?;
    of_others.checked_add(before).and_then(|first| first.checked_mul(delay.into())).ok_or(Overflow)
}

/// Gives each access of the parts the wait of the last executor's last one.
fn serialize(parts: &mut [Part], executors: u128) -> Result<(), Overflow> {
    for part in parts {
        match part {
            Part::Reads(reads) => {
                let all = reads.iter().map(|read| read.accesses).sum();
                let mut before = 0;
                for Read { accesses, delay, wait, .. } in reads {
                    before += *accesses;
                    *wait = self::wait(executors, all, before.saturating_sub(1), *delay)?;
                }
            }
            Part::Write(write) => {
                write.wait = wait(executors, write.accesses, write.accesses.saturating_sub(1), write.delay)?;
            }
            Part::Operation(_) | Part::Barrier(_) => {}
            Part::Branch(sides) => {
                for side in sides {
                    serialize(side, executors)?;
                }
            }
            Part::Loop { body, .. } => serialize(body, executors)?,
        }
    }
    Ok(())
}
