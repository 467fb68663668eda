//! The conditions of one configuration as conditions of problem sizes, in C and in Python.
//!
//! Parameters and values of the GPU are written as numbers, `let`s are expanded, and every problem size has bounds, within
//! which C, Python and a spec compute alike: quotients round alike, and 64 bits hold each value on the way. A condition that
//! may be computed otherwise is not written.

mod domains;
mod part;

use std::collections::BTreeSet;

use super::super::Spec;
use super::super::configuration::Configuration;
use super::Expression;
use super::names::{GPU_NAMES, Slot};
use super::operators::{Binary, Function};
use super::scope::{GpuNames, Scope};
use super::tree::{Kind, Tree};
use part::{ConditionSyntax, Form, Part, binary, chosen};

/// The most bytes of a condition; expanded `let`s can grow beyond it.
const LONGEST: usize = 2_000;

/// A condition of problem sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizeCondition {
    /// The condition in C.
    pub c: String,
    /// The condition in Python.
    pub python: String,
    /// The sizes that it is about.
    pub sizes: Vec<String>,
    /// The greatest value of these sizes; where none exceeds it, the condition is the spec's constraint.
    pub most: i64,
}

/// A writer of the conditions of one configuration on one GPU.
#[derive(Debug)]
pub struct SizeConditions<'a> {
    spec: &'a Spec,
    scope: Scope,
    /// The values of the question, by size.
    asked: &'a [(String, Vec<i64>)],
}

/// The least value of a problem size in conditions: 1, or the least of the question.
#[must_use]
pub fn least_size(asked: &[i64]) -> i64 {
    asked.iter().copied().fold(1, i64::min)
}

impl<'a> SizeConditions<'a> {
    /// Returns a writer for one configuration. `asked` has each problem size in the order of the spec.
    #[must_use]
    pub fn new(spec: &'a Spec, gpu: &GpuNames, configuration: &Configuration, asked: &'a [(String, Vec<i64>)]) -> Self {
        let mut scope = spec.base_scope(gpu);
        scope.configure(configuration);
        Self { spec, scope, asked }
    }

    /// Returns the spec's constraints and the ends of its domains, without what always holds or stands before; `None` if one
    /// cannot be written for the values of the question.
    #[must_use]
    pub fn conditions(&self) -> Option<Vec<SizeCondition>> {
        let mut conditions: Vec<SizeCondition> = Vec::new();
        let domains = domains::conditions(self.spec, self.scope.names.first_parameter())?;
        for tree in self.spec.constraints.iter().map(Expression::tree).chain(&domains) {
            let mut slots = BTreeSet::new();
            self.find_sizes(tree, &mut slots);
            let most = self.most(tree, &slots)?;
            let [c, python] = [ConditionSyntax::C, ConditionSyntax::Python]
                .map(|language| Writer { conditions: self, language, most }.part(tree));
            let (c, python) = c.zip(python)?;
            if c.value.is_none_or(|value| value == 0) && conditions.iter().all(|one| one.c != c.text) {
                let sizes = slots.into_iter().filter_map(|slot| Some(self.asked_of(slot)?.0.clone())).collect();
                conditions.push(SizeCondition { c: c.text, python: python.text, sizes, most });
            }
        }
        Some(conditions)
    }

    /// The greatest value of the sizes that lets a constraint be written; `None` if those of the question do not.
    fn most(&self, tree: &Tree, slots: &BTreeSet<Slot>) -> Option<i64> {
        let is_written = |most| Writer { conditions: self, language: ConditionSyntax::C, most }.part(tree).is_some();
        let asked = slots.iter().filter_map(|slot| self.asked_of(*slot)).flat_map(|(_, values)| values);
        let (mut holds, mut fails) = (asked.copied().fold(1, i64::max), i64::MAX);
        if is_written(fails) {
            return Some(fails);
        }
        if !is_written(holds) {
            return None;
        }
        // Wider bounds of a size widen those of each part.
        while fails - holds > 1 {
            let middle = holds + (fails - holds) / 2;
            *if is_written(middle) { &mut holds } else { &mut fails } = middle;
        }
        Some(holds)
    }

