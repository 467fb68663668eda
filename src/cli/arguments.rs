//! The arguments of the command line.

mod batch;
mod called;
mod choices;
mod diff;
mod examples;
mod formats;
mod gpu_name;
mod groups;
mod kernel;
mod l2;
mod measure;
mod measurements;
mod values;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use bytesize::ByteSize;
use clap::builder::ArgPredicate;
use clap::{ArgAction, ArgMatches, Args, FromArgMatches, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use humantime::Duration;

use autotune_engine::proof::Percent;
use autotune_engine::spin::memory;
use autotune_lowering::models::efficiency::Weights;
use values::{assignment, count, picture, sizes, time};

pub(super) use batch::{Batch, BatchJob, Executor, OnInterrupt};
pub(super) use choices::{Form, Granularity, Listing, Schedules, SpecForm, Strategy, Template};
pub(super) use diff::Diff;
pub(super) use formats::{
    DiffFormat, ExportFormat, Format, GraphFormat, InspectFormat, Pick, Printed, SizeTableFormat, SuggestFormat,
    TuneFormat,
};
use gpu_name::GpuName;
pub(super) use groups::with_groups;
pub(super) use kernel::{KernelOptions, SourceTools};
pub(super) use l2::L2Options;
pub(super) use measure::Measure;
pub(super) use measurements::{Suggest, Times, Validate};

const USAGE: &str = "\
autotune SPEC --gpu GPU [OPTIONS]
       autotune COMMAND …";

const GPUS: &str = "A GPU's name or alias (`autotune gpus` lists them), or a profile of your own: a path with a slash or ending in .yaml. \
                    Several between commas, `all`, vendor:NVIDIA, arch:Ampere or target:sm_80 ask for one configuration for all";
const TABLE_GPUS: &str =
    "GPUs by name, alias or file, several between commas; or `all`, vendor:NVIDIA, arch:Ampere, target:sm_80";
const SIZES: &str = "Give a problem size another value, such as n=4096, n=128k (binary) or n=2^17; or several: n=1024,2048, \
                     n=2^10..2^20:pow2, n=1..9:2 or n=1..4096:log32; may be repeated";

/// Finds the launch parameters for which a GPU kernel is fastest, and proves it by model checking. No GPU is needed.
#[derive(Debug, Parser)]
#[command(version, about, override_usage = USAGE, after_help = examples::TUNE, subcommand_negates_reqs = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// Take the scenarios from this list, each with a GPU and problem sizes: `- { gpu: a100, set: { n: 1024 }, weight: 3 }`
    #[arg(long, value_name = "FILE.yaml", conflicts_with_all = ["gpu", "sizes"])]
    pub(super) scenarios: Option<PathBuf>,
    /// Print the spec that a source file and its options stand for, as a file or as a comment for the source, and do nothing else
    #[arg(
        long,
        value_enum,
        value_name = "AS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "yaml",
        conflicts_with_all = ["report", "keep", "depfile"]
    )]
    pub(super) print_spec: Option<SpecForm>,
    #[command(flatten)]
    pub(super) question: Asked,
    #[command(flatten)]
    pub(super) tune: Tune,
    #[command(flatten)]
    pub(super) files: FilesBeside,
    #[command(flatten)]
    pub(super) verbosity: Verbosity,
}

/// The files that are written beside an answer.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files beside the answer")]
pub(super) struct FilesBeside {
    /// Write the result as a page for browsers, index.html in this folder; one of an earlier run is replaced
    #[arg(long, value_name = "DIR")]
    pub(super) report: Option<PathBuf>,
    /// Write the files that the answer depends on as a rule of make: spec, profile, source and the files that it
    /// includes. A depfile of an earlier run is replaced, and removed if this run fails
    #[arg(long, value_name = "FILE", requires = "depfile_target")]
    pub(super) depfile: Option<PathBuf>,
    /// The target of the depfile's rule, as the build names it: the file that the answer goes to
    #[arg(long, value_name = "NAME", requires = "depfile")]
    pub(super) depfile_target: Option<PathBuf>,
}

