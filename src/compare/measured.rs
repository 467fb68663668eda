//! Measured runs: a file of an autotuner to configurations and their times.
//!
//! Every format becomes a table of texts with the place of each; what its columns mean is the same for all.

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

pub use error::MeasuredError;

pub use table::At;

use table::Table;

/// No file is longer, unpacked.
const LARGEST_FILE: u64 = 1 << 30;

/// What is looked for in a file.
#[derive(Debug, Clone, Copy)]
pub struct WantedRuns<'a> {
    /// Its parameters must be there; its problem sizes may.
    pub spec: &'a Spec,
    /// Only runs on it count, where the file tells.
    pub profile: &'a Profile,
    /// The column of times; none leaves it to the names `time_ms`, `time_us` and `time`.
    pub time_column: Option<&'a str>,
    /// The only configuration that counts, if one is named.
    pub only: Option<&'a Configuration>,
    /// Problem sizes that were given a value elsewhere: a file that has them too contradicts.
    pub fixed_sizes: &'a [&'a str],
}

/// What a file has.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    /// The runs by problem size, in the order of the file; at least one scenario, none without runs.
    pub scenarios: Vec<Scenario>,
    /// Columns that mean nothing here.
    pub ignored: Vec<String>,
    /// Rows of a configuration and problem size that an earlier row has too, if there are any.
    pub repeated: Option<Repeated>,
    /// The device that a Kernel Tuner cache names, if it is none that the GPU goes by.
    pub other_device: Option<String>,
}

/// Rows that are there more than once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// How many rows repeat an earlier one.
    pub rows: usize,
    /// The first row that is repeated.
    pub first: At,
    /// The row that repeats it.
    pub again: At,
}

/// Runs of one problem size.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// The problem sizes that the file tells.
    pub problem: Vec<(String, i64)>,
    /// The runs, in the order of the file.
    pub runs: Vec<MeasuredRun>,
}

/// A configuration that was tried.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredRun {
    /// What was tried.
    pub configuration: Configuration,
    /// How long it took; none if it failed.
    pub milliseconds: Option<f64>,
}

/// Reads a file: CSV, a Kernel Tuner cache or T4 results, each of them perhaps packed by gzip.
///
/// # Errors
/// When it cannot be read, is none of these, or lacks what is wanted; the error says where.
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
    // These have looked for the column of times themselves.
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
