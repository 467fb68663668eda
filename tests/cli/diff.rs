//! `autotune diff`: its forms, where the old kernel comes from, exit statuses and errors. `tests/with_clang/differences.rs`
//! has the edits; the book has the text.

use std::fs;

use super::*;

const CONFIG: &str = "TS=32,ROWS=8,PAD=1";
const PADDED: &str = "tile[TS][TS + PAD]";
const BARE: &str = "tile[TS][TS]";

/// A folder with the transposition in `kernels`, whose tile lost its padding, and the old source.
fn unpadded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/kernels");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("kernels")).unwrap();
    fs::copy(examples.join("transpose.yaml"), at("kernels/transpose.yaml")).unwrap();
    let source = fs::read_to_string(examples.join("transpose.cl")).unwrap();
    fs::write(at("old.cl"), &source).unwrap();
    assert!(source.contains(PADDED));
    fs::write(at("kernels/transpose.cl"), source.replace(PADDED, BARE)).unwrap();
    folder
}

fn diff(folder: &Path, words: &[&str]) -> Ended {
    run(autotune().current_dir(folder).arg("diff").args(words))
}

/// The words that compare the transposition with its old source in one configuration.
fn against_old(more: &[&'static str]) -> Vec<&'static str> {
    [&["kernels/transpose.yaml", "--source-old", "old.cl", "--gpu", "a100", "--config", CONFIG], more].concat()
}

fn findings(report: &Value) -> Vec<Value> {
    report["gpus"].as_array().unwrap().iter().flat_map(|gpu| gpu["findings"].as_array().unwrap().clone()).collect()
}

#[test]
fn the_json_has_its_schema_and_the_finding_its_line() {
    let folder = unpadded();
    let ended = diff(folder.path(), &against_old(&["--format", "json"]));
    assert_eq!(ended.status, 6, "{}", ended.stderr);
    let report = json(&ended, "diff.json");
    let worse: Vec<Value> = findings(&report).into_iter().filter(|one| one["kind"] == "worse").collect();
    assert_eq!(worse.len(), 1, "{report}");
    assert_eq!((&worse[0]["count"], &worse[0]["place"]["line"]), (&"passes".into(), &14.into()));
    assert_eq!((worse[0]["old"].as_f64(), worse[0]["new"].as_f64()), (Some(8.0), Some(256.0)));
    assert_eq!((&report["failing"], &worse[0]["fails"]), (&1.into(), &true.into()));
    assert_eq!(report["gpus"][0]["optima"], Value::Null, "nobody asked for them");
    let lines = report["gpus"][0]["configurations"][0]["lines"].as_array().unwrap();
    let load =
        lines.iter().find(|line| line["place"]["line"] == 14).unwrap()["new_accesses"].as_array().unwrap()[0].clone();
    assert_eq!(
        (&load["array"], load["passes"].as_f64(), load["least_passes"].as_f64()),
        (&"tile".into(), Some(32.0), Some(1.0))
    );
    assert_eq!(ended.stdout, diff(folder.path(), &against_old(&["--format", "json"])).stdout, "known from the cache");
}

#[test]
fn equal_kernels_end_with_success_and_strictness_fails_times() {
    let folder = unpadded();
    let same =
        diff(folder.path(), &["kernels/transpose.yaml", "kernels/transpose.yaml", "--gpu", "a100", "--config", CONFIG]);
    assert_eq!(same.status, 0, "{}", same.stderr);
    assert!(same.stdout.contains("no count differs") && same.stdout.ends_with("nothing fails\n"), "{}", same.stdout);
    // A wider type: more sectors for more bytes, which only the predicted time judges.
    let write = |name: &str, kind: &str| {
        let text = format!("__kernel void k(__global {kind}* a) {{ a[get_global_id(0)] += 1; }}\n");
        fs::write(folder.path().join(name), text).unwrap();
    };
    write("float.cl", "float");
    write("double.cl", "double");
    let words =
        ["float.cl", "double.cl", "--gpu", "a100", "--problem", "n=2^24", "--work-items", "n", "--work-group", "WG"];
    let words = [&words[..], &["--parameter", "WG=128,256"]].concat();
    let lenient = diff(folder.path(), &words);
    assert_eq!(lenient.status, 0, "{}{}", lenient.stdout, lenient.stderr);
    for expected in
        ["slower (predicted): double.cl:1:", "pairs of measured configurations that differ", "fails with --strict"]
    {
        assert!(lenient.stdout.contains(expected), "{expected} is not in {}", lenient.stdout);
    }
    assert_eq!(diff(folder.path(), &[&words[..], &["--strict"]].concat()).status, 6);
    assert_eq!(diff(folder.path(), &[&words[..], &["--strict", "--threshold", "100"]].concat()).status, 0);
}

#[test]
fn sarif_is_valid_and_names_the_new_line() {
    let folder = unpadded();
    let ended = diff(folder.path(), &against_old(&["--format", "sarif"]));
    assert_eq!(ended.status, 6, "{}", ended.stderr);
    let log: Value = serde_json::from_str(&ended.stdout).unwrap();
    let schema = fs::read_to_string("schemas/third-party/sarif-2.1.0.json").unwrap();
    // A bracket of this pattern is closed and not opened, which the standard of regular expressions does not allow.
    let schema = schema.replace("^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$", "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    // Validators beside the schema want to know where to read about the tool.
    let information = log["runs"][0]["tool"]["driver"]["informationUri"].as_str().unwrap();
    assert!(information.starts_with("https://"), "{information}");
    let results = log["runs"][0]["results"].as_array().unwrap();
    let error = results.iter().find(|result| result["level"] == "error").unwrap();
    let place = &error["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "kernels/transpose.cl");
    assert_eq!((&place["region"]["startLine"], &error["ruleId"]), (&14.into(), &"worse".into()));
    assert!(error["message"]["text"].as_str().unwrap().contains("256 passes per warp, was 8"), "{error}");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(results.iter().all(|result| {
        rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()]["id"] == result["ruleId"]
    }));
}

#[test]
fn markdown_is_a_table_with_the_optima_of_each_gpu() {
    let folder = unpadded();
    let words = [
        "kernels/transpose.yaml",
        "--source-old",
        "old.cl",
        "--gpu",
        "a100,mi50",
        "--set",
        "size=512",
        "--format",
        "markdown",
    ];
    let ended = diff(folder.path(), &words);
    for expected in [
        "### transpose: `kernels/transpose.yaml` against `old.cl`\n",
        "| GPU | old optimum | new optimum |",
        "\n| a100 | `TS=",
        "\n| mi50 | `TS=",
        "`kernels/transpose.cl:14`",
        "<details><summary>Counts on a100</summary>",
    ] {
        assert!(ended.stdout.contains(expected), "{expected} is not in {}{}", ended.stdout, ended.stderr);
    }
}

#[test]
fn all_configurations_are_compared_and_those_that_no_longer_run_are_worse() {
    let folder = unpadded();
    let spec = fs::read_to_string(folder.path().join("kernels/transpose.yaml")).unwrap();
    let smaller = spec.replace("from: 4, to: 128", "from: 32, to: 32").replace("from: 1, to: 32", "from: 8, to: 8");
    fs::write(folder.path().join("kernels/transpose.yaml"), &smaller).unwrap();
    fs::write(folder.path().join("kernels/other.yaml"), smaller.replace("- TS % ROWS == 0", "- PAD == 0")).unwrap();
    let all = ["kernels/transpose.yaml", "kernels/other.yaml", "--gpu", "a100", "--all", "--format", "json"];
    let ended = diff(folder.path(), &all);
    assert_eq!(ended.status, 6, "{}", ended.stderr);
    let report = json(&ended, "diff.json");
    let configurations = report["gpus"][0]["configurations"].as_array().unwrap();
    assert_eq!(configurations.len(), 2, "{report}");
    let refused = findings(&report).into_iter().find(|one| one["count"] == "feasibility").unwrap();
    assert_eq!((&refused["kind"], &refused["configurations"][0]["PAD"]), (&"worse".into(), &1.into()));
    assert!(refused["message"].as_str().unwrap().contains("PAD == 0"), "{refused}");
}

/// Runs git in a folder.
pub(crate) fn git(folder: &Path, words: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(folder).args([
        "-c",
        "user.name=test",
        "-c",
        "user.email=test@localhost",
        "-c",
        "init.defaultBranch=main",
    ]);
    let ended = run(git.args(words));
    assert_eq!(ended.status, 0, "git {words:?}: {}", ended.stderr);
}

/// A repository with two commits: the kernel includes a header in a folder beside it, and the second commit changes the
/// header.
pub(crate) fn repository() -> tempfile::TempDir {
    let folder = unpadded();
    let at = |name: &str| folder.path().join(name);
    let source = fs::read_to_string(at("old.cl")).unwrap();
    fs::create_dir(at("shared")).unwrap();
    let included = source.replace("#define LINES", "#include \"tile.h\"\n#include \"../shared/none.h\"\n#define LINES");
    fs::write(at("kernels/transpose.cl"), included.replace(PADDED, "tile[TS][PITCH]")).unwrap();
    fs::write(at("kernels/tile.h"), "#define PITCH (TS + PAD)\n").unwrap();
    fs::write(at("shared/none.h"), "// nothing\n").unwrap();
    let spec = fs::read_to_string(at("kernels/transpose.yaml")).unwrap();
    fs::write(
        at("kernels/transpose.yaml"),
        spec.replace("file: transpose.cl", "file: transpose.cl\n  include: [../shared]"),
    )
    .unwrap();
    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "--quiet", "-m", "a tile with padding"]);
    fs::write(at("kernels/tile.h"), "#define PITCH TS\n").unwrap();
    git(folder.path(), &["commit", "--quiet", "-am", "a tile without padding"]);
    folder
}

#[test]
fn a_revision_has_its_spec_its_source_and_what_that_includes() {
    let folder = repository();
    let words = ["--git", "HEAD~1", "kernels/transpose.yaml", "--gpu", "a100", "--config", CONFIG];
    let ended = diff(folder.path(), &[&words[..], &["--format", "json"]].concat());
    assert_eq!(ended.status, 6, "{}", ended.stderr);
    let report = json(&ended, "diff.json");
    assert_eq!(report["old"], "HEAD~1:kernels/transpose.yaml");
    assert!(!ended.stdout.contains("/tmp/autotune"), "{}", ended.stdout);
    let worse = findings(&report).into_iter().find(|one| one["kind"] == "worse").unwrap();
    assert_eq!((worse["old"].as_f64(), worse["new"].as_f64()), (Some(8.0), Some(256.0)));
    // From another folder, and with the source and its options in place of the spec.
    let inside = folder.path().join("kernels");
    let options = ["--problem", "size=4096", "--parameter", "TS=32", "--parameter", "ROWS=8", "--parameter", "PAD=1"];
    let launch = ["--work-items", "size,size/ROWS", "--work-group", "TS,TS/ROWS", "--include", "../shared"];
    let words = ["--git", "HEAD~1", "transpose.cl", "--gpu", "a100", "--format", "json"];
    let ended = diff(&inside, &[&words[..], &options, &launch].concat());
    assert_eq!(ended.status, 6, "{}", ended.stderr);
    assert!(findings(&json(&ended, "diff.json")).iter().any(|one| one["count"] == "passes"));
    assert_eq!(
        diff(folder.path(), &["--git", "HEAD", "kernels/transpose.yaml", "--gpu", "a100", "--config", CONFIG]).status,
        0
    );
}

#[test]
fn what_cannot_be_compared_says_why_and_what_to_do() {
    let folder = repository();
    let named = "kernels/transpose.yaml";
    fs::write(folder.path().join("new.yaml"), "kernel: new\n").unwrap();
    for (words, status, expected) in [
        (vec![named], 2, "one kernel is named, and nothing to compare it with"),
        (vec![named, named, "--git", "HEAD"], 2, "two kernels are named, and a third one"),
        (
            vec!["kernels/transpose.cl", named],
            2,
            "`kernels/transpose.cl` is a source, and `kernels/transpose.yaml` is a spec",
        ),
        (vec![named, "kernels/transpose.cl"], 2, "`kernels/transpose.cl` is a source, and"),
        (vec![named, "--git", "nowhere"], 2, "git says of `nowhere`: Needed a single revision"),
        (vec!["new.yaml", "--git", "HEAD"], 2, "git says of `HEAD:new.yaml`"),
        (vec![named, "--git", "--output=x"], 2, "git says of `--output=x`"),
        (vec![named, "--source-old", "none.cl"], 2, "none.cl"),
        (vec![named, named, "--config", "TS=32"], 2, "no value is given for"),
        (vec![named, named, "--gpu", "gpu9"], 2, "the argument '--gpu"),
        (vec![named, "missing.yaml"], 2, "cannot use spec `missing.yaml`"),
    ] {
        let ended = diff(folder.path(), &[&["--gpu", "a100"], words.as_slice()].concat());
        assert_eq!(ended.status, status, "{words:?}: {}{}", ended.stdout, ended.stderr);
        assert!(ended.stderr.contains(expected) && ended.stdout.is_empty(), "{words:?}: {}", ended.stderr);
    }
    let elsewhere = unpadded();
    let ended = diff(elsewhere.path(), &["--git", "HEAD", named, "--gpu", "a100"]);
    assert!(ended.status == 2 && ended.stderr.contains("not a git repository"), "{}", ended.stderr);
}

/// The compiler's words about the old source name the revision, and not where its files lie for the moment.
#[test]
fn an_error_of_the_old_kernel_is_in_the_revisions_files() {
    let folder = repository();
    let source = folder.path().join("kernels/transpose.cl");
    let good = fs::read_to_string(&source).unwrap();
    fs::write(&source, good.replace("in[", "nowhere[")).unwrap();
    git(folder.path(), &["commit", "--quiet", "-am", "a mistake"]);
    fs::write(&source, good).unwrap();
    let ended = diff(folder.path(), &["--git", "HEAD", "kernels/transpose.yaml", "--gpu", "a100"]);
    assert!(ended.status == 2 || ended.status == 4, "{}{}", ended.stdout, ended.stderr);
    assert!(
        ended.stderr.contains("the old kernel: ") && ended.stderr.contains("HEAD:kernels/transpose.cl:12"),
        "{}",
        ended.stderr
    );
    assert!(!ended.stderr.contains("/run-"), "{}", ended.stderr);
}

/// An assumption about a line of the new source holds for the line of the old one that stands for it.
#[test]
fn assumptions_follow_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = |before: &str| {
        format!(
            "{before}__kernel void k(__global int* a) {{\n  const int n = a[0];\n  for (int i = 0; i < n; ++i)\n    a[i] += 1;\n}}\n"
        )
    };
    fs::write(folder.path().join("old.cl"), kernel("")).unwrap();
    fs::write(folder.path().join("new.cl"), kernel("// a comment\n// of two lines\n")).unwrap();
    let words =
        ["old.cl", "new.cl", "--gpu", "a100", "--work-items", "1024", "--work-group", "32", "--assume", "trip@5=100"];
    let ended = diff(folder.path(), &words);
    assert_eq!(ended.status, 0, "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("no count differs"), "{}", ended.stdout);
}

#[test]
fn specs_with_bodies_are_compared_by_the_lines_of_the_specs() {
    let folder = tempfile::tempdir().unwrap();
    let spec = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tuning-specs/vector_add.yaml")).unwrap();
    fs::write(folder.path().join("old.yaml"), &spec).unwrap();
    let barrier = spec.replacen("body:\n", "body:\n  - barrier\n", 1);
    assert_ne!(barrier, spec);
    fs::write(folder.path().join("new.yaml"), &barrier).unwrap();
    for gpu in ["fermi", "abstract-fermi"] {
        let ended = diff(folder.path(), &["old.yaml", "new.yaml", "--gpu", gpu, "--format", "json"]);
        assert_eq!(ended.status, 6, "{gpu}: {}", ended.stderr);
        let worse = findings(&json(&ended, "diff.json")).into_iter().find(|one| one["kind"] == "worse").unwrap();
        let line = barrier.lines().position(|line| line == "  - barrier").unwrap() as u64 + 1;
        assert_eq!((&worse["count"], worse["place"]["line"].as_u64()), (&"barriers".into(), Some(line)), "{gpu}");
    }
}

/// A line that becomes a function is one finding, not a loss and a gain.
#[test]
fn work_that_moved_into_a_new_line_is_one_finding() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = |sum: &str| {
        format!(
            "__kernel void k(__global const float* restrict w, __global float* restrict o)
{{
    __local float tile[68];
    const int l = get_local_id(0);
    tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
{sum}
    o[get_global_id(0)] = acc;
}}
"
        )
    };
    let old = kernel("    float acc = 0;\n    for (int d = 0; d <= 4; ++d) acc += w[d] * tile[l + d];");
    let function = "float blur(__global const float* w, __local float* t) \
                    { float acc = 0; for (int d = 0; d <= 4; ++d) acc += w[d] * t[d]; return acc; }\n";
    let new = function.to_owned() + &kernel("    float acc = blur(w, tile + l);");
    std::fs::write(folder.path().join("old.cl"), old).unwrap();
    std::fs::write(folder.path().join("new.cl"), new).unwrap();
    let words = ["old.cl", "new.cl", "--kernel", "k", "--gpu", "a100", "--work-items", "65536", "--work-group", "64"];
    let text = diff(folder.path(), &words).stdout;
    assert!(text.contains(" in line 8, whose work is here now"), "{text}");
    let report = json(&diff(folder.path(), &[&words[..], &["--format", "json"]].concat()), "diff.json");
    let counted: Vec<Value> = findings(&report).into_iter().filter(|one| one["count"] == "instructions").collect();
    assert_eq!(counted.len(), 1, "{report}");
    assert_eq!((&counted[0]["place"]["line"], &counted[0]["old_place"]["line"]), (&1.into(), &8.into()));
    assert!(counted[0]["old"].as_f64() > counted[0]["new"].as_f64(), "{report}");
}

