//! The kernel spec: what a kernel does, its parameter space, its constraints and its problem sizes.
//!
//! A [`Spec`] is read from YAML and checked: its names are known, its expressions parsed, its shape right. What depends on
//! a configuration is evaluated later, in a [`Scope`]. Nothing here knows what a statement costs.

use std::path::Path;
use std::sync::Arc;

mod configuration;
mod document;
mod domain;
mod error;
mod expression;
mod prefer;
mod statement;
mod usage;

pub(crate) use configuration::parse as parse_configuration;
pub use configuration::{Configuration, ConfigurationError};
pub use document::{OuterSpace, Trap};
pub(crate) use domain::domains;
pub use domain::{Domain, Parameter};
pub use error::{Located, Problem, SpecError};
pub use expression::{Affine, EvaluationError, Expression, Fault, GpuNames, Python, Scope};
pub(crate) use expression::{FaultAt, Lookup, Names, Slot};
pub use prefer::Preference;
pub use statement::{
    Access, Banks, Branch, Compute, Direction, Footprint, Index, Kind, LocalAccess, Loop, Pattern, Statement, Strides,
};

use crate::text::Source;
use document::{check, diagnosis, load};
use expression::Vocabulary;

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
    /// What decides between configurations that are as fast, the most important first; empty if the spec leaves it open.
    pub prefer: Vec<Preference>,
    /// The text that these were read from, if it is not the spec's.
    pub prefer_source: Option<Arc<Source>>,
    /// How the kernel is launched.
    pub launch: Launch,
    /// What work groups and work items take of a multiprocessor.
    pub resources: Resources,
    /// The parameters that a result reports as the tile.
    pub tile: Vec<String>,
    /// Parameters that change nothing in this kernel, as they should.
    pub meant_unused: Vec<String>,
    /// Arrays and kinds of operations whose amount depends on the configuration, as it should.
    pub varies: Vec<String>,
    /// What a work item does.
    pub body: Vec<Statement>,
    /// The text that it was read from.
    pub source: Arc<Source>,
    /// The text of the space that was given beside it.
    pub space_source: Option<Arc<Source>>,
    names: Arc<Names>,
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
    /// The name of the launches' counter, for an `index`.
    pub var: Option<String>,
}

/// What work groups and work items take of a multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resources {
    /// Bytes of a group; none leaves it to the local arrays that the body names.
    pub local_memory: Option<Expression>,
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
        Self::parse_with(text, file_name, None)
    }

    /// Reads a spec from its text, with the space of another file.
    pub(crate) fn parse_with(text: &str, file_name: &str, space: Option<&OuterSpace>) -> Result<Self, SpecError> {
        let source = Arc::new(Source::new(file_name, text));
        check::check(&source, &load::read(&source)?, space).map_err(|mut errors| errors.swap_remove(0))
    }

    /// Reads a spec from its text, and goes on behind errors as far as they let it.
    ///
    /// # Errors
    /// All errors that were found, in the order of the text, at least one.
    pub fn diagnose(text: &str, file_name: &str, space: Option<&OuterSpace>) -> Result<Self, Vec<SpecError>> {
        diagnosis::diagnose(text, file_name, space)
    }

    /// Reads a spec from a file.
    ///
    /// # Errors
    /// As `parse`, and when the file cannot be read.
    pub fn load(path: &Path) -> Result<Self, SpecError> {
        Self::load_with(path, None)
    }

    /// The text of a file that may be a spec.
    ///
    /// # Errors
    /// When it cannot be read, or is no text.
    pub fn text_of(path: &Path) -> Result<String, SpecError> {
        load::text(path, &path.display().to_string())
    }

    /// The same, with a name that messages call the file by, wherever it is.
    ///
    /// # Errors
    /// As `load`.
    pub fn load_as(path: &Path, name: &str) -> Result<Self, SpecError> {
        Self::parse(&load::text(path, name)?, name)
    }

    /// Reads a spec whose parameters another file's space gives values, and adds to.
    ///
    /// # Errors
    /// As `load`, and when the two do not fit each other.
    pub fn load_with(path: &Path, space: Option<&OuterSpace>) -> Result<Self, SpecError> {
        let name = path.display().to_string();
        Self::parse_with(&load::text(path, &name)?, &name, space)
    }

    /// Gives a problem size another value.
    ///
    /// # Errors
    /// When the spec has none of this name.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), SpecError> {
        if let Some((_, size)) = self.problem.iter_mut().find(|(known, _)| known == name) {
            *size = value;
            return Ok(());
        }
        let known = self.problem.iter().map(|(known, _)| known.as_str());
        Err(SpecError::UnknownProblemSize {
            name: name.to_owned(),
            nearest: crate::text::nearest(name, known.clone()),
            known: known.map(str::to_owned).collect(),
        })
    }

    /// The parameters that no launch, resource, statement or constraint uses, through `let`s either, though the spec does not
    /// say so.
    #[must_use]
    pub fn unused(&self) -> Vec<&Parameter> {
        let used = usage::used(self);
        let unused = self.parameters.iter().zip(used).filter(|(_, used)| !used).map(|(parameter, _)| parameter);
        unused.filter(|parameter| !self.meant_unused.contains(&parameter.name)).collect()
    }

    /// Puts other preferences in the place of the spec's: `max VEC, WG == 256, min registers`.
    ///
    /// # Errors
    /// When the text holds something else.
    pub fn set_preferences(&mut self, text: &str) -> Result<(), SpecError> {
        let (preferences, source) = prefer::parse_list(text, &Vocabulary::of_preference(&self.names))?;
        (self.prefer, self.prefer_source) = (preferences, Some(source));
        Ok(())
    }

    /// The values of all names for one configuration: its `let`s are evaluated.
    ///
    /// # Errors
    /// When a `let` cannot be evaluated.
    pub fn scope(&self, gpu: &GpuNames, configuration: &Configuration) -> Result<Scope, SpecError> {
        let mut scope = self.base_scope(gpu);
        scope.configure(configuration);
        for (slot, (_, expression)) in (self.names.first_let()..).zip(&self.lets) {
            let (value, rounded) = expression.evaluate_let(&scope)?;
            scope.values[slot] = value;
            scope.rounded.extend(rounded.map(|why| (slot, why)));
        }
        Ok(scope)
    }

    /// A configuration for the reader: `WG=32 TS=512`.
    #[must_use]
    pub fn label(&self, configuration: &Configuration) -> String {
        let values = self.parameters.iter().zip(&configuration.0);
        values.map(|(parameter, value)| format!("{}={value}", parameter.name)).collect::<Vec<_>>().join(" ")
    }

    /// What is the same for every configuration.
    pub(crate) fn base_scope(&self, gpu: &GpuNames) -> Scope {
        Scope::new(&self.names, gpu, self.problem.iter().map(|(_, value)| *value))
    }
}
