//! The best home of each access.

use super::table::table;
use crate::result::{AccessReport, LocalityReport};
use autotune_base::text::words::{grouped, label};
use autotune_lowering::models::locality::{Class, Keyword};

/// Returns the report as text.
#[must_use]
pub fn to_text(report: &LocalityReport) -> String {
    let header = ["access", "line", "stride", "sectors", "conflict", "classes", "best in", "saves"];
    let mut table = table(&header);
    for access in &report.accesses {
        table.add_row(row(access));
    }
    let notes: String = report.accesses.iter().flat_map(notes).collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    format!("{} on {}, {}\n\n{}\n{gap}{notes}", report.kernel, report.gpu, label(&report.parameters), table.trim_fmt())
}

fn name(access: &AccessReport) -> String {
    let keyword = match access.statement {
        Keyword::Load => "load",
        Keyword::Copy => "copy",
        Keyword::Store => "store",
        Keyword::Local => "local",
    };
    access.array.as_ref().map_or_else(|| keyword.to_owned(), |array| format!("{keyword} {array}"))
}

/// The line of an access; with the name of its file unless it stands in the spec.
fn place(access: &AccessReport) -> String {
    match &access.file {
        Some(file) => format!("{}:{}", file.rsplit('/').next().unwrap_or(file), access.line),
        None => access.line.to_string(),
    }
}

fn row(access: &AccessReport) -> [String; 8] {
    let decimal = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.2}"));
    let saves = access.saves.as_ref().map(|saves| saves.transactions.map_or_else(|| "?".to_owned(), grouped));
    [
        name(access),
        place(access),
        access.stride.map_or_else(String::new, |stride| stride.to_string()),
        decimal(access.sectors),
        decimal(access.conflict),
        if access.matrices.is_some() { classes(&access.classes) } else { "?".to_owned() },
        access.advice.map_or_else(String::new, |home| home.name().to_owned()),
        saves.unwrap_or_default(),
    ]
}

fn notes(access: &AccessReport) -> Vec<String> {
    let at = format!("{}, line {}", name(access), access.line);
    let missing = access.missing.map(|keys| format!("{at}: to say more needs {keys}\n"));
    let elsewhere = access.elsewhere.iter().map(|other| {
        let [x, y, z] = other.group;
        format!("{at}: in other groups, such as {x},{y},{z} of launch {}: {}\n", other.launch, classes(&other.classes))
    });
    missing.into_iter().chain(dependence(&at, access)).chain(elsewhere).collect()
}

/// Returns the true dependence of an access by its matrix and its shift, row by row.
fn dependence(at: &str, access: &AccessReport) -> Option<String> {
    let matrices = access.matrices.as_ref()?;
    let (phi, shift) = (matrices.phi.as_ref()?, matrices.shift.as_ref()?);
    let numbers = |row: &Vec<i64>| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let rows = phi.iter().map(numbers).collect::<Vec<_>>().join("; ");
    let vector = matrices.dimensions.join(", ");
    Some(format!("{at}: J = ({vector}) reads what Phi J - phi wrote, Phi = ({rows}), phi = ({})\n", numbers(shift)))
}

/// Returns the names of the classes, or `none`.
fn classes(classes: &[Class]) -> String {
    if classes.is_empty() {
        return "none".to_owned();
    }
    classes.iter().map(|class| class.name()).collect::<Vec<_>>().join(", ")
}
