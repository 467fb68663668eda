//! More work never takes less time. Two kernels have the same work group, launch, registers and local memory. The one that
//! asks for more takes as long at least.
//!
//! The discrete machine has anomalies: queues that fill in another order end a little earlier. They may take
//! [`ANOMALY`] of the time.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bodies;
mod changes;
mod drawn;
mod findings;
mod kernels;
mod pairs;
mod sources;
mod table;
mod text;

use autotune::gpu::Profile;
use autotune::lowering::{Lowered, Lowering, LoweringError};
use autotune::machine::evaluate;
use autotune::source::SourceReader;
use autotune::spec::{Configuration, Spec};

/// GPUs of six families: caches, issue and units differ.
const GPUS: [&str; 6] = ["fermi", "tesla-k20", "gtx1080ti", "a100", "rtx4090", "mi250x"];

/// The hundredths of the time by which more work may be faster.
const ANOMALY: u64 = 2;

/// Kinds of changes that are known to gain more, with the hundredths that they may gain. A phase with stores serves them before the
/// warps go on; a second turn overlaps servers that one turn does not; registers that spill are shared by instructions; a busier
/// group hides more of the others' waits.
const KNOWN: [(&str, u64); 17] = [
    ("a barrier is added", 30),
    ("a load along columns", 20),
    ("a load by more work items", 15),
    ("a load is added", 35),
    ("a load of a larger stride", 20),
    ("a load of larger elements", 20),
    ("a local access is added", 10),
    ("a store is added", 20),
    ("a store of a larger stride", 10),
    ("an instruction is added", 10),
    ("an operation is added", 10),
    ("fewer hits in L2", 20),
    ("fewer loads in flight", 10),
    ("more iterations", 10),
    ("one more load", 25),
    ("one more round trip", 10),
    ("one more store", 10),
];

/// Events of the machine after which a case is left out.
const EVENTS: u64 = 5_000_000;

/// A predicted time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Time {
    ticks: u64,
    resident_groups: u64,
}

/// The share of the time that more work of a kind gains, in hundredths; `None` if it gains no more than anomalies may, or than the
/// kind is known to.
fn gain(kind: &str, worse: Time, better: Time) -> Option<u64> {
    let most = KNOWN.iter().find(|(known, _)| *known == kind).map_or(ANOMALY, |(_, most)| *most);
    let gained = better.ticks.saturating_sub(worse.ticks) * 100;
    (gained > better.ticks * most).then(|| gained / better.ticks)
}

/// The number of random cases: `few`, or what `PROPTEST_CASES` says.
fn cases(few: u64) -> u64 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(few)
}

/// The profile of a GPU.
fn profile(gpu: &str) -> &'static Profile {
    &autotune::gpu::find(gpu).unwrap().profile
}

/// The time of a configuration; `None` if it does not fit the GPU, or has too many events.
fn time(lowering: &Lowering<'_>, configuration: &Configuration) -> Result<Option<Time>, LoweringError> {
    let lowered = lowering.lower(configuration)?.feasible();
    let time = |Lowered { program, .. }| {
        let ticks = evaluate(&program, EVENTS).ok()?.ticks;
        Some(Time { ticks, resident_groups: program.resident_groups })
    };
    Ok(lowered.and_then(time))
}

/// The time of a spec without parameters.
fn only_time(spec: &Spec, profile: &Profile, reader: &SourceReader) -> Result<Option<Time>, LoweringError> {
    time(&Lowering::new(spec, profile, reader), &Configuration(Vec::new()))
}
