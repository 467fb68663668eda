//! The roofline of lowered programs: the server that bounds them, the path to global memory or the dispatchers, and
//! their distance from the roof.
//!
//! A program holds its servers for a known time, but does not say for what. Here the time becomes the work that the
//! server could do in it: bytes delivered by DRAM, and single-precision operations. No program is above the roof, since
//! no server works for longer than the program runs.

use num_traits::ToPrimitive as _;

use crate::compare::comparison::{Comparison, Row};
use crate::compare::{PredictedCost, Predictor};
use autotune_base::ticks::Ticks;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::{Pipelined, Profile, Rate};
use autotune_lowering::lowering::{Feasibility, Lowering, LoweringError};
use autotune_lowering::spec::Spec;
use autotune_machine::machine::{Program, Server, Statement};

/// The greatest rates of a GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Roofline {
    /// The single-precision rate of all multiprocessors, in 10^9 operations per second; a multiply-add is one
    /// operation.
    pub operations: f64,
    /// The bandwidth that DRAM reaches, in 10^9 bytes per second.
    pub bandwidth: f64,
}

/// The place of a program under the roof.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RooflinePoint {
    /// The intensity, in operations for each byte.
    pub intensity: f64,
    /// The performance, in 10^9 operations per second.
    pub performance: f64,
}

/// The roofline of a GPU, and the places of compared configurations under it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedConfigurations {
    /// The roofline.
    pub roofline: Roofline,
    /// The place of the proved optimum, without a proof of the natively fastest configuration.
    pub optimum: RooflinePoint,
    /// The places of the other configurations that have one.
    pub others: Vec<RooflinePoint>,
}

impl PlacedConfigurations {
    /// The compared configurations under the roofs of a real GPU. `None` for a lockstep GPU, which does not have roofs,
    /// or if the best configuration does not have a time or does not use both the dispatchers and global memory.
    ///
    /// # Errors
    /// If a configuration cannot be lowered.
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        reader: &SourceReader,
        comparison: &Comparison,
    ) -> Result<Option<Self>, LoweringError> {
        let Profile::Pipelined(gpu) = profile else { return Ok(None) };
        let (roofline, lowering) = (Roofline::new(gpu), Lowering::new(spec, profile, reader));
        let points = comparison.rows.iter().map(|row| roofline.place_row(&lowering, row));
        let mut points = points.collect::<Result<Vec<_>, _>>()?;
        let Some(optimum) = points.remove(comparison.best()) else { return Ok(None) };
        Ok(Some(Self { roofline, optimum, others: points.into_iter().flatten().collect() }))
    }
}

impl Roofline {
    /// The roofline of a GPU.
    #[must_use]
    pub fn new(gpu: &Pipelined) -> Self {
        let lanes = real(gpu.multiprocessors) * real(gpu.fp32_lanes_per_sm);
        Self {
            operations: lanes * value(gpu.core_clock_mhz) / 1000.0,
            bandwidth: value(gpu.dram_efficiency()) * value(gpu.memory_bandwidth_GBps),
        }
    }

    /// The greatest performance at an intensity in operations for each byte, in 10^9 operations per second.
    #[must_use]
    pub fn roof(&self, intensity: f64) -> f64 {
        self.operations.min(self.bandwidth * intensity)
    }

    /// The least intensity of a program that the dispatchers bound, in operations for each byte.
    #[must_use]
    pub fn ridge(&self) -> f64 {
        self.operations / self.bandwidth
    }

    /// The place of a program of this GPU that takes `ticks`; `None` if it does not use both servers.
    #[must_use]
    pub fn place(&self, program: &Program, ticks: Ticks) -> Option<RooflinePoint> {
        // The warps of one multiprocessor, as if all groups were spread evenly.
        let busy = program.multiprocessors.min(program.groups);
        let warps = real(program.groups) * real(program.warps_per_group) * real(program.passes) / real(busy);
        let share = |server| warps * occupied(&program.body, server) / ticks.to_f64();
        let operations = self.operations * share(Server::Dispatcher) / real(program.dispatchers) * real(busy)
            / real(program.multiprocessors);
        let bytes = self.bandwidth * share(Server::Memory);
        let place = RooflinePoint { intensity: operations / bytes, performance: operations };
        (operations > 0.0 && bytes > 0.0 && ticks > Ticks::ZERO).then_some(place)
    }

