//! The reasons why a source cannot be analysed, shown in the user's files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::argument::problem::ArgumentProblem;
use super::compile::{CompileError, KernelNameError};
use super::execute::{ExecuteError, ExecuteProblem};
use super::frame::frame;
use super::ir::{IrError, LaunchBounds, SourcePlace};
use super::open::OpenQuestions;
use super::refusal::RefusalRule;
use super::registers::PtxasError;
use super::safety::{Hazard, MissedGridBarrier};
use super::triton::TritonError;
use autotune_base::limits::watch::{Halt, HaltReason};
use autotune_base::user_error::{ExitStatus, UserError};

/// A kernel that cannot be analysed.
#[derive(Debug, Clone, Error)]
pub enum AnalysisError {
    /// The compiler's output is not understood.
    #[error(transparent)]
    Read(#[from] IrError),
    /// The source has no kernel of this name, or several and no name is given.
    #[error(transparent)]
    Name(#[from] KernelNameError),
    /// The kernel has no parameter of this name or position.
    #[error("the kernel has no parameter `{name}`; its parameters: {}", known.join(", "))]
    NoArgument {
        /// The name.
        name: String,
        /// The kernel's parameters.
        known: Vec<String>,
    },
    /// An argument cannot have the value that is given.
    #[error(transparent)]
    Argument(#[from] ArgumentProblem),
    /// Local memory whose size is given at launch, and not to autotune.
    #[error("the size of the local memory {} is given at launch", quoted(names))]
    NoLocalSize {
        /// The arguments, or the array.
        names: Vec<String>,
        /// True if one size can be given for the launch.
        is_one: bool,
        /// The place of the kernel or of an access.
        place: Option<SourcePlace>,
    },
    /// The source cannot be compiled.
    #[error(transparent)]
    Compile(Arc<CompileError>),
    /// NVIDIA's assembler is wanted for registers, and is absent or does not know this GPU.
    #[error("{}", no_ptxas(wanted.as_deref(), *is_nvidia))]
    NoPtxas {
        /// The program that the user names.
        wanted: Option<PathBuf>,
        /// True for a GPU of NVIDIA.
        is_nvidia: bool,
    },
    /// AMD's back end is wanted for the registers of another GPU.
    #[error("clang's back end for AMD knows no registers of this GPU")]
    NotAmd,
    /// NVIDIA's assembler refuses a configuration.
    #[error("{0} with {1}")]
    Ptxas(Arc<PtxasError>, String),
    /// The kernel cannot be executed.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
    /// A limit ended a phase of the analysis.
    #[error("{}", halted(.0))]
    Halted(Halt),
    /// A loop, a branch or an address depends on data, or on arguments without a value.
    #[error("{}", .0.message())]
    Unknown(OpenQuestions),
    /// An exchange between the lanes of a warp, on a GPU without one.
    #[error("this GPU has no exchange between the lanes of a warp")]
    NoShuffle {
        /// The place.
        place: Option<SourcePlace>,
    },
    /// A barrier that work items do not reach which have returned, in OpenCL.
    #[error("some work items of the group have returned before this barrier, which OpenCL does not allow")]
    EarlyReturn {
        /// The place.
        place: Option<SourcePlace>,
    },
    /// A barrier of all groups that some groups of the launch do not reach.
    #[error("{}", missed(.0))]
    MissedGridBarrier(Box<MissedGridBarrier>),
    /// A cost beyond the numbers of a program.
    #[error("the work here takes 2^60 ticks or more")]
    TooMuch {
        /// The place.
        place: Option<SourcePlace>,
    },
    /// A launch that the kernel is not compiled for.
    #[error(
        "the kernel is compiled for groups of {}, and the launch has groups of {}",
        allowed(bounds),
        sizes(launched)
    )]
    LaunchBounds {
        /// The launches that the kernel is compiled for.
        bounds: LaunchBounds,
        /// Work items of a group along x, y and z.
        launched: [u64; 3],
    },
    /// A race, or another matter that is certainly wrong.
    #[error("{0}")]
    Hazard(Box<Hazard>),
    /// Another group than the one that stands for all cannot be executed, or does something wrong.
    #[error("in group {}, {why}", group.map(|id| id.to_string()).join(","))]
    InGroup {
        /// The ids of the group along x, y and z.
        group: [u64; 3],
        /// The reason.
        why: Box<AnalysisError>,
    },
    /// An access beyond the end of a local array.
    #[error("this reaches byte {at} of the local array `{array}`, which has {bytes}")]
    OutOfBounds {
        /// The array.
        array: String,
        /// The bytes of the array.
        bytes: u64,
        /// The first byte of the access that lies furthest outside.
        at: i64,
        /// The place.
        place: Option<SourcePlace>,
    },
}

/// The message about groups that do not reach a barrier of all groups.
fn missed(MissedGridBarrier { missing, is_least, of, groups, passed, .. }: &MissedGridBarrier) -> String {
    let [reaching, absent] = groups.map(|group| group.map(|id| id.to_string()).join(","));
    let at_least = if *is_least { "at least " } else { "" };
    let some = format!("{at_least}{missing} of the launch's {of} groups");
    match (passed, *missing == 1) {
        ([_, 0], is_one) => {
            let does = if is_one { "does" } else { "do" };
            format!(
                "{some} {does} not reach this barrier of all groups: group {reaching} does, group {absent} does not"
            )
        }
        ([most, least], is_one) => {
            let passes = if is_one { "passes" } else { "pass" };
            format!(
                "{some} {passes} fewer barriers of all groups than others: group {reaching} passes {most}, group {absent} \
                 passes {least}"
            )
        }
    }
}

/// The message about a phase that a limit ended.
fn halted(halt: &Halt) -> String {
    match halt.why {
        HaltReason::Stop(stop) => ExecuteProblem::Stopped(stop).to_string(),
        HaltReason::Overrun(overrun) => format!("{} was not finished: {overrun}", halt.phase.work()),
    }
}

fn no_ptxas(wanted: Option<&Path>, is_nvidia: bool) -> String {
    match wanted {
        _ if !is_nvidia => "ptxas knows no registers of this GPU".to_owned(),
        Some(path) => format!("cannot find ptxas: there is no program `{}`", path.display()),
        None => "cannot find ptxas on the search path".to_owned(),
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The groups that a kernel is compiled for, in words.
fn allowed(bounds: &LaunchBounds) -> String {
    match (bounds.required, bounds.most_items) {
        (Some(required), _) => format!("{} work items", sizes(&required)),
        (None, most) => format!("at most {} work items", most.unwrap_or(u64::MAX)),
    }
}

/// Sizes along the axes that a launch has: `16 x 16`.
fn sizes(sizes: &[u64; 3]) -> String {
    let used = 3 - sizes.iter().rev().take_while(|size| **size == 1).count().min(2);
    sizes.iter().take(used).map(u64::to_string).collect::<Vec<_>>().join(" x ")
}

impl From<Halt> for AnalysisError {
    fn from(halt: Halt) -> Self {
        Self::Halted(halt)
    }
}

impl From<CompileError> for AnalysisError {
    fn from(error: CompileError) -> Self {
        Self::Compile(Arc::new(error))
    }
}

impl From<Arc<CompileError>> for AnalysisError {
    fn from(error: Arc<CompileError>) -> Self {
        Self::Compile(error)
    }
}

impl From<TritonError> for AnalysisError {
    fn from(error: TritonError) -> Self {
        CompileError::from(error).into()
    }
}

impl AnalysisError {
    /// True if the compiler or the assembler refuses the configuration, which another of the same source may pass.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Compile(why) => why.is_refusal(),
            Self::Ptxas(why, _) => matches!(**why, PtxasError::Refused { .. }),
            _ => false,
        }
    }

    /// The reason why Triton cannot compile the kernel; `None` for another error.
    #[must_use]
    pub fn of_triton(&self) -> Option<&TritonError> {
        match self {
            Self::Compile(why) => match &**why {
                CompileError::Triton(why) => Some(why),
                _ => None,
            },
            _ => None,
        }
    }

    /// The rule that refuses this configuration, while another of the same source may pass; `None` if the error is of
    /// another kind.
    #[must_use]
    pub fn refusal(&self) -> Option<RefusalRule> {
        match self {
            Self::Compile(_) | Self::Ptxas(..) => self.is_refusal().then_some(RefusalRule::Compilation),
            Self::Execute(why) => why.problem.refusal(),
            Self::NoShuffle { .. } => Some(RefusalRule::Instruction),
            Self::EarlyReturn { .. } | Self::MissedGridBarrier(_) => Some(RefusalRule::Barrier),
            Self::Hazard(hazard) => hazard.kind.rule(),
            Self::InGroup { why, .. } => why.refusal(),
            Self::OutOfBounds { .. } => Some(RefusalRule::LocalArray),
            Self::TooMuch { .. } => Some(RefusalRule::Time),
            Self::LaunchBounds { .. } => Some(RefusalRule::LaunchBounds),
            Self::Read(_)
            | Self::Name(_)
            | Self::NoArgument { .. }
            | Self::NoPtxas { .. }
            | Self::NotAmd
            | Self::Argument(_)
            | Self::NoLocalSize { .. }
            | Self::Halted(_)
            | Self::Unknown(_) => None,
        }
    }

    /// True if the source has an error that is there in every configuration.
    #[must_use]
    pub fn is_in_all(&self) -> bool {
        matches!(self, Self::Compile(why) if why.is_in_all())
    }

    /// True if a limit of a single configuration, a signal or a lack of room ended the analysis: whether the configuration
    /// can run is not known then.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        match self {
            Self::Compile(why) => matches!(**why, CompileError::Unfinished { .. }),
            Self::Ptxas(why, _) => why.is_unfinished(),
            Self::Execute(why) => why.problem.is_unfinished(),
            Self::Halted(halt) => matches!(halt.why, HaltReason::Overrun(_)),
            Self::InGroup { why, .. } => why.is_unfinished(),
            _ => false,
        }
    }

    /// True if a limit of the whole work or the user stopped the analysis.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        match self {
            Self::Compile(why) => matches!(**why, CompileError::Stopped(_)),
            Self::Ptxas(why, _) => matches!(**why, PtxasError::Stopped(_)),
            Self::Execute(why) => matches!(why.problem, ExecuteProblem::Stopped(_)),
            Self::Halted(halt) => matches!(halt.why, HaltReason::Stop(_)),
            Self::InGroup { why, .. } => why.is_stopped(),
            _ => false,
        }
    }

    /// True if a clock or the user ended the analysis: the same analysis may end in another way at another time.
    #[must_use]
    pub(in crate::source) fn is_of_time(&self) -> bool {
        let is_overrun = match self {
            Self::Execute(why) => matches!(why.problem, ExecuteProblem::OutOfTime(_)),
            Self::Halted(_) => true,
            Self::InGroup { why, .. } => why.is_of_time(),
            _ => false,
        };
        is_overrun || self.is_stopped()
    }

    /// The message in one line, with the place of the first error.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::Compile(why) => why.line(),
            other => match other.place() {
                Some(SourcePlace { file, line, column }) => format!("{file}:{line}:{column}: {other}"),
                None => other.to_string(),
            },
        }
    }

    /// The place in a file of the user; `None` if the error has none.
    #[must_use]
    pub fn place(&self) -> Option<SourcePlace> {
        match self {
            Self::Compile(why) => why.place(),
            Self::Execute(why) => why.places.iter().find(|place| place.is_users()).cloned(),
            Self::Unknown(asked) => asked.open.first()?.place.clone(),
            Self::Hazard(hazard) => hazard.place().cloned(),
            Self::MissedGridBarrier(missed) => missed.place.clone(),
            Self::InGroup { why, .. } => why.place(),
            Self::OutOfBounds { place, .. }
            | Self::NoLocalSize { place, .. }
            | Self::NoShuffle { place }
            | Self::EarlyReturn { place }
            | Self::TooMuch { place } => place.clone(),
            _ => None,
        }
    }

    /// Each error of several that are found together, or the error alone.
    #[must_use]
    pub fn each(&self) -> Vec<Self> {
        match self {
            Self::Unknown(asked) => asked.each().map(Self::Unknown).collect(),
            other => vec![other.clone()],
        }
    }

    /// The message in one line.
    #[must_use]
    pub fn title(&self) -> String {
        self.to_string().lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// The message with the lines of the user's files that it is about; `None` if it has no place.
    #[must_use]
    pub fn shown(&self) -> Option<String> {
        if let Self::Compile(why) = self
            && let CompileError::Refused { messages, .. } = &**why
            && messages.iter().any(|message| message.place.is_some())
        {
            let of_each = messages.iter().map(|message| match &message.place {
                Some(place) => frame(&message.text, place),
                None => message.text.clone(),
            });
            let title = self.to_string();
            let title = title.split('\n').next().unwrap_or_default();
            return Some(format!("{title}\n{}", of_each.collect::<Vec<_>>().join("\n")));
        }
        if let Self::Unknown(asked) = self
            && let Some(shown) = asked.shown()
        {
            return Some(shown);
        }
        let place = self.place()?;
        let first = frame(&self.to_string(), &place);
        let other = self.other_place().filter(|(_, other)| **other != place);
        Some(other.map_or_else(|| first.clone(), |(words, other)| format!("{first}\n{}", frame(words, other))))
    }

    /// The second place of an error that has two, and the words for it; `None` for another error.
    fn other_place(&self) -> Option<(&'static str, &SourcePlace)> {
        match self {
            Self::Execute(ExecuteError {
                problem: ExecuteProblem::LonelyBarrier { elsewhere: Some(other), .. },
                ..
            }) if other.is_users() => Some(("one of them stands here", other)),
            Self::Hazard(hazard) => Some(("the other one", hazard.second.place.as_ref()?)),
            Self::InGroup { why, .. } => why.other_place(),
            _ => None,
        }
    }
}

