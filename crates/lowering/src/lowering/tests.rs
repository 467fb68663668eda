//! Each test derives its numbers by hand from the rule that its name states.
//!
//! The GPU of most of them has round numbers: 64 multiprocessors of 4 schedulers, warps of 32, 1000 MHz, 17 bytes per
//! cycle and multiprocessor from DRAM (0.85 * 1280 / 64) and 64 from L2, 128 from local memory and from L1.

mod atomics;
mod channels;
mod clean;
mod counts;
mod declared;
mod dependences;
mod drift;
mod footprints;
mod given;
mod global_memory;
mod groups;
mod instructions;
mod latency;
mod limits;
mod local_memory;
mod lockstep;
mod order;
mod phases;
mod queued;
mod shared;
mod slots;
mod spilling;
mod subscripts;
mod tiles;
mod traced;
mod warp_groups;

use super::*;
use crate::gpu::{Profile, find};
use crate::space::{Space, Visit};
use crate::spec::Spec;
use autotune_kernel::source::SourceReader;
use autotune_machine::machine::{Program, Server, Statement};

/// A use: server, occupancy, latency.
type Use = (Server, u64, u64);

/// The GPU of round numbers.
fn plain() -> Profile {
    edited(
        "v100",
        &[
            ("multiprocessors", "64"),
            ("core_clock_mhz", "1000"),
            ("memory_bandwidth_GBps", "1280"),
            ("l1_bandwidth_bytes_per_cycle_per_sm", "128"),
            ("l2_bandwidth_bytes_per_cycle", "unknown"),
            ("kernel_launch_overhead_us", "2.5"),
            ("latency_shared_load_cycles", "32"),
            ("latency_l1_hit_cycles", "40"),
            ("latency_l2_hit_cycles", "200"),
            ("latency_dram_cycles", "400"),
        ],
    )
}

/// The GPU `plain` with other values.
fn plain_but(values: &[(&str, &str)]) -> Profile {
    let base = [
        ("multiprocessors", "64"),
        ("core_clock_mhz", "1000"),
        ("memory_bandwidth_GBps", "1280"),
        ("l1_bandwidth_bytes_per_cycle_per_sm", "128"),
        ("l2_bandwidth_bytes_per_cycle", "unknown"),
        ("latency_dram_cycles", "400"),
    ];
    let kept = base.into_iter().filter(|(key, _)| values.iter().all(|(other, _)| key != other));
    edited("v100", &kept.chain(values.iter().copied()).collect::<Vec<_>>())
}

/// A shipped profile with other values.
fn edited(name: &str, values: &[(&str, &str)]) -> Profile {
    let mut lines: Vec<String> = find(name).unwrap().text.lines().map(str::to_owned).collect();
    for (key, value) in values {
        lines.retain(|line| !line.starts_with(&format!("{key}:")));
        lines.push(format!("{key}: {value}"));
    }
    Profile::parse(&lines.join("\n"), "edited").unwrap_or_else(|error| panic!("{error}"))
}

/// 65,536 work items in groups of 64, two warps each: 1,024 groups.
const LAUNCH: &str = "launch: { work_items: 65536, work_group: 64 }";

/// A spec of one configuration: `launch` and what else is before the body, and the body's statements.
fn spec(head: &str, body: &[&str]) -> Spec {
    let body = body.join("\n  - ");
    let text = format!("kernel: test\nparameters: {{ one: {{ values: [1] }} }}\n{head}\nbody:\n  - {body}\n");
    Spec::parse(&text, "test.yaml").unwrap_or_else(|error| panic!("{error}"))
}

/// The program of the first configuration.
fn outcome(gpu: &Profile, spec: &Spec) -> Result<Feasibility<Lowered>, LoweringError> {
    let reader = SourceReader::default();
    let lowering = Lowering::new(spec, gpu, &reader);
    let space = Space::new(spec, lowering.names()).unwrap();
    let first = Configuration(space.domains().iter().map(|domain| domain[0]).collect());
    lowering.lower(&first)
}

fn program(gpu: &Profile, head: &str, body: &[&str]) -> Program {
    match outcome(gpu, &spec(head, body)).unwrap_or_else(|error| panic!("{error}")) {
        Feasibility::Feasible(lowered) => lowered.program,
        Feasibility::Infeasible(infeasible) => panic!("{infeasible}"),
    }
}

fn refusal(gpu: &Profile, head: &str, body: &[&str]) -> String {
    match outcome(gpu, &spec(head, body)).unwrap_or_else(|error| panic!("{error}")) {
        Feasibility::Feasible(lowered) => panic!("{:?}", lowered.program),
        Feasibility::Infeasible(infeasible) => infeasible.to_string(),
    }
}

/// The refusal of the first configuration, as the user's file shows it.
fn shown(gpu: &Profile, head: &str, body: &[&str]) -> String {
    refusal(gpu, head, body);
    Lowering::new(&spec(head, body), gpu, &SourceReader::default())
        .refused(&Configuration(vec![1]))
        .unwrap()
        .to_string()
}

/// The turns of a body that is one phase: their number and the uses of each.
fn turns(gpu: &Profile, head: &str, body: &[&str]) -> (u64, Vec<Use>) {
    let uses = |body: &[Statement]| body.iter().map(as_use).collect();
    let body = program(gpu, head, body).body;
    match body.as_slice() {
        [Statement::Loop { count, body }] => (*count, uses(body)),
        body => (1, uses(body)),
    }
}

fn as_use(statement: &Statement) -> Use {
    match statement {
        Statement::Use { server, occupancy, latency } => (*server, *occupancy, *latency),
        other => panic!("{other:?}"),
    }
}

/// The uses of a body of one turn, in groups of 64.
fn uses(gpu: &Profile, body: &[&str]) -> Vec<Use> {
    let (count, uses) = turns(gpu, LAUNCH, body);
    assert_eq!(count, 1);
    uses
}

/// The occupancy of a server in a body of one turn, in groups of 64; 0 if it is not used.
fn occupancy(gpu: &Profile, server: Server, body: &[&str]) -> u64 {
    uses(gpu, body).iter().filter(|use_| use_.0 == server).map(|use_| use_.1).sum()
}

/// All feasible configurations.
fn all(spec: &Spec, lowering: &Lowering<'_>) -> Vec<(Configuration, Lowered)> {
    let mut found = Vec::new();
    let mut each = |visit: Visit<'_>| {
        if let Visit::Feasible(values) = visit {
            let configuration = Configuration(values.to_vec());
            if let Feasibility::Feasible(lowered) = lowering.lower(&configuration).unwrap() {
                found.push((configuration, lowered));
            }
        }
        std::ops::ControlFlow::Continue(())
    };
    Space::new(spec, lowering.names()).unwrap().visit(&mut each).unwrap();
    found
}
