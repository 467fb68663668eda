//! The survey of a space: every configuration lowered, and equal programs joined.

mod builder;
mod edges;
mod entries;
mod programs;

use super::error::SpaceError;
use super::leave_out::leave_out;
use super::progress::Observe;
use crate::gpu::Profile;
use crate::lowering::Lowering;
use crate::spec::{Configuration, Spec};
use autotune_base::limits::Limits;
use autotune_kernel::source::SourceReader;
use builder::Builder;
use edges::Searched;

pub use entries::{ConfigurationStatus, Entries, Entry, Rule, Survey};
pub use programs::{Programs, UniqueProgram};

/// Lowers every configuration, or only the one that is named; `None` if a limit was reached first.
///
/// # Errors
/// If a configuration cannot be lowered: the error names the first in the space's order. Or if the space is too large.
pub fn survey(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    only: Option<&Configuration>,
    limits: &Limits,
) -> Result<Option<Survey>, SpaceError> {
    let survey = survey_observed(spec, profile, reader, only, limits, &mut |_| {})?;
    Ok(Some(survey).filter(|survey| survey.cut_short.is_none()))
}

/// Lowers every configuration, or only the one that is named, for a question that is about all of them; `None` if a limit
/// was reached first.
///
/// # Errors
/// As [`survey`], or if nothing is known of a configuration.
pub fn known_survey(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    only: Option<&Configuration>,
    limits: &Limits,
) -> Result<Option<Survey>, SpaceError> {
    let Some(survey) = survey(spec, profile, reader, only, limits)? else { return Ok(None) };
    if let Some((entry, reason)) = survey.unknown().next() {
        return Err(SpaceError::Unknown {
            configurations: survey.unknown().count(),
            first: spec.label(&survey.entries.get(entry).configuration),
            reason: reason.to_string(),
            leave_out: leave_out(spec, &survey),
        });
    }
    Ok(Some(survey))
}

/// Lowers every configuration, or only the one that is named, and shows the progress to an observer. A limit cuts the
/// survey short; the first configurations are lowered all the same.
///
/// # Errors
/// As [`survey`].
pub fn survey_observed(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    only: Option<&Configuration>,
    limits: &Limits,
    observe: Observe,
) -> Result<Survey, SpaceError> {
    let lowering = Lowering::new(spec, profile, reader);
    let crashed_before = lowering.has_crashed();
    let survey = surveyed(&lowering, spec, only, limits, observe)?;
    if lowering.has_crashed() == crashed_before {
        return Ok(survey);
    }
    // The first configurations have a back end's registers, the others estimates.
    surveyed(&lowering, spec, only, limits, observe)
}

fn surveyed(
    lowering: &Lowering,
    spec: &Spec,
    only: Option<&Configuration>,
    limits: &Limits,
    observe: Observe,
) -> Result<Survey, SpaceError> {
    let mut builder = match only {
        Some(configuration) => Builder::of_one(spec, configuration),
        None => Builder::of_all(spec, lowering.names(), limits, observe)?,
    };
    builder.lower(lowering, limits, observe)?;
    let Searched { survey, first } = edges::searched(builder.finish(), spec, lowering, limits);
    match first {
        Some((entry, why)) if survey.programs.is_empty() => {
            let configuration = spec.label(&survey.entries.get(entry).configuration);
            Err(SpaceError::Lowering { configuration, why: Box::new(why) })
        }
        _ => Ok(survey),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::progress::Progress;

    const SPEC: &str = "
kernel: counted
parameters: { A: { range: { from: 1, to: 10 } }, B: { values: [1, 2] } }
constraints: [ A > 3 ]
launch: { work_items: 64, work_group: 4 }
body: [ barrier ]
";

    #[test]
    fn what_a_constraint_excludes_is_counted() {
        let spec = Spec::parse(SPEC, "counted").unwrap();
        let profile = Profile::resolve("abstract-tiny").unwrap();
        let survey = survey(&spec, &profile, &SourceReader::default(), None, &Limits::default()).unwrap().unwrap();
        assert_eq!((survey.all, survey.infeasible(), survey.feasible()), (20, 6, 14));
        assert_eq!(survey.rules, [Rule { rule: "A > 3".to_owned(), count: 6 }]);
    }

    /// 20,000 configurations; the last of them are the fastest.
    const WIDE: &str = "
kernel: wide
parameters: { A: { range: { from: 1, to: 200 } }, B: { range: { from: 1, to: 100 } } }
launch: { work_items: 64, work_group: 4 }
body: [ compute: { per_item: (201 - A) * 100 - B } ]
";

    fn surveyed(limits: &Limits) -> (Survey, Vec<Progress>) {
        let spec = Spec::parse(WIDE, "wide").unwrap();
        let profile = Profile::resolve("abstract-tiny").unwrap();
        let mut seen = Vec::new();
        let survey = survey_observed(&spec, &profile, &SourceReader::default(), None, limits, &mut |progress| {
            seen.push(progress);
        })
        .unwrap();
        assert_eq!(
            super::survey(&spec, &profile, &SourceReader::default(), None, limits).unwrap().is_some(),
            survey.cut_short.is_none()
        );
        (survey, seen)
    }

    #[test]
    fn the_progress_is_the_share_of_the_space_and_then_of_the_configurations() {
        let (survey, seen) = surveyed(&Limits::default());
        let shares = |enumerating: bool| {
            let share = move |progress: &Progress| match progress {
                Progress::Enumerating(share) => enumerating.then_some(*share),
                Progress::Lowering(share) => (!enumerating).then_some(*share),
                Progress::Compiling(_) | Progress::Evaluating(_) => panic!("nothing is compiled or evaluated here"),
            };
            seen.iter().filter_map(share).collect::<Vec<_>>()
        };
        for shares in [shares(true), shares(false)] {
            assert!(shares.len() >= 4 && shares.is_sorted_by(|one, two| one.done < two.done), "{shares:?}");
            assert!(shares.iter().all(|share| share.of == 20_000 && share.done < 20_000));
            assert!(shares.last().unwrap().percent() > 40, "{shares:?}");
        }
        assert_eq!((survey.entries.len(), survey.cut_short), (20_000, None));
    }

    /// The first configurations are known then, and a time of one of them.
    #[test]
    fn a_limit_leaves_the_configurations_that_were_lowered_and_a_time() {
        let whole = surveyed(&Limits::default()).0;
        let over = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
        let (survey, _) = surveyed(&over);
        let Some(Progress::Enumerating(share)) = survey.cut_short else { panic!("{:?}", survey.cut_short) };
        assert!(share.done < 5_000, "{share:?}");
        assert_eq!((survey.entries.len(), survey.programs.len(), survey.early.len()), (256, 256, 1));
        let (program, early) = survey.early[0];
        let best = survey.entries.get(survey.programs.entry(program)).configuration;
        assert_eq!(best.0, [3, 56], "of the first 256, the last one computes least");
        assert_eq!(
            early,
            autotune_machine::machine::evaluate(&survey.programs.get(program).program, u64::MAX).unwrap()
        );
        let known: Vec<u64> = whole.early.iter().map(|(_, evaluation)| evaluation.ticks).collect();
        assert!(known.len() > 4 && known.is_sorted_by(|one, two| one > two), "{known:?}");
    }

    #[test]
    fn a_second_request_to_stop_lowers_nothing() {
        let limits = Limits::default();
        limits.interrupt.raise();
        limits.interrupt.raise();
        let (survey, _) = surveyed(&limits);
        assert_eq!((survey.entries.len(), survey.programs.len(), survey.early.len()), (0, 0, 0));
        assert!(survey.cut_short.is_some());
    }
}
