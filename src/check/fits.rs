//! The GPUs that configurations fit: which rule refuses how many, GPU by GPU.

use std::collections::HashSet;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use indexmap::IndexMap;
use rayon::prelude::*;
use thiserror::Error;

use super::space::{Removed, too_large};
use crate::gpu::Profile;
use crate::lowering::{Feasibility, Lowered, Lowering, LoweringError};
use crate::source::SourceReader;
use crate::space::{Share, Space, Visit};
use crate::spec::{Configuration, Spec, SpecError};
use crate::user_error::{ExitStatus, UserError};

/// The configurations that are lowered together.
const BATCH: usize = 4096;
/// The configurations of a source that are lowered together on one GPU after the other: what is compiled and executed of
/// them for one GPU is still known for the next.
const BATCH_OF_SOURCE: usize = 16;

/// The GPUs that the configurations of a spec fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fits {
    /// The GPUs, in the order of the question.
    pub gpus: Vec<GpuFit>,
    /// The configurations that can run on each GPU and surely launch there, in the order of the first GPU's space.
    pub everywhere: Vec<Configuration>,
    /// The number of further configurations that no GPU refuses, and that may not launch on some GPU.
    pub perhaps_everywhere: u128,
}

/// The configurations of a spec on one GPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GpuFit {
    /// The name of the GPU.
    pub gpu: String,
    /// The architecture that the compiler is given; `None` if the profile does not state it.
    pub target: Option<String>,
    /// The number of configurations of the domains.
    pub configurations: u128,
    /// The number of configurations that no rule refuses.
    pub feasible: u128,
    /// The number of these that may not launch: a compiler that is not told the launch may give them too many registers.
    pub may_not_launch: u128,
    /// The number of configurations whose feasibility is not known.
    pub not_known: u128,
    /// The constraints that refuse some, in the order of the spec, then the other rules, in the order of the space.
    pub refused: Vec<Removed>,
}

/// The reason why it cannot be said what fits a GPU.
#[derive(Debug, Error)]
pub enum FitsError {
    /// A domain, a constraint or a configuration cannot be read.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A space with too many configurations.
    #[error("{message}")]
    TooLarge {
        /// The limit that the space exceeds.
        message: String,
        /// The way to make the space smaller.
        help: Option<String>,
    },
}

impl UserError for FitsError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::TooLarge { help, .. } => help.clone(),
        }
    }
}

/// The outcome of a configuration on a GPU.
enum Outcome {
    Fits { surely: bool },
    Refused(String),
    NotKnown,
}

/// A space on one GPU, as it is looked through.
struct OnGpu<'a> {
    lowering: Lowering<'a>,
    fit: GpuFit,
    /// The configurations that the constraints allow.
    allowed: Arc<Vec<Configuration>>,
    /// The rules of the space that refuse some, with their numbers.
    rules: IndexMap<String, u128>,
    surely: HashSet<Configuration>,
    perhaps: HashSet<Configuration>,
    /// The configurations that no rule refuses, in the order of the space.
    order: Vec<Configuration>,
}

impl Fits {
    /// Looks through the configurations of a spec on each of the GPUs, or through one of them that a text such as
    /// `WG=64,TS=16` names. Each configuration counts for one rule. `observe` hears how far the work is.
    ///
    /// A source is compiled and executed once for all GPUs that it cannot tell apart, and a back end assigns registers
    /// only where they could refuse a configuration.
    ///
    /// # Errors
    /// If a domain or a constraint cannot be evaluated, the configuration is not of the space of one of the GPUs, or a
    /// space has more than 4 million allowed configurations.
    pub fn new(
        spec: &Spec,
        gpus: &[&Profile],
        reader: &SourceReader,
        configuration: Option<&str>,
        observe: &mut dyn FnMut(Share),
    ) -> Result<Self, FitsError> {
        let reader = reader.sharing_targets();
        let mut looked: Vec<OnGpu> = Vec::new();
        for gpu in gpus {
            let mut on_gpu = OnGpu::new(spec, gpu, &reader, configuration)?;
            if let Some(before) = looked.last().filter(|before| before.allowed == on_gpu.allowed) {
                on_gpu.allowed = Arc::clone(&before.allowed);
            }
            looked.push(on_gpu);
        }
        look_at(&mut looked, if spec.kernel_source.is_some() { BATCH_OF_SOURCE } else { BATCH }, observe);
        looked.iter_mut().for_each(OnGpu::count);
        let order = looked.first().map_or(&[][..], |first| &first.order);
        let surely = |configuration: &&Configuration| looked.iter().all(|gpu| gpu.surely.contains(*configuration));
        let anyhow = |configuration: &&Configuration| {
            looked.iter().all(|gpu| gpu.surely.contains(*configuration) || gpu.perhaps.contains(*configuration))
        };
        let everywhere: Vec<Configuration> = order.iter().filter(surely).cloned().collect();
        let perhaps_everywhere = (order.iter().filter(anyhow).count() - everywhere.len()) as u128;
        Ok(Self { everywhere, perhaps_everywhere, gpus: looked.into_iter().map(|gpu| gpu.fit).collect() })
    }
}

