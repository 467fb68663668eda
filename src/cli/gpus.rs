//! `autotune gpus`: the GPU profiles.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output};
use crate::render::text;
use crate::result::{GpuParts, GpusReport};
use crate::session::SessionError;
use autotune_lowering::gpu;

pub(super) fn run(request: &arguments::Gpus) -> Result<Status, Failure> {
    let named =
        request.name.as_ref().map(|name| gpu::find(name).map_err(|why| SessionError::Gpu { name: name.clone(), why }));
    let named = named.transpose()?;
    let files = named.map_or_else(gpu::shipped, |file| vec![file]);
    let report = GpusReport::new(files.into_iter(), GpuParts { text: named.is_some(), assumed: request.why });
    output::text(&match (request.format, named) {
        (Format::Json, _) => output::to_json(&report)?,
        (Format::Text, _) if request.why => text::gpus::assumed(&report, output::columns()),
        (Format::Text, Some(file)) => file.text.clone(),
        (Format::Text, None) => text::gpus::to_text(&report, output::columns()),
    })?;
    Ok(Status::Success)
}
