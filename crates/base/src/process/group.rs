//! A child and all that it starts.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use super::group_leader::GroupLeader;
use super::group_time;
use crate::limits::{Allowance, Limits, Overrun, Stop, watch};

/// A child and all processes that it starts; they end before this value does.
pub(super) struct Group {
    pub(super) child: Child,
    pub(super) leader: Option<GroupLeader>,
    /// True if the child ended by itself, and the leader may serve another.
    pub(super) is_clear: bool,
}

/// The end of a child.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    /// The limit that stopped the child; `None` if none stopped it.
    pub(super) stopped: Option<Stop>,
    /// The limit of its allowance that stopped the child; `None` if none stopped it.
    pub(super) overrun: Option<Overrun>,
}

/// A reason for stopping a child.
#[derive(Clone, Copy)]
enum Reason {
    Limit(Stop),
    Overrun(Overrun),
}

impl Group {
    /// Waits for the child. It is stopped at a limit, also of the watched step that waits here, or at the end of its allowance, or when it `floods` its output, which
    /// counts as its deadline.
    pub(super) fn wait(
        &mut self,
        limits: &Limits,
        allowance: Option<Allowance>,
        floods: &dyn Fn() -> bool,
    ) -> std::io::Result<Ended> {
        let began = Instant::now();
        let mut look = allowance.map(|allowance| allowance.processor.min(FIRST_LOOK));
        let mut nap = Duration::from_micros(200);
        let mut stopped: Option<(Reason, Instant)> = None;
        loop {
            if let Some(status) = self.child.try_wait()? {
                // A signal may have reached the leader too.
                self.is_clear = stopped.is_none() && status.signal().is_none();
                // Ctrl-C or a signal to the whole group may reach the child before this program.
                let ending = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].map(|signal| signal as i32);
                let interrupted = status.signal().filter(|signal| ending.contains(signal)).map(|_| Stop::Interrupt);
                return Ok(match stopped {
                    Some((Reason::Limit(stop), _)) => Ended { status, stopped: Some(stop), overrun: None },
                    Some((Reason::Overrun(overrun), _)) => Ended { status, stopped: None, overrun: Some(overrun) },
                    None => Ended { status, stopped: interrupted, overrun: None },
                });
            }
            match stopped {
                None => {
                    let exceeded = limits.exceeded().or_else(watch::stopped);
                    let exceeded = exceeded.or_else(|| floods().then_some(Stop::Time)).map(Reason::Limit);
                    let wall = began.elapsed();
                    let overrun = if look.is_some_and(|look| wall >= look) {
                        look = Some(wall + BETWEEN_LOOKS);
                        allowance.and_then(|allowance| allowance.overrun(self.processor_time(), wall))
                    } else {
                        None
                    };
                    if let Some(why) = exceeded.or(overrun.map(Reason::Overrun)) {
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

    fn processor_time(&self) -> Duration {
        self.leader.as_ref().map_or(Duration::ZERO, |leader| group_time::processor_time(leader.group()))
    }

    fn signal(&self, signal: Signal) {
        if let Some(leader) = &self.leader {
            leader.signal(signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        match self.leader.take() {
            Some(leader) if self.is_clear => leader.release(),
            Some(leader) => leader.kill(),
            None => {}
        }
        let _ = self.child.wait();
    }
}

/// The time before the first look at the processor time of a group, unless its allowance is shorter: until then most
/// programs have ended.
const FIRST_LOOK: Duration = Duration::from_secs(5);
/// The time between two looks. Each look reads the states of all processes.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// The time that a child may run on after SIGINT.
pub(super) const GRACE: Duration = Duration::from_secs(2);
