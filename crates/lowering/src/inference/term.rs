//! Integers of host code as expressions of symbols: what a spec can say.

use std::fmt::Write;
use std::rc::Rc;

/// An integer that a host computes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Term {
    /// A number.
    Number(i64),
    /// A symbol, by its name in the spec.
    Symbol(Rc<str>),
    /// An operation of two integers.
    Binary(Sign, Box<[Term; 2]>),
    /// The second value where the first is not 0, else the third.
    Choice(Box<[Term; 3]>),
}

/// An operation, as a spec has it. Divisions round towards 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    CeilDiv,
    Min,
    Max,
    Less,
    AtMost,
    Equal,
    Unequal,
    And,
    Or,
}

impl Sign {
    /// The sign or the function's name, and the strength of binding: 9 for a function.
    fn written(self) -> (&'static str, u8) {
        match self {
            Self::Or => ("||", 0),
            Self::And => ("&&", 1),
            Self::Equal => ("==", 2),
            Self::Unequal => ("!=", 2),
            Self::Less => ("<", 3),
            Self::AtMost => ("<=", 3),
            Self::Add => ("+", 4),
            Self::Subtract => ("-", 4),
            Self::Multiply => ("*", 5),
            Self::Divide => ("/", 5),
            Self::Remainder => ("%", 5),
            Self::CeilDiv => ("ceil_div", 9),
            Self::Min => ("min", 9),
            Self::Max => ("max", 9),
        }
    }

    /// The operation that an operator of C is, and true if its sides change places; `None` for those on bits.
    fn of_operator(sign: &str) -> Option<(Self, bool)> {
        Some(match sign {
            "+" => (Self::Add, false),
            "-" => (Self::Subtract, false),
            "*" => (Self::Multiply, false),
            "/" => (Self::Divide, false),
            "%" => (Self::Remainder, false),
            "<" => (Self::Less, false),
            "<=" => (Self::AtMost, false),
            ">" => (Self::Less, true),
            ">=" => (Self::AtMost, true),
            "==" => (Self::Equal, false),
            "!=" => (Self::Unequal, false),
            "&&" => (Self::And, false),
            "||" => (Self::Or, false),
            _ => return None,
        })
    }

    /// The operation of two numbers; `None` without a result.
    fn of(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Self::Add => left.checked_add(right),
            Self::Subtract => left.checked_sub(right),
            Self::Multiply => left.checked_mul(right),
            Self::Divide => left.checked_div(right),
            Self::Remainder => left.checked_rem(right),
            Self::CeilDiv if right > 0 && left >= 0 => Some(left.div_euclid(right) + i64::from(left % right != 0)),
            Self::CeilDiv => None,
            Self::Min => Some(left.min(right)),
            Self::Max => Some(left.max(right)),
            Self::Less => Some((left < right).into()),
            Self::AtMost => Some((left <= right).into()),
            Self::Equal => Some((left == right).into()),
            Self::Unequal => Some((left != right).into()),
            Self::And => Some((left != 0 && right != 0).into()),
            Self::Or => Some((left != 0 || right != 0).into()),
        }
    }
}

impl Term {
    pub(super) fn symbol(name: &str) -> Self {
        Self::Symbol(name.into())
    }

    /// The number; `None` for a term with symbols.
    pub(super) fn number(&self) -> Option<i64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// The operation that an operator of C is on two terms; `None` for an operator on bits.
    pub(super) fn operation(sign: &str, left: Self, right: Self) -> Option<Self> {
        let (sign, changes) = Sign::of_operator(sign)?;
        Some(if changes { Self::binary(sign, right, left) } else { Self::binary(sign, left, right) })
    }

    /// The operation of two terms, in its simplest form.
    pub(super) fn binary(sign: Sign, left: Self, right: Self) -> Self {
        if let (Self::Number(left), Self::Number(right)) = (&left, &right)
            && let Some(value) = sign.of(*left, *right)
        {
            return Self::Number(value);
        }
        match (sign, &left, &right) {
            (Sign::Add, Self::Number(0), _) | (Sign::Multiply, Self::Number(1), _) => right,
            (Sign::Add | Sign::Subtract, _, Self::Number(0))
            | (Sign::Multiply | Sign::Divide | Sign::CeilDiv, _, Self::Number(1)) => left,
            (Sign::Multiply, Self::Number(0), _)
            | (Sign::Multiply, _, Self::Number(0))
            | (Sign::Remainder, _, Self::Number(1)) => Self::Number(0),
            (Sign::Remainder, Self::Binary(Sign::Multiply, factors), _) if factors.contains(&right) => Self::Number(0),
            (Sign::Equal, ..) if left == right => Self::Number(1),
            (Sign::Min | Sign::Max, ..) if left == right => left,
            (Sign::Subtract | Sign::Remainder, ..) if left == right => Self::Number(0),
            (Sign::Divide, ..) => Self::quotient(left, right),
            (Sign::Add, ..) => Self::sum(left, right),
            _ => Self::Binary(sign, Box::new([left, right])),
        }
    }

