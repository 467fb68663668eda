//! `autotune cache`: the folder of compiled checkers and finished proofs.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output};
use crate::render::text;
use crate::result::CacheReport;
use crate::session::SessionError;
use autotune_base::files::cache::CacheFolder;
use autotune_base::files::secret::Secret;

pub(super) fn run(request: &arguments::Cache) -> Result<Status, Failure> {
    let folder = CacheFolder::of_user().ok_or(Failure::NoCacheFolder)?;
    folder.check().map_err(SessionError::UnsafeCache)?;
    let (usage, removed) = match request.action {
        None => (folder.usage()?, false),
        Some(arguments::CacheAction::Clear) => (folder.clear()?, true),
    };
    let report = CacheReport::new(&folder, usage, removed, Secret::check_of_user());
    output::text(&match request.format {
        Format::Text => text::cache::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}
