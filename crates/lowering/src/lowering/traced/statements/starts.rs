//! The starts of a trace that a body has, too: a wait counts those alone.

use std::collections::VecDeque;

use autotune_machine::machine::{MOST_PENDING, Queue};

/// The number of the body's starts that each of the last starts of the trace is, by queue. A group without copies counts 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Starts([VecDeque<u64>; Queue::ALL.len()]);

impl Default for Starts {
    /// Before the first start: a wait that leaves more pending than there are leaves all.
    fn default() -> Self {
        Self(Queue::ALL.map(|_| (0..MOST_PENDING).map(|_| 1).collect()))
    }
}

impl Starts {
    /// Adds a start of the trace, which is that many of the body.
    pub(super) fn add(&mut self, queue: Queue, number: u64) {
        let starts = &mut self.0[queue as usize];
        starts.pop_front();
        starts.push_back(number);
    }

    /// The last start of the trace is that many more of the body.
    pub(super) fn extend(&mut self, queue: Queue, number: u64) {
        if let Some(last) = self.0[queue as usize].back_mut() {
            *last += number;
        }
    }

    /// The starts of the body among the last ones of the trace.
    pub(super) fn pending(&self, queue: Queue, last: u64) -> u64 {
        let of_queue = self.0[queue as usize].iter().rev();
        of_queue.zip(0..last).map(|(number, _)| number).sum::<u64>().min(MOST_PENDING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_counts_the_starts_that_the_body_has() {
        let mut starts = Starts::default();
        assert_eq!(starts.pending(Queue::A, 3), 3);
        starts.add(Queue::A, 0);
        starts.add(Queue::A, 1);
        assert_eq!([0, 1, 2, 3, 15].map(|last| starts.pending(Queue::A, last)), [0, 1, 1, 2, 14]);
        starts.extend(Queue::A, 1);
        assert_eq!((starts.pending(Queue::A, 1), starts.pending(Queue::B, 1)), (2, 1));
        assert_eq!(starts.pending(Queue::A, 15), 15);
    }

    #[test]
    fn starts_of_one_kind_leave_the_window_as_it_is() {
        let mut starts = Starts::default();
        starts.add(Queue::C, 1);
        assert_eq!(starts, Starts::default());
        (0..MOST_PENDING).for_each(|_| starts.add(Queue::C, 0));
        assert_eq!(starts.pending(Queue::C, MOST_PENDING), 0);
    }
}
