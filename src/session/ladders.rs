//! The ladders of `--versions`: versions of a kernel with their measured times, each a step.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use thiserror::Error;

use autotune_base::files;
use autotune_base::text::{Source, nearest};
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_base::yaml::{self, Error, Mistake, Spanned};
use autotune_lowering::gpu::{GpuError, Profile};

/// The greatest size of a file of ladders, in bytes.
const LARGEST_FILE: u64 = 16 * files::MIB;

/// The greatest number of steps of a file.
const MOST_STEPS: usize = 10_000;

/// The keys of a step.
const KEYS: [&str; 12] =
    ["ladder", "step", "file", "kernel", "gpu", "options", "measured_us", "source", "commit", "state", "doubt", "half"];

/// The range of measured times, in microseconds: a launch takes longer than a nanosecond and less than eleven days.
const TIMES: std::ops::RangeInclusive<f64> = 1e-3..=1e12;

/// The endings of `measured_…` in other units, with their microseconds.
const UNITS: [(&str, f64); 3] = [("s", 1e6), ("ms", 1e3), ("ns", 1e-3)];

/// A reason why a file of ladders cannot be used.
#[derive(Debug, Error)]
pub enum LaddersError {
    /// A file that cannot be read.
    #[error("cannot use ladders `{}`\n{why}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: std::io::Error,
    },
    /// A file without steps, or with too many.
    #[error("cannot use ladders `{}`\nit has {steps} steps, not 1 to {MOST_STEPS}", path.display())]
    Number {
        /// The file.
        path: PathBuf,
        /// The number of its steps.
        steps: usize,
    },
    /// A mistake in the file.
    #[error("cannot use ladders `{}`\n{rendered}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// The mistake with file, line, column and the line itself.
        rendered: String,
        /// The mend; `None` if the mistake says it.
        mend: Option<String>,
    },
    /// Another GPU for all ladders that is unknown, or whose profile cannot be used.
    #[error("cannot use GPU `{name}`\n{why}")]
    Gpu {
        /// The GPU as it was requested.
        name: String,
        /// The reason.
        why: GpuError,
    },
    /// Another GPU for all ladders that has no clock.
    #[error("{}", no_clock(.0))]
    NoClock(String),
}

impl UserError for LaddersError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::InFile { mend: Some(mend), .. } => Some(mend.clone()),
            Self::Gpu { why, .. } => why.help(),
            Self::NoClock(_) => Some(WITH_CLOCK.to_owned()),
            _ => Some(ADVICE.to_owned()),
        }
    }
}

const ADVICE: &str = "each step is an item such as `- { ladder: sum, step: plain, file: sum.cu, kernel: sum, gpu: a100, \
                      options: [--work-items, n], measured_us: 12.5 }`";

/// The mend of a GPU without a clock.
const WITH_CLOCK: &str = "name a real GPU: `autotune gpus` lists the profiles";

fn no_clock(gpu: &str) -> String {
    format!("`{gpu}` has no clock, and times are compared in microseconds")
}

/// A file of ladders.
#[derive(Debug)]
pub struct LadderFile {
    /// The ladders, in the order of their first steps.
    pub ladders: Vec<Ladder>,
    /// The text, for messages.
    source: Source,
}

/// Versions of a kernel on one GPU.
#[derive(Debug)]
pub struct Ladder {
    /// The name.
    pub name: String,
    /// The name of the GPU, or the path of its profile.
    pub gpu: String,
    /// The GPU as messages and results name it.
    pub gpu_name: String,
    /// The GPU that was measured, as results name it.
    pub measured_on: String,
    /// The versions, one or more.
    pub steps: Vec<LadderStep>,
}

/// A version of a kernel.
#[derive(Debug)]
pub struct LadderStep {
    /// The name in its ladder.
    pub name: String,
    /// The file of the source, or of a spec, as it is written.
    pub file: String,
    /// The path of the file.
    pub path: PathBuf,
    /// The kernel of the file; `None` if the file has only one, or is a spec.
    pub kernel: Option<String>,
    /// The options of `autotune evaluate`.
    pub options: Vec<String>,
    /// The measured time of a launch, in microseconds.
    pub measured_us: f64,
    /// The byte where the name is written.
    place: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    ladder: Spanned<String>,
    step: Spanned<String>,
    file: Spanned<String>,
    kernel: Option<String>,
    gpu: Spanned<String>,
    #[serde(default)]
    options: Vec<String>,
    measured_us: Option<Spanned<f64>>,
    measured_s: Option<Spanned<Value>>,
    measured_ms: Option<Spanned<Value>>,
    measured_ns: Option<Spanned<Value>>,
    #[serde(rename = "source")]
    _source: Option<IgnoredAny>,
    #[serde(rename = "commit")]
    _commit: Option<IgnoredAny>,
    #[serde(rename = "state")]
    _state: Option<IgnoredAny>,
    #[serde(rename = "doubt")]
    _doubt: Option<IgnoredAny>,
    #[serde(rename = "half")]
    _half: Option<IgnoredAny>,
}

