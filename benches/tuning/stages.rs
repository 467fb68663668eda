//! The time of each stage.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use autotune::limits::Limits;
use autotune::proof::Question;
use autotune::source::SourceReader;
use autotune::space::{Pruning, Space};
use autotune::spec::Spec;
use autotune::{gpu, proof};

use crate::ask::{Result, ask};
use crate::table::{Figures, seconds};

const GPU: &str = "fermi";
/// The stages of this program, then those of a proof without a cache.
const STAGES: [&str; 9] =
    ["reading", "enumeration", "lowering", "evaluation", "rendering", "spin", "compiler", "search", "replay"];

/// For each shipped spec, the shares and seconds of the stages.
pub(crate) fn table(limit: Duration) -> Result<String> {
    let shares = STAGES.map(|stage| format!("{stage} %"));
    let raw = STAGES.map(|stage| format!("{stage} s"));
    let columns = shares.iter().chain(&raw).map(String::as_str);
    let header: Vec<&str> = std::iter::once("spec").chain(columns).collect();
    let mut figures = Figures::new("where the time goes, on fermi; search is pan", &header);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tuning-specs");
    let mut paths: Vec<_> = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.sort();
    for path in paths {
        let spec = path.to_str().ok_or("a spec has a strange name")?;
        let answer = ask(&[spec, "--gpu", GPU, "--no-cache"], limit)?;
        let own = own_stages(&path)?;
        let others = ["spin", "compiler", "search", "replay"].map(|stage| answer.seconds(stage));
        let times: Vec<f64> = own.into_iter().chain(others).collect();
        let all: f64 = times.iter().sum();
        let shares = times.iter().map(|time| format!("{:.0}", 100.0 * time / all));
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        figures.row(std::iter::once(name).chain(shares).chain(times.iter().map(|&time| seconds(time))));
    }
    Ok(figures.finish())
}

/// The seconds of reading, enumeration, lowering, evaluation and rendering.
fn own_stages(path: &Path) -> Result<[f64; 5]> {
    let limits = Limits::default();
    let profile = &gpu::find(GPU)?.profile;
    let (spec, reading) = timed(|| Spec::load(path));
    let spec = spec?;
    let names = profile.names(spec.resources.dynamic);
    let (walk, enumeration) = timed(|| Space::new(&spec, &names)?.visit(&mut |_| ControlFlow::Continue(())));
    walk?;
    let reader = SourceReader::default();
    let (survey, both) = timed(|| autotune::space::survey(&spec, profile, &reader, None, &limits));
    let survey = survey?.ok_or("interrupted")?;
    let (estimates, evaluation) = timed(|| autotune::space::estimate(&spec, &survey, Pruning::Best(1), &limits));
    let question = Question::new(&spec, profile, &reader, GPU);
    let estimates = estimates?;
    let (models, rendering) = timed(|| proof::checked_models(&question, &survey, &estimates));
    models?;
    Ok([reading, enumeration, (both - enumeration).max(0.0), evaluation, rendering])
}

fn timed<T>(task: impl FnOnce() -> T) -> (T, f64) {
    let began = Instant::now();
    let result = task();
    (result, began.elapsed().as_secs_f64())
}
