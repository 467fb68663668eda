//! Values are found again in times that were computed from them.

use super::*;
use autotune_lowering::gpu::Profile;

/// The GTX 1050 of the paper: 1,455 core cycles in a microsecond, groups of up to 32 warps.
fn gpu() -> Box<Pipelined> {
    match Profile::resolve("gtx1050").unwrap() {
        Profile::Pipelined(gpu) => gpu,
        Profile::Lockstep(_) => panic!("a real GPU"),
    }
}

/// The time of a launch in microseconds: 3 and a nanosecond for each group and warp; 400 and 680 cycles for a load; 48 bytes
/// in a cycle.
fn time(launch: &BenchmarkLaunch) -> f64 {
    let [work_group, groups, steps] = [launch.work_group, launch.groups, launch.steps].map(real);
    match launch.kernel {
        Microbenchmark::Empty => 3.0 + 0.001 * groups * work_group / 32.0,
        Microbenchmark::Chain => 3.5 + steps * if launch.stride == 1 { 400.0 } else { 680.0 } / 1455.0,
        Microbenchmark::Spread => 4.0 + groups * work_group * steps * 32.0 / 48.0 / 1455.0,
    }
}

fn timed(time: impl Fn(&BenchmarkLaunch) -> f64) -> Vec<TimedLaunch> {
    let launches = BenchmarkLaunch::of_gpu(&gpu(), &[]).unwrap().into_iter();
    launches.map(|launch| TimedLaunch { launch, microseconds: time(&launch) }).collect()
}

fn near(value: f64, expected: f64) {
    assert!((value / expected - 1.0).abs() < 1e-9, "{value} is not {expected}");
}

#[test]
fn the_launches_are_those_of_the_paper() {
    let launches = BenchmarkLaunch::of_gpu(&gpu(), &[]).unwrap();
    let empty = launches.iter().filter(|one| one.kernel == Microbenchmark::Empty);
    let mut sizes: Vec<u64> = empty.map(|one| one.work_group / 32).collect();
    assert_eq!(sizes.len(), 32 * 4);
    sizes.dedup();
    assert_eq!(sizes, (1..=32).collect::<Vec<_>>(), "each number of warps up to the largest group");
    assert_eq!(launches.len(), 32 * 4 + 2 * 3 + 3);
    assert_eq!(launches[0].label(), "KERNEL=empty WORK_GROUP=32 GROUPS=1024 STRIDE=1 STEPS=0");
}

#[test]
fn sizes_of_groups_are_whole_warps_that_the_gpu_runs() {
    let of = |sizes: &[usize]| {
        let sizes: Vec<NonZeroUsize> = sizes.iter().map(|size| NonZeroUsize::new(*size).unwrap()).collect();
        BenchmarkLaunch::of_gpu(&gpu(), &sizes)
    };
    assert_eq!(of(&[256, 64, 256]).unwrap().len(), 2 * 4 + 2 * 3 + 3);
    for bad in [33, 2048] {
        let error = of(&[64, bad]).unwrap_err();
        let told = format!("groups of {bad} work items are not measured: sizes are multiples of 32, up to 1024");
        assert_eq!((error.to_string(), error.status()), (told, ExitStatus::Unusable));
    }
}

#[test]
fn values_are_found_again() {
    let values = MeasuredValues::of(&gpu(), &timed(time)).unwrap();
    for (number, launch) in values.launches.iter().enumerate() {
        assert_eq!(launch.warps, number as u64 + 1);
        near(launch.per_group_us, 0.001 * real(launch.warps));
        near(launch.fixed_us, 3.0);
    }
    near(values.coalesced_cycles, 400.0);
    near(values.uncoalesced_cycles, 680.0);
    near(values.uncoalesced_extra_cycles().unwrap(), 280.0);
    near(values.uncoalesced_bytes_per_cycle, 48.0);
    assert!(values.deviation < 1e-9, "{}", values.deviation);
}

#[test]
fn a_launch_has_no_negative_time() {
    // Less time for more groups: the mean. No time for no groups, by a line that falls below 0: a line through 0.
    let falling = |launch: &BenchmarkLaunch| match launch.kernel {
        Microbenchmark::Empty if launch.work_group == 32 => 5.0 - 0.0001 * real(launch.groups),
        Microbenchmark::Empty => 0.001 * real(launch.groups) - 0.5,
        _ => time(launch),
    };
    let values = MeasuredValues::of(&gpu(), &timed(falling)).unwrap();
    let [first, second] = [values.launches[0], values.launches[1]];
    assert_eq!(first.per_group_us.to_bits(), 0.0_f64.to_bits());
    near(first.fixed_us, 5.0 - 0.0001 * (1024.0 + 4096.0 + 8192.0 + 16384.0) / 4.0);
    assert_eq!(second.fixed_us.to_bits(), 0.0_f64.to_bits());
    assert!((0.0009..0.001).contains(&second.per_group_us), "{}", second.per_group_us);
    assert!(values.deviation > 0.05, "{}", values.deviation);
}

#[test]
fn a_scattered_load_that_takes_no_longer_has_no_extra_latency() {
    let equal = |launch: &BenchmarkLaunch| time(&BenchmarkLaunch { stride: 33 - launch.stride, ..*launch });
    let values = MeasuredValues::of(&gpu(), &timed(equal)).unwrap();
    assert_eq!(values.uncoalesced_extra_cycles(), None);
}

#[test]
fn times_that_do_not_follow_the_parameters_are_refused() {
    let refused = |time: &dyn Fn(&BenchmarkLaunch) -> f64| MeasuredValues::of(&gpu(), &timed(time)).unwrap_err();
    let of = |kernel, other: &dyn Fn(&BenchmarkLaunch) -> f64| {
        refused(&|launch| if launch.kernel == kernel { other(launch) } else { time(launch) }).to_string()
    };
    assert_eq!(of(Microbenchmark::Empty, &|_| 3.0), "all 128 launches of `empty` took 3 us, whatever their GROUPS");
    assert_eq!(of(Microbenchmark::Chain, &|_| 2.5), "all 6 launches of `chain` took 2.5 us, whatever their STEPS");
    assert_eq!(
        of(Microbenchmark::Chain, &|launch| 9000.0 - real(launch.steps)),
        "the time of `chain` does not grow with STEPS: 7976 us for 1024, 4904 us for 4096"
    );
    assert_eq!(
        of(Microbenchmark::Spread, &|launch| 1e6 / real(launch.groups)),
        "the time of `spread` does not grow with GROUPS: 781.25 us for 1280, 195.3125 us for 5120"
    );
    let mut few = timed(time);
    few.retain(|one| one.launch.work_group != 64 || one.launch.groups == 1024);
    let few = MeasuredValues::of(&gpu(), &few).unwrap_err();
    assert_eq!(few, CalibrationError::TooFew { kernel: Microbenchmark::Empty, work_group: 64 });
    assert!(few.help().unwrap().contains("runs.csv"));
    assert!(MeasuredValues::of(&gpu(), &[]).is_err());
}
