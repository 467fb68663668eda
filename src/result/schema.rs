//! The JSON Schemas of all results, derived from their types where tests are compiled, and nowhere else: the files in `schemas/`
//! are those of the types. `UPDATE_SCHEMAS=1 cargo test --lib schemas` writes them anew.

use std::sync::LazyLock;

use regex::Regex;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::{
    BatchReport, BatchResults, CacheReport, ComparisonReport, DiagnosisReport, DifferenceReport, DoctorReport,
    EfficiencyFitReport, EfficiencyReport, EvaluationReport, ExplanationReport, ExtractionReport, FleetReport,
    FleetTree, FleetVerificationReport, GpusReport, GraphReport, InspectionReport, LocalityReport, MeasureReport,
    MeasuredProfileReport, PlanReport, PredictionReport, Report, RestrictionsReport, ServeReply, ServeRequest,
    SizeTable, SourceAgreementReport, SuggestReport, ValidationReport, VerificationReport, VersionsReport,
};
use autotune_machine::machine::Program;

/// The schema of every result, with the name of its file.
fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("batch.json", schema::<BatchResults>(BatchResults::SCHEMA)),
        ("batch_summary.json", schema::<BatchReport>(BatchReport::SCHEMA)),
        ("cache.json", schema::<CacheReport>(CacheReport::SCHEMA)),
        ("comparison.json", schema::<ComparisonReport>(ComparisonReport::SCHEMA)),
        ("diagnosis.json", schema::<DiagnosisReport>(DiagnosisReport::SCHEMA)),
        ("diff.json", schema::<DifferenceReport>(DifferenceReport::SCHEMA)),
        ("doctor.json", schema::<DoctorReport>(DoctorReport::SCHEMA)),
        ("efficiency.json", schema::<EfficiencyReport>(EfficiencyReport::SCHEMA)),
        ("efficiency_fit.json", schema::<EfficiencyFitReport>(EfficiencyFitReport::SCHEMA)),
        ("evaluation.json", schema::<EvaluationReport>(EvaluationReport::SCHEMA)),
        ("explanation.json", schema::<ExplanationReport>(ExplanationReport::SCHEMA)),
        ("extraction.json", schema::<ExtractionReport>(ExtractionReport::SCHEMA)),
        ("fleet.json", schema::<FleetReport>(FleetReport::SCHEMA)),
        ("fleet_tree.json", schema::<FleetTree>(FleetTree::SCHEMA)),
        ("fleet_verification.json", schema::<FleetVerificationReport>(FleetVerificationReport::SCHEMA)),
        ("gpus.json", schema::<GpusReport>(GpusReport::SCHEMA)),
        ("graph.json", schema::<GraphReport>(GraphReport::SCHEMA)),
        ("inspection.json", schema::<InspectionReport>(InspectionReport::SCHEMA)),
        ("locality.json", schema::<LocalityReport>(LocalityReport::SCHEMA)),
        ("measured_profile.json", schema::<MeasuredProfileReport>(MeasuredProfileReport::SCHEMA)),
        ("measure.json", schema::<MeasureReport>(MeasureReport::SCHEMA)),
        ("plan.json", schema::<PlanReport>(PlanReport::SCHEMA)),
        ("prediction.json", schema::<PredictionReport>(PredictionReport::SCHEMA)),
        ("program.json", schema::<Program>("lowered program")),
        ("restrictions.json", schema::<RestrictionsReport>(RestrictionsReport::SCHEMA)),
        ("result.json", schema::<Report>(Report::SCHEMA)),
        ("serve_reply.json", schema::<ServeReply>(ServeReply::SCHEMA)),
        ("serve_request.json", schema::<ServeRequest>("request to autotune.serve/1")),
        ("source_agreement.json", schema::<SourceAgreementReport>(SourceAgreementReport::SCHEMA)),
        ("size_table.json", schema::<SizeTable>(SizeTable::SCHEMA)),
        ("suggest.json", schema::<SuggestReport>(SuggestReport::SCHEMA)),
        ("validation.json", schema::<ValidationReport>(ValidationReport::SCHEMA)),
        ("verification.json", schema::<VerificationReport>(VerificationReport::SCHEMA)),
        ("versions.json", schema::<VersionsReport>(VersionsReport::SCHEMA)),
    ]
}

fn schema<T: JsonSchema>(id: &str) -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(RecursiveTransform(as_written));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), id.into());
    schema
}

/// Rewrites a schema to the form that serde writes, in the terms of JSON and of the standard.
fn as_written(schema: &mut Schema) {
    // The width of a number is a matter of this program, and no format of the standard.
    schema.remove("format");
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = prose(description, "null");
    }
    let required: Vec<Value> = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in properties {
        if !required.contains(&json!(name)) {
            // What is optional is left out where there is none: it is never null.
            without_null(property);
            if let Some(Value::String(description)) = property.get_mut("description") {
                *description = prose(description, "absent");
            }
        }
    }
}

/// A doc comment as a description for readers of JSON: without line breaks and links, and with `none` in the place of
/// `None`.
fn prose(comment: &str, none: &str) -> String {
    static LINK: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\[(`[^`]*`)\](\([^)]*\))?").expect("the expression is a constant"));
    LINK.replace_all(comment, "$1").replace('\n', " ").replace("`None`", none)
}

fn without_null(property: &mut Value) {
    let Some(property) = property.as_object_mut() else { return };
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(cases)) = property.get_mut("anyOf") {
        cases.retain(|case| *case != json!({ "type": "null" }));
        if let [Value::Object(only)] = cases.as_slice() {
            let only = only.clone();
            property.remove("anyOf");
            property.extend(only);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// The schemas that are not of results: a journal is a sequence of events, each sealed by a checksum.
    const BY_HAND: [&str; 2] = ["journal.json", "measure_journal.json"];

    #[test]
    fn schemas_are_those_of_the_types() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
        let mut known: BTreeSet<String> = BY_HAND.map(str::to_owned).into();
        for (file, schema) in schemas() {
            let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
            let path = folder.join(file);
            if std::env::var_os("UPDATE_SCHEMAS").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            let kept = std::fs::read_to_string(&path).unwrap();
            assert!(
                kept == text,
                "{file} is not its type's: `UPDATE_SCHEMAS=1 cargo test --lib schemas` writes it anew"
            );
            jsonschema::validator_for(&serde_json::to_value(&schema).unwrap()).unwrap();
            known.insert(file.to_owned());
        }
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let files = files.filter(|entry| entry.file_type().unwrap().is_file());
        let files: BTreeSet<String> = files.map(|entry| entry.file_name().into_string().unwrap()).collect();
        assert_eq!(files, known);
    }

    /// A list that is typed a second time goes stale: it comes from its enum.
    #[test]
    fn no_schema_lists_names_by_hand() {
        let files = ["src", "crates"].map(|sources| format!("{}/{sources}/**/*.rs", env!("CARGO_MANIFEST_DIR")));
        for file in files.iter().flat_map(|files| glob::glob(files).unwrap()).map(Result::unwrap) {
            let text = std::fs::read_to_string(&file).unwrap();
            let typed = text.lines().find(|line| line.contains("\"enum\" = [") || line.contains("\"enum\": ["));
            assert!(typed.is_none(), "{}: {}", file.display(), typed.unwrap_or_default().trim());
        }
    }
}
