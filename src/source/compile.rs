//! Compiles a kernel's source for a configuration, with the user's clang, to LLVM's text or the target's.
//!
//! A source may come from a stranger: the compiler runs without a shell's words, in bounds of time, memory and output,
//! sees only the source's folders and its own headers, and assembles nothing. Equal compilations happen once: a
//! configuration's key has the values of those macros that the source names.

mod absent;
mod clang;
mod closure;
mod command;
mod copied;
mod error;
mod included;
mod macros;
mod message;
mod names;
mod namespaces;
mod packed;
mod place;
mod prepared;
mod stand_in;
mod structures;
mod target;
mod text;
mod together;
mod view;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use fs_err as fs;

use super::headers;
use super::ir::{SourcePlace, named_files};
use crate::files;
use crate::files::cache::{Cache, Key};
use crate::limits::{Allowance, Limits};
use crate::process;
use crate::process::{Bounds, Finished, Task};

pub use absent::AbsentHeader;
pub use clang::Clang;
use closure::{Closure, read_files};
use command::Command;
pub use copied::{NamedFolder, SourcePlaces, without_dots};
pub use error::{CLANG, CompileError, UnfinishedCompilation};
pub use macros::Macros;
pub use message::Message;
use message::{messages, missing};
pub use names::{KernelNameError, kernel_name};
pub(in crate::source) use packed::Packed;
use place::Folders;
use prepared::Prepared;
pub use stand_in::StandIn;
pub use target::{Architecture, ClangLanguage, Language, Target};
use target::{Form, options};
use text::Joined;
pub use text::KernelSource;
pub(in crate::source) use text::LONGEST_FILE;
pub use together::TOGETHER;
use together::{DIRECTIVE, Job, Together};
use view::View;

/// The usual allowance of a compilation.
const ALLOWANCE: Allowance = Allowance { processor: Duration::from_secs(20) };
/// The most memory of a compilation, and the most bytes of a file that it writes.
const MOST_MEMORY: u64 = 2 << 30;
const MOST_WRITTEN: u64 = 256 << 20;

/// The longest output that is read, in bytes.
const LONGEST_OUTPUT: u64 = 64 * files::MIB;

/// A source that is compiled for one configuration after the other, from any thread.
#[derive(Debug)]
pub struct Compiler {
    clang: Clang,
    source: KernelSource,
    language: ClangLanguage,
    target: Target,
    /// The target in place of one that clang does not know.
    stand_in: Option<StandIn>,
    joined: Joined,
    /// The headers that are nowhere, and empty for the compiler.
    absent: Vec<AbsentHeader>,
    /// The headers of this program that the source includes.
    headers: BTreeSet<&'static str>,
    /// True if the source may use sub-groups, whose header takes longer to read than many a kernel.
    names_sub_groups: bool,
    folders: Folders,
    cache: Option<Cache>,
    limits: Limits,
    closure: Mutex<Closure>,
    /// The outputs by their keys.
    outputs: Mutex<HashMap<String, Arc<Slot>>>,
    together: Together,
}

/// The compiler's output for a configuration.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The key: configurations with the same one have the same output.
    pub key: Key,
    /// LLVM's text.
    pub text: String,
}

/// A place for the output of a configuration and all others with its key.
#[derive(Debug)]
struct Slot {
    macros: Macros,
    outcome: OnceLock<Outcome>,
}

/// The end of a compilation.
#[derive(Debug, Clone)]
enum Outcome {
    /// An output or errors in the source, for all configurations with this key.
    Packed(Packed),
    /// Another failure, of this configuration alone: the files that it depends on are not known.
    Failed(Arc<CompileError>),
}

impl Outcome {
    /// True if the source was compiled without errors.
    fn has_text(&self) -> bool {
        matches!(self, Self::Packed(packed) if packed.is_text())
    }
}

