//! Results for people and for programs. JSON comes first; what people read is a function of the same values.

mod build;
mod evaluation;
mod result;
mod terminal;

pub use evaluation::{Evaluated, EvaluationReport};
pub use result::{
    ConfigurationReport, Configurations, CostReport, EndsReport, ModelReport, Optimum, ProofReport, Report, RunReport,
    Status, Top, Verdict,
};
pub(crate) use result::{LISTED, SCHEMA, Values};
pub use terminal::{estimate, evaluation_for_people, for_people};
