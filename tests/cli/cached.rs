//! The cache of compiled checkers and finished proofs, as users meet it.

use super::*;

/// The entries of one proof: both searches, their record, the answer, and SPIN's version. The compiler is a script, whose
/// version is asked each time.
const ENTRIES: usize = 5;

/// The command with a cache of its own, and a compiler that notes in `compiled` each time it compiles.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text =
            "#!/bin/sh\n[ \"$1\" = --version ] || echo once >> \"$(dirname \"$0\")/compiled\"\nexec tcc \"$@\"\n";
        script(folder.path(), "counting-cc", text);
        Self(folder)
    }

    fn autotune(&self) -> Command {
        let mut command = autotune();
        command.env("XDG_CACHE_HOME", self.0.path()).env("AUTOTUNE_CC", self.0.path().join("counting-cc"));
        command
    }

    fn prove(&self, options: &[&str]) -> Value {
        let ended = run(self.autotune().args(SMALL).args(["--format", "json"]).args(options));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        json(&ended, "result.json")
    }

    fn compilations(&self) -> usize {
        std::fs::read_to_string(self.0.path().join("compiled")).unwrap_or_default().lines().count()
    }

    fn entries(&self) -> Vec<PathBuf> {
        let folder = std::fs::read_dir(self.0.path().join("autotune"));
        folder.map(|entries| entries.map(|entry| entry.unwrap().path()).collect()).unwrap_or_default()
    }
}

#[test]
fn another_question_finds_the_checker_compiled() {
    let place = Place::new();
    let first = place.prove(&["--no-cost"]);
    assert_eq!((place.compilations(), place.entries().len()), (2, ENTRIES));
    assert_eq!(place.prove(&["--no-cost"]), first);
    let other = run(place.autotune().args(["tuning-specs/abstract_kernel.yaml", "--gpu", "fermi"]));
    assert_eq!((other.status, place.compilations()), (0, 2), "{}", other.stderr);
}

#[test]
fn without_the_cache_nothing_is_taken_or_kept() {
    let place = Place::new();
    place.prove(&["--no-cache"]);
    assert_eq!((place.compilations(), place.entries().len()), (2, 0));
    place.prove(&[]);
    place.prove(&["--no-cache"]);
    assert_eq!(place.compilations(), 6);
}

#[test]
fn a_damaged_entry_is_made_anew() {
    let place = Place::new();
    let first = place.prove(&["--no-cost"]);
    for entry in place.entries() {
        let mut bytes = std::fs::read(&entry).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&entry, bytes).unwrap();
    }
    assert_eq!(place.prove(&["--no-cost"]), first);
    assert_eq!((place.compilations(), place.entries().len()), (4, ENTRIES));
    assert_eq!(place.prove(&["--no-cost"]), first);
    assert_eq!(place.compilations(), 4);
}

#[test]
fn programs_that_run_at_once_share_an_empty_cache() {
    let place = Place::new();
    let results: Vec<Value> = std::thread::scope(|scope| {
        let running = [(); 4].map(|()| scope.spawn(|| place.prove(&["--no-cost"])));
        running.map(|one| one.join().unwrap()).into()
    });
    assert!(results.iter().all(|result| *result == results[0]));
    let before = place.compilations();
    assert_eq!((place.prove(&["--no-cost"]), place.compilations()), (results[0].clone(), before));
    assert_eq!(place.entries().len(), ENTRIES);
}

#[test]
fn a_cache_that_cannot_be_written_is_no_failure() {
    let place = Place::new();
    std::fs::write(place.0.path().join("autotune"), "no folder").unwrap();
    let ended = run(place.autotune().args(SMALL).args(["--format", "json"]));
    assert_eq!(json(&ended, "result.json")["verdict"], "proved");
    let notes: Vec<&str> = ended.stderr.lines().collect();
    assert_eq!((ended.status, notes.len()), (0, 1), "{}", ended.stderr);
    assert!(notes[0].starts_with("note: ") && notes[0].contains("the cache cannot be written"), "{}", notes[0]);
}

#[test]
fn the_cache_is_shown_and_cleared() {
    let place = Place::new();
    place.prove(&[]);
    let folder = place.0.path().join("autotune").display().to_string();
    let shown = run(place.autotune().arg("cache")).stdout;
    assert!(shown.starts_with(&format!("{folder}: {ENTRIES} entries, ")), "{shown}");
    let key = HOME.join("state/autotune/cache.key");
    assert!(shown.ends_with(&format!("\nsigned with {}\n", key.display())), "{shown}");
    let cleared = run(place.autotune().args(["cache", "clear"])).stdout;
    assert_eq!(cleared, shown.replace(&format!(": {ENTRIES}"), &format!(": removed {ENTRIES}")));
    assert_eq!(place.entries().len(), 0);
    assert!(run(place.autotune().arg("cache")).stdout.contains(": 0 entries, 0 B"));
}

