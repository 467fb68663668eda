//! The one change that the numbers of a configuration suggest.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::account::{Account, Change, Explanation, PathShare, Refusal, WaitCause, changes, outcome};
use super::inspect::{AccessVerb, InspectedLine, Inspection, MemoryKind, inspect_counts};
use crate::compare::near::{self, Near};
use crate::proof::{Answer, Finding, Question};
use autotune_base::text::words::{change, grouped};
use autotune_base::ticks::Ticks;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::{Feasibility, Lowering};
use autotune_lowering::spec::{Configuration, Spec};

/// The least part of the time that a change may save to be suggested.
const LEAST_SAVING: f64 = 0.01;

/// The one change that the numbers of a configuration suggest: the remedy of a launch that may fail, else the best other
/// value of one parameter, else the access of the source that the critical path waits for and that takes more sectors or
/// passes than it needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "NextReport", deny_unknown_fields))]
#[serde(deny_unknown_fields)]
pub struct NextChange {
    /// The change in words.
    pub text: String,
    /// The other value of a parameter; absent for another change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<NextValue>,
    /// The access of the source to change; absent for another change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<NextAccess>,
}

/// A value of a parameter that makes the configuration faster, or lets it run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "NextValueReport", deny_unknown_fields)
)]
#[serde(deny_unknown_fields)]
pub struct NextValue {
    /// The parameter's name.
    pub name: String,
    /// The other value.
    pub value: i64,
    /// The native time with the other value, in ticks.
    pub ticks: Ticks,
}

/// An access that takes more sectors or passes than its elements need.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "NextAccessReport", deny_unknown_fields)
)]
#[serde(deny_unknown_fields)]
pub struct NextAccess {
    /// The name of the file, without its folders.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The kind.
    pub access: AccessVerb,
    /// The memory.
    pub memory: MemoryKind,
    /// The array or variable; null if no pointer to it is named.
    pub array: Option<String>,
    /// The 32-byte sectors of global memory, or the passes of local memory, of a warp's access, as the mean.
    pub now: f64,
    /// The fewest sectors or passes that the elements of a warp's access need, as the mean.
    pub least: f64,
    /// The share of the time that the critical path waits for this line's accesses of this memory, from 0 to 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    pub share: f64,
}

impl NextChange {
    /// The change for the configuration to use of an answer: the preferred one, or else the optimum. `None` without a proof,
    /// or if the numbers suggest nothing. Other values of parameters are tried only for a question about one configuration:
    /// the proof has compared all others.
    #[must_use]
    pub fn of_answer(question: &Question, answer: &Answer, near: Option<&Near>) -> Option<Self> {
        let (Finding::Proved { proof, .. }, Some(survey)) = (&answer.finding, &answer.survey) else { return None };
        let used = near.and_then(|near| near.chosen).unwrap_or_else(|| near::optimum(survey, proof, near));
        let configuration = survey.entries.get(used.entry).configuration;
        let Question { spec, profile, reader, .. } = question;
        Self::new(spec, profile, reader, &configuration, question.only.is_some())
    }

