//! Known answers about several scenarios.

use super::key::key;
use crate::doubts::doubts_of_fleet;
use crate::result::{FleetReport, Verdict};
use autotune_base::files::cache::{Cache, Key};
use autotune_base::files::checksum::sha256_of;
use autotune_base::text::json;
use autotune_base::text::words::printable;
use autotune_engine::proof::Question;
use autotune_engine::spin::Toolchain;

/// The entry of an answer about several scenarios.
pub(in crate::session) struct KnownFleet<'a> {
    cache: Cache,
    key: Key,
    /// A receiver of remarks.
    note: &'a dyn Fn(&str),
}

impl<'a> KnownFleet<'a> {
    /// The entry of these scenarios, with their weights and the most configurations of the answer, in a cache.
    pub(in crate::session) fn of(
        questions: &[Question],
        weights: &[u32],
        variants: usize,
        toolchain: &Toolchain,
        cache: Cache,
        note: &'a dyn Fn(&str),
    ) -> Self {
        let keys: Vec<Key> = questions.iter().map(|question| key(question, toolchain)).collect();
        let options = sha256_of(&(weights, variants));
        let parts = ["fleet", &options].into_iter().chain(keys.iter().map(Key::text));
        Self { cache, key: Key::of(parts), note }
    }

    /// Returns the cached answer. One that is not about these scenarios, that contradicts itself, or that differs from the
    /// native evaluator is removed from the cache, and a note says so.
    pub(in crate::session) fn report(&self, questions: &[Question], weights: &[u32]) -> Option<FleetReport> {
        let content = self.cache.get(&self.key)?;
        let flaw = match json::of_bytes::<FleetReport>(&content) {
            Ok(report) => match doubts_of_fleet(&report, questions, weights).first() {
                None if report.verdict == Verdict::Proved => return Some(report),
                None => "it says that it is not a whole proof".to_owned(),
                Some(doubt) => doubt.to_string(),
            },
            Err(error) => format!("it is not a result: {error}"),
        };
        let flaw = printable(&flaw);
        (self.note)(&format!("the answer in the cache is not believed and is removed, the proof is made anew: {flaw}"));
        self.cache.remove(&self.key);
        None
    }

    /// Keeps an answer if it is proved. A cache that cannot be written only makes the next answer slower.
    pub(in crate::session) fn keep(&self, report: &FleetReport) {
        if report.verdict != Verdict::Proved || report.stopped.is_some() {
            return;
        }
        let kept = serde_json::to_vec(report).map_err(Into::into).and_then(|text| self.cache.put(&self.key, &text));
        if let Err(error) = kept {
            (self.note)(&format!("this proof is not kept for later, the cache cannot be written: {error}"));
        }
    }
}
