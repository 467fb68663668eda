//! Stated footprints that contradict the subscripts.

use super::*;

/// The warnings about a load in a loop over k: 64 groups of 64 work items, one after the other in a row of 64 words.
fn about(load: &str) -> Vec<Warning> {
    let body = format!(
        "launch: {{ work_items: 4096, work_group: 64 }}
body:
  - loop:
      var: k
      count: 8 * P
      body:
        - load: {{ array: a, shape: [64, 64], {load} }}
"
    );
    told(&spec("[1, 2]", &body), "volta")
}

const INDEX: &str = "index: [gx, lx]";

#[test]
fn a_contradiction_has_its_place_and_both_values() {
    // Each group reads its row of 256 bytes once, in 8 or 16 rounds.
    let found = about(&format!("{INDEX}, footprint: {{ group: 256 }}"));
    let [warning] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(
        warning.message,
        "`group` states 256 bytes, but the subscripts reach 16, in whole sectors, with P=2: so in 2 of 2 configurations"
    );
    assert_eq!((warning.kind, warning.file.as_str(), warning.line), (WarningKind::FootprintContradicts, "k.yaml", 10));
    let column = "        - load: { array: a, shape: [64, 64], index: [gx, lx], footprint: { group: ".len() + 1;
    assert_eq!(warning.column, u32::try_from(column).unwrap());
    assert!(warning.help.contains("leave `group` out") && warning.help.contains("`index`"), "{}", warning.help);
    // 64 groups together read each byte of the array once.
    let found = about(&format!("{INDEX}, footprint: {{ group: 32 / P, together: 256 }}"));
    let [warning] = found.as_slice() else { panic!("{found:?}") };
    assert!(
        warning.message.contains("`together` states 256 bytes, but the subscripts reach 2048"),
        "{}",
        warning.message
    );
    assert!(warning.message.contains("P=1: so in 2 of 2"), "{}", warning.message);
}

#[test]
fn what_agrees_within_a_tenth_is_no_contradiction() {
    for footprint in ["group: 32 / P, together: 2048 / P", "group: 'P == 1 ? 35 : 17'", "group: 'P == 1 ? 29 : 15'"] {
        assert_eq!(about(&format!("{INDEX}, footprint: {{ {footprint} }}")), [], "{footprint}");
    }
    for footprint in ["group: 'P == 1 ? 36 : 17'", "group: 'P == 1 ? 29 : 14'"] {
        assert_eq!(about(&format!("{INDEX}, footprint: {{ {footprint} }}")).len(), 1, "{footprint}");
    }
    // A word of each of 64 rows, in 8 or 16 rounds: 4 bytes are wanted, and a sector of 32 is fetched. Either may be
    // meant.
    for (bytes, warnings) in [(16, 1), (32, 0), (100, 0), (256, 0), (320, 1)] {
        let found = about(&format!("index: [lx, 0], footprint: {{ group: {bytes} / P }}"));
        assert_eq!(found.len(), warnings, "{bytes}: {found:?}");
    }
}

#[test]
fn only_accesses_that_are_wholly_known_can_be_contradicted() {
    let wrong = "footprint: { group: 8, together: 8 }";
    assert_eq!(about(&format!("{INDEX}, {wrong}")).len(), 2);
    for unknown in [
        // Constants in these may be left out.
        format!("{INDEX}, per_item: 2, {wrong}"),
        format!("{INDEX}, guarded: true, {wrong}"),
    ] {
        assert_eq!(about(&unknown), [], "{unknown}");
    }
}
