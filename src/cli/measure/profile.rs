//! `autotune measure --profile`: a GPU's own values by micro-benchmarks, as a profile.

use std::path::PathBuf;
use std::time::Duration;

use num_traits::ToPrimitive;

use super::super::arguments::{self, Format};
use super::super::failure::Failure;
use super::super::own_file::{Kind, OwnFile};
use super::super::{Status, output, signals};
use crate::campaign::{Calibration, CalibrationEnd, MeasureError, TimeReader, UserCommand};
use crate::export;
use crate::measuring::{BenchmarkLaunch, MeasuredValues, TimedLaunch};
use crate::render::text;
use crate::result::MeasuredProfileReport;
use autotune_base::process;
use autotune_lowering::gpu::{Pipelined, Profile};
use autotune_lowering::models::predict::PredictError;

/// The name of the profile in the folder of the measurement.
const PROFILE: &str = "profile.yaml";

/// The profiles that this program writes.
const PROFILES: Kind = Kind { one: "a measured profile", all: "measured profiles", is: export::is_measured_profile };

pub(super) fn run(request: &arguments::Measure) -> Result<Status, Failure> {
    let interrupt = signals::interrupt()?;
    let gpu = base(&request.question.gpu)?;
    let base = Profile::Pipelined(gpu.clone()).name().to_owned();
    let folder = request.out.clone().unwrap_or_else(|| PathBuf::from(format!("{base}.profile")));
    let calibration = calibration(request, base.clone())?;
    let launches = BenchmarkLaunch::of_gpu(&gpu, &request.work_groups)?;
    fs_err::create_dir_all(&folder).map_err(|why| MeasureError::Output { path: folder.clone(), why })?;
    let path = folder.join(PROFILE);
    let file = OwnFile::open(&path, &PROFILES)?;
    Calibration::write_kernels(&folder)?;
    calibration.check()?;
    if let Err(why) = process::adopt_orphans() {
        output::note(&format!("what a command starts in a session of its own may outlive it: {why}"));
    }
    let ended = |timed: &TimedLaunch| {
        output::progress(&format!("{:>14.3} us  {}", timed.microseconds, timed.launch.label()));
    };
    let timed = match calibration.measure(&launches, (&folder, request.resume), &interrupt, &ended)? {
        CalibrationEnd::Complete(timed) => timed,
        CalibrationEnd::Interrupted(known) => {
            output::note(&format!(
                "interrupted: {known} of {} launches are kept in `{}`; `--resume` goes on",
                launches.len(),
                folder.display()
            ));
            return Ok(Status::BestEffort);
        }
    };
    let values = MeasuredValues::of(&gpu, &timed)?;
    let clock = gpu.core_clock_mhz.to_f64().unwrap_or(f64::NAN);
    let report = MeasuredProfileReport::new(&base, clock, &values, &timed);
    file.write(&export::profile(&report))?;
    output::text(&match request.question.format {
        Format::Text => text::measured_profile::to_text(&report, &path.display().to_string()),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}

/// The profile that the values are to be added to: a real GPU that the program has.
fn base(gpu: &str) -> Result<Box<Pipelined>, Failure> {
    if Profile::file(gpu).is_some() {
        return Err(MeasureError::BaseFile { file: gpu.to_owned() }.into());
    }
    match Profile::resolve(gpu)? {
        Profile::Pipelined(gpu) => Ok(gpu),
        Profile::Lockstep(_) => Err(PredictError::Lockstep { gpu: gpu.to_owned() }.into()),
    }
}

fn calibration(request: &arguments::Measure, base: String) -> Result<Calibration, MeasureError> {
    let command = |option, text: &str, names| UserCommand::parse(option, text, request.shell, names);
    Ok(Calibration {
        base,
        run: command("--run", &request.run, &BenchmarkLaunch::NAMES)?,
        build: request.build.as_ref().map(|build| command("--build", build, &[])).transpose()?,
        reader: TimeReader::new(request.time_pattern.as_deref(), request.unit).map_err(MeasureError::Pattern)?,
        repeat: request.repeat.into(),
        run_limit: Duration::from(request.run_limit),
    })
}
