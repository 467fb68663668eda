//! The meaning of a table's columns: parameters, problem sizes, GPU, status and time.

use std::collections::HashMap;

use super::error::MeasuredError;
use super::runs::{MeasuredRun, Measurements, Repeated, Scenario, WantedRuns};
use super::table::{OK, Row, STATUS, TIME, Table};
use crate::spec::Configuration;
use crate::text::nearest;

/// The columns of times that are found without `--time-column`.
const TIMES: [&str; 3] = ["time_ms", "time_us", TIME];
/// The column that names the GPU of a run.
const GPU: &str = "gpu";

/// The positions of the columns in a row.
struct Columns<'a> {
    table: &'a Table,
    parameters: Vec<usize>,
    sizes: Vec<usize>,
    time: usize,
    /// Milliseconds of the time's unit.
    unit: f64,
    status: Option<usize>,
    gpu: Option<usize>,
}

/// The runs of a table.
pub(super) fn interpret(table: &Table, wanted: &WantedRuns) -> Result<Measurements, MeasuredError> {
    if table.rows.is_empty() {
        return Err(MeasuredError::NoRows);
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
    if let (true, Some(only)) = (scenarios.is_empty(), wanted.only) {
        return Err(MeasuredError::NoRowsOfConfiguration { configuration: wanted.spec.label(only) });
    }
    let rows = scenarios.iter().map(|scenario| scenario.runs.len()).sum();
    if scenarios.iter().flat_map(|scenario| &scenario.runs).all(|run| run.milliseconds.is_none()) {
        return Err(MeasuredError::NothingRan { rows });
    }
    Ok(Measurements { scenarios, ignored: columns.ignored(), repeated, other_device: None })
}

impl<'a> Columns<'a> {
    fn find(table: &'a Table, wanted: &WantedRuns) -> Result<Self, MeasuredError> {
        let names = &table.columns;
        let twice = |(place, name): &(usize, &String)| names[..*place].contains(name);
        if let Some((_, name)) = names.iter().enumerate().find(twice) {
            return Err(MeasuredError::TwoColumns { name: name.clone() });
        }
        let place = |name: &str| names.iter().position(|column| column == name);
        let parameter = |name: &String| place(name).ok_or_else(|| no_parameter(name, names));
        let parameters = wanted.spec.parameters.iter().map(|parameter_of_spec| parameter(&parameter_of_spec.name));
        let parameters = parameters.collect::<Result<_, _>>()?;
        let sizes = wanted.spec.problem.iter().filter_map(|(name, _)| place(name)).collect();
        let candidates = wanted.time_column.map_or(TIMES.to_vec(), |name| vec![name]);
        let time = candidates.iter().find_map(|name| place(name)).ok_or_else(|| no_time(&candidates, names))?;
        let unit = if names[time].ends_with("_us") { 1e-3 } else { 1.0 };
        let columns = Self { table, parameters, sizes, time, unit, status: place(STATUS), gpu: place(GPU) };
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
        let values = self.parameters.iter().map(|&parameter| self.integer(row, parameter));
        let configuration = Configuration(values.collect::<Result<_, _>>()?);
        Ok(MeasuredRun { configuration, milliseconds: self.milliseconds(row)? })
    }

    /// The time of a run in milliseconds; `None` if the run failed.
    fn milliseconds(&self, row: &Row) -> Result<Option<f64>, MeasuredError> {
        let text = &row.cells[self.time];
        if text.is_empty() || self.status.is_some_and(|status| row.cells[status] != OK) {
            return Ok(None);
        }
        match text.parse::<f64>() {
            Ok(time) if time.is_finite() && time > 0.0 => Ok(Some(time * self.unit)),
            _ => {
                let column = self.table.columns[self.time].clone();
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
            let single = [Some(self.time), self.status, self.gpu].contains(&Some(*place));
            single || self.parameters.contains(place) || self.sizes.contains(place)
        };
        (0..self.table.columns.len())
            .filter(|place| !known(place))
            .map(|place| self.table.columns[place].clone())
            .collect()
    }
}

fn no_parameter(name: &str, columns: &[String]) -> MeasuredError {
    let nearest = nearest(name, columns.iter().map(String::as_str));
    MeasuredError::NoParameter { name: name.to_owned(), nearest, columns: columns.to_vec() }
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
