use super::*;
use Server::{Dispatcher, Local, Memory};

/// Ticks that DRAM takes to move this number of bytes of a warp.
fn dram(bytes: u64) -> u64 {
    (16 * bytes).div_ceil(17)
}

/// Ticks without DRAM, where only the port to L2 counts: 64 bytes a cycle.
fn l2(bytes: u64) -> u64 {
    16 * bytes / 64
}

const FEW_GROUPS: &str = "launch: { work_items: 512, work_group: 64 }";

fn memory(gpu: &Profile, head: &str, statement: &str) -> u64 {
    let (_, uses) = turns(gpu, head, &[statement]);
    uses.iter().filter(|use_| use_.0 == Memory).map(|use_| use_.1).sum()
}

#[test]
fn a_load_asks_then_looks_up_then_issues() {
    // 32 lanes of 4 bytes: 128 bytes, one line; a fourth of a round trip of 400 cycles
    let expected = [(Memory, dram(128), dram(128) + 1600), (Local, 16, 16), (Dispatcher, 16, 16)];
    assert_eq!(uses(&plain(), &["load: { array: a }"]), expected);
}

#[test]
fn a_store_is_last_and_nobody_waits_for_it() {
    let expected = [(Local, 16, 16), (Dispatcher, 16, 16), (Memory, dram(128), dram(128))];
    assert_eq!(uses(&plain(), &["store: { array: a }"]), expected);
}

#[test]
fn bytes_move_in_sectors_of_32() {
    for (stride, sectors) in [(0, 1), (1, 4), (2, 8), (8, 32), (100, 32)] {
        let store = format!("store: {{ array: a, stride: {stride} }}");
        assert_eq!(memory(&plain(), LAUNCH, &store), dram(32 * sectors), "stride {stride}");
    }
    assert_eq!(memory(&plain(), LAUNCH, "store: { array: a, bytes: 1 }"), dram(32));
    assert_eq!(memory(&plain(), LAUNCH, "store: { array: a, vector: 4, stride: 4 }"), dram(512));
    assert_eq!(memory(&plain(), LAUNCH, "store: { array: a, items: 1 }"), dram(16), "one sector for two warps");
}

#[test]
fn stated_sectors_and_lines_take_the_place_of_the_lanes() {
    let store = "store: { array: a, per_item: 2, stride: 8, footprint: { sectors: 'mean(9, 2)' } }";
    assert_eq!(memory(&plain(), LAUNCH, store), dram(32 * 9));
    let load = |stated: &str| uses(&plain(), &[&format!("load: {{ array: a, stride: 8, footprint: {{ {stated} }} }}")]);
    let [lanes, stated] = [load("group: 2048"), load("sectors: 4, lines: 3")];
    // 8 lines of 128 bytes, and 3.
    assert_eq!((lanes[1].1, stated[1].1), (8 * 16, 3 * 16));
    assert_eq!(stated[0].1, dram(128));
}

#[test]
fn rows_start_where_their_pitch_lets_them() {
    // 4 rows of 32 bytes, 36 apart: 140 bytes without a hole, at the 8 starts of 0, 4 .. 28: 5, 5, 5, 5, 5, 5, 6, 6 sectors
    // in the first warp, 5, 5, 6, 6, 5, 5, 5, 5 in the second, which is 144 bytes later
    let rows = "launch: { work_items: [256, 256], work_group: [8, 8] }";
    assert_eq!(memory(&plain(), rows, "store: { array: a, stride: [1, 9] }"), (16u64 * 21 * 8).div_ceil(17));
    assert_eq!(memory(&plain(), rows, "store: { array: a, stride: [1, 8] }"), dram(128), "these start at a sector");
}

#[test]
fn l1_that_keeps_loads_asks_once_for_the_group() {
    let rows = "launch: { work_items: [32, 2048], work_group: [32, 2] }";
    let load = "load: { array: a, stride: [1, 0] }";
    assert_eq!(memory(&plain(), rows, load), dram(64), "both warps read the same 128 bytes");
    let forgetful = plain_but(&[("l1_keeps_global_loads", "false")]);
    assert_eq!(memory(&forgetful, rows, load), dram(128));
    assert_eq!(memory(&plain(), rows, "store: { array: a, stride: [1, 0] }"), dram(128), "stores ask each");
}

#[test]
fn a_footprint_of_the_group_is_what_l2_supplies() {
    let load = "load: { array: a, per_item: 10, round_trips: 0, footprint: { group: 192, together: 0 } }";
    assert_eq!(memory(&plain(), LAUNCH, load), l2(96), "of one execution, all ten accesses");
    let repeated = format!("loop: {{ count: 3, body: [{{ {load} }}] }}");
    assert_eq!(memory(&plain(), LAUNCH, &repeated), l2(3 * 96), "of three");
    let forgetful = plain_but(&[("l1_keeps_global_loads", "false")]);
    assert_eq!(memory(&forgetful, LAUNCH, load), l2(1280), "every warp asks for its sectors");
    let one_word = "load: { array: a, stride: 0, footprint: { group: 256, together: 0 } }";
    assert_eq!(memory(&forgetful, LAUNCH, one_word), l2(128), "at least the footprint");
}

