//! `validate --versions`: versions of kernels in the order of their predicted times, and the files that it refuses.

use std::fs;

use super::measured::{assert_kept, printed};
use super::*;

/// The shipped ladders.
const SHIPPED: &str = "tests/data/ladders";

/// Two versions of a kernel.
const LADDER: &str = "- { ladder: sum, step: plain, file: sum.cl, kernel: sum, gpu: volta, options: [--work-items, '65536', --work-group, '64'], measured_us: 12 }
- { ladder: sum, step: wide, file: sum.cl, kernel: wide, gpu: volta, options: [--work-items, '16384', --work-group, '64'], measured_us: 9 }
";

/// A source with both versions.
const SOURCE: &str = "__kernel void sum(__global float *c, __global const float *a, __global const float *b) {
  int i = get_global_id(0);
  c[i] = a[i] + b[i];
}
__kernel void wide(__global float4 *c, __global const float4 *a, __global const float4 *b) {
  int i = get_global_id(0);
  c[i] = a[i] + b[i];
}
";

/// A folder with the source, a spec of several configurations and a list of ladders.
fn folder(ladders: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let spec = "kernel: sum\nproblem: { size: 65536 }\nparameters: { WG: { values: [32, 64, 128] } }\n\
                launch: { work_items: size, work_group: WG }\nbody: [ { load: { array: a } } ]\n";
    for (name, text) in [("sum.cl", SOURCE), ("sum.yaml", spec), ("ladders.yaml", ladders)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn validated(folder: &Path, more: &[&str]) -> Ended {
    run(autotune().current_dir(folder).args(["validate", "--versions", "ladders.yaml"]).args(more))
}

/// The step `wide` of the ladder with another text in it.
fn with(old: &str, new: &str) -> String {
    let (first, second) = LADDER.split_once('\n').unwrap();
    assert!(second.contains(old), "{second}");
    format!("{first}\n{}", second.replacen(old, new, 1))
}

/// Asserts that a list is refused with status 2, at a place of the step `wide`, with these words and this mend.
fn assert_refused(ladders: &str, place: &str, words: &str, mend: &str) {
    let ended = validated(folder(ladders).path(), &[]);
    let (what, help) = ended.stderr.rsplit_once("\nhelp: ").unwrap_or((&ended.stderr, ""));
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{}", ended.stderr);
    assert!(what.starts_with("error: ") && what.contains(&format!("--> ladders.yaml:{place}")), "{}", ended.stderr);
    assert!(what.contains(words) && help.contains(mend), "{}", ended.stderr);
}

/// A ratio or its inverse, whichever is at least 1.
fn factor(ratio: f64) -> f64 {
    if ratio < 1.0 { 1.0 / ratio } else { ratio }
}

fn assert_near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value / expected - 1.0).abs() < 1e-12, "{value} is not {expected}");
}

/// The pairs in order and all pairs of a ladder, and the distance of the worst ratio, by their definitions.
fn figures(steps: &[Value]) -> (u64, u64, f64) {
    let time = |step: &Value, key: &str| step[key].as_f64().unwrap();
    let (mut right, mut total, mut worst) = (0, 0, 1.0_f64);
    for (place, one) in steps.iter().enumerate() {
        for other in &steps[place + 1..] {
            let measured = time(one, "measured_us") / time(other, "measured_us");
            let predicted = time(one, "predicted_us") / time(other, "predicted_us");
            worst = worst.max(factor(predicted / measured));
            if factor(measured) > 1.05 {
                total += 1;
                right += u64::from((measured > 1.0 && predicted > 1.0) || (measured < 1.0 && predicted < 1.0));
            }
        }
    }
    (right, total, worst)
}

/// A folder with some of the shipped ladders, and their steps.
fn some_shipped() -> (tempfile::TempDir, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    for file in ["transpose.cu", "array_add.cu", "matvec.cu", "gtx1650-gddr6.yaml"] {
        fs::copy(format!("{SHIPPED}/{file}"), folder.path().join(file)).unwrap();
    }
    let ladders = ["transpose_k20c", "array_add_1650", "matvec_3080"];
    let text = fs::read_to_string(format!("{SHIPPED}/ladders.json")).unwrap();
    let steps: Vec<Value> = serde_json::from_str(&text).unwrap();
    let steps: Vec<Value> =
        steps.into_iter().filter(|step| ladders.iter().any(|ladder| step["ladder"] == *ladder)).collect();
    fs::write(folder.path().join("ladders.yaml"), serde_json::to_string(&steps).unwrap()).unwrap();
    (folder, steps)
}