/// A kernel that scales one element with each work item, and its host.
const SCALED: [&str; 2] = [
    "__global__ void scale(float *out, const float *in, int n)\n{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = 2 * in[i];\n}\n",
    "#include \"sizes.h\"\nvoid run(float *out, float *in)\n{\n  const int block = 256;\n  scale<<<(SIZE + block - 1) / block, block>>>(out, in, SIZE);\n}\n",
];
/// A twin with four elements, another group and another size.
const SCALED_BY_FOUR: [&str; 2] = [
    "__global__ void scale(float *out, const float *in, int n)\n{\n  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);\n  for (int k = 0; k < 4; ++k)\n    if (i + k < n) out[i + k] = 2 * in[i + k];\n}\n",
    "#include \"sizes.h\"\nvoid run(float *out, float *in)\n{\n  const int block = 128;\n  int quarter = (SIZE + 3) / 4;\n  scale<<<(quarter + block - 1) / block, block>>>(out, in, SIZE);\n}\n",
];

/// A repository with two commits of a kernel, its host and a header with the size: the second launches a quarter of the work
/// items for four times the size.
fn launched_otherwise() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let commit = |[kernel, host]: [&str; 2], size: &str, message: &str| {
        for (name, text) in [("scale.cu", kernel), ("main.cu", host), ("sizes.h", size)] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        git(folder.path(), &["add", "."]);
        git(folder.path(), &["commit", "--quiet", "-m", message]);
    };
    git(folder.path(), &["init", "--quiet"]);
    commit(SCALED, "#define SIZE 1048576\n", "one element");
    commit(SCALED_BY_FOUR, "#define SIZE 4194304\n", "four elements");
    folder
}

