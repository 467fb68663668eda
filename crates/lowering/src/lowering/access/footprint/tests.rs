//! Counts against a walk over every access, and counts of large spaces against formulas.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::union::Union;
use super::*;

fn variable(step: i64, count: u64) -> Variable {
    Variable { step, count }
}

fn corner(steps: [i64; 3], sizes: [u64; 3], number: u64) -> Corner {
    Corner { steps, sizes, number }
}

/// Accesses of a group of one work item.
fn alone(width: u64, loops: &[Variable]) -> Accesses {
    Accesses { width, loops: loops.to_vec(), items: Corner::POINT, groups: Corner::POINT }
}

/// The different units of a walk over every access.
fn walked(accesses: &Accesses, unit: u64, Starts { first, step }: Starts) -> u128 {
    let mut addresses = vec![0_i64];
    for one in &accesses.loops {
        let moved = |address: &i64| (0..one.count.cast_signed()).map(|value| address + value * one.step).collect();
        addresses = addresses.iter().flat_map::<Vec<i64>, _>(moved).collect();
    }
    for corner in [&accesses.items, &accesses.groups] {
        let of_point = |point: u64| {
            let [x, y, _] = corner.sizes;
            let values = [point % x, point / x % y, point / x / y];
            values.iter().zip(corner.steps).map(|(value, step)| value.cast_signed() * step).sum::<i64>()
        };
        let moved = |address: &i64| (0..corner.number).map(|point| address + of_point(point)).collect();
        addresses = addresses.iter().flat_map::<Vec<i64>, _>(moved).collect();
    }
    let units = |start: i64| {
        let touched =
            addresses.iter().flat_map(|address| address + start..address + start + accesses.width.cast_signed());
        touched.map(|byte| byte.div_euclid(unit.cast_signed())).collect::<BTreeSet<_>>().len() as u128
    };
    (0..unit).step_by(usize::try_from(step).unwrap()).map(|start| units(first + start.cast_signed())).sum()
}

/// Steps of a row-wise array, with tiles that touch, overlap or leave gaps, and steps without an order.
fn steps() -> impl Strategy<Value = i64> {
    let element = prop_oneof![Just(1_i64), Just(4), Just(8)];
    let times = prop_oneof![Just(0_i64), 1..6_i64, Just(16), Just(-1), Just(-3)];
    let row = prop_oneof![Just(0_i64), Just(64), Just(100), Just(256), Just(260), Just(-256)];
    prop_oneof![
        3 => (element, times.clone()).prop_map(|(element, times)| element * times),
        3 => (row, times).prop_map(|(row, times)| row * times),
        1 => -90..90_i64,
    ]
}

fn corners() -> impl Strategy<Value = Corner> {
    let sizes = (1..5_u64, 1..4_u64, 1..3_u64);
    ([steps(), steps(), steps()], sizes, 0..24_u64, any::<bool>()).prop_map(|(steps, (x, y, z), some, all)| {
        let points = x * y * z;
        Corner { steps, sizes: [x, y, z], number: if all { points } else { some % points + 1 } }
    })
}

fn nests() -> impl Strategy<Value = Accesses> {
    let loops = proptest::collection::vec((steps(), 1..6_u64), 0..4);
    let loops = loops.prop_map(|loops| loops.into_iter().map(|(step, count)| variable(step, count)).collect());
    (prop_oneof![Just(4_u64), Just(16), 1..40_u64], loops, corners(), corners())
        .prop_map(|(width, loops, items, groups)| Accesses { width, loops, items, groups })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn counts_are_those_of_a_walk(
        accesses in nests(),
        (unit, step) in prop_oneof![Just((32_u64, 32_u64)), Just((32, 4)), Just((32, 8)), Just((1, 1)), Just((24, 3))],
        first in prop_oneof![2 => Just(0_i64), 1 => -100..100_i64],
    ) {
        let starts = Starts { first, step };
        let walked = Some(walked(&accesses, unit, starts));
        prop_assert_eq!(accesses.units(unit, starts), walked);
        // Each way of uniting boxes is exact wherever it applies.
        let union = Union::new(&accesses, first);
        prop_assert_eq!(union.listed(unit, step), walked);
        let united = union.by_inclusion_and_exclusion(unit, step);
        prop_assert!(united.is_none() || united == walked, "{united:?} is not {walked:?}");
        let added = union.one_behind_the_other(unit, step);
        prop_assert!(added.is_none() || added == walked, "{added:?} is not {walked:?}");
    }
}

