//! The claims of a result and the making of its proof: all are proved and made again.

use autotune::certificate::{self, CertificateError};
use autotune::limits::Limits;
use autotune::spin::{Settings, ToolPaths, Toolchain};

use super::*;

/// Changed claims of `result.json`, and the words in which the repetition reports them.
const FORGERIES: [Forgery; 16] = [
    ("result.json", "proof.granularity is \"element\", the repeated proof has \"warp\"", |result| {
        result["proof"]["granularity"] = "element".into();
    }),
    ("result.json", "proof.form is \"wave\", the repeated proof has \"roles\"", |result| {
        result["proof"]["form"] = "wave".into();
    }),
    ("result.json", "the strategy `guessing` is not known", |result| result["proof"]["strategy"] = "guessing".into()),
    ("result.json", "searches are not those of the strategy `branch-and-bound`", |result| {
        result["proof"]["strategy"] = "branch-and-bound".into();
    }),
    ("result.json", "the tile's TS=4 is none of the optimum's parameters", |result| {
        result["optimum"]["tile"]["TS"] = 4.into();
    }),
    ("result.json", "`naive` of 137 ticks is above the optimum's 136", |result| {
        result["analysis"]["max_plus"]["naive"] = 137.into();
    }),
    ("result.json", "analysis.max_plus.naive is 119, the repeated proof has 120", |result| {
        result["analysis"]["max_plus"]["naive"] = 119.into();
    }),
    ("result.json", "optimum.work_group is 4, the repeated proof has 8", |result| {
        result["optimum"]["work_group"] = 4.into();
    }),
    ("result.json", "problem.size is 32, the repeated proof has 16", |result| result["problem"]["size"] = 32.into()),
    ("result.json", "kernel is \"other\", the repeated proof has \"abstract_kernel\"", |result| {
        result["kernel"] = "other".into();
    }),
    ("result.json", "gpu is \"fermi\", the repeated proof has \"abstract-tiny\"", |result| {
        result["gpu"] = "fermi".into();
    }),
    ("result.json", "near.chosen_by is \"min WG\", the repeated proof has \"the larger work group\"", |result| {
        result["near"]["chosen_by"] = "min WG".into();
    }),
    ("result.json", "near.within[0].parameters[0].matters is false, the repeated proof has true", |result| {
        result["near"]["within"][0]["parameters"][0]["matters"] = false.into();
    }),
    ("result.json", "expected is", |result| {
        let traits = serde_json::json!({"configurations": 9, "groups": 9, "spread": null});
        result["expected"] = serde_json::json!({"value": 0.99, "bound": 0.98, "traits": traits});
    }),
    ("result.json", "searches are not those of the strategy `guess`", |result| {
        result["proof"]["models"][0]["descent"] = serde_json::json!({"improvements": 1, "states": 1, "steps": 1});
    }),
    ("result.json", "proof.models[0].comparison is null, the repeated proof has", |result| {
        result["proof"]["models"][0].as_object_mut().unwrap().remove("comparison");
    }),
];

#[test]
fn a_changed_circumstance_is_found() {
    assert_all_refused(&FORGERIES);
}

/// Another version of SPIN prints and numbers differently: the folder is refused for its version, not as forged.
#[test]
fn a_proof_by_another_spin_or_by_another_version_is_refused_as_such() {
    let kept = Kept::new();
    let good = kept.read("result.json");
    kept.edit(|result| result["proof"]["checker"] = "spin 6.4.9".into());
    let printed = |words: &str| {
        let ended = run(autotune().arg("verify").arg(kept.path("")));
        assert_eq!((ended.status, ended.stdout.as_str()), (1, ""));
        assert!(ended.stderr.contains(words) && !ended.stderr.contains("claims"), "{}", ended.stderr);
    };
    printed("was proved by spin 6.4.9, but this is spin ");
    kept.write("result.json", &good);
    let version = format!("\"version\": \"{}\"", autotune::files::version::KEPT_VERSION);
    kept.replace(MANIFEST, &version, concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\""));
    printed(concat!("was made by autotune ", env!("CARGO_PKG_VERSION"), ", but this is autotune "));
    printed("/inputs/spec.yaml --gpu ");
    kept.replace(MANIFEST, concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\""), "\"version\": \"77.0.1\"");
    printed("was made by autotune 77.0.1, but this is autotune ");
    std::fs::remove_file(kept.path(MANIFEST)).unwrap();
    printed("was made by autotune 0.1.0 or earlier");
}

