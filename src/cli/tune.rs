//! `autotune SPEC --gpu GPU`: the proved optimum.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use fs_err as fs;
use tempfile::TempPath;

use super::arguments::{self, ExportFormat, TuneFormat};
use super::export::tell_name;
use super::failure::Failure;
use super::known::Known;
use super::progress::Progress;
use super::report::{INDEX, Pages};
use super::{Status, output, question};
use crate::compare::cross_check::cross_check;
use crate::compare::near;
use crate::files::cache::Cache;
use crate::files::scratch::Scratch;
use crate::limits::{Interrupt, Limits};
use crate::model::Form;
use crate::proof::{Granularity, Observer, ProofContext, Question, Strategy, TimeComparison, TuningError};
use crate::report::export::{ExportError, export, warm_start};
use crate::report::{AnalysisReport, CostReport, LISTED, Listing, Report, Verdict, for_people};
use crate::space::{Space, Survey};
use crate::spin::{Record, Settings, ToolPaths, Toolchain};
use crate::{certificate, proof};

/// Tunes, and writes a page into the folder `pages`, if there is one.
pub(super) fn run(
    asked: &arguments::Question<TuneFormat>,
    request: &arguments::Tune,
    pages: Option<&Path>,
) -> Result<Status, Failure> {
    let inputs = question::preferring(question::read(asked)?, request)?;
    if let (Some(pages), Some(keep)) = (pages, &request.keep)
        && std::path::absolute(pages)? == std::path::absolute(keep)?
    {
        return Err(Failure::OneFolder(keep.clone()));
    }
    let pages = pages.map(Pages::open).transpose()?;
    let Answer { report, kept } = answer(&inputs, &needed(&inputs, asked.format, request)?)?;
    let page = pages.map_or(Ok(()), |pages| pages.write_tuning(&inputs, &report, INDEX, None));
    // A disk that is full takes nothing from the answer.
    output::all([print(&inputs, &report, asked.format), kept, page])?;
    Ok(status(&report))
}

fn print(inputs: &question::Question, report: &Report, format: TuneFormat) -> Result<(), Failure> {
    match told(inputs, report, format) {
        Ok(text) => {
            if let TuneFormat::As(format) = format {
                tell_name(format);
            }
            output::text(&text)
        }
        Err(Failure::Export(ExportError::NothingProved)) => {
            output::note(&format!("there is nothing to print: {}", why_nothing_is_proved(report)));
            Ok(())
        }
        Err(failure) => Err(failure),
    }
}

fn told(inputs: &question::Question, report: &Report, format: TuneFormat) -> Result<String, Failure> {
    Ok(match format {
        TuneFormat::Text => for_people(report),
        TuneFormat::Json => output::to_json(report)?,
        // The rules of the spec say more than a result.
        TuneFormat::As(ExportFormat::Restrictions) => {
            output::to_json(&warm_start(&inputs.spec, &inputs.profile, report)?)?
        }
        TuneFormat::As(format) => export(std::slice::from_ref(report), format.into())?,
    })
}

/// What other tuners read holds the time of every configuration.
fn needed(
    inputs: &question::Question,
    format: TuneFormat,
    request: &arguments::Tune,
) -> Result<arguments::Tune, Failure> {
    use ExportFormat::{KernelTuner, Restrictions, T4};
    let mut needed = request.clone();
    if matches!(format, TuneFormat::As(T4 | KernelTuner | Restrictions)) {
        let space = Space::new(&inputs.spec, &inputs.profile.names(inputs.spec.resources.dynamic));
        let is_large = space.map_err(Failure::Request)?.size() > LISTED;
        needed.rank = true;
        if is_large {
            needed.configurations = arguments::Listing::All;
        }
    }
    Ok(needed)
}

fn why_nothing_is_proved(report: &Report) -> &str {
    report.reason.as_deref().unwrap_or("no configuration is feasible")
}

/// The exit status that a verdict has.
pub(super) fn status(report: &Report) -> Status {
    match report.verdict {
        Verdict::Proved if report.stopped.is_none() => Status::Success,
        // The optimum may be proved, and not all that was asked for.
        Verdict::Proved | Verdict::BestEffort => Status::BestEffort,
        Verdict::Infeasible => Status::Infeasible,
    }
}

/// A question's result, and whether its proof could be kept where that was asked for.
pub(super) struct Answer {
    pub(super) report: Report,
    pub(super) kept: Result<(), Failure>,
}

/// A question's result, proved now or before.
pub(super) fn answer(inputs: &question::Question, request: &arguments::Tune) -> Result<Answer, Failure> {
    let desk = Desk::open(request.no_cache)?;
    let progress = Progress::new();
    let answer = desk.answer(inputs, request, None, &mut |event| progress.show(&event));
    progress.end();
    answer
}

