//! The protocol's own client. Each reply is held against the schema of its tool.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, ContentBlock, ProgressNotificationParam,
    Tool,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RequestHandle, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Map, Value};
use tokio::process::{Child, Command};
use tokio::sync::Notify;

/// A client and the server that it started.
pub(super) struct Client {
    service: RunningService<RoleClient, Listener>,
    progressed: Arc<Notify>,
    server: Child,
    /// The schemas of the tools' replies.
    replies: HashMap<String, Value>,
}

/// The client's side of notices.
struct Listener(Arc<Notify>);

impl ClientHandler for Listener {
    async fn on_progress(&self, _: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.0.notify_one();
    }
}

/// The reply to a call.
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) value: Value,
    pub(super) is_error: bool,
}

impl Client {
    /// Runs a test against a server in a folder, and ends it.
    pub(super) fn run(folder: &Path, test: impl AsyncFnOnce(&Client)) {
        Self::run_with(folder, &[], test);
    }

    /// Runs a test against a server with further variables.
    pub(super) fn run_with(folder: &Path, variables: &[(&str, &OsStr)], test: impl AsyncFnOnce(&Client)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut command = Command::new(assert_cmd::cargo::cargo_bin("autotune"));
            command.arg("mcp").current_dir(folder).envs(super::isolated()).envs(variables.iter().copied());
            let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
            let pipes = (server.stdout.take().unwrap(), server.stdin.take().unwrap());
            let progressed = Arc::new(Notify::new());
            let service = Listener(Arc::clone(&progressed)).serve(pipes).await.unwrap();
            let tools = service.list_all_tools().await.unwrap().into_iter();
            let schema = |tool: Tool| (tool.name.into_owned(), Value::Object((*tool.output_schema.unwrap()).clone()));
            let client = Self { service, progressed, server, replies: tools.map(schema).collect() };
            test(&client).await;
            let Self { service, mut server, .. } = client;
            service.cancel().await.unwrap();
            assert_eq!(server.wait().await.unwrap().code(), Some(0), "the server ends with its client");
        });
    }

    /// The tools as the server lists them.
    pub(super) async fn tools(&self) -> Vec<Tool> {
        self.service.list_all_tools().await.unwrap()
    }

    pub(super) async fn call(&self, tool: &str, arguments: Map<String, Value>) -> Result<CallToolResult, String> {
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.service.call_tool(call).await.map_err(|error| error.to_string())
    }

    pub(super) async fn answer(&self, tool: &str, arguments: Map<String, Value>) -> Answer {
        let result = self.call(tool, arguments).await.unwrap();
        let [ContentBlock::Text(text)] = &result.content[..] else { panic!("{result:?} is not one text") };
        let value: Value = serde_json::from_str(&text.text).unwrap();
        let is_error = result.is_error == Some(true);
        let described = result.structured_content.as_ref();
        assert_eq!(described, Some(&value).filter(|_| !is_error), "{tool}: the text and its value are one");
        let schema = jsonschema::validator_for(&self.replies[tool]).unwrap();
        let fault = schema.validate(&value).err().filter(|_| !is_error).map(|fault| fault.to_string());
        assert_eq!(fault, None, "{tool}: {value:#}");
        Answer { text: text.text.clone(), value, is_error }
    }

    /// Starts a call that can be cancelled.
    pub(super) async fn start(&self, tool: &str, arguments: Map<String, Value>) -> RequestHandle<RoleClient> {
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(call));
        self.service.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap()
    }

    /// True once the server has told of a step; false if it does not within a minute.
    pub(super) async fn has_progressed(&self) -> bool {
        tokio::time::timeout(std::time::Duration::from_secs(60), self.progressed.notified()).await.is_ok()
    }
}
