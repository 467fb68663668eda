//! Known proofs: a question that was answered before is answered from the user's cache.

mod choice;
mod fleet;
mod key;

use crate::doubts::doubts;
use crate::result::{Report, Verdict};
use autotune_base::files::cache::{Cache, Key};
use autotune_base::limits::Limits;
use autotune_base::text::json;
use autotune_base::text::words::printable;
use autotune_engine::proof::Question;
use autotune_engine::spin::Toolchain;
use key::key;

pub(super) use fleet::KnownFleet;

/// The entry of a question's answer.
pub(super) struct Known<'a> {
    cache: Cache,
    key: Key,
    /// A receiver of remarks.
    note: &'a dyn Fn(&str),
}

impl<'a> Known<'a> {
    /// The entry of a question in a cache.
    pub(super) fn of(question: &Question, toolchain: &Toolchain, cache: Cache, note: &'a dyn Fn(&str)) -> Self {
        Self { cache, key: key(question, toolchain), note }
    }

    /// Returns the cached result, except for its cost, and with the question's choice if it had another one. A result
    /// that is not the question's, that contradicts itself, or that differs from the native evaluator is removed from
    /// the cache, and a note says so.
    pub(super) fn report(&self, question: &Question, limits: &Limits) -> Option<Report> {
        let content = self.cache.get(&self.key)?;
        let flaw = match json::of_bytes(&content) {
            Ok(report) => match flaw(&report, question) {
                None if choice::is_asked(&report, question) => return Some(report),
                None => {
                    let mut chosen = choice::choose(&report, question, limits)?;
                    self.keep(&mut chosen);
                    return Some(chosen);
                }
                Some(flaw) => flaw,
            },
            Err(error) => format!("it is not a result: {error}"),
        };
        let flaw = printable(&flaw);
        (self.note)(&format!("the answer in the cache is not believed and is removed, the proof is made anew: {flaw}"));
        self.cache.remove(&self.key);
        None
    }

    /// Keeps a result if it is proved. A cache that cannot be written only makes the next answer slower.
    pub(super) fn keep(&self, report: &mut Report) {
        if report.verdict != Verdict::Proved || report.stopped.is_some() {
            return;
        }
        let cost = report.cost.take();
        let kept = serde_json::to_vec(report).map_err(Into::into).and_then(|text| self.cache.put(&self.key, &text));
        if let Err(error) = kept {
            (self.note)(&format!("this proof is not kept for later, the cache cannot be written: {error}"));
        }
        report.cost = cost;
    }
}

/// The reason why a result is not the question's answer; `None` if it is.
fn flaw(report: &Report, question: &Question) -> Option<String> {
    if let Some(doubt) = doubts(report, Some(question)).first() {
        return Some(doubt.to_string());
    }
    let is_whole = report.verdict == Verdict::Proved && report.stopped.is_none();
    (!is_whole).then(|| "it says that it is not a whole proof".to_owned())
}
