//! Predictions against measurements: the shipped sets, and files that cannot be used.

use std::path::PathBuf;
use std::process::Command as Process;

use super::failures::assert_fails;
use super::*;

const COULOMB: [&str; 3] = ["validate", "tuning-specs/measured/coulomb.yaml", "--measured"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_shipped_set_follows_the_schema() {
    let set = "tests/data/measured/coulomb__rtx2080ti.csv.gz";
    let ended = run(autotune().args(COULOMB).args([set, "--gpu", "rtx2080ti", "--format", "json"]));
    let result = json(&ended, "validation.json");
    assert_eq!((&result["rows"], &result["valid"]), (&210.into(), &210.into()));
    assert_eq!(
        result["feasibility"],
        serde_json::json!({
            "predicted_but_failed": 0, "refused_but_ran": 0, "may_not_launch_and_failed": 0, "may_not_launch_but_ran": 0
        })
    );
    // The source's own statistics of its times, computed by others: one at random, and the best of five.
    let near = |value: &Value, expected: f64| assert!((value.as_f64().unwrap() - expected).abs() < 0.005, "{value}");
    near(&result["random"]["first"], 0.45);
    near(&result["random"]["best_of"]["5"], 0.81);
    near(&result["rules"]["largest"], 0.45);
    assert!(ended.stderr.contains("mean nothing here: `regs`, `smem_bytes`"), "{}", ended.stderr);
}

/// Every configuration that does not fit a multiprocessor's local memory failed, and no other was refused.
#[test]
fn feasibility_is_exact_where_local_memory_decides() {
    let set = "tests/data/measured/convolution__titanrtx.csv.gz";
    let spec = "tuning-specs/measured/convolution.yaml";
    let ended = run(autotune().args(["validate", spec, "--measured", set, "--gpu", "titanrtx", "--format", "json"]));
    let result = json(&ended, "validation.json");
    assert_eq!((&result["rows"], &result["valid"]), (&6768.into(), &5256.into()));
    // 1426 were refused by the compiler, 86 by the driver.
    assert_eq!(
        result["feasibility"],
        serde_json::json!({
            "predicted_but_failed": 0, "refused_but_ran": 0, "may_not_launch_and_failed": 86, "may_not_launch_but_ran": 504
        })
    );
}

#[test]
fn several_problem_sizes_are_scenarios() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sizes.csv");
    let sizes = [("1024", "3"), ("2048", "7")];
    let rows = sizes.map(|(n, time)| format!("{n},32,1,{time}\n{n},64,1,2\n"));
    std::fs::write(&file, format!("n,block_x,block_y,time_ms\n{}", rows.concat())).unwrap();
    let spec = "tuning-specs/measured/nvb_conv1d_tiled.yaml";
    let question = ["validate", spec, "--gpu", "volta", "--measured", file.to_str().unwrap()];
    let result = json(&run(autotune().args(question).args(["--format", "json"])), "validation.json");
    assert_eq!(result["scenarios"].as_array().unwrap().len(), 2);
    assert_eq!(result["scenarios"][1]["problem"], serde_json::json!({"n": 2048}));
    assert!(run(autotune().args(question)).stdout.contains("n=2048"));
    assert_fails(autotune().args(question).args(["--set", "n=4096"]), 2, &["`n` is a column", "leave out `--set n"]);
}

