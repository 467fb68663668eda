//! Trust in a cache and in kept results: contents that contradict themselves or the native evaluator are refused.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::*;

/// A home with a cache of its own.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("autotune")
    }

    fn ask(&self, options: &[&str]) -> Ended {
        let format = ["--no-cost", "--format", "json"];
        run(autotune().args(SMALL).args(format).args(options).env("XDG_CACHE_HOME", self.0.path()))
    }

    fn entries(&self) -> Vec<PathBuf> {
        std::fs::read_dir(self.folder()).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    /// Replaces the content of each entry, signed with the true key.
    fn rewrite(&self, change: impl Fn(Vec<u8>) -> Vec<u8>) {
        let key = std::fs::read(HOME.join("state/autotune/cache.key")).unwrap();
        for entry in self.entries() {
            let content = change(std::fs::read(&entry).unwrap().split_off(64));
            let mut signature = Hmac::<Sha256>::new_from_slice(&key).unwrap();
            for part in [b"entry", entry.file_stem().unwrap().to_str().unwrap().as_bytes(), &content] {
                signature.update(part);
            }
            let signature = data_encoding::HEXLOWER.encode(&signature.finalize().into_bytes());
            std::fs::write(entry, [signature.into_bytes(), content].concat()).unwrap();
        }
    }
}

/// A forger's changes of an entry, as texts, and the expected message.
type Lie = (&'static [(&'static str, &'static str)], &'static str);

#[test]
fn a_cached_answer_is_held_against_itself_and_the_evaluator() {
    let home = Home::new();
    let (honest, sized) = (home.ask(&[]), run(autotune().args(SMALL).args(["--format", "json"])));
    assert_eq!(honest.status, 0, "{}", sized.stderr);
    let lies: [Lie; 7] = [
        (&[("\"ticks\":136", "\"ticks\":7")], "the property is not about the optimum's 7 ticks"),
        (&[("136", "135"), ("137", "136")], "WG=8,TS=8 takes 136 ticks by the evaluator, not 135"),
        (&[("\"WG\":8", "\"WG\":7"), ("[4,8]", "[4,7]")], "has no time by the evaluator"),
        (&[("\"work_group\":8", "\"work_group\":4")], "has work groups of 8, not of 4"),
        (&[("\"microseconds\":null", "\"microseconds\":1.5")], "136 ticks are no microseconds, not 1.5 microseconds"),
        (
            &[("\"gpu\":\"abstract-tiny\"", "\"gpu\":\"fermi\"")],
            "it is of abstract_kernel on fermi, size=16, not of abstract_kernel on abstract-tiny, size=16",
        ),
        (&[("\"size\":16", "\"size\":32")], "size=32, not of abstract_kernel"),
    ];
    for (changes, words) in lies {
        home.rewrite(|content| match String::from_utf8(content) {
            Ok(text) if text.starts_with('{') => {
                let lie = changes.iter().fold(text.clone(), |text, (what, by)| text.replace(what, by));
                assert_ne!(lie, text, "{words}");
                lie.into_bytes()
            }
            Ok(text) => text.into_bytes(),
            Err(error) => error.into_bytes(),
        });
        let again = home.ask(&[]);
        assert_eq!((again.status, &again.stdout), (0, &honest.stdout));
        assert!(
            again.stderr.contains("note: the answer in the cache is not believed") && again.stderr.contains(words),
            "{}",
            again.stderr
        );
        let known = home.ask(&[]);
        assert_eq!((known.stderr.as_str(), &known.stdout), ("", &honest.stdout));
    }
}

#[test]
fn a_cached_checker_that_passed_no_proof_is_not_run() {
    let home = Home::new();
    let honest = home.ask(&[]);
    let owned = home.0.path().join("owned");
    let evil = format!("#!/bin/sh\ntouch {}\nexit 1\n", owned.display());
    // The record, of 128 digits, stays at first, but it names other programs. Versions are shorter.
    for spoils_record in [false, true] {
        home.rewrite(|content| {
            if content.len() > 128 || spoils_record && content.len() == 128 {
                evil.clone().into_bytes()
            } else {
                content
            }
        });
        for size in ["size=16", "size=32"] {
            let ended = run(autotune()
                .args(["tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny"])
                .args(["--set", size])
                .env("XDG_CACHE_HOME", home.0.path()));
            assert_eq!(ended.status, 0, "{}", ended.stderr);
        }
        assert!(!owned.exists());
        assert_eq!(home.ask(&[]).stdout, honest.stdout);
    }
}