/// The question of a command line; `None` for a command. Clap's own `Option` does not look into flattened options.
#[derive(Debug)]
pub(super) struct Asked(pub(super) Option<Question<TuneFormat>>);

impl Args for Asked {
    fn augment_args(command: clap::Command) -> clap::Command {
        // The answer to several scenarios is an option of this command alone.
        Question::<TuneFormat>::augment_args(command)
            .mut_arg("gpu", |gpu| {
                gpu.required(false)
                    .required_unless_present("scenarios")
                    .default_value_if("scenarios", ArgPredicate::IsPresent, "")
                    .value_name("GPU,…")
                    .help("A GPU's name, a profile's path, or several of them")
                    .long_help(GPUS)
            })
            .mut_arg("sizes", |sizes| {
                let help = "A problem size, n=4096, or several: n=1024,2048";
                sizes.value_name("NAME=VALUE,…").help(help).long_help(SIZES)
            })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Question::<TuneFormat>::augment_args_for_update(command)
    }
}

impl FromArgMatches for Asked {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let asks = matches.contains_id("spec") || matches.contains_id("space");
        asks.then(|| Question::from_arg_matches(matches)).transpose().map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The amount of messages on standard error.
#[derive(Debug, Args)]
#[command(next_help_heading = "Messages")]
pub(super) struct Verbosity {
    /// Show each step on standard error; given twice, also each command that is run
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(super) verbose: u8,
    /// Show errors only
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print the native evaluator's times, without a model checker.
    Evaluate(Evaluate),
    /// Show where the accesses of a configuration should live.
    ///
    /// Without `--config`, it is the fastest one by the native evaluator.
    Locality(Locality),
    /// Print the Promela model that SPIN would search.
    ///
    /// With `--format json`, print a configuration's lowered program.
    Model(Model),
    /// Compare what is proved with what the formulas say.
    ///
    /// Shows proof, evaluator and formulas side by side, and how far their rankings agree.
    Compare(Compare),
    /// Show where a configuration's time goes, or why it cannot run.
    ///
    /// `--config` names the configuration, unless the space has only one.
    Explain(Explain),
    /// Show a source with what a warp executes of each line.
    ///
    /// Without `--config`, it is the fastest configuration, or the first that can run.
    Inspect(Inspect),
    /// Print the body that a source amounts to, or check a body.
    ///
    /// The body of one configuration is printed in a spec; `--check` compares a body with its source.
    Extract(Extract),
    /// Compare a kernel with its earlier form, line by line.
    ///
    /// Shows exact counts by line, predicted times, and what became worse.
    Diff(Box<Diff>),
    /// Draw the kernel graph of a configuration.
    ///
    /// Marks the critical path.
    Graph(Graph),
    /// Predict times by the wave model; `evaluate` knows better.
    ///
    /// The wave model is a formula of the literature, for comparison. Of one configuration, its terms are shown.
    Predict(Predict),
    /// Rate how well implementations suit a GPU by six factors.
    ///
    /// A formula of the literature, for comparison: `evaluate` predicts times.
    Efficiency(Efficiency),
    /// Compare predictions with measured times.
    Validate(Validate),
    /// Choose what to measure next, by predictions that runs correct.
    Suggest(Suggest),
    /// Measure what is suggested with your own benchmark.
    ///
    /// Each run corrects the ranking.
    Measure(Box<Measure>),
    /// Show all errors and warnings of a spec, and what fits where.
    ///
    /// Shows how many configurations each constraint removes, and which GPUs a configuration fits.
    Check(Check),
    /// Print a commented spec to start from.
    Init(Init),
    /// List the GPU profiles, or print one as a file.
    ///
    /// The file can be edited and given to `--gpu`. `--why` lists what a profile assumes.
    Gpus(Gpus),
    /// Choose a few configurations by GPU and size, as code.
    ///
    /// The configurations are chosen by native times; the code is the decision for one of them by GPU and problem sizes.
    Table(Box<Table>),
    /// Give kept results the form of another program.
    ///
    /// The forms are C, a shell, a table, and those of measuring tuners.
    Export(Export),
    /// Answer many questions, with a journal that loses nothing.
    Batch(Batch),
    #[command(hide = true)]
    BatchJob(BatchJob),
    /// Repeat a kept proof from its folder alone.
    ///
    /// Compares hashes, searches and replays.
    Verify(Verify),
    /// Serve coding agents by the Model Context Protocol.
    ///
    /// The server speaks on standard input and output.
    Mcp(Mcp),
    /// Show what is kept for later and where, or remove it.
    ///
    /// Compiled checkers, compiled sources and finished proofs are kept.
    Cache(Cache),
    /// Test all that a proof needs.
    Doctor(Doctor),
    /// Print completions for a shell.
    Completions(Completions),
    /// Print the manual page, or write one for each command.
    Man(Man),
}

/// Kernel, GPU and problem.
#[derive(Debug, Clone, Args)]
pub(super) struct Question<F: Printed = Format> {
    /// The kernel's spec, a YAML file; or its source (.cl, .cu) and the options that describe it [default: the kernel of `--space`]
    #[arg(required_unless_present = "space")]
    pub(super) spec: Option<PathBuf>,
    /// A GPU's name or alias (`autotune gpus` lists them), or a profile of your own: a path with a slash or ending in .yaml
    #[arg(long, value_name = "GPU", value_parser = GpuName, hide_possible_values = true)]
    pub(super) gpu: String,
    /// Give a problem size another value, such as n=4096, n=128k (binary) or n=2^17; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = sizes, allow_negative_numbers = true)]
    pub(super) sizes: Vec<(String, Vec<i64>)>,
    #[command(flatten)]
    pub(super) l2: L2Options,
    /// Take values of parameters, and further parameters and constraints, from a T1 file (JSON)
    #[arg(long, value_name = "FILE.json")]
    pub(super) space: Option<PathBuf>,
    /// Consider this configuration alone: a value for every parameter
    #[arg(long, value_name = "A=1,B=2", allow_negative_numbers = true)]
    pub(super) config: Option<String>,
    /// Text, or one JSON object
    #[arg(long, value_enum, default_value = F::DEFAULT)]
    pub(super) format: F,
    #[command(flatten)]
    pub(super) kernel: KernelOptions,
    #[command(flatten)]
    pub(super) tools: SourceTools,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "The proof")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Tune {
    /// The granularity of the model: by warps, or by processing elements (lockstep GPUs, small sizes)
    #[arg(long, value_enum, default_value_t)]
    pub(super) granularity: Granularity,
    /// A process for each part of the machine, or a wave in one step (long runs, many warps) [default: by the events]
    #[arg(long, value_enum)]
    pub(super) form: Option<Form>,
    /// The search for the optimum
    #[arg(long, value_enum, default_value_t)]
    pub(super) strategy: Strategy,
    /// The orders of simultaneous events that the optimum is to win in
    #[arg(long, value_enum, default_value_t)]
    pub(super) schedules: Schedules,
    /// Prove the N best configurations, each with its time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000), allow_hyphen_values = true)]
    pub(super) top: u16,
    /// Count the configurations that take at most P % longer than the optimum too, and prefer one among them: 0 to 100, such as 0.5
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(super) within: Option<Percent>,
    /// Choose at most K configurations for several scenarios, each taking its fastest one: 1 to 8
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8), allow_hyphen_values = true)]
    pub(super) variants: u8,
    /// Choose among several configurations by these, the most important first, in place of the spec's `prefer`: `max E`, `min E` or a
    /// condition, of parameters, problem sizes, `work_group`, `registers` and `local_memory`
    #[arg(long, value_name = "max A, B == 2, …")]
    pub(super) prefer: Option<String>,
    /// Export this configuration, where `--format` names another program's; not with `--within` or `--prefer`
    #[arg(long, value_enum, default_value_t)]
    pub(super) pick: Pick,
    /// Search all programs, those too that a lower bound excludes
    #[arg(long)]
    pub(super) no_prune: bool,
    /// Let SPIN run all that it searches to its end too, and compare each time with the evaluator's [default: below 100,000 events]
    #[arg(long)]
    pub(super) check_all: bool,
    /// Compare no times beyond those that the proof shows
    #[arg(long, conflicts_with = "check_all")]
    pub(super) no_check_all: bool,
    /// Evaluate all programs natively, those too that a lower bound excludes
    #[arg(long)]
    pub(super) rank: bool,
    /// Leave out what formulas say of the optimum and of the space
    #[arg(long)]
    pub(super) no_analysis: bool,
    /// Stop after this time, such as 90s or 10m, and show what is known
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub(super) time_limit: Option<Duration>,
    /// Memory of one search, with its unit: 512M or 4GiB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = memory, allow_hyphen_values = true)]
    pub(super) memory: ByteSize,
    /// End with status 1 and no answer unless all that is asked for is proved
    #[arg(long)]
    pub(super) require_proof: bool,
    /// Keep the proof in this folder, which must be new or empty, for `autotune verify` and for others
    #[arg(long, value_name = "DIR")]
    pub(super) keep: Option<PathBuf>,
    /// Prove anew with a checker compiled anew, and keep nothing for later questions
    #[arg(long)]
    pub(super) no_cache: bool,
    /// The configurations that the JSON lists where a space has more than 10,000
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub(super) configurations: Listing,
    /// Leave out all that is measured: the same question then gives the same bytes
    #[arg(long)]
    pub(super) no_cost: bool,
}

