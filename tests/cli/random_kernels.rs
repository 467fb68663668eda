//! Accesses of random kernels are those that are counted on the processor, by `ci/random_kernels`.

use super::*;

/// The script, which asks a program about kernels.
fn comparison(program: &Path, options: &[&str]) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new("python3");
    command.arg(root.join("ci/random_kernels")).args(options).env("AUTOTUNE", program).envs(isolated());
    command.arg("--keep").arg(root.join("target/random_kernels"));
    command
}

/// A program in the place of the real one: a script of a shell.
fn liar(folder: &Path, text: &str) -> PathBuf {
    let program = folder.join("liar");
    let real = assert_cmd::cargo::cargo_bin("autotune");
    std::fs::write(&program, text.replace("REAL", &real.display().to_string())).unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    program
}

fn assert_equal(number: &str, seed: &str) {
    let options = ["--number", number, "--seed", seed];
    let ended = run(&mut comparison(&assert_cmd::cargo::cargo_bin("autotune"), &options));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
    assert!(ended.stdout.starts_with(&format!("{number} kernels of ")), "{}", ended.stdout);
}

#[test]
fn random_kernels_access_what_the_processor_counts() {
    assert_equal("60", "3");
}

#[test]
#[ignore = "minutes: sixty in CI, a thousand here"]
fn a_thousand_random_kernels_access_what_the_processor_counts() {
    assert_equal("1000", "2");
}

/// The comparison is not empty: one wrong count in each answer, and each kernel with such a count is named.
#[test]
fn a_count_that_is_changed_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let program = liar(folder.path(), "#!/bin/sh\nREAL \"$@\" | sed 's/\"executions\": *1.0,/\"executions\": 1.5,/'\n");
    let ended = run(&mut comparison(&program, &["--number", "4", "--kinds", "load,store", "--no-reduce"]));
    assert_eq!(ended.status, 1, "{}", ended.stdout);
    assert!(ended.stdout.ends_with(" 4 wrong: 4 by counts\n"), "{}", ended.stdout);
}

#[test]
fn a_kernel_without_an_end_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let program = liar(folder.path(), "#!/bin/sh\nexec sleep 60\n");
    let options = ["--number", "2", "--kinds", "load", "--no-reduce", "--limit", "0.5"];
    let ended = run(&mut comparison(&program, &options));
    assert_eq!(ended.status, 1, "{}", ended.stdout);
    assert!(ended.stdout.ends_with(" 2 wrong: 2 by no end in 0.5 s\n"), "{}", ended.stdout);
}
