//! The problems that a place in a spec can have.

use std::ops::Range;

use thiserror::Error;

use super::super::document::Trap;
use super::super::expression::{Fault, Function};
use autotune_base::text::{list, nearest};
use autotune_kernel::source::{READ_LANGUAGES, UnreadLanguage};

/// A problem at a place in a spec.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the message of a variant says what its fields are")]
pub enum Problem {
    /// A file beyond the largest size of a spec.
    #[error("a spec has at most {most} bytes, this one has {found} or more")]
    FileTooLarge { most: usize, found: usize },
    /// A text that is not valid YAML.
    #[error("{message}")]
    Yaml { message: String, trap: Option<Trap> },
    /// A file with nothing but comments.
    #[error("the file is empty")]
    Empty,
    /// A `---` after the first document.
    #[error("a spec is one YAML document; a second document begins here")]
    SecondDocument,
    /// Too many nodes, usually by aliases of aliases.
    #[error("the spec has more than {most} YAML nodes once its aliases are expanded")]
    TooManyNodes { most: usize },
    /// Statements that are nested too deep.
    #[error("statements are nested more than {deepest} levels deep")]
    TooDeep { deepest: usize },
    /// A value of the wrong kind: a list, a mapping or a scalar where another of these must be.
    #[error("expected {expected}")]
    Shape { expected: &'static str },
    /// A source in a language that is not read.
    #[error("{0}")]
    UnreadLanguage(UnreadLanguage),
    /// A list of the wrong length.
    #[error("expected a list of {expected}, found {found}")]
    WrongLength { expected: &'static str, found: usize },
    /// More entries of one kind than a spec may have.
    #[error("the spec has more than {most} {what}")]
    TooMany { what: &'static str, most: usize },
    /// A key, a statement or a word that does not exist.
    #[error("unknown key or word `{key}`")]
    UnknownKey { key: String, nearest: Option<String>, known: Vec<&'static str> },
    /// A required key that is missing.
    #[error("the key `{key}` is missing in this mapping")]
    MissingKey { key: &'static str },
    /// A spec without statements and without a source.
    #[error("this spec has neither a `body` nor a `source`")]
    NoBody,
    /// Configurations beside parameters.
    #[error("a spec has `parameters` or lists its `configurations`, not both")]
    ListedTwice,
    /// A listed configuration with other names than the first, or a value beside the integers.
    #[error("each of the `configurations` gives each parameter of the first one an integer")]
    ListedValues,
    /// A body that states that its launch is repeated.
    #[error("`warm` is for a launch of a `source`: a body states what it reads from DRAM by its footprints")]
    WarmBody,
    /// Triton's form of a launch for a kernel in another language.
    #[error("`programs` is the launch of a kernel in Triton; other kernels have `work_items` and `work_group`")]
    ProgramsOfOther,
    /// A launch of a kernel in Triton that is not in Triton's form.
    #[error("a kernel in Triton is launched by `programs`: the compiler says how many work items each has")]
    WorkItemsOfTriton,
    /// A launch with both forms of its size.
    #[error("this launch has both `work_items` and `problem_size`")]
    WorkItemsTwice,
    /// A size of local memory that is given at launch, without a source that leaves it open.
    #[error("`shared` is the local memory that a source leaves open, and this spec names no source")]
    SharedOfBody,
    /// A value that is not an argument's.
    #[error("{found} is not an argument's value")]
    BadArgument { found: String },
    /// A key that appears twice in one mapping.
    #[error("the key `{key}` appears twice in this mapping")]
    DuplicateKey { key: String },
    /// A second key beside the keyword of a statement or a domain.
    #[error("the keyword of this entry has a second key beside it")]
    SecondKey,
    /// Two keys that state the same property in different ways.
    #[error("`{}` and `{}` exclude each other", keys[0], keys[1])]
    EitherOr { keys: [&'static str; 2] },
    /// A key that has no meaning without another.
    #[error("`{key}` needs `{with}` beside it")]
    OnlyWith { key: &'static str, with: &'static str },
    /// A load with the key `atomic`.
    #[error("only a `store` can be `atomic`")]
    AtomicLoad,
    /// An atomic store that does not say which elements the groups share.
    #[error("an `atomic` store needs an `index`, or `together` in its `footprint`")]
    AtomicNowhere,
    /// A YAML tag, most likely a `!` that was meant as "not".
    #[error("YAML reads `{tag}` as a tag, and a spec has no tags")]
    Tag { tag: String },
    /// An alias without its anchor, most likely a product.
    #[error("YAML reads this `*` as an alias, but no anchor has this name")]
    UnknownAlias,
    /// A malformed name of the kernel.
    #[error("a kernel's name must consist of 1 to {longest} letters, digits, `_`, `.` and `-`")]
    BadKernelName { longest: usize },
    /// A malformed name.
    #[error("a name must consist of 1 to {longest} letters, digits and `_`, and must not begin with a digit")]
    BadName { longest: usize },
    /// A function or a constant of the expressions, used as a name.
    #[error("the name `{name}` is reserved: expressions use it")]
    ReservedName { name: String },
    /// A name that is defined twice.
    #[error("the name `{name}` is already taken")]
    NameTaken { name: String },
    /// A reference to a parameter that does not exist.
    #[error("the spec has no parameter `{name}`")]
    UnknownParameter { name: String, nearest: Option<String>, known: Vec<String> },
    /// An entry of `varies` that is not a subject of the kernel.
    #[error("`{name}` is neither an array that the kernel stores to, nor a kind of operation, nor `matrix`")]
    UnknownSubject { name: String, nearest: Option<String>, known: Vec<String> },
    /// A wait for a queue in which nothing is started.
    #[error("no statement starts anything in the queue `{name}`")]
    UnknownQueue { name: String, nearest: Option<String>, known: Vec<String> },
    /// A key of an access that another kind of statement has.
    #[error("a `{keyword}` has no `{key}`")]
    NotOf { keyword: &'static str, key: &'static str },
    /// A value that a domain lists twice.
    #[error("the domain lists the value {value} twice")]
    DuplicateValue { value: i64 },
    /// Domains that are too large to be enumerated.
    #[error("the domains together have more than {most} values")]
    DomainTooLarge { most: usize },
    /// A range without a value.
    #[error("the range has no value")]
    EmptyDomain,
    /// More configurations than can be counted.
    #[error("the space has more configurations than 128 bits can count")]
    SpaceTooLarge,
    /// A list, a mapping or an empty value where an expression must be.
    #[error("expected an expression, found {found}")]
    NoExpression { found: &'static str, trap: Option<Trap> },
    /// A comma ended an expression too early.
    #[error("YAML ends the expression at its comma")]
    CutAtComma,
    /// A character that expressions do not use.
    #[error("unexpected character `{}` in an expression", visible(*found))]
    UnexpectedCharacter { found: char },
    /// A word in the wrong place; `None` is the end of the expression.
    #[error("expected {expected}, found {}", quoted(found.as_deref()))]
    Expected { expected: &'static str, found: Option<String>, trap: Option<Trap> },
    /// An operator of Python, which an expression writes as a sign.
    #[error("`{word}` is not an operator of an expression")]
    WordForSign { word: &'static str, sign: &'static str },
    /// A preference that is neither an aim nor a condition.
    #[error("`{expression}` is not a preference: it is not a condition, and it has neither `max` nor `min` before it")]
    NoPreference { expression: String },
    /// A number with a fraction, an exponent or a unit.
    #[error("`{found}` is not an integer")]
    NotAnInteger { found: String },
    /// A fraction where only an integer has a meaning.
    #[error("a fraction stands where only an integer has a meaning")]
    MisplacedFraction,
    /// A mean number of accesses with a counter.
    #[error("`var` counts the accesses of a work item, but `per_item` is a mean, not a count")]
    CountedMean,
    /// A number beyond 64 bits.
    #[error("`{found}` does not fit 64 bits")]
    NumberTooLarge { found: String },
    /// Too many words or characters.
    #[error("the expression has more than {most} {what}")]
    ExpressionTooLong { what: &'static str, most: usize },
    /// Too many parentheses.
    #[error("the expression is nested more than {deepest} levels deep")]
    ExpressionTooDeep { deepest: usize },
    /// A name that is not defined.
    #[error("unknown name `{name}`")]
    UnknownName { name: String, nearest: Option<String>, in_preference: bool },
    /// A function that does not exist.
    #[error("unknown function `{name}`")]
    UnknownFunction { name: String, nearest: Option<String> },
    /// A function of Python that conditions do not support.
    #[error("the function `{name}` is not supported in a condition")]
    NoPythonFunction { name: String },
    /// A type whose values are not integers.
    #[error("parameters of type `{found}` cannot be tuned")]
    UnsupportedType { found: String },
    /// A value that its type does not have.
    #[error("`{value}` is not a value of type `{of}`")]
    NotOfType { value: i64, of: &'static str },
    /// A part of a list that cannot be evaluated.
    #[error("a value of this list cannot be computed: {fault}")]
    NoValue { fault: Fault },
    /// An unknown name in a list of values.
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
    /// A name that is known only in another place.
    #[error("`{name}` is known in `{place}` only")]
    OnlyIn { name: String, place: &'static str },
    /// A number of iterations in a distribution that is not one.
    #[error("`{found}` is not a number of iterations: an integer from 0 to 2^63 - 1")]
    BadCount { found: String },
    /// A probability in a distribution that is not one.
    #[error("`{found}` is not a probability: a number above 0 and at most 1, of at most nine decimals")]
    BadProbability { found: String },
    /// A number of iterations that a distribution has twice.
    #[error("the distribution has the count {count} twice")]
    CountTwice { count: i64 },
    /// Probabilities of a distribution that leave something out.
    #[error("the probabilities of the counts add up to {sum}, not to 1")]
    ProbabilitySum { sum: String },
    /// A mean where only a count has a meaning.
    #[error("`mean` is known only where a mean may stand, as in `per_item`")]
    MeanElsewhere,
    /// A name of the spec that is also built in where it is used.
    #[error("`{name}` is ambiguous here: the spec defines it, and it is also a built-in name")]
    Ambiguous { name: String },
}

impl Problem {
    /// The message for the text of options, which has keys that a user did not write; `None` if the usual one fits.
    pub(super) fn of_options(&self) -> Option<String> {
        match self {
            Self::MissingKey { key } => Some(format!("the option `--{}` is missing", key.replace('_', "-"))),
            Self::DuplicateKey { key } => Some(format!("`{key}` is given twice")),
            _ => None,
        }
    }

    pub(in crate::spec) fn unknown_function(name: &str) -> Self {
        Self::UnknownFunction { name: name.to_owned(), nearest: nearest(name, Function::ALL.map(Function::name)) }
    }

    /// Returns advice that corrects the problem; `None` if the message says it already.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        let meant = self.meant().map(|nearest| format!("did you mean `{nearest}`?"));
        let quotes = || self.trap().map(Trap::advice);
        meant.or_else(quotes).or_else(|| self.choices()).or_else(|| self.advice().map(str::to_owned))
    }

    /// True if the replacement of a word may have caused the problem.
    pub(in crate::spec) fn may_come_of_mending(&self) -> bool {
        matches!(self, Self::Yaml { .. } | Self::Shape { .. })
    }

    /// The word that was probably meant.
    fn meant(&self) -> Option<&str> {
        match self {
            Self::UnknownName { nearest, .. }
            | Self::UnknownParameter { nearest, .. }
            | Self::UnknownSubject { nearest, .. }
            | Self::UnknownQueue { nearest, .. }
            | Self::UnknownFunction { nearest, .. }
            | Self::UnknownKey { nearest, .. } => nearest.as_deref(),
            _ => None,
        }
    }

    /// The rule of YAML that may have broken an expression.
    fn trap(&self) -> Option<Trap> {
        match self {
            Self::Yaml { trap, .. } | Self::Expected { trap, .. } | Self::NoExpression { trap, .. } => *trap,
            Self::CutAtComma => Some(Trap::Comma),
            Self::Tag { .. } => Some(Trap::First('!')),
            Self::UnknownAlias => Some(Trap::First('*')),
            _ => None,
        }
    }

    /// The list of the words that are allowed, or the sign that stands for a word.
    fn choices(&self) -> Option<String> {
        match self {
            Self::WordForSign { word, sign } => Some(format!("write `{sign}` for `{word}`")),
            Self::UnknownKey { known, .. } => Some(format!("expected one of {}", list(known))),
            Self::UnknownFunction { .. } => {
                Some(format!("the functions are {}", list(&Function::ALL.map(Function::name))))
            }
            Self::UnknownParameter { known, .. } if known.is_empty() => Some("the spec has no parameters".to_owned()),
            Self::UnreadLanguage(_) => Some(READ_LANGUAGES.to_owned()),
            Self::UnknownSubject { known, .. } => Some(format!("`varies` may list {}", list(known))),
            Self::UnknownQueue { known, .. } if known.is_empty() => {
                Some("give `queue` to the `copy`, `load`, `local` or `matrix` that is waited for".to_owned())
            }
            Self::UnknownQueue { known, .. } => Some(format!("its queues are {}", list(known))),
            Self::UnknownParameter { known, .. } => Some(format!("its parameters are {}", list(known))),
            _ => None,
        }
    }

    fn advice(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotAnInteger { .. } => {
                "a spec's numbers are integers in decimal digits, except for a mean, as in `per_item` (up to 9 decimals): \
                 choose a smaller unit, or write a quotient"
            }
            Self::SharedOfBody => "state the whole: `resources: { local_memory: BYTES, dynamic: true }`",
            Self::BadArgument { .. } => {
                "an argument is an integer or an expression, a number such as `1.5`, `true`, `false`, `local BYTES` of local \
                 memory, or `global BYTES`, the size of an array"
            }
            Self::SecondKey => "begin every statement with `- `, and indent its own keys under its keyword",
            Self::NotInDomain { .. } => {
                "domains may use problem sizes and `gpu.` names; write a condition between parameters as a constraint"
            }
            Self::UnknownInList { .. } => "a list may use only the name of its own `for`: `[2**i for i in range(5)]`",
            Self::NoPythonFunction { .. } => "a condition may use the functions `min`, `max` and `abs`",
            Self::UnsupportedType { .. } => {
                "the types are `int`, `uint` and `bool`: number the choices, and state in the spec the effect of each number"
            }
            Self::NotOfType { .. } => "`uint` has values from 0, `bool` has 0 and 1, `int` has all",
            Self::NotYetDefined { .. } => "a `let` may use those above it",
            Self::ReservedName { .. }
            | Self::NameTaken { .. }
            | Self::Ambiguous { .. }
            | Self::BadName { .. }
            | Self::BadKernelName { .. } => "choose another name",
            Self::UnknownName { in_preference: true, .. } => {
                "a preference may use problem sizes, parameters, `let`s, `gpu.` names, and the configuration's `work_group`, \
                 `registers` and `local_memory`"
            }
            Self::UnknownName { .. } => "an expression may use problem sizes, parameters, `let`s and `gpu.` names",
            Self::NoPreference { .. } => "a preference is `max E`, `min E`, or a condition such as `WG == 256`",
            _ => return self.remedy(),
        })
    }

    /// Advice for parts that are too large, contradictory or stated twice.
    fn remedy(&self) -> Option<&'static str> {
        Some(match self {
            Self::SecondDocument => "write every spec into a file of its own",
            Self::TooManyNodes { .. } => "write fewer or smaller aliases",
            Self::DuplicateKey { .. } | Self::DuplicateValue { .. } => "remove one of the two",
            Self::EitherOr { .. } => "keep one of the two",
            Self::OnlyWith { .. } => "state both, or neither",
            Self::NotOf { .. } => "remove the key",
            Self::AtomicLoad => "write the operation as a `store`, and a `load` of the element if its result is used",
            Self::AtomicNowhere => {
                "operations on one address wait for each other: state the subscripts, or the bytes that all groups change"
            }
            Self::EmptyDomain => "no number, or no power of two, lies between its ends: correct them",
            Self::DomainTooLarge { .. } => "shorten a domain, for example by a larger step",
            Self::SpaceTooLarge => "remove parameters or values",
            Self::BadCount { .. } | Self::BadProbability { .. } => {
                "a distribution lists counts, each with its probability: `{ 10: 0.75, 14: 0.25 }`, or `10:0.75,14:0.25`"
            }
            Self::CountTwice { .. } => "state it once, with the sum of the two probabilities",
            Self::ProbabilitySum { .. } => {
                "correct a probability, or add the count that is missing; a thousandth may be missing"
            }
            Self::CountedMean => "remove `var`, or make `per_item` an integer",
            Self::NumberTooLarge { .. } => "choose a larger unit",
            Self::MisplacedFraction => {
                "a fraction may only be added, subtracted, multiplied, divided, passed to `min` and `max`, and chosen by \
                 `? :`"
            }
            _ => return None,
        })
    }
}

/// A problem in an expression and the bytes of the expression's text that have it.
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

/// A character between backquotes. Only invisible characters are escaped.
fn visible(character: char) -> String {
    if character.is_ascii_graphic() { character.to_string() } else { character.escape_debug().to_string() }
}

fn quoted(found: Option<&str>) -> String {
    found.map_or_else(|| "the end of the expression".to_owned(), |word| format!("`{word}`"))
}
