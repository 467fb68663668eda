//! Each class of failure, provoked for real: exit status, nothing on standard output, and helpful words.

use super::*;

pub(super) fn assert_fails(command: &mut Command, status: i32, words: &[&str]) {
    let ended = run(command);
    assert_eq!((ended.status, ended.stdout.as_str()), (status, ""), "{}", ended.stderr);
    for word in words {
        assert!(ended.stderr.contains(word), "no `{word}` in: {}", ended.stderr);
    }
}

/// A compiler whose every output is this script.
fn compiler(folder: &Path, pan: &str) -> PathBuf {
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo fake; exit; }}\nwhile [ \"$1\" != -o ]; do shift; done\n\
         cat > \"$2\" <<'PAN'\n#!/bin/sh\n{pan}\nPAN\nchmod +x \"$2\"\n"
    );
    script(folder, "fake-cc", &text)
}

#[test]
fn a_missing_spin_is_named_with_advice() {
    let words = ["cannot find SPIN", "/nowhere/spin", "apt-get install spin", "AUTOTUNE_SPIN"];
    assert_fails(autotune().args(SMALL).env("AUTOTUNE_SPIN", "/nowhere/spin"), 1, &words);
    let doctor = run(autotune().arg("doctor").env("AUTOTUNE_SPIN", "/nowhere/spin"));
    assert!(doctor.status == 1 && doctor.stdout.contains("MISSING"));
}

#[test]
fn another_program_is_not_taken_for_spin() {
    assert_fails(autotune().args(SMALL).env("AUTOTUNE_SPIN", "/bin/echo"), 1, &["/bin/echo", "is not SPIN"]);
}

#[test]
fn a_missing_compiler_is_named_with_advice() {
    assert_fails(autotune().args(SMALL).env("AUTOTUNE_CC", "/nowhere/cc"), 1, &["a C compiler", "apt-get install gcc"]);
}

#[test]
fn a_failing_compiler_shows_what_it_said() {
    let folder = tempfile::tempdir().unwrap();
    let cc = script(folder.path(), "cc", "#!/bin/sh\n[ \"$1\" = --version ] || { echo no space left >&2; exit 7; }\n");
    assert_fails(
        autotune().args(SMALL).env("AUTOTUNE_CC", cc),
        1,
        &["no space left", "exit status 7", "-DSAFETY", "autotune doctor"],
    );
}

#[test]
fn a_program_that_is_no_compiler_is_told_with_what_was_run() {
    let words = ["`/bin/false --version`", "exit status 1", "help: run `autotune doctor`"];
    assert_fails(autotune().args(SMALL).env("AUTOTUNE_CC", "/bin/false"), 1, &words);
    let doctor = run(autotune().arg("doctor").env("AUTOTUNE_CC", "/bin/false"));
    assert!(doctor.status == 1 && doctor.stdout.contains("MISSING  cannot use a C compiler"), "{}", doctor.stdout);
}

#[test]
fn a_killed_pan_is_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let cc = compiler(folder.path(), "kill -9 $$");
    assert_fails(autotune().args(SMALL).env("AUTOTUNE_CC", cc), 1, &["was killed by signal 9", "not understood"]);
}

#[test]
fn a_tampered_output_is_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let proof = include_str!("../data/pan/exhausted.txt");
    for (what, by) in [("errors: 0", "errors: -0"), ("(optimum)", "(p)"), ("Full statespace", "Partial statespace")] {
        let lie = proof.replace(what, by);
        let cc = compiler(folder.path(), &format!("cat <<'OUT'\n{lie}\nOUT"));
        let ended = run(autotune().args(SMALL).env("AUTOTUNE_CC", cc));
        assert!(!ended.stdout.contains(", proved"), "{}", ended.stdout);
        assert!(ended.status == 1 || ended.status == 3, "{what}: status {}", ended.status);
    }
}

/// A compiler whose searches run and then lie: `lie` finds their output in `$output`.
fn lying_compiler(folder: &Path, lie: &str) -> PathBuf {
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo fake; exit; }}\ntcc \"$@\" || exit\nwhile [ \"$1\" != -o ]; do shift; done\n\
         mv \"$2\" \"$2.real\"\ncat > \"$2\" <<'PAN'\n#!/bin/sh\noutput=$(\"$0.real\" \"$@\" 2>/dev/null)\n{lie}\nPAN\n\
         chmod +x \"$2\"\n"
    );
    script(folder, "lying-cc", &text)
}

const TELL: &str = "printf '%s\\n' \"$output\"";

