//! Measuring a GPU's own values: the user's command runs one micro-benchmark after the other.
//!
//! A row of `runs.csv` in the folder of the measurement is each launch with its time, written before the next one begins.

use std::fmt::Write as _;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::command::UserCommand;
use super::error::MeasureError;
use super::runner::{self, CommandEnd, keep, shown};
use super::time::TimeReader;
use crate::measuring::{BenchmarkLaunch, TimedLaunch};
use crate::result::RunStatus;
use autotune_base::files;
use autotune_base::limits::Interrupt;

/// The file of the launches.
const RUNS: &str = "runs.csv";
/// The most bytes of the file of the launches.
const LONGEST: u64 = 1 << 20;
/// Microseconds of a millisecond.
const MICROSECONDS: f64 = 1e3;

/// The kernels of the micro-benchmarks, and programs that run them: in OpenCL and in CUDA.
const KERNELS: [(&str, &str); 3] = [
    ("profile.cl", include_str!("../../examples/measure/profile.cl")),
    ("profile.c", include_str!("../../examples/measure/profile.c")),
    ("profile.cu", include_str!("../../examples/measure/profile.cu")),
];

/// The request of a measurement of a GPU's values.
#[derive(Debug, Clone)]
pub struct Calibration {
    /// The name of the profile that the values are to be added to.
    pub base: String,
    /// The command that prints the time of a launch.
    pub run: UserCommand,
    /// The command that builds the benchmark, once; `None` if nothing is to be built.
    pub build: Option<UserCommand>,
    /// The reader of times.
    pub reader: TimeReader,
    /// The number of runs of each launch, whose median counts.
    pub repeat: usize,
    /// The longest time of a command; it is stopped after that.
    pub run_limit: Duration,
}

/// The end of a measurement of a GPU's values.
#[derive(Debug)]
pub enum CalibrationEnd {
    /// All launches have a time.
    Complete(Vec<TimedLaunch>),
    /// The measurement was to stop; this many launches have a time.
    Interrupted(usize),
}

impl Calibration {
    /// Writes the kernels of the micro-benchmarks into a folder. A file that is there stays as it is.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_kernels(folder: &Path) -> Result<(), MeasureError> {
        for (name, text) in KERNELS {
            let path = folder.join(name);
            let written = fs_err::create_dir_all(folder)
                .and_then(|()| if path.symlink_metadata().is_ok() { Ok(()) } else { fs_err::write(&path, text) });
            written.map_err(|why| MeasureError::Output { path, why })?;
        }
        Ok(())
    }

    /// Checks that the command's program exists, unless a build may make it.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self) -> Result<(), MeasureError> {
        let program = self.build.as_ref().unwrap_or(&self.run).program();
        match program.filter(|program| which::which(program).is_err()) {
            Some(program) => Err(MeasureError::NoProgram { program }),
            None => Ok(()),
        }
    }

    /// Measures the launches, except those that `runs.csv` in the folder has with `resume`. `ended` learns of each.
    ///
    /// # Errors
    /// If a command fails or prints no time, or the folder has runs of another measurement.
    pub fn measure(
        &self,
        launches: &[BenchmarkLaunch],
        (folder, resume): (&Path, bool),
        interrupt: &Interrupt,
        ended: &dyn Fn(&TimedLaunch),
    ) -> Result<CalibrationEnd, MeasureError> {
        let mut runs = Runs::open(folder, resume, &self.head(), launches)?;
        if let Some(build) = &self.build {
            let task = build.with_values(&[], &[], Path::new("."));
            match runner::run(&task, self.run_limit, interrupt, RunStatus::BuildFailed)? {
                CommandEnd::Ended(_) => {}
                CommandEnd::Failed(failed) => {
                    return Err(failure(folder, 0, "the build", failed.reason, &failed.output)?);
                }
                CommandEnd::Interrupted => return Ok(CalibrationEnd::Interrupted(runs.timed.len())),
            }
        }
        for (number, launch) in launches.iter().enumerate() {
            if runs.timed.iter().any(|known| known.launch == *launch) {
                continue;
            }
            let Some(microseconds) = self.time(launch, (folder, number + 1), interrupt)? else {
                return Ok(CalibrationEnd::Interrupted(runs.timed.len()));
            };
            let timed = TimedLaunch { launch: *launch, microseconds };
            runs.add(timed)?;
            ended(&timed);
        }
        Ok(CalibrationEnd::Complete(runs.timed))
    }

    /// The median time of a launch in microseconds; `None` if the measurement is to stop.
    fn time(
        &self,
        launch: &BenchmarkLaunch,
        (folder, number): (&Path, usize),
        interrupt: &Interrupt,
    ) -> Result<Option<f64>, MeasureError> {
        let task = self.run.with_values(&BenchmarkLaunch::NAMES, &launch.values(), Path::new("."));
        let what = || format!("the run of {}", launch.label());
        let mut times = Vec::new();
        for _ in 0..self.repeat {
            match runner::run(&task, self.run_limit, interrupt, RunStatus::RunFailed)? {
                CommandEnd::Ended(finished) => match self.reader.milliseconds(&finished.stdout) {
                    Ok(milliseconds) => times.push(milliseconds * MICROSECONDS),
                    Err(reason) => {
                        let output = shown(&task, &reason, Some(&finished));
                        return Err(failure(folder, number, &what(), reason, &output)?);
                    }
                },
                CommandEnd::Failed(failed) => {
                    return Err(failure(folder, number, &what(), failed.reason, &failed.output)?);
                }
                CommandEnd::Interrupted => return Ok(None),
            }
        }
        times.sort_unstable_by(f64::total_cmp);
        Ok(times.get(times.len() / 2).map(|upper| f64::midpoint(*upper, times[(times.len() - 1) / 2])))
    }

    /// The first line of the file of launches: runs of another one are not continued.
    fn head(&self) -> String {
        let printable = self.run.text().escape_debug();
        format!("# autotune measure --profile --gpu {} --repeat {} --run {printable}", self.base, self.repeat)
    }
}

