//! The cycles of a warp's instructions in the wave model.

use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use crate::gpu::{Pipelined, Rate};
use crate::lowering::phases::traffic::Issued;

/// Core cycles of one instruction of a warp, by the unit that it needs. `instructions` stands for one that needs only its
/// issue slot.
#[derive(Debug, Clone, Copy)]
pub struct InstructionCycles {
    /// Cycles during which an instruction keeps its scheduler from starting another of the warp.
    pub delay: Issued<f64>,
    /// Cycles until the result can be used, at least the delay.
    pub latency: Issued<f64>,
}

impl InstructionCycles {
    /// The cycles on a GPU. A latency that its profile lacks is the delay.
    #[must_use]
    pub fn new(gpu: &Pipelined) -> Self {
        let schedulers = real(gpu.schedulers_per_sm);
        let issue = (schedulers / number(gpu.warp_instructions_per_cycle)).max(1.0);
        // delay = max(warp size / units of a processing block, 1), and never less than the issue slot
        let on_lanes = |lanes: f64| (real(gpu.warp_size) * schedulers / lanes).max(issue);
        let delay = Issued {
            instructions: issue,
            fp32: on_lanes(real(gpu.fp32_lanes_per_sm)),
            int32: on_lanes(real(gpu.int32_lanes_per_sm)),
            fp64: on_lanes(real(gpu.fp64_lanes_per_sm)),
            fp16: on_lanes(real(gpu.fp16_results_per_cycle()) / 2.0),
            special: on_lanes(real(gpu.sfu_lanes_per_sm)),
            accesses: (schedulers / number(gpu.warp_accesses_per_cycle)).max(issue),
        };
        let arithmetic = gpu.latency_fp32_fma_cycles.map_or(0.0, number);
        Self { delay, latency: Issued { fp32: delay.fp32.max(arithmetic), ..delay } }
    }
}

/// The time of a warp's instructions by their dependences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DependentCycles {
    /// Cycles from the first instruction to the last result, without the waits for memory.
    pub cycles: f64,
    /// The instructions of the warp that these cycles contain.
    pub counted: Issued<f64>,
}

impl Issued<f64> {
    /// The cycles of all instructions, one after the other, given the cycles of each kind.
    #[must_use]
    pub fn cycles(&self, each: &Self) -> f64 {
        let named = [
            (self.fp32, each.fp32),
            (self.int32, each.int32),
            (self.fp64, each.fp64),
            (self.fp16, each.fp16),
            (self.special, each.special),
            (self.accesses, each.accesses),
        ];
        let others = self.instructions - named.iter().map(|(number, _)| number).sum::<f64>();
        named.iter().map(|(number, cycles)| number * cycles).sum::<f64>() + others.max(0.0) * each.instructions
    }

    /// The instructions that are not among `counted`.
    #[must_use]
    pub fn without(mut self, mut counted: Self) -> Self {
        for (all, counted) in self.each().into_iter().zip(counted.each()) {
            *all = (*all - *counted).max(0.0);
        }
        self
    }
}

/// Converts a rate, which the profile's checks keep finite.
fn number(rate: Rate) -> f64 {
    rate.to_f64().unwrap_or(f64::NAN)
}

/// Converts a count to a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "an estimate: 53 bits are plenty")]
fn real(count: u64) -> f64 {
    count as f64
}
