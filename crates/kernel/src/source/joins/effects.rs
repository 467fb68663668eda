//! The effects of a block's instructions on memory, in order.

use super::plan::{BackEnd, BaseKind, KnownSums, LOCAL, Reached, SumFacts};
use crate::source::functions::{Function, function};
use crate::source::ir::{AccessTag, Block, Callee, Instruction, IrModule, Kind, Operand, Type, Typed, ValueId};
use crate::source::sums::{Address, Base, Sums};

/// The effect of an instruction on memory.
#[derive(Debug, Clone)]
pub(super) enum Effect {
    /// No load or store moves across.
    Fence,
    /// A load or a store.
    Access {
        is_load: bool,
        /// The memory that is reached; `None` if the compiler does not know it.
        reached: Option<Reached>,
        of: Accessed,
    },
}

/// A load's or a store's facts beside its address.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accessed {
    /// The bytes of the access.
    pub(super) bytes: u64,
    /// The bytes of an element.
    pub(super) element: u64,
    /// The alignment in bytes that the instruction states.
    pub(super) align: u64,
    /// True if the memory is local.
    pub(super) is_local: bool,
    pub(super) form: Form,
    /// The type that memory is accessed as; `None` if it may be any.
    pub(super) tag: Option<AccessTag>,
}

/// The form of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A plain load or store, which the back end may join with others.
    Plain,
    /// A call such as `vload4`.
    Vector,
    /// The copy of an object.
    Copy,
    /// A load or a store that must happen: it is volatile or atomic.
    Volatile,
}

/// Reads a function's blocks.
pub(super) struct Reader<'m> {
    module: &'m IrModule,
    values: Sums<'m>,
    pub(super) sums: KnownSums,
    /// The addresses of private memory.
    private: Vec<ValueId>,
}

impl<'m> Reader<'m> {
    pub(super) fn new(module: &'m IrModule) -> Self {
        let instructions = module.kernel.blocks.iter().flat_map(|block| &block.instructions);
        let allocated = instructions.filter(|one| matches!(one.kind, Kind::Allocate(..)));
        let private = allocated.filter_map(|one| one.result).collect();
        Self { module, values: Sums::new(module), sums: KnownSums::default(), private }
    }

    /// The effects of a block by the positions of its instructions.
    pub(super) fn block(&mut self, block: &'m Block) -> Vec<(usize, Effect)> {
        let effects = block.instructions.iter().enumerate().map(|(position, instruction)| {
            let effects = self.instruction(instruction);
            effects.into_iter().map(move |effect| (position, effect)).collect::<Vec<_>>()
        });
        effects.collect::<Vec<_>>().into_iter().flatten().collect()
    }

    fn instruction(&mut self, instruction: &Instruction) -> Vec<Effect> {
        match &instruction.kind {
            Kind::Load { of, from, align, volatile } => {
                vec![self.plain(true, from, of, (*align, *volatile, instruction.tag))]
            }
            Kind::Store { value, to, align, volatile } => {
                vec![self.plain(false, to, &value.of, (*align, *volatile, instruction.tag))]
            }
            Kind::Atomic(..) | Kind::Fence | Kind::Call { callee: Callee::Indirect, .. } => vec![Effect::Fence],
            Kind::Call { callee: Callee::Assembly(text), .. } if text.is_fence => vec![Effect::Fence],
            Kind::Call { callee: Callee::Named(name), returns, arguments, align } => {
                self.call(name, returns, arguments, *align)
            }
            _ => Vec::new(),
        }
    }

    fn plain(
        &mut self,
        is_load: bool,
        at: &Typed,
        of: &Type,
        (align, is_volatile, tag): (u64, bool, Option<AccessTag>),
    ) -> Effect {
        let address = self.values.address(&at.operand);
        let bytes = self.module.size(of);
        let element = self.module.size(of.element());
        let form = if is_volatile { Form::Volatile } else { Form::Plain };
        let of = Accessed { bytes, element, align, is_local: false, form, tag };
        self.access(is_load, address, &at.of, of)
    }