/// The error of a command whose output is kept in the folder.
fn failure(
    folder: &Path,
    number: usize,
    what: &str,
    reason: String,
    output: &str,
) -> Result<MeasureError, MeasureError> {
    let kept = folder.join(keep(folder, number, output)?);
    Ok(MeasureError::Benchmark { what: what.to_owned(), reason, kept })
}

/// The launches that have a time, in their file.
struct Runs {
    path: PathBuf,
    file: fs_err::File,
    timed: Vec<TimedLaunch>,
}

impl Runs {
    /// Opens the file of the launches, or begins one.
    fn open(folder: &Path, resume: bool, head: &str, launches: &[BenchmarkLaunch]) -> Result<Self, MeasureError> {
        let path = folder.join(RUNS);
        let columns = format!("{},time_us", BenchmarkLaunch::NAMES.join(","));
        let beginning = format!("{head}\n{columns}\n");
        let known = match files::kept(&path, LONGEST).beginning() {
            Ok(_) if !resume => return Err(MeasureError::Runs { path, line: 0, why: "it exists".to_owned() }),
            Ok(bytes) => read(&String::from_utf8_lossy(&bytes), &beginning, launches)
                .map_err(|(line, why)| MeasureError::Runs { path: path.clone(), line, why })?,
            Err(why) if why.kind() == ErrorKind::NotFound => Vec::new(),
            Err(why) => return Err(MeasureError::Output { path, why }),
        };
        let mut text = beginning;
        text.extend(known.iter().map(row));
        let unwritable = |why| MeasureError::Output { path: path.clone(), why };
        // A torn row is not written again.
        let mut file = fs_err::File::create(&path).map_err(unwritable)?;
        file.write_all(text.as_bytes()).map_err(unwritable)?;
        Ok(Self { path, file, timed: known })
    }

    fn add(&mut self, timed: TimedLaunch) -> Result<(), MeasureError> {
        let written = self.file.write_all(row(&timed).as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|why| MeasureError::Output { path: self.path.clone(), why })?;
        self.timed.push(timed);
        Ok(())
    }
}

fn row(timed: &TimedLaunch) -> String {
    let mut row = timed.launch.values().join(",");
    let _ = writeln!(row, ",{}", timed.microseconds);
    row
}

/// The launches of a file; a last row without its end is left out. An error has its line.
fn read(text: &str, beginning: &str, launches: &[BenchmarkLaunch]) -> Result<Vec<TimedLaunch>, (usize, String)> {
    let Some(rows) = text.strip_prefix(beginning) else {
        return Err((1, "it is of another measurement: base, `--repeat` or `--run` differ".to_owned()));
    };
    let whole = rows.rfind('\n').map_or("", |end| &rows[..end]);
    let read = |(number, row): (usize, &str)| {
        let (values, time) = row.rsplit_once(',').unwrap_or_default();
        let launch = launches.iter().find(|launch| launch.values().join(",") == values);
        let time = time.parse().ok().filter(|time: &f64| time.is_finite() && *time > 0.0);
        match (launch, time) {
            (Some(launch), Some(microseconds)) => Ok(TimedLaunch { launch: *launch, microseconds }),
            (None, _) => Err((number + 3, "no launch of this GPU has these parameters".to_owned())),
            (_, None) => Err((number + 3, "its time is not a number of microseconds above 0".to_owned())),
        }
    };
    whole.lines().enumerate().map(read).collect()
}
