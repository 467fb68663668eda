//! A decision by GPU and problem sizes: the same variant in C, OpenCL C, Python and JSON, and the best variants of all.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command as Process;

use super::fleet::times;
use super::*;

/// A question whose sizes exclude some configurations, and the variants differ.
const SIZES: [&str; 6] = [
    "table",
    "tuning-specs/matmul_tiled.yaml",
    "--gpu",
    "a100,h100,rtx4090",
    "--set",
    "size=32,48,64,160,256,384,512,768,1024",
];

fn table(options: &[&str], format: &str) -> String {
    let ended = run(autotune().args(SIZES).args(options).args(["--format", format]));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    ended.stdout
}

/// The lines that a program prints; the program succeeds without a word on standard error.
fn printed(program: &mut Process) -> Vec<i64> {
    let output = program.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.is_empty(), "{told}");
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

/// The variant that the tree of the JSON gives for a size. The conditions are the kernel's: `TS` and a tile's width,
/// `TS * COLS`, divide the size.
fn by_tree(table: &Value, tree: &Value, size: i64) -> i64 {
    if let Some(at) = tree["at"].as_i64() {
        return by_tree(table, &tree[if size < at { "below" } else { "from" }], size);
    }
    let holds = |choice: &&Value| {
        let variant = &table["variants"][usize::try_from(choice["variant"].as_u64().unwrap()).unwrap()];
        let [tile, columns] = ["TS", "COLS"].map(|name| variant[name].as_i64().unwrap());
        size % tile == 0 && size % (tile * columns) == 0
    };
    let first = tree.as_array().unwrap().iter().find(holds);
    first.map_or(-1, |choice| choice["variant"].as_i64().unwrap())
}

/// A C program and a Python script that ask the functions of a table, and the answers that they have to print.
pub(super) struct Programs {
    c: String,
    python: String,
    pub(super) expected: Vec<i64>,
}

impl Programs {
    pub(super) fn new() -> Self {
        Self {
            c: "#include <stdio.h>\n#include \"table.h\"\nint main(void) {\n".to_owned(),
            python: "import table\n".to_owned(),
            expected: Vec::new(),
        }
    }

    /// Asks the function of a kernel's GPU for sizes; Python by its name and by the GPU's.
    pub(super) fn ask(&mut self, kernel: &str, gpu: &str, sizes: &[i64], expected: i64) {
        let sizes = sizes.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let function = format!("{kernel}_{}_variant", gpu.replace('-', "_"));
        let _ = writeln!(self.c, "printf(\"%d\\n\", {function}({sizes}));");
        let _ = writeln!(
            self.python,
            "assert table.VARIANT[\"{gpu}\"] is table.{function}\nprint(table.{function}({sizes}))"
        );
        self.expected.push(expected);
    }

    /// Compiles and runs both beside the table in a folder.
    pub(super) fn check(self, folder: &Path, header: &str, module: &str) {
        let main = self.c + "return 0;\n}\n";
        for (name, text) in [("table.h", header), ("main.c", &main), ("table.py", module), ("main.py", &self.python)] {
            fs::write(folder.join(name), text).unwrap();
        }
        for compiler in ["gcc", "clang"] {
            let mut compile = Process::new(compiler);
            printed(compile.current_dir(folder).arg("-std=c99").args(STRICT).args(["main.c", "-o", "main"]));
            assert_eq!(printed(&mut Process::new(folder.join("main"))), self.expected);
        }
        let mut python = Process::new("python3");
        assert_eq!(printed(python.current_dir(folder).args(["-B", "main.py"])), self.expected);
    }
}

/// Options of a C compiler that make each warning an error.
const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-pedantic", "-Werror"];

