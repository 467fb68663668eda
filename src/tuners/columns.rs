//! The meaning of a table's columns: parameters, problem sizes, GPU, status and time.

use std::collections::HashMap;

use super::error::MeasuredError;
use super::table::{OK, Row, STATUS, TIME, Table};
use super::unit::TimeUnit;
use super::wanted::{WantedRuns, WantedTimes};
use autotune_base::text::nearest;
use autotune_engine::compare::measured::{MeasuredRun, Measurements, Repeated, Scenario};
use autotune_lowering::spec::Configuration;

/// The columns of times that are found without `--time-column`.
const TIMES: [&str; 3] = ["time_ms", "time_us", TIME];
/// The column of times on a GPU without a clock, where any number counts ticks.
const TICKS: &str = "time_ticks";
/// The column that names the GPU of a run.
const GPU: &str = "gpu";

/// The positions of the columns in a row.
struct Columns<'a> {
    table: &'a Table,
    parameters: Vec<Source>,
    sizes: Vec<usize>,
    /// `None` if times are not read.
    time: Option<TimeColumn>,
    status: Option<usize>,
    gpu: Option<usize>,
}

/// The place that a parameter's values come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Column(usize),
    /// The value of all runs.
    Fixed(i64),
}

/// The position of the times, and the milliseconds of their unit.
#[derive(Clone, Copy)]
struct TimeColumn {
    place: usize,
    unit: f64,
}

/// The runs of a table.
pub(super) fn interpret(table: &Table, wanted: &WantedRuns) -> Result<Measurements, MeasuredError> {
    if table.rows.is_empty() && (wanted.times == WantedTimes::One || table.columns.is_empty()) {
        return Err(MeasuredError::NoRows);
    }
    // The columns of a tuner's file follow from its runs.
    if table.rows.is_empty() && table.has_no_parameter() {
        return Ok(Measurements::default());
    }
    let columns = Columns::find(table, wanted)?;
    let mut scenarios: Vec<Scenario> = Vec::new();
    let (mut seen, mut repeated) = (HashMap::new(), None);
    for row in columns.rows_of_gpu(wanted)? {
        let problem = columns.problem(row)?;
        let run = columns.run(row)?;
        if wanted.only.is_some_and(|only| *only != run.configuration) {
            continue;
        }
        if let Some(first) = seen.insert((problem.clone(), run.configuration.clone()), &row.at) {
            let new = || Repeated { rows: 0, first: first.clone(), again: row.at.clone() };
            repeated.get_or_insert_with(new).rows += 1;
        }
        match scenarios.iter_mut().rev().find(|scenario| scenario.problem == problem) {
            Some(scenario) => scenario.runs.push(run),
            None => scenarios.push(Scenario { problem, runs: vec![run] }),
        }
    }
    if wanted.times == WantedTimes::One {
        check_one_ran(&scenarios, wanted)?;
    }
    Ok(Measurements { scenarios, ignored: columns.ignored(), repeated, other_device: None })
}

/// Fails if no run succeeded.
fn check_one_ran(scenarios: &[Scenario], wanted: &WantedRuns) -> Result<(), MeasuredError> {
    if let (true, Some(only)) = (scenarios.is_empty(), wanted.only) {
        return Err(MeasuredError::NoRowsOfConfiguration { configuration: wanted.spec.label(only) });
    }
    let rows = scenarios.iter().map(|scenario| scenario.runs.len()).sum();
    let mut runs = scenarios.iter().flat_map(|scenario| &scenario.runs);
    if runs.all(|run| run.milliseconds.is_none()) { Err(MeasuredError::NothingRan { rows }) } else { Ok(()) }
}

impl<'a> Columns<'a> {
    fn find(table: &'a Table, wanted: &WantedRuns) -> Result<Self, MeasuredError> {
        let names = &table.columns;
        let twice = |(place, name): &(usize, &String)| names[..*place].contains(name);
        if let Some((_, name)) = names.iter().enumerate().find(twice) {
            return Err(MeasuredError::TwoColumns { name: name.clone() });
        }
        let place = |name: &str| names.iter().position(|column| column == name);
        check_fixed(wanted)?;
        let parameters = wanted.spec.parameters.iter().map(|parameter| source(&parameter.name, names, wanted));
        let parameters = parameters.collect::<Result<_, _>>()?;
        let sizes = wanted.spec.problem.iter().filter_map(|(name, _)| place(name)).collect();
        let time = match wanted.times {
            WantedTimes::Unread => None,
            WantedTimes::One | WantedTimes::Any => Some(TimeColumn::find(names, wanted)?),
        };
        let columns = Self { table, parameters, sizes, time, status: place(STATUS), gpu: place(GPU) };
        let contradiction = columns.sizes.iter().find(|size| wanted.fixed_sizes.contains(&names[**size].as_str()));
        match contradiction {
            Some(&size) => Err(MeasuredError::SizeIsColumn { name: names[size].clone() }),
            None => Ok(columns),
        }
    }

