//! The leader of a child's process group: it ends the group when this process ends, in whatever way.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// The leader's script: waits for the end of its input, which only this process holds open, and kills its group.
const SCRIPT: &str = "trap '' INT TERM HUP QUIT; read -r _; kill -KILL 0";

/// Leaders without a child, for the next children.
static IDLE: Mutex<Vec<GroupLeader>> = Mutex::new(Vec::new());

/// A shell that leads a process group and kills it when this process is gone, so that its children do not live on.
#[derive(Debug)]
pub(super) struct GroupLeader {
    shell: Child,
    group: Pid,
}

impl GroupLeader {
    /// Returns an idle leader, or starts one.
    ///
    /// # Errors
    /// If a shell cannot be started.
    pub(super) fn acquire() -> io::Result<Self> {
        while let Some(mut leader) = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            // An idle leader may have been killed from outside.
            if leader.shell.try_wait()?.is_none() {
                return Ok(leader);
            }
        }
        Self::spawn()
    }

    fn spawn() -> io::Result<Self> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT, "autotune-group"]).current_dir(Path::new("/")).process_group(0);
        let shell = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let group = Pid::from_raw(i32::try_from(shell.id()).map_err(io::Error::other)?);
        Ok(Self { shell, group })
    }

    /// The process group.
    pub(super) fn group(&self) -> i32 {
        self.group.as_raw()
    }

    /// Sends a signal to the whole group; the leader itself only obeys SIGKILL.
    pub(super) fn signal(&self, signal: Signal) {
        // The group may have ended already: then there is nothing to stop.
        let _ = killpg(self.group, signal);
    }

    /// Makes the leader idle after its child has ended without leaving processes behind.
    pub(super) fn release(self) {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self);
    }

    /// Kills the whole group, the leader included.
    pub(super) fn kill(mut self) {
        self.signal(Signal::SIGKILL);
        let _ = self.shell.wait();
    }
}

/// The processes of the idle leaders.
pub(super) fn idle() -> Vec<i32> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).iter().map(GroupLeader::group).collect()
}
