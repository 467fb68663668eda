//! The Promela models that SPIN checks, made from programs.
//!
//! A model holds the numbers of its programs, as tables, and the hand-written machine of `promela/parts/` that steps
//! through them. The generic model reads its tables from a file, so one compiled checker serves many proofs. Only
//! checked names and numbers of a spec's text reach a model.

mod element;
mod form;
mod generic;
mod limits;
mod orders;
mod size;
mod tables;
mod warp;

use std::sync::LazyLock;

use tera::{Context, Tera};
use thiserror::Error;
use typed_index_collections::TiVec;

use autotune_base::files::checksum::sha256;
use autotune_base::index::{CandidateId, SpinIndex};
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_machine::machine::Program;

pub use element::{ElementCandidate, NotLockstep, element};
pub use form::Form;
pub use generic::{generic, with_header};
pub use orders::{ExploredWave, every_order};
pub use warp::warp;

/// One of the configurations that the model chooses from.
#[derive(Debug, Clone)]
pub struct Candidate<'a> {
    /// The configuration's parameters, for example `WG=32 TS=512`.
    pub label: String,
    /// The configuration's program.
    pub program: &'a Program,
    /// The events that the model is expected to step through before MT. They size SPIN's stack and choose the form.
    pub events: u64,
    /// The events of a run that no bound cuts; at least `events`.
    pub uncut_events: u64,
}

/// A Promela model and the sizes that SPIN needs to search it.
#[derive(Debug, Clone)]
pub struct Model {
    /// The Promela text; self-contained if `tables` is `None`.
    pub text: String,
    /// The tables, if the model reads them from a file; `None` if they are part of `text`.
    pub tables: Option<String>,
    /// The model's candidates, as indices of the caller's list.
    pub candidates: TiVec<SpinIndex, CandidateId>,
    /// The form that the machine is played in.
    pub form: Form,
    /// The upper estimate of a state's size, in bytes.
    pub vector_bytes: u64,
    /// The upper estimate of the steps of the longest run.
    pub depth: u64,
    /// The states that a search is expected to store.
    pub states: u64,
    /// The events or messages of all runs together, including those of models with the same text; they decide whether
    /// an optimised build pays.
    pub events: u64,
    /// The sizes of a search that no bound cuts.
    pub uncut: Uncut,
}

/// The upper estimates of the sizes of a model's search without MT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uncut {
    /// The steps of the longest run.
    pub depth: u64,
    /// The events or messages of all runs of this model.
    pub events: u64,
}

/// The number of events that makes the compiler's optimiser cost less time than it saves.
pub const EVENTS_WORTH_OPTIMISING: u64 = 1_000_000;

impl Model {
    /// Returns true if the search is long enough for an optimising compiler to pay.
    #[must_use]
    pub fn is_worth_optimising(&self) -> bool {
        self.events > EVENTS_WORTH_OPTIMISING
    }

    /// The SHA-256 checksums of the text and of the tables, in hexadecimal digits; `None` if the tables are part of the
    /// text.
    #[must_use]
    pub fn sha256(&self) -> (String, Option<String>) {
        let tables = self.tables.as_ref().map(|tables| sha256([tables.as_bytes()]));
        (sha256([self.text.as_bytes()]), tables)
    }
}