#[test]
fn c_and_python_give_the_variant_of_the_table_for_all_sizes_and_those_between() {
    for options in [&[][..], &["--variants", "2", "--within", "10"]] {
        let folder = tempfile::tempdir().unwrap();
        let (header, module) = (table(options, "c"), table(options, "python"));
        let json: Value = serde_json::from_str(&table(options, "json")).unwrap();
        if options.is_empty() {
            assert_eq!(table(options, "c"), header);
        }
        let asked: Vec<i64> =
            json["problem"]["size"].as_array().unwrap().iter().map(|one| one.as_i64().unwrap()).collect();
        assert_eq!(asked.len(), 9);
        let sizes: Vec<i64> =
            asked.iter().copied().chain([-7, 0, 1, 32, 33, 2048]).chain((16..1100).step_by(16)).collect();
        let mut programs = Programs::new();
        for (gpu, decided) in json["gpus"].as_object().unwrap() {
            for size in &sizes {
                let expected = if *size < 1 { -1 } else { by_tree(&json, &decided["tree"], *size) };
                programs.ask("matmul_tiled", gpu, &[*size], expected);
            }
            for entry in decided["sizes"].as_object().unwrap().values() {
                let size = entry["problem"]["size"].as_i64().unwrap();
                assert_eq!(entry["variant"].as_i64().unwrap_or(-1), by_tree(&json, &decided["tree"], size));
            }
        }
        let expected = &programs.expected;
        assert!([-1, 0, 1].iter().all(|variant| expected.contains(variant)), "{expected:?}");
        programs.check(folder.path(), &header, &module);
        let kernel = "kernel void asked(global int *of) {\n    of[0] = matmul_tiled_a100_variant(of[0]);\n}\n";
        fs::write(folder.path().join("main.cl"), format!("#include \"table.h\"\n{kernel}")).unwrap();
        let mut opencl = Process::new("clang");
        let opencl = opencl.current_dir(folder.path()).args(STRICT);
        printed(opencl.args(["-x", "cl", "-cl-std=CL1.2", "-fsyntax-only", "main.cl"]));
    }
}

/// Two problem sizes, the time a matter of both; a constraint that C cannot have, as `log2` has no operator there.
const TWO_SIZES: &str = "
kernel: two-sizes
problem: { m: 4, n: 8 }
parameters: { A: { values: [1, 2, 4] } }
constraints: [ log2(m) >= log2(A), n % A == 0 ]
launch: { work_items: 64, work_group: 4 }
varies: [fp32]
body: [ compute: { per_item: 10 + (A - 2) * (A - 2) * m + n % (A + 1) } ]
";

/// Brute force by `evaluate` over a grid of two sizes; between its values the conditions are tried alone.
#[test]
fn tables_of_two_sizes_give_each_pair_its_fastest_variant() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.yaml"), TWO_SIZES).unwrap();
    let asked = ["table", "two.yaml", "--gpu", "abstract-tiny", "--set", "m=1,2,4", "--set", "n=6,4,9"];
    let printed_as = |format: &str| {
        let ended = run(autotune().current_dir(folder.path()).args(asked).args(["--format", format]));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        ended
    };
    let table = json(&printed_as("json"), "size_table.json");
    let mut programs = Programs::new();
    for (m, n) in [1, 2, 4].into_iter().flat_map(|m| [4, 6, 9].map(|n| (m, n))) {
        let sizes = ["--set".to_owned(), format!("m={m}"), "--set".to_owned(), format!("n={n}")];
        let evaluate = ["evaluate", "two.yaml", "--gpu", "abstract-tiny", "--format", "json"];
        let evaluation = run(autotune().current_dir(folder.path()).args(evaluate).args(sizes));
        let evaluation = json(&evaluation, "evaluation.json");
        let times = evaluation["configurations"].as_array().unwrap().iter();
        let least = times.filter_map(|one| one["ticks"].as_u64()).min();
        let entry = &table["gpus"]["abstract-tiny"]["sizes"][format!("m={m} n={n}")];
        assert_eq!(entry["ticks"].as_u64(), least, "m={m} n={n}");
        programs.ask("two_sizes", "abstract-tiny", &[m, n], entry["variant"].as_i64().unwrap());
    }
    let expected = &programs.expected;
    assert!(expected.iter().any(|variant| *variant != expected[0]), "{expected:?}");
    // No pair of the grid: the constraint that is not written allows none.
    programs.ask("two_sizes", "abstract-tiny", &[3, 7], -1);
    programs.check(folder.path(), &printed_as("c").stdout, &printed_as("python").stdout);
}

