//! Clang's driver, which compiles a source for one configuration.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use fs_err as fs;

use super::absent::AbsentHeader;
use super::clang::Clang;
use super::closure::read_files;
use super::command::Command;
use super::copied::SourcePlaces;
use super::error::{CLANG, CompileError, UnfinishedCompilation};
use super::included::folder_of;
use super::macros::Macros;
use super::marked::marked;
use super::message::{Message, Traced, messages, missing};
use super::newer;
use super::place::Folders;
use super::prepared::Prepared;
use super::stand_in::StandIn;
use super::structures;
use super::target::{ClangLanguage, Form, Target, options};
use super::text::{self, INSTANCE, Joined, KernelSource};
use super::undeclared::Undeclared;
use super::view::View;
use crate::source::headers;
use crate::source::ir::{SourcePlace, named_files};
use autotune_base::files;
use autotune_base::files::cache::{Cache, Key};
use autotune_base::limits::{Allowance, Limits};
use autotune_base::process;
use autotune_base::process::{Bounds, Finished, Task};

/// The usual allowance of a compilation.
const ALLOWANCE: Allowance = Allowance { processor: Duration::from_secs(20) };
/// The most memory of a compilation, and the most bytes of a file that it writes.
const MOST_MEMORY: u64 = 2 << 30;
const MOST_WRITTEN: u64 = 256 << 20;

/// The longest output that is read, in bytes.
pub(super) const LONGEST_OUTPUT: u64 = 64 * files::MIB;

/// A source with all that clang gets beside a configuration's macros.
#[derive(Debug)]
pub(super) struct Driver {
    pub(super) clang: Clang,
    pub(super) source: KernelSource,
    pub(super) language: ClangLanguage,
    pub(super) target: Target,
    /// The target in place of one that clang does not know.
    pub(super) stand_in: Option<StandIn>,
    pub(super) joined: Joined,
    /// The headers that are nowhere, and empty for the compiler.
    pub(super) absent: Vec<AbsentHeader>,
    /// The headers of this program that the source includes.
    headers: BTreeSet<&'static str>,
    /// The user's headers that the source includes by name.
    pub(super) headers_of_user: Vec<PathBuf>,
    /// The names of the source that nothing declares, once they have been looked for.
    pub(super) undeclared: OnceLock<Undeclared>,
    /// True if the source may use sub-groups, whose header takes longer to read than many a kernel.
    names_sub_groups: bool,
    pub(super) folders: Folders,
    pub(super) limits: Limits,
    /// The compiler's own command for a text with marks; `None` if there is none.
    own: OnceLock<Option<Command>>,
}

impl Driver {
    /// Makes ready to compile a copy of a source. Returns also the key of all that outputs depend on beside macros and the files
    /// that compilations meet.
    ///
    /// # Errors
    /// If the source is in Triton, a file or folder cannot be read, an option is refused, or there is no place for temporary
    /// files.
    pub(super) fn new(
        clang: Clang,
        mut source: KernelSource,
        places: SourcePlaces,
        target: Target,
        cache: Option<&Cache>,
        limits: Limits,
    ) -> Result<(Self, String), CompileError> {
        let language = source.language.for_clang().ok_or(CompileError::ForeignLanguage)?;
        let mut folders = Folders::new(places, &clang)?;
        let prepared = Prepared::new(&source, language, &folders)?;
        let Prepared { joined, of_user, headers: own, elsewhere, absent, names_sub_groups } = prepared;
        // A question about a tensor names its sizes and strides.
        source.fields |= own.contains(headers::TORCH);
        let stand_in = StandIn::find(&clang, &target, &limits, cache)?;
        let target = stand_in.as_ref().map_or(target, |stand_in| stand_in.taken.clone());
        let mut parts = vec![clang.says.clone(), clang.path.display().to_string(), joined.text.clone()];
        parts.extend(options(language, &target, source.form()));
        parts.extend(newer::options(&clang, language, &target, &joined.kernels));
        parts.extend(stand_in.iter().flat_map(|stand_in| stand_in.options(language)));
        parts.extend(joined.options.iter().cloned());
        parts.extend(Some(source.assumed.text()).filter(|text| !text.is_empty()));
        parts.extend(headers::texts().chain(own.iter().copied()).map(str::to_owned));
        parts.extend(of_user.iter().map(|(_, text)| text.clone()));
        parts.extend(source.include.iter().map(|folder| folder.display().to_string()));
        parts.extend(folders.places().folders().map(|folder| folder.name.clone()));
        let base = Key::of(parts.iter().map(String::as_str)).text().to_owned();
        let nowhere = absent.iter().map(|absent| absent.name.clone()).collect();
        let headers_of_user = of_user.iter().map(|(path, _)| path.clone()).collect();
        folders.show(View { of_user, elsewhere, absent: nowhere, version: clang.version });
        let driver = Self {
            clang,
            source,
            language,
            target,
            stand_in,
            joined,
            absent,
            headers: own,
            headers_of_user,
            undeclared: OnceLock::new(),
            names_sub_groups,
            folders,
            limits,
            own: OnceLock::new(),
        };
        Ok((driver, base))
    }

