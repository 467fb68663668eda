//! Messages about a kernel's source: one small kernel for each matter, and all of standard error as a snapshot.

use std::fs;

use super::{autotune, run};

/// A kernel, and the options beside those of every question.
struct Case {
    matter: &'static str,
    file: &'static str,
    source: &'static str,
    options: &'static [&'static str],
}

/// The kernels of one file: each begins with a line `//// MATTER, FILE OPTION…`.
fn cases(text: &'static str) -> Vec<Case> {
    let of = |case: &'static str| {
        let (head, source) = case.split_once('\n').unwrap();
        let (matter, words) = head.split_once(", ").unwrap();
        let mut words = words.split(' ');
        let file = words.next().unwrap();
        Case { matter, file, source, options: words.collect::<Vec<_>>().leak() }
    };
    text.split("//// ").skip(1).map(of).collect()
}

/// The status and standard error of an evaluation of each kernel, on Fermi unless the kernel's options say otherwise.
fn told(text: &'static str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let told = cases(text).into_iter().map(|Case { matter, file, source, options }| {
        fs::write(folder.path().join(file), source).unwrap();
        let mut asked = vec!["evaluate", file, "--kernel", "k", "--problem", "n=256", "--work-group", "WG"];
        for (option, usual) in [("--gpu", "fermi"), ("--parameter", "WG=32"), ("--work-items", "n")] {
            if !options.contains(&option) {
                asked.extend([option, usual]);
            }
        }
        let ended = run(autotune().current_dir(folder.path()).args(asked).args(options));
        format!("# {matter}: status {}\n{}", ended.status, ended.stderr)
    });
    told.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_the_compiler_refuses() {
    insta::assert_snapshot!(told(include_str!("told/compiler.txt")));
}

#[test]
fn what_depends_on_data() {
    insta::assert_snapshot!(told(include_str!("told/data.txt")));
}

#[test]
fn what_a_group_may_not_do() {
    insta::assert_snapshot!(told(include_str!("told/groups.txt")));
}

#[test]
fn what_the_machine_does_not_have() {
    insta::assert_snapshot!(told(include_str!("told/refused.txt")));
}

#[test]
fn what_is_counted_in_another_way_than_meant() {
    insta::assert_snapshot!(told(include_str!("told/counted.txt")));
}
