//! This program and an earlier one in turn: the processor time, the wall time and the memory of the same questions.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{Usage, UsageWho, getrusage};

use crate::ask::Result;
use crate::batches::{memory_until_the_end, small_jobs};
use crate::parts;
use crate::table::{Figures, ratio, seconds};

/// The runs of each program; the table shows the medians.
const RUNS: usize = 9;
/// The runs of what takes seconds.
const FEW: usize = 3;

/// A space of 294,000 configurations, all of them feasible.
const DENSE: &str = "kernel: dense
problem: { size: 1048576 }
parameters:
  A: { range: { from: 1, to: 70 } }
  B: { range: { from: 1, to: 60 } }
  C: { range: { from: 1, to: 70 } }
varies: [fp32]
launch: { work_items: size, work_group: 64 }
body: [ compute: { per_item: A * 5000 + B * 100 + C } ]
";

/// The part of a question that is new in each run.
#[derive(Clone, Copy)]
enum Fresh {
    Nothing,
    /// The problem size: the answer is not cached, the checker is.
    Size,
    /// The folder of results.
    Out,
}

/// The questions to both programs; a line for each. Without an earlier program, the text says how to name one.
pub(crate) fn table(earlier: Option<&Path>) -> Result<String> {
    let Some(earlier) = earlier else {
        return Ok("versions are not compared: name an earlier program with `--earlier FILE`\n".to_owned());
    };
    let programs = [Path::new(env!("CARGO_BIN_EXE_autotune")), earlier];
    let header = ["question", "s / earlier", "wall / earlier", "MiB / earlier", "s", "earlier", "MiB", "earlier"];
    let title = format!("this program and {}: user + system seconds and memory, medians", earlier.display());
    let mut figures = Figures::new(&title, &header);
    let place = tempfile::tempdir()?;
    let path = |name: &str| place.path().join(name).display().to_string();
    std::fs::write(path("dense.yaml"), DENSE)?;
    std::fs::write(path("convolution.yaml"), parts::large_convolution()?)?;
    small_jobs(place.path(), 50)?;
    let small = vec![parts::ABSTRACT, "--gpu", "fermi"];
    let largest = [&small[..], &["--set", "size=2^30"]].concat();
    let (dense, convolution, jobs) = (path("dense.yaml"), path("convolution.yaml"), path("jobs.yaml"));
    for (name, runs, fresh, question) in [
        ("abstract_kernel at 2^30, nothing cached", RUNS, Fresh::Nothing, [&largest[..], &["--no-cache"]].concat()),
        ("abstract_kernel at another size, checker cached", RUNS, Fresh::Size, small),
        ("abstract_kernel at 2^30, answer cached", RUNS, Fresh::Nothing, largest),
        (
            "evaluate --top 1, 294,000 configurations",
            FEW,
            Fresh::Nothing,
            vec!["evaluate", &dense, "--gpu", "a100", "--top", "1"],
        ),
        (
            "convolution, 1.4 million, nothing cached",
            1,
            Fresh::Nothing,
            vec![&convolution, "--gpu", "a100", "--no-cache"],
        ),
        ("batch of 300 small jobs", FEW, Fresh::Out, vec!["batch", &jobs, "--no-cache", "--quiet"]),
    ] {
        figures.row(row(name, runs, fresh, &question, programs, place.path())?);
    }
    Ok(figures.finish())
}

fn row(
    name: &str,
    runs: usize,
    fresh: Fresh,
    question: &[&str],
    programs: [&Path; 2],
    place: &Path,
) -> Result<Vec<String>> {
    let mut measured = [Vec::new(), Vec::new()];
    for run in 0..runs {
        for (which, program) in programs.into_iter().enumerate() {
            let size = format!("size=2^{}", 12 + run);
            let out = place.join(format!("out-{which}-{run}")).display().to_string();
            let own: &[&str] = match fresh {
                Fresh::Nothing => &[],
                Fresh::Size => &["--set", &size],
                Fresh::Out => &["--out", &out],
            };
            let question = [question, own].concat();
            measured[which].push(measure(program, &question, &place.join(format!("cache-{which}")))?);
        }
    }
    let median = |which: usize, part: usize| {
        let mut values: Vec<f64> = measured[which].iter().map(|one| one[part]).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let [processor, wall, memory] = [0, 1, 2].map(|part| [median(0, part), median(1, part)]);
    Ok(vec![
        name.to_owned(),
        ratio(processor[0], processor[1]),
        ratio(wall[0], wall[1]),
        ratio(memory[0], memory[1]),
        seconds(processor[0]),
        seconds(processor[1]),
        format!("{:.0}", memory[0]),
        format!("{:.0}", memory[1]),
    ])
}

/// The processor time of a run and its children and the wall time, in seconds, and the memory of the program in MiB.
fn measure(program: &Path, question: &[&str], cache: &Path) -> Result<[f64; 3]> {
    let (before, began) = (getrusage(UsageWho::RUSAGE_CHILDREN)?, Instant::now());
    let mut command = Command::new(program);
    command.args(question).current_dir(env!("CARGO_MANIFEST_DIR")).env("XDG_CACHE_HOME", cache);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let (status, memory) = memory_until_the_end(child)?;
    if !status.success() {
        return Err(format!("{} {} ended with {status}", program.display(), question.join(" ")).into());
    }
    let wall = began.elapsed().as_secs_f64();
    Ok([processor(&getrusage(UsageWho::RUSAGE_CHILDREN)?) - processor(&before), wall, memory])
}

#[expect(clippy::cast_precision_loss, reason = "microseconds of some minutes")]
fn processor(usage: &Usage) -> f64 {
    [usage.user_time(), usage.system_time()].map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6).iter().sum()
}