/// Looks at the configurations of all GPUs, some on each of them before the next.
fn look_at(gpus: &mut [OnGpu], together: usize, observe: &mut dyn FnMut(Share)) {
    let of: usize = gpus.iter().map(|gpu| gpu.allowed.len()).sum();
    let longest = gpus.iter().map(|gpu| gpu.allowed.len()).max().unwrap_or(0);
    let mut done = 0;
    for first in (0..longest).step_by(together) {
        for gpu in &mut *gpus {
            observe(Share { done: done as u128, of: of as u128 });
            done += gpu.look_at(first..first + together);
        }
    }
}

impl<'a> OnGpu<'a> {
    fn new(
        spec: &'a Spec,
        profile: &'a Profile,
        reader: &'a SourceReader,
        configuration: Option<&str>,
    ) -> Result<Self, FitsError> {
        let lowering = Lowering::new(spec, profile, reader);
        let space = Space::new(spec, lowering.names())?;
        let (allowed, excluded) = match configuration {
            Some(text) => one(&space, text)?,
            None => all(spec, &space)?,
        };
        let configurations = if configuration.is_some() { 1 } else { space.size() };
        let excluded = excluded.into_iter().enumerate().filter(|(_, number)| *number > 0);
        let rule = |place: usize| spec.constraints[place].text().to_owned();
        let refused = excluded.map(|(place, configurations)| Removed { rule: rule(place), configurations }).collect();
        let fit = GpuFit {
            gpu: profile.name().to_owned(),
            target: profile.target().map(str::to_owned),
            configurations,
            feasible: 0,
            may_not_launch: 0,
            not_known: 0,
            refused,
        };
        let (surely, perhaps, order, rules) = (HashSet::new(), HashSet::new(), Vec::new(), IndexMap::new());
        let allowed = Arc::new(allowed);
        Ok(Self { lowering, fit, allowed, rules, surely, perhaps, order })
    }

    /// Looks at the allowed configurations of these places. Returns their number.
    fn look_at(&mut self, places: Range<usize>) -> usize {
        let end = places.end.min(self.allowed.len());
        let batch = &self.allowed[places.start.min(end)..end];
        self.lowering.prepare(&batch.iter().collect::<Vec<_>>());
        let lower = |configuration: &Configuration| Outcome::new(self.lowering.lower(configuration));
        let outcomes: Vec<Outcome> = batch.par_iter().map(lower).collect();
        for (configuration, outcome) in batch.iter().zip(outcomes) {
            match outcome {
                Outcome::NotKnown => self.fit.not_known += 1,
                Outcome::Refused(rule) => *self.rules.entry(rule).or_default() += 1,
                Outcome::Fits { surely } => {
                    self.order.push(configuration.clone());
                    let known = if surely { &mut self.surely } else { &mut self.perhaps };
                    known.insert(configuration.clone());
                }
            }
        }
        batch.len()
    }

    /// Counts the configurations that were looked at.
    fn count(&mut self) {
        self.fit.feasible = self.order.len() as u128;
        self.fit.may_not_launch = self.perhaps.len() as u128;
        let rules = std::mem::take(&mut self.rules).into_iter();
        self.fit.refused.extend(rules.map(|(rule, configurations)| Removed { rule, configurations }));
    }
}

impl Outcome {
    fn new(lowered: Result<Feasibility<Lowered>, LoweringError>) -> Self {
        match lowered {
            Ok(Feasibility::Feasible(Lowered { work, .. })) => {
                Self::Fits { surely: !work.is_some_and(|work| work.may_not_launch) }
            }
            Ok(Feasibility::Infeasible(why)) => Self::Refused(why.rule().to_owned()),
            Err(_) => Self::NotKnown,
        }
    }
}

/// The configurations that the constraints allow, and the numbers that each constraint excludes.
type Allowed = (Vec<Configuration>, Vec<u128>);

fn all(spec: &Spec, space: &Space) -> Result<Allowed, FitsError> {
    if let Some(problem) = too_large(space) {
        return Err(FitsError::TooLarge { message: problem.message, help: problem.help });
    }
    let (mut allowed, mut excluded) = (Vec::new(), vec![0; spec.constraints.len()]);
    space.visit(&mut |visit| {
        match visit {
            Visit::Feasible(values) => allowed.push(Configuration(values.to_vec())),
            Visit::Excluded { constraint, configurations, .. } => excluded[constraint] += configurations,
        }
        ControlFlow::Continue(())
    })?;
    Ok((allowed, excluded))
}

fn one(space: &Space, text: &str) -> Result<Allowed, FitsError> {
    let configuration = space.configuration(text)?;
    Ok(match space.excluded_by(&configuration)? {
        None => (vec![configuration], Vec::new()),
        Some(constraint) => (Vec::new(), (0..=constraint).map(|place| u128::from(place == constraint)).collect()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::select;

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
        Fits::new(&spec, &profiles, &SourceReader::default(), configuration, &mut |_| {}).unwrap()
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
