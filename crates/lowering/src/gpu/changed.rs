//! Profiles with one value changed: the rates and latencies that the times of programs come from.

use std::collections::BTreeSet;

use super::matrix_rates::MatrixRates;
use super::number::Rate;
use super::pipelined::{AllocationGranularity, LaunchRegression, Pipelined, Vendor, Weight};

/// A value of a real GPU that the times of programs depend on: a rate, a latency or the clock.
#[derive(Debug, Clone, Copy)]
pub struct Changeable {
    /// The key of the profile.
    pub key: &'static str,
    /// The costs of programs that the value is a part of.
    pub part_of: Costs,
    effect: Effect,
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
    /// The waits for global and local memory behind their service, and those at barriers of all groups.
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

/// The role of a field of [`Pipelined`] where its values are changed one at a time.
#[derive(Debug, Clone, Copy)]
enum Role {
    /// It is multiplied.
    Changed(Costs, Effect),
    /// It is multiplied with another key, as one value.
    With(&'static str),
    /// It stays as it is, for a reason.
    #[cfg_attr(not(test), expect(dead_code, reason = "for readers, and for the test of rates that stay"))]
    Kept(&'static str),
}

use Role::{Changed, Kept, With};

/// The reasons to keep a field.
const NAME: &str = "it names the GPU, and is not a number of the machine";
const WHOLE: &str = "it is a number of units or a width, which is whole and known: lanes, banks, channels, sectors";
const LIMIT: &str = "it decides which configurations run and how many groups meet, not how long something takes";
const SIZE: &str = "it is a size, which costs depend on in steps";
const FEATURE: &str = "it says what the GPU has, and is not a number";
const FORMULA: &str = "only the formulas of `predict` and `efficiency` read it, no program does";

/// The numbers of a field that can be multiplied: its rates.
trait Rates {
    fn rates(&mut self) -> Vec<&mut Rate> {
        Vec::new()
    }
}

impl Rates for Rate {
    fn rates(&mut self) -> Vec<&mut Rate> {
        vec![self]
    }
}

impl<T: Rates> Rates for Option<T> {
    fn rates(&mut self) -> Vec<&mut Rate> {
        self.iter_mut().flat_map(T::rates).collect()
    }
}

impl<T: Rates> Rates for Vec<T> {
    fn rates(&mut self) -> Vec<&mut Rate> {
        self.iter_mut().flat_map(T::rates).collect()
    }
}

impl<T: Rates, const N: usize> Rates for [T; N] {
    fn rates(&mut self) -> Vec<&mut Rate> {
        self.iter_mut().flat_map(T::rates).collect()
    }
}

impl Rates for MatrixRates {
    fn rates(&mut self) -> Vec<&mut Rate> {
        self.stated_mut().collect()
    }
}

impl Rates for LaunchRegression {
    fn rates(&mut self) -> Vec<&mut Rate> {
        vec![&mut self.per_group_us, &mut self.fixed_us]
    }
}

impl Rates for Weight {
    fn rates(&mut self) -> Vec<&mut Rate> {
        vec![&mut self.0]
    }
}

impl Rates for u64 {}
impl Rates for bool {}
impl Rates for String {}
impl Rates for BTreeSet<String> {}
impl Rates for Vendor {}
impl Rates for AllocationGranularity {}

/// Says the role of each field. A field of the type that is not listed does not compile.
macro_rules! roles {
    ($($key:ident: $role:expr,)*) => {
        /// The fields, in the order of [`Pipelined`].
        const ROLES: &[(&str, Role)] = &[$((stringify!($key), $role)),*];

        /// The rates of a key in a profile; empty if it states none.
        fn rates<'a>(gpu: &'a mut Pipelined, key: &str) -> Vec<&'a mut Rate> {
            let Pipelined { $($key,)* _execution } = gpu;
            $(if key == stringify!($key) {
                return $key.rates();
            })*
            Vec::new()
        }
    };
}

// All rates but the clock count in its cycles, so that its own change is one of memory and launches.
roles! {
    name: Kept(NAME),
    aliases: Kept(NAME),
    vendor: Kept(NAME),
    architecture: Kept(NAME),
    target: Kept(NAME),
    year: Kept(NAME),
    multiprocessors: Kept(WHOLE),
    schedulers_per_sm: Kept(WHOLE),
    warp_size: Kept(WHOLE),
    fp32_lanes_per_sm: Kept(WHOLE),
    int32_lanes_per_sm: Kept(WHOLE),
    fp64_lanes_per_sm: Kept(WHOLE),
    fp16_lanes_per_sm: Kept(WHOLE),
    bf16_lanes_per_sm: Kept(WHOLE),
    sfu_lanes_per_sm: Kept(WHOLE),
    // Of the stated latency, the result of a faster matrix unit has a longer wait left behind its service.
    matrix_macs_per_cycle: Changed(Costs::Matrix, Effect::Both),
    matrix_macs_per_cycle_mma: With("matrix_macs_per_cycle"),
    matrix_latency_cycles: Changed(Costs::Matrix, Effect::Raises),
    async_copy: Kept(FEATURE),
    tma: Kept(FEATURE),
    wgmma: Kept(FEATURE),
    max_blocks_per_sm: Kept(LIMIT),
    max_warps_per_sm: Kept(LIMIT),
    max_threads_per_sm: Kept(LIMIT),
    max_threads_per_block: Kept(LIMIT),
    registers_per_sm: Kept(LIMIT),
    max_registers_per_thread: Kept(LIMIT),
    register_alloc_unit: Kept(LIMIT),
    register_alloc_granularity: Kept(LIMIT),
    registers_shared_by_sms: Kept(LIMIT),
    compiled_for_threads_per_block: Kept(LIMIT),
    shared_memory_per_sm_bytes: Kept(LIMIT),
    shared_memory_per_block_max_bytes: Kept(LIMIT),
    shared_memory_static_max_bytes: Kept(LIMIT),
    shared_memory_reserved_per_block_bytes: Kept(LIMIT),
    shared_alloc_granularity_bytes: Kept(LIMIT),
    shared_banks: Kept(WHOLE),
    shared_bank_width_bytes: Kept(WHOLE),
    core_clock_mhz: Changed(Costs::MemoryAndLaunch, Effect::Raises),
    memory_bus_bits: Kept(WHOLE),
    memory_bandwidth_GBps: Changed(Costs::Memory, Effect::Lowers),
    dram_efficiency: Changed(Costs::Memory, Effect::Lowers),
    l1_bandwidth_bytes_per_cycle_per_sm: Changed(Costs::Local, Effect::Lowers),
    kernel_launch_overhead_us: Changed(Costs::Launch, Effect::Raises),
    latency_shared_load_cycles: Changed(Costs::Waits, Effect::Raises),
    latency_l1_hit_cycles: Changed(Costs::Waits, Effect::Raises),
    latency_l2_hit_cycles: Changed(Costs::Waits, Effect::Raises),
    latency_dram_cycles: Changed(Costs::Waits, Effect::Raises),
    warp_instructions_per_cycle: Changed(Costs::Dispatcher, Effect::Lowers),
    warp_accesses_per_cycle: Changed(Costs::Local, Effect::Lowers),
    shared_bytes_per_cycle: Changed(Costs::Local, Effect::Lowers),
    l1_pass_bytes: Kept(WHOLE),
    l1_keeps_global_loads: Kept(FEATURE),
    l1_unified_with_shared: Kept(FEATURE),
    // Code that just fits the cache costs nothing, and a little more of it is fetched whole.
    instruction_bytes: Kept(SIZE),
    instruction_cache_bytes: Kept(SIZE),
    instruction_fetch_bytes_per_cycle: Changed(Costs::Dispatcher, Effect::Lowers),
    constant_operand_words: Kept(SIZE),
    l2_bandwidth_bytes_per_cycle: Changed(Costs::Memory, Effect::Lowers),
    l2_port_bytes_per_cycle: Changed(Costs::Memory, Effect::Lowers),
    part_written_slots: Changed(Costs::Memory, Effect::Raises),
    l2_channels: Kept(WHOLE),
    l2_channel_interleave_bytes: Kept(WHOLE),
    l2_size_bytes: Kept(SIZE),
    large_group_cycles: Changed(Costs::Waits, Effect::Raises),
    grid_barrier_cycles: Changed(Costs::Waits, Effect::Raises),
    same_address_atomic_cycles: Changed(Costs::Memory, Effect::Raises),
    latency_fp32_fma_cycles: Changed(Costs::Waits, Effect::Raises),
    latency_uncoalesced_extra_cycles: Kept(FORMULA),
    uncoalesced_bandwidth_bytes_per_cycle: Kept(FORMULA),
    launch_regression: Kept(FORMULA),
    efficiency_weights: Kept(FORMULA),
    assumed: Kept(NAME),
}

impl Changeable {
    /// The values that a profile states, in the order of [`Pipelined`]. The rates of matrix units are one value.
    pub fn all(gpu: &Pipelined) -> impl Iterator<Item = Self> {
        let value = |&(key, role): &(&'static str, Role)| match role {
            Changed(part_of, effect) => Some(Self { key, part_of, effect }),
            With(_) | Kept(_) => None,
        };
        let is_stated = |value: &Self| value.keys().any(|key| !rates(&mut gpu.clone(), key).is_empty());
        ROLES.iter().filter_map(value).filter(is_stated)
    }

