//! Subscripts against shapes: the audit's result from ranges equals that of all work items and counters one by one.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::lowering::stop::Outside;

/// A spec with one access, of at most a few thousand elements.
#[derive(Debug, Clone)]
struct Sample {
    work_items: [i64; 3],
    work_group: [i64; 3],
    /// Launches and iterations; each has a counter, except that launches may have none.
    times: i64,
    loops: Vec<i64>,
    per_item: i64,
    items: i64,
    vector: i64,
    guarded: bool,
    in_branch: bool,
    is_local: bool,
    /// The constant of each subscript, then its coefficients of each id and counter.
    rows: Vec<Vec<i64>>,
    shape: Vec<i64>,
}

const IDS: [&str; 6] = ["lx", "ly", "lz", "gx", "gy", "gz"];

impl Sample {
    /// Names of ids and counters, in the order of the coefficients.
    fn names(&self) -> Vec<String> {
        let loops = (0..self.loops.len()).map(|level| format!("i{level}"));
        let counters = std::iter::once("pass".to_owned()).chain(loops).chain(["own".to_owned()]);
        IDS.map(str::to_owned).into_iter().chain(counters).collect()
    }

    fn counts(&self) -> Vec<i64> {
        std::iter::once(self.times).chain(self.loops.iter().copied()).chain([self.per_item]).collect()
    }

    fn subscript(&self, row: &[i64]) -> String {
        let terms = row[1..].iter().zip(self.names()).filter(|(by, _)| **by != 0);
        terms.fold(row[0].to_string(), |text, (by, name)| format!("{text} + {by} * {name}"))
    }

    fn spec(&self) -> Spec {
        let Self { work_items, work_group, times, per_item, items, vector, guarded, shape, .. } = self;
        let index = self.rows.iter().map(|row| format!("'{}'", self.subscript(row))).collect::<Vec<_>>().join(", ");
        let keyword = if self.is_local { "local: { reads: a" } else { "store: { array: a" };
        let mut statement = format!(
            "{keyword}, per_item: {per_item}, var: own, items: {items}, vector: {vector}, guarded: {guarded}, \
             index: [{index}], shape: {shape:?} }}"
        );
        if self.in_branch {
            statement = format!("branch: {{ then: [{{ {statement} }}] }}");
        }
        for (level, count) in self.loops.iter().enumerate().rev() {
            statement = format!("loop: {{ count: {count}, var: i{level}, body: [{{ {statement} }}] }}");
        }
        let launch =
            format!("launch: {{ work_items: {work_items:?}, work_group: {work_group:?}, times: {times}, var: pass }}");
        spec(&launch, &[&statement])
    }

    /// The ids and counters of every access.
    fn accesses(&self) -> Vec<Vec<i64>> {
        let mut accesses = Vec::new();
        let [dx, dy, dz] = self.work_group;
        let grid: [i64; 3] = std::array::from_fn(|axis| {
            let (items, group) = (self.work_items[axis], self.work_group[axis]);
            (items + group - 1) / group
        });
        for lane in 0..self.items.min(dx * dy * dz) {
            let local = [lane % dx, lane / dx % dy, lane / (dx * dy)];
            for group in product(&grid) {
                let takes_part =
                    (0..3).all(|axis| group[axis] * self.work_group[axis] + local[axis] < self.work_items[axis]);
                if takes_part {
                    let ids = [&local[..], &group].concat();
                    accesses.extend(product(&self.counts()).into_iter().map(|counters| [&ids[..], &counters].concat()));
                }
            }
        }
        accesses
    }

    /// The first element of every access, for each subscript.
    fn elements(&self) -> Vec<Vec<i64>> {
        let accesses = self.accesses();
        let element =
            |row: &[i64], values: &[i64]| row[0] + row[1..].iter().zip(values).map(|(by, at)| by * at).sum::<i64>();
        self.rows.iter().map(|row| accesses.iter().map(|values| element(row, values)).collect()).collect()
    }

    /// Elements that an access takes along a subscript.
    fn width(&self, axis: usize) -> i64 {
        if axis + 1 == self.rows.len() { self.vector } else { 1 }
    }

    /// The first subscript that leaves the shape; with a guard, the first that leaves it for all work items.
    fn leaves(&self) -> Option<usize> {
        let elements = self.elements();
        (0..self.rows.len()).find(|axis| {
            let (elements, extent) = (&elements[*axis], self.shape[*axis]);
            if self.guarded || self.in_branch {
                !elements.is_empty() && (elements.iter().all(|at| *at < 0) || elements.iter().all(|at| *at >= extent))
            } else {
                elements.iter().any(|at| *at < 0 || at + self.width(*axis) > extent)
            }
        })
    }
}