/// Brute force by `evaluate` over all sets: none has a lesser worst slowdown.
#[test]
fn the_variants_have_the_least_worst_slowdown_of_all_sets() {
    let times = times(&["4", "16", "32", "128"]);
    let mut labels: Vec<&String> = times.iter().flatten().map(|(label, _)| label).collect();
    labels.sort();
    labels.dedup();
    let slowdown = |set: &[&String]| {
        let best = |own: &Vec<(String, u64)>| {
            let least = own.iter().map(|(_, ticks)| *ticks).min().unwrap();
            let taken = own.iter().filter(|(label, _)| set.contains(&label)).map(|(_, ticks)| *ticks).min()?;
            Some((taken, least))
        };
        let all: Option<Vec<(u64, u64)>> = times.iter().map(best).collect();
        all?.into_iter().max_by(|one, two| (one.0 * two.1).cmp(&(two.0 * one.1)))
    };
    let mut sets: Vec<Vec<&String>> = labels.iter().map(|one| vec![*one]).collect();
    for variants in 1..=3 {
        let least =
            sets.iter().filter_map(|set| slowdown(set)).min_by(|one, two| (one.0 * two.1).cmp(&(two.0 * one.1)));
        let asked =
            ["table", "tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny", "--set", "size=4,16,32,128"];
        let number = variants.to_string();
        let ask = |options: &[&str]| {
            let mut command = autotune();
            command.args(asked).args(["--format", "json", "--variants", &number]).args(options);
            run(&mut command)
        };
        let ended = ask(&[]);
        match least {
            None => assert_eq!([ended.status, ask(&["--prove"]).status], [4, 4], "{}", ended.stderr),
            Some((time, optimum)) => {
                let table = json(&ended, "size_table.json");
                let worst = &table["worst"];
                let (numerator, denominator) =
                    (worst["numerator"].as_u64().unwrap(), worst["denominator"].as_u64().unwrap());
                assert_eq!(numerator * optimum, denominator * time, "{variants} variants");
                assert_eq!((&table["verdict"], &table["is_least"]), (&"evaluated".into(), &true.into()));
                let mut proved = json(&ask(&["--prove"]), "size_table.json");
                assert_eq!(proved["verdict"], "proved");
                for name in ["verdict", "command"] {
                    proved[name] = table[name].clone();
                }
                assert_eq!(proved, table);
            }
        }
        let extended = sets.iter().flat_map(|set| labels.iter().map(|one| [&set[..], &[*one]].concat()));
        sets = extended.collect();
    }
}

#[test]
fn a_proved_table_says_so_and_keeps_its_proof() {
    let folder = tempfile::tempdir().unwrap();
    let asked = ["table", "tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny", "--set", "size=16,32,64"];
    let keep = ["--prove", "--variants", "2", "--keep", folder.path().to_str().unwrap()];
    let ended = run(autotune().args(asked).args(keep));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert!(ended.stdout.lines().next().unwrap().ends_with(": proved."), "{}", ended.stdout);
    let ended = run(autotune().arg("verify").arg(folder.path()));
    assert!(ended.status == 0 && ended.stdout.contains("variant"), "{} {}", ended.stdout, ended.stderr);
    let stopped =
        run(autotune().args(asked).args(["--prove", "--time-limit", "1ms"]).env("XDG_CACHE_HOME", folder.path()));
    assert!(stopped.status == 3 && stopped.stderr.contains("the table is not proved"), "{}", stopped.stderr);
}

#[test]
fn the_guides_program_chooses_by_size() {
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide/tables.md")).unwrap();
    let program = guide.split("```c\n").nth(1).unwrap().split("```").next().unwrap();
    let asked = ["examples/kernels/matmul.yaml", "--gpu", "a100,h100,rtx4090", "--set", "n=2^8..2^14:pow2"];
    let ended = run(autotune().arg("table").args(asked));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert!(guide.contains(&ended.stdout), "the guide shows the header");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("matmul_table.h"), &ended.stdout).unwrap();
    fs::write(folder.path().join("main.c"), program).unwrap();
    let compile = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "main.c", "-o", "main"];
    printed(Process::new("gcc").current_dir(folder.path()).args(compile));
    let output = Process::new(folder.path().join("main")).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && guide.contains(&printed) && printed.lines().count() == 4, "{printed}");
}

