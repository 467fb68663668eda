//! Registers of kernels' sources: every answer says the same number, origin and spills.

use std::path::Path;

use serde_json::Value;

use super::{autotune, json, run};

/// A kernel that needs few registers.
const SCALE: &str = "\
__kernel void scale(__global const float *in, __global float *out)
{
    int i = get_global_id(0);
    out[i] = 3.0f * in[i];
}
";

/// A folder with a kernel and its spec `spec.yaml`.
pub(super) fn folder(kernel: &str, spec: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kernel.cl"), kernel).unwrap();
    std::fs::write(folder.path().join("spec.yaml"), format!("{spec}source: {{ file: kernel.cl, language: opencl }}\n"))
        .unwrap();
    folder
}

fn answer(spec: &Path, command: &[&str], schema: &str, more: &[&str]) -> Value {
    let ended =
        run(autotune().args(command).arg(spec).args(["--gpu", "a100", "--quiet", "--format", "json"]).args(more));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    json(&ended, schema)
}

/// The number of registers and its origin as `inspect` and the result say them.
fn registers(folder: &Path) -> [(Value, Value); 2] {
    let spec = folder.join("spec.yaml");
    let mut inspection = answer(&spec, &["inspect"], "inspection.json", &[]);
    let mut result = answer(&spec, &[], "result.json", &[]);
    let resources = &mut inspection["resources"];
    let told = &mut result["source"]["registers"];
    [(resources["registers"].take(), resources["registers_from"].take()), (told["value"].take(), told["source"].take())]
}

#[test]
fn stated_registers_are_no_estimate_even_if_they_are_as_many() {
    let spec =
        "kernel: scale\nparameters: { WG: { values: [64] } }\nlaunch: { work_items: [1024], work_group: [WG] }\n";
    let [estimated, told] = registers(folder(SCALE, spec).path());
    assert_eq!((&estimated, &estimated.1), (&told, &"estimate".into()));
    let stated = format!("{spec}resources: {{ registers: {} }}\n", estimated.0);
    let expected = (estimated.0, "spec".into());
    assert_eq!(registers(folder(SCALE, &stated).path()), [expected.clone(), expected]);
}

pub(super) const LIVE: &str = "kernel: live\nproblem: { n: 1048576 }\nparameters: { WG: { values: [256, 1024] } }\n\
    launch: { work_items: [n], work_group: [WG] }\n";

/// The attribute of a kernel that is compiled for the groups that are launched.
pub(super) const GROUP: &str = "__attribute__((reqd_work_group_size(WG, 1, 1))) ";

/// A kernel that keeps 80 numbers live in a loop: more than a work item of a large group has registers for.
pub(super) fn live(attribute: &str) -> String {
    let lines = |line: &dyn Fn(usize) -> String| (0..80).map(line).collect::<String>();
    let loads = lines(&|i| format!("    float v{i} = in[g + {i} * n];\n"));
    let products = lines(&|i| format!("        v{i} = v{i} * v{} + 1.0f;\n", (i + 1) % 80));
    let sum = (0..80).map(|i| format!("v{i}")).collect::<Vec<_>>().join(" + ");
    format!(
        "{attribute}__kernel void live(__global const float *in, __global float *out, int n)\n{{\n    int g = \
         get_global_id(0);\n{loads}    for (int k = 0; k < 64; k++) {{\n{products}    }}\n    out[g] = {sum};\n}}\n"
    )
}

