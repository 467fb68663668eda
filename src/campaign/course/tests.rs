//! Simulated devices with trouble: nothing that ran is lost, and what is named best is the best that was measured.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Mutex;

use super::*;
use crate::campaign::{MeasureCommands, MeasureInputs, MeasureLimits, TimeReader, UserCommand};
use crate::measuring::BestRuns;
use autotune_kernel::source::SourceReader;
use autotune_machine::correction::median;

/// The numbers of devices for each kind of trouble.
const FEW_DEVICES: u64 = 6;
const DEVICES: u64 = 100;
/// The most sessions of a measurement: each begins with `--resume` where the one before asked for the device.
const SESSIONS: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Trouble {
    /// From one run on, all fail.
    Dies,
    /// Three runs fail.
    Hiccup,
    EveryTenthFails,
    /// A check fails once.
    WrongOnce,
    /// The first runs take three times as long.
    SlowStart,
    /// A run hangs until its limit.
    Hangs,
    /// A configuration fails, and all that follows it until the user resets the device.
    Killer,
}

const TROUBLES: [Trouble; 7] = [
    Trouble::Dies,
    Trouble::Hiccup,
    Trouble::EveryTenthFails,
    Trouble::WrongOnce,
    Trouble::SlowStart,
    Trouble::Hangs,
    Trouble::Killer,
];

/// The memory of a device.
#[derive(Debug, Default)]
struct Memory {
    runs: u64,
    checks: u64,
    is_dead: bool,
    killer: Option<Configuration>,
    /// The times of the runs that succeeded.
    times: HashMap<Configuration, Vec<f64>>,
}

struct Device<'a> {
    trouble: Trouble,
    seed: u64,
    memory: &'a Mutex<Memory>,
}

impl Device<'_> {
    /// The true time of a configuration in milliseconds, from 1 to 2.
    fn true_time(&self, configuration: &Configuration) -> f64 {
        let mut hasher = DefaultHasher::new();
        (self.seed, configuration).hash(&mut hasher);
        1.0 + f64::from(u16::try_from(hasher.finish() >> 48).unwrap()) / 65536.0
    }

    /// The time of the device's run of this number, or how it fails.
    fn run(&self, memory: &mut Memory, configuration: &Configuration) -> Result<f64, RunStatus> {
        let (run, first) = (memory.runs, 4 + self.seed * 5 % 13);
        let time = self.true_time(configuration);
        if self.trouble == Trouble::Killer && run == first {
            memory.killer = Some(configuration.clone());
        }
        memory.is_dead |= memory.killer.as_ref() == Some(configuration);
        let fails = match self.trouble {
            Trouble::Dies => run >= first,
            Trouble::Hiccup => (first..first + 3).contains(&run),
            Trouble::EveryTenthFails => run % 10 == self.seed % 10,
            Trouble::Hangs if run == first => return Err(RunStatus::TimedOut),
            Trouble::Killer => memory.is_dead,
            Trouble::WrongOnce | Trouble::SlowStart | Trouble::Hangs => false,
        };
        let is_slow = self.trouble == Trouble::SlowStart && run <= 3;
        if fails { Err(RunStatus::RunFailed) } else { Ok(if is_slow { 3.0 * time } else { time }) }
    }
}

fn failed<T>(status: RunStatus) -> CommandEnd<T> {
    CommandEnd::Failed(FailedCommand { status, reason: "it failed".to_owned(), output: String::new() })
}

impl Benchmark for Device<'_> {
    fn build(&self, _: &Configuration) -> Result<CommandEnd<()>, MeasureError> {
        Ok(CommandEnd::Ended(()))
    }

    fn verify(&self, _: &Configuration) -> Result<CommandEnd<()>, MeasureError> {
        let mut memory = self.memory.lock().unwrap();
        memory.checks += 1;
        let is_wrong = self.trouble == Trouble::WrongOnce && memory.checks == 2 + self.seed % 9;
        Ok(if is_wrong { failed(RunStatus::Wrong) } else { CommandEnd::Ended(()) })
    }

    fn time(&self, configuration: &Configuration) -> Result<CommandEnd<PrintedTime>, MeasureError> {
        let mut memory = self.memory.lock().unwrap();
        memory.runs += 1;
        Ok(match self.run(&mut memory, configuration) {
            Ok(milliseconds) => {
                memory.times.entry(configuration.clone()).or_default().push(milliseconds);
                CommandEnd::Ended(PrintedTime { milliseconds, wall: 1e3 })
            }
            Err(status) => failed(status),
        })
    }
}

struct Silent;

