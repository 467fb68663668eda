//! Channels of L2 that the address alone chooses.

use super::traced::{kernel, sourced, stub};
use super::*;
use crate::spec::Configuration;

/// The GPU of round numbers with 16 channels of 256 bytes, of 64 bytes a cycle each: 16 bytes a cycle and multiprocessor.
fn channelled() -> Profile {
    plain_but(&[
        ("l2_bandwidth_bytes_per_cycle", "1024"),
        ("l2_channels", "16"),
        ("l2_channel_interleave_bytes", "256"),
    ])
}

/// The ticks of a warp at `memory`.
fn memory(gpu: &Profile, statement: &str) -> u64 {
    let (_, uses) = turns(gpu, LAUNCH, &[statement]);
    uses.iter().filter(|use_| use_.0 == Server::Memory).map(|use_| use_.1).sum()
}

/// Ticks of a warp's 128 bytes in this number of channels, which 64 multiprocessors share.
fn ticks(channels: u64) -> u64 {
    (16 * 128 * 64_u64).div_ceil(64 * channels)
}

#[test]
fn rows_that_lie_whole_rounds_apart_meet_in_their_channels() {
    let load = |index: &str, pitch: u64| {
        memory(&channelled(), &format!("load: {{ array: a, index: [{index}], shape: [2048, {pitch}] }}"))
    };
    // The 1,024 groups run together, 256 bytes each.
    assert_eq!(load("0, 64 * gx + lx", 65_536), ticks(16), "one behind the other");
    assert_eq!(load("gx, lx", 4096), ticks(1), "rows of 16 KiB begin in the same channel");
    assert_eq!(load("gx, lx + 32", 4096), ticks(2), "128 bytes of each of two channels");
    assert_eq!(load("gx, lx", 4096 + 128), ticks(8), "a pad of 512 bytes: every other channel");
    assert_eq!(load("gx, lx", 4096 + 64), ticks(16), "a pad of 256 bytes spreads them");
}

#[test]
fn a_loop_that_goes_along_a_row_reaches_the_channels_of_the_row() {
    let body = |step: u64| {
        let load = format!("load: {{ array: a, index: [gx, lx + {step} * k], shape: [1024, 4096] }}");
        memory(&channelled(), &format!("loop: {{ count: 4, var: k, body: [{load}] }}"))
    };
    assert_eq!(body(64), 4 * ticks(4));
    assert_eq!(body(0), ticks(1), "the same words, which L1 keeps");
    // Without a counter nothing is known: all channels.
    let load = "load: { array: a, index: [gx, lx], shape: [1024, 4096] }";
    assert_eq!(memory(&channelled(), &format!("loop: {{ count: 4, body: [{load}] }}")), 4 * ticks(16));
}

#[test]
fn stated_rows_count_without_subscripts() {
    let load = |bytes: u64, pitch: u64| {
        let rows = format!("rows: {{ bytes: {bytes}, pitch: {pitch} }}");
        memory(&channelled(), &format!("load: {{ array: a, footprint: {{ {rows} }} }}"))
    };
    assert_eq!(load(512, 16_384), ticks(2));
    assert_eq!(load(513, 16_384), ticks(3));
    assert_eq!(load(64, 16_384 + 1024), ticks(4));
    assert_eq!(load(8192, 16_384), ticks(16));
}

#[test]
fn a_source_has_the_same_law() {
    let of = |shift: u32| {
        let body = format!(
            "%w = call spir_func i64 @_Z12get_group_idj(i32 0)\n  %r = shl i64 %w, {shift}\n  %i = add i64 %r, %l\n  %p = \
             getelementptr float, ptr addrspace(1) %a, i64 %i\n  store float 0.0, ptr addrspace(1) %p, align 4"
        );
        let (spec, gpu) = (sourced(""), channelled());
        let reader = SourceReader::with_compiler(stub(kernel("", &body)));
        let lowered = Lowering::new(&spec, &gpu, &reader).lower(&Configuration(vec![1])).unwrap().feasible().unwrap();
        lowered.work.unwrap().crowding_bytes
    };
    // 256 bytes of each group in all channels, in every fourth one, and in one.
    assert_eq!([of(6), of(8), of(12)].map(|bytes| bytes.to_string()), ["0", "768", "3840"], "3 and 15 times 256");
}
