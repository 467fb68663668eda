//! The next configurations to measure: many candidates, many runs, large spaces.

use std::fmt::Write;
use std::time::Instant;

use serde_json::Value;

use crate::ask::{Result, run};
use crate::table::{Figures, ratio, seconds};

/// Specs, each with its GPU: 11,130 and 116,928 configurations that can run.
const SPACES: [[&str; 2]; 2] =
    [["tuning-specs/measured/dedispersion.yaml", "a100"], ["tuning-specs/measured/gemm_milo.yaml", "a100"]];
/// The numbers of runs that are known.
const RUNS: [usize; 3] = [0, 20, 200];
/// The number of configurations that are asked for.
const NEXT: &str = "10";

/// For each space, the time of `suggest` after some runs, beside the time without runs: the ranking of the space.
pub(crate) fn table() -> Result<String> {
    let header = ["space", "with / without runs", "configurations", "runs", "s"];
    let mut figures = Figures::new("the next ten configurations, by the whole command", &header);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("runs.csv");
    let file = path.to_str().ok_or("the temporary folder has a strange name")?;
    for [spec, gpu] in SPACES {
        let evaluated: Value = serde_json::from_str(&run(&["evaluate", spec, "--gpu", gpu, "--format", "json"])?)?;
        let configurations = evaluated["configurations"].as_array().ok_or("evaluate lists configurations")?;
        let feasible: Vec<&Value> = configurations.iter().filter(|one| one["microseconds"].is_number()).collect();
        let mut without = f64::NAN;
        for count in RUNS {
            std::fs::write(&path, runs(&feasible, count))?;
            let began = Instant::now();
            run(&["suggest", spec, "--gpu", gpu, "--measured", file, "--next", NEXT, "--until", "0", "--quiet"])?;
            let took = began.elapsed().as_secs_f64();
            without = if count == 0 { took } else { without };
            let name = evaluated["kernel"].as_str().unwrap_or_default().to_owned();
            let numbers = [feasible.len().to_string(), count.to_string(), seconds(took)];
            figures.row([name, ratio(took, without)].into_iter().chain(numbers));
        }
    }
    Ok(figures.finish())
}

/// A file of runs all over the space, up to a third slower than predicted.
fn runs(feasible: &[&Value], count: usize) -> String {
    let names: Vec<&String> =
        feasible.first().and_then(|one| one["parameters"].as_object()).into_iter().flat_map(|all| all.keys()).collect();
    let mut text = names.iter().map(|name| name.as_str()).chain(["time_us\n"]).collect::<Vec<_>>().join(",");
    for (place, one) in feasible.iter().step_by(feasible.len() / count.max(1)).take(count).enumerate() {
        for name in &names {
            let _ = write!(text, "{},", one["parameters"][*name]);
        }
        let slower = f64::from(u8::try_from(place % 7).unwrap_or_default()) / 20.0;
        let _ = writeln!(text, "{}", one["microseconds"].as_f64().unwrap_or(1.0) * (1.0 + slower));
    }
    text
}
