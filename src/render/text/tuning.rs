//! The result of a tuning.

use std::collections::HashSet;
use std::fmt::Write;

use comfy_table::Table;

use super::near;
use super::open;
use super::refused;
use super::table::table;
use crate::render::first_choice::first_choice;
use crate::result::{
    AnalysisReport, BestReport, NearReport, Optimum, ProofReport, Report, UnknownReport, Values, Verdict,
};
use autotune_base::text::words::{above, difference, grouped, label, leave_out_advice, microseconds, printable};
use autotune_base::ticks::Ticks;
use autotune_engine::explain::{
    EdgesNotExecuted, ExecutedSafety, ExecutedSource, StraightLine, UnsafeEdge, UnsafeFaster,
};

/// The number of ties that are named.
const TIES: usize = 5;
/// The most unknown configurations that are named.
const UNKNOWN: usize = 10;

/// Returns a tuning's result as text.
#[must_use]
pub fn to_text(report: &Report) -> String {
    let mut text = format!("{} on {}{}\n\n", report.kernel, report.gpu, problem(&report.problem));
    match (report.verdict, &report.optimum, &report.proof) {
        (Verdict::Proved, Some(optimum), Some(proof)) => {
            text += &proved(report, optimum, proof);
            if let (Some(stopped), Some(reason)) = (&report.stopped, &report.reason) {
                let _ = writeln!(text, "NOT ALL PROVED, stopped by {stopped}: {reason}");
            }
        }
        (Verdict::Infeasible, ..) => text += &infeasible(report),
        _ => text += &open(report),
    }
    text += &report.analysis.as_ref().map_or(String::new(), |analysis| formulas(analysis, report.optimum.as_ref()));
    text += &cost(report);
    text
}

fn proved(report: &Report, optimum: &Optimum, proof: &ProofReport) -> String {
    let microseconds = microseconds(optimum.microseconds);
    let mut text = format!(
        "optimum   {}, work group {}: {} ticks{microseconds}, proved\n",
        label(&optimum.parameters),
        optimum.work_group,
        grouped(optimum.ticks)
    );
    text += &as_fast(report, &optimum.parameters);
    text += &report.near.as_ref().map_or(String::new(), |near| near::choice_line(near, optimum.ticks));
    if let Some(recommended) = &report.recommended {
        let _ = writeln!(text, "recommended  {}", recommended.in_words(&optimum.parameters, optimum.ticks));
        if let Some(without) = recommended.without() {
            let _ = writeln!(text, "{:13}{without}", "");
        }
    }
    text += &report.may_not_launch.as_ref().map_or(String::new(), |why| format!("launch    may fail: {why}\n"));
    if let Some(near) = &report.near {
        text += &near::lines(near, proof.configurations.all - proof.configurations.infeasible);
        text += &report.sensitivity.as_ref().map_or(String::new(), |it| format!("robust    {}\n", it.in_words()));
        text += &report.schedules.as_ref().map_or(String::new(), |it| format!("schedules {}\n", it.in_words()));
        let _ = write!(text, "\n{}\n", best(near, report, optimum.ticks).trim_fmt());
    }
    let _ = write!(text, "\n{}{}", proof_lines(proof, optimum.ticks), refused::lines(&report.refused));
    if let Some(source) = &report.source {
        text += &source_lines(source);
    }
    if let Some(expected) = &report.expected {
        let _ = writeln!(text, "expected  {}", expected.in_words());
    }
    text
}

/// Returns the line of the source, and the note about code that the vendor's compiler may treat in another way.
fn source_lines(source: &ExecutedSource) -> String {
    let ExecutedSource { files, compiler: _, target, absent, registers, straight_line, groups, safety } = source;
    let target = target.as_ref().map_or_else(String::new, |target| format!(", compiled for {target}"));
    let mut text = format!("source    {}{target}: {registers} for the optimum\n", files.join(", "));
    if let Some(StraightLine { operations, line, .. }) = straight_line {
        let at = line.map_or_else(String::new, |line| format!(" from line {line}"));
        let operations = grouped(*operations);
        let _ = writeln!(
            text,
            "          {operations} operations{at} have no branch: NVIDIA's compiler may unroll less, or spill"
        );
    }
    if !absent.is_empty() {
        let _ = writeln!(text, "          not there, and taken as empty: {}", absent.join(", "));
    }
    if let Some(groups) = groups {
        let (mean, lines) = (groups.mean_in_words(), groups.lines_in_words());
        let _ = writeln!(text, "          the work is the mean over {mean}{lines}");
    }
    text + &safety_lines(safety)
}