/// An answer and its copy from the cache differ only in their cost.
#[test]
fn the_same_question_is_answered_from_the_cache_in_the_same_bytes() {
    let place = Place::new();
    // Real GPUs have microseconds, which are not whole numbers.
    for question in [&SMALL[..], &["tuning-specs/convolution_2d.yaml", "--gpu", "rtx2080ti", "--top", "2"]] {
        let ask = |options: &[&str]| run(place.autotune().args(question).args(options)).stdout;
        let proved = json(&run(place.autotune().args(question).args(["--format", "json"])), "result.json");
        let known = json(&run(place.autotune().args(question).args(["--format", "json"])), "result.json");
        assert_eq!((&proved["cost"]["cached"], &known["cost"]["cached"]), (&false.into(), &true.into()));
        let anew = ask(&["--no-cache", "--no-cost", "--format", "json"]);
        assert!(anew.len() > 1000);
        assert_eq!(ask(&["--no-cost", "--format", "json"]), anew);
        assert_eq!(ask(&["--no-cost"]), ask(&["--no-cost", "--no-cache"]));
        assert!(ask(&[]).contains("time      none: this was proved before"));
    }
}

/// Each of these is a different question, which the first one's answer does not fit.
#[test]
fn another_question_is_not_answered_from_the_cache() {
    let place = Place::new();
    let cached = |arguments: &[&str]| {
        let ended = run(place.autotune().args(arguments).args(["--format", "json"]));
        json(&ended, "result.json")["cost"]["cached"].as_bool().unwrap()
    };
    let spec = place.0.path().join("spec.yaml").display().to_string();
    let gpu = place.0.path().join("gpu.yaml").display().to_string();
    let text = std::fs::read_to_string("tuning-specs/abstract_kernel.yaml").unwrap();
    let profile = run(autotune().args(["gpus", "abstract-tiny"])).stdout;
    std::fs::write(&spec, &text).unwrap();
    std::fs::write(&gpu, &profile).unwrap();
    let asked = [spec.as_str(), "--gpu", gpu.as_str(), "--set", "size=16"];
    assert_eq!([cached(&asked), cached(&asked)], [false, true]);
    for options in [
        &["--config", "WG=2,TS=4"][..],
        &["--top", "2"],
        &["--no-prune"],
        &["--rank"],
        &["--form", "wave"],
        &["--granularity", "element"],
        &["--strategy", "branch-and-bound"],
    ] {
        let other = [&asked[..], options].concat();
        assert_eq!([cached(&other), cached(&other)], [false, true], "{options:?}");
    }
    assert!(!cached(&[spec.as_str(), "--gpu", gpu.as_str(), "--set", "size=32"]));
    std::fs::write(&spec, text.replace("size % WG == 0", "size % WG == 0 * 1")).unwrap();
    assert_eq!([cached(&asked), cached(&asked)], [false, true], "another spec");
    std::fs::write(&gpu, profile.replace("multiprocessors: 1", "multiprocessors: 2")).unwrap();
    assert_eq!([cached(&asked), cached(&asked)], [false, true], "another profile");
    let compiler = script(place.0.path(), "other-cc", "#!/bin/sh\nexec tcc \"$@\"\n");
    let other = run(place.autotune().args(asked).args(["--format", "json"]).env("AUTOTUNE_CC", compiler));
    assert_eq!(json(&other, "result.json")["cost"]["cached"], false, "another compiler");
}

#[test]
fn a_kept_proof_is_made_anew_and_a_damaged_one_is_discarded() {
    let place = Place::new();
    place.prove(&[]);
    let kept = place.0.path().join("kept").display().to_string();
    assert_eq!(place.prove(&["--keep", &kept])["cost"]["cached"], false);
    assert!(Path::new(&kept).join("SHA256SUMS").exists());
    // A proof's entry is text; the checkers are not.
    let is_proof = |entry: &PathBuf| std::fs::read(entry).unwrap()[64..].starts_with(b"{");
    let proof = place.entries().into_iter().find(is_proof).unwrap();
    let text = std::fs::read_to_string(&proof).unwrap();
    std::fs::write(&proof, text.replace("136", "135")).unwrap();
    let again = place.prove(&[]);
    assert_eq!((&again["cost"]["cached"], &again["optimum"]["ticks"]), (&false.into(), &136.into()));
    assert_eq!(place.prove(&[])["cost"]["cached"], true);
}

#[test]
fn only_proofs_are_kept() {
    let place = Place::new();
    let small = ["tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny", "--set", "size=2"];
    assert_eq!(run(place.autotune().args(small)).status, 4);
    assert_eq!(place.entries().len(), 1, "SPIN's version");
}

