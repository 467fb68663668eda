//! The efficiency of a kernel's implementation: six factors, from its structure alone.
//!
//! After E. G. Andrianova, D. I. Mirzoyan, A. B. Petrov, 2014: R = product of `K_i` ^ `w_i` (formula 1), each `K_i` in (0, 1]. R
//! compares variants of one kernel; it is not a measure of absolute speed. A factor near 0 can hide others that have
//! the same cause.

use std::str::FromStr;

use num_traits::ToPrimitive;
use serde::Serialize;
use thiserror::Error;

use crate::gpu::{Occupancy, Pipelined, Profile};
use crate::lowering::{GroupWork, Lowered, Traffic};
use crate::spec::{Assumed, EvaluationError, Scope, Spec, Statement};
use autotune_base::user_error::{ExitStatus, UserError};

/// Bytes of a register.
const REGISTER: f64 = 4.0;

/// The exponents `w_1` to `w_6`, each from 0 to 1000.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Weights(#[cfg_attr(feature = "schemas", schemars(inner(range(min = 0))))] pub [f64; 6]);

impl Default for Weights {
    /// Weights in the paper's order of influence, each 0.8 times the one before. The paper's own weights are lost.
    fn default() -> Self {
        Self([1.0, 0.8, 0.64, 0.512, 0.4096, 0.32768])
    }
}

impl Weights {
    /// Returns the weights of the profile, else the default.
    #[must_use]
    pub fn new(profile: &Profile) -> Self {
        let stated = match profile {
            Profile::Pipelined(gpu) => gpu.efficiency_weights,
            Profile::Lockstep(_) => None,
        };
        // Each is bounded by the profile's checks.
        stated.map_or_else(Self::default, |weights| Self(weights.map(|weight| weight.0.to_f64().unwrap_or(1.0))))
    }
}

/// The reason why a text is not a list of weights.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// Too few or too many weights.
    #[error("{0} weights are given, not 6: write the weights of K1 to K6 with commas between them")]
    Number(usize),
    /// A text that is not a weight.
    #[error("`{}` is not a weight: a weight is a number from 0 to 1000", .0.escape_debug())]
    Value(String),
}

impl Weights {
    /// Returns R, the product of `K_i` ^ `w_i` (formula 1), of six factors.
    #[must_use]
    pub fn efficiency(&self, factors: &[f64; 6]) -> f64 {
        factors.iter().zip(self.0).map(|(factor, weight)| factor.powf(weight)).product()
    }
}

impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let weight = |text: &str| {
            let number = text.trim().parse().ok().filter(|number| (0.0..=1000.0).contains(number));
            number.ok_or_else(|| WeightsError::Value(text.chars().take(40).collect()))
        };
        let weights = text.split(',').map(weight).collect::<Result<Vec<f64>, _>>()?;
        weights.as_slice().try_into().map(Self).map_err(|_| WeightsError::Number(weights.len()))
    }
}

/// The factors of a configuration, each in (0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Efficiency {
    /// R, the weighted product of the factors.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0, max = 1)))]
    pub r: f64,
    /// K1, memory access (formulas 2 and 3): `L_read` * `L_write`, where L is useful bytes / moved bytes.
    #[cfg_attr(feature = "schemas", schemars(range(max = 1), extend("exclusiveMinimum" = 0)))]
    pub memory: f64,
    /// K2, structure of the input (formula 5): [`structure`] of the bytes that a work item loads.
    #[cfg_attr(feature = "schemas", schemars(range(max = 1), extend("exclusiveMinimum" = 0)))]
    pub input: f64,
    /// K3, structure of the output (formula 5): [`structure`] of the bytes that a work item stores.
    #[cfg_attr(feature = "schemas", schemars(range(max = 1), extend("exclusiveMinimum" = 0)))]
    pub output: f64,
    /// K4, fast temporary memory (formula 6): min(1, register file / (bytes of a work item's registers * resident work items)).
    #[cfg_attr(feature = "schemas", schemars(range(max = 1), extend("exclusiveMinimum" = 0)))]
    pub temporary: f64,
    /// K5, loops (formula 7): see [`loops`].
    #[cfg_attr(feature = "schemas", schemars(range(max = 1), extend("exclusiveMinimum" = 0)))]
    pub loops: f64,
    /// K6, branches (formula 8): see [`branches`].
    #[cfg_attr(feature = "schemas", schemars(range(max = 1), extend("exclusiveMinimum" = 0)))]
    pub branches: f64,
}

