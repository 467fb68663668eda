//! Channels of L2: those that the rows of an array reach where the address alone decides.
//!
//! Memory is dealt out to the channels in pieces of some bytes, one after the other, and again from the first. So the
//! place of an address in a round of all channels decides. Rows that lie whole rounds apart begin in the same channel.

use num_integer::gcd;

use crate::gpu::Pipelined;
use crate::lowering::exact::Exact;

/// The channels of a GPU's L2.
#[derive(Debug, Clone, Copy)]
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

    /// Channels for each one that rows of `row` bytes reach, however many rows there are. From the first one, which begins
    /// with a round, each lies `pitch` bytes behind the one before.
    pub(in crate::lowering) fn crowding(self, row: u64, pitch: u64) -> Exact {
        // In a round, rows begin at all multiples of this.
        let step = gcd(pitch, self.number * self.bytes);
        let is_reached = |channel: &u64| {
            let (first, last) = (channel * self.bytes, (channel + 1) * self.bytes - 1);
            let start = last - last % step;
            start.saturating_add(row) > first
        };
        Exact::ratio(self.number, (0..self.number).filter(is_reached).count() as u64)
    }
}
