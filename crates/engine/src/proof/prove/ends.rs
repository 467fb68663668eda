//! The ends of runs that a search printed, compared with the native evaluator.

use typed_index_collections::TiVec;

use super::super::TuningError;
use super::super::candidates::Candidates;
use crate::model::Model;
use crate::proof::proved::Ends;
use crate::spin::pan_output::End;
use autotune_base::index::{CandidateId, SpinIndex};
use autotune_base::text::words;
use autotune_base::ticks::Ticks;

/// The bound, in ticks, before which all runs end.
pub(super) const NO_BOUND: Ticks = Ticks::new((1 << 60) - 1);

/// The ends of all runs of a model.
pub(super) struct ReadEnds {
    pub(super) counts: Ends,
    /// The candidates that ended in DONE before the bound valid at that moment, with their times in ticks, in the order
    /// of printing.
    pub(super) done: Vec<(CandidateId, Ticks)>,
}

/// The bound of a search.
#[derive(Debug, Clone, Copy)]
pub(super) enum MT {
    /// One bound for all runs, in ticks.
    Fixed(Ticks),
    /// A bound in ticks that each faster run lowers to its time.
    Falling(Ticks),
}

impl Candidates<'_> {
    /// Reads the ends of all runs of a model and checks that each configuration ends once: in DONE at its native time,
    /// or in CUT between the bound and that time.
    ///
    /// # Errors
    /// [`TuningError::NoProof`] for the first end that differs: a run that was cut too early would count as "not
    /// faster".
    pub(super) fn read_ends(&self, model: &Model, ends: &[End], mt: MT) -> Result<ReadEnds, TuningError> {
        let (mut bound, falls) = match mt {
            MT::Fixed(bound) => (bound, false),
            MT::Falling(bound) => (bound, true),
        };
        let mut has_ended = TiVec::<SpinIndex, _>::from(vec![false; model.candidates.len()]);
        let mut read = ReadEnds { counts: Ends::default(), done: Vec::new() };
        for end in ends {
            match has_ended.get_mut(end.configuration) {
                Some(ended) if !*ended => *ended = true,
                _ => {
                    let configuration = end.configuration;
                    return Err(TuningError::NoProof(format!(
                        "configuration {configuration} ends twice or does not exist"
                    )));
                }
            }
            let candidate = model.candidates[end.configuration];
            self.check_end(candidate, end, bound)?;
            let ticks = Ticks::from(end.ticks);
            if end.done && ticks < bound {
                read.done.push((candidate, ticks));
                read.counts.done += 1;
                bound = if falls { ticks } else { bound };
            } else {
                read.counts.cut += 1;
            }
        }
        if ends.len() == model.candidates.len() {
            return Ok(read);
        }
        let (all, ended) = (model.candidates.len(), ends.len());
        Err(TuningError::NoProof(format!("of {all} configurations SPIN chose only {ended}")))
    }

    fn check_end(&self, candidate: CandidateId, end: &End, bound: Ticks) -> Result<(), TuningError> {
        let (native, ticks) = (self.native(candidate), Ticks::from(end.ticks));
        let cut = |why: String| {
            let configuration = words::configuration(&self.label_of(candidate));
            Err(TuningError::NoProof(format!("{configuration} was cut at {ticks} ticks, {why}")))
        };
        if end.done {
            self.check_time(candidate, ticks)
        } else if ticks < bound {
            cut(if bound == NO_BOUND {
                "although there was no bound".to_owned()
            } else {
                format!("before MT = {bound}")
            })
        } else if ticks > native {
            cut(format!("although it ends at {native} by the evaluator"))
        } else {
            Ok(())
        }
    }
}
