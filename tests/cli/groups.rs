//! Kernels whose groups do different work: the warning, the answer, and the commands that show it. Pointers to one of two
//! local arrays.

use std::fs;

use super::{autotune, json, run};

const MIXED: &str = "\
__kernel void mixed(__global float* restrict a)
{
    float x = a[get_global_id(0)];
    if (get_group_id(0) % 4 == REMAINDER)
        for (int k = 0; k < N; ++k) x = x * x + a[16384 + k * 64];
    a[get_global_id(0)] = x;
}
";

const CHOSEN: &str = "\
__kernel void chosen(__global float* restrict a)
{
    __local float one[64], two[32];
    const int l = get_local_id(0);
    one[l] = a[get_global_id(0)];
    if (l < 32) two[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = l < 32 ? one[l + REMAINDER] : two[l - N];
}
";

/// A folder with a kernel and its spec: 256 groups of 64.
fn folder(kernel: &str, source: &str, remainder: u32, values: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let spec = format!(
        "kernel: {kernel}\nproblem: {{ size: 16384, REMAINDER: {remainder} }}\nparameters: {{ N: {{ values: [{values}] }} }}\n\
         launch: {{ work_items: size, work_group: 64 }}\nsource: {{ file: k.cl }}\n"
    );
    fs::write(folder.path().join("k.yaml"), spec).unwrap();
    fs::write(folder.path().join("k.cl"), source).unwrap();
    folder
}

#[test]
fn the_answer_names_the_mean_and_the_line() {
    let folder = folder("mixed", MIXED, 3, "40,80");
    let asked =
        |format: &str| run(autotune().current_dir(folder.path()).args(["k.yaml", "--gpu", "a100", "--format", format]));
    let ended = asked("text");
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let expected = "the work is the mean over 256 of 256 groups, of 2 kinds: their ids decide at line 4\n";
    assert!(ended.stdout.contains(expected), "{}", ended.stdout);
    let warning =
        "the ids of the group decide what it executes: the work is the mean over 256 groups, of 2 kinds, whose";
    assert!(ended.stderr.contains(warning) && ended.stderr.contains("k.cl:4:"), "{}", ended.stderr);
    let groups = &json(&asked("json"), "result.json")["source"]["groups"];
    assert_eq!((&groups["all"], &groups["averaged"], &groups["kinds_omitted"]), (&256.into(), &256.into(), &0.into()));
    assert_eq!((&groups["kinds"][0]["groups"], &groups["kinds"][1]["groups"]), (&192.into(), &64.into()));
    assert_eq!((&groups["lines"][0]["file"], &groups["lines"][0]["line"]), (&"k.cl".into(), &4.into()));
}

/// The ticks of the only configuration.
fn ticks(remainder: u32) -> u64 {
    let folder = folder("mixed", MIXED, remainder, "400");
    let asked = ["evaluate", "k.yaml", "--gpu", "a100", "--format", "json"];
    let ended = run(autotune().current_dir(folder.path()).args(asked));
    let ticks = json(&ended, "evaluation.json")["configurations"][0]["ticks"].as_u64();
    ticks.unwrap_or_else(|| panic!("{}{}", ended.stdout, ended.stderr))
}

/// The middle group, 127, has the remainder 3. A mean does not ask which remainder it has.
#[test]
fn each_remainder_takes_the_same_time() {
    let [second, last, none] = [1, 3, 4].map(ticks);
    assert_eq!(second, last);
    assert!(second > none, "{second} and {none}");
}

#[test]
fn inspect_names_the_groups_that_were_executed() {
    let inspected = |remainder: u32, format: &str| {
        let folder = folder("mixed", MIXED, remainder, "80");
        run(autotune().current_dir(folder.path()).args(["inspect", "k.yaml", "--gpu", "a100", "--format", format]))
    };
    let text = inspected(1, "text").stdout;
    assert!(text.contains("as the mean over 256 of 256 groups, of 2 kinds\n"), "{text}");
    assert!(
        text.contains("executed  256 groups, 192 like 0,0,0; 64 like 1,0,0: their ids decide at line 4\n"),
        "{text}"
    );
    let text = inspected(4, "text").stdout;
    assert!(text.contains("as the mean over group 127,0,0\n"), "{text}");
    let json = json(&inspected(3, "json"), "inspection.json");
    assert_eq!(json["launch"]["group"], serde_json::json!([127, 0, 0]));
    assert_eq!(json["groups"]["kinds"][1]["group"], serde_json::json!([3, 0, 0]));
}

/// Kept parts of a proof are derived again, with the same groups.
#[test]
fn a_mean_is_verified() {
    let folder = folder("mixed", MIXED, 1, "40,80");
    let kept = folder.path().join("kept");
    let proved = run(autotune().arg("k.yaml").current_dir(folder.path()).args(["--gpu", "a100", "--keep"]).arg(&kept));
    assert_eq!(proved.status, 0, "{}", proved.stderr);
    let verified = run(autotune().arg("verify").arg(&kept));
    assert_eq!(verified.status, 0, "{}{}", verified.stdout, verified.stderr);
}

#[test]
fn a_body_from_a_mean_says_so_and_holds_its_parts() {
    let folder = folder("mixed", MIXED, 1, "800");
    let asked = ["extract", "k.yaml", "--gpu", "a100", "--config", "N=800"];
    let ended = run(autotune().current_dir(folder.path()).args(asked));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("The counts are the mean over 256 groups"), "{}", ended.stdout);
    assert!(ended.stdout.contains("mean(5, 4)"), "20 of 80 iterations, 5 together: {}", ended.stdout);
}

#[test]
fn work_items_of_one_load_may_reach_two_local_arrays() {
    let evaluate = |l: u32, n: &str| {
        let folder = folder("chosen", CHOSEN, l, n);
        run(autotune().current_dir(folder.path()).args(["evaluate", "k.yaml", "--gpu", "a100"]))
    };
    let inside = evaluate(8, "32");
    assert_eq!(inside.status, 0, "{}", inside.stderr);
    let outside = evaluate(40, "32").stderr;
    assert!(outside.contains("reaches byte 256 of the local array `one`, which has 256"), "{outside}");
    let outside = evaluate(8, "31").stderr;
    assert!(outside.contains("reaches byte 128 of the local array `two`, which has 128"), "{outside}");
}
