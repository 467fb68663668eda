//! Copies through CUDA's C++: cooperative groups, pipelines and barriers, counted by hand. A pipeline of two stages has the
//! last stage but one at hand; before `sm_80` and on AMD's GPUs the work items load and store.

use std::collections::BTreeMap;

use autotune::limits::Limits;
use autotune::source::{AccessKind, Architecture, Compiler, Executed, SourceMemory, Target};

use super::counting::{END, GLOBAL, LOCAL, accesses, counts, executed, waits};
use super::{VERSIONS, Written, clang, macros};

const TEXT: &str = include_str!("copies_ahead/copies.cu");

fn compiled(version: &str, target: &Target) -> String {
    let written = Written::new(&[("copies.cu", TEXT)]);
    let compiler = Compiler::new(clang(version), written.source.clone(), target.clone(), None, Limits::default());
    compiler.unwrap().compile(&macros(&[])).unwrap_or_else(|why| panic!("{why}")).text
}

fn amd() -> Target {
    Target::Amd(Architecture::new("gfx90a").unwrap())
}

/// A kernel of 8 tiles, executed by 256 work items.
fn of_tiles(text: &str, name: &str, warp_size: u32) -> Executed {
    executed(text, name, [256, warp_size], &[(2, 8)])
}

type Counts = BTreeMap<(AccessKind, SourceMemory, u64), u64>;

/// The counts of a kernel, the marks of which are without memory and bytes.
fn expected(accesses: &[((AccessKind, SourceMemory, u64), u64)], marks: &[(AccessKind, u64)]) -> Counts {
    let marks = marks.iter().map(|(kind, times)| ((*kind, LOCAL, 0), *times));
    accesses.iter().copied().chain(marks).collect()
}

#[test]
fn a_group_copies_in_pieces_of_16_bytes_and_each_call_is_a_stage() {
    use AccessKind::{Barrier, Copy, Load, Store};
    let results = [((Load, LOCAL, 4), 4 * 8), ((Store, GLOBAL, 4), 1)];
    let copies = [&results[..], &[((Copy, GLOBAL, 16), 8)]].concat();
    let plain = [&results[..], &[((Load, GLOBAL, 16), 8), ((Store, LOCAL, 16), 8)]].concat();
    for version in VERSIONS {
        let found = counts(&of_tiles(&compiled(version, &Target::Nvidia(80)), "by_group", 32));
        assert_eq!(found, expected(&copies, &[(END, 8), (waits(1), 7), (waits(0), 1), (Barrier, 16)]), "{version}");
        for (target, warp) in [(Target::Nvidia(70), 32), (amd(), 64)] {
            let found = counts(&of_tiles(&compiled(version, &target), "by_group", warp));
            assert_eq!(found, expected(&plain, &[(Barrier, 16)]), "{version} {target}");
        }
    }
}

#[test]
fn a_pipeline_waits_for_its_oldest_stage() {
    use AccessKind::{Barrier, Copy, Load, Store};
    let results = [((Load, LOCAL, 4), 8), ((Store, GLOBAL, 4), 1)];
    for version in VERSIONS {
        let text = compiled(version, &Target::Nvidia(80));
        let own = [&results[..], &[((Copy, GLOBAL, 16), 8)]].concat();
        let found = counts(&of_tiles(&text, "by_thread", 32));
        assert_eq!(found, expected(&own, &[(END, 8), (waits(1), 7), (waits(0), 1)]), "{version}");
        // Three stages, and the block joins; a tile that is not aligned goes in words.
        let words = [&results[..], &[((Copy, GLOBAL, 4), 4 * 8)]].concat();
        let found = counts(&of_tiles(&text, "by_block", 32));
        let marks = [(END, 8), (waits(2), 6), (waits(1), 1), (waits(0), 1), (Barrier, 8)];
        assert_eq!(found, expected(&words, &marks), "{version}");
    }
}

#[test]
fn stages_are_waited_for_by_number_and_the_lesser_number_of_elements_is_copied() {
    use AccessKind::{Barrier, Copy, Load, Store};
    for version in VERSIONS {
        let text = compiled(version, &Target::Nvidia(80));
        let pieces = [((Copy, GLOBAL, 8), 2), ((Load, LOCAL, 8), 1), ((Store, GLOBAL, 8), 1)];
        let found = counts(&executed(&text, "two_stages", [256, 32], &[]));
        assert_eq!(found, expected(&pieces, &[(END, 2), (waits(1), 1)]), "{version}");
        // 200 numbers are 50 pieces of 16 bytes.
        let executed = executed(&text, "by_elements", [256, 32], &[]);
        let copies = accesses(&executed).into_iter().filter(|(access, ..)| access.kind == Copy);
        let copies: Vec<_> = copies.map(|(access, items, times)| (access.bytes, items, times)).collect();
        assert_eq!(copies, [(16, 50, 1)], "{version}");
        assert_eq!(counts(&executed)[&(Barrier, LOCAL, 0)], 1, "{version}");
    }
}

#[test]
fn a_barrier_ends_copies_and_a_tail_goes_byte_by_byte() {
    use AccessKind::{Barrier, Copy};
    for version in VERSIONS {
        let text = compiled(version, &Target::Nvidia(80));
        let all = accesses(&executed(&text, "by_barrier", [256, 32], &[]));
        let of = |kind, bytes| {
            all.iter().find(|(one, ..)| one.kind == kind && one.bytes == bytes).map(|(_, items, _)| *items)
        };
        assert_eq!(of(Copy, 16), Some(6), "{version}");
        assert_eq!(of(AccessKind::Store, 1), Some(4), "{version}");
        let marks: Vec<_> = all.iter().map(|(one, ..)| one.kind).filter(|kind| kind.is_mark()).collect();
        assert_eq!(marks, [Barrier, END, waits(0), Barrier], "{version}");
    }
}

#[test]
fn what_does_not_go_from_global_to_local_memory_is_loaded_and_stored() {
    for version in VERSIONS {
        let found = counts(&executed(&compiled(version, &Target::Nvidia(80)), "back", [256, 32], &[]));
        assert!(found.keys().all(|(kind, ..)| *kind != AccessKind::Copy), "{found:?}");
        assert_eq!(found[&(AccessKind::Load, LOCAL, 16)], 1);
        assert_eq!(found[&(AccessKind::Store, GLOBAL, 16)], 1);
    }
}
