//! The bounds of a table's problem sizes: where C computes a constraint as the spec does, and sizes of 0.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::table::Programs;
use super::*;

/// A kernel whose constraint has a product of sizes.
const SQUARE: &str = "
kernel: square
problem: { n: 1024, pad: 0 }
parameters: { WG: { values: [32, 64] }, ITEMS: { values: [1, 2] } }
constraints: [ CONSTRAINT ]
launch: { work_items: 'ceil_div(n, WG * ITEMS) * WG', work_group: WG }
body: [ compute: { kind: any, per_item: 12 }, load: { array: x, per_item: ITEMS }, store: { array: x, per_item: ITEMS } ]
";

/// The forms of a table of the kernel with a constraint.
fn tables<const N: usize>(folder: &Path, constraint: &str, options: &[&str], forms: [&str; N]) -> [String; N] {
    fs::write(folder.join("square.yaml"), SQUARE.replace("CONSTRAINT", &format!("'{constraint}'"))).unwrap();
    forms.map(|form| {
        let asked = ["table", "square.yaml", "--gpu", "a100", "--format", form];
        let ended = run(autotune().current_dir(folder).args(asked).args(options));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        ended.stdout
    })
}

/// True if the spec allows some configuration for the size; it refuses a size whose constraint it cannot compute.
fn is_allowed(folder: &Path, size: i64) -> bool {
    let asked = ["check", "square.yaml", "--gpu", "a100", "--set"];
    run(autotune().current_dir(folder).args(asked).arg(format!("n={size}"))).status == 0
}

/// A program of C that fails to link, by a call of a function that nobody defines, if a compiler finds another answer.
fn decided_by_a_compiler(asked: &[(i64, i64)]) -> String {
    let mut text = "#include \"table.h\"\nextern void another_answer(void);\nvoid asked(void) {\n".to_owned();
    for (size, expected) in asked {
        let _ = writeln!(text, "if (square_a100_variant({size}LL, 0) != {expected}) another_answer();");
    }
    text + "}\n"
}

/// Between and below the sizes that were asked for, a variant keeps to its domain.
#[test]
fn a_domain_that_depends_on_a_size_is_a_condition() {
    for (domain, least) in [
        ("{ powers_of_two: { from: 64, to: 'n / 8' } }", 512),
        ("{ range: { from: 64, to: 'n - 100', step: 32 } }", 164),
        ("{ values: ['min(n, 64)', 96] }", 64),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let spec = SQUARE
            .replace("{ values: [32, 64] }", domain)
            .replace("ITEMS: { values: [1, 2] }", "ITEMS: { values: [1] }");
        fs::write(folder.path().join("square.yaml"), spec.replace("CONSTRAINT", "'WG == 64'")).unwrap();
        let table = |form: &str| {
            let asked = ["table", "square.yaml", "--gpu", "a100", "--set", "n=512,4096", "--format", form];
            let ended = run(autotune().current_dir(folder.path()).args(asked));
            assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{domain}");
            ended.stdout
        };
        let mut programs = Programs::new();
        for size in [1, least - 1, least, 511, 512, 600, 4095, 4096, 100_000] {
            let expected = if size >= least { 0 } else { -1 };
            assert_eq!(is_allowed(folder.path(), size), expected == 0, "{domain} n={size}");
            programs.ask("square", "a100", &[size, 0], expected);
        }
        programs.check(folder.path(), &table("c"), &table("python"));
    }
}

#[test]
fn no_language_gives_a_variant_where_the_spec_cannot_compute_a_constraint() {
    let folder = tempfile::tempdir().unwrap();
    let [c, python] = tables(folder.path(), "n * n <= 2147483647", &["--set", "n=1000,2000,40000"], ["c", "python"]);
    let sizes = [1000, 40_000, 46_340, 46_341, 65_536, 3_037_000_499, 3_037_000_500, 1 << 32, i64::MAX];
    let mut programs = Programs::new();
    let mut asked = Vec::new();
    for size in sizes {
        let expected = if size <= 46_340 { 0 } else { -1 };
        assert_eq!(is_allowed(folder.path(), size), expected == 0, "n={size}");
        programs.ask("square", "a100", &[size, 0], expected);
        asked.push((size, expected));
    }
    programs.check(folder.path(), &c, &python);
    // The compiler's traps: nothing overflows. Then 32 bits of `long`.
    let traps = ["-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error", "main.c", "-o", "traps"];
    let ended = run(Command::new("gcc").current_dir(folder.path()).args(traps));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert_eq!(run(&mut Command::new(folder.path().join("traps"))).status, 0);
    for (answer, is_right) in [(&asked[..], true), (&[(1 << 32, 0)], false)] {
        fs::write(folder.path().join("decided.c"), decided_by_a_compiler(answer)).unwrap();
        let compile =
            ["--target=i686-pc-windows-gnu", "-O2", "-Wall", "-Wextra", "-Werror", "-S", "decided.c", "-o", "-"];
        let ended = run(Command::new("clang").current_dir(folder.path()).args(compile));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        assert_eq!(ended.stdout.contains("another_answer"), !is_right, "{}", ended.stdout);
    }
}

#[test]
fn an_asked_size_beyond_the_bound_is_among_those_alone_that_are_allowed() {
    let folder = tempfile::tempdir().unwrap();
    // The product fits 64 bits for what is asked, but not for all sizes up to there.
    let options = ["--set", "n=1024,4294967296", "--set", "pad=0,1"];
    let [c, json] = tables(folder.path(), "n * pad * 8 <= 1099511627776 && n * 2 > pad", &options, ["c", "json"]);
    assert!(c.contains("(n == 4294967296 && pad == 0)"), "{c}");
    let table: Value = serde_json::from_str(&json).unwrap();
    assert!(table["gpus"]["a100"]["sizes"]["n=4294967296 pad=0"]["variant"].is_u64(), "{table}");
}

#[test]
fn a_size_of_0_is_like_others_unless_a_constraint_divides_by_it() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--set", "n=1024,4096"];
    let forms = ["c", "python", "json"];
    let [c, python, json] = tables(folder.path(), "n % (WG * ITEMS) == 0 && pad < 32", &options, forms);
    let table: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(table["gpus"]["a100"]["bounds"], serde_json::json!({ "pad": { "least": 0 } }));
    let variant = table["gpus"]["a100"]["sizes"]["n=1024 pad=0"]["variant"].as_i64().unwrap();
    let mut programs = Programs::new();
    for (n, pad, expected) in
        [(1024, 0, variant), (2048, 31, variant), (2048, 32, -1), (2048, -1, -1), (0, 0, -1), (1030, 0, -1)]
    {
        programs.ask("square", "a100", &[n, pad], expected);
    }
    programs.check(folder.path(), &c, &python);
    let [c] = tables(folder.path(), "pad == 0 || n % pad == 0", &options, ["c"]);
    assert!(c.contains("(n == 1024 && pad == 0) || (n == 4096 && pad == 0)"), "{c}");
}