    /// A problem size with the values of the question; `None` if the name is not a size.
    fn asked_of(&self, slot: Slot) -> Option<&(String, Vec<i64>)> {
        let is_size = (GPU_NAMES.len()..self.scope.names.first_parameter()).contains(&slot);
        self.asked.get(slot.checked_sub(GPU_NAMES.len())?).filter(|_| is_size)
    }

    /// Finds the sizes that a constraint or its `let`s name.
    fn find_sizes(&self, tree: &Tree, found: &mut BTreeSet<Slot>) {
        let mut find = |tree: &Tree| self.find_sizes(tree, found);
        match &tree.kind {
            Kind::Number(_) | Kind::Decimal(..) => {}
            Kind::Name(slot) => match self.let_of(*slot) {
                Some(tree) => find(tree),
                None if self.asked_of(*slot).is_some() => _ = found.insert(*slot),
                None => {}
            },
            Kind::Negate(operand) | Kind::Not(operand) => find(operand),
            Kind::Binary(_, operands) => operands.iter().for_each(find),
            Kind::Choice(parts) => parts.iter().for_each(find),
            Kind::Call(_, arguments) => arguments.iter().for_each(find),
        }
    }

    /// The expression of a `let`; `None` for another name.
    fn let_of(&self, slot: Slot) -> Option<&Tree> {
        let number = slot.checked_sub(self.scope.names.first_let())?;
        self.spec.lets.get(number).map(|(_, expression)| expression.tree())
    }
}

/// A writer of parts where no size exceeds `most`.
struct Writer<'a> {
    conditions: &'a SizeConditions<'a>,
    language: ConditionSyntax,
    most: i64,
}

