//! Each test derives its numbers by hand from the formulas. The GPU has round numbers: 4 multiprocessors of 2 processing
//! blocks, warps of 32, 1000 MHz, 100 bytes per cycle from DRAM (0.85 of it reached), 64 from each L1.

use super::*;
use crate::gpu::find;
use crate::space::each;
use crate::spec::{Configuration, Spec};
use autotune_kernel::source::SourceReader;

/// The GPU of round numbers, with more keys.
fn gpu(more: &str) -> Profile {
    let values = [
        ("multiprocessors", "4"),
        ("schedulers_per_sm", "2"),
        ("core_clock_mhz", "1000"),
        ("memory_bandwidth_GBps", "100"),
        ("l1_bandwidth_bytes_per_cycle_per_sm", "64"),
        ("kernel_launch_overhead_us", "3"),
        ("latency_fp32_fma_cycles", "6"),
        ("latency_shared_load_cycles", "20"),
        ("latency_l1_hit_cycles", "40"),
        ("latency_l2_hit_cycles", "200"),
        ("latency_dram_cycles", "400"),
        ("warp_instructions_per_cycle", "2"),
        ("warp_accesses_per_cycle", "1"),
        ("fp32_lanes_per_sm", "64"),
        ("fp64_lanes_per_sm", "2"),
    ];
    let mut lines: Vec<String> = find("v100").unwrap().text.lines().map(str::to_owned).collect();
    for (key, value) in values.into_iter().chain([("l2_bandwidth_bytes_per_cycle", "")]) {
        lines.retain(|line| !line.starts_with(&format!("{key}:")));
        if !value.is_empty() {
            lines.push(format!("{key}: {value}"));
        }
    }
    Profile::parse(&format!("{}\n{more}\n", lines.join("\n")), "round.yaml").unwrap_or_else(|error| panic!("{error}"))
}

/// `items` work items in groups of 64: two warps, one for each processing block.
fn predicted(gpu: &Profile, items: u64, body: &str) -> WavePrediction {
    let text = format!(
        "kernel: test\nparameters: {{ one: {{ values: [1] }} }}\nlaunch: {{ work_items: {items}, work_group: 64 }}\nbody:\n{body}\n"
    );
    let spec = Spec::parse(&text, "test.yaml").unwrap_or_else(|error| panic!("{error}"));
    let mut answers = each(&spec, gpu, &SourceReader::default(), &[Configuration(vec![1])], |case| {
        predict(case.profile, case.lowered)
    })
    .unwrap();
    answers.remove(0).feasible().unwrap().unwrap()
}

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 1e-6 * expected.abs(), "{value} is not {expected}");
}

#[test]
fn a_warp_alone_waits_for_each_operation() {
    let one = predicted(&gpu(""), 64, "  - compute: { per_item: 100 }");
    // A warp keeps its processing block for 32 / (64 / 2) = 1 cycle, the next operation waits 6.
    near(one.warp.arithmetic_cycles, 600.0);
    near(one.warp.delay_cycles, 100.0);
    near(one.waves[0].cycles, 600.0);
    assert_eq!(one.waves[0].bound, Bottleneck::Latency);
    near(one.microseconds, 3.0 + 0.6);
}

#[test]
fn many_warps_are_bound_by_their_delays() {
    // 32 groups of a multiprocessor: 64 warps, 32 on a processing block.
    let many = predicted(&gpu(""), 4 * 32 * 64, "  - compute: { per_item: 100 }");
    assert_eq!((many.waves.len(), many.waves[0].warps_of_processing_block), (1, 32));
    near(many.waves[0].cycles, 3200.0);
    assert_eq!(many.waves[0].bound, Bottleneck::Delay);
    // One unit for a warp's 32 lanes: 32 cycles.
    let double = predicted(&gpu(""), 64, "  - compute: { per_item: 10, kind: fp64 }");
    near(double.warp.delay_cycles, 320.0);
    assert!(double.left_out.contains(&LeftOut::OtherLatency));
}

#[test]
fn groups_run_in_full_waves_and_a_rest() {
    let waves = predicted(&gpu(""), (2 * 128 + 5) * 64, "  - compute: { per_item: 100 }").waves;
    let shape = waves.iter().map(|wave| (wave.count, wave.groups, wave.groups_of_multiprocessor)).collect::<Vec<_>>();
    assert_eq!(shape, [(2, 128, 32), (1, 5, 2)]);
}

#[test]
fn a_load_waits_for_who_has_its_bytes() {
    // 32 lanes of 4 bytes, 64 bytes of a group's 256 from DRAM, the other half of 128 from L2.
    let load = "  - load: { array: a, footprint: { group: 128, together: 64 }, in_flight: 1 }";
    let one = predicted(&gpu(""), 64, load);
    let wave = &one.waves[0];
    near(wave.mean_latency_cycles, 0.5 * 40.0 + 0.25 * 200.0 + 0.25 * 400.0);
    // The access keeps its processing block for 2 / 1 cycles.
    near(wave.warp_cycles, 2.0 + 170.0);
    assert!(one.left_out.contains(&LeftOut::L2Bandwidth));
}

