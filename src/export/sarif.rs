//! Findings of a comparison in the Static Analysis Results Interchange Format, SARIF 2.1.0: editors and GitHub show them at
//! their lines.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::result::{DifferenceReport, SharedFinding};
use autotune_base::text::json::to_json;
use autotune_engine::difference::{DifferenceFinding, DifferenceKind, LinePlace};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The place of information about the tool: the project's own if the package names one, else the article whose method it uses.
const INFORMATION: &str = if env!("CARGO_PKG_REPOSITORY").is_empty() {
    "https://doi.org/10.18255/1818-1015-2021-4-338-355"
} else {
    env!("CARGO_PKG_REPOSITORY")
};

/// The kinds of findings with their descriptions; the place of a kind is the index of its rule.
const RULES: [(DifferenceKind, &str); 5] = [
    (DifferenceKind::Worse, "A count that only costs went up, exactly"),
    (DifferenceKind::Slower, "The predicted time is longer by more than the threshold"),
    (DifferenceKind::NotComparable, "What depends on data differs, so that the counts cannot be compared"),
    (DifferenceKind::Different, "Counts differ, and none of them alone is better or worse"),
    (DifferenceKind::Better, "A count that only costs went down, or the predicted time is shorter"),
];

/// A log of one run.
#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
struct Run {
    tool: Value,
    #[serde(rename = "columnKind")]
    column_kind: &'static str,
    results: Vec<Value>,
}

/// Returns the findings as a log that ends with a newline.
///
/// # Errors
/// If the log cannot be written as JSON.
pub fn sarif(report: &DifferenceReport) -> serde_json::Result<String> {
    let results = report.shared().iter().map(|shared| result(report, shared)).collect();
    let run = Run { tool: tool(), column_kind: "unicodeCodePoints", results };
    to_json(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] })
}

fn tool() -> Value {
    let rule = |(kind, description): &(DifferenceKind, &str)| {
        json!({
            "id": kind.name(),
            "shortDescription": { "text": description },
            "defaultConfiguration": { "level": level(*kind, kind.fails(false)) },
        })
    };
    let rules: Vec<Value> = RULES.iter().map(rule).collect();
    let version = env!("CARGO_PKG_VERSION");
    json!({ "driver": { "name": "autotune", "version": version, "informationUri": INFORMATION, "rules": rules } })
}

fn level(kind: DifferenceKind, fails: bool) -> &'static str {
    match kind {
        _ if fails => "error",
        DifferenceKind::Worse | DifferenceKind::Slower => "warning",
        DifferenceKind::NotComparable | DifferenceKind::Different | DifferenceKind::Better => "note",
    }
}

fn result(report: &DifferenceReport, shared: &SharedFinding) -> Value {
    let finding = &shared.found.finding;
    let rule = RULES.iter().position(|(kind, _)| *kind == finding.kind).unwrap_or_default();
    let place = finding.place.as_ref();
    let location = place.map_or_else(|| json!({ "artifactLocation": { "uri": uri(&report.new) } }), physical);
    let configurations: Vec<Value> = shared.found.configurations.iter().cloned().map(Value::Object).collect();
    let mut properties = Map::new();
    properties.insert("count".to_owned(), finding.count.name().into());
    properties.insert("gpus".to_owned(), shared.gpus.clone().into());
    properties.insert("configurations".to_owned(), configurations.into());
    json!({
        "ruleId": finding.kind.name(),
        "ruleIndex": rule,
        "level": level(finding.kind, shared.found.fails),
        "message": { "text": message(finding, &shared.gpus) },
        "locations": [{ "physicalLocation": location }],
        "properties": properties,
    })
}

fn message(finding: &DifferenceFinding, gpus: &[String]) -> String {
    let before = finding.old_place.as_ref().map_or_else(String::new, |old| format!(" (line {} before)", old.line));
    format!("{}: {}{before} on {}", finding.kind.words(), finding.message, gpus.join(", "))
}

fn physical(place: &LinePlace) -> Value {
    json!({
        "artifactLocation": { "uri": uri(&place.file) },
        "region": { "startLine": place.line, "snippet": { "text": place.text } },
    })
}

/// A path as a reference of a URI: relative to the working folder, or of an absolute file.
fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let encoded =
        path.bytes().map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    let encoded: String = encoded.collect();
    if encoded.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("kernels/my kernel.cl"), "kernels/my%20kernel.cl");
        assert_eq!(uri("/tmp/a:b.cl"), "file:///tmp/a%3Ab.cl");
    }
}
