//! The result about several scenarios, and the repetition of its proof.

mod own_optimum;
mod variants;
mod verified;
mod worst;

use std::fmt::Write;

use comfy_table::Table;
use indexmap::IndexMap;

use super::open;
use super::table::numbers;
use crate::render::scenarios::{COLUMNS, LISTED, excluded_configurations, instead, names};
use crate::result::{FleetConfiguration, FleetReport, Verdict};
use autotune_base::text::words::{at_least, at_most, counted, first_of, grouped, label, named, printable};

pub use verified::verified_to_text;

/// Returns a result about several scenarios as text.
#[must_use]
pub fn to_text(report: &FleetReport) -> String {
    let common = names(report).1;
    let scenarios = counted(report.scenarios.len() as u128, "scenario");
    let mut text = format!("{} in {scenarios}{common}\n\n", report.kernel);
    match (report.verdict, &report.optimum) {
        (Verdict::Proved, Some(optimum)) => text += &proved(report, optimum),
        (Verdict::Proved, None) => text += &variants::proved(report),
        (Verdict::Infeasible, _) => text += &infeasible(report),
        (Verdict::BestEffort, _) => text += &open(report),
    }
    text += &launches(report);
    if !report.best.is_empty() {
        let _ = write!(text, "\n{}\n\n{}\n", best(report).trim_fmt(), costs(report).trim_fmt());
    }
    text += &variants::tables(report);
    if report.verdict == Verdict::Proved {
        text += &if report.most_variants.is_some() { variants::proof(report) } else { proof(report) };
    }
    text + &report.artifacts.as_ref().map_or(String::new(), |folder| format!("kept      {folder}\n"))
}

fn proved(report: &FleetReport, optimum: &FleetConfiguration) -> String {
    let mut text =
        format!("optimum   {}: at most {}", label(&optimum.parameters), worst::lines(report, &optimum.worst));
    let ties = report.ties.as_deref().unwrap_or_default();
    if !ties.is_empty() {
        let shown: Vec<String> = ties.iter().take(5).map(|tie| label(&tie.parameters)).collect();
        let more = ties.len() - shown.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(text, "as good   {}{more}", shown.join("; "));
    }
    text
}

/// The scenarios where the launch may fail, a line for each reason, and a configuration that surely launches everywhere.
fn launches(report: &FleetReport) -> String {
    let (mut text, names) = (String::new(), names(report).0);
    for (reason, scenarios) in report.failing_launches() {
        let scenarios: Vec<&str> = scenarios.iter().map(|&scenario| names[scenario].as_str()).collect();
        let _ = writeln!(text, "launch    may fail on {}: {}", first_of(&scenarios), printable(reason));
    }
    for (variant, (scenarios, worst)) in instead(report) {
        let on: Vec<&str> = scenarios.iter().map(|&scenario| names[scenario].as_str()).collect();
        let on = first_of(&on);
        let _ = writeln!(text, "          variant {variant} surely launches on {on}, at most {} times", at_most(worst));
    }
    if let Some(sure) = &report.surely_launches {
        let worst = sure.worst.slowdown;
        let _ = writeln!(
            text,
            "          {} surely launches everywhere, at most {} times",
            label(&sure.parameters),
            at_most(worst)
        );
    }
    text
}

fn open(report: &FleetReport) -> String {
    let what = report.most_variants.map_or(String::new(), |most| format!(" of {most} configurations"));
    let reason = printable(report.reason.as_deref().unwrap_or_default());
    let interval = report.interval.as_ref().map_or(String::new(), |interval| match interval.upper {
        Some(upper) => {
            let (lower, upper) = (at_least(interval.lower), at_most(upper));
            format!("open      the least worst slowdown{what} is between {lower} and {upper}\n")
        }
        None => format!("open      the least worst slowdown{what} is {} or more\n", at_least(interval.lower)),
    });
    let best = report.best.first().map_or(String::new(), |best| {
        let worst = at_most(best.worst.slowdown);
        format!("best      {}: at most {worst} times by the evaluator, not proved\n", label(&best.parameters))
    });
    format!("{}{interval}{best}", open::not_proved(report.stopped.as_deref(), &reason))
}

