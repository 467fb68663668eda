//! Messages about a wrong or doubtful description: `check`, `init`, and the warnings of every command.

use super::*;

mod check;
mod init;
mod warned;

/// A file in a folder, as a word of the command line.
fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn diagnosis(arguments: &[&str]) -> (i32, Value) {
    let ended = run(autotune().arg("check").args(arguments).args(["--format", "json"]));
    assert_eq!(ended.stderr, "", "all is in the answer");
    (ended.status, json(&ended, "diagnosis.json"))
}

/// The numbers under a key of each entry of a list.
fn lines(list: &Value) -> Vec<u64> {
    list.as_array().unwrap().iter().map(|entry| entry["line"].as_u64().unwrap()).collect()
}

fn messages(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|entry| entry["message"].as_str().unwrap()).collect()
}
