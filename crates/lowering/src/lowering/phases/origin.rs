//! The statements of a spec that cause the costs of a program's uses.
//!
//! A server's time in a phase is the greatest of a few sums over the phase's statements, or their norm. A statement's
//! share of the time is its share of the greatest sum, or of all sums by their part in the norm. Latencies are sums
//! themselves. Costs of spilled registers belong to no statement.

use super::block::Block;
use super::order::{self, Served};
use super::servers::Servers;
use super::work::Work;
use crate::lowering::exact::Exact;
use crate::lowering::stop::{LoweringProblem, LoweringStop};
use autotune_base::text::{Place, SourceLine};
use autotune_machine::machine::Server;

/// A share that rounding may have made of nothing.
const ROUNDING: f64 = 1e-9;

/// The origin of a use or a barrier of a program: lines of the spec or of the kernel's source, and their shares. The shares of a list add up to 1;
/// the list is empty if the cost is 0. A line is `None` for registers that spill.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Origin {
    /// The shares of the occupancy or, of a barrier, of its cost.
    pub occupancy: Vec<(Option<SourceLine>, f64)>,
    /// The shares of the latency beyond the occupancy.
    pub latency: Vec<(Option<SourceLine>, f64)>,
    /// The stores of a phase at its path to memory; empty for all others.
    pub stores: Stores,
}

/// The stores among what a use of the path to memory stands for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stores {
    /// The lines that store, with the shares of the occupancy that their stores cause.
    pub lines: Vec<(Option<SourceLine>, f64)>,
    /// True if the phase's first store is before its first load in the text.
    pub are_first: bool,
}

impl Origin {
    /// The origin of a single statement.
    pub(in crate::lowering) fn of_place(place: Place) -> Self {
        Self { occupancy: vec![(Some(place.source_line()), 1.0)], ..Self::default() }
    }

    /// The lines behind the use but those that only store to global memory. A line is `None` for registers that spill.
    pub fn beside_stores(&self) -> impl Iterator<Item = Option<SourceLine>> {
        let served = if self.occupancy.is_empty() { &self.latency } else { &self.occupancy };
        let of_stores =
            |line| self.stores.lines.iter().find(|(other, _)| *other == line).map_or(0.0, |(_, share)| *share);
        served.iter().filter(move |(line, share)| share - of_stores(*line) > ROUNDING).map(|(line, _)| *line)
    }
}

/// The origins of the uses and barriers of the blocks' program, in the order of its text.
pub(in crate::lowering) fn origins(servers: &Servers<'_>, blocks: &[Block]) -> Result<Vec<Origin>, LoweringStop> {
    let mut origins = Vec::new();
    for block in blocks {
        match block {
            Block::Phase(work) => {
                origins.extend(of_phase(servers, work).ok_or(LoweringStop::At(work.place, LoweringProblem::TooMuch))?);
            }
            Block::Ordered(runs) => {
                for served in order::steps(servers, runs)?.iter().filter_map(|step| step.served.as_ref()) {
                    let place = served.work.place;
                    origins.push(of_served(servers, served).ok_or(LoweringStop::At(place, LoweringProblem::TooMuch))?);
                }
            }
            Block::Barrier(place, _) => origins.push(Origin::of_place(*place)),
            Block::Loop { body, .. } => origins.extend(self::origins(servers, body)?),
        }
    }
    Ok(origins)
}

fn of_phase(servers: &Servers<'_>, work: &Work) -> Option<Vec<Origin>> {
    let mut origins = Vec::new();
    for server in Servers::order(work) {
        if servers.occupancy(server, work, Exact::ONE)? == 0 {
            continue;
        }
        let occupancy = shares(work, |part| servers.part(server, work, part, work.code))?;
        let latency = if origins.is_empty() && servers.latency(work).is_positive() {
            shares(work, |part| servers.part_of_latency(work, part))?
        } else {
            Vec::new()
        };
        let stores = if server == Server::Memory { stores(servers, work)? } else { Stores::default() };
        origins.push(Origin { occupancy, latency, stores });
    }
    Some(origins)
}

/// The stores among a phase's accesses; `None` if a number does not fit.
fn stores(servers: &Servers<'_>, work: &Work) -> Option<Stores> {
    let loads = |part: &Work| part.loads || part.loaded.moved.is_positive();
    let is_store = |part: &Work| part.stored.moved.is_positive() && !loads(part);
    let first = work.parts.iter().find(|part| loads(part) || is_store(part));
    let of_part = |part: &Work| {
        let share = if is_store(part) { servers.part(Server::Memory, work, part, work.code)? } else { 0.0 };
        Some(share)
    };
    let mut lines = shares(work, of_part)?;
    // What is left belongs to loads, and to registers that spill.
    lines.retain(|(line, _)| line.is_some());
    Some(Stores { lines, are_first: first.is_some_and(is_store) })
}

/// The origin of a use or start of a straight run in order. What is started has one cause for both of its times.
fn of_served(servers: &Servers<'_>, Served { server, work, straight, held }: &Served<'_>) -> Option<Origin> {
    let occupancy = shares(work, |part| servers.part(*server, work, part, *straight))?;
    let latency = if !held {
        occupancy.clone()
    } else if servers.latency(work).is_positive() {
        shares(work, |part| servers.part_of_latency(work, part))?
    } else {
        Vec::new()
    };
    Some(Origin { occupancy, latency, ..Origin::default() })
}

/// The shares of the statements in a cost, statements of one line together; `None` if a number does not fit. `part`
/// returns a statement's fraction of the cost.
fn shares(work: &Work, part: impl Fn(&Work) -> Option<f64>) -> Option<Vec<(Option<SourceLine>, f64)>> {
    let mut shares: Vec<(Option<SourceLine>, f64)> = Vec::new();
    let mut rest = 1.0;
    for statement in &work.parts {
        let (line, share) = (Some(statement.place.source_line()), part(statement)?);
        rest -= share;
        match shares.iter_mut().find(|(other, _)| *other == line) {
            Some((_, sum)) => *sum += share,
            None => shares.push((line, share)),
        }
    }
    shares.push((None, rest));
    shares.retain(|(_, share)| *share > ROUNDING);
    Some(shares)
}
