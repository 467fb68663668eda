//! `autotune verify DIR`: a kept proof, repeated.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::progress::Progress;
use super::tune::{interrupt, wanted};
use super::{Status, output};
use crate::certificate;
use crate::files::cache::Cache;
use crate::files::scratch::Scratch;
use crate::limits::Limits;
use crate::render::text;
use crate::spin::{Settings, Toolchain};

pub(super) fn run(request: &arguments::Verify) -> Result<Status, Failure> {
    // Models of one text share their checker, which is made anew.
    let of_this_run = Scratch::new()?;
    let toolchain = Toolchain::find(&wanted())?;
    let limits = Limits { deadline: None, interrupt: interrupt()? };
    let cache = Some(Cache::at(of_this_run.path().to_owned()));
    let settings = Settings { toolchain, limits, memory_mib: request.memory.as_u64() >> 20, cache, record: None };
    let progress = Progress::new();
    let verification = certificate::verify(&request.folder, &settings, &mut |event| progress.show(&event));
    progress.end();
    let verification = verification?;
    output::text(&match request.format {
        Format::Text => text::verification::to_text(&verification),
        Format::Json => output::to_json(&verification)?,
    })?;
    Ok(Status::Success)
}
