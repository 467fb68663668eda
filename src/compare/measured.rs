//! Measured runs: reads configurations and their times from a file of an autotuner.
//!
//! Every format is read into a table of texts with their places. The columns have the same meaning in all formats.

mod columns;
mod csv_file;
mod device;
mod error;
mod kernel_tuner;
mod t4;
mod table;

use std::io::Read as _;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use crate::files;
use crate::gpu::Profile;
use crate::spec::{Configuration, Spec};
use table::Table;

pub use error::MeasuredError;
pub use table::At;

/// The most bytes of a file, unpacked.
const LARGEST_FILE: u64 = 1 << 30;

/// The content that a file is searched for.
#[derive(Debug, Clone, Copy)]
pub struct WantedRuns<'a> {
    /// The spec. The file must have a column for each of its parameters, and may have columns for its problem sizes.
    pub spec: &'a Spec,
    /// The GPU. If the file has a column `gpu`, only the rows of this GPU count.
    pub profile: &'a Profile,
    /// The name of the column of times; `None` means `time_ms`, `time_us` or `time`.
    pub time_column: Option<&'a str>,
    /// The only configuration whose runs count; `None` means all.
    pub only: Option<&'a Configuration>,
    /// Problem sizes that are set elsewhere; a column of such a size is an error.
    pub fixed_sizes: &'a [&'a str],
}

/// The content of a file of measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    /// The runs by problem size, in the order of the file. There is at least one scenario, and each has at least one
    /// run.
    pub scenarios: Vec<Scenario>,
    /// The names of the columns that are not used.
    pub ignored: Vec<String>,
    /// The rows that repeat the configuration and problem size of an earlier row; `None` if there are none.
    pub repeated: Option<Repeated>,
    /// The device that a Kernel Tuner cache names, if it is not the GPU; else `None`.
    pub other_device: Option<String>,
}

/// Rows that repeat earlier ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// The number of rows that repeat an earlier one.
    pub rows: usize,
    /// The first row that is repeated.
    pub first: At,
    /// The row that repeats it.
    pub again: At,
}

/// Runs of one problem size.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// The problem sizes that the file states: name and value.
    pub problem: Vec<(String, i64)>,
    /// The runs, in the order of the file.
    pub runs: Vec<MeasuredRun>,
}

/// A measured run of a configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredRun {
    /// The configuration.
    pub configuration: Configuration,
    /// The time in milliseconds; `None` if the run failed.
    pub milliseconds: Option<f64>,
}

/// Reads a file: CSV, a Kernel Tuner cache or T4 results, each optionally packed by gzip.
///
/// # Errors
/// If the file cannot be read, has another format, or lacks a parameter, a time or a run that counts. The error shows
/// the row.
pub fn read(path: &Path, wanted: &WantedRuns) -> Result<Measurements, MeasuredError> {
    // One byte more shows that a file is too long.
    let packed = files::named(path, LARGEST_FILE + 1).beginning()?;
    let is_packed = packed.starts_with(&[0x1f, 0x8b]);
    if !is_packed && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        return Err(MeasuredError::NotPacked);
    }
    let bytes = if is_packed { unpacked(&packed)? } else { packed };
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(MeasuredError::TooLong);
    }
    let text = String::from_utf8(bytes).map_err(|error| MeasuredError::NotText(error.utf8_error().valid_up_to()))?;
    if !text.trim_start().starts_with('{') {
        return columns::interpret(&csv_file::table(&text)?, wanted);
    }
    let json = kernel_tuner::parse(&text)?;
    // The readers of JSON have found the column of times themselves.
    let table = table_of_json(&json, wanted.time_column.unwrap_or(table::TIME))?;
    let measurements = columns::interpret(&table, &WantedRuns { time_column: None, ..*wanted })?;
    let other_device = kernel_tuner::device(&json).filter(|device| !device::is(device, wanted.profile));
    Ok(Measurements { other_device: other_device.map(str::to_owned), ..measurements })
}

fn unpacked(packed: &[u8]) -> Result<Vec<u8>, MeasuredError> {
    let mut bytes = Vec::new();
    let mut reader = MultiGzDecoder::new(packed).take(LARGEST_FILE + 1);
    reader.read_to_end(&mut bytes).map_err(MeasuredError::Packed)?;
    Ok(bytes)
}

fn table_of_json(json: &Value, time: &str) -> Result<Table, MeasuredError> {
    if json.get("cache").is_some() {
        kernel_tuner::table(json, time)
    } else if json.get("results").is_some() {
        t4::table(json, time)
    } else {
        Err(MeasuredError::UnknownJson)
    }
}

#[cfg(test)]
mod tests;
