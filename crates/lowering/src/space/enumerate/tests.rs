use std::sync::LazyLock;

use proptest::prelude::*;

use super::walk::Walk;
use super::*;
use crate::gpu::find;
use crate::spec::{GpuNames, Scope};

static GPU: LazyLock<GpuNames> = LazyLock::new(|| find("gtx580").unwrap().profile.names(false));

fn spec(parameters: &[(&str, String)], constraints: &[&str]) -> Spec {
    let parameters = parameters.iter().map(|(name, values)| format!("  {name}: {{ {values} }}\n"));
    let constraints = constraints.iter().map(|constraint| format!("  - '{constraint}'\n"));
    let text = format!(
        "kernel: k\nparameters:\n{}let:\n  both: a * b\n  rest: 24 / (a - b)\nconstraints:\n  - 'true'\n{}{}",
        parameters.collect::<String>(),
        constraints.collect::<String>(),
        "launch: { work_items: 1, work_group: 1 }\nbody: []\n"
    );
    Spec::parse(&text, "space.yaml").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn range(to: i64) -> String {
    format!("range: {{ from: 1, to: {to} }}")
}

/// The feasible configurations, the number of configurations that count for each constraint, and the number of visits.
fn walked(spec: &Spec) -> (Vec<Vec<i64>>, Vec<u128>, usize) {
    let space = Space::new(spec, &GPU).unwrap();
    let (mut feasible, mut excluded, mut visits) = (Vec::new(), vec![0; spec.constraints.len()], 0);
    let visit = &mut |visit: Visit<'_>| {
        visits += 1;
        match visit {
            Visit::Feasible(values) => feasible.push(values.to_vec()),
            Visit::Excluded { constraint, configurations, .. } => excluded[constraint] += configurations,
        }
        ControlFlow::Continue(())
    };
    space.visit(visit).unwrap();
    assert_eq!(feasible.len() as u128 + excluded.iter().sum::<u128>(), space.size());
    (feasible, excluded, visits)
}

/// The number of ways to write 12 as a sum of eight positive numbers is 11 over 7.
#[test]
fn a_sum_cuts_the_space_before_its_last_summand() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let parameters = names.map(|name| (name, range(12)));
    let (feasible, excluded, visits) = walked(&spec(&parameters, &["a + b + c + d + e + f + g + h == 12"]));
    assert_eq!((feasible.len(), excluded[1]), (330, 12_u128.pow(8) - 330));
    assert!(feasible.is_sorted() && feasible.iter().all(|values| values.iter().sum::<i64>() == 12));
    assert!(visits < 10_000, "{visits} visits");
}

/// 1,000 has 16 divisors, and 400,000 values are halved 16 times until at most 8 are left.
#[test]
fn values_that_cannot_be_met_are_left_together() {
    let parameters = [("a", range(400_000)), ("b", range(400_000))];
    for constraint in
        ["a * b == 1000", "both == 1000", "1000 % both == 0 && both > 999", "a == 1000 / b && a * b == 1000"]
    {
        let (feasible, _, visits) = walked(&spec(&parameters, &[constraint]));
        assert_eq!(feasible.len(), 16, "{constraint}");
        assert!(visits < 100_000, "{constraint}: {visits} visits");
    }
}

/// 7 does not divide 2^20, so nothing is looked at below a = 7, 14, 21 and so on.
#[test]
fn what_cannot_divide_is_left_with_all_that_is_below() {
    let parameters = ["a", "b", "c", "d", "e"].map(|name| (name, range(64)));
    let (feasible, _, visits) = walked(&spec(&parameters, &["1048576 % (a * b * c * d * e) == 0"]));
    // The exponents of five powers of two up to 2^6, whose sum is at most 20.
    let exponents = (0..7_u32.pow(5)).filter(|code| (0..5).map(|digit| code / 7_u32.pow(digit) % 7).sum::<u32>() <= 20);
    assert_eq!(feasible.len(), exponents.count());
    assert!(visits < 64 * feasible.len(), "{visits} visits for {}", feasible.len());
}

/// Half of what the sum excludes counts for the constraint that is tried before it, until too many steps are taken.
#[test]
fn a_large_space_does_not_look_for_the_first_constraint_at_any_price() {
    let parameters = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|name| (name, range(12)));
    let odd = "(a + 3 * b + 5 * c + 7 * d + 9 * e + 11 * f + 13 * g + h) % 2 == 0";
    let (feasible, excluded, visits) = walked(&spec(&parameters, &[odd, "a + b + c + d + e + f + g + h == 12"]));
    assert_eq!(feasible.len(), 330);
    assert!(excluded[1] > 50_000 && excluded[2] > 12_u128.pow(8) / 2, "{excluded:?}");
    assert!(visits < 300_000, "{visits} visits");
}

