//! The progress of a long step.

/// A part of some work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The work that is done.
    pub done: u128,
    /// All the work.
    pub of: u128,
}

/// A step of looking at a space, and the part of it that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Configurations of the domains are enumerated.
    Enumerating(Share),
    /// Configurations that no constraint excludes are lowered.
    Lowering(Share),
    /// The kernel's source is compiled and lowered for the configurations that no constraint excludes.
    Compiling(Share),
    /// Programs are evaluated natively. All the work is the number of programs that may still be worth it.
    Evaluating(Share),
}

/// An observer of the progress.
pub type Observe<'a> = &'a mut dyn FnMut(Progress);

impl Share {
    pub(super) fn new(done: usize, of: usize) -> Self {
        Self { done: done as u128, of: of as u128 }
    }

    /// The part that is done in per cent, rounded down; 100 if there is no work.
    #[must_use]
    pub fn percent(self) -> u128 {
        match self.done.checked_mul(100) {
            _ if self.done >= self.of => 100,
            Some(hundredfold) => hundredfold / self.of,
            None => self.done / (self.of / 100),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_rounded_down_and_whole_at_its_end() {
        let percent = |done, of| Share { done, of }.percent();
        let shares = [(0, 200), (1, 200), (101, 200), (199, 200), (200, 200), (201, 200), (0, 0)];
        assert_eq!(shares.map(|(done, of)| percent(done, of)), [0, 0, 50, 99, 100, 100, 100]);
        assert_eq!([u128::MAX / 2, u128::MAX].map(|done| percent(done, u128::MAX)), [50, 100]);
    }
}
