//! The form of waves: more warps than SPIN has processes, and a stack that does not grow with the events.

use autotune::machine::{Program, Server, Statement, evaluate};
use autotune::model::{self, Form, ModelError};

use crate::{NONE, candidates, checker, warp_models};

/// Warps of `groups` groups that load, meet and compute, `count` times.
fn program(groups: u64, warps_per_group: u64, count: u64) -> Program {
    let use_of = |server, occupancy, latency| Statement::Use { server, occupancy, latency };
    Program {
        multiprocessors: 1,
        dispatchers: 4,
        groups,
        resident_groups: groups,
        warps_per_group,
        passes: 1,
        launch: 0,
        body: vec![Statement::Loop {
            count,
            body: vec![
                use_of(Server::Memory, 3, 400),
                Statement::barrier(2),
                use_of(Server::Dispatcher, 5, 22),
                use_of(Server::Local, 1, 30),
            ],
        }],
    }
}

#[test]
fn two_thousand_warps_run_in_the_form_of_waves_only() {
    for large in [program(63, 32, 2), program(2, 1000, 2), program(2000, 1, 2)] {
        let some = [large];
        let ticks = evaluate(&some[0], u64::MAX).unwrap().ticks;
        let refused = model::warp("random", "abstract", Form::Roles, &candidates(&some));
        assert!(matches!(refused, Err(ModelError::TooManyProcesses { processes, .. }) if processes > 2000));
        assert_eq!(Form::suited_to(&candidates(&some)), Form::Wave);
        let model = warp_models(Form::Wave, &some).remove(0);
        let (vector_bytes, depth) = (model.vector_bytes, model.depth);
        let folder = tempfile::tempdir().unwrap();
        let mut checker = checker(model, folder.path());
        assert_eq!(checker.ends(NONE).unwrap().0[0].ticks, ticks);
        let model = checker.model();
        assert_eq!((model.vector_bytes, model.depth), (vector_bytes, depth), "estimated too small");
    }
}

#[test]
fn steps_and_states_do_not_grow_with_the_events() {
    let folder = tempfile::tempdir().unwrap();
    let some = [crate::plain(warp_models(Form::Wave, &[program(4, 4, 2000)]).remove(0))];
    let [model] = some;
    let (_, statistics) = checker(model, folder.path()).find(NONE).unwrap();
    assert!(statistics.steps < 40 && statistics.states <= 3, "{statistics:?}");
}
