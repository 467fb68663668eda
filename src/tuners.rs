//! The files of other tuners: reads configurations and their times.
//!
//! Every format is read into a table of texts with their places. The columns have the same meaning in all formats.

mod columns;
mod csv_file;
mod device;
mod error;
mod kernel_tuner;
mod t4;
mod table;
mod unit;
mod wanted;

use std::io::Read as _;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use autotune_base::files;
use autotune_engine::compare::measured::Measurements;
use table::Table;

pub use error::MeasuredError;
pub use unit::TimeUnit;
pub use wanted::{WantedRuns, WantedTimes};

/// The most bytes of a file, unpacked.
const LARGEST_FILE: u64 = 1 << 30;

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
    if let Some(unit) = wanted.unit.filter(|unit| *unit != TimeUnit::Milliseconds) {
        return Err(MeasuredError::UnitOfJson { unit });
    }
    let unit = Some(TimeUnit::Milliseconds);
    let measurements = columns::interpret(&table, &WantedRuns { time_column: None, unit, ..*wanted })?;
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
