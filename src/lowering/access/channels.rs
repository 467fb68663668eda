//! Channels of L2: those that the accesses of a statement reach where the address alone decides.
//!
//! Memory is dealt out to the channels in pieces of some bytes, one after the other, and again from the first. So the
//! place of an address in a round of all channels decides. Rows that lie whole rounds apart begin in the same channel.

use super::footprint::{Accesses, Corner};
use crate::gpu::Pipelined;
use crate::lowering::exact::Exact;

/// The channels of a GPU's L2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::lowering) struct Channels {
    number: u64,
    /// Neighbouring bytes in one channel.
    bytes: u64,
}

impl Channels {
    /// The channels of a GPU; `None` if the profile does not state them.
    pub(in crate::lowering) fn of(gpu: &Pipelined) -> Option<Self> {
        Some(Self { number: gpu.l2_channels?, bytes: gpu.l2_channel_interleave_bytes? })
    }

    /// A round that no access touches yet.
    pub(in crate::lowering) fn round(self) -> Round {
        Round { channels: self, touched: vec![false; usize::try_from(self.number * self.bytes).unwrap_or(0)] }
    }

    /// Channels for each one that the accesses touch; `first` is the address if all variables are 0.
    pub(super) fn crowding(self, accesses: &Accesses, first: i64) -> Exact {
        let Accesses { width, loops, items, groups } = accesses;
        let mut round = self.round();
        round.touch(first, *width);
        for variable in loops {
            round.spread(variable.step, variable.count);
        }
        round.spread_over(items);
        round.spread_over(groups);
        round.crowding()
    }
}

/// The bytes of a round of all channels that accesses touch.
#[derive(Debug, Clone)]
pub(in crate::lowering) struct Round {
    channels: Channels,
    touched: Vec<bool>,
}

impl Round {
    /// Touches `width` bytes from an address on.
    pub(in crate::lowering) fn touch(&mut self, address: i64, width: u64) {
        let first = self.place(address);
        let length = self.touched.len();
        for byte in 0..usize::try_from(width).unwrap_or(length).min(length) {
            self.touched[(first + byte) % length] = true;
        }
    }

    /// Repeats all accesses `count` times, each `step` bytes behind the one before.
    pub(in crate::lowering) fn spread(&mut self, step: i64, count: u64) {
        // Twice as many at a time: the last repetitions are among those before them.
        let mut done = 1;
        while done < count.min(self.touched.len() as u64) {
            let more = done.min(count - done);
            self.join_moved(step.wrapping_mul(more.cast_signed()));
            done += more;
        }
    }

    /// Repeats all accesses at each point of a grid.
    pub(in crate::lowering) fn spread_over(&mut self, corner: &Corner) {
        let mut union = vec![false; self.touched.len()];
        for (firsts, counts) in corner.layers() {
            let mut layer = self.clone();
            let firsts = corner.steps.into_iter().zip(firsts);
            let moved = firsts.map(|(step, first)| step.wrapping_mul(first.cast_signed()));
            layer.touched.rotate_right(self.place(moved.fold(0, i64::wrapping_add)));
            corner.steps.into_iter().zip(counts).for_each(|(step, count)| layer.spread(step, count));
            union.iter_mut().zip(layer.touched).for_each(|(touched, more)| *touched |= more);
        }
        self.touched = union;
    }

    fn join_moved(&mut self, by: i64) {
        let by = self.place(by);
        if by != 0 {
            let mut moved = self.touched.clone();
            moved.rotate_right(by);
            self.touched.iter_mut().zip(moved).for_each(|(touched, moved)| *touched |= moved);
        }
    }

    /// Channels for each one that the accesses touch; 1 if they touch nothing.
    pub(in crate::lowering) fn crowding(&self) -> Exact {
        let bytes = usize::try_from(self.channels.bytes).unwrap_or(usize::MAX);
        let touched = self.touched.chunks(bytes).filter(|channel| channel.contains(&true)).count() as u64;
        if touched == 0 { Exact::ONE } else { Exact::ratio(self.channels.number, touched) }
    }

    fn place(&self, address: i64) -> usize {
        let round = self.touched.len() as i128;
        usize::try_from(i128::from(address).rem_euclid(round.max(1))).unwrap_or(0)
    }
}
