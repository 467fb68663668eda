//! Kept proofs about several scenarios: a folder of ordinary kept proofs, and `fleet.json`, which follows from them.
//!
//! Scenario `s` has the folder `scenario-s` with up to three kept proofs: `optimum` of its own space, `best` of the
//! configurations of least worst slowdown, `others` of the configurations that are assigned to it. Each is checked like any
//! other. `SHA256SUMS` seals `fleet.json`, the scripts, and the `SHA256SUMS` of each proof.

pub(super) mod folder;
mod scenario;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use fs_err as fs;

use super::deviation::Deviation;
use super::error::CertificateError;
use super::verify::verify;
use super::{compare, hashes};
use crate::compare::fleet::{BEST_LISTED, CommonSpace, ScenarioTimeError, choose};
use crate::files::{self, MIB};
use crate::proof::{Observer, Question, TuningError};
use crate::result::{
    FleetParts, FleetReport, FleetVerificationReport, Report, ScenarioProofs, Verdict, VerificationReport,
};
use crate::source::Tools;
use crate::spin::Settings;
use crate::text::json::to_json;
use folder::{parts_of, scenario_folder};
use scenario::KeptScenario;

/// The file of the result about all scenarios.
const FLEET: &str = "fleet.json";
/// The scripts that check a folder without this program.
const SCRIPTS: [(&str, &str); 2] =
    [("check.py", include_str!("fleet/check.py")), ("check.sh", include_str!("fleet/check.sh"))];

/// True if a folder is a kept proof about several scenarios.
#[must_use]
pub fn is_fleet(folder: &Path) -> bool {
    folder.join(FLEET).symlink_metadata().is_ok()
}

/// Completes the folder of an answered question about several scenarios: adds result, scripts and hashes.
///
/// # Errors
/// If a file cannot be read or written.
pub fn seal_fleet(folder: &Path, result: &str) -> io::Result<()> {
    hashes::add(folder, FLEET, result)?;
    for (name, text) in SCRIPTS {
        hashes::add(folder, name, text)?;
    }
    let report: FleetReport = serde_json::from_str(result)?;
    let parts = parts_of(&report).into_iter().map(|part| format!("{part}/{}", hashes::SUMS));
    let there = parts.filter(|sums| folder.join(sums).is_file());
    let own = [FLEET].into_iter().chain(SCRIPTS.map(|(name, _)| name)).map(str::to_owned);
    hashes::write_some(folder, own.chain(there))
}

/// Proves again what a folder about several scenarios claims: each proof in it from its inputs, and the result from them.
///
/// # Errors
/// As [`verify`].
pub fn verify_fleet(
    folder: &Path,
    settings: &Settings,
    tools: Option<&Tools>,
    observe: Observer,
) -> Result<FleetVerificationReport, CertificateError> {
    let differs = |differences| CertificateError::Differs { folder: folder.to_owned(), differences };
    let (text, claimed) = read(folder).map_err(|why| differs(vec![why]))?;
    let differences = check_files(folder, &claimed)?;
    if !differences.is_empty() {
        return Err(differs(differences));
    }
    let mut verified = Vec::new();
    for part in parts_of(&claimed) {
        verified.push(verify(&folder.join(part), settings, tools, &mut *observe)?);
    }
    let scenarios = (0..claimed.scenarios.len()).map(|scenario| KeptScenario::read(folder, scenario, &claimed));
    let scenarios = scenarios.collect::<Result<Vec<_>, _>>().map_err(|why| differs(vec![why]))?;
    let differences = check_claim(&scenarios, &claimed, &text, settings)?;
    if differences.is_empty() { Ok(verification(&claimed, &verified, settings)) } else { Err(differs(differences)) }
}

/// Reads the result, whose verdict must be `proved`.
fn read(folder: &Path) -> Result<(String, FleetReport), Deviation> {
    let wrong = |what: String| Deviation::new(FLEET, what);
    let text = files::kept(&folder.join(FLEET), hashes::LARGEST_FILE).called(FLEET).text();
    let text = text.map_err(|why| wrong(why.to_string()))?;
    let report: FleetReport =
        serde_json::from_str(&text).map_err(|why| wrong(format!("it is not a result about scenarios: {why}")))?;
    if report.verdict != Verdict::Proved || report.proof.is_none() {
        return Err(wrong("it is not a proof".to_owned()));
    }
    Ok((text, report))
}

