//! Processes that a program leaves behind in a session of their own, where no signal to its group reaches them.
//!
//! Once this process adopts orphans, the system makes it the parent of all that the programs leave behind. When the last
//! of the programs that run together has ended, every child that is not of this process's own making is an orphan.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fs_err as fs;
use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
use tracing::debug;

use super::group::GRACE;
use super::group_leader;

/// The state of the adoption; `None` as long as nothing is adopted.
static ADOPTION: Mutex<Option<Adoption>> = Mutex::new(None);

#[derive(Debug)]
struct Adoption {
    /// The children that are left alone: those that were there before, and those that cannot be killed.
    spared: HashSet<i32>,
    /// The number of programs that run.
    running: usize,
}

/// Lets this process adopt what its programs leave behind, and kill it when they have ended. This concerns the whole
/// process: all programs that it starts from now on must be started by [`run`](super::run), or they are taken for orphans.
///
/// # Errors
/// If the system has no such adoption, or does not list a process's children.
pub fn adopt_orphans() -> io::Result<()> {
    let mut adoption = adoption();
    if adoption.is_none() {
        fs::metadata("/proc/thread-self/children")?;
        let spared = children()?;
        set_child_subreaper(true)?;
        *adoption = Some(Adoption { spared, running: 0 });
    }
    Ok(())
}

/// A program that runs. With the last of the programs that run together, the orphans of all of them end.
#[derive(Debug)]
pub(super) struct Running {
    is_counted: bool,
}

impl Running {
    /// Announces a program, before anything is started for it.
    pub(super) fn begin() -> Self {
        let is_counted = adoption().as_mut().map(|adoption| adoption.running += 1).is_some();
        Self { is_counted }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(adoption) = adoption().as_mut().filter(|_| self.is_counted) {
            adoption.running -= 1;
            if adoption.running == 0 {
                adoption.end_orphans();
            }
        }
    }
}

impl Adoption {
    /// Kills all orphans, and those that their ends make orphans. One that outlives its kill, waiting for a device or of
    /// another user, is left alone from then on.
    fn end_orphans(&mut self) {
        let began = Instant::now();
        loop {
            let orphans = self.orphans();
            if orphans.is_empty() {
                return;
            }
            if began.elapsed() > GRACE {
                debug!(target: "process.left", "processes {orphans:?} cannot be ended");
                self.spared.extend(orphans);
                return;
            }
            for orphan in orphans.into_iter().map(Pid::from_raw) {
                let _ = kill(orphan, Signal::SIGKILL);
                // A process that has ended is a child until it is waited for.
                let _ = waitpid(orphan, Some(WaitPidFlag::WNOHANG));
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The children that this process neither started nor had before.
    fn orphans(&self) -> HashSet<i32> {
        // While no program runs, all group leaders are idle.
        let own = group_leader::idle();
        let mut orphans = children().unwrap_or_default();
        orphans.retain(|child| !self.spared.contains(child) && !own.contains(child));
        orphans
    }
}

fn adoption() -> MutexGuard<'static, Option<Adoption>> {
    ADOPTION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The children of this process: the children of each of its threads.
fn children() -> io::Result<HashSet<i32>> {
    let mut children = HashSet::new();
    for thread in fs::read_dir(Path::new("/proc/self/task"))? {
        match fs::read_to_string(thread?.path().join("children")) {
            Ok(text) => children.extend(text.split_whitespace().filter_map(|child| child.parse::<i32>().ok())),
            // The thread has ended, and another one has its children.
            Err(why) if why.kind() == io::ErrorKind::NotFound => {}
            Err(why) => return Err(why),
        }
    }
    Ok(children)
}
