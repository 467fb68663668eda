//! Programs to Promela: the model that SPIN checks.
//!
//! A model holds the numbers of its programs, as tables, and the hand-written machine of `promela/parts/` that steps through
//! them. The generic model reads its tables from a file, so that it is compiled once for many questions. Nothing of a spec's text reaches it but checked names and numbers.

mod element;
mod form;
mod generic;
mod size;
mod tables;
mod warp;

use std::sync::LazyLock;

use tera::{Context, Tera};
use thiserror::Error;

use crate::files::checksum::sha256;
use crate::machine::Program;

pub use element::{ElementCandidate, NotLockstep, element};
pub use form::Form;
pub use generic::{generic, with_header};
pub use warp::warp;

/// A configuration to choose from, as the model shows it.
#[derive(Debug, Clone)]
pub struct Candidate<'a> {
    /// Its parameters for the reader, such as `WG=32 TS=512`.
    pub label: String,
    /// What it makes the machine do.
    pub program: &'a Program,
    /// Events that the model is expected to step through before MT: they size SPIN's stack and choose the form.
    pub events: u64,
    /// Events of a run that no bound cuts; at least `events`.
    pub uncut_events: u64,
}

/// A Promela model and what SPIN needs to be told about it.
#[derive(Debug, Clone)]
pub struct Model {
    /// The Promela text, self-contained unless there are `tables`.
    pub text: String,
    /// The tables that it reads from a file, if it does.
    pub tables: Option<String>,
    /// The candidates in it, by their number in the question; SPIN's configuration `n` is the `n`-th.
    pub candidates: Vec<usize>,
    /// Who plays the machine.
    pub form: Form,
    /// Bytes of a state, estimated from above.
    pub vector_bytes: u64,
    /// Steps of the longest run, estimated from above.
    pub depth: u64,
    /// Events or messages of all runs together, those of models with the same text too: they tell whether optimising the search pays.
    pub events: u64,
    /// Sizes of a search that no bound cuts.
    pub uncut: Uncut,
}

/// Sizes of a model's search without MT, estimated from above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uncut {
    /// Steps of the longest run.
    pub depth: u64,
    /// Events or messages of all runs of this model.
    pub events: u64,
}

/// Above this many events, the compiler's optimiser costs less than it saves.
const EVENTS_WORTH_OPTIMISING: u64 = 1_000_000;

impl Model {
    /// Whether its search is long enough for an optimising compiler.
    #[must_use]
    pub fn is_worth_optimising(&self) -> bool {
        self.events > EVENTS_WORTH_OPTIMISING
    }

    /// Checksums of its text, and of its tables where they are in a file, in hexadecimal digits.
    #[must_use]
    pub fn sha256(&self) -> (String, Option<String>) {
        let tables = self.tables.as_ref().map(|tables| sha256([tables.as_bytes()]));
        (sha256([self.text.as_bytes()]), tables)
    }
}