#[derive(Debug, Args)]
#[command(after_help = examples::EVALUATE)]
pub(super) struct Evaluate {
    /// Show only the N fastest
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(super) top: Option<NonZeroUsize>,
    /// With `--top`, show the fastest, and others nearly as fast that differ in parameters that matter
    #[arg(long, requires = "top")]
    pub(super) diverse: bool,
    /// The orders of simultaneous events
    #[arg(long, value_enum, default_value_t)]
    pub(super) schedules: Schedules,
    #[command(flatten)]
    pub(super) question: Question,
}

#[derive(Debug, Args)]
#[command(after_help = examples::LOCALITY)]
pub(super) struct Locality {
    #[command(flatten)]
    pub(super) question: Question,
}

#[derive(Debug, Args)]
#[command(after_help = examples::MODEL)]
pub(super) struct Model {
    /// By warps, or by processing elements
    #[arg(long, value_enum, default_value_t)]
    pub(super) granularity: Granularity,
    /// A process for each part of the machine, or a wave in one step (long runs, many warps) [default: by the events]
    #[arg(long, value_enum)]
    pub(super) form: Option<Form>,
    /// Hold all programs, those too that a lower bound excludes
    #[arg(long)]
    pub(super) no_prune: bool,
    /// Write model.pml and tables.h into this folder, which must be new or empty, for `spin -a`: for models of any size
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) question: Question,
}