/// Other lines of the book's table take the compiler longer.
#[test]
fn the_table_of_versions_is_what_validate_shows() {
    let (folder, _) = some_shipped();
    let table = printed(std::process::Command::new("ci/ladders").arg(folder.path().join("ladders.yaml")));
    let (rows, summary) = table.split_once("\n\n").unwrap();
    assert_kept(rows, 2 + 3, "docs/guide/accuracy.md", "ci/ladders");
    assert!(summary.contains(" pairs in order (") && summary.ends_with(" of 9 steps\n"), "{summary}");
}

#[test]
fn figures_are_those_of_the_steps() {
    let (folder, steps) = some_shipped();
    let report = json(&validated(folder.path(), &["--format", "json"]), "versions.json");
    let (mut right, mut total, mut factors) = (0, 0, Vec::new());
    for ladder in report["ladders"].as_array().unwrap() {
        let found = ladder["steps"].as_array().unwrap();
        let pairs = &ladder["pairs"];
        let (in_order, all, worst) = figures(found);
        assert_eq!((pairs["right"].as_u64(), pairs["total"].as_u64()), (Some(in_order), Some(all)), "{ladder}");
        assert_eq!(pairs["share"].is_null(), all == 0, "{ladder}");
        assert_near(&factor(ladder["worst"]["ratio"].as_f64().unwrap()).into(), worst);
        (right, total) = (right + in_order, total + all);
        factors.extend(found.iter().map(|step| {
            let ratio = step["predicted_us"].as_f64().unwrap() / step["measured_us"].as_f64().unwrap();
            assert_near(&step["predicted_per_measured"], ratio);
            factor(ratio)
        }));
    }
    assert_eq!(factors.len(), steps.len());
    assert_eq!((&report["pairs"]["right"], &report["pairs"]["total"]), (&right.into(), &total.into()));
    factors.sort_by(f64::total_cmp);
    // Nine steps: the middle one is the median, and nine of ten is the greatest.
    assert_eq!(factors.len(), 9);
    assert_near(&report["factor"]["median"], factors[4]);
    assert_near(&report["factor"]["nine_of_ten"], factors[8]);
    assert_eq!(report["ladders"][1]["gpu"], "gtx1650-gddr6");
}

#[test]
fn a_step_is_predicted_as_evaluate_does() {
    let folder = folder(LADDER);
    let report = json(&validated(folder.path(), &["--format", "json"]), "versions.json");
    for (step, kernel, items) in [(0, "sum", "65536"), (1, "wide", "16384")] {
        let question = ["sum.cl", "--kernel", kernel, "--gpu", "volta", "--parameter", "P=1", "--work-items", items];
        let mut evaluate = autotune();
        evaluate.current_dir(folder.path()).arg("evaluate").args(question);
        let evaluated = json(&run(evaluate.args(["--work-group", "64", "--format", "json"])), "evaluation.json");
        let predicted = &report["ladders"][0]["steps"][step]["predicted_us"];
        assert_eq!(*predicted, evaluated["configurations"][0]["microseconds"]);
    }
    let text = validated(folder.path(), &[]).stdout;
    assert!(
        text.starts_with("sum on volta: ") && text.contains("\n plain  ") && text.contains("\npairs     "),
        "{text}"
    );
}

