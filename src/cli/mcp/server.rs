//! The protocol's server: a thread for each call, its progress and its cancellation.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    ErrorData, Implementation, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProgressToken,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};

use super::call::{CallContext, Context, Progress};
use super::confined::Confined;
use super::message::fault_of_call;
use super::tool::Tool;
use autotune_base::limits::Interrupt;
use autotune_kernel::source::Tools;

/// The stack of a call's thread: deeply nested specs need more than the usual one.
const STACK: usize = 16 << 20;
/// The least time between two notices of progress.
const BETWEEN: Duration = Duration::from_millis(100);

/// Words about the server for the program that uses it.
const INSTRUCTIONS: &str = "autotune says what a GPU kernel costs and which launch parameters are fastest, without a GPU. \
    Give a kernel as `path` or `text`: a spec (YAML), or a source (OpenCL, CUDA, HIP) with `source` for its parameters and \
    its launch. `check` finds errors, `evaluate` ranks all configurations, `explain` says where the time of one goes, \
    `inspect` counts what each line executes, `diff` says what a change does, `gpus` lists the GPUs. Answers have what decides in 4 KB, with `next`, the one \
    change that the numbers suggest, or null; `full: true` gives all.";

/// The server's state, shared by its calls.
pub(super) struct Server {
    context: Arc<Context>,
    calls: Calls,
    /// A permit for each call that may run at a time.
    permits: Arc<Semaphore>,
}

/// The running calls.
#[derive(Debug, Clone, Default)]
pub(super) struct Calls(Arc<Running>);

#[derive(Debug, Default)]
struct Running {
    last: AtomicU64,
    interrupts: Mutex<HashMap<u64, Interrupt>>,
}

/// A running call. It ends when this value is dropped.
struct Call {
    calls: Calls,
    number: u64,
    interrupt: Interrupt,
    _permit: OwnedSemaphorePermit,
}

impl Calls {
    /// Interrupts all calls, and ends their processes at once.
    pub(super) fn interrupt(&self) {
        for interrupt in self.interrupts().values() {
            interrupt.raise();
            interrupt.raise();
        }
    }

    /// Interrupts all calls, and waits for their ends, at most for this time.
    pub(super) fn stop(&self, longest: Duration) {
        self.interrupt();
        let begin = Instant::now();
        while !self.interrupts().is_empty() && begin.elapsed() < longest {
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn interrupts(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Interrupt>> {
        self.0.interrupts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, permit: OwnedSemaphorePermit) -> Call {
        let (number, interrupt) = (self.0.last.fetch_add(1, Ordering::Relaxed), Interrupt::default());
        self.interrupts().insert(number, interrupt.clone());
        Call { calls: self.clone(), number, interrupt, _permit: permit }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.calls.interrupts().remove(&self.number);
    }
}

impl Server {
    /// The server of a folder, whose sources these tools read.
    pub(super) fn new(folder: Confined, tools: Tools) -> Self {
        let at_a_time = thread::available_parallelism().map_or(2, |processors| processors.get().max(2));
        Self {
            context: Arc::new(Context::new(folder, tools)),
            calls: Calls::default(),
            permits: Arc::new(Semaphore::new(at_a_time)),
        }
    }

    /// The running calls.
    pub(super) fn calls(&self) -> Calls {
        self.calls.clone()
    }

    /// Answers a call in a thread of its own.
    async fn answer(
        &self,
        tool: Tool,
        arguments: Map<String, Value>,
        request: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let permit = tokio::select! {
            permit = Arc::clone(&self.permits).acquire_owned() => permit,
            () = request.ct.cancelled() => return Err(cancelled()),
        };
        let call = self.calls.begin(permit.map_err(|why| ErrorData::internal_error(why.to_string(), None))?);
        let interrupt = call.interrupt.clone();
        let (context, (progress, mut steps)) = (Arc::clone(&self.context), watch::channel(None));
        let (sender, mut answered) = oneshot::channel();
        let run = move || {
            let tell = &mut |step| _ = progress.send(Some(step));
            let reply = tool.reply(&arguments, &context, &mut CallContext { interrupt: &call.interrupt, tell });
            // Nobody waits for the reply to a cancelled call.
            let _ = sender.send(reply);
        };
        let started = thread::Builder::new().name(tool.name().to_owned()).stack_size(STACK).spawn(run);
        started.map_err(|why| ErrorData::internal_error(format!("no thread can be started: {why}"), None))?;
        let (token, mut number, mut not_before) = (request.meta.get_progress_token(), 0, Instant::now());
        loop {
            tokio::select! {
                reply = &mut answered => return reply.map(result).map_err(|_| failed(tool)),
                () = request.ct.cancelled() => {
                    interrupt.raise();
                    interrupt.raise();
                    return Err(cancelled());
                }
                Some(step) = next_step(&mut steps, not_before), if token.is_some() => {
                    number += 1;
                    not_before = Instant::now() + BETWEEN;
                    if let Some(token) = &token {
                        notify(request, token, number, step).await;
                    }
                }
            }
        }
    }
}

/// The newest step, once the client may be told of one; `None` if the call has ended.
async fn next_step(steps: &mut watch::Receiver<Option<Progress>>, not_before: Instant) -> Option<Progress> {
    tokio::time::sleep_until(not_before.into()).await;
    steps.changed().await.ok()?;
    steps.borrow_and_update().clone()
}

/// Tells the client of a step. The protocol wants numbers that grow, and a call's steps are not known before: they are
/// numbered.
async fn notify(request: &RequestContext<RoleServer>, token: &ProgressToken, number: u32, step: Progress) {
    let Progress { what, percent } = step;
    let what = percent.map_or_else(|| what.clone(), |percent| format!("{what}: {percent} %"));
    let notice = ProgressNotificationParam::new(token.clone(), number.into()).with_message(what);
    // A client that is gone is noticed elsewhere.
    let _ = request.peer.notify_progress(notice).await;
}

fn cancelled() -> ErrorData {
    ErrorData::new(ErrorCode::INVALID_REQUEST, "the request was cancelled", None)
}

fn failed(tool: Tool) -> ErrorData {
    ErrorData::internal_error(format!("`{}` failed; please report it", tool.name()), None)
}

/// The result of a reply: its text, and beside it the value that the tool's schema describes. An error is not described by
/// that, so that it is a text alone.
fn result((reply, is_error): (Value, bool)) -> CallToolResult {
    if is_error {
        CallToolResult::error(vec![ContentBlock::text(reply.to_string())])
    } else {
        CallToolResult::structured(reply)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("autotune", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(Tool::ALL.iter().map(|tool| tool.described()).collect()))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        request: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = Tool::named(&call.name).ok_or_else(|| {
            let names: Vec<&str> = Tool::ALL.iter().map(|tool| tool.name()).collect();
            let fault =
                format!("there is no tool `{}`; the tools are `{}`", call.name.escape_debug(), names.join("`, `"));
            ErrorData::invalid_params(fault, None)
        })?;
        Ok(self.answer(tool, call.arguments.unwrap_or_default(), &request).await?.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let CustomRequest { method, params, .. } = request;
        if method == "tools/call" {
            let fault = fault_of_call(params.as_ref());
            let fault = fault.unwrap_or_else(|| "the parameters of `tools/call` cannot be read".to_owned());
            return Err(ErrorData::invalid_params(fault, None));
        }
        let fault = format!("there is no method `{}`, or it has other parameters", method.escape_debug());
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, fault, None))
    }
}
