//! The error of an expression that cannot be evaluated for a configuration.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use super::fault::Fault;
use autotune_base::text::{Place, Source};

/// The reason why an expression cannot be evaluated. `Display` prints the expression in its file and the values of its
/// names.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", .0.render())]
pub struct EvaluationError(pub(super) Box<Failure>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) fault: Fault,
    pub(super) expression: String,
    pub(super) source: Arc<Source>,
    pub(super) span: Range<usize>,
    pub(super) values: Vec<(String, i64)>,
}

impl EvaluationError {
    /// Returns the file and the place of the part that is at fault.
    #[must_use]
    pub fn place(&self) -> (String, Place) {
        let Failure { source, span, .. } = &*self.0;
        source.whereabouts(span.start)
    }

    /// Returns the fault.
    #[must_use]
    pub fn fault(&self) -> Fault {
        self.0.fault
    }
}

impl Failure {
    fn render(&self) -> String {
        let title = format!("`{}`: {}", self.expression, self.fault);
        let mut values = String::new();
        for (position, (name, value)) in self.values.iter().enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            let _ = write!(values, "{separator}{name} = {value}");
        }
        self.source.frame_of(&title, self.span.clone(), &values)
    }
}
