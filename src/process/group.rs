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
    /// True if the child ended by itself.
    pub(super) ended: bool,
}

impl Group {
    pub(super) fn wait(&mut self, limits: &Limits) -> std::io::Result<(ExitStatus, Option<Stop>)> {
        let mut nap = Duration::from_micros(200);
        let mut stopped: Option<(Stop, Instant)> = None;
        loop {
            if let Some(status) = self.child.try_wait()? {
                self.ended = stopped.is_none();
                // Ctrl-C or a signal to the whole group may reach the child before this program.
                let wishes = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].map(|signal| signal as i32);
                let interrupted = status.signal().filter(|signal| wishes.contains(signal)).map(|_| Stop::Interrupt);
                return Ok((status, stopped.map(|(why, _)| why).or(interrupted)));
            }
            match stopped {
                None => {
                    if let Some(why) = limits.exceeded() {
                        self.signal(Signal::SIGINT);
                        stopped = Some((why, Instant::now()));
                    }
                }
                Some((_, when)) if limits.interrupt.is_urgent() || when.elapsed() > GRACE => {
                    self.signal(Signal::SIGKILL);
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
            Some(warden) if self.ended => warden.release(),
            Some(warden) => warden.dismiss(),
            None => {}
        }
        let _ = self.child.wait();
    }
}

/// The time for which a child may run on after SIGINT.
pub(super) const GRACE: Duration = Duration::from_secs(2);