/// A reason why candidates cannot become a model.
#[derive(Debug, Error)]
pub enum ModelError {
    /// A program of more processes than SPIN runs (255).
    #[error(
        "`{label}` needs {processes} processes ({warps} warps, {groups} groups, {servers} servers), but SPIN runs at most 255"
    )]
    TooManyProcesses {
        /// The configuration's label.
        label: String,
        /// The number of all processes of the model.
        processes: u64,
        /// The number of warps of a wave.
        warps: u64,
        /// The number of groups of a wave.
        groups: u64,
        /// The number of memory, local, dispatchers and, with starts, matrix units.
        servers: u64,
    },
    /// A program of more warps or dispatchers than the model can number with 16 bits.
    #[error("`{label}` has {warps} warps and {dispatchers} dispatchers, but a model holds at most {limit} of each")]
    TooManyWarps {
        /// The configuration's label.
        label: String,
        /// The number of warps of a wave.
        warps: u64,
        /// The number of dispatchers of a multiprocessor.
        dispatchers: u64,
        /// The greatest number of each that a model holds.
        limit: u64,
    },
    /// A program of more processes than SPIN runs (255), one of them for each processing element.
    #[error(
        "`{label}` needs {processes} processes (host, clock, claim and {multiprocessors} multiprocessors, each with a barrier, \
         {dispatchers} dispatchers and {elements} processing elements), but SPIN runs at most 255"
    )]
    TooManyElements {
        /// The configuration's label.
        label: String,
        /// The number of all processes of the model, the claim included.
        processes: u128,
        /// The number of multiprocessors that get a group.
        multiprocessors: u128,
        /// The number of dispatchers of each multiprocessor that get a warp.
        dispatchers: u64,
        /// The number of processing elements of each multiprocessor that get a work item.
        elements: u128,
    },
    /// A program that granularity `element` cannot play, because it is not a lockstep GPU's.
    #[error("the program of `{label}` is not a lockstep GPU's: {reason}")]
    NotLockstep {
        /// The configuration's label.
        label: String,
        /// The property that no lockstep GPU's program has.
        reason: NotLockstep,
    },
    /// A request for form `wave` with granularity `element`, which has a process for each part.
    #[error("granularity `element` does not have the form `wave`")]
    NoWaveOfElements,
    /// A GPU without the processing elements that granularity `element` needs.
    #[error("`{gpu}` is not a lockstep GPU: granularity `element` cannot model its processing elements")]
    NoElements {
        /// The GPU's name.
        gpu: String,
    },
    /// Waiting times or weights that do not fit into 32 bits.
    #[error("`{label}`: {what} is {value}, beyond the model's limit of 2^30")]
    TooLarge {
        /// The configuration's label.
        label: String,
        /// The name of the number.
        what: &'static str,
        /// The number's value.
        value: u128,
    },
    /// A program that alone fills more table rows than SPIN reads.
    #[error("the program of `{label}` has {rows} rows, but a model holds at most {limit}")]
    TooManyRows {
        /// The configuration's label.
        label: String,
        /// The number of its rows.
        rows: usize,
        /// The greatest number of rows that a model holds.
        limit: usize,
    },
}

impl ModelError {
    fn advice(&self) -> Option<&'static str> {
        match self {
            Self::TooManyProcesses { .. } => Some("use `--form wave`: it needs 2 processes for any number of warps"),
            Self::TooManyElements { .. } => {
                Some("use `--granularity warp`: it has a process for each warp, not for each processing element")
            }
            Self::NoWaveOfElements => Some("use `--form roles` or `--granularity warp`"),
            Self::NotLockstep { .. } | Self::NoElements { .. } => {
                Some("use `--granularity warp`, which models every GPU")
            }
            Self::TooLarge { .. } => Some("try a smaller problem size, which has smaller numbers"),
            Self::TooManyWarps { .. } | Self::TooManyRows { .. } => None,
        }
    }
}

impl UserError for ModelError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        self.advice().map(str::to_owned)
    }
}

/// Renders one of this crate's templates.
fn render(template: &str, context: &Context) -> String {
    TEMPLATES.render(template, context).expect("the templates are part of the program and tested")
}

/// The templates of this crate and the hand-written parts that they include.
static TEMPLATES: LazyLock<Tera> = LazyLock::new(|| {
    let mut tera = Tera::default();
    tera.add_raw_templates(vec![
        ("parts/program.pml", include_str!("../../../promela/parts/program.pml")),
        ("parts/file.pml", include_str!("../../../promela/parts/file.pml")),
        ("parts/machine.pml", include_str!("../../../promela/parts/machine.pml")),
        ("parts/queues.pml", include_str!("../../../promela/parts/queues.pml")),
        ("parts/narrow.pml", include_str!("../../../promela/parts/narrow.pml")),
        ("parts/wide.pml", include_str!("../../../promela/parts/wide.pml")),
        ("parts/accelerate.pml", include_str!("../../../promela/parts/accelerate.pml")),
        ("parts/clock.pml", include_str!("../../../promela/parts/clock.pml")),
        ("parts/waves.pml", include_str!("../../../promela/parts/waves.pml")),
        ("parts/roles.pml", include_str!("../../../promela/parts/roles.pml")),
        ("parts/wave.pml", include_str!("../../../promela/parts/wave.pml")),
        ("parts/bound.pml", include_str!("../../../promela/parts/bound.pml")),
        ("parts/host.pml", include_str!("../../../promela/parts/host.pml")),
        ("parts/lockstep.pml", include_str!("../../../promela/parts/lockstep.pml")),
        ("parts/element.pml", include_str!("../../../promela/parts/element.pml")),
        ("parts/execute.pml", include_str!("../../../promela/parts/execute.pml")),
        ("parts/choices.pml", include_str!("../../../promela/parts/choices.pml")),
        ("tables.pml", include_str!("../../../templates/tables.pml")),
        ("element.pml", include_str!("../../../templates/element.pml")),
        ("generic.pml", include_str!("../../../templates/generic.pml")),
        ("orders.pml", include_str!("../../../templates/orders.pml")),
        ("warp.pml", include_str!("../../../templates/warp.pml")),
    ])
    .expect("the templates are part of the program and tested");
    tera
});
