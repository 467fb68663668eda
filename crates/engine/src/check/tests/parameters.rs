//! Unused parameters and implausible profiles.

use super::*;

const LAUNCH: &str = "launch: { work_items: 64, work_group: 64 }\nbody: [{ store: { array: out } }]\n";

fn unused(domain: &str, rest: &str) -> Vec<String> {
    let found = told(&spec(domain, rest), "volta");
    assert!(found.iter().all(|warning| warning.kind == WarningKind::UnusedParameter), "{found:?}");
    found.into_iter().map(|warning| format!("{}:{} {}", warning.line, warning.column, warning.message)).collect()
}

const WORDS: &str =
    "3:3 no launch, resource, statement or constraint uses the parameter `P`: all its values give the same time";

#[test]
fn a_parameter_of_several_values_that_nothing_uses_is_told() {
    assert_eq!(unused("[1, 2]", LAUNCH), [WORDS]);
    assert_eq!(unused("[1]", LAUNCH), [""; 0]);
    assert_eq!(unused("[1, 2]", &format!("unused: [P]\n{LAUNCH}")), [""; 0]);
    assert_eq!(unused("[1, 2]", &format!("roles: {{ tile: [P] }}\n{LAUNCH}")), [WORDS], "a role changes nothing");
}

#[test]
fn a_let_uses_a_parameter_only_if_it_is_used_itself() {
    let lets = "let:\n  twice: 2 * P\n  four: 2 * twice\n";
    assert_eq!(unused("[1, 2]", &format!("{lets}{LAUNCH}")), [WORDS]);
    for used in ["twice", "four"] {
        let constrained = format!("{lets}constraints: [{used} > 0]\n{LAUNCH}");
        assert_eq!(unused("[1, 2]", &constrained), [""; 0], "{used}");
    }
}

/// Every place that can use a parameter counts: a forgotten one would accuse a valid spec.
#[test]
fn every_expression_of_a_spec_uses_its_names() {
    const SPEC: &str = "\
constraints: [@]
launch: { work_items: [64 * @, @], work_group: [64, @], times: @ }
resources: { local_memory: 4096 + @, registers: @, live: @, spill_uses: @ }
body:
  - load: { array: a, per_item: @, bytes: 4 * @, vector: @, items: 8 + @, stride: @, in_flight: @ }
  - load: { array: a, per_item: 2, index: [@], shape: [64 + @], guarded: '@ == 1', ordered: '@ == 1', round_trips: @ }
  - load: { array: a, per_item: 9, stride: [@, @], footprint: { group: @, together: @ } }
  - store: { array: b, index: [lx + @ - 1], shape: [99], items: 8 + @ }
  - local: { writes: t, per_item: @, bytes: @, vector: @, items: 8 + @, index: [@ - 1], shape: [64 + @], guarded: '@ == 1' }
  - local: { conflict: @ }
  - local: { stride: @ }
  - copy: { array: c, to: t, per_item: @, bytes: @, vector: @, items: 8 + @, stride: @, guarded: '@ == 1', conflict: @, queue: q }
  - wait: { queue: q, pending: @ }
  - matrix: { shape: [@, @, @], type: fp16, per_warp: @, local_bytes: 8 * @ }
  - compute: { per_item: @, items: 8 + @, constants: @ }
  - loop: { count: @, body: [{ compute: { per_item: @ } }] }
  - branch: { divergent: '@ == 1', then: [{ compute: { per_item: @ } }], else: [{ compute: { per_item: @ } }] }
";
    let holes = SPEC.matches('@').count();
    let only = |hole: Option<usize>| {
        let mut number = 0;
        let text: String = SPEC
            .chars()
            .map(|c| {
                if c != '@' {
                    return c.to_string();
                }
                number += 1;
                if hole == Some(number - 1) { "P" } else { "1" }.to_owned()
            })
            .collect();
        spec("[1, 2]", &text)
    };
    assert_eq!(only(None).unused().len(), 1);
    for hole in 0..holes {
        let spec = only(Some(hole));
        assert!(spec.unused().is_empty(), "{}", spec.source.text());
    }
}

/// The same rule holds for a space in another file.
#[test]
fn a_parameter_of_another_files_space_that_nothing_uses_is_told_there() {
    let with = |values: &str, rest: &str| {
        let text = format!(
            "{{\"ConfigurationSpace\": {{\n\"TuningParameters\": [\n{{ \"Name\": \"V\", \"Type\": \"int\", \"Values\": \"{values}\" }} ],\n\"Conditions\": [] }} }}"
        );
        let space = OuterSpace::parse(&text, "t1.json").unwrap();
        let spec = Spec::parse_with(&format!("kernel: k\n{rest}{LAUNCH}"), "k.yaml", Some(&space)).unwrap();
        told(&spec, "volta").into_iter().map(|found| (found.file, found.line, found.message)).collect::<Vec<_>>()
    };
    let unused = [("t1.json".to_owned(), 3, WORDS.replace("3:3 ", "").replace("`P`", "`V`"))];
    assert_eq!(with("[1, 2]", ""), unused);
    assert_eq!(with("[1]", ""), []);
    assert_eq!(with("[1, 2]", "constraints: [V > 0]\n"), []);
    assert_eq!(with("[1, 2]", "unused: [V]\n"), []);
    assert_eq!(with("[1, 2]", "let: { twice: 2 * V }\n"), unused);
}

/// A warning about a profile shows the line of the key.
#[test]
fn an_implausible_profile_is_told_at_its_line() {
    let shipped = find("volta").unwrap();
    let line = |key: &str| shipped.text.lines().position(|line| line.starts_with(&format!("{key}:"))).unwrap();
    for (key, value, words) in [
        ("core_clock_mhz", "1.965", "`core_clock_mhz` is 1.965, but GPUs so far have 100 to 5000"),
        ("memory_bandwidth_GBps", "8", "`memory_bandwidth_GBps` is 8, but GPUs so far have 10 to 32000"),
        ("warp_size", "33", "`warp_size` is 33, but a power of two on every GPU so far"),
    ] {
        let mut lines: Vec<String> = shipped.text.lines().map(str::to_owned).collect();
        lines[line(key)] = format!("{key}: {value}");
        let text = lines.join("\n");
        let profile = Profile::parse(&text, "mine.yaml").unwrap();
        let found = warnings(&spec("[1]", LAUNCH), &profile, &Source::new("mine.yaml", &text));
        let [warning] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((warning.kind, warning.message.as_str()), (WarningKind::ImplausibleProfile, words));
        assert_eq!((warning.file.as_str(), warning.line as usize, warning.column), ("mine.yaml", line(key) + 1, 1));
        assert!(!warning.help.is_empty());
    }
}