/// All lists of numbers below some limits.
fn product(limits: &[i64]) -> Vec<Vec<i64>> {
    limits.iter().fold(vec![Vec::new()], |begun, limit| {
        let longer = |list: &Vec<i64>| (0..*limit).map(|last| [&list[..], &[last]].concat()).collect::<Vec<_>>();
        begun.iter().flat_map(longer).collect()
    })
}

fn samples() -> impl Strategy<Value = Sample> {
    let launch = (proptest::array::uniform3(1..7_i64), proptest::array::uniform3(1..4_i64), 1..3_i64);
    let counts = (proptest::collection::vec(1..4_i64, 0..3), 1..4_i64, 1..28_i64, 1..5_i64);
    let flags = (proptest::bool::weighted(0.2), proptest::bool::weighted(0.2), any::<bool>());
    (launch, counts, flags, 1..3_usize)
        .prop_flat_map(|(launch, counts, flags, axes)| {
            let coefficient = prop_oneof![3 => Just(0), 2 => -3..6_i64];
            let variables = 6 + 1 + counts.0.len() + 1;
            let row = (-4..12_i64, proptest::collection::vec(coefficient, variables));
            let rows = proptest::collection::vec(row.prop_map(|(constant, by)| [vec![constant], by].concat()), axes);
            let shape = proptest::collection::vec(1..40_i64, axes);
            (Just((launch, counts, flags)), rows, shape)
        })
        .prop_map(|((launch, counts, flags), rows, shape)| {
            let (work_items, work_group, times) = launch;
            let (loops, per_item, items, vector) = counts;
            let (guarded, in_branch, is_local) = flags;
            let items = items.min(work_group.iter().product());
            Sample {
                work_items,
                work_group,
                times,
                loops,
                per_item,
                items,
                vector,
                guarded,
                in_branch,
                is_local,
                rows,
                shape,
            }
        })
}

/// A GPU that does not refuse a sample for another reason.
fn roomy() -> Profile {
    find("abstract-tiny").unwrap().profile.clone()
}

fn outside(spec: &Spec) -> Result<Option<(Outside, String)>, String> {
    match outcome(&roomy(), spec) {
        Ok(_) => Ok(None),
        Err(LoweringError::InSpec { problem: LoweringProblem::Outside(outside), place, .. }) => {
            Ok(Some((*outside, place.to_string())))
        }
        Err(other) => Err(other.to_string()),
    }
}

/// The ids and counters of `lx = 3, gx = 7`.
fn witness(text: &str) -> BTreeMap<&str, i64> {
    let pairs = text.split(", ").filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once(" = ").map(|(name, value)| (name, value.parse().unwrap())).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_access_is_refused_if_a_work_item_that_takes_part_leaves_the_shape(sample in samples()) {
        let spec = sample.spec();
        let found = outside(&spec).map_err(TestCaseError::fail)?;
        let Some(axis) = sample.leaves() else {
            prop_assert!(found.is_none(), "{found:?}");
            return Ok(());
        };
        let (found, place) = found.ok_or_else(|| TestCaseError::fail("it leaves its array unnoticed"))?;
        let subscript = sample.subscript(&sample.rows[axis]);
        prop_assert_eq!((&found.subscript, found.extent), (&subscript, i128::from(sample.shape[axis])));
        let line = spec.source.text().lines().nth(4).unwrap();
        let before: usize = sample.rows[..axis].iter().map(|row| sample.subscript(row).len() + "'', ".len()).sum();
        let column = line.find("index: [").unwrap() + "index: [".len() + before + 1;
        prop_assert_eq!(place, format!("5:{column}"));

        // A work item that takes part has the ids and counters that the message names, and is outside.
        let named = witness(&found.at);
        let names = sample.names();
        let agrees = |values: &[i64]| {
            names.iter().zip(values).all(|(name, value)| named.get(name.as_str()).is_none_or(|named| named == value))
        };
        let elements = sample.elements();
        let there: Vec<i64> =
            sample.accesses().iter().zip(&elements[axis]).filter(|(values, _)| agrees(values)).map(|(_, at)| *at).collect();
        prop_assert!(!there.is_empty(), "nobody is at {}", found.at);
        let reaches = i64::try_from(found.reaches).unwrap();
        let end = if reaches < 0 || found.guarded { 1 } else { sample.width(axis) };
        prop_assert!(there.iter().all(|at| at + end - 1 == reaches), "{there:?} is not {reaches}");
        prop_assert!(!(0..sample.shape[axis]).contains(&reaches));
    }
}

const SIZES: &str = "launch: { work_items: [100, 8], work_group: [32, 8] }";

fn message(head: &str, statement: &str) -> String {
    outcome(&plain(), &spec(head, &[statement])).expect_err(statement).to_string()
}

