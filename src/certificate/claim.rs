//! What `result.json` says of a proof, held against itself.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use fs_err as fs;

use super::{Difference, RESULT};
use crate::files;
use crate::report::{
    ConfigurationReport, LISTED, ModelReport, Optimum, ProofReport, Report, RunReport, SCHEMA, Status, Top, Values,
    Verdict,
};

/// The strategy whose searches lower their bound.
const DESCENT: &str = "branch-and-bound";
/// How an optimum can be searched for.
const STRATEGIES: [&str; 3] = ["bisection", "blind", DESCENT];

/// A result has no more bytes.
const LARGEST_RESULT: u64 = 1024 * files::MIB;

/// A result that says that it is proved.
pub(super) struct Claim {
    pub(super) report: Report,
    pub(super) optimum: Optimum,
    pub(super) proof: ProofReport,
}

/// One thing that was proved: no configuration of these models takes less than `ticks`, and those that are named take so many.
pub(super) struct Theorem<'a> {
    /// The claim that it is a part of.
    pub(super) claim: &'a Claim,
    /// Where its models are.
    pub(super) folder: String,
    pub(super) ticks: u64,
    pub(super) named: Named,
    /// Those of them that SPIN must show; of the others the result says that their programs are those of these.
    pub(super) shown: BTreeSet<String>,
    /// What the result says of its models; of those of later places it says nothing.
    pub(super) models: Option<&'a [ModelReport]>,
    /// The configurations that its models must hold, where that is known.
    pub(super) members: Option<BTreeSet<String>>,
    /// Events of the optimum: they tell what a search costs.
    pub(super) events: u64,
}

/// Which configurations take the theorem's ticks.
pub(super) struct Named {
    /// By their parameters.
    pub(super) labels: BTreeSet<String>,
    /// Whether no others do.
    pub(super) are_all: bool,
}

impl Claim {
    /// Reads the result of a folder, or says what is wrong with it.
    pub(super) fn read(folder: &Path) -> io::Result<Result<Self, Difference>> {
        let wrong = |what: String| Ok(Err(Difference::new(RESULT, what)));
        let text = match files::kept(&folder.join(RESULT), LARGEST_RESULT).unnamed().text() {
            Ok(text) => text,
            Err(error) => return wrong(format!("it cannot be read: {error}")),
        };
        let mut report: Report = match serde_json::from_str(&text) {
            Ok(report) => report,
            Err(error) => return wrong(format!("it is no result: {error}")),
        };
        if report.schema != SCHEMA {
            return wrong(format!("the schema `{}` is not known", report.schema));
        }
        match (report.verdict, report.optimum.take(), report.proof.take()) {
            (Verdict::Proved, Some(optimum), Some(proof)) => Ok(Ok(Self { report, optimum, proof })),
            (Verdict::Proved, ..) => wrong("it has no optimum or no proof".to_owned()),
            (Verdict::BestEffort, ..) => {
                let stopped = report.stopped.unwrap_or_default();
                wrong(format!("this is no proof: its verdict is best_effort, the search was stopped by {stopped}"))
            }
            (Verdict::Infeasible, ..) => wrong("this is no proof: no configuration is feasible".to_owned()),
        }
    }

    /// What the result says against itself.
    pub(super) fn contradictions(&self) -> Vec<Difference> {
        let mut wrong = Vec::new();
        self.check_runs(&mut wrong);
        self.check_counts(&mut wrong);
        self.check_configurations(&mut wrong);
        self.check_top(&mut wrong);
        self.check_circumstances(&mut wrong);
        wrong.into_iter().map(|what| Difference::new(RESULT, what)).collect()
    }