impl Compiler {
    /// Reads a source and makes ready to compile it.
    ///
    /// # Errors
    /// If the source is in Triton, a file or folder cannot be read, an option is refused, or there is no place for temporary
    /// files.
    pub fn new(
        clang: Clang,
        source: KernelSource,
        target: Target,
        cache: Option<Cache>,
        limits: Limits,
    ) -> Result<Self, CompileError> {
        let places = SourcePlaces::of_source(&source)?;
        Self::with_places(clang, source, places, target, cache, limits)
    }

    /// Makes ready to compile a copy of a source, whose outputs and messages have the names of the source.
    ///
    /// # Errors
    /// As [`Compiler::new`].
    pub fn with_places(
        clang: Clang,
        source: KernelSource,
        places: SourcePlaces,
        target: Target,
        cache: Option<Cache>,
        limits: Limits,
    ) -> Result<Self, CompileError> {
        let language = source.language.for_clang().ok_or(CompileError::ForeignLanguage)?;
        let mut folders = Folders::new(places, &clang)?;
        let prepared = Prepared::new(&source, language, &folders)?;
        let Prepared { joined, of_user, headers, elsewhere, absent, names_sub_groups } = prepared;
        let stand_in = StandIn::find(&clang, &target, &limits, cache.as_ref())?;
        let target = stand_in.as_ref().map_or(target, |stand_in| stand_in.taken.clone());
        let mut parts = vec![clang.says.clone(), clang.path.display().to_string(), joined.text.clone()];
        parts.extend(options(language, &target, source.form()));
        parts.extend(stand_in.iter().flat_map(|stand_in| stand_in.options(language)));
        parts.extend(joined.options.iter().cloned());
        parts.extend(headers::texts().chain(headers.iter().copied()).map(str::to_owned));
        parts.extend(of_user.iter().map(|(_, text)| text.clone()));
        parts.extend(source.include.iter().map(|folder| folder.display().to_string()));
        parts.extend(folders.places().folders().map(|folder| folder.name.clone()));
        let base = Key::of(parts.iter().map(String::as_str)).text().to_owned();
        let searched = folders.searched(true).map(Path::to_owned).collect();
        let closure = Mutex::new(Closure::new(&joined, searched, base.clone()));
        let nowhere = absent.iter().map(|absent| absent.name.clone()).collect();
        folders.show(View { of_user, elsewhere, absent: nowhere, version: clang.version });
        let (outputs, together) = (Mutex::default(), Together::default());
        let compiler = Self {
            clang,
            source,
            language,
            target,
            stand_in,
            joined,
            absent,
            headers,
            names_sub_groups,
            folders,
            cache,
            limits,
            closure,
            outputs,
            together,
        };
        compiler.recall(&base)?;
        Ok(compiler)
    }

    /// True if the target is a GPU of AMD.
    #[must_use]
    pub fn is_for_amd(&self) -> bool {
        matches!(self.target, Target::Amd(_))
    }

    /// The target that the source is compiled for in place of the GPU's; `None` if clang knows that.
    #[must_use]
    pub fn stand_in(&self) -> Option<&StandIn> {
        self.stand_in.as_ref()
    }

    /// The headers that the source includes and that are nowhere: the compiler gets empty ones.
    #[must_use]
    pub fn absent(&self) -> &[AbsentHeader] {
        &self.absent
    }

    /// The user's files that compilations have included, sorted. The compiler's own headers are left out.
    #[must_use]
    pub fn included(&self) -> Vec<PathBuf> {
        let closure = self.closure.lock().unwrap_or_else(PoisonError::into_inner);
        closure.paths().filter(|path| !self.clang.has_header(path)).map(Path::to_owned).collect()
    }

    /// The compiler.
    #[must_use]
    pub fn clang(&self) -> &Clang {
        &self.clang
    }

    /// The places of the source's files and folders.
    #[must_use]
    pub fn places(&self) -> &SourcePlaces {
        self.folders.places()
    }

