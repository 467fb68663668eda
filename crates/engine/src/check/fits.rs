//! The GPUs that configurations fit: which rule refuses how many, GPU by GPU.

mod error;
mod on_gpu;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::space::{BATCH, NEIGHBOURS};
use autotune_base::limits::{Limits, Stop};
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::Priced;
use autotune_lowering::space::Share;
use autotune_lowering::spec::{Configuration, Spec};
use on_gpu::{OnGpu, Rules, Verdict};

pub use error::FitsError;
pub use on_gpu::GpuFit;

/// The configurations of a source that are looked at together: those that one process compiles.
const BATCH_OF_SOURCE: usize = 16;

/// An observer of the part that is done, which any thread may call.
pub type ObserveShare<'a> = &'a (dyn Fn(Share) + Sync);

/// The GPUs that the configurations of a spec fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fits {
    /// The GPUs, in the order of the question.
    pub gpus: Vec<GpuFit>,
    /// The configurations that can run on each GPU and surely launch there, in the order of the first GPU's space.
    pub everywhere: Vec<Configuration>,
    /// The number of further configurations that no GPU refuses, and that may not launch on some GPU.
    pub perhaps_everywhere: u128,
    /// The reason why not all configurations were looked at; `None` if they were.
    pub stopped: Option<Stop>,
}

/// Some configurations on the GPUs where an execution of one stands for the others'.
struct Job {
    /// The places of the GPUs.
    gpus: Arc<[usize]>,
    /// The places of the configurations among those that the constraints of these GPUs allow.
    first: usize,
    end: usize,
}

impl Fits {
    /// Looks through the configurations of a spec on each of the GPUs, or through one of them that a text such as
    /// `WG=64,TS=16` names. Each configuration counts for one rule. `observe` hears how far the work is. Behind a limit, what
    /// was not looked at is not known.
    ///
    /// A source is compiled and executed once for all GPUs that it cannot tell apart. No program is made of it where a program
    /// cannot refuse it, and a back end assigns registers only where they could.
    ///
    /// # Errors
    /// If a domain or a constraint cannot be evaluated, the configuration is not of the space of one of the GPUs, or a
    /// space has more than 4 million allowed configurations.
    pub fn new(
        spec: &Spec,
        gpus: &[&Profile],
        reader: &SourceReader,
        configuration: Option<&str>,
        limits: &Limits,
        observe: ObserveShare<'_>,
    ) -> Result<Self, FitsError> {
        let reader = reader.sharing_targets();
        let mut looked: Vec<OnGpu> = Vec::new();
        for gpu in gpus {
            let on_gpu = OnGpu::new(spec, gpu, &reader, configuration, limits, looked.last())?;
            looked.push(on_gpu);
        }
        let cut = limits.exceeded();
        let rules = Rules::default();
        let look = Look { gpus: &looked, rules: &rules, limits, is_stopped: AtomicBool::new(false) };
        let found = look.at_all(observe);
        let stopped = look.is_stopped.into_inner().then(|| limits.exceeded().unwrap_or(Stop::Time)).or(cut);
        for (job, verdicts) in found {
            for (number, gpu) in job.gpus.iter().enumerate() {
                let of_gpu = verdicts.iter().skip(number).step_by(job.gpus.len());
                looked[*gpu].verdicts[job.first..job.end]
                    .iter_mut()
                    .zip(of_gpu)
                    .for_each(|(at, verdict)| *at = *verdict);
            }
        }
        let (everywhere, perhaps_everywhere) = everywhere(&looked);
        let gpus = looked.into_iter().map(|gpu| gpu.counted(&rules)).collect();
        Ok(Self { gpus, everywhere, perhaps_everywhere, stopped })
    }
}

/// A look at the configurations of all GPUs.
struct Look<'a> {
    gpus: &'a [OnGpu<'a>],
    rules: &'a Rules,
    limits: &'a Limits,
    /// True once something was not looked at.
    is_stopped: AtomicBool,
}

