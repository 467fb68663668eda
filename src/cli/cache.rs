//! `autotune cache`: the folder of compiled checkers and finished proofs.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output};
use crate::files::cache::Cache;
use crate::render::text;
use crate::report;
use crate::session::SessionError;

pub(super) fn run(request: &arguments::Cache) -> Result<Status, Failure> {
    let cache = Cache::of_user().ok_or(Failure::NoCacheFolder)?;
    cache.check().map_err(SessionError::UnsafeCache)?;
    let folder = cache.folder().display().to_string();
    let report = match request.action {
        None => report::cache(folder, cache.usage()?, false),
        Some(arguments::CacheAction::Clear) => report::cache(folder, cache.clear()?, true),
    };
    output::text(&match request.format {
        Format::Text => text::cache::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}
