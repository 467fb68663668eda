//! Kernel Tuner itself, in simulation mode, driven by what is exported; and its names, and T1 files, as input.

use super::*;

/// The Python for which `ci/setup tests` installs Kernel Tuner.
const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/python/bin/python");

/// Keeps a question's result, and returns its path.
fn kept(folder: &tempfile::TempDir) -> PathBuf {
    file(folder, "kept.json", &exported(&[&MATMUL[..], &["--rank"]].concat(), "json"))
}

#[test]
fn a_kept_result_starts_kernel_tuner_too() {
    let folder = tempfile::tempdir().unwrap();
    let kept = kept(&folder).display().to_string();
    drives_kernel_tuner(&["export", &kept]);
    let start = json(&run(autotune().args(["export", &kept, "--format", "restrictions"])), "restrictions.json");
    let of_spec = json(&run(autotune().args(MATMUL).args(["--format", "restrictions"])), "restrictions.json");
    for field in ["tune_params", "complete", "all", "feasible", "promising", "x0"] {
        assert_eq!(start[field], of_spec[field], "{field}");
    }
}

/// Feeds a question's exports to Kernel Tuner, which must find the proved optimum and no infeasible configuration.
fn drives_kernel_tuner(question: &[&str]) {
    assert!(Path::new(PYTHON).exists(), "{PYTHON} is missing: `ci/setup tests` installs it, and Kernel Tuner for it");
    let folder = tempfile::tempdir().unwrap();
    let files = ["kernel-tuner", "restrictions", "t4", "t4-metadata"]
        .map(|format| file(&folder, &format!("{format}.json"), &exported(question, format)));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/drive_kernel_tuner.py");
    let ended = run(Command::new(PYTHON).arg(script).args(&files).current_dir(folder.path()));
    assert_eq!(ended.status, 0, "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn kernel_tuner_finds_the_proved_optimum_and_tries_nothing_that_cannot_run() {
    drives_kernel_tuner(&MATMUL);
    drives_kernel_tuner(&["tuning-specs/stencil_2d.yaml", "--gpu", "fermi"]);
    drives_kernel_tuner(&["tuning-specs/transpose.yaml", "--gpu", "mi50"]);
    drives_kernel_tuner(&["tests/data/specs/kernel_tuner_names.yaml", "--gpu", "volta"]);
}

/// Kernel Tuner adds the extension to every other name, and then does not find the file.
#[test]
fn a_cache_file_that_kernel_tuner_would_not_find_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let kept = kept(&folder).display().to_string();
    let printed = |name: &str, arguments: &[&str]| {
        let file = std::fs::File::create(folder.path().join(name)).unwrap();
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("autotune"));
        command.current_dir(env!("CARGO_MANIFEST_DIR")).envs(isolated());
        let output = command.args(arguments).stdout(file).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    for question in [&MATMUL[..], &["export", &kept]] {
        let export = |format| [question, &["--format", format]].concat();
        let note = printed("matmul.cache", &export("kernel-tuner"));
        let words = ["only if its name ends in `.json`: rename `", "matmul.cache`"];
        assert!(words.iter().all(|word| note.contains(word)), "{note}");
        assert_eq!(printed("matmul.json", &export("kernel-tuner")), "");
        assert_eq!(printed("matmul.csv", &export("csv")), "");
    }
    assert_eq!(run(autotune().args(MATMUL).args(["--format", "kernel-tuner"])).stderr, "");
}

/// The book's call, with the real Kernel Tuner.
#[test]
fn the_books_simulation_finds_the_optimum() {
    let page = crate::readme::page("guide/other-tuners.md");
    let section = &page[page.find("`--format kernel-tuner` writes a cache file").unwrap()..];
    let folder = tempfile::tempdir().unwrap();
    let question = ["tuning-specs/transpose.yaml", "--gpu", "fermi"];
    file(&folder, "transpose.json", &exported(&question, "kernel-tuner"));
    let mut python = Command::new(PYTHON);
    let ended = run(python.args(["-c", crate::readme::block(section, "python")]).current_dir(folder.path()));
    let optimum = json(&run(autotune().args(question).args(["--format", "json"])), "result.json")["optimum"].clone();
    let found = ended.stdout.lines().last().unwrap_or_default();
    let parameters = optimum["parameters"].to_string().replace('"', "'").replace(',', ", ").replace(':', ": ");
    assert_eq!((ended.status, found), (0, parameters.as_str()), "{}", ended.stderr);
}