/// A proof that fails leaves programs without a record; they are compiled again.
#[test]
fn a_checker_is_recorded_when_a_proof_has_passed() {
    let home = Home::new();
    let compiled = home.0.path().join("compiled");
    let text = format!("#!/bin/sh\n[ \"$1\" = --version ] || echo once >> {}\nexec tcc \"$@\"\n", compiled.display());
    let cc = script(home.0.path(), "cc", &text);
    let ask = |options: &[&str]| {
        let ended =
            run(autotune().args(SMALL).args(options).env("XDG_CACHE_HOME", home.0.path()).env("AUTOTUNE_CC", &cc));
        (ended.status, std::fs::read_to_string(&compiled).unwrap_or_default().lines().count())
    };
    assert_eq!(ask(&[]), (0, 2));
    assert_eq!(ask(&["--rank"]), (0, 2));
    let is_record = |entry: &PathBuf| entry.metadata().unwrap().len() == 64 + 128;
    let records: Vec<PathBuf> = home.entries().into_iter().filter(is_record).collect();
    assert_eq!(records.len(), 1);
    std::fs::remove_file(&records[0]).unwrap();
    assert_eq!(ask(&["--top", "2"]), (0, 4));
    assert!(records[0].exists());
    assert_eq!(ask(&["--no-prune"]), (0, 4));
}

#[test]
fn the_caches_folder_is_its_owners_alone() {
    let home = Home::new();
    assert_eq!(home.ask(&[]).status, 0);
    assert_eq!(mode(&home.folder()), 0o700);
    let cache = || {
        let mut command = autotune();
        command.arg("cache").env("XDG_CACHE_HOME", home.0.path());
        command
    };
    for others in [0o770, 0o702, 0o777] {
        set_mode(&home.folder(), others);
        let printed = home.ask(&[]);
        assert_eq!((printed.status, printed.stdout.as_str()), (2, ""));
        let mend = format!("chmod 700 {}", home.folder().display());
        for words in ["the cache is not safe", "others may use it", &mend, "`--no-cache` works without a cache"] {
            assert!(printed.stderr.contains(words), "no `{words}` in {}", printed.stderr);
        }
        assert_refused(&mut cache(), 2, &["the cache is not safe"]);
        assert_refused(cache().arg("clear"), 2, &["the cache is not safe"]);
        assert_eq!(home.ask(&["--no-cache"]).status, 0);
        assert!(Command::new("sh").args(["-c", &mend]).output().unwrap().status.success());
        assert_eq!(home.ask(&[]).status, 0);
    }
    // Others can read the folder but not change it: caches of earlier versions have this mode.
    set_mode(&home.folder(), 0o755);
    assert_eq!(home.ask(&[]).status, 0);
    if is_root() {
        chown(home.folder(), Some(NOBODY), None).unwrap();
        let printed = home.ask(&[]);
        assert!(printed.status == 2 && printed.stderr.contains("belongs to the user 65534"), "{}", printed.stderr);
        assert!(
            printed.stderr.contains("XDG_CACHE_HOME") && printed.stderr.contains("--no-cache"),
            "{}",
            printed.stderr
        );
    }
}

#[test]
fn an_entry_that_is_not_a_regular_file_is_not_waited_for() {
    let home = Home::new();
    let honest = home.ask(&[]);
    let entries = home.entries();
    let spoilers: [Spoil; 3] =
        [fifo, |path| symlink("/dev/zero", path).unwrap(), |path| std::fs::create_dir(path).unwrap()];
    for spoil in spoilers {
        for entry in &entries {
            let _ = std::fs::remove_file(entry);
            spoil(entry);
        }
        let mut ask = autotune();
        ask.args(SMALL).args(["--no-cost", "--format", "json"]).env("XDG_CACHE_HOME", home.0.path());
        let ended = run(ask.timeout(std::time::Duration::from_secs(60)));
        assert_eq!((ended.status, &ended.stdout), (0, &honest.stdout), "{}", ended.stderr);
        for entry in &entries {
            let _ = std::fs::remove_file(entry).or_else(|_| std::fs::remove_dir(entry));
        }
    }
}

#[test]
fn a_result_that_contradicts_itself_is_not_exported() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("result.json");
    let honest = run(autotune().args(SMALL).args(["--format", "json"])).stdout;
    let export = |text: &str| {
        std::fs::write(&kept, text).unwrap();
        let mut command = autotune();
        command.args(["export", kept.to_str().unwrap(), "--format", "flags"]);
        command
    };
    assert_eq!(run(&mut export(&honest)).stdout, "-DWG=8 -DTS=8\n");
    let mut result: Value = serde_json::from_str(&honest).unwrap();
    result["optimum"]["ticks"] = 7.into();
    result["optimum"]["parameters"] = serde_json::json!({ "WG": 2, "TS": 2 });
    let words = [
        "result.json` has a result of abstract_kernel that contradicts itself",
        "\n  the property is not about the optimum's 7 ticks",
        "\n  no run has a counterexample of 7 ticks",
        "help: ",
    ];
    assert_refused(&mut export(&result.to_string()), 2, &words);
    let batch = std::fs::read_to_string("tests/data/batches/vector_add.json").unwrap();
    assert_eq!(run(export(&batch).args(["--gpu", "fermi"])).status, 0);
    let forged = batch.replacen("\"ticks\": 7928348", "\"ticks\": 7928347", 1).replacen(
        "\"ticks\":7928348",
        "\"ticks\":7928347",
        1,
    );
    assert_ne!(forged, batch);
    assert_refused(&mut export(&forged), 2, &["a result of vector_add that contradicts itself"]);
}
