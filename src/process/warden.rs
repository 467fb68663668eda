//! What a child runs under: a process group that ends with this process, however that ends.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// Waits for the end of its input, which only this process holds open, and then kills its own group.
const SCRIPT: &str = "trap '' INT TERM HUP QUIT; read -r _; kill -KILL 0";

/// Wardens that watch over nothing, for the next children.
static IDLE: Mutex<Vec<Warden>> = Mutex::new(Vec::new());

/// A shell that leads a process group, and kills it when this process is gone: no child of a killed process lives on.
#[derive(Debug)]
pub(super) struct Warden {
    shell: Child,
    group: Pid,
}

impl Warden {
    /// One that watches over no other child.
    ///
    /// # Errors
    /// There is no shell.
    pub(super) fn engage() -> io::Result<Self> {
        while let Some(mut warden) = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            // Somebody may have killed it.
            if warden.shell.try_wait()?.is_none() {
                return Ok(warden);
            }
        }
        Self::hire()
    }

    fn hire() -> io::Result<Self> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT, "autotune-warden"]).current_dir(Path::new("/")).process_group(0);
        let shell = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let group = Pid::from_raw(i32::try_from(shell.id()).map_err(io::Error::other)?);
        Ok(Self { shell, group })
    }

    /// The process group.
    pub(super) fn group(&self) -> i32 {
        self.group.as_raw()
    }

    /// Sends a signal to all of the group; the warden itself heeds SIGKILL only.
    pub(super) fn signal(&self, signal: Signal) {
        // The group may have ended in the meantime: then there is nothing to stop.
        let _ = killpg(self.group, signal);
    }

    /// Gives it back when its child has ended and left nothing behind.
    pub(super) fn release(self) {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self);
    }

    /// Ends all of the group, itself too.
    pub(super) fn dismiss(mut self) {
        self.signal(Signal::SIGKILL);
        let _ = self.shell.wait();
    }
}
