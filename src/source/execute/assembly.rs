//! Inline assembly: the accesses of its statements, and the value of its result.

mod marks;
mod tiles;

use std::collections::HashMap;
use std::sync::Arc;

use super::super::ir::{
    AddressSpace, Assembly, AssemblyOperand, AssemblyStatement, Instruction, Predicate, Predicated, Type, Typed,
};
use super::super::ptx::{MovedFragment, Ptx, meaning};
use super::super::trace::{AccessKind, SourceAccess};
use super::super::value::{Known, Mask, Value};
use super::call::mark;
use super::data::user_line;
use super::error::{ExecuteError, ExecuteProblem};
use super::finding::FindingKind;
use super::fragment::WARP;
use super::ids::id_of_register;
use super::memory::{Accessing, GLOBAL, LOCAL, in_first_lanes, restrict};
use super::state::Run;

/// Bytes of a row of a matrix that `ldmatrix` loads.
const ROW: u64 = 16;

/// An inline assembly that is executed.
struct Text<'i> {
    position: usize,
    instruction: &'i Instruction,
    arguments: &'i [Typed],
    /// The work items that execute the text.
    mask: &'i Mask,
    /// The known values of registers.
    registers: HashMap<Arc<str>, Value>,
    /// The work items for which a predicate is true, as far as it is known.
    predicates: HashMap<Arc<str>, Mask>,
    /// The values of the results, in their order; `None` before the text sets them.
    values: Vec<Option<Value>>,
}

