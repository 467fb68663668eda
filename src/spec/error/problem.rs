//! What can be wrong at a place in a spec.

use std::ops::Range;

use thiserror::Error;

use super::super::document::Trap;
use super::super::expression::{Fault, Function};
use crate::text::{list, nearest};

/// What is wrong at a place in a spec.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the message of a variant says what its fields are")]
pub enum Problem {
    /// The file is beyond what a spec can need.
    #[error("a spec has at most {most} bytes, this one has {found}")]
    FileTooLarge { most: usize, found: usize },
    /// No YAML.
    #[error("{message}")]
    Yaml { message: String, trap: Option<Trap> },
    /// Nothing but comments.
    #[error("the file is empty")]
    Empty,
    /// A `---` after the first document.
    #[error("a spec is one YAML document, here begins a second")]
    SecondDocument,
    /// Aliases that multiply.
    #[error("the spec, its aliases expanded, has more than {most} nodes")]
    TooManyNodes { most: usize },
    /// Statements in statements in statements.
    #[error("a body is nested at most {deepest} deep")]
    TooDeep { deepest: usize },
    /// A list, a mapping or a scalar where another of these must be.
    #[error("expected {expected}")]
    Shape { expected: &'static str },
    /// A list of the wrong length.
    #[error("expected a list of {expected}, found {found}")]
    WrongLength { expected: &'static str, found: usize },
    /// More than a spec can need.
    #[error("a spec has at most {most} {what}")]
    TooMany { what: &'static str, most: usize },
    /// A key, a statement or a word that there is not.
    #[error("unknown key or word `{key}`")]
    UnknownKey { key: String, nearest: Option<String>, known: Vec<&'static str> },
    /// A key that must be there.
    #[error("the key `{key}` is missing in this mapping")]
    MissingKey { key: &'static str },
    /// The same key twice in one mapping.
    #[error("the key `{key}` is here a second time")]
    DuplicateKey { key: String },
    /// A statement with two keywords.
    #[error("a second key beside the one that says what this is")]
    SecondKey,
    /// Two keys that say the same in different ways.
    #[error("`{}` and `{}` cannot both be stated", keys[0], keys[1])]
    EitherOr { keys: [&'static str; 2] },
    /// A key that means nothing alone.
    #[error("`{key}` needs `{with}` beside it")]
    OnlyWith { key: &'static str, with: &'static str },
    /// A YAML tag, most likely a `!` that was meant as "not".
    #[error("`{tag}` is a tag to YAML, and a spec has none")]
    Tag { tag: String },
    /// An alias without its anchor, most likely a product.
    #[error("YAML reads this `*` as an alias, and there is no anchor of this name")]
    UnknownAlias,
    /// What should be a kernel's name.
    #[error("a kernel's name is 1 to {longest} letters, digits, `_`, `.` and `-`")]
    BadKernelName { longest: usize },
    /// What should be a name.
    #[error("a name is 1 to {longest} letters, digits and `_`, the first no digit")]
    BadName { longest: usize },
    /// A function's name.
    #[error("`{name}` means something else in expressions")]
    ReservedName { name: String },
    /// A name with two meanings.
    #[error("the name `{name}` is already taken")]
    NameTaken { name: String },
    /// A role for a parameter that there is not.
    #[error("the spec has no parameter `{name}`")]
    UnknownParameter { name: String, nearest: Option<String>, known: Vec<String> },
    /// What does not vary because nobody does it.
    #[error("the kernel stores to no array `{name}`, and there is no such kind of operations")]
    UnknownSubject { name: String, nearest: Option<String>, known: Vec<String> },
    /// A parameter that changes nothing.
    #[error("no launch, resource, statement or constraint of the spec uses the parameter `{name}`")]
    UnusedParameter { name: String },
    /// A value that a domain lists twice.
    #[error("{value} is already in this domain")]
    DuplicateValue { value: i64 },
    /// Domains beyond what can be enumerated.
    #[error("the domains have together more than {most} values")]
    DomainTooLarge { most: usize },
    /// More configurations than can be counted.
    #[error("the space has more configurations than 128 bits can count")]
    SpaceTooLarge,
    /// A list, a mapping or nothing where an expression must be.
    #[error("expected an expression, found {found}")]
    NoExpression { found: &'static str, trap: Option<Trap> },
    /// A comma ended an expression too early.
    #[error("YAML ends the expression at its comma")]
    CutAtComma,
    /// A character that no expression has.
    #[error("an expression has no `{}`", visible(*found))]
    UnexpectedCharacter { found: char },
    /// A word that cannot stand where it is; none is the end of the expression.
    #[error("expected {expected}, found {}", quoted(found.as_deref()))]
    Expected { expected: &'static str, found: Option<String>, trap: Option<Trap> },
    /// A preference that says nothing.
    #[error("`{expression}` is no condition, and neither `max` nor `min` stands before it")]
    NoPreference { expression: String },
    /// A number with a fraction, an exponent or a unit.
    #[error("`{found}` is not an integer")]
    NotAnInteger { found: String },
    /// A fraction where it has no meaning.
    #[error(
        "a fraction can be added, multiplied, divided, compared by `min` and `max`, and chosen by `? :`; nothing else"
    )]
    MisplacedFraction,
    /// A mean number of accesses with a counter.
    #[error("`var` counts the accesses of a work item, and `per_item` is a mean")]
    CountedMean,
    /// A number beyond 64 bits.
    #[error("`{found}` does not fit 64 bits")]
    NumberTooLarge { found: String },
    /// Too many words or characters.
    #[error("an expression has at most {most} {what}")]
    ExpressionTooLong { what: &'static str, most: usize },
    /// Too many parentheses.
    #[error("an expression is nested at most {deepest} deep")]
    ExpressionTooDeep { deepest: usize },
    /// A name that nobody defines.
    #[error("unknown name `{name}`")]
    UnknownName { name: String, nearest: Option<String>, in_preference: bool },
    /// A function that there is not.
    #[error("unknown function `{name}`")]
    UnknownFunction { name: String, nearest: Option<String> },
    /// A function of Python that no condition needs.
    #[error("the function `{name}` is not known in a condition")]
    NoPythonFunction { name: String },
    /// A type of values that are no integers.
    #[error("parameters of type `{found}` cannot be tuned here")]
    UnsupportedType { found: String },
    /// A value that its type does not have.
    #[error("`{value}` is no value of type `{of}`")]
    NotOfType { value: i64, of: &'static str },
    /// A part of a list that has no value.
    #[error("a value of this list cannot be computed: {fault}")]
    NoValue { fault: Fault },
    /// A name in a list of values.
    #[error("unknown name `{name}`")]
    UnknownInList { name: String },
    /// Too few or too many arguments.
    #[error("`{function}` takes {takes}, found {given}")]
    WrongArguments { function: &'static str, takes: &'static str, given: usize },
    /// A parameter or a `let` in a domain.
    #[error("`{name}` cannot be used in a domain")]
    NotInDomain { name: String },
    /// A `let` that uses one below it, or itself.
    #[error("`{name}` is not yet defined here")]
    NotYetDefined { name: String },
    /// A name that is known elsewhere only.
    #[error("`{name}` is known in `{place}` only")]
    OnlyIn { name: String, place: &'static str },
    /// A name of the spec that has a meaning of its own where it is used.
    #[error("`{name}` is ambiguous here: the spec defines it, and it has a meaning of its own")]
    Ambiguous { name: String },
}

impl Problem {
    pub(in crate::spec) fn unknown_function(name: &str) -> Self {
        Self::UnknownFunction { name: name.to_owned(), nearest: nearest(name, Function::ALL.map(Function::name)) }
    }

    /// How to mend it, where that can be said.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        let meant = self.meant().map(|nearest| format!("did you mean `{nearest}`?"));
        let quotes = || self.trap().map(Trap::advice);
        meant.or_else(quotes).or_else(|| self.choices()).or_else(|| self.advice().map(str::to_owned))
    }

    /// Whether a text may have it only because a word of it was replaced.
    pub(in crate::spec) fn may_come_of_mending(&self) -> bool {
        matches!(self, Self::Yaml { .. } | Self::Shape { .. })
    }

    /// The word that was probably meant.
    fn meant(&self) -> Option<&str> {
        match self {
            Self::UnknownName { nearest, .. }
            | Self::UnknownParameter { nearest, .. }
            | Self::UnknownSubject { nearest, .. }
            | Self::UnknownFunction { nearest, .. }
            | Self::UnknownKey { nearest, .. } => nearest.as_deref(),
            _ => None,
        }
    }

    /// What of YAML made something else of an expression.
    fn trap(&self) -> Option<Trap> {
        match self {
            Self::Yaml { trap, .. } | Self::Expected { trap, .. } | Self::NoExpression { trap, .. } => *trap,
            Self::CutAtComma => Some(Trap::Comma),
            Self::Tag { .. } => Some(Trap::First('!')),
            Self::UnknownAlias => Some(Trap::First('*')),
            _ => None,
        }
    }

    /// All words that could have been meant.
    fn choices(&self) -> Option<String> {
        match self {
            Self::UnknownKey { known, .. } => Some(format!("expected one of {}", list(known))),
            Self::UnknownFunction { .. } => {
                Some(format!("the functions are {}", list(&Function::ALL.map(Function::name))))
            }
            Self::UnknownParameter { known, .. } if known.is_empty() => Some("it has none".to_owned()),
            Self::UnknownSubject { known, .. } => Some(format!("what may vary is {}", list(known))),
            Self::UnknownParameter { known, .. } => Some(format!("its parameters are {}", list(known))),
            _ => None,
        }
    }

    fn advice(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotAnInteger { .. } => {
                "the numbers of a spec are integers in decimal digits, but for a mean in `per_item` (up to nine decimals): \
                 choose a smaller unit, or write a quotient"
            }
            Self::SecondKey => "begin every statement with `- `, and indent its own keys under its keyword",
            Self::NotInDomain { .. } => {
                "domains may use problem sizes and `gpu.` names; what depends on a parameter is a constraint"
            }
            Self::UnknownInList { .. } => "the one name in a list is that of its `for`: `[2**i for i in range(5)]`",
            Self::NoPythonFunction { .. } => "the functions of a condition are `min`, `max` and `abs`",
            Self::UnsupportedType { .. } => {
                "the types are `int`, `uint` and `bool`: give the choices numbers, and write what they mean into the spec"
            }
            Self::NotOfType { .. } => "those of `uint` are 0 and above, those of `bool` 0 and 1; `int` has all",
            Self::UnusedParameter { .. } => {
                "its values are all alike to the tool: use it in the spec, give it one value, or name it in `unused` of the spec"
            }
            Self::NotYetDefined { .. } => "a `let` may use those above it",
            Self::ReservedName { .. } | Self::NameTaken { .. } | Self::Ambiguous { .. } => "choose another name",
            Self::UnknownName { in_preference: true, .. } => {
                "names are problem sizes, parameters, `let`s, those that begin with `gpu.`, and `work_group`, `registers` and \
                 `local_memory` of the configuration"
            }
            Self::UnknownName { .. } => "names are problem sizes, parameters, `let`s and those that begin with `gpu.`",
            Self::NoPreference { .. } => "a preference is `max E`, `min E`, or a condition such as `WG == 256`",
            Self::TooManyNodes { .. } => "write fewer or smaller aliases",
            _ => return None,
        })
    }
}

/// A problem in an expression; the range is that of the expression's text.
#[derive(Debug)]
pub(in crate::spec) struct Flaw {
    pub(in crate::spec) problem: Problem,
    pub(in crate::spec) range: Range<usize>,
}

impl Flaw {
    pub(in crate::spec) fn new(problem: Problem, range: Range<usize>) -> Self {
        Self { problem, range }
    }
}

/// A character as it stands between backquotes: only what cannot be seen is escaped.
fn visible(character: char) -> String {
    if character.is_ascii_graphic() { character.to_string() } else { character.escape_debug().to_string() }
}

fn quoted(found: Option<&str>) -> String {
    found.map_or_else(|| "the end of the expression".to_owned(), |word| format!("`{word}`"))
}
