//! The symbols that are tuned, with their values, and the others, which are problem sizes.

use std::rc::Rc;

use super::super::function::{At, FileKind, Function};
use super::super::launches::Extent;
use super::super::resolve::{Scope, Symbol, SymbolKind};
use super::super::settled::{Argument, Settled, TemplateArgument, sounds_tuned};
use super::super::term::{Sign, Term};
use super::super::value::{self, Value};
use super::state::{Question, reaches_kernel};
use autotune_base::text::InferredKind;
use autotune_kernel::source::{Word, WordKind, behind_group};

/// The most work items of a group of any GPU.
const LARGEST_GROUP: i64 = 1024;
/// The names of the sizes of a group.
pub(super) const GROUP_NAMES: [&str; 3] = ["block_size_x", "block_size_y", "block_size_z"];

/// The symbols of a question: what is tuned, and what is given.
#[derive(Debug, Default)]
pub(super) struct Tuned {
    /// The parameters with their values, in the order of the launch.
    pub(super) parameters: Vec<(String, Vec<i64>)>,
    /// The problem sizes with their values; `None` if the text gives none.
    pub(super) problem: Vec<(String, Option<i64>)>,
    /// Conditions that the text implies.
    pub(super) constraints: Vec<Term>,
}

impl Tuned {
    /// Chooses what is tuned, and says it. Symbols that are neither tuned nor sizes become numbers again.
    pub(super) fn new(question: &mut Question<'_, '_, '_>, instances: &[(String, Vec<i64>)]) -> Self {
        question.tie_literals();
        question.leave_group();
        let mut tuned = Self::default();
        let in_group = question.symbols_of(|settled| settled.group.iter().flatten().cloned().collect());
        let in_divisors =
            question.symbols_of(|settled| settled.extent().iter().flat_map(Term::divisors).cloned().collect());
        let in_launch = question.symbols_of(|settled| settled.terms().cloned().collect());
        for name in &in_launch {
            let symbol = question.known_in_loop(name);
            let sizes_group = in_group.contains(name);
            let is_divisor = in_divisors.contains(name);
            let of_instances = instances.iter().find(|(own, _)| **own == **name).map(|(_, values)| values.as_slice());
            if question.is_tuned(name, &symbol, sizes_group, is_divisor) {
                tuned.parameter(question, name, &symbol, of_instances);
            } else if question.is_number(name, &symbol) {
                question.make_number(name, &symbol);
            } else {
                tuned.size(question, name, &symbol);
            }
        }
        tuned.macros(question);
        tuned.conditions(question);
        tuned
    }

    fn is_parameter(&self, name: &str) -> bool {
        self.parameters.iter().any(|(own, _)| own == name)
    }

    fn parameter(
        &mut self,
        question: &mut Question<'_, '_, '_>,
        name: &str,
        symbol: &Symbol,
        instances: Option<&[i64]>,
    ) {
        if self.is_parameter(name) || question.given.parameters.iter().any(|(own, _)| own == name) {
            return;
        }
        let mut of_instances: Vec<i64> = instances.unwrap_or_default().to_vec();
        of_instances.sort_unstable();
        of_instances.dedup();
        let (values, rule, by_rule) = match (&symbol.kind, symbol.default) {
            (SymbolKind::Loop(values), None) if !values.is_empty() => {
                (values.clone(), "those that host code tries".to_owned(), false)
            }
            _ if of_instances.len() > 1 => (of_instances, "those of the launches".to_owned(), false),
            (_, Some(default)) => {
                (around(default), format!("from a quarter to four times its {default}"), symbol.by_rule)
            }
            (_, None) => (powers(32, LARGEST_GROUP), "the sizes of groups, since the text gives none".to_owned(), true),
        };
        let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
        question.say(InferredKind::Parameter, name, &shown.join(", "), symbol.at, &rule, by_rule);
        self.parameters.push((name.to_owned(), values));
    }

