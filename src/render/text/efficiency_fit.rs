//! Weights of the efficiency that measured runs fit.

use std::fmt::Write;
use std::path::Path;

use comfy_table::Table;

use super::TO_USE;
use super::table::numbers;
use crate::result::{EfficiencyFitReport, FittedSetReport};
use autotune_base::text::words::{counted, label};
use autotune_engine::compare::validation::RankingScore;
use autotune_engine::compare::weights::{Scores, WeightOrigin};

/// Returns the report as text.
#[must_use]
pub fn to_text(report: &EfficiencyFitReport) -> String {
    let runs: usize = report.sets.iter().map(|set| set.fitted_rows).sum();
    let mut text = format!(
        "{} on {}: weights of the efficiency, fitted to {} of {}\n\n{}\n\n",
        report.kernel,
        report.gpu,
        counted(runs as u64, "run"),
        counted(report.sets.len() as u64, "set"),
        factors(report).trim_fmt()
    );
    let _ = write!(text, "fractions of the measured optimum, and Spearman's rho\n\n{}\n\n", sets(report).trim_fmt());
    let _ = writeln!(text, "explained {:.3} of the variance of log(time) within sets", report.explained);
    if report.sets.len() == 1 {
        text.push_str("left out  no other set: `--measured` may name several files\n");
    }
    let weights: Vec<String> = report.weights.0.iter().map(|weight| format!("{weight:.4}")).collect();
    let _ = writeln!(text, "weights   --weights {}", weights.join(","));
    text + TO_USE
}

/// Returns the table of the factors with both weights.
fn factors(report: &EfficiencyFitReport) -> Table {
    let mut table = numbers(&["factor", "from", "to", "given", "fitted", ""]);
    let weights = report.given_weights.0.iter().zip(report.weights.0);
    for (factor, (given, fitted)) in report.factors.iter().zip(weights) {
        let numbers = [factor.least, factor.greatest, *given, fitted].map(|number| format!("{number:.3}"));
        let why = match factor.origin {
            WeightOrigin::Fitted => "",
            WeightOrigin::Dependent => "varies only with those above",
            WeightOrigin::Constant => "constant: as given",
        };
        let cells = [factor.factor.to_owned()].into_iter().chain(numbers).chain([why.to_owned()]);
        table.add_row(cells.collect::<Vec<_>>());
    }
    table
}

/// Returns the table of the sets with the scores of their rankings.
fn sets(report: &EfficiencyFitReport) -> Table {
    let scores = ["first, given", "fitted", "left out", "of 10, given", "fitted", "left out"];
    let header = [&["set", "runs"][..], &scores, &["rho, given", "fitted", "left out"]].concat();
    let mut table = numbers(&header);
    for set in &report.sets {
        table.add_row([vec![name(report, set), set.rows.to_string()], scored(&set.scores)].concat());
    }
    if report.sets.len() > 1 {
        let rows: usize = report.sets.iter().map(|set| set.rows).sum();
        table.add_row([vec!["mean".to_owned(), rows.to_string()], scored(&report.overall)].concat());
    }
    table
}

/// The file of a set without its folder, unless another file has this name, and its problem sizes if it states them.
fn name(report: &EfficiencyFitReport, set: &FittedSetReport) -> String {
    let short = |file: &str| Path::new(file).file_name().map_or(file.to_owned(), |name| name.to_string_lossy().into());
    let is_alone = report.sets.iter().all(|other| other.file == set.file || short(&other.file) != short(&set.file));
    let file = if is_alone { short(&set.file) } else { set.file.clone() };
    if set.problem.is_empty() { file } else { format!("{file} {}", label(&set.problem)) }
}

/// Three figures by the weights in their order.
fn scored(scores: &Scores) -> Vec<String> {
    let figures: [fn(&RankingScore) -> Option<f64>; 3] =
        [|score| Some(score.picks.first), |score| Some(score.picks.best_of.ten), |score| score.spearman];
    let all = [Some(&scores.given), Some(&scores.fitted), scores.left_out.as_ref()];
    let shown = |number: Option<f64>| number.map_or("-".to_owned(), |number| format!("{number:.3}"));
    figures.iter().flat_map(|figure| all.map(|score| shown(score.and_then(figure)))).collect()
}
