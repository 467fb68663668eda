//! The tables made from this tool's own answers.

use std::path::Path;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};

use crate::ask::{Answer, Result, ask};
use crate::table::{Figures, ratio, ratio_of_counts, seconds};

pub(crate) const ABSTRACT: &str = "tuning-specs/abstract_kernel.yaml";
const CONVOLUTION: &str = "tuning-specs/convolution_2d.yaml";
const MATMUL: &str = "tuning-specs/matmul_tiled.yaml";
const NOT_PROVED: &str = "not proved";

/// Events, steps, states, time and memory over the problem size.
pub(crate) fn sizes(limit: Duration) -> Result<String> {
    let header =
        ["size", "steps / 2^20's", "states / 2^20's", "s / 2^20's", "ticks", "events", "steps", "states", "s", "MiB"];
    let mut figures = Figures::new("abstract_kernel on fermi over the problem size", &header);
    let of_size = |exponent: u32| {
        let size = format!("size={}", 1_u64 << exponent);
        ask(&[ABSTRACT, "--gpu", "fermi", "--set", &size], limit)
    };
    let reference = of_size(20)?;
    for exponent in (8..=30).step_by(2) {
        let answer = of_size(exponent)?;
        figures.row([
            format!("2^{exponent}"),
            ratio_of_counts(answer.most("steps"), reference.most("steps")),
            ratio_of_counts(answer.most("states"), reference.most("states")),
            ratio(answer.wall.as_secs_f64(), reference.wall.as_secs_f64()),
            answer.ticks().map_or(NOT_PROVED.to_owned(), |ticks| ticks.to_string()),
            answer.result["optimum"]["events"].to_string(),
            answer.most("steps").to_string(),
            answer.most("states").to_string(),
            seconds(answer.wall.as_secs_f64()),
            format!("{:.0}", answer.memory()),
        ]);
    }
    Ok(figures.finish())
}

/// Time and memory over the number of configurations, with and without pruning.
pub(crate) fn spaces(limit: Duration) -> Result<String> {
    let header = [
        "kernel, feasible",
        "unpruned / pruned",
        "s",
        "searched",
        "pan MiB",
        "unpruned s",
        "searched",
        "pan MiB",
        "pan s",
        "expected",
        "all MiB",
    ];
    let title = "widened spaces on a100, nothing cached; all MiB: of any process until then";
    let mut figures = Figures::new(title, &header);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("spec.yaml");
    let spec = path.to_str().ok_or("the temporary folder has a strange name")?;
    for widened in std::iter::once(matmul()).chain(SPACES.map(convolution)) {
        std::fs::write(&path, widened?)?;
        figures.row(space(spec, limit)?);
    }
    Ok(figures.finish())
}

/// The numbers of values of `block_x`, `block_y`, `tile_x`, `tile_y` and `unroll`, the smallest space first.
const SPACES: [[u32; 5]; 7] = [
    [4, 1, 1, 2, 1],
    [8, 4, 2, 2, 1],
    [16, 8, 4, 4, 1],
    [64, 16, 4, 8, 1],
    [128, 32, 8, 16, 1],
    [1024, 1024, 8, 8, 4],
    [1024, 1024, 2, 4, 34],
];
/// The size of a space beyond which it is not searched without pruning.
const MOST_UNPRUNED: u64 = 200_000;

/// One line: a space with pruning, and without it if that ends soon.
fn space(spec: &str, limit: Duration) -> Result<Vec<String>> {
    let question = [spec, "--gpu", "a100", "--no-cache"];
    let pruned = ask(&question, limit)?;
    let feasible = pruned.configurations("all") - pruned.configurations("infeasible");
    let name = format!("{}, {feasible}", pruned.result["kernel"].as_str().unwrap_or_default());
    let mut row = vec![name, "-".to_owned(), seconds(pruned.wall.as_secs_f64())];
    row.extend(searched(&pruned));
    if feasible <= MOST_UNPRUNED {
        let all = ask(&[&question[..], &["--no-prune"]].concat(), limit)?;
        let same = |part: &str| all.result[part] == pruned.result[part];
        if !all.is_proved() || !same("optimum") || !same("ties") {
            return Err(format!("of {feasible} configurations pruning changes the answer, or there is none").into());
        }
        row[1] = ratio(all.wall.as_secs_f64(), pruned.wall.as_secs_f64());
        row.push(seconds(all.wall.as_secs_f64()));
        row.extend(searched(&all));
        row.extend([seconds(all.seconds("search")), all.expected_seconds()]);
    } else {
        row.extend(["-"; 5].map(str::to_owned));
    }
    row.push(format!("{:.0}", peak_mib()?));
    Ok(row)
}

/// The peak memory of the greatest process that has ended, in MiB.
fn peak_mib() -> Result<f64> {
    let kib = getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss();
    #[expect(clippy::cast_precision_loss, reason = "whole MiB are shown")]
    Ok(kib as f64 / 1024.0)
}

fn searched(answer: &Answer) -> [String; 2] {
    [answer.configurations("checked").to_string(), format!("{:.0}", answer.memory())]
}

/// The shipped convolution with 1.4 million configurations that can run.
pub(crate) fn large_convolution() -> Result<String> {
    with_line(&convolution([1024, 1024, 2, 4, 31])?, "read_only", "{ values: [1] }")
}