impl Run<'_> {
    /// Executes inline assembly. Returns its value; `None` if it has none.
    pub(super) fn assembly(
        &mut self,
        position: usize,
        instruction: &Instruction,
        assembly: &Assembly,
        (returns, arguments): (&Type, &[Typed]),
        mask: &Mask,
        accesses: &mut Vec<SourceAccess>,
    ) -> Result<Option<Value>, ExecuteError> {
        let data = (*returns != Type::Void).then(|| self.data(instruction, returns));
        if user_line(instruction).is_some_and(|line| self.assumptions.assembly.contains_key(&line)) {
            return Ok(data);
        }
        let refused = |text: &str, why| {
            let problem = ExecuteProblem::Assembly { text: text.into(), why };
            Err(ExecuteError { problem, places: instruction.places.clone() })
        };
        let Some(statements) = &assembly.statements else {
            if data.is_some() {
                return refused(&assembly.first, "this text of inline assembly is not understood");
            }
            self.find(FindingKind::Assembly, &instruction.places);
            return Ok(None);
        };
        let (registers, predicates) = (HashMap::new(), HashMap::new());
        let values = vec![None; assembly.results];
        let mut text = Text { position, instruction, arguments, mask, registers, predicates, values };
        for statement in statements {
            match meaning(&statement.operation) {
                Ok(does) => self.statement(&mut text, does, statement, mask, accesses)?,
                Err(why) if why.is_unknown() && data.is_none() => {
                    self.find(FindingKind::Assembly, &instruction.places);
                }
                Err(why) => return refused(&statement.operation, why.words()),
            }
        }
        Ok(text.result().or(data))
    }

    fn statement(
        &mut self,
        text: &mut Text,
        does: Ptx,
        statement: &AssemblyStatement,
        mask: &Mask,
        accesses: &mut Vec<SourceAccess>,
    ) -> Result<(), ExecuteError> {
        let (part, is_sure) = self.part(text, statement.predicate.as_ref(), mask);
        match does {
            Ptx::Commit(_)
            | Ptx::Wait(_)
            | Ptx::WaitAll
            | Ptx::Multiply(_)
            | Ptx::MultiplyTogether(_)
            | Ptx::Shuffle => self.marks(text, does, statement, accesses),
            Ptx::LoadTile { .. }
            | Ptx::StoreTile { .. }
            | Ptx::ExpectBytes
            | Ptx::AwaitTiles
            | Ptx::DescribeTensor(_)
            | Ptx::CopyDescription
            | Ptx::Elect => return self.tiles_of_text(text, does, statement, &part, accesses),
            Ptx::Copy => self.copy_of_text(text, statement, &part, accesses),
            Ptx::LoadMatrices(number) | Ptx::StoreMatrices(number) => {
                let kind = if matches!(does, Ptx::LoadMatrices(_)) { AccessKind::Load } else { AccessKind::Store };
                let rows = usize::try_from(8 * number).unwrap_or(WARP);
                let part = in_first_lanes(&part, rows, WARP);
                self.access_at(text, statement, (kind, LOCAL, ROW), &part, accesses);
            }
            Ptx::MoveFragment(moved) => self.fragment_at(text, statement, moved, &part, accesses),
            Ptx::Load(bytes) | Ptx::LoadLocal(bytes) => {
                let space = if matches!(does, Ptx::Load(_)) { GLOBAL } else { LOCAL };
                self.access_at(text, statement, (AccessKind::Load, space, bytes), &part, accesses);
                self.take_loaded(text, statement, (space, bytes), (&part, is_sure));
            }
            Ptx::Store(bytes) | Ptx::StoreLocal(bytes) => {
                let space = if matches!(does, Ptx::Store(_)) { GLOBAL } else { LOCAL };
                self.access_at(text, statement, (AccessKind::Store, space, bytes), &part, accesses);
            }
            Ptx::Compare { equal } => self.compare(text, equal, statement, mask),
            Ptx::ToLocal | Ptx::Same => {
                let [to, from] = &statement.operands[..] else { return Ok(()) };
                let value = self.value(text, from);
                let value = if does == Ptx::ToLocal { self.local_offset(&value) } else { value };
                self.set_in(text, to, value, (&part, is_sure));
            }
            Ptx::Barrier => {
                self.barrier(text.instruction, mask)?;
                accesses.push(mark(text.position, AccessKind::Barrier));
            }
            Ptx::Computes(_) => {
                if let Some(to) = statement.operands.first() {
                    self.set_in(text, to, Value::Unknown, (&part, is_sure));
                }
            }
        }
        Ok(())
    }

    /// `cp.async [to], [from], bytes(, size)`: work items with a size of 0 read nothing.
    fn copy_of_text(
        &mut self,
        text: &Text,
        statement: &AssemblyStatement,
        part: &Mask,
        accesses: &mut Vec<SourceAccess>,
    ) {
        let [to, from, bytes, rest @ ..] = &statement.operands[..] else { return };
        let has_policy = statement.operation.contains("cache_hint");
        let mut reading = part.clone();
        if let Some(size) = rest.first().filter(|_| rest.len() > usize::from(has_policy)) {
            let size = self.value(text, size);
            if let Some(some) = self.unequal(&size, &Value::constant(0), part) {
                reading.intersect_with(&some);
            }
        }
        if reading.count_ones(..) == 0 {
            return;
        }
        let bytes = self.value(text, bytes).known().and_then(Known::as_constant);
        let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(ROW);
        let (to, from) = (self.value(text, to), self.value(text, from));
        let to = self.local_address(&to);
        let what = text.accessing(AccessKind::Copy, bytes, &reading);
        self.copy_ahead(&to, &from, &what, accesses);
        restrict(accesses, &reading, text.mask);
    }

    /// The statement's address in a space; `None` if it has none.
    fn address_of(&mut self, text: &Text, statement: &AssemblyStatement, space: AddressSpace) -> Option<Value> {
        let is_address = |operand: &&AssemblyOperand| matches!(operand, AssemblyOperand::At(..));
        let address = self.value(text, statement.operands.iter().find(is_address)?);
        Some(if space == LOCAL { self.local_address(&address) } else { address })
    }

    /// A load or store at the statement's address in a space, of that many bytes of each work item.
    fn access_at(
        &mut self,
        text: &Text,
        statement: &AssemblyStatement,
        (kind, space, bytes): (AccessKind, AddressSpace, u64),
        part: &Mask,
        accesses: &mut Vec<SourceAccess>,
    ) {
        if part.count_ones(..) == 0 {
            return;
        }
        let Some(address) = self.address_of(text, statement, space) else { return };
        self.access(&Type::Pointer(space), &address, &text.accessing(kind, bytes, part), accesses);
        restrict(accesses, part, text.mask);
    }

    /// `wmma.load {registers}, [from], stride` and `wmma.store [to], {registers}, stride`.
    fn fragment_at(
        &mut self,
        text: &Text,
        statement: &AssemblyStatement,
        moved: MovedFragment,
        part: &Mask,
        accesses: &mut Vec<SourceAccess>,
    ) {
        let Some(first) = self.address_of(text, statement, moved.space) else { return };
        let stride = match statement.operands.get(2) {
            Some(stride) => self.value(text, stride).known().and_then(Known::as_constant),
            None => Some(moved.part.length().cast_signed()),
        };
        let kind = if moved.is_store { AccessKind::Store } else { AccessKind::Load };
        let what = text.accessing(kind, 0, part);
        self.fragment(&what, text.mask, (&Type::Pointer(moved.space), &first), (&moved.part, stride), accesses);
    }

    /// `setp.ne p, a, b`.
    fn compare(&mut self, text: &mut Text, equal: bool, statement: &AssemblyStatement, mask: &Mask) {
        let [AssemblyOperand::Register(to), one, other] = &statement.operands[..] else { return };
        let (one, other) = (self.value(text, one), self.value(text, other));
        let Some(mut part) = self.unequal(&one, &other, mask) else { return };
        if equal {
            let mut rest = mask.clone();
            rest.difference_with(&part);
            part = rest;
        }
        text.predicates.insert(to.clone(), part);
    }

    /// The work items for which two integers differ; `None` if it is not known.
    fn unequal(&mut self, one: &Value, other: &Value, mask: &Mask) -> Option<Mask> {
        let Value::Known(truth) = self.arithmetic().compare(Predicate::Ne, 32, one, other, mask) else { return None };
        self.walk_if_uneven(&truth);
        let mut part = mask.clone();
        mask.ones().for_each(|lane| part.set(lane, truth.base.at(lane, &self.shape) != 0));
        Some(part)
    }

    /// The work items of a mask for which a predicate holds, and true; all of them and false if it is not known.
    fn part(&mut self, text: &Text, predicate: Option<&Predicated>, mask: &Mask) -> (Mask, bool) {
        let mut part = mask.clone();
        let Some(Predicated { of, negated }) = predicate else { return (part, true) };
        let known = match of {
            AssemblyOperand::Register(name) => text.predicates.get(name).cloned(),
            of => {
                let value = self.value(text, of);
                self.unequal(&value, &Value::constant(0), mask)
            }
        };
        let is_sure = known.is_some();
        match known {
            Some(some) if *negated => part.difference_with(&some),
            Some(some) => part.intersect_with(&some),
            None => {}
        }
        (part, is_sure)
    }

    /// Takes the values of a load: those that an array is assumed to hold, or unknown ones.
    fn take_loaded(
        &mut self,
        text: &mut Text,
        statement: &AssemblyStatement,
        (space, bytes): (AddressSpace, u64),
        (part, is_sure): (&Mask, bool),
    ) {
        let Some(to) = statement.operands.first() else { return };
        let all = if let AssemblyOperand::List(all) = to { &all[..] } else { std::slice::from_ref(to) };
        let each = bytes / (all.len() as u64).max(1);
        let address = self.address_of(text, statement, space).unwrap_or(Value::Unknown);
        let bits = u32::try_from(8 * each).unwrap_or(u32::MAX);
        for (to, at) in all.iter().zip(0..) {
            let value = self.content(&address, (at * each, each), bits, part).unwrap_or(Value::Unknown);
            self.set_in(text, to, value, (part, is_sure));
        }
    }

    /// Sets a register or a result in the work items of `part`; if these are not known for sure, its value is no longer known.
    fn set_in(&mut self, text: &mut Text, to: &AssemblyOperand, value: Value, (part, is_sure): (&Mask, bool)) {
        let value = match (value, text.held(to)) {
            (_, _) if !is_sure => Value::Unknown,
            (value, _) if part == text.mask => value,
            (Value::Known(new), Some(Value::Known(old))) => Value::Known(self.arithmetic().blend(part, &new, &old)),
            (_, Some(old)) if part.count_ones(..) == 0 => old,
            // The text gives the others no value.
            (value, None) => value,
            _ => Value::Unknown,
        };
        text.set(to, value);
    }

    /// The value of an operand, as far as it is known; of an address, with what stands behind it.
    fn value(&mut self, text: &Text, operand: &AssemblyOperand) -> Value {
        match operand {
            AssemblyOperand::Integer(value) => Value::constant(*value),
            AssemblyOperand::Slot(number) => {
                let argument = number.checked_sub(text.values.len()).and_then(|at| text.arguments.get(at));
                argument.map_or(Value::Unknown, |argument| self.typed(argument))
            }
            AssemblyOperand::At(base, behind) => match self.value(text, base) {
                Value::Known(base) if *behind != 0 => {
                    Value::Known(self.arithmetic().sum(&base, &Known::constant(*behind), 1, 64, true))
                }
                value => value,
            },
            AssemblyOperand::Register(name) => match name.strip_prefix('%').and_then(id_of_register) {
                Some((id, axis)) => self.id(id, axis),
                None => text.registers.get(name).cloned().unwrap_or(Value::Unknown),
            },
            AssemblyOperand::Tile(..) | AssemblyOperand::List(_) => Value::Unknown,
        }
    }
}

