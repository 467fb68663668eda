//! `kept.json` of a folder about several scenarios: the user's question.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::certificate::deviation::Deviation;
use crate::certificate::hashes;
use crate::certificate::kept::MANIFEST;
use crate::result::{FleetReport, FleetScenario, Values};
use autotune_base::files::version::KEPT_VERSION;
use autotune_base::files::{self, MIB};
use autotune_base::text::json::to_json;

const SCHEMA: &str = "autotune.kept_fleet/2";

/// The question of a folder. The proofs of each scenario have the files that it follows from.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FleetQuestion {
    schema: String,
    version: String,
    /// The most configurations of the answer; `None` if it is one for all.
    pub(super) variants: Option<usize>,
    pub(super) scenarios: Vec<AskedScenario>,
}

/// A scenario of the user's question.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AskedScenario {
    gpu: String,
    problem: Values,
    /// The weight in the mean, from 1: no proof has it.
    pub(super) weight: u32,
}

impl FleetQuestion {
    /// The question of an answer.
    fn of(report: &FleetReport) -> Self {
        let asked = |one: &FleetScenario| {
            let FleetScenario { gpu, problem, weight, optimum: _ } = one.clone();
            AskedScenario { gpu, problem, weight }
        };
        Self {
            schema: SCHEMA.to_owned(),
            version: KEPT_VERSION.to_owned(),
            variants: report.most_variants,
            scenarios: report.scenarios.iter().map(asked).collect(),
        }
    }

    /// Writes the question of an answer.
    pub(super) fn write(folder: &Path, report: &FleetReport) -> io::Result<()> {
        hashes::add(folder, MANIFEST, to_json(&Self::of(report))?)
    }

    /// Reads the question of a folder, which the answer must be about.
    pub(super) fn read(folder: &Path, answer: &FleetReport) -> Result<Self, Vec<Deviation>> {
        let wrong = |what: String| vec![Deviation::new(MANIFEST, what)];
        let text = files::kept(&folder.join(MANIFEST), 16 * MIB).called(MANIFEST).text();
        let text = text.map_err(|why| wrong(why.to_string()))?;
        let asked: Self = serde_json::from_str(&text).map_err(|why| wrong(format!("it is not a manifest: {why}")))?;
        if asked.schema != SCHEMA || to_json(&asked).is_ok_and(|written| written != text) {
            return Err(wrong("it is not a manifest that this version writes".to_owned()));
        }
        let answered = Self::of(answer);
        if asked.variants != answered.variants || asked.scenarios.len() != answered.scenarios.len() {
            return Err(wrong("it asks for other scenarios or variants than fleet.json answers".to_owned()));
        }
        let pairs = asked.scenarios.iter().zip(&answered.scenarios).enumerate().filter(|(_, (one, two))| one != two);
        let differs = |(number, (one, two)): (usize, (&AskedScenario, &AskedScenario))| {
            let told = if one.weight == two.weight {
                "fleet.json has another GPU or other sizes".to_owned()
            } else {
                format!("its weight is {}, but fleet.json says {}", one.weight, two.weight)
            };
            Deviation::new(MANIFEST, format!("scenario {number}: {told}"))
        };
        let differences: Vec<Deviation> = pairs.map(differs).collect();
        if differences.is_empty() { Ok(asked) } else { Err(differences) }
    }
}
