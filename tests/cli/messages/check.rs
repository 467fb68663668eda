//! `autotune check`.

use super::*;

/// Wrong keys in lines 5, 10 and 15, wrong expressions in lines 7, 12 and 14, of which the last has no quotes either.
const MISTAKES: &str = "\
kernel: mistakes
problem: { size: 1024 }
parameters:
  WG: { values: [32, 64] }
restriction: [WG > 0]
let:
  tiles: size / (WG + 1
launch:
  work_items: size
  work_groups: WG
resources:
  registers: 16 + sise
body:
  - load: { array: a, per_item: celi_div(size, WG) }
  - store: { array: b, in_fligth: 4, per_item: 2 }
";

#[test]
fn all_that_is_wrong_with_a_text_is_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let spec = file(&folder, "mistakes.yaml", MISTAKES);
    let (status, printed) = diagnosis(&[&spec, "--gpu", "volta"]);
    assert_eq!(status, 2);
    assert_eq!(lines(&printed["errors"]), [5, 7, 10, 12, 14, 14, 15], "{printed:#}");
    let expected = [
        ("unknown key or word `restriction`", "did you mean `restrictions`?", 1),
        ("expected `)`", "", 24),
        ("unknown key or word `work_groups`", "did you mean `work_group`?", 3),
        ("unknown name `sise`", "did you mean `size`?", 19),
        ("unknown function `celi_div`", "did you mean `ceil_div`?", 33),
        ("YAML ends the expression at its comma", COMMA, 48),
        ("unknown key or word `in_fligth`", "did you mean `in_flight`?", 24),
    ];
    for (error, (message, help, column)) in printed["errors"].as_array().unwrap().iter().zip(expected) {
        assert!(error["message"].as_str().unwrap().starts_with(message), "{error:#}");
        assert_eq!((error["help"].as_str().unwrap_or_default(), &error["column"]), (help, &column.into()), "{error:#}");
        assert_eq!(error["file"], spec.as_str());
    }
    assert!(printed["space"].is_null(), "nothing is known of it");
    // The text form shows each mistake with its line; a tuning stops at the first.
    let ended = run(autotune().args(["check", &spec]));
    assert_eq!((ended.status, ended.stderr.as_str()), (2, ""));
    for (place, line) in
        [("5:1", "restriction: [WG > 0]"), ("12:19", "  registers: 16 + sise"), ("15:24", "in_fligth: 4")]
    {
        assert!(ended.stdout.contains(&format!("{spec}:{place}\n")) && ended.stdout.contains(line), "{}", ended.stdout);
    }
    assert!(ended.stdout.contains("help: did you mean `in_flight`?\n"), "{}", ended.stdout);
    assert!(ended.stdout.ends_with(&format!("{spec}: 7 errors, 0 warnings\n")), "{}", ended.stdout);
    let tuned = run(autotune().args([&spec, "--gpu", "volta"]));
    assert!(tuned.status == 2 && tuned.stderr.matches("-->").count() == 1, "{}", tuned.stderr);
}

const COMMA: &str = "put an expression with a comma inside a list in quotes, or YAML reads it as something else";

/// Each mistake alone has the message that it has among the others.
#[test]
fn mended_one_by_one_the_rest_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mends = [
        ("restriction:", "restrictions:", 5),
        ("(WG + 1", "(WG + 1)", 7),
        ("work_groups", "work_group", 10),
        ("sise", "size / 64", 12),
        ("celi_div", "ceil_div", 14),
        ("ceil_div(size, WG)", "'ceil_div(size, WG)'", 14),
        ("in_fligth: 4, ", "", 15),
    ];
    let mut text = MISTAKES.to_owned();
    for (position, (wrong, right, line)) in mends.iter().enumerate() {
        let (status, printed) = diagnosis(&[&file(&folder, "k.yaml", &text)]);
        let rest: Vec<u64> = mends[position..].iter().map(|(_, _, line)| *line).collect();
        assert_eq!((status, lines(&printed["errors"])), (2, rest), "before line {line} is mended");
        text = text.replace(wrong, right);
    }
    let (status, printed) = diagnosis(&[&file(&folder, "k.yaml", &text)]);
    assert_eq!((status, &printed["errors"], &printed["space"]["feasible"]), (0, &serde_json::json!([]), &2.into()));
}

