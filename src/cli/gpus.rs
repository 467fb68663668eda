//! `autotune gpus`: the GPU profiles.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output};
use crate::render::text;
use crate::session::SessionError;
use crate::{gpu, report};

pub(super) fn run(request: &arguments::Gpus) -> Result<Status, Failure> {
    let named =
        request.name.as_ref().map(|name| gpu::find(name).map_err(|why| SessionError::Gpu { name: name.clone(), why }));
    let (text, report) = match named.transpose()? {
        Some(shipped) => (Some(&shipped.text), report::gpus(std::iter::once(shipped), true)),
        None => (None, report::gpus(gpu::shipped().iter(), false)),
    };
    output::text(&match request.format {
        Format::Text => text.map_or_else(|| text::gpus::to_text(&report), String::clone),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}
