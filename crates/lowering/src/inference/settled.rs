//! A launch in terms: groups, work items, local memory and arguments, and the arguments of the kernel's template.

use super::function::{Formal, Function};
use super::launches::{Extent, Launch, Passed};
use super::resolve::{Resolver, Sizes, Symbol, SymbolKind};
use super::term::{Sign, Term};
use super::usage::Usage;
use super::value::{self, Value};
use autotune_kernel::source::Word;

/// A launch in terms of symbols.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    pub(super) extent: Extent,
    pub(super) group: Option<Sizes>,
    pub(super) shared: Option<Term>,
    /// The integers that are passed, by the kernel's arguments.
    pub(super) arguments: Vec<(String, Argument)>,
    pub(super) template: Vec<TemplateArgument>,
    /// The numbers of the text that became symbols, by the arguments of the template.
    pub(super) instances: Vec<Option<i64>>,
    /// The parameters of the kernel's template that the text names no argument for, with those that stand for them.
    pub(super) guessed: Vec<(String, String)>,
    /// True if a rule that may be wrong made a number of the text a symbol.
    pub(super) is_tied: bool,
}

/// A known argument of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Argument {
    Integer(Term),
    Local(Term),
    /// A number with a point.
    Real(String),
}

/// An argument of a kernel's template.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TemplateArgument {
    Integer(Term),
    Type(String),
}

impl TemplateArgument {
    pub(super) fn written(&self) -> String {
        match self {
            Self::Integer(term) => term.written(),
            Self::Type(name) => name.clone(),
        }
    }
}

/// Words in names of what is tuned.
const TUNED: [&str; 22] = [
    "block",
    "tile",
    "thread",
    "unroll",
    "wg",
    "wpt",
    "items",
    "stage",
    "vec",
    "chunk",
    "workgroup",
    "group",
    "warps",
    "ts",
    "bm",
    "bn",
    "bk",
    "tm",
    "tn",
    "local",
    "tpb",
    "coarse",
];

/// True for a name that speaks of what is tuned.
pub(super) fn sounds_tuned(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    // The size of a warp is the GPU's.
    if lower.contains("warp") && ["size", "per_warp", "threads", "lanes"].iter().any(|word| lower.contains(word)) {
        return false;
    }
    let mut words = lower.split('_');
    TUNED.iter().any(|word| if word.len() > 3 { lower.contains(word) } else { words.clone().any(|own| own == *word) })
        || words.any(|own| matches!(own, "threads" | "blocks" | "tiles"))
}

/// A launch of the kernel in terms.
pub(super) fn settled<'p, 'a>(
    resolver: &Resolver<'p, 'a>,
    kernel: &Function<'a>,
    launch: &Launch<'p, 'a>,
    usage: &Usage<'a>,
) -> Settled {
    let mut made = Settled {
        extent: launch.extent.clone(),
        group: launch.group.clone(),
        shared: launch.shared.clone(),
        arguments: arguments(resolver, kernel, launch),
        template: Vec::new(),
        instances: Vec::new(),
        guessed: Vec::new(),
        is_tied: false,
    };
    let scope = launch.scope();
    for (number, formal) in kernel.template.iter().enumerate() {
        let default = (!formal.default.is_empty()).then_some(&formal.default);
        let is_type = formal.of_type.iter().any(|word| matches!(word.text, "typename" | "class"));
        let Some(words) = launch.template.get(number).or(default) else {
            // The compiler finds the type by the arguments.
            let argument = made.guess(formal.name, if is_type { "float" } else { "1" });
            made.template.push(argument);
            made.instances.push(None);
            continue;
        };
        let term = if is_type { None } else { resolver.term(&value::value(words), scope) };
        made.instances.push(term.as_ref().and_then(Term::number));
        let guard = term.as_ref().and_then(Term::number).and_then(|number| launch.guard(number));
        let argument = match term {
            Some(Term::Number(number)) if guard.is_some() => {
                let symbol = of_template(resolver, kernel, formal.name, number);
                let value = guard.and_then(|guard| resolver.term(&Value::Name(guard, launch.at.byte), scope));
                if let Some(Term::Symbol(guarded)) = value {
                    made = made.replaced(&|term| match term {
                        Term::Symbol(own) if *own == guarded => Some(symbol.clone()),
                        _ => None,
                    });
                    made.is_tied = true;
                }
                TemplateArgument::Integer(symbol)
            }
            None => match of_caller(resolver, launch, &written(words)) {
                Some(name) => TemplateArgument::Type(name),
                None => made.guess(formal.name, "float"),
            },
            Some(Term::Number(number)) if made.may_tie(number) && is_tuned(formal, number, &made, usage) => {
                let symbol = of_template(resolver, kernel, formal.name, number);
                made.tie(number, &symbol);
                TemplateArgument::Integer(symbol)
            }
            Some(term) => TemplateArgument::Integer(term),
        };
        made.template.push(argument);
    }
    made
}

