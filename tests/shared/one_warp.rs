//! Programs of a single warp.

use autotune::machine::{Program, Statement};

/// The program of one warp of one group, alone on the machine.
pub(crate) fn one_warp(body: Vec<Statement>) -> Program {
    Program {
        multiprocessors: 1,
        dispatchers: 1,
        groups: 1,
        resident_groups: 1,
        warps_per_group: 1,
        passes: 1,
        launch: 0,
        body,
    }
}
