//! `autotune diff`: what a change does to a kernel.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::{self, DiffFormat};
use super::failure::Failure;
use super::{Status, output};
use crate::export::sarif;
use crate::render::{markdown, text};
use crate::session::{DifferenceRequest, Named, OldKernel, OldText, RevisionText, differ, kernel_of_file};
use autotune_base::limits::Limits;
use autotune_engine::difference::{ChosenConfigurations, MatchedLines};
use autotune_engine::explain::lines::KernelLines;
use autotune_kernel::source::{SourceReader, Tools};
use autotune_lowering::inference::host_with_line;

pub(super) fn run(request: &arguments::Diff) -> Result<Status, Failure> {
    let reader = SourceReader::new(Tools::from(&request.tools));
    let limits = Limits::default();
    let report = differ(&asked(request, reader.tools(), &limits)?, &reader, &limits)?.judged(request.strict);
    output::text(&match request.format {
        DiffFormat::Text => text::difference::to_text(&report),
        DiffFormat::Json => output::to_json(&report)?,
        DiffFormat::Sarif => sarif(&report).map_err(std::io::Error::from)?,
        DiffFormat::Markdown => markdown::to_markdown(&report),
    })?;
    Ok(if report.failing > 0 { Status::Worse } else { Status::Success })
}

/// The question of a command line.
fn asked(request: &arguments::Diff, tools: &Tools, limits: &Limits) -> Result<DifferenceRequest, Failure> {
    let named = |path: &Path| -> Result<Named, Failure> {
        let options = request.kernel.spec(path, Some(&request.gpu), &request.sizes, tools)?;
        let (spec, sizes, warm) = (Some(path.to_owned()), request.sizes.clone(), request.l2.warm());
        Ok(Named { spec, options, sizes, warm, ..Named::default() })
    };
    let is_source = |path: &Path| request.kernel.describes(&with_kernel(path).0);
    let (old, new) = match (request.kernels.as_slice(), &request.git, &request.source_old) {
        ([new], Some(revision), None) if is_source(new) => (of_revision(request, revision, new, tools, limits)?, new),
        ([new], Some(revision), None) => (OldKernel::Revision(revision.clone()), new),
        ([new], None, Some(source)) if is_source(new) => (of_file(request, source, new, tools)?, new),
        ([new], None, Some(source)) => (OldKernel::Source(source.clone()), new),
        ([old, new], None, None) if is_source(old) && is_source(new) => (of_file(request, old, new, tools)?, new),
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

/// The old kernel of another source, which says itself how it is launched.
fn of_file(request: &arguments::Diff, old: &Path, new: &Path, tools: &Tools) -> Result<OldKernel, Failure> {
    let (file, kernel) = with_kernel(new);
    let (of_old, own) = with_kernel(old);
    let (hosts, include) = request.kernel.files();
    // What the new source includes may lie beside it.
    let beside = file.parent().filter(|folder| Some(*folder) != of_old.parent()).map(Path::to_owned);
    let include: Vec<PathBuf> = include.iter().cloned().chain(beside).collect();
    let line = |host: Option<usize>, line| if host.is_some() { Some(line) } else { old_line(&of_old, &file, line) };
    let kernel = kernel.filter(|_| own.is_none());
    let options =
        request.kernel.of_old(kernel, hosts, &include, &line).spec(old, Some(&request.gpu), &request.sizes, tools)?;
    let named = Named { spec: Some(old.to_owned()), options, warm: request.l2.warm(), ..Named::default() };
    Ok(OldKernel::Text(Box::new(OldText { named, revision: None })))
}

/// The old kernel of a revision's source and host code, which say themselves how it is launched.
fn of_revision(
    request: &arguments::Diff,
    revision: &str,
    new: &Path,
    tools: &Tools,
    limits: &Limits,
) -> Result<OldKernel, Failure> {
    let (file, kernel) = with_kernel(new);
    let (hosts, include) = request.kernel.files();
    let old = RevisionText::open(revision, &file, hosts, include, limits)?;
    for host in &old.as_they_lie {
        output::note(&format!(
            "`{revision}` has no `{}`: the old kernel is read with the file as it lies",
            host.display()
        ));
    }
    let line = |host: Option<usize>, line| match host {
        Some(at) => old_line(&old.hosts[at], &host_with_line(&hosts[at]).0, line),
        None => old_line(&old.file, &file, line),
    };
    let options = request.kernel.of_old(kernel, &old.hosts, &old.include, &line);
    let options = options.spec(&old.file, Some(&request.gpu), &request.sizes, tools).map_err(|why| match why {
        Failure::Other(why) => old.named(&*why).into(),
        other => other,
    })?;
    let options = options.map(|options| old.with_names(options));
    let named = Named { spec: Some(old.file.clone()), options, warm: request.l2.warm(), ..Named::default() };
    Ok(OldKernel::Text(Box::new(OldText { named, revision: Some(Arc::new(old)) })))
}

/// The line of an old file that stands for one of the new file, both counted from 1; `None` if there is none.
fn old_line(old: &Path, new: &Path, line: u32) -> Option<u32> {
    let names = [old, new].map(|path| path.display().to_string());
    let read = KernelLines::read(names.iter().map(String::as_str));
    let [(_, old), (_, new)] = read.files() else { return None };
    MatchedLines::new(old, new).old_of(line)
}

/// A source's file, and the name of the kernel that stands beside its path.
fn with_kernel(path: &Path) -> (PathBuf, Option<String>) {
    kernel_of_file(path).map_or_else(|| (path.to_owned(), None), |(file, kernel)| (file, Some(kernel)))
}
