//! The tools: their names, their descriptions, and their replies.

mod check;
mod evaluate;
mod explain;
mod gpus;
mod inspect;

use std::sync::Arc;

use rmcp::model::{Tool as ProtocolTool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::arguments::{KernelArguments, NoKernel, ReplyArguments, read, schema};
use super::call::{CallContext, Context, Progress};
use super::question::Asked;
use super::refusal::Refusal;
use super::reply::{Reply, refused};

/// A tool of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// Errors and warnings.
    Check,
    /// Counts what each line executes.
    Inspect,
    /// The fastest configurations.
    Evaluate,
    /// Shows where the time of a configuration goes.
    Explain,
    /// The GPUs.
    Gpus,
}

/// The arguments of a tool that has none of its own.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct NoArguments {}

impl Tool {
    /// All tools, in the order of their list.
    pub(super) const ALL: [Self; 5] = [Self::Check, Self::Inspect, Self::Evaluate, Self::Explain, Self::Gpus];

    /// The name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Inspect => "inspect",
            Self::Evaluate => "evaluate",
            Self::Explain => "explain",
            Self::Gpus => "gpus",
        }
    }

    /// The tool of a name; `None` if there is none.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// The tool as the protocol lists it.
    pub(super) fn described(self) -> ProtocolTool {
        let (description, schema) = match self {
            Self::Check => (check::DESCRIPTION, schema::<KernelArguments, NoArguments>()),
            Self::Inspect => (inspect::DESCRIPTION, schema::<KernelArguments, NoArguments>()),
            Self::Evaluate => (evaluate::DESCRIPTION, schema::<KernelArguments, evaluate::Arguments>()),
            Self::Explain => (explain::DESCRIPTION, schema::<KernelArguments, NoArguments>()),
            Self::Gpus => (gpus::DESCRIPTION, schema::<NoKernel, gpus::Arguments>()),
        };
        let annotations = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
        ProtocolTool::new(self.name(), description, Arc::new(schema)).with_annotations(annotations)
    }

    /// The text of a call's reply, and true if it is an error.
    pub(super) fn reply(self, given: &Map<String, Value>, context: &Context, call: &mut CallContext) -> (String, bool) {
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
            Self::Gpus => {
                let read = read::<NoKernel, gpus::Arguments>(self.name(), given);
                texted(read.and_then(|(_, own, ReplyArguments { full })| gpus::reply(&own, full)))
            }
        }
    }

    /// The text of a reply about a kernel, without the paths of its texts.
    fn about_kernel<T: DeserializeOwned + JsonSchema>(
        self,
        given: &Map<String, Value>,
        context: &Context,
        answer: impl FnOnce(&Asked, T, bool) -> Result<Reply, Refusal>,
    ) -> (String, bool) {
        let (kernel, own, full) = match read::<KernelArguments, T>(self.name(), given) {
            Ok((kernel, own, ReplyArguments { full })) => (kernel, own, full),
            Err(refusal) => return texted(Err(refusal)),
        };
        match Asked::new(&kernel, &context.folder) {
            Ok(asked) => {
                let (text, is_error) = texted(answer(&asked, own, full));
                (asked.texts.map_or_else(|| text.clone(), |texts| texts.hidden(&text)), is_error)
            }
            Err(refusal) => texted(Err(refusal)),
        }
    }
}

fn texted(reply: Result<Reply, Refusal>) -> (String, bool) {
    match reply {
        Ok(reply) => (reply.text(), false),
        Err(refusal) => (refused(&refusal), true),
    }
}