    fn rows_of_gpu(&self, wanted: &WantedRuns) -> Result<Vec<&'a Row>, MeasuredError> {
        let rows = self.table.rows.iter();
        let Some(gpu) = self.gpu else { return Ok(rows.collect()) };
        let rows: Vec<_> =
            rows.filter(|row| wanted.profile.names_and_aliases().any(|name| name == row.cells[gpu])).collect();
        if !rows.is_empty() {
            return Ok(rows);
        }
        let mut found: Vec<_> = self.table.rows.iter().map(|row| row.cells[gpu].clone()).collect();
        found.sort();
        found.dedup();
        Err(MeasuredError::NoRowsOfGpu { gpu: wanted.profile.name().to_owned(), found })
    }

    fn problem(&self, row: &Row) -> Result<Vec<(String, i64)>, MeasuredError> {
        self.sizes.iter().map(|&size| Ok((self.table.columns[size].clone(), self.integer(row, size)?))).collect()
    }

    fn run(&self, row: &Row) -> Result<MeasuredRun, MeasuredError> {
        let values = self.parameters.iter().map(|source| match *source {
            Source::Column(place) => self.integer(row, place),
            Source::Fixed(value) => Ok(value),
        });
        let configuration = Configuration(values.collect::<Result<_, _>>()?);
        Ok(MeasuredRun { configuration, milliseconds: self.milliseconds(row)? })
    }

    /// The time of a run in milliseconds; `None` if the run failed.
    fn milliseconds(&self, row: &Row) -> Result<Option<f64>, MeasuredError> {
        let Some(TimeColumn { place, unit }) = self.time else { return Ok(None) };
        let text = &row.cells[place];
        if text.is_empty() || self.status.is_some_and(|status| row.cells[status] != OK) {
            return Ok(None);
        }
        // "1.234,5" and "1,234.5" are numbers of some, and no numbers here.
        let has_comma = self.table.decimal_comma && text.matches(',').count() == 1 && !text.contains('.');
        let number = if has_comma { text.replace(',', ".").parse::<f64>() } else { text.parse() };
        match number {
            Ok(time) if time.is_finite() && time > 0.0 => Ok(Some(time * unit)),
            _ => {
                let column = self.table.columns[place].clone();
                Err(MeasuredError::NotATime { at: row.at.clone(), column, text: text.clone() })
            }
        }
    }

    /// Reads an integer. Truth values, which some files have, are 1 and 0.
    fn integer(&self, row: &Row, place: usize) -> Result<i64, MeasuredError> {
        let text = &row.cells[place];
        match text.to_ascii_lowercase().as_str() {
            "true" => Ok(1),
            "false" => Ok(0),
            _ => text.parse().map_err(|_| {
                let column = self.table.columns[place].clone();
                MeasuredError::NotAnInteger { at: row.at.clone(), column, text: text.clone() }
            }),
        }
    }

    fn ignored(&self) -> Vec<String> {
        let known = |place: &usize| {
            let time = self.time.map(|time| time.place);
            let single = [time, self.status, self.gpu].contains(&Some(*place));
            single || self.parameters.contains(&Source::Column(*place)) || self.sizes.contains(place)
        };
        (0..self.table.columns.len())
            .filter(|place| !known(place))
            .map(|place| self.table.columns[place].clone())
            .collect()
    }
}

impl TimeColumn {
    fn find(names: &[String], wanted: &WantedRuns) -> Result<Self, MeasuredError> {
        let has_clock = wanted.profile.microseconds(1).is_some();
        let by_default = TIMES.iter().copied().chain((!has_clock).then_some(TICKS)).collect();
        let candidates: Vec<&str> = wanted.time_column.map_or(by_default, |name| vec![name]);
        let place = candidates.iter().find_map(|name| names.iter().position(|column| column == name));
        let place = place.ok_or_else(|| no_time(&candidates, names))?;
        let column = || names[place].clone();
        let unit = match (TimeUnit::of_column(&names[place]), wanted.unit) {
            (Some(stated), Some(unit)) if stated != unit => {
                return Err(MeasuredError::OtherUnit { column: column(), stated, unit });
            }
            (Some(unit), _) | (None, Some(unit)) => unit.milliseconds(),
            (None, None) if has_clock => return Err(MeasuredError::NoUnit { column: column() }),
            (None, None) => 1.0,
        };
        Ok(Self { place, unit })
    }
}

/// Fails if a fixed name is not that of a parameter, or is there twice.
fn check_fixed(wanted: &WantedRuns) -> Result<(), MeasuredError> {
    for (position, (name, value)) in wanted.fixed_parameters.iter().enumerate() {
        if let Some((_, first)) = wanted.fixed_parameters[..position].iter().find(|(other, _)| other == name) {
            return Err(MeasuredError::FixedTwice { name: name.clone(), values: [*first, *value] });
        }
    }
    let parameters: Vec<&str> = wanted.spec.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    match wanted.fixed_parameters.iter().find(|(name, _)| !parameters.contains(&name.as_str())) {
        Some((name, _)) => Err(MeasuredError::FixedUnknown {
            name: name.clone(),
            parameters: parameters.into_iter().map(str::to_owned).collect(),
        }),
        None => Ok(()),
    }
}

/// The source of a parameter's values: its column, or else the value that is fixed.
fn source(name: &str, columns: &[String], wanted: &WantedRuns) -> Result<Source, MeasuredError> {
    let place = columns.iter().position(|column| column == name);
    let fixed = wanted.fixed_parameters.iter().find(|(fixed, _)| fixed == name);
    match (place, fixed) {
        (Some(_), Some(_)) => Err(MeasuredError::FixedIsColumn { name: name.to_owned() }),
        (Some(place), None) => Ok(Source::Column(place)),
        (None, Some((_, value))) => Ok(Source::Fixed(*value)),
        (None, None) => {
            let nearest = nearest(name, columns.iter().map(String::as_str));
            Err(MeasuredError::NoParameter { name: name.to_owned(), nearest, columns: columns.to_vec() })
        }
    }
}

fn no_time(names: &[&str], columns: &[String]) -> MeasuredError {
    let nearest = match names {
        [name] => nearest(name, columns.iter().map(String::as_str)),
        _ => None,
    };
    MeasuredError::NoTime {
        names: names.iter().map(|&name| name.to_owned()).collect(),
        nearest,
        columns: columns.to_vec(),
    }
}
