//! A client that writes any line, and reads the replies one by one.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

pub(super) struct Raw {
    server: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
}

impl Raw {
    /// Starts a server, which is initialized.
    pub(super) fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[])
    }

    pub(super) fn start_with(folder: &Path, variables: &[(&str, &OsStr)]) -> Self {
        let mut raw = Self::open(folder, variables);
        raw.initialize();
        raw
    }

    /// Begins the session.
    pub(super) fn initialize(&mut self) {
        self.send(
            r#"{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#,
        );
        assert_eq!(self.reply()["result"]["serverInfo"]["name"], "autotune");
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    /// Starts a server that has got no message.
    pub(super) fn open(folder: &Path, variables: &[(&str, &OsStr)]) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("autotune"));
        command.arg("mcp").current_dir(folder).envs(super::isolated()).envs(variables.iter().copied());
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (input, output) = (server.stdin.take(), server.stdout.take().map(BufReader::new));
        Self { server, input, output }
    }

    pub(super) fn send(&mut self, line: &str) {
        self.write(line.as_bytes());
        self.write(b"\n");
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub(super) fn reply(&mut self) -> Value {
        let mut line = String::new();
        self.output.as_mut().unwrap().read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// The text of the reply to a call, which is its JSON, and true if it is an error.
    pub(super) fn called(&mut self, tool: &str, arguments: &Value) -> (Value, bool) {
        let call = serde_json::json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments },
        });
        self.send(&call.to_string());
        let reply = self.reply();
        let text = reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{reply}"));
        (serde_json::from_str(text).unwrap(), reply["result"]["isError"] == true)
    }

    /// The memory that the server has in use, in KiB.
    pub(super) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Closes both pipes, as the end of the client's process does.
    pub(super) fn close(&mut self) {
        self.input = None;
        self.output = None;
    }

    pub(super) fn kill(&mut self) {
        self.server.kill().unwrap();
    }

    pub(super) fn has_ended(&mut self) -> bool {
        self.server.try_wait().unwrap().is_some()
    }

    /// Closes standard input; the exit status and standard error.
    pub(super) fn end(mut self) -> (i32, String) {
        self.input = None;
        let mut said = String::new();
        std::io::Read::read_to_string(&mut self.server.stderr.take().unwrap(), &mut said).unwrap();
        (self.server.wait().unwrap().code().unwrap(), said)
    }
}
