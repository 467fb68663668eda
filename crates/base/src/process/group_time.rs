//! The processor time of a process group.

use std::time::Duration;

use fs_err as fs;
use nix::unistd::{SysconfVar, sysconf};

/// The processor time that the live processes of a group have taken, and those of their children that they have waited
/// for; 0 on a system without `/proc`.
pub(super) fn processor_time(group: i32) -> Duration {
    let ticks_of_second = sysconf(SysconfVar::CLK_TCK).ok().flatten().and_then(|ticks| u32::try_from(ticks).ok());
    let second = ticks_of_second.filter(|ticks| *ticks > 0).unwrap_or(100);
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes =
        entries.filter(|entry| entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()));
    let ticks =
        processes.filter_map(|entry| ticks_in_group(&fs::read_to_string(entry.path().join("stat")).ok()?, group));
    Duration::from_secs(ticks.sum()) / second
}

/// The clock ticks that a line of `/proc/PID/stat` states for a process of the group; `None` for another group's.
fn ticks_in_group(stat: &str, group: i32) -> Option<u64> {
    // The name stands in parentheses and may hold anything; state, parent and group follow it.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let is_of_group = fields.get(2)?.parse() == Ok(group);
    // User and system time, of the process and of the children that it has waited for.
    is_of_group
        .then(|| fields.get(11..15).unwrap_or_default().iter().filter_map(|field| field.parse::<u64>().ok()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_a_process_and_of_its_children_are_summed() {
        let stat = "12 (a ) b) S 7 42 42 0 -1 4194560 95 0 0 0 100 20 3 4 20 0 1 0 5 6 7";
        assert_eq!(ticks_in_group(stat, 42), Some(127));
        assert_eq!(ticks_in_group(stat, 7), None);
        assert_eq!(ticks_in_group("torn", 42), None);
    }
}