    /// A sum: `a / b + (a % b != 0)` is a quotient that is rounded up, and so is `(a - 1) / b + 1`.
    fn sum(left: Self, right: Self) -> Self {
        if let Self::Binary(Sign::Divide, parts) = &left {
            let [upper, lower] = &**parts;
            let rest = Self::binary(Sign::Remainder, upper.clone(), lower.clone());
            let is_rest = match &right {
                Self::Binary(Sign::Unequal, sides) => sides[0] == rest && sides[1] == Self::Number(0),
                Self::Binary(Sign::Less, sides) => sides[0] == Self::Number(0) && sides[1] == rest,
                Self::Choice(sides) => is_rounding(sides, &rest),
                _ => false,
            };
            if is_rest {
                return Self::binary(Sign::CeilDiv, upper.clone(), lower.clone());
            }
            if right == Self::Number(1)
                && let Some(whole) = Summands::new(upper).without(&Self::Number(-1))
            {
                return Self::binary(Sign::CeilDiv, whole, lower.clone());
            }
        }
        match (&left, &right) {
            // Numbers come last, and once.
            (Self::Number(_), _) => Self::sum(right, left),
            (Self::Binary(Sign::Add, parts), Self::Number(number)) if parts[1].number().is_some() => {
                let number = Self::binary(Sign::Add, parts[1].clone(), Self::Number(*number));
                Self::binary(Sign::Add, parts[0].clone(), number)
            }
            (Self::Binary(Sign::Subtract, parts), Self::Number(number)) if parts[1].number().is_some() => {
                let number = Self::binary(Sign::Subtract, Self::Number(*number), parts[1].clone());
                Self::binary(Sign::Add, parts[0].clone(), number)
            }
            _ => Self::Binary(Sign::Add, Box::new([left, right])),
        }
    }

    /// A quotient: `(a + b - 1) / b` is one that is rounded up, and of `a * b / b` it is `a`.
    fn quotient(upper: Self, lower: Self) -> Self {
        if upper == lower {
            return Self::Number(1);
        }
        if let Self::Binary(Sign::Multiply, parts) = &upper {
            let [left, right] = &**parts;
            if *right == lower {
                return left.clone();
            }
            if *left == lower {
                return right.clone();
            }
        }
        let less_one = Self::binary(Sign::Subtract, lower.clone(), Self::Number(1));
        if let Some(whole) = Summands::new(&upper).without(&less_one) {
            return Self::binary(Sign::CeilDiv, whole, lower);
        }
        Self::Binary(Sign::Divide, Box::new([upper, lower]))
    }

    pub(super) fn choice(condition: Self, then: Self, otherwise: Self) -> Self {
        match condition {
            Self::Number(0) => otherwise,
            Self::Number(_) => then,
            _ if then == otherwise => then,
            Self::Binary(Sign::Less | Sign::AtMost, sides) if sides[0] == then && sides[1] == otherwise => {
                Self::binary(Sign::Min, then, otherwise)
            }
            Self::Binary(Sign::Less | Sign::AtMost, sides) if sides[1] == then && sides[0] == otherwise => {
                Self::binary(Sign::Max, then, otherwise)
            }
            condition => Self::rounded_choice(condition, then, otherwise),
        }
    }

    /// A choice: `a % b == 0 ? a / b : a / b + 1` is a quotient that is rounded up.
    fn rounded_choice(condition: Self, then: Self, otherwise: Self) -> Self {
        if let Self::Binary(Sign::Equal | Sign::Unequal, sides) = &condition
            && let Self::Binary(Sign::Remainder, parts) = &sides[0]
            && sides[1] == Self::Number(0)
        {
            let exact = Self::binary(Sign::Divide, parts[0].clone(), parts[1].clone());
            let more = Self::binary(Sign::Add, exact.clone(), Self::Number(1));
            let is_equal = matches!(condition, Self::Binary(Sign::Equal, _));
            let (if_exact, if_not) = if is_equal { (&then, &otherwise) } else { (&otherwise, &then) };
            let rounded = || Self::binary(Sign::CeilDiv, parts[0].clone(), parts[1].clone());
            // `if (n % b != 0) n = (n / b + 1) * b;`
            let whole = Self::Binary(Sign::Multiply, Box::new([more.clone(), parts[1].clone()]));
            if *if_exact == parts[0] && *if_not == whole {
                return Self::binary(Sign::Multiply, rounded(), parts[1].clone());
            }
            if *if_exact == exact && *if_not == more {
                return rounded();
            }
        }
        Self::Choice(Box::new([condition, then, otherwise]))
    }

