//! The errors of a space's configurations, and the sizes of the space.

use std::ops::ControlFlow;

use indexmap::IndexMap;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::problem::SpecProblem;
use autotune_base::limits::{Limits, Stop};
use autotune_base::text::Place;
use autotune_base::user_error::UserError;
use autotune_kernel::source::TOGETHER;
use autotune_lowering::lowering::{Lowering, LoweringError, Neighbour};
use autotune_lowering::space::{MOST_CONFIGURATIONS, Share, Space, Visit};
use autotune_lowering::spec::{Configuration, Spec};

/// The number of configurations that are checked together.
pub(super) const BATCH: usize = 4096;
/// The configurations of a source that are checked together: those that a few processes compile.
const BATCH_OF_SOURCE: usize = 64;
/// The configurations that a thread checks one after the other: neighbours have most values in common.
pub(super) const NEIGHBOURS: usize = 256;

/// The sizes of a space, before and after constraints and limits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SpaceSummary {
    /// The number of configurations of the domains.
    pub configurations: u128,
    /// The number of checked configurations that can run.
    pub feasible: u128,
    /// The number of unchecked configurations: those behind a constraint that cannot be evaluated, or beyond 4 million.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_looked_at: u128,
    /// The constraints in the order of the spec, then the limits of the GPU, each with the number of configurations
    /// that it removes. Constraints that remove none are listed too.
    pub removed: Vec<Removed>,
}

fn is_zero(number: &u128) -> bool {
    *number == 0
}

/// A constraint of the spec or a limit of the GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Removed {
    /// The text of the constraint or the name of the limit.
    pub rule: String,
    /// The number of removed configurations; each configuration counts for one rule.
    pub configurations: u128,
}

/// The errors of a space's configurations.
pub(super) struct SpaceProblems {
    pub(super) summary: SpaceSummary,
    /// The errors, each place once.
    pub(super) errors: Vec<SpecProblem>,
    /// True if the errors are those that refuse all configurations: each by itself is infeasible.
    pub(super) is_refused: bool,
    /// The limit of the whole work that ended it; `None` if all was looked at.
    pub(super) stopped: Option<Stop>,
}

impl SpaceProblems {
    /// Checks every configuration of a space, up to a limit of the whole work. `observe` hears how far the work is.
    pub(super) fn new(
        spec: &Spec,
        lowering: &Lowering,
        space: &Space,
        limits: &Limits,
        observe: &mut dyn FnMut(Share),
    ) -> Self {
        let mut walk = Walk::new(spec, lowering, limits, observe);
        let (summary, error) = walk.space(space);
        let mut errors: Vec<SpecProblem> = error.into_iter().collect();
        errors.extend(walk.errors.into_values());
        let is_refused = errors.is_empty() && summary.feasible == 0 && !walk.refused.is_empty();
        if is_refused {
            errors.extend(walk.refused.into_values());
        }
        Self { summary, errors, is_refused, stopped: walk.stopped }
    }
}

