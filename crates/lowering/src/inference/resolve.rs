//! Values of host code as terms of symbols.

mod known;
mod sizes;
mod types;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use indexmap::IndexMap;

use super::active::operation;
use super::commands::Start;
use super::function::{At, Function};
use super::program::Program;
use super::statements::{Side, Statements};
use super::term::{Sign, Term};
use super::value::{self, Value, behind_template};
use super::variables::{Definition, DefinitionKind, Part};
use autotune_kernel::source::{Word, inside_group};
use known::Known;

/// The deepest chain of names that is followed.
const DEEPEST: usize = 40;
/// The most changes of a variable that are followed.
const MOST_CHANGES: usize = 64;
/// The most parts of a term.
const LARGEST: usize = 400;

/// An integer that host code names.
#[derive(Debug, Clone)]
pub(super) struct Symbol {
    /// The value that the text gives; `None` if it gives none.
    pub(super) default: Option<i64>,
    /// The place of the value, or of the name.
    pub(super) at: At,
    pub(super) kind: SymbolKind,
    /// True if a rule that may be wrong gave the value.
    pub(super) by_rule: bool,
}

/// The kind of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SymbolKind {
    /// A macro.
    Macro,
    /// A constant or a variable of the host.
    Constant,
    /// A size of a `dim3` with this axis.
    Component,
    /// A parameter of the kernel's template.
    Template,
    /// The counter of a loop around the launch, with its values if they are known.
    Loop(Vec<i64>),
    /// The counter of a loop around the launch whose end is not known, with its first value.
    Counter(i64),
    /// An argument, or a variable whose value the text does not give.
    Free,
}

/// The symbols that were met, by their names in the spec.
pub(super) type Symbols = IndexMap<Rc<str>, Symbol>;

/// The place of an expression: the function around it and the byte before which its variables have their values.
#[derive(Clone, Copy)]
pub(super) struct Scope<'p, 'a> {
    pub(super) function: Option<&'p Function<'a>>,
    pub(super) at: At,
}

impl<'p, 'a> Scope<'p, 'a> {
    /// The place of a byte in a function.
    pub(super) fn new(function: &'p Function<'a>, byte: usize) -> Self {
        Self { function: Some(function), at: At { file: function.file, byte } }
    }

    /// A place outside of functions.
    fn outside(at: At) -> Self {
        Self { function: None, at }
    }

    /// Another byte of the same function.
    fn before(self, byte: usize) -> Self {
        Self { at: At { byte, ..self.at }, ..self }
    }
}

/// Three sizes.
pub(super) type Sizes = [Term; 3];

pub(super) struct Resolver<'p, 'a> {
    pub(super) program: &'p Program<'a>,
    pub(super) symbols: RefCell<Symbols>,
    /// The values that variables have while the condition of a change is read.
    overruled: RefCell<Vec<(&'a str, Option<Part<'a>>, Term)>>,
    /// The command that starts the host's program; `None` if none is given.
    start: Option<&'p Start<'a>>,
    /// True if an argument of a command was read.
    reads_start: Cell<bool>,
    /// The sides of the conditions of functions.
    sides: RefCell<BTreeMap<At, Rc<Vec<Side<'a>>>>>,
    /// The types that stand for the parameters of a class's template.
    types: RefCell<Vec<(&'a str, Vec<Word<'a>>)>>,
    /// The depth of the names that are followed.
    depth: Cell<usize>,
}

impl<'p, 'a> Resolver<'p, 'a> {
    pub(super) fn new(program: &'p Program<'a>, start: Option<&'p Start<'a>>) -> Self {
        Self {
            program,
            symbols: RefCell::default(),
            overruled: RefCell::default(),
            start,
            reads_start: Cell::new(false),
            sides: RefCell::default(),
            types: RefCell::default(),
            depth: Cell::new(0),
        }
    }

    /// True if an argument of the command that starts the host's program was read.
    pub(super) fn reads_start(&self) -> bool {
        self.reads_start.get()
    }

