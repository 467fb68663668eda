//! This tool compared with the paper's way, on equal specs. The paper's way has a process for each processing element
//! and a clock that ticks by 1 and does not stop at MT; it skips nothing; MT is a constant of the text, so each bound
//! is compiled again; it bisects.

use std::path::Path;
use std::time::{Duration, Instant};

use autotune::limits::Limits;
use autotune::process;
use autotune::process::{Finished, Task};
use autotune::spin::pan_output::{self, Claim, Cut, PanVerdict, Searched};

use crate::ask::{Answer, Result, ask, run};
use crate::table::{Figures, ratio, seconds};

const QUESTION: [&str; 3] = ["tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny"];
const COLUMNS: [&str; 11] = [
    "model",
    "paper / tool",
    "with compilers",
    "paper s",
    "compilers s",
    "probes",
    "steps",
    "states",
    "MiB",
    "tool s",
    "compilers s",
];

/// The ratios at sizes that double, up to the first at which the paper's way does not end within the limit.
pub(crate) fn table(limit: Duration) -> Result<String> {
    let title = "abstract_kernel on abstract-tiny: the paper's way against this tool; seconds without spin -a and compiler (-O2)";
    let mut figures = Figures::new(title, &COLUMNS);
    for exponent in 2.. {
        let size = format!("size={}", 1_u64 << exponent);
        let element = ["--set", &size, "--granularity", "element", "--no-prune"];
        let model = run(&[&["model"], &QUESTION[..], &element].concat())?;
        let model = once(&model, ":: time_is_at_least_MT -> message = cut", ":: false -> message = cut")?;
        let Some(taken) = search(Text::ours(&model)?, limit)? else {
            figures.row([size, format!("not within {} s", limit.as_secs())]);
            break;
        };
        let tool = ask(&[&QUESTION[..], &["--set", &size, "--no-cache"]].concat(), limit)?;
        if tool.ticks() != Some(taken.optimum) {
            return Err(format!("{size}: the paper's way finds {}, the tool {:?}", taken.optimum, tool.ticks()).into());
        }
        figures.row(row(size, &taken, &tool));
    }
    Ok(figures.finish())
}

/// A published model, compared with this tool on the user's question. Its text must have a line `#define MT number`,
/// and its claim must be violated if a run ends before MT.
pub(crate) fn published(file: &Path, question: &[String], limit: Duration) -> Result<String> {
    let mut figures = Figures::new(&format!("{} against this tool", file.display()), &COLUMNS);
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    match search(Text::published(&text)?, limit)? {
        None => figures.row([name, format!("not within {} s", limit.as_secs())]),
        Some(taken) => {
            let question: Vec<&str> = question.iter().map(String::as_str).chain(["--no-cache"]).collect();
            let tool = ask(&question, limit)?;
            figures.row(row(format!("{name}, optimum {} and {:?}", taken.optimum, tool.ticks()), &taken, &tool));
        }
    }
    Ok(figures.finish())
}

fn row(name: String, taken: &Taken, tool: &Answer) -> [String; COLUMNS.len()] {
    let (paper, own) = (taken.search.as_secs_f64(), tool.without_compilation());
    let (compilers, own_compilers) = (taken.compilers.as_secs_f64(), tool.wall.as_secs_f64() - own);
    [
        name,
        ratio(paper, own),
        ratio(paper + compilers, own + own_compilers),
        seconds(paper),
        seconds(compilers),
        taken.probes.to_string(),
        taken.steps.to_string(),
        taken.states.to_string(),
        format!("{:.0}", taken.memory),
        seconds(own),
        seconds(own_compilers),
    ]
}

/// A model's text, split at its MT.
struct Text {
    before: String,
    after: String,
    vector_bytes: u64,
    depth: u64,
    prints_its_end: bool,
}

impl Text {
    /// The text of a model by `autotune model`.
    fn ours(model: &str) -> Result<Self> {
        let number = |before: &str| {
            let digits = model
                .split(before)
                .nth(1)
                .map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
            digits.and_then(|digits| digits.parse().ok()).ok_or_else(|| format!("the model does not tell its {before}"))
        };
        let (vector_bytes, depth) = (number("-DVECTORSZ=")?, number("./pan -m")?);
        // The claim stands in the model's text, as in the paper; it is not an argument of pan.
        let (before, after) = split(model, "getenv(\"AUTOTUNE_MT\")")?;
        Ok(Self {
            before: format!("{before}\""),
            after: format!("\"{after}"),
            vector_bytes,
            depth,
            prints_its_end: true,
        })
    }

    /// The text of a published model.
    fn published(model: &str) -> Result<Self> {
        let line = model.lines().find(|line| line.split_whitespace().take(2).eq(["#define", "MT"]));
        let line = line.ok_or("the published model has no line `#define MT number`")?;
        let (before, after) = split(model, line)?;
        Ok(Self {
            before: format!("{before}#define MT "),
            after,
            vector_bytes: 4096,
            depth: 1_000_000,
            prints_its_end: false,
        })
    }

