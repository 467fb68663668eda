//! Files of measurements, with notes on what is not used of them.

use std::path::Path;

use super::arguments::Times;
use super::failure::Failure;
use super::output;
use crate::session::Inputs;
use crate::tuners::{self, WantedRuns, WantedTimes};
use autotune_base::text::list;
use autotune_engine::compare::measured::Measurements;
use autotune_engine::compare::validation::of_all_launches;

/// A description of the runs that a question needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needed<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) times: &'a Times,
    pub(super) wanted: WantedTimes,
    /// Problem sizes of the command line that no column may have.
    pub(super) fixed_sizes: &'a [&'a str],
}

/// Reads a file of measurements. Columns that mean nothing are noted, and a device that is not the question's.
pub(super) fn read(path: &Path, needed: Needed) -> Result<Measurements, Failure> {
    let Needed { inputs, times, wanted, fixed_sizes } = needed;
    let wanted = WantedRuns {
        spec: &inputs.spec,
        profile: &inputs.profile,
        times: wanted,
        time_column: times.time_column.as_deref(),
        unit: times.unit,
        only: inputs.only.as_ref(),
        fixed_sizes,
        fixed_parameters: &times.fix,
    };
    let measured = tuners::read(path, &wanted).map_err(|why| Failure::Measured { path: path.to_owned(), why })?;
    if !measured.ignored.is_empty() && wanted.times != WantedTimes::Unread {
        output::note(&format!("columns of `{}` that mean nothing here: {}", path.display(), list(&measured.ignored)));
    }
    if let Some(device) = &measured.other_device {
        let (path, gpu) = (path.display(), &inputs.gpu);
        output::note(&format!("`{path}` was measured on `{}`, which is not known to be {gpu}", device.escape_debug()));
    }
    if times.per_launch { Ok(of_all_launches(&inputs.spec, &inputs.profile, measured)?) } else { Ok(measured) }
}
