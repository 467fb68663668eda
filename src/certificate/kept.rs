//! `kept.json` and `inputs/`: the questions whose proofs a folder holds, and everything that their answers follow from.
//!
//! The manifest is a list of questions, so that one folder can hold those of several GPUs and sizes. Today it has one
//! question, in the folder itself.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use fs_err as fs;
use serde::{Deserialize, Serialize};

use super::compiled::{KeptCompilations, KeptCompiler};
use super::deviation::Deviation;
use super::{compiled, hashes};
use crate::result::Listing;
use autotune_base::files::version::KEPT_VERSION;
use autotune_base::files::{self, MIB};
use autotune_base::limits::Interrupt;
use autotune_base::text::json::to_json;
use autotune_engine::model::Form;
use autotune_engine::proof::{Granularity, Percent, Question, Schedules, Strategy, TimeComparison};
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu;
use autotune_lowering::gpu::Profile;
use autotune_lowering::space::Space;
use autotune_lowering::spec::{Configuration, OuterSpace, Overlay, Spec};

/// The file that describes the folder's content.
pub(super) const MANIFEST: &str = "kept.json";
/// The files of the inputs.
pub(super) const SPEC: &str = "inputs/spec.yaml";
pub(super) const SPACE: &str = "inputs/space.json";
pub(super) const PROFILE: &str = "inputs/profile.yaml";

const SCHEMA: &str = "autotune.kept/2";
/// The last version whose folders have no manifest.
const WITHOUT_MANIFEST: &str = "0.1.0 or earlier";
/// The greatest size of a manifest or an input, in bytes.
const MOST_BYTES: u64 = 16 * MIB;

/// A question, and the other inputs of its result.
#[derive(Debug, Clone, Copy)]
pub struct KeptInputs<'a> {
    /// The question.
    pub question: &'a Question<'a>,
    /// The text of the GPU's profile.
    pub profile: &'a str,
    /// The choice of configurations that the result lists.
    pub listing: Listing,
}

/// The options of a question that the result depends on, named as on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    strategy: Strategy,
    granularity: Granularity,
    form: Option<Form>,
    top: usize,
    no_prune: bool,
    rank: bool,
    comparison: TimeComparison,
    schedules: Schedules,
    within: Option<Percent>,
    listing: Listing,
}

/// The content of `kept.json`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    schema: String,
    version: String,
    questions: Vec<Asked>,
}

/// The version alone, for manifests of any shape.
#[derive(Deserialize)]
struct MadeBy {
    version: String,
}

/// A question in a manifest, with its files as paths from the folder.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// The folder of its result and models.
    folder: String,
    spec: String,
    space: Option<String>,
    profile: String,
    gpu: String,
    problem: BTreeMap<String, i64>,
    config: Option<String>,
    /// The configurations of the space that the question is about; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    among: Option<Vec<String>>,
    /// Preferences that replace those of the spec; `None` if they do not.
    prefer: Option<String>,
    /// True for a warm launch and false for a cold one, where an option replaced that of the spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    warm: Option<bool>,
    options: Options,
}

/// A question as a folder holds it.
pub(super) struct Kept {
    pub(super) spec: Spec,
    pub(super) listing: Listing,
    /// The reader of the kernel's source, whose compiler says what the folder keeps.
    pub(super) reader: SourceReader,
    /// The compilations of the kernel's source; `None` if the spec has a body.
    pub(super) compilations: Option<Arc<KeptCompilations>>,
    profile: Profile,
    profile_text: String,
    gpu: String,
    only: Option<Configuration>,
    options: Options,
}

/// Writes manifest and inputs.
pub(super) fn write(folder: &Path, inputs: KeptInputs) -> io::Result<()> {
    let Question { spec, gpu, only, .. } = inputs.question;
    fs::create_dir(folder.join("inputs"))?;
    hashes::add(folder, SPEC, Overlay::whole(&spec.source))?;
    if let Some(space) = &spec.space_source {
        hashes::add(folder, SPACE, space.text())?;
    }
    hashes::add(folder, PROFILE, inputs.profile)?;
    compiled::write(folder, inputs.question)?;
    let label = |configuration: &Configuration| spec.label(configuration).replace(' ', ",");
    let among = spec.listed.as_ref().filter(|_| spec.is_restricted);
    let asked = Asked {
        folder: ".".to_owned(),
        spec: SPEC.to_owned(),
        space: spec.space_source.as_ref().map(|_| SPACE.to_owned()),
        profile: PROFILE.to_owned(),
        gpu: (*gpu).to_owned(),
        problem: spec.problem.iter().cloned().collect(),
        config: only.map(label),
        among: among.map(|among| among.iter().map(label).collect()),
        prefer: spec.prefer_source.as_ref().map(|source| source.text().to_owned()),
        warm: spec.requested_warm,
        options: Options::of(inputs),
    };
    let manifest = Manifest { schema: SCHEMA.to_owned(), version: KEPT_VERSION.to_owned(), questions: vec![asked] };
    hashes::add(folder, MANIFEST, to_json(&manifest)?)
}

/// The version that made a folder; `None` if it is this one.
pub(super) fn other_version(folder: &Path) -> io::Result<Option<String>> {
    let path = folder.join(MANIFEST);
    if fs::symlink_metadata(&path).is_err() {
        return Ok(Some(WITHOUT_MANIFEST.to_owned()));
    }
    let version = serde_json::from_str::<MadeBy>(&text(&path, MANIFEST)?).ok().map(|made_by| made_by.version);
    Ok(version.filter(|version| version != KEPT_VERSION))
}

