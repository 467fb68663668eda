//! `--warm` and `--cold`: what a launch finds in L2, whatever the spec says.

use std::fs;

use super::*;

const SPEC: &str = "examples/kernels/vector_add.yaml";
/// A problem whose three arrays have 786,432 bytes in all, which L2 of each GPU here holds.
const QUESTION: [&str; 6] = [SPEC, "--gpu", "h100", "--set", "size=65536", "--config=WG=256,ITEMS=1,VEC=1"];
const WARMED: &str = "launch    warm, by an option in place of cold\n";
const COOLED: &str = "launch    cold, by an option in place of warm\n";

/// A kernel that reads an array and writes it, with its spec in a comment.
const SOURCE: &str = "/* autotune:
 *   kernel: scale
 *   problem: { n: 65536 }
 *   parameters: { WG: { values: [64, 128] } }
 *   launch: { work_items: n, work_group: WG }
 *   source: { arguments: { n: n } }
 */
__kernel void scale(__global float *a, int n)
{
  int i = get_global_id(0);
  if (i < n) a[i] = 2 * a[i];
}
";

/// The ticks of a question's first configuration, and the lines of the answer about its launch.
fn answered(question: &[&str], more: &[&str]) -> (u64, Vec<String>) {
    let ended = run(autotune().arg("evaluate").args(question).args(more).args(["--format", "json"]));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let answer = json(&ended, "evaluation.json");
    let lines = answer["inferred"].as_array().into_iter().flatten();
    let line = |line: &Value| format!("{} {}", line["name"].as_str().unwrap(), line["rule"].as_str().unwrap());
    (answer["configurations"][0]["ticks"].as_u64().unwrap(), lines.map(line).collect())
}

/// Checks that a question whose launch is `usual` without an option has other times with the other option alone.
fn assert_overruled(question: &[&str], usual: &str) {
    let (other, line) = match usual {
        "--cold" => ("--warm", "warm by an option in place of cold"),
        _ => ("--cold", "cold by an option in place of warm"),
    };
    let (ticks, lines) = answered(question, &[]);
    assert!(lines.is_empty(), "{lines:?}");
    assert_eq!(answered(question, &[usual]), (ticks, lines), "{usual} says what the launch is");
    let (overruled, lines) = answered(question, &[other]);
    assert_eq!(lines, [line]);
    assert!(if other == "--warm" { overruled < ticks } else { overruled > ticks }, "{other}: {overruled} and {ticks}");
}

#[test]
fn a_spec_is_overruled_either_way() {
    assert_overruled(&QUESTION, "--cold");
    let folder = tempfile::tempdir().unwrap();
    fs::copy("examples/kernels/vector_add.cl", folder.path().join("vector_add.cl")).unwrap();
    let spec = fs::read_to_string(SPEC).unwrap().replace("launch:\n", "launch:\n  warm: true\n");
    assert!(spec.contains("warm: true"), "{spec}");
    fs::write(folder.path().join("warm.yaml"), spec).unwrap();
    let spec = folder.path().join("warm.yaml").display().to_string();
    assert_overruled(&[&[spec.as_str()], &QUESTION[1..]].concat(), "--warm");
}

#[test]
fn a_source_with_its_spec_in_a_comment_is_overruled() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("scale.cl");
    fs::write(&source, SOURCE).unwrap();
    let source = source.display().to_string();
    assert_overruled(&[&source, "--gpu", "a100"], "--cold");
    let printed = run(autotune().args([&source, "--gpu", "a100", "--warm", "--print-spec"])).stdout;
    assert!(printed.contains("  work_group: WG\n  warm: true\n"), "{printed}");
    let text = SOURCE.replace("work_group: WG }", "work_group: WG, warm: true }");
    fs::write(folder.path().join("scale.cl"), text).unwrap();
    assert_overruled(&[&source, "--gpu", "a100"], "--warm");
}

#[test]
fn a_kernel_in_triton_is_warm_unless_an_option_says_otherwise() {
    let spec = "examples/kernels/matmul_triton.yaml";
    let one = "--config=BM=128,BN=128,BK=32,num_warps=4,num_stages=4";
    assert_overruled(&[spec, "--gpu", "a100", "--set", "n=256", one], "--warm");
}