    fn access(&mut self, is_load: bool, address: Option<Address>, pointer: &Type, of: Accessed) -> Effect {
        let reached = address.map(|address| self.reached(&address, pointer, of.bytes));
        let is_in_local = |reached: &Reached| self.sums.of_number[reached.sum as usize].kind.space() == Some(LOCAL);
        let is_local = reached.as_ref().is_some_and(is_in_local) || *pointer == Type::Pointer(LOCAL);
        Effect::Access { is_load, reached, of: Accessed { is_local, ..of } }
    }

    fn reached(&mut self, address: &Address, pointer: &Type, bytes: u64) -> Reached {
        let next = u32::try_from(self.sums.of_number.len()).unwrap_or(u32::MAX);
        let sum = *self.sums.numbers.entry(address.key()).or_insert(next);
        if sum == next {
            let pointer = self.pointer_type(&address.base).unwrap_or_else(|| pointer.clone());
            let kind = BaseKind::of(&address.base, self.module, &self.private, &pointer);
            let divisor = self.values.divisor(address);
            self.sums.of_number.push(SumFacts { base: address.base.clone(), divisor, kind });
        }
        Reached { sum, offset: address.constant(), bytes }
    }

    /// The type of the pointer that a base is; `None` for variables, and for pointers that an instruction defines.
    fn pointer_type(&self, base: &Base) -> Option<Type> {
        let Base::Pointer(id) = base else { return None };
        let parameter = self.module.kernel.parameters.iter().find(|parameter| parameter.value == *id)?;
        Some(parameter.of.clone())
    }

    fn call(&mut self, name: &str, returns: &Type, arguments: &[Typed], align: [u64; 2]) -> Vec<Effect> {
        match (function(name).does, arguments) {
            (Function::LoadVector, [offset, from]) => vec![self.vector(true, name, returns, (from, offset))],
            (Function::StoreVector, [value, offset, to]) => {
                vec![self.vector(false, name, &value.of.clone(), (to, offset))]
            }
            (Function::Copy | Function::Fill, [to, from, count, ..]) => {
                let bytes = if let Operand::Integer(bytes) = count.operand { bytes.unsigned_abs() } else { u64::MAX };
                // The assignment of an object of `bytes` bytes: NVIDIA's compiler believes a cast of its pointer, where clang goes
                // by the array that it points into.
                let [least, greatest] = align;
                let is_object = bytes.is_power_of_two() && bytes <= greatest;
                let align = if is_object && BackEnd::of(self.module) == BackEnd::Nvidia { bytes } else { least };
                let of = Accessed { bytes, element: bytes, align, is_local: false, form: Form::Copy, tag: None };
                let mut access = |is_load, at: &Typed| {
                    let address = self.values.address(&at.operand);
                    self.access(is_load, address, &at.of, of)
                };
                let is_copy = function(name).does == Function::Copy;
                is_copy.then(|| access(true, from)).into_iter().chain([access(false, to)]).collect()
            }
            (does, _) if is_fence(name, does) => vec![Effect::Fence],
            _ => Vec::new(),
        }
    }

    /// `vloadN` and `vstoreN`: the address is a multiple of an element, that of `vloada_halfN` one of the vector.
    fn vector(&mut self, is_load: bool, name: &str, of: &Type, (base, offset): (&Typed, &Typed)) -> Effect {
        let element = if name.contains("_half") { 2 } else { self.module.size(of.element()) };
        let bytes = element * of.elements();
        let is_aligned = name.contains("a_half");
        let distance = if is_aligned { bytes.next_power_of_two() } else { bytes };
        let address = self.values.element(&base.operand, offset, distance);
        let align = if is_aligned { distance } else { element };
        let of = Accessed { bytes, element, align, is_local: false, form: Form::Vector, tag: None };
        self.access(is_load, address, &base.of, of)
    }
}

/// True for functions across which no load or store moves.
fn is_fence(name: &str, does: Function) -> bool {
    match does {
        Function::Barrier
        | Function::GridBarrier
        | Function::WarpBarrier
        | Function::Atomic
        | Function::Unknown
        | Function::Print => true,
        Function::Nothing => {
            ["mem_fence", "item_fence", "membar", "llvm.fence"].iter().any(|fence| name.contains(fence))
        }
        _ => false,
    }
}