/// A spec that is good for P = 4, and wrong in other ways for 5 and 6.
const VALUES: &str = "\
kernel: values
problem: { size: 64 }
parameters:
  P: { values: [4, 5, 6, 7] }
  Q: { values: [1, 2] }
constraints: [P != 7]
launch: { work_items: size, work_group: 32 }
resources: { local_memory: 4 * 32 * P }
body:
  - compute: { per_item: 60 / P / Q, items: P == 6 ? 33 : 32 }
  - load: { array: a, index: [gx * 32 + lx + P - 4], shape: [64] }
  - local: { writes: t, index: [lx], shape: [32 * 4 * Q] }
  - load: { array: b, footprint: { group: P == 5 ? 129 : 128 } }
  - loop: { count: size / P, body: [barrier] }
  - store: { array: c, per_item: 4 }
";

/// Line, number of configurations, the first of them and message of each error, in the order of the lines.
fn found(printed: &Value) -> Vec<(u64, u64, &str, &str)> {
    let errors = printed["errors"].as_array().unwrap().iter();
    let mut found: Vec<_> = errors
        .map(|error| {
            let (number, words) = (|key: &str| error[key].as_u64().unwrap(), |key: &str| error[key].as_str().unwrap());
            (number("line"), number("configurations"), words("configuration"), words("message"))
        })
        .collect();
    found.sort_unstable();
    found
}

#[test]
fn what_is_wrong_with_configurations_is_told_at_all_its_places() {
    let folder = tempfile::tempdir().unwrap();
    let spec = file(
        &folder,
        "values.yaml",
        &VALUES.replace("P == 6 ? 33 : 32", "'P == 6 ? 33 : 32'").replace("P == 5 ? 129 : 128", "'P == 5 ? 129 : 128'"),
    );
    let (status, printed) = diagnosis(&[&spec, "--gpu", "volta"]);
    assert_eq!(status, 2);
    let found = found(&printed);
    // The mistakes are counted by brute force over P and Q without P = 7.
    let pairs = || [4, 5, 6].into_iter().flat_map(|p| [1, 2].map(|q| (p, q)));
    let count = |is_wrong: &dyn Fn(u64, u64) -> bool| {
        let wrong: Vec<_> = pairs().filter(|(p, q)| is_wrong(*p, *q)).collect();
        (wrong.len() as u64, format!("P={} Q={}", wrong[0].0, wrong[0].1))
    };
    let expected = [
        (10, count(&|p, _| p == 6), "`items` is 33, but a group has 32 work items"),
        (
            11,
            count(&|p, _| p > 4),
            "`gx * 32 + lx + P - 4` reaches element 64 of 0 to 63 (`shape` 64), with lx = 31, gx = 1",
        ),
        (
            8,
            count(&|p, q| 64 % p == 0 && 4 * 32 * 4 * q > 4 * 32 * p),
            "the local arrays need 1024 bytes (`t` 1024), but `local_memory` states 512",
        ),
        (10, count(&|p, q| 60 / p % q != 0), "15 / 2 is not an integer"),
        (13, count(&|p, _| p == 5), "the footprint is 129 bytes, but the accesses ask for 128 at most"),
        (14, count(&|p, _| 64 % p != 0), "64 / 5 is not an integer"),
    ];
    let mut expected: Vec<_> =
        expected.iter().map(|(line, (number, first), words)| (*line, *number, first.as_str(), *words)).collect();
    expected.sort_unstable();
    assert_eq!(found.len(), expected.len(), "{printed:#}");
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!((found.0, found.1, found.2), (expected.0, expected.1, expected.2), "{printed:#}");
        assert!(found.3.contains(expected.3), "{printed:#}");
    }
}

/// Sectors, and so footprints, are only known on a real GPU.
#[test]
fn a_footprint_is_judged_on_a_real_gpu() {
    let folder = tempfile::tempdir().unwrap();
    let mended = VALUES
        .replace("60 / P / Q", "4")
        .replace("P == 6 ? 33 : 32", "32")
        .replace("lx + P - 4", "lx")
        .replace("4 * 32 * P", "1024")
        .replace("size / P", "2");
    let spec = file(&folder, "mended.yaml", &mended.replace("P == 5 ? 129 : 128", "'P == 5 ? 129 : 128'"));
    let (status, printed) = diagnosis(&[&spec, "--gpu", "volta"]);
    assert_eq!(
        (status, messages(&printed["errors"])),
        (2, vec!["the footprint is 129 bytes, but the accesses ask for 128 at most"])
    );
    assert_eq!(printed["errors"][0]["configurations"], 2);
    let (status, printed) = diagnosis(&[&spec]);
    assert_eq!(
        (status, messages(&printed["errors"]).len()),
        (0, 0),
        "without a GPU nothing is known of sectors: {printed:#}"
    );
}

