//! The server of the Model Context Protocol, with the protocol's own client and by hostile lines.

mod client;
mod dialogues;
mod ends;
mod hostile;
mod l2;
mod raw;
mod schemas;
mod sdk;

use super::*;
use client::Client;

const NAIVE: &str = "examples/kernels/transpose_naive.yaml";
const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

/// The answer of a command of the command line, checked against its schema.
fn printed(command: &[&str], schema: &str) -> Value {
    json(&run(autotune().args(command).args(["--format", "json", "--quiet"])), schema)
}

fn arguments(value: &Value) -> serde_json::Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn each_tool_answers_in_4_kilobytes_and_in_full_as_the_command_line_does() {
    let question = [NAIVE, "--gpu", "gtx1050"];
    let named = [&question[..], &["--config", "block_x=32,block_y=8"]].concat();
    let kernel = serde_json::json!({ "path": NAIVE, "gpu": "gtx1050" });
    let mut one = kernel.clone();
    one["config"] = serde_json::json!({ "block_x": 32, "block_y": 8 });
    let mut proof = kernel.clone();
    proof["prove"] = true.into();
    let padded = "TS=32,ROWS=8,PAD=1";
    let changed = ["diff", "examples/kernels/transpose.yaml", "examples/diff/transpose.yaml", "--gpu", "a100,gtx1050"];
    let change = serde_json::json!({
        "path": "examples/diff/transpose.yaml", "old": { "path": "examples/kernels/transpose.yaml" },
        "gpu": "a100, gtx1050", "config": { "TS": 32, "ROWS": 8, "PAD": 1 },
    });
    let calls = [
        ("check", &kernel, printed(&[&["check"][..], &question].concat(), "diagnosis.json")),
        ("evaluate", &kernel, printed(&[&["evaluate"][..], &question].concat(), "evaluation.json")),
        ("evaluate", &proof, printed(&question, "result.json")),
        ("explain", &one, printed(&[&["explain"][..], &named].concat(), "explanation.json")),
        ("inspect", &one, printed(&[&["inspect"][..], &named].concat(), "inspection.json")),
        ("diff", &change, printed(&[&changed[..], &["--config", padded]].concat(), "diff.json")),
        ("gpus", &serde_json::json!({}), printed(&["gpus"], "gpus.json")),
        ("gpus", &serde_json::json!({ "gpu": "h100" }), printed(&["gpus", "h100", "--why"], "gpus.json")),
    ];
    Client::run(Path::new(PROJECT), async |client| {
        for (tool, given, mut whole) in calls {
            let brief = client.answer(tool, arguments(given)).await;
            assert!(brief.text.len() <= 4096, "{tool}: {} bytes", brief.text.len());
            assert!(!brief.is_error && brief.value.get("next").is_some(), "{tool}: {}", brief.text);
            let mut all = given.clone();
            all["full"] = true.into();
            let mut full = client.answer(tool, arguments(&all)).await.value;
            // Measured times differ from run to run.
            for answer in [&mut full, &mut whole] {
                answer.as_object_mut().unwrap().remove("cost");
            }
            assert_eq!(full, whole, "{tool}");
            assert!(full.get("next").is_none_or(|next| *next == brief.value["next"]), "{tool}");
        }
    });
}

#[test]
fn a_text_is_answered_as_its_file_is() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = std::fs::read_to_string("examples/kernels/transpose_naive.cl").unwrap();
    let source = serde_json::json!({
        "problem": { "size": 4096 }, "parameters": { "block_x": [4, 32], "block_y": "8..16:pow2" },
        "work_items": "size, size", "work_group": "block_x, block_y",
    });
    std::fs::write(folder.path().join("kernel.cl"), &kernel).unwrap();
    let mut given = serde_json::json!({ "path": "kernel.cl", "gpu": "gtx1050", "source": source });
    let spec = "kernel: transpose_naive\nproblem: { size: 4096 }\nparameters:\n  block_x: { values: [4, 32] }\n  block_y: { values: [8, 16] }\n\
                launch: { work_items: [size, size], work_group: [block_x, block_y] }\nsource: { file: kernel.cl }\n";
    Client::run(folder.path(), async |client| {
        let of_path = client.answer("evaluate", arguments(&given)).await;
        assert!(of_path.value["fastest"][0]["ticks"].is_u64(), "{}", of_path.text);
        given.as_object_mut().unwrap().remove("path");
        (given["text"], given["language"]) = (kernel.clone().into(), "opencl".into());
        assert_eq!(client.answer("evaluate", arguments(&given)).await.text, of_path.text);
        let beside = serde_json::json!({ "text": spec, "gpu": "gtx1050" });
        assert_eq!(client.answer("evaluate", arguments(&beside)).await.text, of_path.text);
        let mut with = beside;
        with["files"] = serde_json::json!({ "kernel.cl": format!("\n{kernel}") });
        let moved = client.answer("evaluate", arguments(&with)).await.value;
        assert_eq!((&moved["fastest"], &moved["next"]["access"]["line"]), (&of_path.value["fastest"], &7.into()));
    });
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["kernel.cl"], "no tool writes a file");
}

