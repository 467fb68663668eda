//! A child and all that it starts.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use super::warden::Warden;
use crate::limits::{Limits, Stop};

/// A child and all processes that it starts; they end before this value does.
pub(super) struct Group {
    pub(super) child: Child,
    pub(super) warden: Option<Warden>,
    /// True if the child ended by itself, and the warden may serve another.
    pub(super) is_clear: bool,
}

impl Group {
    /// Waits for the child. It is stopped at a limit, or when it `floods` its output, which counts as its deadline.
    pub(super) fn wait(
        &mut self,
        limits: &Limits,
        floods: &dyn Fn() -> bool,
    ) -> std::io::Result<(ExitStatus, Option<Stop>)> {
        let mut nap = Duration::from_micros(200);
        let mut stopped: Option<(Stop, Instant)> = None;
        loop {
            if let Some(status) = self.child.try_wait()? {
                // A signal may have reached the warden too.
                self.is_clear = stopped.is_none() && status.signal().is_none();
                // Ctrl-C or a signal to the whole group may reach the child before this program.
                let wishes = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].map(|signal| signal as i32);
                let interrupted = status.signal().filter(|signal| wishes.contains(signal)).map(|_| Stop::Interrupt);
                return Ok((status, stopped.map(|(why, _)| why).or(interrupted)));
            }
            match stopped {
                None => {
                    if let Some(why) = limits.exceeded().or_else(|| floods().then_some(Stop::Time)) {
                        self.signal(Signal::SIGINT);
                        stopped = Some((why, Instant::now()));
                    }
                }
                Some((_, when)) if limits.interrupt.is_urgent() || when.elapsed() > GRACE => {
                    self.signal(Signal::SIGKILL);
                    // The child may have left the group.
                    let _ = self.child.kill();
                }
                Some(_) => {}
            }
            thread::sleep(nap);
            nap = (nap * 2).min(Duration::from_millis(10));
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(warden) = &self.warden {
            warden.signal(signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        match self.warden.take() {
            Some(warden) if self.is_clear => warden.release(),
            Some(warden) => warden.dismiss(),
            None => {}
        }
        let _ = self.child.wait();
    }
}

/// The time for which a child may run on after SIGINT.
pub(super) const GRACE: Duration = Duration::from_secs(2);
