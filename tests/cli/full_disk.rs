//! Files that cannot be written: the answer is printed all the same, with the name of the folder that has no room.

use super::*;

/// A shell that runs `script`; the arguments of `autotune` follow as `"$@"`.
fn shell(script: &str) -> Command {
    let mut command = Command::new("bash");
    let binary = assert_cmd::cargo::cargo_bin("autotune");
    command.args(["-c", script]).arg(binary).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.envs(isolated());
    command
}

/// Checks that the answer is on standard output and the lost file on standard error.
fn is_answered(ended: &Ended, what: &str, folder: &Path) {
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    assert!(ended.stdout.contains("136 ticks") && ended.stdout.contains(", proved"), "{}", ended.stdout);
    let words = format!("error: the {what} is lost, `{}` cannot be written\ncaused by: ", folder.display());
    assert!(ended.stderr.starts_with(&words), "{}", ended.stderr);
    assert!(ended.stderr.contains("help: the answer stands: make room there"), "{}", ended.stderr);
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

/// A file may grow to 4 KiB, but a page is larger. The answer is known: no compiler runs.
#[test]
fn a_page_that_does_not_fit_takes_no_answer() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("pages");
    assert_eq!(run(autotune().args(SMALL)).status, 0);
    let mut command = shell("ulimit -f 4; exec \"$0\" \"$@\"");
    let ended = run(command.args(SMALL).arg("--report").arg(&folder));
    is_answered(&ended, "page", &folder);
    assert!(is_empty(&folder), "half a page is left");
    let json_of = |ended: &Ended| json(ended, "result.json")["optimum"].clone();
    let mut command = shell("ulimit -f 4; exec \"$0\" \"$@\"");
    let ended = run(command.args(SMALL).args(["--format", "json", "--report"]).arg(&folder));
    assert_eq!((ended.status, json_of(&ended)["ticks"].as_u64()), (1, Some(136)), "{}", ended.stderr);
}

/// A real disk of 64 KiB in a name space of its own. Files that cannot be completed leave nothing on it.
#[test]
fn a_proof_that_does_not_fit_takes_no_answer() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("kept");
    let script = format!(
        "mount -t tmpfs -o size=64k none {0} && \"$0\" \"$@\"; status=$?; echo left: $(ls -A {0}/kept); exit $status",
        place.path().display()
    );
    let mut command = Command::new("unshare");
    command.args(["-rm", "bash", "-c", &script]).arg(assert_cmd::cargo::cargo_bin("autotune"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).envs(isolated());
    let ended = run(command.args(SMALL).arg("--keep").arg(&folder));
    is_answered(&ended, "proof", &folder);
    assert!(ended.stderr.contains("No space left"), "{}", ended.stderr);
    assert!(ended.stdout.ends_with("left:\n") && !ended.stdout.contains("kept  "), "{}", ended.stdout);
}

/// While the proof is made, its folder is replaced by a file.
#[test]
fn a_folder_that_is_gone_takes_no_answer() {
    let place = tempfile::tempdir().unwrap();
    let kept = place.path().join("kept");
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] || {{ rm -rf {0}; echo mine > {0}; }}\nexec tcc \"$@\"\n",
        kept.display()
    );
    let cc = script(place.path(), "cc", &text);
    let ended = run(autotune().args(SMALL).args(["--no-cache", "--keep"]).arg(&kept).env("AUTOTUNE_CC", &cc));
    is_answered(&ended, "proof", &kept);
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "mine\n");
    // Neither failure hides the other, nor the answer.
    let pages = place.path().join("pages");
    std::fs::remove_file(&kept).unwrap();
    let text = text.replace("|| {", &format!("|| {{ rm -rf {};", pages.display()));
    let cc = script(place.path(), "cc", &text);
    let both = ["--no-cache", "--report", pages.to_str().unwrap(), "--keep"];
    let ended = run(autotune().args(SMALL).args(both).arg(&kept).env("AUTOTUNE_CC", cc));
    is_answered(&ended, "proof", &kept);
    assert!(ended.stderr.contains(&format!("the page is lost, `{}`", pages.display())), "{}", ended.stderr);
}

#[test]
fn a_batchs_pages_that_do_not_fit_take_no_table() {
    let place = tempfile::tempdir().unwrap();
    let list = place.path().join("jobs.yaml");
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join(SMALL[0]);
    let text = format!("jobs: [{{ specs: [{}], gpus: [abstract-tiny], set: {{ size: 16 }} }}]", spec.display());
    std::fs::write(&list, text).unwrap();
    let (out, pages) = (place.path().join("out"), place.path().join("pages"));
    let batch = ["batch", list.to_str().unwrap(), "--out", out.to_str().unwrap(), "--quiet"];
    let without = run(autotune().args(batch));
    assert_eq!(without.status, 0, "{}", without.stderr);
    let mut command = shell("ulimit -f 4; exec \"$0\" \"$@\"");
    let ended = run(command.args(batch).args(["--resume", "--report"]).arg(&pages));
    assert_eq!((ended.status, &ended.stdout), (1, &without.stdout), "{}", ended.stderr);
    assert!(ended.stderr.contains(&format!("the page is lost, `{}`", pages.display())), "{}", ended.stderr);
}

#[test]
fn a_picture_that_does_not_fit_takes_no_table() {
    let place = tempfile::tempdir().unwrap();
    let full = place.path().join("full.svg");
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let compare = ["compare", SMALL[0], "--gpu", "abstract-tiny", "--set", "size=16"];
    let set = "tests/data/measured/coulomb__rtx2080ti.csv.gz";
    let validate = ["validate", "tuning-specs/measured/coulomb.yaml", "--measured", set, "--gpu", "turing"];
    for question in [compare, validate] {
        let ended = run(autotune().args(question).arg("--plot").arg(&full));
        assert_eq!((ended.status, ended.stdout), (1, run(autotune().args(question)).stdout), "{}", ended.stderr);
        assert!(ended.stderr.contains("full.svg") && ended.stderr.contains("No space left"), "{}", ended.stderr);
    }
}