    /// The symbol of a name: a new one, or the one that is there with the same place.
    pub(super) fn symbol(&self, name: &str, symbol: Symbol) -> Term {
        let mut symbols = self.symbols.borrow_mut();
        let mut number = 1;
        let mut own: Rc<str> = spec_name(name).into();
        while symbols.get(&own).is_some_and(|known| known.at != symbol.at) {
            number += 1;
            own = format!("{}_{number}", spec_name(name)).into();
        }
        symbols.entry(Rc::clone(&own)).or_insert(symbol);
        Term::Symbol(own)
    }

    fn free(&self, name: &str, at: At) -> Term {
        self.symbol(name, Symbol { default: None, at, kind: SymbolKind::Free, by_rule: false })
    }

    /// The term of a value; `None` if it is not an integer, or not followed.
    pub(super) fn term(&self, of: &Value<'a>, scope: Scope<'p, 'a>) -> Option<Term> {
        self.followed(|| self.term_here(of, scope)).filter(|term| term.size() <= LARGEST)
    }

    /// Follows a name; `None` behind too many others.
    fn followed<T>(&self, follow: impl FnOnce() -> Option<T>) -> Option<T> {
        let depth = self.depth.get();
        if depth > DEEPEST {
            return None;
        }
        self.depth.set(depth + 1);
        let found = follow();
        self.depth.set(depth);
        found
    }

    /// The value that a term has by those of the text; `None` if the text gives not all.
    pub(super) fn default(&self, term: &Term) -> Option<i64> {
        term.value(&|name| self.symbols.borrow().get(name)?.default)
    }

    fn term_here(&self, of: &Value<'a>, scope: Scope<'p, 'a>) -> Option<Term> {
        match of {
            Value::Integer(number) | Value::Size(number) => Some(Term::Number(*number)),
            Value::Decimal(text) => whole(text).map(Term::Number),
            Value::Name(name, _) => self.name(name, scope),
            Value::Member(of, member) => self.member(of, member, scope),
            Value::OfClass(class, name, at) => {
                self.of_class(class, name, scope).or_else(|| self.term(&Value::Name(name, *at), scope))
            }
            Value::Element(of, number) => self.element(of, number, scope),
            Value::Real(of) => self.term(of, scope),
            Value::Unary(sign, of) => {
                let term = self.term(of, scope)?;
                Some(match *sign {
                    "-" => Term::binary(Sign::Subtract, Term::Number(0), term),
                    "!" => Term::binary(Sign::Equal, term, Term::Number(0)),
                    "~" => Term::Number(!term.number()?),
                    _ => term,
                })
            }
            Value::Binary(sign, sides) => self.binary(sign, sides, scope),
            Value::Choice(parts) => self.choice(parts, scope),
            Value::Call { name, arguments, .. } => self.call(name, arguments, scope),
            // `numpy.int32(n)`
            Value::Method(_, "int32" | "uint32" | "int64" | "uint64" | "int", arguments) => {
                self.term(arguments.first()?, scope)
            }
            Value::Method(_, name, arguments) if *name == "get" || name.starts_with("getOption") => {
                let [Value::Text(option)] = arguments.as_slice() else { return None };
                self.option_default(option).map(Term::Number)
            }
            Value::Method(of, name, _) if matches!(*name, "size" | "numel" | "length" | "rows" | "cols") => {
                self.opaque(of, name, scope)
            }
            Value::Method(..) | Value::Text(_) | Value::List(_) | Value::Address(_) | Value::Unknown => None,
        }
    }

    /// The default of an option of the program, as a parser of options is given it: `set_optional("n", "size", 256, …)`,
    /// `addOption("size", OPT_INT, "1", …)`.
    fn option_default(&self, option: &str) -> Option<i64> {
        let quoted =
            |word: &Word<'_>| word.text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) == Some(option);
        for function in &self.program.functions {
            for (at, word) in function.body.iter().enumerate() {
                let is_setter =
                    word.is_name() && ["set_", "add_", "addOption"].iter().any(|start| word.text.starts_with(start));
                if !is_setter {
                    continue;
                }
                let body = &function.body;
                let open = match body.get(at + 1).map(|next| next.text) {
                    Some("<") => behind_template(body, at + 1)?,
                    _ => at + 1,
                };
                if body.get(open).is_none_or(|next| next.text != "(") || !body.get(open + 1).is_some_and(quoted) {
                    continue;
                }
                let scope = Scope::new(function, word.at);
                let parts = value::values(inside_group(body, open));
                let number = parts.iter().skip(1).find_map(|part| match part {
                    Value::Text(text) => text.parse().ok(),
                    part => self.default(&self.term(part, scope)?),
                });
                if number.is_some() {
                    return number;
                }
            }
        }
        None
    }

