//! The session: the answers to questions, one by one or in batches, from a spec and a GPU to a result.
//!
//! A [`Session`] holds SPIN, the C compiler, the reader of kernels' sources, the caches and the request to stop.
//! [`Session::prove`] answers one question, and [`batch`] answers many.

pub mod batch;
mod difference;
mod error;
mod fleet;
mod folder;
pub(crate) mod inputs;
pub(crate) mod journal;
mod known;
mod ladders;
mod request;
mod revision;
mod scenarios;
mod size_table;
mod stated;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::certificate::{self, KeptInputs};
use crate::doubts::contradictions;
use crate::result::{
    AnalysisReport, CostReport, FleetVerificationReport, Listing, Report, SensitivityReport, TuningParts, Verdict,
    VerificationReport,
};
use autotune_base::files::cache::{Cache, CacheError};
use autotune_base::files::scratch::Scratch;
use autotune_base::files::secret::{Secret, SecretError};
use autotune_base::limits::{Interrupt, Limits};
use autotune_base::user_error::ExitStatus;
use autotune_engine::compare::cross_check::cross_check;
use autotune_engine::compare::near::{self, Near};
use autotune_engine::compare::sensitivity::sensitivity;
use autotune_engine::explain::{ExecutedSource, NextChange};
use autotune_engine::proof;
use autotune_engine::proof::{Answer, Event, Observer, ProofContext, Question, Schedules, StopReason, TuningError};
use autotune_engine::schedules::{ScheduleProof, prove_schedules};
use autotune_engine::spin::{Missing, Record, Settings, ToolError, ToolPaths, Toolchain};
use autotune_kernel::source::{SourceReader, Tools};
use autotune_lowering::space::Survey;
use batch::NO_CHECKER;
use folder::Folder;
use known::{Known, KnownFleet};

pub use difference::{DifferenceRequest, OldKernel, OldText, differ};
pub use error::SessionError;
pub use fleet::ScenarioInputs;
pub use inputs::{Inputs, Named};
pub(crate) use inputs::{in_space, set_sizes, set_warm};
pub use journal::{JournalError, JournalLine};
pub use ladders::{Ladder, LadderFile, LadderStep, LaddersError};
pub use request::Request;
pub use revision::RevisionText;
pub use revision::error::RevisionError;
pub use scenarios::{ListedScenario, MOST_SCENARIOS, ScenariosError, read_scenarios};
pub use size_table::{SizeTableError, SizeTableMaker, SizeTableRequest};
pub use stated::{is_commented, kernel_of_file, spec_of_source, spec_within};

/// Everything that one run of the tool needs to answer questions.
pub struct Session {
    /// SPIN and the compilers, or what is not installed of them: nothing is proved then.
    pub toolchain: Result<Toolchain, Missing>,
    /// The request to stop.
    pub interrupt: Interrupt,
    /// The reader of kernels' sources for [`Inputs::read`]: it starts clang.
    pub reader: SourceReader,
    /// Compiled checkers: the user's cache, or a folder of this session.
    checkers: Cache,
    /// Finished proofs; `None` if they may not be used.
    proofs: Option<Cache>,
    /// The reason why the user's cache cannot be used, until a note has said it; `None` if there is none.
    unusable: Mutex<Option<SecretError>>,
    /// A receiver of remarks that change no result.
    note: Box<dyn Fn(&str) + Send + Sync>,
    /// The folder of compiled checkers where the user's cache is not used.
    _scratch: Scratch,
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Session").field("toolchain", &self.toolchain).finish_non_exhaustive()
    }
}

/// A result, and the end of keeping its proof.
#[derive(Debug)]
pub struct Outcome {
    /// The result.
    pub report: Report,
    /// The failure of keeping the proof where [`Request::keep`] asks for it: the result stands all the same.
    pub kept: Result<(), SessionError>,
}

impl Session {
    /// Opens a session with the tools that the environment names (`AUTOTUNE_SPIN`, `AUTOTUNE_CC`, `PATH`) and the user's
    /// cache. Without SPIN or a C compiler, the session's answers are the native evaluator's, and not proved. Without the secret that signs the cache's entries, the session does not use the cache, and a note says so.
    ///
    /// # Errors
    /// If a tool is unusable, temporary files cannot be made, or others may write to the cache.
    pub fn open() -> Result<Self, SessionError> {
        match Cache::of_user() {
            Ok(cache) => Self::with(cache, None),
            Err(CacheError::Exposed(why)) => Err(SessionError::UnsafeCache(why)),
            Err(CacheError::Secret(why)) => Self::with(None, Some(why)),
        }
    }

