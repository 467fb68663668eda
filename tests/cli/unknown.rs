//! Configurations of which nothing is known: a limit, a signal or a full disk ended the compiler or the execution, and no
//! rule refuses them. Beside them, nothing is proved.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Ended, autotune, json, run, script};

/// A kernel with three tiles, of which 4 is the fastest. The compiler refuses 8.
const KERNEL: &str = "\
#if TS == 8
#error no tile of 8
#endif
__kernel void k(__global const float *a, __global float *b) {
    float s = 0;
    for (int i = 0; i < 64 / TS; ++i) s += a[get_global_id(0) + i * 4096];
    b[get_global_id(0)] = s;
}
";

const SPEC: &str = "\
kernel: k
problem: { n: 4096 }
parameters: { WG: { values: [64] }, TS: { values: [1, 2, 4, 8] } }
launch: { work_items: n, work_group: WG }
source: { file: k.cl }
";

/// A folder with a kernel, its spec, and a clang that does something else instead of compiling a tile of 4, as long as the
/// file `lie` says so.
struct Case {
    folder: TempDir,
}

impl Case {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("k.cl"), KERNEL).unwrap();
        fs::write(folder.path().join("k.yaml"), SPEC).unwrap();
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The compiler; `says` are the shell's commands in place of a compilation whose arguments match `form`.
    fn clang(&self, form: &str, says: &str) -> PathBuf {
        let text = format!(
            "#!/bin/sh\n\
             if [ -e '{}' ] && grep -qs '^#define TS 4$' autotune_source.* */autotune_source.*; then\n\
             case \"$*\" in {form}) {says};; esac\n\
             fi\n\
             exec clang-14 \"$@\"\n",
            self.path().join("lie").display()
        );
        fs::write(self.path().join("lie"), "").unwrap();
        script(self.path(), "clang", &text)
    }

    fn ask(&self, clang: &Path, arguments: &[&str]) -> Ended {
        let spec = self.path().join("k.yaml");
        let mut command = autotune();
        command.env("AUTOTUNE_CLANG", clang).env("XDG_CACHE_HOME", self.path().join("cache"));
        run(command.arg(&spec).args(["--no-cost", "--source-limit", "2s"]).args(arguments))
    }
}

fn status_of(report: &Value, tile: u64) -> &Value {
    let listed = report["configurations"].as_array().unwrap();
    &listed.iter().find(|one| one["parameters"]["TS"] == tile).unwrap()["status"]
}

/// Whatever ended the compiler, the answer is an interval that names the configuration and the constraint that leaves it
/// out. The same question is proved when the compiler works again: nothing was cached.
#[test]
fn what_ends_a_compiler_is_not_a_refusal() {
    let case = Case::new();
    let ends = [
        ("kill -STOP $$", "it had not ended after 6s on a busy machine"),
        // On a busy machine, the wall clock may go further than three times the processor's.
        ("while :; do :; done", ""),
        ("kill -KILL $$", "it was killed by signal 9"),
        ("echo 'clang: error: unable to execute command: Killed' >&2; exit 254", "it ended with exit status 254"),
        ("echo 'LLVM ERROR: out of memory' >&2; exit 134", "it needs more than 2.0 GiB of memory"),
        (
            "echo 'fatal error: error in backend: IO failure on output stream: No space left on device' >&2; exit 1",
            "it prints `fatal error: error in backend: IO failure on output stream: No space left on device`",
        ),
        ("echo 'PLEASE submit a bug report to us' >&2; exit 139", "it ended with exit status 139"),
    ];
    for (says, reason) in ends {
        let clang = case.clang("*-O2*", says);
        let ended = case.ask(&clang, &["--gpu", "volta", "--format", "json"]);
        assert_eq!(ended.status, 3, "{says}: {}{}", ended.stdout, ended.stderr);
        let report = json(&ended, "result.json");
        assert_eq!(report["verdict"], "best_effort", "{says}");
        assert_eq!((&report["stopped"], &report["interval"]["lower"]), (&json!("source"), &json!(0)), "{says}");
        assert_eq!(report["best_known"]["parameters"]["TS"], 2, "{says}");
        assert_eq!(report["unknown"]["configurations"], 1, "{says}");
        assert_eq!(report["unknown"]["leave_out"], json!(["TS != 4"]), "{says}");
        let listed = &report["unknown"]["listed"][0];
        assert_eq!(listed["parameters"], json!({ "WG": 64, "TS": 4 }), "{says}");
        assert!(listed["reason"].as_str().unwrap().contains(reason), "{says}: {listed}");
        assert_eq!((status_of(&report, 4), status_of(&report, 8)), (&json!("unknown"), &json!("infeasible")), "{says}");
        fs::remove_file(case.path().join("lie")).unwrap();
        let honest = json(&case.ask(&clang, &["--gpu", "volta", "--format", "json"]), "result.json");
        assert_eq!(
            (&honest["verdict"], &honest["optimum"]["parameters"]["TS"]),
            (&json!("proved"), &json!(4)),
            "{says}"
        );
        fs::remove_dir_all(case.path().join("cache")).unwrap();
    }
}

