//! Implausible values of a profile, which no GPU has had so far: most likely another unit was meant.

use super::profile::Profile;
use super::{Pipelined, Rate};

/// A value beyond what is plausible.
#[derive(Debug, Clone, PartialEq)]
pub struct Implausible {
    /// The key of the profile.
    pub key: &'static str,
    /// The value, in the key's unit.
    pub value: f64,
    /// The least and the greatest plausible value.
    pub plausible: (f64, f64),
    /// True if the value is within the plausible range but is not a power of two, as every GPU's is.
    pub is_odd: bool,
}

/// A key, its value, and the least and the greatest value of GPUs since 2006, with a margin.
type Check = (&'static str, fn(&Pipelined) -> f64, f64, f64);

const CHECKS: [Check; 25] = [
    ("multiprocessors", |gpu| whole(gpu.multiprocessors), 1.0, 1024.0),
    ("schedulers_per_sm", |gpu| whole(gpu.schedulers_per_sm), 1.0, 8.0),
    ("warp_size", |gpu| whole(gpu.warp_size), 8.0, 128.0),
    ("fp32_lanes_per_sm", |gpu| whole(gpu.fp32_lanes_per_sm), 8.0, 512.0),
    ("matrix_macs_per_cycle", greatest_matrix_rate, 32.0, 65_536.0),
    ("matrix_latency_cycles", |gpu| gpu.matrix_latency_cycles.map_or(32.0, rate), 4.0, 400.0),
    ("max_blocks_per_sm", |gpu| whole(gpu.max_blocks_per_sm), 4.0, 256.0),
    ("max_warps_per_sm", |gpu| whole(gpu.max_warps_per_sm), 8.0, 128.0),
    ("max_threads_per_block", |gpu| whole(gpu.max_threads_per_block), 64.0, 4096.0),
    ("registers_per_sm", |gpu| whole(gpu.registers_per_sm), 4096.0, 1_048_576.0),
    ("max_registers_per_thread", |gpu| whole(gpu.max_registers_per_thread), 32.0, 1024.0),
    ("shared_memory_per_sm_bytes", |gpu| whole(gpu.shared_memory_per_sm_bytes), 8192.0, 1_048_576.0),
    ("shared_memory_per_block_max_bytes", |gpu| whole(gpu.shared_memory_per_block_max_bytes), 8192.0, 1_048_576.0),
    ("shared_banks", |gpu| whole(gpu.shared_banks), 8.0, 128.0),
    ("core_clock_mhz", |gpu| rate(gpu.core_clock_mhz), 100.0, 5000.0),
    ("memory_bus_bits", |gpu| whole(gpu.memory_bus_bits), 32.0, 16_384.0),
    ("memory_bandwidth_GBps", |gpu| rate(gpu.memory_bandwidth_GBps), 10.0, 32_000.0),
    ("l1_bandwidth_bytes_per_cycle_per_sm", |gpu| rate(gpu.l1_bandwidth_bytes_per_cycle_per_sm), 8.0, 1024.0),
    ("l2_port_bytes_per_cycle", |gpu| gpu.l2_port_bytes_per_cycle.map_or(64.0, rate), 8.0, 1024.0),
    ("l2_size_bytes", |gpu| gpu.l2_size_bytes.map_or(1e6, whole), 65_536.0, 536_870_912.0),
    ("latency_shared_load_cycles", |gpu| rate(gpu.latency_shared_load_cycles), 4.0, 400.0),
    ("latency_l1_hit_cycles", |gpu| rate(gpu.latency_l1_hit_cycles), 4.0, 1000.0),
    ("latency_l2_hit_cycles", |gpu| rate(gpu.latency_l2_hit_cycles), 20.0, 2000.0),
    ("latency_dram_cycles", |gpu| rate(gpu.latency_dram_cycles), 50.0, 5000.0),
    ("kernel_launch_overhead_us", |gpu| gpu.kernel_launch_overhead_us.map_or(4.0, rate), 0.5, 200.0),
];

/// Keys whose values are powers of two on every GPU.
const POWERS_OF_TWO: [&str; 2] = ["warp_size", "shared_banks"];

/// Returns the implausible values of a profile, in a fixed order of keys. Every value of an abstract GPU is plausible.
#[must_use]
pub fn implausible(profile: &Profile) -> Vec<Implausible> {
    let Profile::Pipelined(gpu) = profile else { return Vec::new() };
    let found = CHECKS.iter().filter_map(|(key, value, least, most)| {
        let (value, plausible) = (value(gpu), (*least, *most));
        let inside = (*least..=*most).contains(&value);
        let is_odd = inside && POWERS_OF_TWO.contains(key) && value.log2().fract() != 0.0;
        (!inside || is_odd).then_some(Implausible { key, value, plausible, is_odd })
    });
    found.collect()
}

/// The greatest rate of matrix units; a plausible one if there are none.
fn greatest_matrix_rate(gpu: &Pipelined) -> f64 {
    gpu.matrix_macs_per_cycle.and_then(|rates| rates.greatest()).map_or(512.0, rate)
}

#[expect(clippy::cast_precision_loss, reason = "compared with round numbers")]
fn whole(value: u64) -> f64 {
    value as f64
}

#[expect(clippy::cast_precision_loss, reason = "compared with round numbers")]
fn rate(value: Rate) -> f64 {
    *value.numer() as f64 / *value.denom() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{find, shipped};

    #[test]
    fn shipped_profiles_are_plausible() {
        for one in shipped() {
            assert_eq!(implausible(&one.profile), [], "{}", one.profile.name());
        }
    }

    /// The implausible values of a V100 with one edited value.
    fn with(key: &str, value: &str) -> Vec<Implausible> {
        let text = &find("v100").unwrap().text;
        let others = text.lines().filter(|line| !line.starts_with(&format!("{key}:")));
        let text = others.map(str::to_owned).chain([format!("{key}: {value}")]).collect::<Vec<_>>().join("\n");
        implausible(&Profile::parse(&text, "edited").unwrap_or_else(|error| panic!("{error}")))
    }

    #[test]
    fn both_ends_of_a_range_are_plausible() {
        for (key, inside, outside) in [
            ("core_clock_mhz", ["100", "5000"], ["1.965", "5000.5"]),
            ("memory_bandwidth_GBps", ["10", "32000"], ["8", "32001"]),
            ("latency_dram_cycles", ["50", "5000"], ["49.5", "5001"]),
            ("matrix_latency_cycles", ["4", "400"], ["3.5", "401"]),
            ("l2_port_bytes_per_cycle", ["8", "1024"], ["7.5", "1025"]),
            ("l2_size_bytes", ["65536", "536870912"], ["65535", "536870913"]),
        ] {
            assert!(inside.iter().all(|value| with(key, value).is_empty()), "{key}");
            for value in outside {
                let found = with(key, value);
                assert!(found.len() == 1 && found[0].key == key && !found[0].is_odd, "{found:?}");
                assert_eq!(found[0].value.to_string(), value);
            }
        }
    }

    #[test]
    fn the_greatest_matrix_rate_is_judged() {
        assert_eq!(with("matrix_macs_per_cycle", "{ fp16: 65536, fp64: 1 }"), []);
        for (rates, greatest) in [("{ fp16: 125000 }", 125_000.0), ("{ fp16: 31, int8: 8 }", 31.0)] {
            let found = with("matrix_macs_per_cycle", rates);
            assert!(found.len() == 1 && found[0].value.to_bits() == f64::to_bits(greatest), "{found:?}");
        }
    }

    #[test]
    fn warps_and_banks_are_powers_of_two() {
        for (key, odd) in [("warp_size", "33"), ("warp_size", "24"), ("shared_banks", "31")] {
            let found = with(key, odd);
            assert!(found.len() == 1 && found[0].key == key && found[0].is_odd, "{found:?}");
        }
        assert_eq!(with("warp_size", "64"), []);
    }
}
