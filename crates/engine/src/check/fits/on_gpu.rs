//! The configurations of a space on one GPU: those that its constraints allow, with what is found of each.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError, RwLock};

use indexmap::IndexMap;

use super::super::space::{Removed, is_stopped, too_large};
use super::error::FitsError;
use autotune_base::limits::Limits;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::{Profile, implausible};
use autotune_lowering::lowering::{Feasibility, Fit, Lowering, Priced};
use autotune_lowering::space::{Space, Visit};
use autotune_lowering::spec::{Configuration, Spec};

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

/// What is found of a configuration on a GPU. Of several GPUs, the greatest verdict counts for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// It can run and surely launches.
    Surely,
    /// It can run if the compiler gives it few enough registers.
    Perhaps,
    /// The rule of this number refuses it.
    Refused(u16),
    NotKnown,
}

/// The rules that refuse configurations, by their numbers.
#[derive(Default)]
pub(super) struct Rules(RwLock<IndexMap<String, ()>>);

impl Rules {
    /// The number of a rule.
    fn number(&self, rule: &str) -> u16 {
        // A poisoned lock still guards whole entries: nothing here panics between two writes.
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get_index_of(rule);
        let place = known.unwrap_or_else(|| {
            self.0.write().unwrap_or_else(PoisonError::into_inner).insert_full(rule.to_owned(), ()).0
        });
        // There are as many rules as constraints of a spec and limits of a GPU.
        u16::try_from(place).unwrap_or(u16::MAX)
    }

    fn text(&self, number: u16) -> String {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.get_index(usize::from(number)).map_or_else(String::new, |(rule, ())| rule.clone())
    }
}

/// A space on one GPU, as it is looked through.
pub(super) struct OnGpu<'a> {
    pub(super) lowering: Lowering<'a>,
    fit: GpuFit,
    /// The configurations that the constraints allow.
    pub(super) allowed: Arc<Vec<Configuration>>,
    /// What is found of each of them.
    pub(super) verdicts: Vec<Verdict>,
    /// False if no GPU has had a value of the profile: what holds on other GPUs need not hold here.
    is_plausible: bool,
}

impl<'a> OnGpu<'a> {
    /// The space on a GPU, or one configuration of it. It is enumerated once for the GPUs that it does not ask about, as those of
    /// `before`.
    pub(super) fn new(
        spec: &'a Spec,
        profile: &'a Profile,
        reader: &'a SourceReader,
        configuration: Option<&str>,
        limits: &Limits,
        before: Option<&Self>,
    ) -> Result<Self, FitsError> {
        let lowering = Lowering::new(spec, profile, reader);
        let same = before.filter(|_| !spec.space_asks_gpu());
        let (allowed, configurations, refused) = match same {
            Some(before) => (Arc::clone(&before.allowed), before.fit.configurations, before.fit.refused.clone()),
            None => enumerated(spec, &lowering, configuration, limits, before)?,
        };
        let fit = GpuFit {
            gpu: profile.name().to_owned(),
            target: profile.target().map(str::to_owned),
            configurations,
            feasible: 0,
            may_not_launch: 0,
            // An enumeration may have ended at a limit.
            not_known: configurations
                - allowed.len() as u128
                - refused.iter().map(|rule| rule.configurations).sum::<u128>(),
            refused,
        };
        let verdicts = vec![Verdict::NotKnown; allowed.len()];
        Ok(Self { lowering, fit, allowed, verdicts, is_plausible: implausible(profile).is_empty() })
    }

    /// Makes ready to see which GPUs a source cannot tell apart.
    pub(super) fn make_ready(&self) {
        if let Some(first) = self.allowed.first() {
            self.lowering.make_ready(first);
        }
    }

    /// A number that GPUs have in common whose executions of a source are equal; `None` if the spec has a body.
    pub(super) fn number_standing(&self) -> Option<usize> {
        let number = self.lowering.number()?;
        self.allowed.first().map_or(Some(number), |first| self.lowering.number_standing(first))
    }