    fn check_runs(&self, wrong: &mut Vec<String>) {
        let (ticks, models) = (self.optimum.ticks, &self.proof.models);
        if self.proof.property != format!("[] (DONE -> (time >= {ticks}))") {
            wrong.push(format!("the property is not about the optimum's {ticks} ticks: {}", self.proof.property));
        }
        for (number, model) in models.iter().enumerate() {
            if !model.runs.iter().any(|run| run.holds && run.bound == ticks) {
                wrong.push(format!("model {} has no run in which the property holds at {ticks}", number + 1));
            }
        }
        let found = |run: &RunReport| run.bound.checked_sub(1) == Some(ticks) && run.ticks == Some(ticks);
        if !models.iter().any(|model| model.runs.iter().any(found)) {
            wrong.push(format!("no run has a counterexample of {ticks} ticks"));
        }
        let impossible = |run: &&RunReport| match run.ticks {
            None => !run.holds || run.bound > ticks,
            Some(time) => run.holds || time < ticks || time >= run.bound,
        };
        for run in models.iter().flat_map(|model| &model.runs).filter(impossible) {
            wrong.push(format!("the run at {} says that the optimum is not {ticks}", run.bound));
        }
    }

    fn check_counts(&self, wrong: &mut Vec<String>) {
        let (counts, models) = (&self.proof.configurations, &self.proof.models);
        let sum = |parts: &mut dyn Iterator<Item = u128>| parts.fold(0, u128::saturating_add);
        if sum(&mut [counts.infeasible, counts.pruned, counts.equal, counts.checked].into_iter()) != counts.all {
            wrong.push("the counts of configurations do not add up".to_owned());
        }
        if sum(&mut models.iter().map(|model| model.configurations as u128)) != counts.checked {
            wrong.push("the models do not hold as many configurations as were searched".to_owned());
        }
        if models.iter().any(|model| model.ends.stuck != 0) {
            wrong.push("runs are stuck".to_owned());
        }
        if !self.lists_all() {
            return;
        }
        let count = |is: &dyn Fn(&ConfigurationReport) -> bool| {
            self.report.configurations.iter().filter(|one| is(one)).count() as u128
        };
        let equal = |one: &ConfigurationReport| {
            one.status == Status::Equal || (one.status == Status::Optimum && one.same_as.is_some())
        };
        for (what, counted, listed) in [
            ("", counts.all, count(&|_| true)),
            ("infeasible ", counts.infeasible, count(&|one| one.status == Status::Infeasible)),
            ("pruned ", counts.pruned, count(&|one| one.status == Status::Pruned)),
            ("equal ", counts.equal, count(&equal)),
            ("searched ", counts.checked, count(&is_searched)),
        ] {
            if counted != listed {
                wrong.push(format!("{listed} {what}configurations are listed, {counted} are counted"));
            }
        }
    }

    /// Each configuration's time and bound must agree with the optimum.
    fn check_configurations(&self, wrong: &mut Vec<String>) {
        let ticks = self.optimum.ticks;
        let (named, shown) = (self.tied(), self.configurations(is_tied));
        for one in &self.report.configurations {
            let label = label(&one.parameters);
            let agrees = match one.status {
                Status::Optimum => {
                    one.ticks == Some(ticks)
                        && (named.contains(&label) || self.report.ties_omitted > 0)
                        && one.same_as.as_ref().is_none_or(|other| shown.contains(&self::label(other)))
                }
                Status::Checked | Status::Equal => one.ticks.is_some_and(|time| time > ticks),
                Status::Pruned => one.bound.is_some_and(|bound| bound > ticks),
                Status::Infeasible => true,
            };
            if !agrees || (one.status != Status::Optimum && named.contains(&label)) {
                wrong.push(format!("what it says of {label} is at odds with the optimum of {ticks} ticks"));
            }
        }
        let optimal = self.report.configurations.iter().filter(|one| one.status == Status::Optimum).count();
        if self.lists_all() && optimal != named.len() + self.report.ties_omitted {
            wrong.push(format!("{optimal} configurations are listed as optimal, but {} are named", named.len()));
        }
    }

    fn check_top(&self, wrong: &mut Vec<String>) {
        let Some(top) = &self.report.top else { return };
        let starts = top.first().is_some_and(|first| {
            first.ticks == self.optimum.ticks
                && (self.tied().contains(&label(&first.parameters)) || self.report.ties_omitted > 0)
        });
        if !starts || !top.is_sorted_by_key(|place| place.ticks) {
            wrong.push("the best configurations do not begin with the optimum, or are not in order".to_owned());
        }
    }

