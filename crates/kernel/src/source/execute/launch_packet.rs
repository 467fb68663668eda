//! The records that tell kernels for AMD's GPUs the sizes of their launch.

use super::super::amdgcn::LaunchPacket;
use super::super::trace::SourceMemory;
use super::super::value::Value;
use super::state::Run;

/// The bytes of a packet that starts a kernel, and of the arguments that the compiler adds.
const BYTES: [u64; 2] = [64, 256];

impl Run<'_> {
    /// The address of a record, whose sizes are known from here on.
    pub(super) fn launch_packet(&mut self, packet: LaunchPacket) -> Value {
        let (name, bytes) = match packet {
            LaunchPacket::Dispatch => ("%dispatch packet", BYTES[0]),
            LaunchPacket::HiddenArguments => ("%hidden arguments", BYTES[1]),
        };
        let first = self.region(&name.into(), SourceMemory::Constant, Some(bytes)).address();
        for (axis, (size, groups)) in (0..).zip(self.launch.sizes.iter().zip(self.launch.groups)) {
            // The numbers with their place and bytes: a group's work items, and all work items or the groups.
            let size = u64::from(*size);
            let numbers = match packet {
                LaunchPacket::Dispatch => [(4 + 2 * axis, 2, size), (12 + 4 * axis, 4, size.saturating_mul(groups))],
                LaunchPacket::HiddenArguments => [(12 + 2 * axis, 2, size), (4 * axis, 4, groups)],
            };
            for (place, bytes, number) in numbers {
                let bytes = number.to_le_bytes().into_iter().take(bytes);
                self.fields.extend((first + place..).zip(bytes));
            }
        }
        Value::constant(first)
    }
}
