//! The wave of a configuration, for a picture of its warps.

use super::account::{Account, account};
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::{Feasibility, Lowered, Lowering, LoweringError};
use autotune_lowering::spec::{Configuration, Spec};
use autotune_machine::machine::{Timeline, timeline};

/// The greatest number of warps in a timeline.
const LANES: usize = 32;
/// The greatest number of events that are run for a timeline.
const EVENTS: u64 = 250_000;

/// A wave, warp by warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PicturedWave {
    /// The activities of each warp over time; `None` if the wave has more than `most_events` events.
    pub timeline: Option<Timeline>,
    /// The most events of a timeline.
    pub most_events: u64,
    /// The number of warps of a work group.
    pub warps_per_group: u64,
}

impl PicturedWave {
    fn new(lowered: &Lowered) -> Self {
        Self {
            timeline: timeline(&lowered.program, LANES, EVENTS).ok(),
            most_events: EVENTS,
            warps_per_group: lowered.program.warps_per_group,
        }
    }
}

/// A configuration's run: where its time goes, and its wave.
#[derive(Debug)]
pub struct PicturedRun {
    /// The split of the time, or the reason why it cannot be computed.
    pub time: Result<Account, String>,
    /// The wave.
    pub wave: PicturedWave,
}

impl PicturedRun {
    /// The run of a configuration; `None` if it cannot run.
    ///
    /// # Errors
    /// If it cannot be lowered.
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        reader: &SourceReader,
        configuration: &Configuration,
    ) -> Result<Option<Self>, LoweringError> {
        let lowering = Lowering::new(spec, profile, reader);
        let Feasibility::Feasible(lowered) = lowering.lower(configuration)? else { return Ok(None) };
        let account = account(spec, profile, &lowering, configuration, &lowered);
        let wave = PicturedWave::new(&lowered);
        Ok(Some(Self { time: account.map_err(|why| why.to_string()), wave }))
    }
}
