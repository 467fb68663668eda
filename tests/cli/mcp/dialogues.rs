//! The dialogues of the guide: each call is made, and its reply is the one that is shown.

use super::*;

const GUIDE: &str = "docs/guide/mcp.md";
/// The variable that asks for the replies to be written into the guide.
const OVERWRITE: &str = "UPDATE_DIALOGUES";
const CALL: &str = "```json call\n";
const REPLY: &str = "```json reply\n";
const END: &str = "\n```\n";

/// The guide with the replies of a server, and the number of its calls.
async fn answered(guide: &str, client: &Client) -> (String, usize) {
    let (mut text, mut rest, mut calls) = (String::new(), guide, 0);
    while let Some((before, behind)) = rest.split_once(CALL) {
        let (call, behind) = behind.split_once(END).unwrap();
        let call_of: Value = serde_json::from_str(call).unwrap_or_else(|error| panic!("{error}: {call}"));
        let tool = call_of["name"].as_str().unwrap();
        let reply = client.answer(tool, arguments(&call_of["arguments"])).await;
        let (between, behind) = behind.split_once(REPLY).unwrap();
        let (_, behind) = behind.split_once(END).unwrap();
        let shown = serde_json::to_string_pretty(&reply.value).unwrap();
        text += &[before, CALL, call, END, between, REPLY, &shown, END].concat();
        (rest, calls) = (behind, calls + 1);
    }
    (text + rest, calls)
}

#[test]
fn the_guides_dialogues_are_true() {
    let guide = std::fs::read_to_string(GUIDE).unwrap();
    Client::run(Path::new(PROJECT), async |client| {
        let (text, calls) = answered(&guide, client).await;
        assert!(calls >= 6, "{calls} calls");
        if std::env::var_os(OVERWRITE).is_some() {
            std::fs::write(GUIDE, text).unwrap();
        } else {
            assert_eq!(text, guide, "`{OVERWRITE}=1` writes the replies");
        }
    });
}