impl Look<'_> {
    /// The jobs with their verdicts: of each configuration, those of the GPUs.
    fn at_all(&self, observe: ObserveShare<'_>) -> Vec<(Job, Vec<Verdict>)> {
        let of: usize = self.gpus.iter().map(|gpu| gpu.allowed.len()).sum();
        let done = AtomicUsize::new(0);
        let add = |launches| {
            let done = done.fetch_add(launches, Ordering::Relaxed) + launches;
            observe(Share { done: done as u128, of: of as u128 });
        };
        add(0);
        self.jobs()
            .into_par_iter()
            .map(|job| (self.at(&job, &add), job))
            .map(|(verdicts, job)| (job, verdicts))
            .collect()
    }

    /// The work, configurations that come first before others.
    fn jobs(&self) -> Vec<Job> {
        self.make_ready();
        let mut alike: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
        for (place, gpu) in self.gpus.iter().enumerate() {
            let number = gpu.number_standing();
            let is_alike = |(other, gpus): &&mut (Option<usize>, Vec<usize>)| {
                number.is_some() && *other == number && Arc::ptr_eq(&self.gpus[gpus[0]].allowed, &gpu.allowed)
            };
            match alike.iter_mut().find(is_alike) {
                Some((_, gpus)) => gpus.push(place),
                None => alike.push((number, vec![place])),
            }
        }
        let mut jobs = Vec::new();
        for (number, gpus) in alike {
            let together = if number.is_some() { BATCH_OF_SOURCE } else { BATCH };
            let (all, gpus) = (self.gpus[gpus[0]].allowed.len(), Arc::from(gpus));
            let part = |first| Job { gpus: Arc::clone(&gpus), first, end: all.min(first + together) };
            jobs.extend((0..all).step_by(together).map(part));
        }
        jobs.sort_by_key(|job| job.first);
        jobs
    }

    /// Compiles a first configuration for each target.
    fn make_ready(&self) {
        if self.gpus.len() > 1 && self.limits.exceeded().is_none() {
            let mut numbers = Vec::new();
            let is_first = |gpu: &&OnGpu| {
                let number = gpu.lowering.number();
                let is_new = number.is_some() && !numbers.contains(&number);
                numbers.push(number);
                is_new
            };
            let targets: Vec<&OnGpu> = self.gpus.iter().filter(is_first).collect();
            targets.into_par_iter().for_each(OnGpu::make_ready);
        }
    }

    fn at(&self, job: &Job, add: &(dyn Fn(usize) + Sync)) -> Vec<Verdict> {
        let gpus: Vec<&OnGpu> = job.gpus.iter().map(|place| &self.gpus[*place]).collect();
        let configurations = &gpus[0].allowed[job.first..job.end];
        if self.limits.exceeded().is_none() {
            OnGpu::prepare(&gpus, configurations);
        }
        let each = |some: &[Configuration]| {
            let mut priced = Priced::default();
            let on = |(one, gpu): (&Configuration, &&OnGpu)| self.on(gpu, one, &mut priced);
            let verdicts: Vec<Verdict> =
                some.iter().flat_map(|one| gpus.iter().map(move |gpu| (one, gpu))).map(on).collect();
            add(verdicts.len());
            verdicts
        };
        // Neighbours have the errors of a body in common, and a source is executed for each of them.
        let together = if gpus[0].lowering.compiles() { 1 } else { NEIGHBOURS };
        configurations.par_chunks(together).flat_map_iter(each).collect()
    }

    fn on(&self, gpu: &OnGpu, configuration: &Configuration, priced: &mut Priced) -> Verdict {
        let found =
            if self.limits.exceeded().is_some() { None } else { gpu.verdict(configuration, self.rules, priced) };
        found.unwrap_or_else(|| {
            self.is_stopped.store(true, Ordering::Relaxed);
            Verdict::NotKnown
        })
    }
}

