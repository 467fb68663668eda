//! The README's sessions are run as they stand.

#[test]
fn the_readmes_sessions_are_true() {
    let _ = std::fs::remove_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/target/readme"));
    trycmd::TestCases::new().env("XDG_CACHE_HOME", super::CACHE.display().to_string()).case("README.md");
}

#[test]
fn the_readmes_report_is_a_page() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let begin = readme.find("--report target/readme/report").expect("the README shows a report");
    let line = &readme[readme[..begin].rfind("$ autotune ").unwrap() + "$ autotune ".len()..begin];
    let folder = tempfile::tempdir().unwrap();
    let ended = super::run(super::autotune().args(line.split_whitespace()).arg("--report").arg(folder.path()));
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(ended.status == 0 && page.contains("<h1>abstract_kernel on fermi</h1>"), "{}", ended.stderr);
}

#[test]
fn the_readmes_own_kernel_is_proved() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let begin = readme.find("```yaml\n").unwrap() + "```yaml\n".len();
    let spec = &readme[begin..begin + readme[begin..].find("```").unwrap()];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scale.yaml");
    std::fs::write(&path, spec).unwrap();
    let ended = super::run(super::autotune().args([path.to_str().unwrap(), "--gpu", "volta", "--format", "json"]));
    assert_eq!(super::json(&ended, "result.json")["verdict"], "proved");
}
