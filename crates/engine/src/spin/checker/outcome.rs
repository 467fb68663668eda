//! The settings, results, costs and errors of a checker.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use nix::sys::statvfs::statvfs;
use thiserror::Error;

use crate::spin::pan_output::{Claim, Cut, End, ModelFault, NotUnderstood};
use crate::spin::record::Record;
use crate::spin::toolchain::Toolchain;
use autotune_base::files::cache::Cache;
use autotune_base::limits::{Limits, Stop};
use autotune_base::process::{Finished, ProcessError, Task};

/// The tools and limits of a search.
#[derive(Debug, Clone)]
pub struct Settings {
    /// SPIN and the compiler.
    pub toolchain: Toolchain,
    /// The limits that stop a search.
    pub limits: Limits,
    /// The memory of one search, in MiB.
    pub memory_mib: u64,
    /// The cache of compiled searches; `None` if they are not kept.
    pub cache: Option<Cache>,
    /// The record of earlier searches; `None` if they are not remembered.
    pub record: Option<Arc<dyn Record>>,
    /// True if the folder is kept: then each trail is replayed by itself, as its reader would do. Otherwise the search for
    /// all runs shows them itself, and only the optimum's trail is replayed.
    pub replays_all: bool,
}

/// The time of each step, and the memory of the greatest search.
#[derive(Debug, Clone, Copy, Default)]
pub struct SpinCost {
    /// The time of `spin -a`.
    pub spin: Duration,
    /// The time of the C compiler.
    pub compiler: Duration,
    /// The time of pan's searches.
    pub search: Duration,
    /// The time of replays by pan and simulations by SPIN.
    pub replay: Duration,
    /// The total memory of the greatest search, in MiB.
    pub memory_mib: f64,
    /// The memory of the deepest search stack, in MiB.
    pub stack_mib: f64,
}

impl SpinCost {
    /// Adds another cost: times are summed, of memory the maximum is kept.
    pub fn add(&mut self, other: &Self) {
        self.spin += other.spin;
        self.compiler += other.compiler;
        self.search += other.search;
        self.replay += other.replay;
        self.memory_mib = self.memory_mib.max(other.memory_mib);
        self.stack_mib = self.stack_mib.max(other.stack_mib);
    }
}

/// The result of a search for runs that end before a bound.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// The runs found, by their replayed trails: one, or all of them if the search was for all.
    Witnesses(Vec<End>),
    /// The search was exhaustive, and no run ends before the bound.
    None,
}

/// A reason why SPIN gave no answer.
#[derive(Debug, Error)]
pub enum SpinError {
    /// The time limit or an interrupt stopped the work.
    #[error("{0}")]
    Stopped(Stop),
    /// The search did not fit into the memory, or was not exhaustive.
    #[error("{0}")]
    Cut(Cut),
    /// The model is wrong: a bug of this program.
    #[error("{fault}, in the search of {}", folder.display())]
    Fault {
        /// The fault of the model.
        fault: ModelFault,
        /// The folder of the model and the trail.
        folder: PathBuf,
    },
    /// A program could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A full disk: the tool could not write its output.
    #[error("`{command}` {status}: there is no room left in `{}`", folder.display())]
    NoRoom {
        /// The command line.
        command: String,
        /// The exit status, in words.
        status: String,
        /// The folder that the tool writes to.
        folder: PathBuf,
    },
    /// A tool refused its input.
    #[error("`{command}` {status}\n{output}")]
    Refused {
        /// The command line.
        command: String,
        /// The exit status, in words.
        status: String,
        /// The last lines of the tool's output.
        output: String,
    },
    /// The output of a tool that is not understood.
    #[error("the output of `{command}`, which {status}, is not understood: {reason}")]
    NotUnderstood {
        /// The command line.
        command: String,
        /// The exit status, in words.
        status: String,
        /// The part that is not understood.
        reason: NotUnderstood,
    },
    /// A file of the working folder that cannot be written or read.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

/// The purpose of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    /// A search for violations of a claim.
    Property(Claim),
    /// A search for invalid end states that shows the model's prints.
    Ends,
    /// A search like `Ends`, by the same pan, with a bound that falls.
    Descent,
}

impl Binary {
    pub(super) fn looks_for(self) -> &'static str {
        match self {
            Self::Property(Claim::Greatest) => "a slower run",
            Self::Property(_) => "a faster run",
            Self::Ends => "stuck runs",
            Self::Descent => "ever faster runs",
        }
    }

    /// The word for the search in the name of its output.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Property(claim @ (Claim::Least | Claim::Greatest)) => claim.name(),
            Self::Descent => "descent",
            Self::Property(Claim::Optimum) | Self::Ends => self.file(),
        }
    }

    /// The property that is searched; `None` if it is the ends.
    pub(super) fn claim(self) -> Option<Claim> {
        if let Self::Property(claim) = self { Some(claim) } else { None }
    }

    pub(super) fn file(self) -> &'static str {
        match self {
            Self::Property(_) => "pan",
            Self::Ends | Self::Descent => "pan_ends",
        }
    }
}

/// Returns the error for a full disk if the task's disk is full: then the tool's output does not show the reason.
pub(super) fn no_room(task: &Task, outcome: &Finished) -> Option<SpinError> {
    let disk = statvfs(&task.folder).ok()?;
    let is_full = disk.blocks_available() * disk.fragment_size() < ROOM;
    let (command, status) = (task.command_line(), outcome.status_in_words());
    is_full.then(|| SpinError::NoRoom { command, status, folder: task.folder.clone() })
}

pub(super) fn not_understood(task: &Task, outcome: &Finished, reason: NotUnderstood) -> SpinError {
    if let Some(full) = no_room(task, outcome) {
        return full;
    }
    SpinError::NotUnderstood { command: task.command_line(), status: outcome.status_in_words(), reason }
}

pub(super) fn refused(task: &Task, outcome: &Finished) -> SpinError {
    if let Some(full) = no_room(task, outcome) {
        return full;
    }
    let all = format!("{}{}", outcome.stdout, outcome.stderr);
    let lines: Vec<&str> = all.lines().collect();
    let output = lines[lines.len().saturating_sub(12)..].join("\n");
    SpinError::Refused { command: task.command_line(), status: outcome.status_in_words(), output }
}

/// The number of free bytes on a disk below which a tool's failure is taken for want of room.
const ROOM: u64 = 1 << 16;