/// Every file except the result, changed by a line and sealed again.
#[test]
fn a_change_of_any_file_is_found_though_sealed() {
    let kept = Kept::of(&["--no-prune"]);
    for name in kept.hashes().into_keys().filter(|name| name != "result.json") {
        let good = std::fs::read(kept.path(&name)).unwrap();
        let text = String::from_utf8_lossy(&good).into_owned();
        let changed = match name.as_str() {
            "inputs/spec.yaml" => text.replace("count: tiles", "count: tiles + 1"),
            "inputs/profile.yaml" => text.replace("global_memory_ticks: 10", "global_memory_ticks: 11"),
            MANIFEST => text.replace("\"no_prune\": true", "\"no_prune\": false").replace("\"guess\"", "\"bisection\""),
            _ if name.ends_with("search.sh") => text.replace("-w16", "-w17"),
            _ if name.contains("-pan") => text.clone() + "more\n",
            _ => text.replace('4', "5"),
        };
        assert_ne!(changed, text, "{name}");
        std::fs::write(kept.path(&name), changed).unwrap();
        kept.seal();
        // Other inputs have another result.
        let inputs = ["inputs/spec.yaml", "inputs/profile.yaml", MANIFEST];
        kept.assert_refused(if inputs.contains(&name.as_str()) { "result.json" } else { &name }, "");
        std::fs::write(kept.path(&name), good).unwrap();
    }
    kept.seal();
    kept.verify();
}

/// Blank lines, other ends of lines and empty folders are not what a proof leaves.
#[test]
fn blanks_that_a_proof_does_not_leave_are_found_though_sealed() {
    let kept = Kept::of(&["--no-prune"]);
    let output = kept.file(MODEL, "-pan-136.txt");
    let trail = kept.file(&format!("{MODEL}/witnesses"), "04-137-2");
    let labels = format!("{MODEL}/configurations.txt");
    for (file, from, by) in [
        (output.as_str(), "\n", "\n\n"),
        (&output, "\n", "\r\n"),
        (&trail, "\n", "\r\n"),
        (&labels, "\n", "\r\n"),
        (&labels, "WG=8 TS=8\n", "WG=8 TS=8\n\n"),
        (MANIFEST, "\n", "\r\n"),
        (MANIFEST, "{\n", "{\n\n"),
    ] {
        let good = kept.read(file);
        kept.replace(file, from, by);
        kept.seal();
        kept.assert_refused(
            file,
            if file == MANIFEST { "it is not written as autotune writes it" } else { "its line " },
        );
        kept.write(file, &good);
    }
    kept.seal();
    let sums = kept.read(SUMS);
    for (from, by, words) in [
        ("\n", "\r\n", "is not a hash and a file"),
        ("\n", "\n\n", "is not a hash and a file"),
        (sums.lines().next().unwrap(), sums.lines().last().unwrap(), "is there twice, or not in its order"),
    ] {
        kept.replace(SUMS, from, by);
        kept.assert_refused(SUMS, words);
        kept.write(SUMS, &sums);
    }
    kept.write(SUMS, sums.trim_end());
    kept.assert_refused(SUMS, "is not a hash and a file");
    kept.write(SUMS, &sums);
    for empty in ["proof/model-2", "inputs/a/b"] {
        std::fs::create_dir_all(kept.path(empty)).unwrap();
        kept.assert_refused(empty, "it is an empty folder");
        std::fs::remove_dir(kept.path(empty)).unwrap();
    }
}

/// A wrong trail is named, and so is the line that differs.
#[test]
fn a_wrong_trail_is_named() {
    let kept = Kept::of(&["--no-prune"]);
    let witnesses = format!("{MODEL}/witnesses");
    let (one, other) = (kept.file(&witnesses, "04-137-1"), kept.file(&witnesses, "04-137-2"));
    std::fs::copy(kept.path(&one), kept.path(&other)).unwrap();
    kept.seal();
    kept.assert_refused(&other, "the repeated proof has");
}

/// No file is hashed unless all have a size that a proof can have.
#[test]
fn a_folder_that_is_too_large_for_a_proof_is_not_read() {
    let kept = Kept::of(&["--no-prune"]);
    let sparse = |name: &str, gibibytes: u64| {
        std::fs::File::create(kept.path(name)).unwrap().set_len(gibibytes << 30).unwrap();
    };
    sparse("huge", 200);
    kept.assert_refused("huge", "it has more than 1.0 GiB, the largest size of a file of a proof");
    std::fs::remove_file(kept.path("huge")).unwrap();
    for number in 0..5 {
        sparse(&format!("inputs/{number}"), 1);
    }
    kept.assert_refused(".", "it has more than 4.0 GiB, the largest size of a proof");
}

