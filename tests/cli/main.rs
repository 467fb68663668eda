//! The command line as users meet it, with real SPIN and with tools that fail.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod adversary;
mod agreement;
mod as_they_lie;
mod bodies;
mod cached;
mod comments;
mod compare;
mod compiled;
mod completions;
mod cooperative;
mod depfile;
mod diff;
mod edge_groups;
mod ending;
mod evaluate;
mod exports;
mod extract;
mod failures;
mod findings;
mod first_screen;
mod fits;
mod fleet;
mod fleet_forms;
mod full_disk;
mod given;
mod gpus;
mod graph;
mod groups;
mod hostile;
mod hosts;
mod in_schema;
mod inspect;
mod integrations;
mod joined;
mod known_numbers;
mod l2;
mod large;
mod launches;
mod limits;
mod manners;
mod matrix_units;
mod mcp;
mod measure;
mod measured;
mod messages;
mod mistakes;
mod mutants;
mod named;
mod narrow;
mod near;
mod next;
mod only_configuration;
mod orders;
mod outputs;
mod package;
mod pages;
mod papers;
mod planted;
mod plots;
mod predictions;
mod ptx;
mod raced;
mod random_kernels;
mod readme;
mod refused;
mod registers;
mod rows;
mod sensitivity;
mod small_fleets;
mod sources;
#[cfg(standstill)]
mod standstill;
mod strangers;
mod suggest;
mod table;
mod table_bounds;
mod told;
mod trace_costs;
mod triton;
mod triton_calls;
mod unknown;
mod variants;
mod verify;
mod versions;
#[path = "../shared/waiting.rs"]
mod waiting;
mod without_spin;
mod work_items;
mod zig;

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::LazyLock;

use assert_cmd::Command;
use serde_json::Value;
use waiting::wait_until;

/// The command, in the project's folder.
fn autotune() -> Command {
    let mut command = Command::cargo_bin("autotune").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("AUTOTUNE_SPIN").env_remove("AUTOTUNE_CC");
    command.envs(isolated());
    command
}

/// The command as a process to which signals are sent, in a folder; both of its outputs are kept.
fn process(folder: &Path) -> std::process::Command {
    let mut process = std::process::Command::new(assert_cmd::cargo::cargo_bin("autotune"));
    process.current_dir(folder).envs(isolated());
    process.stdout(Stdio::piped()).stderr(Stdio::piped());
    process
}

/// A search path that begins with the folder of `autotune`.
fn path_with_autotune() -> String {
    let binary = assert_cmd::cargo::cargo_bin("autotune");
    format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap())
}

/// The folders of this run of the tests that stand for the user's.
static HOME: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("home-of-cli-tests");
    let _ = std::fs::remove_dir_all(&folder);
    folder
});

/// The variables that keep a command away from the user's cache, key and defaults.
fn isolated() -> [(&'static str, PathBuf); 4] {
    [
        ("XDG_CACHE_HOME", HOME.join("cache")),
        ("XDG_STATE_HOME", HOME.join("state")),
        ("AUTOTUNE_CONFIG", PathBuf::new()),
        // It answers as Triton has answered.
        ("AUTOTUNE_PYTHON", Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/triton/python")),
    ]
}

/// The abstract kernel on an abstract GPU: a proof in a moment.
const SMALL: [&str; 5] = ["tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny", "--set", "size=16"];

/// The exit status, standard output and standard error of a run.
struct Ended {
    status: i32,
    stdout: String,
    stderr: String,
}

fn run(command: &mut Command) -> Ended {
    ended(command.output().unwrap())
}

fn ended(output: Output) -> Ended {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ended { status: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The JSON object on standard output, checked against its schema.
fn json(ended: &Ended, schema: &str) -> Value {
    let value: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}", ended.stdout));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(schema);
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&value).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    value
}

/// The ticks of the only configuration of a question, as `evaluate` prints them. JSON would say besides what to change, for
/// which its neighbours are compiled.
fn evaluated_ticks(question: &[&str]) -> u64 {
    let printed = run(autotune().arg("evaluate").args(question)).stdout;
    let mut cells = printed.lines().last().unwrap_or_default().split("  ").filter(|cell| !cell.is_empty());
    let ticks = cells.nth(1).and_then(|ticks| ticks.trim().replace(',', "").parse().ok());
    ticks.unwrap_or_else(|| panic!("{printed}"))
}

/// An executable script in a folder.
fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}
