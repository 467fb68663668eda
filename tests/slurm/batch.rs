//! A batch of these tests: a job list, tools that wait at a gate, and the remains of runs.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use super::cluster::CLUSTER;
use super::wait_until;

/// SPIN waits before it makes a checker, while the gate is shut. A file says which task of the array waits.
const SPIN: &str = r#"#!/bin/sh
if [ "$1" = -a ] && [ -e FOLDER/shut ]; then
    : > "FOLDER/waits-$SLURM_ARRAY_TASK_ID"
    while [ -e FOLDER/shut ]; do sleep 0.05; done
fi
exec spin "$@"
"#;

/// The compiler's checkers note their searches. While the gate is shut, they wait before all searches but a job's
/// first.
const COMPILER: &str = r#"#!/bin/sh
[ "$1" = --version ] && exec gcc --version
gcc "$@" || exit
while [ "$1" != -o ]; do shift; done
real=$(mktemp FOLDER/pan-XXXXXX) && mv "$2" "$real"
cat > "$2" <<END
#!/bin/sh
if grep -qs searched FOLDER/out/slurm/job-0.jsonl; then while [ -e FOLDER/shut ]; do sleep 0.05; done; fi
echo "\$(cksum < model.pml) \$AUTOTUNE_MT \$0 \$*" >> FOLDER/searches
exec $real "\$@"
END
chmod +x "$2"
"#;

/// Three questions that are proved in a moment, one that cannot be answered, and one with another limit.
pub(super) const JOBS: &str = "\
jobs:
  - specs: [SPECS/abstract_kernel.yaml, nowhere.yaml]
    gpus: [abstract-tiny]
    set: { size: [16, 32, 64] }
  - specs: [SPECS/matmul_tiled.yaml]
    gpus: [fermi]
    set: { size: 256 }
    limits: { time: 5m, memory: 1GiB }
";

/// One question, with several searches.
pub(super) const ONE: &str =
    "jobs: [{ specs: [SPECS/abstract_kernel.yaml], gpus: [abstract-tiny], set: { size: 16 } }]\n";

pub(super) struct Batch {
    folder: TempDir,
}

/// A batch that runs.
pub(super) struct Running {
    child: Child,
    stderr: PathBuf,
}

/// The output of a run that has ended.
pub(super) struct Ended {
    pub(super) status: i32,
    pub(super) stderr: String,
}

impl Batch {
    pub(super) fn new(jobs: &str) -> Self {
        let batch = Self { folder: tempfile::tempdir().unwrap() };
        let specs = concat!(env!("CARGO_MANIFEST_DIR"), "/tuning-specs");
        std::fs::write(batch.path("jobs.yaml"), jobs.replace("SPECS", specs)).unwrap();
        for (name, text) in [("spin", SPIN), ("cc", COMPILER)] {
            batch.script(name, text);
        }
        batch
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// An executable script in the batch's folder.
    pub(super) fn script(&self, name: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.path(name);
        std::fs::write(&path, text.replace("FOLDER", &self.folder.path().display().to_string())).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub(super) fn shut(&self) {
        std::fs::write(self.path("shut"), "").unwrap();
    }

    pub(super) fn open(&self) {
        let _ = std::fs::remove_file(self.path("shut"));
    }

    /// The command, called in the batch's folder.
    pub(super) fn command(&self, out: &str, options: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("autotune"));
        command.args(["batch", "jobs.yaml", "--no-cache", "--out", out]).args(options).current_dir(self.folder.path());
        command.env_remove("AUTOTUNE_SPIN").env_remove("AUTOTUNE_CC").env("SLURM_CONF", CLUSTER.conf());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// The results of the batch without a cluster.
    pub(super) fn local(&self) -> String {
        let ended = ended(self.command("local", &[]));
        assert!(self.path("local/results.json").exists(), "{}", ended.stderr);
        self.results("local")
    }

    pub(super) fn results(&self, out: &str) -> String {
        std::fs::read_to_string(self.path(out).join("results.json")).unwrap()
    }

    /// The lines of a journal.
    pub(super) fn journal(&self, out: &str) -> Vec<Value> {
        lines(&self.path(out).join("journal.jsonl"))
    }

    /// The events of a journal.
    pub(super) fn events(&self, out: &str) -> Vec<String> {
        self.journal(out).iter().map(|line| line["event"].as_str().unwrap().to_owned()).collect()
    }

    /// Runs the batch on the cluster to its end.
    pub(super) fn on_cluster(&self, options: &[&str]) -> Ended {
        ended(self.command("out", &[&["--executor", "slurm"], options].concat()))
    }

    /// Begins the batch on the cluster, with tools that wait at the gate.
    pub(super) fn begin(&self, options: &[&str], tool: (&str, &str)) -> Running {
        let stderr = self.path("stderr");
        let mut command = self.command("out", &[&["--executor", "slurm"], options].concat());
        command.env(tool.0, self.path(tool.1)).stderr(std::fs::File::create(&stderr).unwrap());
        Running { child: command.spawn().unwrap(), stderr }
    }

    /// The searches that checkers were asked for: model, bound and options.
    pub(super) fn searches(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path("searches")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Waits until a task of the array stands at the gate before its checker. Slurm calls a task running before its node has
    /// started it, and loses a signal that comes between.
    pub(super) fn wait_at_gate(&self, task: usize) {
        wait_until("the task waits", || self.path(&format!("waits-{task}")).exists());
    }

    /// Waits until the first job's task has noted a search.
    pub(super) fn wait_for_a_search(&self) {
        let noted = |line: &Value| line["event"] == "searched";
        wait_until("a search is noted", || lines(&self.path("out/slurm/job-0.jsonl")).iter().any(noted));
    }
}

/// The gate before a checker is made, and the one before all searches but the first.
pub(super) const BEFORE_CHECKER: (&str, &str) = ("AUTOTUNE_SPIN", "spin");
pub(super) const AFTER_SEARCH: (&str, &str) = ("AUTOTUNE_CC", "cc");

impl Running {
    pub(super) fn told(&self) -> String {
        std::fs::read_to_string(&self.stderr).unwrap()
    }

    /// Waits until the batch has printed a text.
    pub(super) fn wait_for(&self, text: &str) {
        wait_until(text, || self.told().contains(text));
    }

    /// The number of the first array that the batch has submitted or found.
    pub(super) fn array(&self) -> String {
        self.wait_for("array ");
        let told = self.told();
        let number = told.split("array ").nth(1).unwrap().split([':', ' ']).next();
        number.unwrap().to_owned()
    }

    pub(super) fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(i32::try_from(self.child.id()).unwrap()), signal).unwrap();
    }

    pub(super) fn end(mut self) -> Ended {
        let status = self.child.wait().unwrap().code().unwrap_or(-1);
        Ended { status, stderr: self.told() }
    }
}

pub(super) fn ended(mut command: Command) -> Ended {
    let output = command.output().unwrap();
    Ended { status: output.status.code().unwrap_or(-1), stderr: String::from_utf8(output.stderr).unwrap() }
}

/// The whole lines of a journal that may be being written.
fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_inclusive('\n')
        .filter(|line| line.ends_with('\n'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
