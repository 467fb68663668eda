//! The sessions of README and documents are run as they stand.

#[test]
fn the_readmes_sessions_are_true() {
    let _ = std::fs::remove_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/target/readme"));
    trycmd::TestCases::new()
        .env("XDG_CACHE_HOME", super::CACHE.display().to_string())
        .env("AUTOTUNE_CONFIG", "")
        .case("README.md")
        .case("docs/checking.md")
        .case("docs/near-ties.md");
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

/// The README's tutorial, with a real compiler: its spec and its program in an empty folder, its five commands in a shell.
#[test]
fn the_readmes_tutorial_ends_in_a_build() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let tutorial = &readme[readme.find("### From a spec to a header in a build").unwrap()..];
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scale.yaml"), block(&readme, "yaml")).unwrap();
    std::fs::write(folder.path().join("scale.c"), block(tutorial, "c")).unwrap();
    let commands = block(tutorial, "sh");
    assert_eq!(commands.lines().count(), 5);
    let binary = assert_cmd::cargo::cargo_bin("autotune");
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = assert_cmd::Command::new("sh");
    shell.args(["-e", "-c", commands]).current_dir(folder.path()).env("PATH", path);
    let ended = super::run(shell.env("XDG_CACHE_HOME", &*super::CACHE).env("AUTOTUNE_CONFIG", ""));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.ends_with(block(tutorial, "text")), "{}", ended.stdout);
}

#[test]
fn the_readmes_python_needs_nothing_but_python() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let section = &readme[readme.find("### Shell, defaults, programs").unwrap()..];
    let binary = assert_cmd::cargo::cargo_bin("autotune");
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut python = assert_cmd::Command::new("python3");
    python.args(["-I", "-c", block(section, "python")]).current_dir(env!("CARGO_MANIFEST_DIR")).env("PATH", path);
    let ended = super::run(python.env("XDG_CACHE_HOME", &*super::CACHE).env("AUTOTUNE_CONFIG", ""));
    assert_eq!((ended.status, ended.stdout.as_str()), (0, block(section, "text")), "{}", ended.stderr);
}

/// The first block in a language.
pub(super) fn block<'a>(text: &'a str, language: &str) -> &'a str {
    let fence = format!("```{language}\n");
    let begin = text.find(&fence).unwrap() + fence.len();
    &text[begin..begin + text[begin..].find("```").unwrap()]
}

#[test]
fn the_readmes_own_kernel_is_proved() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scale.yaml");
    std::fs::write(&path, block(&readme, "yaml")).unwrap();
    let ended = super::run(super::autotune().args([path.to_str().unwrap(), "--gpu", "volta", "--format", "json"]));
    assert_eq!(super::json(&ended, "result.json")["verdict"], "proved");
}
