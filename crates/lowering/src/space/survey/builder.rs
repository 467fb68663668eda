//! The making of a survey: enumeration, then lowering in batches on all processors.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use hashbrown::HashTable;

use super::super::bound::bound;
use super::super::enumerate::{LISTED, MOST_CONFIGURATIONS, Space, Visit};
use super::super::error::SpaceError;
use super::super::groups;
use super::super::progress::{Observe, Progress, Share};
use super::entries::{ConfigurationStatus, Entries, Rule, Survey};
use super::programs::{FirstOf, Packed, Programs, UniqueProgram, hash_of};
use crate::gpu::{Limit, Profile};
use crate::lowering::{Feasibility, Infeasible, Lowered, Lowering, LoweringError};
use crate::models::predict::{LeftOut, complete};
use crate::spec::{Configuration, GpuNames, Spec};
use autotune_base::index::{EntryId, ProgramId};
use autotune_base::limits::Limits;
use autotune_kernel::source::TOGETHER;
use autotune_machine::machine::{Evaluation, ProgramError, evaluate};

/// The number of configurations that are lowered first, even after a limit, so that a time is known.
const FIRST_BATCH: usize = 1 << 8;
/// The number of configurations that are compiled and lowered at once for each thread, where a spec has a source, and of
/// those that are compiled first, even after a limit.
const COMPILED: usize = 2 * TOGETHER;
const FIRST_COMPILED: usize = 2;
/// The greatest number of configurations that are lowered before equal programs among them are joined.
const BATCH: usize = 1 << 13;
/// The number of visits between two looks at the limits, and between two displays of the progress.
const VISITS: u64 = 1 << 12;
/// The most events of a promising program that is evaluated early.
const EARLY_EVENTS: u64 = 1_000_000;

/// A survey under construction.
pub(super) struct Builder<'a> {
    spec: &'a Spec,
    all: u128,
    entries: Entries,
    /// The entries that no constraint excludes.
    allowed: Vec<EntryId>,
    excluded: Vec<u128>,
    limits: Vec<Rule>,
    programs: Programs,
    /// The programs by the hashes of their bytes.
    known: HashTable<ProgramId>,
    early: Vec<(ProgramId, Evaluation)>,
    cut_short: Option<Progress>,
    /// The configurations whose groups at the edges of the launch may do what no executed group does.
    open_edges: BTreeSet<EntryId>,
    waves_lack: BTreeSet<LeftOut>,
    /// The first error that leaves a configuration unknown.
    unfinished: Option<SpaceError>,
}

/// A lowered configuration, with all that can be computed without the others.
struct Ready {
    program: Packed,
    /// The hash of the packed program.
    hash: u64,
    work_group: u64,
    limit: Option<Limit>,
    /// The wave model's time in microseconds.
    waves: Option<f64>,
    /// The terms of the wave model that the profile lacks.
    waves_lack: Vec<LeftOut>,
    /// True if its groups at the edges of the launch may do what no executed group does.
    has_open_edges: bool,
    /// The lower bound of the time, in ticks.
    bound: u64,
    too_long: Option<ProgramError>,
}

impl Ready {
    fn new(profile: &Profile, lowered: Lowered) -> Self {
        let waves = complete(profile, &lowered);
        let (waves, waves_lack) = waves.map_or((None, vec![]), |waves| (Some(waves.microseconds), waves.left_out));
        let Lowered { program, work_group, occupancy, has_open_edges, .. } = lowered;
        let too_long = program.check_length().err();
        let bound = bound(&program, too_long.is_some()).ticks;
        let limit = occupancy.map(|occupancy| occupancy.limit);
        let program = Packed::new(&program);
        Self {
            hash: hash_of(program.bytes()),
            program,
            work_group,
            limit,
            waves,
            waves_lack,
            has_open_edges,
            bound,
            too_long,
        }
    }
}

impl<'a> Builder<'a> {
    fn new(spec: &'a Spec, all: u128) -> Self {
        let excluded = vec![0; spec.constraints.len()];
        Self {
            spec,
            all,
            entries: Entries::of_width(spec.parameters.len()),
            allowed: Vec::new(),
            excluded,
            limits: Vec::new(),
            programs: Programs::default(),
            known: HashTable::new(),
            early: Vec::new(),
            cut_short: None,
            open_edges: BTreeSet::new(),
            waves_lack: BTreeSet::new(),
            unfinished: None,
        }
    }

    /// A survey of one configuration. If a constraint excludes it, lowering refuses it.
    pub(super) fn of_one(spec: &'a Spec, configuration: &Configuration) -> Self {
        let mut builder = Self::new(spec, 1);
        builder.allowed.push(builder.entries.push(&configuration.0));
        builder
    }

