//! Requests that are made to exhaust, to mislead, or to read what is not theirs.

use std::os::unix::fs::symlink;

use serde_json::json;

use super::raw::Raw;
use super::*;

/// A number that no temporary folder has in its name.
const SECRET: &str = "1734205942";

const SPEC: &str = "kernel: k\nparameters: { WG: { values: [32] } }\nlaunch: { work_items: 1024, work_group: WG }\n\
                    source: { file: k.cl }\n";

/// Each fault is answered with what is wrong, and the server goes on.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of lines and replies")]
fn lines_that_are_no_requests_are_answered_and_the_next_one_is_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cl"), "").unwrap();
    let mut raw = Raw::start(folder.path());
    for (line, id, code, words) in [
        ("{", Value::Null, -32700, "the line is not JSON"),
        ("\u{0}\u{1b}[2J", Value::Null, -32700, "the line is not JSON"),
        (&"[".repeat(100_000), Value::Null, -32700, "recursion limit"),
        ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", Value::Null, -32600, "this is a list"),
        (r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#, 3.into(), -32600, "`jsonrpc` is not"),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Value::Null, -32600, "`id` is null"),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"gpus"}}"#,
            Value::Null,
            -32600,
            "`id` is null",
        ),
        (r#"{"jsonrpc":"2.0","id":null,"result":{}}"#, Value::Null, -32600, "`id` is null"),
        (r#"{"jsonrpc":"2.0","id":4,"method":"tools/fly"}"#, 4.into(), -32601, "there is no method `tools/fly`"),
        (r#"{"jsonrpc":"2.0","id":5,"method":"tools/call"}"#, 5.into(), -32600, "`params` is missing"),
        (r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":7}}"#, 6.into(), -32600, "is a number"),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"fly"}}"#,
            7.into(),
            -32602,
            "no tool `fly`; the tools are `check`",
        ),
    ] {
        raw.send(line);
        let reply = raw.reply();
        let error = &reply["error"];
        assert_eq!((reply.get("id"), &error["code"]), (Some(&id), &code.into()), "{reply}");
        assert!(error["message"].as_str().unwrap().contains(words), "{reply}");
    }
    raw.send("");
    for (arguments, words) in [
        (json!({ "path": 7 }), "`path` of `evaluate` is wrong: invalid type: integer `7`, expected a string"),
        (json!({ "pth": "k.cl" }), "has no argument `pth`"),
        (json!({ "text": "a", "path": "b" }), "both `path` and `text`"),
        (json!({ "text": "kernel: k", "source": {} }), "`source` describes a kernel's source"),
        (json!({ "text": "x", "language": "fortran" }), "`language`"),
        (json!({ "text": "x", "language": "cuda", "gpu": "a100" }), "`kernel.cu` has no kernel"),
        (
            json!({ "text": "__global__ void k(float *a) { a[threadIdx.x] = 1; }", "language": "cuda", "gpu": "a100" }),
            "the text does not say how `k` is launched",
        ),
        (json!({ "text": SPEC, "gpu": "h1000" }), "cannot use GPU `h1000`"),
        (json!({ "text": SPEC }), "no `gpu` is given"),
        (json!({ "path": "k.py", "gpu": "a100" }), "cannot read `k.py`"),
    ] {
        let (reply, is_error) = raw.called("evaluate", &arguments);
        assert!(is_error && reply["error"].as_str().unwrap().contains(words), "{reply}");
        assert!(reply.to_string().len() < 4096 && !reply.to_string().contains("`--"), "{reply}");
    }
    let (reply, is_error) = raw.called("gpus", &json!({ "gpu": "a100" }));
    assert!(!is_error && reply["gpu"][0]["name"] == "a100-40gb", "{reply}");
    let (status, said) = raw.end();
    assert_eq!((status, said.as_str()), (0, ""));
}

/// Messages that nobody may send before `initialize`, and that need no answer.
const TOO_EARLY: [&str; 5] = [
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/of_somebody","params":{"a":[1]}}"#,
    r#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
    r#"{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no"}}"#,
];

#[test]
fn a_client_that_never_initializes_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut raw = Raw::open(folder.path(), &[]);
    raw.send(&TOO_EARLY.join("\n"));
    let (status, said) = raw.end();
    assert_eq!(status, 2);
    assert!(said.contains("error: the protocol ended") && said.contains("help: "), "{said}");
    assert!(!said.contains("Notification"), "{said}");
}

/// What is no request is ignored, a request is answered, and the session begins as if there had been neither.
#[test]
fn messages_before_initialize_do_not_end_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut raw = Raw::open(folder.path(), &[]);
    let version = "io.modelcontextprotocol/protocolVersion";
    let requests = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "server/discover" }),
        json!({ "jsonrpc": "2.0", "id": 4, "method": "tools/list", "params": { "_meta": { version: "2999-01-01" } } }),
        json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/fly" }),
    ];
    for request in requests {
        raw.send(&TOO_EARLY.join("\n"));
        raw.send(&request.to_string());
        assert_eq!(raw.reply()["id"], request["id"]);
    }
    raw.send(&TOO_EARLY.join("\n"));
    raw.initialize();
    raw.send(TOO_EARLY[2]);
    let (reply, is_error) = raw.called("gpus", &json!({ "gpu": "a100" }));
    assert!(!is_error, "{reply}");
    assert_eq!(raw.end(), (0, String::new()));
}

