//! Narrow terminals: lines are cut, and none wraps.

use std::process::Command as Process;

use super::*;

const COLUMNS: usize = 60;

/// The output of a batch in the project's folder on a terminal of 60 columns.
fn shown(arguments: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let command = format!(
        "stty cols {COLUMNS} rows 24; {} batch {}/examples/jobs.yaml --out {} {arguments}",
        assert_cmd::cargo::cargo_bin("autotune").display(),
        env!("CARGO_MANIFEST_DIR"),
        folder.path().join("out").display()
    );
    let mut terminal = Process::new("script");
    terminal.args(["-qec", &command, "/dev/null"]).env("TERM", "xterm").env("NO_COLOR", "1");
    terminal.envs(isolated());
    String::from_utf8(terminal.output().expect("script, of util-linux, is needed for this test").stdout).unwrap()
}

/// A table is wider than the terminal; a wider terminal shows more of its columns.
#[test]
fn tables_of_batches_are_cut_to_the_terminals_width() {
    for (arguments, number, spare) in [("--dry-run", " 0.34", "searched"), ("", "9,564,148", "microseconds")] {
        let text = shown(arguments);
        let plain = console::strip_ansi_codes(&text).replace('\r', "\n");
        let lines: Vec<&str> = plain.lines().filter(|line| !line.is_empty()).collect();
        let header = lines.iter().rposition(|line| line.starts_with(" job  spec")).expect("a table");
        let table = &lines[header..header + 1 + 6];
        for row in table {
            assert!(row.chars().count() <= COLUMNS, "{} columns: {row}", row.chars().count());
        }
        assert!(
            table[5].contains("ed.yaml") && table[5].contains('…') && !table[0].contains(spare),
            "{}",
            table.join("\n")
        );
        assert!(arguments == "--dry-run" || table[5].contains(number), "{}", table.join("\n"));
    }
}

/// Progress is drawn over itself, which fails if a line wraps: so only whole lines of the terminal are drawn.
#[test]
fn lines_of_progress_are_cut_to_the_terminals_width() {
    let text = shown("--no-cache --jobs 1");
    let plain = console::strip_ansi_codes(&text).replace('\r', "\n");
    let drawn: Vec<Vec<char>> =
        plain.lines().filter(|line| line.contains("of 6 jobs, ")).map(|line| line.chars().collect()).collect();
    assert!(!drawn.is_empty(), "{text}");
    for line in drawn {
        assert_eq!(line.len() % COLUMNS, 0, "{}", line.iter().collect::<String>());
        let last: String = line[line.len() - COLUMNS..].iter().collect();
        assert!(last.contains("of 6 jobs, ") && last.ends_with(" left"), "{last}");
    }
}
