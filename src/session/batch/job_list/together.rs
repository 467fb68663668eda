//! Entries of a job list that ask for one answer about several scenarios.

use std::sync::Arc;

use super::entries::{JobListError, List, NamedGpu, RawEntry};
use crate::session::batch::job::JobScenario;
use crate::session::scenarios::{ListedScenario, MOST_SCENARIOS, read_scenarios};
use autotune_base::yaml::{Spanned, start_of};
use autotune_engine::compare::fleet::MOST_VARIANTS;
use autotune_lowering::gpu::{NamedProfiles, Profile};

/// The scenarios of an entry, as its jobs share them.
pub(super) struct Together {
    /// The GPUs, or the file of the scenarios, as the list names them.
    pub(super) gpu: String,
    /// The problem sizes that all scenarios have alike.
    pub(super) set: Vec<(String, i64)>,
    /// The scenarios, one or more.
    pub(super) scenarios: Arc<[JobScenario]>,
    /// The most configurations of the answer, from 1.
    pub(super) variants: usize,
}

impl List<'_> {
    /// The scenarios of an entry that asks for one answer; `None` if each of its GPUs and sizes is a job.
    ///
    /// # Errors
    /// If the entry's keys contradict each other, or its scenarios cannot be used.
    pub(super) fn together(&self, entry: &Spanned<RawEntry>) -> Result<Option<Together>, JobListError> {
        let raw = &entry.value;
        let is_together = raw.together.as_ref().is_some_and(|together| together.value);
        if raw.scenarios.is_none() && !is_together {
            return match &raw.variants {
                Some(variants) => {
                    Err(self.error_at(variants, "`variants` needs several scenarios: `together: true`, or `scenarios`"))
                }
                None => Ok(None),
            };
        }
        let (gpu, scenarios) = match &raw.scenarios {
            Some(file) => (file.value.clone(), self.of_file(entry, file)?),
            None => self.multiplied(entry)?,
        };
        let variants = self.variants(raw, scenarios.len())?;
        let first = &scenarios[0].set;
        let alike = |size: &&(String, i64)| scenarios.iter().all(|scenario| scenario.set.contains(size));
        let set = first.iter().filter(alike).cloned().collect();
        Ok(Some(Together { gpu, set, scenarios: scenarios.into(), variants }))
    }

    /// The scenarios that a file lists.
    fn of_file(&self, entry: &Spanned<RawEntry>, file: &Spanned<String>) -> Result<Vec<JobScenario>, JobListError> {
        let raw = &entry.value;
        let besides = [("gpus", raw.gpus.is_some()), ("set", !raw.set.is_empty())];
        if let Some((key, _)) = besides.into_iter().find(|(_, is_given)| *is_given) {
            return Err(self.error_at(file, &format!("`scenarios` has GPUs and sizes of its own, beside `{key}`")));
        }
        if raw.together.as_ref().is_some_and(|together| !together.value) {
            return Err(self.error_at(file, "`scenarios` are one question, beside `together: false`"));
        }
        let listed = read_scenarios(&self.folder.join(&file.value), |gpu| self.gpu_path(gpu))?;
        let scenario = |one: ListedScenario| JobScenario {
            gpu_path: self.gpu_path(&one.gpu),
            gpu: one.gpu,
            of_group: false,
            set: one.sizes,
            weight: one.weight,
        };
        Ok(listed.into_iter().map(scenario).collect())
    }

    /// The names of an entry's GPUs, and each GPU with each combination of sizes.
    fn multiplied(&self, entry: &Spanned<RawEntry>) -> Result<(String, Vec<JobScenario>), JobListError> {
        let mut sizes: Vec<Vec<(String, i64)>> = Vec::new();
        for set in self.sizes(&entry.value)? {
            if !sizes.contains(&set) {
                sizes.push(set);
            }
        }
        let gpus = self.different_gpus(entry)?;
        let scenarios = gpus.len().saturating_mul(sizes.len());
        if !(1..=MOST_SCENARIOS).contains(&scenarios) {
            let what = format!("these are {scenarios} scenarios, not 1 to {MOST_SCENARIOS}");
            return Err(self.error(start_of(entry), &what));
        }
        let of_gpu = |gpu: &NamedGpu| sizes.iter().map(|set| gpu.with(set)).collect::<Vec<_>>();
        let named = entry.value.gpus.iter().flatten().map(|gpu| gpu.value.as_str());
        Ok((named.collect::<Vec<_>>().join(","), gpus.iter().flat_map(of_gpu).collect()))
    }

    /// The GPUs of an entry, each once, by whichever of its names.
    fn different_gpus(&self, entry: &Spanned<RawEntry>) -> Result<Vec<NamedGpu>, JobListError> {
        let Some(items) = &entry.value.gpus else { return self.all_gpus(entry) };
        let (mut gpus, mut named) = (Vec::<NamedGpu>::new(), NamedProfiles::default());
        for item in items {
            for gpu in self.gpus(item)? {
                // The job says what is wrong with a profile that cannot be read.
                let is_new = match Profile::resolve(&gpu.path) {
                    Ok(profile) => {
                        named.add(&gpu.name, &profile).map_err(|why| self.error_at(item, &why.with_help()))?
                    }
                    Err(_) => gpus.iter().all(|known| known.path != gpu.path),
                };
                if is_new {
                    gpus.push(gpu);
                }
            }
        }
        Ok(gpus)
    }

    fn variants(&self, raw: &RawEntry, scenarios: usize) -> Result<usize, JobListError> {
        let Some(variants) = &raw.variants else { return Ok(1) };
        if !(1..=MOST_VARIANTS).contains(&variants.value) {
            let what = format!("`variants` is {}, not 1 to {MOST_VARIANTS}", variants.value);
            return Err(self.error_at(variants, &what));
        }
        if variants.value > 1 && scenarios == 1 {
            return Err(self.error_at(variants, "`variants` needs several scenarios, and this is one"));
        }
        Ok(variants.value)
    }
}