    /// The change for a configuration; `None` if the numbers suggest nothing, or cannot be computed. `alone` is true if the
    /// configuration was not compared with others: then other values of its parameters are tried.
    #[must_use]
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        reader: &SourceReader,
        configuration: &Configuration,
        alone: bool,
    ) -> Option<Self> {
        let lowering = Lowering::new(spec, profile, reader);
        let outcome = outcome(spec, profile, &lowering, configuration).ok()?;
        let tried = if alone { changes(spec, profile, reader, &lowering, configuration).ok()? } else { Vec::new() };
        Self::suggested(spec, &lowering, configuration, &outcome, &tried)
    }

    /// The change that the explanation of a configuration suggests; `None` if it suggests nothing.
    #[must_use]
    pub fn of_explanation(
        spec: &Spec,
        lowering: &Lowering<'_>,
        configuration: &Configuration,
        explanation: &Explanation,
    ) -> Option<Self> {
        Self::suggested(spec, lowering, configuration, &explanation.outcome, &explanation.changes)
    }

    /// The change by a configuration's account or refusal, and other values of its parameters, the fastest first.
    fn suggested(
        spec: &Spec,
        lowering: &Lowering<'_>,
        configuration: &Configuration,
        outcome: &Result<Account, Refusal>,
        changes: &[Change],
    ) -> Option<Self> {
        let best = changes.first();
        match outcome {
            Err(refusal) => {
                let value = best.map(|best| Self::of_value(spec, best, None));
                value.or_else(|| refusal.remedy.clone().map(Self::of_text))
            }
            Ok(account) => {
                let faster = best.filter(|best| saving(best.ticks.to_f64(), account.ticks.to_f64()) >= LEAST_SAVING);
                let launch = account.may_not_launch.clone().map(Self::of_text);
                let value = || faster.map(|best| Self::of_value(spec, best, Some(account.ticks)));
                let access = || wasteful(spec, lowering, configuration, account.path.as_deref()?).map(Self::of_access);
                launch.or_else(value).or_else(access)
            }
        }
    }

    fn of_text(text: String) -> Self {
        Self { text, parameter: None, access: None }
    }

    fn of_value(spec: &Spec, best: &Change, own: Option<Ticks>) -> Self {
        let Change { parameter, value, ticks } = best;
        let name = spec.parameters[*parameter].name.clone();
        let less = own.map_or(String::new(), |own| format!(", {}", change(own.into(), (*ticks).into())));
        let text = format!("{name}={value}: {} ticks{less}", grouped(*ticks));
        Self { parameter: Some(NextValue { name, value: *value, ticks: *ticks }), ..Self::of_text(text) }
    }

    fn of_access(access: NextAccess) -> Self {
        let NextAccess { file, line, access: verb, memory, array, now, least, share } = &access;
        let unit = if *memory == MemoryKind::Local { "passes" } else { "sectors" };
        let array = array.as_ref().map_or(String::new(), |array| format!(" of `{array}`"));
        let text = format!(
            "{file}:{line}: the {}{array} in {} memory takes {now:.1} {unit} of a warp where {least:.1} would do; {:.1} % of \
             the time waits there",
            verb.name(),
            memory.name(),
            100.0 * share
        );
        Self { access: Some(access), ..Self::of_text(text) }
    }
}

/// The access whose excess costs most on the critical path; `None` if the spec has a body, or no access costs enough.
fn wasteful(
    spec: &Spec,
    lowering: &Lowering<'_>,
    configuration: &Configuration,
    path: &[PathShare],
) -> Option<NextAccess> {
    let Feasibility::Feasible(inspection) = inspect_counts(spec, lowering, configuration).ok()?? else { return None };
    let candidates = path.iter().filter_map(|step| {
        let memory = match step.waits_for {
            WaitCause::Memory => MemoryKind::Global,
            WaitCause::Local => MemoryKind::Local,
            _ => return None,
        };
        let (file, line) = (step.file.as_deref()?, step.line?);
        let accesses = &line_of(&inspection, file, line)?.accesses;
        let worst = accesses.iter().filter(|note| note.memory == memory);
        let worst = worst.max_by(|one, other| one.waste().total_cmp(&other.waste()))?;
        let (now, least) = worst.sectors.zip(worst.least_sectors).or(worst.passes.zip(worst.least_passes))?;
        let saves = step.share * saving(least, now);
        let file = Path::new(file).file_name()?.to_string_lossy().into_owned();
        let (access, array, share) = (worst.access, worst.array.clone(), step.share);
        Some((saves, NextAccess { file, line, access, memory, array, now, least, share }))
    });
    // Of equal savings the first on the path.
    let costliest = candidates.reduce(|best, other| if other.0 > best.0 { other } else { best })?;
    Some(costliest).filter(|(saves, _)| *saves >= LEAST_SAVING).map(|(_, access)| access)
}

fn line_of<'a>(inspection: &'a Inspection, file: &str, line: u32) -> Option<&'a InspectedLine> {
    let mut files = inspection.files.iter().filter(|inspected| inspected.name == file);
    files.find_map(|file| file.lines.iter().find(|inspected| inspected.line == line))
}

/// The part that an amount is less than another, from 0 to 1.
fn saving(less: f64, than: f64) -> f64 {
    if than > 0.0 { 1.0 - less / than } else { 0.0 }
}

#[cfg(test)]
mod tests;