/// Checks that the folder has the files of its result and no others, with their hashes, and this version's scripts.
fn check_files(folder: &Path, claimed: &FleetReport) -> io::Result<Vec<Deviation>> {
    let parts = parts_of(claimed);
    let names = [FLEET].into_iter().chain(SCRIPTS.map(|(name, _)| name)).map(str::to_owned);
    let names = names.chain(parts.iter().map(|part| format!("{part}/{}", hashes::SUMS)));
    let mut differences = hashes::check_some(folder, names)?;
    for (name, text) in SCRIPTS {
        if files::kept(&folder.join(name), MIB).bytes().ok().as_deref() != Some(text.as_bytes()) {
            differences.push(Deviation::new(name, "it is not the script that this version of autotune writes"));
        }
    }
    let own = [FLEET, hashes::SUMS].into_iter().chain(SCRIPTS.map(|(name, _)| name)).map(str::to_owned);
    let folders = parts.iter().filter_map(|part| part.split_once('/')).map(|(scenario, _)| scenario.to_owned());
    let mut expected: BTreeSet<String> = own.chain(folders).collect();
    expected.extend(parts);
    let mut found = entries(folder, "")?;
    for scenario in 0..claimed.scenarios.len() {
        let name = scenario_folder(scenario);
        if folder.join(&name).is_dir() {
            found.extend(entries(&folder.join(&name), &format!("{name}/"))?);
        }
    }
    let others = found.difference(&expected).map(|name| Deviation::new(name, "it is not a part of the proof"));
    differences.extend(others);
    Ok(differences)
}

/// The entries of a folder, each with a prefix.
fn entries(folder: &Path, prefix: &str) -> io::Result<BTreeSet<String>> {
    let name = |entry: io::Result<fs::DirEntry>| Ok(format!("{prefix}{}", entry?.file_name().to_string_lossy()));
    fs::read_dir(folder)?.map(name).collect()
}

/// Makes the result again from the verified proofs, and compares it with the claim.
fn check_claim(
    scenarios: &[KeptScenario],
    claimed: &FleetReport,
    text: &str,
    settings: &Settings,
) -> Result<Vec<Deviation>, CertificateError> {
    let limits = &settings.limits;
    let stopped = || CertificateError::Stopped("a limit was reached before the results were compared".to_owned());
    let questions: Vec<Question> = scenarios.iter().map(|scenario| scenario.optimum.0.question()).collect();
    let weights: Vec<u32> = scenarios.iter().map(|scenario| scenario.weight).collect();
    let common = CommonSpace::survey(&questions, limits).map_err(TuningError::from)?;
    let mut common = common.ok_or_else(stopped)?;
    let optima: Vec<Report> = scenarios.iter().map(|scenario| scenario.optimum.1.clone()).collect();
    let ticks: Vec<_> = optima.iter().filter_map(|report| Some(report.optimum.as_ref()?.ticks)).collect();
    let choice = choose(&mut common, &ticks, BEST_LISTED).map_err(|error| match error {
        ScenarioTimeError::Space(error) => CertificateError::from(TuningError::from(error)),
        ScenarioTimeError::Stopped(_) => stopped(),
    })?;
    let Some(choice) = choice else { return Ok(vec![Deviation::new(FLEET, "no configuration is feasible in all")]) };
    let first = &scenarios[0].optimum.0;
    let faults = scenarios.iter().enumerate().flat_map(|(number, one)| one.faults(number, first, &common, &choice));
    let mut differences: Vec<Deviation> = faults.collect();
    let proofs: Vec<ScenarioProofs> = scenarios
        .iter()
        .map(|one| ScenarioProofs { best: one.best.1.clone(), others: one.others.as_ref().map(|one| one.1.clone()) })
        .collect();
    let parts = FleetParts {
        questions: &questions,
        weights: &weights,
        optima: &optima,
        common: Some(&common),
        exclusions: None,
        choice: Some(&choice),
        proofs: &proofs,
        stopped: None,
    };
    differences.extend(parts.contradictions().into_iter().map(|what| Deviation::new(FLEET, what)));
    let again = FleetReport::new(&parts);
    let value = |report: &FleetReport| serde_json::to_value(report).map_err(io::Error::other);
    compare::values("", &value(claimed)?, &value(&again)?, &mut |what| differences.push(Deviation::new(FLEET, what)));
    if differences.is_empty() && to_json(&again).map_err(io::Error::other)? != text {
        differences.push(Deviation::new(FLEET, "it is not written as autotune writes it"));
    }
    Ok(differences)
}

fn verification(
    claimed: &FleetReport,
    verified: &[VerificationReport],
    settings: &Settings,
) -> FleetVerificationReport {
    FleetVerificationReport {
        schema: FleetVerificationReport::SCHEMA,
        kernel: claimed.kernel.clone(),
        verdict: VerificationReport::VERIFIED,
        scenarios: claimed.scenarios.len(),
        slowdown: claimed.optimum.as_ref().map_or(1.0, |optimum| optimum.worst.slowdown),
        configurations: claimed.proof.as_ref().map_or(0, |proof| proof.configurations),
        checker: settings.toolchain.checker(),
        proofs: verified.len(),
        models: verified.iter().map(|one| one.models).sum(),
        searched: verified.iter().map(|one| one.configurations).sum(),
        trails: verified.iter().map(|one| one.trails).sum(),
    }
}
