//! `autotune inspect`: a kernel's source with notes, in each of its formats. The book has the text.

use super::*;
use crate::failures::assert_fails;

const TRANSPOSE: [&str; 6] =
    ["inspect", "examples/kernels/transpose.yaml", "--gpu", "gtx1050", "--config", "TS=32,ROWS=8,PAD=0"];

fn note<'a>(inspection: &'a Value, line: u64, array: &str) -> &'a Value {
    let lines = inspection["files"][0]["lines"].as_array().unwrap();
    let line = lines.iter().find(|one| one["line"] == line).unwrap();
    line["accesses"].as_array().unwrap().iter().find(|one| one["array"] == array).unwrap()
}

#[test]
fn the_json_of_an_inspection_has_its_schema_and_the_lines_of_the_file() {
    let inspection = json(&run(autotune().args(TRANSPOSE).args(["--format", "json"])), "inspection.json");
    let source = std::fs::read_to_string("examples/kernels/transpose.cl").unwrap();
    let lines = inspection["files"][0]["lines"].as_array().unwrap();
    let shown: Vec<_> = lines.iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert_eq!(shown, source.lines().collect::<Vec<_>>());
    assert_eq!(inspection["chosen"], "name");
    let tile = note(&inspection, 14, "tile");
    assert_eq!((tile["passes"].as_f64(), tile["least_passes"].as_f64()), (Some(32.0), Some(1.0)));
    assert_eq!(note(&inspection, 10, "in")["sectors"].as_f64(), Some(4.0));
}

#[test]
fn lines_that_conflict_are_padded_in_the_fastest_configuration() {
    let inspection = json(&run(autotune().args(&TRANSPOSE[..4]).args(["--format", "json"])), "inspection.json");
    assert_eq!((&inspection["chosen"], &inspection["parameters"]["PAD"]), (&"fastest".into(), &1.into()));
    assert_eq!(note(&inspection, 14, "tile")["passes"].as_f64(), Some(1.0));
}

#[test]
fn the_page_needs_no_other_file_and_is_written_where_it_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let ended = run(autotune().args(TRANSPOSE).args(["--format", "html", "--output"]).arg(&file));
    assert_eq!((ended.status, ended.stdout.as_str()), (0, ""), "{}", ended.stderr);
    let page = std::fs::read_to_string(file).unwrap();
    assert!(page.contains("<h1>transpose on gtx1050</h1>") && page.contains("32 passes (1 at least)"), "{page}");
    // The source is text: nothing of it is markup.
    assert!(page.contains("r &lt; ROWS") && !page.contains("r < ROWS"), "{page}");
    assert!(!page.contains("src=") && !page.contains("http:") && !page.contains("https:"));
}

#[test]
fn only_an_answer_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer");
    let into = |format: &str| {
        let mut command = autotune();
        command.args(TRANSPOSE).args(["--format", format, "--output"]).arg(&file);
        command
    };
    std::fs::write(&file, "three days of work\n").unwrap();
    assert_fails(&mut into("text"), 2, &["is not an answer of `inspect`", "only answers of `inspect` are replaced"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "three days of work\n");
    std::fs::remove_file(&file).unwrap();
    for format in ["text", "json", "html", "text"] {
        let ended = run(&mut into(format));
        assert_eq!(ended.status, 0, "{format}: {}", ended.stderr);
    }
    // Neither is what a link leads to.
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let mut linked = autotune();
    assert_fails(linked.args(TRANSPOSE).arg("--output").arg(&link), 2, &["link"]);
}

#[test]
fn a_body_is_no_source() {
    let ended = run(autotune().args(["inspect", "tuning-specs/transpose.yaml", "--gpu", "gtx1050"]));
    assert_eq!(ended.status, 2, "{}", ended.stderr);
    assert!(ended.stderr.contains("has a body, and no source to inspect"), "{}", ended.stderr);
}

/// A source that clang refuses, in a space that is evaluated to choose a configuration and in a larger one.
#[test]
fn an_inspection_shows_the_compilers_lines_as_an_evaluation_does() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("typed.cl", "__kernel void k(__global float *a) {\n  float *p = 3.0f;\n  a[0] = WG;\n}\n");
    write("included.cl", "#include \"nowhere.h\"\n__kernel void k(__global float *a) { a[0] = WG; }\n");
    for source in ["typed.cl", "included.cl"] {
        for last in [1, 100] {
            let spec = format!(
                "kernel: k\nparameters: {{ WG: {{ values: [1, 2] }}, N: {{ range: {{ from: 1, to: {last} }} }} }}\n\
                 source: {{ file: {source} }}\nlaunch: {{ work_items: 4096 * N, work_group: WG }}\n"
            );
            write("k.yaml", &spec);
            let shown =
                |command| run(autotune().current_dir(folder.path()).args([command, "k.yaml", "--gpu", "a100"])).stderr;
            let inspected = shown("inspect");
            assert!(inspected.contains(&format!(" --> {source}:")), "{inspected}");
            assert_eq!(inspected, shown("evaluate"), "{source} {last}");
        }
    }
}

/// A space too large to be evaluated, of which the GPU can run nothing.
#[test]
fn an_inspection_of_groups_that_are_too_large_names_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let spec = "kernel: k\nparameters: { WG: { range: { from: 2048, to: 2248, step: 1 } } }\n\
                source: { file: k.cl }\nlaunch: { work_items: 4096, work_group: WG }\n";
    std::fs::write(folder.path().join("k.yaml"), spec).unwrap();
    std::fs::write(folder.path().join("k.cl"), "__kernel void k(__global float *a) { a[0] = WG; }\n").unwrap();
    let ended = run(autotune().current_dir(folder.path()).args(["inspect", "k.yaml", "--gpu", "a100"]));
    assert_eq!(ended.status, 4, "{}", ended.stderr);
    assert!(ended.stderr.contains("work_group: 2048 > 1024"), "{}", ended.stderr);
}

/// The counts of a loop whose end depends on data rest on a number of iterations: the default, or what the user assumes.
#[test]
fn counts_that_rest_on_a_number_of_iterations_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    let source = "__kernel void k(__global const int* ends, __global float* x) {
    int i = get_global_id(0);
    for (int at = 0; at < ends[i]; ++at)
        x[at * 4096 + i] += 1;
    x[i] = 2;
}
";
    std::fs::write(folder.path().join("k.cl"), source).unwrap();
    let trips = |options: &[&str]| {
        let question =
            ["inspect", "k.cl", "--gpu", "a100", "--work-items", "4096", "--work-group", "64", "--format", "json"];
        let ended = run(autotune().current_dir(folder.path()).args(question).args(options));
        let inspection = json(&ended, "inspection.json");
        let lines = inspection["files"][0]["lines"].as_array().unwrap().clone();
        [4, 5].map(|line| lines.iter().find(|one| one["line"] == line).unwrap()["trips"].clone())
    };
    assert_eq!(trips(&[]), ["default".into(), Value::Null]);
    assert_eq!(trips(&["--assume", "trip@3=10"]), ["assumption".into(), Value::Null]);
}
