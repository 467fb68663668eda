//! Programs to Promela: the model that SPIN checks.
//!
//! A model holds the numbers of its programs, as tables, and the hand-written machine of `promela/` that steps through
//! them. Nothing of a spec's text reaches it but checked names and numbers.

mod tables;
mod warp;

use std::sync::LazyLock;

use tera::Tera;
use thiserror::Error;

use crate::machine::Program;

pub use warp::warp;

/// A configuration to choose from, as the model shows it.
#[derive(Debug, Clone)]
pub struct Candidate<'a> {
    /// Its parameters for the reader, such as `WG=32 TS=512`.
    pub label: String,
    /// What it makes the machine do.
    pub program: &'a Program,
    /// Events of its waves, as the native evaluator counted them: they size SPIN's stack.
    pub events: u64,
}

/// A Promela model and what SPIN needs to be told about it.
#[derive(Debug, Clone)]
pub struct Model {
    /// The Promela text, self-contained.
    pub text: String,
    /// The candidates in it, by their number in the question; SPIN's configuration `n` is the `n`-th.
    pub candidates: Vec<usize>,
    /// Bytes of a state, estimated from above.
    pub vector_bytes: u64,
    /// Steps of the longest run, estimated from above.
    pub depth: u64,
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
            Self::TooManyProcesses { .. } => Some("a smaller work group has fewer warps"),
            Self::TooLarge { .. } => Some("a smaller problem size has smaller numbers"),
            Self::TooManyRows { .. } => None,
        }
    }
}

/// The templates of this crate, and the hand-written parts that they include.
static TEMPLATES: LazyLock<Tera> = LazyLock::new(|| {
    let mut tera = Tera::default();
    tera.add_raw_templates(vec![
        ("program.pml", include_str!("../promela/parts/program.pml")),
        ("machine.pml", include_str!("../promela/parts/machine.pml")),
        ("roles.pml", include_str!("../promela/parts/roles.pml")),
        ("tables.pml", include_str!("../templates/tables.pml")),
        ("warp.pml", include_str!("../templates/warp.pml")),
    ])
    .expect("the templates are part of the program and tested");
    tera
});
