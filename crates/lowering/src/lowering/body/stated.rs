//! The memory that a statement touches, as its spec states it.

use super::subscripted::{Subscripted, Unit};
use crate::lowering::access::channels::Channels;
use crate::lowering::access::lanes::LaneBytes;
use crate::lowering::access::patterns::{Patterns, What};
use crate::lowering::access::touched::Touched;
use crate::lowering::access::warp::SECTOR;
use crate::lowering::exact::Exact;

/// The repetitions of a statement and the work items and warps that execute it.
pub(super) struct Share {
    pub(super) per_item: Exact,
    pub(super) items: u64,
    pub(super) warps: Exact,
}

/// The memory that a statement touches, by its lanes, its subscripts and the footprints that the spec states.
pub(super) struct Stated<'a> {
    pub(super) patterns: &'a Patterns,
    pub(super) share: Share,
    pub(super) lanes: LaneBytes,
    /// The ways of a bank conflict that the spec states; `None` if it does not.
    pub(super) conflict: Option<Exact>,
    /// The memory of the subscripts; `None` if it is not known or not asked for.
    pub(super) memory: Option<Subscripted>,
    /// Sectors that a warp asks for in an access; `None` if the spec does not state them.
    pub(super) sectors: Option<Exact>,
    /// Lines of L1 that a warp's access passes; `None` if the spec does not state them.
    pub(super) lines: Option<Exact>,
    /// Sectors that a warp's store fills in part, or that its load reads alone in their line of L2; `None` if the spec does not
    /// state them.
    pub(super) partial: Option<Exact>,
    /// Unique bytes of the group; `None` if the spec does not state them.
    pub(super) group: Option<Exact>,
    /// DRAM bytes of the group; `None` if the spec does not state the unique bytes of the groups that run together.
    pub(super) together: Option<Exact>,
    /// Bytes of a row that the groups that run together touch, and from one row to the next; `None` if the spec does not state
    /// them.
    pub(super) rows: Option<[u64; 2]>,
    /// Bytes that all groups that run together change; `None` if they are not known.
    pub(super) changed: Option<Exact>,
    /// Groups that run together.
    pub(super) concurrent: u64,
    /// True for a load, which asks DRAM for no more than it asks L2 for.
    pub(super) is_load: bool,
}

impl Stated<'_> {
    /// A count of a warp's access, for all warps and repetitions.
    fn of_warps(&self, of_warp: Exact) -> Exact {
        self.share.per_item * self.share.warps * of_warp
    }

    /// Sectors of an access of a warp, as the mean over the warps.
    pub(super) fn sectors_of_warp(&self) -> Exact {
        self.sectors.unwrap_or_else(|| self.patterns.sum(What::SectorsOfWarps, &self.lanes) / self.share.warps)
    }

    /// Bytes of the different sectors that the group asks for in each repetition; all `moved` ones where the spec states sectors.
    fn bytes_once(&self, moved: Exact) -> Exact {
        match self.sectors {
            Some(_) => moved,
            None => self.all(What::SectorsOfGroup, &self.lanes) * Exact::from(SECTOR),
        }
    }

    /// A count of one repetition, for all of them.
    fn all(&self, what: What, lanes: &LaneBytes) -> Exact {
        self.share.per_item * self.patterns.sum(what, lanes)
    }
}

impl Touched for Stated<'_> {
    fn instructions(&self) -> Exact {
        self.share.per_item * Exact::from(self.lanes.instructions())
    }

    fn warps(&self) -> Exact {
        self.share.warps
    }

    fn asked(&self) -> Exact {
        self.share.per_item * Exact::from(self.share.items) * Exact::from(self.lanes.width)
    }

    fn local_passes(&self) -> Exact {
        let passes = match self.conflict {
            Some(ways) => ways * self.patterns.sum(What::SubGroups, &self.lanes),
            None => self.patterns.sum(What::LocalPasses, &self.lanes),
        };
        self.instructions() * passes
    }

    fn l1_passes(&self) -> Exact {
        match self.lines {
            Some(of_warp) => self.of_warps(of_warp),
            None => self.instructions() * self.patterns.sum(What::L1Passes, &self.lanes),
        }
    }

    fn sectors_of_warps(&self) -> Exact {
        self.sectors.map_or_else(|| self.all(What::SectorsOfWarps, &self.lanes), |of_warp| self.of_warps(of_warp))
    }

    fn words_of_warps(&self) -> Exact {
        self.all(What::WordsOfWarps, &self.lanes)
    }

    fn sectors_in_part(&self) -> Exact {
        if let Some(partial) = self.partial {
            return self.of_warps(partial);
        }
        let Some(of_warp) = self.sectors else { return self.all(What::SectorsInPart, &self.lanes) };
        // Sectors beyond those that the bytes could fill: a sector that is not full is half full in the mean.
        let sectors = self.of_warps(of_warp);
        let beyond = sectors.saturating_sub(self.asked() / Exact::from(SECTOR));
        (beyond * Exact::from(2)).min(sectors)
    }

    fn lone_sectors(&self) -> Exact {
        match (self.partial, self.sectors, self.lines) {
            (Some(partial), ..) => self.of_warps(partial),
            (None, None, _) => self.all(What::LoneSectors, &self.lanes),
            (None, Some(_), None) => Exact::ZERO,
            // A line that is not touched alone is touched twice at least.
            (None, Some(sectors), Some(lines)) => {
                self.of_warps((lines * Exact::from(2)).saturating_sub(sectors).min(lines).min(sectors))
            }
        }
    }

    fn sectors_side_by_side(&self) -> Exact {
        self.all(What::SectorsOfWarps, &self.lanes.side_by_side())
    }

    fn l2_bytes(&self, moved: Exact, keeps: bool) -> Exact {
        if !keeps {
            return moved.max(self.group.unwrap_or(Exact::ZERO));
        }
        let follows = || Some(self.memory.as_ref()?.group(self.patterns, Unit::Sector)?.min(moved));
        self.group.or_else(follows).unwrap_or_else(|| self.bytes_once(moved))
    }

    fn fresh_bytes(&self, moved: Exact) -> Exact {
        let unique = self.group.or_else(|| self.memory.as_ref()?.fresh(self.patterns));
        unique.map_or(moved, |unique| moved * (unique / self.bytes_once(moved)).min(Exact::ONE))
    }

    fn dram_bytes(&self, l2_bytes: Exact) -> Exact {
        let of_a_group = |bytes: Exact| bytes / Exact::from(self.concurrent);
        let follows = || self.memory.as_ref()?.together(self.patterns, Unit::Sector).map(of_a_group);
        let stated = self.together.map(|bytes| if self.is_load { bytes.min(l2_bytes) } else { bytes });
        stated.or_else(|| follows().map(|bytes| bytes.min(l2_bytes))).unwrap_or(l2_bytes)
    }

    fn crowding(&self, channels: Channels) -> Exact {
        self.rows.map_or(Exact::ONE, |[bytes, pitch]| channels.crowding(bytes, pitch))
    }

    fn changed(&self) -> Option<Exact> {
        self.changed.or_else(|| self.memory.as_ref()?.changed(self.patterns))
    }
}