/// Pan's text is right, but its exit status or its counts are not.
#[test]
fn a_search_that_failed_or_did_not_run_all_is_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let counted = |from: &str, to: &str| format!("{TELL} | sed -E 's/{from}/{to}/'");
    let states = counted("^ *[0-9]+ states, stored", "        0 states, stored");
    let few = counted("^ *10 states, stored", "        8 states, stored");
    for (lie, words) in [
        (TELL.to_owned(), ""),
        (format!("{TELL}; kill -9 $$"), "was killed by signal 9"),
        (
            format!("{TELL}; exit 1"),
            "ended with exit status 1, is not understood: it contradicts itself: it failed after",
        ),
        (counted("depth reached [0-9]+", "depth reached 0"), "it reached no depth"),
        (states, "it stored 0 states"),
        (few, "it stored 8 states, although its model has 9 configurations"),
        (counted("CUT at (.*) 144$", "CUT at \\1 136"), "was cut at 136 ticks, before MT = 137"),
        (counted("CUT at (.*) 144$", "CUT at \\1 900"), "was cut at 900 ticks, although it ends at 232"),
        (counted("DONE at (.*) 848$", "DONE at \\1 849"), "takes 848 ticks by the evaluator and 849 by the checker"),
    ] {
        let cc = lying_compiler(folder.path(), &lie);
        let ended = run(autotune().args(SMALL).args(["--no-prune", "--no-cache"]).env("AUTOTUNE_CC", &cc));
        if words.is_empty() {
            assert!(ended.status == 0 && ended.stdout.contains(", proved"), "{}", ended.stderr);
            continue;
        }
        assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "{lie}: {}", ended.stderr);
        assert!(ended.stderr.contains(words), "no `{words}` in {}", ended.stderr);
    }
}

/// One guard of the model is changed: all configurations but one are cut as soon as they begin.
#[test]
fn a_model_that_cuts_runs_early_is_never_a_proof() {
    let folder = tempfile::tempdir().unwrap();
    let spin = script(
        folder.path(),
        "spin",
        "#!/bin/sh\n[ \"$1\" = -V ] || sed -i 's/:: cut ->/:: cut || configuration > 0 ->/' model.pml\nexec spin \"$@\"\n",
    );
    for strategy in ["guess", "branch-and-bound", "bisection"] {
        let ended =
            run(autotune().args(SMALL).args(["--no-cache", "--strategy", strategy]).env("AUTOTUNE_SPIN", &spin));
        assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "{strategy}: {}", ended.stderr);
    }
}

/// A pan that always prints "no error": the guess then has no counterexample, which contradicts it.
#[test]
fn a_pan_that_finds_nothing_is_no_proof() {
    let folder = tempfile::tempdir().unwrap();
    let cc = compiler(folder.path(), &format!("cat <<'OUT'\n{}\nOUT", include_str!("../data/pan/exhausted.txt")));
    assert_fails(autotune().args(SMALL).env("AUTOTUNE_CC", cc), 1, &["136", "no run of the model ends by then"]);
}

#[test]
fn unusable_input_is_2_and_says_where() {
    assert_fails(autotune().args(["tuning-specs/none.yaml", "--gpu", "fermi"]), 2, &["tuning-specs/none.yaml"]);
    assert_fails(autotune().args(["tuning-specs/abstract_kernel.yaml", "--gpu", "ferni"]), 2, &["ferni", "`fermi`"]);
    assert_fails(autotune().args(SMALL).args(["--set", "sise=4"]), 2, &["sise", "`size`"]);
    assert_fails(autotune().args(SMALL).args(["--set", "size=32"]), 2, &["`size` is given twice", "keep one"]);
    assert_fails(autotune().args(SMALL).args(["--config", "WG=3,TS=4"]), 2, &["3", "WG", "2 and 4"]);
    assert_fails(autotune().args(SMALL).args(["--memory", "lots"]), 2, &["lots"]);
    assert_fails(autotune().args(SMALL).arg("--fast"), 2, &["--fast"]);
    let elements = ["--granularity", "element", "--form", "wave"];
    assert_fails(
        autotune().args(SMALL).args(elements),
        2,
        &["`element` does not have the form `wave`", "`--granularity warp`"],
    );
    assert_fails(autotune().args(["--top", "3"]), 2, &["SPEC"]);
}

