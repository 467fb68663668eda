//! The fastest configuration by the native evaluator, without a model checker.

use super::near::{NearError, Pick, preferred};
use autotune_base::limits::Limits;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::space::{Pruning, Survey, estimate, known_survey};
use autotune_lowering::spec::{Configuration, Spec};
use autotune_machine::machine::Program;

/// A surveyed space and its fastest configuration.
#[derive(Debug)]
pub struct Fastest {
    /// The survey; empty if a limit was reached first.
    pub survey: Survey,
    /// The fastest configuration, of several the preferred one; `None` if no configuration can run.
    pub pick: Option<Pick>,
}

impl Fastest {
    /// Evaluates a space, or `only` the configuration that is named.
    ///
    /// # Errors
    /// If the space cannot be enumerated, lowered or evaluated, or a preference cannot be evaluated.
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        reader: &SourceReader,
        only: Option<&Configuration>,
        limits: &Limits,
    ) -> Result<Self, NearError> {
        let survey = known_survey(spec, profile, reader, only, limits)?.unwrap_or_default();
        let estimates = estimate(spec, &survey, Pruning::Best(1), limits)?;
        let pick = preferred(spec, profile, reader, &survey, &estimates)?;
        Ok(Self { survey, pick })
    }

    /// The fastest configuration; `None` if no configuration can run.
    #[must_use]
    pub fn configuration(&self) -> Option<Configuration> {
        self.pick.map(|pick| self.survey.entries.get(pick.entry).configuration)
    }

    /// The program of the fastest configuration; `None` if no configuration can run.
    #[must_use]
    pub fn program(&self) -> Option<Program> {
        let program = self.survey.entries.program(self.pick?.entry)?;
        Some(self.survey.programs.get(program).program)
    }
}
