//! The kernel spec: the statements of a kernel, its parameter space, its constraints and its problem sizes.
//!
//! A [`Spec`] is read from YAML and checked: its shape is right, its names are known, its expressions are parsed.
//! Expressions that depend on a configuration are evaluated later, in a [`Scope`]. The costs of statements are the
//! lowering's subject.

mod configuration;
mod distribution;
mod document;
mod domain;
mod error;
mod expression;
mod kernel_source;
mod options;
mod overlay;
mod prefer;
mod statement;
mod usage;

use std::sync::Arc;

use autotune_base::text::Source;
use expression::Vocabulary;

pub(crate) use configuration::parse as parse_configuration;
pub use configuration::{Configuration, ConfigurationError};
pub use distribution::CountDistribution;
pub use document::{OuterSpace, Trap};
pub(crate) use domain::domains;
pub use domain::{Domain, Parameter};
pub use error::{Located, Problem, SpecError};
pub use expression::{
    Affine, EvaluationError, Expression, Fault, GpuNames, Python, Scope, SizeCondition, SizeConditions, least_size,
};
pub(crate) use expression::{FaultAt, Lookup, Names, Possible, Slot};
pub use kernel_source::{
    Assumed, Assumption, GivenArgument, KnownArgument, SourceParts, StatedContents, StatedElements, StatedSource,
};
pub use options::SourceOptions;
pub use overlay::{Overlay, ReplacedValue};
pub use prefer::Preference;
pub use statement::MATRIX;
pub use statement::{
    Access, AffineIndex, AsyncCopy, Banks, Barrier, Branch, Compute, Direction, Footprint, Index, LocalAccess, Loop,
    MatrixProduct, OperationKind, Pattern, QueueName, Rows, Statement, Strides, Wait,
};

/// A kernel and its tuning parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// The kernel's name.
    pub kernel: String,
    /// One line about the kernel; empty if the spec has no description.
    pub description: String,
    /// The problem sizes: name and value.
    pub problem: Vec<(String, i64)>,
    /// The tuning parameters, in the order of the spec.
    pub parameters: Vec<Parameter>,
    /// The configurations in the order of their values, where the spec lists them; `None` for all values of the parameters.
    pub listed: Option<Vec<Configuration>>,
    /// True if `listed` is a question's choice among the configurations of the text.
    pub is_restricted: bool,
    /// Derived quantities (`let`): name and expression. Each may use the ones before it.
    pub lets: Vec<(String, Expression)>,
    /// The conditions that a configuration must meet.
    pub constraints: Vec<Expression>,
    /// The preferences that decide between equally fast configurations, the most important first; empty if the spec has
    /// none.
    pub prefer: Vec<Preference>,
    /// The text that the preferences were read from; `None` if it is the spec's own.
    pub prefer_source: Option<Arc<Source>>,
    /// True for a warm launch and false for a cold one, where a question says so in place of the text (see
    /// [`Launch::is_warm`]); `None` if the text decides.
    pub requested_warm: Option<bool>,
    /// The kernel's launch: its work items and work groups.
    pub launch: Launch,
    /// The resources of a multiprocessor that a work group takes.
    pub resources: Resources,
    /// The names of the parameters that a result reports as the tile.
    pub tile: Vec<String>,
    /// The names of the parameters that the spec declares as `unused`: no warning is given for them.
    pub meant_unused: Vec<String>,
    /// The arrays and kinds of operations whose amount may depend on the configuration (`varies`): no warning is given
    /// for them.
    pub varies: Vec<String>,
    /// The statements that a work item executes; empty if the spec names a source.
    pub body: Vec<Statement>,
    /// The kernel's source in place of the body; `None` if the spec has a body.
    pub kernel_source: Option<StatedSource>,
    /// The kernel's source that the body describes; `None` if the spec has no body, or names no source beside it.
    pub described: Option<StatedSource>,
    /// The text that the spec was read from.
    pub source: Arc<Source>,
    /// The text of the separate space (see [`OuterSpace`]); `None` if the spec was read without one.
    pub space_source: Option<Arc<Source>>,
    names: Arc<Names>,
}

