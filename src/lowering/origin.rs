//! Which statements of a spec cause what a program's uses cost.
//!
//! A server's time in a phase is the greatest of a few sums over the phase's statements; a statement's part of it is its
//! part of the sum that is the greatest. Latencies are sums themselves. What spilled registers add is nobody's.

use super::blocks::Block;
use super::exact::Exact;
use super::phase::Servers;
use super::stop::{LoweringProblem, Stop};
use super::work::Work;

/// What a use or a barrier of a program comes from. The parts of each list add up to 1; a list is empty where there is
/// nothing to share.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Origin {
    /// Of the occupancy, or of a barrier's cost: lines of the spec, none for registers that spill, and their parts.
    pub occupancy: Vec<(Option<u32>, f64)>,
    /// Of what the latency is above the occupancy.
    pub latency: Vec<(Option<u32>, f64)>,
}

impl Origin {
    /// Of one statement alone.
    pub(super) fn of_line(line: u32) -> Self {
        Self { occupancy: vec![(Some(line), 1.0)], latency: Vec::new() }
    }
}

/// The origins of the uses and barriers that the blocks become, in the order of the text.
pub(super) fn origins(servers: &Servers, blocks: &[Block]) -> Result<Vec<Origin>, Stop> {
    let mut origins = Vec::new();
    for block in blocks {
        match block {
            Block::Phase(work) => {
                origins.extend(of_phase(servers, work).ok_or(Stop::At(work.place, LoweringProblem::TooMuch))?);
            }
            Block::Barrier(place) => origins.push(Origin::of_line(place.line)),
            Block::Loop { body, .. } => origins.extend(self::origins(servers, body)?),
        }
    }
    Ok(origins)
}

fn of_phase(servers: &Servers, work: &Work) -> Option<Vec<Origin>> {
    let mut origins = Vec::new();
    for (server, cycles) in servers.order(work).into_iter().filter(|(_, cycles)| cycles.is_positive()) {
        let occupancy = shares(work, cycles, |part| servers.part(server, work, part))?;
        let latency = if origins.is_empty() {
            shares(work, servers.latency(work), |part| servers.part_of_latency(work, part))?
        } else {
            Vec::new()
        };
        origins.push(Origin { occupancy, latency });
    }
    Some(origins)
}

/// What each statement's part is of a sum, those of one line together; none if a number does not fit.
fn shares(work: &Work, whole: Exact, part: impl Fn(&Work) -> Exact) -> Option<Vec<(Option<u32>, f64)>> {
    if !whole.is_positive() {
        return Some(Vec::new());
    }
    let mut shares: Vec<(Option<u32>, Exact)> = Vec::new();
    let mut rest = whole;
    let lines = work.parts.iter().map(|one| (Some(one.place.line), part(one)));
    for (line, part) in lines {
        rest = rest.saturating_sub(part);
        match shares.iter_mut().find(|(other, _)| *other == line) {
            Some((_, sum)) => *sum += part,
            None => shares.push((line, part)),
        }
    }
    shares.push((None, rest));
    let shares = shares.into_iter().filter(|(_, part)| part.is_positive());
    shares.map(|(line, part)| Some((line, (part / whole).to_f64()?))).collect()
}
