//! The repetition of a folder's proof from its inputs.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;
use serde_json::Value;

use super::deviation::{Deviation, first};
use super::error::CertificateError;
use super::kept::{Kept, MANIFEST, PROFILE, SPACE, SPEC};
use super::scripts::{RESULT, SCRIPTS};
use super::{compare, hashes, programs};
use crate::doubts::doubts;
use crate::result::{
    AnalysisReport, CompilationsReport, ProfileOrigin, Report, SensitivityReport, TuningParts, Verdict,
    VerificationReport,
};
use autotune_base::files::scratch::Scratch;
use autotune_base::files::{self, MIB};
use autotune_base::limits::Limits;
use autotune_base::text::json::{to_json, to_value};
use autotune_base::ticks::Ticks;
use autotune_engine::compare::cross_check::cross_check;
use autotune_engine::compare::near::{self, Near};
use autotune_engine::compare::sensitivity::sensitivity;
use autotune_engine::explain::{ExecutedSource, NextChange};
use autotune_engine::proof;
use autotune_engine::proof::{Answer, Finding, Observer, ProofContext, Question, TuningError};
use autotune_engine::schedules::{ScheduleProof, prove_schedules};
use autotune_engine::spin::Settings;

/// A result whose verdict is `proved`.
pub(super) struct Claim {
    /// The result's text, and its parsed values.
    text: String,
    values: Value,
    report: Report,
    /// SPIN and its version.
    pub(super) checker: String,
}

impl Claim {
    /// Reads the result of a folder, or returns its faults.
    pub(super) fn read(folder: &Path) -> Result<Self, Vec<Deviation>> {
        let wrong = |what: String| Err(vec![Deviation::new(RESULT, what)]);
        let text = match files::kept(&folder.join(RESULT), hashes::LARGEST_FILE).called(RESULT).text() {
            Ok(text) => text,
            Err(error) => return wrong(error.to_string()),
        };
        let report: Report = match serde_json::from_str(&text) {
            Ok(report) => report,
            Err(error) => return wrong(format!("it is not a result: {error}")),
        };
        match report.verdict {
            Verdict::Proved => {}
            Verdict::BestEffort => {
                let stopped = report.stopped.unwrap_or_default();
                return wrong(format!(
                    "it is not a proof: its verdict is best_effort, the search was stopped by {stopped}"
                ));
            }
            Verdict::Infeasible => return wrong("it is not a proof: no configuration is feasible".to_owned()),
        }
        // The times are those of the repeated proof, or they differ from it.
        let doubts = doubts(&report, None);
        let Some(proof) = report.proof.as_ref().filter(|_| doubts.is_empty()) else {
            return Err(doubts.into_iter().map(|doubt| Deviation::new(RESULT, doubt.to_string())).collect());
        };
        let checker = proof.checker.clone();
        let values = serde_json::from_str(&text).unwrap_or_default();
        Ok(Self { text, values, report, checker })
    }

    /// The proof about every order of simultaneous events, made again; `None` if the answer is not about it, or leaves it open.
    fn orders_again(
        &self,
        question: &Question,
        answer: &mut Answer,
        near: Option<&Near>,
        context: &ProofContext,
        observe: Observer,
    ) -> Result<Option<ScheduleProof>, TuningError> {
        // Another run would go on further, or less far: an open answer claims nothing.
        if self.report.leaves_orders_open() {
            Ok(None)
        } else {
            prove_schedules(question, answer, near, context, observe)
        }
    }

    /// The number of proofs to make, one for each time among the best; unlimited unless the search was stopped.
    fn places(&self) -> usize {
        let times = self.report.top.as_deref().unwrap_or_default().chunk_by(|one, other| one.ticks == other.ticks);
        if self.report.stopped.is_some() { times.count().max(1) } else { usize::MAX }
    }
}

