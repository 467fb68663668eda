//! Messages on standard input and output, a line each.
//!
//! A thread reads the lines, so that the runtime needs no driver of its own. A line that is not a message is answered
//! here, with its fault; `rmcp` would say nothing of it.

use std::collections::HashSet;
use std::future::{Future, ready};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, GetMeta, ProtocolVersion, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::{Notify, mpsc};

use super::message::{LONGEST, message, reply};
use super::server::Calls;
use crate::cli::request_lines::RequestLine;

/// The most lines that are read ahead.
const AHEAD: usize = 4;
/// The most requests without a reply.
const MOST_OPEN: usize = 64;

/// The protocol's transport.
pub(super) struct Lines {
    input: mpsc::Receiver<RequestLine>,
    output: Arc<Output>,
    calls: Calls,
    /// True once a request has begun the session.
    is_begun: bool,
}

/// Standard output, and the requests that wait for their reply there.
#[derive(Default)]
struct Output {
    open: Mutex<HashSet<RequestId>>,
    /// The event that nobody reads the output.
    closed: Notify,
}

impl Lines {
    /// Starts to read standard input.
    ///
    /// # Errors
    /// If no thread can be started.
    pub(super) fn open(calls: Calls) -> io::Result<Self> {
        let (sender, received) = mpsc::channel(AHEAD);
        let read = move || {
            let mut input = io::stdin().lock();
            while let Ok(Some(line)) = RequestLine::read(&mut input, LONGEST) {
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("requests".to_owned()).spawn(read)?;
        Ok(Self { input: received, output: Arc::default(), calls, is_begun: false })
    }

    /// The message of a line; `None` if the line was answered here, is empty, or is what no session has asked for yet:
    /// `rmcp` would end at that.
    fn taken(&mut self, line: &RequestLine) -> Option<ClientJsonRpcMessage> {
        let taken = match message(line) {
            Ok(taken) => taken?,
            Err(reply) => {
                self.output.write(&reply);
                return None;
            }
        };
        match &taken {
            ClientJsonRpcMessage::Request(request) => {
                if let Err(refusal) = self.output.begin(&request.id) {
                    self.output.write(&refusal);
                    return None;
                }
                self.is_begun |= begins(&request.request);
            }
            _ if !self.is_begun => return None,
            ClientJsonRpcMessage::Notification(notification) => {
                // A cancelled request gets no reply.
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.output.end(id);
                }
            }
            _ => {}
        }
        Some(taken)
    }
}

/// True if a request begins a session: `initialize`, or in the versions without that, a request that says all of itself.
fn begins(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => {
            let meta = other.get_meta();
            let is_known = |version| ProtocolVersion::KNOWN_VERSIONS.contains(&version);
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && meta.protocol_version().is_some_and(is_known)
        }
    }
}

impl Output {
    /// Notes a request; the reply if there are too many, or if its id is taken.
    fn begin(&self, id: &RequestId) -> Result<(), Box<ServerJsonRpcMessage>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = if open.contains(id) {
            format!("the id {id} is that of a request without a reply; give each request its own")
        } else if open.len() >= MOST_OPEN {
            format!("{MOST_OPEN} requests have no reply yet; send this one again when one of them has")
        } else {
            open.insert(id.clone());
            return Ok(());
        };
        Err(reply(ErrorData::invalid_request(fault, None), Some(id.clone())))
    }

    fn end(&self, id: &RequestId) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    fn write(&self, message: &ServerJsonRpcMessage) {
        let written = written(message).map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            let mut output = io::stdout().lock();
            output.write_all(&line).and_then(|()| output.flush())
        });
        if written.is_err() {
            self.closed.notify_one();
        }
    }
}

/// The line of a message. JSON-RPC wants `"id": null` in the reply to a request whose id is not known, which `rmcp` leaves out.
fn written(message: &ServerJsonRpcMessage) -> serde_json::Result<Vec<u8>> {
    if !matches!(message, ServerJsonRpcMessage::Error(error) if error.id.is_none()) {
        return serde_json::to_vec(message);
    }
    let mut message = serde_json::to_value(message)?;
    if let Value::Object(message) = &mut message {
        message.entry("id").or_insert(Value::Null);
    }
    serde_json::to_vec(&message)
}

/// True if nobody reads standard output any more.
fn is_closed() -> bool {
    let stdout = io::stdout();
    let mut output = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
    poll(&mut output, PollTimeout::ZERO).is_ok()
        && output[0].revents().is_some_and(|found| found.intersects(PollFlags::POLLERR | PollFlags::POLLNVAL))
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        match &message {
            ServerJsonRpcMessage::Response(response) => self.output.end(&response.id),
            ServerJsonRpcMessage::Error(error) => _ = error.id.as_ref().map(|id| self.output.end(id)),
            _ => {}
        }
        self.output.write(&message);
        ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let output = Arc::clone(&self.output);
        loop {
            let line = tokio::select! {
                line = self.input.recv() => line,
                () = output.closed.notified() => None,
            };
            let Some(line) = line else {
                // Calls whose replies somebody still reads are answered.
                if is_closed() {
                    self.calls.interrupt();
                }
                return None;
            };
            if let Some(message) = self.taken(&line) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