/// The text names the configuration and the constraint; with the constraint, the rest is proved.
#[test]
fn the_constraint_that_is_named_leaves_a_proof() {
    let case = Case::new();
    let clang = case.clang("*-O2*", "kill -KILL $$");
    let ended = case.ask(&clang, &["--gpu", "volta"]);
    assert_eq!(ended.status, 3, "{}", ended.stderr);
    for line in [
        "NOT PROVED, stopped by source: 1 of 4 configurations is not known\n",
        "not known WG=64 TS=4: clang did not finish: it was killed by signal 9\n",
        "help      give each configuration more time with `--source-limit`, or leave them out with the constraint `TS != 4`\n",
    ] {
        assert!(ended.stdout.contains(line), "{line}{}", ended.stdout);
    }
    fs::write(case.path().join("k.yaml"), format!("{SPEC}constraints: [ TS != 4 ]\n")).unwrap();
    let ended = case.ask(&clang, &["--gpu", "volta"]);
    assert!(
        ended.status == 0 && ended.stdout.contains("WG=64 TS=2, work group 64"),
        "{}{}",
        ended.stdout,
        ended.stderr
    );
}

/// AMD's back end, once stopped, does not make the registers of all configurations an estimate.
#[test]
fn a_back_end_that_is_stopped_is_not_a_back_end_that_crashes() {
    let case = Case::new();
    let clang = case.clang("*-emit-llvm*) ;; *-O2*", "kill -KILL $$");
    let report = json(&case.ask(&clang, &["--gpu", "mi50", "--format", "json"]), "result.json");
    assert_eq!((&report["verdict"], &report["unknown"]["configurations"]), (&json!("best_effort"), &json!(1)));
}

/// Commands that answer for the whole space say what they do not know.
#[test]
fn other_commands_do_not_leave_out_what_is_not_known() {
    let case = Case::new();
    let clang = case.clang("*-O2*", "kill -KILL $$");
    let asked = |arguments: &[&str]| {
        let spec = case.path().join("k.yaml");
        let mut command = autotune();
        command.env("AUTOTUNE_CLANG", &clang).env("XDG_CACHE_HOME", case.path().join("cache"));
        run(command.arg(arguments[0]).arg(&spec).args(["--gpu", "volta"]).args(&arguments[1..]))
    };
    let evaluated = asked(&["evaluate", "--format", "json"]);
    let report = json(&evaluated, "evaluation.json");
    assert_eq!(evaluated.status, 3);
    let unknown: Vec<&Value> =
        report["configurations"].as_array().unwrap().iter().filter(|one| one.get("unknown").is_some()).collect();
    assert_eq!(unknown.len(), 1);
    assert_eq!((&unknown[0]["parameters"]["TS"], &unknown[0]["ticks"]), (&json!(4), &Value::Null));
    assert!(unknown[0].get("reason").is_none(), "a reason is a rule that a configuration breaks");
    for command in ["graph", "suggest"] {
        let ended = asked(&[command]);
        assert_eq!(ended.status, 3, "{command}: {}", ended.stderr);
        assert!(ended.stderr.contains("1 configuration is not known, WG=64 TS=4: "), "{command}: {}", ended.stderr);
        assert!(ended.stderr.contains("`TS != 4`"), "{command}: {}", ended.stderr);
    }
}

/// An execution on paper that does not end in time is not known either.
#[test]
fn an_execution_that_is_stopped_is_not_known() {
    let case = Case::new();
    let kernel = "__kernel void k(__global float *b) {\n    unsigned x = get_global_id(0);\n    \
                  for (unsigned i = 0; i < ROUNDS; ++i) { x = x * 1664525u + i * i; if (x % 7 == 3) b[get_global_id(0)] = i; }\n    b[get_global_id(0)] = x;\n}\n";
    fs::write(case.path().join("k.cl"), kernel).unwrap();
    let spec = SPEC.replace("TS: { values: [1, 2, 4, 8] }", "ROUNDS: { values: [2, 4000000] }");
    fs::write(case.path().join("k.yaml"), spec).unwrap();
    let report = json(&case.ask(Path::new("clang-14"), &["--gpu", "volta", "--format", "json"]), "result.json");
    assert_eq!(report["verdict"], "best_effort");
    let listed = &report["unknown"]["listed"][0];
    assert_eq!(listed["parameters"]["ROUNDS"], 4_000_000);
    let reason = listed["reason"].as_str().unwrap();
    assert!(reason.contains("k.cl:3:") && reason.contains("this loop was walked and not finished"), "{listed}");
}