#[test]
fn restrictions_follow_their_schema() {
    let start = json(&run(autotune().args(MATMUL).args(["--format", "restrictions"])), "restrictions.json");
    let best = optimum(&MATMUL);
    assert_eq!(start["x0"], serde_json::json!(best.iter().map(|(_, value)| *value).collect::<Vec<_>>()));
    assert_eq!((&start["promising"][0]["proved"], &start["complete"]), (&true.into(), &true.into()));
    let rules: Vec<_> = start["rules"].as_array().unwrap().iter().map(|rule| rule.as_str().unwrap()).collect();
    assert_eq!(rules[..3], ["TS % ROWS == 0", "size % TS == 0", "size % width == 0"]);
    assert_eq!(rules[3..], ["work_group <= 1024", "local_memory <= 49152"]);
    assert_eq!(start["restrictions"][4], "4 * TS * (TS + TS * COLS) <= 49152");
    // A configuration that was not considered may be infeasible.
    let one = [&MATMUL[..], &["--config", "TS=16,ROWS=4,COLS=4", "--format", "restrictions"]].concat();
    assert_eq!(json(&run(autotune().args(one)), "restrictions.json")["complete"], false);
    let ticks: Vec<_> = start["promising"].as_array().unwrap().iter().map(|one| one["ticks"].as_u64()).collect();
    assert!(ticks.len() == 20 && ticks.is_sorted());
}

/// `autotune validate` reads the files too; the machine then predicts itself.
#[test]
fn what_is_exported_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["kernel-tuner", "t4"] {
        let path = file(&folder, &format!("{format}.json"), &exported(&MATMUL, format));
        let validate =
            [&["validate"], &MATMUL[..], &["--format", "json", "--measured", path.to_str().unwrap()]].concat();
        let result = json(&run(autotune().args(validate)), "validation.json");
        assert_eq!((&result["rows"], &result["valid"]), (&120.into(), &77.into()), "{format}");
        let machine = &result["models"]["machine"];
        assert_eq!((&machine["first"], &machine["kendall"]), (&1.0.into(), &1.0.into()), "{format}");
        let unforeseen = ["predicted_but_failed", "refused_but_ran"].map(|name| result["feasibility"][name].as_u64());
        assert_eq!(unforeseen, [Some(0), Some(0)]);
    }
}

/// The configurations that constraints exclude from this space are not listed.
#[test]
fn restrictions_of_a_large_space_are_complete() {
    let question = ["tuning-specs/measured/convolution_milo.yaml", "--gpu", "a100", "--format", "restrictions"];
    let start = json(&run(autotune().args(question)), "restrictions.json");
    let (all, feasible) = (start["all"].as_u64().unwrap(), start["feasible"].as_u64().unwrap());
    assert!(all > 10_000 && feasible < all && start["complete"] == true, "{feasible} of {all}");
    let count = "import json, itertools, sys\nstart = json.load(sys.stdin)\nparameters = start['tune_params']\n\
                 allowed = eval('lambda %s: all((%s,))' % (', '.join(parameters), ', '.join(start['restrictions'])))\n\
                 print(sum(map(lambda values: bool(allowed(*values)), itertools.product(*parameters.values()))))";
    let mut python = Command::new("python3");
    let counted = run(python.args(["-c", count]).write_stdin(start.to_string()));
    assert_eq!(counted.stdout, format!("{feasible}\n"), "{}", counted.stderr);
}

#[test]
fn kernel_tuners_names_make_a_work_group_and_a_tile() {
    let question = ["tests/data/specs/kernel_tuner_names.yaml", "--gpu", "volta", "--format", "json"];
    let optimum = json(&run(autotune().args(question)), "result.json")["optimum"].clone();
    let value = |name: &str| optimum["parameters"][name].as_u64().unwrap();
    assert_eq!(optimum["work_group"], value("block_size_x") * value("block_size_y"));
    assert_eq!(optimum["tile"], serde_json::json!({ "tile_size_x": value("tile_size_x") }));
}

#[test]
fn a_t1_space_replaces_values_and_adds_parameters_and_conditions() {
    let space = "tests/data/t1/brighten.json";
    let t1 = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(space)).unwrap();
    json(&Ended { status: 0, stdout: t1, stderr: String::new() }, "third-party/T1-1.0.0-input.json");
    let question = ["tests/data/specs/kernel_tuner_names.yaml", "--gpu", "volta", "--space", space];
    let start = json(&run(autotune().args(question).args(["--format", "restrictions"])), "restrictions.json");
    let expected = serde_json::json!({
        "block_size_x": [8, 16, 32, 64, 96, 128], "block_size_y": [1, 2, 4, 16], "tile_size_x": [1, 2, 4], "use_padding": [0, 1]
    });
    assert_eq!(start["tune_params"], expected);
    // Counted by hand in Python from the spec's three restrictions and the file's two.
    let mut feasible = 0;
    for x in [8, 16, 32, 64, 96, 128] {
        for y in [1, 2, 4, 16] {
            for (tile, padding) in [(1, 0), (1, 1), (2, 0), (2, 1), (4, 0), (4, 1)] {
                let of_spec = (x % 32 == 0 || tile == 1) && (64..=1024).contains(&(x * y)) && !(y == 16 && tile > 2);
                let of_file = (32..=512).contains(&(x * y)) && (padding == 0 || x % 32 != 0);
                feasible += u64::from(of_spec && of_file && 16 * x * y * tile <= 49_152);
            }
        }
    }
    assert_eq!((&start["all"], &start["feasible"]), (&144.into(), &feasible.into()));
    drives_kernel_tuner(&question);
    // A proof of the spec alone is not a proof of the spec with the file.
    let alone = exported(&question[..3], "flags");
    assert_ne!(alone, exported(&question, "flags"));
}