/// The shipped convolution with these numbers of values for its parameters; the fifth is for one more, the unrolling of
/// the copy.
fn convolution([block_x, block_y, tile_x, tile_y, unroll]: [u32; 5]) -> Result<String> {
    const PER_WORD: &str = "8 * mean(copies, warps)";
    let range = |most: u32, step: u32| format!("{{ range: {{ from: {step}, to: {}, step: {step} }} }}", most * step);
    let mut text = shipped(CONVOLUTION)?;
    // The source that the body describes lies elsewhere.
    text.truncate(text.find("\nsource: ").map_or(text.len(), |source| source + 1));
    for (name, most) in [("block_y", block_y), ("tile_x", tile_x), ("tile_y", tile_y)] {
        text = with_line(&text, name, &range(most, 1))?;
    }
    let block_x = range(block_x, (128 / block_x).max(1));
    text = with_line(&text, "block_x", &format!("{block_x}\n  unroll: {}", range(unroll, 1)))?;
    if text.matches(PER_WORD).count() != 1 {
        return Err(format!("the spec does not say `{PER_WORD}` once").into());
    }
    // All work items take part in all rounds of the copy, so that any block has whole counts.
    let text =
        text.replace(PER_WORD, "8 * ceil_div(down * across, unroll)").replace("mean(copies, warps)", "down * across");
    // Tiles that do not divide the image reach beyond it.
    let text = text.replace("      array: ", "      guarded: true\n      array: ");
    Ok(text.replacen("\nlaunch:", "\nconstraints: [ block_x * block_y <= 1024 ]\nlaunch:", 1))
}

/// The shipped matrix product with tiles that need not divide the matrices.
fn matmul() -> Result<String> {
    let mut text = shipped(MATMUL)?;
    for (name, value) in [
        ("TS", "{ range: { from: 4, to: 128, step: 4 } }"),
        ("ROWS", "{ range: { from: 1, to: 16 } }"),
        ("COLS", "{ range: { from: 1, to: 16 } }"),
        ("tiles", "ceil_div(size, TS)"),
        ("work_items", "['ceil_div(size, width) * TS', 'ceil_div(size, TS) * TS / ROWS']"),
    ] {
        text = with_line(&text, name, value)?;
    }
    // Tiles that do not divide the matrices reach beyond them.
    let text = text.replace("            array: ", "            guarded: true\n            array: ");
    let text = text.replace("\n      array: ", "\n      guarded: true\n      array: ");
    let (before, rest) = text.split_once("\nconstraints:").ok_or("the spec has no constraints")?;
    let (_, after) = rest.split_once("\nlaunch:").ok_or("the spec has no launch")?;
    Ok(format!("{before}\nconstraints: [ TS % ROWS == 0, size >= width ]\nlaunch:{after}"))
}

pub(crate) fn shipped(spec: &str) -> Result<String> {
    Ok(std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(spec))?)
}

/// A spec with another value in the line that defines a name.
fn with_line(text: &str, name: &str, value: &str) -> Result<String> {
    let begin = text.find(&format!("\n  {name}: ")).ok_or_else(|| format!("the spec has no {name}"))? + 1;
    let end = begin + text[begin..].find('\n').unwrap_or(0);
    Ok(format!("{}  {name}: {value}{}", &text[..begin], &text[end..]))
}

/// The strategies and forms on equal questions.
pub(crate) fn strategies(limit: Duration) -> Result<String> {
    let header = ["question", "s / guess's", "searches", "steps", "states", "search s", "s"];
    let mut figures = Figures::new("strategies, forms and granularities; nothing is pruned", &header);
    for (name, question) in [
        ("abstract_kernel 1024", [ABSTRACT, "--gpu", "fermi", "--set", "size=1024"]),
        ("matmul_tiled 128", [MATMUL, "--gpu", "fermi", "--set", "size=128"]),
        ("abstract_kernel 64, tiny", [ABSTRACT, "--gpu", "abstract-tiny", "--set", "size=64"]),
    ] {
        let mut variants = vec![["--form", "roles"], ["--form", "wave"]];
        if name.ends_with("tiny") {
            variants.push(["--granularity", "element"]);
        }
        for variant in variants {
            let mut guess: Option<(f64, Option<u64>)> = None;
            for strategy in ["guess", "branch-and-bound", "bisection"] {
                let answer = ask(&[&question[..], &variant, &["--no-prune", "--strategy", strategy]].concat(), limit)?;
                let (wall, ticks) = *guess.get_or_insert((answer.wall.as_secs_f64(), answer.ticks()));
                if answer.is_proved() && ticks.is_some() && answer.ticks() != ticks {
                    return Err(format!("{name}: {strategy} finds {:?}, not {ticks:?}", answer.ticks()).into());
                }
                figures.row([
                    format!("{name}, {}, {strategy}", variant[1]),
                    if answer.is_proved() { ratio(answer.wall.as_secs_f64(), wall) } else { NOT_PROVED.to_owned() },
                    answer.searches().to_string(),
                    answer.most("steps").to_string(),
                    answer.most("states").to_string(),
                    seconds(answer.seconds("search")),
                    seconds(answer.wall.as_secs_f64()),
                ]);
            }
        }
    }
    Ok(figures.finish())
}
