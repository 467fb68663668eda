//! Lockstep GPUs: SPIN's optimum of the paper's kernel is that of the closed formula, from spec and profile to proof.

use autotune::gpu::Profile;
use autotune::index::{CandidateId, ProgramId};
use autotune::limits::Limits;
use autotune::machine::{Bound, By, Evaluation};
use autotune::proof;
use autotune::proof::{Question, Strategy};
use autotune::source::SourceReader;
use autotune::space::{Estimates, Survey};
use autotune::spec::{Configuration, Spec};
use autotune::spin::{Found, ModelChecker};
use typed_index_collections::TiVec;

use crate::settings;

/// The numbers of a lockstep GPU in the formula.
#[derive(Debug, Clone, Copy)]
struct Point {
    size: i64,
    multiprocessors: u64,
    dispatchers: u64,
    elements: u64,
    global_memory: u64,
}

impl Point {
    fn profile(self) -> Profile {
        let Self { multiprocessors, dispatchers, elements, global_memory, .. } = self;
        let text = format!(
            "name: grid\nexecution: lockstep\nmultiprocessors: {multiprocessors}\nprocessing_elements: {elements}\n\
             dispatchers: {dispatchers}\nglobal_memory_ticks: {global_memory}\nlocal_memory_ticks: 1\nlaunch_ticks: 0\n"
        );
        Profile::parse(&text, "grid.yaml").unwrap()
    }

    /// T = ceil(groups / NM) * ceil(WG / PE) * (tiles * (GMT + 2) + GMT); the two sides of the branch diverge.
    fn closed_form(self, configuration: &Configuration) -> u64 {
        let number = |position: usize| u64::try_from(configuration.0[position]).unwrap();
        let (size, work_group, tile) = (u64::try_from(self.size).unwrap(), number(0), number(1));
        let body = size / tile * (self.global_memory + 2) + self.global_memory;
        (size / work_group).div_ceil(self.multiprocessors) * work_group.div_ceil(self.elements) * body
    }
}

fn grid() -> Vec<Point> {
    let mut points = Vec::new();
    for size in [8, 32] {
        for multiprocessors in [1, 3] {
            for (dispatchers, elements) in [(1, 2), (2, 4), (2, 8), (4, 8)] {
                for global_memory in [1, 10] {
                    points.push(Point { size, multiprocessors, dispatchers, elements, global_memory });
                }
            }
        }
    }
    points
}

fn assert_closed_form(spec: &Spec, point: Point) {
    let profile = point.profile();
    let survey: Survey =
        autotune::space::survey(spec, &profile, &SourceReader::default(), None, &Limits::default()).unwrap().unwrap();
    let expected: TiVec<ProgramId, u64> = survey
        .programs
        .iter()
        .map(|distinct| point.closed_form(&survey.entries.get(distinct.entry).configuration))
        .collect();
    // The native evaluator's times are withheld.
    let unknown = Estimates {
        evaluations: vec![Some(Evaluation { events: 10_000, ..Evaluation::default() }); expected.len()].into(),
        bounds: vec![Bound { ticks: 0, by: By::CriticalPath }; expected.len()].into(),
        searched: expected.keys().collect(),
        stopped: false,
    };
    let reader = SourceReader::default();
    let asked = Question::new(spec, &profile, &reader, "grid");
    let question = Question { strategy: Strategy::Bisection, no_prune: true, ..asked };
    let model = proof::models(&question, &survey, &unknown).unwrap().remove(0);
    let folder = tempfile::tempdir().unwrap();
    let members = model.candidates.clone();
    let mut checker = ModelChecker::new(model, folder.path().to_owned(), settings()).unwrap();
    let (ends, _) = checker.ends((1 << 60) - 1).unwrap();
    assert_eq!(ends.len(), expected.len());
    // The candidates are the programs in the survey's order.
    let program_of = |candidate: CandidateId| ProgramId::from(usize::from(candidate));
    for end in ends {
        assert_eq!(end.ticks, expected[program_of(members[end.configuration])], "{point:?}");
    }
    let optimum = *expected.iter().min().unwrap();
    assert_eq!(checker.find(optimum).unwrap().0, Found::None, "{point:?}");
    assert_ne!(checker.find(optimum + 1).unwrap().0, Found::None, "{point:?}");
}

#[test]
fn spins_optimum_is_that_of_the_closed_formula_on_a_grid() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tuning-specs/abstract_kernel.yaml");
    let mut spec = Spec::load(path.as_ref()).unwrap();
    for point in grid() {
        spec.set("size", point.size).unwrap();
        assert_closed_form(&spec, point);
    }
}
