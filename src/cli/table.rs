//! `autotune table`: a few configurations, and the decision for one of them by GPU and problem sizes, as code.

use std::collections::HashSet;

use super::failure::Failure;
use super::progress::Progress;
use super::tune::open;
use super::{Status, arguments, fleet, output, signals};
use crate::export::{failing_launches_of_table, size_table};
use crate::result::SizeTable;
use crate::session::{Inputs, ListedScenario, Request, ScenarioInputs, SizeTableMaker, SizeTableRequest};
use autotune_base::limits::Interrupt;
use autotune_base::text::words::shell_words;
use autotune_engine::check::Warning;
use autotune_kernel::source::{SourceReader, Tools};

pub(super) fn run(request: &arguments::Table) -> Result<Status, Failure> {
    let question = &request.question;
    // Without a proof, a signal ends the process at once.
    let interrupt = request.prove.then(signals::interrupt).transpose()?.unwrap_or_default();
    let reader = SourceReader::new(Tools { interrupt: interrupt.clone(), ..Tools::from(&question.tools) });
    let gpus = fleet::gpus(&question.gpu)?;
    let mut shown = HashSet::new();
    let sizes = sizes(request, &gpus, &reader, &mut shown)?;
    let scenarios = fleet::multiplied(&gpus, &sizes)?;
    let table =
        SizeTableRequest { sizes, variants: request.variants.into(), within: request.within, command: command() };
    let table = if request.prove {
        let inputs = scenarios.iter().map(|scenario| fleet::read_one(question, scenario, &reader, &mut shown));
        prove(request, inputs.collect::<Result<_, _>>()?, &table, interrupt)?
    } else {
        let mut maker = SizeTableMaker::new(table);
        for scenario in &scenarios {
            let inputs = fleet::read_one(question, scenario, &reader, &mut shown)?;
            let name = inputs.scenario();
            maker.add(inputs).map_err(|error| if scenarios.len() > 1 { error.in_scenario(|| name) } else { error })?;
        }
        maker.finish()?
    };
    let text = size_table(&table, question.format.0)?;
    for line in failing_launches_of_table(&table) {
        output::note(&format!("the launch of {line}"));
    }
    output::text(&text)?;
    Ok(Status::Success)
}

fn prove(
    request: &arguments::Table,
    inputs: Vec<Inputs>,
    table: &SizeTableRequest,
    interrupt: Interrupt,
) -> Result<SizeTable, Failure> {
    let session = open(false, interrupt)?;
    let options = Request {
        keep: request.keep.clone(),
        time_limit: request.time_limit.map(Into::into),
        analysis: false,
        cost: false,
        ..Request::default()
    };
    let scenarios = inputs.into_iter().map(|inputs| ScenarioInputs { inputs, weight: 1 }).collect();
    let progress = Progress::new();
    let table = session.prove_table(scenarios, table, &options, &mut |event| progress.show(&event));
    progress.end();
    Ok(table??)
}

/// The values of each problem size of the spec, in ascending order.
fn sizes(
    request: &arguments::Table,
    gpus: &[fleet::NamedGpu],
    reader: &SourceReader,
    shown: &mut HashSet<Warning>,
) -> Result<Vec<(String, Vec<i64>)>, Failure> {
    let question = &request.question;
    let asked: Vec<&(String, Vec<i64>)> = question.kernel.several_sizes().chain(&question.sizes).collect();
    let first = asked.iter().map(|(name, values)| (name.clone(), values[0])).collect();
    let gpu = gpus.first().map(|gpu| gpu.argument.clone()).unwrap_or_default();
    let scenario = ListedScenario { gpu, of_group: false, sizes: first, weight: 1, place: None };
    let inputs = fleet::read_one(question, &scenario, reader, shown)?;
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
    // A name that is not UTF-8 is shown as far as it is.
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    format!("autotune {}", shell_words(&words)).replace(['\n', '\r'], " ")
}
