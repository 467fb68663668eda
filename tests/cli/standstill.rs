//! Phases of a source's analysis that stand still: whatever phase it is, limits and signals end it.
//!
//! `build.rs` compiles it in where tests are compiled (the profile dev): the environment names a phase, and the first look of
//! that phase at the clock never ends.

use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use autotune::limits::watch::Phase;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

use super::*;

/// A kernel that gives most phases something to do: a local array between barriers, a loop that folds, branches on data and
/// on the group, groups in a swizzled order, and an array whose size is stated.
const STILL: &str = "\
__kernel void still(__global const float *a, __global float *b, __global int *c, int n) {
    __local float s[WG];
    int l = get_local_id(0), g = get_group_id(0), tile = g / 4 % 2 * 4 + g % 4 + g / 8 * 8;
    float sum = 0;
    _Pragma(\"nounroll\") for (int i = 0; i < 64; ++i) sum += a[tile * WG + l + i * n];
    s[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g % 3 == 0) sum += s[WG - 1 - l];
    if (sum > 7) c[g * WG + l] = 1;
    b[tile * WG + l] = sum;
}
";

/// A kernel whose groups all do the same, side by side.
const BESIDE: &str = "\
__kernel void still(__global const float *a, __global float *b, __global int *c, int n) {
    b[get_global_id(0)] = a[get_global_id(0)];
}
";

/// A spec without a source.
const BODY: &str = "\
kernel: body
parameters: { WG: { values: [32, 64] } }
launch: { work_items: 4096, work_group: WG }
body: [ compute: { per_item: 1 } ]
";

/// A job whose analysis stands still, and another.
const LIST: &str = "\
jobs:
  - { specs: [k.yaml], gpus: [volta], limits: { time: LIMIT } }
  - { specs: [body.yaml], gpus: [abstract-tiny] }
";

/// The longest time until a limit or a signal has ended a phase, on a busy machine.
const SOON: Duration = Duration::from_secs(3);

/// A folder with a kernel and its spec.
struct Case {
    folder: TempDir,
    phase: Phase,
}

impl Case {
    fn new(phase: Phase) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let kernel = if phase == Phase::Neighbours { BESIDE } else { STILL };
        std::fs::write(folder.path().join("k.cl"), kernel).unwrap();
        std::fs::write(
            folder.path().join("k.yaml"),
            "kernel: still\nproblem: { n: 4096 }\nparameters: { WG: { values: [64, 128] } }\n\
             launch: { work_items: n, work_group: WG }\n\
             source: { file: k.cl, arguments: { n: n, a: global 1048576 } }\n",
        )
        .unwrap();
        std::fs::write(folder.path().join("body.yaml"), BODY).unwrap();
        Self { folder, phase }
    }

    /// A command in the folder whose phase stands still.
    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = process(self.folder.path());
        command.args(arguments).env("AUTOTUNE_STANDSTILL", self.phase.name());
        command.env("AUTOTUNE_STANDSTILL_FILE", self.folder.path().join("stands"));
        command.env("XDG_CACHE_HOME", self.folder.path().join("cache")).stdin(Stdio::null());
        command
    }

    /// The end of a command whose limit `LIMIT` is, and the time that it took beyond it. A busy machine may reach the limit
    /// before the phase begins: then it has more time.
    fn ask(&self, arguments: &[&str]) -> (Ended, Duration) {
        for limit in [1, 4, 16] {
            let list = LIST.replace("LIMIT", &format!("{limit}s"));
            std::fs::write(self.folder.path().join("jobs.yaml"), list).unwrap();
            let limited: Vec<String> =
                arguments.iter().map(|argument| argument.replace("LIMIT", &format!("{limit}s"))).collect();
            let began = Instant::now();
            let limited: Vec<&str> = limited.iter().map(String::as_str).collect();
            let ended = ended(self.command(&limited).output().unwrap());
            if self.stands() {
                return (ended, began.elapsed().saturating_sub(Duration::from_secs(limit)));
            }
        }
        panic!("{:?} does not look at the clock", self.phase)
    }

    fn stands(&self) -> bool {
        self.folder.path().join("stands").exists()
    }

    /// Sends a signal to a command when it stands still; returns its exit status, `None` if the signal ended it.
    fn signalled(&self, arguments: &[&str], signal: Signal) -> (Option<i32>, String) {
        let child = self.command(arguments).spawn().unwrap();
        wait_until("the phase stands still", || self.stands());
        let sent = Instant::now();
        kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
        let (status, text) = whole(child);
        assert!(sent.elapsed() < SOON, "{arguments:?}, {:?}, {signal}: {:?}", self.phase, sent.elapsed());
        (status, text)
    }
}

/// The exit status of a child that is about to end, and all that it wrote.
fn whole(mut child: Child) -> (Option<i32>, String) {
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > 10 * SOON {
            child.kill().unwrap();
        }
        thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code(), [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat())
}

/// Does something for each of some phases, four at a time.
fn each(phases: &[Phase], of: impl Fn(Phase) + Sync) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let lane = || {
        while let Some(phase) = phases.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            of(*phase);
        }
    };
    thread::scope(|scope| (0..4).for_each(|_| _ = scope.spawn(lane)));
}

const TUNE: [&str; 4] = ["k.yaml", "--gpu", "volta", "--no-cost"];

