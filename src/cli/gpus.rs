//! `autotune gpus`: the GPU profiles.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output};
use crate::gpu;
use crate::report::GpusReport;
use crate::session::SessionError;

pub(super) fn run(request: &arguments::Gpus) -> Result<Status, Failure> {
    let named =
        request.name.as_ref().map(|name| gpu::find(name).map_err(|why| SessionError::Gpu { name: name.clone(), why }));
    let (text, report) = match named.transpose()? {
        Some(shipped) => (Some(shipped.text), GpusReport::new(std::iter::once(shipped), true)),
        None => (None, GpusReport::new(gpu::shipped().iter(), false)),
    };
    output::text(&match request.format {
        Format::Text => text.map_or_else(|| report.for_people(), str::to_owned),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}
