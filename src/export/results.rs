//! The selection of the results that a file holds: one for each question, the proved ones, or the only one.

use super::error::ExportError;
use crate::result::{Optimum, Report, Values, Verdict};
use autotune_base::text::words::label;

/// A result whose optimum is proved.
#[derive(Clone, Copy)]
pub(super) struct Proved<'a> {
    pub(super) report: &'a Report,
    pub(super) optimum: &'a Optimum,
    /// The parameters to use: those of the preferred configuration, otherwise the optimum's.
    pub(super) parameters: &'a Values,
}

/// The results with a proved optimum; an error if there are none.
pub(super) fn proved<'a>(results: &[&'a Report]) -> Result<Vec<Proved<'a>>, ExportError> {
    let of = |report: &&'a Report| {
        let optimum = report.optimum.as_ref().filter(|_| report.verdict == Verdict::Proved)?;
        Some(Proved { report, optimum, parameters: report.chosen()? })
    };
    let proved: Vec<_> = results.iter().filter_map(of).collect();
    if proved.is_empty() { Err(ExportError::NothingProved) } else { Ok(proved) }
}

/// The results without repetitions of a question; an error if two results of one question differ.
pub(super) fn distinct(results: &[Report]) -> Result<Vec<&Report>, ExportError> {
    let mut distinct: Vec<&Report> = Vec::new();
    for report in results {
        let same = |other: &&&Report| {
            (&other.kernel, &other.gpu, &other.problem) == (&report.kernel, &report.gpu, &report.problem)
        };
        let Some(other) = distinct.iter().find(same) else {
            distinct.push(report);
            continue;
        };
        let optima = [*other, report].map(|one| one.optimum.as_ref().map(|found| (one.chosen(), found.ticks)));
        if optima[0] != optima[1] {
            let optima = [*other, report].map(|one| {
                one.optimum.as_ref().map_or("no optimum".to_owned(), |optimum| {
                    let chosen = one.chosen().unwrap_or(&optimum.parameters);
                    format!("{}, optimum {} ticks", label(chosen), optimum.ticks)
                })
            });
            return Err(ExportError::Contradiction { question: question(report), optima });
        }
    }
    Ok(distinct)
}

/// The only one of these results. `form` is the format that cannot hold several; the error names it.
pub(super) fn one<'a>(form: &'static str, results: &[&'a Report]) -> Result<&'a Report, ExportError> {
    match results {
        [] => Err(ExportError::NothingProved),
        [one] => Ok(one),
        several => Err(ExportError::Several { form, results: several.iter().map(|one| question(one)).collect() }),
    }
}

/// The question of a result, for example `matmul_tiled on fermi, size=1024`.
pub(super) fn question(report: &Report) -> String {
    let sizes = label(&report.problem);
    let separator = if sizes.is_empty() { "" } else { ", " };
    format!("{} on {}{separator}{sizes}", report.kernel, report.gpu)
}