/// Counts without a list of stretches, which small cases may hide: the ways must agree wherever they apply.
#[test]
fn rows_of_any_number_take_no_list() {
    let (rows, columns) = (1 << 40, 1 << 20);
    // Whole rows of a matrix whose pitch is a multiple of a sector, less its last 8 words.
    let matrix = alone(4, &[variable(4, columns - 8), variable(4 << 20, rows)]);
    assert_eq!(matrix.units(32, Starts::aligned(32)), Some(u128::from(columns - 8) / 8 * u128::from(rows)));
    // A column: a sector of each row.
    let column = alone(4, &[variable(4 << 20, rows)]);
    assert_eq!(column.units(32, Starts::aligned(32)), Some(rows.into()));
    // Rows of 9 words that begin at 0, 4, …, 28 bytes of a sector: 2 sectors each, since 36 bytes never fit one.
    let ragged = alone(4, &[variable(4, 9), variable(1028, 8 << 40)]);
    assert_eq!(ragged.units(32, Starts::aligned(32)), Some(2 * u128::from(8_u64 << 40)));
    // 10 words: 3 sectors at 28 bytes only.
    let ragged = alone(4, &[variable(4, 10), variable(1028, 8 << 40)]);
    assert_eq!(ragged.units(32, Starts::aligned(32)), Some((7 * 2 + 3) * (1 << 40)));
}

/// 2,500 of 100 x 100 groups have a tile of 30 x 20 words each, one beside the other: 25 rows of tiles.
#[test]
fn groups_that_run_together_are_launched_along_x_first() {
    let pitch = 4 * 30 * 100;
    let tile = |number| Accesses {
        width: 4,
        loops: Vec::new(),
        items: corner([4, pitch, 0], [30, 20, 1], 600),
        groups: corner([4 * 30, 20 * pitch, 0], [100, 100, 1], number),
    };
    assert_eq!(tile(2500).units(1, Starts::aligned(1)), Some(2500 * 600 * 4));
    // 375 sectors to a row.
    assert_eq!(tile(2500).units(32, Starts::aligned(32)), Some(25 * 20 * 375));
    // 50 more: half of each of the next 20 rows, which is 187.5 sectors.
    assert_eq!(tile(2550).units(32, Starts::aligned(32)), Some((25 * 20 * 375) + 20 * 188));
    // A column of groups reads one tile along x.
    let shared = Accesses { groups: corner([0, 20 * pitch, 0], [100, 100, 1], 2550), ..tile(1) };
    assert_eq!(shared.units(1, Starts::aligned(1)), Some(26 * 20 * 30 * 4));
    // Groups that go down the matrix first.
    let down = Accesses { groups: corner([20 * pitch, 4 * 30, 0], [100, 100, 1], 2550), ..tile(1) };
    assert_eq!(down.units(1, Starts::aligned(1)), Some(2550 * 600 * 4));
}

/// Tiles with a halo overlap: 7 of 4 x 3 groups read 10 x 10 words every 8 words along both axes.
#[test]
fn halos_are_counted_once() {
    let pitch = 4 * 1000;
    let halo = Accesses {
        width: 4,
        loops: vec![variable(4, 10), variable(pitch, 10)],
        items: Corner::POINT,
        groups: corner([32, 8 * pitch, 0], [4, 3, 1], 7),
    };
    // 34 x 10 words of the first row of groups, 26 x 8 more of the second, which has 3 groups; but the last 2 rows of
    // the first row of groups are covered already.
    assert_eq!(halo.units(1, Starts::aligned(1)), Some(4 * (34 * 10 + 26 * 8)));
}

#[test]
fn what_would_take_too_long_a_list_is_unknown() {
    // A skewed wave front: rows and diagonals that share no step.
    let wave = |count| alone(4, &[variable(4000, count), variable(3996, count), variable(1 << 30, 1 << 40)]);
    assert_eq!(wave(200).units(1, Starts::aligned(1)), Some(4 * 200 * 200 * (1 << 40)));
    assert_eq!(wave(300).units(32, Starts::aligned(32)), None);
    let far = alone(4, &[variable(i64::MAX, u64::MAX), variable(i64::MIN, u64::MAX), variable(i64::MIN / 3, u64::MAX)]);
    assert_eq!(far.units(32, Starts::aligned(32)), None);
}
