//! The searches and replays of a proof, done again.

mod kept;
mod play;
mod record;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::claim::{self, Theorem};
use super::{CertificateError, Difference, Verification};
use crate::report::{EndsReport, ModelReport};
use crate::scratch::Scratch;
use crate::spin::pan_output::End;
use crate::spin::{Found, ModelChecker, Settings, SpinError, WITNESSES};

/// Repeats the proof of one theorem, model by model; returns what differs.
pub(super) fn theorem(
    folder: &Path,
    theorem: &Theorem,
    settings: &Settings,
    verification: &mut Verification,
) -> Result<Vec<Difference>, CertificateError> {
    let place = &theorem.folder;
    let models = claim::models(&folder.join(place));
    let mut differences = check_members(folder, theorem, models);
    let (mut optimal, mut trails) = (BTreeSet::new(), 0);
    for number in 1..=models {
        let place = format!("{place}/model-{number}");
        let mut repetition = Repetition::new(theorem, place, folder);
        let temporary = Scratch::new()?;
        let model = theorem.models.and_then(|claims| claims.get(number - 1));
        match repetition.model(model, temporary.path(), settings) {
            Ok(()) => {}
            Err(SpinError::Stopped(stop)) => return Err(SpinError::Stopped(stop).into()),
            Err(SpinError::Process(error)) => return Err(SpinError::Process(error).into()),
            Err(error) => repetition.differs("model.pml", format!("it cannot be repeated: {error}")),
        }
        verification.models += 1;
        verification.configurations += repetition.labels.len();
        trails += repetition.trails;
        differences.extend(repetition.differences);
        optimal.extend(repetition.optimal);
    }
    for missing in theorem.shown.difference(&optimal) {
        let what = format!("{missing} does not end at {}, as result.json says", theorem.ticks);
        differences.push(Difference::new(place, what));
    }
    if trails == 0 {
        let what = format!("no trail shows a configuration that takes {} ticks", theorem.ticks);
        differences.push(Difference::new(place, what));
    }
    verification.trails += trails;
    Ok(differences)
}

/// The models must be as many as the result says, and hold the configurations that it says.
fn check_members(folder: &Path, theorem: &Theorem, models: usize) -> Vec<Difference> {
    let place = &theorem.folder;
    let mut differences = Vec::new();
    if models == 0 || theorem.models.is_some_and(|claims| claims.len() != models) {
        let claimed = theorem.models.map_or("at least one".to_owned(), |claims| claims.len().to_string());
        let what = format!("it holds {models} models, but result.json says that {claimed} were searched");
        differences.push(Difference::new(place, what));
    }
    if let Some(expected) = &theorem.members {
        let members = claim::members(&folder.join(place));
        if let Some(first) = members.difference(expected).next() {
            differences.push(Difference::new(place, format!("its models hold {first}, which was not to be searched")));
        }
        if let Some(first) = expected.difference(&members).next() {
            differences
                .push(Difference::new(place, format!("its models do not hold {first}, which was to be searched")));
        }
    }
    differences
}

/// A model that is searched again.
struct Repetition<'a> {
    theorem: &'a Theorem<'a>,
    /// Its folder's name from the proof's.
    place: String,
    folder: PathBuf,
    /// Its configurations by SPIN's numbers.
    labels: Vec<String>,
    differences: Vec<Difference>,
    /// Configurations that ended at the theorem's time.
    optimal: BTreeSet<String>,
    /// How many trails were replayed.
    trails: usize,
}

impl<'a> Repetition<'a> {
    fn new(theorem: &'a Theorem<'a>, place: String, folder: &Path) -> Self {
        let folder = folder.join(&place);
        let (labels, differences, optimal) = (Vec::new(), Vec::new(), BTreeSet::new());
        Self { theorem, place, folder, labels, differences, optimal, trails: 0 }
    }

    fn differs(&mut self, file: &str, what: impl Into<String>) {
        let place = if file.is_empty() { self.place.clone() } else { format!("{}/{file}", self.place) };
        self.differences.push(Difference::new(place, what));
    }

