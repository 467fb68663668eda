//! A table whose variants and times are proved.

use super::scenarios::GpuScenarios;
use super::times::VariantTimes;
use super::{SizeTableError, SizeTableRequest, Trees};
use crate::result::{FleetReport, SizeTable, Verdict, configuration, problem};
use crate::session::{Request, ScenarioInputs, Session, SessionError};
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_engine::compare::fleet::is_anything_feasible;
use autotune_engine::proof::{Observer, StopReason};
use autotune_lowering::spec::{Configuration, Spec};

impl Session {
    /// Proves the variants of a table with their times, and makes the trees. The scenarios stand in the order of
    /// [`SizeTableMaker::add`](super::SizeTableMaker::add). Those without a feasible configuration count for nothing.
    ///
    /// The inner error says that a limit was reached, or that no variants or trees meet the request.
    ///
    /// # Errors
    /// If a part of the question cannot be answered, or the proof cannot be kept.
    pub fn prove_table(
        &self,
        scenarios: Vec<ScenarioInputs>,
        table: &SizeTableRequest,
        request: &Request,
        observe: Observer,
    ) -> Result<Result<SizeTable, SizeTableError>, SessionError> {
        let number = scenarios.len();
        let (mut gpus, mut asked, mut places): (Vec<GpuScenarios>, Vec<ScenarioInputs>, Vec<usize>) =
            Default::default();
        let limits = Limits { interrupt: self.interrupt.clone(), ..Limits::default() };
        for (place, scenario) in scenarios.into_iter().enumerate() {
            let question = request.question(&scenario.inputs);
            let Some(is_feasible) = is_anything_feasible(&question, scenario.inputs.of_group, &limits)? else {
                let reason = "it was interrupted".to_owned();
                return Ok(Err(SizeTableError::NotProved { reason, needs_time: false, lower: 1.0, upper: None }));
            };
            let problem = problem(&scenario.inputs.spec);
            if let Some(gpu) = gpus.last_mut().filter(|gpu| gpu.inputs.gpu == scenario.inputs.gpu) {
                gpu.problems.push(problem);
            } else {
                gpus.push(GpuScenarios { inputs: scenario.inputs.same(), first: place, problems: vec![problem] });
            }
            if is_feasible {
                asked.push(scenario);
                places.push(place);
            }
        }
        if asked.is_empty() {
            return Ok(Err(SizeTableError::NothingFeasible(number)));
        }
        let request = Request { variants: table.variants, ..request.clone() };
        let report = self.prove_fleet(&asked, &request, None, observe)?;
        let times = times(&gpus[0].inputs.spec, &report, &places, number, table);
        Ok(times.and_then(|times| Trees { request: table, gpus: &gpus, times: &times }.table()))
    }
}

/// The times of a proved answer at the places of its scenarios.
fn times(
    spec: &Spec,
    report: &FleetReport,
    places: &[usize],
    number: usize,
    table: &SizeTableRequest,
) -> Result<VariantTimes, SizeTableError> {
    match report.verdict {
        Verdict::Proved => {}
        Verdict::Infeasible => {
            let most = report.nearest.first().map_or(0, |nearest| nearest.scenarios);
            return Err(SizeTableError::NoChoice(table.variants, most, places.len()));
        }
        Verdict::BestEffort => {
            let interval = report.interval.as_ref();
            let without_time = [StopReason::Interrupt.name(), StopReason::Checker.name()];
            return Err(SizeTableError::NotProved {
                reason: report.reason.clone().unwrap_or_default(),
                needs_time: !without_time.contains(&report.stopped.as_deref().unwrap_or_default()),
                lower: interval.map_or(1.0, |interval| interval.lower),
                upper: interval.and_then(|interval| interval.upper),
            });
        }
    }
    let alone = report.optimum.iter().filter(|_| report.most_variants.is_none());
    let alone = alone.map(|one| (&one.parameters, one.times.iter().map(|time| Some(time.ticks)).collect()));
    let several = report.variants.iter();
    let several = several
        .map(|one| (&one.parameters, one.times.iter().map(|time| time.as_ref().map(|time| time.ticks)).collect()));
    let (variants, of_variants): (Vec<Configuration>, Vec<Vec<Option<Ticks>>>) =
        alone.chain(several).map(|(parameters, times)| (configuration(spec, parameters), times)).unzip();
    let mut scenarios = vec![None; number];
    for (scenario, &place) in places.iter().enumerate() {
        let optimum = report.scenarios[scenario].optimum.as_ref().map(|optimum| optimum.ticks);
        scenarios[place] = optimum.map(|optimum| (optimum, of_variants.iter().map(|times| times[scenario]).collect()));
    }
    Ok(VariantTimes::proved(variants, scenarios))
}
