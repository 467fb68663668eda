//! The journal of a measurement.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::pick::Pick;
use super::request::{MeasureInputs, MeasureRequest};
use super::state::MeasureState;
use crate::result::{MeasureEnd, MeasuredRunReport};
use crate::session::SessionError;
use crate::session::journal::{FILE, JournalError, JournalFile};
use autotune_base::text::json;
use autotune_base::text::words::printable;

/// The schema that this program writes and reads.
const SCHEMA: &str = "autotune.measure-journal/2";
/// The work, and its first event.
const WORK: &str = "measurement";

/// An event.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
enum Event<'a> {
    /// The first event: what the runs depend on.
    Measurement { schema: String, inputs: Box<MeasureInputs> },
    /// The next configurations.
    Chosen { picks: Vec<Pick> },
    /// The check of a pick has succeeded.
    Verified { pick: usize },
    /// A run of a pick has ended.
    Ended { pick: usize, run: Cow<'a, MeasuredRunReport> },
    /// Nothing more is measured, for this reason.
    Stopped { why: MeasureEnd },
}

/// The journal of a measurement, which this process writes.
#[derive(Debug)]
pub(super) struct MeasureJournal(JournalFile);

impl MeasureJournal {
    /// Starts a journal in a folder, or continues the existing one if `resume` is true. Returns what it says, and the
    /// bytes of a torn last line that were cut off.
    pub(super) fn open(
        folder: &Path,
        request: &MeasureRequest,
        resume: bool,
    ) -> Result<(Self, MeasureState, u64), JournalError> {
        let file = JournalFile::open(&folder.join(FILE), WORK)?;
        let (mut state, mut is_begun) = (MeasureState::default(), false);
        let torn = file.read(resume, |event, _| {
            let event = json::of_bytes(event).map_err(|error| error.to_string())?;
            let is_first = matches!(event, Event::Measurement { .. });
            if is_first == std::mem::replace(&mut is_begun, true) {
                return Err("a journal begins with its inputs, once".to_owned());
            }
            add(event, &mut state, request)
        })?;
        if !is_begun {
            file.begin(&Event::Measurement { schema: SCHEMA.to_owned(), inputs: Box::new(request.inputs.clone()) })?;
        }
        Ok((Self(file), state, torn))
    }

    pub(super) fn chosen(&self, picks: &[Pick]) -> Result<(), SessionError> {
        self.written(&Event::Chosen { picks: picks.to_vec() })
    }

    pub(super) fn verified(&self, pick: usize) -> Result<(), SessionError> {
        self.written(&Event::Verified { pick })
    }

    pub(super) fn ended(&self, pick: usize, run: &MeasuredRunReport) -> Result<(), SessionError> {
        self.written(&Event::Ended { pick, run: Cow::Borrowed(run) })
    }

    pub(super) fn stopped(&self, why: MeasureEnd) -> Result<(), SessionError> {
        self.written(&Event::Stopped { why })
    }

    fn written(&self, event: &Event) -> Result<(), SessionError> {
        let lost = |why: io::Error| SessionError::JournalLost { work: WORK, path: self.0.path().to_owned(), why };
        self.0.append(event).map(|_| ()).map_err(lost)
    }
}

/// Adds an event to a state; returns the difference of its inputs from those of now, or `None`.
fn add(event: Event, state: &mut MeasureState, now: &MeasureRequest) -> Result<Option<String>, String> {
    let is_known = |state: &MeasureState, pick: usize| {
        if pick < state.picks.len() { Ok(()) } else { Err("its pick was not chosen".to_owned()) }
    };
    match event {
        Event::Measurement { schema, .. } if schema != SCHEMA => {
            return Err(format!("its schema is {schema}, but this version reads {SCHEMA}"));
        }
        Event::Measurement { inputs, .. } => return Ok(now.difference(&inputs)),
        Event::Chosen { picks } => state.choose(picks),
        Event::Stopped { why } => state.stop(why),
        Event::Verified { pick } => {
            is_known(state, pick)?;
            state.verified.insert(pick);
        }
        Event::Ended { pick, run } => {
            is_known(state, pick)?;
            if let Some(contradiction) = state.contradictions(pick, &run).into_iter().next() {
                return Err(printable(&contradiction));
            }
            state.add(pick, run.into_owned());
        }
    }
    Ok(None)
}
