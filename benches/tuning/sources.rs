//! A kernel's source: what the compiler takes, what the tool takes, and what a second question takes.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use autotune::limits::Limits;
use autotune::source::{
    Argument, Assumptions, Clang, Compiler, ExecutedGroup, KernelSource, Macros, Maker, Shape, SourceKernel,
    SourceLaunch, TOGETHER, Target,
};
use nix::sys::resource::{UsageWho, getrusage};

use crate::ask::Result;
use crate::table::{Figures, ratio, seconds};

const SPEC: &str = include_str!("blocked.yaml");
const SOURCE: &str = include_str!("../../examples/kernels/matmul_tiled.cl");
/// A loop whose iterations only a source without folding would execute one by one.
const LONG: &str = "__kernel void k(__global float* restrict a, long n)\n\
                    {\n    for (long i = 0; i < n; ++i) a[i * 64 + get_global_id(0)] += 1;\n}\n";
const ITERATIONS: i64 = 10_000_000_000;
/// The parameters of configurations that are executed alone: TS, ROWS, COLS, U, PAD.
const EXECUTED: [[i64; 5]; 9] = [
    [8, 1, 1, 4, 0],
    [16, 1, 2, 8, 1],
    [16, 4, 4, 1, 0],
    [16, 8, 2, 16, 3],
    [32, 2, 4, 2, 0],
    [32, 4, 4, 32, 1],
    [32, 8, 2, 8, 5],
    [64, 8, 2, 4, 0],
    [64, 32, 1, 16, 2],
];

/// A run of the tool.
struct Ran {
    wall: f64,
    /// Seconds of all its processes.
    cpu: f64,
}