/// Exclusions by constraints, then by limits of a group, then by the capacity of a multiprocessor.
const SHRINKS: &str = "\
kernel: shrinks
problem: { most: 100 }
parameters:
  A: { range: { from: 1, to: 12 } }
  B: { values: [1, 2, 4, 8, 16] }
  C: { values: [16, 48, 96, 160] }
constraints:
  - A % 2 == 0
  - B < 1000
  - A != B && A * B <= most
launch: { work_items: 1048576, work_group: 32 * A }
resources: { local_memory: 1024 * A * B, registers: C }
body:
  - store: { array: out }
";

/// Local bytes and work items of a group, registers of a work item in units of a warp, registers of a multiprocessor.
fn shrunk(gpu: &str, most: u64) -> (u64, Vec<(String, u64)>) {
    let (local, group, file, unit, one) = match gpu {
        "volta" => (49_152, 1024, 65_536, 256, 255),
        "fermi" => (49_152, 1024, 32_768, 64, 63),
        "abstract-fermi" => (49_152, 1024, u64::MAX, 1, u64::MAX),
        _ => (u64::MAX, u64::MAX, u64::MAX, 1, u64::MAX),
    };
    let mut removed = ["A % 2 == 0", "B < 1000", "A != B && A * B <= most"].map(|rule| (rule.to_owned(), 0)).to_vec();
    let mut feasible = 0;
    for a in 1..=12_u64 {
        for b in [1, 2, 4, 8, 16] {
            for c in [16, 48, 96, 160] {
                let rule = if a % 2 != 0 {
                    "A % 2 == 0"
                } else if a == b || a * b > most {
                    "A != B && A * B <= most"
                } else if 32 * a > group {
                    "work_group"
                } else if 1024 * a * b > local {
                    "local_memory"
                } else if a * (32 * c.min(one)).div_ceil(unit) * unit > file {
                    "registers"
                } else {
                    feasible += 1;
                    continue;
                };
                match removed.iter_mut().find(|(known, _)| known == rule) {
                    Some((_, number)) => *number += 1,
                    None => removed.push((rule.to_owned(), 1)),
                }
            }
        }
    }
    (feasible, removed)
}

#[test]
fn what_each_constraint_and_limit_removes_is_what_brute_force_counts() {
    let folder = tempfile::tempdir().unwrap();
    let spec = file(&folder, "shrinks.yaml", SHRINKS);
    for (gpu, most) in [("volta", 100), ("volta", 30), ("fermi", 100), ("abstract-fermi", 100), ("", 100)] {
        let size = format!("most={most}");
        let named = [spec.as_str(), "--set", &size, "--gpu", gpu];
        let (status, printed) = diagnosis(if gpu.is_empty() { &named[..3] } else { &named });
        let (feasible, mut expected) = shrunk(gpu, most);
        let space = &printed["space"];
        assert_eq!((status, messages(&printed["errors"]).len()), (0, 0), "{printed:#}");
        assert_eq!(
            (&space["configurations"], &space["feasible"]),
            (&240.into(), &feasible.into()),
            "{gpu}: {printed:#}"
        );
        let removed = space["removed"].as_array().unwrap().iter();
        let mut removed: Vec<(String, u64)> = removed
            .map(|one| (one["rule"].as_str().unwrap().to_owned(), one["configurations"].as_u64().unwrap()))
            .collect();
        let rules: Vec<&str> = removed[..3].iter().map(|(rule, _)| rule.as_str()).collect();
        assert_eq!(rules, ["A % 2 == 0", "B < 1000", "A != B && A * B <= most"], "the spec's own come first");
        removed.sort();
        expected.sort();
        assert_eq!(removed, expected, "{gpu}");
        assert_eq!(printed["gpu"].is_null(), gpu.is_empty());
    }
    let shown = run(autotune().args(["check", &spec, "--gpu", "volta"])).stdout;
    let (feasible, removed) = shrunk("volta", 100);
    assert!(shown.contains(&format!("{feasible} of 240 configurations can run on v100")), "{shown}");
    for (rule, number) in removed {
        let line = shown.lines().find(|line| line.trim_start().starts_with(&rule)).unwrap();
        assert!(line.ends_with(&format!(" {number}")), "{line}");
    }
    let without = run(autotune().args(["check", &spec])).stdout;
    assert!(without.contains("configurations can run without the limits of a GPU"), "{without}");
}