impl LadderFile {
    /// Reads a file of ladders.
    ///
    /// # Errors
    /// If the file is not a list of steps, or a value of a step cannot be used; the error shows the place.
    pub fn read(path: &Path) -> Result<Self, LaddersError> {
        let text = files::named(path, LARGEST_FILE).text();
        let text = text.map_err(|why| LaddersError::Read { path: path.to_owned(), why })?;
        let reader = Reader { path, source: Source::new(&path.display().to_string(), &text) };
        let budget = yaml::budget! { max_depth: 8, max_nodes: 1_000_000, max_documents: 1 };
        let raw: Vec<RawStep> = yaml::read(&text, yaml::within(budget)).map_err(|mistake| reader.mistake(&mistake))?;
        if raw.is_empty() || raw.len() > MOST_STEPS {
            return Err(LaddersError::Number { path: path.to_owned(), steps: raw.len() });
        }
        let ladders = reader.ladders(raw)?;
        Ok(Self { ladders, source: reader.source })
    }

    /// The ladders on another GPU.
    ///
    /// # Errors
    /// If the GPU is unknown, its profile cannot be used, or it has no clock.
    pub fn on(self, gpu: &str) -> Result<Self, LaddersError> {
        let profile = Profile::resolve(gpu).map_err(|why| LaddersError::Gpu { name: gpu.to_owned(), why })?;
        if profile.microseconds(1).is_none() {
            return Err(LaddersError::NoClock(gpu.to_owned()));
        }
        let name = profile.called(gpu).to_owned();
        let ladders = self.ladders.into_iter();
        let ladders = ladders.map(|ladder| Ladder { gpu: gpu.to_owned(), gpu_name: name.clone(), ..ladder }).collect();
        Ok(Self { ladders, ..self })
    }

    /// A message about a step, with its place.
    #[must_use]
    pub fn frame(&self, title: &str, step: &LadderStep) -> String {
        self.source.frame_of(title, yaml::word(self.source.text(), step.place, ",]}"), "")
    }
}

/// The text of a file that is read.
struct Reader<'a> {
    path: &'a Path,
    source: Source,
}

