//! `autotune cache`: what is kept from earlier proofs.

use bytesize::ByteSize;

use super::failure::Failure;
use super::{Status, arguments, output};
use crate::cache::{Cache, Usage};

pub(super) fn run(request: &arguments::Cache) -> Result<Status, Failure> {
    let cache = Cache::of_user().ok_or(Failure::NoCacheFolder)?;
    let folder = cache.folder().display();
    let size = |usage: Usage| format!("{} entries, {}", usage.entries, ByteSize::b(usage.bytes).display().iec());
    output::text(&match request.action {
        None => format!("{folder}: {}\n", size(cache.usage()?)),
        Some(arguments::CacheAction::Clear) => format!("{folder}: removed {}\n", size(cache.clear()?)),
    })?;
    Ok(Status::Success)
}
