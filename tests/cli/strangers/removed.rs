//! The files that the tool removes and replaces: only its own.

use super::*;

/// Names that foreign folders have beside the user's own folder.
fn foreign_names() -> Vec<String> {
    let mut names: Vec<String> =
        ["autotune-results", "autotune-", "autotune", ".new-autotune-abc123", ".autotune-scratch"]
            .map(str::to_owned)
            .into();
    names.extend(
        [".autotune-running", "autotune.old", "autotune.", "autotune.results", "run-abc123", "proof", "model-1"]
            .map(str::to_owned),
    );
    names.extend((0..40).map(|number| format!("autotune-{number:06}")));
    names.extend((0..20).map(|number| format!(".new-autotune-{number}")));
    names.extend((0..20).map(|number| format!("autotune.{}", 100_000 + number)));
    names.extend((0..20).map(|number| format!("autotune-kept {number} 'é'\n")));
    names
}

fn room(place: &Path) -> PathBuf {
    place.join(format!("autotune.{}", geteuid()))
}

fn open_to_others(room: &Path, mode: u32) {
    std::fs::create_dir(room).unwrap();
    set_mode(room, mode);
}

/// A folder as a killed run leaves it.
fn leave(folder: &Path) {
    std::fs::create_dir_all(folder.join("proof/model-1")).unwrap();
    std::fs::write(folder.join("proof/model-1/model.pml"), "init {}").unwrap();
    std::fs::write(folder.join(".autotune-scratch"), marker(folder)).unwrap();
}

/// Folders as a killed run of another user leaves them.
fn leave_of_others(room: &Path) {
    for (name, whose) in [("run-others", "run-others"), ("run-others-marker", "run-others-marker/.autotune-scratch")] {
        leave(&room.join(name));
        chown(room.join(whose), Some(NOBODY), None).unwrap();
    }
}

fn marker(folder: &Path) -> String {
    let name = folder.file_name().unwrap().to_str().unwrap();
    format!("autotune made the folder {name} for temporary files, and will remove it.\n")
}

#[test]
fn a_run_touches_no_folder_that_it_did_not_make() {
    let place = tempfile::tempdir().unwrap();
    let names = foreign_names();
    assert!(names.len() >= 100);
    for name in &names {
        let folder = place.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("results.txt"), "a week's work").unwrap();
        // Even a marker does not make a folder elsewhere the tool's own.
        std::fs::write(folder.join(".autotune-scratch"), marker(&folder)).unwrap();
    }
    std::fs::write(place.path().join("autotune-file"), "mine").unwrap();
    symlink("autotune-results", place.path().join("autotune-link")).unwrap();
    let before = snapshot(place.path());
    let prove = || run(autotune().args(SMALL).arg("--no-cache").env("TMPDIR", place.path()));
    assert_eq!(prove().status, 0);
    assert_eq!(prove().status, 0);
    let mut after = snapshot(place.path());
    assert_eq!(after.remove(&room(place.path())).unwrap(), format!("40700 {} ", geteuid()));
    assert_eq!(after, before);
}

