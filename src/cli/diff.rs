//! `autotune diff`: what a change does to a kernel.

use std::path::Path;

use super::arguments::{self, DiffFormat};
use super::failure::Failure;
use super::{Status, output};
use crate::difference::ChosenConfigurations;
use crate::export::sarif;
use crate::limits::Limits;
use crate::render::{markdown, text};
use crate::session::{DifferenceRequest, Named, OldKernel, differ};
use crate::source::{Language, SourceReader, Tools};

pub(super) fn run(request: &arguments::Diff) -> Result<Status, Failure> {
    let reader = SourceReader::new(Tools::from(&request.tools));
    let report = differ(&asked(request, reader.tools())?, &reader, &Limits::default())?.judged(request.strict);
    output::text(&match request.format {
        DiffFormat::Text => text::difference::to_text(&report),
        DiffFormat::Json => output::to_json(&report)?,
        DiffFormat::Sarif => sarif(&report).map_err(std::io::Error::from)?,
        DiffFormat::Markdown => markdown::to_markdown(&report),
    })?;
    Ok(if report.failing > 0 { Status::Worse } else { Status::Success })
}

/// The question of a command line.
fn asked(request: &arguments::Diff, tools: &Tools) -> Result<DifferenceRequest, Failure> {
    let named = |path: &Path| -> Result<Named, Failure> {
        let options = request.kernel.spec(path, Some(&request.gpu), &request.sizes, tools)?;
        Ok(Named { spec: Some(path.to_owned()), options, sizes: request.sizes.clone(), ..Named::default() })
    };
    let (old, new) = match (request.kernels.as_slice(), &request.git, &request.source_old) {
        ([new], Some(revision), None) => (OldKernel::Revision(revision.clone()), new),
        ([new], None, Some(source)) => (OldKernel::Source(source.clone()), new),
        ([old, new], None, None) if is_source(old) && is_source(new) => (OldKernel::Source(old.clone()), new),
        ([file, spec] | [spec, file], None, None) if is_source(file) && !is_source(spec) => {
            return Err(Failure::SourceAndSpec { file: file.clone(), spec: spec.clone() });
        }
        ([old, new], None, None) => (OldKernel::Spec(Box::new(named(old)?)), new),
        ([_], _, _) => return Err(Failure::NothingToCompare),
        _ => return Err(Failure::TwoOldKernels),
    };
    let configurations = match (&request.config[..], request.all) {
        ([], false) => ChosenConfigurations::Optima,
        ([], true) => ChosenConfigurations::All,
        (named, _) => ChosenConfigurations::Named(named.to_vec()),
    };
    let (gpus, threshold) = (request.gpu.clone(), request.threshold);
    Ok(DifferenceRequest { old, new: named(new)?, gpus, configurations, threshold })
}

fn is_source(path: &Path) -> bool {
    Language::from_file(path).is_some()
}
