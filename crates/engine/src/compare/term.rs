//! The dominating term of a predictor's cost: the reason why two predictors rank a configuration differently.

use num_traits::ToPrimitive;
use serde::Serialize;

use super::Predictor;
use autotune_base::ticks::Ticks;
use autotune_lowering::models::efficiency::{Weights, efficiency};
use autotune_lowering::models::maxplus;
use autotune_lowering::models::maxplus::Kernel;
use autotune_lowering::models::predict::predict;
use autotune_lowering::space::{Case, MOST_EVENTS};
use autotune_machine::machine::{Program, busy, evaluate};

/// A term of a predictor's cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Term {
    /// The term's name: a server, `latency`, a level of memory, a factor.
    pub name: &'static str,
    /// The term's share of the cost: for a time the quotient (terms may overlap in time), for a product that of the
    /// logarithms.
    #[cfg_attr(feature = "schemas", schemars(extend("exclusiveMinimum" = 0)))]
    pub share: f64,
}

impl Predictor {
    /// The greatest term of a configuration's cost; `None` if the predictor does not apply or all terms are 0.
    #[must_use]
    pub fn dominating(self, case: &Case) -> Option<Term> {
        let terms = match self {
            Self::Machine => of_machine(case),
            Self::MaxPlus(model) => of_max_plus(case, model),
            Self::Waves => of_waves(case),
            Self::Efficiency => of_efficiency(case),
        }?;
        greatest(terms)
    }
}

type Terms = Option<Vec<(&'static str, f64)>>;

/// The greatest of some terms; `None` if all are 0.
fn greatest(terms: Vec<(&'static str, f64)>) -> Option<Term> {
    let terms = terms.into_iter().filter(|(_, share)| *share > 0.0).map(|(name, share)| Term { name, share });
    terms.reduce(|most, term| if term.share > most.share { term } else { most })
}

/// The dominating term of a program's time on the machine; `None` if all terms are 0.
pub(super) fn dominating_on_machine(program: &Program, ticks: Ticks) -> Option<Term> {
    greatest(of_program(program, ticks))
}

fn of_machine(case: &Case) -> Terms {
    let program = &case.lowered.program;
    program.check_length().ok()?;
    Some(of_program(program, evaluate(program, MOST_EVENTS).ok()?.ticks.into()))
}

/// The busy time of each server, and a single warp's path; each bounds the time from below.
fn of_program(program: &Program, ticks: Ticks) -> Vec<(&'static str, f64)> {
    let ticks = ticks.to_f64();
    let servers = busy(program).into_iter().map(|(server, busy)| (server.name(), busy));
    let terms = servers.chain([("latency", alone(program)), ("launch", program.launch.into())]);
    terms.filter_map(|(name, busy)| Some((name, busy.to_f64()? / ticks))).collect()
}

/// The ticks that a single warp of each wave would need alone.
pub(super) fn alone(program: &Program) -> u128 {
    let (full, rest) = program.waves();
    let waves = u128::from(program.passes) * (u128::from(full) + u128::from(rest > 0));
    waves.saturating_mul(program.critical_path())
}

/// The time that each model adds to the one before it.
fn of_max_plus(case: &Case, model: maxplus::Variant) -> Terms {
    let kernel = Kernel::new(case.spec, case.profile, case.scope, case.lowered.program_and_parts()).ok()?;
    let times = kernel.times().ok()?;
    let of_all = times.by(model).to_f64()?;
    let steps = [
        ("memory", times.naive - u128::from(kernel.launch)),
        ("operations", times.operations - times.naive),
        ("waiting", times.serialized - times.operations),
    ];
    let parts = match model {
        maxplus::Variant::Naive => &steps[..1],
        maxplus::Variant::Operations => &steps[..2],
        maxplus::Variant::Serialized => &steps[..],
    };
    let terms = parts.iter().copied().chain([("launch", kernel.launch.into())]);
    Some(terms.filter_map(|(name, ticks)| Some((name, ticks.to_f64()? / of_all))).collect())
}

/// The launch, and the waves by their bound.
fn of_waves(case: &Case) -> Terms {
    let prediction = predict(case.profile, case.lowered).ok()?;
    let launches = prediction.launches.to_f64()?;
    let launch = launches * prediction.launch.microseconds / prediction.microseconds;
    let mut terms = vec![("launch", launch)];
    for wave in &prediction.waves {
        let share = launches * wave.count.to_f64()? * wave.cycles / prediction.cycles;
        match terms.iter_mut().find(|(name, _)| *name == wave.bound.name()) {
            Some((_, sum)) => *sum += share,
            None => terms.push((wave.bound.name(), share)),
        }
    }
    Some(terms)
}

/// The factors; logarithms of a product add up.
fn of_efficiency(case: &Case) -> Terms {
    let weights = Weights::new(case.profile);
    let factors = efficiency(case.spec, case.profile, case.scope, case.lowered, &weights).ok()?;
    let named = [
        ("memory", factors.memory),
        ("input", factors.input),
        ("output", factors.output),
        ("temporary", factors.temporary),
        ("loops", factors.loops),
        ("branches", factors.branches),
    ];
    let whole = factors.r.ln();
    let share = |factor: f64, weight: f64| if whole < 0.0 { factor.ln() * weight / whole } else { 0.0 };
    Some(named.into_iter().zip(weights.0).map(|((name, factor), weight)| (name, share(factor, weight))).collect())
}
