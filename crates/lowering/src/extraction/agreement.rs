//! A body held against its source, in every configuration.

use rayon::prelude::*;
use serde::Serialize;

use super::error::ExtractionError;
use super::lines::tidy;
use crate::gpu::Profile;
use crate::lowering::{Amount, CountedAt, Counts, Exact, Feasibility, Lowering, LoweringError, Quantity};
use crate::space::{SpaceError, allowed};
use crate::spec::{Configuration, Spec};
use autotune_kernel::source::SourceReader;

/// The agreement of a body with its source.
#[derive(Debug)]
pub struct Agreement {
    /// The source's files.
    pub files: Vec<String>,
    /// The configurations that were compared: the feasible ones.
    pub configurations: usize,
    /// The agreement in each quantity, in the order of [`Quantity::ALL`].
    pub quantities: Vec<QuantityAgreement>,
}

/// The agreement in one quantity.
#[derive(Debug)]
pub struct QuantityAgreement {
    /// The quantity.
    pub quantity: Quantity,
    /// The configurations where the two agree.
    pub agreeing: usize,
    /// The first configuration where they differ, else the first one.
    pub shown: ComparedAmount,
}

/// The amounts of one configuration.
#[derive(Debug, Clone)]
pub struct ComparedAmount {
    /// The configuration.
    pub configuration: Configuration,
    /// True if the two agree.
    pub agrees: bool,
    /// The body's amount.
    pub body: f64,
    /// The source's amount.
    pub source: f64,
    /// The source's amount once neighbouring accesses are one.
    pub joined: f64,
    /// The body's statements, without arrays where the two agree.
    pub statements: Vec<CountedPlace>,
    /// The source's lines, without arrays where the two agree.
    pub lines: Vec<CountedPlace>,
}

/// A place and its part of an amount.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "CountedReport", deny_unknown_fields))]
pub struct CountedPlace {
    /// The file.
    pub file: String,
    /// The line, from 1; 0 if the compiler does not say.
    pub line: u32,
    /// The array; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    /// The amount.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub amount: f64,
}

impl Agreement {
    /// True if body and source agree in all that is judged.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let judged = self.quantities.iter().filter(|one| one.quantity.is_judged());
        judged.into_iter().all(|one| one.agreeing == self.configurations)
    }
}

/// Holds a body against the source that it describes, in the named configuration or all feasible ones.
///
/// # Errors
/// If the spec has no body or names no source, nothing is feasible, or a configuration cannot be counted.
pub fn agreement(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    only: Option<&Configuration>,
) -> Result<Agreement, ExtractionError> {
    if spec.kernel_source.is_some() {
        return Err(ExtractionError::NoBody);
    }
    let described = spec.of_described().ok_or(ExtractionError::NoSource)?;
    let (body, source) = (Lowering::new(spec, profile, reader), Lowering::new(&described, profile, reader));
    let configurations = match only {
        Some(configuration) => vec![configuration.clone()],
        None => allowed(spec, profile)?,
    };
    let compare = |configuration: &Configuration| {
        compared(spec, &body, &source, configuration)
            .map_err(|why| SpaceError::Lowering { configuration: spec.label(configuration), why: Box::new(why) })
    };
    let compared = configurations.par_iter().map(compare).collect::<Result<Vec<_>, _>>()?;
    let mut refusal = None;
    let mut feasible = Vec::new();
    for one in compared {
        match one {
            Feasibility::Feasible(differences) => feasible.push(differences),
            Feasibility::Infeasible(why) => refusal = refusal.or(Some(why.to_string())),
        }
    }
    if feasible.is_empty() {
        let why = refusal
            .map_or("no configuration is feasible".to_owned(), |why| format!("the configuration cannot run: {why}"));
        return Err(ExtractionError::Infeasible(why));
    }
    let files = spec.described.iter().flat_map(|stated| &stated.source.files);
    let files = files.map(|file| tidy(&file.to_string_lossy())).collect();
    Ok(Agreement { files, configurations: feasible.len(), quantities: summed(&feasible) })
}

/// The agreement in each quantity over all configurations, at least one.
fn summed(configurations: &[Vec<ComparedAmount>]) -> Vec<QuantityAgreement> {
    let quantity = |(position, quantity): (usize, &Quantity)| {
        let of_each = || configurations.iter().map(|differences| &differences[position]);
        let shown = of_each().find(|one| !one.agrees).unwrap_or(&configurations[0][position]);
        let agreeing = of_each().filter(|one| one.agrees).count();
        QuantityAgreement { quantity: *quantity, agreeing, shown: shown.clone() }
    };
    Quantity::ALL.iter().enumerate().map(quantity).collect()
}

/// Body and source of a configuration, in each quantity.
fn compared(
    spec: &Spec,
    body: &Lowering,
    source: &Lowering,
    configuration: &Configuration,
) -> Result<Feasibility<Vec<ComparedAmount>>, LoweringError> {
    body.counts(configuration)?.and_then(|body| {
        source.counts(configuration)?.and_then(|source| {
            let difference = |quantity| ComparedAmount::new(spec, configuration, [&body, &source], quantity);
            Ok(Feasibility::Feasible(Quantity::ALL.map(difference).into()))
        })
    })
}

impl ComparedAmount {
    fn new(spec: &Spec, configuration: &Configuration, [body, source]: [&Counts; 2], quantity: Quantity) -> Self {
        let agrees = body.agrees(source, quantity);
        let places = |own: &Counts, other: &Counts| {
            if agrees { Vec::new() } else { differing(spec, own, other, quantity) }
        };
        let sum = source.sum(quantity);
        Self {
            configuration: configuration.clone(),
            agrees,
            body: decimal(body.sum(quantity).executions),
            source: decimal(sum.executions),
            joined: decimal(sum.joined),
            statements: places(body, source),
            lines: places(source, body),
        }
    }
}

/// The places of a quantity in arrays where the other has another amount; all places if there are none.
fn differing(spec: &Spec, own: &Counts, other: &Counts, quantity: Quantity) -> Vec<CountedPlace> {
    let of_array = |counts: &Counts, array: &str| {
        let of_it = counts.places(quantity).filter(|(at, _)| at.array == array);
        of_it.fold(Exact::ZERO, |sum, (_, amount)| sum + amount.executions)
    };
    let differs = |at: &CountedAt| of_array(own, &at.array) != of_array(other, &at.array);
    let mut places: Vec<_> = own.places(quantity).filter(|(_, amount)| amount.executions.is_positive()).collect();
    if places.iter().any(|(at, _)| differs(at)) {
        places.retain(|(at, _)| differs(at));
    }
    let place = |(at, amount): (&CountedAt, Amount)| CountedPlace {
        file: at.file.as_deref().map_or_else(|| spec.source.name().to_owned(), tidy),
        line: at.line,
        array: Some(at.array.clone()).filter(|array| !array.is_empty()),
        amount: decimal(amount.executions),
    };
    places.into_iter().map(place).collect()
}

fn decimal(number: Exact) -> f64 {
    number.to_f64().unwrap_or(f64::INFINITY)
}
