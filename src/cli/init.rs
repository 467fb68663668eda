//! `autotune init`: a commented spec to start from.

use std::io::Write;
use std::path::Path;

use fs_err::File;

use super::arguments::{self, Template};
use super::failure::Failure;
use super::{Status, output};

pub(super) fn run(request: &arguments::Init) -> Result<Status, Failure> {
    let text = text(request.kernel);
    match &request.out {
        None => output::text(text)?,
        Some(path) => create(path, text)?,
    }
    Ok(Status::Success)
}

fn text(template: Template) -> &'static str {
    match template {
        Template::Map => include_str!("../../spec-templates/map.yaml"),
        Template::Matmul => include_str!("../../spec-templates/matmul.yaml"),
        Template::Reduction => include_str!("../../spec-templates/reduction.yaml"),
        Template::Stencil => include_str!("../../spec-templates/stencil.yaml"),
    }
}

/// Writes a new file, and notes the next command. Fails if the file exists.
fn create(path: &Path, text: &str) -> Result<(), Failure> {
    let created = File::create_new(path);
    if created.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::AlreadyExists) {
        return Err(Failure::FileExists(path.to_owned()));
    }
    created?.write_all(text.as_bytes())?;
    output::note(&format!("wrote {0}; next: `autotune check {0} --gpu GPU`", path.display()));
    Ok(())
}