#[test]
fn the_message_names_the_lane_the_group_and_the_loops() {
    let access =
        "load: { array: a, index: [10 * i + gy, gx * 32 + lx + j], shape: [30, 2 * 50 + one], per_item: 3, var: j }";
    let error = message(SIZES, &format!("loop: {{ count: 3, var: i, body: [{{ {access} }}] }}"));
    let words = "`gx * 32 + lx + j` reaches element 101 of 0 to 100 (`shape` 2 * 50 + one), with lx = 3, gx = 3, j = 2";
    assert!(error.contains(words), "{error}");
    assert!(error.contains("test.yaml:5:79"), "{error}");
    let error = message(SIZES, "store: { array: a, index: [gx * 32 + lx - one], shape: [100] }");
    assert!(error.contains("reaches element -1 of 0 to 99 (`shape` 100), with lx = 0, gx = 0"), "{error}");
    assert!(error.contains("one = 1"), "{error}");
    let error = message(SIZES, "local: { reads: t, index: [7], shape: [7] }");
    assert!(error.contains("`7` reaches element 7 of 0 to 6 (`shape` 7)\n"), "nothing leads there: {error}");
}

#[test]
fn the_elements_of_a_vector_lie_along_the_last_subscript() {
    let store = |vector: u32, index: &str| {
        let statement = format!("store: {{ array: a, vector: {vector}, index: [{index}], shape: [8, 128] }}");
        outcome(&plain(), &spec(SIZES, &[&statement])).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(store(4, "ly, 4 * lx"), Ok(()));
    let error = store(8, "ly, 4 * lx").unwrap_err();
    assert!(error.contains("`4 * lx` reaches element 131 of 0 to 127") && error.contains("lx = 31"), "{error}");
}

#[test]
fn work_items_beyond_the_launch_do_not_take_part() {
    let load = |shape: u32| format!("load: {{ array: a, index: [gx * 32 + lx], shape: [{shape}] }}");
    assert!(outcome(&plain(), &spec(SIZES, &[&load(100)])).is_ok());
    assert!(message(SIZES, &load(99)).contains("reaches element 99 of 0 to 98 (`shape` 99), with lx = 3, gx = 3"));
}

#[test]
fn what_a_guard_skips_may_be_outside() {
    let load = |guard: &str, index: &str| format!("load: {{ array: a{guard}, index: [{index}], shape: [64] }}");
    for (index, guarded, plain_) in [
        ("gx * 32 + lx", true, false),
        ("lx - 1", true, false),
        ("lx - 32", false, false),
        ("lx + 64", false, false),
        ("lx", true, true),
    ] {
        for (guard, is_good) in [
            ("", plain_),
            (", guarded: one == 2", plain_),
            (", guarded: true", guarded),
            (", guarded: one == 1", guarded),
        ] {
            let found = outcome(&plain(), &spec(SIZES, &[&load(guard, index)]));
            assert_eq!(found.is_ok(), is_good, "{index}{guard}: {:?}", found.map_err(|error| error.to_string()));
        }
        for branch in ["then: [{ X }]", "then: [], else: [{ X }]", "divergent: false, then: [{ X }]"] {
            let branch = format!("branch: {{ {} }}", branch.replace('X', &load("", index)));
            assert_eq!(outcome(&plain(), &spec(SIZES, &[&branch])).is_ok(), guarded, "{branch}");
        }
    }
    let error = message(SIZES, &load(", guarded: true", "lx + 64"));
    assert!(error.contains("no work item stays inside: `lx + 64` reaches element 64 of 0 to 63"), "{error}");
}

#[test]
fn what_nobody_executes_leaves_nothing() {
    let outside = "store: { array: a, index: [lx - 1], shape: [64] }";
    for statement in [
        outside.replace("array: a", "array: a, items: one - 1"),
        outside.replace("array: a", "array: a, per_item: one - 1"),
        format!("loop: {{ count: one - 1, body: [{{ {outside} }}] }}"),
    ] {
        assert!(outcome(&plain(), &spec(SIZES, &[&statement])).is_ok(), "{statement}");
    }
    assert!(message(SIZES, outside).contains("reaches element -1"));
}

#[test]
fn absurd_subscripts_are_no_panic() {
    let huge = "9223372036854775807";
    for index in
        [format!("{huge} * i + {huge} * j + {huge} * k + lx"), format!("-{huge} * i - {huge} * j - {huge} * k")]
    {
        let access = format!("store: {{ array: a, index: ['{index}'], shape: [{huge}] }}");
        let loops = ["k", "j", "i"]
            .iter()
            .fold(access, |body, name| format!("loop: {{ count: {huge}, var: {name}, body: [{{ {body} }}] }}"));
        assert!(message(SIZES, &loops).contains("reaches element"), "{loops}");
    }
}