/// Returns the line of the search for errors in the executed group, and that of a configuration that is refused though it
/// would be faster.
fn safety_lines(safety: &ExecutedSafety) -> String {
    let ExecutedSafety { group, unjudged, edges, groups_not_looked_at, volatile, unsafe_edge, .. } = safety;
    let ExecutedSafety { edges_not_executed, faster, .. } = safety;
    let [x, y, z] = group;
    let open =
        if *unjudged > 0 { format!(" (data-dependent accesses: {unjudged}, not judged)") } else { String::new() };
    let edges = match edges.len() {
        0 => String::new(),
        number => format!(" and {number} at the edges"),
    };
    let mut text = format!("errors    no barrier, race or mask error in group {x},{y},{z}{edges}{open}\n");
    if let Some(number) = groups_not_looked_at {
        let groups = if *number == 1 { "group of the launch" } else { "groups of the launch" };
        let _ = writeln!(
            text,
            "          not looked at: {} {groups}, which a condition sends another way",
            grouped(*number)
        );
    }
    if let Some(number) = volatile {
        let _ = writeln!(
            text,
            "          not looked at: volatile accesses that meet without a barrier: {number} pairs of places"
        );
    }
    if let Some(UnsafeEdge { group: [x, y, z], reason }) = unsafe_edge {
        let _ = writeln!(text, "UNSAFE    group {x},{y},{z} at the edge, {}", printable(reason));
    }
    if let Some(EdgesNotExecuted { count, configurations }) = edges_not_executed {
        let others = if *count > 1 { format!("{count} configurations, the first is ") } else { String::new() };
        let first = configurations.first().map_or("", String::as_str);
        let _ = writeln!(text, "          edge groups not executed: {others}{first}");
    }
    if let Some(UnsafeFaster { configuration, ticks, rule }) = faster {
        let _ = writeln!(
            text,
            "          {configuration} would be faster, {} ticks, and is refused: {}",
            grouped(*ticks),
            rule.replace('_', " ")
        );
    }
    text
}

/// Returns the line of the ties by their differences from the optimum, and the preference that puts the optimum first;
/// empty if there are no ties.
fn as_fast(report: &Report, optimum: &Values) -> String {
    let ties = report.ties.as_deref().unwrap_or_default();
    if ties.is_empty() {
        return String::new();
    }
    let shown: Vec<_> = ties.iter().take(TIES).map(|tie| difference(tie, optimum)).collect();
    let more = ties.len() + report.ties_omitted - shown.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let by = report.near.as_ref().and_then(|near| near.optimum_by.as_deref());
    let by = by.map_or(String::new(), |by| format!("; preferred is {}", printable(by)));
    format!("as fast   with {}{more}{by}\n", shown.join("; "))
}

/// Returns the table of the best configurations in the order of their times, with their distance above the optimum.
fn best(near: &NearReport, report: &Report, optimum: Ticks) -> Table {
    let proved = report.top.iter().flatten().map(|top| &top.parameters);
    let proved: HashSet<String> = proved.map(label).collect();
    let mut table = table(&["configuration", "ticks", "above", "time by"]);
    for BestReport { parameters, ticks } in &near.best {
        let label = label(parameters);
        let is_proved = *ticks == optimum || proved.contains(&label);
        let by = if is_proved { "proof" } else { "evaluator" };
        table.add_row([label, grouped(*ticks), above(ticks.get(), optimum.get()), by.to_owned()]);
    }
    table
}

fn proof_lines(proof: &ProofReport, ticks: Ticks) -> String {
    let counts = &proof.configurations;
    let searches = || {
        let each = proof.models.iter();
        each.flat_map(|model| {
            let descent = model.descent.iter().map(|descent| (descent.states, descent.steps));
            descent.chain(model.runs.iter().map(|run| (run.states, run.steps)))
        })
    };
    let states = searches().map(|(states, _)| states).max().unwrap_or(0);
    let steps = searches().map(|(_, steps)| steps).max().unwrap_or(0);
    let compared = match (counts.checked, proof.models.iter().all(|model| model.comparison.is_some())) {
        (_, false) => String::new(),
        (1, true) => "; run to completion, it took the time that the evaluator predicted".to_owned(),
        (all, true) => format!("; run to completion, all {} took the time that the evaluator predicted", grouped(all)),
    };
    let models = if proof.models.len() == 1 { String::new() } else { format!(" in {} models", proof.models.len()) };
    format!(
        "proof     {} holds: no run ends earlier; at {} the optimum is the counterexample\n          \
         of {} configurations {} are infeasible, {} pruned by a lower bound, {} equal to another, {} searched{models}\n          \
         {}, {} granularity, form {}, {}: {} searches, at most {} states and {} steps{compared}\n",
        proof.property,
        grouped(ticks.after()),
        grouped(counts.all),
        grouped(counts.infeasible),
        grouped(counts.pruned),
        grouped(counts.equal),
        grouped(counts.checked),
        proof.checker,
        proof.granularity,
        proof.form.name(),
        proof.strategy,
        searches().count(),
        grouped(states),
        grouped(steps),
    )
}