#[test]
fn a_footprint_of_all_that_run_together_is_what_dram_supplies() {
    // 1,024 groups run together: 64 multiprocessors could hold 32 of them each
    let shared = "load: { array: a, footprint: { together: 131072 } }";
    assert_eq!(memory(&plain(), LAUNCH, shared), dram(64), "128 bytes of each group of two warps");
    let each = "load: { array: a, footprint: { together: 128 * concurrent } }";
    assert_eq!(memory(&plain(), LAUNCH, each), dram(64));
    let many = "load: { array: a, footprint: { group: 128, together: 256 * concurrent } }";
    assert_eq!(memory(&plain(), LAUNCH, many), dram(64), "a load: no more than from L2");
    let store = "store: { array: a, stride: 0, footprint: { together: 256 * concurrent } }";
    assert_eq!(memory(&plain(), LAUNCH, store), dram(128), "a store: more than its sectors, if more are stated");
}

#[test]
fn concurrent_groups_are_those_that_are_resident() {
    // 64 registers: 8 groups of 256 a multiprocessor: 512 of 1,024 together
    let head = "launch: { work_items: 262144, work_group: 256 }\nresources: { registers: 32 }";
    let load = "load: { array: a, footprint: { together: 524288 } }";
    assert_eq!(memory(&plain(), head, load), dram(128), "1,024 bytes a group, 8 warps");
}

#[test]
fn few_groups_have_more_of_dram_each() {
    // 8 groups: 1,088 bytes a cycle for 8 multiprocessors; then the port to L2 is slower
    let wide = "store: { array: a, per_item: 2, vector: 4, stride: 0, footprint: { together: 8 * 1088 } }";
    assert_eq!(memory(&plain(), FEW_GROUPS, wide), 4 * 16);
    assert_eq!(memory(&plain(), FEW_GROUPS, "store: { array: a }"), l2(128));
}

/// 96 groups on 64 multiprocessors: 32 have two groups, the others one. DRAM serves all of them in the time of 96 groups
/// on 48 multiprocessors that have two each.
#[test]
fn multiprocessors_with_fewer_groups_leave_their_share_of_dram() {
    let dram = |groups: u64| {
        let head = format!("launch: {{ work_items: {}, work_group: 64 }}", groups * 64);
        let wide = "store: { array: a, per_item: 2, vector: 4, stride: 0, footprint: { together: 1088 * concurrent } }";
        let (_, uses) = turns(&plain(), &head, &[wide]);
        uses.last().unwrap().1
    };
    // DRAM has 1,088 bytes a cycle for all: those of a group take a cycle, half of it for each warp.
    assert_eq!(dram(64), 64 * 16 / 2);
    assert_eq!(dram(96), 48 * 16 / 2);
    assert_eq!(dram(65), 65 * 16 / 2 / 2);
    assert_eq!(dram(64 * 7), 64 * 16 / 2);
}

#[test]
fn the_port_to_l2_follows_the_bus() {
    let load = "load: { array: a, footprint: { together: 0 } }";
    let port = |bits: &str, sms: &str| plain_but(&[("memory_bus_bits", bits), ("multiprocessors", sms)]);
    assert_eq!(memory(&port("256", "64"), LAUNCH, load), 8 * 16, "4 * 256 / 64 = 16 bytes a cycle");
    assert_eq!(memory(&port("1023", "32"), LAUNCH, load), 2 * 16, "at most 64");
    assert_eq!(memory(&port("1024", "160"), LAUNCH, load), 4 * 16, "HBM: 5120 / 160 = 32");
    // Each of the 8 dies of an MI300X has an L2 of its own: more than the 5120 bytes a cycle of an A100.
    let known = |bus: &str, l2: &str| {
        plain_but(&[("memory_bus_bits", bus), ("multiprocessors", "320"), ("l2_bandwidth_bytes_per_cycle", l2)])
    };
    assert_eq!(memory(&known("8192", "10240"), LAUNCH, load), 4 * 16, "HBM with a known L2: 10240 / 320 = 32");
    assert_eq!(memory(&known("8192", "2560"), LAUNCH, load), 8 * 16, "a measured L2 is a lower bound: 5120 / 320 = 16");
    assert_eq!(memory(&known("640", "10240"), LAUNCH, load), 16 * 16, "4 * 640 / 320 = 8, whatever is known of L2");
}

#[test]
fn l1_looks_up_one_line_at_a_time() {
    let cycles = |gpu: &Profile, load: &str| occupancy(gpu, Local, &[load]) / 16;
    for (stride, lines) in [(0, 1), (1, 1), (2, 2), (16, 16), (32, 32), (64, 32)] {
        let load = format!("load: {{ array: a, stride: {stride} }}");
        assert_eq!(cycles(&plain(), &load), lines, "stride {stride}");
    }
    // 32 / 4 lanes at a time: 8 * 16 bytes are a line
    assert_eq!(cycles(&plain(), "load: { array: a, vector: 4, stride: 4 }"), 4);
    assert_eq!(cycles(&plain(), "load: { array: a, vector: 8, stride: 8 }"), 2 * 8, "two instructions of 8 * 2 lines");
    // no merging: 4 parts, though two would have one line
    assert_eq!(cycles(&plain(), "load: { array: a, vector: 4, stride: 0 }"), 4);
    let narrow = plain_but(&[("l1_pass_bytes", "64")]);
    assert_eq!(cycles(&narrow, "load: { array: a, stride: 32 }"), 16, "32 lines of 64 bytes, 128 a cycle");
    let slow = plain_but(&[("l1_bandwidth_bytes_per_cycle_per_sm", "32")]);
    assert_eq!(cycles(&slow, "load: { array: a }"), 4);
    assert_eq!(cycles(&slow, "store: { array: a }"), 1, "a store does not look up");
}
