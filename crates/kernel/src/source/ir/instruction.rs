//! Functions, blocks and instructions.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::marks::{Begin, CountedLoop, Mark};
use super::accessed::{AccessTag, AccessTypes};
use super::assembly::Assembly;
use super::declared::DeclaredParameter;
use super::place::SourcePlace;
use super::types::Type;

/// The number of a value in its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

impl ValueId {
    /// The position in lists that have an item for each value.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The position of a block in its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

impl BlockId {
    /// The position in lists that have an item for each block.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function and its blocks; the first block is the entry.
#[derive(Debug, Clone)]
pub struct IrFunction {
    /// The name in the module.
    pub name: Arc<str>,
    /// The parameters in order.
    pub parameters: Vec<IrParameter>,
    /// The blocks in the text's order.
    pub blocks: Vec<Block>,
    /// The number of values: parameters, results of instructions.
    pub values: usize,
    /// The type that the function returns.
    pub returns: Type,
    /// The place where the function begins; `None` if it is not known.
    pub place: Option<SourcePlace>,
    /// The parameters as the source declares them; empty if the compiler was not asked for them.
    pub declared: Vec<DeclaredParameter>,
    /// The types that memory is accessed as.
    pub accessed: AccessTypes,
    /// The marks that were set for assumptions.
    pub(in crate::source) marks: Marks,
}

/// The marks of a function that were set in the compiler's text before it was optimised.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::source) struct Marks {
    /// The conditions by their values.
    pub(in crate::source) conditions: BTreeMap<ValueId, Mark>,
    /// The loops, and iterations of loops, that begin in a block, in their order.
    pub(in crate::source) beginnings: BTreeMap<BlockId, Vec<(CountedLoop, Begin)>>,
}

impl IrFunction {
    /// The name of the argument that an operand is, if it is at most converted; `None` for other operands.
    #[must_use]
    pub fn argument_behind(&self, operand: &Operand) -> Option<&str> {
        let mut operand = operand;
        for _ in 0..self.values {
            let Operand::Value(id) = operand else { return None };
            if let Some(parameter) = self.parameters.iter().find(|parameter| parameter.value == *id) {
                return Some(parameter.source_name());
            }
            let mut instructions = self.blocks.iter().flat_map(|block| &block.instructions);
            operand = match &instructions.find(|instruction| instruction.result == Some(*id))?.kind {
                Kind::Cast(_, from, _) | Kind::Freeze(from) => &from.operand,
                _ => return None,
            };
        }
        None
    }
}

/// A parameter of a function.
#[derive(Debug, Clone)]
pub struct IrParameter {
    /// The name, with `-fno-discard-value-names` that of the source.
    pub name: Arc<str>,
    /// The type.
    pub of: Type,
    /// The value in the function's body.
    pub value: ValueId,
    /// True if no other pointer reaches what this one reaches.
    pub no_alias: bool,
    /// True if the pointer is to a copy of the argument.
    pub by_value: bool,
    /// True for an integer with a sign, false for one without; `None` if the text does not say it.
    pub signed: Option<bool>,
}

impl IrParameter {
    /// The name in the source: the compiler marks what it passes as another type.
    #[must_use]
    pub fn source_name(&self) -> &str {
        self.name.strip_suffix(".coerce").unwrap_or(&self.name)
    }
}

/// Instructions that are executed one after the other.
#[derive(Debug, Clone)]
pub struct Block {
    /// The name in the function.
    pub name: Arc<str>,
    /// The instructions; the last one leaves the block.
    pub instructions: Vec<Instruction>,
}

/// An instruction.
#[derive(Debug, Clone)]
pub struct Instruction {
    /// The value that the instruction defines; `None` if it defines none.
    pub result: Option<ValueId>,
    /// The operation and its operands.
    pub kind: Kind,
    /// The places of the source, from the innermost function to the kernel; empty if they are not known.
    pub places: Arc<[SourcePlace]>,
    /// The type that memory is accessed as; `None` if it may be any.
    pub tag: Option<AccessTag>,
}

impl Instruction {
    /// The innermost place in a file of the user; `None` if there is none.
    #[must_use]
    pub fn user_place(&self) -> Option<&SourcePlace> {
        self.places.iter().find(|place| place.is_users())
    }
}

/// An operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A value of the function.
    Value(ValueId),
    /// The address of a variable or function of the module.
    Global(Arc<str>),
    /// An integer, a truth or the null pointer.
    Integer(i64),
    /// A floating-point number: the bits of its value with 64 bits.
    Float(u64),
    /// A constant that is neither an integer nor a known floating-point number, or any value at all.
    Unknown,
    /// Zero of any type.
    Zero,
    /// The elements of a constant vector, array or structure.
    Elements(Arc<[Typed]>),
    /// The bytes of a constant array of bytes.
    Bytes(Arc<[u8]>),
    /// An address within another one: the type of the elements, base and indices.
    Element(Arc<(Type, Vec<Typed>)>),
    /// A converted constant.
    Cast(Cast, Arc<Typed>, Arc<Type>),
    /// An operation on two constants.
    Binary(Operator, Arc<(Typed, Typed)>),
}

impl Operand {
    /// The value of the function that the operand is; `None` for other operands.
    #[must_use]
    pub fn value(&self) -> Option<ValueId> {
        if let Self::Value(id) = self { Some(*id) } else { None }
    }
}

/// An operand and its type.
#[derive(Debug, Clone, PartialEq)]
pub struct Typed {
    /// The type.
    pub of: Type,
    /// The operand.
    pub operand: Operand,
}