    /// The number of parts.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Number(_) | Self::Symbol(_) => 1,
            Self::Binary(_, parts) => 1 + parts.iter().map(Self::size).sum::<usize>(),
            Self::Choice(parts) => 1 + parts.iter().map(Self::size).sum::<usize>(),
        }
    }

    /// Calls a function with each symbol.
    pub(super) fn each_symbol(&self, see: &mut impl FnMut(&str)) {
        match self {
            Self::Number(_) => {}
            Self::Symbol(name) => see(name),
            Self::Binary(_, parts) => parts.iter().for_each(|part| part.each_symbol(see)),
            Self::Choice(parts) => parts.iter().for_each(|part| part.each_symbol(see)),
        }
    }

    /// True if the term has a symbol.
    pub(super) fn has(&self, symbol: &str) -> bool {
        let mut found = false;
        self.each_symbol(&mut |name| found |= name == symbol);
        found
    }

    /// True if the term has a difference.
    pub(super) fn subtracts(&self) -> bool {
        match self {
            Self::Number(_) | Self::Symbol(_) => false,
            Self::Binary(Sign::Subtract, _) => true,
            Self::Binary(_, sides) => {
                sides.iter().any(Self::subtracts) || sides[1].number().is_some_and(|number| number < 0)
            }
            Self::Choice(parts) => parts.iter().any(Self::subtracts),
        }
    }

    /// The divisors of all quotients.
    pub(super) fn divisors(&self) -> Vec<&Self> {
        match self {
            Self::Number(_) | Self::Symbol(_) => Vec::new(),
            Self::Binary(sign, sides) => {
                let own = matches!(sign, Sign::Divide | Sign::CeilDiv).then_some(&sides[1]);
                own.into_iter().chain(sides.iter().flat_map(Self::divisors)).collect()
            }
            Self::Choice(parts) => parts.iter().flat_map(Self::divisors).collect(),
        }
    }

    /// Calls a function with each division that rounds down: its two sides.
    pub(super) fn each_quotient(&self, see: &mut impl FnMut(&Self, &Self)) {
        match self {
            Self::Number(_) | Self::Symbol(_) => {}
            Self::Binary(sign, parts) => {
                if *sign == Sign::Divide {
                    see(&parts[0], &parts[1]);
                }
                parts.iter().for_each(|part| part.each_quotient(see));
            }
            Self::Choice(parts) => parts.iter().for_each(|part| part.each_quotient(see)),
        }
    }

    /// The term with other terms for its symbols and numbers, built anew.
    pub(super) fn replaced(&self, other: &impl Fn(&Self) -> Option<Self>) -> Self {
        if let Some(other) = other(self) {
            return other;
        }
        match self {
            Self::Number(_) | Self::Symbol(_) => self.clone(),
            Self::Binary(sign, parts) => Self::binary(*sign, parts[0].replaced(other), parts[1].replaced(other)),
            Self::Choice(parts) => {
                Self::choice(parts[0].replaced(other), parts[1].replaced(other), parts[2].replaced(other))
            }
        }
    }

    /// The value, given those of the symbols; `None` if one is missing or the value is not an integer of 64 bits.
    pub(super) fn value(&self, of: &impl Fn(&str) -> Option<i64>) -> Option<i64> {
        self.replaced(&|term| if let Self::Symbol(name) = term { of(name).map(Self::Number) } else { None }).number()
    }

    /// The expression of a spec.
    pub(super) fn written(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0);
        text
    }

    fn write(&self, text: &mut String, weakest: u8) {
        match self {
            Self::Number(number) if *number < 0 => {
                let _ = write!(text, "({number})");
            }
            Self::Number(number) => {
                let _ = write!(text, "{number}");
            }
            Self::Symbol(name) => text.push_str(name),
            Self::Binary(sign, parts) => {
                let (word, strength) = sign.written();
                let is_function = strength == 9;
                let needs_brackets = is_function || strength < weakest;
                text.push_str(if is_function { word } else { "" });
                text.push_str(if needs_brackets { "(" } else { "" });
                let (left, right) = if is_function { (0, 0) } else { (strength, strength + 1) };
                parts[0].write(text, left);
                match (is_function, sign, &parts[1]) {
                    (true, ..) => text.push_str(", "),
                    (false, Sign::Add, Self::Number(number)) if *number < 0 => {
                        let _ = write!(text, " - {}", number.unsigned_abs());
                        text.push_str(if needs_brackets { ")" } else { "" });
                        return;
                    }
                    _ => {
                        let _ = write!(text, " {word} ");
                    }
                }
                parts[1].write(text, right);
                text.push_str(if needs_brackets { ")" } else { "" });
            }
            Self::Choice(parts) => {
                text.push('(');
                parts[0].write(text, 0);
                text.push_str(" ? ");
                parts[1].write(text, 0);
                text.push_str(" : ");
                parts[2].write(text, 0);
                text.push(')');
            }
        }
    }
}