fn infeasible(report: &FleetReport) -> String {
    let mut text = match report.most_variants {
        Some(most) => format!("no {most} configurations have a feasible one for each scenario\n\n"),
        None => "no configuration is feasible in all scenarios\n\n".to_owned(),
    };
    let (names, _) = names(report);
    let mut alike: IndexMap<String, Vec<&str>> = IndexMap::new();
    for excluded in &report.excluded {
        let rules: Vec<String> =
            excluded.rules.iter().map(|rule| format!("{} ({})", printable(&rule.rule), grouped(rule.count))).collect();
        let what = format!("{}; {}", excluded_configurations(excluded), rules.join("; "));
        alike.entry(what).or_default().push(&names[excluded.scenario]);
    }
    for (what, scenarios) in alike {
        let _ = writeln!(text, "excluded  {}: {what}", first_of(&scenarios));
    }
    for nearest in &report.nearest {
        let _ = writeln!(
            text,
            "nearest   {} is feasible in {}; {} excludes it: {}",
            named(&label(&nearest.parameters)),
            counted(nearest.scenarios as u128, "scenario"),
            names[nearest.excluded_by],
            printable(&nearest.rule)
        );
    }
    text
}

/// The table of the best configurations: a column for each scenario, or the worst, the median and the best.
fn best(report: &FleetReport) -> Table {
    let is_wide = report.scenarios.len() <= COLUMNS;
    let names: Vec<String> = if is_wide { names(report).0 } else { ["median", "best"].map(str::to_owned).to_vec() };
    let header: Vec<&str> = ["configuration", "worst"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut table = numbers(&header);
    for one in &report.best {
        let mut slowdowns: Vec<f64> = one.times.iter().map(|time| time.slowdown).collect();
        if !is_wide {
            slowdowns.sort_by(f64::total_cmp);
            slowdowns = vec![slowdowns[slowdowns.len() / 2], slowdowns[0]];
        }
        let own = [label(&one.parameters), at_most(one.worst.slowdown)];
        table.add_row(own.into_iter().chain(slowdowns.into_iter().map(at_most)));
    }
    table
}

/// The table of what one configuration for all costs each scenario.
fn costs(report: &FleetReport) -> Table {
    let mut table = numbers(&["scenario", "own optimum", "ticks", "for all", "slowdown"]);
    let first = &report.best[0];
    let scenarios = report.scenarios.iter().zip(names(report).0).zip(&first.times);
    for ((scenario, name), time) in scenarios.take(LISTED) {
        let [optimum, ticks] = own_optimum::cells(scenario);
        table.add_row([name, optimum, ticks, grouped(time.ticks), at_most(time.slowdown)]);
    }
    table
}

fn proof(report: &FleetReport) -> String {
    let Some(proof) = &report.proof else { return String::new() };
    let sum = |part: fn(&crate::result::FleetScenarioProof) -> u128| proof.scenarios.iter().map(part).sum::<u128>();
    let optima = 1 + report.ties.as_ref().map_or(0, Vec::len);
    format!(
        "\nproof     of {} feasible in all scenarios, each but {}\n          \
         takes more than {} times the own optimum in one of them: {} pruned by a lower bound there, {} searched\n",
        counted(proof.configurations as u128, "configuration"),
        if optima == 1 { "the optimum".to_owned() } else { format!("the optimum and {} as good", optima - 1) },
        at_least(report.optimum.as_ref().map_or(1.0, |optimum| optimum.worst.rounded_down())),
        grouped(sum(|scenario| scenario.pruned)),
        grouped(sum(|scenario| scenario.searched)),
    )
}