impl Efficiency {
    /// Returns the factors K1 to K6.
    #[must_use]
    pub fn factors(&self) -> [f64; 6] {
        let Self { memory, input, output, temporary, loops, branches, .. } = *self;
        [memory, input, output, temporary, loops, branches]
    }
}

/// The reason why the efficiency cannot be computed.
#[derive(Debug, Clone, Error)]
pub enum EfficiencyError {
    /// The GPU is an abstract processor, without the resources of the factors.
    #[error("the efficiency needs a real GPU, but `{gpu}` is lockstep: it has neither lines of memory nor registers")]
    Lockstep {
        /// The name of the GPU.
        gpu: String,
    },
    /// An expression of the spec cannot be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

impl UserError for EfficiencyError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Lockstep { .. } => Some(super::REAL_GPUS.to_owned()),
            Self::Evaluation(_) => None,
        }
    }
}

/// Computes the efficiency of a configuration that was lowered for this GPU. `scope` holds the configuration's values.
/// The loops of a kernel's source that count are those whose distribution the spec assumes.
///
/// # Errors
/// If the GPU is an abstract processor, or an expression of the body cannot be evaluated.
pub fn efficiency(
    spec: &Spec,
    profile: &Profile,
    scope: &Scope,
    lowered: &Lowered,
    weights: &Weights,
) -> Result<Efficiency, EfficiencyError> {
    let (Profile::Pipelined(gpu), Some(work), Some(occupancy)) = (profile, &lowered.work, lowered.occupancy) else {
        return Err(EfficiencyError::Lockstep { gpu: profile.name().to_owned() });
    };
    let (items, resident) = (real(lowered.work_group), real(occupancy.groups * lowered.work_group));
    let shape = |traffic: &Traffic<f64>| {
        let rows = real(gpu.fp32_lanes_per_sm) * real(gpu.l1_pass_bytes);
        structure(traffic.asked / items * resident / rows)
    };
    let mut walk = Walk { scope, counts: assumed(spec, work), sides: work.sides.clone() };
    walk.body(&spec.body)?;
    let mut efficiency = Efficiency {
        r: 1.0,
        memory: locality(&work.loaded) * locality(&work.stored),
        input: shape(&work.loaded),
        output: shape(&work.stored),
        temporary: temporary(gpu, work, occupancy, resident),
        loops: loops(&walk.counts),
        branches: branches(&walk.sides),
    };
    efficiency.r = weights.efficiency(&efficiency.factors());
    Ok(efficiency)
}

/// The distributions of the source's loops that the group executes.
fn assumed(spec: &Spec, work: &GroupWork) -> Vec<Vec<(f64, f64)>> {
    let assumptions = spec.kernel_source.iter().flat_map(|source| &source.assume);
    let executed = assumptions.filter(|assumption| work.stated_loops.contains(&assumption.line));
    let distribution = |assumed: &Assumed| match assumed {
        Assumed::Trips { distribution, .. } => Some(distribution.as_ref()?.probabilities().collect()),
        _ => None,
    };
    executed.filter_map(|assumption| distribution(&assumption.assumed)).collect()
}

/// L: 1 for accesses of the same or of consecutive cells, near 0 for random ones.
fn locality(traffic: &Traffic<f64>) -> f64 {
    if traffic.moved > 0.0 { (traffic.useful / traffic.moved).min(1.0) } else { 1.0 }
}