/// The configurations that surely launch on all GPUs, in the order of the first GPU's space, and the number of further ones that
/// no GPU refuses.
fn everywhere(gpus: &[OnGpu]) -> (Vec<Configuration>, u128) {
    let Some(first) = gpus.first() else { return (Vec::new(), 0) };
    // Constraints may be about the GPU.
    let own = |gpu: &OnGpu| -> Option<HashMap<Configuration, Verdict>> {
        let is_own = !Arc::ptr_eq(&gpu.allowed, &first.allowed);
        is_own.then(|| gpu.allowed.iter().cloned().zip(gpu.verdicts.iter().copied()).collect())
    };
    let own: Vec<_> = gpus.iter().map(own).collect();
    let (mut surely, mut perhaps) = (Vec::new(), 0);
    for (place, configuration) in first.allowed.iter().enumerate() {
        let on = |(gpu, own): (&OnGpu, &Option<HashMap<Configuration, Verdict>>)| match own {
            None => gpu.verdicts[place],
            Some(own) => own.get(configuration).copied().unwrap_or(Verdict::NotKnown),
        };
        match gpus.iter().zip(&own).map(on).max() {
            Some(Verdict::Surely) => surely.push(configuration.clone()),
            Some(Verdict::Perhaps) => perhaps += 1,
            _ => {}
        }
    }
    (surely, perhaps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_lowering::gpu::select;

    const SPEC: &str = "
kernel: fits
parameters: { WG: { values: [64, 256, 512, 1024] }, R: { values: [16, 100] } }
constraints: [ 'WG > 64' ]
launch: { work_items: 65536, work_group: WG }
resources: { registers: R, local_memory: 48 * WG }
body: [ { compute: {} } ]
";

    fn fits(text: &str, gpus: &str, configuration: Option<&str>) -> Fits {
        let spec = Spec::parse(text, "fits.yaml").unwrap();
        let gpus = select(gpus).unwrap();
        let profiles: Vec<&Profile> = gpus.iter().map(|gpu| &gpu.profile).collect();
        Fits::new(&spec, &profiles, &SourceReader::default(), configuration, &Limits::default(), &|_| {}).unwrap()
    }

    fn rules(fit: &GpuFit) -> Vec<(&str, u128)> {
        fit.refused.iter().map(|removed| (removed.rule.as_str(), removed.configurations)).collect()
    }

    /// 1,024 work items of 48 bytes are all of a V100's local memory. 8600gt has 16 KiB and groups of 512.
    #[test]
    fn each_gpu_counts_each_configuration_for_one_rule() {
        let found = fits(SPEC, "v100,8600gt", None);
        let [v100, tesla] = &found.gpus[..] else { panic!("{found:?}") };
        assert_eq!((v100.configurations, v100.feasible, v100.may_not_launch, v100.not_known), (8, 6, 1, 0));
        assert_eq!(rules(v100), [("WG > 64", 2)]);
        assert_eq!(tesla.feasible + tesla.refused.iter().map(|rule| rule.configurations).sum::<u128>(), 8);
        assert_eq!(rules(tesla), [("WG > 64", 2), ("local_memory", 2), ("work_group", 2)]);
        assert_eq!(found.everywhere, [Configuration(vec![256, 16])]);
        assert_eq!(found.perhaps_everywhere, 1, "8192 registers are 32 of each of 256 work items");
    }

    #[test]
    fn a_count_that_the_spec_says_is_exact_refuses() {
        let text = SPEC.replace("registers: R", "registers: R, spilled: 0");
        let found = fits(&text, "v100", None);
        assert_eq!(rules(&found.gpus[0]), [("WG > 64", 2), ("registers", 1)]);
        assert_eq!((found.everywhere.len(), found.perhaps_everywhere), (5, 0));
    }

    #[test]
    fn one_configuration_is_asked_alone() {
        let found = fits(SPEC, "all", Some("WG=256,R=16"));
        assert!(found.gpus.iter().all(|fit| fit.configurations == 1));
        let found = fits(SPEC, "v100", Some("R=16,WG=64"));
        assert_eq!((found.gpus[0].feasible, rules(&found.gpus[0])), (0, vec![("WG > 64", 1)]));
    }
}