impl Writer<'_> {
    fn part(&self, tree: &Tree) -> Option<Part> {
        let part = match &tree.kind {
            Kind::Number(value) => Part::number(*value),
            Kind::Decimal(..) => return None,
            Kind::Name(slot) => self.name(*slot)?,
            Kind::Negate(operand) => {
                let operand = self.part(operand)?;
                let bounds = [operand.most.checked_neg()?, operand.least.checked_neg()?];
                let negated = Part::new(format!("-{}", operand.operand()), bounds);
                operand.value.map_or(Part { is_int: operand.is_int, ..negated }, |value| Part::number(-value))
            }
            Kind::Not(operand) => {
                let operand = self.part(operand)?;
                match operand.value {
                    Some(value) => Part::number((value == 0).into()),
                    None => Part::truth(format!("{} == 0", operand.operand())),
                }
            }
            Kind::Binary(operator @ (Binary::And | Binary::Or), operands) => self.logical(*operator, operands)?,
            Kind::Binary(operator, operands) => {
                binary(*operator, &self.part(&operands[0])?, &self.part(&operands[1])?, self.language)?
            }
            Kind::Choice(parts) => self.choice(parts)?,
            Kind::Call(function, arguments) => self.call(*function, arguments)?,
        };
        (part.text.len() <= LONGEST).then_some(part)
    }

    fn name(&self, slot: Slot) -> Option<Part> {
        if slot >= self.conditions.scope.names.first_let() {
            return self.part(self.conditions.let_of(slot)?);
        }
        if let Some((name, asked)) = self.conditions.asked_of(slot) {
            return Some(Part { form: Form::Atom, ..Part::new(name.clone(), [least_size(asked), self.most]) });
        }
        self.conditions.scope.values.get(slot).map(|value| Part::number(*value))
    }

    fn logical(&self, operator: Binary, operands: &[Tree; 2]) -> Option<Part> {
        let is_decisive = |value: i64| (value != 0) == (operator == Binary::Or);
        let left = self.part(&operands[0])?;
        if left.value.is_some_and(is_decisive) {
            return Some(Part::number((operator == Binary::Or).into()));
        }
        let right = self.part(&operands[1])?;
        let shown = |part: &Part| if part.is_truth { part.operand() } else { format!("({} != 0)", part.operand()) };
        let word = match (self.language, operator) {
            (ConditionSyntax::C, Binary::And) => "&&",
            (ConditionSyntax::C, _) => "||",
            (ConditionSyntax::Python, Binary::And) => "and",
            (ConditionSyntax::Python, _) => "or",
        };
        Some(match (left.value, right.value) {
            (Some(_), Some(value)) => Part::number((value != 0).into()),
            (Some(_), None) => Part::truth(format!("{} != 0", right.operand())),
            // A right operand that decides does so only if the left one has a value.
            _ => Part::truth(format!("{} {word} {}", shown(&left), shown(&right))),
        })
    }

    fn choice(&self, parts: &[Tree; 3]) -> Option<Part> {
        let condition = self.part(&parts[0])?;
        if let Some(value) = condition.value {
            return self.part(&parts[if value == 0 { 2 } else { 1 }]);
        }
        let [then, otherwise] = [self.part(&parts[1])?, self.part(&parts[2])?];
        Some(chosen(&condition.operand(), &then, &otherwise, self.language))
    }

    fn call(&self, function: Function, arguments: &[Tree]) -> Option<Part> {
        let arguments = arguments.iter().map(|tree| self.part(tree)).collect::<Option<Vec<_>>>()?;
        let (first, others) = arguments.split_first()?;
        if let (Some(one), Some(two), Some(divide)) =
            (first.value, others.first().and_then(|other| other.value), function.division())
        {
            return divide(one, two).ok().map(Part::number);
        }
        match function {
            Function::Min | Function::Max => others.iter().try_fold(first.clone(), |one, two| {
                if let (Some(one), Some(two)) = (one.value, two.value) {
                    return Some(Part::number(if function == Function::Min { one.min(two) } else { one.max(two) }));
                }
                let sign = if function == Function::Min { "<" } else { ">" };
                let part = chosen(&format!("({} {sign} {})", one.operand(), two.operand()), &one, two, self.language);
                let (least, most) = match function {
                    Function::Max => (one.least.max(two.least), part.most),
                    _ => (part.least, one.most.min(two.most)),
                };
                (part.text.len() <= LONGEST).then_some(Part { least, most, ..part })
            }),
            Function::FloorDiv => binary(Binary::Divide, first, others.first()?, self.language),
            Function::CeilDiv => {
                let below = binary(Binary::Subtract, others.first()?, &Part::number(1), self.language)?;
                binary(
                    Binary::Divide,
                    &binary(Binary::Add, first, &below, self.language)?,
                    others.first()?,
                    self.language,
                )
            }
            Function::Log2 => super::operators::log2(first.value?).ok().map(Part::number),
            Function::Pow2 => super::operators::pow2(first.value?).ok().map(Part::number),
            Function::Mean => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "
kernel: sized
problem: { n: 64, m: 32 }
parameters: { A: { values: [4, 6] }, B: { values: [1, 2] } }
let: { tiles: 'ceil_div(n, A)' }
constraints: [CONDITION]
launch: { work_items: 64, work_group: 4 }
body: [ barrier ]
";

    fn conditions(condition: &str, asked: [(&str, &[i64]); 2]) -> Option<Vec<SizeCondition>> {
        let spec = Spec::parse(&SPEC.replace("CONDITION", &format!("'{condition}'")), "sized").unwrap();
        let gpu = GpuNames {
            multiprocessors: 8,
            warp_size: 32,
            local_memory: 49152,
            max_work_group: 1024,
            register_limit: 255,
            amd: 0,
        };
        let asked = asked.map(|(name, values)| (name.to_owned(), values.to_vec()));
        SizeConditions::new(&spec, &gpu, &Configuration(vec![4, 2]), &asked).conditions()
    }

    fn written(condition: &str) -> Option<[Vec<String>; 2]> {
        let conditions = conditions(condition, [("n", &[64]), ("m", &[32])])?;
        Some(conditions.into_iter().map(|one| (one.c, one.python)).unzip::<_, _, Vec<_>, Vec<_>>().into())
    }

    /// The greatest sizes of a condition.
    fn most(condition: &str, n: &[i64]) -> Option<i64> {
        Some(conditions(condition, [("n", n), ("m", &[32])])?[0].most)
    }

    #[test]
    fn conditions_are_of_sizes_alone() {
        for (condition, c, python) in [
            ("n % A == 0", "n % 4 == 0", "n % 4 == 0"),
            ("tiles >= B && m > 1", "((n + 3) / 4 >= 2) && (m > 1)", "((n + 3) // 4 >= 2) and (m > 1)"),
            ("min(n, m) > gpu.warp_size", "((n < m) ? n : m) > 32", "(n if (n < m) else m) > 32"),
            ("A == 6 || !(n < m)", "((n < m) == 0) != 0", "((n < m) == 0) != 0"),
        ] {
            assert_eq!(written(condition).unwrap(), [[c], [python]], "{condition}");
        }
        assert_eq!(written("A * B < 9 || n > 3"), Some([vec![], vec![]]));
        assert_eq!(written("A < B"), Some([vec!["0".to_owned()], vec!["0".to_owned()]]));
    }

    #[test]
    fn what_may_round_otherwise_is_not_written() {
        for condition in ["(n - 100) / 7 < 3", "n % (m - 32) == 0", "log2(n) > 3"] {
            assert_eq!(written(condition), None, "{condition}");
        }
    }
    #[test]
    fn a_condition_holds_up_to_where_64_bits_hold_its_values() {
        assert_eq!(most("n % A == 0", &[64]), Some(i64::MAX));
        assert_eq!(most("n * n <= 2147483647", &[64]), Some(3_037_000_499));
        assert_eq!(most("n * m * 2 < 9", &[64]), Some(2_147_483_647));
        assert_eq!(most("tiles >= B", &[64]), Some(i64::MAX - 3));
        assert_eq!(most("n - m * 2 < 9", &[64]), Some((1 << 62) - 1));
        // The difference is a count up to there.
        assert_eq!(most("(4096 - n) / 8 > 2", &[64]), Some(4096));
        assert_eq!(most("(4096 - n) / 8 > 2", &[64, 5000]), None);
        assert_eq!(most("n * n <= 2147483647", &[1 << 32]), None);
        // Truths and small numbers have 32 bits in C.
        assert_eq!(most("(n < 5) * 1073741824 > m", &[64]), Some(i64::MAX));
        assert_eq!(most("(n < 5) * 1073741824 * 2 > m", &[64]), None);
        let sizes = |condition| conditions(condition, [("n", &[64]), ("m", &[32])]).unwrap()[0].sizes.clone();
        assert_eq!([sizes("tiles >= B"), sizes("m < 9 && B < n")], [vec!["n"], vec!["n", "m"]]);
    }

    #[test]
    fn a_size_of_0_is_like_others_where_it_does_not_divide() {
        let zero = |condition| conditions(condition, [("n", &[0, 64]), ("m", &[32])]).map(|all| all[0].c.clone());
        assert_eq!(zero("n % A == 0 && n / 3 < m").as_deref(), Some("(n % 4 == 0) && (n / 3 < m)"));
        assert_eq!(zero("ceil_div(n, A) < m").as_deref(), Some("(n + 3) / 4 < m"));
        assert_eq!((zero("m % n == 0"), zero("(n - 1) / 2 < m")), (None, None));
        assert_eq!(written("m % n == 0 && (n - 1) / 2 < m").unwrap()[0], ["(m % n == 0) && ((n - 1) / 2 < m)"]);
    }
}
