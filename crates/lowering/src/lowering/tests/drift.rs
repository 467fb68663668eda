//! Groups that drift apart: what a wave waits for.

use super::*;

/// A launch of a number of groups of 64 on each of 64 multiprocessors; 32 are resident.
fn launch(groups: u64) -> String {
    format!("launch: {{ work_items: {}, work_group: 64 }}", groups * 64 * 64)
}

/// Ticks that a warp waits behind its first service, and those of its group at the busiest server.
fn waits(groups: u64, body: &[&str]) -> (u64, u64) {
    let (_, uses) = turns(&plain(), &launch(groups), body);
    let each = uses
        .iter()
        .map(|(server, occupancy, _)| if *server == Server::Dispatcher { occupancy / 2 } else { occupancy * 2 });
    (uses[0].2 - uses[0].1, each.max().unwrap())
}

#[test]
fn one_wave_waits_as_the_machine_does() {
    assert_eq!(waits(32, &["load: { array: a, in_flight: 1 }"]).0, 400 * 16);
}

#[test]
fn the_other_groups_hide_what_they_can() {
    // A group takes 242 ticks of DRAM: 31 others take 7,502, more than the latency of 6,400. Two waves share one of these.
    let (left, busiest) = waits(64, &["load: { array: a, in_flight: 1 }"]);
    assert_eq!((left, busiest), (3200, 242));
    assert_eq!(waits(320, &["load: { array: a, in_flight: 1 }"]).0, 640, "ten waves");
}

#[test]
fn what_they_do_not_hide_stays() {
    // One sector of a group: DRAM takes 16 ticks for each of two warps, of which the other 31 groups hide 992.
    let (left, busiest) = waits(3200, &["load: { array: a, in_flight: 1, items: 1 }"]);
    assert_eq!((left, busiest), (6400 - 31 * 32, 32));
}

#[test]
fn waits_between_barriers_stay() {
    let loads = "load: { array: a, in_flight: 1 }";
    let body = program(&plain(), &launch(320), &[loads, "barrier", loads, "barrier", loads]).body;
    let latencies: Vec<u64> = body
        .iter()
        .filter_map(|statement| match statement {
            Statement::Use { server: Server::Memory, occupancy, latency } => Some(latency - occupancy),
            _ => None,
        })
        .collect();
    assert_eq!(latencies, [640, 6400, 640]);
}

#[test]
fn a_phase_of_many_waits_keeps_them() {
    let (turns, uses) = turns(&plain(), &launch(320), &["load: { array: a, per_item: 5, in_flight: 1 }"]);
    assert_eq!((turns, uses[0].2 - uses[0].1), (4, 5 * 6400 / 4));
}

#[test]
fn a_large_group_with_a_barrier_takes_time_to_start_and_end() {
    let head = "launch: { work_items: 65536, work_group: 512 }";
    let gpu = plain_but(&[("large_group_cycles", "600")]);
    let first = |gpu: &Profile, head: &str, body: &[&str]| match program(gpu, head, body).body[0] {
        Statement::Use { occupancy, latency, .. } => latency - occupancy,
        ref other => panic!("{other:?}"),
    };
    let body = ["store: { array: a }", "barrier"];
    assert_eq!(first(&gpu, head, &body), 600 * 16);
    assert_eq!(first(&plain(), head, &body), 0);
    assert_eq!(first(&gpu, LAUNCH, &body), 0, "two warps");
    assert_eq!(first(&gpu, head, &body[..1]), 0, "no barrier");
}