#[derive(Debug, Args)]
#[command(after_help = examples::PREDICT)]
pub(super) struct Predict {
    #[command(flatten)]
    pub(super) question: Question,
}

#[derive(Debug, Args)]
#[command(after_help = examples::EFFICIENCY)]
#[command(mut_group("Times", |times| times.requires("measured")))]
pub(super) struct Efficiency {
    /// The weights of K1 to K6: memory, input, output, temporary memory, loops, branches [default: the profile's, or 1
    /// and each four fifths of the one before]
    #[arg(long, value_name = "W1,…,W6")]
    pub(super) weights: Option<Weights>,
    /// Fit the weights to measured runs, and show how well they rank each set that the fit left out: files that `validate` reads,
    /// where each problem size is a set
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "config")]
    pub(super) measured: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) times: Times,
    #[command(flatten)]
    pub(super) question: Question,
}

#[derive(Debug, Args)]
#[command(after_help = examples::VERIFY)]
pub(super) struct Verify {
    /// A folder that `--keep` has filled
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,
    /// Execute the folder's Python program if its kernel is in Triton, which is needed to compile it again
    #[arg(long)]
    pub(super) trust_python: bool,
    /// Believe the compiler's outputs in the folder; otherwise the folder's source is compiled again where a clang is found
    #[arg(long, conflicts_with_all = ["clang", "python", "ptxas"])]
    pub(super) no_compile: bool,
    /// The clang that compiles the folder's source again [default: `AUTOTUNE_CLANG`, or the newest on the search path]
    #[arg(long, value_name = "PATH")]
    pub(super) clang: Option<PathBuf>,
    /// The Python that has Triton, for a kernel in Triton [default: `AUTOTUNE_PYTHON`, that of the virtual environment, or `python3`]
    #[arg(long, value_name = "PATH")]
    pub(super) python: Option<PathBuf>,
    /// NVIDIA's assembler, for a folder that was made with it [default: the one on the search path, if there is one]
    #[arg(long, value_name = "PATH")]
    pub(super) ptxas: Option<PathBuf>,
    /// Memory of one search, with its unit: 512M or 4GiB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = memory, allow_hyphen_values = true)]
    pub(super) memory: ByteSize,
    /// Text, or one JSON object
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = examples::COMPARE)]
pub(super) struct Compare {
    /// Show and compare all configurations, of large spaces too
    #[arg(long)]
    pub(super) all: bool,
    /// Draw the machine's times over two parameters, the configurations under the GPU's roofs, and the ranks by each model
    #[arg(long, value_name = "FILE.svg", value_parser = picture)]
    pub(super) plot: Option<PathBuf>,
    /// Write the result as a page for browsers, index.html in this folder; one of an earlier run is replaced
    #[arg(long, value_name = "DIR")]
    pub(super) report: Option<PathBuf>,
    #[command(flatten)]
    pub(super) question: Question,
    #[command(flatten)]
    pub(super) tune: Tune,
}

