//! The accesses that a GPU makes of those in the source: compilers join neighbours, and load an address once.

use std::collections::HashMap;

use crate::limits::watch::{Phase, look};
use crate::lowering::access::warp::WIDEST;
use crate::source::{
    AccessKind, Asynchronous, BlockRun, IrFunction, Kind, Lanes, Mask, Region, RegionId, Shape, Slope, SourceAccess,
    SourceMemory,
};

/// What a work item has loaded since the last barrier or loop: a load from there again is not made.
#[derive(Debug, Default)]
pub(super) struct Known<'a> {
    /// The loads by array and address of the first work item.
    loads: HashMap<(Option<RegionId>, i64), Vec<Loaded<'a>>>,
}

/// A load and the work items that have made it.
#[derive(Debug)]
struct Loaded<'a> {
    access: &'a SourceAccess,
    items: &'a Mask,
}

impl<'a> Known<'a> {
    /// Ends a stretch.
    pub(super) fn forget(&mut self) {
        self.loads.clear();
    }

    /// True if the same work items have loaded the same before; else notes the load.
    fn has(&mut self, access: &'a SourceAccess, items: &'a Mask, shape: &Shape) -> bool {
        let Some((address, lane)) = access.address.as_ref().zip(items.minimum()) else { return false };
        let loads = self.loads.entry((access.region, address.base.at(lane, shape))).or_default();
        let is_same = |known: &Loaded| {
            known.access.address == access.address
                && known.access.bytes >= access.bytes
                && (std::ptr::eq(known.items, items) || items.is_subset(known.items))
        };
        if loads.iter().any(is_same) {
            return true;
        }
        loads.push(Loaded { access, items });
        false
    }

    /// Forgets what a store may change.
    fn store(&mut self, kernel: &IrFunction, regions: &[Region], store: &SourceAccess) {
        self.loads.retain(|_, loads| {
            look(Phase::Merging);
            loads.retain(|known| !may_alias(kernel, regions, known.access, store));
            !loads.is_empty()
        });
    }
}

/// The accesses and barriers of an execution of a block, in order.
///
/// Equal loads with no store between them that may change what they load are one, those of earlier blocks of the stretch
/// too. If `joins`, neighbours in global memory become one access of up to 16 bytes, if its address is aligned for every
/// work item and in every iteration.
pub(super) fn merged<'a>(
    kernel: &IrFunction,
    run: &'a BlockRun,
    regions: &[Region],
    shape: &Shape,
    known: &mut Known<'a>,
    joins: bool,
) -> Vec<SourceAccess> {
    let mut done = Vec::new();
    let mut open: Vec<Joined> = Vec::new();
    for access in &run.accesses {
        look(Phase::Merging);
        match access.kind {
            AccessKind::Barrier | AccessKind::Atomic => {
                done.extend(open.drain(..).map(|joined| joined.access));
                done.push(access.clone());
                known.forget();
                continue;
            }
            kind if kind.keeps_order() => {
                done.extend(open.drain(..).map(|joined| joined.access));
                done.push(access.clone());
                // What has been copied is loaded anew.
                if matches!(kind, AccessKind::Wait(Asynchronous::Copies, _)) {
                    known.forget();
                }
                continue;
            }
            AccessKind::Load
                if access.part.is_none() && known.has(access, access.items.as_ref().unwrap_or(&run.items), shape) =>
            {
                continue;
            }
            AccessKind::Store => {
                known.store(kernel, regions, access);
                for joined in &mut open {
                    joined.is_stale |=
                        joined.access.kind == AccessKind::Load && may_alias(kernel, regions, &joined.access, access);
                }
            }
            _ => {}
        }
        let align = alignment(kernel, run, access);
        // An instruction that reaches several memories is not joined.
        let may_join = joins && access.memory == SourceMemory::Global && access.part.is_none();
        if !may_join || !open.iter_mut().rev().any(|joined| joined.takes(access, align, shape)) {
            open.push(Joined { access: access.clone(), align, is_stale: false });
        }
    }
    done.extend(open.into_iter().map(|joined| joined.access));
    done
}

/// An access that others have joined.
struct Joined {
    access: SourceAccess,
    /// The alignment in bytes that the compiler knows.
    align: u64,
    /// True once a store may have changed what was loaded.
    is_stale: bool,
}

impl Joined {
    /// Joins an access that lies behind or before this one; false if it is not a neighbour.
    fn takes(&mut self, access: &SourceAccess, align: u64, shape: &Shape) -> bool {
        look(Phase::Merging);
        let joined = &self.access;
        let is_like = joined.kind == access.kind
            && matches!(joined.kind, AccessKind::Load | AccessKind::Store)
            && joined.memory == SourceMemory::Global
            && joined.part.is_none()
            && joined.items == access.items
            && joined.region.is_some()
            && joined.region == access.region
            && joined.bytes.is_multiple_of(access.bytes.max(1))
            && !self.is_stale;
        let width = joined.bytes + access.bytes;
        let (Some(one), Some(other)) = (&joined.address, &access.address) else { return false };
        if !is_like || !width.is_power_of_two() && width != 12 || width > WIDEST || one.slopes != other.slopes {
            return false;
        }
        let distance = other.base.plus(&one.base, -1, shape);
        let (first, align) = match distance {
            Lanes::Same(after) if after == joined.bytes.cast_signed() => (one, self.align),
            Lanes::Same(before) if before == -access.bytes.cast_signed() => (other, align),
            _ => return false,
        };
        let whole = width.next_power_of_two();
        let slopes = || {
            first.slopes.iter().all(|(_, slope)| match slope {
                Slope::By(lanes) => lanes.divisor().is_multiple_of(whole),
                Slope::Uneven => false,
            })
        };
        let is_aligned = align >= whole || first.base.divisor().is_multiple_of(whole) && slopes();
        if !is_aligned || align < access.bytes {
            return false;
        }
        let first = first.clone();
        self.align = align;
        self.access.level = self.access.level.max(access.level);
        self.access.address = Some(first);
        self.access.bytes = width;
        self.access.elements += access.elements;
        true
    }
}

/// The alignment that the compiler knows of an access.
fn alignment(kernel: &IrFunction, run: &BlockRun, access: &SourceAccess) -> u64 {
    match &kernel.blocks[run.block.index()].instructions[access.instruction].kind {
        Kind::Load { align, .. } | Kind::Store { align, .. } => *align,
        _ => 1,
    }
}

/// True if a store may change what an access loads.
fn may_alias(kernel: &IrFunction, regions: &[Region], load: &SourceAccess, store: &SourceAccess) -> bool {
    if load.memory != store.memory {
        return false;
    }
    let (Some(one), Some(other)) = (load.region, store.region) else { return true };
    if one == other {
        return true;
    }
    let no_alias = |id: crate::source::RegionId| {
        let name = &regions[id.0 as usize].name;
        kernel.parameters.iter().find(|parameter| parameter.name == *name).is_none_or(|parameter| parameter.no_alias)
    };
    load.memory == SourceMemory::Global && !no_alias(one) && !no_alias(other)
}
