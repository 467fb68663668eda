//! Slots of L2: 5,120 bytes a cycle for 64 multiprocessors are 80 for each, 2.5 slots of 32 bytes.

use super::*;
use Server::Memory;

/// Ticks of one of two warps while the whole L2 serves this many slots.
fn slots(number: u64) -> u64 {
    (number * 32 * 16).div_ceil(80 * 2)
}

/// Ticks of memory without DRAM.
fn memory(statement: &str) -> u64 {
    occupancy(&plain(), Memory, &[statement])
}

fn store(keys: &str) -> u64 {
    memory(&format!("store: {{ array: a, {keys}, footprint: {{ together: 0 }} }}"))
}

#[test]
fn a_sector_that_a_warp_writes_in_part_takes_four_slots() {
    assert_eq!(store("stride: 1"), 16 * 128 / 64, "128 whole bytes of each warp, by the port");
    assert_eq!(store("stride: 2"), slots(4 * 16), "every second word of eight sectors of each warp");
    assert_eq!(store("stride: 32"), slots(4 * 64), "a word of each sector");
    assert_eq!(
        store("stride: 16, vector: 8"),
        16 * 1024 / 64,
        "whole sectors apart: each takes one, and the port longer"
    );
    assert_eq!(store("stride: 1, items: 4"), slots(4), "half a sector");
}

#[test]
fn a_profile_and_a_family_say_how_many() {
    let store = "store: { array: a, stride: 32, footprint: { together: 0 } }";
    let by = |values: &[(&str, &str)]| occupancy(&plain_but(values), Memory, &[store]);
    assert_eq!(by(&[("part_written_slots", "2")]), (2 * 64 * 32 * 16_u64).div_ceil(160));
    let families = [("Kepler", 2), ("Fermi", 3), ("Turing", 8), ("Unheard of", 4)];
    for (family, number) in families {
        let unstated = by(&[("part_written_slots", "unknown"), ("architecture", family)]);
        assert_eq!(unstated, (number * 64 * 32 * 16_u64).div_ceil(160), "{family}");
    }
}

#[test]
fn stated_sectors_beyond_the_bytes_are_half_full() {
    let stated =
        |sectors: u64| memory(&format!("store: {{ array: a, footprint: {{ sectors: {sectors}, together: 0 }} }}"));
    assert_eq!(stated(4), 16 * 128 / 64);
    // 160 bytes of five sectors by the port; three whole sectors and two of four slots.
    assert_eq!(stated(5), slots(2 * (3 + 2 * 4)));
    assert_eq!(stated(32), slots(4 * 64), "no more than all");
}

#[test]
fn a_spec_says_how_many_sectors_are_partial() {
    let stated =
        |keys: &str, partial: &str| memory(&format!("{keys}, footprint: {{ together: 0, partial: {partial} }} }}"));
    assert_eq!(stated("store: { array: a, stride: 32", "10"), slots(2 * (22 + 40)), "ten of 32 sectors of each warp");
    assert_eq!(stated("store: { array: a, stride: 32", "0"), 16 * 1024 / 64);
    assert_eq!(stated("store: { array: a", "4"), slots(2 * 4 * 4));
    assert_eq!(stated("load: { array: a", "3.5"), slots(2 * 4 + 7), "three sectors and a half take a line each");
}

#[test]
fn more_sectors_than_an_access_has_are_refused() {
    for (keys, footprint, words) in [
        ("", "partial: 5", "`partial` is 5, but an access of a warp has 4 at most"),
        ("", "sectors: 6, partial: 6.5", "`partial` is 6.5, but an access of a warp has 6 at most"),
        ("", "sectors: 33", "`sectors` is 33, but an access of a warp has 32 at most"),
        ("items: 8, ", "lines: 9", "`lines` is 9, but an access of a warp has 8 at most"),
        ("bytes: 12, ", "sectors: 65", "`sectors` is 65, but an access of a warp has 64 at most"),
    ] {
        let statement = format!("load: {{ array: a, {keys}footprint: {{ {footprint} }} }}");
        let error = outcome(&plain(), &spec(LAUNCH, &[&statement])).unwrap_err().to_string();
        assert!(error.contains(words), "{statement}: {error}");
    }
    memory("load: { array: a, bytes: 12, footprint: { sectors: 64, together: 0 } }");
}

#[test]
fn a_line_takes_two_slots_at_least() {
    let load = |stride: u64| memory(&format!("load: {{ array: a, stride: {stride}, footprint: {{ together: 0 }} }}"));
    assert_eq!(load(1), 16 * 128 / 64);
    assert_eq!(load(8), 16 * 1024 / 64, "each sector, four of each line");
    assert_eq!(load(32), slots(2 * 64), "a sector of each line");
}

#[test]
fn more_sectors_never_take_less() {
    let ticks: Vec<u64> = [1, 2, 4, 8, 16, 32, 64].map(|stride| store(&format!("stride: {stride}"))).into();
    assert!(ticks.is_sorted(), "{ticks:?}");
}
