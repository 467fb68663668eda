//! Two kernels compared: the old one from a spec, another source or a revision of git.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::SessionError;
use super::inputs::{Inputs, Named};
use super::revision::error::RevisionError;
use super::revision::{Revision, RevisionText};
use crate::result::{DescriptionReport, DifferenceReport, GpuDifference};
use autotune_base::limits::Limits;
use autotune_engine::difference::{
    ChosenConfigurations, ComparedKernel, DescriptionChange, Descriptions, MatchedLines, SideName, compare,
    share_inferred_values,
};
use autotune_engine::explain::lines::KernelLines;
use autotune_engine::proof::Percent;
use autotune_kernel::source::{Language, SourceReader};
use autotune_lowering::gpu;
use autotune_lowering::spec::{Spec, StatedSource};

/// The question what a change does to a kernel.
#[derive(Debug, Clone)]
pub struct DifferenceRequest {
    /// The old kernel.
    pub old: OldKernel,
    /// The new kernel. Its GPU and its configuration are not used.
    pub new: Named,
    /// The GPUs: names, aliases, files or groups between commas.
    pub gpus: String,
    /// The configurations to compare.
    pub configurations: ChosenConfigurations,
    /// The least change of a predicted time that is a finding.
    pub threshold: Percent,
}

/// The old one of two kernels.
#[derive(Debug, Clone)]
pub enum OldKernel {
    /// Another spec, with its own problem sizes. Its GPU and its configuration are not used.
    Spec(Box<Named>),
    /// The new kernel's spec with this file as its source. What it assumes of a line goes to the line that stands for it.
    Source(PathBuf),
    /// The spec of the new kernel, and its source with what that includes, as a revision of its git repository has them.
    Revision(String),
    /// A source that its own text or options describe. It is compared at the new kernel's problem sizes.
    Text(Box<OldText>),
}

/// A source that its own text or options describe.
#[derive(Debug, Clone)]
pub struct OldText {
    /// The source, and the spec that it stands for. Its GPU and its configuration are not used.
    pub named: Named,
    /// The revision that has the source; `None` for a file as it lies.
    pub revision: Option<Arc<RevisionText>>,
}

/// Compares two kernels on each of the GPUs. Kernels' sources are compiled with the reader's tools.
///
/// # Errors
/// If a kernel, a GPU or a configuration cannot be used, or a kernel cannot be counted.
pub fn differ(
    request: &DifferenceRequest,
    reader: &SourceReader,
    limits: &Limits,
) -> Result<DifferenceReport, SessionError> {
    let select = |why| SessionError::Gpu { name: request.gpus.clone(), why };
    let gpus = gpu::select(&request.gpus).map_err(select)?;
    let revision = match &request.old {
        OldKernel::Revision(name) => Some(Revision::of_spec(name, &request.new, limits)?),
        OldKernel::Spec(_) | OldKernel::Source(_) | OldKernel::Text(_) => None,
    };
    let text = match &request.old {
        OldKernel::Text(text) => text.revision.as_deref(),
        _ => None,
    };
    let (mut kernel, mut compared, mut description) = (String::new(), Vec::new(), DescriptionReport::default());
    for selected in &gpus {
        let mut new = on_gpu(&request.new, &selected.argument, reader)?;
        let (mut old, changes) = old_inputs(request, revision.as_ref(), &new, &selected.argument, reader)?;
        share_inferred_values(&mut old.spec, &mut new.spec);
        let shown = revision.as_ref().map(Revision::shown).or_else(|| text.map(RevisionText::shown));
        let shown = shown.as_ref().map(|(from, to)| (from.as_str(), to.as_str()));
        let (before, on) = (side(&old, shown), side(&new, None));
        let difference = compare(&before, &on, &request.configurations, request.threshold, limits);
        let difference = difference.map_err(|why| match (&revision, text) {
            (Some(revision), _) if why.side == SideName::Old => revision.named(&why).into(),
            (_, Some(text)) if why.side == SideName::Old => text.named(&why).into(),
            _ => SessionError::Difference(why),
        })?;
        if let Some(why) = difference.why_nothing_runs() {
            return Err(SessionError::Infeasible(why));
        }
        compared.push(GpuDifference::new(&new.gpu, &new.profile, difference));
        description = DescriptionReport::new(&old.spec, &new.spec, changes);
        kernel = new.spec.kernel;
    }
    Ok(DifferenceReport::new(&kernel, request.names(), request.threshold, description, compared))
}

fn side<'a>(inputs: &'a Inputs, shown: Option<(&'a str, &'a str)>) -> ComparedKernel<'a> {
    ComparedKernel { spec: &inputs.spec, profile: &inputs.profile, reader: &inputs.reader, shown }
}

