//! Kernels in Triton: what Triton answered once stands for it.

use std::fs;

use super::*;

const SPEC: &str = "examples/kernels/matmul_triton.yaml";
const FILE: &str = "examples/kernels/matmul_triton.py";
/// The launch of the kernel, as options say it.
const LAUNCH: [&str; 24] = [
    "--problem",
    "n=256",
    "--type",
    "a=*fp16",
    "--type",
    "b=*fp16",
    "--type",
    "c=*fp16",
    "--argument",
    "M=n",
    "--argument",
    "N=n",
    "--argument",
    "K=n",
    "--argument",
    "row_a=n",
    "--argument",
    "row_b=n",
    "--argument",
    "row_c=n",
    "--define",
    "GROUP_M=8",
    "--programs",
    "ceil_div(n, BM) * ceil_div(n, BN)",
];
/// A configuration that Triton was asked for.
const ONE: &str = "BM=128,BN=128,BK=32,num_warps=4,num_stages=4";

/// A run with a launch of the kernel in a file, where some words are others.
fn tuned(file: &str, more: &[&str], other: impl Fn(&str) -> String) -> Ended {
    let words = LAUNCH.iter().map(|word| other(word));
    run(autotune().args([file, "--gpu", "a100"]).args(words).args(more))
}

fn same(word: &str) -> String {
    word.to_owned()
}

#[test]
fn the_kernels_own_list_is_proved_and_what_cannot_run_is_refused() {
    let ended = tuned(&format!("{FILE}:matmul"), &["--configs", "--format", "json"], same);
    let result = json(&ended, "result.json");
    assert_eq!(result["verdict"], "proved", "{}", ended.stderr);
    let all = result["configurations"].as_array().unwrap();
    let refused: Vec<&serde_json::Value> = all.iter().filter(|one| !one["reason"].is_null()).collect();
    assert_eq!((all.len(), refused.len()), (16, 5));
    assert!(refused.iter().all(|one| one["reason"].as_str().unwrap().starts_with("local_memory: ")), "{refused:?}");
    let stages = refused.iter().map(|one| one["parameters"]["BK"].as_u64().unwrap());
    assert_eq!(stages.collect::<Vec<_>>(), [128; 5]);
}

#[test]
fn an_answer_is_a_configuration_to_paste() {
    let ended = run(autotune().args([SPEC, "--gpu", "a100", "--set", "n=256", "--config", ONE, "--format", "triton"]));
    let expected = "triton.Config({\"BM\": 128, \"BN\": 128, \"BK\": 32}, num_warps=4, num_stages=4)\n";
    assert_eq!((ended.status, ended.stdout.as_str()), (0, expected), "{}", ended.stderr);
}

/// The counts follow from the tile: 128 * 128 * 256 / 2048 products of four warps, (128 + 128) * 32 * 2 / 512 copies of
/// an iteration by four warps, and rows of 64 bytes.
#[test]
fn inspect_counts_the_lines_of_python() {
    let ended = run(autotune().args(["inspect", SPEC, "--gpu", "a100", "--set", "n=256", "--config", ONE]));
    let line = |number: &str| ended.stdout.lines().find(|line| line.starts_with(number)).unwrap().to_owned();
    assert!(line("55 |").ends_with("512 matrix"), "{}", line("55 |"));
    for number in ["53 |", "54 |"] {
        assert!(line(number).contains(" 32 copies"), "{}", line(number));
    }
    assert!(ended.stdout.contains("16 sectors (16 at least), 32 times"), "{}", ended.stdout);
    assert!(ended.stdout.contains("4 passes (4 at least)") && !ended.stdout.contains("depends on data"));
}

#[test]
fn what_triton_would_not_take_is_told_before_it_is_asked() {
    let file = format!("{FILE}:matmul");
    let words = |more: &[&str], other: &dyn Fn(&str) -> String| {
        let ended = tuned(&file, &[&["--configs"], more].concat(), other);
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{}", ended.stderr);
        ended.stderr
    };
    let unknown = words(&["--define", "GROUP=8"], &same);
    assert!(unknown.contains("`GROUP` is neither an argument of the kernel nor an option"), "{unknown}");
    assert!(unknown.contains("the kernel's arguments: a, b, c, M, N, K,"), "{unknown}");
    let untyped = words(&[], &|word| word.replace("b=*fp16", "d=*fp16"));
    assert!(untyped.contains("the launch of the kernel lacks the types of the pointers `b`\n"), "{untyped}");
    let constant = words(&[], &|word| word.replace("GROUP_M=8", "num_stages=3"));
    assert!(constant.contains("`GROUP_M`"), "{constant}");
    let clusters = words(&["--define", "num_ctas=2"], &same);
    assert!(clusters.contains("clusters of groups are not modelled"), "{clusters}");
    let nowhere = tuned("examples/nowhere.py:matmul", &["--configs"], same).stderr;
    assert!(nowhere.contains("nowhere.py`: No such file or directory"), "{nowhere}");
    let missing = tuned(&format!("{FILE}:product"), &["--configs"], same);
    assert!(
        missing.stderr.contains("no kernel `product`") && missing.stderr.contains("`matmul`"),
        "{}",
        missing.stderr
    );
}