/// Compilations that are stopped from outside stand still until the wall clock ends them.
#[test]
fn compilations_that_stand_still_on_a_loaded_machine_prove_nothing() {
    let case = Case::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adversary/slow_compiler.py");
    let mut command = std::process::Command::new("python3");
    command.arg(script).arg("TS 4").arg(assert_cmd::cargo::cargo_bin("autotune")).arg(case.path().join("k.yaml"));
    command.args(["--gpu", "volta", "--source-limit", "2s", "--no-cost", "--clang", "clang-14"]);
    command.envs(super::isolated()).env("XDG_CACHE_HOME", case.path().join("cache"));
    let ended = super::ended(command.output().unwrap());
    assert_eq!(ended.status, 0, "no compilation was stopped: {}{}", ended.stdout, ended.stderr);
    assert!(!ended.stdout.contains("proved,") && ended.stdout.contains("\nstatus 3, "), "{}", ended.stdout);
    assert!(!ended.stdout.contains("\nstatus 3, 0 of "), "{}", ended.stdout);
    assert!(ended.stdout.contains("not known WG=64 TS=4"), "{}", ended.stdout);
}

/// Configurations that were compiled by the same process are compiled again alone, so that one that is not known leaves
/// the others known, refused or not.
#[test]
fn what_shares_a_process_with_what_is_not_known_is_known() {
    let case = Case::new();
    let log = case.path().join("log");
    let clang = case.clang("*-O2*", &format!("echo \"$1\" >>{}; kill -KILL $$", log.display()));
    fs::write(case.path().join("k.yaml"), SPEC.replace("[1, 2, 4, 8]", "[1, 2, 4, 8, 16, 32, 64]")).unwrap();
    let mut command = autotune();
    command.env("AUTOTUNE_CLANG", clang).env("XDG_CACHE_HOME", case.path().join("cache")).env("RAYON_NUM_THREADS", "1");
    let spec = case.path().join("k.yaml");
    let report =
        json(&run(command.arg("evaluate").arg(spec).args(["--gpu", "volta", "--format", "json"])), "evaluation.json");
    assert_eq!(fs::read_to_string(log).unwrap(), "-cc1\n-O2\n", "together, then alone");
    let listed = report["configurations"].as_array().unwrap();
    let with = |key: &str| {
        let with = listed.iter().filter(|one| one.get(key).is_some_and(|value| !value.is_null()));
        with.map(|one| one["parameters"]["TS"].as_u64().unwrap()).collect::<BTreeSet<_>>()
    };
    assert_eq!(with("unknown"), [4].into());
    assert_eq!(with("reason"), [8].into());
    assert_eq!(with("ticks"), [1, 2, 16, 32, 64].into());
}

/// A compilation that does not finish is not tried again in the same run, whoever asks: warnings, survey or report.
#[test]
fn what_did_not_finish_is_compiled_once() {
    let case = Case::new();
    let log = case.path().join("log");
    let clang = case.clang("*-O2*", &format!("echo x >>{}; kill -KILL $$", log.display()));
    fs::write(case.path().join("k.yaml"), SPEC.replace("[1, 2, 4, 8]", "[4, 2]")).unwrap();
    let ended = case.ask(&clang, &["--gpu", "volta"]);
    assert_eq!(ended.status, 3, "{}", ended.stderr);
    assert_eq!(fs::read_to_string(log).unwrap(), "x\n");
}

/// The error says why nothing at all is known, with the status of a limit.
#[test]
fn a_source_of_which_nothing_is_known_is_an_error() {
    let case = Case::new();
    let clang = case.clang("*-O2*", "kill -KILL $$");
    fs::write(case.path().join("k.yaml"), SPEC.replace("[1, 2, 4, 8]", "[4, 8]")).unwrap();
    let ended = case.ask(&clang, &["--gpu", "volta"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (3, ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("clang did not finish with TS=4 WG=64"), "{}", ended.stderr);
}