/// On an H100 the launches of such kernels failed: `vector_add` of `tests/data/measured/examples`.
#[test]
fn a_large_group_that_the_source_does_not_state_may_not_launch_and_the_remedy_is_told() {
    let explain = |spec: &str, configuration: &str, format: &str| {
        let folder = folder(&live(""), spec);
        let question = ["--gpu", "a100", "--quiet", "--config", configuration, "--format", format];
        run(autotune().arg("explain").arg(folder.path().join("spec.yaml")).args(question))
    };
    let small = explain(LIVE, "WG=256", "text");
    assert!(small.status == 0 && !small.stdout.contains("launch    may fail"), "{}", small.stdout);
    let large = explain(LIVE, "WG=1024", "text");
    assert_eq!(large.status, 0, "{}", large.stderr);
    assert!(
        large.stdout.contains("launch    may fail: the compiler may give a work item more registers"),
        "{}",
        large.stdout
    );
    let answer = |spec: &str| json(&explain(spec, "WG=1024", "json"), "explanation.json");
    let expression = format!("{LIVE}resources: {{ registers: 100 }}\n");
    for spec in [LIVE, &expression] {
        let said = answer(spec)["time"]["may_not_launch"].take();
        assert!(said.as_str().unwrap().contains("__launch_bounds__"), "{said}");
    }
    let tuned = |configuration: &str, format: &str| {
        let folder = folder(&live(""), LIVE);
        let question = ["--gpu", "a100", "--quiet", "--config", configuration, "--format", format];
        run(autotune().arg(folder.path().join("spec.yaml")).args(question))
    };
    // Groups of two work items are slower than spills.
    let folder = folder(&live(""), &LIVE.replace("256", "2"));
    let page = folder.path().join("page");
    let question = ["--gpu", "a100", "--quiet", "--report"];
    let best = run(autotune().arg(folder.path().join("spec.yaml")).args(question).arg(&page)).stdout;
    assert!(best.contains("; or let `--registers ptxas` count them; WG=2 surely launches and takes "), "{best}");
    let page = std::fs::read_to_string(page.join("index.html")).unwrap();
    assert!(page.contains("The launch may fail: the compiler may give a work item more registers"), "{page}");
    let large = tuned("WG=1024", "text").stdout;
    assert!(large.contains("\nlaunch    may fail: the compiler may give a work item more registers"), "{large}");
    let said = json(&tuned("WG=1024", "json"), "result.json")["may_not_launch"].take();
    assert!(said.as_str().unwrap().contains("__launch_bounds__"), "{said}");
    assert_eq!(json(&tuned("WG=256", "json"), "result.json")["may_not_launch"], Value::Null);
    // No change of the source moves a number of which the spec says that nothing spills.
    let refused = answer(&format!("{LIVE}resources: {{ registers: 100, spilled: 0 }}\n"))["refused"].take();
    assert_eq!((&refused["rule"], &refused["remedy"]), (&"registers".into(), &Value::Null));
}

#[test]
fn an_explanation_of_a_large_source_space_compiles_its_neighbours_alone() {
    let others: String = ["A", "B", "C", "D", "E"].map(|name| format!(", {name}: {{ values: [1, 2, 3, 4] }}")).concat();
    let spec = LIVE.replace("256, 1024] }", &format!("256, 1024] }}{others}"));
    let folder = folder(
        "__kernel void live(__global float *out, int n) { out[get_global_id(0)] = A + B + C + D + E; }\n",
        &spec,
    );
    let question = ["--gpu", "a100", "--quiet", "--config", "WG=256,A=1,B=2,C=3,D=4,E=1"];
    let ended = run(autotune().arg("explain").arg(folder.path().join("spec.yaml")).args(question));
    let told = "fastest   not looked for: 2,048 configurations would be compiled; `autotune evaluate` does so\n";
    assert!(ended.status == 0 && ended.stdout.contains(told), "{}{}", ended.stdout, ended.stderr);
    let shown =
        run(autotune().arg("explain").arg(folder.path().join("spec.yaml")).args(question).args(["--format", "json"]));
    let report = json(&shown, "explanation.json");
    assert_eq!((&report["fastest"], &report["not_compiled"]), (&Value::Null, &2048.into()));
    assert_eq!(report["changes"].as_array().unwrap().len(), 6, "{report}");
}