/// The script `poison.py` with these kinds of lies.
fn poison(kinds: &[&str]) -> Ended {
    let mut script = Command::new("python3");
    script.current_dir(env!("CARGO_MANIFEST_DIR")).envs(isolated());
    script.env("AUTOTUNE", assert_cmd::cargo::cargo_bin("autotune"));
    run(script.args(["tests/adversary/poison.py", "tuning-specs"]).args(kinds))
}

/// Lies that contradict nothing, each without a signature, signed with another key, and signed with the true one.
#[test]
fn forged_proofs_and_checkers_are_not_believed() {
    let ended = poison(&["ticks", "whole", "slower", "infeasible", "checker"]);
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
    assert_eq!(ended.stdout.matches(": not believed, ").count(), 5 * 3 + 2, "{}", ended.stdout);
    assert_eq!(ended.stdout.matches(": believed, ").count(), 3, "{}", ended.stdout);
}

#[test]
fn forged_outputs_and_lowered_configurations_are_not_believed() {
    let ended = poison(&["compiled", "lowered"]);
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
    assert_eq!(ended.stdout.matches(": not believed, ").count(), 2 * 3, "{}", ended.stdout);
    assert_eq!(ended.stdout.matches(": believed, ").count(), 2, "{}", ended.stdout);
}

/// Without its key, a cache is neither used nor filled, and the answer is the same; a note says so once.
#[test]
fn a_key_that_is_not_the_tools_is_told_once_and_left_alone() {
    let place = Place::new();
    let first = place.prove(&["--no-cost"]);
    let state = place.0.path().join("state");
    let key = state.join("autotune/cache.key");
    std::fs::create_dir_all(key.parent().unwrap()).unwrap();
    std::fs::write(&key, "my notes").unwrap();
    let ask =
        || run(place.autotune().args(SMALL).args(["--no-cost", "--format", "json"]).env("XDG_STATE_HOME", &state));
    let (before, compilations) = (place.entries(), place.compilations());
    let mode = |mode| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    for (permissions, words) in [(0o644, "has the mode 0644: others may know it"), (0o600, "has 8 bytes, not 64")] {
        mode(permissions);
        let ended = ask();
        assert_eq!((ended.status, json(&ended, "result.json")), (0, first.clone()));
        assert!(ended.stderr.starts_with("note: the cache is not used, its key `"), "{}", ended.stderr);
        assert!(ended.stderr.contains(words) && ended.stderr.contains("`rm "), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        let shown = run(place.autotune().arg("cache").env("XDG_STATE_HOME", &state));
        assert!(shown.status == 0 && shown.stdout.contains("the cache is not used, its key `"), "{}", shown.stdout);
        let shown = run(place.autotune().args(["cache", "--format", "json"]).env("XDG_STATE_HOME", &state));
        assert!(json(&shown, "cache.json")["unusable"].as_str().unwrap().contains(words), "{}", shown.stdout);
    }
    assert_eq!((place.entries(), place.compilations()), (before, compilations + 4));
    assert_eq!(std::fs::read_to_string(&key).unwrap(), "my notes");
    let without = run(place.autotune().args(SMALL).args(["--no-cache"]).env("XDG_STATE_HOME", &state));
    assert_eq!((without.status, without.stderr.as_str()), (0, ""), "no cache was asked for");
}

#[test]
fn a_state_folder_that_cannot_be_made_is_no_failure() {
    let place = Place::new();
    let state = place.0.path().join("state");
    std::fs::write(&state, "not a folder").unwrap();
    let ended = run(place.autotune().args(SMALL).args(["--format", "json"]).env("XDG_STATE_HOME", &state));
    assert_eq!((ended.status, &json(&ended, "result.json")["verdict"]), (0, &"proved".into()));
    assert!(ended.stderr.contains("note: the cache is not used") && ended.stderr.contains("XDG_STATE_HOME"));
    assert_eq!((ended.stderr.lines().count(), place.entries().len()), (1, 0), "{}", ended.stderr);
}

/// A cache that was copied without its key is as good as empty, and neither cache disturbs the other.
#[test]
fn a_cache_that_is_shared_without_the_key_is_empty_for_the_other() {
    let place = Place::new();
    let own = place.prove(&["--no-cost"]);
    let other = |options: &[&str]| {
        let ended = run(place.autotune().args(SMALL).args(options).env("XDG_STATE_HOME", place.0.path().join("other")));
        json(&ended, "result.json")["cost"]["cached"].clone()
    };
    let asked = ["--format", "json"];
    assert_eq!([other(&asked), other(&asked)], [false, true].map(Value::from));
    assert_eq!((place.entries().len(), place.compilations()), (2 * ENTRIES, 4));
    assert_eq!((place.prove(&["--no-cost"]), place.compilations()), (own, 4));
}
