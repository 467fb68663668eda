//! The executions of each kind of instruction, from the trace of each group of a launch.

use std::collections::{BTreeMap, HashMap};

use std::path::Path;
use std::sync::Arc;

use autotune::limits::Limits;
use autotune::source::{
    AccessKind, AnalysisError, Assumptions, Compile, Flow, Fork, IrText, KernelSource, KnownArguments, Macros, Maker,
    Processor, Registers, SourceLaunch, SourceMemory, SourceReader, SourceRun, Step, Target, Trace, execute, middle,
};
use num_traits::ToPrimitive;

use super::oclgrind::{Argument, is_apart};

/// A launch of a kernel.
pub(crate) struct Launched<'a> {
    pub kernel: &'a str,
    pub global: [u64; 3],
    pub local: [u32; 3],
    pub arguments: &'a [Argument],
    /// The line of a branch on data, and the share of executions that take it.
    pub taken: Option<(u32, f64)>,
    pub fold: bool,
}

/// The executions by all work items of all groups.
pub(crate) fn count(text: &str, launched: &Launched) -> BTreeMap<String, u64> {
    let split = IrText::split(text).unwrap();
    let module = split.module(launched.kernel).unwrap().expect("the kernel is there");
    let flow = Flow::new(&module.kernel);
    let names: Vec<&str> = module.kernel.blocks.iter().map(|block| &*block.name).collect();
    let words = words(text, launched.kernel);
    let groups = [0, 1, 2].map(|axis| launched.global[axis] / u64::from(launched.local[axis]));
    let assumptions = Assumptions { taken: launched.taken.into_iter().collect(), ..Assumptions::default() };
    let mut histogram = BTreeMap::new();
    for z in 0..groups[2] {
        for y in 0..groups[1] {
            for x in 0..groups[0] {
                let launch = SourceLaunch {
                    sizes: launched.local,
                    groups,
                    group: [x, y, z],
                    arguments: arguments(launched.arguments),
                    warp_size: 32,
                    ..SourceLaunch::default()
                };
                let executed =
                    execute(&module, &flow, &launch, &assumptions, launched.fold, &Limits::default()).unwrap();
                add(&executed.trace, 1.0, &|block| &words[names[block]], &mut histogram);
            }
        }
    }
    rounded(histogram)
}

/// A compiler that knows one text.
#[derive(Debug)]
struct Known(String);

impl Compile for Known {
    fn key(&self, _: &Macros) -> String {
        String::new()
    }

    fn compile(&self, _: &Macros) -> Result<(String, String), AnalysisError> {
        Ok((String::new(), self.0.clone()))
    }

    fn registers(&self, _: &Macros, _: &str) -> Result<Option<Registers>, AnalysisError> {
        Ok(None)
    }
}

/// The executions by all work items of all groups, as what stands for all groups shows them, and the groups over which it
/// is the mean.
pub(crate) fn count_by_mean(text: &str, launched: &Launched) -> (BTreeMap<String, u64>, u64) {
    let words = words(text, launched.kernel);
    let groups = [0, 1, 2].map(|axis| launched.global[axis] / u64::from(launched.local[axis]));
    let processor = Processor { target: Target::Portable, maker: Maker::Other, warp_size: 32, register_limit: 255 };
    let reader = SourceReader::with_compiler(Arc::new(Known(text.to_owned())));
    let source = KernelSource::of_file(Path::new("k.cl")).unwrap();
    let source = KernelSource { kernel: Some(launched.kernel.to_owned()), ..source };
    let reading = reader.reading(&source, &processor);
    let kernel = reading.kernel(&Macros::default()).unwrap();
    let run = SourceRun {
        sizes: launched.local,
        groups,
        group: groups.map(middle),
        arguments: KnownArguments {
            values: arguments(launched.arguments).into_iter().collect(),
            ..KnownArguments::default()
        },
        assumptions: Assumptions::default(),
    };
    let traced = reading.traced_for_all(&kernel, &run).unwrap();
    let names: Vec<&str> = kernel.1.module.kernel.blocks.iter().map(|block| &*block.name).collect();
    let mut histogram = BTreeMap::new();
    let all = groups.iter().product::<u64>().to_f64().unwrap();
    add(&traced.executed.trace, all, &|block| &words[names[block]], &mut histogram);
    (rounded(histogram), traced.sample.averaged())
}