    /// Asks clang's driver for the compiler's own command; `None` if the driver would start something else.
    pub(super) fn own_command(&self, form: Form) -> Result<Option<Command>, CompileError> {
        let (folder, file) = (self.folders.compilation()?, self.language.file_name());
        fs::write(folder.path().join(file), &self.joined.text)?;
        let mut task = self.task(form, folder.path());
        task.arguments.insert(self.clang.driver.len(), "-###".to_owned());
        let finished = process::run(&task, &self.limits)?;
        Ok(Command::read(&finished.stderr, folder.path(), file))
    }

    /// Runs the compiler.
    pub(super) fn run(&self, macros: &Macros, form: Form) -> Result<Run, CompileError> {
        let folder = self.folders.compilation()?;
        let at = folder.path();
        fs::write(at.join(self.language.file_name()), self.text(macros))?;
        let mut task = self.task(form, at);
        let marks = form != Form::Assembly && !self.source.assumed.is_empty();
        if marks {
            task.arguments.extend(["-Xclang", "-disable-llvm-passes"].map(str::to_owned));
        }
        let run = self.ran(&task, macros)?;
        match run.output {
            Ok(text) if marks => {
                let output = self.optimised(&marked(&text, &self.source.assumed), form, at, macros)?;
                Ok(Run { files: run.files, output: Ok(output) })
            }
            _ => Ok(run),
        }
    }

    /// The macros that are defined behind the text of a configuration, a line for each.
    pub(super) fn macros_behind(&self, macros: &Macros) -> Result<BTreeSet<String>, CompileError> {
        let folder = self.folders.compilation()?;
        let at = folder.path();
        fs::write(at.join(self.language.file_name()), self.text(macros))?;
        let mut task = self.task(self.source.form(), at);
        task.arguments.extend(["-E", "-dM"].map(str::to_owned));
        let listed = self.ran(&task, macros)?.output.map_err(|says| self.refused(&says, macros))?;
        Ok(listed.lines().map(str::to_owned).collect())
    }

