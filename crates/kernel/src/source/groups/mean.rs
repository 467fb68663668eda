//! The mean of several traces as one trace.
//!
//! Steps that all groups execute stand once. Where the groups part, each way stands beside the others with its share of
//! the groups, up to the next step that all of them execute. A loop stands once, with the mean of its iterations.

use std::collections::HashMap;

use super::super::ir::BlockId;
use super::super::trace::{Fork, LoopRun, Round, Side, Step, Trace};
use super::super::value::Shape;
use super::kinds::Kind;
use super::placed::renumber;
use autotune_base::limits::watch::{Phase, look};

/// A trace and its weight: a number of groups, or of iterations of groups.
type Weighted = (u64, Trace);

/// The mean of traces, whose weights are positive.
pub(super) fn mean(traces: Vec<Weighted>, shape: &Shape) -> Trace {
    let total = traces.iter().map(|(weight, _)| weight).sum();
    let traces = traces.into_iter().map(|(weight, trace)| (weight, trace.into())).collect();
    Merging { shape, total }.steps(traces)
}

/// Form that steps have in common if one can stand for the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Block(BlockId),
    Loop(BlockId),
    Sides(Fork),
}

/// The steps of some groups that are not merged yet, the next one first.
type Rest = std::collections::VecDeque<Step>;

struct Merging<'a> {
    shape: &'a Shape,
    /// The sum of the weights.
    total: u64,
}

impl Merging<'_> {
    /// The mean of steps.
    fn steps(&self, rests: Vec<(u64, Rest)>) -> Trace {
        let mut rests = self.different(rests);
        let mut merged = Trace::new();
        while let [(_, first), others @ ..] = &mut rests[..] {
            look(Phase::Mean);
            if others.is_empty() {
                merged.extend(first.drain(..));
                break;
            }
            let parts = before_join(&mut rests);
            if parts.iter().any(|(_, part)| !part.is_empty()) {
                merged.push(self.sides(parts));
            }
            let next: Vec<(u64, Step)> =
                rests.iter_mut().filter_map(|(weight, rest)| Some((*weight, rest.pop_front()?))).collect();
            if next.is_empty() {
                break;
            }
            merged.push(self.step(next));
        }
        merged
    }

    /// The steps with those that are equal taken together.
    fn different(&self, rests: Vec<(u64, Rest)>) -> Vec<(u64, Rest)> {
        let mut numbers = HashMap::new();
        let mut different: Vec<(u64, Rest)> = Vec::new();
        for (weight, mut rest) in rests {
            let number = *numbers.entry(Kind::of_steps(rest.make_contiguous(), self.shape)).or_insert(different.len());
            match different.get_mut(number) {
                Some((known, _)) => *known += weight,
                None => different.push((weight, rest)),
            }
        }
        different
    }

    /// Steps with sides; each group executes one of them. Those that begin alike are one.
    fn sides(&self, parts: Vec<(u64, Rest)>) -> Step {
        let mut ways: Vec<(Place, Vec<(u64, Rest)>)> = Vec::new();
        for (weight, part) in parts {
            let Some(first) = part.front().map(place) else { continue };
            match ways.iter_mut().find(|(known, _)| *known == first) {
                Some((_, parts)) => parts.push((weight, part)),
                None => ways.push((first, vec![(weight, part)])),
            }
        }
        let side = |(_, parts): (Place, Vec<(u64, Rest)>)| {
            let weight = parts.iter().map(|(weight, _)| weight).sum();
            Side { share: self.share(weight), steps: Merging { total: weight, ..*self }.steps(parts) }
        };
        Step::Sides(Fork::Groups, ways.into_iter().map(side).collect())
    }

    /// The mean of steps of one place.
    fn step(&self, steps: Vec<(u64, Step)>) -> Step {
        let is_loop = matches!(steps.first(), Some((_, Step::Loop(_))));
        let single = |(weight, step): (u64, Step)| (weight, Rest::from([step]));
        if is_loop {
            let runs = steps.into_iter().filter_map(|(weight, step)| match step {
                Step::Loop(run) => Some((weight, run)),
                _ => None,
            });
            return Step::Loop(self.repeated(runs.collect()));
        }
        let mut different = self.different(steps.into_iter().map(single).collect());
        if let [(_, one)] = &mut different[..]
            && let Some(step) = one.pop_front()
        {
            return step;
        }
        let side = |(weight, steps): (u64, Rest)| Side { share: self.share(weight), steps: steps.into() };
        Step::Sides(Fork::Groups, different.into_iter().map(side).collect())
    }

    /// The mean of a loop: of iterations that stand at the same place, or of all if some groups have more of them.
    fn repeated(&self, runs: Vec<(u64, LoopRun)>) -> LoopRun {
        let head = runs.first().map_or(BlockId(0), |(_, run)| run.head);
        let count = runs.first().map_or(0, |(_, run)| run.rounds.len());
        let data_from = runs.iter().map(|(_, run)| run.data_from).min().unwrap_or(0);
        let is_alike = runs.iter().all(|(_, run)| run.rounds.len() == count);
        let mut columns: Vec<Vec<(u64, Round)>> = Vec::new();
        columns.resize_with(if is_alike { count } else { 1 }, Vec::new);
        for (weight, run) in runs {
            for (at, round) in run.rounds.into_iter().enumerate() {
                columns[if is_alike { at } else { 0 }].push((weight, round));
            }
        }
        LoopRun { head, data_from, rounds: columns.into_iter().flat_map(|column| self.rounds(column)).collect() }
    }

    /// Iterations with the mean of their steps: as many whole ones as the mean has, and a part of another one.
    fn rounds(&self, mut rounds: Vec<(u64, Round)>) -> Vec<Round> {
        // Iterations with a counter say where the others are.
        rounds.sort_by_key(|(_, round)| std::cmp::Reverse(round.times));
        let times = |(weight, round): &(u64, Round)| u128::from(*weight) * u128::from(round.times);
        let all: u128 = rounds.iter().map(times).sum();
        let counter = rounds.iter().max_by_key(|round| times(round)).and_then(|(_, round)| round.counter);
        // Weights of 64 bits are enough for a mean.
        let excess = (128 - all.leading_zeros()).saturating_sub(63);
        let weight = |round: &(u64, Round)| u64::try_from(times(round) >> excess).unwrap_or(u64::MAX).max(1);
        let parts: Vec<(u64, Rest)> = rounds
            .into_iter()
            .map(|weighed| {
                let weight = weight(&weighed);
                let round = weighed.1;
                let mut steps = round.steps;
                if let (Some(own), Some(shared)) = (round.counter, counter) {
                    renumber(&mut steps, &|counter| if counter == own { shared } else { counter });
                }
                (weight, steps.into())
            })
            .collect();
        let total = parts.iter().map(|(weight, _)| weight).sum();
        let steps = Merging { total, ..*self }.steps(parts);
        let (whole, rest) = (all / u128::from(self.total), all % u128::from(self.total));
        let whole = u64::try_from(whole).unwrap_or(u64::MAX);
        let share = self.share(u64::try_from(rest).unwrap_or(0));
        let part = (rest > 0).then(|| Round {
            times: 1,
            counter: None,
            steps: vec![Step::Sides(Fork::Groups, vec![Side { share, steps: steps.clone() }])],
        });
        let counter = counter.filter(|_| whole > 1);
        let wholes = (whole > 0).then_some(Round { times: whole, counter, steps });
        wholes.into_iter().chain(part).collect()
    }

    fn share(&self, weight: u64) -> f64 {
        let number = |number: u64| num_traits::ToPrimitive::to_f64(&number).unwrap_or(f64::MAX);
        number(weight) / number(self.total.max(1))
    }
}

