//! The form that the machine of granularity `warp` is played in.

use serde::{Deserialize, Serialize};

use super::Candidate;
use super::limits::Parts;

/// The greatest number of events of all runs together in the form of roles. Its searches take twelve steps an event and
/// are slower from the first event on, which a reader of a small model does not notice.
const EVENTS: u64 = 500;

/// The processes that play the machine. Both forms take the same steps in the same order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A process for each part: host, multiprocessor, clock, servers, barriers and warps. For readers, for simulation
    /// and for short runs.
    Roles,
    /// The multiprocessor runs a wave in one indivisible step: the quicker search, and for more warps than SPIN has
    /// processes.
    Wave,
}

impl Form {
    /// The form for these candidates, with a bound.
    #[must_use]
    pub fn suited_to(candidates: &[Candidate]) -> Self {
        Self::suited_to_runs(candidates, |candidate| candidate.events)
    }

    /// The form for these candidates, without a bound.
    #[must_use]
    pub fn suited_to_uncut(candidates: &[Candidate]) -> Self {
        Self::suited_to_runs(candidates, |candidate| candidate.uncut_events)
    }

    fn suited_to_runs(candidates: &[Candidate], events: fn(&Candidate) -> u64) -> Self {
        let of_all = candidates.iter().fold(0u64, |sum, candidate| sum.saturating_add(events(candidate)));
        if of_all <= EVENTS && Parts::of_all(candidates).fit() { Self::Roles } else { Self::Wave }
    }

    /// The form's name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Roles => "roles",
            Self::Wave => "wave",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_machine::machine::Program;

    fn program(groups: u64, warps_per_group: u64) -> Program {
        Program {
            multiprocessors: 1,
            dispatchers: 4,
            groups,
            resident_groups: groups,
            warps_per_group,
            passes: 1,
            launch: 0,
            body: Vec::new(),
        }
    }

    /// Two programs that fit alone need more processes together than SPIN has.
    #[test]
    fn the_most_of_each_part_must_fit() {
        let (wide, grouped) = (program(1, 200), program(60, 3));
        let of = |programs: &[&Program]| {
            let candidate = |program| Candidate { label: String::new(), program, events: 1, uncut_events: 1 };
            Form::suited_to(&programs.iter().map(|program| candidate(*program)).collect::<Vec<_>>())
        };
        assert_eq!([of(&[&wide]), of(&[&grouped]), of(&[&wide, &grouped])], [Form::Roles, Form::Roles, Form::Wave]);
    }

    fn form_of(program: &Program, events: &[u64]) -> Form {
        let candidate = |&events| Candidate { label: String::new(), program, events, uncut_events: events };
        Form::suited_to(&events.iter().map(candidate).collect::<Vec<_>>())
    }

    #[test]
    fn many_events_take_the_form_of_waves() {
        let small = program(2, 2);
        assert_eq!(form_of(&small, &[50; 10]), Form::Roles);
        assert_eq!(form_of(&small, &[1, 500]), Form::Wave);
        assert_eq!(form_of(&small, &[u64::MAX; 2]), Form::Wave);
    }

    /// Host, multiprocessor, clock, 6 servers and the claim take 10 processes; 245 are left for a group and its 244
    /// warps.
    #[test]
    fn more_warps_than_processes_take_the_form_of_waves() {
        assert_eq!(form_of(&program(1, 244), &[1]), Form::Roles);
        assert_eq!(form_of(&program(1, 245), &[1]), Form::Wave);
    }
}