#[derive(Debug, Args)]
#[command(after_help = examples::EXPLAIN)]
pub(super) struct Explain {
    #[command(flatten)]
    pub(super) question: Question,
}

#[derive(Debug, Args)]
#[command(after_help = examples::INSPECT)]
pub(super) struct Inspect {
    /// Write to this file, not to standard output; an existing one is replaced
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) question: Question<InspectFormat>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::EXTRACT)]
pub(super) struct Extract {
    /// Compare the spec's body with the source that it describes (`source` beside `body`), in every feasible configuration
    #[arg(long)]
    pub(super) check: bool,
    #[command(flatten)]
    pub(super) question: Question,
}

#[derive(Debug, Args)]
#[command(after_help = examples::GRAPH)]
pub(super) struct Graph {
    #[command(flatten)]
    pub(super) question: Question<GraphFormat>,
}

/// A few configurations for several GPUs and problem sizes.
#[derive(Debug, Args)]
#[command(after_help = examples::TABLE)]
#[command(mut_arg("gpu", |gpu| gpu.value_name("GPU,…").help(TABLE_GPUS)))]
#[command(mut_arg("sizes", |sizes| sizes.value_name("NAME=VALUE,…").help(SIZES)))]
#[command(mut_arg("format", |format| format.help("The form of the table")))]
pub(super) struct Table {
    /// Choose at most this many configurations, 1 to 8
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=8), allow_hyphen_values = true)]
    pub(super) variants: u8,
    /// Give each size a variant that is at most P % slower than the fastest one, in at most 5 decisions [default: the fastest one,
    /// in as many decisions as needed]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(super) within: Option<Percent>,
    /// Prove the times and that no other configurations have a lesser worst slowdown
    #[arg(long)]
    pub(super) prove: bool,
    /// Keep the proof in this folder, which must be new or empty, for `autotune verify` and for others
    #[arg(long, value_name = "DIR", requires = "prove")]
    pub(super) keep: Option<PathBuf>,
    /// Stop the proof after this time, such as 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true, requires = "prove")]
    pub(super) time_limit: Option<Duration>,
    #[command(flatten)]
    pub(super) question: Question<SizeTableFormat>,
}