    /// A size that an object of the host knows: `x.size()`.
    fn opaque(&self, of: &Value<'a>, method: &str, scope: Scope<'p, 'a>) -> Option<Term> {
        let Value::Name(name, at) = of else { return None };
        Some(self.free(&format!("{name}_{method}"), At { file: scope.at.file, byte: *at }))
    }

    fn binary(&self, sign: &str, sides: &[Value<'a>; 2], scope: Scope<'p, 'a>) -> Option<Term> {
        if sign == "&" {
            return self.masked(sides, scope);
        }
        let (left, right) = (self.term(&sides[0], scope)?, self.term(&sides[1], scope)?);
        let shift = match sign {
            "<<" => Sign::Multiply,
            ">>" => Sign::Divide,
            _ => return Term::operation(sign, left, right),
        };
        let power = right.number().filter(|power| (0..62).contains(power))?;
        Some(Term::binary(shift, left, Term::Number(1 << power)))
    }

    /// A number with some of its bits: `n & ~255` is a multiple of 256, and `n & 255` a remainder.
    fn masked(&self, sides: &[Value<'a>; 2], scope: Scope<'p, 'a>) -> Option<Term> {
        let number = self.term(&sides[0], scope)?;
        if let Value::Unary("~", mask) = &sides[1] {
            let mask = self.term(mask, scope)?;
            let unit = Term::binary(Sign::Add, mask, Term::Number(1));
            let is_power = unit.number().is_none_or(|unit| unit > 0 && unit & (unit - 1) == 0);
            // `(n + 255) & ~255`
            let units = Term::binary(Sign::Divide, number, unit.clone());
            return is_power.then(|| Term::binary(Sign::Multiply, units, unit));
        }
        let mask = self.term(&sides[1], scope)?;
        if let (Some(number), Some(mask)) = (number.number(), mask.number()) {
            return Some(Term::Number(number & mask));
        }
        let unit = mask.number()?.checked_add(1).filter(|unit| *unit > 0 && unit & (unit - 1) == 0)?;
        Some(Term::binary(Sign::Remainder, number, Term::Number(unit)))
    }

    /// A choice; where only one side is known, as in `argc > 1 ? atoi(argv[1]) : 1024`, this side by rule.
    fn choice(&self, parts: &[Value<'a>; 3], scope: Scope<'p, 'a>) -> Option<Term> {
        let condition = self.term(&parts[0], scope);
        let then = self.term(&parts[1], scope);
        let otherwise = self.term(&parts[2], scope);
        match (condition, then, otherwise) {
            (Some(condition), Some(then), Some(otherwise)) => Some(Term::choice(condition, then, otherwise)),
            (_, Some(only), None) | (_, None, Some(only)) => Some(only),
            _ => None,
        }
    }

    fn call(&self, name: &str, arguments: &[Value<'a>], scope: Scope<'p, 'a>) -> Option<Term> {
        let one = |number: usize| self.term(arguments.get(number)?, scope);
        let two = |sign| Some(Term::binary(sign, one(0)?, one(1)?));
        match (name, arguments.len()) {
            ("min" | "MIN" | "Min" | "fmin" | "fminf", 2) => return two(Sign::Min),
            ("max" | "MAX" | "Max" | "fmax" | "fmaxf", 2) => return two(Sign::Max),
            ("sizeof", 1) => return self.size_of(&arguments[0], scope).map(Term::Number),
            ("atoi" | "atol" | "atoll" | "stoi" | "stol" | "stoul" | "stoll" | "stoull", 1)
            | ("strtol" | "strtoul" | "strtoll" | "strtoull", 3) => return self.of_start(&arguments[0], scope),
            ("ceil" | "ceilf", 1) => return self.rounded_up(&arguments[0], scope),
            ("floor" | "floorf" | "round" | "dim3" | "size_t" | "int32" | "uint32" | "int64" | "uint64", 1) => {
                return one(0);
            }
            _ => {}
        }
        if let Some(value) =
            self.macro_call(name, arguments, scope).or_else(|| self.function_call(name, arguments, scope))
        {
            return Some(value);
        }
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        match plain.as_str() {
            "ceildiv"
            | "cdiv"
            | "divup"
            | "idivup"
            | "updiv"
            | "roundupdiv"
            | "divroundup"
            | "dividerndup"
            | "ceilingdivide"
            | "divceil"
            | "ceilingdiv"
            | "integerdivideroundup"
            | "getblocks"
            | "divideup"
                if arguments.len() == 2 =>
            {
                two(Sign::CeilDiv)
            }
            "roundup" | "alignup" | "shrroundup" | "iroundup" | "iaalignup" if arguments.len() == 2 => {
                Some(Term::binary(Sign::Multiply, two(Sign::CeilDiv)?, one(1)?))
            }
            _ => None,
        }
    }

    /// The integer that the command which starts the host's program has at an element of `argv`.
    fn of_start(&self, element: &Value<'a>, scope: Scope<'p, 'a>) -> Option<Term> {
        let Value::Element(array, number) = element else { return None };
        let (Value::Name("argv" | "args", _), Some(start)) = (&**array, self.start) else { return None };
        let number = start.integer(self.term(number, scope)?.number()?)?;
        self.reads_start.set(true);
        Some(Term::Number(number))
    }

    /// `ceil((float)n / b)`
    fn rounded_up(&self, of: &Value<'a>, scope: Scope<'p, 'a>) -> Option<Term> {
        let mut of = of;
        while let Value::Real(inner) = of {
            of = inner;
        }
        if let Value::Binary("/", sides) = of {
            let (upper, lower) = (self.term(&sides[0], scope)?, self.term(&sides[1], scope)?);
            return Some(Term::binary(Sign::CeilDiv, upper, lower));
        }
        self.term(of, scope)
    }

    /// A macro with arguments, such as `DIV_UP(a, b)`.
    fn macro_call(&self, name: &str, arguments: &[Value<'a>], scope: Scope<'p, 'a>) -> Option<Term> {
        let known = self.program.macros.get(name)?;
        let names = known.arguments.as_ref().filter(|names| names.len() == arguments.len())?;
        let text = value::value(&known.text);
        self.term(&substituted(&text, names, arguments), scope)
    }

    /// A function whose body is one `return`.
    fn function_call(&self, name: &str, arguments: &[Value<'a>], scope: Scope<'p, 'a>) -> Option<Term> {
        let mut all = self.program.named(name).filter(|function| !function.body.is_empty());
        let function = all.next().filter(|_| all.next().is_none())?;
        let names: Vec<&str> = function.parameters.iter().map(|parameter| parameter.name).collect();
        let [open, first, rest @ .., _] = function.body.as_slice() else { return None };
        let end = rest.iter().position(|word| word.text == ";").filter(|end| *end + 1 == rest.len())?;
        if open.text != "{" || first.text != "return" || names.len() != arguments.len() {
            return None;
        }
        self.term(&substituted(&value::value(&rest[..end]), &names, arguments), scope)
    }

    /// The term of a name: a variable, an argument, a constant or a macro.
    fn name(&self, name: &'a str, scope: Scope<'p, 'a>) -> Option<Term> {
        if let Some(term) = self.overruled(name, None) {
            return Some(term);
        }
        if let Some(function) = scope.function {
            if let Some(known) = Known::new(function, name, None, scope.at) {
                return self.variable(&known, scope);
            }
            if let ("argc", Some(start)) = (name, self.start) {
                return i64::try_from(start.arguments.len() + 1).ok().map(Term::Number);
            }
            if let Some(number) = function.parameters.iter().position(|parameter| parameter.name == name) {
                return Some(self.argument(function, name, number, false));
            }
            if let Some(number) = function.template.iter().position(|parameter| parameter.name == name) {
                return Some(self.argument(function, name, number, true));
            }
        }
        if let Some((file, definition)) = self.program.globals.get(name) {
            let at = At { file: *file, byte: definition.at };
            let value = definition.value.as_ref().or(definition.made_of.first());
            return Some(match value.and_then(|value| self.term(value, Scope::outside(at))) {
                Some(Term::Number(number)) => self.constant(name, number, at, SymbolKind::Constant, false),
                Some(term) => term,
                None => self.free(name, at),
            });
        }
        self.of_macro(name, scope)
    }

    fn overruled(&self, name: &str, part: Option<Part<'_>>) -> Option<Term> {
        let overruled = self.overruled.borrow();
        let own = overruled.iter().rfind(|(own, of, _)| *own == name && *of == part);
        own.map(|(_, _, term)| term.clone())
    }

    fn of_macro(&self, name: &'a str, scope: Scope<'p, 'a>) -> Option<Term> {
        match name {
            "true" => return Some(Term::Number(1)),
            "false" | "NULL" | "nullptr" => return Some(Term::Number(0)),
            _ => {}
        }
        let Some(known) = self.program.macros.get(name) else {
            // What the host's own headers and build may say.
            return Some(self.free(name, scope.at));
        };
        let at = At { file: known.file, byte: known.at };
        if known.arguments.is_some() || known.text.is_empty() {
            return None;
        }
        match self.term(&value::value(&known.text), Scope::outside(at)) {
            Some(Term::Number(number)) => Some(self.constant(name, number, at, SymbolKind::Macro, known.is_ambiguous)),
            other => other,
        }
    }

    fn constant(&self, name: &str, number: i64, at: At, kind: SymbolKind, by_rule: bool) -> Term {
        self.symbol(name, Symbol { default: Some(number), at, kind, by_rule })
    }

    /// The value of a variable.
    fn variable(&self, known: &Known<'p, 'a>, scope: Scope<'p, 'a>) -> Option<Term> {
        let at = At { file: scope.at.file, byte: known.declaration.at };
        let name = known.declaration.name;
        if let Some(counter) = known.counter() {
            return Some(self.counter(counter, scope, at));
        }
        let outer = self.reads_start.replace(false);
        let term = match known.value() {
            Some(value) => self.value_of(known, value, scope),
            None => self.altered(known, None, scope),
        };
        let reads_start = self.reads_start.replace(outer || self.reads_start.get());
        match term {
            Some(Term::Number(number)) => Some(match self.start.filter(|_| reads_start) {
                Some(start) => self.constant(name, number, start.at, SymbolKind::Constant, true),
                None => self.constant(name, number, at, SymbolKind::Constant, known.is_by_rule()),
            }),
            Some(Term::Symbol(array)) if matches!(known.value(), Some(Value::Element(..))) && !known.is_altered => {
                let known = self.symbols.borrow().get(&array).cloned()?;
                let is_list = matches!(known.kind, SymbolKind::Loop(_));
                Some(if is_list { self.symbol(name, Symbol { at, ..known }) } else { Term::Symbol(array) })
            }
            // Its sides are chosen.
            Some(term) if known.value().is_none() => Some(term),
            Some(term) => self.altered(known, Some(&term), scope).or_else(|| Some(self.free(name, at))),
            None => Some(self.free(name, at)),
        }
    }

    /// The value that a variable has before changes; where the changes give a number, with them.
    fn value_of(&self, known: &Known<'p, 'a>, value: &Value<'a>, scope: Scope<'p, 'a>) -> Option<Term> {
        let first = self.term(value, scope.before(known.value_at()))?;
        let is_changed = known.is_altered && first.number().is_some();
        let changed = if is_changed { self.altered(known, Some(&first), scope) } else { None };
        Some(changed.filter(|term| term.number().is_some()).unwrap_or(first))
    }

    /// A value with its changes under conditions: `if (blocks > 64) blocks = 64;`. Without a first value, the sides of the
    /// conditions give it; `None` if a change or its condition is not followed.
    fn altered(&self, known: &Known<'p, 'a>, first: Option<&Term>, scope: Scope<'p, 'a>) -> Option<Term> {
        let mut last = first.cloned();
        let sides = if known.changes.is_empty() { Rc::default() } else { self.sides(scope.function?) };
        for change in known.changes.iter().take(MOST_CHANGES + 1) {
            let value = change.value.as_ref().filter(|_| change.kind != DefinitionKind::Change)?;
            let own = last.clone().map(|term| (change.name, change.part, term));
            let is_known = own.is_some();
            self.overruled.borrow_mut().extend(own);
            let term = self.term(value, scope.before(change.at));
            let around = sides.iter().filter(|side| side.has(change.at) && !side.has(scope.at.byte));
            let conditions: Option<Vec<Term>> = around.map(|side| self.condition(side, scope)).collect();
            if is_known {
                self.overruled.borrow_mut().pop();
            }
            let never = |condition: &Term| condition.number() == Some(0);
            let (term, conditions) = (term?, conditions?);
            last = match last {
                _ if conditions.iter().any(never) => last,
                Some(last) => {
                    Some(conditions.into_iter().rev().fold(term, |term, own| Term::choice(own, term, last.clone())))
                }
                None => Some(term),
            };
        }
        last.filter(|_| known.changes.len() <= MOST_CHANGES)
    }

    /// The condition of a side, true where the side is taken.
    fn condition(&self, side: &Side<'a>, scope: Scope<'p, 'a>) -> Option<Term> {
        let condition = self.term(&side.condition, scope.before(side.begin))?;
        let condition = self.decided(&condition).map_or(condition, Term::Number);
        Some(if side.holds { condition } else { Term::binary(Sign::Equal, condition, Term::Number(0)) })
    }

    /// The value of a condition that nothing but truths of the text decide; `None` for another one.
    fn decided(&self, condition: &Term) -> Option<i64> {
        let mut is_truth = true;
        condition.each_symbol(&mut |name| {
            is_truth &= self.symbols.borrow().get(name).is_some_and(|symbol| matches!(symbol.default, Some(0 | 1)));
        });
        self.default(condition).filter(|_| is_truth)
    }

    /// The sides of a function's conditions.
    fn sides(&self, function: &'p Function<'a>) -> Rc<Vec<Side<'a>>> {
        let mut known = self.sides.borrow_mut();
        let made = || {
            let plain: Vec<Word<'a>> =
                function.body.iter().filter(|word| word.directive().is_none()).copied().collect();
            Rc::new(Statements::new(&plain).sides())
        };
        Rc::clone(known.entry(function.at()).or_insert_with(made))
    }

    /// The counter of a loop, with its values if they are few and known.
    fn counter(&self, counter: &Definition<'a>, scope: Scope<'p, 'a>, at: At) -> Term {
        let before = scope.before(counter.at);
        if counter.kind == DefinitionKind::Each {
            let values = match &counter.value {
                Some(Value::Name(list, _)) => self.numbers(list, before),
                Some(list) => integers(list),
                None => None,
            };
            let kind = values.map_or(SymbolKind::Free, SymbolKind::Loop);
            return self.symbol(counter.name, Symbol { default: None, at, kind, by_rule: false });
        }
        let first = || self.default(&self.term(counter.value.as_ref()?, before)?).map(SymbolKind::Counter);
        let of_loop = self.counted(counter, before).map(SymbolKind::Loop);
        let kind = of_loop.or_else(first).unwrap_or(SymbolKind::Free);
        let symbol = Symbol { default: None, at, kind, by_rule: false };
        self.symbol(counter.name, symbol)
    }

    fn counted(&self, counter: &Definition<'a>, scope: Scope<'p, 'a>) -> Option<Vec<i64>> {
        let DefinitionKind::Loop(Value::Binary(sign, sides), step) = &counter.kind else { return None };
        let mut value = self.default(&self.term(counter.value.as_ref()?, scope)?)?;
        let end = self.default(&self.term(&sides[1], scope)?)?;
        let mut values = Vec::new();
        while operation(sign, Some(value), Some(end))? != 0 {
            values.push(value);
            if values.len() > 64 {
                return None;
            }
            let number = || step.last().and_then(|word| word.parse::<i64>().ok());
            value = match step[..] {
                [_, "+", "+"] | ["+", "+", _] => value.checked_add(1)?,
                [_, "-", "-"] | ["-", "-", _] => value.checked_sub(1)?,
                [_, "*", "=", _] => value.checked_mul(number()?)?,
                [_, "/", "=", _] => value.checked_div(number()?)?,
                [_, "+", "=", _] => value.checked_add(number()?)?,
                [_, "-", "=", _] => value.checked_sub(number()?)?,
                [_, ">", ">=", _] => value.checked_shr(number()?.try_into().ok()?)?,
                [_, "<", "<=", _] => value.checked_shl(number()?.try_into().ok()?)?,
                _ => return None,
            };
        }
        Some(values)
    }

    /// The argument of a function, or of its template: what all its calls pass, else a symbol.
    fn argument(&self, function: &'p Function<'a>, name: &'a str, number: usize, of_template: bool) -> Term {
        let own = || self.free(name, function.at());
        let mut known: Option<Term> = None;
        for (scope, values) in self.calls(function, of_template) {
            let formal = if of_template { &function.template } else { &function.parameters };
            let default = formal[number].default.as_slice();
            let term = match values.get(number) {
                Some(value) => self.term(value, scope),
                None if !default.is_empty() => self.term(&value::value(default), scope),
                None => None,
            };
            match (term, &known) {
                (Some(term), None) => known = Some(term),
                (Some(term), Some(before)) if term == *before => {}
                _ => return own(),
            }
        }
        match known {
            Some(Term::Number(number)) => self.constant(name, number, function.at(), SymbolKind::Constant, false),
            Some(term) => term,
            None => own(),
        }
    }

    /// The calls of a function with their arguments, or with those of its template.
    fn calls(&self, function: &'p Function<'a>, of_template: bool) -> Vec<(Scope<'p, 'a>, Vec<Value<'a>>)> {
        let mut found = Vec::new();
        let is_device =
            |function: &Function<'a>| function.head.iter().any(|word| matches!(word.text, "__device__" | "__global__"));
        let needed = function.parameters.iter().filter(|parameter| parameter.default.is_empty()).count();
        for caller in self.program.functions.iter().filter(|caller| !is_device(caller)) {
            for (at, word) in caller.body.iter().enumerate() {
                if word.text != function.name || std::ptr::eq(caller, function) {
                    continue;
                }
                let mut open = at + 1;
                let mut template = Vec::new();
                if caller.body.get(open).is_some_and(|next| next.text == "<")
                    && let Some(end) = behind_template(&caller.body, open)
                {
                    template = value::values(&caller.body[open + 1..end - 1]);
                    open = end;
                }
                if caller.body.get(open).is_none_or(|next| next.text != "(") {
                    continue;
                }
                let arguments = value::values(inside_group(&caller.body, open));
                if !(needed..=function.parameters.len()).contains(&arguments.len()) {
                    continue;
                }
                found.push((Scope::new(caller, word.at), if of_template { template } else { arguments }));
            }
        }
        found
    }

    fn member(&self, of: &Value<'a>, member: &'a str, scope: Scope<'p, 'a>) -> Option<Term> {
        let Value::Name(name, at) = of else { return None };
        if let Some(axis) = ["x", "y", "z"].iter().position(|axis| *axis == member)
            && let Some(sizes) = self.sizes(of, scope)
        {
            return Some(self.own_size(name, member, &sizes[axis], scope));
        }
        if let Some(function) = scope.function
            && let Some(known) = Known::new(function, name, Some(Part::Member(member)), scope.at)
            && let Some(value) = known.value()
        {
            return self.term(value, scope.before(known.value_at()));
        }
        Some(self.free(&format!("{name}_{member}"), At { file: scope.at.file, byte: *at }))
    }

    /// A member of sizes that a function is given: a size of its own, of the value that it has where the parameters have
    /// theirs.
    fn own_size(&self, name: &str, member: &str, size: &Term, scope: Scope<'p, 'a>) -> Term {
        let function =
            scope.function.filter(|function| function.parameters.iter().any(|parameter| parameter.name == name));
        match (function, self.default(size)) {
            (Some(function), Some(default)) if size.number().is_none() => {
                let name = format!("{name}_{member}");
                self.constant(&name, default, function.at(), SymbolKind::Constant, true)
            }
            _ => size.clone(),
        }
    }

    fn element(&self, of: &Value<'a>, number: &Value<'a>, scope: Scope<'p, 'a>) -> Option<Term> {
        let Value::Name(name, at) = of else { return None };
        if matches!(*name, "argv" | "args") {
            return None;
        }
        let number = self.term(number, scope).and_then(|term| self.default(&term));
        let part = number.map(Part::Element);
        if let Some(term) = part.and_then(|part| self.overruled(name, Some(part))) {
            return Some(term);
        }
        if let (Some(function), Some(part)) = (scope.function, part) {
            if let Some(known) = Known::new(function, name, Some(part), scope.at) {
                if let Some(value) = known.value().filter(|_| known.last.is_some() || !known.is_altered) {
                    let term = self.term(value, scope.before(known.value_at()))?;
                    return self.altered(&known, Some(&term), scope);
                }
                if let Some(first) = self.listed(function, name, part, scope) {
                    return self.altered(&known, Some(&first), scope);
                }
            }
            if let Some(term) = self.listed(function, name, part, scope) {
                return Some(term);
            }
        }
        let place = At { file: scope.at.file, byte: *at };
        match self.numbers(name, scope) {
            Some(values) => Some(
                self.symbol(name, Symbol { default: None, at: place, kind: SymbolKind::Loop(values), by_rule: false }),
            ),
            None => Some(self.free(name, place)),
        }
    }

    /// The element of an array in the list that it is made of.
    fn listed(&self, function: &'p Function<'a>, name: &str, part: Part<'a>, scope: Scope<'p, 'a>) -> Option<Term> {
        let known = Known::new(function, name, None, scope.at)?;
        let (Some(Value::List(values)), Part::Element(number)) = (known.value(), part) else { return None };
        self.term(values.get(usize::try_from(number).ok()?)?, scope)
    }

    /// The numbers of an array of the host that is a list of numbers.
    fn numbers(&self, name: &str, scope: Scope<'p, 'a>) -> Option<Vec<i64>> {
        let of_function = scope.function.and_then(|function| Known::new(function, name, None, scope.at));
        let list = match &of_function {
            Some(known) => known.value()?,
            None => self.program.globals.get(name)?.1.value.as_ref()?,
        };
        integers(list)
    }

    /// The element of an array whose value host code gives; `None` for another one.
    pub(super) fn known_element(&self, of: &Value<'a>, scope: Scope<'p, 'a>) -> Option<Term> {
        let term = self.term(of, scope)?;
        let Value::Element(array, _) = of else { return Some(term) };
        let Value::Name(name, at) = **array else { return Some(term) };
        // What is not known is a symbol of the array's own name and place.
        let symbols = self.symbols.borrow();
        let Term::Symbol(own) = &term else { return Some(term) };
        let is_own = symbols.get(own).is_some_and(|symbol| symbol.at.byte == at && **own == *name);
        (!is_own).then_some(term)
    }
}

/// A value with others in place of names.
fn substituted<'a>(of: &Value<'a>, names: &[&str], values: &[Value<'a>]) -> Value<'a> {
    let deeper = |of: &Value<'a>| substituted(of, names, values);
    let boxed = |of: &Value<'a>| Box::new(deeper(of));
    match of {
        Value::Name(name, _) => {
            names.iter().position(|own| own == name).and_then(|at| values.get(at)).unwrap_or(of).clone()
        }
        Value::Member(of, member) => Value::Member(boxed(of), member),
        Value::Element(of, number) => Value::Element(boxed(of), boxed(number)),
        Value::Call { name, template, arguments } => {
            Value::Call { name, template: template.clone(), arguments: arguments.iter().map(deeper).collect() }
        }
        Value::Unary(sign, of) => Value::Unary(sign, boxed(of)),
        Value::Binary(sign, sides) => Value::Binary(sign, Box::new([deeper(&sides[0]), deeper(&sides[1])])),
        Value::Choice(parts) => Value::Choice(Box::new([deeper(&parts[0]), deeper(&parts[1]), deeper(&parts[2])])),
        Value::Real(of) => Value::Real(boxed(of)),
        other => other.clone(),
    }
}

/// The integer that a number with an exponent or a point is; `None` for a fraction.
fn whole(text: &str) -> Option<i64> {
    let number: f64 = text.trim_end_matches(['f', 'F', 'l', 'L']).parse().ok()?;
    #[expect(clippy::cast_possible_truncation, reason = "the number is whole and small")]
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}

/// The integers of a list of nothing else.
fn integers(list: &Value<'_>) -> Option<Vec<i64>> {
    let Value::List(values) = list else { return None };
    values.iter().map(|value| if let Value::Integer(number) = value { Some(*number) } else { None }).collect()
}

/// A name that a spec takes.
fn spec_name(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let mut name: String = letters.take(60).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
        name.insert(0, '_');
    }
    name
}