/// Returns K2 or K3 of P: K = (1 - (ceil(P) - P)) ^ (1 / (floor(P) + 1)). The more rows a fragment has, the less its
/// last one counts. Formula 4: P = (`S_c` * `N_t`) / (`N_p` * `S_r`), from the bytes of a work item's fragment `S_c`, the resident
/// work items of a multiprocessor `N_t`, its single-precision lanes `N_p` and the bytes of a line `S_r`.
#[must_use]
pub fn structure(p: f64) -> f64 {
    (1.0 - (p.ceil() - p)).powf(1.0 / (p.floor() + 1.0))
}

/// K4. If several multiprocessors share their register files, a group that is too large for one uses all of them.
fn temporary(gpu: &Pipelined, work: &GroupWork, occupancy: Occupancy, resident: f64) -> f64 {
    let fits = real(gpu.registers_per_sm) >= real(work.held_registers) * resident;
    let files = if fits || occupancy.groups > 1 { 1 } else { gpu.registers_shared_by_sms.unwrap_or(1) };
    let needed = REGISTER * real(work.registers) * resident;
    let file = REGISTER * real(gpu.registers_per_sm * files);
    if needed > file { file / needed } else { 1.0 }
}

/// Returns K5 = product over loops i and their counts j of 1 / (1 + `P_ij` |`X_i` - `I_ij`|). `counts` holds for each loop its
/// possible counts `I_ij` as pairs of probability `P_ij` and count; `X_i` is the likeliest count, the least of several.
///
/// Formula 7 is printed as the product of the `P_ij` |`X_i` - `I_ij`|. That is 0 for every loop, since `X_i` is one of its counts;
/// but the text says that fixed counts are best and that a factor is above 0 and at most 1. So each term t is read as 1 / (1 + t).
#[must_use]
pub fn loops(counts: &[Vec<(f64, f64)>]) -> f64 {
    let of_loop = |counts: &Vec<(f64, f64)>| {
        let likelier =
            |(one, count): &&(f64, f64), (two, other): &&(f64, f64)| one.total_cmp(two).then(other.total_cmp(count));
        let likeliest = counts.iter().max_by(likelier).map_or(0.0, |(_, count)| *count);
        counts.iter().map(|(probability, count)| 1.0 / (1.0 + probability * (likeliest - count).abs())).product::<f64>()
    };
    counts.iter().map(of_loop).product::<f64>().max(f64::MIN_POSITIVE)
}

/// Returns K6 = mean of 1 / `F_i`, where `F_i` is the number of sides that a branch runs one after the other; 1 without
/// branches.
#[must_use]
pub fn branches(sides: &[u64]) -> f64 {
    let sum: f64 = sides.iter().map(|sides| 1.0 / real(*sides)).sum();
    if sides.is_empty() { 1.0 } else { sum / sides.iter().map(|_| 1.0).sum::<f64>() }
}

/// Collects the loops and branches of a body.
struct Walk<'a> {
    scope: &'a Scope,
    /// The possible counts of each loop: pairs of probability and count.
    counts: Vec<Vec<(f64, f64)>>,
    /// The number of sides of each branch that warps run one after the other: 2 if they split and both sides have
    /// statements, else 1.
    sides: Vec<u64>,
}

impl Walk<'_> {
    fn body(&mut self, statements: &[Statement]) -> Result<(), EvaluationError> {
        for statement in statements {
            match statement {
                Statement::Loop(repeated) => {
                    let count = repeated.count.count(self.scope)?.unsigned_abs();
                    let fixed = || vec![(1.0, real(count))];
                    let distribution = repeated.distribution.as_ref();
                    if count > 0 || distribution.is_some() {
                        self.counts.push(distribution.map_or_else(fixed, |counts| counts.probabilities().collect()));
                        self.body(&repeated.body)?;
                    }
                }
                Statement::Branch(branch) => {
                    let splits = branch.divergent.holds(self.scope)?;
                    let both = splits && !branch.then.is_empty() && !branch.otherwise.is_empty();
                    self.sides.push(if both { 2 } else { 1 });
                    self.body(&branch.then)?;
                    self.body(&branch.otherwise)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate: 53 bits are plenty")]
fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests;
