//! Questions to the release binary.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

/// A result whose error is printed and ends the benchmark.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// An answer of the tool.
pub(crate) struct Answer {
    /// The JSON object that it printed.
    pub(crate) result: Value,
    /// The wall-clock time of the run.
    pub(crate) wall: Duration,
}

/// Runs the tool in the project's folder and returns its output.
pub(crate) fn run(arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_autotune"));
    let output = command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output()?;
    // Status 3: a limit was reached; the result so far is printed.
    if output.status.success() || output.status.code() == Some(3) {
        return Ok(String::from_utf8(output.stdout)?);
    }
    Err(format!("autotune {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr)).into())
}

/// Asks for an optimum, and stops at the limit.
pub(crate) fn ask(arguments: &[&str], limit: Duration) -> Result<Answer> {
    let limit = format!("{}s", limit.as_secs().max(1));
    let folder = tempfile::tempdir()?;
    let kept = folder.path().to_str().ok_or("the temporary folder has a strange name")?;
    // A proof that is kept is made, not taken from the cache; its checker may come from there.
    let anew = if arguments.contains(&"--no-cache") { vec![] } else { vec!["--keep", kept] };
    let began = Instant::now();
    let text = run(&[arguments, &["--format", "json", "--time-limit", &limit], &anew].concat())?;
    Ok(Answer { wall: began.elapsed(), result: serde_json::from_str(&text)? })
}

impl Answer {
    pub(crate) fn is_proved(&self) -> bool {
        self.result["verdict"] == "proved"
    }

    /// The optimum's ticks; `None` if it is not proved.
    pub(crate) fn ticks(&self) -> Option<u64> {
        self.result["optimum"]["ticks"].as_u64()
    }

    /// The greatest number of this name in any search of a proof.
    pub(crate) fn most(&self, what: &str) -> u64 {
        let models = self.result["proof"]["models"].as_array().into_iter().flatten();
        let runs = models.flat_map(|model| model["runs"].as_array().into_iter().flatten().chain([&model["descent"]]));
        runs.filter_map(|run| run[what].as_u64()).max().unwrap_or(0)
    }

    /// The number of searches of the property in the proof.
    pub(crate) fn searches(&self) -> usize {
        let models = self.result["proof"]["models"].as_array().into_iter().flatten();
        models.map(|model| model["runs"].as_array().map_or(0, Vec::len)).sum()
    }

    /// The number of configurations of a kind, by the proof's counts.
    pub(crate) fn configurations(&self, what: &str) -> u64 {
        self.result["proof"]["configurations"][what].as_u64().unwrap_or(0)
    }

    /// The time of a stage, in seconds.
    pub(crate) fn seconds(&self, stage: &str) -> f64 {
        self.result["cost"]["seconds"][stage].as_f64().unwrap_or(0.0)
    }

    /// The memory of the greatest search, in MiB.
    pub(crate) fn memory(&self) -> f64 {
        self.result["cost"]["memory_mib"].as_f64().unwrap_or(0.0)
    }

    /// The expected time of the searches, in seconds.
    pub(crate) fn expected_seconds(&self) -> String {
        self.result["cost"]["estimate"]["search_seconds"].to_string()
    }

    /// The time without `spin -a` and the compiler, in seconds.
    pub(crate) fn without_compilation(&self) -> f64 {
        self.wall.as_secs_f64() - self.seconds("spin") - self.seconds("compiler")
    }
}