#[test]
fn csv_has_a_line_for_each_gpu_and_size_below_what_the_table_is() {
    let text = table(&[], "csv");
    let (comment, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("# "));
    assert_eq!(lines.len(), 1 + 3 * 9);
    assert_eq!(lines[0], "gpu,size,TS,ROWS,COLS,variant,ticks,slowdown");
    assert!(comment[0].contains("evaluated, not proved") && comment[1].contains("worst slowdown: 1"), "{comment:?}");
    let command = "command: autotune table tuning-specs/matmul_tiled.yaml --gpu a100,h100,rtx4090 --set size=32,48,64,160,256,384,512,768,1024 --format csv";
    assert!(comment.last().unwrap().ends_with(command), "{comment:?}");
}

#[test]
fn a_name_that_is_not_utf8_is_no_reason_to_fail() {
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"two\xff.yaml");
    fs::write(folder.path().join(name), TWO_SIZES).unwrap();
    let ended = run(autotune().current_dir(folder.path()).arg("table").arg(name).args(["--gpu", "abstract-tiny"]));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert!(
        ended.stdout.contains("command: autotune table 'two\u{fffd}.yaml' --gpu abstract-tiny"),
        "{}",
        ended.stdout
    );
}

/// Names of sizes, kernels and parameters with which the header would not compile.
#[test]
fn names_that_mean_something_in_the_header_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |kernel: &str, size: &str, parameter: &str, form: &str| {
        let spec = TWO_SIZES.replace("two-sizes", kernel).replace("A: {", &format!("{parameter}: {{"));
        let spec = spec.replace("m: 4", &format!("{size}: 4")).replace("log2(m) >= log2(A), n % A == 0", "n > 0");
        let (start, _) = spec.split_once("body:").unwrap();
        fs::write(folder.path().join("named.yaml"), format!("{start}body: [ compute: {{ per_item: 10 }} ]\n")).unwrap();
        fs::write(folder.path().join("0.yaml"), "base: abstract-tiny\nname: '0'\n").unwrap();
        run(autotune().current_dir(folder.path()).args(["table", "named.yaml", "--gpu", "./0.yaml", "--format", form]))
    };
    let names = ["INT_MAX", "CHAR_BIT", "M_PI", "float4"].map(|size| (size, "c"));
    for (size, form) in names.into_iter().chain([("class", "python")]) {
        let ended = ask("k", size, "A", form);
        assert!(ended.status == 2 && ended.stdout.is_empty(), "{size}: {}", ended.stderr);
        assert!(ended.stderr.contains(&format!("a problem size is called `{size}`, which ")), "{}", ended.stderr);
    }
    for (size, parameter, name) in
        [("K_VARIANTS", "A", "K_VARIANTS"), ("K_0_A", "A", "K_0_A"), ("m", "variant", "K_0_variant")]
    {
        let ended = ask("K", size, parameter, "c");
        assert!(ended.status == 2 && ended.stdout.is_empty(), "{name}: {}", ended.stderr);
        assert!(ended.stderr.contains(&format!("would both be called `{name}`")), "{}", ended.stderr);
    }
    assert_eq!(ask("K", "m", "A", "c").status, 0);
    assert_eq!(
        ask("K", "image2d_array_t", "A", "c").status,
        0,
        "a body is of no language, and this is a word of OpenCL alone"
    );
}

#[test]
fn what_no_table_can_do_is_said() {
    let sizes: Vec<String> = (1..=80).map(|one| (one * 32 + 16 * (one % 2)).to_string()).collect();
    let sizes = format!("size={}", sizes.join(","));
    let far = ["table", "tuning-specs/matmul_tiled.yaml", "--gpu", "a100", "--within", "0", "--set", &sizes];
    let ended = run(autotune().args(far));
    assert_eq!(ended.status, 4);
    assert!(ended.stderr.contains("0 % is out of reach on a100"), "{}", ended.stderr);
    let none = ["table", "tuning-specs/matmul_tiled.yaml", "--gpu", "a100", "--set", "size=7"];
    let ended = run(autotune().args(none));
    assert!(ended.status == 4 && ended.stderr.contains("no configuration is feasible"), "{}", ended.stderr);
    let ended = run(autotune().args(SIZES).args(["--variants", "9"]));
    assert!(ended.status == 2 && ended.stderr.contains("1..=8"), "{}", ended.stderr);
}