    fn size(&mut self, question: &mut Question<'_, '_, '_>, name: &str, symbol: &Symbol) {
        if question.given.problem.iter().any(|(own, _)| own == name) || self.problem.iter().any(|(own, _)| own == name)
        {
            return;
        }
        if let Some(default) = symbol.default {
            let rule = match symbol.kind {
                _ if question.program.files[symbol.at.file].kind == FileKind::Commands => {
                    "an argument of the command that starts the program"
                }
                SymbolKind::Counter(_) => "the first iteration of a loop around the launch",
                _ if symbol.by_rule => "the value that the text has where nothing else is given",
                _ => "",
            };
            question.say(InferredKind::Problem, name, &default.to_string(), symbol.at, rule, symbol.by_rule);
        }
        self.problem.push((name.to_owned(), symbol.default));
    }

    /// The macros of the kernel that decide sizes, bounds or branches, and that the launch does not name.
    fn macros(&mut self, question: &mut Question<'_, '_, '_>) {
        let program = question.program;
        for (name, known) in &program.macros {
            let is_of_host = known.file >= program.of_kernel;
            let is_read = question.usage.names.contains(name) || program.in_conditions.contains(name);
            let is_stated = self.is_parameter(name)
                || self.problem.iter().any(|(own, _)| own == name)
                || question.given.define.iter().any(|(own, _)| own == name)
                || question.given.problem.iter().any(|(own, _)| own == name);
            let Value::Integer(default) = value::value(&known.text) else { continue };
            if is_stated || known.arguments.is_some() || (is_of_host && !is_read) {
                continue;
            }
            let usage = question.usage;
            let at = At { file: known.file, byte: known.at };
            let by_rule = !known.is_guarded;
            let symbol = Symbol { default: Some(default), at, kind: SymbolKind::Macro, by_rule };
            let is_only_asked = program.in_conditions.contains(name) && !usage.names.contains(name);
            if is_only_asked && matches!(default, 0 | 1) && (known.is_guarded || is_of_host) {
                let rule = "only conditions of the preprocessor read it";
                question.say(InferredKind::Parameter, name, "0, 1", at, rule, false);
                self.parameters.push(((*name).to_owned(), vec![0, 1]));
                continue;
            }
            let is_used = usage.in_local_arrays.contains(name)
                || usage.in_private_arrays.contains(name)
                || usage.in_bounds.contains(name);
            let is_small = (1..=LARGEST_GROUP).contains(&default);
            if is_used && is_small && sounds_tuned(name) && usage.names.contains(name) {
                self.parameter(question, name, &symbol, None);
            } else if is_of_host {
                // The host gives it to the compiler of the kernel.
                question.say(InferredKind::Argument, name, &default.to_string(), at, "a macro of the host", true);
                question.given.define.push(((*name).to_owned(), default.to_string()));
            }
        }
        self.constants(question);
        question.build_options();
    }

    /// The constants of the host that the kernel names and does not declare: its host gives them to the compiler.
    fn constants(&mut self, question: &mut Question<'_, '_, '_>) {
        let program = question.program;
        let of_host = program.globals.iter().filter(|(name, (file, _))| {
            *file >= program.of_kernel && question.usage.names.contains(*name) && !question.is_declared(name)
        });
        let mut sizes: Vec<(&str, i64, At)> = of_host
            .filter_map(|(name, (file, one))| match one.value {
                Some(Value::Integer(number)) => Some((*name, number, At { file: *file, byte: one.at })),
                _ => None,
            })
            .filter(|(name, ..)| !self.is_parameter(name) && !self.problem.iter().any(|(own, _)| own == name))
            .collect();
        sizes.sort_unstable_by_key(|(.., at)| *at);
        for (name, number, at) in sizes {
            let symbol = Symbol { default: Some(number), at, kind: SymbolKind::Constant, by_rule: true };
            self.size(question, name, &symbol);
        }
    }

