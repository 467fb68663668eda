//! Inline assembly: the accesses of its statements, and the value of its result.

mod marks;
mod tiles;
mod values;

use std::collections::HashMap;
use std::sync::Arc;

use super::super::ir::{AddressSpace, Assembly, AssemblyOperand, AssemblyStatement, Instruction, Type, Typed};
use super::super::ptx::{MovedFragment, Ptx, meaning};
use super::super::trace::{AccessKind, SourceAccess};
use super::super::value::{Known, Mask, Value};
use super::barrier::OF_A_PART;
use super::call::mark;
use super::data::user_line;
use super::error::{ExecuteError, ExecuteProblem};
use super::finding::FindingKind;
use super::fragment::WARP;
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
        let is_assumed = user_line(instruction).is_some_and(|line| self.assumptions.assembly.contains_key(&line));
        let refused = |text: &str, why| {
            let problem = ExecuteProblem::Assembly { text: text.into(), why };
            Err(ExecuteError { problem, places: instruction.places.clone() })
        };
        let Some(statements) = &assembly.statements else {
            if is_assumed {
                return Ok(data);
            }
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
                // The user says what it costs. What it computes is not known.
                Err(_) if is_assumed => text.forget(statement),
                Err(why) if why.is_unknown() && data.is_none() => {
                    self.find(FindingKind::Assembly, &instruction.places);
                }
                Err(why) => return refused(&statement.operation, why.words()),
            }
        }
        let result = text.result();
        if let Some(value) = result.as_ref().filter(|_| !self.assumptions.contents.is_empty()) {
            self.note_assumed(instruction, value);
        }
        Ok(result.or(data))
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
        let noted = accesses.len();
        self.sure_statement(text, (does, statement), (&part, is_sure), mask, accesses)?;
        if !is_sure {
            accesses[noted..].iter_mut().for_each(|access| access.is_sure = false);
        }
        Ok(())
    }

    /// A statement by the work items of `part`, or by some of them that are not known.
    fn sure_statement(
        &mut self,
        text: &mut Text,
        (does, statement): (Ptx, &AssemblyStatement),
        (part, is_sure): (&Mask, bool),
        mask: &Mask,
        accesses: &mut Vec<SourceAccess>,
    ) -> Result<(), ExecuteError> {
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
            | Ptx::Elect => return self.tiles_of_text(text, does, statement, part, accesses),
            Ptx::Copy => self.copy_of_text(text, statement, part, accesses),
            Ptx::LoadMatrices(number) | Ptx::StoreMatrices(number) => {
                let kind = if matches!(does, Ptx::LoadMatrices(_)) { AccessKind::Load } else { AccessKind::Store };
                let rows = usize::try_from(8 * number).unwrap_or(WARP);
                let part = in_first_lanes(part, rows, WARP);
                self.access_at(text, statement, (kind, LOCAL, ROW), &part, accesses);
            }
            Ptx::MoveFragment(moved) => self.fragment_at(text, statement, moved, part, accesses),
            Ptx::Load(_)
            | Ptx::LoadLocal(_)
            | Ptx::Store(_)
            | Ptx::StoreLocal(_)
            | Ptx::Atomic(_)
            | Ptx::AtomicLocal(_) => self.plain_access(text, does, statement, (part, is_sure), accesses),
            Ptx::Compare { equal } => self.compare(text, equal, statement, mask),
            Ptx::ToLocal | Ptx::Same => {
                let [to, from] = &statement.operands[..] else { return Ok(()) };
                let value = self.value(text, from);
                let value = if does == Ptx::ToLocal { self.local_offset(&value) } else { value };
                self.set_in(text, to, value, (part, is_sure));
            }
            Ptx::Barrier => return self.barrier_of_text(text, statement, part, mask, accesses),
            Ptx::Computes(_) => {
                if let Some(to) = statement.operands.first() {
                    self.set_in(text, to, Value::Unknown, (part, is_sure));
                }
            }
        }
        Ok(())
    }

    /// `bar.sync ID` and `bar.sync ID, N`.
    fn barrier_of_text(
        &mut self,
        text: &Text,
        statement: &AssemblyStatement,
        part: &Mask,
        mask: &Mask,
        accesses: &mut Vec<SourceAccess>,
    ) -> Result<(), ExecuteError> {
        let mut operands = statement.operands.iter().map(|operand| self.value(text, operand));
        let [id, count] = [operands.next(), operands.next()];
        if self.is_of_a_part([id.as_ref(), count.as_ref()], part) {
            let problem = ExecuteProblem::Assembly { text: Arc::from(&*statement.operation), why: OF_A_PART };
            return Err(ExecuteError { problem, places: text.instruction.places.clone() });
        }
        self.barrier(text.instruction, mask)?;
        accesses.push(mark(text.position, AccessKind::Barrier));
        Ok(())
    }

    /// A load, a store or an atomic operation.
    fn plain_access(
        &mut self,
        text: &mut Text,
        does: Ptx,
        statement: &AssemblyStatement,
        (part, is_sure): (&Mask, bool),
        accesses: &mut Vec<SourceAccess>,
    ) {
        let (kind, space, bytes) = match does {
            Ptx::Load(bytes) => (AccessKind::Load, GLOBAL, bytes),
            Ptx::LoadLocal(bytes) => (AccessKind::Load, LOCAL, bytes),
            Ptx::Store(bytes) => (AccessKind::Store, GLOBAL, bytes),
            Ptx::StoreLocal(bytes) => (AccessKind::Store, LOCAL, bytes),
            Ptx::Atomic(bytes) => (AccessKind::Atomic, GLOBAL, bytes),
            Ptx::AtomicLocal(bytes) => (AccessKind::Atomic, LOCAL, bytes),
            _ => return,
        };
        self.access_at(text, statement, (kind, space, bytes), part, accesses);
        if kind == AccessKind::Load {
            self.take_loaded(text, statement, (space, bytes), (part, is_sure));
        }
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
        let (mut reading, mut is_sure) = (part.clone(), true);
        if let Some(size) = rest.first().filter(|_| rest.len() > usize::from(has_policy)) {
            let size = self.value(text, size);
            match self.unequal(&size, &Value::constant(0), part) {
                Some(some) => reading.intersect_with(&some),
                None => is_sure = false,
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
        let noted = accesses.len();
        self.copy_ahead(&to, &from, &what, accesses);
        restrict(&mut accesses[noted..], &reading, text.mask);
        accesses[noted..].iter_mut().for_each(|access| access.is_sure = is_sure);
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
        let noted = accesses.len();
        self.access(&Type::Pointer(space), &address, &text.accessing(kind, bytes, part), accesses);
        restrict(&mut accesses[noted..], part, text.mask);
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
}

impl<'i> Text<'i> {
    fn accessing<'m>(&self, kind: AccessKind, bytes: u64, mask: &'m Mask) -> Accessing<'m>
    where
        'i: 'm,
    {
        let (instruction, places) = (self.position, &*self.instruction.places);
        Accessing { instruction, kind, bytes, elements: bytes.div_ceil(4), mask, places }
    }
}