    /// A survey of the whole space, or of the beginning that is enumerated when a limit is reached.
    pub(super) fn of_all(
        spec: &'a Spec,
        gpu: &GpuNames,
        limits: &Limits,
        observe: Observe,
    ) -> Result<Self, SpaceError> {
        let space = Space::new(spec, gpu)?;
        let mut builder = Self::new(spec, space.size());
        builder.enumerate(&space, limits, observe)?;
        if builder.allowed.len() > MOST_CONFIGURATIONS {
            return Err(SpaceError::TooManyConfigurations { most: MOST_CONFIGURATIONS });
        }
        Ok(builder)
    }

    fn enumerate(&mut self, space: &Space, limits: &Limits, observe: Observe) -> Result<(), SpaceError> {
        let list = space.size() <= LISTED;
        let (mut visits, mut done) = (0_u64, 0);
        space.visit(&mut |visit| {
            visits += 1;
            if visits % VISITS == 1 {
                let progress = Progress::Enumerating(Share { done, of: space.size() });
                observe(progress);
                if visits > 1 && limits.exceeded().is_some() {
                    self.cut_short = Some(progress);
                    return ControlFlow::Break(());
                }
            }
            match visit {
                Visit::Feasible(values) => {
                    done += 1;
                    self.allowed.push(self.entries.push(values));
                }
                Visit::Excluded { chosen, next, constraint, configurations } => {
                    done += configurations;
                    self.excluded[constraint] += configurations;
                    if list {
                        self.list(constraint, |each| space.each_completion(chosen, next, each));
                    }
                }
            }
            if self.allowed.len() > MOST_CONFIGURATIONS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(())
    }

    /// Lists configurations that a constraint excludes.
    fn list(&mut self, constraint: usize, each: impl FnOnce(&mut dyn FnMut(Configuration))) {
        let excluding = Infeasible::Constraint(self.spec.constraints[constraint].text().to_owned());
        let reason = Arc::new(excluding);
        each(&mut |configuration| {
            let entry = self.entries.push(&configuration.0);
            self.entries.set_status(entry, ConfigurationStatus::Infeasible(Arc::clone(&reason)));
        });
    }

    /// Lowers all allowed configurations. After a limit, only the first batch is lowered, and the others are removed.
    pub(super) fn lower(&mut self, lowering: &Lowering, limits: &Limits, observe: Observe) -> Result<(), SpaceError> {
        let allowed = std::mem::take(&mut self.allowed);
        let compiles = self.spec.kernel_source.is_some();
        let (mut left, mut size) = (allowed.as_slice(), if compiles { FIRST_COMPILED } else { FIRST_BATCH });
        while let Some(first) = left.first() {
            let share = Share::new(allowed.len() - left.len(), allowed.len());
            let progress = if compiles { Progress::Compiling(share) } else { Progress::Lowering(share) };
            observe(progress);
            let is_first = left.len() == allowed.len();
            let stops = || if is_first { limits.interrupt.is_urgent() } else { limits.exceeded().is_some() };
            let (batch, others) = left.split_at(size.min(left.len()));
            if !self.lower_batch(batch, lowering, stops)? {
                self.entries.cut_before(*first);
                self.cut_short = self.cut_short.or(Some(progress));
                return Ok(());
            }
            if is_first {
                self.check_first(lowering)?;
            }
            (left, size) =
                (others, if compiles { COMPILED * rayon::current_num_threads() } else { (2 * size).min(BATCH) });
        }
        self.check_refusals(lowering)
    }

    /// The error of a spec if the source of the first configurations has one that all others have, too.
    fn check_first(&self, lowering: &Lowering) -> Result<(), SpaceError> {
        match self.first_refusal(lowering) {
            Some((configuration, why)) if why.is_in_all() => {
                Err(SpaceError::Lowering { configuration, why: Box::new(why) })
            }
            _ => Ok(()),
        }
    }

    /// The error of a spec if each configuration that a rule allows is refused, or not known.
    fn check_refusals(&mut self, lowering: &Lowering) -> Result<(), SpaceError> {
        if self.programs.is_empty()
            && let Some(why) = self.unfinished.take()
        {
            return Err(why);
        }
        let failed = self.first_refusal(lowering);
        failed.map_or(Ok(()), |(configuration, why)| Err(SpaceError::Lowering { configuration, why: Box::new(why) }))
    }

    /// The first configuration that is refused, and the error; `None` if another one can run.
    fn first_refusal(&self, lowering: &Lowering) -> Option<(String, LoweringError)> {
        if !self.programs.is_empty() {
            return None;
        }
        let refused = self.entries.iter().find(|entry| entry.refusal().is_some())?;
        let why = lowering.refused(&refused.configuration)?;
        Some((self.spec.label(&refused.configuration), why))
    }

    /// Lowers some configurations and joins equal programs; returns false, without a change, if `stops` became true.
    fn lower_batch(
        &mut self,
        batch: &[EntryId],
        lowering: &Lowering,
        stops: impl Fn() -> bool + Sync,
    ) -> Result<bool, SpaceError> {
        let configurations: Vec<Configuration> =
            batch.iter().map(|&entry| self.entries.get(entry).configuration).collect();
        let configurations: Vec<&Configuration> = configurations.iter().collect();
        let lower = |configuration: &Configuration| {
            let lowered = if stops() { None } else { Some(ready(lowering, configuration)) };
            lowered.filter(|lowered| !lowered.as_ref().is_err_and(LoweringError::is_stopped))
        };
        let lowered = groups::each(lowering, &configurations, lower).into_iter().collect::<Option<Vec<_>>>();
        let Some(lowered) = lowered else { return Ok(false) };
        let mut promising: Option<(u64, ProgramId)> = None;
        for (&entry, outcome) in batch.iter().zip(lowered) {
            let status = match outcome {
                Err(why) => ConfigurationStatus::Unknown(self.unknown(entry, why)?),
                Ok(Feasibility::Infeasible(infeasible)) => {
                    self.count(&infeasible);
                    ConfigurationStatus::Infeasible(Arc::new(infeasible))
                }
                Ok(Feasibility::Feasible(ready)) => {
                    let bound = ready.bound;
                    let program = self.join(entry, ready);
                    promising = Some(promising.map_or((bound, program), |least| least.min((bound, program))));
                    ConfigurationStatus::Program(program)
                }
            };
            self.entries.set_status(entry, status);
        }
        if let Some((bound, program)) = promising {
            self.evaluate_early(bound, program);
        }
        Ok(true)
    }

    /// The reason why nothing is known of a configuration, or the error if it is of another kind.
    fn unknown(&mut self, entry: EntryId, why: LoweringError) -> Result<Arc<str>, SpaceError> {
        let unfinished = why.unfinished();
        let configuration = self.spec.label(&self.entries.get(entry).configuration);
        let error = SpaceError::Lowering { configuration, why: Box::new(why) };
        match unfinished {
            Some(reason) => {
                self.unfinished.get_or_insert(error);
                Ok(reason.into())
            }
            None => Err(error),
        }
    }

    /// Adds the program of an entry, unless an earlier entry has it.
    fn join(&mut self, entry: EntryId, ready: Ready) -> ProgramId {
        let Ready { program, hash, work_group, limit, waves, waves_lack, has_open_edges, too_long, .. } = ready;
        self.waves_lack.extend(waves_lack);
        self.open_edges.extend(has_open_edges.then_some(entry));
        self.entries.set_load(entry, limit, waves);
        let Self { programs, known, .. } = self;
        let is_same = |other: &ProgramId| programs.packed(*other) == program.bytes();
        if let Some(other) = known.find(hash, is_same) {
            return *other;
        }
        let added = programs.push(&program, FirstOf { entry, work_group, too_long });
        known.insert_unique(hash, added, |other| hash_of(programs.packed(*other)));
        added
    }

    /// Evaluates the program with the least bound of a batch, if it may be faster than what is known.
    fn evaluate_early(&mut self, bound: u64, program: ProgramId) {
        if self.early.iter().any(|(_, known)| known.ticks <= bound) {
            return;
        }
        if let UniqueProgram { program: promising, too_long: None, .. } = self.programs.get(program)
            && let Ok(evaluation) = evaluate(&promising, EARLY_EVENTS)
        {
            self.early.push((program, evaluation));
        }
    }

    fn count(&mut self, infeasible: &Infeasible) {
        match self.limits.iter_mut().find(|rule| rule.rule == infeasible.rule()) {
            Some(rule) => rule.count += 1,
            None => self.limits.push(Rule { rule: infeasible.rule().to_owned(), count: 1 }),
        }
    }

    /// The survey; no group at an edge of a launch is executed yet.
    pub(super) fn finish(self) -> Survey {
        let constraints = self.spec.constraints.iter().zip(self.excluded);
        let constraints = constraints.map(|(constraint, count)| Rule { rule: constraint.text().to_owned(), count });
        let rules = constraints.chain(self.limits).filter(|rule| rule.count > 0).collect();
        Survey {
            all: self.all,
            entries: self.entries,
            rules,
            programs: self.programs,
            early: self.early,
            cut_short: self.cut_short,
            open_edges: self.open_edges,
            waves_lack: self.waves_lack,
        }
    }
}

fn ready(lowering: &Lowering, configuration: &Configuration) -> Result<Feasibility<Ready>, LoweringError> {
    Ok(match lowering.lower(configuration)? {
        Feasibility::Infeasible(infeasible) => Feasibility::Infeasible(infeasible),
        Feasibility::Feasible(lowered) => Feasibility::Feasible(Ready::new(lowering.profile(), lowered)),
    })
}