#[test]
fn a_gpu_or_a_python_without_triton_is_told() {
    let old = run(autotune().args(["evaluate", SPEC, "--gpu", "fermi"]));
    assert!(old.status == 2 && old.stderr.contains("Triton does not compile for this GPU"), "{}", old.stderr);
    let absent = run(autotune().args(["evaluate", SPEC, "--gpu", "a100", "--python", "/nowhere/python"]));
    assert!(absent.stderr.contains("cannot find Python: there is no program `/nowhere/python`"), "{}", absent.stderr);
}

#[test]
fn no_program_is_executed_unasked() {
    let small = "BM=128,BN=64,BK=32,num_warps=4,num_stages=4";
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let asked = [SPEC, "--gpu", "a100", "--set", "n=256", "--config", small, "--keep", kept.to_str().unwrap()];
    assert_eq!(run(autotune().args(asked)).status, 0);
    let refused = run(autotune().arg("verify").arg(&kept));
    assert!(refused.status != 0 && refused.stderr.contains("--trust-python"), "{}", refused.stderr);
    for more in ["--trust-python", "--no-compile"] {
        let verified = run(autotune().arg("verify").arg(&kept).arg(more));
        assert_eq!(verified.status, 0, "{more}: {}", verified.stderr);
    }
    let absent = run(autotune().arg("verify").arg(&kept).args(["--trust-python", "--python", "/nowhere/python"]));
    assert!(absent.stderr.contains("there is no program `/nowhere/python`"), "{}", absent.stderr);
    let list = folder.path().join("jobs.yaml");
    fs::write(&list, "jobs: [ { specs: [one.yaml], gpus: [a100], set: { n: [256] } } ]\n").unwrap();
    let (head, rest) =
        fs::read_to_string(SPEC).unwrap().split_once("parameters:").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let launch = &rest[rest.find("launch:").unwrap()..];
    let listed = "configurations: [ { BM: 128, BN: 64, BK: 32, num_warps: 4, num_stages: 4 } ]";
    fs::write(folder.path().join("one.yaml"), format!("{head}{listed}\n{launch}")).unwrap();
    fs::copy(FILE, folder.path().join("matmul_triton.py")).unwrap();
    let batch = |more: &[&str], out: &str| {
        let out = folder.path().join(out);
        run(autotune().arg("batch").arg(&list).arg("--out").arg(out).args(more))
    };
    let unasked = batch(&[], "one");
    assert!(unasked.status != 0, "{}", unasked.stdout);
    assert!(unasked.stdout.contains("--trust-python"), "{}{}", unasked.stdout, unasked.stderr);
    assert_eq!(batch(&["--trust-python"], "two").status, 0);
}

/// Stands for a Python whose kernel needs a module: it compiles as the usual stand-in does where the module is whole.
const PYTHON_WITH_A_MODULE: &str = r#"#!/usr/bin/env python3
import importlib.util
import json
import runpy
import sys

request = json.load(open(sys.argv[2]))
module = importlib.util.find_spec("tiles_of_nobody")
is_broken = module is not None and "broken" in open(module.origin).read()
if request["do"] == "compile" and (module is None or is_broken):
    error = {"kind": "compile", "message": "TILE is not defined", "file": None, "line": 0, "column": 0, "open": is_broken}
    for number in range(len(request["configurations"])):
        print(json.dumps({"number": number, "error": error}), flush=True)
else:
    runpy.run_path("STAND_IN", run_name="__main__")
"#;

/// A missing module's error, and that of one that cannot be loaded, are not the answer once the module is there and whole.
#[test]
fn an_error_ends_with_the_state_of_python_that_causes_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let text = fs::read_to_string(FILE).unwrap();
    fs::write(at("matmul_triton.py"), format!("{text}\nfrom tiles_of_nobody import TILE\n")).unwrap();
    let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/triton/python");
    fs::write(at("python"), PYTHON_WITH_A_MODULE.replace("STAND_IN", stand_in.to_str().unwrap())).unwrap();
    fs::set_permissions(at("python"), PermissionsExt::from_mode(0o755)).unwrap();
    fs::create_dir(at("modules")).unwrap();
    let asked = || {
        let mut asked = autotune();
        asked.env("AUTOTUNE_PYTHON", at("python")).env("PYTHONPATH", at("modules")).env("XDG_CACHE_HOME", at("cache"));
        asked.arg("evaluate").arg(format!("{}:matmul", at("matmul_triton.py").display()));
        run(asked.args(["--gpu", "a100"]).args(LAUNCH).args(["--configs", "--config", ONE]))
    };
    let absent = asked();
    assert_ne!(absent.status, 0, "{}", absent.stdout);
    assert!(absent.stderr.contains("TILE is not defined"), "{}", absent.stderr);
    fs::write(at("modules/tiles_of_nobody.py"), "broken\n").unwrap();
    assert!(asked().stderr.contains("TILE is not defined"));
    fs::write(at("modules/tiles_of_nobody.py"), "TILE = 32\n").unwrap();
    let whole = asked();
    assert_eq!(whole.status, 0, "{}", whole.stderr);
}

