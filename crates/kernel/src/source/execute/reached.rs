//! The memory that an access reaches, which is a property of each work item: a part for each memory.

use std::collections::BTreeSet;
use std::sync::Arc;

use smallvec::SmallVec;

use super::super::ir::Type;
use super::super::trace::{AccessPart, RegionId, SourceAccess, SourceMemory};
use super::super::value::{Known, Mask, Value};
use super::finding::FindingKind;
use super::memory::{Accessing, of_space};
use super::state::Run;

/// The memories that an access reaches.
pub(super) struct Reached(SmallVec<[SourceMemory; 1]>);

/// Work items that reach one memory, and one array of global memory.
struct Part {
    memory: SourceMemory,
    /// The array; `None` if it is not known, or there are several.
    region: Option<RegionId>,
    /// True if an array, or the type of the pointer, says the memory.
    is_known: bool,
    items: Mask,
}

impl Reached {
    /// The memory that all work items reach; `None` if they reach several.
    pub(super) fn only(&self) -> Option<SourceMemory> {
        if let [one] = self.0[..] { Some(one) } else { None }
    }

    /// True if a work item reaches this memory.
    pub(super) fn has(&self, memory: SourceMemory) -> bool {
        self.0.contains(&memory)
    }
}

impl Run<'_> {
    /// Notes an access through a pointer of a type, and returns the memories that it reaches. Work items in several memories,
    /// or in several arrays of global memory, are an access each.
    pub(super) fn access(
        &mut self,
        of: &Type,
        address: &Value,
        what: &Accessing,
        accesses: &mut Vec<SourceAccess>,
    ) -> Reached {
        let Some(known) = address.known() else { return self.access_on_data(of, what, accesses) };
        if known.slopes.iter().any(|(_, slope)| slope.is_uneven()) {
            let slopes = known.slopes.iter().filter(|(_, slope)| slope.is_uneven()).cloned().collect();
            self.demands.walk_loops(&slopes);
        }
        let regions = self.regions_of(known, what.mask);
        for region in &regions {
            self.check_bounds(known, *region, regions.len() > 1, what);
        }
        let mut parts = self.parts_of(of, known, what.mask);
        let is_split = parts.len() > 1;
        let mut seen = BTreeSet::new();
        let mut reached = Reached(SmallVec::new());
        for (number, Part { memory, region, is_known, items }) in parts.drain(..).enumerate() {
            let mut own = known.clone().within(&items, &self.shape);
            let mut access = SourceAccess { region, ..what.of(memory, is_known) };
            if is_split {
                own.base = own.base.filled(&items, &self.shape);
                let issuing = self.issuing(&items, &mut seen);
                access.part = Some(Arc::new(AccessPart { number, issuing }));
                access.items = Some(Arc::new(items));
            }
            self.other_groups.note_address((&own, memory), access.items.as_deref().unwrap_or(what.mask), &self.shape);
            accesses.push(SourceAccess { address: Some(own), ..access });
            if !reached.has(memory) {
                reached.0.push(memory);
            }
        }
        reached
    }

    /// Notes an access whose address depends on data: all pointers that it may come from say the memory.
    fn access_on_data(&mut self, of: &Type, what: &Accessing, accesses: &mut Vec<SourceAccess>) -> Reached {
        let behind = if *of == Type::Pointer(0) { self.memory_behind(what.instruction) } else { None };
        let memory = behind.unwrap_or_else(|| self.memory_of(of, None));
        if memory != SourceMemory::Private {
            self.find(FindingKind::AddressOnData(what.kind, memory), what.places);
        }
        accesses.push(what.of(memory, behind.is_some() || *of != Type::Pointer(0)));
        Reached(SmallVec::from_slice(&[memory]))
    }

    /// The work items of a mask by the memory that each reaches, and by the array of global memory.
    fn parts_of(&self, of: &Type, address: &Known, mask: &Mask) -> Vec<Part> {
        let is_array = |region: &RegionId| (region.0 as usize) < self.regions.len();
        let region_at = |place: i64| RegionId::from_address(place).filter(is_array);
        let [least, greatest] =
            address.base.ends(&self.shape).map(|end| i64::try_from(end).ok().and_then(RegionId::from_address));
        if let Some(region) = least.filter(is_array)
            && least == greatest
        {
            let memory = self.memory_of(of, Some(region));
            return vec![Part { memory, region: Some(region), is_known: true, items: mask.clone() }];
        }
        let mut parts: Vec<Part> = Vec::new();
        let mut rest = Vec::new();
        for lane in mask.ones() {
            let Some(region) = region_at(address.base.at(lane, &self.shape)) else {
                rest.push(lane);
                continue;
            };
            let memory = self.memory_of(of, Some(region));
            // All local arrays have the same banks, and all private ones lie side by side.
            let is_one = matches!(memory, SourceMemory::Local | SourceMemory::Private);
            let is_own = |part: &&mut Part| part.memory == memory && (is_one || part.region == Some(region));
            match parts.iter_mut().find(is_own) {
                Some(part) => {
                    part.region = part.region.filter(|known| *known == region);
                    part.items.insert(lane);
                }
                None => parts.push(Part { memory, region: Some(region), is_known: true, items: self.one_lane(lane) }),
            }
        }
        // An address in no array is that of a work item without work.
        let (memory, is_known) = (self.memory_of(of, None), *of != Type::Pointer(0));
        for lane in rest {
            match parts.iter_mut().find(|part| part.memory == memory) {
                Some(part) => part.items.insert(lane),
                None => parts.push(Part { memory, region: None, is_known, items: self.one_lane(lane) }),
            }
        }
        if parts.is_empty() {
            parts.push(Part { memory, region: None, is_known, items: mask.clone() });
        }
        parts
    }

    fn one_lane(&self, lane: usize) -> Mask {
        let mut one = Mask::with_capacity(self.shape.lanes());
        one.insert(lane);
        one
    }

    /// The work items of a part whose warps were not seen before.
    fn issuing(&self, items: &Mask, seen: &mut BTreeSet<usize>) -> Mask {
        let warp = self.warp();
        let own: BTreeSet<usize> = items.ones().map(|lane| lane / warp).filter(|warp| !seen.contains(warp)).collect();
        let mut issuing = items.clone();
        items.ones().filter(|lane| !own.contains(&(lane / warp))).for_each(|lane| issuing.set(lane, false));
        seen.extend(own);
        issuing
    }

    /// The arrays that the work items of a mask reach: several where the pointer is chosen for each.
    pub(super) fn regions_of(&self, address: &Known, mask: &Mask) -> Vec<RegionId> {
        let mut regions: Vec<RegionId> = Vec::new();
        let region = |lane| RegionId::from_address(address.base.at(lane, &self.shape));
        let is_known = |region: &RegionId| (region.0 as usize) < self.regions.len();
        let [least, greatest] =
            address.base.ends(&self.shape).map(|end| i64::try_from(end).ok().and_then(RegionId::from_address));
        let lanes = mask.ones().take(if least.is_some() && least == greatest { 1 } else { usize::MAX });
        for region in lanes.filter_map(region).filter(is_known) {
            if !regions.contains(&region) {
                regions.push(region);
            }
        }
        regions
    }

    /// The memories that a pointer of a type reaches at an address.
    pub(super) fn memories_at(&self, of: &Type, address: &Value, mask: &Mask) -> Vec<SourceMemory> {
        let known = address.known().map(|known| self.parts_of(of, known, mask));
        let known: Vec<SourceMemory> = known.into_iter().flatten().map(|part| part.memory).collect();
        if known.is_empty() { vec![self.memory_of(of, None)] } else { known }
    }

    /// The truth for each work item that an address lies in a memory; `None` if it depends on data.
    pub(super) fn lies_in(&self, memory: SourceMemory, of: &Type, address: &Value) -> Option<Value> {
        let base = &address.known().filter(|address| !address.is_on_data())?.base;
        let is_known = |region: &RegionId| (region.0 as usize) < self.regions.len();
        let truth = |place| {
            let region = RegionId::from_address(place).filter(is_known);
            i64::from(self.memory_of(of, region) == memory)
        };
        Some(Value::Known(Known::fixed(base.map(&self.shape, truth))))
    }

    /// The memory of a region, or that of a pointer's space.
    pub(super) fn memory_of(&self, of: &Type, region: Option<RegionId>) -> SourceMemory {
        let space = if let Type::Pointer(space) = of { *space } else { 0 };
        region.map_or_else(|| of_space(space), |region| self.regions[region.0 as usize].memory)
    }
}

impl Accessing<'_> {
    /// The access to a memory, at an address that is still open.
    fn of(&self, memory: SourceMemory, knows_memory: bool) -> SourceAccess {
        let access = SourceAccess::nowhere(self.instruction, self.kind, memory);
        SourceAccess { knows_memory, bytes: self.bytes, elements: self.elements, ..access }
    }
}