#[test]
fn what_is_wrong_with_a_t1_file_is_shown_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = include_str!("../../data/t1/brighten.json");
    for (from, to, what, place) in [
        ("32 <= block", "32 <= block'", "unexpected character `'` in an expression", ":10:83"),
        ("32 <= block_size_x", "32 <= block_size_z", "unknown name `block_size_z`", ":10:78"),
        ("[2**i for i in range(0, 5) if i != 3]", "[1, -1]", "`-1` is not a value of type `uint`", ":6:60"),
        ("[False, True]", "[False, 2]", "`2` is not a value of type `bool`", ":7:59"),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text);
        let file = file(&folder, "space.json", &changed).display().to_string();
        let question = ["tests/data/specs/kernel_tuner_names.yaml", "--gpu", "volta", "--space", &file];
        let ended = run(autotune().args(question));
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
        assert!(ended.stderr.starts_with(&format!("error: cannot use T1 file `{file}`\n{what}\n")), "{}", ended.stderr);
        assert!(ended.stderr.contains(&format!("{file}{place}\n")), "{}", ended.stderr);
    }
}

/// A batch whose list asks for all times gives Kernel Tuner a cache, as a tuning of its own does.
#[test]
fn a_ranked_batch_is_a_cache_of_kernel_tuner() {
    let folder = tempfile::tempdir().unwrap();
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join(MATMUL[0]);
    let jobs = |rank: &str| format!("jobs: [{{ specs: [{}], gpus: [fermi]{rank} }}]\n", spec.display());
    let answered = |name: &str, rank: &str| {
        let list = file(&folder, &format!("{name}.yaml"), &jobs(rank));
        let out = folder.path().join(name).display().to_string();
        let ended = run(autotune().arg("batch").arg(list).args(["--out", &out, "--quiet"]));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        out
    };
    let ranked = answered("ranked", ", rank: true");
    drives_kernel_tuner(&["export", &ranked]);
    assert_eq!(exported(&["export", &ranked], "kernel-tuner"), exported(&MATMUL, "kernel-tuner"));
    let usual = answered("usual", "");
    let refused = run(autotune().args(["export", &usual, "--format", "kernel-tuner"]));
    assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
    assert!(refused.stderr.contains("`rank: true`"), "{}", refused.stderr);
    // A resumed batch has the results that its list asked for.
    let list = file(&folder, "usual.yaml", &jobs(", rank: true"));
    let other = run(autotune().arg("batch").arg(list).args(["--out", &usual, "--resume", "--quiet"]));
    let words = "differs in its ranking: those that are searched then, all configurations now";
    assert!(other.status == 2 && other.stderr.contains(words), "{}", other.stderr);
}

/// Of a large space no configuration is listed that a constraint excludes, and Kernel Tuner asks for each.
#[test]
fn a_large_space_is_a_cache_of_kernel_tuner_without_restrictions() {
    let folder = tempfile::tempdir().unwrap();
    let question = ["tuning-specs/measured/convolution_milo.yaml", "--gpu", "a100"];
    let cache: Value = serde_json::from_str(&exported(&question, "kernel-tuner")).unwrap();
    let values = cache["tune_params"].as_object().unwrap().values().map(|values| values.as_array().unwrap().len());
    assert_eq!(cache["cache"].as_object().unwrap().len(), values.product::<usize>());
    file(&folder, "cache.json", &cache.to_string());
    let simulate = "import json, kernel_tuner\ncache = json.load(open('cache.json'))\n\
                    for strategy in ('random_sample', 'genetic_algorithm'):\n    \
                    kernel_tuner.tune_kernel(cache['kernel_name'], '__kernel void unused() {}', cache['problem_size'], [], \
                    cache['tune_params'], lang='OpenCL', cache='cache.json', simulation_mode=True, quiet=True, \
                    strategy=strategy, strategy_options={'max_fevals': 60})";
    let ended = run(Command::new(PYTHON).args(["-W", "ignore", "-c", simulate]).current_dir(folder.path()));
    assert_eq!(ended.status, 0, "{}{}", ended.stdout, ended.stderr);
}
