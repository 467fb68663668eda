//! Statements against the spec's declarations of local memory, work items and footprints.

use super::*;

fn error(head: &str, body: &[&str]) -> String {
    outcome(&plain(), &spec(head, body)).expect_err("this should be refused").to_string()
}

fn with_local_memory(bytes: &str) -> String {
    format!("{LAUNCH}\nresources: {{ local_memory: {bytes} }}")
}

const ARRAYS: [&str; 4] = [
    "local: { writes: tile, index: [lx], shape: [64] }",
    "barrier",
    "local: { reads: tile, index: [lx], shape: [64] }",
    "local: { writes: sums, bytes: 8, index: [0, lx], shape: [2, 64] }",
];

#[test]
fn local_arrays_fit_what_is_stated() {
    // 64 words, and 2 rows of 64 of 8 bytes
    let exactly = outcome(&plain(), &spec(&with_local_memory("1280"), &ARRAYS)).unwrap();
    assert!(matches!(exactly, Feasibility::Feasible(_)));
    let refused = error(&with_local_memory("1280 - one"), &ARRAYS);
    let words = "the local arrays need 1280 bytes (`tile` 256, `sums` 1024), but `local_memory` states 1279";
    assert!(refused.contains(words) && refused.contains("one = 1") && refused.contains("test.yaml:4:28"), "{refused}");
    let none = error(&with_local_memory("0"), &ARRAYS);
    assert!(none.contains("`local_memory` states 0"), "{none}");
}

#[test]
fn an_array_that_is_accessed_in_two_shapes_has_the_larger() {
    let flat = "local: { reads: tile, index: [lx], shape: [65] }";
    assert!(outcome(&plain(), &spec(&with_local_memory("260"), &[ARRAYS[0], flat])).is_ok());
    assert!(error(&with_local_memory("259"), &[ARRAYS[0], flat]).contains("260 bytes (`tile` 260)"));
}

#[test]
fn arrays_that_nobody_accesses_take_nothing() {
    let never = [
        "local: { writes: tile, per_item: one - 1, index: [lx], shape: [64] }",
        "loop: { count: one - 1, body: [{ local: { writes: tile, index: [lx], shape: [64] } }] }",
        "local: { writes: tile, stride: 1 }",
    ];
    for statement in never {
        assert!(outcome(&plain(), &spec(&with_local_memory("0"), &[statement])).is_ok(), "{statement}");
    }
    let inside = [
        "loop: { count: 1, body: [{ local: { writes: tile, index: [lx], shape: [64] } }] }",
        "branch: { then: [{ local: { writes: tile, index: [lx], shape: [64] } }] }",
        "branch: { then: [], else: [{ local: { writes: tile, index: [lx], shape: [64] } }] }",
    ];
    for statement in inside {
        assert!(error(&with_local_memory("255"), &[statement]).contains("256 bytes"), "{statement}");
    }
}

/// Local memory bounds the resident groups; if none is stated, the sum of the arrays counts.
#[test]
fn local_memory_is_the_sum_of_the_local_arrays_by_default() {
    let arrays = [
        "local: { writes: tile, index: [lx], shape: [1024 * 3] }",
        "local: { reads: tile, index: [lx], shape: [1024 * 3] }",
        "local: { writes: sums, index: [lx], shape: [1024] }",
    ];
    let of = |head: &str| match outcome(&plain(), &spec(head, &arrays)).unwrap() {
        Feasibility::Feasible(lowered) => (lowered.program.resident_groups, lowered.occupancy),
        Feasibility::Infeasible(infeasible) => panic!("{infeasible}"),
    };
    let summed = of(LAUNCH);
    assert_eq!(summed, of(&with_local_memory("16384")));
    assert_eq!(summed.0, 98_304 / 16_384, "of the 96 KiB of a multiprocessor");
    assert_ne!(summed, of(&with_local_memory("32768")));
    // and is refused where it is more than a group may have
    let large = "local: { writes: tile, index: [lx], shape: [12 * 1024 + one] }";
    assert_eq!(refusal(&plain(), LAUNCH, &[large]), "local_memory: 49156 > 49152");
    let huge = "local: { writes: tile, index: [lx], shape: [9223372036854775807] }";
    assert_eq!(refusal(&plain(), LAUNCH, &[huge]), "local_memory: 18446744073709551615 > 49152");
}

#[test]
fn a_group_has_no_more_work_items_than_it_has() {
    for statement in [
        "load: { array: a, items: X }",
        "store: { array: a, items: X }",
        "local: { items: X }",
        "compute: { items: X }",
    ] {
        let with = |items: &str| statement.replace('X', items);
        for gpu in [plain(), find("abstract-tiny").unwrap().profile.clone()] {
            assert!(outcome(&gpu, &spec(LAUNCH, &[&with("64 * one")])).is_ok(), "{statement}");
            let refused = outcome(&gpu, &spec(LAUNCH, &[&with("64 + one")])).expect_err(statement).to_string();
            assert!(refused.contains("`items` is 65, but a group has 64 work items"), "{refused}");
            let column = statement.find('X').unwrap() + 5;
            assert!(refused.contains("one = 1") && refused.contains(&format!("test.yaml:5:{column}")), "{refused}");
        }
    }
}

/// 64 work items ask for 4 bytes each. The accesses ask for whole sectors of 32 bytes, at least for the bytes
/// themselves.
#[test]
fn a_footprint_is_at_most_what_is_asked_for() {
    let cases = [
        ("array: a", 256),
        ("array: a, per_item: 10", 2560),
        ("array: a, per_item: 2.5", 640),
        ("array: a, stride: 2", 512),
        ("array: a, stride: 100", 2048),
        ("array: a, stride: 0", 256),
        ("array: a, items: 1", 32),
        ("array: a, items: 1, bytes: 1", 32),
        ("array: a, vector: 4, stride: 4", 1024),
        ("array: a, vector: 4, stride: 0", 1024),
    ];
    for (access, most) in cases {
        for keyword in ["load", "store"] {
            let with = |footprint: &str| format!("{keyword}: {{ {access}, footprint: {{ {footprint} }} }}");
            let good = [format!("group: {most}"), format!("together: {most} * concurrent"), "group: 0".to_owned()];
            for footprint in good {
                let found = outcome(&plain(), &spec(LAUNCH, &[&with(&footprint)]));
                assert!(found.is_ok(), "{keyword}, {access}, {footprint}: {}", found.unwrap_err());
            }
            let refused = error(LAUNCH, &[&with(&format!("group: {most} + one"))]);
            let words = format!("the footprint is {} bytes, but the accesses ask for {most} at most", most + 1);
            assert!(refused.contains(&words) && refused.contains("one = 1"), "{refused}");
            assert!(
                refused.contains(&format!("test.yaml:5:{}", with("group: ").find("group: ").unwrap() + 12)),
                "{refused}"
            );
            // All 1,024 groups run together.
            let refused = error(LAUNCH, &[&with(&format!("together: {most} * concurrent + one"))]);
            let words =
                format!("the footprint is {} bytes, but the accesses ask for {} at most", 1024 * most + 1, 1024 * most);
            assert!(refused.contains(&words) && refused.contains("concurrent = 1024"), "{refused}");
        }
    }
}
