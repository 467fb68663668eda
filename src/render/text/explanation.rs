//! One configuration explained.

use std::fmt::Write;

use super::table::table;
use crate::result::{ChangeReport, ExplanationReport, FastestReport};
use autotune_base::text::words::{change, grouped, label, microseconds};
use autotune_engine::explain::{Account, NextChange, PathShare, Refusal};

/// The number of parts of the critical path that are shown.
const SHOWN: usize = 12;

/// Returns the report as text.
#[must_use]
pub fn to_text(report: &ExplanationReport) -> String {
    let mut text = format!("{} on {}, {}\n\n", report.kernel, report.gpu, label(&report.parameters));
    if let Some(refused) = &report.refused {
        text += &refused_line(refused);
    }
    if let Some(time) = &report.time {
        text += &time_lines(time);
    }
    let before = report.time.as_ref().map(|time| time.ticks);
    if let Some(FastestReport { parameters, ticks, .. }) = &report.fastest {
        let times =
            before.map_or(String::new(), |before| format!(", this takes {}", change((*ticks).into(), before.into())));
        let _ = writeln!(text, "fastest   {}: {} ticks{times}", label(parameters), grouped(*ticks));
    }
    if report.not_compiled > 0 {
        let all = grouped(report.not_compiled as u128);
        let _ = writeln!(
            text,
            "fastest   not looked for: {all} configurations would be compiled; `autotune evaluate` does so"
        );
    }
    for (place, ChangeReport { parameter, value, ticks, .. }) in report.changes.iter().enumerate() {
        let title = if place == 0 { "change" } else { "" };
        let times = before.map_or(String::new(), |before| format!(", {}", change(before.into(), (*ticks).into())));
        let _ = writeln!(text, "{title:<10}{parameter}={value}: {} ticks{times}", grouped(*ticks));
    }
    // A value of a parameter is shown already, and a remedy too.
    if let Some(NextChange { text: next, access: Some(_), .. }) = &report.next {
        let _ = writeln!(text, "next      {next}");
    }
    text
}

fn refused_line(refused: &Refusal) -> String {
    let line = refused.line.map_or(String::new(), |line| format!(" (line {line})"));
    let values = if refused.values.is_empty() { String::new() } else { format!(", where {}", label(&refused.values)) };
    let remedy = refused.remedy.as_ref().map_or(String::new(), |remedy| format!("remedy    {remedy}\n"));
    format!("refused   {}{line}{values}\n{remedy}", refused.reason)
}

/// Returns the groups and warps that run at a time on a multiprocessor, and those that fit if they are more.
fn resident(time: &Account) -> String {
    let limit = time.limit.map_or(String::new(), |limit| format!(", limited by {limit}"));
    let fit = format!("{}, {}", counted(time.resident_groups, "group"), counted(time.warps, "warp"));
    if time.wave_groups == time.resident_groups {
        return format!("resident  {fit}{limit}\n");
    }
    let (groups, warps) = (counted(time.wave_groups, "group"), counted(time.wave_warps, "warp"));
    format!("resident  {groups}, {warps}: the launch has no more for a multiprocessor\nfit       {fit}{limit}\n")
}

fn time_lines(time: &Account) -> String {
    let microseconds = microseconds(time.microseconds);
    let busy = time.servers.iter().map(|it| format!("{} {:.1} %", it.server.name(), 100.0 * it.share));
    let mut text = format!(
        "time      {} ticks{microseconds}, {} of them the launch\n{}busy      {} of the time behind the launch\n\n",
        grouped(time.ticks),
        grouped(time.launch),
        resident(time),
        busy.collect::<Vec<_>>().join(", "),
    );
    if let Some(why) = &time.may_not_launch {
        let _ = writeln!(text, "launch    may fail: {why}\n");
    }
    match (&time.path, &time.no_path) {
        (Some(path), _) => text += &critical(path),
        (None, why) => {
            let _ = writeln!(text, "no critical path: {}\n", why.as_deref().unwrap_or_default());
        }
    }
    text
}

fn critical(path: &[PathShare]) -> String {
    let mut rows = table(&["critical path", "line", "share", "waits for"]);
    for step @ PathShare { statement, share, .. } in path.iter().take(SHOWN) {
        let line = place(step);
        rows.add_row([statement.clone(), line, format!("{:.1} %", 100.0 * share), step.waits_for()]);
    }
    let more = path.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more\n") } else { String::new() };
    format!("{}\n{more}\n", rows.trim_fmt())
}

/// The line of a step; with the name of its file unless it stands in the spec.
fn place(PathShare { file, line, .. }: &PathShare) -> String {
    let line = line.map_or(String::new(), |line| line.to_string());
    match file {
        Some(file) => format!("{}:{line}", file.rsplit('/').next().unwrap_or(file)),
        None => line,
    }
}

fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