/// Proves the question of a folder in a folder of its own, and returns the differences from the kept files.
pub(super) fn prove_again(
    folder: &Path,
    kept: &Kept,
    claim: &Claim,
    compilations: Option<CompilationsReport>,
    settings: &Settings,
    observe: Observer,
) -> Result<(VerificationReport, Vec<Deviation>), CertificateError> {
    let question = Question { places: claim.places(), ..kept.question() };
    if claim.report.stopped.is_some() && claim.report.top.as_ref().map_or(1, Vec::len) >= question.top {
        let what = "it claims that a search was stopped, but has all the requested places";
        return Err(CertificateError::Differs {
            folder: folder.to_owned(),
            differences: vec![Deviation::new(RESULT, what)],
        });
    }
    let scratch = Scratch::new()?;
    let again = scratch.path().join("again");
    fs::create_dir(&again)?;
    let context = ProofContext { settings: settings.clone(), folder: again.clone() };
    let mut answer = proof::tune(&question, &context, &mut *observe)?;
    if let Finding::Open { reason, .. } | Finding::Proved { stopped: Some((_, reason)), .. } = answer.finding {
        return Err(CertificateError::Stopped(reason));
    }
    let near = near::look(&question, &answer)?;
    let schedules = claim.orders_again(&question, &mut answer, near.as_ref(), &context, observe)?;
    let beside = TuningParts {
        near: near.as_ref(),
        source: ExecutedSource::of_optimum(&question, &answer, near.as_ref()),
        next: NextChange::of_answer(&question, &answer, near.as_ref()),
        schedules: schedules.as_ref(),
        listing: kept.listing,
        checker: &claim.checker,
        artifacts: None,
    };
    let mut report = Report::new(&question, &answer, beside);
    if let (Some(near), Some(survey)) = (&near, &answer.survey) {
        if claim.report.analysis.is_some() {
            let compared = cross_check(&question, &answer, near)?;
            report.analysis = compared.map(|compared| AnalysisReport::new(question.spec, survey, &compared));
        }
        if claim.report.sensitivity.is_some() {
            let found = sensitivity(&question, &answer, near);
            report.sensitivity = found.map(|found| SensitivityReport::new(&question, survey, &found));
        }
    }
    check_limits(&settings.limits)?;
    let mut differences = check_result(claim, &report)?;
    hashes::sweep(&again)?;
    let again = hashes::proof_files(&again)?;
    let packed = answer.survey.as_ref().map(|survey| programs::packed(question.spec, survey)).transpose()?;
    differences.extend(check_programs(folder, packed.as_deref()));
    differences.extend(check_files(folder, kept, &again)?);
    let profile = if kept.has_shipped_profile() { ProfileOrigin::Shipped } else { ProfileOrigin::Own };
    Ok((
        VerificationReport { profile, compilations, ..verification(claim, &report, &answer, settings, &again) },
        differences,
    ))
}

/// The error of a repetition that a limit cut short before the comparison.
fn check_limits(limits: &Limits) -> Result<(), CertificateError> {
    let stopped = |stop| CertificateError::Stopped(format!("{stop} before the results were compared"));
    limits.exceeded().map_or(Ok(()), |stop| Err(stopped(stop)))
}

fn verification(
    claim: &Claim,
    report: &Report,
    answer: &Answer,
    settings: &Settings,
    files: &BTreeMap<String, PathBuf>,
) -> VerificationReport {
    let named = |ending: &str| files.keys().filter(|name| name.ends_with(ending)).count();
    let lists = files.iter().filter(|(name, _)| name.ends_with(compare::CONFIGURATIONS));
    let lines = lists.map(|(_, path)| fs::read_to_string(path).map_or(0, |text| text.lines().count()));
    let proof = report.proof.as_ref();
    VerificationReport {
        schema: VerificationReport::SCHEMA,
        kernel: claim.report.kernel.clone(),
        gpu: claim.report.gpu.clone(),
        verdict: VerificationReport::VERIFIED,
        property: proof.map_or(String::new(), |proof| proof.property.clone()),
        ticks: report.optimum.as_ref().map_or(Ticks::ZERO, |optimum| optimum.ticks),
        checker: settings.toolchain.checker(),
        profile: ProfileOrigin::Own,
        compilations: None,
        programs: answer.survey.as_ref().map_or(0, |survey| survey.programs.len()),
        models: named("/model.pml"),
        configurations: lines.sum(),
        trails: named(".trail"),
        pruned: proof.map_or(0, |proof| proof.configurations.pruned),
        schedules: claim.report.schedules.as_ref().map(|orders| orders.verdict),
    }
}