    /// Opens a session that neither uses nor keeps anything of the user's cache.
    ///
    /// # Errors
    /// If a tool is unusable, or temporary files cannot be made.
    pub fn without_cache() -> Result<Self, SessionError> {
        Self::with(None, None)
    }

    fn with(proofs: Option<Cache>, unusable: Option<SecretError>) -> Result<Self, SessionError> {
        // A folder for temporary files is needed before any program can run.
        let scratch = Scratch::new()?;
        let toolchain = match Toolchain::find(&ToolPaths::of_environment(), proofs.as_ref()) {
            Ok(toolchain) => Ok(toolchain),
            Err(ToolError::Missing(missing)) => Err(missing),
            Err(unusable) => return Err(unusable.into()),
        };
        // Without the user's cache, models with equal texts still share a checker.
        let checkers = proofs.clone().unwrap_or_else(|| own_cache(&scratch));
        let reader = SourceReader::new(Tools { no_cache: proofs.is_none(), ..Tools::default() });
        let note = Box::new(|text: &str| tracing::info!(target: "note", "{text}"));
        let (interrupt, unusable) = (Interrupt::default(), unusable.into());
        Ok(Self { toolchain, interrupt, reader, checkers, proofs, unusable, note, _scratch: scratch })
    }

    /// Returns the session with another receiver of remarks that change no result.
    #[must_use]
    pub fn noting(self, note: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { note: Box::new(note), ..self }
    }

    /// Returns the session with a request to stop that others may raise, which its reader heeds too.
    #[must_use]
    pub fn interrupted_by(self, interrupt: Interrupt) -> Self {
        Self { reader: self.reader.interrupted_by(interrupt.clone()), interrupt, ..self }
    }

    /// Returns the session with another reader of kernels' sources than the one that asks the user's usual tools. The
    /// reader's tools say for themselves whether they use the cache, and what interrupts them.
    #[must_use]
    pub fn reading_with(self, reader: SourceReader) -> Self {
        Self { reader, ..self }
    }

    /// SPIN and the compilers.
    ///
    /// # Errors
    /// If one of them is not installed.
    pub fn tools(&self) -> Result<&Toolchain, SessionError> {
        self.toolchain.as_ref().map_err(|missing| ToolError::Missing(missing.clone()).into())
    }

    /// The name and version of the model checker for journals: `none` if nothing can be proved.
    #[must_use]
    pub fn checker(&self) -> String {
        self.toolchain.as_ref().map_or_else(|_| NO_CHECKER.to_owned(), Toolchain::checker)
    }

    /// Proves the optimum of a question, or recalls its proof from the cache. Without SPIN or a C compiler, the answer is the
    /// native evaluator's.
    ///
    /// # Errors
    /// If no answer can be computed. Reaching a limit is not an error: the verdict says so. If the request asks for what only
    /// SPIN can give, and SPIN or a C compiler is not installed.
    pub fn prove(&self, inputs: &Inputs, request: &Request) -> Result<Outcome, SessionError> {
        self.prove_observed(inputs, request, None, &mut |_: Event| {})
    }

    /// Proves the optimum of a question, and shows each event to an observer. Searches that `record` has are not repeated.
    ///
    /// # Errors
    /// As [`Session::prove`].
    pub fn prove_observed(
        &self,
        inputs: &Inputs,
        request: &Request,
        record: Option<Arc<dyn Record>>,
        observe: Observer,
    ) -> Result<Outcome, SessionError> {
        let (mut answer, _) = self.answer(inputs, request, record, observe)?;
        answer.report.warnings = inputs.warnings();
        Ok(answer)
    }

    /// Proves again what a kept folder claims, from its inputs, and compares every file. A kernel's source is compiled
    /// again by `tools`; without tools, the compiler's outputs in the folder are believed, and the report says so. Nothing
    /// that the folder says enters a cache.
    ///
    /// # Errors
    /// If the folder is not a kept proof of this version, anything differs, or the proof cannot be repeated.
    pub fn verify(
        &self,
        folder: &Path,
        memory_mib: u64,
        tools: Option<Tools>,
        observe: Observer,
    ) -> Result<VerificationReport, SessionError> {
        let scratch = Scratch::new()?;
        let settings = self.settings_of_verification(memory_mib, &scratch)?;
        let tools = tools.map(|tools| Tools { interrupt: self.interrupt.clone(), no_cache: true, ..tools });
        Ok(certificate::verify(folder, &settings, tools.as_ref(), observe)?)
    }

