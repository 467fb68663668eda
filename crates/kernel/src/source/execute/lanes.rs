//! Operations of a warp that name the lanes that take part: who is named and does not arrive, and who reads a lane that does
//! not take part.

use super::super::ir::{BlockId, Instruction, Kind, Operator, SourcePlace, Typed, ValueId};
use super::super::trace::SourceMemory;
use super::super::value::{Known, Lanes, Mask, Value};
use super::fronts::{Arrival, Origin};
use super::levels::operands;
use super::loop_state::LoopState;
use super::meetings::{LaneFault, LaneFaultKind, Meeting};
use super::state::Run;

/// The lanes of the warps of GPUs.
const WARPS: [usize; 2] = [32, 64];

impl Run<'_> {
    /// Looks at an operation of a warp by the work items of a mask; `named` are the lanes that each names.
    pub(super) fn meet(&mut self, position: usize, mask: &Mask, named: &Typed) {
        let at = (self.block, position);
        let named = self.typed(named);
        // An abstract GPU has no warps whose lanes a mask names.
        let has_warps = WARPS.contains(&self.warp());
        let is_unnamed = named.known().and_then(Known::as_constant) == Some(0);
        if is_unnamed || !has_warps || self.launch.first_items.is_some() {
            return;
        }
        let is_on_data = self.depth > 0 || self.loops.iter().any(LoopState::ends_on_data);
        let Some(named) =
            named.known().filter(|named| !is_on_data && !named.is_on_data()).map(|named| named.base.clone())
        else {
            if !self.meetings.open.contains(&at) {
                self.meetings.open.push(at);
            }
            return;
        };
        // CUDA's masks have 32 bits. Of its sources on warps of 64 lanes nothing is claimed.
        if self.warp() > 32 && mask.ones().all(|lane| named.at(lane, &self.shape) >> 32 == 0) {
            return;
        }
        let known = self.meetings.all.iter().position(|meeting| meeting.at == at);
        let known = known.unwrap_or_else(|| {
            let times = vec![0; self.shape.lanes()];
            self.meetings.all.push(Meeting { at, times, fault: None });
            self.meetings.all.len() - 1
        });
        mask.ones().for_each(|lane| self.meetings.all[known].times[lane] += 1);
        if self.meetings.all[known].fault.is_none() {
            let fault = self.fault(at, mask, &named);
            self.meetings.all[known].fault = fault;
        }
    }

    /// Looks at an exchange between lanes: the lanes that it names, and those that it reads.
    pub(super) fn exchange(
        &mut self,
        position: usize,
        result: Option<ValueId>,
        (name, arguments): (&str, &[Typed]),
        mask: &Mask,
    ) {
        let is_llvms = name.starts_with("llvm.nvvm.") && name.contains(".sync");
        let named = match arguments {
            [named, ..] if is_llvms => named,
            [_, _, named, _] | [_, named] if name.starts_with("__shfl_") || arguments.len() == 4 => named,
            _ => return,
        };
        self.meet(position, mask, named);
        let is_named = self.typed(named).known().and_then(Known::as_constant) != Some(0);
        let [value, by, _, width] = arguments else { return };
        let (by, width) = (self.typed(by).without_data(), self.typed(width).without_data());
        if let (Some(result), Some(by), Some(width)) = (result, by.known(), width.known())
            && is_named
            && WARPS.contains(&self.warp())
            && self.launch.first_items.is_none()
        {
            let (by, width, warp, shape) = (by.base.clone(), width.base.clone(), self.warp(), self.shape.clone());
            let from = |lane: usize| read_lane(name, lane, by.at(lane, &shape), width.at(lane, &shape), warp);
            self.note_read_lanes(position, result, mask, (value, &from));
        }
    }

    /// The phis of a block whose work items arrive with values of lanes that took no part.
    pub(super) fn unset_phis(&mut self, instructions: &[Instruction], arrivals: &[Arrival], mask: &Mask) {
        if self.meetings.unset.is_empty() {
            return;
        }
        let mut found = Vec::new();
        for instruction in instructions {
            let (Kind::Phi(_, incoming), Some(result)) = (&instruction.kind, instruction.result) else { break };
            let mut unset = Mask::with_capacity(self.shape.lanes());
            let mut at = (self.block, 0);
            for (origin, items) in arrivals {
                let Origin::Block(from) = origin else { continue };
                let operand = incoming.iter().find(|(known, _)| known == from).and_then(|(_, one)| one.value());
                if let Some((lanes, read)) = operand.and_then(|id| self.meetings.unset.get(&id)) {
                    unset.extend(lanes.ones().filter(|lane| items.contains(*lane)));
                    at = *read;
                }
            }
            found.push((result, unset, at));
        }
        for (result, unset, at) in found {
            self.set_unset(result, unset, at, mask);
        }
    }

    /// The first fault of the lanes that arrive; `None` if all agree.
    fn fault(&self, at: (BlockId, usize), mask: &Mask, named: &Lanes) -> Option<LaneFault> {
        let warp = self.warp();
        let standing = self.expected();
        mask.ones().find_map(|lane| {
            let own = named.at(lane, &self.shape);
            let includes = |other: usize| own >> (other % warp) & 1 == 1;
            let start = lane / warp * warp;
            if !includes(lane) {
                return Some(LaneFault {
                    kind: LaneFaultKind::Unnamed,
                    at,
                    first: lane,
                    second: lane,
                    elsewhere: None,
                });
            }
            let others = (start..(start + warp).min(self.shape.lanes())).filter(|other| includes(*other));
            others.into_iter().find_map(|other| {
                let kind = match mask.contains(other) {
                    true if named.at(other, &self.shape) != own => LaneFaultKind::Unnamed,
                    false if standing.contains(other) => LaneFaultKind::Absent,
                    _ => return None,
                };
                let elsewhere = self.place_of_item(other).filter(|_| kind == LaneFaultKind::Absent);
                Some(LaneFault { kind, at, first: lane, second: other, elsewhere })
            })
        })
    }

    /// The place where a work item stands that is not in the block under way; `None` if it is not known.
    fn place_of_item(&self, lane: usize) -> Option<SourcePlace> {
        let stands = |arrivals: &[Arrival]| arrivals.iter().any(|(_, items)| items.contains(lane));
        let (block, _) = self.elsewhere().find(|(_, arrivals)| stands(arrivals))?;
        let block = &self.module.kernel.blocks[block.index()];
        block.instructions.iter().find_map(Instruction::user_place).cloned()
    }

    /// Notes the work items that read a lane which takes no part. `from` is the lane of its warp that each reads.
    fn note_read_lanes(
        &mut self,
        position: usize,
        result: ValueId,
        mask: &Mask,
        (value, from): (&Typed, &dyn Fn(usize) -> Option<usize>),
    ) {
        let known = value.operand.value().and_then(|id| self.meetings.unset.get(&id)).cloned();
        let mut unset = Mask::with_capacity(self.shape.lanes());
        let is_unset = |lane: usize| {
            from(lane).is_some_and(|other| {
                !mask.contains(other) || known.as_ref().is_some_and(|(items, _)| items.contains(other))
            })
        };
        mask.ones().filter(|lane| is_unset(*lane)).for_each(|lane| unset.insert(lane));
        let at = known.map_or((self.block, position), |(_, at)| at);
        self.set_unset(result, unset, at, mask);
    }

    /// Follows values of lanes that took no part through an instruction, which has been executed.
    pub(super) fn follow_unset(&mut self, instruction: &Instruction, mask: &Mask) {
        if self.meetings.unset.is_empty() || matches!(instruction.kind, Kind::Call { .. }) {
            return;
        }
        let is_known =
            |run: &Self, id: ValueId| matches!(run.values[id.index()], Some(Value::Known(_) | Value::Float(_)));
        let ids: Vec<ValueId> = match &instruction.kind {
            Kind::Store { value, .. } | Kind::Atomic(_, value) => value.operand.value().into_iter().collect(),
            // A choice, a mask or a 0 may leave it out.
            Kind::Binary { operator: Operator::And | Operator::Or | Operator::Mul | Operator::FMul, .. }
            | Kind::Select(_)
            | Kind::Load { .. } => Vec::new(),
            kind => operands(kind).collect(),
        };
        let mut unset = Mask::with_capacity(self.shape.lanes());
        let mut at = None;
        for (items, from) in ids.iter().filter_map(|id| self.meetings.unset.get(id)) {
            unset.union_with(items);
            at = at.or(Some(*from));
        }
        unset.intersect_with(mask);
        let is_atomic = matches!(instruction.kind, Kind::Atomic(..));
        match (instruction.result.filter(|_| !is_atomic), at) {
            (Some(result), at) => {
                if is_known(self, result) {
                    unset.clear();
                }
                self.set_unset(result, unset, at.unwrap_or((self.block, 0)), mask);
            }
            (None, Some(at)) if self.depth == 0 && self.is_shared(instruction, mask) => {
                self.stored_unset(&unset, at, instruction);
            }
            (None, _) => {}
        }
    }

    /// True for a store that other work items see.
    fn is_shared(&mut self, instruction: &Instruction, mask: &Mask) -> bool {
        let Kind::Store { to, .. } = &instruction.kind else { return true };
        let address = self.typed(to);
        self.memories_at(&to.of, &address, mask) != [SourceMemory::Private]
    }

    /// Notes that what a lane read from one that took no part is stored.
    fn stored_unset(&mut self, unset: &Mask, at: (BlockId, usize), instruction: &Instruction) {
        let Some(first) = unset.minimum() else { return };
        if self.meetings.inactive.iter().any(|fault| fault.at == at) {
            return;
        }
        let elsewhere = instruction.user_place().cloned();
        let fault = LaneFault { kind: LaneFaultKind::Inactive, at, first, second: first, elsewhere };
        self.meetings.inactive.push(fault);
    }

    /// Sets the work items of a mask where a value is that of a lane without a part.
    fn set_unset(&mut self, id: ValueId, mut unset: Mask, at: (BlockId, usize), mask: &Mask) {
        if let Some((before, _)) = self.meetings.unset.remove(&id) {
            let mut kept = before;
            kept.difference_with(mask);
            unset.union_with(&kept);
        }
        if !unset.is_clear() {
            // Iterations are compared without it.
            self.walk_all();
            self.meetings.unset.insert(id, (unset, at));
        }
    }
}

/// The lane of its warp that each work item reads in an exchange: `by` and `width` are its operands.
fn read_lane(name: &str, lane: usize, by: i64, width: i64, warp: usize) -> Option<usize> {
    let (start, own) = (lane / warp * warp, i64::try_from(lane % warp).ok()?);
    if width <= 0 || width > i64::try_from(warp).ok()? || width & (width - 1) != 0 {
        return None;
    }
    let first = own / width * width;
    let read = match name {
        "__shfl" => first + by.rem_euclid(width),
        "__shfl_up" => own - by,
        "__shfl_down" => own + by,
        "__shfl_xor" => own ^ by,
        _ => return None,
    };
    // Out of the segment, a lane keeps its own value; an exclusive or may read an earlier segment.
    let is_inside = read >= first && read < first + width;
    let read = if is_inside || name == "__shfl_xor" && (0..first).contains(&read) { read } else { own };
    Some(start + usize::try_from(read).ok()?)
}