    fn with(&self, bound: u64) -> String {
        format!("{}{bound}{}", self.before, self.after)
    }
}

fn split(text: &str, at: &str) -> Result<(String, String)> {
    match text.split(at).collect::<Vec<_>>().as_slice() {
        [before, after] => Ok(((*before).to_owned(), (*after).to_owned())),
        _ => Err(format!("the model does not hold `{at}` once").into()),
    }
}

/// The cost of the paper's way.
#[derive(Default)]
struct Taken {
    optimum: u64,
    search: Duration,
    compilers: Duration,
    probes: u32,
    steps: u64,
    states: u64,
    memory: f64,
}

/// The optimum by bisection over the verdicts; `None` if it does not end within the limit.
fn search(text: Text, limit: Duration) -> Result<Option<Taken>> {
    let folder = tempfile::tempdir()?;
    let mut way = PapersWay { text, folder: folder.path(), began: Instant::now(), limit, taken: Taken::default() };
    let Some((mut lower, mut upper)) = way.bracket()? else { return Ok(None) };
    while lower + 1 < upper {
        let middle = lower + (upper - lower) / 2;
        match way.ends_before(middle)? {
            None => return Ok(None),
            Some(true) => upper = middle,
            Some(false) => lower = middle,
        }
    }
    way.taken.optimum = lower;
    Ok(Some(way.taken))
}

struct PapersWay<'a> {
    text: Text,
    folder: &'a Path,
    began: Instant,
    limit: Duration,
    taken: Taken,
}

impl PapersWay<'_> {
    /// Two bounds: no run ends before the first, and one ends before the second. The second comes from a simulation or,
    /// if its output is unknown, is the first power of two that works. `None` if the limit is reached.
    fn bracket(&mut self) -> Result<Option<(u64, u64)>> {
        if self.text.prints_its_end {
            std::fs::write(self.folder.join("model.pml"), self.text.with(0))?;
            let Some(simulated) = self.run("spin", &["-n1", "-T", "-B", "model.pml"])? else { return Ok(None) };
            self.taken.search += simulated.elapsed;
            return match pan_output::ends(&simulated.stdout)?.as_slice() {
                [end] if end.done => Ok(Some((0, end.ticks + 1))),
                ends => Err(format!("a run does not end in DONE: {ends:?}").into()),
            };
        }
        let (mut lower, mut upper) = (0, 1);
        loop {
            match self.ends_before(upper)? {
                None => return Ok(None),
                Some(true) => return Ok(Some((lower, upper))),
                Some(false) => (lower, upper) = (upper, 2 * upper),
            }
        }
    }

    /// Returns true if a run ends before the bound; `None` if the limit is reached.
    fn ends_before(&mut self, bound: u64) -> Result<Option<bool>> {
        std::fs::write(self.folder.join("model.pml"), self.text.with(bound))?;
        let vector = format!("-DVECTORSZ={}", self.text.vector_bytes);
        let compile = ["-w", "-O2", "-DSAFETY", &vector, "-DMEMLIM=8192", "-o", "pan", "pan.c"];
        for (program, arguments) in [("spin", &["-a", "model.pml"][..]), ("gcc", &compile)] {
            let Some(outcome) = self.run(program, arguments)? else { return Ok(None) };
            self.taken.compilers += outcome.elapsed;
        }
        self.taken.probes += 1;
        loop {
            let depth = format!("-m{}", self.text.depth);
            let Some(outcome) = self.run("./pan", &["-n", &depth])? else { return Ok(None) };
            let output = pan_output::read(&outcome.stdout, Searched::Claim(Claim::Optimum))?;
            if output.verdict == PanVerdict::Inconclusive(Cut::Depth) {
                self.text.depth *= 2; // what the search before took is not counted
                continue;
            }
            let (taken, statistics) = (&mut self.taken, output.statistics);
            taken.search += outcome.elapsed;
            taken.steps = taken.steps.max(statistics.steps);
            taken.states = taken.states.max(statistics.states);
            taken.memory = taken.memory.max(statistics.memory_mib);
            return match output.verdict {
                PanVerdict::Exhausted => Ok(Some(false)),
                PanVerdict::ClaimViolated { .. } => Ok(Some(true)),
                PanVerdict::Inconclusive(Cut::Memory) => Ok(None),
                other => Err(format!("pan: {other:?}").into()),
            };
        }
    }

    /// Runs a program; `None` if it does not end within the limit.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<Option<Finished>> {
        let limits = Limits { deadline: Some(self.began + self.limit), ..Limits::default() };
        let task = Task::new(Path::new(program), arguments.iter().copied(), self.folder);
        let outcome = process::run(&task, &limits)?;
        Ok(outcome.stopped.is_none().then_some(outcome))
    }
}

/// Replaces the only occurrence of a text.
fn once(text: &str, what: &str, by: &str) -> Result<String> {
    split(text, what).map(|(before, after)| format!("{before}{by}{after}"))
}