/// A folder beside files that are none of its own, with links to them.
fn folder_with_links() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    std::fs::create_dir_all(at("own/inner")).unwrap();
    std::fs::create_dir(at("elsewhere")).unwrap();
    let kernel = format!("__kernel void k(__global int* a) {{ a[get_global_id(0)] = {SECRET}; }}\n");
    for name in ["secret.cl", "elsewhere/secret.cl", "elsewhere/secret.yaml", "elsewhere/h.h"] {
        std::fs::write(at(name), &kernel).unwrap();
    }
    std::fs::write(at("own/k.cl"), "#include \"h.h\"\n").unwrap();
    symlink(at("secret.cl"), at("own/link.cl")).unwrap();
    symlink(at("elsewhere"), at("own/up")).unwrap();
    symlink(at("elsewhere/h.h"), at("own/h.h")).unwrap();
    place
}

/// Calls that name a file outside; `outside` is the whole path of one.
fn calls_that_lead_out(outside: &str) -> Vec<Value> {
    let spec = |file: &str, more: &str| json!(SPEC.replace("k.cl }", &format!("\"{file}\"{more} }}")));
    let launch = json!({ "parameters": { "WG": [32] }, "work_items": 1024, "work_group": "WG" });
    vec![
        json!({ "path": "../secret.cl" }),
        json!({ "path": outside }),
        json!({ "path": "link.cl" }),
        json!({ "path": "up/secret.cl" }),
        json!({ "path": "up/../secret.cl" }),
        json!({ "path": "inner/../../elsewhere/secret.yaml" }),
        json!({ "path": "/proc/self/environ" }),
        json!({ "text": spec(outside, "") }),
        json!({ "text": spec("up/../secret.cl", "") }),
        json!({ "text": spec("../secret.cl", "") }),
        json!({ "text": spec("h.h", ", language: opencl") }),
        json!({ "text": spec("k.cl", ", include: [../elsewhere]") }),
        json!({ "text": spec("k.cl", ", include: [up]") }),
        json!({ "text": spec("k.cl", "") }),
        json!({ "text": spec("../secret.cl", ""), "files": { "inner.h": "" } }),
        json!({ "text": "#include \"../secret.cl\"\n", "language": "opencl", "source": launch }),
        json!({ "text": format!("#include \"{outside}\"\n"), "language": "opencl", "source": launch }),
        json!({ "text": format!("#line 1 \"{outside}\"\nint error here;\n"), "language": "opencl", "source": launch }),
        json!({ "text": "x", "language": "opencl", "files": { "../k.cl": "x" } }),
        json!({ "text": "x", "language": "opencl", "source": { "include": ["../elsewhere"] } }),
        json!({ "text": spec("k.cl", ""), "gpu": "../elsewhere/secret.yaml" }),
        json!({ "text": spec("k.cl", ""), "gpu": "a100,up/secret.yaml" }),
    ]
}

/// The words of the server and of the compiler's confinement.
const REFUSALS: [&str; 4] =
    ["lies outside the folder", "is not the name of a file", "outside its folders", "is not there; it is included"];

/// Nothing outside the folder is read, by whatever way it is named.
#[test]
fn nothing_outside_the_folder_is_read() {
    let place = folder_with_links();
    let outside = place.path().join("secret.cl").display().to_string();
    let mut raw = Raw::start(&place.path().join("own"));
    for mut arguments in calls_that_lead_out(&outside) {
        if arguments.get("gpu").is_none() {
            arguments["gpu"] = "a100".into();
        }
        for tool in ["check", "evaluate"] {
            let (reply, is_error) = raw.called(tool, &arguments);
            let said = reply.to_string();
            let is_refused = REFUSALS.iter().any(|words| said.contains(words));
            assert!(is_refused && (is_error || reply["errors"][0].is_object()), "{tool} of {arguments}: {said}");
            assert!(!said.contains(SECRET), "{tool} of {arguments}: {said}");
        }
        let gpu = arguments.as_object_mut().unwrap().remove("gpu").filter(|gpu| gpu == "a100");
        // A profile is not one of an old kernel's arguments.
        let Some(gpu) = gpu else { continue };
        let launch = json!({ "parameters": { "WG": [32] }, "work_items": 1024, "work_group": "WG" });
        let kernel = json!({ "text": "__kernel void k(__global int* a) { a[get_global_id(0)] = 1; }\n", "language": "opencl", "source": launch });
        for (mut new, old) in [(kernel.clone(), arguments.clone()), (arguments.clone(), kernel)] {
            (new["old"], new["gpu"]) = (old, gpu.clone());
            let (reply, is_error) = raw.called("diff", &new);
            let said = reply.to_string();
            let is_refused = REFUSALS.iter().any(|words| said.contains(words));
            assert!(is_refused && is_error && !said.contains(SECRET), "diff of {new}: {said}");
        }
    }
    assert_eq!(raw.end().0, 0);
}

