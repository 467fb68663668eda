//! Profiles with one value changed: the rates and latencies that the times of programs come from.

use super::matrix_rates::MatrixRates;
use super::number::Rate;
use super::pipelined::Pipelined;

/// A value of a real GPU that the times of programs depend on: a rate, a latency or the clock.
#[derive(Debug, Clone, Copy)]
pub struct Changeable {
    /// The key of the profile.
    pub key: &'static str,
    /// The costs of programs that the value is a part of.
    pub part_of: Costs,
    effect: Effect,
    /// The numbers that the profile states under the key; empty if it states none.
    fields: fn(&mut Pipelined) -> Vec<&mut Rate>,
}

/// Costs of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Costs {
    /// The service of global memory.
    Memory,
    /// The service of global memory, and the launch.
    MemoryAndLaunch,
    /// The service of local memory and L1.
    Local,
    /// The service of the schedulers.
    Dispatcher,
    /// The service of the matrix units, and the wait for their results.
    Matrix,
    /// The waits for global and local memory behind their service.
    Waits,
    /// The launch.
    Launch,
}

/// The effect of a greater value on the costs of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// No cost falls.
    Raises,
    /// No cost grows.
    Lowers,
    /// Some may fall and others grow.
    Both,
}

/// The values, in the order of [`Pipelined`]. All but the clock count in its cycles, so that its own change is one of
/// memory and launches.
const CHANGEABLE: [Changeable; 17] = [
    // Of the stated latency, the result of a faster matrix unit has a longer wait left behind its service.
    Changeable { key: "matrix_macs_per_cycle", part_of: Costs::Matrix, effect: Effect::Both, fields: matrix_rates },
    cost("matrix_latency_cycles", Costs::Matrix, |gpu| gpu.matrix_latency_cycles.iter_mut().collect()),
    cost("core_clock_mhz", Costs::MemoryAndLaunch, |gpu| vec![&mut gpu.core_clock_mhz]),
    rate("memory_bandwidth_GBps", Costs::Memory, |gpu| vec![&mut gpu.memory_bandwidth_GBps]),
    rate("l1_bandwidth_bytes_per_cycle_per_sm", Costs::Local, |gpu| vec![&mut gpu.l1_bandwidth_bytes_per_cycle_per_sm]),
    cost("kernel_launch_overhead_us", Costs::Launch, |gpu| gpu.kernel_launch_overhead_us.iter_mut().collect()),
    cost("latency_shared_load_cycles", Costs::Waits, |gpu| vec![&mut gpu.latency_shared_load_cycles]),
    cost("latency_l1_hit_cycles", Costs::Waits, |gpu| vec![&mut gpu.latency_l1_hit_cycles]),
    cost("latency_l2_hit_cycles", Costs::Waits, |gpu| vec![&mut gpu.latency_l2_hit_cycles]),
    cost("latency_dram_cycles", Costs::Waits, |gpu| vec![&mut gpu.latency_dram_cycles]),
    rate("warp_instructions_per_cycle", Costs::Dispatcher, |gpu| vec![&mut gpu.warp_instructions_per_cycle]),
    rate("warp_accesses_per_cycle", Costs::Local, |gpu| vec![&mut gpu.warp_accesses_per_cycle]),
    rate("shared_bytes_per_cycle", Costs::Local, |gpu| vec![&mut gpu.shared_bytes_per_cycle]),
    rate("instruction_fetch_bytes_per_cycle", Costs::Dispatcher, |gpu| {
        vec![&mut gpu.instruction_fetch_bytes_per_cycle]
    }),
    rate("l2_bandwidth_bytes_per_cycle", Costs::Memory, |gpu| gpu.l2_bandwidth_bytes_per_cycle.iter_mut().collect()),
    rate("l2_port_bytes_per_cycle", Costs::Memory, |gpu| gpu.l2_port_bytes_per_cycle.iter_mut().collect()),
    cost("same_address_atomic_cycles", Costs::Memory, |gpu| gpu.same_address_atomic_cycles.iter_mut().collect()),
];

fn matrix_rates(gpu: &mut Pipelined) -> Vec<&mut Rate> {
    let of_both = [&mut gpu.matrix_macs_per_cycle, &mut gpu.matrix_macs_per_cycle_mma];
    of_both.into_iter().flatten().flat_map(MatrixRates::stated_mut).collect()
}

const fn rate(key: &'static str, part_of: Costs, fields: fn(&mut Pipelined) -> Vec<&mut Rate>) -> Changeable {
    Changeable { key, part_of, effect: Effect::Lowers, fields }
}

const fn cost(key: &'static str, part_of: Costs, fields: fn(&mut Pipelined) -> Vec<&mut Rate>) -> Changeable {
    Changeable { key, part_of, effect: Effect::Raises, fields }
}

impl Changeable {
    /// The values that a profile states, in the order of [`Pipelined`]. The rates of matrix units are one value.
    pub fn all(gpu: &Pipelined) -> impl Iterator<Item = Self> {
        CHANGEABLE.into_iter().filter(|value| !(value.fields)(&mut gpu.clone()).is_empty())
    }

    /// Returns true if no cost of a program falls where the value is multiplied by the factor.
    #[must_use]
    pub fn raises_costs(self, factor: Rate) -> bool {
        let grows = factor >= Rate::from(1);
        matches!((self.effect, grows), (Effect::Raises, true) | (Effect::Lowers, false))
    }

    /// The profile with this value multiplied.
    #[must_use]
    pub fn scaled(self, gpu: &Pipelined, factor: Rate) -> Pipelined {
        let mut changed = gpu.clone();
        for field in (self.fields)(&mut changed) {
            *field *= factor;
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Profile, find};
    use super::*;

    #[test]
    fn one_value_changes_and_a_value_that_is_not_stated_is_left_out() {
        let Profile::Pipelined(a100) = &find("a100").unwrap().profile else { unreachable!("it is a real GPU") };
        let keys: Vec<&str> = Changeable::all(a100).map(|value| value.key).collect();
        assert!(keys.contains(&"matrix_macs_per_cycle") && keys.contains(&"l1_bandwidth_bytes_per_cycle_per_sm"));
        for value in Changeable::all(a100) {
            let slower = value.scaled(a100, Rate::new(4, 5));
            assert_ne!(slower, **a100, "{}", value.key);
            assert_eq!(value.scaled(&slower, Rate::new(5, 4)), **a100, "{}", value.key);
        }
        let Profile::Pipelined(old) = &find("gtx1080").unwrap().profile else { unreachable!("it is a real GPU") };
        assert!(Changeable::all(old).all(|value| value.key != "matrix_macs_per_cycle"));
    }
}
