//! Constraints that leave out the unknown configurations, and no other that can run.

use super::survey::Survey;
use crate::spec::Spec;
use autotune_base::index::EntryId;

/// The most constraints that are looked for.
const MOST: usize = 8;

/// A choice of parameters by their places. Configurations that have the values of a configuration there are left out.
type Places = Vec<usize>;

/// Constraints that together leave out the unknown configurations of a survey, in the spec's language: as few and as
/// short as a greedy search finds, at most 8. Each leaves every configuration in the space that is known to run.
#[must_use]
pub fn leave_out(spec: &Spec, survey: &Survey) -> Vec<String> {
    let values = |entry: EntryId| survey.entries.values(entry);
    let known: Vec<&[i64]> = survey.runnable().map(|(entry, _)| values(entry)).collect();
    let mut left: Vec<&[i64]> = survey.unknown().map(|(entry, _)| values(entry)).collect();
    let mut constraints = Vec::new();
    while let Some(&first) = left.first()
        && constraints.len() < MOST
    {
        let places = needed(first, &known);
        left.retain(|other| !agree(first, other, &places));
        let parts = places.iter().map(|&place| format!("{} != {}", spec.parameters[place].name, first[place]));
        constraints.push(parts.collect::<Vec<_>>().join(" || "));
    }
    constraints
}

/// The fewest places, found by leaving out one after the other, where no known configuration has the same values.
fn needed(unknown: &[i64], known: &[&[i64]]) -> Places {
    let mut places: Places = (0..unknown.len()).collect();
    for place in 0..unknown.len() {
        let fewer: Places = places.iter().copied().filter(|other| *other != place).collect();
        if !fewer.is_empty() && !known.iter().any(|other| agree(unknown, other, &fewer)) {
            places = fewer;
        }
    }
    places
}

fn agree(one: &[i64], other: &[i64], places: &[usize]) -> bool {
    places.iter().all(|&place| one[place] == other[place])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::gpu::Profile;
    use crate::space::survey::ConfigurationStatus;
    use autotune_base::limits::Limits;
    use autotune_kernel::source::SourceReader;

    const SPEC: &str = "
kernel: partly_known
parameters: { A: { values: [1, 2, 4] }, B: { values: [1, 2] }, C: { values: [5, 6] } }
launch: { work_items: 64, work_group: 4 }
body: [ barrier ]
";

    fn constraints_without(is_unknown: impl Fn(&[i64]) -> bool) -> Vec<String> {
        let spec = Spec::parse(SPEC, "partly_known").unwrap();
        let profile = Profile::resolve("abstract-tiny").unwrap();
        let mut survey =
            crate::space::survey(&spec, &profile, &SourceReader::default(), None, &Limits::default()).unwrap().unwrap();
        for entry in survey.entries.keys() {
            if is_unknown(survey.entries.values(entry)) {
                survey.entries.set_status(entry, ConfigurationStatus::Unknown(Arc::from("stopped")));
            }
        }
        leave_out(&spec, &survey)
    }

    #[test]
    fn a_constraint_names_only_what_unknown_configurations_have_alone() {
        assert_eq!(constraints_without(|_| false), Vec::<String>::new());
        assert_eq!(constraints_without(|values| values[0] == 4), ["A != 4"]);
        assert_eq!(constraints_without(|values| values[0] == 4 && values[2] == 5), ["A != 4 || C != 5"]);
        assert_eq!(constraints_without(|values| values[0] == 2 || values[2] == 6), ["C != 6", "A != 2"]);
        let odd = |values: &[i64]| [[1, 1, 5], [2, 2, 6]].contains(&[values[0], values[1], values[2]]);
        assert_eq!(constraints_without(odd), ["A != 1 || B != 1 || C != 5", "A != 2 || B != 2 || C != 6"]);
    }

    /// One parameter is enough to leave a configuration out if no configuration is known to run.
    #[test]
    fn no_constraint_is_empty() {
        assert_eq!(constraints_without(|_| true), ["C != 5", "C != 6"]);
    }
}
