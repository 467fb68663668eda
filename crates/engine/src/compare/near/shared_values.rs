//! The common values of near ties, parameter by parameter.

use std::collections::HashSet;

use rayon::prelude::*;

/// A parameter's values among the near ties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterInCommon {
    /// The index of the spec's parameter.
    pub place: usize,
    /// True if a change of this parameter alone can turn a near tie into a slower configuration.
    pub matters: bool,
    /// The parameter's values among the near ties, in the order of its domain.
    pub values: Vec<i64>,
    /// For a parameter that matters, those of its values that need values of other parameters.
    pub needs: Vec<Need>,
}

/// A value that is near the optimum only together with values of other parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// The value.
    pub value: i64,
    /// The indices of the other parameters, and their values.
    pub with: Vec<(usize, i64)>,
}

/// The common values of those feasible configurations that are near.
///
/// - A parameter with at least 2 values among the near ties *does not matter* if every feasible configuration that
///   differs from a near tie only in this parameter is a near tie.
/// - A value *needs* another parameter's value if all near ties with the first have the second, but not all near ties,
///   and not all feasible configurations with the first.
/// - A parameter with a single value in its domain is left out.
#[must_use]
pub fn in_common(domains: &[Vec<i64>], feasible: &[&[i64]], is_near: &[bool]) -> Vec<ParameterInCommon> {
    let near: Vec<&[i64]> = feasible.iter().zip(is_near).filter(|(_, near)| **near).map(|(one, _)| *one).collect();
    let far: Vec<&[i64]> = feasible.iter().zip(is_near).filter(|(_, near)| !**near).map(|(one, _)| *one).collect();
    let values: Vec<Vec<i64>> =
        domains.iter().enumerate().map(|(place, domain)| values_of(place, domain, &near)).collect();
    let varying = (0..domains.len()).filter(|&place| domains[place].len() > 1 && !near.is_empty());
    let parameter = |place: usize| {
        let matters = values[place].len() < 2 || decides(place, &near, &far);
        let needs = if matters { needs(place, &values, &near, &far) } else { Vec::new() };
        ParameterInCommon { place, matters, values: values[place].clone(), needs }
    };
    varying.collect::<Vec<_>>().into_par_iter().map(parameter).collect()
}

fn values_of(place: usize, domain: &[i64], near: &[&[i64]]) -> Vec<i64> {
    let found: HashSet<i64> = near.iter().map(|values| values[place]).collect();
    domain.iter().copied().filter(|value| found.contains(value)).collect()
}

/// Returns true if a configuration that is not near differs from a near one only in this parameter.
fn decides(place: usize, near: &[&[i64]], far: &[&[i64]]) -> bool {
    let others = |values: &[i64]| [&values[..place], &values[place + 1..]].concat();
    let near: HashSet<Vec<i64>> = near.iter().map(|values| others(values)).collect();
    far.iter().any(|values| near.contains(&others(values)))
}

fn needs(place: usize, values: &[Vec<i64>], near: &[&[i64]], far: &[&[i64]]) -> Vec<Need> {
    let need = |&value: &i64| {
        let has = |configuration: &&&[i64]| configuration[place] == value;
        let first = near.iter().find(has)?;
        let with: Vec<(usize, i64)> = (0..values.len())
            .filter(|&other| other != place && values[other].len() > 1)
            .filter(|&other| near.iter().filter(has).all(|values| values[other] == first[other]))
            .filter(|&other| far.iter().filter(has).any(|values| values[other] != first[other]))
            .map(|other| (other, first[other]))
            .collect();
        (!with.is_empty()).then_some(Need { value, with })
    };
    values[place].iter().filter_map(need).collect()
}
