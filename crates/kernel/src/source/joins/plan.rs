//! The accesses of a block as a back end makes them, and what is known of the memory that they reach.

use std::collections::HashMap;

use crate::source::ir::{AccessTag, AddressSpace, IrModule, Type, ValueId};
use crate::source::sums::{Base, Extension};

/// The most bytes of one instruction.
pub(in crate::source) const WIDEST: u64 = 16;
/// The bytes of a word.
pub(super) const WORD: u64 = 4;

/// The abilities of a target's back end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) enum BackEnd {
    /// NVIDIA's, which also stands for GPUs of other makers: each access is aligned to its whole width.
    Nvidia,
    /// AMD's: global memory may be accessed unaligned, and two words of local memory at once.
    Amd,
}

impl BackEnd {
    pub(in crate::source) fn of(module: &IrModule) -> Self {
        if module.processor.as_deref().is_some_and(|name| name.starts_with("gfx")) { Self::Amd } else { Self::Nvidia }
    }

    /// The most bytes of an instruction whose address is a multiple of `align` bytes.
    pub(in crate::source) fn widest(self, align: u64, is_local: bool) -> u64 {
        match (self, is_local) {
            (Self::Nvidia, _) => align.min(WIDEST),
            (Self::Amd, false) => WIDEST,
            // `ds_read2_b64` takes two words of 8 bytes.
            (Self::Amd, true) => (2 * align).clamp(WIDEST / 2, WIDEST),
        }
    }

    /// True if neighbours become one instruction of this many bytes at a multiple of `align` bytes.
    pub(super) fn joins(self, bytes: u64, align: u64, is_local: bool) -> bool {
        // An unaligned word of AMD's local memory is no faster than its bytes.
        let is_slow = self == Self::Amd && is_local && align < bytes && bytes <= WORD;
        bytes <= self.widest(align, is_local) && !is_slow
    }
}

/// The memory that an instruction accesses, as the compiler knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// The number of the address without its constant: equal numbers are equal addresses.
    pub sum: u32,
    /// The bytes behind that.
    pub offset: i64,
    /// The bytes that are accessed.
    pub bytes: u64,
}

impl Reached {
    /// True if both have one address but for a constant.
    #[must_use]
    pub fn is_beside(&self, other: &Self) -> bool {
        self.sum == other.sum
    }

    /// True if all bytes of the other one are among those of this one.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self.sum == other.sum && self.offset <= other.offset && other.end() <= self.end()
    }

    /// True if both have one address but for a constant, and no byte in common.
    #[must_use]
    pub fn is_apart(&self, other: &Self) -> bool {
        self.sum == other.sum && (self.end() <= other.offset || other.end() <= self.offset)
    }

    pub(in crate::source) fn end(&self) -> i64 {
        self.offset.saturating_add_unsigned(self.bytes)
    }
}

/// A load or a store that may be joined with others.
#[derive(Debug, Clone, Copy)]
pub(in crate::source) struct Candidate {
    pub(in crate::source) position: usize,
    pub(in crate::source) reached: Reached,
    pub(in crate::source) is_load: bool,
    pub(in crate::source) is_local: bool,
    /// The bytes of an element.
    pub(in crate::source) element: u64,
    /// The alignment in bytes that the instruction states.
    pub(in crate::source) align: u64,
    /// The type that memory is accessed as; `None` if it may be any.
    pub(in crate::source) tag: Option<AccessTag>,
}

/// Instructions that become one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// The positions, by their addresses.
    pub members: Vec<usize>,
    /// The bytes of the one instruction.
    pub bytes: u64,
    /// The bytes from the one instruction's address to that of the first member.
    pub before: u64,
    /// The position where the one instruction stands: loads go up to the first, stores down to the last.
    pub stands_at: usize,
}

/// The accesses of a block.
#[derive(Debug, Clone, Default)]
pub struct BlockJoins {
    /// The positions across which no load or store moves, in order.
    pub fences: Vec<usize>,
    /// The instructions that become one.
    pub joined: Vec<Joined>,
    /// The number in `joined` of an instruction.
    pub(in crate::source) numbers: HashMap<usize, usize>,
    /// The memory that plain loads and stores reach; volatile and atomic ones are left out.
    pub(in crate::source) reached: HashMap<usize, Reached>,
    /// The most bytes of an instruction that a load or store is split into, where that is less than its own.
    pub(in crate::source) widest: HashMap<usize, u64>,
}