/// The output of a script of `ci` about these tests' program.
pub(super) fn printed(script: &mut Process) -> String {
    let output = script.env("AUTOTUNE", env!("CARGO_BIN_EXE_autotune")).envs(isolated()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The table that `diff` takes its words about predicted slowdowns from.
#[test]
fn the_precision_of_predicted_slowdowns_is_computed() {
    let folder = tempfile::tempdir().unwrap();
    for set in ["coulomb__rtx2080ti", "convolution_milo17__mi50"] {
        for ending in ["yaml", "csv.gz"] {
            let name = format!("{set}.{ending}");
            std::fs::copy(root().join("tests/data/measured").join(&name), folder.path().join(&name)).unwrap();
        }
    }
    let rows = printed(Process::new(root().join("ci/differences")).arg(folder.path()));
    let kept = std::fs::read_to_string(root().join("crates/engine/src/difference/precision.csv")).unwrap();
    let of_sets: Vec<&str> = rows.lines().filter(|row| !row.starts_with("all,")).collect();
    assert_eq!(of_sets.len(), 3, "{rows}");
    for row in of_sets {
        assert!(kept.lines().any(|kept| kept == row), "crates/engine/src/difference/precision.csv lacks {row}");
    }
}

/// Each line that a command prints, but for means, stands in a file. `number` lines are expected.
pub(super) fn assert_kept(printed: &str, number: usize, file: &str, command: &str) {
    let is_mean = |line: &str| line.contains("geometric mean") || line.contains("means of");
    let lines: Vec<&str> = printed.lines().filter(|line| !is_mean(line)).collect();
    assert_eq!(lines.len(), number);
    let kept = std::fs::read_to_string(root().join(file)).unwrap();
    for line in lines {
        assert!(kept.lines().any(|known| known == line), "run {command}; new of {file} is\n{line}");
    }
}

/// The figures that `ci/measured` computes of the shipped sets stand in the book's table. Other lines of it need sets that do not
/// ship.
#[test]
fn the_table_of_accuracy_is_what_validate_shows() {
    let table = printed(Process::new(root().join("ci/measured")).arg(root().join("tests/data/measured")));
    assert_kept(&table, 1 + 10, "docs/guide/accuracy.csv", "ci/measured on all sets");
}

/// The lines that `ci/expected` prints of some shipped sets stand in the table that answers rest on.
#[test]
fn the_spaces_that_answers_rest_on_are_what_validate_shows() {
    let folder = tempfile::tempdir().unwrap();
    let sets = ["coulomb__rtx2080ti", "convolution_milo17__mi50"];
    for file in sets.iter().flat_map(|set| [format!("{set}.yaml"), format!("{set}.csv.gz")]) {
        std::fs::copy(root().join("tests/data/measured").join(&file), folder.path().join(file)).unwrap();
    }
    let table = printed(Process::new(root().join("ci/expected")).arg(folder.path()));
    assert_kept(&table, 1 + sets.len(), "crates/engine/src/compare/expected/spaces.csv", "ci/expected on all sets");
}

/// The book shows how the bounds of answers hold on families of kernels that are left out.
#[test]
fn the_calibration_of_expectations_is_the_books() {
    let table = printed(Process::new(root().join("ci/expected")).arg("--calibrate"));
    let kept = std::fs::read_to_string(root().join("docs/guide/accuracy.md")).unwrap();
    for part in table.trim().split("\n\n") {
        assert!(kept.contains(part), "ci/expected --calibrate; new of docs/guide/accuracy.md is\n{part}");
    }
}

/// Three measured sets: one with a spec beside the project's, one without a spec, and one on a GPU without a profile.
fn collection() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("specs")).unwrap();
    std::fs::copy(measured_spec("coulomb.yaml"), path("specs/beside.yaml")).unwrap();
    std::fs::create_dir(path("sets")).unwrap();
    let shipped = root().join("tests/data/measured/coulomb__rtx2080ti");
    let header = std::fs::read_to_string(shipped.with_extension("yaml")).unwrap();
    for (name, kernel, gpu) in
        [("known", "beside", "rtx2080ti"), ("alien", "nothing", "rtx2080ti"), ("new", "beside", "none9")]
    {
        let header = header.replace("kernel: coulomb", &format!("kernel: {kernel}"));
        std::fs::write(path(&format!("sets/{name}.yaml")), header.replace("key: rtx2080ti", &format!("key: {gpu}")))
            .unwrap();
        std::fs::copy(shipped.with_extension("csv.gz"), path(&format!("sets/{name}.csv.gz"))).unwrap();
    }
    folder
}

