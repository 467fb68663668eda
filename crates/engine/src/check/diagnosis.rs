//! All errors and warnings of a spec at once, for `autotune check`.

use super::description::findings;
use super::finding::CheckFinding;
use super::problem::SpecProblem;
use super::space::{SpaceProblems, SpaceSummary, too_large};
use super::warning::Warning;
use crate::compare::near::{NearError, check_preferences};
use crate::proof::Question;
use autotune_base::limits::{Limits, Stop};
use autotune_base::text::Source;
use autotune_base::user_error::UserError;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::Lowering;
use autotune_lowering::space::{Share, Space};
use autotune_lowering::spec::{Spec, SpecError};

/// The errors and warnings of a spec.
#[derive(Debug, Default)]
pub struct Diagnosis {
    /// The errors, in the order of their discovery.
    pub errors: Vec<SpecProblem>,
    /// The warnings, which do not keep the spec from being tuned.
    pub warnings: Vec<Warning>,
    /// True if the errors are those that refuse all configurations: each by itself is infeasible.
    pub is_refused: bool,
    /// The sizes of the space; `None` if the spec could not be read or the space is too large.
    pub space: Option<SpaceSummary>,
    /// The reason why not all configurations were looked at; `None` if they were.
    pub stopped: Option<Stop>,
}

impl Diagnosis {
    /// Returns the diagnosis of a text that is not a valid spec.
    #[must_use]
    pub fn of_errors(errors: &[SpecError]) -> Self {
        let found = errors.iter().map(|error| SpecProblem::new(error.to_string(), error.place(), error.help()));
        Self { errors: found.collect(), ..Self::default() }
    }

    /// Checks every configuration of a spec on a GPU, whose profile was read from `profile_text`, up to a limit of the whole work.
    /// `observe` hears how far the work is.
    #[must_use]
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        reader: &SourceReader,
        profile_text: &Source,
        limits: &Limits,
        observe: &mut dyn FnMut(Share),
    ) -> Self {
        let warnings: Vec<Warning> =
            findings(spec, profile, reader, profile_text, None).iter().map(CheckFinding::warning).collect();
        let lowering = Lowering::new(spec, profile, reader);
        let space = match Space::new(spec, lowering.names()) {
            Ok(space) => space,
            Err(error) => return Self { warnings, ..Self::of_errors(&[error]) },
        };
        if let Some(refused) = too_large(&space, limits) {
            return Self { errors: vec![refused], warnings, ..Self::default() };
        }
        let SpaceProblems { summary, mut errors, is_refused, stopped } =
            SpaceProblems::new(spec, &lowering, &space, limits, observe);
        if errors.is_empty() && stopped.is_none() {
            errors.extend(
                check_preferences(&Question::new(spec, profile, reader, profile.name()), limits)
                    .err()
                    .as_ref()
                    .map(of_preference),
            );
        }
        Self { errors, warnings, is_refused, space: Some(summary), stopped }
    }
}

/// The error of a preference that cannot be evaluated for some configuration.
fn of_preference(error: &NearError) -> SpecProblem {
    let place = match error {
        NearError::Spec(error) => error.place(),
        NearError::Lowering(error) => error.place(),
        NearError::Space(_) => None,
    };
    SpecProblem::new(error.to_string(), place, error.help())
}
