//! Random kernels whose ids of the group decide unevenly: a group that is said to do what an executed one does has the same
//! work items at each access, equally far apart, in a plain interpreter of one work item.

use std::fmt::Write;

use autotune::limits::Limits;
use autotune::source::{Assumptions, Executed, Flow, IrText, SourceLaunch, execute};
use proptest::prelude::*;

const LANES: i64 = 8;
const GRID: [u64; 3] = [6, 4, 1];

/// A number of 32 bits.
#[derive(Debug, Clone)]
enum Number {
    Constant(i64),
    Lane,
    /// The id of the group along an axis.
    Group(usize),
    Binary(&'static str, Box<Number>, Box<Number>),
    Least(Box<Number>, Box<Number>),
}

/// A store that happens where a comparison of two numbers holds.
#[derive(Debug, Clone)]
struct Store {
    comparison: &'static str,
    sides: [Number; 2],
    index: Number,
}

fn number() -> impl Strategy<Value = Number> + Clone {
    let leaf = prop_oneof![
        (0..20_i64).prop_map(Number::Constant),
        Just(Number::Lane),
        (0..2_usize).prop_map(Number::Group),
        (0..2_usize).prop_map(Number::Group),
    ];
    leaf.prop_recursive(4, 14, 2, |inner| {
        let both =
            |operator| (inner.clone(), inner.clone()).prop_map(move |(left, right)| binary(operator, left, right));
        let with = |operator, constants: Vec<i64>| {
            (inner.clone(), prop::sample::select(constants))
                .prop_map(move |(left, right)| binary(operator, left, Number::Constant(right)))
        };
        prop_oneof![
            both("add"),
            both("sub"),
            both("mul"),
            both("or"),
            with("mul", vec![2, 3, 8]),
            with("and", vec![1, 3, 6, 7, -4]),
            with("shl", vec![1, 2]),
            with("ashr", vec![1, 2]),
            with("lshr", vec![1, 2]),
            with("udiv", vec![1, 2, 3]),
            with("urem", vec![2, 3, 4]),
            with("sdiv", vec![2, 3, 4]),
            with("srem", vec![2, 3, 4]),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| Number::Least(left.into(), right.into())),
        ]
    })
}

fn binary(operator: &'static str, left: Number, right: Number) -> Number {
    Number::Binary(operator, left.into(), right.into())
}

fn store() -> impl Strategy<Value = Store> {
    let comparison = prop::sample::select(vec!["slt", "sge", "ult", "uge", "eq", "ne"]);
    (comparison, number(), number(), number()).prop_map(|(comparison, left, right, index)| Store {
        comparison,
        sides: [left, right],
        index,
    })
}

/// The plain interpreter: a number of a work item of a group.
fn value(number: &Number, lane: i64, group: [u64; 3]) -> i32 {
    let of = |number: &Number| value(number, lane, group);
    match number {
        Number::Constant(value) => i32::try_from(*value).unwrap(),
        Number::Lane => i32::try_from(lane).unwrap(),
        Number::Group(axis) => i32::try_from(group[*axis]).unwrap(),
        Number::Least(left, right) => of(left).min(of(right)),
        Number::Binary(operator, left, right) => {
            let (left, right) = (of(left), of(right));
            let (positive, divisor) = (left.cast_unsigned(), right.cast_unsigned());
            match *operator {
                "add" => left.wrapping_add(right),
                "sub" => left.wrapping_sub(right),
                "mul" => left.wrapping_mul(right),
                "or" => left | right,
                "and" => left & right,
                "shl" => left.wrapping_shl(divisor),
                "ashr" => left.wrapping_shr(divisor),
                "lshr" => positive.wrapping_shr(divisor).cast_signed(),
                "udiv" => (positive / divisor).cast_signed(),
                "urem" => (positive % divisor).cast_signed(),
                "sdiv" => left.wrapping_div(right),
                _ => left.wrapping_rem(right),
            }
        }
    }
}

/// The indices that a group stores at in order: of each work item, `None` if it does not store.
fn stored(stores: &[Store], group: [u64; 3]) -> Vec<Vec<Option<i32>>> {
    let of_lane = |store: &Store, lane| {
        let [left, right] = [0, 1].map(|side: usize| value(&store.sides[side], lane, group));
        let holds = match store.comparison {
            "slt" => left < right,
            "sge" => left >= right,
            "ult" => left.cast_unsigned() < right.cast_unsigned(),
            "uge" => left.cast_unsigned() >= right.cast_unsigned(),
            "eq" => left == right,
            _ => left != right,
        };
        holds.then(|| value(&store.index, lane, group))
    };
    stores.iter().map(|store| (0..LANES).map(|lane| of_lane(store, lane)).collect()).collect()
}

/// The distances of what a group stores from its first work item that does.
fn distances(stored: &[Vec<Option<i32>>]) -> Vec<Vec<Option<i64>>> {
    let of_store = |lanes: &Vec<Option<i32>>| {
        let first = lanes.iter().flatten().next().copied().map_or(0, i64::from);
        lanes.iter().map(|lane| lane.map(|index| i64::from(index) - first)).collect()
    };
    stored.iter().map(of_store).collect()
}

