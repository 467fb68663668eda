//! Loads, stores and what is known of private memory.

use std::sync::Arc;

use super::super::ir::{AddressSpace, Instruction, SourcePlace, Type};
use super::super::trace::{AccessKind, Destination, RegionId, SourceAccess, SourceMemory};
use super::super::value::{Known, Lanes, Mask, Value};
use super::finding::FindingKind;
use super::levels::operands;
use super::loop_state::LoopState;
use super::state::Run;

/// The address space of global memory.
pub(super) const GLOBAL: AddressSpace = 1;
/// The address space of local memory.
pub(super) const LOCAL: AddressSpace = 3;

/// The memory of an address space where the region of an address does not say it.
///
/// The numbers of OpenCL's and of the back ends' spaces agree but for 2 and 4, which hold constants in one or the other.
pub(super) fn of_space(space: AddressSpace) -> SourceMemory {
    match space {
        2 | 4 => SourceMemory::Constant,
        3 => SourceMemory::Local,
        5 => SourceMemory::Private,
        _ => SourceMemory::Global,
    }
}

/// An access and where it stands.
pub(super) struct Accessing<'i> {
    /// The position of the instruction in its block.
    pub(super) instruction: usize,
    pub(super) kind: AccessKind,
    pub(super) bytes: u64,
    pub(super) elements: u64,
    pub(super) mask: &'i Mask,
    pub(super) places: &'i [SourcePlace],
}

impl<'i> Accessing<'i> {
    /// Another access of the instruction.
    pub(super) fn again(&self) -> Self {
        Self { ..*self }
    }

    /// The accesses of an instruction by some work items: kind, bytes and elements of each work item are still open.
    pub(super) fn by(
        position: usize,
        instruction: &'i Instruction,
        mask: &'i Mask,
    ) -> impl Fn(AccessKind, u64, u64) -> Self {
        let places = &instruction.places;
        move |kind, bytes, elements| Self { instruction: position, kind, bytes, elements, mask, places }
    }
}

/// Notes the work items that make some accesses, unless it is all those of the block.
pub(super) fn restrict(accesses: &mut [SourceAccess], part: &Mask, all: &Mask) {
    // Those of several memories have their own.
    for access in accesses.iter_mut().filter(|access| access.items.is_none() && part != all) {
        access.items = Some(Arc::new(part.clone()));
    }
}

/// The work items of a mask that are among the first lanes of their warps.
pub(super) fn in_first_lanes(mask: &Mask, lanes: usize, warp: usize) -> Mask {
    let mut part = mask.clone();
    mask.ones().filter(|lane| lane % warp >= lanes).for_each(|lane| part.set(lane, false));
    part
}