#[test]
fn in_its_own_folder_only_what_has_marker_owner_and_no_lock_is_swept() {
    let place = tempfile::tempdir().unwrap();
    let room = room(place.path());
    let at = |name: &str| room.join(name);
    std::fs::create_dir(&room).unwrap();
    set_mode(&room, 0o700);
    for name in ["unmarked", "run-unmarked", "run-Ab12cd", "autotune-abc"] {
        std::fs::create_dir(at(name)).unwrap();
        std::fs::write(at(name).join("notes"), "mine").unwrap();
    }
    std::fs::create_dir(at("run-empty")).unwrap();
    std::fs::write(at("run-file"), "mine").unwrap();
    for name in
        ["run-linked-marker", "run-other-marker", "run-empty-marker", "run-copy", "run-marker-folder", "run-fifo"]
    {
        std::fs::create_dir(at(name)).unwrap();
    }
    let marked = |name: &str| at(name).join(".autotune-scratch");
    std::fs::write(at("marker"), marker(&at("run-linked-marker"))).unwrap();
    symlink("../marker", marked("run-linked-marker")).unwrap();
    for (name, text) in [("run-other-marker", "mine"), ("run-empty-marker", "")] {
        std::fs::write(marked(name), text).unwrap();
    }
    std::fs::write(at("run-empty-marker").join("notes"), "mine").unwrap();
    std::fs::write(marked("run-copy"), marker(&at("run-left"))).unwrap();
    std::fs::create_dir(marked("run-marker-folder")).unwrap();
    fifo(&marked("run-fifo"));
    let elsewhere = place.path().join("run-linked");
    leave(&elsewhere);
    symlink(&elsewhere, at("run-linked")).unwrap();
    leave(&at("run-used"));
    let lock = std::fs::File::open(at("run-used")).unwrap();
    lock.lock().unwrap();
    if is_root() {
        leave_of_others(&room);
    }
    let before = snapshot(place.path());
    leave(&at("run-left"));
    leave(&at("any-name"));
    // As a process leaves it that is killed before it has written its marker.
    std::fs::create_dir(at("run-began")).unwrap();
    std::fs::write(marked("run-began"), "").unwrap();
    symlink(&elsewhere, at("run-left/link")).unwrap();
    let ended = run(autotune().args(SMALL).arg("--no-cache").env("TMPDIR", place.path()));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert_eq!(snapshot(place.path()), before);
    drop(lock);
    assert_eq!(run(autotune().args(SMALL).arg("--no-cache").env("TMPDIR", place.path())).status, 0);
    assert!(!at("run-used").exists());
}

#[test]
fn an_unsafe_folder_for_temporary_files_is_refused_with_what_mends_it() {
    let other = tempfile::tempdir().unwrap();
    let spoil: [(Spoil, &str); 5] = [
        (|room| std::fs::write(room, "mine").unwrap(), "is a file, not a folder"),
        (|room| symlink("/var/tmp", room).unwrap(), "is a link, not a folder"),
        (|room| fifo(room), "is a FIFO, not a folder"),
        (|room| open_to_others(room, 0o777), "has the mode 0777: others may use it"),
        (|room| open_to_others(room, 0o750), "has the mode 0750: others may use it"),
    ];
    for (spoil, words) in spoil {
        let place = tempfile::tempdir().unwrap();
        let room = room(place.path());
        spoil(&room);
        let before = snapshot(place.path());
        let shown = room.display().to_string();
        for arguments in [&SMALL[..], &["doctor"], &["verify", "none"]] {
            let words = ["not safe", &shown, words, "help: mend it with `", "TMPDIR=/"];
            assert_refused(autotune().args(arguments).env("TMPDIR", place.path()), 2, &words);
        }
        assert_eq!(snapshot(place.path()), before);
        let printed = run(autotune().args(SMALL).env("TMPDIR", place.path())).stderr;
        let command = printed.split_once("mend it with `").unwrap().1.split('`').next().unwrap();
        assert!(Command::new("sh").args(["-c", command]).output().unwrap().status.success(), "{command}");
        assert_eq!(run(autotune().args(SMALL).arg("--no-cache").env("TMPDIR", place.path())).status, 0, "{command}");
        assert_eq!(mode(&room), 0o700);
    }
    if is_root() {
        let room = room(other.path());
        std::fs::create_dir(&room).unwrap();
        set_mode(&room, 0o700);
        chown(&room, Some(NOBODY), None).unwrap();
        let words = ["belongs to the user 65534, but this process runs as the user 0", "TMPDIR="];
        assert_refused(autotune().args(SMALL).env("TMPDIR", other.path()), 2, &words);
    }
}