impl Reader<'_> {
    /// An error at the word that begins at a byte.
    fn error(&self, start: usize, what: &str, mend: Option<String>) -> LaddersError {
        let rendered = self.source.frame_of(what, yaml::word(self.source.text(), start, ",:]}"), "");
        LaddersError::InFile { path: self.path.to_owned(), rendered, mend }
    }

    /// An error of the parser.
    fn mistake(&self, mistake: &Mistake) -> LaddersError {
        let (what, mend) = match mistake.error() {
            Error::SerdeUnknownField { field, .. } => match nearest(field, KEYS) {
                Some(known) => (format!("unknown key `{field}`"), Some(format!("did you mean `{known}`?"))),
                None => (format!("unknown key `{field}`"), Some(format!("the keys are `{}`", KEYS.join("`, `")))),
            },
            Error::SerdeMissingField { field, .. } => (format!("the key `{field}` is missing"), None),
            _ => (mistake.words(), None),
        };
        self.error(mistake.start, &what, mend)
    }

    fn ladders(&self, raw: Vec<RawStep>) -> Result<Vec<Ladder>, LaddersError> {
        let mut ladders: Vec<Ladder> = Vec::new();
        for raw in raw {
            let known = ladders.iter().position(|ladder| ladder.name == raw.ladder.value);
            let place = known.unwrap_or(ladders.len());
            if known.is_none() {
                ladders.push(self.ladder(&raw)?);
            }
            let step = self.step(&ladders[place], raw)?;
            ladders[place].steps.push(step);
        }
        Ok(ladders)
    }

    /// The ladder that begins with a step, still empty.
    fn ladder(&self, raw: &RawStep) -> Result<Ladder, LaddersError> {
        let gpu = self.gpu_of(&raw.gpu);
        let profile = Profile::resolve(&gpu).map_err(|why| self.unusable_gpu(&raw.gpu, &why))?;
        let gpu_name = profile.called(&gpu).to_owned();
        if profile.microseconds(1).is_none() {
            return Err(self.error(yaml::start_of(&raw.gpu), &no_clock(&gpu_name), Some(WITH_CLOCK.to_owned())));
        }
        let measured_on = gpu_name.clone();
        Ok(Ladder { name: raw.ladder.value.clone(), gpu, gpu_name, measured_on, steps: Vec::new() })
    }

    fn unusable_gpu(&self, gpu: &Spanned<String>, why: &GpuError) -> LaddersError {
        let what = format!("cannot use GPU `{}`", gpu.value);
        let rendered = self.source.frame_of(&what, yaml::word(self.source.text(), yaml::start_of(gpu), ",]}"), "");
        LaddersError::InFile { path: self.path.to_owned(), rendered: format!("{rendered}\n{why}"), mend: why.help() }
    }

    fn step(&self, ladder: &Ladder, raw: RawStep) -> Result<LadderStep, LaddersError> {
        let (name, place) = (raw.step.value.clone(), yaml::start_of(&raw.step));
        if let Some(earlier) = ladder.steps.iter().find(|step| step.name == name) {
            let (line, of) = (self.source.place(earlier.place).line, &ladder.name);
            let what = format!("ladder `{of}` has a step `{name}` in line {line} too");
            return Err(self.error(place, &what, Some("give one of both another `step`".to_owned())));
        }
        if self.gpu_of(&raw.gpu) != ladder.gpu {
            let (own, first) = (&raw.gpu.value, &ladder.gpu_name);
            let what =
                format!("this step of ladder `{}` has the GPU `{own}`, and earlier ones have `{first}`", ladder.name);
            let mend = "a ladder is of one GPU: give the steps on another one another `ladder`";
            return Err(self.error(yaml::start_of(&raw.gpu), &what, Some(mend.to_owned())));
        }
        let path = self.beside(&raw.file.value);
        if !path.is_file() {
            let what = format!("`{}` is not a file", path.display());
            let mend = "paths are relative to the folder of the ladders";
            return Err(self.error(yaml::start_of(&raw.file), &what, Some(mend.to_owned())));
        }
        let measured_us = self.measured(&raw)?;
        let (file, kernel, options) = (raw.file.value, raw.kernel, raw.options);
        Ok(LadderStep { name, file, path, kernel, options, measured_us, place })
    }

    /// The measured time in microseconds.
    fn measured(&self, raw: &RawStep) -> Result<f64, LaddersError> {
        for ((unit, scale), other) in UNITS.into_iter().zip([&raw.measured_s, &raw.measured_ms, &raw.measured_ns]) {
            let Some(other) = other else { continue };
            let microseconds = other
                .value
                .as_f64()
                .map_or(String::new(), |time| format!(": `measured_us: {}`", (time * scale * 1e6).round() / 1e6));
            let what = format!("`measured_{unit}` is {}, and times are in microseconds", other.value);
            return Err(self.error(yaml::start_of(other), &what, Some(format!("convert it{microseconds}"))));
        }
        let Some(time) = &raw.measured_us else {
            let what = format!("step `{}` has no `measured_us`", raw.step.value);
            let mend = "add its measured time in microseconds, such as `measured_us: 12.5`";
            return Err(self.error(yaml::start_of(&raw.step), &what, Some(mend.to_owned())));
        };
        if TIMES.contains(&time.value) {
            return Ok(time.value);
        }
        let what =
            format!("`measured_us` is {}, not a time from {} to {:e} us", time.value, TIMES.start(), TIMES.end());
        let mend = "state the time of one launch in microseconds, and leave out versions that failed";
        Err(self.error(yaml::start_of(time), &what, Some(mend.to_owned())))
    }

    /// The name of a step's GPU, or the path of its profile.
    fn gpu_of(&self, gpu: &Spanned<String>) -> String {
        match Profile::file(&gpu.value) {
            Some(_) => self.beside(&gpu.value).to_string_lossy().into_owned(),
            None => gpu.value.clone(),
        }
    }

    /// A path relative to the folder of the file. It never begins with a hyphen.
    fn beside(&self, file: &str) -> PathBuf {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new(".")).join(file)
    }
}