#[test]
fn large_texts_and_files_are_refused_by_their_size() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["large.cl", "large.yaml"] {
        std::fs::File::create(folder.path().join(name)).unwrap().set_len(100 << 20).unwrap();
    }
    for name in ["small.cl", "k.cl"] {
        std::fs::write(folder.path().join(name), "__kernel void k(__global int* a) { a[get_global_id(0)] = WG; }\n")
            .unwrap();
    }
    let mut raw = Raw::start(folder.path());
    let before = raw.memory();
    raw.write(br#"{"jsonrpc":"2.0","id":41,"method":"tools/call","params":{"name":"check","arguments":{"text":""#);
    let block = vec![b'x'; 1 << 20];
    (0..100).for_each(|_| raw.write(&block));
    raw.write(b"\"}}}\n");
    let reply = raw.reply();
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&41.into(), &(-32600).into()), "{reply}");
    assert!(reply["error"]["message"].as_str().unwrap().contains("more than 4194304 bytes"), "{reply}");
    std::fs::write(folder.path().join("k.yaml"), SPEC.replace("k.cl", "large.cl")).unwrap();
    for (name, words) in [("k.yaml", "largest size that is read"), ("large.yaml", "a spec has at most")] {
        let (reply, _) = raw.called("check", &json!({ "path": name, "gpu": "a100" }));
        assert!(reply.to_string().contains(words), "{name}: {reply}");
        let text = SPEC.replace("k.cl", "small.cl");
        let (reply, _) = raw.called("diff", &json!({ "text": text, "old": { "path": name }, "gpu": "a100" }));
        assert!(reply.to_string().contains(words), "{name}: {reply}");
    }
    let (reply, _) = raw
        .called("diff", &json!({ "text": SPEC, "old": { "path": "large.cl" }, "gpu": "a100", "config": { "WG": 32 } }));
    assert!(reply.to_string().contains("largest size that is read"), "{reply}");
    let grown = raw.memory().saturating_sub(before) / 1024;
    assert!(grown < 64, "the server grew by {grown} MiB");
    assert_eq!(raw.end().0, 0);
}

#[test]
fn three_thousand_calls_take_no_more_memory_than_five_hundred() {
    let folder = tempfile::tempdir().unwrap();
    let mut raw = Raw::start(folder.path());
    let mut calls = |from: u32, to: u32| {
        const AT_ONCE: u32 = 20;
        for first in (from..to).step_by(AT_ONCE as usize) {
            let line = |id: u32| {
                let (tool, arguments) = match id % 4 {
                    0 => ("gpus", json!({ "gpu": "a100" })),
                    1 => ("gpus", json!({ "gpu": id })),
                    _ => ("diff", json!({ "text": SPEC, "gpu": "a100", "old": { "path": format!("../{id}") } })),
                };
                let call = json!({
                    "jsonrpc": "2.0", "id": id, "method": "tools/call",
                    "params": { "name": tool, "arguments": arguments },
                });
                format!("{call}\n")
            };
            let lines: String = (first..first + AT_ONCE).map(line).collect();
            raw.write(lines.as_bytes());
            let mut ids: Vec<u64> = (0..AT_ONCE).map(|_| raw.reply()["id"].as_u64().unwrap()).collect();
            ids.sort_unstable();
            assert_eq!(ids, (first..first + AT_ONCE).map(u64::from).collect::<Vec<_>>());
        }
        raw.memory()
    };
    let (first, last) = (calls(0, 500), calls(500, 3_000));
    assert!(last < first + 4 * 1024, "{first} KiB after 500 calls, {last} KiB after 3,000");
    assert_eq!(raw.end().0, 0);
}

/// More requests than the server keeps are refused, with their ids, and none is lost.
#[test]
fn a_flood_of_requests_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let slow = ends::Slow::new(folder.path());
    let mut raw = Raw::start_with(folder.path(), &[("AUTOTUNE_CLANG", slow.compiler())]);
    let call = |id: usize| {
        let arguments = json!({ "path": "k.yaml", "gpu": "a100" });
        let call = json!({
            "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "evaluate", "arguments": arguments },
        });
        call.to_string()
    };
    for id in 0..70 {
        raw.send(&call(id));
    }
    let refused: Vec<Value> = (64..70).map(|_| raw.reply()).collect();
    for (reply, id) in refused.iter().zip(64..) {
        assert_eq!(reply["id"], id, "{reply}");
        assert!(reply["error"]["message"].as_str().unwrap().contains("64 requests have no reply yet"), "{reply}");
    }
    raw.close();
    wait_until("the server ends", || raw.has_ended());
}
