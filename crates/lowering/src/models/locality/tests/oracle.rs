//! Random affine accesses: the results from a shortened block hold for every pair of accesses of the whole block.

use proptest::prelude::*;

use super::super::nest::Node;
use super::super::run::Run;
use super::*;
use crate::spec::Direction;

/// Work items of a group.
const GROUP: [u64; 3] = [4, 2, 1];

/// One instance of an access: its time, the access, J and the lane.
#[derive(Debug)]
struct Instance {
    at: usize,
    access: usize,
    vector: Vec<i64>,
    lane: u64,
}

/// Every instance of every access, in order.
fn instances(nest: &Nest<'_>) -> Vec<Instance> {
    fn walk(nest: &Nest<'_>, nodes: &[Node], counters: &mut Vec<i64>, at: &mut usize, all: &mut Vec<Instance>) {
        for node in nodes {
            match node {
                Node::Access(access) => {
                    *at += 1;
                    for lane in 0..GROUP.iter().product() {
                        let ids = [lane % GROUP[0], lane / GROUP[0]].map(u64::cast_signed);
                        let vector = counters.iter().copied().chain(ids).collect();
                        all.push(Instance { at: *at, access: *access, vector, lane });
                    }
                }
                Node::Loop(number, body) => {
                    let around = nest.occurrences.iter().flat_map(|access| &access.around);
                    let count = around.into_iter().find(|around| around.number == *number).map_or(0, |own| own.count);
                    for iteration in 0..count.cast_signed() {
                        counters.push(iteration);
                        walk(nest, body, counters, at, all);
                        counters.pop();
                    }
                }
            }
        }
    }
    let mut all = Vec::new();
    walk(nest, &nest.body, &mut Vec::new(), &mut 0, &mut all);
    all
}

fn element(nest: &Nest<'_>, instance: &Instance) -> Vec<i64> {
    let subscripts = nest.occurrences[instance.access].subscripts.as_ref().unwrap();
    let rows = subscripts.matrix.rows().iter().zip(&subscripts.constant);
    rows.map(|(row, constant)| row.iter().zip(&instance.vector).map(|(entry, at)| entry * at).sum::<i64>() + constant)
        .collect()
}

/// The last write to the element that an instance reads; among writes at one time the own work item's, else the last.
fn source<'a>(nest: &Nest<'_>, all: &'a [Instance], read: &Instance) -> Option<&'a Instance> {
    let wanted = element(nest, read);
    let writes = || {
        let writes = |other: &&Instance| nest.occurrences[other.access].direction == Some(Direction::Write);
        all.iter().filter(writes).filter(|other| other.at < read.at && element(nest, other) == wanted)
    };
    let latest = writes().map(|other| other.at).max()?;
    let together = || writes().filter(|other| other.at == latest);
    together().find(|other| other.lane == read.lane).or_else(|| together().next_back())
}

fn check(spec: &Spec) {
    let launched = launched(spec);
    let nest = Nest::new(spec, &launched).unwrap();
    let all = instances(&nest);
    let members: Vec<_> =
        nest.occurrences.iter().map(|access| access.subscripts.as_ref().unwrap()).enumerate().collect();
    let followed = Run::of(&nest, &members, &[0; 4]).unwrap();
    for (access, occurrence) in nest.occurrences.iter().enumerate() {
        let (dependence, private) = followed.result(access);
        let own = || all.iter().filter(|instance| instance.access == access);
        let meets = |instance: &Instance| {
            let wanted = element(&nest, instance);
            all.iter().any(|other| other.lane != instance.lane && element(&nest, other) == wanted)
        };
        assert_eq!(private, Some(!own().any(meets)));
        if occurrence.direction == Some(Direction::Write) {
            assert_eq!(dependence, Dependence::None);
            continue;
        }
        let reads: Vec<_> = own().map(|read| (read, source(&nest, &all, read))).collect();
        match dependence {
            Dependence::Affine { matrix, offset } => {
                assert!(reads.iter().any(|(_, source)| source.is_some()));
                for (read, source) in reads.iter().filter_map(|(read, source)| Some((read, (*source)?))) {
                    let image = matrix.times(&read.vector);
                    let expected: Vec<i64> = image.iter().zip(&offset).map(|(image, offset)| image - offset).collect();
                    assert_eq!(expected, source.vector);
                }
            }
            Dependence::None => assert!(reads.iter().all(|(_, source)| source.is_none())),
            Dependence::Pieces { lanes_agree } => {
                let place = |source: Option<&Instance>| source.map(|source| (source.at, source.lane));
                let agree = reads.iter().all(|(read, source)| {
                    let neighbour = |(other, _): &&(&Instance, Option<&Instance>)| {
                        other.at == read.at && other.lane == read.lane + 1 && other.lane % GROUP[0] != 0
                    };
                    reads.iter().find(neighbour).is_none_or(|(_, found)| place(*found) == place(*source))
                });
                assert_eq!(lanes_agree, agree);
            }
            Dependence::Unknown => panic!("the block is small"),
        }
    }
}

