//! The contents of a tuning's page beside its result: the times of the space, and the optimum's run.

use super::values::configuration;
use super::{ConfigurationReport, ListedStatus, Report};
use autotune_engine::explain::histogram::Histogram;
use autotune_engine::explain::landscape::{KnownTime, Landscape, LandscapePoint};
use autotune_engine::explain::{Account, PicturedRun, PicturedWave};
use autotune_lowering::gpu::Profile;
use autotune_lowering::spec::{Configuration, Spec};

/// The contents of a tuning's page beside its result. They are shown only and never written as JSON.
#[derive(Debug)]
pub struct PageReport {
    /// The kernel's description in the spec; empty if the spec does not state one.
    pub description: String,
    /// The spec's file; `None` if options of a command line stand for it.
    pub spec: Option<String>,
    /// The files of the kernel's source; empty if the spec has a body.
    pub source: Vec<String>,
    /// The name of the GPU's profile.
    pub profile: String,
    /// The times of the space.
    pub landscape: Landscape,
    /// The distribution of the times; `None` if fewer than 2 times are known.
    pub histogram: Option<Histogram>,
    /// The split of the optimum's time, or the reason why it cannot be computed; `None` without an optimum.
    pub time: Option<Result<Account, String>>,
    /// The optimum's wave; `None` without an optimum.
    pub wave: Option<PicturedWave>,
}

impl PageReport {
    /// The contents of a result's page. `run` is the optimum's run; `None` without an optimum.
    #[must_use]
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        report: &Report,
        landscape: Landscape,
        run: Option<PicturedRun>,
    ) -> Self {
        let (time, wave) = run.map(|run| (run.time, run.wave)).unzip();
        let files = spec.kernel_source.iter().flat_map(|stated| &stated.source.files);
        Self {
            description: spec.description.clone(),
            spec: (!spec.source.is_of_options()).then(|| spec.source.name().to_owned()),
            source: files.map(|file| file.display().to_string()).collect(),
            profile: profile.name().to_owned(),
            histogram: Histogram::new(&landscape.points, report.optimum.as_ref().map(|optimum| optimum.ticks)),
            landscape,
            time,
            wave,
        }
    }
}

impl Report {
    /// The configuration of the optimum; `None` without an optimum.
    #[must_use]
    pub fn optimal_configuration(&self, spec: &Spec) -> Option<Configuration> {
        Some(configuration(spec, &self.optimum.as_ref()?.parameters))
    }

    /// The listed configurations with their times.
    #[must_use]
    pub fn known_times(&self, spec: &Spec) -> Vec<LandscapePoint> {
        let point = |listed: &ConfigurationReport| LandscapePoint {
            configuration: configuration(spec, &listed.parameters),
            time: self.known_time(listed),
        };
        self.configurations.iter().map(point).collect()
    }

    fn known_time(&self, listed: &ConfigurationReport) -> KnownTime {
        let top = self.top.iter().flatten().find(|top| top.parameters == listed.parameters);
        let optimum = self.optimum.as_ref().filter(|_| listed.status == ListedStatus::Optimum);
        let proved = top.map(|top| top.ticks).or(optimum.map(|optimum| optimum.ticks));
        match (proved, listed.status, listed.ticks) {
            (Some(ticks), ..) => KnownTime::Proved(ticks),
            (None, ListedStatus::Infeasible, _) => KnownTime::Never,
            (None, _, Some(ticks)) => KnownTime::Evaluated(ticks),
            (None, _, None) => listed.bound.map_or(KnownTime::Unknown, KnownTime::AtLeast),
        }
    }
}