    /// The conditions that divisions, loops and assertions of the text imply.
    fn conditions(&mut self, question: &mut Question<'_, '_, '_>) {
        let mut divided: Vec<(Term, Term)> = Vec::new();
        let settled = question.settled.clone();
        for term in settled.extent().iter().chain(settled.group.iter().flatten()) {
            term.each_quotient(&mut |upper, lower| divided.push((upper.clone(), lower.clone())));
        }
        if let (Extent::WorkItems(items), Some(group)) = (&settled.extent, &settled.group) {
            divided.extend(items.iter().cloned().zip(group.iter().cloned()));
        }
        for lower in settled.extent().iter().flat_map(Term::divisors) {
            if lower.subtracts() {
                let least = Term::binary(Sign::AtMost, Term::Number(1), lower.clone());
                self.condition(question, &least, "the launch divides by it");
            }
        }
        for term in settled.extent() {
            if term.subtracts() && self.parameters.iter().any(|(name, _)| term.has(name)) {
                let least = Term::binary(Sign::AtMost, Term::Number(1), term.clone());
                self.condition(question, &least, "a launch has a group");
            }
        }
        for (upper, lower) in divided {
            let rest = Term::binary(Sign::Remainder, upper, lower);
            self.condition(question, &Term::binary(Sign::Equal, rest, Term::Number(0)), "a launch divides so");
        }
        for (bound, step) in &question.usage.strided.clone() {
            let rest = Term::binary(Sign::Remainder, Term::symbol(bound), Term::symbol(step));
            if self.is_parameter(bound) && self.is_parameter(step) {
                self.condition(question, &Term::binary(Sign::Equal, rest, Term::Number(0)), "a loop steps so");
            }
        }
        for assertion in &question.usage.assertions.clone() {
            if let Some(term) = self.asserted(assertion) {
                self.condition(question, &term, "the text asserts it");
            }
        }
    }

    fn condition(&mut self, question: &mut Question<'_, '_, '_>, term: &Term, rule: &str) {
        let is_of_parameters = self.parameters.iter().any(|(name, _)| term.has(name))
            || question.given.parameters.iter().any(|(name, _)| term.has(name));
        if !is_of_parameters || self.constraints.contains(term) {
            return;
        }
        let at = question.launch.map_or(question.kernel.at(), |launch| launch.at);
        question.say(InferredKind::Constraint, &term.written(), "", at, rule, true);
        self.constraints.push(term.clone());
    }

    /// The condition of an assertion whose names are all parameters; `None` for another one.
    fn asserted(&self, of: &Value<'_>) -> Option<Term> {
        match of {
            Value::Integer(number) | Value::Size(number) => Some(Term::Number(*number)),
            Value::Name(name, _) => self.is_parameter(name).then(|| Term::symbol(name)),
            Value::Binary(sign, sides) => Term::operation(sign, self.asserted(&sides[0])?, self.asserted(&sides[1])?),
            _ => None,
        }
    }
}

/// The macros in the options that a text gives a compiler: `-D NAME`, `-DNAME=VALUE`.
fn options(text: &str) -> impl Iterator<Item = (&str, &str)> {
    fn read(part: &str) -> (&str, &str) {
        let word = part.trim_start().split(char::is_whitespace).next().unwrap_or_default();
        word.split_once('=').unwrap_or((word, "1"))
    }
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    text.split("-D").skip(1).map(read).filter(move |(name, _)| is_name(name))
}

/// The macros with values. What a format or another variable fills in has another origin.
fn defined(text: &str) -> Vec<(&str, &str)> {
    options(text).filter(|(_, value)| !value.contains(['%', '$']) && !value.is_empty()).collect()
}

/// The macros whose values a format fills in, `-DNAME=%d`, each with the number of the argument.
fn formatted(text: &str) -> Vec<(&str, usize)> {
    let number = |value: &str| {
        let before = &text[..value.as_ptr().addr() - text.as_ptr().addr()];
        before.replace("%%", "").matches('%').count()
    };
    options(text).filter(|(_, value)| value.starts_with('%')).map(|(name, value)| (name, number(value))).collect()
}

