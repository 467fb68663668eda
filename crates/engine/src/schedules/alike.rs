//! Programs that behave alike in every order.

use autotune_machine::machine::{BarrierScope, Program, Statement};

/// True if two programs have the same behaviours: they are equal, or they group the same warps otherwise, in a body where a group
/// is never waited for.
pub(super) fn behave_alike(one: &Program, other: &Program) -> bool {
    let waits_for_groups = Statement::all(&one.body)
        .any(|(statement, _)| matches!(statement, Statement::Barrier { scope: BarrierScope::Group, .. }));
    let grouping = |program: &Program| if waits_for_groups { program.warps_per_group } else { 1 };
    let same_machine = one.dispatchers == other.dispatchers && one.launch == other.launch;
    same_machine && one.body == other.body && grouping(one) == grouping(other) && waves(one) == waves(other)
}

/// The warps of each different wave, and the number of times that it runs.
fn waves(program: &Program) -> Vec<(u64, u64)> {
    let waves = program.wave_programs();
    waves.map(|(times, wave)| (times, wave.groups.saturating_mul(wave.warps_per_group))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_machine::machine::Server;

    fn program(groups: u64, resident_groups: u64, warps_per_group: u64, cost: Option<u64>) -> Program {
        let mut body = vec![Statement::Use { server: Server::Memory, occupancy: 2, latency: 9 }];
        body.extend(cost.map(|cost| Statement::Barrier { cost, scope: BarrierScope::Group }));
        let (multiprocessors, dispatchers, passes, launch) = (1, 2, 1, 5);
        Program { multiprocessors, dispatchers, groups, resident_groups, warps_per_group, passes, launch, body }
    }

    #[test]
    fn without_a_barrier_the_grouping_of_the_warps_does_not_matter() {
        assert!(behave_alike(&program(8, 4, 1, None), &program(4, 2, 2, None)));
        assert!(!behave_alike(&program(8, 4, 1, Some(1)), &program(4, 2, 2, Some(1))));
        assert!(behave_alike(&program(8, 4, 2, Some(1)), &program(8, 4, 2, Some(1))));
        assert!(!behave_alike(&program(8, 4, 1, None), &program(8, 8, 1, None)));
        let later = Program { launch: 6, ..program(8, 4, 1, None) };
        assert!(!behave_alike(&program(8, 4, 1, None), &later));
    }
}