/// True for `rest != 0 ? 1 : 0` and `rest == 0 ? 0 : 1`.
fn is_rounding(sides: &[Term; 3], rest: &Term) -> bool {
    let [condition, then, otherwise] = sides;
    let one_if = match condition {
        Term::Binary(Sign::Equal, parts) if parts[0] == *rest && parts[1] == Term::Number(0) => 0,
        Term::Binary(Sign::Unequal, parts) if parts[0] == *rest && parts[1] == Term::Number(0) => 1,
        other if other == rest => 1,
        _ => return false,
    };
    *then == Term::Number(one_if) && *otherwise == Term::Number(1 - one_if)
}

/// A sum as the terms that are added.
struct Summands {
    /// The terms, each with true if it is subtracted.
    terms: Vec<(bool, Term)>,
    number: i64,
}

impl Summands {
    fn new(term: &Term) -> Self {
        let mut sum = Self { terms: Vec::new(), number: 0 };
        sum.add(term, false);
        sum
    }

    fn add(&mut self, term: &Term, is_negative: bool) {
        match term {
            Term::Number(number) => {
                self.number = self.number.wrapping_add(if is_negative { number.wrapping_neg() } else { *number });
            }
            Term::Binary(Sign::Add, parts) => parts.iter().for_each(|part| self.add(part, is_negative)),
            Term::Binary(Sign::Subtract, parts) => {
                self.add(&parts[0], is_negative);
                self.add(&parts[1], !is_negative);
            }
            other => self.terms.push((is_negative, other.clone())),
        }
    }

    /// The sum without a part of it; `None` if the part does not belong to the sum, or if nothing else does.
    fn without(mut self, part: &Term) -> Option<Term> {
        let taken = Self::new(part);
        for term in &taken.terms {
            let at = self.terms.iter().position(|own| own == term)?;
            self.terms.remove(at);
        }
        if self.number != taken.number || self.terms.is_empty() {
            return None;
        }
        let mut terms = self.terms.into_iter();
        let (_, first) = terms.next().filter(|(is_negative, _)| !is_negative)?;
        Some(terms.fold(first, |sum, (is_negative, term)| {
            Term::binary(if is_negative { Sign::Subtract } else { Sign::Add }, sum, term)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n() -> Term {
        Term::symbol("n")
    }

    fn number(number: i64) -> Term {
        Term::Number(number)
    }

    fn add(left: Term, right: Term) -> Term {
        Term::binary(Sign::Add, left, right)
    }

    #[test]
    fn quotients_that_are_rounded_up_are_recognised() {
        let b = || Term::binary(Sign::Multiply, Term::symbol("BX"), Term::symbol("TX"));
        let less = |left, right| Term::binary(Sign::Subtract, left, right);
        let over = |upper, lower| Term::binary(Sign::Divide, upper, lower);
        let rest = |upper, lower| Term::binary(Sign::Remainder, upper, lower);
        for up in [
            over(less(add(n(), b()), number(1)), b()),
            over(add(n(), less(b(), number(1))), b()),
            over(add(add(b(), number(-1)), n()), b()),
            add(over(less(n(), number(1)), b()), number(1)),
            add(over(n(), b()), Term::binary(Sign::Unequal, rest(n(), b()), number(0))),
            Term::choice(
                Term::binary(Sign::Equal, rest(n(), b()), number(0)),
                over(n(), b()),
                add(over(n(), b()), number(1)),
            ),
            add(
                over(n(), b()),
                Term::choice(Term::binary(Sign::Equal, rest(n(), b()), number(0)), number(0), number(1)),
            ),
        ] {
            assert_eq!(up.written(), "ceil_div(n, BX * TX)");
        }
        assert_eq!(over(add(n(), number(255)), number(256)).written(), "ceil_div(n, 256)");
        assert_eq!(over(add(n(), number(255)), number(255)).written(), "(n + 255) / 255");
        assert_eq!(over(add(less(n(), number(2)), number(31)), number(32)).written(), "(n + 29) / 32");
        assert_eq!(over(b(), Term::symbol("TX")).written(), "BX");
    }

    #[test]
    fn terms_are_written_as_they_bind() {
        let product = Term::binary(Sign::Multiply, add(n(), number(2)), n());
        assert_eq!(product.written(), "(n + 2) * n");
        assert_eq!(Term::binary(Sign::Subtract, n(), add(n(), number(-2))).written(), "n - (n - 2)");
        let least = Term::choice(Term::binary(Sign::Less, n(), number(64)), n(), number(64));
        assert_eq!(least.written(), "min(n, 64)");
        assert_eq!(least.value(&|_| Some(100)), Some(64));
        assert_eq!(least.value(&|_| None), None);
    }
}
