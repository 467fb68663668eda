//! A Slurm cluster for this run of the tests: three nodes, all of them this computer.
//!
//! Its keys, sockets, ports and states are separate, so that it does not disturb another cluster. It ends with the
//! tests, in whatever way they end.

use std::fs::Permissions;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::LazyLock;

use super::wait_until;

/// The node that may fail: it is in a partition of its own, `fragile`.
pub(super) const FRAGILE: &str = "n2";

/// The cluster of these tests.
pub(super) static CLUSTER: LazyLock<Cluster> = LazyLock::new(Cluster::start);

/// The script of the keeper: when its input ends, with the tests, it kills the cluster's processes, found by their
/// folder, and removes the folder.
const KEEPER: &str = r#"trap '' INT TERM HUP; read -r _; cd /
grep -las "SLURM_CONF=$1/" /proc/[0-9]*/environ | cut -d / -f 3 | xargs kill -9; rm -rf "$1""#;

pub(super) struct Cluster {
    folder: PathBuf,
    /// The input whose end the keeper waits for.
    _keeper: ChildStdin,
}

impl Cluster {
    fn start() -> Self {
        let programs = ["munged", "slurmctld", "slurmd", "sbatch"];
        let missing: Vec<&str> = programs.into_iter().filter(|name| which(name).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?} are missing, which these tests need: `ci/setup tests` installs them");
        assert!(
            std::fs::metadata("/proc/self").unwrap().uid() == 0,
            "these tests start Slurm's daemons, which only root may do"
        );
        let folder = tempfile::Builder::new().permissions(Permissions::from_mode(0o755)).tempdir().unwrap().keep();
        let mut keeper = Command::new("/bin/sh");
        keeper.args(["-c", KEEPER, "keeper"]).arg(&folder).current_dir(&folder).process_group(0);
        let keeper = keeper.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap().stdin.unwrap();
        let cluster = Self { folder, _keeper: keeper };
        cluster.configure();
        let own = ["key-file", "pid-file", "log-file", "seed-file", "socket"];
        let own = own.map(|what| format!("--{what}={}", cluster.folder.join(format!("munge.{what}")).display()));
        let options: Vec<&str> = own.iter().map(String::as_str).chain(["--foreground"]).collect();
        cluster.daemon("munged", "munged", &options);
        wait_until("munged has a socket", || cluster.folder.join("munge.socket").exists());
        cluster.daemon("slurmctld", "slurmctld", &["-D"]);
        for node in ["n0", "n1", FRAGILE] {
            cluster.begin_node(node);
        }
        wait_until("all nodes are idle", || {
            cluster.tell("sinfo", &["-h", "-N", "-t", "idle", "-o", "%N"]).lines().count() >= 3
        });
        cluster
    }

    fn configure(&self) {
        std::fs::write(self.folder.join("munge.key-file"), rand::random::<[u8; 32]>().repeat(8)).unwrap();
        std::fs::set_permissions(self.folder.join("munge.key-file"), Permissions::from_mode(0o400)).unwrap();
        std::fs::create_dir(self.folder.join("state")).unwrap();
        let host = String::from_utf8(Command::new("hostname").arg("-s").output().unwrap().stdout).unwrap();
        let ports: Vec<TcpListener> = (0..4).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let ports: Vec<u16> = ports.iter().map(|listener| listener.local_addr().unwrap().port()).collect();
        let mut text = include_str!("slurm.conf")
            .replace("HOST", host.trim())
            .replace("FOLDER", &self.folder.display().to_string());
        for (place, port) in ports.iter().enumerate() {
            text = text.replace(&format!("PORT{place}"), &port.to_string());
        }
        std::fs::write(self.folder.join("slurm.conf"), text).unwrap();
    }

    /// The path of the configuration by which clients find the cluster.
    pub(super) fn conf(&self) -> PathBuf {
        self.folder.join("slurm.conf")
    }

    fn daemon(&self, name: &str, program: &str, arguments: &[&str]) {
        let log = std::fs::File::create(self.folder.join(format!("{name}.log"))).unwrap();
        let mut command = Command::new(program);
        command.args(arguments).env("SLURM_CONF", self.conf()).current_dir(&self.folder).process_group(0);
        let child = command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap();
        std::fs::write(self.folder.join(format!("{name}.pid")), format!("{}\n", child.id())).unwrap();
        // The daemon is killed by its number, and nobody waits for it until the tests end.
        drop(child);
    }

    fn begin_node(&self, node: &str) {
        self.daemon(node, "slurmd", &["-D", "-N", node]);
    }

    /// Ends a node as a loss of its power would, its daemon and all that runs on it at once, and tells the controller.
    pub(super) fn lose_node(&self, node: &str) {
        let daemon = std::fs::read_to_string(self.folder.join(format!("{node}.pid"))).unwrap();
        let mut lost = vec![daemon.trim().parse::<i32>().unwrap()];
        // A step's shepherd names its node only in its environment, as do its children.
        for (pid, environment) in environments() {
            let is_there = environment.contains(&format!("SLURMD_NODENAME={node}\0"));
            if is_there && environment.contains(&self.folder.display().to_string()) {
                lost.push(pid);
            }
        }
        let pids: Vec<String> = self.shepherds(node).into_iter().chain(lost).map(|pid| pid.to_string()).collect();
        Command::new("kill").arg("-9").args(pids).output().unwrap();
        self.tell("scontrol", &["update", &format!("NodeName={node}"), "State=DOWN", "Reason=lost"]);
    }

    /// Takes a lost node back.
    pub(super) fn return_node(&self, node: &str) {
        self.begin_node(node);
        self.tell("scontrol", &["update", &format!("NodeName={node}"), "State=RESUME"]);
    }

    /// The processes of slurmstepd on a node: their children are those of its tasks.
    fn shepherds(&self, node: &str) -> Vec<i32> {
        let jobs = self.tell("squeue", &["-h", "-w", node, "-t", "running", "-o", "%A"]);
        let names: Vec<String> = jobs.lines().map(|job| format!("slurmstepd: [{}.batch]", job.trim())).collect();
        let is_one = |pid: &i32| {
            let title = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let title = String::from_utf8_lossy(&title).into_owned();
            names.iter().any(|name| title.starts_with(name.as_str()))
        };
        pids().filter(is_one).collect()
    }

    /// The output of a command of Slurm.
    pub(super) fn tell(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).env("SLURM_CONF", self.conf()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }
}

fn which(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.exists())
}

fn pids() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").unwrap();
    entries.filter_map(|entry| entry.ok()?.file_name().to_string_lossy().parse().ok())
}

fn environments() -> impl Iterator<Item = (i32, String)> {
    pids().filter_map(|pid| {
        let environment = std::fs::read(Path::new("/proc").join(pid.to_string()).join("environ")).ok()?;
        Some((pid, String::from_utf8_lossy(&environment).into_owned()))
    })
}
