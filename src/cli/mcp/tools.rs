//! The tools: their names, their descriptions, and their replies.

mod check;
mod diff;
mod evaluate;
mod explain;
mod gpus;
mod inspect;

use std::sync::Arc;

use rmcp::model::{Tool as ProtocolTool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::arguments::{KernelArguments, NoArguments, ProblemArguments, ReplyArguments, read, schema};
use super::call::{CallContext, Context, Progress};
use super::question::{Asked, TextRole};
use super::refusal::Refusal;
use super::reply::{Reply, refused};
use super::tool::Tool;

impl Tool {
    /// The tool as the protocol lists it.
    pub(super) fn described(self) -> ProtocolTool {
        let (description, arguments, replies) = match self {
            Self::Check => (check::DESCRIPTION, of_kernel::<NoArguments>(&[]), check::replies()),
            Self::Inspect => (inspect::DESCRIPTION, of_kernel::<NoArguments>(&["gpu"]), inspect::replies()),
            Self::Evaluate => (evaluate::DESCRIPTION, of_kernel::<evaluate::Arguments>(&["gpu"]), evaluate::replies()),
            Self::Explain => (explain::DESCRIPTION, of_kernel::<NoArguments>(&["gpu"]), explain::replies()),
            Self::Diff => (diff::DESCRIPTION, of_kernel::<diff::Arguments>(&["gpu", "old"]), diff::replies()),
            Self::Gpus => {
                (gpus::DESCRIPTION, schema::<NoArguments, NoArguments, gpus::Arguments>(&[]), gpus::replies())
            }
        };
        let annotations = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
        ProtocolTool::new(self.name(), description, Arc::new(arguments))
            .with_raw_output_schema(Arc::new(replies))
            .with_annotations(annotations)
    }

    /// The reply to a call, and true if it is an error.
    pub(super) fn reply(self, given: &Map<String, Value>, context: &Context, call: &mut CallContext) -> (Value, bool) {
        (call.tell)(Progress { what: "reading the question".to_owned(), percent: None });
        match self {
            Self::Check => self
                .about_kernel(given, context, |asked, _: NoArguments, full| check::reply(asked, context, call, full)),
            Self::Inspect => self
                .about_kernel(given, context, |asked, _: NoArguments, full| inspect::reply(asked, context, call, full)),
            Self::Evaluate => {
                self.about_kernel(given, context, |asked, own, full| evaluate::reply(asked, &own, context, call, full))
            }
            Self::Explain => self
                .about_kernel(given, context, |asked, _: NoArguments, full| explain::reply(asked, context, call, full)),
            Self::Diff => {
                self.about_kernel(given, context, |asked, own, full| diff::reply(asked, &own, context, call, full))
            }
            Self::Gpus => {
                let read = read::<NoArguments, NoArguments, gpus::Arguments>(self.name(), given);
                replied(read.and_then(|(.., own, ReplyArguments { full })| gpus::reply(&own, full)))
            }
        }
    }

    /// The reply about a kernel, without the paths of its texts.
    fn about_kernel<T: DeserializeOwned + JsonSchema>(
        self,
        given: &Map<String, Value>,
        context: &Context,
        answer: impl FnOnce(&Asked, T, bool) -> Result<Reply, Refusal>,
    ) -> (Value, bool) {
        let reply = || {
            let (kernel, problem, own, ReplyArguments { full }) =
                read::<KernelArguments, ProblemArguments, T>(self.name(), given)?;
            answer(&Asked::new(&kernel, &problem, TextRole::Kernel, &context.folder)?, own, full)
        };
        let (mut reply, is_error) = replied(reply());
        context.folder.hide(&mut reply);
        (reply, is_error)
    }
}

/// The schema of the arguments of a tool about a kernel.
fn of_kernel<T: JsonSchema>(required: &[&str]) -> Map<String, Value> {
    schema::<KernelArguments, ProblemArguments, T>(required)
}

fn replied(reply: Result<Reply, Refusal>) -> (Value, bool) {
    match reply {
        Ok(reply) => (reply.value(), false),
        Err(refusal) => (refused(&refusal), true),
    }
}