#[test]
fn the_latency_rises_until_dram_is_fast_enough() {
    let wave = predicted(&gpu(""), 4 * 32 * 64, "  - load: { array: a, per_item: 8, in_flight: 8 }").waves[0];
    // 128 groups of 64 work items load 32 bytes each, at 85 bytes per cycle.
    let needed = f64::from(128 * 64 * 32) / 85.0;
    near(wave.bandwidth_cycles.dram.unwrap(), needed);
    near(wave.cycles, needed);
    assert_eq!(wave.bound, Bottleneck::Dram);
    // One round trip, beside 8 instructions of 2 cycles.
    near(wave.latency_cycles.dram.unwrap(), needed - 16.0);
    near(wave.latency_cycles.l1.unwrap(), 40.0);
}

#[test]
fn l1_is_a_multiprocessors_own() {
    let load = "  - load: { array: a, per_item: 64, in_flight: 64, footprint: { group: 0, together: 0 } }";
    let one = predicted(&gpu(""), 64, load);
    let all = predicted(&gpu(""), 4 * 64, load);
    for wave in [one.waves[0], all.waves[0]] {
        near(wave.bandwidth_cycles.l1.unwrap(), 64.0 * 64.0 * 4.0 / 64.0);
        assert_eq!(wave.bound, Bottleneck::L1);
        near(wave.cycles, 256.0);
    }
}

#[test]
fn what_nobody_waits_for_takes_its_bandwidth() {
    let wave = predicted(&gpu(""), 4 * 32 * 64, "  - store: { array: a, per_item: 8 }").waves[0];
    near(wave.cycles, f64::from(128 * 64 * 32) / 85.0);
    near(wave.latency_cycles.dram.unwrap(), 400.0);
}

#[test]
fn uncoalesced_accesses_and_barriers_count_once_the_profile_has_them() {
    let body = "  - load: { array: a, stride: 8, in_flight: 1 }\n  - barrier";
    let without = predicted(&gpu(""), 64, body);
    for term in [LeftOut::UncoalescedLatency, LeftOut::UncoalescedBandwidth, LeftOut::Barriers] {
        assert!(without.left_out.contains(&term), "{term:?}");
    }
    near(without.waves[0].warp_cycles, 2.0 + 400.0);
    let more = "latency_uncoalesced_extra_cycles: 280\nuncoalesced_bandwidth_bytes_per_cycle: 1";
    let with = predicted(&gpu(more), 64, body);
    // (lat_uncoal - lat_dram) / 28 = 10 for each warp but one
    near(with.warp.sync_cycles, 10.0);
    // 64 lanes, a sector of 32 bytes each, at a byte per cycle
    near(with.waves[0].cycles, 2048.0);
    assert_eq!(with.waves[0].bound, Bottleneck::Uncoalesced);
    near(with.waves[0].latency_cycles.uncoalesced.unwrap(), 2048.0 - 12.0);
    assert!(with.left_out.iter().all(|term| *term == LeftOut::LaunchOfGroups || *term == LeftOut::L2Bandwidth));
}

#[test]
fn the_launch_is_that_of_the_groups_size() {
    let regression = "launch_regression: [{ warps: 2, per_group_us: 0.25, fixed_us: 5 }, { warps: 4, per_group_us: 1, fixed_us: 1 }]";
    let launch = |profile: &Profile| predicted(profile, 8 * 64, "  - compute: { per_item: 1 }");
    let fitted = launch(&gpu(regression));
    assert_eq!((fitted.launch.microseconds, fitted.left_out), (8.0 * 0.25 + 5.0, vec![]));
    let other = launch(&gpu(&regression.replace("warps: 2", "warps: 3")));
    assert_eq!((other.launch.microseconds, other.left_out), (3.0, vec![LeftOut::LaunchOfGroups]));
}

#[test]
fn a_lockstep_gpu_is_refused_by_name() {
    let profile = Profile::resolve("abstract-tiny").unwrap();
    let spec = Spec::parse(
        "kernel: t\nparameters: { one: { values: [1] } }\nlaunch: { work_items: 8, work_group: 4 }\nbody: [ { compute: {} } ]\n",
        "t.yaml",
    );
    let answers = each(&spec.unwrap(), &profile, &SourceReader::default(), &[Configuration(vec![1])], |case| {
        predict(case.profile, case.lowered)
    });
    let error = answers.unwrap().remove(0).feasible().unwrap().unwrap_err();
    assert!(error.to_string().contains("`abstract-tiny` is lockstep"), "{error}");
}
