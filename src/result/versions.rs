//! Versions of kernels: predicted times against measured ones (`schemas/versions.json`).

use serde::Serialize;

use autotune_engine::compare::versions::{OrderedPairs, TimeFactors, TimedVersion, WorstPair};

/// The result of `autotune validate --versions FILE --format json`: how well versions of kernels are ordered, and how far
/// their predicted times are from the measured ones.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct VersionsReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = VersionsReport::SCHEMA)))]
    pub schema: &'static str,
    /// The pairs of all ladders together.
    pub pairs: PairsReport,
    /// The factors between predicted and measured times of all steps.
    pub factor: TimeFactorsReport,
    /// The ladders, in the order of their first steps in the file.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub ladders: Vec<LadderReport>,
}

/// Versions of a kernel on one GPU.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct LadderReport {
    /// The name.
    pub ladder: String,
    /// The GPU that times are predicted for: that of the file, or that of `--gpu`.
    pub gpu: String,
    /// The GPU that was measured: that of the file.
    pub measured_on: String,
    /// The pairs of steps.
    pub pairs: PairsReport,
    /// The pair whose predicted ratio is furthest from the measured one; null with a single step.
    pub worst: Option<WorstPairReport>,
    /// The steps, in the order of the file.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub steps: Vec<VersionReport>,
}

/// Pairs of steps of one ladder whose measured times differ by more than 5 %.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct PairsReport {
    /// The number of pairs whose predicted times have the order of the measured ones. Equal predictions have neither
    /// order.
    pub right: usize,
    /// The number of pairs.
    pub total: usize,
    /// The share of pairs in the right order; null without a pair.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub share: Option<f64>,
}

/// The factors between predicted and measured times: predicted / measured or its inverse, whichever is at least 1.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TimeFactorsReport {
    /// The median.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub median: f64,
    /// The least factor above those of nine of ten steps; the greatest one with fewer than ten.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub nine_of_ten: f64,
}

/// Two steps whose predicted ratio is wrong.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct WorstPairReport {
    /// The step with the greater measured time; the earlier one of two equal times.
    pub slower: String,
    /// The other step.
    pub faster: String,
    /// The predicted ratio of slower to faster, divided by the measured one: below 1 if the prediction understates what
    /// the change saves.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub ratio: f64,
}

/// A version of a kernel.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct VersionReport {
    /// The name of the step.
    pub step: String,
    /// The file of the source or of the spec, as the ladder names it.
    pub file: String,
    /// The kernel of the file; null if the ladder names none.
    pub kernel: Option<String>,
    /// The measured time in microseconds.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub measured_us: f64,
    /// The predicted time in microseconds.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub predicted_us: f64,
    /// The predicted time divided by the measured one.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub predicted_per_measured: f64,
}

/// A step of a ladder and its times.
#[derive(Debug, Clone, Copy)]
pub struct TimedStep<'a> {
    /// The name of the ladder.
    pub ladder: &'a str,
    /// The name of the GPU that times are predicted for.
    pub gpu: &'a str,
    /// The name of the GPU that was measured.
    pub measured_on: &'a str,
    /// The name of the step.
    pub step: &'a str,
    /// The file of the source or of the spec, as the ladder names it.
    pub file: &'a str,
    /// The kernel of the file; `None` if the ladder names none.
    pub kernel: Option<&'a str>,
    /// The measured and the predicted time.
    pub times: TimedVersion,
}

impl VersionsReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.versions/1";

    /// The report of the steps of all ladders, one ladder after the other.
    #[must_use]
    pub fn new(steps: &[TimedStep]) -> Self {
        let ladders: Vec<LadderReport> =
            steps.chunk_by(|one, other| one.ladder == other.ladder).filter_map(LadderReport::new).collect();
        let TimeFactors { median, nine_of_ten } = TimeFactors::new(&times(steps));
        Self {
            schema: Self::SCHEMA,
            pairs: PairsReport::sum(ladders.iter().map(|ladder| ladder.pairs)),
            factor: TimeFactorsReport { median, nine_of_ten },
            ladders,
        }
    }
}

impl LadderReport {
    /// The report of a ladder; `None` without a step.
    fn new(steps: &[TimedStep]) -> Option<Self> {
        let TimedStep { ladder, gpu, measured_on, .. } = *steps.first()?;
        let times = times(steps);
        let OrderedPairs { right, total } = OrderedPairs::new(&times);
        let name = |index: usize| steps[index].step.to_owned();
        let worst = WorstPair::new(&times).map(|WorstPair { slower, faster, ratio }| WorstPairReport {
            slower: name(slower),
            faster: name(faster),
            ratio,
        });
        Some(Self {
            ladder: ladder.to_owned(),
            gpu: gpu.to_owned(),
            measured_on: measured_on.to_owned(),
            pairs: PairsReport::new(right, total),
            worst,
            steps: steps.iter().map(VersionReport::new).collect(),
        })
    }
}

fn times(steps: &[TimedStep]) -> Vec<TimedVersion> {
    steps.iter().map(|step| step.times).collect()
}

impl VersionReport {
    fn new(step: &TimedStep) -> Self {
        let TimedStep { step, file, kernel, times, .. } = *step;
        Self {
            step: step.to_owned(),
            file: file.to_owned(),
            kernel: kernel.map(str::to_owned),
            measured_us: times.measured,
            predicted_us: times.predicted,
            predicted_per_measured: times.ratio(),
        }
    }
}

impl PairsReport {
    #[expect(clippy::cast_precision_loss, reason = "numbers of pairs are far below 2^53")]
    fn new(right: usize, total: usize) -> Self {
        Self { right, total, share: (total > 0).then(|| right as f64 / total as f64) }
    }

    /// The pairs of several ladders together.
    fn sum(ladders: impl Iterator<Item = Self> + Clone) -> Self {
        Self::new(ladders.clone().map(|pairs| pairs.right).sum(), ladders.map(|pairs| pairs.total).sum())
    }
}