/// A time limit leaves an interval, and names no phase: it is a limit of the whole work.
#[test]
fn a_time_limit_ends_each_phase_and_leaves_an_interval() {
    each(&Phase::ALL, |phase| {
        let limited = [&TUNE[..], &["--time-limit", "LIMIT", "--format", "json"]].concat();
        let (ended, took) = Case::new(phase).ask(&limited);
        let report = json(&ended, "result.json");
        let found = (ended.status, &report["verdict"], &report["stopped"]);
        assert_eq!(found, (3, &"best_effort".into(), &"time".into()), "{phase:?}: {}", ended.stderr);
        assert!(took < SOON, "{phase:?}: {took:?}");
    });
}

/// A limit of a configuration's analysis leaves it unknown; of whom nothing is known, the error says which phase it was.
#[test]
fn a_source_limit_ends_each_phase_and_names_it() {
    each(&Phase::ALL, |phase| {
        let limited = [&TUNE[..], &["--source-limit", "LIMIT", "--config", "WG=64"]].concat();
        let (ended, took) = Case::new(phase).ask(&limited);
        assert_eq!(ended.status, 3, "{phase:?}: {}", ended.stderr);
        let told = format!("{} was not finished: it ", phase.work());
        assert!(ended.stderr.contains(&told), "{told}: {}", ended.stderr);
        assert!(took < 4 * SOON, "{phase:?}: {took:?}");
    });
}

/// Ctrl-C and SIGTERM end a tuning in each phase, and what is known is printed.
#[test]
fn signals_end_each_phase_of_a_tuning() {
    each(&Phase::ALL, |phase| {
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            let (status, text) = Case::new(phase).signalled(&TUNE, signal);
            assert_eq!(status, Some(3), "{phase:?}, {signal}: {text}");
            assert!(text.contains("it was interrupted"), "{phase:?}, {signal}: {text}");
        }
    });
}

/// The matrix of what fits where: a time limit and signals leave what is known, with the reason in its last line.
#[test]
fn a_time_limit_and_signals_end_the_look_at_what_fits() {
    let asked = ["check", "k.yaml", "--gpu", "volta,a100"];
    each(&[Phase::Text, Phase::Shared, Phase::Lowering], |phase| {
        let limited = [&asked[..], &["--time-limit", "LIMIT"]].concat();
        let (ended, took) = Case::new(phase).ask(&limited);
        let expected = "not all was looked at: the time limit was reached";
        assert!(ended.status == 3 && ended.stdout.contains(expected), "{phase:?}: {}{}", ended.stdout, ended.stderr);
        assert!(took < SOON, "{phase:?}: {took:?}");
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            let (status, text) = Case::new(phase).signalled(&asked, signal);
            let is_known = text.contains("not all was looked at: it was interrupted");
            assert!(status == Some(3) && is_known, "{phase:?}, {signal}: {text}");
        }
    });
}

/// Signals end every other command, too: by its answer, or at once.
#[test]
fn signals_end_each_command() {
    let commands: [&[&str]; 10] = [
        &["evaluate"],
        &["check", "--safety"],
        &["inspect"],
        &["extract"],
        &["explain", "--config", "WG=64"],
        &["compare"],
        &["graph"],
        &["suggest"],
        &["table", "--prove", "--set", "n=4096,8192"],
        &["measure", "--run", "true {WG}", "--runs", "1"],
    ];
    thread::scope(|scope| {
        for command in commands {
            scope.spawn(move || {
                for signal in [Signal::SIGINT, Signal::SIGTERM] {
                    let case = Case::new(Phase::Sectors);
                    let asked = [&command[..1], &["k.yaml", "--gpu", "volta"], &command[1..]].concat();
                    case.signalled(&asked, signal);
                }
            });
        }
    });
    let case = Case::new(Phase::Intervals);
    case.signalled(&["diff", "k.yaml", "k.yaml", "--gpu", "volta"], Signal::SIGTERM);
    let case = Case::new(Phase::Intervals);
    let (status, text) = case.signalled(&["k.yaml", "--gpu", "volta,a100"], Signal::SIGTERM);
    assert_eq!(status, Some(3), "{text}");
}

/// A batch goes on to its next job after a job's time, also where it is resumed, and a signal ends it.
#[test]
fn a_batch_goes_on_to_its_next_job() {
    each(&[Phase::Text, Phase::Shared, Phase::Scope], |phase| {
        let case = Case::new(phase);
        let batch = ["batch", "jobs.yaml", "--out", "LIMIT", "--no-cache", "--jobs", "1"];
        let (ended, took) = case.ask(&batch);
        assert_eq!(ended.status, 3, "{phase:?}: {}{}", ended.stdout, ended.stderr);
        assert!(ended.stdout.contains("2 of 2 jobs have ended, 1 proved"), "{phase:?}: {}", ended.stdout);
        assert!(ended.stdout.contains(" not proved: 0 .. ? ticks"), "{phase:?}: {}", ended.stdout);
        assert!(took < 2 * SOON, "{phase:?}: {took:?}");
        let (again, took) = case.ask(&[&batch[..], &["--resume"]].concat());
        assert_eq!((again.status, again.stdout), (3, ended.stdout), "{phase:?}: {}", again.stderr);
        assert!(took < 2 * SOON, "{phase:?}: {took:?}");
        let case = Case::new(phase);
        let list = "jobs: [{ specs: [k.yaml], gpus: [volta] }]\n";
        std::fs::write(case.folder.path().join("jobs.yaml"), list).unwrap();
        case.signalled(&["batch", "jobs.yaml", "--out", "done", "--no-cache"], Signal::SIGTERM);
    });
}
