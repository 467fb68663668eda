//! `autotune suggest --serve`: requests and replies, a line of JSON each.

use std::collections::BTreeMap;
use std::io;

use super::super::failure::Failure;
use super::super::request_lines::RequestLine;
use super::super::{Status, output};
use crate::measuring::CorrectedSpace;
use crate::result::{
    ErrorReport, RankedReport, ServeReply, ServeRequest, ServedSpace, SuggestReport, SuggestionQuestion, ToldReport,
};
use autotune_engine::compare::measured::MeasuredRun;
use autotune_lowering::spec::Configuration;

/// The most bytes of a request, without the end of its line.
const LONGEST_REQUEST: usize = 1 << 20;
/// The most configurations of a request.
const MOST: usize = 1000;

/// Answers requests until standard input ends.
pub(super) fn run(question: &SuggestionQuestion, mut space: CorrectedSpace) -> Result<Status, Failure> {
    let mut input = io::stdin().lock();
    reply(&ServeReply::Space(ServedSpace::new(question, &space)))?;
    while let Some(line) = RequestLine::read(&mut input, LONGEST_REQUEST)? {
        let answer = match line {
            RequestLine::TooLong { .. } => {
                refusal(format!("a request has at most {LONGEST_REQUEST} bytes"), Some(FORMS))
            }
            RequestLine::Whole(line) if line.trim_ascii().is_empty() => continue,
            RequestLine::Whole(line) => match serde_json::from_slice(&line) {
                Ok(request) => answer(question, &mut space, request)?,
                Err(error) => refusal(format!("the line is not a request: {error}"), Some(FORMS)),
            },
        };
        reply(&answer)?;
    }
    Ok(Status::Success)
}

const FORMS: &str = "a request is {\"request\": \"next\", \"count\": 1}, \
                     {\"request\": \"tell\", \"parameters\": {...}, \"time\": 1.5} or {\"request\": \"ranked\"}";

fn answer(
    question: &SuggestionQuestion,
    space: &mut CorrectedSpace,
    request: ServeRequest,
) -> Result<ServeReply, Failure> {
    Ok(match request {
        ServeRequest::Next { count } => match count.unwrap_or(1) {
            count @ 1..=MOST => ServeReply::Next(SuggestReport::new(question, space.advise(count, question.until))),
            count => refusal(format!("`count` is {count}, not from 1 to {MOST}"), None),
        },
        ServeRequest::Ranked { count } => {
            ServeReply::Ranked(RankedReport::new(question, space, count.unwrap_or(usize::MAX)))
        }
        ServeRequest::Tell { parameters, time } => match configuration(question, &parameters) {
            Err(error) => refusal(error, None),
            Ok(_) if time.is_some_and(|time| time <= 0.0) => {
                refusal("`time` is not above 0".to_owned(), Some("the time of a run that failed is null"))
            }
            Ok(configuration) => {
                let refused = space.tell(&[MeasuredRun { configuration, milliseconds: time }])?;
                ServeReply::Told(ToldReport::new(refused.into_iter().next()))
            }
        },
    })
}

/// The configuration that has a value for every parameter, and for nothing else.
fn configuration(question: &SuggestionQuestion, parameters: &BTreeMap<String, i64>) -> Result<Configuration, String> {
    let known = &question.spec.parameters;
    if let Some(name) = parameters.keys().find(|name| known.iter().all(|parameter| parameter.name != **name)) {
        return Err(format!("the spec has no parameter `{}`", name.escape_debug()));
    }
    let value = |name: &String| parameters.get(name).copied().ok_or_else(|| format!("`{name}` has no value"));
    known.iter().map(|parameter| value(&parameter.name)).collect::<Result<_, _>>().map(Configuration)
}

fn refusal(error: String, help: Option<&str>) -> ServeReply {
    ServeReply::Error(ErrorReport { error, help: help.map(str::to_owned) })
}

fn reply(reply: &ServeReply) -> Result<(), Failure> {
    let line = serde_json::to_string(reply).map_err(io::Error::from)?;
    output::text(&(line + "\n"))
}