    fn model(&mut self, claim: Option<&ModelReport>, temporary: &Path, settings: &Settings) -> Result<(), SpinError> {
        let model = self.kept_model(claim)?;
        if let Some(claim) = claim {
            self.kept_outputs(claim)?;
        }
        let mut checker = ModelChecker::new(model, temporary.to_owned(), settings.clone())?;
        self.search_again(&mut checker, claim)?;
        self.replay_again(&mut checker)
    }

    fn search_again(&mut self, checker: &mut ModelChecker, claim: Option<&ModelReport>) -> Result<(), SpinError> {
        let ticks = self.theorem.ticks;
        if let Found::Witnesses(faster) = checker.find(ticks)?.0 {
            let faster: Vec<String> = faster.iter().map(|end| self.end(*end)).collect();
            self.differs("model.pml", format!("the property does not hold at {ticks}: {}", faster.join(", ")));
        }
        let witnesses = match checker.find(ticks + 1)?.0 {
            Found::Witnesses(witnesses) => witnesses,
            Found::None => Vec::new(),
        };
        for end in &witnesses {
            self.is_optimal(*end, "model.pml", "the counterexample");
        }
        let (ends, _) = checker.ends(ticks + 1)?;
        let done: Vec<&End> = ends.iter().filter(|end| end.done && end.ticks <= ticks).collect();
        for end in &done {
            self.is_optimal(**end, "model.pml", "a run");
        }
        if witnesses.is_empty() != done.is_empty() {
            let found = witnesses.len();
            self.differs("model.pml", format!("{} runs end before {}, {found} are found", done.len(), ticks + 1));
        }
        let mut chosen: Vec<usize> = ends.iter().map(|end| end.configuration).collect();
        chosen.sort_unstable();
        if chosen != (0..self.labels.len()).collect::<Vec<_>>() {
            let (ran, listed) = (ends.len(), self.labels.len());
            self.differs("configurations.txt", format!("SPIN ran {ran} configurations, not each of {listed} once"));
        }
        self.check_record(done.len())?;
        let counts = EndsReport { done: done.len(), cut: ends.len() - done.len(), stuck: 0 };
        if let Some(claim) = claim.filter(|claim| claim.ends != counts) {
            let (found, claimed) = (in_words(counts), in_words(claim.ends));
            self.differs("model.pml", format!("runs end {found}; result.json says {claimed}"));
        }
        Ok(())
    }

    /// Replays the kept counterexamples of T + 1.
    fn replay_again(&mut self, checker: &mut ModelChecker) -> Result<(), SpinError> {
        let bound = self.theorem.ticks + 1;
        for name in self.files(WITNESSES)?.into_iter().filter(|name| name.contains(&format!("-{bound}-"))) {
            let file = format!("{WITNESSES}/{name}");
            match checker.replay_kept(bound, &self.folder.join(&file)) {
                Ok(end) => {
                    self.is_optimal(end, &file, "its replay");
                    self.trails += 1;
                }
                Err(SpinError::NotUnderstood { .. }) => {
                    self.differs(&file, format!("its replay does not end in DONE before {bound}"));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// A run that ends before T + 1 is one of those that the result names, and takes T.
    fn is_optimal(&mut self, end: End, file: &str, what: &str) {
        let named = &self.theorem.named;
        let label = self.labels.get(end.configuration);
        let is_named = label.is_some_and(|label| named.labels.contains(label));
        if end.ticks == self.theorem.ticks && (is_named || !named.are_all) {
            self.optimal.extend(label.cloned());
        } else {
            let labels: Vec<&str> = named.labels.iter().map(String::as_str).collect();
            let claimed = format!("{} in {} ticks", labels.join(", "), self.theorem.ticks);
            self.differs(file, format!("{what} shows {}, result.json {claimed}", self.end(end)));
        }
    }

    fn end(&self, end: End) -> String {
        let label = self.labels.get(end.configuration).map_or("a configuration that is not listed", String::as_str);
        format!("{label} in {} ticks", end.ticks)
    }
}

fn in_words(ends: EndsReport) -> String {
    format!("{} in DONE before T + 1, {} in CUT", ends.done, ends.cut)
}
