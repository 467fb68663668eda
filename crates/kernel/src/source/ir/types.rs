//! Types of values.

use std::sync::Arc;

/// The number of an address space, whose meaning depends on the target.
pub type AddressSpace = u32;

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// No value.
    Void,
    /// An integer of this many bits.
    Integer(u32),
    /// A floating-point number of this many bits.
    Float(u32),
    /// An address; it has 64 bits.
    Pointer(AddressSpace),
    /// A vector of this many elements.
    Vector(u64, Arc<Type>),
    /// An array of this many elements.
    Array(u64, Arc<Type>),
    /// A structure, its fields in order; true if it is packed.
    Structure(Arc<[Type]>, bool),
    /// A structure by its name in the module.
    Named(Arc<str>),
    /// Any other type: a label, a token, a target's own.
    Other,
}

impl Type {
    /// The elements of a vector; 1 for other types.
    #[must_use]
    pub fn elements(&self) -> u64 {
        if let Self::Vector(count, _) = self { *count } else { 1 }
    }

    /// The type of an element of a vector; the type itself for others.
    #[must_use]
    pub fn element(&self) -> &Self {
        if let Self::Vector(_, element) = self { element } else { self }
    }

    /// True for floating-point numbers and vectors of them.
    #[must_use]
    pub fn is_float(&self) -> bool {
        matches!(self.element(), Self::Float(_))
    }

    /// The bits of a floating-point number or of a vector's element; `None` for other types.
    #[must_use]
    pub fn float_bits(&self) -> Option<u32> {
        if let Self::Float(bits) = self.element() { Some(*bits) } else { None }
    }

    /// The bits of an integer, of a pointer or of a vector's element; `None` for other types.
    #[must_use]
    pub fn bits(&self) -> Option<u32> {
        match self.element() {
            Self::Integer(bits) => Some(*bits),
            Self::Pointer(_) => Some(64),
            _ => None,
        }
    }
}
