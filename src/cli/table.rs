//! `autotune table`: a few configurations, and the decision for one of them by GPU and problem sizes, as code.

use std::collections::HashSet;

use super::failure::Failure;
use super::{Status, arguments, fleet, output};
use crate::export::size_table;
use crate::session::{ListedScenario, SizeTableMaker, SizeTableRequest};
use crate::source::{SourceReader, Tools};

pub(super) fn run(request: &arguments::Table) -> Result<Status, Failure> {
    let question = &request.question;
    let reader = SourceReader::new(Tools::from(&question.tools));
    let gpus = fleet::gpus(&question.gpu)?;
    let mut shown = HashSet::new();
    let sizes = sizes(request, &gpus, &reader, &mut shown)?;
    let scenarios = fleet::multiplied(&gpus, &sizes)?;
    let mut maker = SizeTableMaker::new(SizeTableRequest {
        sizes,
        variants: request.variants.into(),
        within: request.within,
        command: command(),
    });
    for scenario in &scenarios {
        maker.add(fleet::read_one(question, scenario, &reader, &mut shown)?)?;
    }
    output::text(&size_table(&maker.finish()?, question.format.0)?)?;
    Ok(Status::Success)
}

/// The values of each problem size of the spec, in ascending order.
fn sizes(
    request: &arguments::Table,
    gpus: &[String],
    reader: &SourceReader,
    shown: &mut HashSet<String>,
) -> Result<Vec<(String, Vec<i64>)>, Failure> {
    let question = &request.question;
    let asked: Vec<&(String, Vec<i64>)> = question.kernel.several_sizes().chain(&question.sizes).collect();
    let first = asked.iter().map(|(name, values)| (name.clone(), values[0])).collect();
    let gpu = gpus.first().cloned().unwrap_or_default();
    let inputs = fleet::read_one(question, &ListedScenario { gpu, sizes: first, weight: 1 }, reader, shown)?;
    let values = |(name, value): &(String, i64)| {
        let of_size = asked.iter().rev().find(|(asked, _)| asked == name);
        let mut values = of_size.map_or_else(|| vec![*value], |(_, values)| values.clone());
        values.sort_unstable();
        values.dedup();
        (name.clone(), values)
    };
    Ok(inputs.spec.problem.iter().map(values).collect())
}

/// The command of this process, as a shell takes it.
fn command() -> String {
    let is_plain = |word: &String| word.chars().all(|c| c.is_ascii_alphanumeric() || "-_=,.:/^+@%".contains(c));
    let quoted = |word: String| {
        if !word.is_empty() && is_plain(&word) {
            return word;
        }
        shlex::try_quote(&word).map(std::borrow::Cow::into_owned).unwrap_or_default()
    };
    let words: Vec<String> = std::env::args().skip(1).map(quoted).collect();
    format!("autotune {}", words.join(" ")).replace(['\n', '\r'], " ")
}
