//! `autotune mcp`: a server of the Model Context Protocol on standard input and output, for programs that write kernels.
//!
//! ```text
//! transport ─▶ server ─▶ a thread for each call: tools ─▶ question (within the folder) ─▶ the commands' own answers
//!     ▲                                                                                          │
//!     └──────────────────── reply: what decides, in at most 4 KB ◀───────────────────────────────┘
//! ```
//!
//! The protocol is spoken by the crate `rmcp`, on a runtime that lives in [`run`] alone. A new tool is a file in
//! `mcp/tools` and a variant of [`tool::Tool`].

mod advice;
mod arguments;
mod call;
mod confined;
mod message;
mod output;
mod proposals;
mod question;
mod refusal;
mod reply;
mod server;
mod tool;
mod tools;
mod transport;

use std::io;
use std::time::Duration;

use rmcp::serve_server;
use rmcp::service::QuitReason;

use super::failure::Failure;
use super::{Status, arguments as command_line};
use autotune_kernel::source::Tools;
use confined::Confined;
use server::Server;
use transport::Lines;

/// The longest wait for calls that are stopped because the client is gone.
const LAST_CALLS: Duration = Duration::from_secs(5);

/// Serves until standard input ends.
pub(super) fn run(request: &command_line::Mcp) -> Result<Status, Failure> {
    let folder = Confined::new(&std::env::current_dir()?)?;
    let tools = Tools { trusts_python: request.trust_python, ..Tools::from(&request.tools) };
    let server = Server::new(folder, tools);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let calls = server.calls();
    let ended = runtime.block_on(async {
        let lines = Lines::open(calls.clone())?;
        let running = serve_server(server, lines).await.map_err(|why| io::Error::other(why.to_string()))?;
        running.waiting().await.map_err(io::Error::other)
    });
    calls.stop(LAST_CALLS);
    runtime.shutdown_background();
    match ended {
        Ok(QuitReason::JoinError(why)) => Err(io::Error::other(why).into()),
        Ok(_) => Ok(Status::Success),
        Err(why) => Err(Failure::Protocol(why)),
    }
}