/// A conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cast {
    /// The low bits of an integer.
    Truncate,
    /// A wider integer, filled with zeros.
    ExtendZero,
    /// A wider integer, filled with the sign.
    ExtendSign,
    /// A conversion of floating-point numbers, or between them and integers.
    Number {
        /// True if the integer has a sign.
        signed: bool,
    },
    /// The same bits under another type.
    Same,
}

/// An operation on two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum Operator {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// A comparison of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum Predicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// A comparison of floating-point numbers, by the orders that make it true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatPredicate(u8);

impl FloatPredicate {
    /// LLVM's names at their numbers, whose bits are: equal, greater, less, unordered.
    const NAMES: [&'static str; 16] = [
        "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une",
        "true",
    ];

    /// The comparison of LLVM's name; `None` if there is none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let number = Self::NAMES.iter().position(|known| *known == name)?;
        u8::try_from(number).ok().map(Self)
    }

    /// True if the comparison of two numbers is true.
    #[must_use]
    pub fn holds(self, left: f64, right: f64) -> bool {
        let bit = match left.partial_cmp(&right) {
            Some(Ordering::Equal) => 0,
            Some(Ordering::Greater) => 1,
            Some(Ordering::Less) => 2,
            None => 3,
        };
        self.0 >> bit & 1 == 1
    }
}

/// The function that a call names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Callee {
    /// A function by its name.
    Named(Arc<str>),
    /// A function that a pointer reaches.
    Indirect,
    /// Inline assembly.
    Assembly(Arc<Assembly>),
}

/// The operation of an instruction.
#[derive(Debug, Clone)]
pub enum Kind {
    /// An operation on two operands of one type.
    Binary {
        /// The operation.
        operator: Operator,
        /// The left operand.
        left: Typed,
        /// The right operand, of the same type.
        right: Operand,
        /// True if the result of integers does not wrap as a signed number.
        no_wrap: bool,
        /// True if the result of integers does not wrap as a number without a sign.
        no_unsigned_wrap: bool,
        /// True for an `or` of operands without a common bit.
        disjoint: bool,
        /// True if a product may be one operation with the sum that uses it.
        contract: bool,
        /// True if the result may be an approximation.
        approximate: bool,
    },
    /// The negative of a floating-point number.
    Negate(Typed),
    /// The same value.
    Freeze(Typed),
    /// A conversion to a type.
    Cast(Cast, Typed, Type),
    /// A comparison of integers or pointers.
    Compare(Predicate, Typed, Operand),
    /// A comparison of floating-point numbers.
    CompareFloat(FloatPredicate, Typed, Operand),
    /// The second operand where the first is true, else the third.
    Select([Typed; 3]),
    /// The operand of the block that was left last.
    Phi(Type, Vec<(BlockId, Operand)>),
    /// A load from an address.
    Load {
        /// The type of what is loaded.
        of: Type,
        /// The address.
        from: Typed,
        /// The alignment that is promised, in bytes; 1 if none is.
        align: u64,
        /// True if the load must happen: it is volatile or atomic.
        volatile: bool,
    },
    /// A store to an address.
    Store {
        /// The stored value.
        value: Typed,
        /// The address.
        to: Typed,
        /// The alignment that is promised, in bytes; 1 if none is.
        align: u64,
        /// True if the store must happen: it is volatile or atomic.
        volatile: bool,
    },
    /// An atomic operation on an address with a value.
    Atomic(Typed, Typed),
    /// An address within another one: the type of the elements, base and indices.
    Element(Type, Vec<Typed>),
    /// Private memory for this many values of a type, and the name of its address.
    Allocate(Type, Typed, Arc<str>),
    /// A call.
    Call {
        /// The function.
        callee: Callee,
        /// The type that the function returns.
        returns: Type,
        /// The arguments in order.
        arguments: Vec<Typed>,
        /// The least and the greatest alignment that are promised of pointers among the arguments, in bytes; 1 if none is.
        align: [u64; 2],
    },
    /// An element of a vector.
    Extract(Typed, Typed),
    /// A vector with one other element: vector, element and position.
    Insert([Typed; 3]),
    /// The elements of two vectors that a constant vector names.
    Shuffle([Typed; 3]),
    /// A field of a structure or an array that is a value, by the positions on the way to it.
    ExtractValue(Typed, Vec<usize>),
    /// A structure or an array with another field.
    InsertValue(Type),
    /// A fence: no load or store moves across.
    Fence,
    /// An instruction that leaves no trace, such as a record of the debugger.
    Nothing,
    /// Goes on with a block.
    Jump(BlockId),
    /// Goes on with the first block if the operand is true, else with the second.
    Branch(Typed, [BlockId; 2]),
    /// Goes on with the block of the operand's value, or with the last one.
    Switch(Typed, Vec<(i64, BlockId)>, BlockId),
    /// Returns from the function.
    Return,
    /// Is never reached.
    Unreachable,
}

impl Kind {
    /// The blocks that may follow, without doubles.
    #[must_use]
    pub fn successors(&self) -> Vec<BlockId> {
        let mut all: Vec<BlockId> = match self {
            Self::Jump(to) => vec![*to],
            Self::Branch(_, both) => both.to_vec(),
            Self::Switch(_, cases, other) => cases.iter().map(|(_, block)| *block).chain([*other]).collect(),
            _ => Vec::new(),
        };
        let mut seen = Vec::new();
        all.retain(|block| {
            !seen.contains(block) && {
                seen.push(*block);
                true
            }
        });
        all
    }

    /// True for an instruction that leaves its block.
    #[must_use]
    pub fn leaves(&self) -> bool {
        matches!(self, Self::Jump(_) | Self::Branch(..) | Self::Switch(..) | Self::Return | Self::Unreachable)
    }
}