/// Kept results and what is to become of them.
#[derive(Debug, Args)]
#[command(after_help = examples::EXPORT)]
pub(super) struct Export {
    /// Results of `--format json`, a batch's results.json or its folder, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// The format to write
    #[arg(long, value_enum)]
    pub(super) format: ExportFormat,
    /// Export this configuration
    #[arg(long, value_enum, default_value_t)]
    pub(super) pick: Pick,
    /// Only those of this kernel
    #[arg(long, value_name = "NAME")]
    pub(super) kernel: Option<String>,
    /// Only those of this GPU
    #[arg(long, value_name = "GPU", value_parser = GpuName, hide_possible_values = true, value_hint = ValueHint::Other)]
    pub(super) gpu: Option<String>,
    /// Only those with this problem size; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment, allow_negative_numbers = true)]
    pub(super) sizes: Vec<(String, i64)>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::CHECK)]
pub(super) struct Check {
    /// The kernel's spec, a YAML file; or its source (.cl, .cu) and the options that describe it
    pub(super) spec: PathBuf,
    /// A GPU, as for a proof; without it no limit of a GPU is tried, and no footprint. Of a list with commas, a matrix shows
    /// what fits where: names, files, `all`, `vendor:NVIDIA`, `arch:Ampere`, `target:sm_80`
    #[arg(long, value_name = "GPU,…")]
    pub(super) gpu: Option<String>,
    /// End with status 4 unless some configuration fits each GPU of these targets, such as `sm_75,gfx90a`
    #[arg(long, value_name = "TARGETS")]
    pub(super) require: Option<String>,
    /// Show where this configuration fits: a value for every parameter
    #[arg(long, value_name = "A=1,B=2", requires = "gpu")]
    pub(super) config: Option<String>,
    /// Execute the groups at all edges of the launch of each configuration, and list those with a barrier, race or mask error
    #[arg(long, requires = "gpu")]
    pub(super) safety: bool,
    /// Give a problem size another value; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    pub(super) sizes: Vec<(String, i64)>,
    #[command(flatten)]
    pub(super) l2: L2Options,
    /// Take values of parameters, and further parameters and constraints, from a T1 file (JSON)
    #[arg(long, value_name = "FILE.json")]
    pub(super) space: Option<PathBuf>,
    /// Stop after this time, such as 90s or 10m, and show what is known
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub(super) time_limit: Option<Duration>,
    /// Text, or one JSON object
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) kernel: KernelOptions,
    #[command(flatten)]
    pub(super) tools: SourceTools,
}

#[derive(Debug, Args)]
#[command(after_help = examples::INIT)]
pub(super) struct Init {
    /// The kind of the kernel
    #[arg(long, value_enum, default_value_t)]
    pub(super) kernel: Template,
    /// Write it to a new file, not to standard output
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::GPUS)]
pub(super) struct Gpus {
    /// Print this profile
    #[arg(value_parser = GpuName, hide_possible_values = true)]
    pub(super) name: Option<String>,
    /// List the values of this profile that have no source, and why each is assumed
    #[arg(long, requires = "name")]
    pub(super) why: bool,
    /// Text, or one JSON object
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// The tools that a server's calls may use.
#[derive(Debug, Args)]
#[command(after_help = examples::MCP)]
pub(super) struct Mcp {
    /// Execute kernels that are Python programs, in Triton, which is needed to compile them
    #[arg(long)]
    pub(super) trust_python: bool,
    #[command(flatten)]
    pub(super) tools: SourceTools,
}

#[derive(Debug, Args)]
#[command(after_help = examples::CACHE)]
pub(super) struct Cache {
    #[command(subcommand)]
    pub(super) action: Option<CacheAction>,
    /// Text, or one JSON object
    #[arg(long, value_enum, default_value_t, global = true)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = examples::DOCTOR)]
pub(super) struct Doctor {
    /// Text, or one JSON object
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = examples::COMPLETIONS)]
pub(super) struct Completions {
    /// The shell
    pub(super) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = examples::MAN)]
pub(super) struct Man {
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(super) enum CacheAction {
    /// Remove all that is kept
    Clear,
}
