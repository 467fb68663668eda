//! The places in a line where the data of a warp's access begin, as its subscripts say.
//!
//! An address is a constant and steps of variables: the ids of the group, the counters of loops. Within a line only the
//! remainders matter. Each value of each variable counts once, so a place counts as often as it occurs.

use num_integer::gcd;

use super::footprint::Variable;
use super::warp::LINE;

/// The most variables that move the begin of an access within a line.
const MOST: usize = 8;

/// The most values of a variable that are counted one by one, and the most places of all variables together.
const MOST_VALUES: u64 = 1 << 16;
const MOST_PLACES: u64 = 1 << 24;

/// The address of a group's first work item within a line, for all groups and all iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Begins {
    /// The remainder of the address if all variables are 0.
    first: u64,
    /// The variables that move it, in order; the others have step 0 and one value.
    moves: [Move; MOST],
    /// True for each axis whose neighbours lie at falling addresses.
    pub(super) falls: [bool; 3],
}

/// A variable by its step's remainder and the number of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Move {
    step: u64,
    count: u64,
}

impl Move {
    const NONE: Self = Self { step: 0, count: 1 };

    /// A variable within a line; values that only repeat the same places as often are left out.
    fn new(variable: Variable) -> Self {
        let step = variable.step.rem_euclid(LINE.cast_signed()).unsigned_abs();
        if step == 0 || variable.count <= 1 {
            return Self::NONE;
        }
        let period = LINE / gcd(step, LINE);
        let is_even = variable.count.is_multiple_of(period) || variable.count > MOST_VALUES;
        Self { step, count: if is_even { period } else { variable.count } }
    }
}

/// A place in a line, and how often data begin there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) start: i64,
    pub(super) times: u64,
}

impl Begins {
    /// The begins of an access at the address `first` in bytes, moved by variables; neighbours along x, y and z are `steps`
    /// apart. `None` if too many variables move it.
    pub(crate) fn new(first: i64, variables: impl IntoIterator<Item = Variable>, steps: [i64; 3]) -> Option<Self> {
        let mut known: Vec<Move> = variables.into_iter().map(Move::new).filter(|one| *one != Move::NONE).collect();
        known.sort_unstable();
        if known.len() > MOST {
            return None;
        }
        let mut moves = [Move::NONE; MOST];
        moves[..known.len()].copy_from_slice(&known);
        let first = first.rem_euclid(LINE.cast_signed()).unsigned_abs();
        Some(Self { first, moves, falls: steps.map(|step| step < 0) })
    }

    /// The same begins of an access whose neighbours along each axis lie behind each other.
    pub(super) fn rising(self) -> Self {
        Self { falls: [false; 3], ..self }
    }

    /// The places in a line of `line` bytes where data begin; `None` if the longest line does not consist of such lines.
    pub(super) fn places(&self, line: u64) -> Option<Vec<Place>> {
        if !LINE.is_multiple_of(line) {
            return None;
        }
        let size = usize::try_from(line).ok()?;
        let mut times = vec![0_u64; size];
        times[usize::try_from(self.first % line).ok()?] = 1;
        for Move { step, count } in self.moves.into_iter().filter(|one| *one != Move::NONE) {
            let step = step % line;
            let period = line / gcd(step, line);
            let all: u64 = times.iter().sum();
            let count = if all.saturating_mul(count) > MOST_PLACES { period } else { count };
            let mut moved = vec![0; size];
            for (place, times) in times.iter().enumerate().filter(|(_, times)| **times > 0) {
                for value in 0..period.min(count) {
                    let values = count / period + u64::from(value < count % period);
                    moved[(place + usize::try_from(step * value).ok()?) % size] += times * values;
                }
            }
            let common = moved.iter().fold(0, |common, times| gcd(common, *times)).max(1);
            times = moved.into_iter().map(|times| times / common).collect();
        }
        let place = |(start, times): (i64, u64)| Place { start, times };
        Some((0..).zip(times).filter(|(_, times)| *times > 0).map(place).collect())
    }
}

#[cfg(test)]
mod tests;
