//! The kept proofs of one scenario, and what their questions must be about.

use std::path::Path;

use super::folder::{parts_of, scenario_folder};
use crate::certificate::deviation::Deviation;
use crate::certificate::hashes;
use crate::certificate::kept::Kept;
use crate::certificate::scripts::RESULT;
use crate::result::{FleetReport, Report, ScenarioProofs};
use autotune_base::files;
use autotune_base::limits::Interrupt;
use autotune_lowering::spec::Configuration;

/// The kept proofs of a scenario.
pub(super) struct KeptScenario {
    pub(super) optimum: (Kept, Report),
    pub(super) best: (Kept, Report),
    pub(super) others: Option<(Kept, Report)>,
    pub(super) weight: u32,
}

impl KeptScenario {
    pub(super) fn read(
        folder: &Path,
        scenario: usize,
        claimed: &FleetReport,
        interrupt: &Interrupt,
    ) -> Result<Self, Deviation> {
        let part = |part: &str| {
            let name = format!("{}/{part}", scenario_folder(scenario));
            let here = folder.join(&name);
            let in_part = |why: Deviation| Deviation::new(format!("{name}/{}", why.place), why.what);
            let kept = Kept::read(&here).map_err(in_part)?.interrupted_by(interrupt);
            let text = files::kept(&here.join(RESULT), hashes::LARGEST_FILE).called(RESULT).text();
            let report = text.map_err(|why| why.to_string());
            let report = report.and_then(|text| serde_json::from_str::<Report>(&text).map_err(|why| why.to_string()));
            let mut report = report.map_err(|why| Deviation::new(format!("{name}/{RESULT}"), why))?;
            if part != "best" {
                // Nothing else reads what these list, and it may be large.
                report.configurations.clear();
            }
            Ok((kept, report))
        };
        let has_others = parts_of(claimed).contains(&format!("{}/others", scenario_folder(scenario)));
        Ok(Self {
            optimum: part("optimum")?,
            best: part("best")?,
            others: has_others.then(|| part("others")).transpose()?,
            weight: claimed.scenarios[scenario].weight,
        })
    }

    /// The answers beside that about the scenario's own optimum.
    pub(super) fn proofs(&self) -> ScenarioProofs {
        ScenarioProofs { best: self.best.1.clone(), others: self.others.as_ref().map(|others| others.1.clone()) }
    }

    /// The faults of the questions of a scenario's proofs: they must be about one spec, GPU and problem, and about the
    /// configurations that the choice names.
    pub(super) fn faults(
        &self,
        number: usize,
        first: &Kept,
        best: &[Configuration],
        others: &[Configuration],
    ) -> Vec<Deviation> {
        let optimum = &self.optimum.0;
        let others = Some(others).filter(|others| !others.is_empty());
        let mut faults = Vec::new();
        let mut check = |part: &str, is_right: bool, what: &str| {
            if !is_right {
                faults.push(Deviation::new(format!("{}/{part}", scenario_folder(number)), what));
            }
        };
        check("optimum", optimum.asks_the_kernel_of(first), "it is about another kernel than the first scenario");
        check("optimum", optimum.is_about(None), "it is not about the scenario's whole space");
        for (part, kept, among) in
            [("best", Some(&self.best.0), Some(best)), ("others", self.others.as_ref().map(|(kept, _)| kept), others)]
        {
            match (kept, among) {
                (Some(kept), Some(among)) => {
                    check(part, kept.asks_in_the_scenario_of(optimum), "it is about another scenario than `optimum`");
                    check(part, kept.is_about(Some(among)), "it is not about the configurations that the choice names");
                }
                (None, None) => {}
                (Some(_), None) => check(part, false, "no configuration is assigned to this scenario"),
                (None, Some(_)) => check(part, false, "it is missing"),
            }
        }
        faults
    }
}

impl Kept {
    /// True if the question is about the kernel of another one.
    fn asks_the_kernel_of(&self, other: &Self) -> bool {
        let texts = |kept: &Self| (kept.spec.source.text().to_owned(), kept.space_text(), kept.spec.requested_warm);
        texts(self) == texts(other) && self.is_usual()
    }

    /// True if the question is about kernel, GPU and problem sizes of another one.
    fn asks_in_the_scenario_of(&self, other: &Self) -> bool {
        let (one, two) = (self.question(), other.question());
        let same =
            (one.gpu, one.profile, &one.spec.problem, one.only) == (two.gpu, two.profile, &two.spec.problem, two.only);
        same && self.asks_the_kernel_of(other)
    }

    fn space_text(&self) -> Option<String> {
        self.spec.space_source.as_ref().map(|source| source.text().to_owned())
    }

    /// True if the question is about these configurations, or about the whole space. One that names its only
    /// configuration is about that.
    fn is_about(&self, among: Option<&[Configuration]>) -> bool {
        let question = self.question();
        let listed = question.spec.listed.as_deref().filter(|_| question.spec.is_restricted);
        let sorted = among.map(|among| {
            let mut sorted = among.to_vec();
            sorted.sort_unstable();
            sorted
        });
        if let Some(only) = question.only {
            return listed.is_none() && sorted.is_none_or(|sorted| sorted == [only.clone()]);
        }
        listed == sorted.as_deref()
    }
}
