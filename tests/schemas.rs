//! The files in `schemas/` are those of the results' types. `UPDATE_SCHEMAS=1 cargo test --test schemas` writes them anew.

use std::collections::BTreeSet;
use std::path::Path;

/// The schemas that are not of results: a journal is a sequence of events, each sealed by a checksum.
const BY_HAND: [&str; 2] = ["journal.json", "measure_journal.json"];

#[test]
fn schemas_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let mut known: BTreeSet<String> = BY_HAND.map(str::to_owned).into();
    for (file, schema) in autotune::result::schemas() {
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        let path = folder.join(file);
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(kept == text, "{file} is not its type's: `UPDATE_SCHEMAS=1 cargo test --test schemas` writes it anew");
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
    for file in glob::glob(concat!(env!("CARGO_MANIFEST_DIR"), "/src/**/*.rs")).unwrap().map(Result::unwrap) {
        let text = std::fs::read_to_string(&file).unwrap();
        let typed = text.lines().find(|line| line.contains("\"enum\" = [") || line.contains("\"enum\": ["));
        assert!(typed.is_none(), "{}: {}", file.display(), typed.unwrap_or_default().trim());
    }
}