#[test]
fn the_exit_status_tells_errors_from_warnings_and_from_nothing_left() {
    let folder = tempfile::tempdir().unwrap();
    let status = |text: &str, options: &[&str]| {
        let spec = file(&folder, "k.yaml", text);
        let ended = run(autotune().args(["check", &spec]).args(options));
        assert_eq!(ended.stderr, "");
        ended.status
    };
    assert_eq!(status(SHRINKS, &["--gpu", "volta"]), 0);
    assert_eq!(status(&SHRINKS.replace("store:", "stroe:"), &["--gpu", "volta"]), 2);
    // Every configuration is infeasible: by the spec, then by the GPU.
    assert_eq!(status(SHRINKS, &["--gpu", "volta", "--set", "most=0"]), 4);
    let large = SHRINKS.replace("32 * A", "1024 * A");
    assert_eq!([status(&large, &["--gpu", "volta"]), status(&large, &[])], [4, 0]);
    // An error takes precedence.
    assert_eq!(status(&large.replace("array: out", "array: out, items: 99999"), &[]), 2);
    // A warning alone is not a failure.
    let doubtful = SHRINKS.replace("array: out", "array: out, per_item: B");
    let spec = file(&folder, "doubtful.yaml", &doubtful);
    let (status, printed) = diagnosis(&[&spec, "--gpu", "volta"]);
    assert_eq!((status, printed["warnings"][0]["kind"].as_str().unwrap()), (0, "work_varies"));
    assert_eq!((lines(&printed["warnings"]), messages(&printed["errors"]).len()), (vec![14], 0));
    let shown = run(autotune().args(["check", &spec, "--gpu", "volta"])).stdout;
    assert!(
        shown.contains("warning: the bytes stored to `out` depend") && shown.contains(": 0 errors, 1 warning\n"),
        "{shown}"
    );
    // An input that cannot be read is an error of the question.
    for wrong in [
        &["none.yaml"][..],
        &["tuning-specs/transpose.yaml", "--gpu", "volt"],
        &["tuning-specs/transpose.yaml", "--set", "siz=4"],
    ] {
        let ended = run(autotune().arg("check").args(wrong));
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{wrong:?}");
        assert!(ended.stderr.starts_with("error: "), "{}", ended.stderr);
    }
}

#[test]
fn sizes_and_spaces_are_those_of_the_question() {
    let transpose = "tuning-specs/transpose.yaml";
    let (status, printed) = diagnosis(&[transpose, "--gpu", "volta"]);
    assert_eq!((status, &printed["space"]["feasible"]), (0, &44.into()));
    // 96 is no multiple of 64 and 128
    let (status, printed) = diagnosis(&[transpose, "--gpu", "volta", "--set", "size=96"]);
    let tuned = json(
        &run(autotune().args(["evaluate", transpose, "--gpu", "volta", "--set", "size=96", "--format", "json"])),
        "evaluation.json",
    );
    let can_run = tuned["configurations"].as_array().unwrap().iter().filter(|one| one["ticks"].is_u64()).count();
    assert_eq!((status, &printed["space"]["feasible"]), (0, &can_run.into()));
    assert!(can_run < 44);
    let spec = "tests/data/specs/kernel_tuner_names.yaml";
    let (status, printed) = diagnosis(&[spec, "--gpu", "volta", "--space", "tests/data/t1/brighten.json"]);
    assert_eq!((status, &printed["space"]["configurations"]), (0, &(6 * 4 * 3 * 2).into()), "{printed:#}");
    let folder = tempfile::tempdir().unwrap();
    let text = include_str!("../../data/t1/brighten.json").replace("not use_padding or block_size_x % 32 != 0", "True");
    let space = file(&folder, "space.json", &text);
    let (status, printed) = diagnosis(&[spec, "--gpu", "volta", "--space", &space]);
    let words = "no launch, resource, statement or constraint uses the parameter `use_padding`: all its values give the same time";
    assert_eq!(
        (status, messages(&printed["warnings"]), &printed["warnings"][0]["file"]),
        (0, vec![words], &space.as_str().into())
    );
}
