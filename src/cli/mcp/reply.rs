//! Replies of at most 4 KB: what decides, the worst first.

use serde::Serialize;
use serde_json::{Map, Number, Value, json};

use super::advice::{advice, in_words_of_call, reword};
use super::refusal::Refusal;
use autotune_base::text::json::to_value;
use autotune_engine::explain::NextChange;

/// The most bytes of a reply, unless the call asks for the whole answer.
pub(super) const MOST: usize = 4096;

/// The longest texts that a reply keeps whole, in characters, and those of a reply that is still too long.
const LONGEST_TEXTS: [usize; 3] = [1_200, 400, 80];
/// The bytes of the note about what was left out.
const NOTE: usize = 160;

/// The answer of a tool.
#[derive(Debug)]
pub(super) struct Reply {
    /// The decisive part, lists with the worst first.
    pub(super) decisive: Map<String, Value>,
    /// The whole answer, as `--format json` prints it; `None` if the call does not ask for it.
    pub(super) full: Option<Value>,
    /// The change that the numbers suggest; null if they suggest nothing.
    pub(super) next: Value,
}

impl Reply {
    /// The reply with what decides; `full` is the whole answer, which is used if `asks_full` is true.
    ///
    /// # Errors
    /// If the whole answer cannot be serialized.
    pub(super) fn new(
        decisive: Value,
        next: Option<&NextChange>,
        full: &impl Serialize,
        asks_full: bool,
    ) -> Result<Self, Refusal> {
        let full = asks_full.then(|| to_value(full)).transpose();
        let full = full.map_err(|why| Refusal { error: why.to_string(), help: None })?;
        let decisive = match decisive {
            Value::Object(decisive) => decisive,
            other => Map::from_iter([("answer".to_owned(), other)]),
        };
        Ok(Self { decisive, full, next: next.map_or(Value::Null, |next| json!(next)) })
    }

    /// The reply as a value.
    pub(super) fn value(self) -> Value {
        let Self { mut decisive, full, mut next } = self;
        if let Some(full) = full {
            return full;
        }
        decisive.values_mut().for_each(round);
        decisive.values_mut().for_each(reword);
        reword(&mut next);
        // The change that is suggested is not cut, and stands where it is seen.
        let mut reply = Map::from_iter([("next".to_owned(), next)]);
        decisive.retain(|name, value| name != "next" && !value.is_null());
        reply.append(&mut decisive);
        fitted(Value::Object(reply))
    }
}

/// The reply to a call that has no answer.
pub(super) fn refused(refusal: &Refusal) -> Value {
    let next = refusal.help.as_deref().and_then(advice).map(|help| json!({ "text": help }));
    fitted(json!({ "error": in_words_of_call(&refusal.error), "next": next }))
}

/// A reply that is cut to the greatest length of its text: the ends of the longest lists first.
fn fitted(mut reply: Value) -> Value {
    for longest in LONGEST_TEXTS {
        cut_texts(&mut reply, longest);
        let mut omitted = 0;
        loop {
            let most = if omitted > 0 { MOST - NOTE } else { MOST };
            if reply.to_string().len() <= most {
                return if omitted > 0 { noted(reply, omitted) } else { reply };
            }
            let Some(list) = longest_list(&mut reply) else { break };
            let kept = list.len() - list.len().div_ceil(4);
            omitted += list.len() - kept;
            list.truncate(kept);
        }
    }
    if let Value::Object(reply) = &mut reply {
        reply.retain(|_, value| !value.is_object() && !value.is_array());
        reply.insert("next".to_owned(), Value::Null);
        reply.insert("omitted".to_owned(), "lists and objects; `full: true` gives all".into());
    }
    reply
}

fn noted(mut reply: Value, omitted: usize) -> Value {
    if let Value::Object(reply) = &mut reply {
        let note = format!("{omitted} entries of lists; `full: true` gives all");
        reply.insert("omitted".to_owned(), note.into());
    }
    reply
}

/// The list of a value with the longest text; `None` if all lists are empty.
fn longest_list(value: &mut Value) -> Option<&mut Vec<Value>> {
    let length = |list: &Vec<Value>| list.iter().map(|item| item.to_string().len()).sum::<usize>();
    match value {
        Value::Array(list) => (!list.is_empty()).then_some(list),
        Value::Object(map) => map.values_mut().filter_map(longest_list).max_by_key(|list| length(list)),
        _ => None,
    }
}

/// Rounds the fractions of a value to four digits: those behind them decide nothing, and take room.
fn round(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let rounded = number.as_f64().map(|number| (number * 1e4).round() / 1e4);
            if let Some(rounded) = rounded.and_then(Number::from_f64) {
                *number = rounded;
            }
        }
        Value::Array(list) => list.iter_mut().for_each(round),
        Value::Object(map) => map.values_mut().for_each(round),
        _ => {}
    }
}

/// Cuts the texts of a value to a length in characters.
fn cut_texts(value: &mut Value, longest: usize) {
    match value {
        Value::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(longest) {
                text.truncate(end);
                text.push('…');
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|item| cut_texts(item, longest)),
        Value::Object(map) => map.values_mut().for_each(|item| cut_texts(item, longest)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_has_at_most_4_kilobytes_and_its_change_is_whole() {
        let next = NextChange { text: "N".repeat(300), parameter: None, access: None };
        for (items, length) in [(3, 10), (200, 100), (100_000, 3), (5, 100_000)] {
            let list: Vec<String> = (0..items).map(|item| format!("{item} {}", "é\"".repeat(length))).collect();
            let reply = Reply::new(json!({ "worst": list, "few": [1, 2] }), Some(&next), &(), false).unwrap();
            let value = reply.value();
            let text = value.to_string();
            assert!(text.len() <= MOST, "{items} items of {length}: {} bytes", text.len());
            assert_eq!(value["next"]["text"], next.text);
            assert!(value["worst"][0].as_str().unwrap().starts_with("0 "), "{text}");
            assert_eq!(value.get("omitted").is_some(), items > 5 || value["worst"].as_array().unwrap().len() < items);
        }
    }

    #[test]
    fn the_whole_answer_is_not_cut() {
        let list = vec!["x"; 10_000];
        let reply = Reply::new(json!({ "few": 1 }), None, &json!({ "all": list }), true).unwrap();
        let value = reply.value();
        assert_eq!((value["all"].as_array().unwrap().len(), value.get("next")), (10_000, None));
    }

    /// Numbers and short texts stay, so that a program finds what the schema of replies promises.
    #[test]
    fn a_reply_without_lists_that_is_too_long_keeps_its_numbers() {
        let wide: Map<String, Value> = (0..2_000).map(|number| (format!("P{number}"), number.into())).collect();
        let decisive = json!({ "status": "ok", "parameters": wide, "can_run": 7 });
        let value = Reply::new(decisive, None, &(), false).unwrap().value();
        let omitted = "lists and objects; `full: true` gives all";
        assert_eq!(value, json!({ "next": null, "status": "ok", "can_run": 7, "omitted": omitted }));
    }
}
