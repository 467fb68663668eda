//! Known proofs: a question that was answered before is answered from the user's cache.

mod choice;

use serde_json::{Map, Value};

use crate::files::cache::{Cache, Key};
use crate::limits::Limits;
use crate::lowering::Lowering;
use crate::proof::Question;
use crate::result::{Report, Verdict};
use crate::space;
use crate::space::{Pruning, Space};
use crate::spin::{Tool, Toolchain};
use crate::ticks::Ticks;

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
        let flaw = match serde_json::from_slice(&content) {
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

/// The reason for which a result is not the question's answer; `None` if it is.
fn flaw(report: &Report, question: &Question) -> Option<String> {
    let spec = question.spec;
    let sizes: Map<String, Value> = spec.problem.iter().map(|(name, size)| (name.clone(), (*size).into())).collect();
    if (&*report.kernel, &*report.gpu, &report.problem) != (&*spec.kernel, question.gpu, &sizes) {
        return Some(format!(
            "it is of {} on {}, not of {} on {}",
            report.kernel, report.gpu, spec.kernel, question.gpu
        ));
    }
    if report.verdict != Verdict::Proved || report.stopped.is_some() {
        return Some("it says that it is not a whole proof".to_owned());
    }
    if let Some(contradiction) = report.contradictions().into_iter().next() {
        return Some(contradiction);
    }
    let optimum = report.optimum.as_ref()?;
    let places = report.top.iter().flatten().map(|place| (&place.parameters, place.ticks));
    let near = report.near.iter().flat_map(|near| &near.best).map(|one| (&one.parameters, one.ticks));
    let choice = report.choice().map(|choice| (&choice.parameters, choice.ticks));
    let told = std::iter::once((&optimum.parameters, optimum.ticks)).chain(places).chain(near).chain(choice);
    for (parameters, ticks) in told {
        let label = parameters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",");
        match evaluated(&label, question) {
            Ok((native, _)) if native != ticks => {
                return Some(format!("{label} takes {native} ticks by the evaluator, not {ticks}"));
            }
            Ok((_, work_group)) if *parameters == optimum.parameters && work_group != optimum.work_group => {
                return Some(format!("{label} has work groups of {work_group}, not of {}", optimum.work_group));
            }
            Ok(_) => {}
            Err(why) => return Some(format!("{label} has no time by the evaluator: {why}")),
        }
    }
    let microseconds = question.profile.microseconds(optimum.ticks.get());
    (microseconds != optimum.microseconds).then(|| {
        let shown =
            |time: Option<f64>| time.map_or("no microseconds".to_owned(), |time| format!("{time} microseconds"));
        format!("{} ticks are {}, not {}", optimum.ticks, shown(microseconds), shown(optimum.microseconds))
    })
}

/// The ticks of a configuration by the native evaluator, and the work items of its groups.
fn evaluated(label: &str, question: &Question) -> Result<(Ticks, u64), String> {
    let Question { spec, profile, .. } = question;
    let space = Space::new(spec, &profile.names(spec.resources.dynamic)).map_err(|why| why.to_string())?;
    let configuration = space.configuration(label).map_err(|why| why.to_string())?;
    let limits = Limits::default();
    let survey = space::survey(spec, profile, Some(&configuration), &limits).map_err(|why| why.to_string())?;
    let survey = survey.unwrap_or_default();
    let program = survey.programs.first().ok_or_else(|| survey.why_nothing_runs())?;
    let estimates = space::estimate(spec, &survey, Pruning::None, &limits).map_err(|why| why.to_string())?;
    let ticks = estimates.best().ok_or("it takes too long")?;
    Ok((ticks, program.work_group))
}

/// The key of a question: a hash of everything on which a result depends (the texts, the question, the tools, and this
/// build of the program).
fn key(question: &Question, toolchain: &Toolchain) -> Key {
    let Question {
        spec,
        profile,
        gpu,
        only,
        granularity,
        form,
        strategy,
        top,
        places: _,
        no_prune,
        rank,
        comparison,
        within: _,
    } = question;
    let compiled = Lowering::new(spec, profile).digest();
    let asked = format!("{:?}", (&spec.source, &spec.space_source, &spec.problem, profile, gpu, only, compiled));
    let options = format!("{:?}", (granularity, form, strategy, top, no_prune, rank, comparison));
    let tool = |tool: &Tool| format!("{} {}", tool.path.display(), tool.version);
    let quick = toolchain.quick_compiler.as_ref().map_or(String::new(), tool);
    Key::of_build(["proof", &asked, &options, &tool(&toolchain.spin), &tool(&toolchain.compiler), &quick])
}
