//! Proofs that were finished before: the same question is answered from the user's cache.

use super::output;
use crate::cache::{Cache, Key};
use crate::report::{Report, Verdict};
use crate::spin::{Tool, Toolchain};
use crate::tuning::Question;

/// Where a question's answer is kept, once it is proved.
pub(super) struct Known {
    cache: Cache,
    key: Key,
}

impl Known {
    /// The place of a question in a cache.
    pub(super) fn of(question: &Question, toolchain: &Toolchain, cache: Cache) -> Self {
        Self { cache, key: key(question, toolchain) }
    }

    /// The result as it was, but for its cost.
    pub(super) fn report(&self) -> Option<Report> {
        serde_json::from_slice(&self.cache.get(&self.key)?).ok()
    }

    /// Keeps a result if it is proved. A cache that cannot be written makes the next answer slower, and this one no worse.
    pub(super) fn keep(&self, report: &mut Report) {
        if report.verdict != Verdict::Proved || report.stopped.is_some() {
            return;
        }
        let cost = report.cost.take();
        let kept = serde_json::to_vec(report).map_err(Into::into).and_then(|text| self.cache.put(&self.key, &text));
        if let Err(error) = kept {
            output::note(&format!("this proof is not kept for later, the cache cannot be written: {error}"));
        }
        report.cost = cost;
    }
}

/// All that a result depends on: the texts, what is asked of them, the tools, and this very program.
fn key(question: &Question, toolchain: &Toolchain) -> Key {
    let Question { spec, profile, gpu, only, granularity, form, strategy, top, places: _, no_prune, rank, comparison } =
        question;
    let asked = format!("{:?}", (&spec.source, &spec.space_source, &spec.problem, profile, gpu, only));
    let options = format!("{:?}", (granularity, form, strategy, top, no_prune, rank, comparison));
    let tool = |tool: &Tool| format!("{} {}", tool.path.display(), tool.version);
    let quick = toolchain.quick_compiler.as_ref().map_or(String::new(), tool);
    Key::of(["proof", &asked, &options, &tool(&toolchain.spin), &tool(&toolchain.compiler), &quick, &this_program()])
}

/// Tells this build of the program from another one of the same version.
fn this_program() -> String {
    let metadata = std::env::current_exe().and_then(std::fs::metadata);
    metadata.map_or(String::new(), |metadata| format!("{} {:?}", metadata.len(), metadata.modified().ok()))
}
