//! The folder of `--keep`: it belongs to one run, and must be writable.

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
        assert!(!kept.path("new/.autotune-running").exists());
        assert_eq!(run(autotune().arg("verify").arg(kept.path("new"))).status, 0);
    }
}

#[test]
fn a_folder_in_which_a_run_takes_place_is_refused() {
    let kept = Kept { folder: tempfile::tempdir().unwrap() };
    kept.write(".autotune-running", "");
    let ended = run(autotune().args(SMALL).arg("--keep").arg(kept.path("")));
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
    assert_eq!(kept.hashes().keys().collect::<Vec<_>>(), [".autotune-running"]);
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
