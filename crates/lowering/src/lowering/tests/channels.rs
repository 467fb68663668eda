//! Channels of L2 that the address alone chooses.

use super::*;

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
fn stated_rows_meet_in_their_channels() {
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
fn without_stated_rows_all_channels_serve() {
    let load = "load: { array: a, index: [gx, lx], shape: [1024, 4096] }";
    assert_eq!(memory(&channelled(), load), ticks(16));
}