/// Subscripts of coefficients: of k, m, lx, ly, and a constant.
fn access() -> impl Strategy<Value = (bool, [[i64; 5]; 2])> {
    let row = || proptest::array::uniform5(-2..=2_i64);
    (any::<bool>(), [row(), row()])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_found_holds_for_every_pair(
        outer in access(), first in access(), second in access(),
        counts in (1..12_u64, 1..6_u64), is_outside in any::<bool>(), alike in any::<bool>(),
    ) {
        let write = |(writes, rows): (bool, [[i64; 5]; 2]), inner: bool| {
            let row = |row: [i64; 5]| {
                let [k, m, x, y, constant] = row;
                let counters = if inner { format!("{k} * k + {m} * m + ") } else { String::new() };
                format!("'{counters}{x} * lx + {y} * ly + {constant}'")
            };
            let keyword = if writes { "store" } else { "load" };
            format!("{keyword}: {{ array: a, index: [{}, {}], shape: [99, 99] }}", row(rows[0]), row(rows[1]))
        };
        // loops that move all accesses alike are those that are cut short
        let mut second = second;
        if alike {
            for (row, other) in second.1.iter_mut().zip(&first.1) {
                row[..2].copy_from_slice(&other[..2]);
            }
        }
        let outside = if is_outside { format!("  - {}\n", write(outer, false)) } else { String::new() };
        let body = format!(
            "{outside}  - loop:\n      var: k\n      count: {}\n      body:\n        - loop:\n            var: m\n            \
             count: {}\n            body:\n              - {}\n              - {}\n",
            counts.0, counts.1, write(first, true), write(second, true),
        );
        check(&spec("launch: { work_items: [8, 8], work_group: [4, 2] }", &body));
    }
}

/// The loop over m moves neither access: each load finds what the last of its iterations wrote, one k before.
#[test]
fn the_last_iteration_of_a_loop_that_is_cut_short_is_the_last_of_all() {
    for count in 2..9 {
        let body = format!(
            "  - loop:\n      var: k\n      count: 3\n      body:\n        - loop:\n            var: m\n            \
             count: {count}\n            body:\n              \
             - load: {{ array: a, index: ['2', '1 - k'], shape: [99, 99] }}\n              \
             - store: {{ array: a, index: ['2 - 2 * lx', '2 * ly - k'], shape: [99, 99] }}\n"
        );
        check(&spec("launch: { work_items: [8, 8], work_group: [4, 2] }", &body));
    }
}

#[test]
fn a_long_loop_is_cut_short_and_a_large_block_is_not_followed() {
    let body = |index: &str| {
        format!(
            "  - loop:\n      var: k\n      count: 1000000000\n      body:\n        - load: {{ array: a, index: [{index}], shape: [9] }}\n        \
             - store: {{ array: a, index: [100 * k + lx], shape: [9] }}\n"
        )
    };
    let head = "launch: { work_items: 64, work_group: 32 }";
    let shifted = found(&spec(head, &body("100 * k + lx - 100")));
    let uniform = Dependence::Affine { matrix: identity(2), offset: vec![1, 0] };
    assert_eq!(shifted[0].matrices.as_ref().unwrap().dependence, uniform);
    assert_eq!(shifted[0].classes, [Class::Spatial, Class::Private]);
    let apart = found(&spec(head, &body("99 * k + lx")));
    assert_eq!(apart[0].matrices.as_ref().unwrap().dependence, Dependence::Unknown);
    assert_eq!(apart[0].classes, [Class::Spatial]);
    assert!(apart[0].missing.unwrap().contains("too often"));
}
