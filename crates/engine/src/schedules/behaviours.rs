//! The times of one configuration in every order of simultaneous events.

use autotune_base::index::ProgramId;
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_machine::machine::{Program, Reduction, Stopped, evaluate, explore, greatest_bound, lower_bound};

use crate::spin::pan_output::Statistics;

/// The extremes of a configuration's time over all orders, or bounds of them.
#[derive(Debug, Clone)]
pub struct Behaviours {
    /// The configuration's program.
    pub program: ProgramId,
    /// The least time in ticks; a lower bound if `stopped`.
    pub least: Ticks,
    /// The greatest time in ticks; an upper bound if `stopped`.
    pub greatest: Ticks,
    /// The states of all waves that the native explorer found.
    pub states: u64,
    /// Each different wave; empty if `stopped`.
    pub waves: Vec<WaveProof>,
    /// The reason why the exploration did not end; `None` if it did.
    pub stopped: Option<Stopped>,
}

/// The extremes of one wave, and their confirmation by SPIN.
#[derive(Debug, Clone)]
pub struct WaveProof {
    /// The number of times that the wave runs in the launch.
    pub times: u64,
    /// The wave as a program of its own.
    pub program: Program,
    /// The least time of the wave, in ticks.
    pub least: u64,
    /// The greatest time of the wave, in ticks.
    pub greatest: u64,
    /// The states that the native explorer found.
    pub states: u64,
    /// The events of one behaviour.
    pub events: u64,
    /// The SHA-256 of the model's text and of its table, in hexadecimal digits; `None` until SPIN has searched it.
    pub sha256: Option<[String; 2]>,
    /// The search of all behaviours, each to its end; `None` until SPIN has made it.
    pub ends: Option<Statistics>,
}

impl Behaviours {
    /// Explores the waves of a checked program; at most `most` states of each.
    pub(super) fn explore(program: ProgramId, text: &Program, most: u64, limits: &Limits) -> Self {
        let mut waves = Vec::new();
        for (times, wave) in text.wave_programs() {
            match explore(&wave, Reduction::On, most, &|| limits.exceeded().is_some()) {
                Ok(found) => waves.push(WaveProof {
                    times,
                    least: found.least,
                    greatest: found.greatest,
                    states: found.states,
                    events: events(&wave),
                    program: wave,
                    sha256: None,
                    ends: None,
                }),
                Err(stopped) => return Self::bounded(program, text, stopped),
            }
        }
        let total =
            |of: fn(&WaveProof) -> u64| text.launch + waves.iter().map(|wave| wave.times * of(wave)).sum::<u64>();
        Self {
            program,
            least: total(|wave| wave.least).into(),
            greatest: total(|wave| wave.greatest).into(),
            states: waves.iter().map(|wave| wave.states).sum(),
            waves,
            stopped: None,
        }
    }

    fn bounded(program: ProgramId, text: &Program, stopped: Stopped) -> Self {
        let (least, greatest) = (lower_bound(text).ticks.into(), greatest_bound(text).into());
        Self { program, least, greatest, states: 0, waves: Vec::new(), stopped: Some(stopped) }
    }

    /// True if the extremes are exact.
    #[must_use]
    pub fn is_explored(&self) -> bool {
        self.stopped.is_none()
    }
}

/// The events of one behaviour of a wave: in each order they are as many.
fn events(wave: &Program) -> u64 {
    evaluate(wave, u64::MAX).map_or(u64::MAX, |evaluation| evaluation.events)
}
