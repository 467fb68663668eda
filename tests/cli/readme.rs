//! The sessions of README and book are run as they stand.

/// A page of the book.
pub(super) fn page(name: &str) -> String {
    std::fs::read_to_string(super::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).unwrap()
}

#[test]
fn the_books_and_the_readmes_sessions_are_true() {
    let _ = std::fs::remove_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/target/readme"));
    let sessions = trycmd::TestCases::new();
    for (variable, value) in super::isolated() {
        sessions.env(variable, value.display().to_string());
    }
    sessions.case("README.md").case("docs/**/*.md");
}

#[test]
fn the_books_report_is_a_page() {
    let reports = page("guide/reports.md");
    let begin = reports.find("--report target/readme/report").expect("the book shows a report");
    let line = &reports[reports[..begin].rfind("$ autotune ").unwrap() + "$ autotune ".len()..begin];
    let folder = tempfile::tempdir().unwrap();
    let ended = super::run(super::autotune().args(line.split_whitespace()).arg("--report").arg(folder.path()));
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(ended.status == 0 && page.contains("<h1>abstract_kernel on fermi</h1>"), "{}", ended.stderr);
}

/// The tutorial, with a real compiler: its spec and its program in an empty folder, its five commands in a shell.
#[test]
fn the_tutorial_ends_in_a_build() {
    let tutorial = page("tutorial.md");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scale.yaml"), block(&tutorial, "yaml")).unwrap();
    std::fs::write(folder.path().join("scale.c"), block(&tutorial, "c")).unwrap();
    let commands = block(&tutorial, "sh");
    assert_eq!(commands.lines().count(), 5);
    let mut shell = assert_cmd::Command::new("sh");
    shell.args(["-e", "-c", commands]).current_dir(folder.path()).env("PATH", super::path_with_autotune());
    let ended = super::run(shell.envs(super::isolated()));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.ends_with(block(&tutorial, "text")), "{}", ended.stdout);
}

#[test]
fn the_books_python_needs_nothing_but_python() {
    let json = page("reference/json.md");
    let mut python = assert_cmd::Command::new("python3");
    python
        .args(["-I", "-c", block(&json, "python")])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("PATH", super::path_with_autotune());
    let ended = super::run(python.envs(super::isolated()));
    assert_eq!((ended.status, ended.stdout.as_str()), (0, block(&json, "text")), "{}", ended.stderr);
}

/// The first block in a language.
pub(super) fn block<'a>(text: &'a str, language: &str) -> &'a str {
    let fence = format!("```{language}\n");
    let begin = text.find(&fence).unwrap() + fence.len();
    &text[begin..begin + text[begin..].find("```").unwrap()]
}

/// The README's kernel, which is also the tutorial's.
#[test]
fn the_readmes_own_kernel_is_proved() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    assert_eq!(block(&readme, "yaml"), block(&page("tutorial.md"), "yaml"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scale.yaml");
    std::fs::write(&path, block(&readme, "yaml")).unwrap();
    let ended = super::run(super::autotune().args([path.to_str().unwrap(), "--gpu", "volta", "--format", "json"]));
    assert_eq!(super::json(&ended, "result.json")["verdict"], "proved");
}

/// The reference names every command, and every option that a command's help shows.
#[test]
fn every_option_is_in_the_reference() {
    let reference = page("reference/command-line.md");
    let named = |name: &str| {
        let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '-');
        reference.match_indices(name).any(|(begin, _)| ends(&reference[begin + name.len()..]))
    };
    let words = |text: &str, pattern: &str| -> Vec<String> {
        regex::Regex::new(pattern).unwrap().captures_iter(text).map(|found| found[1].to_owned()).collect()
    };
    let help = |command: &[&str]| super::run(super::autotune().args(command).arg("--help")).stdout;
    let listed = help(&[]);
    let listed = &listed[..listed.find("Arguments:").unwrap()];
    let mut helps = vec![help(&[])];
    for command in words(listed, r"(?m)^  ([a-z]+) ").into_iter().filter(|command| command != "help") {
        assert!(named(&format!("`autotune {command}")), "the reference lacks `autotune {command}`");
        helps.push(help(&[&command]));
    }
    assert!(helps.len() >= 15, "{listed}");
    for option in helps.iter().flat_map(|help| words(help, r"(?m)^ +(?:-\w, )?(--[a-z][a-z-]+)")) {
        let usual = ["--help", "--version"].contains(&option.as_str());
        assert!(usual || named(&option), "the reference lacks `{option}`");
    }
}
