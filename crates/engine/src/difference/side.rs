//! One of the two kernels that are compared.

use super::counts::KernelCounts;
use super::error::{DifferenceError, SideName};
use crate::compare::Fastest;
use crate::explain::ExplainError;
use autotune_base::files::cache::{Cache, Key};
use autotune_base::files::checksum::sha256_of;
use autotune_base::limits::Limits;
use autotune_base::text::json;
use autotune_base::ticks::Ticks;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::{Feasibility, Lowering};
use autotune_lowering::space::Space;
use autotune_lowering::spec::{Configuration, Spec};

/// A kernel on a GPU, the old one or the new one.
#[derive(Debug)]
pub struct ComparedKernel<'a> {
    /// The kernel, with its problem sizes set.
    pub spec: &'a Spec,
    /// The GPU's profile.
    pub profile: &'a Profile,
    /// The reader of the kernel's source.
    pub reader: &'a SourceReader,
    /// The beginning of the files' names and what is shown in its place: those of a revision lie in a temporary folder.
    /// `None` if the names are shown as they are.
    pub shown: Option<(&'a str, &'a str)>,
}

/// A side at work: the lowering, and what is known of the kernel's texts.
#[derive(Debug)]
pub(super) struct Side<'a> {
    pub(super) name: SideName,
    pub(super) kernel: &'a ComparedKernel<'a>,
    pub(super) lowering: Lowering<'a>,
    cache: Option<Cache>,
}

/// The counts of a configuration, or the reason why the kernel cannot run with it.
#[derive(Debug, Clone, PartialEq)]
pub enum CountOutcome {
    /// The counts.
    Counted(Box<KernelCounts>),
    /// The rule that the configuration breaks, in words.
    Refused(String),
    /// The kernel has other parameters, in words.
    Foreign(String),
}

impl CountOutcome {
    /// The counts; `None` if the kernel cannot run with the configuration.
    #[must_use]
    pub fn counts(&self) -> Option<&KernelCounts> {
        match self {
            Self::Counted(counts) => Some(counts),
            Self::Refused(_) | Self::Foreign(_) => None,
        }
    }
}

impl<'a> Side<'a> {
    pub(super) fn new(name: SideName, kernel: &'a ComparedKernel<'a>) -> Self {
        let ComparedKernel { spec, profile, reader, .. } = kernel;
        Self { name, kernel, lowering: Lowering::new(spec, profile, reader), cache: reader.cache() }
    }

    pub(super) fn fail(&self, why: impl Into<ExplainError>) -> DifferenceError {
        DifferenceError { side: self.name, why: Box::new(why.into()) }
    }

    /// The fastest configuration by the native evaluator and its time in ticks; `None` if no configuration can run.
    pub(super) fn optimum(&self, limits: &Limits) -> Result<Option<(Configuration, Ticks)>, DifferenceError> {
        let ComparedKernel { spec, profile, reader, .. } = self.kernel;
        let fastest = Fastest::new(spec, profile, reader, None, limits).map_err(|why| self.fail(why))?;
        Ok(fastest.configuration().zip(fastest.pick.map(|pick| pick.ticks)))
    }

    /// The configuration that a text names, `A=1,B=2`.
    pub(super) fn named(&self, text: &str) -> Result<Configuration, DifferenceError> {
        let space = Space::new(self.kernel.spec, self.lowering.names());
        space.and_then(|space| space.configuration(text)).map_err(|why| self.fail(why))
    }

    /// The configuration with these values.
    ///
    /// # Errors
    /// The reason in words, if the kernel has other parameters or the configuration is not in its space.
    pub(super) fn configuration(&self, values: &[(String, i64)]) -> Result<Configuration, CountOutcome> {
        let parameters = &self.kernel.spec.parameters;
        let missing = parameters.iter().find(|own| values.iter().all(|(name, _)| *name != own.name));
        let unknown = values.iter().find(|(name, _)| parameters.iter().all(|own| own.name != *name));
        if let Some(missing) = missing {
            return Err(CountOutcome::Foreign(format!("it has the parameter `{}` too", missing.name)));
        }
        if let Some((unknown, _)) = unknown {
            return Err(CountOutcome::Foreign(format!("it has no parameter `{unknown}`")));
        }
        let text: Vec<String> = values.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let space = Space::new(self.kernel.spec, self.lowering.names());
        let found = space.and_then(|space| space.configuration(&text.join(",")));
        found.map_err(|why| CountOutcome::Refused(why.to_string()))
    }

    /// The parameters of a configuration with their values.
    pub(super) fn values(&self, configuration: &Configuration) -> Vec<(String, i64)> {
        let parameters = self.kernel.spec.parameters.iter().map(|parameter| parameter.name.clone());
        parameters.zip(configuration.0.iter().copied()).collect()
    }

    /// The counts of a configuration, from the cache if it was counted before.
    pub(super) fn counts(&self, configuration: &Configuration) -> Result<CountOutcome, DifferenceError> {
        if let Some(known) = self.key(configuration).and_then(|key| self.cache.as_ref()?.get(&key))
            && let Ok(known) = json::of_bytes(&known)
        {
            return Ok(CountOutcome::Counted(Box::new(known)));
        }
        let counts = KernelCounts::new(self.kernel.spec, &self.lowering, configuration);
        match counts.map_err(|why| self.fail(why))? {
            Feasibility::Infeasible(why) => Ok(CountOutcome::Refused(why.to_string())),
            Feasibility::Feasible(counts) => {
                // The compilation may have met a file that the key depends on too.
                if let (Some(key), Some(cache)) = (self.key(configuration), &self.cache)
                    && let Ok(bytes) = serde_json::to_vec(&counts)
                {
                    // A cache that cannot be written only makes the next run slower.
                    let _ = cache.put(&key, &bytes);
                }
                Ok(CountOutcome::Counted(Box::new(counts)))
            }
        }
    }

    fn key(&self, configuration: &Configuration) -> Option<Key> {
        // Counts name files, which lowered configurations do not.
        let names = sha256_of(&self.kernel.spec.source);
        Some(Key::of(["counted", self.lowering.key(configuration)?.text(), &names]))
    }
}