    /// The key of all that a configuration's output depends on.
    #[must_use]
    pub fn key(&self, macros: &Macros) -> Key {
        self.closure.lock().unwrap_or_else(PoisonError::into_inner).key(macros, &self.joined.arguments)
    }

    /// LLVM's text for a configuration: from an equal compilation, from the cache, or by the compiler.
    ///
    /// # Errors
    /// If the source has errors, or the compiler is stopped or exceeds its bounds.
    pub fn compile(&self, macros: &Macros) -> Result<Compiled, Arc<CompileError>> {
        loop {
            let key = self.key(macros);
            let slot = self.slot(&key, macros);
            let mut is_ours = false;
            let mut outcome = slot.outcome.get_or_init(|| {
                is_ours = true;
                self.obtain(&key, macros)
            });
            let again;
            if !is_ours && matches!(outcome, Outcome::Failed(_)) {
                again = self.obtain(&key, macros);
                outcome = &again;
            }
            match outcome {
                Outcome::Failed(error) => return Err(error.clone()),
                // The compilation met a file whose macros the key lacks: there is another key now.
                Outcome::Packed(_) if self.key(macros) != key => {}
                Outcome::Packed(packed) => {
                    let text = packed.text().map_err(|output| Arc::new(self.refused(&output, macros)))?;
                    return Ok(Compiled { key, text });
                }
            }
        }
    }

    /// The target's own text for a configuration, which a back end makes of the whole program.
    ///
    /// # Errors
    /// If the source has errors, or the compiler is stopped or exceeds its bounds.
    pub fn assembly(&self, macros: &Macros) -> Result<String, CompileError> {
        let key = self.key(macros);
        if let Some(text) = self.together.take(key.text()) {
            return Ok(text);
        }
        let cached = Self::of_assembly(&key);
        if let Some(text) = self.cached(&cached).and_then(|packed| packed.text().ok()) {
            return Ok(text);
        }
        let run = self.run(macros, Form::Assembly)?;
        let text = match run.output {
            Ok(text) => text,
            Err(output) => return Err(self.refused(&output, macros)),
        };
        if run.files.is_some_and(|files| self.meet(&files).is_ok_and(|is_new| !is_new)) {
            self.keep(&cached, &Packed::of_text(&text)?);
        }
        Ok(text)
    }

    /// Compiles configurations ahead of [`Compiler::compile`], several in one process. Nothing is said of those that have
    /// errors or do not finish.
    pub fn prepare(&self, configurations: &[Macros]) {
        let has_begun = || self.together.has_begun.load(Ordering::Relaxed);
        let mut open = self.open(configurations.iter());
        if open.len() > 1 && !has_begun() {
            let _ = self.compile(open[0]);
            open = self.open(open[1..].iter().copied());
        }
        if !has_begun() {
            return;
        }
        self.compile_together(self.source.form(), &open, &|macros, packed| {
            let key = self.key(macros);
            self.keep(&key, &packed);
            // Another thread may have compiled the same: then its output stays.
            let _ = self.slot(&key, macros).outcome.set(Outcome::Packed(packed));
        });
    }

    /// Compiles configurations ahead of [`Compiler::assembly`], several in one process: those that have an output.
    pub fn prepare_assembly(&self, configurations: &[Macros]) {
        let mut keys = HashSet::new();
        let is_open = |macros: &&Macros| {
            let key = self.key(macros);
            let has_text = self.slot(&key, macros).outcome.get().is_some_and(Outcome::has_text);
            let is_known = || self.together.has(key.text()) || self.has_cached(&Self::of_assembly(&key));
            has_text && keys.insert(key.text().to_owned()) && !is_known()
        };
        let open: Vec<&Macros> = configurations.iter().filter(is_open).collect();
        self.compile_together(Form::Assembly, &open, &|macros, packed| {
            let key = self.key(macros);
            self.keep(&Self::of_assembly(&key), &packed);
            self.together.put(key.text(), packed);
        });
    }

