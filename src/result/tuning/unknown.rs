//! The unknown configurations.

use serde::{Deserialize, Serialize};

use crate::result::values::{Values, values};
use autotune_lowering::space::{Survey, leave_out};
use autotune_lowering::spec::Spec;

/// The greatest number of unknown configurations that are listed with their reasons; further ones are counted.
const MOST_LISTED: usize = 1_000;

/// The unknown configurations: a limit, a signal or a lack of room ended the compilation or the execution of their
/// source.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct UnknownReport {
    /// Their number.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub configurations: usize,
    /// The first of them, at most 1,000.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub listed: Vec<UnknownConfiguration>,
    /// Constraints, at most 8, that leave them out and keep all that are known to run.
    pub leave_out: Vec<String>,
}

/// An unknown configuration.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct UnknownConfiguration {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The reason, in a line.
    pub reason: String,
}

impl UnknownReport {
    /// The unknown configurations of a survey; `None` if there are none.
    pub(super) fn of_survey(spec: &Spec, survey: &Survey) -> Option<Self> {
        let configurations = survey.unknown().count();
        let listed = survey.unknown().take(MOST_LISTED).map(|(entry, reason)| UnknownConfiguration {
            parameters: values(spec, &survey.entries.get(entry).configuration),
            reason: reason.to_string(),
        });
        let listed = listed.collect();
        (configurations > 0).then(|| Self { configurations, listed, leave_out: leave_out(spec, survey) })
    }
}