    /// What is said beside the proof: how it was searched for, the tile, and the models that never exceed the machine's time.
    fn check_circumstances(&self, wrong: &mut Vec<String>) {
        let (proof, optimum) = (&self.proof, &self.optimum);
        if !STRATEGIES.contains(&proof.strategy.as_str()) {
            wrong.push(format!("the strategy `{}` is not known", proof.strategy));
        }
        let descends = proof.strategy == DESCENT;
        if proof.models.iter().any(|model| model.descent.is_some() != descends) {
            wrong.push(format!("its models' searches are not those of the strategy `{}`", proof.strategy));
        }
        if let Some((name, value)) =
            optimum.tile.iter().find(|(name, value)| optimum.parameters.get(*name) != Some(value))
        {
            wrong.push(format!("the tile's {name}={value} is none of the optimum's parameters"));
        }
        let bounds = self.report.analysis.iter().map(|analysis| analysis.max_plus);
        for (name, bound) in bounds.flat_map(|times| [("naive", times.naive), ("operations", times.operations)]) {
            if bound > u128::from(optimum.ticks) {
                wrong.push(format!(
                    "the max-plus bound `{name}` of {bound} ticks is above the optimum's {}",
                    optimum.ticks
                ));
            }
        }
    }

    /// The optimum, then each further place of `--top`.
    pub(super) fn theorems(&self, folder: &Path) -> Vec<Theorem<'_>> {
        let optimum = Theorem {
            claim: self,
            folder: "proof".to_owned(),
            ticks: self.optimum.ticks,
            named: Named { labels: self.tied(), are_all: self.report.ties_omitted == 0 },
            shown: self.configurations(is_tied),
            models: Some(&self.proof.models),
            members: self.lists_all().then(|| self.configurations(is_searched)),
            events: self.optimum.events,
        };
        let mut left = members(&folder.join("proof"));
        let top = self.report.top.as_deref().unwrap_or_default();
        let mut theorems = vec![optimum];
        for (number, pair) in top.windows(2).enumerate() {
            // Each place's models hold all but those of the places before it.
            left.remove(&label(&pair[0].parameters));
            theorems.push(self.place(number + 2, &pair[1], left.clone()));
        }
        theorems
    }

    fn place(&self, number: usize, place: &Top, members: BTreeSet<String>) -> Theorem<'_> {
        Theorem {
            claim: self,
            folder: format!("top-{number}"),
            ticks: place.ticks,
            // Those that are as fast have places of their own.
            named: Named { labels: BTreeSet::from([label(&place.parameters)]), are_all: false },
            shown: BTreeSet::from([label(&place.parameters)]),
            models: None,
            members: Some(members),
            events: self.optimum.events,
        }
    }

    fn lists_all(&self) -> bool {
        self.proof.configurations.all <= LISTED
    }

    /// The optimum and its ties.
    fn tied(&self) -> BTreeSet<String> {
        let ties = self.report.ties.as_deref().unwrap_or_default();
        std::iter::once(&self.optimum.parameters).chain(ties).map(label).collect()
    }

    /// The listed configurations of a kind.
    fn configurations(&self, is: fn(&ConfigurationReport) -> bool) -> BTreeSet<String> {
        self.report.configurations.iter().filter(|one| is(one)).map(|one| label(&one.parameters)).collect()
    }
}

/// Whether SPIN searched it.
fn is_searched(one: &ConfigurationReport) -> bool {
    is_tied(one) || one.status == Status::Checked
}

fn is_tied(one: &ConfigurationReport) -> bool {
    one.status == Status::Optimum && one.same_as.is_none()
}

/// How many models a proof's folder holds: they are numbered from 1.
pub(super) fn models(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("model-")).count()
}

/// The configurations of all models of a proof's folder, as far as they can be read.
pub(super) fn members(folder: &Path) -> BTreeSet<String> {
    let lists = (1..=models(folder)).map(|number| folder.join(format!("model-{number}/configurations.txt")));
    let texts: Vec<String> = lists.filter_map(|list| fs::read_to_string(list).ok()).collect();
    texts.iter().flat_map(|text| text.lines()).map(str::to_owned).collect()
}

/// A configuration as a model's list shows it.
fn label(parameters: &Values) -> String {
    parameters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}