    /// Proves again what a kept folder about several scenarios claims; as [`Session::verify`].
    ///
    /// # Errors
    /// As [`Session::verify`].
    pub fn verify_fleet(
        &self,
        folder: &Path,
        memory_mib: u64,
        tools: Option<Tools>,
        observe: Observer,
    ) -> Result<FleetVerificationReport, SessionError> {
        let scratch = Scratch::new()?;
        let settings = self.settings_of_verification(memory_mib, &scratch)?;
        let tools = tools.map(|tools| Tools { interrupt: self.interrupt.clone(), no_cache: true, ..tools });
        Ok(certificate::verify_fleet(folder, &settings, tools.as_ref(), observe)?)
    }

    /// The settings of a repetition: the checkers are made again, and no later proof uses them, so that a kept proof and
    /// others are not evidence for each other.
    fn settings_of_verification(&self, memory_mib: u64, scratch: &Scratch) -> Result<Settings, SessionError> {
        let request = Request { memory_mib, ..Request::default() };
        let settings = self.settings(self.tools()?, self.limits(&request), &request, None);
        Ok(Settings { cache: Some(own_cache(scratch)), replays_all: true, ..settings })
    }

    fn limits(&self, request: &Request) -> Limits {
        Limits { deadline: request.deadline(), interrupt: self.interrupt.clone(), allowance: None }
    }

    fn settings(
        &self,
        toolchain: &Toolchain,
        limits: Limits,
        request: &Request,
        record: Option<Arc<dyn Record>>,
    ) -> Settings {
        Settings {
            toolchain: toolchain.clone(),
            limits,
            memory_mib: request.memory_mib,
            cache: Some(self.checkers.clone()),
            record,
            replays_all: request.keep.is_some(),
        }
    }

    /// Answers a question. Beside the answer stands the survey of the space, if it was made.
    fn answer(
        &self,
        inputs: &Inputs,
        request: &Request,
        record: Option<Arc<dyn Record>>,
        observe: Observer,
    ) -> Result<(Outcome, Option<Survey>), SessionError> {
        self.tell_unusable();
        let limits = self.limits(request);
        let reader = inputs.reader.until(limits.deadline);
        let question = Question { reader: &reader, ..request.question(inputs) };
        near::check_preferences(&question, &limits)?;
        let toolchain = match &self.toolchain {
            Err(missing) if !request.needs_checker() => {
                let (report, survey) = evaluate(&question, &limits, missing, request, observe)?;
                return Ok((Outcome { report: request.leave_out(report), kept: Ok(()) }, survey));
            }
            _ => self.tools()?,
        };
        let folder = Folder::open(request.keep.as_deref())?;
        let settings = self.settings(toolchain, limits, request, record);
        let context = ProofContext { settings, folder: folder.path.clone() };
        let known = self.known(&question, toolchain, request);
        if let Some(report) = known.as_ref().and_then(|known| known.report(&question, &context.settings.limits)) {
            let report = request.leave_out(Report { cost: Some(CostReport::of_known()), ..report });
            return Ok((Outcome { report, kept: Ok(()) }, None));
        }
        let proved = prove(&question, &context, request, known.as_ref(), observe);
        let (report, survey) = proved.inspect_err(|_| {
            // The part of the proof that exists may show the reason; the failure itself is reported in any case.
            let _ = folder.keep();
        })?;
        if report.stopped.as_deref() == Some(StopReason::Disagreement.name()) && request.keep.is_none() {
            let rescued = folder.rescue()?;
            (self.note)(&format!("model, trails and outputs are kept in `{}`; please report them", rescued.display()));
        }
        let mut report = request.leave_out(report);
        let kept = KeptInputs { question: &question, profile: &inputs.profile_text, listing: request.listing };
        let kept = folder.seal_and_keep(kept, survey.as_ref(), &report);
        if let (Err(_), Some(cost)) = (&kept, &mut report.cost) {
            cost.artifacts = None;
        }
        Ok((Outcome { report, kept }, survey))
    }

    /// Says once that the user's cache cannot be used, and why.
    fn tell_unusable(&self) {
        if let Some(why) = self.unusable.lock().unwrap_or_else(PoisonError::into_inner).take() {
            (self.note)(&format!("the cache is not used, {why}; {}", why.help()));
        }
    }