/// The inputs of a question about a GPU, without findings: what a comparison cannot use is its error.
fn on_gpu(named: &Named, gpu: &str, reader: &SourceReader) -> Result<Inputs, SessionError> {
    Inputs::read_unjudged(&Named { gpu: gpu.to_owned(), config: None, ..named.clone() }, reader)
}

/// The inputs of the question about the old kernel, and the parts of its description that differ.
fn old_inputs(
    request: &DifferenceRequest,
    revision: Option<&Revision>,
    new: &Inputs,
    gpu: &str,
    reader: &SourceReader,
) -> Result<(Inputs, Vec<DescriptionChange>), SessionError> {
    let both = |old: &Spec, is_shared: bool| {
        let both = Descriptions { old, new: &new.spec };
        (both.shared_sizes(), both.changes(is_shared, &request.new.sizes))
    };
    match (&request.old, revision) {
        (OldKernel::Spec(named), _) => {
            let old = on_gpu(named, gpu, reader)?;
            let (_, changes) = both(&old.spec, false);
            Ok((old, changes))
        }
        (OldKernel::Source(file), _) => {
            let mut old = on_gpu(&request.new, gpu, reader)?;
            replace_source(&mut old.spec, file)?;
            Ok((old, Vec::new()))
        }
        (OldKernel::Revision(_), Some(revision)) => {
            let old = revision.spec()?;
            let (sizes, changes) = both(&old, true);
            Ok((Inputs::of_spec(old, (&sizes, request.new.warm), gpu, reader)?, changes))
        }
        (OldKernel::Revision(_), None) => Err(RevisionError::NoSpec.into()),
        (OldKernel::Text(text), _) => {
            // Sizes that are set are the new kernel's, too.
            let named = Named { sizes: Vec::new(), ..text.named.clone() };
            let stated = on_gpu(&named, gpu, reader).map_err(|why| match &text.revision {
                Some(revision) => revision.named(&why).into(),
                None => why,
            })?;
            let (sizes, changes) = both(&stated.spec, true);
            Ok((on_gpu(&Named { sizes, ..named }, gpu, reader)?, changes))
        }
    }
}

impl DifferenceRequest {
    /// The names of the old and the new kernel, as reports show them.
    fn names(&self) -> [String; 2] {
        let new = path(&self.new).display().to_string();
        let old = match &self.old {
            OldKernel::Spec(named) => path(named).display().to_string(),
            OldKernel::Source(file) => file.display().to_string(),
            OldKernel::Revision(name) => format!("{name}:{new}"),
            OldKernel::Text(text) => {
                let file = path(&text.named).display().to_string();
                text.revision.as_ref().map_or(file, |revision| format!("{}:{new}", revision.name()))
            }
        };
        [old, new]
    }
}

fn path(named: &Named) -> PathBuf {
    named.spec.clone().or_else(|| named.space.clone()).unwrap_or_default()
}

/// Replaces the source of a spec by another file: the only one, or the one of the same name.
fn replace_source(spec: &mut Spec, file: &Path) -> Result<(), SessionError> {
    let Some(stated) = &mut spec.kernel_source else {
        return Err(SessionError::NoSource(spec.source.name().into()));
    };
    let files = &mut stated.source.files;
    let at = match files.len() {
        1 => Some(0),
        _ => files.iter().position(|own| own.file_name() == file.file_name()),
    };
    let Some(at) = at else { return Err(SessionError::NoSuchSource(file.to_owned())) };
    let new = std::mem::replace(&mut files[at], file.to_owned());
    // What the new source includes may lie beside it.
    if let Some(folder) = new.parent().filter(|_| new.parent() != file.parent()) {
        stated.source.include.push(folder.to_owned());
    }
    if let Some(language) = Language::from_file(file) {
        stated.source.language = language;
    }
    move_assumptions(stated, &new, file);
    Ok(())
}

/// Moves what is assumed of lines of the new file to the lines of the old one that stand for them.
fn move_assumptions(stated: &mut StatedSource, new: &Path, old: &Path) {
    let names = [old, new].map(|path| path.display().to_string());
    let read = KernelLines::read(names.iter().map(String::as_str));
    let [(_, old), (_, new)] = read.files() else { return };
    let matched = MatchedLines::new(old, new);
    stated.assume.retain_mut(|assumption| {
        let line = matched.old_of(assumption.line);
        assumption.line = line.unwrap_or(assumption.line);
        line.is_some()
    });
    stated.note_assumed();
}
