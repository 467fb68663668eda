//! The halves of a domain, which are left together if a constraint excludes all of their values.

use crate::spec::Possible;

/// The greatest number of values of a domain that is not halved.
pub(super) const SMALLEST: usize = 8;

/// A domain, its halves, their halves and so on, down to [`SMALLEST`] values; the halves of part `n` are `2n + 1` and
/// `2n + 2`.
#[derive(Debug, Clone, Default)]
pub(super) struct Halves(Vec<Possible>);

impl Halves {
    pub(super) fn new(domain: &[i64]) -> Self {
        let mut halves = Self::default();
        halves.add(0, domain);
        halves
    }

    fn add(&mut self, part: usize, values: &[i64]) {
        let Some(possible) = Possible::among(values) else { return };
        if self.0.len() <= part {
            self.0.resize(part + 1, possible);
        }
        self.0[part] = possible;
        if values.len() > SMALLEST {
            let (first, second) = values.split_at(values.len() / 2);
            self.add(2 * part + 1, first);
            self.add(2 * part + 2, second);
        }
    }

    /// The values of a part.
    pub(super) fn part(&self, part: usize) -> Possible {
        self.0[part]
    }
}