/// A folder with a kernel whose launch its text, host code or a comment states: the questions about it, each with a parameter that
/// follows, and the text of another launch.
fn stated_launches(folder: &Path) -> ([(Value, &'static str); 7], String) {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let kernel = "__global__ void scale(float *out, const float *in, int n)\n{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = in[i];\n}\n";
    let host = "#include \"/etc/hostname\"\nvoid run(float *o, float *i) { int n = 65536; scale<<<(n + 127) / 128, 128>>>(o, i, n); }\n";
    let whole = format!("{kernel}{}", host.split_once('\n').unwrap().1);
    write("scale.cu", kernel);
    write("main.cu", host);
    write("whole.cu", &whole);
    let commented = "/* autotune:\n * kernel: k\n * parameters: { WG: { values: [64] } }\n * launch: { work_items: 4096, work_group: WG }\n */\n__kernel void k(__global float *a) { a[get_global_id(0)] = 1; }\n";
    write("k.cl", commented);
    let calls = [
        (serde_json::json!({ "path": "whole.cu" }), "block_size_x"),
        (serde_json::json!({ "path": "whole.cu:scale" }), "block_size_x"),
        (serde_json::json!({ "path": "scale.cu", "source": { "host": ["main.cu"] } }), "block_size_x"),
        (serde_json::json!({ "text": &whole, "language": "cuda" }), "block_size_x"),
        (
            serde_json::json!({ "text": kernel, "language": "cuda", "files": { "run.cu": host }, "source": { "host": ["run.cu"] } }),
            "block_size_x",
        ),
        (serde_json::json!({ "path": "k.cl" }), "WG"),
        (serde_json::json!({ "text": commented, "language": "opencl" }), "WG"),
    ];
    (calls, whole.replace("127) / 128, 128", "255) / 256, 256").replace("65536", "32768"))
}

/// A source that says itself how it is launched needs no `source`.
#[test]
fn a_source_that_says_all_needs_no_description() {
    let folder = tempfile::tempdir().unwrap();
    let (calls, otherwise) = stated_launches(folder.path());
    Client::run(folder.path(), async |client| {
        for (mut question, name) in calls {
            question["gpu"] = "a100".into();
            for tool in ["check", "evaluate", "inspect"] {
                let reply = client.answer(tool, arguments(&question)).await;
                assert!(
                    !reply.text.contains("\"error\"") && !reply.text.contains("unusable"),
                    "{tool}: {question}: {}",
                    reply.text
                );
            }
            let reply = client.answer("evaluate", arguments(&question)).await.value;
            assert!(reply["fastest"][0]["parameters"][name].is_number(), "{reply}");
        }
        let old = serde_json::json!({ "text": otherwise, "language": "cuda" });
        let question = serde_json::json!({ "path": "whole.cu", "old": old, "gpu": "a100" });
        let reply = client.answer("diff", arguments(&question)).await.value;
        let size = &reply["description"][0];
        assert_eq!(
            (&size["name"], &size["old"], &size["compared"]),
            (&"n".into(), &"32768".into(), &65536.into()),
            "{reply}"
        );
        let question = serde_json::json!({ "path": "scale.cu", "source": { "host": ["../main.cu"] }, "gpu": "a100" });
        let refused = client.answer("evaluate", arguments(&question)).await;
        assert!(
            refused.is_error && refused.text.contains("lies outside the folder that the server was started in"),
            "{}",
            refused.text
        );
    });
}

/// Both kernels as texts, as files, and as one of each: the findings are the same, at the names that the call gives.
#[test]
fn an_old_kernel_is_a_text_or_a_file_with_the_launch_of_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let wide = "__kernel void copy(__global float* a, __global float* b)\n{\n    const int i = get_global_id(0);\n    b[i] = a[i];\n}\n";
    let strided = wide.replace("b[i] = a[i]", "b[i] = a[i * 8]");
    std::fs::write(folder.path().join("before.cl"), wide).unwrap();
    std::fs::write(folder.path().join("after.cl"), &strided).unwrap();
    let source = serde_json::json!({ "parameters": { "WG": [64, 128] }, "work_items": 65536, "work_group": "WG" });
    let launched = |text: &str| serde_json::json!({ "text": text, "language": "opencl", "source": source });
    let with = |mut new: Value, old: Value| {
        (new["old"], new["gpu"]) = (old, "a100".into());
        arguments(&new)
    };
    let file = serde_json::json!({ "path": "after.cl", "source": source });
    let calls = [
        (launched(&strided), serde_json::json!({ "text": wide, "language": "opencl" }), "kernel.cl:4"),
        (launched(&strided), serde_json::json!({ "path": "before.cl" }), "kernel.cl:4"),
        (launched(&strided), launched(wide), "kernel.cl:4"),
        (file.clone(), serde_json::json!({ "path": "before.cl" }), "after.cl:4"),
        (file, serde_json::json!({ "text": wide, "language": "opencl" }), "after.cl:4"),
    ];
    Client::run(folder.path(), async |client| {
        for (new, old, place) in calls {
            let reply = client.answer("diff", with(new, old)).await.value;
            let worse = &reply["findings"][0];
            assert_eq!(
                (&reply["status"], &worse["kind"], &worse["place"]),
                (&"worse".into(), &"worse".into(), &place.into()),
                "{reply}"
            );
            assert!(worse["message"].as_str().unwrap().starts_with("36 sectors per warp, was 8"), "{reply}");
            assert!(reply["next"]["text"].as_str().unwrap().starts_with(&format!("{place}: 36 sectors")), "{reply}");
        }
        let same = client.answer("diff", with(launched(wide), serde_json::json!({ "path": "before.cl" }))).await.value;
        assert_eq!(
            (&same["status"], &same["findings"], &same["next"]),
            (&"ok".into(), &serde_json::json!([]), &Value::Null)
        );
        for (old, words) in [
            (Value::Null, "no `old` kernel is given"),
            (serde_json::json!({ "text": "a", "path": "b" }), "both `path` and `text` of the `old` kernel"),
            (serde_json::json!({ "path": "before.cl", "git": "HEAD~" }), "unknown field `git`"),
            (serde_json::json!({ "text": "int", "language": "opencl" }), "old.cl"),
        ] {
            let reply = client.answer("diff", with(launched(wide), old)).await;
            assert!(reply.is_error && reply.value["error"].as_str().unwrap().contains(words), "{}", reply.text);
            assert!(!reply.text.contains("autotune."), "the paths of texts are hidden: {}", reply.text);
        }
    });
}

#[test]
fn a_file_that_changes_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let spec = std::fs::read_to_string(PathBuf::from(PROJECT).join("tuning-specs/vector_add.yaml")).unwrap();
    let line = 1 + spec.lines().position(|line| line.starts_with("kernel:")).unwrap();
    std::fs::write(folder.path().join("k.yaml"), &spec).unwrap();
    Client::run(folder.path(), async |client| {
        let given = || arguments(&serde_json::json!({ "path": "k.yaml", "gpu": "a100" }));
        let first = client.answer("evaluate", given()).await;
        assert!(!first.is_error, "{}", first.text);
        std::fs::write(folder.path().join("k.yaml"), spec.replace("kernel:", "kernal:")).unwrap();
        let broken = client.answer("check", given()).await.value;
        assert_eq!((&broken["status"], &broken["errors"][0]["line"]), (&"unusable".into(), &line.into()), "{broken}");
        std::fs::write(folder.path().join("k.yaml"), &spec).unwrap();
        assert_eq!(client.answer("evaluate", given()).await.text, first.text);
    });
}

#[test]
fn a_long_call_tells_its_progress_and_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let slow = ends::Slow::new(folder.path());
    Client::run_with(folder.path(), &[("AUTOTUNE_CLANG", slow.compiler())], async |client| {
        let given = arguments(&serde_json::json!({ "path": "k.yaml", "gpu": "a100" }));
        let call = client.start("evaluate", given).await;
        let child = slow.started().await;
        assert!(client.has_progressed().await, "the client was told of a step");
        call.cancel(Some("the answer is not needed".to_owned())).await.unwrap();
        assert!(slow.has_ended(child).await, "the compiler of a cancelled call ends");
        let next = client.answer("gpus", arguments(&serde_json::json!({ "gpu": "a100" }))).await;
        assert!(!next.is_error, "the server goes on: {}", next.text);
    });
}