    /// The place of a compared configuration; `None` if the machine does not predict its time.
    fn place_row(&self, lowering: &Lowering, row: &Row) -> Result<Option<RooflinePoint>, LoweringError> {
        let Some(ticks) = row.cost(Predictor::Machine).and_then(PredictedCost::ticks) else { return Ok(None) };
        Ok(match lowering.lower(&row.configuration)? {
            Feasibility::Feasible(lowered) => self.place(&lowered.program, ticks),
            Feasibility::Infeasible(_) => None,
        })
    }
}

/// The time that one warp occupies a server, in ticks.
fn occupied(body: &[Statement], server: Server) -> f64 {
    let of = |(statement, times): (&Statement, u128)| match statement {
        Statement::Use { server: used, occupancy, .. } | Statement::Start { server: used, occupancy, .. }
            if *used == server =>
        {
            Some(times.to_f64()? * real(*occupancy))
        }
        _ => None,
    };
    Statement::all(body).filter_map(of).sum()
}

#[expect(clippy::cast_precision_loss, reason = "for a picture")]
fn real(count: u64) -> f64 {
    count as f64
}

fn value(rate: Rate) -> f64 {
    rate.to_f64().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_kernel::source::SourceReader;
    use autotune_lowering::spec::Configuration;
    use autotune_machine::machine::evaluate;

    fn volta() -> Profile {
        Profile::resolve("volta").unwrap()
    }

    /// The place of streaming multiply-adds, with `operations` for each word that is read or written.
    fn place(operations: u32) -> (Roofline, RooflinePoint) {
        let text = format!(
            "
kernel: stream
parameters: {{ WG: {{ values: [256] }} }}
launch: {{ work_items: 16777216, work_group: WG }}
body:
  - load: {{ array: a, in_flight: 4 }}
  - compute: {{ per_item: {operations} }}
  - store: {{ array: b }}
"
        );
        let (spec, profile) = (Spec::parse(&text, "stream.yaml").unwrap(), volta());
        let outcome =
            Lowering::new(&spec, &profile, &SourceReader::default()).lower(&Configuration(vec![256])).unwrap();
        let (Feasibility::Feasible(lowered), Profile::Pipelined(gpu)) = (outcome, &profile) else {
            panic!("not feasible")
        };
        let ticks = evaluate(&lowered.program, autotune_lowering::space::MOST_EVENTS).unwrap().ticks;
        let roofline = Roofline::new(gpu);
        (roofline, roofline.place(&lowered.program, ticks.into()).unwrap())
    }

    #[test]
    fn the_roofs_are_those_of_the_data_sheet() {
        let Profile::Pipelined(gpu) = volta() else { panic!("it is a real GPU") };
        let roofline = Roofline::new(&gpu);
        let lanes = 1e-3 * gpu.core_clock_mhz.to_f64().unwrap() * 80.0 * 64.0;
        assert!((roofline.operations - lanes).abs() < 1.0, "{roofline:?}");
        assert!((roofline.bandwidth - 0.85 * gpu.memory_bandwidth_GBps.to_f64().unwrap()).abs() < 1.0, "{roofline:?}");
        assert!((roofline.roof(roofline.ridge()) - roofline.operations).abs() < 1e-6);
    }

    #[test]
    fn no_program_is_above_the_roof_and_streams_come_near_it() {
        for operations in [1, 8, 64, 512, 2048] {
            let (roofline, place) = place(operations);
            let share = place.performance / roofline.roof(place.intensity);
            assert!((0.7..=1.0).contains(&share), "{operations} operations: {place:?}, {share} of the roof");
        }
        // 512 operations for each 8 bytes, which are read and written. The issue beside fp32 of half its rate takes up to
        // 1.6 % more of the dispatcher.
        let (_, place) = place(512);
        assert!((1.0..1.017).contains(&(place.intensity / 64.0)), "{place:?}");
    }
}
