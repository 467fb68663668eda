//! The roofline of lowered programs: whether the path to global memory or the dispatchers bound them, and how near they come.
//!
//! A program knows how long it has its servers, not why. These times become what the servers could do in them: bytes that DRAM
//! delivers, and single-precision operations. No program is above the roof, since no server has more time than there is.

use num_traits::ToPrimitive as _;

use crate::gpu::{Pipelined, Rate};
use crate::lowering::DRAM_EFFICIENCY;
use crate::machine::{Program, Server, Statement};

/// What a GPU can do at most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Roofline {
    /// 10^9 single-precision operations per second of all multiprocessors; a multiply-add is one.
    pub operations: f64,
    /// 10^9 bytes per second that DRAM reaches.
    pub bandwidth: f64,
}

/// Where a program is under the roof.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Operations for each byte.
    pub intensity: f64,
    /// 10^9 operations per second.
    pub performance: f64,
}

impl Roofline {
    /// Of a GPU.
    #[must_use]
    pub fn of(gpu: &Pipelined) -> Self {
        let lanes = real(gpu.multiprocessors) * real(gpu.fp32_lanes_per_sm);
        Self {
            operations: lanes * value(gpu.core_clock_mhz) / 1000.0,
            bandwidth: value(DRAM_EFFICIENCY) * value(gpu.memory_bandwidth_GBps),
        }
    }

    /// What no program of this many operations for each byte exceeds, in 10^9 operations per second.
    #[must_use]
    pub fn roof(&self, intensity: f64) -> f64 {
        self.operations.min(self.bandwidth * intensity)
    }

    /// Operations for each byte from which on the dispatchers bound a program.
    #[must_use]
    pub fn ridge(&self) -> f64 {
        self.operations / self.bandwidth
    }

    /// Where a program of this GPU is that takes so many ticks; none if it does not use both servers.
    #[must_use]
    pub fn place(&self, program: &Program, ticks: u64) -> Option<Place> {
        // Those of one multiprocessor, as if its groups were spread evenly.
        let busy = program.multiprocessors.min(program.groups);
        let warps = real(program.groups) * real(program.warps_per_group) * real(program.passes) / real(busy);
        let share = |server| warps * occupied(&program.body, server) / real(ticks);
        let operations = self.operations * share(Server::Dispatcher) / real(program.dispatchers) * real(busy)
            / real(program.multiprocessors);
        let bytes = self.bandwidth * share(Server::Memory);
        let place = Place { intensity: operations / bytes, performance: operations };
        (operations > 0.0 && bytes > 0.0 && ticks > 0).then_some(place)
    }
}

/// Ticks that one warp has a server.
fn occupied(body: &[Statement], server: Server) -> f64 {
    let of = |statement: &Statement| match statement {
        Statement::Use { server: used, occupancy, .. } if *used == server => real(*occupancy),
        Statement::Loop { count, body } => real(*count) * occupied(body, server),
        Statement::Use { .. } | Statement::Barrier { .. } => 0.0,
    };
    body.iter().map(of).sum()
}

#[expect(clippy::cast_precision_loss, reason = "for a picture")]
fn real(count: u64) -> f64 {
    count as f64
}

fn value(rate: Rate) -> f64 {
    rate.to_f64().unwrap_or(f64::NAN)
}
