//! Spaces of more configurations than a result lists, and than the text of a model holds.

use std::path::Path;

use assert_cmd::Command;

use crate::{autotune, json, run};

/// A spec that allows 10,000 of 20,000 configurations, no two of them alike. The last value of the first parameter and
/// the first value of the second are the fastest.
const SPEC: &str = "
kernel: wide
parameters:
  a: { range: { from: 1, to: 200 } }
  b: { range: { from: 1, to: 100 } }
constraints: [ a % 2 == 0 ]
launch: { work_items: 64, work_group: 32 }
body:
  - compute: { per_item: (200 - a) * 100 + b }
";

fn in_folder(test: impl Fn(&Path, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("wide.yaml");
    std::fs::write(&spec, SPEC).unwrap();
    test(folder.path(), spec.to_str().unwrap());
}

#[test]
fn all_configurations_are_listed_on_request() {
    in_folder(|_, spec| {
        let question = [spec, "--gpu", "abstract-fermi", "--format", "json"];
        let usual = json(&run(autotune().args(question)), "result.json");
        let all = json(&run(autotune().args(question).args(["--configurations", "all"])), "result.json");
        assert_eq!(usual["optimum"]["parameters"], serde_json::json!({ "a": 200, "b": 1 }));
        assert_eq!(usual["configurations"].as_array().unwrap().len(), 1);
        assert_eq!(all["configurations"].as_array().unwrap().len(), 10_000);
        assert_eq!((&all["proof"], &all["optimum"]), (&usual["proof"], &usual["optimum"]));
    });
}

#[test]
fn a_model_of_any_size_stands_alone_with_its_tables_in_a_header() {
    in_folder(|folder, spec| {
        let question = [spec, "--gpu", "abstract-fermi", "--no-prune"];
        let printed = run(autotune().arg("model").args(question));
        assert_eq!((printed.status, printed.stdout.as_str()), (2, ""));
        assert!(printed.stderr.contains("--out DIR"), "{}", printed.stderr);

        let out = folder.join("out");
        assert_eq!(run(autotune().arg("model").args(question).arg("--out").arg(&out)).status, 0);
        let model = std::fs::read_to_string(out.join("model.pml")).unwrap();
        let option = |name: &str| {
            let rest = &model[model.find(name).unwrap()..];
            rest.split_whitespace().next().unwrap().to_owned()
        };
        run(Command::new("spin").args(["-a", "model.pml"]).current_dir(&out));
        let compile = ["-w", "-O1", "-DSAFETY", &option("-DVECTORSZ="), "-o", "pan", "pan.c"];
        assert_eq!(run(Command::new("cc").args(compile).current_dir(&out)).status, 0);

        let optimum =
            &json(&run(autotune().args([spec, "--gpu", "abstract-fermi", "--format", "json"])), "result.json");
        let ticks = optimum["optimum"]["ticks"].as_u64().unwrap();
        for (bound, errors) in [(ticks, "errors: 0"), (ticks + 1, "errors: 1")] {
            let mut pan = Command::new(out.join("pan"));
            let pan = pan.args(["-n", &option("-m")]).env("AUTOTUNE_MT", bound.to_string()).current_dir(&out);
            let verdict = run(pan).stdout;
            assert!(verdict.contains(errors), "{verdict}");
            assert_eq!(verdict.contains("Search not completed"), bound > ticks, "{verdict}");
        }
        let again = run(autotune().arg("model").args(question).arg("--out").arg(&out));
        assert_eq!((again.status, again.stdout.as_str()), (2, ""));
    });
}
