//! The cost of tuning: `cargo bench` prints tables with ratios first and raw figures after.
//!
//! The benchmark runs the tool as users do, and reads its JSON. Times are not asserted; the equality of optima found in
//! two ways is.

#![expect(clippy::print_stdout, reason = "tables are what a benchmark is for")]

mod ask;
mod batches;
mod constraints;
mod inference;
mod paper;
mod parts;
mod sources;
mod stages;
mod suggestions;
mod table;
mod versions;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use humantime::Duration;

/// Measures the cost of tuning, and prints tables
#[derive(Debug, Parser)]
struct Options {
    /// Measure only these parts; may be repeated
    #[arg(long = "part", value_enum)]
    parts: Vec<Part>,
    /// The time limit of a single question, by this tool or in the paper's way
    #[arg(long, value_name = "TIME", default_value = "240s")]
    limit: Duration,
    /// A Promela model with a line `#define MT number` to be measured too, and the question that it answers: the
    /// arguments of `autotune`, for example `--published FILE -- SPEC --gpu GPU`
    #[arg(long, value_name = "FILE", requires = "question")]
    published: Option<PathBuf>,
    /// An earlier build of the program, to be measured in turn with this one by the part `versions`
    #[arg(long, value_name = "FILE")]
    earlier: Option<PathBuf>,
    #[arg(last = true, value_name = "QUESTION")]
    question: Vec<String>,
    /// The flag that `cargo bench` passes to every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

/// A part of the benchmark: one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// This tool against the paper's way
    Paper,
    /// Problem sizes from 2^8 to 2^30
    Sizes,
    /// Spaces of 10 to 3,000,000 configurations
    Spaces,
    /// The enumeration of spaces with few solutions
    Constraints,
    /// Strategies and forms of the model
    Strategies,
    /// The time of each stage
    Time,
    /// Batches of many questions
    Batches,
    /// What to measure next, after some runs
    Suggestions,
    /// Kernels from their source: the compiler's part and the tool's
    Sources,
    /// Launches from host code, by its length
    Inference,
    /// This program and an earlier one (`--earlier FILE`)
    Versions,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let parts = if options.parts.is_empty() { Part::value_variants() } else { &options.parts };
    let limit = *options.limit;
    let published = options.published.iter().map(|file| paper::published(file, &options.question, limit));
    let tables = parts.iter().map(|part| match part {
        Part::Paper => paper::table(limit),
        Part::Sizes => parts::sizes(limit),
        Part::Spaces => parts::spaces(limit),
        Part::Constraints => constraints::table(),
        Part::Strategies => parts::strategies(limit),
        Part::Time => stages::table(limit),
        Part::Batches => batches::table(),
        Part::Suggestions => suggestions::table(),
        Part::Sources => sources::table(),
        Part::Inference => inference::table(),
        Part::Versions => versions::table(options.earlier.as_deref()),
    });
    for table in published.chain(tables) {
        match table {
            Ok(table) => println!("{table}\n"),
            Err(error) => {
                println!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