impl<'i> Text<'i> {
    fn set(&mut self, to: &AssemblyOperand, value: Value) {
        match to {
            AssemblyOperand::Register(name) => drop(self.registers.insert(name.clone(), value)),
            AssemblyOperand::Slot(number) => {
                if let Some(result) = self.values.get_mut(*number) {
                    *result = Some(value);
                }
            }
            _ => {}
        }
    }

    /// The value of a register or a result that the text has set; `None` if it has not.
    fn held(&self, of: &AssemblyOperand) -> Option<Value> {
        match of {
            AssemblyOperand::Register(name) => self.registers.get(name).cloned(),
            AssemblyOperand::Slot(number) => self.values.get(*number).cloned().flatten(),
            _ => None,
        }
    }

    /// The value of the text, whose parts are its results; `None` if nothing is known of it.
    fn result(self) -> Option<Value> {
        let mut values: Vec<Value> = self.values.into_iter().map(|value| value.unwrap_or(Value::Unknown)).collect();
        let value = if values.len() == 1 { values.pop()? } else { Value::Vector(values.into()) };
        Some(value).filter(|value| !value.is_unknown())
    }

    fn accessing<'m>(&self, kind: AccessKind, bytes: u64, mask: &'m Mask) -> Accessing<'m>
    where
        'i: 'm,
    {
        let (instruction, places) = (self.position, &*self.instruction.places);
        Accessing { instruction, kind, bytes, elements: bytes.div_ceil(4), mask, places }
    }
}