/// What this run answers its questions with.
pub(super) struct Desk {
    pub(super) toolchain: Toolchain,
    pub(super) interrupt: Interrupt,
    /// Compiled checkers: the user's, or without those, of this run alone.
    checkers: Cache,
    /// Proofs that were finished before, if they may be used.
    proofs: Option<Cache>,
    _scratch: Scratch,
}

impl Desk {
    pub(super) fn open(no_cache: bool) -> Result<Self, Failure> {
        // Before any program is run: without a place for temporary files none can be.
        let scratch = Scratch::new()?;
        let toolchain = Toolchain::find(&wanted())?;
        // Without a cache of the user's, models of one text still share their checker.
        let proofs = if no_cache { None } else { Cache::of_user() };
        proofs.as_ref().map_or(Ok(()), Cache::check).map_err(Failure::UnsafeCache)?;
        let checkers = proofs.clone().unwrap_or_else(|| Cache::at(scratch.path().to_owned()));
        Ok(Self { toolchain, interrupt: interrupt()?, checkers, proofs, _scratch: scratch })
    }

    /// A question's result, with what is doubtful in it. Searches that `record` remembers are not repeated.
    pub(super) fn answer(
        &self,
        inputs: &question::Question,
        request: &arguments::Tune,
        record: Option<Arc<dyn Record>>,
        observe: Observer,
    ) -> Result<Answer, Failure> {
        let mut answer = self.found(inputs, request, record, observe)?;
        answer.report.warnings.clone_from(&inputs.warnings);
        Ok(answer)
    }

    fn found(
        &self,
        inputs: &question::Question,
        request: &arguments::Tune,
        record: Option<Arc<dyn Record>>,
        observe: Observer,
    ) -> Result<Answer, Failure> {
        let question = asked(inputs, request);
        near::check_preferences(&question)?;
        let folder = Folder::open(request.keep.as_deref())?;
        let deadline = request.time_limit.map(|limit| Instant::now() + *limit);
        let settings = Settings {
            toolchain: self.toolchain.clone(),
            limits: Limits { deadline, interrupt: self.interrupt.clone() },
            memory_mib: request.memory.as_u64() >> 20,
            cache: Some(self.checkers.clone()),
            record,
        };
        // A proof that is to be kept has to be made, and what is known lists no more than the usual.
        let may_be_known = request.keep.is_none() && request.configurations == arguments::Listing::Searched;
        let proofs = self.proofs.clone().filter(|_| may_be_known);
        let known = proofs.map(|cache| Known::of(&question, &self.toolchain, cache));
        let workplace = ProofContext { settings, folder: folder.path.clone() };
        if let Some(report) = known.as_ref().and_then(|known| known.report(&question, &workplace.settings.limits)) {
            let mut report = Report { cost: Some(CostReport::of_known()), ..report };
            leave_out(&mut report, request);
            return Ok(Answer { report, kept: Ok(()) });
        }
        let proved = prove(&question, &workplace, request, known.as_ref(), observe);
        let (mut report, survey) = proved.inspect_err(|_| {
            // What there is of the proof may show why it failed; that is told in any case.
            let _ = folder.keep();
        })?;
        leave_out(&mut report, request);
        let (profile, listing) = (&inputs.profile_text, request.configurations.into());
        let inputs = certificate::KeptInputs { question: &question, profile, listing };
        let kept = folder.seal_and_keep(inputs, survey.as_ref(), &report);
        if let (Err(_), Some(cost)) = (&kept, &mut report.cost) {
            cost.artifacts = None;
        }
        Ok(Answer { report, kept })
    }
}

/// Takes out of a result what is not to be told.
fn leave_out(report: &mut Report, request: &arguments::Tune) {
    if request.no_analysis {
        report.analysis = None;
    }
    if request.no_cost {
        report.cost = None;
    }
}

/// The question that the command line asks.
pub(super) fn asked<'a>(inputs: &'a question::Question, request: &arguments::Tune) -> Question<'a> {
    Question {
        only: inputs.only.as_ref(),
        granularity: request.granularity.into(),
        form: request.form.map(Into::into),
        strategy: request.strategy.into(),
        top: request.top.into(),
        no_prune: request.no_prune,
        rank: request.rank,
        comparison: match (request.check_all, request.no_check_all) {
            (true, _) => TimeComparison::Always,
            (_, true) => TimeComparison::Never,
            _ => TimeComparison::IfShort,
        },
        within: request.within,
        ..Question::new(&inputs.spec, &inputs.profile, &inputs.gpu)
    }
}