fn text(path: &Path, name: &str) -> io::Result<String> {
    files::kept(path, MOST_BYTES).called(name).text()
}

impl Kept {
    /// Reads the question of a folder whose files have been hashed.
    pub(super) fn read(folder: &Path) -> Result<Self, Deviation> {
        let wrong = |what: String| Deviation::new(MANIFEST, what);
        let file = |name: &str| text(&folder.join(name), name).map_err(|why| Deviation::new(name, why.to_string()));
        let text = file(MANIFEST)?;
        let manifest: Manifest =
            serde_json::from_str(&text).map_err(|why| wrong(format!("it is not a manifest: {why}")))?;
        if to_json(&manifest).is_ok_and(|written| written != text) {
            return Err(wrong("it is not written as autotune writes it: a line or a blank differs".to_owned()));
        }
        let [asked] = manifest.questions.as_slice() else {
            return Err(wrong(format!("it lists {} questions, but this version reads one", manifest.questions.len())));
        };
        let places = [&asked.folder, &asked.spec, &asked.profile].map(String::as_str);
        let is_here = asked.space.as_deref().is_none_or(|space| space == SPACE);
        if manifest.schema != SCHEMA || places != [".", SPEC, PROFILE] || !is_here {
            return Err(wrong("its schema, or a path in it, is not one that this version writes".to_owned()));
        }
        asked.read(folder, &file)
    }

    /// Returns true if the profile is the one that this program ships under the GPU's name.
    pub(super) fn has_shipped_profile(&self) -> bool {
        gpu::find(&self.gpu).is_ok_and(|shipped| shipped.text == self.profile_text)
    }

    /// True if the question is answered by the usual strategy and for the optimum alone.
    pub(super) fn is_usual(&self) -> bool {
        let Options { strategy, top, within, .. } = self.options;
        strategy == Strategy::Guess && top == 1 && within.is_none()
    }

    /// The inputs, whose source's analysis an interrupt ends.
    pub(super) fn interrupted_by(self, interrupt: &Interrupt) -> Self {
        Self { reader: self.reader.interrupted_by(interrupt.clone()), ..self }
    }

    /// The question of the inputs.
    pub(super) fn question(&self) -> Question<'_> {
        let Options { strategy, granularity, form, top, no_prune, rank, comparison, schedules, within, listing: _ } =
            self.options;
        let asked = Question { within, ..Question::new(&self.spec, &self.profile, &self.reader, &self.gpu) };
        Question {
            only: self.only.as_ref(),
            strategy,
            granularity,
            form,
            top,
            no_prune,
            rank,
            comparison,
            schedules,
            ..asked
        }
    }
}

impl Options {
    fn of(inputs: KeptInputs) -> Self {
        let Question { strategy, granularity, form, top, no_prune, rank, comparison, schedules, within, .. } =
            *inputs.question;
        Self {
            strategy,
            granularity,
            form,
            top,
            no_prune,
            rank,
            comparison,
            schedules,
            within,
            listing: inputs.listing,
        }
    }
}

impl Asked {
    fn read(&self, folder: &Path, file: &impl Fn(&str) -> Result<String, Deviation>) -> Result<Kept, Deviation> {
        let in_file = |name: &str, why: String| Deviation::new(name, format!("it cannot be used: {why}"));
        let profile_text = file(PROFILE)?;
        let profile =
            Profile::parse_complete(&profile_text, PROFILE).map_err(|why| in_file(PROFILE, why.to_string()))?;
        if profile.names_and_aliases().all(|name| name != self.gpu) {
            return Err(Deviation::new(PROFILE, format!("it is not a profile of {}", self.gpu)));
        }
        let space = match &self.space {
            Some(_) => Some(OuterSpace::parse(&file(SPACE)?, SPACE).map_err(|why| in_file(SPACE, why.to_string()))?),
            None => None,
        };
        let in_spec = |why: autotune_lowering::spec::SpecError| in_file(SPEC, why.to_string());
        let mut spec = Spec::parse_with(&file(SPEC)?, SPEC, space.as_ref()).map_err(in_spec)?;
        let compilations = compiled::read(folder, &spec)?;
        let reader = compilations.as_ref().map(KeptCompiler::reader).unwrap_or_default();
        for (name, size) in &self.problem {
            spec.set(name, *size).map_err(in_spec)?;
        }
        if let Some(prefer) = &self.prefer {
            spec.set_preferences(prefer).map_err(|why| in_file(MANIFEST, why.to_string()))?;
        }
        self.warm.map(|is_warm| spec.set_warm(is_warm));
        let space = Space::new(&spec, &profile.names(spec.has_dynamic_local_memory())).map_err(in_spec)?;
        let only = self.config.as_ref().map(|text| space.configuration(text)).transpose().map_err(in_spec)?;
        let among = self.among.as_ref().map(|among| among.iter().map(|text| space.configuration(text)).collect());
        let among: Option<Vec<Configuration>> = among.transpose().map_err(in_spec)?;
        drop(space);
        if let Some(among) = among {
            spec.restrict(among);
        }
        let (gpu, options) = (self.gpu.clone(), self.options);
        Ok(Kept { spec, reader, listing: options.listing, compilations, profile, profile_text, gpu, only, options })
    }
}