/// The error of a space with too many configurations, found without lowering them; `None` if the space is small enough.
pub(super) fn too_large(space: &Space, limits: &Limits) -> Option<SpecProblem> {
    if space.size() <= MOST_CONFIGURATIONS as u128 {
        return None;
    }
    let (mut allowed, mut visits) = (0_usize, 0_usize);
    // The walk that follows reports a constraint that cannot be evaluated.
    let _ = space.visit(&mut |visit| {
        allowed += usize::from(matches!(visit, Visit::Feasible(_)));
        visits += 1;
        let is_over = allowed > MOST_CONFIGURATIONS || is_stopped(visits, limits);
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let message = format!("the constraints leave more than {MOST_CONFIGURATIONS} configurations");
    let help = "narrow the domains or add constraints".to_owned();
    (allowed > MOST_CONFIGURATIONS).then(|| SpecProblem::new(message, None, Some(help)))
}

/// True if a limit has ended an enumeration, which reads the clock after some visits.
pub(super) fn is_stopped(visits: usize, limits: &Limits) -> bool {
    visits.is_multiple_of(BATCH) && limits.exceeded().is_some()
}

/// Errors by their places.
type Problems = IndexMap<Option<(String, Place)>, SpecProblem>;

struct Walk<'a> {
    spec: &'a Spec,
    lowering: &'a Lowering<'a>,
    /// The most configurations that are checked.
    most: usize,
    /// The errors by their places.
    errors: Problems,
    /// The errors that make single configurations infeasible.
    refused: Problems,
    limits: IndexMap<String, u128>,
    /// The configurations that were looked at.
    looked_at: usize,
    until: &'a Limits,
    stopped: Option<Stop>,
    observe: &'a mut dyn FnMut(Share),
}

impl<'a> Walk<'a> {
    fn new(spec: &'a Spec, lowering: &'a Lowering<'a>, until: &'a Limits, observe: &'a mut dyn FnMut(Share)) -> Self {
        let (errors, refused, limits) = (IndexMap::new(), IndexMap::new(), IndexMap::new());
        let most = MOST_CONFIGURATIONS;
        Self { spec, lowering, most, errors, refused, limits, looked_at: 0, until, stopped: None, observe }
    }

    /// The sizes of the space, and the error that ended the walk early, if any.
    fn space(&mut self, space: &Space) -> (SpaceSummary, Option<SpecProblem>) {
        let mut by_constraint = vec![0_u128; self.spec.constraints.len()];
        let mut batch = Vec::new();
        let (mut seen, mut visits, mut excluded, of) = (0_usize, 0_usize, 0_u128, space.size());
        let together = if self.lowering.compiles() { BATCH_OF_SOURCE } else { BATCH };
        let walked = space.visit(&mut |visit| {
            match visit {
                Visit::Feasible(values) => {
                    batch.push(Configuration(values.to_vec()));
                    seen += 1;
                }
                Visit::Excluded { constraint, configurations, .. } => {
                    by_constraint[constraint] += configurations;
                    excluded += configurations;
                }
            }
            if batch.len() == together {
                self.look_at(&std::mem::take(&mut batch));
                (self.observe)(Share { done: seen as u128 + excluded, of });
            }
            visits += 1;
            let is_over = seen == self.most || self.stopped.is_some() || is_stopped(visits, self.until);
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.look_at(&batch);
        let (allowed, refused) = (self.looked_at as u128, self.limits.values().sum::<u128>());
        let constraints =
            self.spec.constraints.iter().map(|constraint| constraint.text().to_owned()).zip(by_constraint);
        let removed: Vec<Removed> = constraints
            .chain(std::mem::take(&mut self.limits))
            .map(|(rule, configurations)| Removed { rule, configurations })
            .collect();
        let configurations = space.size();
        let not_looked_at = configurations - allowed - excluded;
        let summary = SpaceSummary { configurations, feasible: allowed - refused, not_looked_at, removed };
        (summary, walked.err().map(|error| SpecProblem::new(error.to_string(), error.place(), error.help())))
    }

    fn look_at(&mut self, configurations: &[Configuration]) {
        if configurations.is_empty() {
            return;
        }
        self.stopped = self.stopped.or_else(|| self.until.exceeded());
        if self.stopped.is_some() {
            return;
        }
        let prepare = |some: &[Configuration]| _ = self.lowering.prepare(&some.iter().collect::<Vec<_>>());
        if self.lowering.compiles() {
            configurations.par_chunks(TOGETHER).for_each(prepare);
        }
        let look = |some: &[Configuration]| {
            let mut before = Neighbour::default();
            let problems = |one| self.until.exceeded().is_none().then(|| self.lowering.problems(one, &mut before));
            some.iter().map(problems).collect::<Vec<_>>()
        };
        let together = if self.lowering.compiles() { 1 } else { NEIGHBOURS };
        let mut looked: Vec<_> = configurations.par_chunks(together).flat_map_iter(look).collect();
        // All groups at the edges of the launch are executed for the first one alone.
        if let Some((first, Some((problems, _)))) = configurations.first().zip(looked.first_mut())
            && self.looked_at == 0
        {
            problems.extend(self.lowering.unsafe_edge(first));
        }
        for (configuration, looked) in configurations.iter().zip(looked) {
            let Some((problems, limit)) = looked else {
                self.stopped = self.stopped.or_else(|| self.until.exceeded());
                continue;
            };
            if problems.iter().any(LoweringError::is_stopped) {
                self.stopped = self.stopped.or_else(|| self.until.exceeded()).or(Some(Stop::Time));
                continue;
            }
            self.looked_at += 1;
            // What makes it infeasible is not an error beside a configuration that can run.
            let (refused, errors): (Vec<_>, Vec<_>) = problems.iter().partition(|problem| problem.refusal().is_some());
            if let Some(limit) = limit.or_else(|| refused.first()?.refusal()) {
                *self.limits.entry(limit.rule().to_owned()).or_default() += 1;
            }
            for problem in refused {
                add(&mut self.refused, self.spec, configuration, problem);
            }
            for problem in errors {
                let parts = problem.parts();
                let each = if parts.is_empty() { std::slice::from_ref(problem) } else { &parts };
                for one in each {
                    add(&mut self.errors, self.spec, configuration, one);
                }
            }
        }
    }
}

/// Adds a configuration's error to those of its place.
fn add(problems: &mut Problems, spec: &Spec, configuration: &Configuration, problem: &LoweringError) {
    let place = problem.place();
    let found = problems.entry(place.clone()).or_insert_with(|| {
        let configuration = Some(spec.label(configuration)).filter(|label| !label.is_empty());
        SpecProblem {
            configuration,
            configurations: Some(0),
            ..SpecProblem::new(problem.to_string(), place, problem.help())
        }
    });
    found.configurations = found.configurations.map(|number| number + 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_kernel::source::SourceReader;
    use autotune_lowering::gpu::find;

    fn summary(constraint: &str, most: usize) -> (SpaceSummary, Option<SpecProblem>) {
        let text = format!(
            "kernel: k\nparameters:\n  P: {{ range: {{ from: 1, to: 100 }} }}\nconstraints: ['{constraint}']\n\
             launch: {{ work_items: 64, work_group: 64 * P }}\nbody: [barrier]\n"
        );
        let spec = Spec::parse(&text, "k.yaml").unwrap();
        let reader = SourceReader::default();
        let lowering = Lowering::new(&spec, &find("volta").unwrap().profile, &reader);
        let space = Space::new(&spec, lowering.names()).unwrap();
        let (limits, observe) = (Limits::default(), &mut |_| {});
        let mut walk = Walk { most, ..Walk::new(&spec, &lowering, &limits, observe) };
        walk.space(&space)
    }

    #[test]
    fn what_is_not_looked_at_is_not_said_to_run() {
        let (whole, error) = summary("P % 2 == 0", 50);
        assert!(error.is_none());
        // 2, 4 .. 16 of at most 1024 work items
        assert_eq!((whole.configurations, whole.feasible, whole.not_looked_at), (100, 8, 0));
        assert_eq!(whole.removed.iter().map(|rule| rule.configurations).collect::<Vec<_>>(), [50, 42]);
        let (part, _) = summary("P % 2 == 0", 10);
        assert_eq!((part.feasible, part.not_looked_at), (8, 80));
        assert_eq!(part.removed.iter().map(|rule| rule.configurations).collect::<Vec<_>>(), [10, 2]);
    }

    #[test]
    fn a_constraint_without_a_value_ends_the_walk_and_is_told() {
        let (part, error) = summary("P % (P - 12) >= 0", 100);
        let error = error.unwrap();
        assert!(error.message.contains("division by zero") && error.line == Some(4), "{error:?}");
        assert_eq!((part.feasible, part.not_looked_at), (11, 89));
    }
}
