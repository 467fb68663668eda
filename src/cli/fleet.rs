//! `autotune SPEC --gpu A,B --set n=1024,2048`: one configuration for several scenarios.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::arguments::{self, Arguments, ExportFormat, Pick, Printed, TuneFormat};
use super::export::{exported_fleet, tell_launches};
use super::failure::Failure;
use super::progress::Progress;
use super::report::{INDEX, Pages};
use super::tune::open;
use super::{Status, output, question, signals, tune, warned};
use crate::export::failing_launches;
use crate::render::text;
use crate::result::{FleetReport, Verdict};
use crate::session::{
    Inputs, ListedScenario, MOST_SCENARIOS, Request, ScenarioInputs, Session, SessionError, read_scenarios,
};
use autotune_engine::check::Warning;
use autotune_kernel::source::{SourceReader, Tools};
use autotune_lowering::gpu;

/// Answers a question about several scenarios, or about one as the usual command does.
pub(super) fn run(asked: &arguments::Question<TuneFormat>, arguments: &Arguments) -> Result<Status, Failure> {
    let listed = scenarios(asked, arguments)?;
    if let [ListedScenario { gpu, sizes, .. }] = listed.as_slice() {
        let (gpu, sizes) = (gpu.clone(), sizes.iter().map(|(name, value)| (name.clone(), vec![*value])).collect());
        let one = arguments::Question { gpu, sizes, ..asked.clone() };
        if arguments.tune.variants > 1 {
            return Err(Failure::OneScenario("--variants"));
        }
        return tune::run(&one, &arguments.tune, &arguments.files);
    }
    refuse(asked, arguments, listed.len())?;
    let interrupt = signals::interrupt()?;
    let request = &arguments.tune;
    let pages = arguments.files.report.as_deref();
    if let (Some(pages), Some(keep)) = (pages, &request.keep)
        && std::path::absolute(pages)? == std::path::absolute(keep)?
    {
        return Err(Failure::OneFolder(keep.clone()));
    }
    let pages = pages.map(Pages::open).transpose()?;
    let deadline = request.time_limit.map(|limit| Instant::now() + Duration::from(limit));
    let no_cache = request.no_cache;
    let tools = Tools { interrupt: interrupt.clone(), deadline, no_cache, ..Tools::from(&asked.tools) };
    let scenarios = read(asked, &listed, tools)?;
    let session = open(request.no_cache, interrupt)?;
    let report = answer(&session, &scenarios, &Request::from(request))?;
    let status = match report.verdict {
        Verdict::Proved => Status::Success,
        Verdict::BestEffort => Status::BestEffort,
        Verdict::Infeasible => Status::Infeasible,
    };
    if request.require_proof {
        tune::require_proof(status, report.reason.as_deref(), "")?;
    }
    let page = pages.map_or(Ok(()), |pages| pages.write_fleet(&report, INDEX, None));
    // The result is printed even if the page cannot be written.
    output::all([print(&report, asked.format), page])?;
    Ok(status)
}

fn print(report: &FleetReport, format: TuneFormat) -> Result<(), Failure> {
    let text = match format {
        TuneFormat::Json => output::to_json(report).map_err(Failure::from),
        TuneFormat::Text => {
            output::inferred(&report.inferred)?;
            Ok(text::fleet::to_text(report))
        }
        TuneFormat::As(format) => exported_fleet(report, format),
    };
    match text {
        Ok(text) => {
            if matches!(format, TuneFormat::As(_)) {
                tell_launches(&failing_launches(report));
            }
            output::text(&text)
        }
        Err(failure) if failure.is_nothing_proved() => {
            let reason = report.reason.as_deref().unwrap_or("no configuration is feasible in all scenarios");
            output::note(&format!("there is nothing to print: {reason}"));
            Ok(())
        }
        Err(failure) => Err(failure),
    }
}

fn answer(session: &Session, scenarios: &[ScenarioInputs], request: &Request) -> Result<FleetReport, Failure> {
    let progress = Progress::new();
    let answer = session.prove_fleet(scenarios, request, None, &mut |event| progress.show(&event));
    progress.end();
    Ok(answer?)
}

/// The scenarios of a question: those of the list, or each GPU with each combination of problem sizes.
fn scenarios(asked: &arguments::Question<TuneFormat>, arguments: &Arguments) -> Result<Vec<ListedScenario>, Failure> {
    if let Some(list) = &arguments.scenarios {
        return Ok(read_scenarios(list, str::to_owned)?);
    }
    multiplied(&gpus(&asked.gpu)?, asked.kernel.several_sizes().chain(&asked.sizes))
}

