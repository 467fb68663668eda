//! Kept proofs about several scenarios: a folder of ordinary kept proofs, and `fleet.json`, which follows from them.
//!
//! Scenario `s` has the folder `scenario-s` with up to three kept proofs: `optimum` of its own space, `best` of the
//! configurations of least worst slowdown, `others` of the configurations that are assigned to it. Each is checked like any
//! other. `kept.json` has the question with the
//! weights, which no proof has. `SHA256SUMS` seals both, the scripts, and the `SHA256SUMS` of each proof. With several variants `best` is
//! about them, `others` is about the configurations that are not faster than the worst slowdown, and `tree.json` shows that
//! no other variants are better.

mod claim;
pub(super) mod folder;
mod question;
mod scenario;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use fs_err as fs;

use super::deviation::Deviation;
use super::error::CertificateError;
use super::hashes;
use super::kept::MANIFEST;
use super::verify::{refuse_other_version, verify};
use crate::result::{
    CompilationsReport, FleetReport, FleetVerificationReport, OwnProfile, ProfileOrigin, Verdict, VerificationReport,
};
use autotune_base::files::{self, MIB};
use autotune_engine::compare::fleet::MOST_VARIANTS;
use autotune_engine::proof::Observer;
use autotune_engine::spin::Settings;
use autotune_kernel::source::Tools;
use claim::Claim;
use folder::{FLEET, FLEET_PARTS, TREE, parts_of, scenario_folder};
use question::FleetQuestion;
use scenario::KeptScenario;

/// The scripts that check a folder without this program.
const SCRIPTS: [(&str, &str); 2] =
    [("check.py", include_str!("fleet/check.py")), ("check.sh", include_str!("fleet/check.sh"))];

/// True if a folder is a kept proof about several scenarios.
#[must_use]
pub fn is_fleet(folder: &Path) -> bool {
    folder.join(FLEET).symlink_metadata().is_ok()
}

/// Completes the folder of an answered question about several scenarios: adds result, tree, scripts and hashes.
///
/// # Errors
/// If a file cannot be read or written.
pub fn seal_fleet(folder: &Path, result: &str, tree: Option<&str>) -> io::Result<()> {
    hashes::add(folder, FLEET, result)?;
    if let Some(tree) = tree {
        hashes::add(folder, TREE, tree)?;
    }
    for (name, text) in SCRIPTS {
        hashes::add(folder, name, text)?;
    }
    let report: FleetReport = serde_json::from_str(result)?;
    FleetQuestion::write(folder, &report)?;
    let parts = parts_of(&report).into_iter().map(|part| format!("{part}/{}", hashes::SUMS));
    let there = parts.filter(|sums| folder.join(sums).is_file());
    hashes::write_some(folder, own_files(tree.is_some()).chain(there))
}

/// The files of a folder itself.
fn own_files(has_tree: bool) -> impl Iterator<Item = String> {
    [FLEET, MANIFEST]
        .into_iter()
        .chain(has_tree.then_some(TREE))
        .chain(SCRIPTS.map(|(name, _)| name))
        .map(str::to_owned)
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
    refuse_older(folder)?;
    let (text, claimed) = read(folder).map_err(|why| differs(vec![why]))?;
    let differences = check_files(folder, &claimed)?;
    if !differences.is_empty() {
        return Err(differs(differences));
    }
    FleetQuestion::read(folder, &claimed).map_err(differs)?;
    let mut verified = Vec::new();
    for part in parts_of(&claimed) {
        let report = verify(&folder.join(&part), settings, tools, &mut *observe)?;
        verified.push((part, report));
    }
    let interrupt = &settings.limits.interrupt;
    let read = |scenario| KeptScenario::read(folder, scenario, &claimed, interrupt);
    let scenarios = (0..claimed.scenarios.len()).map(read);
    let scenarios = scenarios.collect::<Result<Vec<_>, _>>().map_err(|why| differs(vec![why]))?;
    let tree = claimed.most_variants.map(|_| kept_text(folder, TREE)).transpose().map_err(|why| differs(vec![why]))?;
    let claim = Claim { scenarios: &scenarios, report: &claimed, text: &text, tree: tree.as_deref() };
    let differences = claim.differences(settings)?;
    if differences.is_empty() { Ok(verification(&claimed, &verified, settings)) } else { Err(differs(differences)) }
}

