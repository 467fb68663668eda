//! One configuration for many scenarios: the one whose worst slowdown is least.
//!
//! A *scenario* is a GPU and a value for each problem size; T*(s) is the optimum of its own space. The *common space* has
//! the configurations that every scenario's space contains and that are feasible in all. The slowdown of a configuration
//! in a scenario is its time over T*(s); its worst slowdown is at least 1. Slowdowns are exact rationals.
//!
//! [`choose`] finds the least worst slowdown natively and assigns each other configuration to a scenario where it is slower
//! than that. Searches prove the choice: the assignment is only a hint for them.
//!
//! [`UnionSpace::choose`] finds a few configurations that lose least together, and [`refute`] the tree that shows with the
//! searches that no others lose less.

mod choice;
mod decision;
mod evaluated;
mod native;
mod refutation;
mod slowdown;
mod space;
mod union;
mod variants;

pub use choice::{BEST_LISTED, Choice, Ranked, ScenarioTimes, choose};
pub use decision::{Cells, Decision, VariantSet};
pub use evaluated::EvaluatedScenarios;
pub use native::ScenarioTimeError;
pub use refutation::{MOST_BRANCHES, Refutation, RefutationNode, Unrefuted, refute};
pub use slowdown::{Slowdown, rounded};
pub use space::{CommonSpace, Exclusions, NearestConfiguration, exclusions, is_anything_feasible, surveyed};
pub use union::{UnionSpace, VariantChoice, VariantsFound};
pub use variants::{MOST_VARIANTS, OutOfWork, Variants, choose_variants};
