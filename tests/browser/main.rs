//! Pages in a real browser: `check.py` opens what the command and the library write.
//!
//! The browser is Debian's Chromium without a screen, driven from Python (`ci/setup tests` installs both).

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::CommandCargoExt;
use autotune::render::html::{BatchPage, BatchRow, TuningOutcome};

/// A text that a stranger's spec may contain.
const HOSTILE: &str = "</script><img src=x onerror=\"document.title='gone'\">&amp;'\"";

/// The limit of a page's size, in bytes, for any content.
const MOST_BYTES: u64 = 2 << 20;

#[test]
fn pages_are_usable_in_a_browser() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    tune(&folder, "tuning", "tuning-specs/reduction.yaml", &["--gpu", "fermi"]);
    let bisection = ["--gpu", "abstract-tiny", "--set", "size=64", "--strategy", "bisection"];
    tune(&folder, "bisection", "tuning-specs/abstract_kernel.yaml", &bisection);
    let hostile = spec(&folder, "hostile.yaml", &format!("description: {HOSTILE:?}\n"), "[1, 2, 3]");
    tune(&folder, "hostile", hostile.to_str().unwrap(), &["--gpu", "fermi"]);
    let many = spec(&folder, "many.yaml", "", "{ range: { from: 1, to: 2500 } }");
    tune(&folder, "many", many.to_str().unwrap(), &["--gpu", "fermi"]);
    let fleet = ["--gpu", "a100,h100,mi250x", "--set", "size=512,1024"];
    tune(&folder, "fleet", "tuning-specs/matmul_tiled.yaml", &fleet);
    tune(&folder, "variants", "tuning-specs/matmul_tiled.yaml", &[&fleet[..], &["--variants", "2"]].concat());
    tune(&folder, "compare", "compare", &["tuning-specs/transpose.yaml", "--gpu", "gtx1050", "--all"]);
    inspect(&folder);
    batch(&folder);
    for (name, jobs) in [("batch", 60), ("large-batch", 3000)] {
        let page = BatchPage { title: &format!("jobs.yaml {HOSTILE}"), rows: &rows(jobs), seconds: Some(12.5) };
        fs::create_dir(folder.join(name)).unwrap();
        fs::write(folder.join(name).join("index.html"), page.render()).unwrap();
    }
    for page in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path().join("index.html")) {
        assert!(!page.exists() || page.metadata().unwrap().len() < MOST_BYTES, "{page:?} is too large");
    }
    let python = concat!(env!("CARGO_MANIFEST_DIR"), "/target/python/bin/python");
    let check = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/check.py");
    let checked =
        Command::new(python).arg(check).arg(&folder).output().expect("`ci/setup tests` installs Python and more");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

/// The page of a tuning, or of a comparison if `spec` is its command.
fn tune(folder: &Path, name: &str, spec: &str, arguments: &[&str]) {
    let mut command = Command::cargo_bin("autotune").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg(spec).args(arguments).args(["--no-cost", "--no-cache"]);
    let ended = command.arg("--report").arg(folder.join(name)).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}

/// The page of a source whose name and lines are long.
fn inspect(folder: &Path) {
    let mut command = Command::cargo_bin("autotune").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["inspect", "examples/kernels/transpose_naive.yaml"]);
    let ended = command.args(["--gpu", "a100", "--format", "html"]).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    fs::create_dir(folder.join("inspect")).unwrap();
    fs::write(folder.join("inspect/index.html"), ended.stdout).unwrap();
}

/// The pages of the shipped job list.
fn batch(folder: &Path) {
    let mut command = Command::cargo_bin("autotune").unwrap();
    command.env("XDG_CACHE_HOME", folder.join("cache")).env("XDG_STATE_HOME", folder.join("state"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["batch", "examples/jobs.yaml", "--out"]);
    let ended =
        command.arg(folder.join("shipped-journal")).arg("--report").arg(folder.join("shipped")).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}

/// A kernel with 4 work groups, each with these values of another parameter.
fn spec(folder: &Path, name: &str, first: &str, values: &str) -> PathBuf {
    let domain = if values.starts_with('{') { values.to_owned() } else { format!("{{ values: {values} }}") };
    let text = format!(
        "kernel: scale\n{first}problem: {{ n: 65536 }}\nparameters: {{ WG: {{ values: [32, 64, 128, 256] }}, TIMES: {domain} }}\n\
         launch: {{ work_items: n, work_group: WG }}\nbody:\n  - load: {{ array: x, per_item: 1 }}\n  - compute: {{ per_item: TIMES }}\n"
    );
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// A batch with some jobs of each outcome.
fn rows(count: usize) -> Vec<BatchRow> {
    let row = |number: usize| {
        let outcome = match number % 13 {
            5 => TuningOutcome::Failed { message: format!("cannot use spec {HOSTILE}\nhelp: mend it") },
            7 => TuningOutcome::Open {
                lower: 10.into(),
                upper: Some(2_000_000.into()),
                reason: "the time limit was reached".to_owned(),
            },
            11 => TuningOutcome::Infeasible { reason: "local memory (81)".to_owned() },
            rest => TuningOutcome::Proved {
                optimum: format!("TS={} WG=64 VECTOR_WIDTH=4", 1 << rest),
                ticks: (1000 * number as u64).into(),
                microseconds: Some(12.5),
                near: ["3".to_owned(), "12".to_owned()],
            },
        };
        BatchRow {
            kernel: format!("kernel_{}", number / 6 % 10),
            spec: format!("specs/kernel_{}.yaml", number / 6 % 10),
            gpu: ["fermi", "kepler", "maxwell", "pascal", "volta", "ampere"][number % 6].to_owned(),
            problem: format!("size={}", 1024 * (1 + number / 60)),
            page: (!matches!(outcome, TuningOutcome::Failed { .. })).then(|| format!("{number}.html")),
            outcome,
            seconds: Some(0.25),
        }
    };
    (0..count).map(row).collect()
}
