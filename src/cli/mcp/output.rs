//! The schemas of the tools' replies, made of those in `schemas/`: what stands in each object of a list and which type it
//! has, without what each field means.
//!
//! Clients put the list of tools before their model in each conversation. Whole, the schemas would be nine times as long, and
//! five times as long as all that is said of the arguments.

use serde_json::{Map, Value, json};

use super::call::status;
use autotune_base::user_error::ExitStatus;

/// The statuses that a reply can have.
const STATUSES: [ExitStatus; 6] = [
    ExitStatus::Success,
    ExitStatus::BestEffort,
    ExitStatus::Infeasible,
    ExitStatus::Unusable,
    ExitStatus::Worse,
    ExitStatus::Failure,
];

/// The schema of a whole answer.
pub(super) struct AnswerSchema {
    /// The name of its file in `schemas/`.
    file: &'static str,
    schema: Value,
}

macro_rules! answer {
    ($name:ident, $file:literal) => {
        #[doc = concat!("The schema of `schemas/", $file, "`.")]
        pub(super) fn $name() -> Self {
            Self::read($file, include_str!(concat!("../../../schemas/", $file)))
        }
    };
}

impl AnswerSchema {
    answer!(diagnosis, "diagnosis.json");
    answer!(diff, "diff.json");
    answer!(evaluation, "evaluation.json");
    answer!(explanation, "explanation.json");
    answer!(gpus, "gpus.json");
    answer!(inspection, "inspection.json");
    answer!(result, "result.json");

    fn read(file: &'static str, text: &str) -> Self {
        Self { file, schema: serde_json::from_str(text).unwrap_or_default() }
    }

    /// The schema of a field of the answer, or with `/` of a field in it.
    pub(super) fn part(&self, path: &str) -> Value {
        let field = |node: &Value, name: &str| self.resolved(node)["properties"][name].clone();
        self.short(&path.split('/').fold(self.schema.clone(), |node, name| field(&node, name)), 1)
    }

    /// The schema of the whole answer, with the types of its fields.
    fn whole(&self) -> Value {
        let mut whole = self.short(&self.schema, 1);
        whole["description"] = format!("With `full: true`: the answer of autotune's schemas/{}.", self.file).into();
        whole["required"] = self.schema["required"].clone();
        whole
    }

    /// A node, or what it refers to.
    fn resolved<'a>(&'a self, node: &'a Value) -> &'a Value {
        let of = node.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#'));
        of.and_then(|path| self.schema.pointer(path)).unwrap_or(node)
    }

    /// A node by its types; objects have their fields down to a depth.
    fn short(&self, node: &Value, depth: usize) -> Value {
        let node = self.resolved(node);
        if let Some(cases) = ["anyOf", "oneOf"].iter().find_map(|key| node[key].as_array()) {
            return either(cases.iter().map(|case| self.short(case, depth)).collect());
        }
        let mut shown = Map::new();
        for key in ["type", "const"] {
            shown.extend(node.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        if let Some(items) = node.get("items").filter(|items| items.is_object()) {
            shown.insert("items".to_owned(), self.short(items, depth));
        }
        if depth > 0 {
            if let Some(Value::Object(fields)) = node.get("properties") {
                let fields = fields.iter().map(|(name, field)| (name.clone(), self.short(field, depth - 1)));
                shown.insert("properties".to_owned(), Value::Object(fields.collect()));
            }
            if let Some(others) = node.get("additionalProperties").filter(|others| others.is_object()) {
                shown.insert("additionalProperties".to_owned(), self.short(others, depth - 1));
            }
        }
        Value::Object(shown)
    }
}

/// One of several cases: names become texts, and types stand together.
fn either(cases: Vec<Value>) -> Value {
    let mut cases: Vec<Value> = cases
        .into_iter()
        .map(|case| if case["const"].is_string() { json!({ "type": "string" }) } else { case })
        .collect();
    cases.dedup();
    let are_types =
        cases.iter().all(|case| case.as_object().is_some_and(|case| case.len() == 1 && case.contains_key("type")));
    match &mut cases[..] {
        [only] => only.take(),
        cases if are_types => {
            let types = cases.iter().flat_map(|case| match &case["type"] {
                Value::Array(types) => types.clone(),
                one => vec![one.clone()],
            });
            let mut distinct: Vec<Value> = Vec::new();
            for one in types {
                if !distinct.contains(&one) {
                    distinct.push(one);
                }
            }
            match &distinct[..] {
                [only] => json!({ "type": only }),
                _ => json!({ "type": distinct }),
            }
        }
        cases => json!({ "anyOf": cases }),
    }
}

/// The schema of a tool's replies: what decides, with `fields`, and the whole answers. `required` are the fields that are always
/// there: no list or object is, since a reply without any fits where the others do not.
pub(super) fn replies(fields: Value, required: &[&str], whole: &[AnswerSchema]) -> Map<String, Value> {
    let Value::Object(mut properties) = fields else { return Map::new() };
    properties.insert("next".to_owned(), json!({ "type": ["object", "null"], "properties": { "text": text() } }));
    properties.insert("omitted".to_owned(), text());
    let required = [&["next"], required].concat();
    let decisive = json!({
        "description": "What decides. Lists may be cut: then `omitted` says so.",
        "properties": properties,
        "required": required,
    });
    let answers = whole.iter().map(AnswerSchema::whole);
    let answers: Vec<Value> = std::iter::once(decisive).chain(answers).collect();
    Map::from_iter([("type".to_owned(), "object".into()), ("anyOf".to_owned(), answers.into())])
}

/// The schema of a text.
pub(super) fn text() -> Value {
    json!({ "type": "string" })
}

/// The schema of an integer.
pub(super) fn integer() -> Value {
    json!({ "type": "integer" })
}

/// The schema of a number.
pub(super) fn number() -> Value {
    json!({ "type": "number" })
}

/// The schema of a list of objects with these fields.
pub(super) fn list(fields: &Value) -> Value {
    json!({ "type": "array", "items": { "type": "object", "properties": fields } })
}

/// The schema of `status`.
pub(super) fn statuses() -> Value {
    json!({ "type": "string", "enum": STATUSES.map(status) })
}