fn prove(
    question: &Question,
    workplace: &ProofContext,
    request: &arguments::Tune,
    known: Option<&Known>,
    observe: Observer,
) -> Result<(Report, Option<Survey>), Failure> {
    let answer = proof::tune(question, workplace, observe);
    if request.keep.is_some() {
        certificate::sweep(&workplace.folder)?;
    }
    let checker = workplace.settings.toolchain.checker();
    let kept = request.keep.as_ref().map(|path| path.display().to_string());
    let answer = answer?;
    let limits = &workplace.settings.limits;
    let near = near::look(question, &answer)?;
    let mut report = Report::new(question, &answer, near.as_ref(), request.configurations.into(), &checker, kept);
    if !request.no_analysis
        && let (Some(near), Some(survey)) = (&near, &answer.survey)
    {
        let compared = cross_check(question, &answer, near)?;
        report.analysis = compared.map(|compared| AnalysisReport::new(question.spec, survey, &compared));
    }
    let contradictions = report.contradictions();
    if !contradictions.is_empty() {
        return Err(TuningError::Contradiction(contradictions).into());
    }
    // What is known later is the whole answer: nothing was left out or cut short.
    if let Some(known) = known.filter(|_| !request.no_analysis && limits.exceeded().is_none()) {
        known.keep(&mut report);
    }
    Ok((report, answer.survey))
}

/// Where a proof takes place: in a temporary folder, from which it is copied to where it is kept.
struct Folder {
    path: PathBuf,
    kept: Option<Kept>,
    _temporary: Scratch,
}

/// The folder of `--keep`, taken by this run.
struct Kept {
    path: PathBuf,
    /// Says to others that a proof is to come here; it goes with this value.
    _marker: TempPath,
}

impl Folder {
    fn open(keep: Option<&Path>) -> Result<Self, Failure> {
        let take = |path: &Path| {
            let kept = Kept::take(path).map_err(|why| Failure::Keep { path: path.to_owned(), why })?;
            kept.ok_or_else(|| Failure::NotEmpty(path.to_owned()))
        };
        let kept = keep.map(take).transpose()?;
        let temporary = Scratch::new()?;
        // The temporary folder has a file of its own.
        let path = temporary.path().join("proof");
        fs::create_dir(&path)?;
        Ok(Self { path, kept, _temporary: temporary })
    }

    /// Completes the proof and copies it to where it is to be kept, if it is.
    fn seal_and_keep(
        &self,
        inputs: certificate::KeptInputs,
        survey: Option<&Survey>,
        report: &Report,
    ) -> Result<(), Failure> {
        if self.kept.is_some() {
            certificate::seal(&self.path, inputs, survey, &output::to_json(report)?)?;
        }
        self.keep()
    }

    fn keep(&self) -> Result<(), Failure> {
        let Some(kept) = &self.kept else { return Ok(()) };
        let lost = |why| Failure::Lost { what: "proof", path: kept.path.clone(), why };
        certificate::deliver(&self.path, &kept.path).map_err(lost)
    }
}

impl Kept {
    /// Takes a folder that is empty; none if it is not, or another run has taken it.
    fn take(path: &Path) -> std::io::Result<Option<Self>> {
        fs::create_dir_all(path)?;
        let path = fs::canonicalize(path)?;
        if fs::read_dir(&path)?.next().is_some() {
            return Ok(None);
        }
        let marker = path.join(certificate::RUNNING);
        match std::fs::File::create_new(&marker) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Ok(None),
            created => created?,
        };
        let marker = TempPath::try_from_path(marker)?;
        // Another run may have begun and ended since the folder was seen to be empty.
        let is_alone = fs::read_dir(&path)?.count() == 1;
        Ok(is_alone.then_some(Self { path, _marker: marker }))
    }
}

/// The programs that the user's environment names.
pub(super) fn wanted() -> ToolPaths {
    let path = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    ToolPaths { spin: path("AUTOTUNE_SPIN"), compiler: path("AUTOTUNE_CC") }
}

/// An interrupt that Ctrl-C and a request to terminate raise.
pub(super) fn interrupt() -> Result<Interrupt, Failure> {
    let interrupt = Interrupt::default();
    let raised = interrupt.clone();
    ctrlc::set_handler(move || raised.raise()).map_err(std::io::Error::other)?;
    Ok(interrupt)
}

impl From<arguments::Granularity> for Granularity {
    fn from(granularity: arguments::Granularity) -> Self {
        match granularity {
            arguments::Granularity::Warp => Self::Warp,
            arguments::Granularity::Element => Self::Element,
        }
    }
}

impl From<arguments::Form> for Form {
    fn from(form: arguments::Form) -> Self {
        match form {
            arguments::Form::Roles => Self::Roles,
            arguments::Form::Wave => Self::Wave,
        }
    }
}

impl From<arguments::Listing> for Listing {
    fn from(listing: arguments::Listing) -> Self {
        match listing {
            arguments::Listing::Searched => Self::Searched,
            arguments::Listing::All => Self::All,
        }
    }
}

impl From<arguments::Strategy> for Strategy {
    fn from(strategy: arguments::Strategy) -> Self {
        match strategy {
            arguments::Strategy::Bisection => Self::Bisection,
            arguments::Strategy::Blind => Self::Blind,
            arguments::Strategy::BranchAndBound => Self::BranchAndBound,
        }
    }
}