    /// The place of a question in the cache of proofs; `None` if the cache is not used. A proof that is to be kept must
    /// be made, and a known result lists only the usual configurations.
    fn known(&self, question: &Question, toolchain: &Toolchain, request: &Request) -> Option<Known<'_>> {
        let may_be_known =
            request.keep.is_none() && request.schedules == Schedules::Fifo && request.listing == Listing::Searched;
        let proofs = self.proofs.clone().filter(|_| may_be_known)?;
        Some(Known::of(question, toolchain, proofs, &*self.note))
    }

    /// The place of an answer about several scenarios in the cache of proofs; `None` if the cache is not used, the proof is
    /// to be kept, or nothing can be proved.
    fn known_fleet(&self, questions: &[Question], weights: &[u32], request: &Request) -> Option<KnownFleet<'_>> {
        let proofs = self.proofs.clone().filter(|_| request.keep.is_none())?;
        let toolchain = self.toolchain.as_ref().ok()?;
        Some(KnownFleet::of(questions, weights, request.variants, toolchain, proofs, &*self.note))
    }
}

/// A cache in a temporary folder, whose entries nobody else can sign.
fn own_cache(scratch: &Scratch) -> Cache {
    Cache::new(scratch.path().to_owned(), Secret::random())
}

fn prove(
    question: &Question,
    context: &ProofContext,
    request: &Request,
    known: Option<&Known>,
    observe: Observer,
) -> Result<(Report, Option<Survey>), SessionError> {
    let answer = proof::tune(question, context, observe);
    if request.keep.is_some() {
        certificate::sweep(&context.folder)?;
    }
    let mut answer = answer?;
    let near = near::look(question, &answer)?;
    let schedules = prove_schedules(question, &mut answer, near.as_ref(), context, observe)?;
    let beside = Beside { near: near.as_ref(), schedules: schedules.as_ref() };
    let mut report = report(question, &answer, beside, request, &context.settings.toolchain.checker())?;
    // Only a complete answer is cached: one that leaves nothing out and was not cut short.
    if let Some(known) = known.filter(|_| request.analysis && context.settings.limits.exceeded().is_none()) {
        known.keep(&mut report);
    }
    Ok((report, whole(answer.survey)))
}

/// The answer of the native evaluator, for want of the tools that a proof needs.
fn evaluate(
    question: &Question,
    limits: &Limits,
    missing: &Missing,
    request: &Request,
    observe: Observer,
) -> Result<(Report, Option<Survey>), SessionError> {
    let answer = proof::evaluate(question, limits, missing.in_words(), observe)?;
    let near = near::look(question, &answer)?;
    let beside = Beside { near: near.as_ref(), schedules: None };
    Ok((report(question, &answer, beside, request, "")?, whole(answer.survey)))
}

/// Half a survey is not evidence.
fn whole(survey: Option<Survey>) -> Option<Survey> {
    survey.filter(|survey| survey.cut_short.is_none())
}

/// The findings beside an answer that SPIN's folder, or another finding, depends on.
struct Beside<'a> {
    near: Option<&'a Near>,
    schedules: Option<&'a ScheduleProof>,
}

/// The result of an answer, with all that is computed beside it. It contradicts itself nowhere.
fn report(
    question: &Question,
    answer: &Answer,
    Beside { near, schedules }: Beside,
    request: &Request,
    checker: &str,
) -> Result<Report, SessionError> {
    let kept = request.keep.as_ref().map(|path| path.display().to_string());
    let beside = TuningParts {
        near,
        source: ExecutedSource::of_optimum(question, answer, near),
        next: NextChange::of_answer(question, answer, near),
        schedules,
        listing: request.listing,
        checker,
        artifacts: kept,
    };
    let mut report = Report::new(question, answer, beside);
    if request.analysis
        && let (Some(near), Some(survey)) = (near, &answer.survey)
    {
        let compared = cross_check(question, answer, near)?;
        report.analysis = compared.map(|compared| AnalysisReport::new(question.spec, survey, &compared));
        let found = sensitivity(question, answer, near);
        report.sensitivity = found.map(|found| SensitivityReport::new(question, survey, &found));
    }
    let contradictions = contradictions(&report);
    if !contradictions.is_empty() {
        return Err(TuningError::Contradiction(contradictions).into());
    }
    Ok(report)
}

/// The exit status of a verdict.
#[must_use]
pub fn exit_status(report: &Report) -> ExitStatus {
    match report.verdict {
        Verdict::Proved if report.stopped.is_none() && !report.leaves_orders_open() => ExitStatus::Success,
        // One of both is wrong, and nothing is known.
        _ if report.stopped.as_deref() == Some(StopReason::Disagreement.name()) => ExitStatus::Failure,
        // The optimum may be proved, but not all the requested ranks, nor every order.
        Verdict::Proved | Verdict::BestEffort => ExitStatus::BestEffort,
        Verdict::Infeasible => ExitStatus::Infeasible,
    }
}
