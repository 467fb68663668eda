//! A line of standard input as a message of the protocol, or the error that answers it.

use regex::bytes::Regex;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, RequestId, ServerJsonRpcMessage};
use serde_json::Value;

use crate::cli::request_lines::RequestLine;

/// The most bytes of a message: a source with the files that it includes fits.
pub(super) const LONGEST: usize = 4 << 20;

/// The message of a line; `None` for an empty line.
///
/// # Errors
/// The reply to a line that is not a message: the fault, and its request if the line names one.
pub(super) fn message(line: &RequestLine) -> Result<Option<ClientJsonRpcMessage>, Box<ServerJsonRpcMessage>> {
    let line = match line {
        RequestLine::Whole(line) if line.trim_ascii().is_empty() => return Ok(None),
        RequestLine::Whole(line) => line,
        RequestLine::TooLong { begin, end } => {
            let error = ErrorData::invalid_request(
                format!("the message has more than {LONGEST} bytes; give a large file by its `path`, not as a text"),
                None,
            );
            return Err(reply(error, id_of_ends(begin, end)));
        }
    };
    let value: Value = serde_json::from_slice(line).map_err(|why| {
        let error = ErrorData::parse_error(format!("the line is not JSON: {why}; a message is one line of JSON"), None);
        reply(error, None)
    })?;
    if let Some(fault) = fault(&value) {
        return Err(reply(ErrorData::invalid_request(fault, None), id(&value)));
    }
    let of_value = value.clone();
    serde_json::from_value(of_value).map(Some).map_err(|_| {
        let method = value.get("method").and_then(Value::as_str).unwrap_or_default();
        let fault = format!("the parameters of `{}` are not those that the protocol asks for", method.escape_debug());
        reply(ErrorData::invalid_params(fault, None), id(&value))
    })
}

/// The reply to a request that cannot be read; `id` is `None` if the request's id is not known.
pub(super) fn reply(error: ErrorData, id: Option<RequestId>) -> Box<ServerJsonRpcMessage> {
    Box::new(ServerJsonRpcMessage::error(error, id))
}

/// The parameters of `tools/call` in words, if they are not what they should be; else `None`.
pub(super) fn fault_of_call(parameters: Option<&Value>) -> Option<String> {
    const FORM: &str = "`tools/call` takes `{\"name\": TOOL, \"arguments\": {...}}`";
    let Some(parameters) = parameters else { return Some(format!("`params` is missing: {FORM}")) };
    let Value::Object(parameters) = parameters else {
        return Some(format!("`params` is {}: {FORM}", kind(parameters)));
    };
    match (parameters.get("name"), parameters.get("arguments")) {
        (None, _) => Some(format!("`params.name` is missing: {FORM}")),
        (Some(name), _) if !name.is_string() => Some(format!("`params.name` is {}: {FORM}", kind(name))),
        (_, Some(arguments)) if !arguments.is_object() && !arguments.is_null() => {
            Some(format!("`params.arguments` is {}: {FORM}", kind(arguments)))
        }
        _ => None,
    }
}

/// The fault of a value that is not a message; `None` if it seems to be one.
fn fault(value: &Value) -> Option<String> {
    let Value::Object(message) = value else {
        return Some(format!("a message is one object, and this is {}", kind(value)));
    };
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Some("`jsonrpc` is not \"2.0\"".to_owned());
    }
    let wrong_id = || {
        let id = message.get("id").filter(|id| !id.is_string() && !id.is_i64())?;
        Some(format!("`id` is {}, not an integer or a text", kind(id)))
    };
    if message.contains_key("result") || message.contains_key("error") {
        return wrong_id();
    }
    match message.get("method") {
        None => Some("`method` is missing, such as \"tools/call\"".to_owned()),
        Some(Value::String(method)) if method == "tools/call" => {
            wrong_id().or_else(|| fault_of_call(message.get("params")))
        }
        Some(Value::String(_)) => wrong_id(),
        Some(method) => Some(format!("`method` is {}, not a text", kind(method))),
    }
}