#[test]
fn a_call_of_a_kernel_in_triton_prints_the_launch_that_an_option_states() {
    let call = "swiglu(torch.empty(64, 256, device='cuda'), torch.empty(64, 256, device='cuda'))";
    let question = ["tests/data/triton/calls/swiglu.py", "--gpu", "h100", "--call", call, "--print-spec"];
    let printed = |more: &[&str]| {
        let ended = run(autotune().args(question).args(more));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        ended.stdout
    };
    let usual = printed(&[]);
    assert!(!usual.contains("warm:"), "{usual}");
    assert!(printed(&["--cold"]).contains("  warm: false\n"));
    assert!(printed(&["--warm"]).contains("  warm: true\n"));
}

#[test]
fn both_at_once_are_refused_and_a_body_heeds_neither() {
    let both = run(autotune().args(["evaluate", "--warm", "--cold"]).args(QUESTION));
    assert_eq!(both.status, 2);
    assert!(both.stderr.contains("'--warm' cannot be used with '--cold'"), "{}", both.stderr);
    let of_body = |more: &[&str]| run(autotune().arg("evaluate").args(SMALL).args(more));
    let usual = of_body(&[]);
    for option in ["--warm", "--cold"] {
        let ended = of_body(&[option]);
        assert_eq!((ended.status, ended.stdout, ended.stderr), (0, usual.stdout.clone(), String::new()));
    }
}

#[test]
fn every_command_with_a_question_has_both_options() {
    let commands = [
        "evaluate",
        "locality",
        "model",
        "compare",
        "explain",
        "inspect",
        "extract",
        "graph",
        "predict",
        "efficiency",
        "check",
    ];
    for command in commands {
        for option in ["--warm", "--cold"] {
            let mut words = vec![command, option];
            let with_list =
                ["locality", "model", "explain", "inspect", "extract", "graph", "evaluate"].contains(&command);
            words.extend(if with_list { &QUESTION[..] } else { &QUESTION[..5] });
            let ended = run(autotune().args(&words));
            assert_eq!(ended.status, 0, "{words:?}: {}", ended.stderr);
        }
    }
}

#[test]
fn check_and_explain_say_that_an_option_decides() {
    for command in ["check", "explain", "inspect"] {
        let ended = run(autotune().arg(command).args(QUESTION).arg("--warm"));
        assert!(ended.stdout.starts_with(WARMED), "{command}: {}", ended.stdout);
    }
}