/// The text of the argument of a template.
fn written(words: &[Word<'_>]) -> String {
    let text = words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    text.replace(" :: ", "::").replace(" < ", "<").replace(" >", ">").replace(" ,", ",")
}

/// The symbol of a parameter of the kernel's template.
fn of_template(resolver: &Resolver<'_, '_>, kernel: &Function<'_>, name: &str, number: i64) -> Term {
    resolver.symbol(name, Symbol { default: Some(number), at: kernel.at(), kind: SymbolKind::Template, by_rule: false })
}

/// The type of a name: what all calls name, if it is a parameter of the calling function's template; `None` if they name none.
fn of_caller<'p, 'a>(resolver: &Resolver<'p, 'a>, launch: &Launch<'p, 'a>, name: &str) -> Option<String> {
    let is_parameter = launch.function.template.iter().any(|parameter| parameter.name == name);
    if is_parameter { resolver.type_of_calls(launch.function, name) } else { Some(name.to_owned()) }
}

/// True for the parameter of a template that decides the size of a group or of an array.
fn is_tuned(formal: &Formal<'_>, number: i64, launch: &Settled, usage: &Usage<'_>) -> bool {
    let is_truth = formal.of_type.iter().any(|word| word.text == "bool");
    let in_group = launch.group.iter().flatten().any(|size| size.number() == Some(number)) && number >= 8;
    !is_truth
        && (in_group
            || (sounds_tuned(formal.name)
                && (usage.in_local_arrays.contains(formal.name)
                    || usage.in_bounds.contains(formal.name)
                    || usage.in_private_arrays.contains(formal.name))))
}

/// Launches are alike but for the numbers that became symbols of their template.
impl PartialEq for Settled {
    fn eq(&self, other: &Self) -> bool {
        self.extent == other.extent
            && self.group == other.group
            && self.shared == other.shared
            && self.arguments == other.arguments
            && self.template == other.template
    }
}

impl Settled {
    /// An argument of the template that the text does not name.
    fn guess(&mut self, parameter: &str, argument: &str) -> TemplateArgument {
        self.guessed.push((parameter.to_owned(), argument.to_owned()));
        TemplateArgument::Type(argument.to_owned())
    }

    /// Puts a symbol in place of a number of the text that is its value: in the sizes of a group, and where the groups
    /// are divided by it.
    pub(super) fn tie(&mut self, number: i64, symbol: &Term) {
        let is_number = |term: &Term| term.number() == Some(number);
        if number < 8 || !self.group.iter().flatten().any(is_number) {
            return;
        }
        let own = |term: &Term| is_number(term).then(|| symbol.clone());
        if let Some(group) = &mut self.group {
            for size in group.iter_mut() {
                if let Some(symbol) = own(size) {
                    *size = symbol;
                }
            }
        }
        self.divide_by(number, symbol);
        self.share_by(number, symbol);
        self.is_tied = true;
    }

    /// True if local memory does not speak against a number of the text that becomes a symbol: it has symbols itself, or is a
    /// multiple of the number.
    pub(super) fn may_tie(&self, number: i64) -> bool {
        self.shared.as_ref().and_then(Term::number).is_none_or(|bytes| bytes.checked_rem(number) == Some(0))
    }

    /// Puts a symbol in place of a number that the bytes of local memory are a multiple of.
    pub(super) fn share_by(&mut self, number: i64, symbol: &Term) {
        if let Some(bytes) = self.shared.as_ref().and_then(Term::number) {
            self.shared = Some(Term::binary(Sign::Multiply, Term::Number(bytes / number), symbol.clone()));
        }
    }

    /// Puts a symbol in place of a number where the groups are divided by it.
    pub(super) fn divide_by(&mut self, number: i64, symbol: &Term) {
        let divided = |term: &Term| match term {
            Term::Binary(sign @ (Sign::Divide | Sign::CeilDiv), sides) if sides[1].number() == Some(number) => {
                Some(Term::binary(*sign, sides[0].clone(), symbol.clone()))
            }
            _ => None,
        };
        if let Extent::Groups(groups) = &mut self.extent {
            for size in groups.iter_mut() {
                *size = size.replaced(&divided);
            }
        }
    }

    /// All terms.
    pub(super) fn terms(&self) -> impl Iterator<Item = &Term> {
        let of_arguments = self.arguments.iter().filter_map(|(_, argument)| match argument {
            Argument::Integer(term) | Argument::Local(term) => Some(term),
            Argument::Real(_) => None,
        });
        let of_template = self.template.iter().filter_map(|argument| match argument {
            TemplateArgument::Integer(term) => Some(term),
            TemplateArgument::Type(_) => None,
        });
        self.extent()
            .iter()
            .chain(self.group.iter().flatten())
            .chain(&self.shared)
            .chain(of_template)
            .chain(of_arguments)
    }

    /// The groups or work items along each axis; none if the text is not followed.
    pub(super) fn extent(&self) -> &[Term] {
        match &self.extent {
            Extent::Groups(sizes) | Extent::WorkItems(sizes) => sizes,
            Extent::Unknown(_) => &[],
        }
    }

    /// The launch with other terms.
    pub(super) fn replaced(&self, other: &impl Fn(&Term) -> Option<Term>) -> Self {
        let all = |sizes: &Sizes| sizes.clone().map(|size| size.replaced(other));
        let argument = |argument: &Argument| match argument {
            Argument::Integer(term) => Argument::Integer(term.replaced(other)),
            Argument::Local(term) => Argument::Local(term.replaced(other)),
            Argument::Real(text) => Argument::Real(text.clone()),
        };
        let of_template = |argument: &TemplateArgument| match argument {
            TemplateArgument::Integer(term) => TemplateArgument::Integer(term.replaced(other)),
            TemplateArgument::Type(name) => TemplateArgument::Type(name.clone()),
        };
        Self {
            extent: match &self.extent {
                Extent::Groups(sizes) => Extent::Groups(all(sizes)),
                Extent::WorkItems(sizes) => Extent::WorkItems(all(sizes)),
                Extent::Unknown(text) => Extent::Unknown(text.clone()),
            },
            group: self.group.as_ref().map(all),
            shared: self.shared.as_ref().map(|shared| shared.replaced(other)),
            arguments: self.arguments.iter().map(|(name, own)| (name.clone(), argument(own))).collect(),
            template: self.template.iter().map(of_template).collect(),
            instances: self.instances.clone(),
            guessed: self.guessed.clone(),
            is_tied: self.is_tied,
        }
    }
}

/// The integers, local memory and numbers with a point that a launch passes, by the names of the kernel's arguments.
fn arguments<'p, 'a>(
    resolver: &Resolver<'p, 'a>,
    kernel: &Function<'a>,
    launch: &Launch<'p, 'a>,
) -> Vec<(String, Argument)> {
    let mut found = Vec::new();
    for (formal, passed) in kernel.parameters.iter().zip(&launch.arguments) {
        let argument = match passed {
            Passed::Local(bytes) => bytes.clone().map(Argument::Local),
            Passed::Value(Value::Unknown) => None,
            Passed::Value(value) if is_integer(resolver, formal) => {
                resolver.term(value, launch.scope()).map(Argument::Integer)
            }
            Passed::Value(Value::Decimal(text)) if is_real(formal) => {
                Some(Argument::Real(text.trim_end_matches(['f', 'F', 'l', 'L']).to_owned()))
            }
            Passed::Value(_) => None,
        };
        if let Some(argument) = argument.filter(|_| !formal.name.is_empty()) {
            found.push((formal.name.to_owned(), argument));
        }
    }
    found
}

/// True for an argument of a type of integers.
pub(super) fn is_integer(resolver: &Resolver<'_, '_>, formal: &Formal<'_>) -> bool {
    const QUALIFIERS: [&str; 6] = ["const", "__restrict__", "restrict", "__private", "private", "volatile"];
    let of_type: Vec<_> = formal.of_type.iter().filter(|word| !QUALIFIERS.contains(&word.text)).copied().collect();
    let is_named = |word: &Word<'_>| resolver.program.integer_types.contains(word.text);
    match of_type.as_slice() {
        [only] if is_named(only) => true,
        of_type => value::number_type(of_type).is_some_and(|(_, is_real)| !is_real),
    }
}

fn is_real(formal: &Formal<'_>) -> bool {
    let of_type: Vec<_> = formal.of_type.iter().filter(|word| word.text != "const").copied().collect();
    value::number_type(&of_type).is_some_and(|(_, is_real)| is_real)
}
