//! The bytes of DRAM of a trace's accesses, which are known when all its scopes have been seen.

use std::collections::HashMap;

use super::pieces::{Key, Piece, Prepared, each_access};
use crate::lowering::exact::Exact;
use autotune_kernel::source::{AccessKind, RegionId};

/// The bytes that DRAM moves for the accesses of a launch.
pub(super) enum Parts {
    /// Nothing: L2 has all arrays from the launch before.
    InL2,
    /// A part of L2's bytes, and the bytes that the groups that run together touch, by what shares memory.
    Of(HashMap<Key, (Exact, u64)>),
}

/// Gives each access its bytes of DRAM.
pub(super) fn settle(pieces: &mut [Piece], parts: &Parts) {
    each_access(pieces, Exact::ONE, &mut |_, access, _| {
        let found = match parts {
            Parts::InL2 => return access.set_dram_part(Exact::ZERO),
            Parts::Of(parts) => access.memory.and_then(|key| Some((key, parts.get(&key)?))),
        };
        access.set_dram_part(found.map_or(access.alone, |(_, (part, _))| *part));
        if let Some(((_, _, AccessKind::Atomic), (_, changed))) = found {
            access.work.contended = access.work.stored.asked / Exact::from((*changed).max(1));
        }
    });
}

/// An array, and true for what writes it: reads and writes move its bytes apart.
pub(super) type Direction = (RegionId, bool);

/// Has DRAM move no more than some bytes of each array for `groups` groups, whose memory fits L2: L2 loses none of it, so
/// DRAM supplies each byte once, and takes it once.
pub(super) fn move_once(pieces: &mut [Piece], bytes: &dyn Fn(Direction) -> Option<u64>, groups: u64) {
    let mut moved: HashMap<Direction, Exact> = HashMap::new();
    each_access(pieces, Exact::ONE, &mut |_, access, times| {
        if let Some(direction) = of_access(access) {
            *moved.entry(direction).or_default() += access.work.dram_bytes * times;
        }
    });
    let part = |(direction, all): (Direction, Exact)| {
        let part = Exact::from(bytes(direction)?) / (all * Exact::from(groups));
        (all.is_positive() && part < Exact::ONE).then_some((direction, part))
    };
    let parts: HashMap<Direction, Exact> = moved.into_iter().filter_map(part).collect();
    each_access(pieces, Exact::ONE, &mut |_, access, _| {
        let part = of_access(access).and_then(|direction| parts.get(&direction));
        if let Some(part) = part.filter(|_| access.work.l2_bytes.is_positive()) {
            access.set_dram_part(access.work.dram_bytes / access.work.l2_bytes * *part);
        }
    });
}

fn of_access(access: &Prepared) -> Option<Direction> {
    Some(direction(access.access.region?, access.access.kind))
}

/// The direction of accesses of a kind to an array.
pub(super) fn direction(region: RegionId, kind: AccessKind) -> Direction {
    (region, matches!(kind, AccessKind::Store | AccessKind::StoreTile | AccessKind::Atomic))
}