/// The arguments of a call behind one of them.
fn arguments_behind<'a>(body: &[Word<'a>], at: usize) -> Vec<Value<'a>> {
    let mut end = at + 1;
    while let Some(word) = body.get(end) {
        match word.text {
            "(" | "[" | "{" => end = behind_group(body, end),
            ")" | "]" | "}" | ";" => break,
            _ => end += 1,
        }
    }
    let behind = &body[(at + 1).min(end)..end];
    if behind.first().is_some_and(|word| word.text == ",") { value::values(&behind[1..]) } else { Vec::new() }
}

impl Question<'_, '_, '_> {
    /// Takes the macros that host code gives the compiler of the kernel in texts, and that commands give one, each by its first
    /// value.
    fn build_options(&mut self) {
        let program = self.program;
        for function in program.functions.iter().filter(|function| function.file >= program.of_kernel) {
            let body = &function.body;
            let quoted = |at: &usize| body[*at].kind == WordKind::Quoted && body[*at].text.contains("-D");
            for at in (0..body.len()).filter(quoted) {
                let (text, scope) = (body[at].text.trim_matches('"'), Scope::new(function, body[at].at));
                for (name, value) in defined(text) {
                    self.define(name, value, scope.at);
                }
                let filled = formatted(text);
                let arguments = if filled.is_empty() { Vec::new() } else { arguments_behind(body, at) };
                for (name, number) in filled {
                    let term = arguments.get(number).and_then(|argument| self.resolver.term(argument, scope));
                    if let Some(value) = term.and_then(|term| self.resolver.default(&term)) {
                        self.define(name, &value.to_string(), scope.at);
                    }
                }
            }
        }
        for (number, file) in program.files.iter().enumerate().filter(|(_, file)| file.kind == FileKind::Commands) {
            for (name, value) in defined(&file.text) {
                let byte = name.as_ptr().addr() - file.text.as_ptr().addr();
                self.define(name, value, At { file: number, byte });
            }
        }
    }

    /// Takes a macro that is an option of the compiler, if the kernel reads it and no text defines it.
    fn define(&mut self, name: &str, value: &str, at: At) {
        let program = self.program;
        let is_read =
            self.usage.names.contains(name) || program.in_conditions.contains(name) || program.asked_for.contains(name);
        let is_known = self.given.define.iter().any(|(own, _)| own == name)
            || program.macros.contains_key(name)
            || self.resolver.symbols.borrow().contains_key(name);
        // One of two precisions: the kernel has the other without.
        if is_read && !is_known && !name.contains("DOUBLE") && !name.contains("FP64") {
            self.say(InferredKind::Argument, name, value, at, "an option of the host's compiler", true);
            self.given.define.push((name.to_owned(), value.to_owned()));
        }
    }

    fn known(&self, name: &str) -> Symbol {
        let symbols = self.resolver.symbols.borrow();
        symbols.get(name).cloned().unwrap_or(Symbol {
            default: None,
            at: self.kernel.at(),
            kind: SymbolKind::Free,
            by_rule: true,
        })
    }

    /// A symbol; a number of iterations that only arguments have is that of the first iteration.
    fn known_in_loop(&self, name: &str) -> Symbol {
        let symbol = self.known(name);
        let first = match &symbol.kind {
            SymbolKind::Counter(first) => Some(*first),
            SymbolKind::Loop(values) => {
                values.first().copied().filter(|_| values.windows(2).all(|pair| pair[0] + 1 == pair[1]))
            }
            _ => None,
        };
        match first.filter(|_| !self.is_extent(name)) {
            Some(first) => Symbol { default: Some(first), kind: SymbolKind::Counter(first), by_rule: true, ..symbol },
            None => symbol,
        }
    }

    /// The symbols of some terms of the launch, in their order.
    fn symbols_of(&self, terms: impl Fn(&Settled) -> Vec<Term>) -> Vec<Rc<str>> {
        let mut found: Vec<Rc<str>> = Vec::new();
        for term in terms(&self.settled) {
            term.each_symbol(&mut |name| {
                if !found.iter().any(|own| **own == *name) {
                    found.push(name.into());
                }
            });
        }
        found
    }

    /// Makes numbers of the text in the size of a group parameters, where the kernel asks for the size and has no such
    /// number itself.
    fn tie_literals(&mut self) {
        let Some(launch) = self.launch else { return };
        let fixed = fixed_group(self.kernel);
        let Some(group) = self.settled.group.clone() else { return };
        for (axis, size) in group.iter().enumerate() {
            let Some(number) = size.number().filter(|number| *number > 1) else { continue };
            let is_free = self.usage.asks_group[axis] && !self.usage.has_number(number);
            if fixed.is_some() || !is_free || !self.settled.may_tie(number) {
                continue;
            }
            let symbol = Symbol { default: Some(number), at: launch.at, kind: SymbolKind::Component, by_rule: true };
            let symbol = self.resolver.symbol(GROUP_NAMES[axis], symbol);
            if let Some(group) = &mut self.settled.group {
                group[axis] = symbol.clone();
            }
            self.settled.divide_by(number, &symbol);
            self.settled.share_by(number, &symbol);
            self.settled.is_tied = true;
        }
    }

    /// Makes the size of a group a parameter, where the host leaves it to the driver.
    fn leave_group(&mut self) {
        let Some(launch) = self.launch.filter(|_| self.settled.group.is_none()) else { return };
        if let Some(fixed) = fixed_group(self.kernel) {
            self.settled.group = Some(fixed.map(Term::Number));
            return;
        }
        if !matches!(self.settled.extent, Extent::WorkItems(_)) || self.given.work_group.is_some() {
            return;
        }
        let symbol = Symbol { default: None, at: launch.at, kind: SymbolKind::Free, by_rule: true };
        let is_flat = self.settled.extent().get(1).is_none_or(|size| size.number() == Some(1));
        let size = |axis: usize| self.resolver.symbol(GROUP_NAMES[axis], symbol.clone());
        let second = if is_flat { Term::Number(1) } else { size(1) };
        self.settled.group = Some([size(0), second, Term::Number(1)]);
    }

    /// True for a symbol that is tuned.
    fn is_tuned(&self, name: &str, symbol: &Symbol, in_group: bool, in_divisors: bool) -> bool {
        let is_given = self.given.parameters.iter().any(|(own, _)| own == name);
        if is_given
            || self.given.problem.iter().any(|(own, _)| own == name)
            || self.given.define.iter().any(|(own, _)| own == name)
        {
            return is_given;
        }
        if symbol.kind == SymbolKind::Template {
            return true;
        }
        let reaches = reaches_kernel(&symbol.kind, name, self.usage, self.program);
        let in_template = self.is_in_template(name);
        if in_group {
            if fixed_group(self.kernel).is_some() {
                return false;
            }
            let is_passed = self.is_passed(name);
            let asks = self.axes_of(name).all(|axis| self.usage.asks_group[axis]);
            let is_fixed = symbol.default.is_some_and(|number| self.usage.has_number(number));
            return match symbol.kind {
                SymbolKind::Macro | SymbolKind::Constant if reaches || in_template => true,
                SymbolKind::Macro | SymbolKind::Constant | SymbolKind::Component => {
                    asks && !is_fixed && (!is_passed || sounds_tuned(name))
                }
                SymbolKind::Free => asks && (sounds_tuned(name) || (!is_passed && !self.is_extent(name))),
                SymbolKind::Template => true,
                // Host code tries the sizes itself.
                SymbolKind::Loop(_) => asks,
                SymbolKind::Counter(_) => false,
            };
        }
        let is_macro = matches!(symbol.kind, SymbolKind::Macro | SymbolKind::Constant);
        let is_small = symbol.default.is_some_and(|number| (1..=LARGEST_GROUP).contains(&number));
        let is_size = self.is_extent(name) || self.is_passed(name);
        let divides = in_divisors && (reaches || in_template);
        is_small
            && (self.is_tuned_template(name) || (is_macro && (divides || (reaches && !is_size && sounds_tuned(name)))))
    }

    fn is_passed(&self, name: &str) -> bool {
        self.settled.arguments.iter().any(|(_, own)| matches!(own, Argument::Integer(term) if term.has(name)))
    }

    fn is_in_template(&self, name: &str) -> bool {
        self.settled.template.iter().any(|own| matches!(own, TemplateArgument::Integer(term) if term.has(name)))
    }

    fn axes_of(&self, name: &str) -> impl Iterator<Item = usize> {
        let group = self.settled.group.iter().flatten().enumerate();
        group.filter(move |(_, size)| size.has(name)).map(|(axis, _)| axis)
    }

    /// True for a symbol that the launch has beyond its divisors.
    fn is_extent(&self, name: &str) -> bool {
        let mut found = false;
        for term in self.settled.extent() {
            let without = term.replaced(&|term| match term {
                Term::Binary(Sign::Divide | Sign::CeilDiv, sides) => Some(sides[0].clone()),
                _ => None,
            });
            found |= without.has(name);
        }
        found
    }

    /// True for a name that the kernel declares itself.
    fn is_declared(&self, name: &str) -> bool {
        let formals = self.kernel.parameters.iter().chain(&self.kernel.template);
        let variables = self.kernel.variables.iter().filter(|one| one.is_declaration).map(|one| one.name);
        formals.map(|formal| formal.name).chain(variables).any(|own| own == name)
    }

    /// True for a size of a group that is fixed, and for a constant that is nothing but an argument of a template.
    fn is_number(&self, name: &str, symbol: &Symbol) -> bool {
        let of_template = || {
            let is_size =
                self.settled.extent().iter().chain(self.settled.group.iter().flatten()).any(|size| size.has(name));
            self.is_in_template(name) && !is_size && !self.is_passed(name) && symbol.default.is_some()
        };
        symbol.kind == SymbolKind::Component || of_template()
    }

    /// True for a constant of the host that is the argument of a template which is tuned.
    fn is_tuned_template(&self, name: &str) -> bool {
        let formals = self.kernel.template.iter().zip(&self.settled.template);
        let mut own = formals
            .filter(|(_, own)| matches!(own, TemplateArgument::Integer(Term::Symbol(symbol)) if **symbol == *name));
        own.any(|(formal, _)| sounds_tuned(formal.name) && self.usage.names.contains(formal.name))
    }

    fn make_number(&mut self, name: &str, symbol: &Symbol) {
        let number = symbol.default.unwrap_or(1);
        self.settled = self.settled.replaced(&|term| match term {
            Term::Symbol(own) if **own == *name => Some(Term::Number(number)),
            _ => None,
        });
    }
}

/// The powers of two from a quarter to four times a value, and the value.
fn around(default: i64) -> Vec<i64> {
    let mut values = powers((default / 4).max(1), default.saturating_mul(4).min(1 << 20));
    if !values.contains(&default) {
        values.push(default);
        values.sort_unstable();
    }
    values
}

fn powers(from: i64, to: i64) -> Vec<i64> {
    (0..62).map(|power| 1_i64 << power).filter(|power| (from..=to).contains(power)).collect()
}

/// The size of a group that `reqd_work_group_size` fixes.
fn fixed_group(kernel: &Function<'_>) -> Option<[i64; 3]> {
    let at = kernel.head.iter().position(|word| word.text == "reqd_work_group_size")?;
    let numbers = kernel.head[at..].iter().filter_map(|word| word.text.parse().ok());
    let mut numbers = numbers.chain([1, 1]);
    Some([numbers.next()?, numbers.next()?, numbers.next()?])
}
