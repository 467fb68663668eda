//! Batches: the jobs a minute, and the memory over their number.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::ask::Result;
use crate::parts::{ABSTRACT, shipped};
use crate::table::{Figures, ratio, seconds};

const GPUS: &str = "fermi, kepler, gtx1050, volta, a100, rtx2080ti";
/// The numbers of sizes of one kernel, each on six GPUs: small proofs.
const SIZES: [usize; 2] = [50, 500];

/// For each batch: the time of one worker divided by that of one worker a core, the jobs a minute, the memory.
pub(crate) fn table() -> Result<String> {
    let header = [
        "batch",
        "one / all workers",
        "memory / of first",
        "jobs a minute",
        "jobs",
        "seconds",
        "seconds of one",
        "MiB",
    ];
    let mut figures = Figures::new("batches, nothing cached; memory is the driver's own", &header);
    let specs = concat!(env!("CARGO_MANIFEST_DIR"), "/tuning-specs");
    let kernels =
        format!("jobs: [{{ specs: ['{specs}/*.yaml', '{specs}/measured/gemm2048.yaml'], gpus: [{GPUS}] }}]\n");
    let place = tempfile::tempdir()?;
    std::fs::write(place.path().join("jobs.yaml"), kernels)?;
    let mut batches = vec![("shipped kernels".to_owned(), place, true)];
    for sizes in SIZES {
        let place = tempfile::tempdir()?;
        small_jobs(place.path(), sizes)?;
        batches.push((format!("{} small ones", 6 * sizes), place, sizes == SIZES[0]));
    }
    let mut first = None;
    for (name, place, with_one) in batches {
        let all = run(place.path(), None)?;
        // The largest batch would take minutes with one worker, and show nothing new.
        let one = if with_one { run(place.path(), Some("1"))?.wall.as_secs_f64() } else { f64::NAN };
        let first = *first.get_or_insert(all.memory_mib);
        #[expect(clippy::cast_precision_loss, reason = "a rate for the eye")]
        let a_minute = all.jobs as f64 * 60.0 / all.wall.as_secs_f64();
        figures.row([
            name,
            ratio(one, all.wall.as_secs_f64()),
            ratio(all.memory_mib, first),
            format!("{a_minute:.0}"),
            all.jobs.to_string(),
            seconds(all.wall.as_secs_f64()),
            if with_one { seconds(one) } else { "-".to_owned() },
            format!("{:.1}", all.memory_mib),
        ]);
    }
    Ok(figures.finish())
}

/// Writes a job list of small proofs, `jobs.yaml`, and its spec into a folder: this many sizes of one kernel, each on
/// six GPUs. Tiles divide the size.
pub(crate) fn small_jobs(folder: &Path, sizes: usize) -> Result<()> {
    const WHOLE_GROUPS: &str = "  - size % WG == 0\n";
    let spec = shipped(ABSTRACT)?;
    if !spec.contains(WHOLE_GROUPS) {
        return Err(format!("{ABSTRACT} does not say `{}`", WHOLE_GROUPS.trim()).into());
    }
    let spec = spec.replace(WHOLE_GROUPS, &format!("{WHOLE_GROUPS}  - size % TS == 0\n"));
    std::fs::write(folder.join("small.yaml"), spec)?;
    let sizes: Vec<String> = (1..=sizes).map(|size| (1024 * size).to_string()).collect();
    let list = format!("jobs: [{{ specs: [small.yaml], gpus: [{GPUS}], set: {{ size: [{}] }} }}]\n", sizes.join(", "));
    Ok(std::fs::write(folder.join("jobs.yaml"), list)?)
}

struct Ended {
    jobs: usize,
    wall: Duration,
    /// The peak memory of the driver itself, in MiB, without its children.
    memory_mib: f64,
}

fn run(place: &Path, workers: Option<&str>) -> Result<Ended> {
    let out = tempfile::tempdir()?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_autotune"));
    command.args(["batch", "jobs.yaml", "--no-cache", "--quiet", "--out"]).arg(out.path().join("out"));
    command.args(workers.map_or(vec![], |workers| vec!["--jobs", workers]));
    let began = Instant::now();
    let child = command.current_dir(place).stdout(Stdio::null()).spawn()?;
    let (status, memory_mib) = memory_until_the_end(child)?;
    if !status.success() {
        return Err(format!("a batch ended with {status}").into());
    }
    let results = std::fs::read_to_string(out.path().join("out/results.json"))?;
    let jobs = results.matches("\"schema\":\"autotune.result/2\"").count();
    Ok(Ended { jobs, wall: began.elapsed(), memory_mib })
}

/// The status of a program and its own peak memory in MiB, without its children's.
pub(crate) fn memory_until_the_end(mut child: Child) -> Result<(ExitStatus, f64)> {
    let mut memory_mib: f64 = 0.0;
    loop {
        memory_mib = memory_mib.max(most_memory(child.id()).unwrap_or(0.0));
        match child.try_wait()? {
            Some(status) => return Ok((status, memory_mib)),
            None => thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// The peak memory of a process, in MiB; `None` if the system does not say.
fn most_memory(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<f64>().ok().map(|kibibytes| kibibytes / 1024.0)
}
