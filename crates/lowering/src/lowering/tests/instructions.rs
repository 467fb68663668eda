use super::*;
use Server::Dispatcher;

#[test]
fn every_operation_takes_an_issue_slot() {
    // 10 instructions of a warp, one a cycle from its scheduler (4 a cycle from four)
    assert_eq!(uses(&plain(), &["compute: { kind: any, per_item: 10 }"]), [(Dispatcher, 160, 160)]);
    let slow = plain_but(&[("warp_instructions_per_cycle", "0.25")]);
    assert_eq!(uses(&slow, &["compute: { kind: any, per_item: 10 }"]), [(Dispatcher, 2560, 2560)]);
}

#[test]
fn each_kind_of_operation_has_its_own_lanes() {
    // 32 lanes of a warp through a quarter of the lanes: 64, 64, 32, 128 / 2 and 16 of the multiprocessor. The issue takes 10
    // cycles, and the time is the norm of both.
    for (kind, cycles, ticks) in
        [("fp32", 2, 325), ("int32", 2, 325), ("fp64", 4, 641), ("fp16", 2, 325), ("special", 8, 1281)]
    {
        let body = format!("compute: {{ kind: {kind}, per_item: 10 }}");
        assert_eq!(occupancy(&plain(), Dispatcher, &[&body]), ticks, "{kind}");
        assert!((10 * cycles * 16..10 * (cycles + 1) * 16).contains(&ticks), "{kind}");
    }
    let three = plain_but(&[("int32_lanes_per_sm", "48")]);
    // ceil(16 * 4 * 32 / 48) is 43, and the fourth root of 43^4 + 16^4 is 43.2
    assert_eq!(occupancy(&three, Dispatcher, &["compute: { kind: int32 }"]), 44);
}

#[test]
fn other_packed_operations_take_the_lanes_of_their_width() {
    let at = |gpu: &Profile, kind: &str| {
        occupancy(gpu, Dispatcher, &[&format!("compute: {{ kind: {kind}, per_item: 10 }}")])
    };
    assert_eq!([at(&plain(), "bf16"), at(&plain(), "int8")], [at(&plain(), "fp16"), at(&plain(), "int32")]);
    // 64 results of pairs a cycle: 4 cycles for each of 10 operations
    assert_eq!(at(&plain_but(&[("bf16_lanes_per_sm", "64")]), "bf16"), 641);
}

#[test]
fn operations_of_16_bits_without_lanes_of_their_own_take_those_of_single_precision() {
    let body = ["compute: { kind: fp16, per_item: 5 }", "compute: { per_item: 10 }"];
    // 128 results a cycle are 64 pairs: 10 cycles, beside 20 of fp32 and an issue of 15
    assert_eq!(occupancy(&plain(), Dispatcher, &body), 347);
    // two results of 64 lanes each: 20 cycles more for fp32
    let none = plain_but(&[("fp16_lanes_per_sm", "unknown")]);
    assert_eq!(occupancy(&none, Dispatcher, &body), 644);
    assert_eq!(occupancy(&none, Dispatcher, &body[..1]), 321);
}

#[test]
fn pipes_and_the_issue_get_in_each_others_way() {
    let both = ["compute: { per_item: 10 }", "compute: { kind: special, per_item: 3 }"];
    // fp32 10 * 2 cycles, special functions 3 * 8, issue 13
    assert_eq!(occupancy(&plain(), Dispatcher, &both), 430);
    let mostly_issue = ["compute: { per_item: 10 }", "compute: { kind: any, per_item: 90 }"];
    assert_eq!(occupancy(&plain(), Dispatcher, &mostly_issue), 100 * 16 + 1);
}

#[test]
fn an_access_of_more_than_16_bytes_takes_several_instructions() {
    for (vector, instructions) in [(4, 1), (5, 2), (8, 2), (9, 3)] {
        let body = format!("store: {{ array: a, vector: {vector} }}");
        assert_eq!(occupancy(&plain(), Dispatcher, &[&body]), instructions * 16, "{vector} words");
        let body = format!("local: {{ vector: {vector} }}");
        assert_eq!(occupancy(&plain(), Dispatcher, &[&body]), instructions * 16, "{vector} words");
    }
    assert_eq!(occupancy(&plain(), Dispatcher, &["store: { array: a, bytes: 8, vector: 4 }"]), 2 * 16);
}

#[test]
fn code_beyond_the_instruction_cache_is_fetched_by_every_warp() {
    let gpu = plain_but(&[("instruction_cache_bytes", "1024"), ("instruction_bytes", "10.5")]);
    // 100 * 10.5 - 1024 = 26 bytes, 16 a cycle for four schedulers: 6.5 cycles beside the 100 of the issue
    assert_eq!(occupancy(&gpu, Dispatcher, &["compute: { kind: any, per_item: 100 }"]), 1704);
    // the code of a loop's body counts once
    let repeated = "loop: { count: 10, body: [{ compute: { kind: any, per_item: 10 } }] }";
    assert_eq!(occupancy(&gpu, Dispatcher, &[repeated]), 1600);
    // an access of several instructions counts with all of them, one that few items do in full
    let few = ["compute: { kind: any, per_item: 96 }", "store: { array: a, vector: 16, items: 1 }"];
    assert_eq!(occupancy(&gpu, Dispatcher, &few), (98 * 16) + 104);
}

#[test]
fn later_words_of_constant_memory_take_an_instruction_where_operands_cannot_name_them() {
    let gpu = plain_but(&[("constant_operand_words", "128"), ("instruction_cache_bytes", "1024")]);
    let body = |constants: u64| format!("compute: {{ kind: any, per_item: 40, constants: {constants} }}");
    assert_eq!(occupancy(&gpu, Dispatcher, &[&body(128)]), 40 * 16);
    assert_eq!(occupancy(&gpu, Dispatcher, &[&body(256)]), 60 * 16, "half of 256 words take one more");
    assert_eq!(occupancy(&plain(), Dispatcher, &[&body(256)]), 40 * 16);
    // they are code too: 66 instead of 44 instructions of 16 bytes are 32 bytes too many: 2 fetches of 4 cycles
    let longer = "compute: { kind: any, per_item: 44, constants: 256 }";
    assert_eq!(occupancy(&gpu, Dispatcher, &[longer]), (66 + 8) * 16);
}

#[test]
fn a_warp_pays_its_share_of_what_some_items_do() {
    let body = |items: u64| format!("compute: {{ kind: any, per_item: 10, items: {items} }}");
    assert_eq!(occupancy(&plain(), Dispatcher, &[&body(1)]), 80, "one of two warps");
    assert_eq!(occupancy(&plain(), Dispatcher, &[&body(32)]), 80);
    assert_eq!(occupancy(&plain(), Dispatcher, &[&body(33)]), 160);
    assert_eq!(occupancy(&plain(), Dispatcher, &[&body(64)]), 160, "all");
    assert_eq!(uses(&plain(), &[&body(0)]), []);
}