    /// The key, and those that are multiplied with it.
    fn keys(self) -> impl Iterator<Item = &'static str> {
        let with = move |(_, role): &&(&str, Role)| matches!(role, With(key) if *key == self.key);
        std::iter::once(self.key).chain(ROLES.iter().filter(with).map(|(key, _)| *key))
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
        for key in self.keys() {
            for rate in rates(&mut changed, key) {
                *rate *= factor;
            }
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
    /// A rate of the type that stays as it is says why: only the formulas read it, or costs depend on it in steps.
    #[test]
    fn all_rates_of_the_type_are_changed_or_have_a_reason() {
        let Profile::Pipelined(gpu) = &find("a100").unwrap().profile else { unreachable!("it is a real GPU") };
        let more = "latency_uncoalesced_extra_cycles: 280\nuncoalesced_bandwidth_bytes_per_cycle: 1\n\
                    l2_port_bytes_per_cycle: 64\nsame_address_atomic_cycles: 1\ngrid_barrier_cycles: 2100\n\
                    launch_regression: [{ warps: 2, per_group_us: 0.25, fixed_us: 5 }]\n\
                    efficiency_weights: [1, 0.5, 0, 0, 0, 2]\n";
        let whole = Profile::parse(&format!("name: mine\nbase: a100\n{more}"), "mine.yaml").unwrap();
        let Profile::Pipelined(whole) = whole else { unreachable!("it is a real GPU") };
        let kept: Vec<(&str, &str)> = ROLES
            .iter()
            .filter(|(key, _)| !rates(&mut whole.clone(), key).is_empty())
            .filter_map(|(key, role)| if let Kept(why) = role { Some((*key, *why)) } else { None })
            .collect();
        let expected = [
            ("instruction_bytes", SIZE),
            ("latency_uncoalesced_extra_cycles", FORMULA),
            ("uncoalesced_bandwidth_bytes_per_cycle", FORMULA),
            ("launch_regression", FORMULA),
            ("efficiency_weights", FORMULA),
        ];
        assert_eq!(kept, expected);
        assert!(Changeable::all(gpu).any(|value| value.key == "latency_fp32_fma_cycles"));
    }
}