/// The kind of a value in words.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn id(value: &Value) -> Option<RequestId> {
    serde_json::from_value(value.get("id")?.clone()).ok()
}

/// The id of a message by its beginning or its end, where its own `id` stands before anything nested or behind it.
fn id_of_ends(begin: &[u8], end: &[u8]) -> Option<RequestId> {
    const ID: &str = r#""id"\s*:\s*(-?[0-9]{1,18}|"[^"\\]{0,200}")"#;
    let first = format!(r#"^\s*\{{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*{ID}"#);
    let last = format!(r#"{ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}}\s*$"#);
    let found = [(first, begin), (last, end)].into_iter().find_map(|(pattern, text)| {
        let captured = Regex::new(&pattern).ok()?.captures(text)?.get(1)?.as_bytes().to_vec();
        Some(captured)
    })?;
    serde_json::from_slice(&found).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replied(line: &[u8]) -> Value {
        serde_json::to_value(*message(&RequestLine::Whole(line.to_vec())).unwrap_err()).unwrap()
    }

    #[test]
    fn a_fault_is_named_with_its_place_and_its_request() {
        for (line, id, code, words) in [
            (&b"{\"jsonrpc\": \"2.0\", \"id\": 4,"[..], Value::Null, -32700, "not JSON: EOF while parsing a value at line 1"),
            (b"[1, 2]", Value::Null, -32600, "one object, and this is a list"),
            (br#"{"id": 4, "method": "ping"}"#, 4.into(), -32600, "`jsonrpc` is not"),
            (br#"{"jsonrpc": "2.0", "id": 4}"#, 4.into(), -32600, "`method` is missing"),
            (br#"{"jsonrpc": "2.0", "id": "a", "method": 7}"#, "a".into(), -32600, "`method` is a number"),
            (br#"{"jsonrpc": "2.0", "id": [], "method": "ping"}"#, Value::Null, -32600, "`id` is a list"),
            (br#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, Value::Null, -32600, "`id` is null"),
            (br#"{"jsonrpc": "2.0", "id": null, "result": {}}"#, Value::Null, -32600, "`id` is null"),
            (
                br#"{"jsonrpc": "2.0", "id": null, "method": "tools/call", "params": {"name": "gpus"}}"#,
                Value::Null,
                -32600,
                "`id` is null",
            ),
            (br#"{"jsonrpc": "2.0", "id": 4, "method": "tools/call"}"#, 4.into(), -32600, "`params` is missing"),
            (
                br#"{"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "gpus", "arguments": "a100"}}"#,
                4.into(),
                -32600,
                "`params.arguments` is a text",
            ),
        ] {
            let reply = replied(line);
            assert_eq!((reply.get("id").cloned().unwrap_or_default(), &reply["error"]["code"]), (id, &code.into()), "{reply}");
            assert!(reply["error"]["message"].as_str().unwrap().contains(words), "{reply}");
        }
        assert!(message(&RequestLine::Whole(b" \n".to_vec())).unwrap().is_none());
    }

    #[test]
    fn a_long_message_is_answered_by_its_id() {
        for (begin, end, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"te"#, "...", Value::from(7)),
            (
                r#"{"method":"tools/call","params":{"text":"a\"id\": 5"#,
                "x\"}},\"jsonrpc\":\"2.0\",\"id\":8}\n",
                8.into(),
            ),
            (r#"{"method":"tools/call","params":{"text":"a"#, "\"}},\"id\":\"n\",\"jsonrpc\":\"2.0\"}\n", "n".into()),
            (r#"{"params":{"id":5,"text":"a"#, "bc\"}}\n", Value::Null),
        ] {
            let line = RequestLine::TooLong { begin: begin.into(), end: end.into() };
            let reply = serde_json::to_value(*message(&line).unwrap_err()).unwrap();
            assert_eq!(reply.get("id").cloned().unwrap_or_default(), id, "{begin}{end}");
        }
    }
}