/// Writes a number, and returns its operand.
fn write(lines: &mut String, number: &Number) -> String {
    let mut two = |left: &Number, right: &Number| {
        let (left, right) = (write(lines, left), write(lines, right));
        (left, right, format!("%v{}", lines.lines().count()))
    };
    match number {
        Number::Constant(value) => value.to_string(),
        Number::Lane => "%lane".to_owned(),
        Number::Group(axis) => ["%gx", "%gy"][*axis].to_owned(),
        Number::Binary(operator, left, right) => {
            let (left, right, own) = two(left, right);
            writeln!(lines, "  {own} = {operator} i32 {left}, {right}").unwrap();
            own
        }
        Number::Least(left, right) => {
            let (left, right, own) = two(left, right);
            writeln!(lines, "  {own}.c = icmp slt i32 {left}, {right}").unwrap();
            writeln!(lines, "  {own} = select i1 {own}.c, i32 {left}, i32 {right}").unwrap();
            own
        }
    }
}

fn text(stores: &[Store]) -> String {
    let mut body = String::new();
    for (number, Store { comparison, sides: [left, right], index }) in stores.iter().enumerate() {
        let (left, right) = (write(&mut body, left), write(&mut body, right));
        writeln!(body, "  %c{number} = icmp {comparison} i32 {left}, {right}").unwrap();
        writeln!(body, "  br i1 %c{number}, label %then{number}, label %next{number}\nthen{number}:").unwrap();
        let index = write(&mut body, index);
        writeln!(body, "  %w{number} = sext i32 {index} to i64").unwrap();
        writeln!(body, "  %p{number} = getelementptr inbounds float, ptr addrspace(1) %a, i64 %w{number}").unwrap();
        writeln!(body, "  store float 0.0, ptr addrspace(1) %p{number}, align 4").unwrap();
        writeln!(body, "  br label %next{number}\nnext{number}:").unwrap();
    }
    let id = |name: &str, function: &str, axis: u8| {
        format!("  %{name}.w = call spir_func i64 @{function}(i32 {axis})\n  %{name} = trunc i64 %{name}.w to i32\n")
    };
    let ids =
        id("lane", "_Z12get_local_idj", 0) + &id("gx", "_Z12get_group_idj", 0) + &id("gy", "_Z12get_group_idj", 1);
    format!("define spir_kernel void @k(ptr addrspace(1) noalias %a) {{\nentry:\n{ids}{body}  ret void\n}}\n")
}

fn executed(text: &str, group: [u64; 3]) -> Executed {
    let module = IrText::split(text).unwrap().module("k").unwrap().unwrap();
    let flow = Flow::new(&module.kernel);
    let sizes = [u32::try_from(LANES).unwrap(), 1, 1];
    let launch = SourceLaunch { sizes, groups: GRID, group, warp_size: 4, ..SourceLaunch::default() };
    execute(&module, &flow, &launch, &Assumptions::default(), true, &Limits::default()).unwrap()
}

fn groups() -> impl Iterator<Item = [u64; 3]> {
    (0..GRID[0]).flat_map(|x| (0..GRID[1]).map(move |y| [x, y, 0]))
}

/// The number of other groups that the group in the middle stands for.
fn alike(stores: &[Store]) -> usize {
    let executed = executed(&text(stores), [2, 1, 0]);
    groups().filter(|other| executed.dependence.is_alike([2, 1, 0], *other)).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn groups_that_are_alike_store_alike(stores in prop::collection::vec(store(), 1..4)) {
        let text = text(&stores);
        let all: Vec<_> = groups().map(|group| (group, distances(&stored(&stores, group)))).collect();
        for group in [[2, 1, 0], [0, 3, 0], [5, 2, 0]] {
            let executed = executed(&text, group);
            let own = distances(&stored(&stores, group));
            for (other, theirs) in &all {
                let is_alike = executed.dependence.is_alike(group, *other);
                prop_assert!(!is_alike || own == *theirs, "{group:?} for {other:?}: {own:?}, {theirs:?}\n{text}");
            }
        }
    }
}

#[test]
fn a_quotient_within_its_bounds_decides_nothing() {
    let third = || binary("udiv", Number::Group(0), Number::Constant(3));
    let at = |bound| Store {
        comparison: "slt",
        sides: [third(), Number::Constant(bound)],
        index: binary("add", binary("mul", third(), Number::Constant(64)), Number::Lane),
    };
    // A third of the ids is 0 or 1.
    assert_eq!(alike(&[at(2)]), 24);
    // It decides: groups with the same id along x are alike.
    assert_eq!(alike(&[at(1)]), 4);
}

#[test]
fn ids_that_move_work_items_apart_have_no_other_groups_alike() {
    let sum = binary("add", Number::Group(0), Number::Lane);
    let index = binary("udiv", sum, Number::Constant(3));
    let always = Store { comparison: "sge", sides: [Number::Lane, Number::Constant(0)], index };
    assert_eq!(alike(&[always]), 4);
}