/// The time of a register-blocked product of matrices by the evaluator: compiled anew, lowered anew, and again.
pub(crate) fn table() -> Result<String> {
    let folder = tempfile::tempdir()?;
    // More parameters: U steps of k are unrolled, and PAD words lie between the rows of As.
    let source = SOURCE.replace("As[TS][TS]", "As[TS][TS + PAD]").replace("#pragma unroll 4", "#pragma unroll U");
    std::fs::write(folder.path().join("blocked.cl"), source)?;
    let anew = evaluated(folder.path(), SPEC)?;
    // Another text is another question about the same compilations.
    let lowered = evaluated(folder.path(), &format!("{SPEC}\n# again\n"))?;
    let again = evaluated(folder.path(), &format!("{SPEC}\n# again\n"))?;
    let header = ["blocked.yaml on a100, evaluated", "of the first", "s", "CPU s"];
    let mut figures = Figures::new("kernels from their source", &header);
    let mut row = |name: &str, ran: &Ran| {
        figures.row([name.to_owned(), ratio(ran.wall, anew.wall), seconds(ran.wall), seconds(ran.cpu)]);
    };
    row("compiled and lowered", &anew);
    row("compiled before, lowered: the tool's own part", &lowered);
    row("compiled and lowered before", &again);
    let compiled = together(&folder.path().join("blocked.cl"))?;
    let groups = executed(folder.path())?;
    let judged = judged(&groups);
    let [median, longest] = [groups.len() / 2, groups.len() - 1].map(|at| groups[at].executed);
    let long = walked()?;
    Ok(format!(
        "{}\n{compiled}\none group executed, {} configurations: median {:.2} ms, longest {:.2} ms\n{judged}\na loop of 10^10 iterations: {:.3} ms\n",
        figures.finish(),
        EXECUTED.len(),
        milliseconds(median),
        milliseconds(longest),
        milliseconds(long)
    ))
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Asks the evaluator, with a cache in the folder.
fn evaluated(folder: &Path, spec: &str) -> Result<Ran> {
    let path = folder.join("blocked.yaml");
    std::fs::write(&path, spec)?;
    let before = children()?;
    let began = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_autotune"));
    command.arg("evaluate").arg(&path).args(["--gpu", "a100"]);
    command.env("XDG_CACHE_HOME", folder.join("cache")).env("XDG_STATE_HOME", folder.join("state"));
    let output = command.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(Ran { wall: began.elapsed().as_secs_f64(), cpu: children()? - before })
}

/// Seconds of the processes that have ended.
fn children() -> Result<f64> {
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: nix::sys::time::TimeVal| Duration::new(time.tv_sec().unsigned_abs(), 0).as_secs_f64();
    let parts = |time: nix::sys::time::TimeVal| f64::from(i32::try_from(time.tv_usec()).unwrap_or(0)) / 1e6;
    Ok([used.user_time(), used.system_time()].map(|time| seconds(time) + parts(time)).iter().sum())
}

/// The times of compiling some configurations by a process each, and by processes for several; their outputs are equal.
fn together(file: &Path) -> Result<String> {
    let mut all = Vec::new();
    for pad in 0..4 {
        for [tile, rows, columns, unrolled, _] in EXECUTED {
            all.push(defined(&of(tile, rows, columns, unrolled, pad))?);
        }
    }
    let (alone, of_alone) = outputs(&compiler(file)?, &all)?;
    let several = compiler(file)?;
    let (began, before) = (Instant::now(), children()?);
    all.chunks(TOGETHER).for_each(|some| several.prepare(some));
    let (wall, cpu) = (began.elapsed().as_secs_f64(), children()? - before);
    let (read, outputs) = outputs(&several, &all)?;
    if outputs != of_alone {
        return Err("outputs depend on what shares their process".into());
    }
    let ran = Ran { wall: wall + read.wall, cpu: cpu + read.cpu };
    let title = format!("{} configurations of blocked.cl compiled for sm_80, on one thread", all.len());
    let mut figures = Figures::new(&title, &["each process compiles", "CPU of the first", "s", "CPU s"]);
    for (name, ran) in [("one".to_owned(), &alone), (format!("up to {TOGETHER}"), &ran)] {
        figures.row([name, ratio(ran.cpu, alone.cpu), seconds(ran.wall), seconds(ran.cpu)]);
    }
    Ok(figures.finish())
}

/// The outputs of configurations, and the time that they take.
fn outputs(compiler: &Compiler, all: &[Macros]) -> Result<(Ran, Vec<String>)> {
    let (began, before) = (Instant::now(), children()?);
    let outputs: Vec<String> = all.iter().map(|one| Ok(compiler.compile(one)?.text)).collect::<Result<_>>()?;
    Ok((Ran { wall: began.elapsed().as_secs_f64(), cpu: children()? - before }, outputs))
}

/// The macros of a configuration.
fn of(tile: i64, rows: i64, columns: i64, unrolled: i64, pad: i64) -> [(&'static str, i64); 6] {
    [("TS", tile), ("ROWS", rows), ("COLS", columns), ("U", unrolled), ("PAD", pad), ("size", 1024)]
}

fn defined(macros: &[(&str, i64)]) -> Result<Macros> {
    let mut all = Macros::default();
    for (name, value) in macros {
        all.parameter(name, *value)?;
    }
    Ok(all)
}

/// A compiler of a file that keeps nothing.
fn compiler(file: &Path) -> Result<Compiler> {
    let limits = Limits::default();
    let source = KernelSource::of_file(file).ok_or("the file is no source")?;
    Ok(Compiler::new(Clang::find(None, &limits, None)?, source, Target::Nvidia(80), None, limits)?)
}

/// The kernel of a source, compiled.
fn compiled(file: &Path, macros: &[(&str, i64)]) -> Result<Arc<SourceKernel>> {
    let text = compiler(file)?.compile(&defined(macros)?)?.text;
    Ok(Arc::new(SourceKernel::read(&text, None, Maker::Nvidia)?))
}

/// The times of a group.
struct GroupTimes {
    /// The execution.
    executed: Duration,
    /// The search for what the group does wrong.
    judged: Duration,
}

/// The ratio of executing a group with the search for what it does wrong to executing it alone.
fn judged(groups: &[GroupTimes]) -> String {
    let mut ratios: Vec<f64> = groups.iter().map(|one| 1.0 + one.judged.div_duration_f64(one.executed)).collect();
    ratios.sort_by(f64::total_cmp);
    let [executed, judged] = [|one: &GroupTimes| one.executed, |one: &GroupTimes| one.judged];
    let all = 1.0 + groups.iter().map(judged).sum::<Duration>().div_duration_f64(groups.iter().map(executed).sum());
    let (median, most) = (ratios[ratios.len() / 2], ratios[ratios.len() - 1]);
    format!(
        "with the search for races and other errors: {all:.2} times as long in all, median {median:.2}, most {most:.2}"
    )
}

/// The times of executing a group of each configuration, the shortest first.
fn executed(folder: &Path) -> Result<Vec<GroupTimes>> {
    let mut times = Vec::new();
    for [tile, rows, columns, unrolled, pad] in EXECUTED {
        let kernel = compiled(&folder.join("blocked.cl"), &of(tile, rows, columns, unrolled, pad))?;
        let sizes = [u32::try_from(tile)?, u32::try_from(tile / rows)?, 1];
        times.push(timed(&kernel, sizes, Vec::new())?);
    }
    times.sort_by_key(|one| one.executed);
    Ok(times)
}

/// The time of executing a loop of many iterations.
fn walked() -> Result<Duration> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("long.cl");
    std::fs::write(&file, LONG)?;
    Ok(timed(&compiled(&file, &[])?, [64, 1, 1], vec![(1, Argument::Integer(ITERATIONS))])?.executed)
}

/// The times of the middle one of 8 x 8 groups: the medians of 5.
fn timed(kernel: &Arc<SourceKernel>, sizes: [u32; 3], arguments: Vec<(usize, Argument)>) -> Result<GroupTimes> {
    let arguments = arguments.into_iter().collect();
    let launch = SourceLaunch {
        sizes,
        groups: [8, 8, 1],
        group: [4, 4, 0],
        arguments,
        warp_size: 32,
        ..SourceLaunch::default()
    };
    let shape = Shape::new(sizes);
    let of = ExecutedGroup { shape: &shape, warp: 32, group: launch.group, grid: Some(launch.groups) };
    let (mut times, mut of_search) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        let began = Instant::now();
        let executed = kernel.execute(&launch, &Assumptions::default(), &Limits::default())?;
        times.push(began.elapsed());
        let began = Instant::now();
        std::hint::black_box(kernel.judged(&executed, &of));
        of_search.push(began.elapsed());
    }
    times.sort();
    of_search.sort();
    Ok(GroupTimes { executed: times[2], judged: of_search[2] })
}