/// The launch of a kernel: its work items, its work groups and its number of launches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Work items of one launch along x, y and z: one to three expressions.
    pub work_items: Vec<Expression>,
    /// Work items of one work group along x, y and z: one to three expressions.
    pub work_group: Vec<Expression>,
    /// Bytes of local memory of a work group that are given at launch, beside those of `arguments`; `None` if the spec
    /// does not give them.
    pub shared: Option<Expression>,
    /// Launches of the kernel by the program; default 1.
    pub times: Expression,
    /// True if the launch is repeated before it is timed, so that it finds in L2 what fits there; for a source alone.
    pub is_warm: bool,
    /// The name of the counter of the launches, which an `index` may use.
    pub var: Option<String>,
}

/// The resources of a multiprocessor that a work group and its work items take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resources {
    /// Local memory of a work group, in bytes; `None` if it follows from the local arrays that the body names.
    pub local_memory: Option<Expression>,
    /// Registers of a work item; default 0.
    pub registers: Expression,
    /// Words of a work item that are kept for reuse; default 0.
    pub live: Expression,
    /// Words of a work item that spill beside its registers; `None` if those beyond the limit of registers do.
    pub spilled: Option<Expression>,
    /// Uses of each word that does not fit a work item's registers; `None` for what the kernel's source says, or 1.
    pub spill_uses: Option<Expression>,
    /// Work items of the largest group that the compiler knows of; `None` if it knows of none.
    pub compiled_for: Option<Expression>,
    /// True if the spec says that the size of the local memory is given at launch; default false. The answer for all
    /// specs is [`Spec::has_dynamic_local_memory`].
    pub dynamic: bool,
}

impl Spec {
    /// Gives a problem size another value.
    ///
    /// # Errors
    /// `SpecError::UnknownProblemSize` if the spec has no problem size of this name.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), SpecError> {
        if let Some((_, size)) = self.problem.iter_mut().find(|(known, _)| known == name) {
            *size = value;
            return Ok(());
        }
        let known = self.problem.iter().map(|(known, _)| known.as_str());
        Err(SpecError::UnknownProblemSize {
            name: name.to_owned(),
            nearest: autotune_base::text::nearest(name, known.clone()),
            known: known.map(str::to_owned).collect(),
        })
    }

    /// Restricts the space to these configurations, which must be in it.
    pub fn restrict(&mut self, mut configurations: Vec<Configuration>) {
        configurations.sort_unstable();
        (self.listed, self.is_restricted) = (Some(configurations), true);
    }

    /// Replaces the spec's preferences, as in `max VEC, WG == 256, min registers`.
    ///
    /// # Errors
    /// If the text is not a list of preferences.
    pub fn set_preferences(&mut self, text: &str) -> Result<(), SpecError> {
        let (preferences, source) = prefer::parse_list(text, &Vocabulary::of_preference(&self.names))?;
        (self.prefer, self.prefer_source) = (preferences, Some(source));
        Ok(())
    }

    /// Makes the launch warm or cold (see [`Launch::is_warm`]), whatever the text says. Returns true if that changes the
    /// launch: a body says itself what it reads from DRAM, and stays as it is.
    pub fn set_warm(&mut self, is_warm: bool) -> bool {
        let changes = self.kernel_source.is_some() && self.launch.is_warm != is_warm;
        if changes {
            (self.launch.is_warm, self.requested_warm) = (is_warm, Some(is_warm));
        }
        changes
    }

    /// Returns the values of all names for one configuration, those of its `let`s included.
    ///
    /// # Errors
    /// If a `let` cannot be evaluated.
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

    /// Returns a configuration as text: `WG=32 TS=512`.
    #[must_use]
    pub fn label(&self, configuration: &Configuration) -> String {
        let values = self.parameters.iter().zip(&configuration.0);
        values.map(|(parameter, value)| format!("{}={value}", parameter.name)).collect::<Vec<_>>().join(" ")
    }

    /// True if the size of local memory is given at launch: the spec says so, or gives such a size.
    #[must_use]
    pub fn has_dynamic_local_memory(&self) -> bool {
        let mut sources = self.kernel_source.iter().chain(&self.described);
        self.resources.dynamic || self.launch.shared.is_some() || sources.any(StatedSource::is_given_local_memory)
    }

    /// The spec with the source that its body describes in place of the body; `None` if it names none.
    #[must_use]
    pub fn of_described(&self) -> Option<Self> {
        let described = self.described.clone()?;
        Some(Self { body: Vec::new(), kernel_source: Some(described), described: None, ..self.clone() })
    }

    /// The scope of the names that have the same value in every configuration.
    pub(crate) fn base_scope(&self, gpu: &GpuNames) -> Scope {
        Scope::new(&self.names, gpu, self.problem.iter().map(|(_, value)| *value))
    }
}
