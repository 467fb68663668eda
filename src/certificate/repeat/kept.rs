//! What a model's folder holds: the model, and what was printed when it was searched.

use std::sync::LazyLock;

use fs_err as fs;
use regex::Regex;

use super::Repetition;
use crate::checksum::sha256;
use crate::model::{Form, Model};
use crate::report::{ModelReport, RunReport};
use crate::spin::pan_output::{self, PanOutput, Searched, Verdict};
use crate::spin::{SpinError, TABLES};

/// How a model's head says how large a state is.
static VECTOR: LazyLock<Regex> = LazyLock::new(|| Regex::new("-DVECTORSZ=([0-9]{1,8}) ").expect("it is tested"));

impl Repetition<'_> {
    /// The model and its configurations. What a search costs is estimated from the optimum's events; depth and state vector
    /// are raised when pan asks for it.
    pub(super) fn kept_model(&mut self, claim: Option<&ModelReport>) -> Result<Model, SpinError> {
        let text = fs::read_to_string(self.folder.join("model.pml"))?;
        let tables = self.folder.join(TABLES);
        let tables = if tables.exists() { Some(fs::read_to_string(tables)?) } else { None };
        self.labels = fs::read_to_string(self.folder.join("configurations.txt"))?.lines().map(str::to_owned).collect();
        self.check_play(&text, claim.is_some());
        self.check_version()?;
        if let Some(claim) = claim {
            self.compare("model.pml", Some(&text), Some(&claim.sha256));
            self.compare(TABLES, tables.as_ref(), claim.tables_sha256.as_ref());
            let (listed, claimed) = (self.labels.len(), claim.configurations);
            if listed != claimed {
                self.differs("configurations.txt", format!("it lists {listed} configurations, result.json {claimed}"));
            }
        }
        let vector = VECTOR.captures(&text).and_then(|found| found[1].parse().ok());
        Ok(Model {
            text,
            tables,
            candidates: (0..self.labels.len()).collect(),
            form: Form::Roles,
            vector_bytes: vector.unwrap_or(1024),
            depth: 10_000,
            events: self.theorem.events.saturating_mul(self.labels.len() as u64),
        })
    }

    fn compare(&mut self, file: &str, content: Option<&String>, claimed: Option<&String>) {
        let hash = content.map(|content| sha256([content.as_bytes()]));
        if hash.as_ref() != claimed {
            let or_none = |hash: Option<&String>| hash.map_or("none".to_owned(), String::clone);
            let (hash, claimed) = (or_none(hash.as_ref()), or_none(claimed));
            self.differs(file, format!("its SHA-256 is {hash}, not {claimed} as result.json says"));
        }
    }

    /// The outputs that are kept must say what the result says.
    pub(super) fn kept_outputs(&mut self, claim: &ModelReport) -> Result<(), SpinError> {
        for run in &claim.runs {
            let ending = format!("-pan-{}.txt", run.bound);
            if !self.outputs(&ending, Searched::Claim)?.iter().any(|output| is_of(output, run)) {
                let holds = if run.holds { "holds" } else { "does not hold" };
                let run = format!("the property {holds} at {}, {} states, {} steps", run.bound, run.states, run.steps);
                self.differs(&format!("*{ending}"), format!("no output of pan says what result.json does: {run}"));
            }
        }
        let bound = self.theorem.ticks + 1;
        let ending = format!("-pan_ends-{bound}.txt");
        let is_complete =
            |output: &PanOutput| output.verdict == Verdict::Exhausted && output.ends.len() == claim.configurations;
        if !self.outputs(&ending, Searched::EndStates)?.iter().any(is_complete) {
            self.differs(&format!("*{ending}"), format!("no output of pan shows how all runs end at {bound}"));
        }
        Ok(())
    }

    /// The kept outputs whose names end so, as far as they are understood.
    fn outputs(&self, ending: &str, searched: Searched) -> Result<Vec<PanOutput>, SpinError> {
        let mut outputs = Vec::new();
        for name in self.files("")?.into_iter().filter(|name| name.ends_with(ending)) {
            outputs.extend(pan_output::read(&fs::read_to_string(self.folder.join(name))?, searched));
        }
        Ok(outputs)
    }

    /// Names of the files in the model's folder, or in a folder of it.
    pub(super) fn files(&self, folder: &str) -> Result<Vec<String>, SpinError> {
        let folder = self.folder.join(folder);
        let mut names = Vec::new();
        if folder.is_dir() {
            for entry in fs::read_dir(folder)? {
                names.push(entry?.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(names)
    }
}

fn is_of(output: &PanOutput, run: &RunReport) -> bool {
    let holds = match output.verdict {
        Verdict::Exhausted => true,
        Verdict::ClaimViolated { .. } => false,
        Verdict::ModelError(_) | Verdict::Inconclusive(_) => return false,
    };
    (holds, output.statistics.states, output.statistics.steps) == (run.holds, run.states, run.steps)
}
