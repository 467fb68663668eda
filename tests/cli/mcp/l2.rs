//! `warm` in a call: what a launch finds in L2, whatever the spec says.

use super::*;

const SPEC: &str = "examples/kernels/vector_add.yaml";

#[test]
fn tools_of_the_server_take_the_launch() {
    let call = |warm: Option<bool>| {
        let mut call = serde_json::json!({
            "path": SPEC, "gpu": "h100", "set": { "size": 65536 }, "config": { "WG": 256, "ITEMS": 1, "VEC": 1 },
        });
        if let Some(is_warm) = warm {
            call["warm"] = is_warm.into();
        }
        call
    };
    let ticks = |option| {
        let question = [SPEC, "--gpu", "h100", "--set", "size=65536", "--config=WG=256,ITEMS=1,VEC=1", option];
        printed(&[&["evaluate"][..], &question].concat(), "evaluation.json")["configurations"][0]["ticks"].clone()
    };
    let [cold, warm] = ["--cold", "--warm"].map(ticks);
    assert!(warm.as_u64() < cold.as_u64(), "{warm} and {cold}");
    Client::run(Path::new(PROJECT), async |client| {
        for (state, ticks) in [(None, &cold), (Some(false), &cold), (Some(true), &warm)] {
            let asked = |more: Value| {
                let mut asked = arguments(&call(state));
                asked.extend(arguments(&more));
                asked
            };
            let answer = client.answer("evaluate", asked(serde_json::json!({ "full": true }))).await;
            assert_eq!(&answer.value["configurations"][0]["ticks"], ticks, "{state:?}: {}", answer.text);
            let old = serde_json::json!({ "full": true, "old": { "path": SPEC } });
            let answer = client.answer("diff", asked(old)).await;
            let one = &answer.value["gpus"][0]["configurations"][0];
            assert_eq!([&one["old"]["ticks"], &one["new"]["ticks"]], [ticks, ticks], "{state:?}: {}", answer.text);
        }
        let mut wrong = call(None);
        wrong["warm"] = "hot".into();
        let wrong = client.answer("evaluate", arguments(&wrong)).await;
        assert!(wrong.is_error && wrong.text.contains("`warm`"), "{}", wrong.text);
    });
}
