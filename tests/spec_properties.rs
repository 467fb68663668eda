//! Properties of every expression and of every space, compared with a reference written for this purpose: expressions
//! in 128 bits, and spaces walked one configuration at a time.

#[path = "shared/listed_space.rs"]
mod listed_space;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use autotune::gpu::find;
use autotune::space::{LISTED, Space};
use autotune::spec::{Configuration, GpuNames, Spec};
use autotune::user_error::UserError;
use listed_space::ListedSpace;
use proptest::prelude::*;

static GPU: LazyLock<GpuNames> = LazyLock::new(|| find("gtx580").expect("a shipped profile").profile.names(false));

/// An expression, as the reference understands it.
#[derive(Debug, Clone)]
enum Sample {
    Number(i64),
    Name(String),
    Unary(char, Box<Sample>),
    Binary(&'static str, Box<[Sample; 2]>),
    Choice(Box<[Sample; 3]>),
    Call(&'static str, Vec<Sample>),
}

/// Operators with their strength, the weakest first.
const OPERATORS: [(&str, u8); 13] = [
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<", 4),
    ("<=", 4),
    (">", 4),
    (">=", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("/", 6),
    ("%", 6),
];
const CHOICE: u8 = 0;
const UNARY: u8 = 7;

fn strength(sign: &str) -> u8 {
    let found = OPERATORS.iter().find(|(known, _)| *known == sign);
    found.expect("it is an operator").1
}

/// The values of names; `None` for a name without a value.
type Values = BTreeMap<String, Option<i128>>;

impl Sample {
    /// The text, with as few parentheses as the grammar allows.
    fn text(&self, weakest: u8) -> String {
        let (strength, text) = match self {
            Self::Number(value) => (UNARY, value.to_string()),
            Self::Name(name) => (UNARY, name.clone()),
            Self::Unary(sign, operand) => (UNARY, format!("{sign}{}", operand.text(UNARY))),
            Self::Binary(sign, operands) => {
                let strength = strength(sign);
                let (left, right) = (operands[0].text(strength), operands[1].text(strength + 1));
                (strength, format!("{left} {sign} {right}"))
            }
            Self::Choice(parts) => {
                let (then, otherwise) = (parts[1].text(CHOICE), parts[2].text(CHOICE));
                (CHOICE, format!("{} ? {then} : {otherwise}", parts[0].text(CHOICE + 1)))
            }
            Self::Call(function, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|part| part.text(CHOICE)).collect();
                (UNARY, format!("{function}({})", arguments.join(", ")))
            }
        };
        if strength < weakest { format!("({text})") } else { text }
    }

    /// The value; `None` if it does not fit into 64 bits, or if a division or a function has none.
    fn value(&self, values: &Values) -> Option<i128> {
        let value = match self {
            Self::Number(value) => i128::from(*value),
            Self::Name(name) => values[name]?,
            Self::Unary('-', operand) => -operand.value(values)?,
            Self::Unary(_, operand) => i128::from(operand.value(values)? == 0),
            Self::Binary("||", operands) if operands[0].value(values)? != 0 => 1,
            Self::Binary("&&", operands) if operands[0].value(values)? == 0 => 0,
            Self::Binary(sign, operands) => binary(sign, operands[0].value(values)?, operands[1].value(values)?)?,
            Self::Choice(parts) if parts[0].value(values)? != 0 => parts[1].value(values)?,
            Self::Choice(parts) => parts[2].value(values)?,
            Self::Call(function, arguments) => {
                let arguments: Option<Vec<_>> = arguments.iter().map(|part| part.value(values)).collect();
                call(function, &arguments?)?
            }
        };
        i64::try_from(value).is_ok().then_some(value)
    }

    fn names(&self, visit: &mut dyn FnMut(&str)) {
        match self {
            Self::Number(_) => {}
            Self::Name(name) => visit(name),
            Self::Unary(_, operand) => operand.names(visit),
            Self::Binary(_, operands) => operands.iter().for_each(|part| part.names(visit)),
            Self::Choice(parts) => parts.iter().for_each(|part| part.names(visit)),
            Self::Call(_, arguments) => arguments.iter().for_each(|part| part.names(visit)),
        }
    }
}

fn binary(sign: &str, left: i128, right: i128) -> Option<i128> {
    Some(match sign {
        "||" | "&&" => i128::from(right != 0),
        "!=" => i128::from(left != right),
        "==" => i128::from(left == right),
        "<" => i128::from(left < right),
        "<=" => i128::from(left <= right),
        ">" => i128::from(left > right),
        ">=" => i128::from(left >= right),
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "/" => left.checked_div(right)?,
        _ => left.checked_rem(right)?,
    })
}

fn call(function: &str, arguments: &[i128]) -> Option<i128> {
    match (function, arguments) {
        ("min", _) => arguments.iter().min().copied(),
        ("max", _) => arguments.iter().max().copied(),
        ("ceil_div", [dividend, divisor]) => {
            let quotient = dividend.checked_div_euclid(*divisor)?;
            let rest = dividend - quotient * divisor;
            Some(if rest > 0 && *divisor > 0 { quotient + 1 } else { quotient })
        }
        ("floor_div", [dividend, divisor]) => {
            let quotient = dividend.checked_div_euclid(*divisor)?;
            let rest = dividend - quotient * divisor;
            Some(if rest > 0 && *divisor < 0 { quotient - 1 } else { quotient })
        }
        ("log2", [value]) => (0..63).rev().find(|exponent| (1_i128 << exponent) <= *value),
        ("pow2", [exponent]) => (0..63).contains(exponent).then(|| 1 << exponent),
        _ => unreachable!("{function} of {arguments:?}"),
    }
}

/// Random expressions over some names.
fn samples(names: Vec<String>) -> impl Strategy<Value = Sample> {
    let number = prop_oneof![0..9_i64, 0..9_i64, any::<u32>().prop_map(i64::from), Just(i64::MAX)];
    let leaf = prop_oneof![
        2 => number.prop_map(Sample::Number),
        5 => proptest::sample::select(names).prop_map(Sample::Name),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let several = proptest::collection::vec(inner.clone(), 2..4);
        let operator = proptest::sample::select(OPERATORS.map(|(sign, _)| sign).to_vec());
        let pair = proptest::array::uniform2(inner.clone());
        let three = proptest::array::uniform3(inner.clone());
        prop_oneof![
            2 => (prop_oneof![Just('-'), Just('!')], inner.clone()).prop_map(|(sign, part)| Sample::Unary(sign, Box::new(part))),
            9 => (operator, pair.clone()).prop_map(|(sign, pair)| Sample::Binary(sign, Box::new(pair))),
            2 => three.prop_map(|parts| Sample::Choice(Box::new(parts))),
            1 => (prop_oneof![Just("min"), Just("max")], several).prop_map(|(name, list)| Sample::Call(name, list)),
            1 => (prop_oneof![Just("ceil_div"), Just("floor_div")], pair).prop_map(|(name, pair)| Sample::Call(name, pair.into())),
            1 => (prop_oneof![Just("log2"), Just("pow2")], inner).prop_map(|(name, part)| Sample::Call(name, vec![part])),
        ]
    })
}

/// A spec of parameters with their values, `let`s and constraints.
fn spec(parameters: &[Vec<i64>], lets: &[Sample], constraints: &[Sample]) -> Spec {
    let positions = parameters.iter().enumerate();
    let parameters = positions.map(|(p, values)| format!("  p{p}: {{ values: {values:?} }}\n"));
    let positions = lets.iter().enumerate();
    let lets = positions.map(|(l, sample)| format!("  l{l}: '{}'\n", sample.text(CHOICE)));
    let constraints = constraints.iter().map(|sample| format!("  - '{}'\n", sample.text(CHOICE)));
    let text = format!(
        "kernel: k\nparameters:\n{}let:\n  zero: 0\n{}constraints:\n  - 'true'\n{}{}",
        parameters.collect::<String>(),
        lets.collect::<String>(),
        constraints.collect::<String>(),
        "launch: { work_items: 1, work_group: 1 }\nbody: []\n"
    );
    Spec::parse(&text, "random.yaml").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn named(letter: char, count: usize) -> Vec<String> {
    (0..count).map(|position| format!("{letter}{position}")).collect()
}

/// Parameters, `let`s over these, constraints over both.
fn spaces() -> impl Strategy<Value = (Vec<Vec<i64>>, Vec<Sample>, Vec<Sample>)> {
    let domain = proptest::collection::btree_set(-3..6_i64, 0..5).prop_map(Vec::from_iter);
    let shuffled = domain.prop_shuffle();
    proptest::collection::vec(shuffled, 1..5).prop_flat_map(|parameters| {
        let names = named('p', parameters.len());
        let lets = (samples(names.clone()), samples([names.clone(), named('l', 1)].concat()));
        let constraints = proptest::collection::vec(samples([names, named('l', 2)].concat()), 0..4);
        (Just(parameters), lets.prop_map(|(first, second)| vec![first, second]), constraints)
    })
}

/// All configurations, the last parameter varying fastest.
fn product(domains: &[Vec<i64>]) -> Vec<Vec<i64>> {
    domains.iter().fold(vec![Vec::new()], |begun, domain| {
        let longer =
            |values: &Vec<i64>| domain.iter().map(|value| [&values[..], &[*value]].concat()).collect::<Vec<_>>();
        begun.iter().flat_map(longer).collect()
    })
}

/// The number of leading parameters that an expression needs.
fn depth(sample: &Sample, lets: &[Sample]) -> usize {
    let mut deepest = 0;
    sample.names(&mut |name| {
        let position: usize = name[1..].parse().expect("a letter and a position");
        let needed = if name.starts_with('p') { position + 1 } else { depth(&lets[position], lets) };
        deepest = deepest.max(needed);
    });
    deepest
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_expression_has_the_value_that_128_bits_give(
        sample in samples(named('p', 3)),
        chosen in proptest::array::uniform3(prop_oneof![-9..9_i64, any::<i64>()]),
    ) {
        let spec = spec(&chosen.map(|value| vec![value]), &[], std::slice::from_ref(&sample));
        let values = named('p', 3).into_iter().zip(chosen.map(|value| Some(i128::from(value)))).collect();
        let scope = spec.scope(&GPU, &Configuration(chosen.into())).unwrap();
        let value = spec.constraints[1].evaluate(&scope).ok().map(i128::from);
        prop_assert_eq!(value, sample.value(&values), "{} with {:?}", sample.text(CHOICE), chosen);
    }

    #[test]
    fn pruning_changes_nothing((parameters, lets, constraints) in spaces()) {
        let spec = spec(&parameters, &lets, &constraints);
        let space = Space::new(&spec, &GPU).unwrap();
        let mut order: Vec<_> = (0..constraints.len()).collect();
        order.sort_by_key(|position| depth(&constraints[*position], &lets));

        let (mut feasible, mut infeasible, mut fails) = (Vec::new(), Vec::new(), false);
        for chosen in product(&parameters) {
            let given = chosen.iter().map(|value| Some(i128::from(*value)));
            let mut values: Values = named('p', parameters.len()).into_iter().zip(given).collect();
            for (name, sample) in named('l', lets.len()).into_iter().zip(&lets) {
                values.insert(name, sample.value(&values));
            }
            let holds = |position: &&usize| constraints[**position].value(&values);
            if let Some(first) = order.iter().find(|position| holds(position) == Some(0)) {
                infeasible.push((Configuration(chosen), first + 1));
            } else if order.iter().any(|position| holds(&position).is_none()) {
                fails = true;
            } else {
                feasible.push(Configuration(chosen));
            }
        }
        prop_assert_eq!(space.size(), parameters.iter().map(|domain| domain.len() as u128).product::<u128>());
        match ListedSpace::of(&spec, &space) {
            Err(error) => prop_assert!(fails, "{error}"),
            Ok(survey) => {
                prop_assert!(!fails, "a constraint without a value went unnoticed");
                let count = |constraint| infeasible.iter().filter(|(_, first)| *first == constraint).count() as u128;
                let excluded: Vec<_> = (0..=constraints.len()).map(count).collect();
                prop_assert_eq!(&survey.feasible, &feasible);
                prop_assert_eq!(&survey.excluded, &excluded);
                prop_assert_eq!(survey.infeasible.as_ref(), Some(&infeasible));
                for (configuration, constraint) in &infeasible {
                    prop_assert_eq!(space.excluded_by(configuration).unwrap(), Some(*constraint));
                }
                for configuration in &feasible {
                    prop_assert_eq!(space.excluded_by(configuration).unwrap(), None);
                }
            }
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>(), words in "[a-z0-9é🡠 (),?:!&*%<>=|+./'\"{}\\[\\]\n-]{0,60}") {
        let _ = Spec::parse(&text, "any.yaml").map_err(|error| error.to_string());
        for line in [format!("kernel: k\nlet: {{ a: {words} }}\n"), format!("kernel: k\nlet:\n  a: {words}\nbody: []\n")] {
            let _ = Spec::parse(&line, "any.yaml").map_err(|error| (error.to_string(), error.help()));
        }
        let quoted = words.replace('\'', "''");
        let text = format!("kernel: k\nconstraints: ['{quoted}']\nlaunch: {{ work_items: 1, work_group: 1 }}\nbody: []\n");
        if let Ok(spec) = Spec::parse(&text, "any.yaml") {
            let _ = ListedSpace::of(&spec, &Space::new(&spec, &GPU).unwrap()).map(drop).map_err(|error| error.to_string());
        }
    }
}

#[test]
fn a_large_space_with_few_feasible_configurations_is_not_walked() {
    let parameters: Vec<Vec<i64>> = vec![(1..=32).collect(); 6];
    let equal =
        |left: &str, right: &str| Sample::Binary("==", Box::new([left, right].map(|name| Sample::Name(name.into()))));
    let constraints = [equal("p0", "p1"), equal("p1", "p2"), equal("p3", "p4")];
    let spec = spec(&parameters, &[], &constraints);
    let space = Space::new(&spec, &GPU).unwrap();
    assert_eq!(space.size(), 32_u128.pow(6));
    assert!(space.size() > 1_000_000_000 && space.size() > LISTED);
    let survey = ListedSpace::of(&spec, &space).unwrap();
    assert_eq!(survey.feasible.len(), 32 * 32 * 32);
    assert_eq!(survey.feasible[1].0, [1, 1, 1, 1, 1, 2]);
    assert_eq!(survey.excluded, [0, 32 * 31 * 32_u128.pow(4), 32 * 31 * 32_u128.pow(3), 32 * 32 * 31 * 32]);
    assert_eq!(survey.infeasible, None);
}
