//! Atomic stores: L2 performs the operations on one address one after the other, one a cycle.

use super::*;
use Server::Memory;
use autotune_kernel::source::SourceReader;
use autotune_machine::machine::evaluate;

/// Ticks that memory takes to serve a warp, with two warps in each of 1,024 groups on 64 multiprocessors.
fn memory(statement: &str) -> u64 {
    occupancy(&plain(), Memory, &[statement])
}

/// Ticks of a warp if each group has this many operations on an address: all multiprocessors want it.
fn one_address(operations: u64) -> u64 {
    operations * 64 * 16 / 2
}

#[test]
fn all_operations_on_one_address_wait_for_each_other() {
    let add = "store: { array: a, stride: 0, atomic: true, footprint: { together: 4 } }";
    assert_eq!(memory(add), one_address(64), "one of each work item, lanes of a warp one by one");
    assert_eq!(memory(&add.replace("atomic: true", "atomic: 0")), memory(&add.replace("atomic: true, ", "")));
    assert_eq!(memory(&add.replace("true", "true, items: 16")), one_address(16));
    assert_eq!(memory(&add.replace("true", "true, per_item: 3")), one_address(3 * 64));
    assert_eq!(memory(&format!("loop: {{ count: 5, body: [{{ {add} }}] }}")), one_address(5 * 64));
}

#[test]
fn operations_on_several_addresses_do_not_wait_for_each_other() {
    let add = |together: u64| {
        memory(&format!("store: {{ array: a, stride: 0, atomic: true, footprint: {{ together: {together} }} }}"))
    };
    assert_eq!(add(16 * 4), one_address(4), "64 operations on 16 addresses");
    // A sector of each warp: 32 bytes at 64 a cycle.
    assert_eq!(add(64 * 64 * 4), 16 / 2, "one in 64 groups on each of 4,096: no more than L2 takes anyway");
    let wide = "store: { array: a, bytes: 8, vector: 2, stride: 0, atomic: true, footprint: { together: 16 } }";
    assert_eq!(memory(wide), one_address(64), "both numbers of a pair at once");
}

#[test]
fn subscripts_say_which_operations_meet() {
    let add = |subscripts: &str| format!("store: {{ array: a, atomic: true, {subscripts} }}");
    assert_eq!(memory(&add("items: 1, index: [0], shape: [1]")), one_address(1), "one of each group");
    assert_eq!(memory(&add("index: [lx], shape: [64]")), one_address(1), "each work item its own, one of each group");
    assert_eq!(memory(&add("index: ['0 * lx'], shape: [1]")), one_address(64));
    let own = "index: [gx * 64 + lx], shape: [65536]";
    // L2 moves 5,120 bytes a cycle for 64 multiprocessors: a slot of 32 for each word.
    assert_eq!(memory(&add(own)), (64_u64 * 32 * 64 * 16).div_ceil(2 * 5120), "nobody else's");
}

#[test]
fn addresses_count_over_all_executions() {
    let repeated = |subscript: &str| {
        let add = format!("store: {{ array: a, atomic: true, items: 1, index: [{subscript}], shape: [8] }}");
        memory(&format!("loop: {{ count: 8, var: i, body: [{{ {add} }}] }}"))
    };
    assert_eq!(repeated("3"), one_address(8), "eight on the same");
    assert_eq!(repeated("i"), one_address(1), "one on each of eight");
    let own = "store: { array: a, atomic: true, items: 1, per_item: 8, var: j, index: [j], shape: [8] }";
    assert_eq!(memory(own), one_address(1));
}

#[test]
fn the_profile_says_how_long_an_operation_takes() {
    let add = "store: { array: a, stride: 0, atomic: true, footprint: { together: 4 } }";
    let slow = plain_but(&[("same_address_atomic_cycles", "18")]);
    assert_eq!(occupancy(&slow, Memory, &[add]), 18 * one_address(64));
}

#[test]
fn few_groups_wait_for_few() {
    // 8 groups: an address is wanted by 8 multiprocessors.
    let head = "launch: { work_items: 512, work_group: 64 }";
    let add = "store: { array: a, stride: 0, atomic: true, footprint: { together: 4 } }";
    let (_, uses) = turns(&plain(), head, &[add]);
    assert_eq!(uses.last(), Some(&(Memory, 64 * 8 * 16 / 2, 64 * 8 * 16 / 2)));
    // 96 groups on 64 multiprocessors, two on the fullest: those of 96 groups in the time of two.
    let (_, uses) = turns(&plain(), "launch: { work_items: 6144, work_group: 64 }", &[add]);
    assert_eq!(uses.last(), Some(&(Memory, 64 * 48 * 16 / 2, 64 * 48 * 16 / 2)));
}

#[test]
fn bytes_that_nobody_changes_are_no_address() {
    let add = "store: { array: a, stride: 0, atomic: true, footprint: { together: 0 } }";
    let error = outcome(&plain(), &spec(LAUNCH, &[add])).unwrap_err().to_string();
    assert!(error.contains("at least 1"), "{error}");
}

/// The kernel adds 2^26 times to one address; measured times of a GPU's work groups differ by less than 1 %.
#[test]
fn the_work_group_of_a_histogram_in_one_address_plays_no_part() {
    let spec =
        Spec::parse(include_str!("../../../../../tuning-specs/measured/nvb_hist_simple.yaml"), "hist.yaml").unwrap();
    for name in ["gtx1650", "rtx2060", "rtx3060", "rtx3060laptop", "rtx3060ti", "rtx3070ti", "rtx3080"] {
        let profile = &find(name).unwrap().profile;
        let reader = SourceReader::default();
        let lowering = Lowering::new(&spec, profile, &reader);
        let mut times: Vec<u64> = all(&spec, &lowering)
            .iter()
            .map(|(_, lowered)| evaluate(&lowered.program, 1 << 24).unwrap().ticks)
            .collect();
        times.sort_unstable();
        let [least, greatest] = [times[0], times[times.len() - 1]];
        assert_eq!(times.len(), 6);
        assert!(least >= 16 << 26, "{name}: a cycle each");
        assert!(greatest * 100 <= least * 105, "{name}: {least} to {greatest} ticks");
    }
}
