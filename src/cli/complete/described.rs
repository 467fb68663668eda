//! The kernel of an unfinished line: its parameters and problem sizes. Neither a compiler nor Python is started.

use std::path::{Path, PathBuf};

use super::place::Given;
use autotune_base::text::integers;
use autotune_kernel::source::Language;
use autotune_lowering::gpu::Profile;
use autotune_lowering::space::Space;
use autotune_lowering::spec::{OuterSpace, Spec};

/// The GPU of a line that names none, or none that is known.
const NO_GPU: &str = "abstract-fermi";

/// The most values of a parameter that a shell lists.
const MOST_VALUES: usize = 1_000;

/// The kernel that a line describes.
#[derive(Debug)]
pub(super) enum Described {
    /// By a spec.
    Spec { spec: Box<Spec>, gpu: String },
    /// By the options of a source file.
    Options { sizes: Vec<(String, String)>, parameters: Vec<(String, String)> },
    /// By nothing, or by something that cannot be read yet.
    Unknown,
}

impl Described {
    /// Reads what the arguments of a line name.
    pub(super) fn read(given: &Given) -> Self {
        let file = given.values("spec").chain(given.values("kernels")).next_back().map(path);
        if given.has("language") || file.as_deref().is_some_and(|file| Language::from_file(file).is_some()) {
            let pairs = |id| given.values(id).filter_map(pair).collect();
            return Self::Options { sizes: pairs("problem"), parameters: pairs("parameter") };
        }
        let Some(spec) = read(file.as_deref(), given) else { return Self::Unknown };
        let gpu = given.values("gpu").next_back().and_then(|list| list.split(',').next()).unwrap_or(NO_GPU);
        Self::Spec { spec: Box::new(spec), gpu: gpu.to_owned() }
    }

    /// The problem sizes and their values.
    pub(super) fn sizes(&self) -> Vec<(String, String)> {
        match self {
            Self::Spec { spec, .. } => {
                spec.problem.iter().map(|(name, value)| (name.clone(), value.to_string())).collect()
            }
            Self::Options { sizes, .. } => sizes.clone(),
            Self::Unknown => Vec::new(),
        }
    }

    /// The names of the parameters.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &str> {
        let (spec, options) = match self {
            Self::Spec { spec, .. } => (&spec.parameters[..], &[][..]),
            Self::Options { parameters, .. } => (&[][..], &parameters[..]),
            Self::Unknown => (&[][..], &[][..]),
        };
        spec.iter().map(|parameter| parameter.name.as_str()).chain(options.iter().map(|(name, _)| name.as_str()))
    }

    /// The values of a parameter: on the GPU of the line, with the sizes of the spec.
    pub(super) fn values(&self, name: &str) -> Vec<i64> {
        let mut values = match self {
            Self::Spec { spec, gpu } => of_spec(spec, gpu, name).unwrap_or_default(),
            Self::Options { parameters, .. } => {
                let values = parameters.iter().find(|(known, _)| known == name);
                values.and_then(|(_, values)| integers(values).ok()).unwrap_or_default()
            }
            Self::Unknown => Vec::new(),
        };
        values.truncate(MOST_VALUES);
        values
    }
}

fn of_spec(spec: &Spec, gpu: &str, parameter: &str) -> Option<Vec<i64>> {
    let profile = Profile::resolve(gpu).or_else(|_| Profile::resolve(NO_GPU)).ok()?;
    let space = Space::new(spec, &profile.names(spec.has_dynamic_local_memory())).ok()?;
    space.domain(parameter).map(<[i64]>::to_vec)
}

/// The spec of a line, with the space of a T1 file or of it alone.
fn read(file: Option<&Path>, given: &Given) -> Option<Spec> {
    let space = given.values("space").next_back().map(|file| OuterSpace::load(&path(file)));
    let space = space.transpose().ok()?;
    match (file, &space) {
        (Some(file), _) => Spec::load_with(file, space.as_ref()).ok(),
        (None, Some(of_kernel)) => {
            let (text, name) = of_kernel.kernel().ok()??;
            Spec::parse_with(&text, &name, space.as_ref()).ok()
        }
        (None, None) => None,
    }
}

/// A file as it is typed: the shell has not yet put the user's home in place of `~`.
fn path(typed: &str) -> PathBuf {
    let home = typed.strip_prefix("~/").zip(std::env::home_dir());
    home.map_or_else(|| PathBuf::from(typed), |(below, home)| home.join(below))
}

/// A name and what stands behind its `=`.
fn pair(text: &str) -> Option<(String, String)> {
    text.split_once('=').map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
}