/// A bounded group fits by an estimate, and a back end says what spills: a body has the words that spill of its source.
#[test]
fn an_extracted_body_spills_what_its_source_spills() {
    let few = "__attribute__((reqd_work_group_size(WG, 1, 1), amdgpu_num_vgpr(48))) ";
    for (gpu, attribute, spills) in [
        ("a100", GROUP, [false, true]),
        ("gtx480", GROUP, [true, true]),
        ("mi50", GROUP, [false, true]),
        ("mi50", few, [true, true]),
        ("pro-w6600", GROUP, [false, false]),
        ("abstract-fermi", "", [false, false]),
    ] {
        let folder = folder(&live(attribute), LIVE);
        let [source, body] = ["spec.yaml", "body.yaml"].map(|name| folder.path().join(name));
        for (configuration, spills) in ["WG=256", "WG=1024"].into_iter().zip(spills) {
            let question = ["--gpu", gpu, "--quiet", "--config", configuration];
            let text = run(autotune().arg("extract").arg(&source).args(question));
            assert_eq!(text.status, 0, "{}", text.stderr);
            std::fs::write(&body, &text.stdout).unwrap();
            let words = text.stdout.lines().find_map(|line| line.trim().strip_prefix("spilled: "));
            let words: u64 = words.map_or(0, |words| words.parse().unwrap());
            assert_eq!(words > 0, spills, "{configuration} on {gpu}: {words} words spill");
            let report = |spec: &Path| {
                let ended = run(autotune().arg("evaluate").arg(spec).args(question).args(["--format", "json"]));
                json(&ended, "evaluation.json")["configurations"][0].take()
            };
            let [of_source, of_body] = [&source, &body].map(|spec| report(spec));
            assert_eq!(of_source, of_body, "{configuration} on {gpu}");
        }
    }
}

#[test]
fn an_answer_about_several_scenarios_says_where_the_launch_may_fail() {
    let folder = folder(&live(""), LIVE);
    let ask = |options: &[&str]| {
        let question = ["--gpu", "a100,rtx4090", "--quiet"];
        run(autotune().arg(folder.path().join("spec.yaml")).args(question).args(options))
    };
    let report = json(&ask(&["--config", "WG=1024", "--format", "json"]), "fleet.json");
    let failing = report["may_not_launch"].as_array().unwrap();
    assert_eq!(failing.iter().map(|one| one["scenario"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1]);
    assert!(
        failing[0]["reason"].as_str().unwrap().contains("__launch_bounds__") && report["surely_launches"].is_null()
    );
    let text = ask(&["--config", "WG=1024"]).stdout;
    assert!(text.contains("launch    may fail on a100, rtx4090: the compiler may give"), "{text}");
    let sure = ask(&["--config", "WG=256"]).stdout;
    assert!(!sure.contains("may fail"), "{sure}");
}

#[test]
fn what_is_exported_says_where_the_launch_may_fail() {
    let folder = folder(&live(""), &LIVE.replace("[256, 1024]", "[1024]"));
    let ask = |options: &[&str], command: &[&str]| {
        run(autotune().args(command).arg(folder.path().join("spec.yaml")).args(options))
    };
    let reason = "the compiler may give a work item more registers";
    for (options, command, on) in [
        (&["--gpu", "a100", "--format", "header"][..], &[][..], ["may fail: ", "the launch may fail on a100: "]),
        (&["--gpu", "a100,rtx4090", "--format", "header"], &[], ["may fail on a100 n=1048576, rtx4090 n=1048576: "; 2]),
        (&["--gpu", "a100,rtx4090"], &["table"], ["variant 0 may fail on a100, rtx4090: "; 2]),
    ] {
        let ended = ask(options, command);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        let (comment, _) = ended.stdout.rsplit_once("*/").unwrap();
        assert!(comment.contains(&format!("{}{reason}", on[0])), "{comment}");
        assert!(ended.stderr.contains(&format!("{}{reason}", on[1])), "{}", ended.stderr);
    }
    let flags = ask(&["--gpu", "a100", "--format", "flags"], &[]);
    assert!(flags.stderr.contains(reason), "{}", flags.stderr);
}