    /// The texts of this program's headers that the source reads.
    pub(super) fn own_headers(&self) -> Vec<&'static str> {
        let given = if self.language == ClangLanguage::Cuda { headers::CUDA } else { headers::OPENCL_LANES };
        headers::reached(self.headers.iter().copied().chain([given]))
    }

    /// The outcome of a process of the compiler.
    pub(super) fn ran(&self, task: &Task, macros: &Macros) -> Result<Run, CompileError> {
        let finished = process::run(task, &self.limits)?;
        if let Some(stop) = finished.stopped {
            return Err(CompileError::Stopped(stop));
        }
        match unfinished(&finished, &task.folder)? {
            Some(why) => Err(CompileError::Unfinished { by: CLANG, why, macros: macros.shown() }),
            None => self.ended(&finished, &task.folder),
        }
    }

    /// What the optimiser makes of LLVM's text, by the same command as of the source.
    fn optimised(&self, text: &str, form: Form, at: &Path, macros: &Macros) -> Result<String, CompileError> {
        let failed = |says: &str| {
            let why =
                UnfinishedCompilation::Crashed { status: "refuses its own text".to_owned(), says: says.to_owned() };
            CompileError::Unfinished { by: CLANG, why, macros: macros.shown() }
        };
        fs::write(at.join(MARKED), text)?;
        let own = self.own.get_or_init(|| self.own_command(form).ok().flatten());
        let Some(command) = own else { return Err(failed("its driver starts more than the compiler")) };
        let mut task = Task::new(&self.clang.path, command.for_text(at), at);
        task.arguments.extend([MARKED, "-o", OUTPUT].map(str::to_owned));
        task.bounds = Some(self.bounds());
        self.ran(&task, macros)?.output.map_err(|says| failed(says.lines().next().unwrap_or_default()))
    }

    /// The text that the compiler gets for a configuration.
    pub(super) fn text(&self, macros: &Macros) -> String {
        macros.lines(&self.joined.arguments) + &self.joined.text
    }

    /// The task of compiling the source in a folder, by clang's driver.
    pub(super) fn task(&self, form: Form, at: &Path) -> Task {
        let header = match (self.language, form) {
            (ClangLanguage::Cuda, _) => Some(headers::CUDA),
            (ClangLanguage::OpenCl, Form::Assembly) => Some(headers::OPENCL),
            (ClangLanguage::OpenCl, Form::Intermediate { .. }) => {
                self.names_sub_groups.then_some(headers::OPENCL_LANES)
            }
        };
        let mut task = Task::new(&self.clang.path, self.clang.driver.clone(), at);
        task.arguments.extend(options(self.language, &self.target, form));
        let of_version = newer::options(&self.clang, self.language, &self.target, &self.joined.kernels);
        task.arguments.extend(of_version);
        task.arguments.extend(self.stand_in.iter().flat_map(|stand_in| stand_in.options(self.language)));
        task.arguments.extend(self.joined.options.iter().cloned());
        task.arguments.extend(self.names_sub_groups.then(|| "-DAUTOTUNE_SUB_GROUPS".to_owned()));
        task.arguments.extend(self.folders.options(at, header));
        if self.language == ClangLanguage::Cuda {
            // Before the source, so that no macro of a configuration replaces their words.
            task.arguments.extend(self.headers.iter().flat_map(|name| self.folders.included_first(name)));
        }
        task.arguments.extend(newer::listing(&self.clang, FILES));
        task.arguments.extend(["-o", OUTPUT, self.language.file_name()].map(str::to_owned));
        task.bounds = Some(self.bounds());
        task
    }

    /// The bounds of a process of the compiler.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds { memory: MOST_MEMORY, allowance: self.limits.allowance.unwrap_or(ALLOWANCE), file: MOST_WRITTEN }
    }

    /// The output of a compiler that has come to its end.
    fn ended(&self, finished: &Finished, at: &Path) -> Result<Run, CompileError> {
        let files = self.files(at)?;
        if finished.status.success() {
            let text = files::kept(&at.join(OUTPUT), LONGEST_OUTPUT).text()?;
            return Ok(Run { files, output: Ok(self.checked(text)?) });
        }
        let says = &finished.stderr;
        for message in messages(says) {
            message.places().try_for_each(|place| self.check_named(&place.file))?;
        }
        Ok(Run { files, output: Err(says.clone()) })
    }

    /// The text of an output that names only files which the source may read, with its structures numbered anew.
    pub(super) fn checked(&self, text: String) -> Result<String, CompileError> {
        named_files(&text).iter().try_for_each(|file| self.check_named(file))?;
        Ok(structures::numbered(text))
    }

    /// Checks that a file whose lines a message may quote is one that the source may read.
    fn check_named(&self, file: &str) -> Result<(), CompileError> {
        let file = Path::new(file);
        if self.source.files.iter().any(|own| own == file) { Ok(()) } else { self.folders.check_named(file) }
    }

    /// The compiler's errors in a source, at the places that outputs name.
    pub(super) fn refused(&self, output: &str, macros: &Macros) -> CompileError {
        let messages = self.of_user(output);
        let absent = messages.iter().find_map(|message| Some((message, missing(message)?)));
        if let Some((message, file)) = absent {
            let place = message.place.clone();
            let folder = folder_of(file, place.as_ref(), self.folders.places());
            return CompileError::MissingInclude { file: file.to_owned(), place, folder };
        }
        let (absent, undeclared) = (self.absent.clone(), Box::default());
        let in_all = self.is_in_all(&messages, macros);
        CompileError::Refused { by: CLANG, macros: macros.shown(), messages, absent, undeclared, in_all }
    }

    /// The first errors of an output, at the user's places.
    pub(super) fn of_user(&self, output: &str) -> Vec<Message> {
        let placed = |message: Traced| self.without_instance(message.placed(|place| self.user_place(place)));
        messages(output).into_iter().map(placed).collect()
    }

    /// An error in the user's words, if the compiler's are about the variable for a template's instance.
    fn without_instance(&self, message: Message) -> Message {
        match &self.source.kernel {
            Some(kernel) if message.text.contains(INSTANCE) => {
                let text =
                    format!("no template takes the arguments of `{kernel}`: some are missing, or of another kind");
                Message { text, ..message }
            }
            _ => message,
        }
    }

    /// A place as outputs name it; `None` if it is in a file that the user does not have.
    fn user_place(&self, place: &SourcePlace) -> Option<SourcePlace> {
        let path = Path::new(&*place.file);
        if self.folders.is_own(path) || self.clang.has_header(path) || !place.is_users() {
            return None;
        }
        let name = self.folders.places().name_of(path);
        Some(SourcePlace { file: name.map_or_else(|| place.file.clone(), Into::into), ..place.clone() })
    }

    /// The files that a compilation read, all within the folders; `None` if the compiler does not say.
    pub(super) fn files(&self, at: &Path) -> Result<Option<Vec<PathBuf>>, CompileError> {
        let Ok(text) = files::kept(&at.join(FILES), text::LONGEST_FILE).text() else { return Ok(None) };
        let mut files: Vec<PathBuf> = read_files(&text).into_iter().map(|path| at.join(path)).collect();
        for path in &files {
            self.folders.check(path)?;
        }
        files.retain(|path| !self.folders.is_own(path));
        Ok(Some(files))
    }
}

