//! The folder of `--keep`: it belongs to one run, and must be writable.

use std::time::{Duration, Instant};

use super::*;

/// Each of several rounds starts two runs at once: one fills the folder, the other is refused and leaves the folder
/// alone.
#[test]
fn of_two_runs_at_once_one_keeps_its_proof() {
    for _ in 0..3 {
        let kept = Kept { folder: tempfile::tempdir().unwrap() };
        let start = || run(autotune().args(SMALL).arg("--keep").arg(kept.path("new")));
        let [one, other] =
            std::thread::scope(|scope| [scope.spawn(start), scope.spawn(start)].map(|run| run.join().unwrap()));
        let (refused, proved) = if one.status == 0 { (other, one) } else { (one, other) };
        assert_eq!((proved.status, refused.status, refused.stdout.as_str()), (0, 2, ""), "{}", refused.stderr);
        assert!(refused.stderr.contains("is not empty"), "{}", refused.stderr);
        assert_eq!(std::fs::read_dir(kept.path("")).unwrap().count(), 1, "nothing is left beside it");
        assert_eq!(run(autotune().arg("verify").arg(kept.path("new"))).status, 0);
    }
}

/// A killed run of an earlier version has left its marker in the folder.
#[test]
fn the_marker_of_a_killed_run_is_no_obstacle() {
    let kept = Kept { folder: tempfile::tempdir().unwrap() };
    kept.write(".autotune-running", "");
    let ended = run(autotune().args(SMALL).arg("--keep").arg(kept.path("")));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!(run(autotune().arg("verify").arg(kept.path(""))).status, 0);
}

/// Runs that keep a proof, each killed at a moment of its own: the folder is there whole or not at all, and the next run takes
/// over what the killed one had.
fn assert_whole_after_kills(kills: u32, whole: Duration) {
    let kept = Kept { folder: tempfile::tempdir().unwrap() };
    let start = || {
        let mut run = process(Path::new(env!("CARGO_MANIFEST_DIR")));
        let beside = ["--no-cache", "--quiet", "--keep"];
        run.args(SMALL).args(THREE).args(beside).arg(kept.path("kept")).stdout(Stdio::null()).stderr(Stdio::null());
        run.env("TMPDIR", kept.path("")).spawn().unwrap()
    };
    let mut killed = 0;
    for number in 0..kills {
        let mut run = start();
        std::thread::sleep(whole.mul_f64(f64::from(number + 1) / f64::from(kills)));
        run.kill().unwrap();
        killed += u32::from(!run.wait().unwrap().success());
        if kept.path("kept").exists() {
            let verified = self::run(autotune().arg("verify").arg(kept.path("kept")));
            assert_eq!(verified.status, 0, "kill {number}: {}", verified.stderr);
            std::fs::remove_dir_all(kept.path("kept")).unwrap();
        }
    }
    assert!(killed >= kills / 4, "only {killed} were killed");
    assert!(start().wait().unwrap().success(), "the last run takes over");
    assert_eq!(run(autotune().arg("verify").arg(kept.path("kept"))).status, 0);
    let left: Vec<String> = std::fs::read_dir(kept.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("running"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// The time of a run that is not killed.
fn undisturbed() -> Duration {
    let began = Instant::now();
    let kept = Kept::new();
    assert!(kept.path("result.json").exists());
    began.elapsed()
}

#[test]
fn a_killed_run_keeps_a_whole_proof_or_none() {
    assert_whole_after_kills(20, undisturbed());
}

#[test]
#[ignore = "it takes minutes"]
fn a_run_killed_at_any_of_many_moments_keeps_a_whole_proof_or_none() {
    assert_whole_after_kills(400, undisturbed());
}

#[test]
fn a_path_that_can_be_no_folder_is_unusable() {
    let kept = Kept { folder: tempfile::tempdir().unwrap() };
    kept.write("file", "");
    for path in ["file", "file/below"].map(|path| kept.path(path)) {
        let ended = run(autotune().args(SMALL).arg("--keep").arg(path));
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
        assert!(ended.stderr.contains("cannot keep a proof in") && ended.stderr.contains("help:"), "{}", ended.stderr);
    }
}

/// Blanks and quotes in a folder's name are the shell's concern, and not a sign of forgery.
#[test]
fn a_folder_of_any_name_is_verified_copied_and_renamed() {
    let kept = Kept { folder: tempfile::tempdir().unwrap() };
    for name in ["with a blank", "it's", "double \"quoted\"", "tab\tand $HOME"] {
        let path = kept.path(name);
        assert_eq!(run(autotune().args(SMALL).arg("--keep").arg(&path)).status, 0);
        let renamed = kept.path(&format!("{name} renamed"));
        std::fs::rename(path, &renamed).unwrap();
        let ended = run(autotune().arg("verify").arg(&renamed));
        assert_eq!(ended.status, 0, "{name}: {}", ended.stderr);
        let script = by_hand(&renamed);
        assert_eq!(script.status, 0, "{name}: {}", script.stderr);
    }
}
