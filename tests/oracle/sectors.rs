//! The sectors of a body's accesses against a list of all work items of all groups: the address of each, its sector, and
//! the different sectors of each warp.

use std::collections::{BTreeMap, BTreeSet};

use autotune::gpu::Profile;
use autotune::lowering::{Feasibility, Lowering};
use autotune::models::locality::analyse;
use autotune::source::SourceReader;
use autotune::spec::{Configuration, Spec};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

const WARP: usize = 32;
const SECTOR: i64 = 32;

/// An access of an array of two axes: each subscript is a constant and a coefficient of each of these variables.
const NAMES: [&str; 5] = ["lx", "ly", "gx", "gy", "k"];

struct Case {
    group: [i64; 2],
    groups: [i64; 2],
    iterations: i64,
    coefficients: [[i64; NAMES.len()]; 2],
    constants: [i64; 2],
    shape: [i64; 2],
    bytes: i64,
}

impl Case {
    fn random(random: &mut StdRng) -> Self {
        let group = [[16, 16], [32, 4], [8, 8], [64, 1], [5, 7], [48, 3]][random.random_range(0..6)];
        let groups = [random.random_range(1..6), random.random_range(1..6)];
        let iterations = random.random_range(1..5);
        let mut coefficient = |most: i64| match random.random_range(0..4) {
            0 => 0,
            1 => 1,
            2 => most,
            _ => random.random_range(-3..=most),
        };
        let coefficients: [[i64; 5]; 2] = std::array::from_fn(|_| {
            [coefficient(2), coefficient(2), coefficient(group[0]), coefficient(group[1]), coefficient(8)]
        });
        let values = [group[0], group[1], groups[0], groups[1], iterations];
        let more = random.random_range(0..9);
        let reach = coefficients.map(|row| {
            let ends = row.iter().zip(values).map(|(coefficient, count)| coefficient * (count - 1));
            [ends.clone().filter(|end| *end < 0).sum::<i64>(), ends.filter(|end| *end > 0).sum::<i64>()]
        });
        let constants = reach.map(|[least, _]| more - least);
        let shape = std::array::from_fn(|row| constants[row] + reach[row][1] + 1 + random.random_range(0..17));
        Self { group, groups, iterations, coefficients, constants, shape, bytes: [4, 8, 1][random.random_range(0..3)] }
    }

    fn spec(&self) -> String {
        let Self { group: [x, y], groups, iterations, coefficients, constants, shape, bytes } = self;
        let row = |row: usize| {
            let terms =
                NAMES.iter().zip(coefficients[row]).map(|(name, coefficient)| format!("{coefficient} * {name}"));
            format!("'{} + {}'", terms.collect::<Vec<_>>().join(" + "), constants[row])
        };
        let [rows, columns] = shape;
        format!(
            "kernel: random\nlaunch: {{ work_items: [{}, {}], work_group: [{x}, {y}] }}\nbody:\n  - loop:\n      \
             var: k\n      count: {iterations}\n      body:\n        - load: {{ array: a, bytes: {bytes}, \
             index: [{}, {}], shape: [{rows}, {columns}] }}\n",
            x * groups[0],
            y * groups[1],
            row(0),
            row(1),
        )
    }

    /// The different sectors of a warp, as the mean over all warps of all groups in all iterations.
    fn listed(&self) -> f64 {
        let (mut sectors, mut warps) = (0, 0);
        for gy in 0..self.groups[1] {
            for gx in 0..self.groups[0] {
                for k in 0..self.iterations {
                    let mut of_warp: BTreeMap<usize, BTreeSet<i64>> = BTreeMap::new();
                    for ly in 0..self.group[1] {
                        for lx in 0..self.group[0] {
                            let values = [lx, ly, gx, gy, k];
                            let at = |row: usize| {
                                let terms = self.coefficients[row].iter().zip(values);
                                terms.map(|(coefficient, value)| coefficient * value).sum::<i64>() + self.constants[row]
                            };
                            let first = (at(0) * self.shape[1] + at(1)) * self.bytes;
                            let lane = usize::try_from(ly * self.group[0] + lx).unwrap();
                            let touched = of_warp.entry(lane / WARP).or_default();
                            touched.extend((first..first + self.bytes).map(|byte| byte / SECTOR));
                        }
                    }
                    sectors += of_warp.values().map(BTreeSet::len).sum::<usize>();
                    warps += of_warp.len();
                }
            }
        }
        f64::from(u32::try_from(sectors).unwrap()) / f64::from(u32::try_from(warps).unwrap())
    }
}

#[test]
fn sectors_of_a_warp_are_those_of_all_work_items_for_random_subscripts_and_groups() {
    let mut random = StdRng::seed_from_u64(12);
    let profile = Profile::resolve("fermi").unwrap();
    let reader = SourceReader::default();
    let only = Configuration(Vec::new());
    let mut moved = 0;
    for _ in 0..super::cases(4_000) {
        let case = Case::random(&mut random);
        let text = case.spec();
        let spec = Spec::parse(&text, "random.yaml").unwrap_or_else(|why| panic!("{why}\n{text}"));
        let listed = case.listed();
        let found = analyse(&spec, &profile, &reader, &only).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let found = found.feasible().unwrap()[0].sectors.unwrap();
        assert!((found - listed).abs() < 1e-9, "{found}, and {listed} listed: {text}");
        moved += u32::from(listed.fract() > 0.0);
        // K1 and the bytes of L2 come from what a group moves.
        let Feasibility::Feasible(lowered) = Lowering::new(&spec, &profile, &reader).lower(&only).unwrap() else {
            panic!("{text}")
        };
        let warps = u32::try_from(case.group[0] * case.group[1]).unwrap().div_ceil(32);
        let bytes = listed * f64::from(warps) * 32.0 * f64::from(u32::try_from(case.iterations).unwrap());
        let of_group = lowered.work.unwrap().loaded.moved;
        assert!((of_group - bytes).abs() < 1e-6 * bytes, "{of_group}, and {bytes} listed: {text}");
    }
    assert!(moved > 50, "only {moved} cases whose warps differ");
}

#[test]
fn groups_of_16_x_16_along_rows_ask_for_16_sectors() {
    let profile = Profile::resolve("fermi").unwrap();
    let text = "kernel: columns\nlaunch: { work_items: [1024, 1024], work_group: [16, 16] }\nbody:\n  \
                - load: { array: a, index: [gx * 16 + lx, gy * 16 + ly], shape: [1024, 1024] }\n  \
                - load: { array: b, index: [2 * (gx * 16 + lx), gy * 16 + ly], shape: [2048, 1024] }\n";
    let spec = Spec::parse(text, "columns.yaml").unwrap();
    let found = analyse(&spec, &profile, &SourceReader::default(), &Configuration(Vec::new())).unwrap();
    let sectors: Vec<_> = found.feasible().unwrap().iter().map(|finding| finding.sectors).collect();
    assert_eq!(sectors, [Some(16.0), Some(16.0)]);
}
