//! The cache of compiled checkers, as users meet it.

use super::*;

/// The command with a cache of its own, and a compiler that notes in `compiled` each time it compiles.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text =
            "#!/bin/sh\n[ \"$1\" = --version ] || echo once >> \"$(dirname \"$0\")/compiled\"\nexec gcc \"$@\"\n";
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
    assert_eq!((place.compilations(), place.entries().len()), (2, 2));
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
    assert_eq!((place.compilations(), place.entries().len()), (4, 2));
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
    assert_eq!(place.entries().len(), 2);
}

#[test]
fn a_cache_that_cannot_be_written_is_no_failure() {
    let place = Place::new();
    std::fs::write(place.0.path().join("autotune"), "no folder").unwrap();
    assert_eq!(place.prove(&[])["verdict"], "proved");
}

#[test]
fn the_cache_is_shown_and_cleared() {
    let place = Place::new();
    place.prove(&[]);
    let folder = place.0.path().join("autotune").display().to_string();
    let shown = run(place.autotune().arg("cache")).stdout;
    assert!(shown.starts_with(&format!("{folder}: 2 entries, ")), "{shown}");
    let cleared = run(place.autotune().args(["cache", "clear"])).stdout;
    assert_eq!(cleared, shown.replace(": 2", ": removed 2"));
    assert_eq!(place.entries().len(), 0);
    assert!(run(place.autotune().arg("cache")).stdout.contains(": 0 entries, 0 B"));
}
