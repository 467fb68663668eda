//! Options beside a comment `autotune:`: what an option gives wins, the rest of the comment stays.

use super::*;

/// A kernel with a whole spec in its comment.
const WHOLE: &str = "/* autotune:
 *   kernel: scale
 *   problem: { n: 65536, m: 2 }
 *   parameters:
 *     WG: { values: [32, 64] }
 *     TS:
 *       values: [1, 2]
 *   constraints: [WG * TS <= 128]
 *   launch: { work_items: n, work_group: WG }
 *   source: { arguments: { n: n, count: m }, define: { KIND: 1 } }
 */
#ifndef STEP
#define STEP 1
#endif
__kernel void scale(__global float *a, int n, int count)
{
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < count; k += STEP) sum += TS * KIND;
  if (i < n) a[i] = sum;
}
";

/// The spec's parts with the comment alone.
const SPEC: &str = "kernel: scale
problem:
  n: 65536
  m: 2
parameters:
  WG: { values: [32, 64] }
  TS: { values: [1, 2] }
constraints:
  - \"WG * TS <= 128\"
launch:
  work_items: n
  work_group: WG
source:
  file: scale.cl
  arguments: { n: n, count: m }
  define: { KIND: 1 }
";

/// Options, and the lines of the spec that they change: what stood there, and what stands there now.
type Row = (&'static [&'static str], &'static [(&'static str, &'static str)]);

const ROWS: [Row; 16] = [
    (&["--problem", "n=4096"], &[("n: 65536", "n: 4096")]),
    (&["--parameter", "WG=128,256"], &[("WG: { values: [32, 64] }", "WG: { values: [128, 256] }")]),
    (
        &["--parameter", "NEW=1..8:pow2"],
        &[("TS: { values: [1, 2] }\n", "TS: { values: [1, 2] }\n  NEW: { powers_of_two: { from: 1, to: 8 } }\n")],
    ),
    (&["--constraint", "WG != 32"], &[("<= 128\"\n", "<= 128\"\n  - \"WG != 32\"\n")]),
    (&["--constraint", "WG * TS <= 128"], &[]),
    (&["--work-items", "n * TS"], &[("work_items: n\n", "work_items: n * TS\n")]),
    (&["--work-group", "WG,1"], &[("work_group: WG\n", "work_group: [WG, 1]\n")]),
    (
        &["--work-items", "n,m", "--work-group", "WG,1"],
        &[("work_items: n\n", "work_items: [n, m]\n"), ("work_group: WG\n", "work_group: [WG, 1]\n")],
    ),
    (&["--shared", "4 * WG"], &[("work_group: WG\n", "work_group: WG\n  shared: 4 * WG\n")]),
    (&["--argument", "count=3"], &[("count: m", "count: 3")]),
    (&["--define", "KIND=2", "--define", "OTHER=1"], &[("{ KIND: 1 }", "{ KIND: 2, OTHER: 1 }")]),
    // A macro that is defined is no parameter.
    (&["--define", "TS=4"], &[("TS: { values: [1, 2] }", "TS: { values: [4] }")]),
    (&["--define", "m=7"], &[("m: 2", "m: 7")]),
    (&["--assume", "trip@19=4"], &[("define: { KIND: 1 }\n", "define: { KIND: 1 }\n  assume: { trip@19: 4 }\n")]),
    (
        &["--option", "-cl-fast-relaxed-math"],
        &[("define: { KIND: 1 }\n", "define: { KIND: 1 }\n  options: [\"-cl-fast-relaxed-math\"]\n")],
    ),
    (&["--contents", "a=identity"], &[("define: { KIND: 1 }\n", "define: { KIND: 1 }\n  contents: { a: identity }\n")]),
];

fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scale.cl"), text).unwrap();
    folder
}

fn asked(folder: &tempfile::TempDir, words: &[&str]) -> Ended {
    run(autotune().current_dir(folder.path()).args(words))
}

/// The spec without the lines that say where it comes from.
fn spec(ended: &Ended) -> String {
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    ended.stdout.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect()
}

#[test]
fn an_option_wins_over_the_comment() {
    let folder = folder(WHOLE);
    for (options, changes) in ROWS {
        let ended = asked(&folder, &[&["scale.cl", "--gpu", "a100", "--print-spec"], options].concat());
        let mut expected = SPEC.to_owned();
        for (before, after) in changes {
            assert!(expected.contains(before), "{before}");
            expected = expected.replacen(before, after, 1);
        }
        assert_eq!(spec(&ended), expected, "{options:?}");
        if options[0] == "--shared" {
            // The kernel has no such memory, which is an error of the option.
            continue;
        }
        // The spec is one, and its configurations can be counted.
        let ended = asked(&folder, &[&["evaluate", "scale.cl", "--gpu", "a100", "--top", "1"], options].concat());
        assert_eq!(ended.status, 0, "{options:?}: {}", ended.stderr);
    }
}