#[test]
fn a_missing_folder_for_temporary_files_is_what_the_error_is_about() {
    let words = ["error: the folder for temporary files, `/nope`, does not exist", "`mkdir /nope`", "TMPDIR"];
    for arguments in [&SMALL[..], &["doctor"], &["verify", "none"]] {
        assert_refused(autotune().args(arguments).env("TMPDIR", "/nope"), 2, &words);
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    assert_refused(autotune().args(SMALL).env("TMPDIR", file), 2, &["README.md` is not a folder", "TMPDIR"]);
}

#[test]
fn the_cache_clears_its_own_entries_alone() {
    let place = tempfile::tempdir().unwrap();
    let cache = |arguments: &[&str]| run(autotune().args(arguments).env("XDG_CACHE_HOME", place.path()));
    let folder = place.path().join("autotune");
    std::fs::create_dir(&folder).unwrap();
    set_mode(&folder, 0o700);
    let digits = "0123456789abcdef".repeat(4);
    for name in ["notes.entry", "left.unfinished", "notes.txt", &format!("{digits}.entry"), &format!("{digits}.bak")] {
        std::fs::write(folder.join(name), "not what an entry begins with, ".repeat(9)).unwrap();
    }
    std::fs::create_dir(folder.join(format!("{}.entry", digits.replace('0', "1")))).unwrap();
    symlink("notes.txt", folder.join(format!("{}.entry", digits.replace('0', "2")))).unwrap();
    fifo(&folder.join(format!("{}.entry", digits.replace('0', "3"))));
    let before = snapshot(place.path());
    assert_eq!(cache(&SMALL).status, 0);
    assert!(snapshot(place.path()).len() > before.len());
    assert_eq!(cache(&["cache", "clear"]).status, 0);
    assert_eq!(snapshot(place.path()), before);
}

#[test]
fn a_file_that_another_program_wrote_is_not_replaced() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    let refused = |arguments: &[&str], folder: &Path| {
        let before = snapshot(place.path());
        assert_refused(autotune().args(arguments).arg(folder), 2, &["help: ", "move"]);
        assert_eq!(snapshot(place.path()), before, "{arguments:?}");
    };
    let batch = ["batch", "examples/jobs.yaml", "--out"];
    std::fs::create_dir(at("batch")).unwrap();
    for text in ["", "{\"schema\": \"mine\"}", "{}"] {
        std::fs::write(at("batch/results.json"), text).unwrap();
        refused(&batch, &at("batch"));
    }
    std::fs::remove_file(at("batch/results.json")).unwrap();
    symlink("/dev/null", at("batch/results.json")).unwrap();
    refused(&batch, &at("batch"));
    std::fs::create_dir(at("man")).unwrap();
    std::fs::write(at("man/autotune-gpus.1"), "my own notes on the GPUs").unwrap();
    assert_refused(autotune().args(["man", "--out"]).arg(at("man")), 2, &["autotune-gpus.1` exists", "move it away"]);
    assert_eq!(std::fs::read_to_string(at("man/autotune-gpus.1")).unwrap(), "my own notes on the GPUs");
    std::fs::remove_file(at("man/autotune-gpus.1")).unwrap();
    for _ in 0..2 {
        assert_eq!(run(autotune().args(["man", "--out"]).arg(at("man"))).status, 0);
    }
    let page = [&SMALL[..], &["--report"]].concat();
    std::fs::create_dir(at("pages")).unwrap();
    assert_eq!(run(autotune().args(&page).arg(at("pages"))).status, 0);
    std::fs::rename(at("pages/index.html"), at("page.html")).unwrap();
    symlink("../page.html", at("pages/index.html")).unwrap();
    assert_refused(autotune().args(&page).arg(at("pages")), 2, &["index.html`: it is a link"]);
    std::fs::remove_file(at("pages/index.html")).unwrap();
    fifo(&at("pages/index.html"));
    assert_refused(autotune().args(&page).arg(at("pages")), 2, &["index.html`: it is a FIFO"]);
}

/// The compiler's files in a model's folder are removed; files of these names elsewhere belong to somebody else.
#[test]
fn what_lies_beside_the_models_of_a_kept_proof_stays() {
    let place = tempfile::tempdir().unwrap();
    let kept = place.path().join("kept");
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] || {{ mkdir -p {0}/notes; echo mine > {0}/pan.c; echo mine > {0}/notes/pan; }}\nexec tcc \"$@\"\n",
        kept.display()
    );
    let cc = script(place.path(), "cc", &text);
    let ended = run(autotune().args(SMALL).args(["--no-cache", "--keep"]).arg(&kept).env("AUTOTUNE_CC", cc));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    for name in ["pan.c", "notes/pan"] {
        assert_eq!(std::fs::read_to_string(kept.join(name)).unwrap(), "mine\n");
    }
    assert!(!kept.join("proof/model-1/pan.c").exists());
}
