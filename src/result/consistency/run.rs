//! The check that the claims of a measured run do not contradict each other.

use crate::result::{MeasuredRunReport, RunStatus};

impl MeasuredRunReport {
    /// Sentences, each of which names a claim that another claim of the run contradicts; empty if no claims contradict
    /// each other.
    #[must_use]
    pub fn contradictions(&self) -> Vec<String> {
        let (number, status) = (self.number, self.status.in_words());
        let is_ok = self.status == RunStatus::Ok;
        let mut wrong = Vec::new();
        if self.time_ms.is_some() != is_ok {
            let time = self.time_ms.map_or("no time".to_owned(), |time| format!("a time of {time} ms"));
            wrong.push(format!("run {number} has the status `{status}` and {time}"));
        }
        if self.time_ms.is_some_and(|time| time <= 0.0) {
            wrong.push(format!("run {number} took no time"));
        }
        if self.reason.is_some() == is_ok || self.output.is_some() == is_ok {
            let reason = self.reason.as_deref().unwrap_or("no reason");
            wrong.push(format!("run {number} has the status `{status}` and {reason}"));
        }
        wrong
    }
}
