//! Calls: ids, barriers, atomics and the functions of the languages.

use std::sync::Arc;

use super::super::ir::{Callee, Instruction, Type, Typed};
use super::super::trace::{AccessKind, Asynchronous, SourceAccess, SourceMemory};
use super::super::value::{Known, Mask, Value};
use super::barrier::OF_A_PART;
use super::error::{ExecuteError, ExecuteProblem};
use super::finding::FindingKind;
use super::ids;
use super::memory::Accessing;
use super::state::Run;
use crate::source::demangle::function_name;
use crate::source::functions::{Function, function};

impl Run<'_> {
    /// Executes a call. Returns its value; `None` if it has none.
    #[expect(clippy::too_many_lines, reason = "an arm for each kind of function")]
    #[expect(clippy::too_many_arguments, reason = "the parts of an instruction, which its kind has been taken from")]
    pub(super) fn call(
        &mut self,
        position: usize,
        instruction: &Instruction,
        callee: &Callee,
        returns: &Type,
        arguments: &[Typed],
        mask: &Mask,
        accesses: &mut Vec<SourceAccess>,
    ) -> Result<Option<Value>, ExecuteError> {
        let error = |problem| ExecuteError { problem, places: instruction.places.clone() };
        let unknown = (*returns != Type::Void).then(|| self.data(instruction, returns));
        let name = match callee {
            Callee::Named(name) => name,
            Callee::Indirect => return Err(error(ExecuteProblem::Pointer)),
            Callee::Assembly(text) => {
                return self.assembly(position, instruction, text, (returns, arguments), mask, accesses);
            }
        };
        let function = function(name);
        if let Some((id, axis)) = ids::id_of(function.name) {
            let axis = axis.or_else(|| {
                let given = arguments.first().map(|axis| self.typed(axis))?;
                given.known().and_then(Known::as_constant).and_then(|axis| usize::try_from(axis).ok())
            });
            return Ok(Some(self.id(id, axis.unwrap_or(0))));
        }
        let access = Accessing::by(position, instruction, mask);
        match function.does {
            Function::Barrier => {
                let counts =
                    [".count", ".cnt"].iter().any(|part| name.contains(part)) || &**name == "llvm.nvvm.barrier";
                let is_numbered = name.starts_with("llvm.nvvm.barrier") && !name.starts_with("llvm.nvvm.barrier0");
                let operands: Vec<Value> = arguments.iter().map(|one| self.typed(one)).collect();
                let [id, count] = [operands.first().filter(|_| is_numbered), operands.get(1).filter(|_| counts)];
                if name.contains(".arrive") || self.is_of_a_part([id, count], mask) {
                    return Err(error(unmodelled(name, OF_A_PART)));
                }
                self.barrier(instruction, mask)?;
                if self.copies_of_amd.end_at_barriers() {
                    accesses.push(mark(position, AccessKind::Wait(Asynchronous::Copies, 0)));
                }
                accesses.push(mark(position, AccessKind::Barrier));
            }
            Function::GridBarrier => {
                self.barrier(instruction, mask)?;
                accesses.push(mark(position, AccessKind::GridBarrier));
            }
            Function::Shuffle => {
                accesses.push(mark(position, AccessKind::Shuffle));
                self.exchange(position, instruction.result, (function.name, arguments), mask);
                if let [_, value, lane, ..] = arguments
                    && name.starts_with("llvm.nvvm.shfl.sync.idx.i32")
                {
                    let (value, lane) = (self.typed(value), self.typed(lane));
                    return Ok(self.of_lane(value, Some(lane), mask).or(unknown));
                }
            }
            Function::Atomic => {
                let Some(to) = arguments.first() else { return Ok(unknown) };
                let address = self.typed(to);
                let bytes = arguments.get(1).map_or(4, |value| self.module.size(&value.of));
                self.access(&to.of, &address, &access(AccessKind::Atomic, bytes, 1), accesses);
            }
            Function::CachedLoad => {
                let Some(from) = arguments.first() else { return Ok(unknown) };
                let address = self.typed(from);
                let bytes = self.module.size(returns);
                self.access(&from.of, &address, &access(AccessKind::Load, bytes, returns.elements()), accesses);
                return Ok(Some(self.loaded_data(instruction, &address, returns, mask)));
            }
            Function::LoadVector => {
                let [offset, from] = arguments else { return Ok(unknown) };
                let bytes = self.vector_bytes(returns, name);
                let address = self.vector_address(from, offset, distance(name, bytes));
                let reached =
                    self.access(&from.of, &address, &access(AccessKind::Load, bytes, returns.elements()), accesses);
                let is_constant = reached.only() == Some(SourceMemory::Constant);
                let constant = if is_constant { self.field(&address, returns) } else { None };
                return Ok(Some(match constant {
                    Some(value) => value,
                    None => self.loaded_data(instruction, &address, returns, mask),
                }));
            }
            Function::StoreVector => {
                let [value, offset, to] = arguments else { return Ok(unknown) };
                let bytes = self.vector_bytes(&value.of, name);
                let address = self.vector_address(to, offset, distance(name, bytes));
                self.access(&to.of, &address, &access(AccessKind::Store, bytes, value.of.elements()), accesses);
            }
            Function::Copy | Function::Fill => {
                self.copy(function.does == Function::Copy, arguments, &access, accesses);
            }
            Function::Least { .. }
            | Function::Greatest { .. }
            | Function::Product
            | Function::Absolute { .. }
            | Function::Reduce(_)
            | Function::Convert
            | Function::Rounded
            | Function::Computes => {
                return Ok(self.number(function, name, (returns, arguments), mask).or(unknown));
            }
            Function::LiesIn { local } => {
                let Some(at) = arguments.first() else { return Ok(unknown) };
                let address = self.typed(at);
                let memory = if local { SourceMemory::Local } else { SourceMemory::Global };
                return Ok(self.lies_in(memory, &at.of, &address).or(unknown));
            }
            Function::Amd(does) => {
                let value = self.amd(does, position, instruction, (returns, arguments), mask, accesses);
                return Ok(value.or(unknown));
            }
            Function::Print => self.find(FindingKind::Print, &instruction.places),
            // Inside of a side that data decides, it is not known whether a work item comes here.
            Function::Trap if self.depth == 0 && mask.count_ones(..) > 0 => {
                return Err(error(ExecuteProblem::Trap { items: mask.count_ones(..) }));
            }
            Function::Refused(why) => return Err(error(unmodelled(function.name, why))),
            Function::Constant(value) => return Ok(Some(Value::constant(value))),
            Function::WarpBarrier => {
                if let Some(named) = arguments.first() {
                    self.meet(position, mask, named);
                }
            }
            Function::Trap | Function::Nothing => {}
            Function::Unknown if self.module.defined.contains(name) => {
                return Err(error(ExecuteProblem::Call { name: function_name(name).into() }));
            }
            Function::Unknown => {
                self.find(FindingKind::UnknownFunction(function_name(name).into()), &instruction.places);
            }
        }
        Ok(unknown)
    }

    /// The bytes of a vector's load or store: halves take two bytes each.
    fn vector_bytes(&self, of: &Type, name: &str) -> u64 {
        if name.contains("_half") { 2 * of.elements() } else { self.module.size(of.element()) * of.elements() }
    }

    fn vector_address(&mut self, base: &Typed, offset: &Typed, bytes: u64) -> Value {
        let (Value::Known(base), Value::Known(offset)) = (self.typed(base), self.typed(offset)) else {
            return Value::Unknown;
        };
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        Value::Known(self.arithmetic().sum(&base, &offset, bytes, 64, true))
    }

    /// `memcpy`, `memmove` and `memset`.
    fn copy<'i>(
        &mut self,
        is_copy: bool,
        arguments: &[Typed],
        access: &impl Fn(AccessKind, u64, u64) -> Accessing<'i>,
        accesses: &mut Vec<SourceAccess>,
    ) {
        let [to, from, count, ..] = arguments else { return };
        let bytes = self.typed(count).known().and_then(Known::as_constant).unwrap_or(0);
        let bytes = u64::try_from(bytes).unwrap_or(0);
        let address = self.typed(to);
        self.forget(&address);
        if is_copy {
            let source = self.typed(from);
            self.access(&from.of, &source, &access(AccessKind::Load, bytes, 1), accesses);
        }
        let store = access(AccessKind::Store, bytes, 1);
        if self.access(&to.of, &address, &store, accesses).has(SourceMemory::Private) && is_copy {
            let source = self.typed(from);
            self.copy_fields(&source, &address, bytes, store.mask);
        }
    }
}

/// The bytes from a vector to the next: aligned vectors of three halves lie as those of four.
fn distance(name: &str, bytes: u64) -> u64 {
    if name.contains("a_half3") { 8 } else { bytes }
}

pub(super) fn unmodelled(name: &str, why: &'static str) -> ExecuteProblem {
    ExecuteProblem::Unmodelled { name: Arc::from(name), why }
}

/// A barrier, an exchange or another mark, which has no address.
pub(super) fn mark(instruction: usize, kind: AccessKind) -> SourceAccess {
    SourceAccess::nowhere(instruction, kind, super::super::trace::SourceMemory::Local)
}