#[test]
fn a_spec_without_parameters_has_one_configuration() {
    let text = "kernel: k\nconstraints: [ CONDITION ]\nlaunch: { work_items: 1, work_group: 1 }\nbody: []\n";
    for (condition, feasible) in [("1 > 2", 0), ("1 < 2", 1)] {
        let spec = Spec::parse(&text.replace("CONDITION", condition), "space.yaml").unwrap();
        let space = Space::new(&spec, &GPU).unwrap();
        let mut completions = 0;
        let visit = &mut |visit: Visit<'_>| {
            match visit {
                Visit::Feasible(values) => assert_eq!((values.len(), feasible), (0, 1)),
                Visit::Excluded { chosen, next, configurations, .. } => {
                    assert_eq!((feasible, configurations), (0, 1));
                    space.each_completion(chosen, next, &mut |_| completions += 1);
                }
            }
            ControlFlow::Continue(())
        };
        space.visit(visit).unwrap();
        assert_eq!(completions, 1 - feasible);
    }
}

/// Conditions that users write, and some that cannot be evaluated for every configuration.
const CONDITIONS: [&str; 24] = [
    "a * b <= 24",
    "a + b + c == 9",
    "a + b == c + d",
    "24 % (a * b) == 0",
    "c % a == 0",
    "d % (a * b) != 0",
    "both <= 12 || c == 1",
    "both * c >= 8 && d > 1",
    "a < b ? c < d : c == d",
    "rest > 0",
    "rest + c != 12",
    "max(a, b, c) <= 2 * min(b, c, d)",
    "ceil_div(24, a) * b > d",
    "24 / a / b == c",
    "a == b || 24 / (a - b) > 0",
    "c > 2 && 12 / (c - 2) > d",
    "log2(c) >= 1",
    "pow2(a + 58) > 0",
    "c * c * c * c < d",
    "!(a == c) || b == d",
    "a % 2 == 0",
    "b != 3 && b != 5 && b != 7",
    "d == 1 || d == 4 || d == 8",
    "-c % b == 0",
];

/// Domains with more and with fewer values than a part that is not halved.
fn domains() -> impl Strategy<Value = Vec<String>> {
    let domain = prop_oneof![
        (1..14_i64).prop_map(range),
        (-2..3_i64, 1..4_i64).prop_map(|(from, step)| format!("range: {{ from: {from}, to: 12, step: {step} }}")),
        Just("powers_of_two: { from: 1, to: 16 }".to_owned()),
        Just("values: [3, 1, 8, 2]".to_owned()),
    ];
    proptest::collection::vec(domain, 4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// However early a constraint is used, the walk finds what looking at each configuration finds: the same feasible
    /// ones in the same order, or the same error.
    #[test]
    fn a_walk_finds_what_looking_at_each_configuration_finds(
        domains in domains(),
        constraints in proptest::sample::subsequence(CONDITIONS.to_vec(), 0..5).prop_shuffle(),
        patience in prop_oneof![Just(0), Just(5), Just(u64::MAX)],
    ) {
        let parameters: Vec<_> = ["a", "b", "c", "d"].into_iter().zip(domains).collect();
        let spec = spec(&parameters, &constraints);
        let space = Space::new(&spec, &GPU).unwrap();
        let mut visited = Vec::new();
        let visit = &mut |visit: Visit<'_>| {
            match visit {
                Visit::Feasible(values) => visited.push((values.to_vec(), None)),
                Visit::Excluded { chosen, next, constraint, configurations } => {
                    let before = visited.len();
                    space.each_completion(chosen, next, &mut |visit| visited.push((visit.0, Some(constraint))));
                    assert_eq!(configurations, (visited.len() - before) as u128);
                }
            }
            ControlFlow::Continue(())
        };
        let walked = Walk::new(&space, patience, visit).run();
        let mut all = Vec::new();
        space.each_completion(&[], &space.domains()[0], &mut |configuration| all.push(configuration));
        let looked_at = all.iter().map(|configuration| space.excluded_by(configuration));
        let expected: Result<Vec<Option<usize>>, _> = looked_at.collect();
        match (walked, expected) {
            (Err(error), Err(expected)) => prop_assert_eq!(error.to_string(), expected.to_string()),
            (Ok(()), Ok(expected)) => {
                prop_assert_eq!(visited.len(), expected.len());
                for ((configuration, (values, excluded)), expected) in all.iter().zip(visited).zip(expected) {
                    prop_assert_eq!(&configuration.0, &values);
                    prop_assert_eq!(excluded.is_some(), expected.is_some());
                    if patience == u64::MAX {
                        prop_assert_eq!(excluded, expected);
                    }
                    if let Some(constraint) = excluded {
                        let scope = space.scope_of(configuration);
                        prop_assert!(scope.is_none_or(|scope| spec.constraints[constraint].evaluate(&scope) == Ok(0)));
                    }
                }
            }
            (walked, expected) => prop_assert!(false, "{walked:?} instead of {expected:?}"),
        }
    }
}

impl Space<'_> {
    /// The values of all names; `None` if a `let` cannot be evaluated.
    fn scope_of(&self, configuration: &Configuration) -> Option<Scope> {
        self.spec.scope(&GPU, configuration).ok()
    }
}