    /// Compiles configurations that some of these GPUs may run. An execution on one of them stands for the others'.
    pub(super) fn prepare(gpus: &[&Self], configurations: &[Configuration]) {
        let mut open: HashSet<&Configuration> = configurations.iter().collect();
        for gpu in gpus {
            let own: Vec<&Configuration> = configurations.iter().filter(|one| open.contains(one)).collect();
            let prepared = gpu.lowering.prepare(&own);
            for one in prepared {
                open.remove(one);
            }
            if open.is_empty() {
                return;
            }
        }
    }

    /// What is found of a configuration; `None` if a limit of the whole work has ended the look at it. `priced` is what is known
    /// of its executions on other GPUs.
    pub(super) fn verdict(&self, configuration: &Configuration, rules: &Rules, priced: &mut Priced) -> Option<Verdict> {
        let mut own = Priced::default();
        let priced = if self.is_plausible { priced } else { &mut own };
        match self.lowering.fits(configuration, priced) {
            Ok(Feasibility::Feasible(Fit { may_not_launch: false })) => Some(Verdict::Surely),
            Ok(Feasibility::Feasible(Fit { may_not_launch: true })) => Some(Verdict::Perhaps),
            Ok(Feasibility::Infeasible(why)) => Some(Verdict::Refused(rules.number(why.rule()))),
            Err(why) if why.is_stopped() => None,
            Err(_) => Some(Verdict::NotKnown),
        }
    }

    /// The numbers of the verdicts; rules in the order of the space.
    pub(super) fn counted(self, rules: &Rules) -> GpuFit {
        let Self { mut fit, verdicts, .. } = self;
        let mut refused: IndexMap<u16, u128> = IndexMap::new();
        for verdict in verdicts {
            match verdict {
                Verdict::Surely => fit.feasible += 1,
                Verdict::Perhaps => {
                    fit.feasible += 1;
                    fit.may_not_launch += 1;
                }
                Verdict::Refused(rule) => *refused.entry(rule).or_default() += 1,
                Verdict::NotKnown => fit.not_known += 1,
            }
        }
        let removed = |(rule, configurations)| Removed { rule: rules.text(rule), configurations };
        fit.refused.extend(refused.into_iter().map(removed));
        fit
    }
}

/// The configurations that constraints allow, the number of all, and the constraints that exclude some.
type Enumerated = (Arc<Vec<Configuration>>, u128, Vec<Removed>);

/// Enumerates a space. The configurations of `before` are taken if they are the same.
fn enumerated(
    spec: &Spec,
    lowering: &Lowering,
    configuration: Option<&str>,
    limits: &Limits,
    before: Option<&OnGpu>,
) -> Result<Enumerated, FitsError> {
    let space = Space::new(spec, lowering.names())?;
    let (allowed, excluded) = match configuration {
        Some(text) => one(&space, text)?,
        None => all(spec, &space, limits)?,
    };
    let configurations = if configuration.is_some() { 1 } else { space.size() };
    let excluded = excluded.into_iter().enumerate().filter(|(_, number)| *number > 0);
    let rule = |place: usize| spec.constraints[place].text().to_owned();
    let refused = excluded.map(|(place, configurations)| Removed { rule: rule(place), configurations }).collect();
    let same = before.filter(|before| *before.allowed == allowed);
    Ok((same.map_or_else(|| Arc::new(allowed), |before| Arc::clone(&before.allowed)), configurations, refused))
}

/// The configurations that the constraints allow, and the numbers that each constraint excludes.
type Allowed = (Vec<Configuration>, Vec<u128>);

fn all(spec: &Spec, space: &Space, limits: &Limits) -> Result<Allowed, FitsError> {
    if let Some(problem) = too_large(space, limits) {
        return Err(FitsError::TooLarge { message: problem.message, help: problem.help });
    }
    let (mut allowed, mut excluded, mut visits) = (Vec::new(), vec![0; spec.constraints.len()], 0);
    space.visit(&mut |visit| {
        match visit {
            Visit::Feasible(values) => allowed.push(Configuration(values.to_vec())),
            Visit::Excluded { constraint, configurations, .. } => excluded[constraint] += configurations,
        }
        visits += 1;
        if is_stopped(visits, limits) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
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
