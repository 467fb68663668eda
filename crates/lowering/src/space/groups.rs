//! Configurations in groups: the compiler makes the outputs of a group in one process, which a thread waits for.

use rayon::prelude::*;

use crate::lowering::Lowering;
use crate::spec::Configuration;
use autotune_kernel::source::TOGETHER;

/// Asks something of each configuration, on all processors, and returns the answers in order. Their source is compiled
/// group by group before.
pub(super) fn each<T: Send>(
    lowering: &Lowering,
    configurations: &[&Configuration],
    ask: impl Fn(&Configuration) -> T + Sync,
) -> Vec<T> {
    if !lowering.compiles() {
        return configurations.par_iter().map(|configuration| ask(configuration)).collect();
    }
    let groups = groups(configurations.len(), rayon::current_num_threads());
    let of_group = |members: &Vec<usize>| {
        let group: Vec<&Configuration> = members.iter().map(|&member| configurations[member]).collect();
        lowering.prepare(&group);
        members.par_iter().map(|&member| (member, ask(configurations[member]))).collect::<Vec<_>>()
    };
    let mut answers: Vec<(usize, T)> = groups.par_iter().flat_map_iter(of_group).collect();
    answers.sort_by_key(|(member, _)| *member);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// The places of `number` configurations in groups of one size, as many as keep all threads busy. Neighbours cost about
/// as much as each other, so they are in different groups.
fn groups(number: usize, threads: usize) -> Vec<Vec<usize>> {
    let size = number.div_ceil(threads.max(1)).clamp(1, TOGETHER);
    let groups = number.div_ceil(size);
    (0..groups).map(|group| (group..number).step_by(groups).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_all_configurations_once_and_keep_the_threads_busy() {
        for (number, threads, expected) in
            [(0, 2, 0), (1, 2, 1), (2, 2, 2), (5, 2, 2), (64, 2, 4), (100, 64, 50), (7, 0, 1)]
        {
            let groups = groups(number, threads);
            assert_eq!(groups.len(), expected, "{number} on {threads}");
            let mut all = groups.concat();
            all.sort_unstable();
            assert_eq!(all, (0..number).collect::<Vec<_>>());
            assert!(groups.iter().all(|group| group.len() <= TOGETHER));
        }
    }
}