/// Returns the max-plus models' times of the optimum, and the first choice of the model that agrees best with the
/// machine.
fn formulas(analysis: &AnalysisReport, optimum: Option<&Optimum>) -> String {
    let AnalysisReport { max_plus, of, winner, .. } = analysis;
    let [naive, operations, serialized] = [max_plus.naive, max_plus.operations, max_plus.serialized].map(grouped);
    let tau = analysis.winners_tau();
    let tau = tau.map_or(String::new(), |tau| format!(" ranks best, Kendall's tau {tau:.2} over {of} configurations;"));
    let choice = first_choice(winner, optimum.map_or(Ticks::ZERO, |optimum| optimum.ticks));
    let model = &winner.model;
    format!(
        "formulas  the literature's, for comparison; use the machine's optimum\n          \
         max-plus: naive {naive}, operations {operations}, serialized {serialized} ticks\n          \
         {model}{tau} puts first: {choice}\n"
    )
}

fn open(report: &Report) -> String {
    let reason = report.reason.as_deref().unwrap_or_default();
    let first = open::not_proved(report.stopped.as_deref(), reason);
    let interval = report.interval.as_ref().map_or(String::new(), |interval| {
        let lower = grouped(interval.lower);
        match interval.upper.map(grouped) {
            Some(upper) => format!("open      the optimum is between {lower} and {upper} ticks\n"),
            None => format!("open      the optimum is {lower} ticks or more; no configuration's time is known\n"),
        }
    });
    let best = report.best_known.as_ref().map_or(String::new(), |best| {
        let (label, ticks) = (label(&best.parameters), grouped(best.ticks));
        let microseconds = microseconds(best.microseconds);
        format!("best      {label}: {ticks} ticks{microseconds} by the evaluator, not proved\n")
    });
    let unknown = report.unknown.as_ref().map_or(String::new(), unknown);
    let refused = refused::lines(&report.refused);
    format!("{first}{interval}{best}{refused}{unknown}")
}

/// Returns the lines of the unknown configurations, and what can be done about them.
fn unknown(report: &UnknownReport) -> String {
    let mut text = String::new();
    for (number, one) in report.listed.iter().take(UNKNOWN).enumerate() {
        let heading = if number == 0 { "not known" } else { "" };
        let _ = writeln!(text, "{heading:9} {}: {}", label(&one.parameters), printable(&one.reason));
    }
    let more = report.configurations - report.listed.len().min(UNKNOWN);
    if more > 0 {
        let _ = writeln!(text, "          and {} more", grouped(more as u128));
    }
    text + &format!("help      {}\n", leave_out_advice(&report.leave_out))
}

fn infeasible(report: &Report) -> String {
    let mut table = table(&["rule", "excludes"]);
    for reason in report.reasons.iter().flatten() {
        table.add_row([reason.rule.clone(), grouped(reason.count)]);
    }
    format!("no configuration is feasible\n\n{}\n", table.trim_fmt())
}

fn cost(report: &Report) -> String {
    let Some(cost) = &report.cost else { return String::new() };
    if cost.cached {
        return "time      none: this was proved before, the cache has the answer (`--no-cache` proves it anew)\n"
            .to_owned();
    }
    let seconds = &cost.seconds;
    let kept = cost.artifacts.as_ref().map_or(String::new(), |folder| format!("kept      {folder}\n"));
    let estimated = cost
        .estimate
        .as_ref()
        .map_or(String::new(), |it| format!("estimate  {}\n", estimate(it.events, it.memory_mib, it.search_seconds)));
    format!(
        "time      lowering {:.2} s, spin {:.2} s, compiler {:.2} s, search {:.2} s, replay {:.2} s; {:.0} MiB, {:.0} of them stack\n{estimated}{kept}",
        seconds.lowering,
        seconds.spin,
        seconds.compiler,
        seconds.search,
        seconds.replay,
        cost.memory_mib,
        cost.stack_mib,
    )
}

/// Returns the expected cost of a search in words.
#[must_use]
pub fn estimate(events: u64, memory_mib: f64, seconds: f64) -> String {
    format!("{} events to search, {seconds:.2} s and {memory_mib:.0} MiB", grouped(events))
}

fn problem(sizes: &Values) -> String {
    if sizes.is_empty() { String::new() } else { format!(", {}", label(sizes)) }
}