#[test]
fn a_wrong_spec_is_shown_with_line_column_and_caret() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("wrong.yaml");
    let text = std::fs::read_to_string("tuning-specs/abstract_kernel.yaml").unwrap();
    std::fs::write(&spec, text.replace("size % WG == 0", "size % (WG - 2) == 0")).unwrap();
    let line = text.lines().position(|line| line.contains("size % WG == 0")).unwrap() + 1;
    let place = format!("wrong.yaml:{line}:");
    let spec = spec.to_str().unwrap();
    assert_fails(autotune().args([spec, "--gpu", "abstract-tiny"]), 2, &[&place, "division by zero", "WG = 2", "^"]);
}

/// Text of a spec must reach neither the model nor a shell: only checked names and numbers do.
#[test]
fn no_string_field_of_a_spec_or_profile_reaches_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let spec = std::fs::read_to_string("tuning-specs/abstract_kernel.yaml").unwrap();
    let evil = "x */ init { assert(false) } /* $(touch pwned) `touch pwned` ; \\\"";
    let quoted = format!("'{}'", evil.replace('\'', "''"));
    let path = folder.path().join("evil.yaml");
    let mut accepted = 0;
    for (field, by) in [
        ("kernel: abstract_kernel", format!("kernel: {quoted}")),
        ("description: one-dimensional tiled kernel", format!("description: {quoted}")),
        ("array: N_g", format!("array: {quoted}")),
        ("  WG: {", format!("  {quoted}: {{")),
        ("  size: 1024", format!("  {quoted}: 1024")),
        ("  tiles: size / TS", format!("  {quoted}: size / TS")),
        ("size % WG == 0", quoted.clone()),
        ("count: tiles", format!("count: {quoted}")),
    ] {
        assert!(spec.contains(field), "{field}");
        std::fs::write(&path, spec.replacen(field, &by, 1)).unwrap();
        let ended = run(autotune()
            .args(["model", path.to_str().unwrap(), "--gpu", "abstract-tiny", "--set", "size=16"])
            .current_dir(folder.path()));
        assert!(!ended.stdout.contains("pwned") && !ended.stdout.contains("assert(false)"), "{field}");
        accepted += u32::from(ended.status == 0);
    }
    // A description is for people and may be anything; it is the only field that may.
    assert_eq!(accepted, 1);
    let profile = run(autotune().args(["gpus", "abstract-tiny"])).stdout;
    let gpu = folder.path().join("evil-gpu.yaml");
    std::fs::write(&gpu, profile.replace("name: abstract-tiny", &format!("name: {quoted}"))).unwrap();
    assert_fails(
        autotune().args(["model", "tuning-specs/abstract_kernel.yaml", "--gpu", gpu.to_str().unwrap()]),
        2,
        &["evil-gpu.yaml"],
    );
    assert!(!folder.path().join("pwned").exists());
}

/// Zig compiles the search and is SPIN's preprocessor, if there is no other compiler: here a program of its name that hands
/// its arguments on to gcc. Its first compilation is announced.
#[test]
fn zig_compiles_where_there_is_no_other_compiler() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let package = at.join("own/lib/python3.11/site-packages/ziglang");
    std::fs::create_dir_all(&package).unwrap();
    std::fs::create_dir_all(at.join("own/bin")).unwrap();
    std::fs::create_dir(at.join("path")).unwrap();
    let python = script(&at.join("own/bin"), "python", "#!/bin/sh\nexit 1\n");
    let gcc = which::which("gcc").unwrap();
    let text = format!("#!/bin/sh\necho \"$@\" >>{}/told\nshift\nexec {} \"$@\"\n", at.display(), gcc.display());
    script(&package, "zig", &text);
    for name in ["sh", "spin", "as", "ld"] {
        std::os::unix::fs::symlink(which::which(name).unwrap(), at.join("path").join(name)).unwrap();
    }
    let proves = || {
        let mut command = autotune();
        command.args(SMALL).arg("--no-cache").env("PATH", at.join("path")).env("AUTOTUNE_PYTHON", &python);
        let ended = run(command.env("XDG_CACHE_HOME", at.join("cache")));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        ended.stderr
    };
    assert!(proves().contains("Zig's, which builds its C library before its first compilation"));
    let told = std::fs::read_to_string(at.join("told")).unwrap();
    assert!(told.contains("cc -fno-sanitize=undefined -E -x c") && told.contains("-o pan pan.c"), "{told}");
    std::fs::create_dir_all(at.join("cache/zig/o")).unwrap();
    assert!(!proves().contains("Zig"), "Zig has compiled before");
    let doctor = run(autotune().arg("doctor").env("PATH", at.join("path")).env("AUTOTUNE_PYTHON", &python));
    assert!(doctor.stdout.contains("site-packages/ziglang/zig"), "{}{}", doctor.stdout, doctor.stderr);
}
