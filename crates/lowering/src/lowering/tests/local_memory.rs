use super::*;
use Server::{Dispatcher, Local};

/// Groups of 64 along x, y, z.
fn shaped(x: u64, y: u64, z: u64) -> String {
    format!("launch: {{ work_items: [4096, 64, 64], work_group: [{x}, {y}, {z}] }}")
}

/// Passes of one access of a warp: one cycle each.
fn passes(gpu: &Profile, head: &str, access: &str) -> u64 {
    let (_, uses) = turns(gpu, head, &[&format!("local: {{ {access} }}")]);
    assert_eq!(uses[0].1 % 16, 0);
    uses[0].1 / 16
}

#[test]
fn a_pass_serves_one_word_of_each_bank() {
    for (stride, expected) in [(1, 1), (2, 2), (3, 1), (4, 4), (32, 32), (33, 1), (-1, 1)] {
        assert_eq!(passes(&plain(), LAUNCH, &format!("stride: {stride}")), expected, "stride {stride}");
    }
}

#[test]
fn lanes_that_read_the_same_word_share_it() {
    assert_eq!(passes(&plain(), LAUNCH, "stride: 0"), 1);
    assert_eq!(passes(&plain(), &shaped(2, 32, 1), "stride: [32, 0]"), 2, "two words of one bank");
}

#[test]
fn lanes_go_along_x_first() {
    // a warp is two rows of 16: words 0..15 and 33..48, of which 33..47 share banks with 1..15
    assert_eq!(passes(&plain(), &shaped(16, 4, 1), "stride: [1, 33]"), 2);
    assert_eq!(passes(&plain(), &shaped(16, 4, 1), "stride: [1, 48]"), 1);
    assert_eq!(passes(&plain(), &shaped(16, 2, 2), "stride: [1, 16, 32]"), 1);
    assert_eq!(passes(&plain(), &shaped(2, 2, 16), "stride: [0, 0, 32]"), 8, "a list's missing or 0 axes do not move");
    assert_eq!(passes(&plain(), &shaped(16, 4, 1), "stride: 33"), 1, "a single stride is in lane order");
}

#[test]
fn index_gives_the_strides() {
    let access = "index: [ly, lx], shape: [4, 33]";
    assert_eq!(passes(&plain(), &shaped(16, 4, 1), access), 2);
    assert_eq!(passes(&plain(), &shaped(16, 4, 1), "index: [lx, ly], shape: [16, 32]"), 16);
}

#[test]
fn a_vector_splits_the_warp() {
    // 8 lanes of 4 words are the 32 banks: 4 parts
    assert_eq!(passes(&plain(), LAUNCH, "vector: 4, stride: 4"), 4);
    assert_eq!(passes(&plain(), LAUNCH, "vector: 2, stride: 2"), 2);
    assert_eq!(passes(&plain(), LAUNCH, "vector: 8, stride: 8"), 16, "two instructions of 4 words, neighbours 8 apart");
    assert_eq!(passes(&plain(), LAUNCH, "vector: 2, bytes: 8, stride: 2"), 4);
}

#[test]
fn parts_merge_where_neighbours_read_the_same_words() {
    // every lane reads the words of lane^1: 16 lanes at a time, 8 different rows of 4 words
    assert_eq!(passes(&plain(), &shaped(2, 32, 1), "vector: 4, stride: [0, 4]"), 2);
    // of lane^2
    assert_eq!(passes(&plain(), &shaped(2, 2, 16), "vector: 4, stride: [4, 0, 8]"), 2);
    // of lane^4 only: four parts
    assert_eq!(passes(&plain(), &shaped(4, 2, 8), "vector: 4, stride: [4, 0, 16]"), 4);
    // a warp of few lanes merges by the same rule: 2 parts of 8, no neighbour reads the same
    let few = "launch: { work_items: 65536, work_group: 16 }";
    assert_eq!(passes(&plain(), few, "vector: 4, stride: 4"), 2);
}

#[test]
fn wide_banks_serve_a_word_and_the_one_32_later() {
    let kepler = plain_but(&[("shared_bank_width_bytes", "8")]);
    assert_eq!(passes(&kepler, LAUNCH, "stride: 2"), 1, "words 0, 2 .. 62 of one aligned row of 64");
    assert_eq!(passes(&kepler, LAUNCH, "stride: 4"), 2);
    assert_eq!(passes(&kepler, LAUNCH, "stride: 64"), 32);
}