/// Both scripts name the sets that they skip; the figures are those of the same spec in the project.
#[test]
fn sets_are_scored_with_specs_beside_the_projects() {
    let collection = collection();
    let output = |script: &str| {
        let mut script = Process::new(root().join("ci").join(script));
        script.arg("--specs").arg(collection.path().join("specs")).arg(collection.path().join("sets"));
        let output = script.env("AUTOTUNE", env!("CARGO_BIN_EXE_autotune")).envs(isolated()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{told}");
        for skipped in ["skipped alien: no spec nothing.yaml", "skipped new: no profile of none9"] {
            assert_eq!(told.lines().filter(|line| *line == skipped).count(), 1, "{told}");
        }
        String::from_utf8(output.stdout).unwrap()
    };
    let kept = std::fs::read_to_string(root().join("docs/guide/accuracy.csv")).unwrap();
    let kept = kept.lines().find_map(|line| line.strip_prefix("coulomb__rtx2080ti,")).unwrap();
    let sets = output("measured");
    assert_eq!(sets.lines().filter_map(|line| line.strip_prefix("known,")).collect::<Vec<_>>(), [kept], "{sets}");
    let figures: Vec<&str> = kept.split(',').collect();
    let (first, of_ten, correlation) = (figures[1], figures[2], figures[figures.len() - 2]);
    let means = output("means");
    let line = format!("| by hand | 1 | {first} | {of_ten} | {correlation} | 1 | {first} | {of_ten} | {correlation} |");
    assert!(means.ends_with(&format!("{line}\n")), "{means}");
}

/// The figures that `ci/scored` computes of examples that an H100 measured are the book's. Other lines take the compiler longer.
#[test]
fn the_table_of_the_examples_is_what_validate_shows() {
    let names = ["matmul", "nbody", "rms_norm", "transpose_naive"];
    let table = printed(Process::new(root().join("ci/scored")).arg("h100-sxm").args(names));
    assert_kept(&table, 2 + names.len(), "docs/guide/accuracy.md", "ci/scored h100-sxm");
}

/// The specs of large spaces, of which mistakes are found without an evaluation of all configurations.
const LARGE: [&str; 4] = ["dedispersion", "pnpoly", "pnpoly_host", "pnpoly_ktt"];
/// The specs of spaces so large that all tests together wait for them.
const LARGEST: [&str; 3] = ["gemm_milo", "hotspot", "sgemm_cltune"];

fn measured_spec(name: &str) -> PathBuf {
    root().join("tuning-specs/measured").join(name)
}

fn is_clean(name: &str) {
    let path = measured_spec(&format!("{name}.yaml"));
    let ended = run(autotune().arg("check").arg(path).args(["--gpu", "a100", "--format", "json"]));
    assert_eq!(ended.status, 0, "{name}: {}", ended.stderr);
}

/// The others need measurements that do not ship; they are read and lowered all the same.
#[test]
fn every_measured_spec_has_programs() {
    let small = ["convolution17", "fbconv3", "gemm2048", "nvb_conv1d_cached", "nvb_conv1d_tiled", "nvb_conv2d_tiled"];
    let others =
        ["nvb_hist_shared", "nvb_hist_simple", "nvb_matmul_tiled", "nvb_matvec_tiled", "stencil_skelcl_complex"];
    for name in small.into_iter().chain(others).chain(["stencil_skelcl_simple"]) {
        let path = measured_spec(&format!("{name}.yaml"));
        let ended = run(autotune().arg("evaluate").arg(path).args(["--gpu", "gtx480", "--format", "json"]));
        let result = json(&ended, "evaluation.json");
        assert_eq!(result["kernel"], name);
    }
    LARGE.into_iter().for_each(is_clean);
    assert_eq!(std::fs::read_dir(measured_spec("")).unwrap().count(), 12 + LARGE.len() + LARGEST.len() + 6);
}

/// `ci/all` checks them.
#[test]
#[ignore = "spaces of millions of configurations: a minute"]
fn the_largest_measured_specs_are_clean() {
    LARGEST.into_iter().for_each(is_clean);
}

#[test]
fn a_fixed_parameter_needs_no_column() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, without] = ["whole.csv", "without.csv"].map(|name| folder.path().join(name));
    let header = "WORK_GROUP_SIZE_X,WORK_GROUP_SIZE_Y,INNER_UNROLL_FACTOR,USE_SOA";
    let rows = ["16,8,1,0", "32,4,0,1", "32,8,2,0"];
    let table = |column: &str, cell: &str| {
        let rows = rows.iter().zip(1..).map(|(row, time)| format!("{row}{cell},{time}.5\n"));
        format!("{header}{column},time_ms\n") + &rows.collect::<String>()
    };
    std::fs::write(&whole, table(",Z_ITERATIONS", ",2")).unwrap();
    std::fs::write(&without, table("", "")).unwrap();
    let validated = |file, fixed: &[&str]| {
        let gpu = ["--gpu", "turing", "--format", "json"];
        run(autotune().args(COULOMB).arg(file).args(gpu).args(fixed)).stdout
    };
    assert_eq!(validated(&without, &["--fix", "Z_ITERATIONS=2"]), validated(&whole, &[]));
    let fails = |file, fixed: &[&str], printed: &[&str]| {
        assert_fails(autotune().args(COULOMB).arg(file).args(["--gpu", "turing"]).args(fixed), 2, printed);
    };
    fails(&without, &[], &["no column `Z_ITERATIONS`", "`--fix Z_ITERATIONS=…`"]);
    fails(&whole, &["--fix", "Z_ITERATIONS=2"], &["`Z_ITERATIONS` is a column of the file", "leave out `--fix"]);
}