impl BlockJoins {
    /// The instructions that become one with that at a position; `None` if it stays by itself.
    #[must_use]
    pub fn joined_with(&self, position: usize) -> Option<&Joined> {
        self.numbers.get(&position).map(|number| &self.joined[*number])
    }

    /// The memory that a plain load or store reaches; `None` if the compiler does not know it, or the access must happen.
    #[must_use]
    pub fn reached(&self, position: usize) -> Option<&Reached> {
        self.reached.get(&position)
    }

    /// The most bytes of an instruction that the access at a position is split into; `None` if it stays whole.
    #[must_use]
    pub fn widest(&self, position: usize) -> Option<u64> {
        self.widest.get(&position).copied()
    }
}

/// The beginning of some memory, and the values that are added to it, each with its extension and its factor.
pub(in crate::source) type SumKey = (Base, Vec<((ValueId, Extension), i64)>);

/// The beginnings of the memory of a function's addresses, each with its number.
#[derive(Debug, Default)]
pub(in crate::source) struct KnownSums {
    pub(in crate::source) numbers: HashMap<SumKey, u32>,
    pub(in crate::source) of_number: Vec<SumFacts>,
}

/// Knowledge about the addresses of a sum.
#[derive(Debug, Clone)]
pub(in crate::source) struct SumFacts {
    pub(in crate::source) base: Base,
    /// The greatest power of two that divides the sum without its base and its constant.
    pub(in crate::source) divisor: u64,
    pub(in crate::source) kind: BaseKind,
}

/// The beginning of some memory, as far as it says what other memory it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) enum BaseKind {
    /// A variable in this address space.
    Variable(AddressSpace),
    /// An argument of the kernel in this address space; true if no other pointer reaches what it reaches.
    Argument(AddressSpace, bool),
    /// Private memory.
    Private,
    /// Another pointer of this address space.
    Other(AddressSpace),
}

/// The address space of local memory.
pub(in crate::source) const LOCAL: AddressSpace = 3;

impl BaseKind {
    pub(in crate::source) fn of(base: &Base, module: &IrModule, private: &[ValueId], of: &Type) -> Self {
        let space = if let Type::Pointer(space) = of { *space } else { 0 };
        match base {
            Base::Variable(name) => match module.globals.get(name) {
                // All arrays whose size is given at launch share their memory.
                Some(global) if global.is_given_at_launch => Self::Other(global.space),
                Some(global) => Self::Variable(global.space),
                None => Self::Variable(space),
            },
            Base::Pointer(id) => match module.kernel.parameters.iter().find(|parameter| parameter.value == *id) {
                Some(parameter) => Self::Argument(space, parameter.no_alias),
                None if private.contains(id) => Self::Private,
                None => Self::Other(space),
            },
        }
    }

    pub(in crate::source) fn space(self) -> Option<AddressSpace> {
        match self {
            Self::Variable(space) | Self::Argument(space, _) | Self::Other(space) => {
                Some(space).filter(|space| *space > 0)
            }
            Self::Private => None,
        }
    }
}

impl KnownSums {
    /// True if two accesses may reach the same byte.
    pub(in crate::source) fn may_meet(&self, one: Option<&Reached>, other: Option<&Reached>) -> bool {
        let (Some(one), Some(other)) = (one, other) else { return true };
        if one.sum == other.sum {
            return !one.is_apart(other);
        }
        let [one, other] = [one, other].map(|reached| &self.of_number[reached.sum as usize]);
        if one.base == other.base {
            return true;
        }
        match (one.kind, other.kind) {
            (BaseKind::Variable(_), BaseKind::Variable(_)) => false,
            (BaseKind::Private, other) | (other, BaseKind::Private) => matches!(other, BaseKind::Other(_)),
            (BaseKind::Variable(LOCAL), BaseKind::Argument(space, _))
            | (BaseKind::Argument(space, _), BaseKind::Variable(LOCAL)) => space == LOCAL,
            (BaseKind::Argument(_, one), BaseKind::Argument(_, other)) if one || other => false,
            (one, other) => one.space().zip(other.space()).is_none_or(|(one, other)| one == other),
        }
    }
}
