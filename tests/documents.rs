//! Documents name only tests and files that exist.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;

use regex::Regex;

const DOCUMENTS: [&str; 2] = ["docs/proofs.md", "docs/trust.md"];

/// The texts between backquotes that begin with a folder of this project.
fn named(document: &str) -> Vec<String> {
    let place = Regex::new(r"`((?:src|tests|promela|docs|tuning-specs)/[^`\s]+)`").unwrap();
    let text = fs::read_to_string(document).unwrap();
    place.captures_iter(&text).map(|found| found[1].to_owned()).collect()
}

#[test]
fn tests_and_files_that_documents_name_exist() {
    let mut tests = 0;
    for document in DOCUMENTS {
        for name in named(document) {
            let Some((file, test)) = name.split_once("::") else {
                assert!(Path::new(&name).exists(), "{document} names {name}, which does not exist");
                continue;
            };
            let source = fs::read_to_string(file).unwrap_or_else(|error| panic!("{document} names {name}: {error}"));
            let head = format!("#[test]\nfn {test}() {{\n");
            let lines = source.lines().map(|line| line.trim_start().to_owned() + "\n").collect::<String>();
            assert!(lines.contains(&head), "{document} names {name}, but {file} has no such test");
            tests += 1;
        }
    }
    assert!(tests >= 50, "only {tests} names of tests were found in the documents");
}