/// Words of a spec as the helper reads constants.
#[test]
fn constants_are_read_as_python_and_yaml_write_them() {
    let folder = tempfile::tempdir().unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/kernel/src/source/triton");
    std::os::unix::fs::symlink(sources.join("helper"), folder.path().join("autotune_helper")).unwrap();
    std::os::unix::fs::symlink(sources.join("emit.py"), folder.path().join("emit.py")).unwrap();
    let words = r#"["true", "false", "True", "None", "8", "0.5", "'true'", "silu", 4]"#;
    let program = format!("import emit; print([emit.constant(word) for word in {words}])");
    let printed = run(Command::new("python3").args(["-B", "-c", &program]).current_dir(folder.path()));
    assert_eq!(printed.stdout, "[True, False, True, None, 8, 0.5, 'true', 'silu', 4]\n", "{}", printed.stderr);
}

/// Stands for a Python whose compilations are counted.
const COUNTING_PYTHON: &str = r#"#!/usr/bin/env python3
import json
import runpy
import sys

request = json.load(open(sys.argv[2]))
with open("COUNTS", "a") as counts:
    counts.write("\n" * len(request.get("configurations", [])))
if request["do"] == "compile" and "ERROR":
    error = {"kind": "compile", "message": "NameError", "file": None, "line": 0, "column": 0, "in_all": "ERROR" == "in_all"}
    for number in range(len(request["configurations"])):
        print(json.dumps({"number": number, "error": error}), flush=True)
else:
    runpy.run_path("STAND_IN", run_name="__main__")
"#;

/// A Python in a folder whose compilations are counted in the file beside it, and end with an error if there is one.
fn counting_python(folder: &Path, error: &str) -> (std::path::PathBuf, std::path::PathBuf) {
    let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/triton/python");
    let counts = folder.join("counts");
    let text = COUNTING_PYTHON.replace("STAND_IN", stand_in.to_str().unwrap());
    let text = text.replace("COUNTS", counts.to_str().unwrap()).replace("ERROR", error);
    let python = folder.join("python");
    fs::write(&python, text).unwrap();
    fs::set_permissions(&python, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    (python, counts)
}

fn compilations(counts: &Path) -> usize {
    let text = fs::read_to_string(counts).unwrap_or_default();
    fs::write(counts, "").unwrap();
    text.lines().count()
}

/// The cache knows a file by its content: in another folder it is not compiled again, and is called by its name there.
#[test]
fn a_file_in_another_folder_is_found_in_the_cache() {
    let folder = tempfile::tempdir().unwrap();
    let (python, counts) = counting_python(folder.path(), "");
    let text = fs::read_to_string(FILE).unwrap();
    let asked = |command: &str, name: &str, text: &str| {
        let place = folder.path().join(name);
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("matmul_triton.py"), text).unwrap();
        let mut asked = autotune();
        asked.env("AUTOTUNE_PYTHON", &python).env("XDG_CACHE_HOME", folder.path().join("cache")).arg(command);
        asked.arg(format!("{}:matmul", place.join("matmul_triton.py").display()));
        let ended = run(asked.args(["--gpu", "a100"]).args(LAUNCH).args(["--configs", "--config", ONE]));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        (compilations(&counts), ended.stdout)
    };
    let (first, of_first) = asked("inspect", "one", &text);
    assert_eq!(first, 1);
    let (again, of_second) = asked("inspect", "two", &text);
    assert_eq!(again, 0, "the same file in another folder");
    assert!(of_first.contains("one/matmul_triton.py") && !of_first.contains("two/matmul_triton.py"), "{of_first}");
    assert_eq!(of_second, of_first.replace("one/matmul_triton.py", "two/matmul_triton.py"));
    // Another content at a known place is another question.
    let (changed, _) = asked("inspect", "one", &format!("{text}\n# changed\n"));
    assert_eq!(changed, 1);
}

#[test]
fn an_error_that_all_configurations_have_ends_a_list_at_once() {
    let compiled = |error: &str| {
        let folder = tempfile::tempdir().unwrap();
        let (python, counts) = counting_python(folder.path(), error);
        let mut asked = autotune();
        asked.env("AUTOTUNE_PYTHON", &python).env("XDG_CACHE_HOME", folder.path().join("cache"));
        let ended = run(asked.args([&format!("{FILE}:matmul"), "--gpu", "a100", "--configs"]).args(LAUNCH));
        assert_eq!(ended.status, 2, "{}", ended.stderr);
        assert!(ended.stderr.contains("NameError"), "{}", ended.stderr);
        compilations(&counts)
    };
    assert!(compiled("in_all") <= 2, "those that are compiled first");
    assert!(compiled("of_one") >= 11, "each may end otherwise");
}