#[test]
fn unusable_measurements_are_2_and_say_where() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file.csv");
    let header = "WORK_GROUP_SIZE_X,WORK_GROUP_SIZE_Y,Z_ITERATIONS,INNER_UNROLL_FACTOR,USE_SOA,time_ms\n";
    let fails = |text: &str, gpu: &str, printed: &[&str]| {
        std::fs::write(&file, text).unwrap();
        assert_fails(autotune().args(COULOMB).arg(&file).args(["--gpu", gpu]), 2, printed);
    };
    fails(&header.replace("Z_ITER", "Z_TER"), "turing", &["file.csv", "the file has no rows"]);
    let row = "16,8,1,0,0,3.5\n";
    fails(&(header.replace("Z_ITER", "Z_TER") + row), "turing", &["no column `Z_ITERATIONS`", "`Z_TERATIONS`"]);
    fails(&(header.replace("time_ms", "ms") + row), "turing", &["no column `time_ms`", "--time-column", "`ms`"]);
    fails(&format!("{header}{row}16,8,1,0,0,fast\n"), "turing", &["line 3: `fast`", "`time_ms`"]);
    fails(&(header.to_owned() + row), "turning", &["turning", "`turing`"]);
    let none = ["no-such-file.csv", "--gpu", "turing"];
    assert_fails(autotune().args(COULOMB).args(none), 2, &["no-such-file.csv"]);
}

#[test]
fn a_tuning_on_another_device_is_used_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cache.json");
    let entry = r#"{"WORK_GROUP_SIZE_X": 16, "WORK_GROUP_SIZE_Y": 8, "Z_ITERATIONS": 1, "INNER_UNROLL_FACTOR": 0,
        "USE_SOA": 0, "time": 3.5}"#;
    for (device, noted) in [("NVIDIA GeForce RTX 2080 Ti", false), ("NVIDIA A100-PCIE-40GB", true)] {
        std::fs::write(&file, format!(r#"{{"device_name": "{device}", "cache": {{"a": {entry}}}}}"#)).unwrap();
        let ended = run(autotune().args(COULOMB).arg(&file).args(["--gpu", "turing"]));
        let notes: Vec<&str> = ended.stderr.lines().filter(|line| line.contains("was measured on")).collect();
        assert_eq!((ended.status, notes.len()), (0, usize::from(noted)), "{}", ended.stderr);
        assert!(
            notes.iter().all(|note| note.starts_with("note: ") && note.contains(device) && note.contains("turing"))
        );
    }
}

#[test]
fn rows_that_repeat_a_configuration_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("twice.csv");
    let header = "WORK_GROUP_SIZE_X,WORK_GROUP_SIZE_Y,Z_ITERATIONS,INNER_UNROLL_FACTOR,USE_SOA,time_ms\n";
    let ask = |rows: &str| {
        std::fs::write(&file, format!("{header}{rows}")).unwrap();
        let ended = run(autotune().args(COULOMB).arg(&file).args(["--gpu", "turing"]));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        ended.stderr
    };
    assert_eq!(ask("16,8,1,0,0,3.5\n16,8,2,0,0,3.5\n"), "");
    let one = ask("16,8,1,0,0,3.5\n16,8,2,0,0,3.5\n16,8,1,0,0,4.5\n");
    assert!(
        one.starts_with("note: 1 row repeats a configuration of `") && one.contains("line 4 that of line 2: "),
        "{one}"
    );
    let more = ask("16,8,1,0,0,3.5\n16,8,1,0,0,3.5\n16,8,1,0,0,4.5\n");
    assert!(
        more.starts_with("note: 2 rows repeat a configuration of `") && more.contains("line 3 that of line 2"),
        "{more}"
    );
}

/// A work group of 2048 work items runs nowhere.
#[test]
fn every_model_is_shown_where_all_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file.csv");
    let header = "WORK_GROUP_SIZE_X,WORK_GROUP_SIZE_Y,Z_ITERATIONS,INNER_UNROLL_FACTOR,USE_SOA,time_ms\r\n";
    std::fs::write(&file, format!("{header}2048,1,1,0,0,3.5\r\n")).unwrap();
    let question = [file.to_str().unwrap(), "--gpu", "turing"];
    let picture = folder.path().join("all.svg");
    let ended = run(autotune().args(COULOMB).args(question).args(["--format", "json", "--plot"]).arg(picture));
    let result = json(&ended, "validation.json");
    assert_eq!(result["models"].as_object().unwrap().len(), 6);
    assert_eq!(result["models"]["machine"]["first"], 1.0);
    assert!(run(autotune().args(COULOMB).args(question)).stdout.contains("machine"));
}
