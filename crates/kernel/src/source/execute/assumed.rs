//! Assumed contents of arrays of integers.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An assumption about the elements of an array of integers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AssumedContents {
    /// The value of each element.
    pub elements: AssumedElements,
    /// The bytes of an element; `None` if each load says it by its type.
    pub bytes: Option<u64>,
}

/// The values of an array's elements.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AssumedElements {
    /// Element i holds i.
    Identity,
    /// Each element holds this number.
    Number(i64),
    /// Element i holds what a rule says.
    Rule(ElementRule),
}

/// A rule for the elements of an array.
#[derive(Clone)]
pub struct ElementRule {
    /// A text that has all that the rule depends on: rules of equal texts are equal.
    pub text: String,
    /// The value of an element; `None` if it has none.
    pub value: Arc<dyn Fn(i64) -> Option<i64> + Send + Sync>,
}

impl fmt::Debug for ElementRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ElementRule").field(&self.text).finish()
    }
}

impl PartialEq for ElementRule {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for ElementRule {}

impl Hash for ElementRule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}
