//! A call: what it shares with others, its interrupt and its progress.

use super::confined::Confined;
use crate::cli::progress::step;
use autotune_base::limits::{Interrupt, Limits};
use autotune_base::user_error::ExitStatus;
use autotune_engine::proof::Event;
use autotune_kernel::source::{SourceReader, Tools};
use autotune_lowering::space::Share;

/// The parts that all calls share.
pub(super) struct Context {
    pub(super) folder: Confined,
    pub(super) tools: Tools,
}

/// The parts that a call has of its own.
pub(super) struct CallContext<'a> {
    /// The interrupt of the call.
    pub(super) interrupt: &'a Interrupt,
    /// The receiver of the call's progress.
    pub(super) tell: &'a mut dyn FnMut(Progress),
}

/// A step of a call.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Progress {
    /// The words for the step.
    pub(super) what: String,
    /// The part of it that is done, in per cent; `None` if it is not known.
    pub(super) percent: Option<u128>,
}

impl Context {
    /// The context of a server's calls.
    pub(super) fn new(folder: Confined, tools: Tools) -> Self {
        Self { folder, tools }
    }

    /// A reader of sources for one call. Each call reads its files anew, since they may have changed; what was compiled
    /// and lowered of the same texts is in the cache.
    pub(super) fn reader(&self, call: &CallContext) -> SourceReader {
        SourceReader::new(Tools { interrupt: call.interrupt.clone(), ..self.tools.clone() })
    }
}

impl CallContext<'_> {
    /// The limits of the call.
    pub(super) fn limits(&self) -> Limits {
        Limits { interrupt: self.interrupt.clone(), ..Limits::default() }
    }

    /// Tells an event as progress, if it is a step.
    pub(super) fn observe(&mut self, event: &Event) {
        if let Some((what, share)) = step(event) {
            (self.tell)(Progress { what, percent: share.map(Share::percent) });
        }
    }
}

/// The word for the end of an answer.
pub(super) fn status(status: ExitStatus) -> &'static str {
    match status {
        ExitStatus::Success => "ok",
        ExitStatus::BestEffort => "best_effort",
        ExitStatus::Infeasible => "infeasible",
        ExitStatus::Unusable => "unusable",
        ExitStatus::Worse => "worse",
        ExitStatus::Failure => "failure",
    }
}