/// The scenarios of GPUs and values of problem sizes: the combinations of values of the first GPU, then of the next.
pub(super) fn multiplied<'a>(
    gpus: &[NamedGpu],
    sizes: impl IntoIterator<Item = &'a (String, Vec<i64>)>,
) -> Result<Vec<ListedScenario>, Failure> {
    let sizes: Vec<&(String, Vec<i64>)> = sizes.into_iter().collect();
    let number = sizes.iter().fold(gpus.len() as u128, |all, (_, values)| all.saturating_mul(values.len() as u128));
    if number > MOST_SCENARIOS as u128 {
        return Err(Failure::TooManyScenarios(number, MOST_SCENARIOS));
    }
    let all = combinations(&sizes);
    let scenario = |gpu: &NamedGpu, sizes: &Vec<(String, i64)>| ListedScenario {
        gpu: gpu.argument.clone(),
        of_group: gpu.of_group,
        sizes: sizes.clone(),
        weight: 1,
        place: None,
    };
    Ok(gpus.iter().flat_map(|gpu| all.iter().map(|sizes| scenario(gpu, sizes)).collect::<Vec<_>>()).collect())
}

/// The combinations of the values of problem sizes, those of the last one fastest.
fn combinations(sizes: &[&(String, Vec<i64>)]) -> Vec<Vec<(String, i64)>> {
    let mut all = vec![Vec::new()];
    for (name, values) in sizes {
        let with = |set: &Vec<(String, i64)>, value: &i64| {
            set.iter().cloned().chain([(name.clone(), *value)]).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(|set| values.iter().map(|value| with(set, value)).collect::<Vec<_>>()).collect();
    }
    all
}

/// A GPU of a list.
pub(super) struct NamedGpu {
    /// The name, alias or file as the list has it.
    pub(super) argument: String,
    /// True if a group brought the GPU.
    of_group: bool,
}

/// The GPUs of a list; a single name is left to whoever reads the profile.
pub(super) fn gpus(list: &str) -> Result<Vec<NamedGpu>, Failure> {
    if !list.contains([',', ':']) && !list.eq_ignore_ascii_case("all") {
        return Ok(vec![NamedGpu { argument: list.to_owned(), of_group: false }]);
    }
    let selected = gpu::select(list).map_err(|why| SessionError::Gpu { name: list.to_owned(), why })?;
    let named = |gpu: gpu::Selected| NamedGpu { argument: gpu.argument, of_group: gpu.of_group };
    Ok(selected.into_iter().map(named).collect())
}

/// Refuses the options that are about one scenario.
fn refuse(asked: &arguments::Question<TuneFormat>, arguments: &Arguments, scenarios: usize) -> Result<(), Failure> {
    let tune = &arguments.tune;
    let files = &arguments.files;
    let is_of_one = matches!(asked.format, TuneFormat::As(ExportFormat::Restrictions));
    let given = [
        ("--top", tune.top != 1),
        ("--within", tune.within.is_some()),
        ("--prefer", tune.prefer.is_some()),
        ("--pick recommended", tune.pick == Pick::Recommended),
        ("--strategy", tune.strategy != arguments::Strategy::default()),
        ("--schedules", tune.schedules != arguments::Schedules::default()),
        ("--granularity", tune.granularity != arguments::Granularity::default()),
        ("--rank", tune.rank),
        ("--depfile", files.depfile.is_some()),
        ("--format restrictions", is_of_one),
    ];
    let scenarios = format!("{scenarios} scenarios");
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Failure::NotOfScenarios { option, scenarios }),
        None => Ok(()),
    }
}

/// Reads the inputs of all scenarios, and shows each of their warnings once.
fn read(
    asked: &arguments::Question<TuneFormat>,
    listed: &[ListedScenario],
    tools: Tools,
) -> Result<Vec<ScenarioInputs>, Failure> {
    let reader = SourceReader::new(tools);
    let mut shown = HashSet::new();
    let mut scenarios = Vec::with_capacity(listed.len());
    for scenario in listed {
        let inputs = read_one(asked, scenario, &reader, &mut shown)?;
        scenarios.push(ScenarioInputs { inputs, weight: scenario.weight });
    }
    Ok(scenarios)
}

/// Reads the inputs of a scenario, and shows their warnings that were not shown before.
pub(super) fn read_one<F: Printed>(
    asked: &arguments::Question<F>,
    scenario: &ListedScenario,
    reader: &SourceReader,
    shown: &mut HashSet<Warning>,
) -> Result<Inputs, Failure> {
    let named = question::named(asked, scenario.gpu.clone(), scenario.sizes.clone(), reader.tools())?;
    let mut inputs = Inputs::read_named(&named, reader).map_err(|error| match &scenario.place {
        Some(place) => error.in_scenario(|| format!("the scenario of {place}")),
        None => error,
    })?;
    inputs.of_group = scenario.of_group;
    inputs.findings.retain(|finding| shown.insert(finding.warning()));
    warned::show(&inputs, &[]);
    Ok(inputs)
}