    /// The unknown configurations, one for each key.
    fn open<'m>(&self, configurations: impl Iterator<Item = &'m Macros>) -> Vec<&'m Macros> {
        let mut keys = HashSet::new();
        let is_open = |macros: &&Macros| {
            let key = self.key(macros);
            let is_known = self.slot(&key, macros).outcome.get().is_some() || self.has_cached(&key);
            !is_known && keys.insert(key.text().to_owned())
        };
        configurations.filter(is_open).collect()
    }

    /// Compiles configurations by as few processes as are worth it.
    fn compile_together(&self, form: Form, configurations: &[&Macros], keep: &dyn Fn(&Macros, Packed)) {
        // Such a directive holds for all files that the same process compiles after it.
        if self.closure.lock().unwrap_or_else(PoisonError::into_inner).names(DIRECTIVE) {
            return;
        }
        let mut left = configurations;
        loop {
            let some = &left[..self.together.at_once().min(left.len())];
            if some.len() < 2 || self.limits.exceeded().is_some() {
                return;
            }
            let done = self.compiled_together(form, some, keep).unwrap_or(0);
            self.together.note(done);
            if 2 * done < some.len() {
                // Where errors are frequent, each is found by a process of its own.
                return;
            }
            // The first one without an output is left to a process of its own.
            left = &left[done + usize::from(done < some.len())..];
        }
    }

    /// Compiles configurations by one process, and keeps the outputs. Returns their number.
    fn compiled_together(
        &self,
        form: Form,
        configurations: &[&Macros],
        keep: &dyn Fn(&Macros, Packed),
    ) -> Result<usize, CompileError> {
        let ask = || self.own_command(form).ok().flatten();
        let Some(command) = self.together.command(form, ask) else { return Ok(0) };
        let (folder, file) = (self.folders.compilation()?, self.language.file_name());
        let (at, bounds, longest) = (folder.path(), self.bounds(), LONGEST_OUTPUT);
        let job = Job { clang: &self.clang.path, command, at, file, form, bounds, longest };
        let texts: Vec<String> = configurations.iter().map(|macros| self.text(macros)).collect();
        let outputs = self.together.run(&job, &texts, &self.limits)?;
        let Some(files) = self.files(at)? else { return Ok(0) };
        if self.meet(&files)? {
            self.rename();
        }
        let made = outputs.len();
        for (macros, text) in configurations.iter().zip(outputs) {
            keep(macros, Packed::of_text(&self.checked(text)?)?);
        }
        Ok(made)
    }

    /// Asks clang's driver for the compiler's own command; `None` if the driver would start something else.
    fn own_command(&self, form: Form) -> Result<Option<Command>, CompileError> {
        let (folder, file) = (self.folders.compilation()?, self.language.file_name());
        fs::write(folder.path().join(file), &self.joined.text)?;
        let mut task = self.task(form, folder.path());
        task.arguments.insert(0, "-###".to_owned());
        let finished = process::run(&task, &self.limits)?;
        Ok(Command::read(&finished.stderr, folder.path(), file))
    }

    /// The key of the target's own text of a configuration.
    fn of_assembly(key: &Key) -> Key {
        Key::of(["assembly", key.text()])
    }

    fn slot(&self, key: &Key, macros: &Macros) -> Arc<Slot> {
        let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Slot { macros: macros.clone(), outcome: OnceLock::new() });
        outputs.entry(key.text().to_owned()).or_insert_with(new).clone()
    }

    fn obtain(&self, key: &Key, macros: &Macros) -> Outcome {
        self.obtained(key, macros).unwrap_or_else(|error| Outcome::Failed(Arc::new(error)))
    }

    fn obtained(&self, key: &Key, macros: &Macros) -> Result<Outcome, CompileError> {
        if let Some(packed) = self.cached(key) {
            return Ok(Outcome::Packed(packed));
        }
        let run = self.run(macros, self.source.form())?;
        let Some(files) = run.files else {
            // Without its files, the output cannot stand for other configurations.
            let Err(output) = run.output else {
                let why = UnfinishedCompilation::NoRoom { says: format!("no list of files in {FILES}") };
                return Err(CompileError::Unfinished { by: CLANG, why, macros: macros.shown() });
            };
            return Err(self.refused(&output, macros));
        };
        let packed = match &run.output {
            Ok(text) => Packed::of_text(text)?,
            Err(output) => Packed::of_errors(output)?,
        };
        let outcome = Outcome::Packed(packed.clone());
        if self.meet(&files)? {
            self.rename();
            let key = self.key(macros);
            // Another thread may have compiled the same: then its output stays.
            let _ = self.slot(&key, macros).outcome.set(outcome.clone());
            self.keep(&key, &packed);
        } else {
            self.keep(key, &packed);
        }
        Ok(outcome)
    }

    /// Puts the outputs under their new keys after a file was met.
    fn rename(&self) {
        let slots: Vec<Arc<Slot>> =
            self.outputs.lock().unwrap_or_else(PoisonError::into_inner).drain().map(|(_, slot)| slot).collect();
        for slot in slots {
            if let Some(Outcome::Packed(packed)) = slot.outcome.get() {
                let key = self.key(&slot.macros);
                let _ = self.slot(&key, &slot.macros).outcome.set(Outcome::Packed(packed.clone()));
                self.keep(&key, packed);
            }
        }
    }

    fn cached(&self, key: &Key) -> Option<Packed> {
        Packed::of_bytes(self.cache.as_ref()?.get(key)?)
    }

    fn has_cached(&self, key: &Key) -> bool {
        self.cache.as_ref().is_some_and(|cache| cache.has(key))
    }

    fn keep(&self, key: &Key, packed: &Packed) {
        // A cache that cannot be written only makes the next run slower.
        let _ = self.cache.as_ref().map(|cache| cache.put(key, packed.bytes()));
    }

    /// Takes note of the files that a compilation read. Returns true if one is new.
    fn meet(&self, files: &[PathBuf]) -> Result<bool, CompileError> {
        let mut closure = self.closure.lock().unwrap_or_else(PoisonError::into_inner);
        let has_new = closure.add(files.iter().map(PathBuf::as_path))?;
        if has_new && let Some(cache) = &self.cache {
            let paths: Vec<String> = closure.paths().map(|path| path.display().to_string()).collect();
            let _ = cache.put(&included(closure.base()), paths.join("\n").as_bytes());
        }
        Ok(has_new)
    }

    /// Takes note of the files that an earlier run met, so that the keys are the same.
    fn recall(&self, base: &str) -> Result<(), CompileError> {
        let bytes = self.cache.as_ref().and_then(|cache| cache.get(&included(base)));
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let paths: Vec<PathBuf> = text.lines().map(PathBuf::from).collect();
        let there = paths.iter().filter(|path| path.is_file() && self.folders.check(path).is_ok());
        self.closure.lock().unwrap_or_else(PoisonError::into_inner).add(there.map(PathBuf::as_path))?;
        Ok(())
    }

    /// Runs the compiler.
    fn run(&self, macros: &Macros, form: Form) -> Result<Run, CompileError> {
        let folder = self.folders.compilation()?;
        let at = folder.path();
        fs::write(at.join(self.language.file_name()), self.text(macros))?;
        let finished = process::run(&self.task(form, at), &self.limits)?;
        if let Some(stop) = finished.stopped {
            return Err(CompileError::Stopped(stop));
        }
        match unfinished(&finished, at)? {
            Some(why) => Err(CompileError::Unfinished { by: CLANG, why, macros: macros.shown() }),
            None => self.ended(&finished, at),
        }
    }

    /// The text that the compiler gets for a configuration.
    fn text(&self, macros: &Macros) -> String {
        macros.lines(&self.joined.arguments) + &self.joined.text
    }

    /// The task of compiling the source in a folder, by clang's driver.
    fn task(&self, form: Form, at: &Path) -> Task {
        let header = match (self.language, form) {
            (ClangLanguage::Cuda, _) => Some(headers::CUDA),
            (ClangLanguage::OpenCl, Form::Assembly) => Some(headers::OPENCL),
            (ClangLanguage::OpenCl, Form::Intermediate { .. }) => {
                self.names_sub_groups.then_some(headers::OPENCL_LANES)
            }
        };
        let mut task = Task::new(&self.clang.path, options(self.language, &self.target, form), at);
        task.arguments.extend(self.stand_in.iter().flat_map(|stand_in| stand_in.options(self.language)));
        task.arguments.extend(self.joined.options.iter().cloned());
        task.arguments.extend(self.names_sub_groups.then(|| "-DAUTOTUNE_SUB_GROUPS".to_owned()));
        task.arguments.extend(self.folders.options(at, header));
        if self.language == ClangLanguage::Cuda {
            // Before the source, so that no macro of a configuration replaces their words.
            task.arguments.extend(self.headers.iter().flat_map(|name| self.folders.included_first(name)));
        }
        task.arguments.extend(["-MD", "-MF", FILES, "-o", OUTPUT, self.language.file_name()].map(str::to_owned));
        task.bounds = Some(self.bounds());
        task
    }

    /// The bounds of a process of the compiler.
    fn bounds(&self) -> Bounds {
        Bounds { memory: MOST_MEMORY, allowance: self.limits.allowance.unwrap_or(ALLOWANCE), file: MOST_WRITTEN }
    }

    /// The output of a compiler that has come to its end.
    fn ended(&self, finished: &Finished, at: &Path) -> Result<Run, CompileError> {
        let files = self.files(at)?;
        if finished.status.success() {
            self.together.has_begun.store(true, Ordering::Relaxed);
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
    fn checked(&self, text: String) -> Result<String, CompileError> {
        named_files(&text).iter().try_for_each(|file| self.check_named(file))?;
        Ok(structures::numbered(text))
    }

    /// Checks that a file whose lines a message may quote is one that the source may read.
    fn check_named(&self, file: &str) -> Result<(), CompileError> {
        let file = Path::new(file);
        if self.source.files.iter().any(|own| own == file) { Ok(()) } else { self.folders.check_named(file) }
    }

    /// The compiler's errors in a source, at the places that outputs name.
    fn refused(&self, output: &str, macros: &Macros) -> CompileError {
        let messages: Vec<Message> =
            messages(output).into_iter().map(|message| message.placed(|place| self.user_place(place))).collect();
        let absent = messages.iter().find_map(|message| Some((message, missing(message)?)));
        match absent {
            Some((message, file)) => {
                let place = message.place.clone();
                let folder = included::folder_of(file, place.as_ref(), self.folders.places());
                CompileError::MissingInclude { file: file.to_owned(), place, folder }
            }
            None => CompileError::Refused { by: CLANG, macros: macros.shown(), messages, absent: self.absent.clone() },
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
    fn files(&self, at: &Path) -> Result<Option<Vec<PathBuf>>, CompileError> {
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
struct Run {
    /// The files that were read; `None` if the compiler did not come so far.
    files: Option<Vec<PathBuf>>,
    /// The text, or else the compiler's messages.
    output: Result<String, String>,
}

/// The compiler's files in a compilation's folder.
const FILES: &str = "autotune_files.d";
const OUTPUT: &str = "autotune_output.txt";
/// The words that a compiler prints when it fails itself.
const CRASH: &str = "PLEASE submit a bug report";
/// The words of clang's driver about a child of its own that a signal ended.
const KILLED: &[&str] = &["unable to execute command", "command failed due to signal"];

/// The key of the list of included files.
fn included(base: &str) -> Key {
    Key::of(["included", base])
}

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