#[test]
fn ladders_are_predicted_for_another_gpu() {
    let folder = folder(LADDER);
    let gpus = |more: &[&str]| {
        let report = json(&validated(folder.path(), &[&["--format", "json"], more].concat()), "versions.json");
        let ladder = &report["ladders"][0];
        assert_eq!(ladder["measured_on"], "volta");
        (ladder["gpu"].as_str().unwrap().to_owned(), ladder["steps"][0]["predicted_us"].as_f64().unwrap())
    };
    let (own, other) = (gpus(&[]), gpus(&["--gpu", "a100"]));
    assert_eq!((own.0.as_str(), other.0.as_str()), ("volta", "a100"));
    assert!((own.1 - other.1).abs() > 0.1, "{own:?} {other:?}");
    let text = validated(folder.path(), &["--gpu", "a100"]).stdout;
    assert!(text.starts_with("sum on a100, measured on volta: "), "{text}");
    // The user's own default is no answer to which GPU a ladder was measured on.
    let defaults = folder.path().join("defaults.yaml");
    fs::write(&defaults, "gpu: a100\n").unwrap();
    let mut command = autotune();
    command.current_dir(folder.path()).env("AUTOTUNE_CONFIG", defaults);
    let ended = run(command.args(["validate", "--versions", "ladders.yaml"]));
    assert!(ended.stdout.starts_with("sum on volta: "), "{}{}", ended.stdout, ended.stderr);
    for (gpu, words) in [("nothing-1", "cannot use GPU `nothing-1`"), ("abstract-fermi", "has no clock")] {
        let ended = validated(folder.path(), &["--gpu", gpu]);
        assert!(
            ended.status == 2 && ended.stderr.contains(words) && ended.stderr.contains("help: "),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn a_spec_is_a_version_too() {
    let spec = with("file: sum.cl, kernel: wide", "file: sum.yaml");
    let spec = spec.replace("options: [--work-items, '16384', --work-group, '64']", "options: [--config, WG=64]");
    let report = json(&validated(folder(&spec).path(), &["--format", "json"]), "versions.json");
    let step = &report["ladders"][0]["steps"][1];
    assert!(step["kernel"].is_null() && step["file"] == "sum.yaml", "{step}");
    let several = spec.replace("[--config, WG=64]", "[--set, size=1024]");
    assert_refused(&several, "2:24", "its options leave 3 configurations", "`--config A=1,B=2`");
}

#[test]
fn a_parameter_of_the_step_takes_the_place_of_the_usual_one() {
    let own = with("--work-group, '64'", "--work-group, WG, --parameter, 'WG=64'");
    assert_eq!(validated(folder(&own).path(), &[]).status, 0);
    let two = own.replace("WG=64", "WG=32,64");
    assert_refused(&two, "2:24", "its options leave 2 configurations", "--config");
}

#[test]
fn times_out_of_range_or_in_other_units_are_refused() {
    for (time, words) in [
        ("0", "`measured_us` is 0, not a time from 0.001 to"),
        ("-3.5", "`measured_us` is -3.5, not a time"),
        (".nan", "`measured_us` is NaN, not a time"),
        (".inf", "`measured_us` is inf, not a time"),
        ("1e400", "invalid floating point"),
        ("1e-9", "not a time from 0.001"),
    ] {
        let mend = if time == "1e400" { "measured_us: 12.5" } else { "in microseconds" };
        assert_refused(&with("measured_us: 9", &format!("measured_us: {time}")), "2:137", words, mend);
    }
    for (time, mend) in [
        ("measured_ms: 0.009", "`measured_us: 9`"),
        ("measured_ns: 9000", "`measured_us: 9`"),
        ("measured_s: 2", "`measured_us: 2000000`"),
    ] {
        let (key, value) = time.split_once(": ").unwrap();
        assert_refused(
            &with("measured_us: 9", time),
            "2:",
            &format!("`{key}` is {value}, and times are in microseconds"),
            mend,
        );
    }
    assert_refused(&with(", measured_us: 9", ""), "2:24", "step `wide` has no `measured_us`", "`measured_us: 12.5`");
    assert_refused(&with("measured_us: 9", "measured_us: soon"), "2:137", "soon", "");
}

#[test]
fn other_files_are_refused() {
    for empty in ["[]", "# nothing\n[]\n"] {
        let ended = validated(folder(empty).path(), &[]);
        assert!(ended.status == 2 && ended.stderr.contains("it has 0 steps, not 1 to 10000"), "{}", ended.stderr);
        assert!(ended.stderr.contains("help: each step is an item such as `- { ladder: "), "{}", ended.stderr);
    }
    for (text, place, words) in
        [("ladders: 3\n", "1:1", "sequence"), ("- { ladder: sum\n", "", ""), ("- 3\n", "1:3", "")]
    {
        assert_refused(text, place, words, "each step is an item such as");
    }
    let ended = run(autotune().args(["validate", "--versions", "absent.json"]));
    assert!(ended.status == 2 && ended.stderr.contains("cannot use ladders `absent.json`"), "{}", ended.stderr);
}

#[test]
fn keys_and_names_are_checked() {
    assert_refused(&with("options", "option"), "2:", "unknown key `option`", "did you mean `options`?");
    assert_refused(&with("measured_us", "zzz"), "2:", "unknown key `zzz`", "the keys are `ladder`, `step`, `file`");
    assert_refused(&with("gpu: volta, ", ""), "2:", "the key `gpu` is missing", "each step is an item");
    assert_refused(
        &with("step: wide", "step: plain"),
        "2:24",
        "ladder `sum` has a step `plain` in line 1 too",
        "another `step`",
    );
    assert_refused(
        &with("gpu: volta", "gpu: a100"),
        "2:",
        "has the GPU `a100`, and earlier ones have `volta`",
        "another `ladder`",
    );
    let apart = |gpu: &str| {
        with("gpu: volta", &format!("gpu: {gpu}")).replacen("ladder: sum, step: wide", "ladder: own, step: wide", 1)
    };
    assert_refused(&apart("voltaa"), "2:", "cannot use GPU `voltaa`", "`autotune gpus` lists the profiles");
    assert_refused(&apart("absent.yaml"), "2:", "cannot use GPU `absent.yaml`", "");
    assert_refused(&apart("abstract-fermi"), "2:", "has no clock", "`autotune gpus`");
    assert_refused(&with("file: sum.cl", "file: sums.cl"), "2:", "`./sums.cl` is not a file", "relative to the folder");
}

#[test]
fn options_are_those_of_evaluate() {
    for (options, words, mend) in [
        ("[--work-items, '16384']", "the text does not say how `wide` is launched", "--work-group block_size_x"),
        ("[]", "the text does not say how `wide` is launched", "--work-group block_size_x"),
        ("[--work-group]", "a value is required for '--work-group", "each word an item"),
        ("[--worker, '3']", "unexpected argument '--worker'", "each word an item"),
        ("[--top, '3']", "unexpected argument '--top'", "each word an item"),
        ("[--gpu, a100]", "'--gpu <GPU>' cannot be used multiple times", "each word an item"),
        ("[--format, json]", "`--format` is the form of the whole answer", "each word an item"),
        ("[--help]", "unexpected argument '--help'", "each word an item"),
    ] {
        let ladders = with("[--work-items, '16384', --work-group, '64']", options);
        assert_refused(&ladders, "2:24", "cannot predict step `wide` of ladder `sum`", mend);
        assert_refused(&ladders, "2:24", words, mend);
    }
    // The kernel is not in the source.
    assert_refused(&with("kernel: wide", "kernel: wider"), "2:24", "wider", "");
}

#[test]
fn a_question_of_its_own_is_refused_beside_versions() {
    let folder = folder(LADDER);
    for other in [
        &["sum.yaml"][..],
        &["--measured", "runs.csv"],
        &["--set", "size=3"],
        &["--config", "WG=64"],
        &["--unit", "us"],
        &["--fix", "WG=64"],
        &["--plot", "a.svg"],
        &["--rows", "a.csv"],
        &["--kernel", "sum"],
        &["--work-group", "64"],
    ] {
        let ended = validated(folder.path(), other);
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
        assert!(ended.stderr.contains("cannot be used with"), "{}", ended.stderr);
    }
    let ended = run(autotune().current_dir(folder.path()).args(["validate", "sum.yaml", "--gpu", "volta"]));
    assert!(ended.status == 2 && ended.stderr.contains("--measured <FILE>"), "{}", ended.stderr);
    let ended = run(autotune().current_dir(folder.path()).args(["validate", "sum.yaml", "--measured", "runs.csv"]));
    assert!(ended.status == 2 && ended.stderr.contains("`--gpu <GPU>` is missing"), "{}", ended.stderr);
}

/// A version that cannot run has no time.
#[test]
fn a_step_that_cannot_run_ends_with_its_reason() {
    let large = with("--work-group, '64'", "--work-group, '2048'");
    let ended = validated(folder(&large).path(), &[]);
    assert_eq!((ended.status, ended.stdout.as_str()), (4, ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("step `wide` of ladder `sum`\n --> ladders.yaml:2:24"), "{}", ended.stderr);
}

#[test]
fn tools_of_the_command_line_serve_all_steps() {
    let folder = folder(LADDER);
    let ended = validated(folder.path(), &["--clang", "/absent/clang"]);
    assert!(ended.status != 0 && ended.stderr.contains("/absent/clang"), "{}", ended.stderr);
}