/// Each text is inferred from its own launch, and both are counted at the new size.
#[test]
fn each_revision_is_launched_as_its_own_host_says() {
    let folder = launched_otherwise();
    let words = ["--git", "HEAD~1", "scale.cu", "--host", "main.cu", "--gpu", "a100"];
    let ended = diff(folder.path(), &words);
    assert_eq!(ended.status, 6, "{}", ended.stderr);
    for expected in [
        "\nlaunch    work items ceil_div(ceil_div(SIZE, 4), block) * block (main.cu:6), was ceil_div(SIZE, block) * block (HEAD~1:main.cu:5)\n",
        "\nSIZE      4194304 (sizes.h:1), was 1048576 (HEAD~1:sizes.h:1): both are compared at 4194304\n",
        "\nblock     32, 64, 128, 256, 512 (main.cu:4), was 64, 128, 256, 512, 1024 (HEAD~1:main.cu:4): both have all of these values\n",
        "\nscale: scale.cu against HEAD~1:scale.cu\n",
        "worse: scale.cu:5: 128 sectors per warp, was 8",
    ] {
        assert!(ended.stdout.contains(expected), "{expected} is not in {}", ended.stdout);
    }
    assert!(ended.stdout.starts_with("kernel    scale (scale.cu:1)\n"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("cannot run") && !ended.stdout.contains("/run-"), "{}", ended.stdout);
    // 4,194,304 elements are 8,192 groups of 512, and a quarter of these with four elements each.
    let one = diff(folder.path(), &[&words[..], &["--config", "block=512"]].concat());
    let groups = one.stdout.lines().find(|line| line.contains("groups x work items")).unwrap();
    assert_eq!(groups.split_whitespace().skip(4).collect::<Vec<_>>(), ["8,192", "x", "512", "2,048", "x", "512"]);
    let report = json(&diff(folder.path(), &[&words[..], &["--format", "json"]].concat()), "diff.json");
    let size = report["description"].as_array().unwrap().iter().find(|one| one["what"] == "problem").unwrap();
    assert_eq!(
        (&size["old"], &size["new"], &size["compared"]),
        (&"1048576".into(), &"4194304".into(), &4_194_304.into())
    );
    assert_eq!((&size["old_place"]["file"], &size["new_place"]["line"]), (&"HEAD~1:sizes.h".into(), &1.into()));
    assert_eq!(report["old_inferred"].as_array().unwrap().len(), report["inferred"].as_array().unwrap().len());
    let markdown = diff(folder.path(), &[&words[..], &["--format", "markdown"]].concat()).stdout;
    assert!(markdown.contains("\n- SIZE      4194304 (sizes.h:1), was 1048576"), "{markdown}");
    // A size that is set is that of both.
    let set = diff(folder.path(), &[&words[..], &["--set", "SIZE=65536"]].concat()).stdout;
    assert!(set.contains("launch    work items") && !set.contains("both are compared at"), "{set}");
}

#[test]
fn a_host_that_a_revision_lacks_is_read_as_it_lies() {
    let folder = launched_otherwise();
    let at = |name: &str| folder.path().join(name);
    fs::rename(at("main.cu"), at("run.cu")).unwrap();
    let ended = diff(folder.path(), &["--git", "HEAD~1", "scale.cu", "--host", "run.cu", "--gpu", "a100"]);
    assert_eq!(ended.status, 6, "{}", ended.stderr);
    let note = "note: `HEAD~1` has no `run.cu`: the old kernel is read with the file as it lies\n";
    assert!(ended.stderr.contains(note), "{}", ended.stderr);
    assert!(!ended.stdout.contains("launch    work items"), "{}", ended.stdout);
    // A line of the host is that of the new file.
    fs::rename(at("run.cu"), at("main.cu")).unwrap();
    let ended = diff(folder.path(), &["--git", "HEAD~1", "scale.cu:scale", "--host", "main.cu:6", "--gpu", "a100"]);
    assert_eq!(ended.status, 6, "{}", ended.stderr);
    assert!(ended.stdout.contains(" (HEAD~1:main.cu:5)"), "{}", ended.stdout);
    // A revision without the launch is the old kernel's error.
    let host = fs::read_to_string(at("main.cu")).unwrap();
    fs::write(at("main.cu"), "void run();\n").unwrap();
    git(folder.path(), &["commit", "--quiet", "-am", "no launch"]);
    fs::write(at("main.cu"), host).unwrap();
    let ended = diff(folder.path(), &["--git", "HEAD", "scale.cu", "--host", "main.cu", "--gpu", "a100"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("how `scale` is launched"), "{}", ended.stderr);
}

/// Two sources, each with its own launch or its own comment.
#[test]
fn two_sources_state_their_own_launches() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let whole = |[kernel, host]: [&str; 2], size: &str| kernel.to_owned() + &host.replace("#include \"sizes.h\"", size);
    write("old.cu", &whole(SCALED, "const int SIZE = 1024;"));
    write("new.cu", &whole(SCALED_BY_FOUR, "const int COUNT = 4096;").replace("SIZE", "COUNT"));
    let ended = diff(folder.path(), &["old.cu", "new.cu", "--gpu", "a100"]);
    assert_eq!(ended.status, 6, "{}", ended.stderr);
    // The size has another name and is the same argument.
    let size = "\nCOUNT     4096 (new.cu:7), was SIZE = 1024 (old.cu:6): both are compared at 4096\n";
    assert!(ended.stdout.contains(size), "{}", ended.stdout);
    let commented = |items: &str, n: u32| {
        format!(
            "/* autotune:\n *   kernel: k\n *   problem: {{ n: {n} }}\n *   parameters: {{ WG: {{ values: [64] }} }}\n *   launch: {{ \
             work_items: {items}, work_group: WG }}\n */\n__kernel void k(__global float *a) {{ a[get_global_id(0)] = 1; }}\n"
        )
    };
    write("old.cl", &commented("n", 4096));
    write("new.cl", &commented("n / 2", 8192));
    let ended = diff(folder.path(), &["old.cl", "new.cl", "--gpu", "a100"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let lines = "\nlaunch    work items n / 2, was n\nn         8192, was 4096: both are compared at 8192\n";
    assert!(ended.stdout.contains(lines), "{}", ended.stdout);
}