/// The output of a run.
pub(super) struct Run {
    /// The files that were read; `None` if the compiler did not come so far.
    pub(super) files: Option<Vec<PathBuf>>,
    /// The text, or else the compiler's messages.
    pub(super) output: Result<String, String>,
}

/// The compiler's files in a compilation's folder.
pub(super) const FILES: &str = "autotune_files.d";
const OUTPUT: &str = "autotune_output.txt";
/// The name of a text with marks.
const MARKED: &str = "autotune_marked.ll";
/// The words that a compiler prints when it fails itself.
const CRASH: &str = "PLEASE submit a bug report";
/// The words of clang's driver about a child of its own that a signal ended.
const KILLED: &[&str] = &["unable to execute command", "command failed due to signal"];

/// The reason why a compiler did not come to its end; `None` if it did.
fn unfinished(finished: &Finished, at: &Path) -> Result<Option<UnfinishedCompilation>, CompileError> {
    if let Some(overrun) = finished.overrun {
        return Ok(Some(UnfinishedCompilation::Overrun(overrun)));
    }
    if finished.status.success() {
        let is_long = fs::metadata(at.join(OUTPUT))?.len() > LONGEST_OUTPUT;
        return Ok(is_long.then_some(UnfinishedCompilation::Output { bytes: LONGEST_OUTPUT }));
    }
    Ok(failure(finished))
}

/// The reason why a compiler ended without success although it found no error in the source; `None` if it found one.
fn failure(finished: &Finished) -> Option<UnfinishedCompilation> {
    let says = &finished.stderr;
    let status = finished.status_in_words();
    if finished.lacks_memory() {
        return Some(UnfinishedCompilation::Memory { bytes: MOST_MEMORY });
    }
    if says.contains("File too large") {
        return Some(UnfinishedCompilation::Output { bytes: MOST_WRITTEN });
    }
    if let Some(says) = finished.lack() {
        return Some(UnfinishedCompilation::NoRoom { says: says.to_owned() });
    }
    if says.contains(CRASH) || (messages(says).is_empty() && finished.status.signal().is_none()) {
        let says = says.lines().find(|line| !line.trim().is_empty()).unwrap_or("it prints nothing").to_owned();
        return Some(UnfinishedCompilation::Crashed { status, says });
    }
    // The driver reports a signal that its own child got as an error.
    let is_killed = finished.status.signal().is_some() || KILLED.iter().any(|words| says.contains(words));
    is_killed.then_some(UnfinishedCompilation::Killed { status })
}
