use super::*;
use Server::{Dispatcher, Local, Memory};

#[test]
fn registers_beyond_the_limit_are_stored_and_loaded() {
    // 281 registers: 16 beyond the limit of 255 are computed again, and 10 words spill once. 20 accesses of a warp are
    // shared 1 : 3 by the instructions of two phases
    let head = format!("{LAUNCH}\nresources: {{ registers: 281 }}");
    let body = ["compute: { kind: any, per_item: 10 }", "barrier", "compute: { kind: any, per_item: 30 }"];
    let program = program(&plain(), &head, &body);
    let first: Vec<Use> = program.body[..3].iter().map(as_use).collect();
    // 5 accesses of 128 bytes through L1 and L2, half of them to DRAM: 320 / 17 cycles; nobody waits
    assert_eq!(first, [(Local, 80, 80), (Dispatcher, 240, 240), (Memory, 302, 302)]);
    let second: Vec<Use> = program.body[4..].iter().map(as_use).collect();
    assert_eq!(second, [(Local, 240, 240), (Dispatcher, 720, 720), (Memory, 904, 904)]);
}

#[test]
fn spill_uses_multiply_and_iterations_share() {
    let head = format!("{LAUNCH}\nresources: {{ registers: 276, spill_uses: 4 }}");
    // 5 words, 4 times there and back: 40 accesses in 10 iterations of one phase: 4 in each
    let body = ["loop: { count: 10, body: [{ compute: { kind: any, per_item: 6 } }, barrier] }"];
    let program = program(&plain(), &head, &body);
    let Statement::Loop { count: 10, body } = &program.body[0] else { panic!("{:?}", program.body) };
    assert_eq!(as_use(&body[1]), (Dispatcher, (6 + 4) * 16, (6 + 4) * 16));
}

#[test]
fn a_warp_of_64_spills_two_words_a_bank() {
    // GCN: 64 registers for 1,024 work items; 256 bytes of a wave are 4 lines of 64
    let gpu = edited("mi50", &[("l1_bandwidth_bytes_per_cycle_per_sm", "64"), ("warp_accesses_per_cycle", "1")]);
    let head = format!("{LAUNCH}\nresources: {{ registers: 65 }}");
    let (_, uses) = turns(&gpu, &head, &["compute: { kind: any, per_item: 10 }"]);
    assert_eq!(uses[0], (Local, 2 * 4 * 16, 2 * 4 * 16));
}

#[test]
fn a_spec_says_the_group_that_its_compiler_is_told() {
    // GCN: 65,536 registers, of which 1,024 work items have 64 each, and 256 or fewer 256
    let spills = |compiled_for: &str| {
        let head = format!("{LAUNCH}\nresources: {{ registers: 128{compiled_for} }}");
        let (_, uses) = turns(&find("mi50").unwrap().profile, &head, &["compute: { kind: any, per_item: 10 }"]);
        uses.iter().any(|use_| use_.0 == Memory)
    };
    assert!(spills(""));
    assert!(spills(", compiled_for: 513"));
    assert!(!spills(", compiled_for: 512"));
    assert!(!spills(", compiled_for: 64"));
}

#[test]
fn what_spills_does_not_bound_the_resident_groups() {
    let resident = |registers: u64| {
        let head = format!("{LAUNCH}\nresources: {{ registers: {registers} }}");
        program(&plain(), &head, &["compute: {}"]).resident_groups
    };
    assert_eq!((resident(128), resident(255), resident(1000)), (8, 4, 4));
}

#[test]
fn live_words_take_registers_where_amd_compiles() {
    let head = format!("{LAUNCH}\nresources: {{ registers: 60, live: 5 }}");
    let servers = |gpu: &Profile| turns(gpu, &head, &["compute: {}"]).1.len();
    assert_eq!(servers(&find("mi50").unwrap().profile), 3, "one word beyond 64 spills");
    assert_eq!(servers(&plain()), 1);
}

#[test]
fn nvidias_compiler_computes_the_first_16_words_again() {
    let servers = |registers: u64| {
        let head = format!("{LAUNCH}\nresources: {{ registers: {registers} }}");
        turns(&plain(), &head, &["compute: {}"]).1.len()
    };
    assert_eq!((servers(255 + 16), servers(255 + 17)), (1, 3));
}
