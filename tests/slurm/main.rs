//! Batches on a real Slurm cluster, which the tests start: they need root, Slurm and munge, and fail without.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod batch;
mod cluster;
#[path = "../shared/waiting.rs"]
mod waiting;

use batch::{AFTER_SEARCH, BEFORE_CHECKER, Batch, JOBS, ONE, ended as ended_of};
use cluster::{CLUSTER, FRAGILE};
use nix::sys::signal::Signal;
use waiting::wait_until;

/// The states of an array's tasks, one a line.
fn states(array: &str, format: &str) -> String {
    CLUSTER.tell("squeue", &["-h", "-r", "--states=all", "-j", array, "-O", format])
}

#[test]
fn a_batch_comes_to_the_same_on_a_cluster() {
    let batch = Batch::new(JOBS);
    let local = batch.local();
    let ended = batch.on_cluster(&[]);
    assert_eq!((ended.status, batch.results("out")), (2, local), "{}", ended.stderr);
    // Seven jobs, of which the last has other limits, in arrays of at most four.
    let submitted = batch.journal("out").into_iter().filter(|line| line["event"] == "submitting");
    let jobs: Vec<_> = submitted.map(|line| line["jobs"].to_string()).collect();
    assert_eq!(jobs, ["[0,1,2,3]", "[4,5]", "[6]"]);
    let left: Vec<_> =
        std::fs::read_dir(batch.path("out/slurm")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["job.sh"]);
    let schema = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/journal.json")).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_slice(&schema).unwrap()).unwrap();
    let wrong = batch.journal("out").into_iter().find(|line| !schema.is_valid(line));
    assert_eq!(wrong, None);
    // All jobs have ended, so none is submitted.
    let again = batch.on_cluster(&["--resume"]);
    assert_eq!((again.status, again.stderr.as_str()), (2, ""));
}

#[test]
fn limits_are_what_a_task_asks_for() {
    let batch = Batch::new(
        "jobs: [{ specs: [SPECS/abstract_kernel.yaml], gpus: [abstract-tiny], set: { size: 16 }, limits: { time: 90s, memory: 1GiB } }]\n",
    );
    batch.shut();
    let running = batch.begin(&["--sbatch", "--comment='two words'"], BEFORE_CHECKER);
    let asked = states(&running.array(), "MinMemory:|,TimeLimit:|,MinCPUs:|,Comment:|");
    batch.open();
    assert_eq!((asked.trim(), running.end().status), ("1664M|4:00|1|two words|", 0));
}

/// The node loses its power while the task is in the middle of a bisection; the next try repeats only the interrupted
/// search.
#[test]
fn a_task_goes_on_after_its_node_was_lost() {
    let batch = Batch::new(ONE);
    let local = batch.local();
    batch.shut();
    let running = batch.begin(&["--sbatch=--partition=fragile"], AFTER_SEARCH);
    batch.wait_for_a_search();
    let before = batch.searches();
    CLUSTER.lose_node(FRAGILE);
    running.wait_for("has requeued");
    CLUSTER.return_node(FRAGILE);
    batch.open();
    let ended = running.end();
    assert_eq!((ended.status, batch.results("out")), (0, local), "{}", ended.stderr);
    assert!(ended.stderr.contains("restart 1; it goes on where it was"), "{}", ended.stderr);
    let after = batch.searches().split_off(before.len());
    assert!(!after.is_empty() && !after.contains(&before[0]), "{before:?}, then {after:?}");
}

/// Slurm watches the memory without cgroups here: it kills the task and gives the reason in its output. With cgroups
/// the state would be `OUT_OF_MEMORY`.
#[test]
fn too_little_memory_is_told_from_other_failures() {
    let batch = Batch::new(ONE);
    let local = batch.local();
    // It holds the memory long enough for Slurm to look.
    batch.script(
        "spin",
        "#!/bin/sh\n[ \"$1\" = -a ] && { head -c 600M /dev/zero; sleep 5; } | tail > FOLDER/waste\nexec spin \"$@\"\n",
    );
    let ended = batch.begin(&["--sbatch=--mem=300M"], BEFORE_CHECKER).end();
    let results = batch.results("out");
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    for part in [
        "the job's task took more memory than it was given",
        "_0 is FAILED",
        "on n",
        "signal 9",
        "exceeded memory limit",
        ".out",
    ] {
        assert!(results.contains(part), "{part} is not in {results}");
    }
    assert!(results.contains("`--resume --sbatch --mem=SIZE`"), "{results}");
    let again = batch.on_cluster(&["--resume", "--sbatch", "--mem=2G"]);
    assert_eq!((again.status, batch.results("out")), (0, local), "{}", again.stderr);
}

#[test]
fn a_task_that_somebody_cancels_is_no_failure_of_the_others() {
    let batch = Batch::new(JOBS);
    let local = batch.local();
    batch.shut();
    let running = batch.begin(&[], BEFORE_CHECKER);
    let task = format!("{}_1", running.array());
    batch.wait_at_gate(1);
    CLUSTER.tell("scancel", &[&task]);
    running.wait_for("cancelled");
    batch.open();
    let ended = running.end();
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    let results = batch.results("out");
    let failed = (results.matches("was cancelled").count(), results.matches("the job's task").count());
    assert_eq!(failed, (1, 1), "{results}");
    let again = batch.on_cluster(&["--resume"]);
    assert_eq!((again.status, batch.results("out")), (2, local), "{}", again.stderr);
    assert!(again.stderr.contains("1 job submitted"), "{}", again.stderr);
}