/// Refuses a folder that another version made; the folders of earlier ones have manifests in their proofs alone.
fn refuse_older(folder: &Path) -> Result<(), CertificateError> {
    let is_there = folder.join(MANIFEST).symlink_metadata().is_ok();
    let first = folder.join(scenario_folder(0)).join(FLEET_PARTS[0]);
    if is_there || !first.is_dir() { refuse_other_version(folder) } else { refuse_other_version(&first) }
}

/// Reads the result, whose verdict must be `proved`.
fn read(folder: &Path) -> Result<(String, FleetReport), Deviation> {
    let wrong = |what: String| Deviation::new(FLEET, what);
    let text = kept_text(folder, FLEET)?;
    let report: FleetReport =
        serde_json::from_str(&text).map_err(|why| wrong(format!("it is not a result about scenarios: {why}")))?;
    if report.verdict != Verdict::Proved || report.proof.is_none() {
        return Err(wrong("it is not a proof".to_owned()));
    }
    if report.most_variants.is_some_and(|most| !(2..=MOST_VARIANTS).contains(&most)) {
        return Err(wrong(format!("it is not about 2 to {MOST_VARIANTS} variants")));
    }
    Ok((text, report))
}

fn kept_text(folder: &Path, name: &str) -> Result<String, Deviation> {
    let text = files::kept(&folder.join(name), hashes::LARGEST_FILE).called(name).text();
    text.map_err(|why| Deviation::new(name, why.to_string()))
}

/// Checks that the folder has the files of its result and no others, with their hashes, and this version's scripts.
fn check_files(folder: &Path, claimed: &FleetReport) -> io::Result<Vec<Deviation>> {
    let parts = parts_of(claimed);
    let has_tree = claimed.proof.as_ref().is_some_and(|proof| proof.tree.is_some());
    let names = own_files(has_tree).chain(parts.iter().map(|part| format!("{part}/{}", hashes::SUMS)));
    let mut differences = hashes::check_some(folder, names)?;
    for (name, text) in SCRIPTS {
        if files::kept(&folder.join(name), MIB).bytes().ok().as_deref() != Some(text.as_bytes()) {
            differences.push(Deviation::new(name, "it is not the script that this version of autotune writes"));
        }
    }
    let own = own_files(has_tree).chain([hashes::SUMS.to_owned()]);
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

fn verification(
    claimed: &FleetReport,
    verified: &[(String, VerificationReport)],
    settings: &Settings,
) -> FleetVerificationReport {
    let reports = || verified.iter().map(|(_, report)| report);
    let mut compilations: Vec<CompilationsReport> = Vec::new();
    for of_part in reports().filter_map(|report| report.compilations.as_ref()) {
        if !compilations.iter_mut().any(|known| known.add(of_part)) {
            compilations.push(of_part.clone());
        }
    }
    FleetVerificationReport {
        schema: FleetVerificationReport::SCHEMA,
        kernel: claimed.kernel.clone(),
        verdict: VerificationReport::VERIFIED,
        scenarios: claimed.scenarios.len(),
        slowdown: claimed.worst().map_or(1.0, |worst| worst.slowdown),
        variants: claimed.most_variants.map(|_| claimed.variants.len()),
        configurations: claimed.proof.as_ref().map_or(0, |proof| proof.configurations),
        checker: settings.toolchain.checker(),
        proofs: verified.len(),
        models: reports().map(|one| one.models).sum(),
        searched: reports().map(|one| one.configurations).sum(),
        trails: reports().map(|one| one.trails).sum(),
        own_profiles: own_profiles(claimed, verified),
        compilations,
    }
}

/// The scenarios with a proof whose profile autotune does not ship.
fn own_profiles(claimed: &FleetReport, verified: &[(String, VerificationReport)]) -> Vec<OwnProfile> {
    let is_own = |scenario: &usize| {
        let folder = scenario_folder(*scenario) + "/";
        verified.iter().any(|(part, report)| part.starts_with(&folder) && report.profile == ProfileOrigin::Own)
    };
    let own = |scenario: usize| OwnProfile { scenario, gpu: claimed.scenarios[scenario].gpu.clone() };
    (0..claimed.scenarios.len()).filter(is_own).map(own).collect()
}