impl MeasureWatcher for Silent {
    fn step(&self, _: &str, _: &[&Configuration]) {}
    fn ended(&self, _: &MeasuredRunReport, _: &MeasureState) {}
    fn doubtful(&self, _: usize, _: f64, _: f64) {}
}

fn request(inputs: &Inputs) -> MeasureRequest {
    let names: Vec<&str> = inputs.spec.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let command = || UserCommand::parse("--run", "true", false, &names).unwrap();
    let commands = MeasureCommands { run: command(), build: None, verify: Some(command()) };
    let day = std::time::Duration::from_secs(86400);
    let limits = MeasureLimits { configurations: 12, repeat: 1, run_limit: day, builds: 1, until: 0.0 };
    let inputs = MeasureInputs::of(inputs, &commands, false, limits.repeat, (None, None));
    MeasureRequest { commands, reader: TimeReader::new(None, None).unwrap(), limits, inputs }
}

/// The end of a measurement with a device that the user resets between the sessions.
struct Measured {
    end: MeasureEnd,
    sessions: usize,
    runs: Vec<(Configuration, MeasuredRunReport)>,
    best: Option<BestRuns>,
    faster: Option<BestRuns>,
}

fn measured(
    inputs: &Inputs,
    request: &MeasureRequest,
    trouble: Trouble,
    seed: u64,
    memory: &Mutex<Memory>,
) -> Measured {
    let folder = tempfile::tempdir().unwrap();
    for session in 1.. {
        memory.lock().unwrap().is_dead = false;
        let benchmark = (Box::new(Device { trouble, seed, memory }) as _, Interrupt::default());
        let mut campaign = Campaign::with(inputs, request, (folder.path(), session > 1), benchmark, &Silent).unwrap();
        let end = campaign.run().unwrap();
        if end != MeasureEnd::Device || session == SESSIONS {
            let runs = campaign.state.runs().map(|(configuration, run)| (configuration, run.clone())).collect();
            let repeated = campaign.state.repeated();
            let (best, faster) = (repeated.best(), repeated.faster_with_failed_runs());
            return Measured { end, sessions: session, runs, best, faster };
        }
    }
    unreachable!("the last session ends it")
}

/// Checks a measurement against what the device remembers.
fn check(measured: &Measured, memory: &Memory, trouble: Trouble, about: &str) {
    let mut kept: HashMap<Configuration, Vec<f64>> = HashMap::new();
    for (configuration, run) in &measured.runs {
        kept.entry(configuration.clone()).or_default().extend(run.time_ms);
    }
    kept.retain(|_, times| !times.is_empty());
    assert_eq!(kept, memory.times, "{about}: a run is lost");
    let medians = memory.times.values().filter_map(|times| median(times.iter().copied()));
    let least = medians.fold(f64::INFINITY, f64::min);
    let best = measured.best.as_ref().unwrap();
    let named = measured.faster.as_ref().unwrap_or(best);
    assert!(named.time <= least, "{about}: {named:?} is named, {least} ms was measured");
    if trouble == Trouble::Dies {
        assert_eq!((measured.end, measured.sessions), (MeasureEnd::Device, SESSIONS), "{about}");
    } else {
        // Only the configuration that takes the device down is faster and cannot be confirmed.
        let faster = measured.faster.as_ref().map(|faster| &faster.configuration);
        let is_known = faster.is_none() || faster == memory.killer.as_ref();
        assert!(
            measured.end == MeasureEnd::Runs && best.confirmed && is_known,
            "{about}: {:?}, {best:?}, {:?}",
            measured.end,
            measured.faster
        );
    }
}

fn devices_with(trouble: Trouble, seeds: Range<u64>) {
    let inputs = Inputs::read("tuning-specs/minimum.yaml", "fermi", &SourceReader::default()).unwrap();
    let request = request(&inputs);
    for seed in seeds {
        let memory = Mutex::new(Memory::default());
        let measured = measured(&inputs, &request, trouble, seed, &memory);
        check(&measured, &memory.into_inner().unwrap(), trouble, &format!("{trouble:?}, device {seed}"));
    }
}

#[test]
fn the_best_that_was_measured_is_named_by_any_device() {
    for trouble in TROUBLES {
        devices_with(trouble, 0..FEW_DEVICES);
    }
}

/// Some minutes where nothing is optimised.
#[test]
#[ignore = "takes too long for CI"]
fn the_best_that_was_measured_is_named_by_a_hundred_devices() {
    for trouble in TROUBLES {
        devices_with(trouble, 0..DEVICES);
    }
}
