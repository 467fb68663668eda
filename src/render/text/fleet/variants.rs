//! The part of a result about several scenarios that is about several variants.

use std::fmt::Write;

use comfy_table::Table;

use super::super::table::numbers;
use super::own_optimum;
use super::worst;
use crate::render::scenarios::{COLUMNS, LISTED, names};
use crate::result::{FleetReport, FleetScenarioProof};
use autotune_base::text::words::{at_least, at_most, counted, grouped, label};

/// The variants and their worst slowdown.
pub(super) fn proved(report: &FleetReport) -> String {
    let mut text = String::new();
    for (number, variant) in report.variants.iter().enumerate() {
        let title = if number == 0 { "variants" } else { "" };
        let _ = writeln!(text, "{title:<10}{number}: {}", label(&variant.parameters));
    }
    let Some(together) = &report.together else { return text };
    text += "          the fastest one takes at most ";
    text += &worst::lines(report, &together.worst);
    text
}

/// The variants' slowdowns, and the variant of each scenario; empty without variants.
pub(super) fn tables(report: &FleetReport) -> String {
    if report.variants.is_empty() {
        return String::new();
    }
    let slowdowns = (report.scenarios.len() <= COLUMNS).then(|| format!("\n{}\n", slowdowns(report).trim_fmt()));
    format!("{}\n{}\n", slowdowns.unwrap_or_default(), costs(report).trim_fmt())
}

/// The slowdown of each variant in each scenario.
fn slowdowns(report: &FleetReport) -> Table {
    let names = names(report).0;
    let header: Vec<&str> = ["variant"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut table = numbers(&header);
    for (number, variant) in report.variants.iter().enumerate() {
        let slowdown = variant
            .times
            .iter()
            .map(|time| time.as_ref().map_or_else(|| "-".to_owned(), |time| at_most(time.slowdown)));
        let name = format!("{number}: {}", label(&variant.parameters));
        table.add_row(std::iter::once(name).chain(slowdown));
    }
    table
}

/// The table of each scenario's variant and of what it costs.
fn costs(report: &FleetReport) -> Table {
    let mut table = numbers(&["scenario", "own optimum", "ticks", "variant", "ticks", "slowdown"]);
    let times = report.together.iter().flat_map(|together| &together.times);
    for ((scenario, name), time) in report.scenarios.iter().zip(names(report).0).zip(times).take(LISTED) {
        let [optimum, ticks] = own_optimum::cells(scenario);
        let variant = time.variant.to_string();
        table.add_row([name, optimum, ticks, variant, grouped(time.ticks), at_most(time.slowdown)]);
    }
    table
}

pub(super) fn proof(report: &FleetReport) -> String {
    let (Some(proof), Some(together)) = (&report.proof, &report.together) else { return String::new() };
    if together.worst.numerator == together.worst.denominator {
        return "\nproof     each scenario has one of its own optima among the variants\n".to_owned();
    }
    let sum = |part: fn(&FleetScenarioProof) -> u128| proof.scenarios.iter().map(part).sum::<u128>();
    let branches = proof.tree.as_ref().map_or(0, |tree| tree.branches);
    format!(
        "\nproof     of {} feasible in some scenario, no {} have a time below\n          \
         {} times the own optimum in each: {}, {} pruned by a lower bound, {} searched\n",
        counted(proof.configurations as u128, "configuration"),
        report.most_variants.unwrap_or_default(),
        at_least(together.worst.rounded_down()),
        match branches {
            1 => "a tree of 1 branch".to_owned(),
            _ => format!("a tree of {} branches", grouped(branches as u64)),
        },
        grouped(sum(|scenario| scenario.pruned)),
        grouped(sum(|scenario| scenario.searched)),
    )
}