fn rounded(histogram: BTreeMap<String, f64>) -> BTreeMap<String, u64> {
    histogram.into_iter().map(|(name, count)| (name, count.round().to_u64().unwrap())).collect()
}

fn arguments(all: &[Argument]) -> BTreeMap<usize, autotune::source::Argument> {
    let known = all.iter().enumerate().filter_map(|(position, argument)| {
        let value = match argument {
            Argument::Integer(value) | Argument::Long(value) => autotune::source::Argument::Integer(*value),
            Argument::Local(bytes) => autotune::source::Argument::Local(*bytes),
            Argument::Buffer(_) | Argument::Floats(_) | Argument::Float(_) => return None,
        };
        Some((position, value))
    });
    known.collect()
}

/// The instructions of each block as the text has them, read apart from autotune's reader.
fn words(text: &str, kernel: &str) -> HashMap<String, Vec<String>> {
    let start = text.find(&format!("@{kernel}(")).unwrap();
    let body = &text[start..start + text[start..].find("\n}").unwrap()];
    let mut blocks: HashMap<String, Vec<String>> = HashMap::new();
    let mut block = String::new();
    for line in body.lines().skip(1) {
        if let Some((label, _)) = line.split_once(':').filter(|_| !line.starts_with(' ')) {
            label.trim_matches('"').clone_into(&mut block);
        } else if let Some(word) = word(line) {
            blocks.entry(block.clone()).or_default().push(word);
        }
    }
    blocks
}

/// The name of an instruction; that of a call's function behind `call`. Loads and stores are counted by their memory.
fn word(line: &str) -> Option<String> {
    let line = line.trim();
    let operation = if line.starts_with('%') { line.split_once(" = ")?.1 } else { line };
    let mut words = operation.split(' ').skip_while(|word| ["tail", "musttail", "notail"].contains(word));
    let word = words.next().filter(|word| word.starts_with(|first: char| first.is_ascii_lowercase()))?;
    match word {
        "load" | "store" | "i8" | "i16" | "i32" | "i64" => None,
        "call" => Some(format!("call {}", operation.split_once('@')?.1.split('(').next()?)),
        _ => Some(word.to_owned()),
    }
}

fn add<'w>(trace: &Trace, times: f64, words: &dyn Fn(usize) -> &'w Vec<String>, histogram: &mut BTreeMap<String, f64>) {
    for step in trace {
        match step {
            Step::Block(run) => {
                let items = times * run.items.count_ones(..).to_f64().unwrap();
                for word in words(run.block.index()).iter().filter(|word| !is_apart(word)) {
                    *histogram.entry(word.clone()).or_default() += items;
                }
                for access in &run.accesses {
                    let kind = match access.kind {
                        AccessKind::Load => "load",
                        AccessKind::Store => "store",
                        _ => continue,
                    };
                    let memory = match access.memory {
                        SourceMemory::Global => "global",
                        SourceMemory::Constant => "constant",
                        SourceMemory::Local => "local",
                        SourceMemory::Private => "private",
                    };
                    *histogram.entry(format!("{kind} {memory}")).or_default() += items;
                }
            }
            Step::Loop(run) => {
                for round in &run.rounds {
                    add(&round.steps, times * round.times.to_f64().unwrap(), words, histogram);
                }
            }
            Step::Sides(fork, sides) => {
                for side in sides {
                    let share = if *fork == Fork::Groups { side.share } else { 1.0 };
                    add(&side.steps, times * share, words, histogram);
                }
            }
        }
    }
}
