//! The best memory of accesses and the saved transactions, counted by hand.

use super::*;
use autotune_kernel::source::SourceReader;

/// 4 groups of 64 work items, 2 warps each.
const HEAD: &str = "launch: { work_items: 256, work_group: 64 }";

/// The memory and the saved transactions of each access.
fn homes(body: &str) -> Vec<(Home, Option<u64>)> {
    found(&spec(HEAD, body)).iter().map(|finding| finding.advice.unwrap()).map(|own| (own.home, own.saves)).collect()
}

fn in_loop(statements: &[&str]) -> String {
    let lines = statements.join("\n        - ");
    format!("  - loop:\n      var: k\n      count: 16\n      body:\n        - {lines}\n")
}

#[test]
fn what_all_lanes_read_lives_in_constant_memory_if_it_fits_and_is_not_written() {
    // 16 words are 2 sectors; 4 groups * 2 warps * 16 rounds ask 128 times, each group needs 2
    let load = "load: { array: a, index: [k], shape: [16] }";
    assert_eq!(homes(&in_loop(&[load])), [(Home::Constant, Some(128 - 8))]);
    let large = "load: { array: a, index: [k], shape: [16385] }";
    assert_eq!(homes(&in_loop(&[large])), [(Home::Local, Some(128 - 8))]);
    let store = "store: { array: a, index: [100 + 64 * gx + lx], shape: [16] }";
    assert_eq!(homes(&in_loop(&[load, store]))[0], (Home::Local, Some(128 - 8)));
}

#[test]
fn what_is_ones_own_lives_in_a_register_if_it_is_used_again() {
    // 64 words are 8 sectors of a group
    let [load, store] =
        ["load", "store"].map(|keyword| format!("{keyword}: {{ array: a, index: [64 * gx + lx], shape: [256] }}"));
    assert_eq!(homes(&in_loop(&[&load, &store])), [(Home::Register, Some(15 * 4 * 8)); 2]);
    assert_eq!(homes(&format!("  - {load}\n  - {store}\n")), [(Home::Global, Some(0)); 2]);
}

#[test]
fn neighbours_that_are_only_read_live_behind_the_texture_cache() {
    // a window of 16 that moves over 64 + 15 words, which are 10 sectors; a warp asks for 4 or, shifted, 5: of 8 rounds
    // one is not shifted
    let load = "load: { array: a, index: [64 * gx + lx + k], shape: [271] }";
    let (home, saves) = homes(&in_loop(&[load]))[0];
    assert_eq!((home, saves), (Home::Texture, Some(4 * (2 * 2 * (4 + 7 * 5) - 10))));
}

#[test]
fn lanes_that_scatter_within_what_the_group_needs_live_in_local_memory() {
    // a row of 16 words each: 32 sectors a warp and round; the group's rows are 64 * 2 sectors
    let load = "load: { array: a, index: [64 * gx + lx, k], shape: [256, 16] }";
    assert_eq!(homes(&in_loop(&[load])), [(Home::Local, Some(4 * (16 * 64 - 128)))]);
    // nothing is used twice: each lane has a sector of its own
    let apart = "  - load: { array: a, index: [64 * gx + lx, 0], shape: [256, 16] }\n";
    assert_eq!(homes(apart), [(Home::Global, Some(0))]);
}

#[test]
fn local_memory_that_nobody_shares_could_be_registers() {
    let body =
        "  - local: { writes: own, index: [lx], shape: [64] }\n  - local: { reads: own, index: [lx], shape: [64] }\n";
    assert_eq!(homes(body), [(Home::Register, Some(4 * 2)); 2]);
    let turned = body.replace("reads: own, index: [lx]", "reads: own, index: [63 - lx]");
    assert_eq!(homes(&turned), [(Home::Local, Some(0)); 2]);
}

#[test]
fn sectors_and_conflicts_are_those_of_a_warp() {
    let body = "  - load: { array: a, index: [lx, 0], shape: [64, 8] }\n  - local: { conflict: 4 }\n  \
                - local: { reads: t, index: [lx, 0], shape: [64, 2] }\n  - store: { array: b, stride: 2 }\n";
    let found = found(&spec(HEAD, body));
    let seen: Vec<_> = found.iter().map(|access| (access.stride, access.sectors, access.conflict)).collect();
    let expected =
        [(Some(8), Some(32.0), None), (None, None, Some(4.0)), (Some(2), None, Some(2.0)), (Some(2), Some(8.0), None)];
    assert_eq!(seen, expected);
    let missing: Vec<_> = found.iter().map(|access| access.missing).collect();
    assert_eq!(missing, [None, Some("`index` and `shape`"), None, Some("`index` and `shape`")]);
    assert!(found[1].advice.is_none() && found[3].advice.is_none());
}

#[test]
fn lockstep_gpus_have_no_texture_cache() {
    let homes = |gpu: &str, index: &str| -> Vec<Home> {
        let load = format!("load: {{ array: a, index: [{index}], shape: [271] }}");
        let spec = spec(HEAD, &in_loop(&[&load]));
        let findings =
            analyse(&spec, profile(gpu), &SourceReader::default(), &first(&spec)).unwrap().feasible().unwrap();
        findings.iter().map(|finding| finding.advice.unwrap().home).collect()
    };
    // neighbours share a moving window; or each word is read once
    for (index, of_lockstep) in [("64 * gx + lx + k", Home::Local), ("64 * gx + lx", Home::Register)] {
        assert_ne!(homes("fermi", index), [Home::Local]);
        assert_eq!(homes("abstract-fermi", index), [of_lockstep], "{index}");
    }
}