/// A folder is one of the working folder, though the comment's own lie beside the source.
#[test]
fn a_folder_of_an_option_is_one_of_the_working_folder() {
    let folder = folder(&WHOLE.replace("__kernel", "#include \"step.h\"\n__kernel"));
    std::fs::create_dir_all(folder.path().join("run/own")).unwrap();
    std::fs::write(folder.path().join("run/own/step.h"), "\n").unwrap();
    let asked = run(autotune().current_dir(folder.path().join("run")).args([
        "evaluate",
        "../scale.cl",
        "--gpu",
        "a100",
        "--include",
        "own",
        "--language",
        "opencl",
    ]));
    assert_eq!(asked.status, 0, "{}", asked.stderr);
}

#[test]
fn an_answer_says_what_an_option_replaced() {
    let folder = folder(WHOLE);
    let options = ["--problem", "n=4096", "--parameter", "WG=64", "--work-items", "n * TS", "--argument", "count=3"];
    let ended = asked(&folder, &[&["evaluate", "scale.cl", "--gpu", "a100"], &options[..]].concat());
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let lines = "n         4096 (scale.cl:3), by an option in place of 65536
WG        64 (scale.cl:5), by an option in place of 32, 64
launch    work items n * TS (scale.cl:9), by an option in place of n
argument  count = 3 (scale.cl:10), by an option in place of m
";
    assert!(ended.stdout.starts_with(lines), "{}", ended.stdout);
    let ended = asked(&folder, &["evaluate", "scale.cl", "--gpu", "a100", "--problem", "n=4096", "--format", "json"]);
    let report = json(&ended, "evaluation.json");
    assert_eq!(report["inferred"][0]["rule"], "by an option in place of 65536", "{report}");
}

/// An error shows the comment's line or the option, as the wrong value comes from one or the other.
#[test]
fn an_error_shows_what_is_wrong() {
    for (text, options, expected) in [
        (WHOLE, &["--constraint", "WG % HEIGHT == 0"][..], "  | --constraint 'WG % HEIGHT == 0'\n"),
        (WHOLE, &["--parameter", "WG=8;16"], "  | --parameter 'WG=8;16'\n"),
        (&WHOLE.replace("count: m", "count: k"), &["--problem", "n=4096"], "scale.cl:10:42\n"),
        (&WHOLE.replace("TS:", "TS"), &["--problem", "n=4096"], "scale.cl:"),
        (
            WHOLE,
            &["--host", "main.c"],
            "`--host` says nothing beside the comment of `scale.cl` (line 1), which states the launch\nhelp: leave `--host` out, or take the launch out of the comment\n",
        ),
        (WHOLE, &["--set", "k=3"], "the spec has no problem size `k`"),
        (WHOLE, &["--configs"], "`--configs` is about kernels in Triton"),
        (
            "/* autotune:\n *   kernel: k\n *   configurations: [{ A: 1 }]\n *   launch: { work_items: 64, work_group: 64 }\n */\n__kernel void k() {}\n",
            &["--parameter", "A=2"],
            "`--parameter` says nothing beside the comment of `scale.cl` (line 1), which states the configurations\n",
        ),
    ] {
        let ended = asked(&folder(text), &[&["evaluate", "scale.cl", "--gpu", "a100"], options].concat());
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{options:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(expected), "{options:?}: {expected} is not in {}", ended.stderr);
    }
}

/// A comment without a launch, whose host leaves a size open: any option for a size gives it, and the rest is inferred.
#[test]
fn a_size_that_a_comment_leaves_open_is_given_by_set() {
    let source = "// autotune:\n// parameters: { BLOCK: { values: [64, 128] } }\n\n__global__ void k(float *a, int n)\n{\n  int i = blockIdx.x * \
                  BLOCK + threadIdx.x;\n  if (i < n) a[i] = 1;\n}\nvoid f(float *a, int n) { k<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(a, n); }\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cu"), source).unwrap();
    let question = asked(&folder, &["evaluate", "k.cu", "--gpu", "a100"]);
    assert!(question.status == 2 && question.stderr.contains("--problem n="), "{}", question.stderr);
    for given in [["--set", "n=4096"], ["--problem", "n=4096"]] {
        let ended = asked(&folder, &[&["evaluate", "k.cu", "--gpu", "a100"], &given[..]].concat());
        assert_eq!(ended.status, 0, "{given:?}: {}", ended.stderr);
        assert!(ended.stdout.contains("BLOCK=64") && ended.stdout.contains("BLOCK=128"), "{}", ended.stdout);
    }
    for command in ["inspect", "check"] {
        let ended = asked(&folder, &[command, "k.cu", "--gpu", "a100", "--set", "n=4096"]);
        assert_eq!(ended.status, 0, "{command}: {}", ended.stderr);
    }
    // Without a comment, too.
    let plain = source.split_once("\n\n").unwrap().1;
    std::fs::write(folder.path().join("k.cu"), format!("#define BLOCK 64\n{plain}")).unwrap();
    let ended = asked(&folder, &["evaluate", "k.cu", "--gpu", "a100", "--set", "n=4096"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
}
