use proptest::prelude::*;

use super::*;
use crate::spec::expression::fault::FaultAt;

/// Trees of all kinds of parts over two names.
fn trees() -> impl Strategy<Value = Tree> {
    let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, 62, 63, i64::MAX - 1, i64::MAX];
    let number = prop_oneof![4 => -9..9_i64, 1 => proptest::sample::select(ends.to_vec())];
    let leaf = prop_oneof![
        1 => number.prop_map(Kind::Number),
        1 => (0..9_i64).prop_map(|digits| Kind::Decimal(digits, 2)),
        4 => (0..2_usize).prop_map(Kind::Name),
    ];
    let leaf = leaf.prop_map(|kind| Tree::new(kind, 0..1));
    leaf.prop_recursive(3, 12, 3, |inner| {
        let list = proptest::collection::vec(inner.clone(), 2..4);
        let pair = proptest::array::uniform2(inner.clone());
        let three = proptest::array::uniform3(inner.clone());
        let of_two = [Function::CeilDiv, Function::FloorDiv, Function::Mean];
        let kind = prop_oneof![
            1 => inner.clone().prop_map(|part| Kind::Negate(Box::new(part))),
            1 => inner.clone().prop_map(|part| Kind::Not(Box::new(part))),
            12 => (operators(), pair.clone()).prop_map(|(operator, pair)| Kind::Binary(operator, Box::new(pair))),
            2 => three.prop_map(|parts| Kind::Choice(Box::new(parts))),
            2 => (proptest::sample::select(vec![Function::Min, Function::Max]), list)
                .prop_map(|(function, list)| Kind::Call(function, list)),
            2 => (proptest::sample::select(of_two.to_vec()), pair)
                .prop_map(|(function, pair)| Kind::Call(function, pair.into())),
            2 => (proptest::sample::select(vec![Function::Log2, Function::Pow2]), inner)
                .prop_map(|(function, part)| Kind::Call(function, vec![part])),
        ];
        kind.prop_map(|kind| Tree::new(kind, 0..1))
    })
}

fn operators() -> impl Strategy<Value = Binary> {
    use Binary::{
        Add, And, AtLeast, AtMost, Divide, DivideExactly, Equal, FloorDivide, FloorRemainder, Greater, Less, Multiply,
        Or, Power, Remainder, Subtract, Unequal,
    };
    let arithmetic =
        [Add, Subtract, Multiply, Divide, Remainder, DivideExactly, FloorDivide, FloorRemainder, Power].to_vec();
    let conditions = [Or, And, Equal, Unequal, Less, AtMost, Greater, AtLeast].to_vec();
    prop_oneof![2 => proptest::sample::select(arithmetic), 1 => proptest::sample::select(conditions)]
}

/// Values in any order, most of them near 0, often at equal distances.
fn domains() -> impl Strategy<Value = Vec<i64>> {
    let near = proptest::collection::vec(-9..9_i64, 1..5);
    let ranges =
        (-9..9_i64, 1..7_i64, 1..5_i64).prop_map(|(from, step, most)| (0..most).map(|i| from + i * step).collect());
    let powers = (0..4_u32, 1..5_u32).prop_map(|(from, most)| (from..from + most).map(|i| 1_i64 << i).collect());
    let far = proptest::collection::vec(any::<i64>(), 1..4);
    prop_oneof![4 => near, 4 => ranges, 2 => powers, 1 => far]
}

impl Possible {
    fn allows(self, value: i64) -> bool {
        let steps = || value.abs_diff(self.least).checked_rem(self.step).is_none_or(|rest| rest == 0);
        self.least <= value && value <= self.greatest && steps()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_value_and_no_failure_is_missed(tree in trees(), one in domains(), other in domains()) {
        let open = [Possible::among(&one).unwrap(), Possible::among(&other).unwrap()];
        let possible = tree.possible(&|slot: Slot| open[slot]);
        let evaluated = one.iter().flat_map(|&first| other.iter().map(move |&second| [first, second]));
        for values in evaluated {
            let value: Result<i64, FaultAt> = tree.evaluate(&mut values.as_slice());
            match value {
                Ok(value) => prop_assert!(possible.allows(value), "{value} of {values:?} is not in {possible:?}"),
                Err(fault) => prop_assert!(possible.fails, "{fault:?} of {values:?} is not in {possible:?}"),
            }
        }
        prop_assert_eq!(possible.least == possible.greatest, possible.step == 0);
    }
}

/// Trees of the operators' names and of `x`, whose values are `values`; the truth if it is certain.
fn certain(operator: Binary, values: &[i64], than: i64) -> Option<bool> {
    let operands = [Kind::Name(0), Kind::Number(than)].map(|kind| Tree::new(kind, 0..1));
    let possible = Tree::new(Kind::Binary(operator, Box::new(operands)), 0..1);
    let possible = possible.possible(&|_| Possible::among(values).unwrap());
    [true, false].into_iter().find(|truth| possible.is_always(*truth))
}

#[test]
fn ends_and_distances_decide_conditions() {
    assert_eq!(certain(Binary::Less, &[1, 5, 9], 10), Some(true));
    assert_eq!(certain(Binary::Less, &[1, 5, 9], 1), Some(false));
    assert_eq!(certain(Binary::Less, &[1, 5, 9], 9), None);
    assert_eq!(certain(Binary::Equal, &[1, 5, 9], 7), Some(false), "7 is between them");
    assert_eq!(certain(Binary::Unequal, &[1, 5, 9], 7), Some(true));
    assert_eq!(certain(Binary::Equal, &[1, 5, 9], 5), None);
    assert_eq!(certain(Binary::Remainder, &[4, 8, 16], 4), Some(false), "each is a multiple of 4");
    assert_eq!(certain(Binary::Remainder, &[6, 10, 14], 4), Some(true), "each leaves 2");
    assert_eq!(certain(Binary::Remainder, &[1, 2, 3], 4), Some(true), "each is less than 4");
    assert_eq!(certain(Binary::Remainder, &[1, 2, 3], 0), None, "each fails");
}

/// `1024 % (x * 3)` is not 0, whatever x is: 3 does not divide 1024.
#[test]
fn no_multiple_of_what_does_not_divide_a_number_divides_it() {
    let tree = |kind| Tree::new(kind, 0..1);
    let pair = |operator, one, other| tree(Kind::Binary(operator, Box::new([one, other])));
    let multiple = pair(Binary::Multiply, tree(Kind::Name(0)), tree(Kind::Number(3)));
    let rest = pair(Binary::Remainder, tree(Kind::Number(1024)), multiple);
    let open = Possible::among(&[1, 2, 3, 4, 5]).unwrap();
    assert!(rest.possible(&|_| open).is_always(true));
}