#[test]
fn a_difference_has_the_launch_of_both_kernels() {
    let compared = |more: &[&str]| {
        let words = ["diff", SPEC, SPEC, "--gpu", "h100", "--set", "size=65536", "--config=WG=256,ITEMS=1,VEC=1"];
        let ended = run(autotune().args(words).args(["--format", "json"]).args(more));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        let report = json(&ended, "diff.json");
        let one = &report["gpus"][0]["configurations"][0];
        [&one["old"], &one["new"]].map(|side| side["ticks"].as_u64().unwrap())
    };
    let [cold, warm] = ["--cold", "--warm"].map(|option| answered(&QUESTION, &[option]).0);
    assert_eq!(compared(&[]), [cold, cold]);
    assert_eq!(compared(&["--warm"]), [warm, warm]);
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in [("old.cl", SOURCE.to_owned()), ("new.cl", SOURCE.replace("2 * a[i]", "3 * a[i]"))] {
        fs::write(folder.path().join(file), text).unwrap();
    }
    let ended =
        run(autotune().current_dir(folder.path()).args(["diff", "old.cl", "new.cl", "--gpu", "a100", "--warm"]));
    assert!(ended.status == 0 && ended.stdout.contains(WARMED), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn a_table_and_scenarios_have_the_launch_in_all_of_them() {
    let table = |more: &[&str]| {
        let words = ["table", SPEC, "--gpu", "h100,a100", "--set", "size=65536,131072", "--format", "json"];
        let ended = run(autotune().args(words).args(more));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        let mut table = json(&ended, "size_table.json");
        table.as_object_mut().unwrap().remove("command");
        table
    };
    let cold = table(&[]);
    assert_eq!(table(&["--cold"]), cold);
    assert_ne!(table(&["--warm"]), cold);
    let words = [SPEC, "--gpu", "h100,a100", "--set", "size=4096", "--warm"];
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept").display().to_string();
    let ended = run(autotune().args(words).args(["--keep", &kept]));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.starts_with(WARMED), "{}", ended.stdout);
    let verified = run(autotune().args(["verify", &kept]));
    assert_eq!(verified.status, 0, "{}{}", verified.stdout, verified.stderr);
}

#[test]
fn a_kept_proof_of_an_overruled_launch_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("scale.cl");
    let text = SOURCE.replace("work_group: WG }", "work_group: WG, warm: true }").replace("65536", "4096");
    fs::write(&source, text).unwrap();
    let kept = folder.path().join("kept");
    let ended = run(autotune().arg(&source).args(["--gpu", "a100", "--cold", "--keep"]).arg(&kept));
    assert!(ended.status == 0 && ended.stdout.starts_with(COOLED), "{}{}", ended.stdout, ended.stderr);
    let manifest: Value = serde_json::from_str(&fs::read_to_string(kept.join("kept.json")).unwrap()).unwrap();
    assert_eq!(manifest["questions"][0]["warm"], false);
    let verified = run(autotune().arg("verify").arg(&kept));
    assert_eq!(verified.status, 0, "{}{}", verified.stdout, verified.stderr);
    // The spec alone has another time, so the folder says which launch was proved.
    let result: Value = serde_json::from_str(&fs::read_to_string(kept.join("result.json")).unwrap()).unwrap();
    let stated = answered(&[&source.display().to_string(), "--gpu", "a100"], &[]).0;
    assert!(result["optimum"]["ticks"].as_u64().unwrap() > stated, "{stated} of {result}");
}

#[test]
fn the_cache_tells_both_launches_apart() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let proved = |more: &[&str]| {
        let mut command = autotune();
        command.env("XDG_CACHE_HOME", &cache).args(&QUESTION[..3]).args(["--set", "size=4096"]).args(more);
        let result = json(&run(command.args(["--format", "json", "--no-cost"])), "result.json");
        assert_eq!(result["verdict"], "proved");
        result["optimum"]["ticks"].as_u64().unwrap()
    };
    let first = [&[][..], &["--warm"], &["--cold"]].map(proved);
    assert!(first[0] == first[2] && first[1] < first[0], "{first:?}");
    assert_eq!([&[][..], &["--warm"], &["--cold"]].map(proved), first);
}

#[test]
fn a_batch_has_the_launch_of_each_entry() {
    let folder = tempfile::tempdir().unwrap();
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join(SPEC).display().to_string();
    let entry = |more: &str| format!("  - {{ specs: [{spec}], gpus: [h100], set: {{ size: 4096 }}{more} }}\n");
    let list = format!("jobs:\n{}{}{}", entry(""), entry(", warm: true"), entry(", warm: false"));
    fs::write(folder.path().join("jobs.yaml"), list).unwrap();
    let batch = ["batch", "jobs.yaml", "--out", "out", "--quiet"];
    let ended = run(autotune().current_dir(folder.path()).args(batch));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let results: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("out/results.json")).unwrap()).unwrap();
    let ticks: Vec<u64> = results["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["result"]["optimum"]["ticks"].as_u64().unwrap())
        .collect();
    assert!(ticks.len() == 3 && ticks[1] < ticks[0] && ticks[2] == ticks[0], "{ticks:?}");
    let other = fs::read_to_string(folder.path().join("jobs.yaml")).unwrap().replace("warm: true", "warm: false");
    fs::write(folder.path().join("jobs.yaml"), other).unwrap();
    let resumed = run(autotune().current_dir(folder.path()).args(batch).arg("--resume"));
    assert_eq!(resumed.status, 2, "{}", resumed.stderr);
    assert!(resumed.stderr.contains("launch") && resumed.stderr.contains("warm"), "{}", resumed.stderr);
}
