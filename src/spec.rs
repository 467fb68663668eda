//! The kernel spec: what a kernel does, its parameter space, its constraints and its problem sizes.
//!
//! A [`Spec`] is read from YAML and checked: its names are known, its expressions parsed, its shape right. What depends on
//! a configuration is evaluated later, in a [`Scope`]. Nothing here knows what a statement costs.

use std::path::Path;
use std::sync::Arc;

mod affine;
mod configuration;
mod error;
mod expression;
mod lexer;
mod parser;
mod scope;
mod source;
mod space;
mod statement;
mod tree;
mod vocabulary;

pub use affine::Affine;
pub use configuration::Configuration;
pub use error::{Located, Problem, SpecError};
pub use expression::{EvaluationError, Expression};
pub use scope::{GpuNames, Scope};
pub use source::{Place, Source};
pub use space::Space;
pub use statement::{
    Access, Banks, Branch, Compute, Footprint, Index, Kind, LocalAccess, Loop, Pattern, Statement,
    Strides,
};
pub use tree::Fault;

use scope::Names;

/// A kernel and its tuning parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// Its name.
    pub kernel: String,
    /// One line about it; empty where the spec has none.
    pub description: String,
    /// Problem sizes.
    pub problem: Vec<(String, i64)>,
    /// Tuning parameters.
    pub parameters: Vec<Parameter>,
    /// Derived quantities; each may use those before it.
    pub lets: Vec<(String, Expression)>,
    /// What must hold of a configuration.
    pub constraints: Vec<Expression>,
    /// How the kernel is launched.
    pub launch: Launch,
    /// What work groups and work items take of a multiprocessor.
    pub resources: Resources,
    /// The parameters that a result reports as the tile.
    pub tile: Vec<String>,
    /// What a work item does.
    pub body: Vec<Statement>,
    /// The text that it was read from.
    pub source: Arc<Source>,
    names: Arc<Names>,
}

/// A tuning parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its values.
    pub domain: Domain,
}

/// The finite domain of a parameter, its ends not yet evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Domain {
    /// These, all different.
    Values(Vec<Expression>),
    /// The powers of two between two ends, both included.
    PowersOfTwo {
        /// The least value.
        from: Expression,
        /// The greatest value.
        to: Expression,
    },
    /// Every `step`-th integer between two ends, both included.
    Range {
        /// The first value.
        from: Expression,
        /// The greatest value.
        to: Expression,
        /// Default 1.
        step: Expression,
    },
}

/// How the kernel is launched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Along x, y, z; one to three.
    pub work_items: Vec<Expression>,
    /// Of one group, along x, y, z; one to three.
    pub work_group: Vec<Expression>,
    /// How often the program launches it; default 1.
    pub times: Expression,
}

/// What work groups and work items take of a multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resources {
    /// Bytes of a group; default 0.
    pub local_memory: Expression,
    /// Of a work item; default 0.
    pub registers: Expression,
    /// Words of a work item that wait for reuse; default 0.
    pub live: Expression,
    /// How often a work item uses each word that does not fit its registers; default 1.
    pub spill_uses: Expression,
    /// Whether the size of the local memory is given at launch; default false.
    pub dynamic: bool,
}

impl Spec {
    /// Reads a spec from its text. `file_name` is what messages call it by.
    ///
    /// # Errors
    /// When it is none: the error shows where.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, SpecError> {
        let _ = (text, file_name);
        Err(SpecError::Read(std::io::ErrorKind::Unsupported.into()))
    }

    /// Reads a spec from a file.
    ///
    /// # Errors
    /// As `parse`, and when the file cannot be read.
    pub fn load(path: &Path) -> Result<Self, SpecError> {
        Self::parse(&fs_err::read_to_string(path)?, &path.display().to_string())
    }

    /// Gives a problem size another value.
    ///
    /// # Errors
    /// When the spec has none of this name.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), SpecError> {
        let _ = (name, value);
        Ok(())
    }

    /// The values of all names for one configuration: its `let`s are evaluated.
    ///
    /// # Errors
    /// When a `let` cannot be evaluated.
    pub fn scope(&self, gpu: &GpuNames, configuration: &Configuration) -> Result<Scope, SpecError> {
        let problem = self.problem.iter().map(|(_, value)| *value);
        let mut scope = Scope::new(&self.names, gpu, problem);
        scope.configure(configuration);
        for (slot, (_, expression)) in (self.names.first_let()..).zip(&self.lets) {
            scope.values[slot] = expression.evaluate(&scope)?;
        }
        Ok(scope)
    }
}