/// Takes the steps before the nearest place that all have, or all steps if there is none.
fn before_join(rests: &mut [(u64, Rest)]) -> Vec<(u64, Rest)> {
    let mut fronts = rests.iter().map(|(_, rest)| rest.front().map(place));
    let front = fronts.next().flatten();
    if front.is_some() && fronts.all(|next| next == front) {
        return Vec::new();
    }
    let places: Vec<HashMap<Place, usize>> = rests.iter().map(|(_, rest)| first_positions(rest)).collect();
    let candidates = rests.first().map(|(_, rest)| rest.iter().map(place)).into_iter().flatten();
    let sums = candidates.filter_map(|place| {
        let positions: Option<Vec<usize>> = places.iter().map(|known| known.get(&place).copied()).collect();
        positions.map(|positions| (positions.iter().sum::<usize>(), positions))
    });
    let nearest = sums.min_by_key(|(sum, _)| *sum).map(|(_, positions)| positions);
    let ends = nearest.unwrap_or_else(|| rests.iter().map(|(_, rest)| rest.len()).collect());
    rests.iter_mut().zip(ends).map(|((weight, rest), end)| (*weight, rest.drain(..end).collect())).collect()
}

fn place(step: &Step) -> Place {
    look(Phase::Mean);
    match step {
        Step::Block(run) => Place::Block(run.block),
        Step::Loop(run) => Place::Loop(run.head),
        Step::Sides(fork, _) => Place::Sides(*fork),
    }
}

/// The first position of each place.
fn first_positions(rest: &Rest) -> HashMap<Place, usize> {
    let mut positions = HashMap::new();
    for (position, step) in rest.iter().enumerate() {
        positions.entry(place(step)).or_insert(position);
    }
    positions
}

#[cfg(test)]
mod tests;