/// The ways to give the sizes of local memory.
fn size_of(names: &[String], is_one: bool) -> String {
    let first = names.first().map_or("NAME", String::as_str);
    let each =
        format!("give its bytes, as in `--argument '{first}=local 4096'`, or `arguments: {{ {first}: local 4096 }}`");
    if is_one {
        format!("{each} in `source`; or those of the launch: `--shared 4096`, or `shared: 4096` in `launch`")
    } else {
        format!("{each} in `source`")
    }
}

impl UserError for AnalysisError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Compile(why) => why.status(),
            _ if self.is_stopped() || self.is_unfinished() => ExitStatus::BestEffort,
            _ => match self.refusal() {
                None | Some(RefusalRule::Compilation) => ExitStatus::Unusable,
                Some(_) => ExitStatus::Infeasible,
            },
        }
    }

    fn answers(&self) -> Vec<String> {
        match self {
            Self::Unknown(asked) => asked.answers(),
            Self::InGroup { why, .. } => why.answers(),
            Self::Compile(why) => why.answers(),
            _ => Vec::new(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Compile(why) => why.help(),
            Self::Name(why) => why.help(),
            Self::NoArgument { .. } => Some("name an argument of the kernel, or give its position, from 0".to_owned()),
            Self::Argument(why) => Some(why.help()),
            Self::NoLocalSize { names, is_one, .. } => Some(size_of(names, *is_one)),
            Self::NoPtxas { .. } => Some("name it with `--ptxas PATH`, or leave out `--registers ptxas`".to_owned()),
            Self::NotAmd => Some("leave out `--registers amd`".to_owned()),
            Self::Ptxas(why, _) if matches!(**why, PtxasError::Overrun(_)) => {
                Some("give it more time with `--source-limit`".to_owned())
            }
            Self::Execute(why) => why.help(),
            Self::Ptxas(..) | Self::Halted(Halt { why: HaltReason::Stop(_), .. }) => None,
            Self::Halted(_) => {
                Some("give it more time with `--source-limit`; a smaller problem size or work group takes less".to_owned())
            }
            Self::Unknown(asked) => Some(asked.help()),
            Self::NoShuffle { .. } => {
                Some("exchange through local memory, or tune for a Kepler GPU or a later one".to_owned())
            }
            Self::EarlyReturn { .. } => Some(
                "let all work items of a group reach the barrier: put the work under a condition, and return behind it"
                    .to_owned(),
            ),
            Self::MissedGridBarrier(_) => Some(
                "no group goes on until all have arrived: let each group reach the barrier equally often, whatever its ids"
                    .to_owned(),
            ),
            Self::TooMuch { .. } => Some("a smaller problem size takes less time".to_owned()),
            Self::LaunchBounds { .. } => Some(
                "let the attribute follow the parameters, as in `reqd_work_group_size(WG, 1, 1)`, or launch such groups"
                    .to_owned(),
            ),
            Self::Hazard(hazard) => Some(hazard.kind.help().to_owned()),
            Self::InGroup { why, .. } => why.help(),
            Self::OutOfBounds { .. } => Some("make the array larger, or keep the access inside it".to_owned()),
            Self::Read(_) => Some(
                "this clang writes what autotune does not understand: try another version with `--clang PATH`, and \
                 please report it"
                    .to_owned(),
            ),
        }
    }
}
