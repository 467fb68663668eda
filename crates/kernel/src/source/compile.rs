//! Compiles a kernel's source for a configuration, with the user's clang, to LLVM's text or the target's.
//!
//! A source may come from a stranger: the compiler runs without a shell's words, in bounds of time, memory and output,
//! sees only the source's folders and its own headers, and assembles nothing. Equal compilations happen once: a
//! configuration's key has the values of those macros that the source names.

mod absent;
mod alike;
mod asked;
mod clang;
mod closure;
mod command;
mod copied;
mod driver;
mod error;
mod included;
mod macros;
mod marked;
mod message;
mod names;
mod namespaces;
mod newer;
mod packed;
mod place;
mod prepared;
mod refused;
mod stand_in;
mod structures;
mod target;
mod text;
mod together;
mod undeclared;
mod view;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use autotune_base::files::cache::{Cache, Key};
use autotune_base::limits::Limits;

pub use absent::AbsentHeader;
pub(in crate::source) use asked::AlikeTargets;
pub use clang::Clang;
use closure::Closure;
pub use copied::{NamedFolder, SourcePlaces, without_dots};
use driver::{Driver, FILES, LONGEST_OUTPUT, Run};
pub use error::{CLANG, CompileError, UnfinishedCompilation};
pub use macros::Macros;
pub use message::Message;
pub use names::{KernelNameError, kernel_name};
pub(in crate::source) use packed::Packed;
pub use stand_in::StandIn;
use target::Form;
pub use target::{Architecture, ClangLanguage, Language, Target};
pub use text::KernelSource;
pub(in crate::source) use text::LONGEST_FILE;
pub use together::TOGETHER;
use together::{DIRECTIVE, Job, Together};
pub use undeclared::{ClosedName, Undeclared, UndeclaredName};

/// A source that is compiled for one configuration after the other, from any thread.
#[derive(Debug)]
pub struct Compiler {
    driver: Driver,
    cache: Option<Cache>,
    closure: Mutex<Closure>,
    /// The outputs by their keys.
    outputs: Mutex<HashMap<String, Arc<Slot>>>,
    together: Together,
    /// The macros that are defined behind the text of a configuration, as they were last asked for.
    behind: Mutex<Option<(Macros, BTreeSet<String>)>>,
    /// The words of this program's headers that the source reads.
    words_of_headers: OnceLock<HashSet<&'static str>>,
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
        let (driver, base) = Driver::new(clang, source, places, target, cache.as_ref(), limits)?;
        let searched = driver.folders.searched("", true).map(Path::to_owned).collect();
        let closure = Mutex::new(Closure::new(&driver.joined, searched, base.clone()));
        let (outputs, together, behind) = (Mutex::default(), Together::default(), Mutex::default());
        let words_of_headers = OnceLock::new();
        let compiler = Self { driver, cache, closure, outputs, together, behind, words_of_headers };
        compiler.recall(&base)?;
        Ok(compiler)
    }

    /// True if the target is a GPU of AMD.
    #[must_use]
    pub fn is_for_amd(&self) -> bool {
        matches!(self.driver.target, Target::Amd(_))
    }

    /// The target that the source is compiled for in place of the GPU's; `None` if clang knows that.
    #[must_use]
    pub fn stand_in(&self) -> Option<&StandIn> {
        self.driver.stand_in.as_ref()
    }

    /// The headers that the source includes and that are nowhere: the compiler gets empty ones.
    #[must_use]
    pub fn absent(&self) -> &[AbsentHeader] {
        &self.driver.absent
    }

    /// The user's files that compilations have included, sorted. The compiler's own headers are left out.
    #[must_use]
    pub fn included(&self) -> Vec<PathBuf> {
        let closure = self.closure.lock().unwrap_or_else(PoisonError::into_inner);
        closure.paths().filter(|path| !self.driver.clang.has_header(path)).map(Path::to_owned).collect()
    }

    /// The compiler.
    #[must_use]
    pub fn clang(&self) -> &Clang {
        &self.driver.clang
    }

    /// The places of the source's files and folders.
    #[must_use]
    pub fn places(&self) -> &SourcePlaces {
        self.driver.folders.places()
    }

    /// The key of all that a configuration's output depends on.
    #[must_use]
    pub fn key(&self, macros: &Macros) -> Key {
        self.closure.lock().unwrap_or_else(PoisonError::into_inner).key(macros, &self.driver.joined.arguments)
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
                    let text = packed.text().map_err(|output| Arc::new(self.driver.refusal(&output, macros)))?;
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
            Err(output) => return Err(self.driver.refusal(&output, macros)),
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
        self.compile_together(self.driver.source.form(), &open, &|macros, packed| {
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
        // Marks are set between two processes for each configuration.
        if form != Form::Assembly && !self.driver.source.assumed.is_empty() {
            return;
        }
        // Such a directive holds for all files that the same process compiles after it.
        if self.closure.lock().unwrap_or_else(PoisonError::into_inner).names(DIRECTIVE) {
            return;
        }
        let mut left = configurations;
        loop {
            let some = &left[..self.together.at_once().min(left.len())];
            if some.len() < 2 || self.driver.limits.exceeded().is_some() {
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
        let ask = || self.driver.own_command(form).ok().flatten();
        let Some(command) = self.together.command(form, ask) else { return Ok(0) };
        let (folder, file) = (self.driver.folders.compilation()?, self.driver.language.file_name());
        let (at, bounds, longest) = (folder.path(), self.driver.bounds(), LONGEST_OUTPUT);
        let job = Job { clang: &self.driver.clang.path, command, at, file, form, bounds, longest };
        let texts: Vec<String> = configurations.iter().map(|macros| self.driver.text(macros)).collect();
        let outputs = self.together.run(&job, &texts, &self.driver.limits)?;
        let Some(files) = self.driver.files(at)? else { return Ok(0) };
        if self.meet(&files)? {
            self.rename();
        }
        let made = outputs.len();
        for (macros, text) in configurations.iter().zip(outputs) {
            keep(macros, Packed::of_text(&self.driver.checked(text)?)?);
        }
        Ok(made)
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
        let run = self.run(macros, self.driver.source.form())?;
        let Some(files) = run.files else {
            // Without its files, the output cannot stand for other configurations.
            let Err(output) = run.output else {
                let why = UnfinishedCompilation::NoRoom { says: format!("no list of files in {FILES}") };
                return Err(CompileError::Unfinished { by: CLANG, why, macros: macros.shown() });
            };
            return Err(self.driver.refusal(&output, macros));
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

    /// Runs the compiler. Takes note of the first output.
    fn run(&self, macros: &Macros, form: Form) -> Result<Run, CompileError> {
        let run = self.driver.run(macros, form)?;
        if run.output.is_ok() {
            self.together.has_begun.store(true, Ordering::Relaxed);
        }
        Ok(run)
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
        let there = paths.iter().filter(|path| path.is_file() && self.driver.folders.check(path).is_ok());
        self.closure.lock().unwrap_or_else(PoisonError::into_inner).add(there.map(PathBuf::as_path))?;
        Ok(())
    }
}

/// The key of the list of included files.
fn included(base: &str) -> Key {
    Key::of(["included", base])
}
