//! One finding has one kind and one text, whichever command shows it.

use std::collections::BTreeSet;

use super::*;

/// A kind, as `check` names it, a line, a message and a help.
type Shown = (String, u64, String, String);

const LOOKUP: &str = "__kernel void look(__global const int *in, __global int *out) {
  __local int bins[32];
  int i = get_global_id(0);
  if (in[i] > 3) out[i] = 1;
  out[in[i] & 1023] = 2;
  bins[in[i] & 31] = 3;
  atomic_add(&out[0], bins[0]);
}
";

const OF_SOURCE: &str = "kernel: look
parameters: { WG: { values: [32, 64] } }
source: { file: look.cl }
launch: { work_items: 16 * WG, work_group: WG }
";

const OF_BODY: &str = "kernel: scale\nparameters:\n  WG: { values: [64, 128] }\n  IDLE: { values: [0, 1] }\n\
    launch: { work_items: 4096, work_group: WG }\nresources: { registers: 16 }\nbody:\n  \
    - store: { array: b, per_item: WG / 64 }\n";

/// The kind of `check` for a kind of `inspect`.
fn kind(inspected: &str) -> &str {
    match inspected {
        "branch_on_data" | "trips_on_data" | "address_on_data" => "depends_on_data",
        "returned_before_barrier" => "undefined_barrier",
        "print" | "assembly" | "unknown_function" | "atomic" | "shuffle" => "approximate_cost",
        same => same,
    }
}

fn shown(warnings: &Value) -> BTreeSet<Shown> {
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    let all = warnings.as_array().unwrap().iter();
    all.map(|one| {
        (kind(&text(one, "kind")).to_owned(), one["line"].as_u64().unwrap(), text(one, "message"), text(one, "help"))
    })
    .collect()
}

/// The number of times that a message is on a screen.
fn times(ended: &Ended, message: &str) -> usize {
    format!("{}{}", ended.stdout, ended.stderr).matches(message).count()
}

#[test]
fn commands_show_the_same_findings_in_the_same_words() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("look.cl"), LOOKUP).unwrap();
    for (spec, kinds) in [(OF_SOURCE, 5), (OF_BODY, 2)] {
        std::fs::write(folder.path().join("k.yaml"), spec).unwrap();
        let ask = |command: &[&str]| {
            run(autotune().current_dir(folder.path()).args([command, &["k.yaml", "--gpu", "a100"]].concat()))
        };
        let checked = shown(&json(&ask(&["check", "--format", "json"]), "diagnosis.json")["warnings"]);
        assert_eq!(checked.len(), kinds, "{checked:#?}");
        let tuned = shown(&json(&ask(&["--no-cache", "--format", "json"]), "result.json")["warnings"]);
        assert_eq!(checked, tuned);
        let screens: &[&[&str]] = if spec == OF_SOURCE { &[&["evaluate"], &["inspect"]] } else { &[&["evaluate"]] };
        for command in screens {
            let screen = ask(command);
            assert_eq!(screen.status, 0, "{}", screen.stderr);
            for (_, _, message, help) in &checked {
                assert_eq!(times(&screen, message), 1, "{command:?}: {message}\n{}\n{}", screen.stdout, screen.stderr);
                assert!(times(&screen, help) >= 1, "{command:?}: {help}");
            }
        }
    }
}

/// An inspection shows the findings of its configuration, in JSON and on a page, and none of them beside it.
#[test]
fn an_inspection_shows_each_finding_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("look.cl"), LOOKUP).unwrap();
    std::fs::write(folder.path().join("k.yaml"), OF_SOURCE).unwrap();
    let config = ["k.yaml", "--gpu", "a100", "--config", "WG=64", "--format"];
    let inspect = |format: &str| run(autotune().current_dir(folder.path()).arg("inspect").args(config).arg(format));
    let inspected = shown(&json(&inspect("json"), "inspection.json")["warnings"]);
    let tuned = run(autotune().current_dir(folder.path()).arg("--no-cache").args(config).arg("json"));
    let tuned = shown(&json(&tuned, "result.json")["warnings"]);
    assert_eq!(inspected, tuned);
    let page = inspect("html");
    for (_, _, message, _) in &inspected {
        assert!(page.stdout.contains(message), "{message}: {}", page.stdout);
        assert!(!page.stderr.contains(message), "{message}: {}", page.stderr);
    }
    assert_eq!(inspected.len(), 4, "{inspected:#?}");
}