#[test]
fn fewer_banks_than_lanes_split_the_warp() {
    // 16 banks: two half warps; a pass moves 16 * 4 of 128 bytes a cycle, but an access takes a cycle of the issue
    let tesla = plain_but(&[("shared_banks", "16"), ("shared_bytes_per_cycle", "16")]);
    assert_eq!(passes(&tesla, LAUNCH, "stride: 1"), 2 * 4);
    assert_eq!(passes(&tesla, LAUNCH, "stride: 2"), 4 * 4);
}

#[test]
fn a_stated_conflict_multiplies_the_passes() {
    assert_eq!(passes(&plain(), LAUNCH, "conflict: 3"), 3);
    assert_eq!(passes(&plain(), LAUNCH, "conflict: 3, vector: 2"), 6);
    assert_eq!(passes(&plain(), LAUNCH, "conflict: 'mean(3, 2)', per_item: 4"), 6, "a mean over the warps");
    assert_eq!(passes(&plain(), LAUNCH, "per_item: 5"), 5, "no conflict is the default");
}

#[test]
fn elements_smaller_than_a_word_share_it() {
    assert_eq!(passes(&plain(), LAUNCH, "bytes: 1, stride: 1"), 1);
    assert_eq!(passes(&plain(), LAUNCH, "bytes: 1, stride: 128"), 32);
    assert_eq!(passes(&plain(), LAUNCH, "bytes: 2, stride: 32"), 16);
}

#[test]
fn only_the_lanes_that_access_conflict() {
    // 4 of 64 lanes, in one of two warps: 4 passes, half of them a warp's
    assert_eq!(passes(&plain(), LAUNCH, "stride: 32, items: 4"), 2);
}

#[test]
fn passes_take_the_banks_bytes_per_cycle() {
    let turing = plain_but(&[("shared_bytes_per_cycle", "64")]);
    assert_eq!(passes(&turing, LAUNCH, "stride: 1"), 2);
}

#[test]
fn accesses_are_bounded_too() {
    let slow = plain_but(&[("warp_accesses_per_cycle", "0.25")]);
    assert_eq!(occupancy(&slow, Local, &["local: { stride: 2 }"]), 4 * 16);
    assert_eq!(occupancy(&slow, Local, &["local: { stride: 8 }"]), 8 * 16);
    assert_eq!(occupancy(&slow, Local, &["store: { array: a }", "store: { array: b }"]), 8 * 16);
}

#[test]
fn loads_and_local_accesses_share_one_array_or_use_two() {
    // a load at stride 64: 32 lines, 32 cycles of L1; a local access: 16 passes
    let body = ["load: { array: a, stride: 64, in_flight: 1 }", "local: { stride: 16 }"];
    assert_eq!(occupancy(&plain(), Local, &body), (32 + 16) * 16);
    assert_eq!(occupancy(&plain_but(&[("l1_unified_with_shared", "false")]), Local, &body), 32 * 16);
    let slow = plain_but(&[("warp_accesses_per_cycle", "0.02")]);
    assert_eq!(occupancy(&slow, Local, &body), 100 * 16, "accesses are counted beside both");
}

#[test]
fn a_phase_waits_once_and_again_for_every_eight_accesses() {
    // 32 cycles of latency, times 1/8 + 1 and 8/8 + 1
    assert_eq!(uses(&plain(), &["local: {}"]), [(Local, 16, 16 + 36 * 16), (Dispatcher, 16, 16)]);
    assert_eq!(uses(&plain(), &["local: { per_item: 8 }"])[0], (Local, 128, 128 + 64 * 16));
    // half of the warps do it: 4 accesses of a warp
    assert_eq!(uses(&plain(), &["local: { per_item: 8, items: 32 }"])[0], (Local, 64, 64 + 48 * 16));
}

#[test]
fn sixteen_warps_stand_for_all() {
    // 17 of 32 warps: 16 of 32 passes each; the last, of one lane, would take one
    let head = "launch: { work_items: 65536, work_group: 1024 }";
    assert_eq!(passes(&plain(), head, "stride: 32, items: 513"), 17);
}