impl Run<'_> {
    /// Notes a copy from global to local memory.
    pub(super) fn copy_ahead(&mut self, to: &Value, from: &Value, what: &Accessing, accesses: &mut Vec<SourceAccess>) {
        let destination = Arc::new(self.destination(to, what));
        let noted = accesses.len();
        self.access(&Type::Pointer(GLOBAL), from, what, accesses);
        for access in &mut accesses[noted..] {
            access.to = Some(Arc::clone(&destination));
        }
    }

    /// The local memory that a copy of this many bytes fills.
    pub(super) fn destination(&mut self, address: &Value, what: &Accessing) -> Destination {
        let Some(known) = address.known().cloned() else {
            self.find(FindingKind::AddressOnData(AccessKind::Store, SourceMemory::Local), what.places);
            return Destination { region: None, address: None };
        };
        let regions = self.regions_of(&known, what.mask);
        for region in &regions {
            self.check_bounds(&known, *region, regions.len() > 1, what);
        }
        let region = regions.first().copied().filter(|_| regions.len() == 1);
        Destination { region, address: Some(known.within(what.mask, &self.shape)) }
    }

    /// The offset in local memory of an address there; a value that is no such address stays.
    pub(super) fn local_offset(&self, value: &Value) -> Value {
        self.moved(value, RegionId::from_address, |id| id.offset() - id.address())
    }

    /// The address of an offset in local memory; a value that is no such offset stays.
    pub(super) fn local_address(&self, value: &Value) -> Value {
        self.moved(value, RegionId::from_offset, |id| id.address() - id.offset())
    }

    /// A value moved by what its local array says, if all work items point to one.
    fn moved(&self, value: &Value, array: fn(i64) -> Option<RegionId>, by: fn(RegionId) -> i64) -> Value {
        let Some(known) = value.known() else { return value.clone() };
        let [least, greatest] = known.base.ends(&self.shape).map(|end| i64::try_from(end).ok().and_then(array));
        let is_local =
            |id: &RegionId| self.regions.get(id.0 as usize).is_some_and(|one| one.memory == SourceMemory::Local);
        match least.filter(is_local).filter(|_| least == greatest) {
            Some(id) => Value::Known(Known { base: known.base.moved(by(id)), slopes: known.slopes.clone() }),
            None => value.clone(),
        }
    }

    /// Finds accesses outside their local array; `is_several` is true if other work items reach other arrays.
    pub(super) fn check_bounds(&mut self, address: &Known, id: RegionId, is_several: bool, what: &Accessing) {
        let (start, region) = (id.address(), &self.regions[id.0 as usize]);
        let (SourceMemory::Local, Some(bytes)) = (region.memory, region.bytes) else { return };
        let end = i64::try_from(bytes).unwrap_or(i64::MAX) - i64::try_from(what.bytes).unwrap_or(i64::MAX);
        let [least, greatest] = address.base.ends(&self.shape);
        // The size of a type that is not known counts as 0.
        let is_unknown = || self.module.globals.get(&region.name).is_some_and(|global| !global.is_given_at_launch);
        if address.is_on_data()
            || bytes == 0 && is_unknown()
            || least >= start.into() && greatest <= i128::from(start) + i128::from(end)
        {
            return;
        }
        let own = |lane: &usize| !is_several || RegionId::from_address(address.base.at(*lane, &self.shape)) == Some(id);
        let offset = |lane| address.base.at(lane, &self.shape) - start;
        let outside = what.mask.ones().filter(own).map(offset).find(|at| *at < 0 || *at > end);
        if let Some(at) = outside {
            self.find(FindingKind::OutOfBounds { array: region.name.clone(), bytes, at }, what.places);
        }
    }

    /// The value of private memory at an address; unknown if nothing is known.
    pub(super) fn loaded(&mut self, address: &Value, bytes: u64, of: &Type) -> Value {
        let known = address.known().and_then(|known| match known.base {
            Lanes::Same(place) if !known.is_on_data() => Some((known, place)),
            _ => None,
        });
        match known.and_then(|(known, place)| Some((known, self.cells.get(&place)?))) {
            Some((known, (size, value))) if *size == bytes => {
                let value = value.clone();
                // Other iterations load from other places.
                self.demands.walk(&known.slopes);
                value
            }
            _ => self.field(address, of).unwrap_or_else(|| Value::unknown(of.elements())),
        }
    }

    /// Keeps what is stored in private memory.
    pub(super) fn stored(&mut self, address: &Value, bytes: u64, value: &Value, mask: &Mask) {
        self.note_private_store();
        let Some(address) = address.known() else {
            self.keep_cells(|_, _| false);
            self.forget_copies(|_| true);
            return;
        };
        let Some(place) = address.as_constant() else {
            let [least, greatest] = address.base.ends(&self.shape).map(|end| i64::try_from(end).unwrap_or(i64::MAX));
            let (Some(first), Some(end)) = (RegionId::from_address(least), RegionId::from_address(greatest)) else {
                return;
            };
            let is_outside = |place| RegionId::from_address(place).is_none_or(|region| region < first || region > end);
            self.keep_cells(|place, _| is_outside(place));
            self.forget_copies(|place| !is_outside(place));
            return;
        };
        let end = place.saturating_add_unsigned(bytes);
        self.forget_copies(|byte| (place..end).contains(&byte));
        let old = self.cells.get(&place).filter(|(known, _)| *known == bytes).map(|(_, value)| value.clone());
        self.keep_cells(|start, known| start.saturating_add_unsigned(known) <= place || start >= end);
        let is_all = self.standing();
        let value = match (value, old) {
            // Numbers in private memory are not followed: loops over them repeat.
            _ if *mask == is_all => value.clone().without_floats().without_data(),
            (Value::Known(new), Some(Value::Known(old))) if !new.is_on_data() => {
                Value::Known(self.arithmetic().blend(mask, new, &old))
            }
            _ => Value::Unknown,
        };
        if !value.is_unknown() {
            self.walk_all();
            self.cells.insert(place, (bytes, value));
        }
    }

    /// Notes that private memory is written, where data decides the path.
    pub(super) fn note_private_store(&mut self) {
        self.seeds.is_private |= self.depth > 0 || self.loops.iter().any(LoopState::ends_on_data);
    }

    /// Keeps what is known of private memory where `keeps` is true of a place and its bytes, and forgets the rest.
    fn keep_cells(&mut self, keeps: impl Fn(i64, u64) -> bool) {
        let before = self.cells.len();
        self.cells.retain(|place, (bytes, _)| keeps(*place, *bytes));
        if self.cells.len() < before {
            self.walk_all();
        }
    }

    /// Lets no loop fold its present iteration: what is known of private memory changes, and iterations are compared
    /// without it.
    pub(super) fn walk_all(&mut self) {
        self.loops.iter_mut().for_each(LoopState::walk);
    }

    /// The work items that have not returned.
    pub(super) fn standing(&self) -> Mask {
        let mut standing = self.context.clone();
        standing.difference_with(&self.returned);
        standing
    }

    /// Forgets what is known of the private memory around an address.
    pub(super) fn forget(&mut self, address: &Value) {
        let region = address.known().and_then(|known| RegionId::from_address(known.base.at(0, &self.shape)));
        match region {
            Some(region) => self.keep_cells(|place, _| RegionId::from_address(place) != Some(region)),
            None => self.keep_cells(|_, _| false),
        }
        self.forget_copies(|place| region.is_none_or(|region| RegionId::from_address(place) == Some(region)));
    }
}

impl Run<'_> {
    /// Notes the loads behind an instruction's value, and behind the access that it has just noted.
    pub(super) fn note_levels(&mut self, instruction: &Instruction, accesses: &mut [SourceAccess], noted: usize) {
        let behind = operands(&instruction.kind).map(|id| self.levels.level(id)).max().unwrap_or(0);
        let (mut level, mut before) = (behind, behind);
        for access in &mut accesses[noted..] {
            // The parts of an instruction do not wait for each other.
            if !access.goes_on() {
                before = level;
            }
            match access.kind {
                AccessKind::Barrier | AccessKind::GridBarrier => self.levels.next_stretch(),
                AccessKind::Load | AccessKind::Atomic if access.memory == SourceMemory::Global => {
                    access.level = before + 1;
                    level = level.max(access.level);
                }
                _ => {}
            }
        }
        if let Some(result) = instruction.result {
            self.levels.of_values[result.index()] = (self.levels.stretch, level);
        }
    }
}