/// The searches made until then are kept, and the local executor continues from there.
#[test]
fn ctrl_c_cancels_what_is_on_the_cluster() {
    let batch = Batch::new(ONE);
    let local = batch.local();
    batch.shut();
    let running = batch.begin(&[], AFTER_SEARCH);
    let array = running.array();
    batch.wait_for_a_search();
    running.signal(Signal::SIGINT);
    let ended = running.end();
    assert_eq!(ended.status, 3, "{}", ended.stderr);
    assert!(ended.stderr.contains(&format!("cancelled on the cluster: array {array}")), "{}", ended.stderr);
    wait_until("Slurm says that it is cancelled", || states(&array, "State:|").trim() == "CANCELLED|");
    let searched = |events: &[String]| events.iter().filter(|event| *event == "searched").count();
    assert_eq!(searched(&batch.events("out")), 1);
    let again = ended_of(batch.command("out", &["--resume"]));
    assert_eq!((again.status, batch.results("out")), (0, local), "{}", again.stderr);
    assert_eq!(searched(&batch.events("out")), searched(&batch.events("local")), "a search was repeated");
}

/// The batch is left once by Ctrl-C, and once by a kill that it cannot handle.
#[test]
fn what_is_still_on_the_cluster_is_not_submitted_twice() {
    for signal in [Signal::SIGINT, Signal::SIGKILL] {
        let batch = Batch::new(JOBS);
        let local = batch.local();
        batch.shut();
        let running = batch.begin(&["--on-interrupt", "leave"], BEFORE_CHECKER);
        wait_until("all is submitted", || running.told().matches("submitted").count() == 3);
        running.signal(signal);
        let ended = running.end();
        // The job without a spec may have ended before the signal.
        assert!([2, 3].contains(&ended.status) || signal == Signal::SIGKILL, "{}", ended.stderr);
        // The local executor does not repeat the jobs that are on the cluster.
        let other = ended_of(batch.command("out", &["--resume"]));
        assert!(other.status == 1 && other.stderr.contains("is still on the cluster\nhelp: "), "{}", other.stderr);
        let running = batch.begin(&["--resume"], BEFORE_CHECKER);
        running.wait_for("is still on the cluster");
        batch.open();
        let again = running.end();
        assert_eq!((again.status, batch.results("out")), (2, local), "{}", again.stderr);
        assert!(!again.stderr.contains("submitted"), "{}", again.stderr);
        let arrays = batch.events("out").iter().filter(|event| *event == "submitting").count();
        assert_eq!(arrays, 3);
    }
}

#[test]
fn a_cluster_that_is_not_there_is_told() {
    let batch = Batch::new(ONE);
    let which = |program: &str| CLUSTER.tell("/bin/sh", &["-c", &format!("command -v {program}")]).trim().to_owned();
    let mut command = batch.command("out", &["--executor", "slurm"]);
    command.env("AUTOTUNE_SPIN", which("spin")).env("AUTOTUNE_CC", which("gcc")).env("PATH", "/nowhere");
    let missing = ended_of(command);
    assert_eq!(missing.status, 1, "{}", missing.stderr);
    assert!(missing.stderr.contains("cannot find Slurm: no `sbatch` on the search path\nhelp: "), "{}", missing.stderr);

    let refused = batch.on_cluster(&["--resume", "--sbatch=--partition=nowhere"]);
    assert_eq!(refused.status, 1, "{}", refused.stderr);
    assert!(refused.stderr.contains("invalid partition specified: nowhere"), "{}", refused.stderr);

    let conf = std::fs::read_to_string(CLUSTER.conf()).unwrap();
    let nobody =
        |line: &str| if line.starts_with("SlurmctldPort") { "SlurmctldPort=9".to_owned() } else { line.to_owned() };
    std::fs::write(batch.path("slurm.conf"), conf.lines().map(nobody).collect::<Vec<_>>().join("\n")).unwrap();
    let mut command = batch.command("out", &["--resume", "--executor", "slurm"]);
    let away = ended_of({
        command.env("SLURM_CONF", batch.path("slurm.conf"));
        command
    });
    assert_eq!(away.status, 1, "{}", away.stderr);
    assert!(away.stderr.contains("Unable to contact slurm controller"), "{}", away.stderr);
}

/// A node with another model checker would answer another question than the batch's.
#[test]
fn a_node_with_other_tools_is_told() {
    let batch = Batch::new(ONE);
    let old = "[ \"$1\" = -V ] && [ -n \"$SLURM_JOB_ID\" ] && echo 'Spin Version 5.0.0 -- 1 January 2007' && exit";
    batch.script("spin", &format!("#!/bin/sh\n{old}\nexec spin \"$@\"\n"));
    let ended = batch.begin(&[], BEFORE_CHECKER).end();
    let results = batch.results("out");
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    assert!(results.contains("on the node, it was started with spin 6") && results.contains("5.0.0"), "{results}");
}

#[test]
fn a_dry_run_says_where_and_submits_nothing() {
    let batch = Batch::new(ONE);
    let mut command = batch.command("out", &["--executor", "slurm", "--dry-run", "--jobs", "3"]);
    let output = command.stdout(std::process::Stdio::piped()).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("1 jobs would run on the Slurm cluster, 3 at a time"), "{told}");
    assert!(!batch.path("out").exists());
}

#[test]
fn words_that_are_no_options_are_not_passed_on() {
    let batch = Batch::new(ONE);
    let ended = batch.on_cluster(&["--sbatch", "script.sh"]);
    assert_eq!(ended.status, 2, "{}", ended.stderr);
    assert!(
        ended.stderr.contains("`script.sh` is not a valid option: options begin with a hyphen"),
        "{}",
        ended.stderr
    );
}
