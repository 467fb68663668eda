//! The list of tools: what a call needs, what its reply has, and the room that it takes.

use serde_json::json;

use super::*;

/// The most bytes of the list: clients put it before their model in each conversation.
const MOST: usize = 37 << 10;

/// A spec with one configuration, which `explain` needs no other word for.
const OF_ONE: &str = "kernel: k\nparameters: { WG: { values: [64] } }\nlaunch: { work_items: 4096, work_group: WG }\n\
                      body: [{ load: { array: x, per_item: 1 } }]\n";

/// A call of each tool with what it needs and nothing else.
fn least_calls() -> [(&'static str, Value); 6] {
    let (path, gpu) = (NAIVE, "gtx1050");
    [
        ("check", json!({ "path": path })),
        ("inspect", json!({ "path": path, "gpu": gpu })),
        ("evaluate", json!({ "path": path, "gpu": gpu })),
        ("explain", json!({ "text": OF_ONE, "gpu": gpu })),
        ("diff", json!({ "path": path, "gpu": gpu, "old": { "path": path } })),
        ("gpus", json!({})),
    ]
}

/// The kernel, which is a `path` or a `text`, is named by words: no schema of some clients may have a choice at its top.
#[test]
fn what_a_schema_requires_is_what_a_call_needs() {
    Client::run(Path::new(PROJECT), async |client| {
        let tools = client.tools().await;
        let size = json!(tools).to_string().len();
        assert!(size <= MOST, "{size} bytes");
        assert_eq!(tools.len(), least_calls().len());
        for (tool, (name, least)) in tools.iter().zip(least_calls()) {
            assert_eq!((&*tool.name, tool.description.is_some()), (name, true));
            let schema = Value::Object((*tool.input_schema).clone());
            let required = schema["required"].as_array().unwrap();
            let valid = jsonschema::validator_for(&schema).unwrap();
            assert!(["anyOf", "oneOf", "allOf"].iter().all(|choice| schema.get(choice).is_none()), "{name}");
            assert!(valid.is_valid(&least), "{name}: {least}");
            let given: Vec<&String> =
                least.as_object().unwrap().keys().filter(|name| !["path", "text"].contains(&&***name)).collect();
            assert_eq!(json!(given), json!(required), "{name}");
            assert!(!client.answer(name, arguments(&least)).await.is_error, "{name}");
            for left_out in required.iter().filter_map(Value::as_str) {
                let mut less = least.clone();
                less.as_object_mut().unwrap().remove(left_out);
                let reply = client.answer(name, arguments(&less)).await;
                assert!(reply.is_error && !valid.is_valid(&less), "{name} without {left_out}: {}", reply.text);
            }
        }
    });
}

#[test]
fn a_gpu_is_a_name_or_a_list_in_each_tool() {
    Client::run(Path::new(PROJECT), async |client| {
        for tool in client.tools().await {
            let schema = jsonschema::validator_for(&Value::Object((*tool.input_schema).clone())).unwrap();
            let least = least_calls().into_iter().find(|(name, _)| *name == tool.name).unwrap().1;
            let with = |gpu: Value| {
                let mut call = least.clone();
                call["gpu"] = gpu;
                call
            };
            let (one, listed) = (with("gtx1050".into()), with(json!(["gtx1050"])));
            let name = &tool.name;
            assert!(schema.is_valid(&one) && schema.is_valid(&listed) && !schema.is_valid(&with(7.into())), "{name}");
            let (one, listed) =
                (client.answer(name, arguments(&one)).await, client.answer(name, arguments(&listed)).await);
            assert_eq!((one.is_error, &one.text), (false, &listed.text), "{name}");
            let two = client.answer(name, arguments(&with(json!(["gtx1050", "a100"])))).await;
            let between_commas = client.answer(name, arguments(&with("gtx1050, a100".into()))).await;
            assert_eq!(two.value.get("error").is_some(), between_commas.is_error, "{name}");
            let is_about_one = ["inspect", "evaluate", "explain"].contains(&&**name);
            assert_eq!(two.is_error, is_about_one, "{name}: {}", two.text);
            assert!(
                two.text.contains("one GPU, and `gpu` names several: `gtx1050,a100`") || !is_about_one,
                "{}",
                two.text
            );
            let none = client.answer(name, arguments(&with(json!([])))).await;
            assert!(none.is_error && none.text.contains("`gpu` is an empty list"), "{name}: {}", none.text);
        }
        let both = client.answer("gpus", arguments(&json!({ "gpu": ["a100", "vendor:AMD", "a100"] }))).await.value;
        let names: Vec<&str> =
            both["gpu"].as_array().unwrap().iter().map(|gpu| gpu["name"].as_str().unwrap()).collect();
        assert!(names.len() > 2 && names[0] == "a100-40gb" && !names[1..].contains(&"a100-40gb"), "{names:?}");
        let unknown = client.answer("gpus", arguments(&json!({ "gpu": ["a100", "../a.yaml"] }))).await;
        assert!(unknown.is_error && unknown.text.contains("cannot use GPU `../a.yaml`"), "{}", unknown.text);
    });
}
