//! AMD's instructions that kernels name: buffers, copies to local memory, products, and values of other lanes.

use super::super::amdgcn::Amd;
use super::super::ir::{Instruction, Type, Typed};
use super::super::trace::{AccessKind, Asynchronous, SourceAccess};
use super::super::value::{Known, Lanes, Mask, Slope, Value};
use super::call::mark;
use super::memory::{Accessing, GLOBAL};
use super::state::Run;

/// Lanes of a warp that multiplies blocks.
const WARP: u64 = 64;

/// The number of loads and copies that no wait is for.
const ALL: i64 = 63;

impl Run<'_> {
    /// Executes an instruction of AMD's. Returns its value; `None` if it is not known.
    pub(super) fn amd(
        &mut self,
        does: Amd,
        position: usize,
        instruction: &Instruction,
        (returns, arguments): (&Type, &[Typed]),
        mask: &Mask,
        accesses: &mut Vec<SourceAccess>,
    ) -> Option<Value> {
        let access = Accessing::by(position, instruction, mask);
        match does {
            Amd::Multiply { shape, of, has_blocks } => {
                let blocks = if has_blocks { returns.elements() * WARP / shape.tile() } else { 1 };
                accesses.push(mark(position, AccessKind::Product { shape: shape.deeper(blocks), of }));
            }
            Amd::LoadBuffer => {
                let [buffer, offsets @ .., _] = arguments else { return None };
                let address = self.in_buffer(buffer, offsets);
                let what = access(AccessKind::Load, self.module.size(returns), returns.elements());
                self.access(&Type::Pointer(GLOBAL), &address, &what, accesses);
                return self.assumed(instruction, &address, returns, mask);
            }
            Amd::StoreBuffer => {
                let [value, buffer, offsets @ .., _] = arguments else { return None };
                let address = self.in_buffer(buffer, offsets);
                let what = access(AccessKind::Store, self.module.size(&value.of), value.of.elements());
                self.access(&Type::Pointer(GLOBAL), &address, &what, accesses);
            }
            Amd::CopyToLocal { is_buffer } => {
                let [from, to, bytes, offsets @ .., _] = arguments else { return None };
                let bytes = self.typed(bytes).known().and_then(Known::as_constant);
                let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(4);
                let source = if is_buffer { self.in_buffer(from, offsets) } else { self.moved_by(from, offsets) };
                let to = self.side_by_side(to, offsets.last(), bytes);
                self.copy_ahead(&to, &source, &access(AccessKind::Copy, bytes, bytes.div_ceil(4)), accesses);
                // Each copy is counted by itself.
                accesses.push(mark(position, AccessKind::Commit(Asynchronous::Copies)));
            }
            Amd::Wait => {
                let counts = self.typed(arguments.first()?).known().and_then(Known::as_constant)?;
                let pending = counts & 15 | (counts >> 14 & 3) << 4;
                if pending < ALL && self.copies_of_amd.are_made {
                    accesses.push(mark(
                        position,
                        AccessKind::Wait(Asynchronous::Copies, u32::try_from(pending).unwrap_or(0)),
                    ));
                }
            }
            Amd::LaunchPacket(packet) => return Some(self.launch_packet(packet)),
            Amd::Buffer => return arguments.first().map(|base| self.typed(base)),
            Amd::OfLane { is_first } => {
                let value = self.typed(arguments.first()?);
                let lane = arguments.get(1).filter(|_| !is_first).map(|lane| self.typed(lane));
                return self.of_lane(value, lane, mask);
            }
            Amd::Shuffle | Amd::Barrier | Amd::Atomic | Amd::Nothing | Amd::Computes => {}
        }
        None
    }

    /// The address in a buffer, which is a pointer or four words that begin with one.
    fn in_buffer(&mut self, buffer: &Typed, offsets: &[Typed]) -> Value {
        let base = match self.typed(buffer) {
            Value::Vector(words) => {
                let word = |at: usize| words.get(at)?.known()?.as_constant();
                match (word(0), word(1)) {
                    // The upper half of the second word is the stride.
                    (Some(low), Some(high)) => Value::constant((high & 0xffff) << 32 | low & 0xffff_ffff),
                    _ => Value::Unknown,
                }
            }
            base => base,
        };
        self.plus(base, offsets)
    }

    fn moved_by(&mut self, from: &Typed, offsets: &[Typed]) -> Value {
        let base = self.typed(from);
        self.plus(base, offsets)
    }

    fn plus(&mut self, base: Value, offsets: &[Typed]) -> Value {
        offsets.iter().fold(base, |sum, offset| {
            let (Value::Known(sum), Value::Known(offset)) = (&sum, self.typed(offset)) else { return Value::Unknown };
            Value::Known(self.arithmetic().sum(sum, &offset, 1, 64, true))
        })
    }

    /// The address in local memory of each lane's bytes, which lie behind those of the lane before, and an offset.
    fn side_by_side(&mut self, to: &Typed, offset: Option<&Typed>, bytes: u64) -> Value {
        let warp = i64::from(self.launch.warp_size.max(1));
        let lanes = (0..).take(self.shape.lanes()).map(|lane: i64| lane % warp * bytes.cast_signed()).collect();
        let lanes = Known::fixed(Lanes::from_values(lanes, &self.shape));
        let base = self.typed(to);
        match self.plus(base, offset.map_or(&[], std::slice::from_ref)) {
            Value::Known(base) => Value::Known(self.arithmetic().sum(&base, &lanes, 1, 64, true)),
            _ => Value::Unknown,
        }
    }

    /// A value as one lane of each warp has it; `None` if it is not known.
    pub(super) fn of_lane(&mut self, value: Value, lane: Option<Value>, mask: &Mask) -> Option<Value> {
        let known = match value {
            // Each lane is a group of its own.
            Value::Known(_) if self.launch.first_items.is_some() => return Some(value),
            Value::Known(known) => known,
            Value::Float(ref known) => return known.as_constant().map(Value::real),
            _ => return None,
        };
        let warp = self.warp();
        if known.data().any(|(data, _)| !data.is_of_warps(warp)) {
            return None;
        }
        if matches!(known.base, Lanes::Same(_)) && is_same_in_lanes(&known) {
            return Some(Value::Known(known));
        }
        let lane =
            lane.map(|lane| lane.known().and_then(Known::as_constant).and_then(|lane| usize::try_from(lane).ok()));
        let first = |start: usize| (start..start + warp).find(|lane| mask.contains(*lane));
        let chosen = |at: usize| {
            let start = at / warp * warp;
            match lane {
                Some(lane) => Some(start + lane? % warp),
                None => Some(first(start).unwrap_or(start)),
            }
        };
        let lanes = self.shape.lanes();
        let chosen: Option<Vec<usize>> = (0..lanes).map(|at| chosen(at).filter(|at| *at < lanes)).collect();
        let chosen = chosen.filter(|_| is_same_in_lanes(&known))?;
        let values = chosen.into_iter().map(|at| known.base.at(at, &self.shape)).collect();
        Some(Value::Known(Known { base: Lanes::from_values(values, &self.shape), slopes: known.slopes }))
    }
}

/// True if what changes the value changes it equally in all lanes.
fn is_same_in_lanes(known: &Known) -> bool {
    known.slopes.iter().all(|(_, slope)| matches!(slope, Slope::By(Lanes::Same(_))))
}