/// Each line of each output is printed again by SPIN, or is a measurement.
#[test]
fn a_line_of_an_output_that_no_rule_explains_is_found_though_sealed() {
    let kept = Kept::of(&["--no-prune"]);
    for (ending, from, by) in [
        ("-pan-136.txt", "errors: 0", "errors: 1"),
        ("-pan-136.txt", "Full statespace search", "Bit statespace search"),
        ("-pan-136.txt", "pan: elapsed time", "pan: out of memory\npan: elapsed time"),
        ("-pan-136.txt", "actual memory usage for states", "actual memory usage for states, all in all"),
        ("-pan-136.txt", "hash table (-w16)", "hash table (-w10)"),
        ("-pan-136.txt", "       10 states, stored", "       11 states, stored"),
        ("-pan_ends-137.txt", "CUT at 0 * 2^30 + 144", "CUT at 0 * 2^30 + 143"),
        ("-pan_ends-137.txt", "configuration 8 CUT", "configuration 8 DONE"),
        ("-pan_ends-none.txt", "+ 848", "+ 847"),
        ("-pan_ends-none.txt", "autotune: configuration 8 DONE at 0 * 2^30 + 848\n", ""),
    ] {
        let file = kept.file(MODEL, ending);
        let good = kept.read(&file);
        kept.replace(&file, from, by);
        kept.seal();
        kept.assert_refused(&file, "");
        kept.write(&file, &good);
    }
    // Measurements belong to the run.
    let file = kept.file(MODEL, "-pan-136.txt");
    kept.replace(&file, "pan: elapsed time 0", "pan: elapsed time 7");
    kept.seal();
    kept.verify();
}

#[test]
fn scripts_and_commands_that_this_program_does_not_write_are_found_though_sealed() {
    let kept = Kept::new();
    for (file, from, by, words) in [
        ("check.sh", "set -eu", "set -u", "it is not the script"),
        ("check.py", "import", "import ", "it is not the script"),
        ("proof/model-1/search.sh", "ticks=136", "ticks=137", "its line 1 is `ticks=137`"),
        ("proof/model-1/search.sh", "-DSAFETY", "-DBITSTATE", "its line 2 is"),
        ("top-2/model-1/search.sh", "-w16", "-w10", "its line 3 is"),
        ("proof/model-1/commands.sh", "-DSAFETY", "-DBITSTATE", "its line 2 is"),
        ("proof/model-1/commands.sh", "-a model.pml", "-a model.pml; rm -r /", "its line 1 is"),
        ("proof/model-1/commands.sh", "spin -a", "/tmp/evil -a", "its line 1 is"),
        ("proof/model-1/search.sh", "\n", "\r\n", "its line 1 is"),
        ("proof/model-1/commands.sh", "AUTOTUNE_MT=136 ", "AUTOTUNE_MT=135 ", "its line 6 is"),
        (
            "proof/model-1/commands.sh",
            "AUTOTUNE_TABLES=tables.txt AUTOTUNE_MT=137 ./pan -w16 -r -S model.pml.trail\n",
            "",
            "its line 5 is",
        ),
    ] {
        let good = kept.read(file);
        kept.replace(file, from, by);
        kept.seal();
        kept.assert_refused(file, words);
        kept.write(file, &good);
    }
    // The memory of a search belongs to the run.
    kept.replace("proof/model-1/commands.sh", "-DMEMLIM=4096", "-DMEMLIM=512");
    kept.seal();
    kept.verify();
}

#[test]
fn a_file_that_is_missing_or_new_is_found_though_sealed() {
    let kept = Kept::new();
    let witnesses = format!("{MODEL}/witnesses");
    let mut names: Vec<String> = kept.hashes().into_keys().filter(|name| name.starts_with(&witnesses)).collect();
    names.push(kept.file("top-2/model-1/witnesses", ".trail"));
    names.push(kept.file(MODEL, "-pan_ends-137.txt"));
    assert!(names.len() > 4, "{names:?}");
    for name in names {
        let good = kept.read(&name);
        std::fs::remove_file(kept.path(&name)).unwrap();
        kept.seal();
        kept.assert_refused(&name, "the proof leaves it, but it is missing");
        kept.write(&name, &good);
    }
    let last = kept.file(&witnesses, "-137-");
    for more in ["proof/model-1/witnesses/09-137-1.trail", "proof/model-1/model.pml2.trail", "inputs/space.json", "x"]
        .into_iter()
        .chain(["proof/model-1/pan", "proof/model-7/pan.c", ".autotune-running"])
    {
        std::fs::create_dir_all(kept.path(more).parent().unwrap()).unwrap();
        std::fs::copy(kept.path(&last), kept.path(more)).unwrap();
        kept.seal();
        kept.assert_refused(more, "the proof does not leave it");
        std::fs::remove_file(kept.path(more)).unwrap();
        // A folder that was made for the file is empty now.
        let _ = std::fs::remove_dir(kept.path(more).parent().unwrap());
    }
    std::fs::remove_dir_all(kept.path("top-2")).unwrap();
    kept.seal();
    kept.assert_refused("top-2/model-1/model.pml", "the proof leaves it, but it is missing");
}