/// Why candidates cannot be made a model.
#[derive(Debug, Error)]
pub enum ModelError {
    /// SPIN runs at most 255 processes.
    #[error(
        "`{label}` needs {processes} processes ({warps} warps, {groups} groups, {dispatchers} dispatchers), SPIN has at most 255"
    )]
    TooManyProcesses {
        /// The configuration.
        label: String,
        /// All processes of the model.
        processes: u64,
        /// Warps of a wave.
        warps: u64,
        /// Groups of a wave.
        groups: u64,
        /// Dispatchers of a multiprocessor.
        dispatchers: u64,
    },
    /// The model numbers warps and dispatchers with 16 bits.
    #[error("`{label}` has {warps} warps and {dispatchers} dispatchers, a model holds {limit} of each")]
    TooManyWarps {
        /// The configuration.
        label: String,
        /// Warps of a wave.
        warps: u64,
        /// Dispatchers of a multiprocessor.
        dispatchers: u64,
        /// What a model holds of each.
        limit: u64,
    },
    /// SPIN runs at most 255 processes, and each processing element is one.
    #[error(
        "`{label}` needs {processes} processes (host, clock, claim and {multiprocessors} multiprocessors, each with a barrier, \
         {dispatchers} dispatchers and {elements} processing elements), SPIN has at most 255"
    )]
    TooManyElements {
        /// The configuration.
        label: String,
        /// All processes of the model, the claim included.
        processes: u128,
        /// Multiprocessors that get a group.
        multiprocessors: u128,
        /// Dispatchers of each that get a warp.
        dispatchers: u64,
        /// Processing elements of each that get a work item.
        elements: u128,
    },
    /// Granularity `element` plays lockstep GPUs only.
    #[error("`{label}` is no program of a lockstep GPU: {reason}")]
    NotLockstep {
        /// The configuration.
        label: String,
        /// What shows it.
        reason: NotLockstep,
    },
    /// Granularity `element` has a process for each part.
    #[error("granularity `element` has no form `wave`")]
    NoWaveOfElements,
    /// Granularity `element` needs a GPU of processing elements.
    #[error("`{gpu}` is no lockstep GPU: its processing elements cannot be played")]
    NoElements {
        /// The GPU.
        gpu: String,
    },
    /// Waiting times or weights that 32 bits cannot hold.
    #[error("`{label}`: {what} is {value}, beyond the model's limit of 2^30")]
    TooLarge {
        /// The configuration.
        label: String,
        /// Which number.
        what: &'static str,
        /// Its value.
        value: u128,
    },
    /// One program alone fills more table rows than SPIN reads.
    #[error("the program of `{label}` has {rows} rows, a model holds {limit}")]
    TooManyRows {
        /// The configuration.
        label: String,
        /// Its rows.
        rows: usize,
        /// What a model holds.
        limit: usize,
    },
}

impl ModelError {
    /// How to mend it.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::TooManyProcesses { .. } => Some("`--form wave` has no process for each warp"),
            Self::TooManyElements { .. } => {
                Some("`--granularity warp` has a process for each warp, not for each element")
            }
            Self::NoWaveOfElements => Some("`--form roles`, or `--granularity warp`"),
            Self::NotLockstep { .. } | Self::NoElements { .. } => Some("`--granularity warp` plays every GPU"),
            Self::TooLarge { .. } => Some("a smaller problem size has smaller numbers"),
            Self::TooManyWarps { .. } | Self::TooManyRows { .. } => None,
        }
    }
}

/// Renders a template of this crate.
fn render(template: &str, context: &Context) -> String {
    TEMPLATES.render(template, context).expect("the templates are part of the program and tested")
}

/// The templates of this crate, and the hand-written parts that they include.
static TEMPLATES: LazyLock<Tera> = LazyLock::new(|| {
    let mut tera = Tera::default();
    tera.add_raw_templates(vec![
        ("parts/program.pml", include_str!("../promela/parts/program.pml")),
        ("parts/file.pml", include_str!("../promela/parts/file.pml")),
        ("parts/machine.pml", include_str!("../promela/parts/machine.pml")),
        ("parts/accelerate.pml", include_str!("../promela/parts/accelerate.pml")),
        ("parts/clock.pml", include_str!("../promela/parts/clock.pml")),
        ("parts/waves.pml", include_str!("../promela/parts/waves.pml")),
        ("parts/roles.pml", include_str!("../promela/parts/roles.pml")),
        ("parts/wave.pml", include_str!("../promela/parts/wave.pml")),
        ("parts/bound.pml", include_str!("../promela/parts/bound.pml")),
        ("parts/host.pml", include_str!("../promela/parts/host.pml")),
        ("parts/lockstep.pml", include_str!("../promela/parts/lockstep.pml")),
        ("parts/element.pml", include_str!("../promela/parts/element.pml")),
        ("tables.pml", include_str!("../templates/tables.pml")),
        ("element.pml", include_str!("../templates/element.pml")),
        ("generic.pml", include_str!("../templates/generic.pml")),
        ("warp.pml", include_str!("../templates/warp.pml")),
    ])
    .expect("the templates are part of the program and tested");
    tera
});
