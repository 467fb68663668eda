//! Arguments are those of the schema; a wrong one is named.

use serde_json::json;

use super::*;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Own {
    top: Option<u16>,
}

fn given(value: &Value) -> Result<(KernelArguments, ProblemArguments, Own, ReplyArguments), Refusal> {
    read("evaluate", value.as_object().unwrap())
}

#[test]
fn all_parts_are_read_and_in_the_schema() {
    let value = json!({
        "path": "k.cl", "gpu": "a100", "set": { "n": 5 }, "top": 3, "full": true,
        "source": { "parameters": { "WG": [1, 2], "U": "1..3" }, "work_items": 7, "assume": { "trip@3": 2.5 } },
    });
    let (kernel, problem, own, reply) = given(&value).unwrap();
    let source = kernel.source.unwrap();
    assert_eq!(source.parameters.values().map(Values::text).collect::<Vec<_>>(), ["1,2", "1..3"]);
    assert_eq!((source.work_items.unwrap().text(), source.assume["trip@3"].text()), ("7".into(), "2.5".into()));
    assert_eq!((problem.set["n"], own.top, reply.full), (5, Some(3), true));
    let known = properties(&schema::<KernelArguments, ProblemArguments, Own>(&[]));
    assert!(value.as_object().unwrap().keys().all(|name| known.contains(name)), "{known:?}");
}

#[test]
fn a_wrong_argument_is_named_with_its_path() {
    for (value, words) in [
        (json!({ "pth": "k.cl" }), "no argument `pth`"),
        (json!({ "set": { "n": "many" } }), "`set.n`"),
        (json!({ "source": { "parameters": { "WG": true } } }), "`source.parameters.WG`"),
        (json!({ "source": { "kernal": "k" } }), "unknown field `kernal`"),
        (json!({ "top": -1 }), "`top`"),
        (json!({ "gpu": 100 }), "a name or a list of names"),
        (json!({ "full": "yes" }), "`full`"),
    ] {
        let refusal = given(&value).unwrap_err();
        assert!(refusal.error.contains(words) && refusal.help.is_some(), "{}", refusal.error);
    }
    assert!(given(&json!({ "pth": "k.cl" })).unwrap_err().help.unwrap().starts_with("did you mean `path`? "));
}