/// A user's own profile is reported as such, under any name.
#[test]
fn a_profile_of_ones_own_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("mine.yaml");
    let text = run(autotune().args(["gpus", "abstract-tiny"])).stdout;
    std::fs::write(&own, text.replace("global_memory_ticks: 10", "global_memory_ticks: 12")).unwrap();
    let kept = Kept { folder };
    let question = ["tuning-specs/abstract_kernel.yaml", "--set", "size=16", "--gpu", own.to_str().unwrap()];
    assert_eq!(run(autotune().args(question).arg("--keep").arg(kept.path("kept"))).status, 0);
    let printed = run(autotune().arg("verify").arg(kept.path("kept")));
    assert!(printed.status == 0 && printed.stdout.contains("the profile is the maker's own"), "{}", printed.stderr);
}

/// A name that occurs twice, an unknown name, other line ends: another reader could read them differently.
#[test]
fn a_result_that_is_not_written_as_results_are_is_refused() {
    let kept = Kept::of(&["--no-prune"]);
    let good = kept.read("result.json");
    for (from, by) in [("\"WG\": 2,", "\"WG\": 999, \"WG\": 2,"), ("{\n", "{\n  \"zzz\": null,\n"), ("\n", "\r\n")] {
        kept.replace("result.json", from, by);
        kept.seal();
        kept.assert_refused("result.json", "it is not written as autotune writes results");
        kept.write("result.json", &good);
    }
    for (from, by, words) in [
        ("\"kendall_tau\": {", "\"kendall_tau\": {\"max_plus_naive\": 0.5,", "duplicate field `max_plus_naive`"),
        ("{\n", "{\n  \"stopped\": \"time\",\n", "it claims that a search was stopped"),
        (
            "\"verdict\"",
            "\"reason\": \"WG=2 is faster\",\n  \"verdict\"",
            "reason is \"WG=2 is faster\", the repeated proof has null",
        ),
    ] {
        kept.replace("result.json", from, by);
        kept.seal();
        kept.assert_refused("result.json", words);
        kept.write("result.json", &good);
    }
}

/// Names in a folder are a stranger's: they are shown, and do nothing to a terminal.
#[test]
fn control_characters_in_names_are_shown_harmlessly() {
    let kept = Kept::of(&["--no-prune"]);
    kept.write("a\u{1b}[2Jb\nc", "x");
    let ended = run(autotune().arg("verify").arg(kept.path("")));
    assert!(ended.status == 1 && !ended.stderr.contains('\u{1b}'), "{}", ended.stderr);
    assert!(ended.stderr.contains("a\\u{1b}[2Jb\\nc: it is not in SHA256SUMS"), "{}", ended.stderr);
}

/// A limit stops the repetition at any point, and never accuses an honest folder.
#[test]
fn a_limit_is_told_as_a_stop_and_never_as_a_difference() {
    let kept = Kept::of(&["--no-check-all"]);
    let repeat = |interrupt_at: usize| {
        let toolchain = Toolchain::find(&ToolPaths::default(), None).unwrap();
        let limits = Limits::default();
        let settings = Settings {
            toolchain,
            limits: limits.clone(),
            memory_mib: 2048,
            cache: None,
            record: None,
            replays_all: true,
        };
        let mut events = 0;
        let repeated = certificate::verify(&kept.path(""), &settings, None, &mut |_| {
            events += 1;
            if events == interrupt_at {
                limits.interrupt.raise();
            }
        });
        (events, repeated)
    };
    let (last, verified) = repeat(usize::MAX);
    assert!(verified.is_ok(), "{verified:?}");
    for event in 1..=last {
        let (_, stopped) = repeat(event);
        assert!(matches!(stopped, Err(CertificateError::Stopped(_))), "{event}: {stopped:?}");
    }
}
