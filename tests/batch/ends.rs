//! Ends of a batch in order: Ctrl-C, a full disk, tools that fail.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::*;

/// Finished results are kept and shown, and no further work begins.
#[test]
fn ctrl_c_keeps_what_is_known() {
    let place = Place::new(JOBS);
    let mut child = place.batch(&["--out", "out", "--no-cache", "--jobs", "1", "-v"]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    // The second job's searches.
    assert!(lines.by_ref().filter(|line| tells(line, "checker.search")).nth(5).is_some());
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    let told: Vec<String> = lines.collect();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{told:#?}");
    let table = stdout(&output);
    assert!(table.contains("of 6 jobs have ended") && table.contains("`--resume` goes on with the other"), "{table}");
    assert!(!place.path("out/results.json").exists());
    assert!(place.temporary_files().is_empty());
    place.has_no_processes();
    let output = place.batch(&["--out", "out", "--no-cache", "--resume"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(place.results() == *UNDISTURBED);
}

/// A limit on the size of files makes the journal full at some line, and the batch says so.
#[test]
fn a_full_disk_stops_the_batch_and_loses_nothing() {
    let place = Place::new(JOBS);
    // The answers come from the cache, so only the journal is written.
    for folder in ["uncached", "out"] {
        assert_eq!(place.batch(&["--out", folder]).output().unwrap().status.code(), Some(2));
    }
    let whole = place.journal().len();
    for size in [whole / 5, whole / 2, whole * 9 / 10] {
        std::fs::remove_dir_all(place.path("out")).unwrap();
        let batch = place.batch(&["--out", "out"]);
        let mut limited = Command::new("prlimit");
        limited.arg(format!("--fsize={size}")).arg(batch.get_program()).args(batch.get_args());
        limited.current_dir(place.folder.path()).envs(place.isolated());
        let output = limited.output().unwrap();
        let told = stderr(&output);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""), "{told}");
        assert!(
            told.contains("`out/journal.jsonl` cannot be written\ncaused by: File too large")
                && told.contains("make room"),
            "{told}"
        );
        for line in place.journal().lines() {
            checked(&json(line), "journal.json");
        }
        let output = place.batch(&["--out", "out", "--resume"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(place.results() == *UNDISTURBED);
    }
}

/// A job with a failure of its own fails alone, and is tried again.
#[test]
fn a_job_whose_tools_fail_is_tried_again() {
    let place = Place::new(JOBS);
    let spin = place.path("spin");
    let one_fails = "[ \"$1\" = -V ] && exec spin -V\nmkdir \"$ONCE\" 2>/dev/null && exit 3\nexec spin \"$@\"";
    script(&spin, one_fails);
    let mut batch = place.batch(&["--out", "out", "--no-cache", "--jobs", "1"]);
    let output = batch.env("AUTOTUNE_SPIN", &spin).env("ONCE", place.path("once")).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let results = json(&String::from_utf8(place.results()).unwrap());
    checked(&results, "batch.json");
    let statuses: Vec<i64> =
        results["results"].as_array().unwrap().iter().map(|job| job["status"].as_i64().unwrap()).collect();
    assert_eq!(statuses, [1, 0, 2, 2, 0, 0]);
    let output = place.batch(&["--out", "out", "--resume", "--no-cache"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(place.results() == *UNDISTURBED);
}

#[test]
fn no_batch_begins_without_its_tools() {
    let place = Place::new(JOBS);
    let output = place.batch(&["--out", "out"]).env("AUTOTUNE_SPIN", "/nowhere/spin").output().unwrap();
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""));
    assert!(!place.path("out").exists());
}

/// The disk has no room, neither for tools nor for the results.
#[test]
fn a_disk_that_is_full_is_named() {
    let place = Place::new(JOBS);
    let mount = |size: &str| {
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", size, "none"]).arg(place.path("tmp")).output().unwrap();
        assert!(mounted.status.success(), "tmpfs is mounted as root only: {}", stderr(&mounted));
    };
    mount("size=256k");
    // One job at a time: the end of another job would make room.
    let output = place.batch(&["--out", "out", "--no-cache", "--jobs", "1"]).output().unwrap();
    assert!(Command::new("umount").arg(place.path("tmp")).status().unwrap().success());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let table = stdout(&output);
    assert!(
        table.contains("there is no room left in") && table.contains("TMPDIR") && !table.contains("bug"),
        "{table}"
    );
    let output = place.batch(&["--out", "out", "--no-cache", "--resume"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(place.results() == *UNDISTURBED);
}

#[test]
fn output_that_cannot_be_written_is_told() {
    let place = Place::new(JOBS);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = place.batch(&["--out", "out"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("cannot write to standard output\ncaused by: No space left"),
        "{}",
        stderr(&output)
    );
}

/// A spec whose stores depend on the configuration, on two GPUs: the batch says so once, and each result has it.
#[test]
fn what_is_doubtful_in_a_jobs_spec_is_told() {
    let place = Place::new("jobs: [ { specs: [doubtful.yaml], gpus: [abstract-tiny, abstract-fermi] } ]");
    let spec = "kernel: doubtful\nparameters: { P: { values: [1, 2] } }\n\
                launch: { work_items: 64, work_group: 4 }\nbody: [ { store: { array: out, per_item: P } } ]\n";
    std::fs::write(place.path("doubtful.yaml"), spec).unwrap();
    let output = place.batch(&["--out", "out", "--no-cache"]).output().unwrap();
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let words = "warning: the bytes stored to `out` depend on the configuration: 256 with P=1, 512 with P=2\n --> doubtful.yaml:4:9\n";
    assert_eq!(told.matches(words).count(), 1, "{told}");
    let results: Value = serde_json::from_slice(&place.results()).unwrap();
    let has_it = |result: &Value| result["result"]["warnings"][0]["kind"] == "work_varies";
    assert!(results["results"].as_array().unwrap().iter().all(has_it), "{results}");
}

/// Without SPIN, jobs stay open with what the evaluator knows; with it, they are proved as if it had always been there.
#[test]
fn jobs_without_spin_stay_open_until_it_is_there() {
    let place = Place::new(JOBS);
    let path = place.path("tools");
    std::fs::create_dir(&path).unwrap();
    std::os::unix::fs::symlink(which("gcc"), path.join("gcc")).unwrap();
    for resume in [&[][..], &["--resume"]] {
        let output = place.batch(&[&["--out", "out"], resume].concat()).env("PATH", &path).output().unwrap();
        // Jobs 3 and 4 have a broken spec.
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("note: nothing is proved: SPIN is not installed ("), "{}", stderr(&output));
        let table = stdout(&output);
        assert!(
            table.contains("not proved: ") && table.contains("2 of 6 jobs have ended, 0 proved; `--resume`"),
            "{table}"
        );
        assert!(!place.path("out/results.json").exists());
    }
    let output = place.batch(&["--out", "out", "--resume"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(place.results() == *UNDISTURBED);
    // What was proved by one checker is not continued without it.
    let output = place.batch(&["--out", "out", "--resume"]).env("PATH", &path).output().unwrap();
    assert!(stderr(&output).contains("it was started with spin "), "{}", stderr(&output));
}

/// A batch with a job that is not proved ends with status 3, or 1 where a proof is required.
#[test]
fn a_batch_that_must_be_proved_fails_while_a_job_is_open() {
    let place = Place::new("jobs: [ { specs: [abstract.yaml], gpus: [abstract-tiny], set: { size: 16 } } ]");
    let path = place.path("tools");
    std::fs::create_dir(&path).unwrap();
    for (option, resume, status) in [("--quiet", "--no-cache", 3), ("--require-proof", "--resume", 1)] {
        let output = place.batch(&["--out", "out", option, resume]).env("PATH", &path).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{}", stderr(&output));
        assert!(stdout(&output).contains("0 of 1 jobs have ended"), "{}", stdout(&output));
    }
    let output = place.batch(&["--out", "out", "--require-proof", "--resume"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// The path of a program of this system.
fn which(program: &str) -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file()).unwrap()
}