/// Compares each claim of the result with the repeated proof, except for measurements and the reason for stopping,
/// which belong to the run, for orders that are open, and for the lines that the spec was inferred from: the spec is kept, and
/// host code is not.
fn check_result(claim: &Claim, report: &Report) -> Result<Vec<Deviation>, CertificateError> {
    let mut proved = to_value(report).map_err(io::Error::other)?;
    let mut claimed = claim.values.clone();
    for values in [&mut proved, &mut claimed] {
        if let Value::Object(values) = values {
            values.remove("cost");
            values.remove("inferred");
            if claim.report.leaves_orders_open() {
                values.remove("schedules");
            }
            if claim.report.stopped.is_some() {
                values.remove("stopped");
                values.remove("reason");
            }
        }
    }
    let mut differences = Vec::new();
    compare::values("", &claimed, &proved, &mut |what| differences.push(Deviation::new(RESULT, what)));
    let written = to_json(&claim.report).map_err(io::Error::other)?;
    if differences.is_empty() && written != claim.text {
        let what = "it is not written as autotune writes results: a name may be there twice, or unknown";
        differences.push(Deviation::new(RESULT, what));
    }
    Ok(first(differences.into_iter()))
}

fn check_programs(folder: &Path, packed: Option<&[u8]>) -> Option<Deviation> {
    let path = folder.join(programs::FILE);
    let is_same = match packed {
        Some(packed) => files::kept(&path, packed.len() as u64 + 1).bytes().is_ok_and(|kept| kept == packed),
        None => !path.exists(),
    };
    let what = "these are not the programs that the inputs are lowered to";
    (!is_same).then(|| Deviation::new(programs::FILE, what))
}

/// Checks that every file of the folder was made again, is an input, or is a known file beside them.
fn check_files(folder: &Path, kept: &Kept, again: &BTreeMap<String, PathBuf>) -> io::Result<Vec<Deviation>> {
    let mut found = hashes::proof_files(folder)?;
    let own = [RESULT, MANIFEST, SPEC, PROFILE, programs::FILE].into_iter();
    let space = kept.spec.space_source.iter().map(|_| SPACE);
    for name in own.chain(space).chain(SCRIPTS.map(|(name, _)| name)) {
        found.remove(name);
    }
    let mut differences = Vec::new();
    for name in kept.compilations.iter().flat_map(|compilations| compilations.names()) {
        found.remove(&name);
    }
    for (name, again) in again {
        match found.remove(name) {
            None => differences.push(Deviation::new(name, "the proof leaves it, but it is missing")),
            Some(kept) => {
                let again = fs::read(again)?;
                // Another run's measurements have other lengths.
                let most = again.len() as u64 + MIB;
                let what = match files::kept(&kept, most).called(name).bytes() {
                    Ok(kept) => compare::file(name, &kept, &again),
                    Err(error) => Some(error.to_string()),
                };
                differences.extend(what.map(|what| Deviation::new(name, what)));
            }
        }
    }
    differences.extend(found.keys().map(|name| Deviation::new(name, "the proof does not leave it")));
    Ok(differences)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Near ties and formulas do not heed the time limit; a limit that falls after the last search is reported as one.
    #[test]
    fn verify_is_stopped_by_a_limit_behind_the_last_search() {
        let limits = Limits::default();
        check_limits(&limits).unwrap();
        limits.interrupt.raise();
        let told = check_limits(&limits).unwrap_err().to_string();
        assert_eq!(told, "the proof was not repeated: it was interrupted before the results were compared");
    }
}
