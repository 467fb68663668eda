//! The results in a file that was kept, of one tuning or of a batch.

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use super::results::question;
use crate::result::{BatchResults, FleetReport, Report, Values, Verdict};
use autotune_base::text::json;
use autotune_base::text::words::label;

/// The schema of a batch's results.
const BATCH: &str = BatchResults::SCHEMA;

/// The contents of a file of results.
#[derive(Debug, Default)]
pub struct Kept {
    /// The results with a proved optimum.
    pub results: Vec<Report>,
    /// The proved results about several scenarios.
    pub fleets: Vec<FleetReport>,
    /// The results without a proved optimum, and the jobs without a result.
    pub left_out: Vec<OmittedResult>,
}

/// A result without a proved optimum, or a job without a result.
#[derive(Debug)]
pub struct OmittedResult {
    /// The question, for example `matmul_tiled on fermi, size=1024`.
    pub question: String,
    /// The reason why the result is left out.
    pub reason: String,
}

/// A reason why a text does not hold results.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the message of a variant says what its fields are")]
pub enum KeptError {
    /// A text that is not JSON, or not of the shape that its schema states.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// An unknown schema.
    #[error("its `schema` is {found}, neither `{}` nor `{BATCH}` nor `{}`", Report::SCHEMA, FleetReport::SCHEMA)]
    Schema { found: Value },
    /// A result that claims a proof, but does not state an optimum.
    #[error("the result of {kernel} is marked proved but has no optimum")]
    NoOptimum { kernel: String },
    /// A name that a spec cannot have.
    #[error("`{}` is not a valid name of a {what}", name.escape_debug())]
    Name { what: &'static str, name: String },
    /// A value that is not an integer of 64 bits.
    #[error("the value of `{name}` is {value}, which is not an integer of 64 bits")]
    Value { name: String, value: Value },
}

#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    schema: Value,
}

#[derive(Deserialize)]
struct Batch {
    results: Vec<Job>,
}

#[derive(Deserialize)]
struct Job {
    spec: String,
    gpu: String,
    #[serde(default)]
    set: Values,
    result: Option<Value>,
    error: Option<String>,
}

impl Kept {
    /// Reads the text of a file of results.
    ///
    /// # Errors
    /// If the text is not JSON of a known schema, or if a result contradicts itself or has a name or value that a spec
    /// cannot have.
    pub fn parse(text: &str) -> Result<Self, KeptError> {
        let mut kept = Self::default();
        match serde_json::from_str::<Head>(text)?.schema {
            Value::String(schema) if schema == Report::SCHEMA => kept.add(serde_json::from_str(text)?)?,
            Value::String(schema) if schema == FleetReport::SCHEMA => kept.add_fleet(serde_json::from_str(text)?)?,
            Value::String(schema) if schema == BATCH => {
                for job in serde_json::from_str::<Batch>(text)?.results {
                    match job.result {
                        Some(result) if result["schema"] == FleetReport::SCHEMA => {
                            kept.add_fleet(json::of_value(&result)?)?;
                        }
                        Some(result) => kept.add(json::of_value(&result)?)?,
                        None => kept.left_out.push(job.without_result()),
                    }
                }
            }
            found => return Err(KeptError::Schema { found }),
        }
        Ok(kept)
    }

    fn add_fleet(&mut self, report: FleetReport) -> Result<(), KeptError> {
        check_names(&report.kernel, report.scenarios.iter().map(|scenario| &scenario.gpu))?;
        let one = report.optimum.iter().chain(&report.best).map(|one| &one.parameters);
        let several = report.variants.iter().map(|one| &one.parameters);
        check_values(one.chain(several).chain(report.scenarios.iter().map(|scenario| &scenario.problem)))?;
        if report.verdict != Verdict::Proved {
            let question = format!("{} in {} scenarios", report.kernel, report.scenarios.len());
            let reason = report.reason.clone().unwrap_or_else(|| "no configuration is feasible in all".to_owned());
            self.left_out.push(OmittedResult { question, reason });
            return Ok(());
        }
        if report.optimum.is_none() && report.variants.is_empty() {
            return Err(KeptError::NoOptimum { kernel: report.kernel });
        }
        self.fleets.push(report);
        Ok(())
    }

    fn add(&mut self, report: Report) -> Result<(), KeptError> {
        check(&report)?;
        let reason = match report.verdict {
            Verdict::Proved => {
                self.results.push(report);
                return Ok(());
            }
            Verdict::BestEffort => report.reason.clone().unwrap_or_else(|| "it is not proved".to_owned()),
            Verdict::Infeasible => "no configuration is feasible".to_owned(),
        };
        self.left_out.push(OmittedResult { question: question(&report), reason });
        Ok(())
    }
}

impl Job {
    fn without_result(self) -> OmittedResult {
        let sizes = label(&self.set);
        let separator = if sizes.is_empty() { "" } else { ", " };
        let reason = self.error.unwrap_or_else(|| "it has no result".to_owned());
        OmittedResult { question: format!("{} on {}{separator}{sizes}", self.spec, self.gpu), reason }
    }
}

/// Checks that names and values could stand in a spec, since compilers and shells read the exports.
fn check(report: &Report) -> Result<(), KeptError> {
    check_names(&report.kernel, [&report.gpu])?;
    if report.verdict == Verdict::Proved && report.optimum.is_none() {
        return Err(KeptError::NoOptimum { kernel: report.kernel.clone() });
    }
    let optimum = report.optimum.as_ref().map(|optimum| &optimum.parameters);
    let recommended = report.recommended.as_ref().map(|found| &found.parameters);
    let chosen = report.choice().map(|choice| &choice.parameters);
    let configurations = report.configurations.iter().map(|one| &one.parameters);
    check_values(configurations.chain(optimum).chain(recommended).chain(chosen).chain([&report.problem]))
}

fn check_names<'a>(kernel: &'a String, gpus: impl IntoIterator<Item = &'a String>) -> Result<(), KeptError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    for (what, name) in [("kernel", kernel)].into_iter().chain(gpus.into_iter().map(|gpu| ("GPU", gpu))) {
        if name.is_empty() || !name.chars().all(plain) {
            return Err(KeptError::Name { what, name: name.clone() });
        }
    }
    Ok(())
}

fn check_values<'a>(all: impl Iterator<Item = &'a Values>) -> Result<(), KeptError> {
    for (name, value) in all.flatten() {
        let begins = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if !begins || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(KeptError::Name { what: "parameter", name: name.clone() });
        }
        if value.as_i64().is_none() {
            return Err(KeptError::Value { name: name.clone(), value: value.clone() });
        }
    }
    Ok(())
}
