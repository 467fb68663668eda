//! Attacks by the scripts in `tests/adversary`: forged folders, compilers that lie, kept folders checked by hand.

use super::*;

/// A script of the folder of attacks, which finds the command and the cache of these tests.
fn attack(script: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg(place(script)).env("AUTOTUNE", assert_cmd::cargo::cargo_bin("autotune"));
    command.env_remove("AUTOTUNE_SPIN").env_remove("AUTOTUNE_CC");
    command.envs(isolated());
    command
}

fn place(script: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adversary").join(script)
}

/// A proof is forged in each way of `forgeries.py`, and `autotune verify`, `check.sh` and `check.py` judge the forgery.
#[test]
fn no_forged_folder_is_believed() {
    assert_forgeries_are_refused(&[]);
}

/// Checkers of which nothing is expected end, too: they are given what is made to exhaust the others.
#[test]
#[ignore = "the refusals are in CI"]
fn every_checker_ends_on_each_forged_folder() {
    assert_forgeries_are_refused(&["--every"]);
}

fn assert_forgeries_are_refused(more: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let options = ["--no-prune", "--no-analysis", "--no-cost", "--keep"];
    assert_eq!(run(autotune().args(SMALL).args(options).arg(&kept)).status, 0);
    let ended = run(attack("forge.py").arg(&kept).args(more));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
    let last = ended.stdout.lines().last().unwrap_or_default();
    let made: usize = last.split(' ').next().unwrap_or_default().parse().unwrap();
    assert!(made > 100 && last == format!("{made} of {made} forgeries made, 0 judged wrongly"), "{}", ended.stdout);
}

/// Each lie changes what pan prints or does, and none leads to a proof.
#[test]
fn a_compiler_that_lies_in_any_way_leads_to_no_proof() {
    let cc = place("lying_cc.py");
    let lies = run(attack("lying_cc.py").arg("--lies")).stdout;
    assert!(lies.lines().count() > 25, "{lies}");
    for lie in lies.lines() {
        let folder = tempfile::tempdir().unwrap();
        let told = folder.path().join("told");
        let question = [&SMALL[..], &["--no-prune", "--no-cache", "--memory", "64MiB", "--format", "json"]].concat();
        let ended = run(autotune().args(question).env("AUTOTUNE_CC", &cc).env("LIE", lie).env("TOLD", &told));
        let is_honest = lie == "none";
        assert_eq!(told.exists(), !is_honest, "{lie}: {}", ended.stderr);
        assert_eq!(ended.status == 0, is_honest, "{lie}: {}{}", ended.stdout, ended.stderr);
        assert_eq!(ended.stdout.contains("\"proved\""), is_honest, "{lie}: {}", ended.stdout);
    }
}

/// Each model is searched by commands that are not this program's, and each time is computed by `machine.py`.
#[test]
fn kept_proofs_of_random_specs_hold_by_hand() {
    let ended = run(attack("by_hand.py").args(["1", "4"]));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
    assert!(ended.stdout.contains(" 4 kept,") && ended.stdout.ends_with(" 0 wrong\n"), "{}", ended.stdout);
}

/// Accesses of random kernels are those that the hand counts, and their optima those of `machine.py`.
#[test]
fn random_kernels_have_the_accesses_and_optima_that_are_known() {
    let ended = run(attack("random_kernels.py").args(["1", "3"]));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
}

#[test]
#[ignore = "minutes: a few in CI, hundreds here"]
fn hundreds_of_random_kernels_have_the_accesses_and_optima_that_are_known() {
    let ended = run(attack("random_kernels.py").args(["2", "200"]));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
}

#[test]
#[ignore = "minutes: a few in CI, hundreds here"]
fn kept_proofs_of_hundreds_of_random_specs_hold_by_hand() {
    let ended = run(attack("by_hand.py").args(["2", "300"]));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
}
