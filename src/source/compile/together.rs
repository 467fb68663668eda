//! Several configurations compiled by one process, which starts, loads its libraries and reads its options once for all.
//!
//! Each output is to the byte that of a process of its own. The bounds are those of one configuration, so that nothing
//! passes that would not pass alone. A configuration without an output is not judged here: whoever asks for it compiles
//! it alone. For what finds an error or is stopped harms those behind it in the same process.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use fs_err as fs;

use super::command::Command;
use super::error::CompileError;
use super::macros::Macros;
use super::packed::Packed;
use super::target::Form;
use super::{Compiler, LONGEST_OUTPUT, Outcome, structures};
use crate::files;
use crate::process;
use crate::process::{Finished, Task};

/// The most configurations that a process compiles.
pub const TOGETHER: usize = 16;
/// The time that a process should take at most: a longer one gains nothing, and is lost if it is stopped.
const LONGEST: Duration = Duration::from_secs(2);
/// The processes without an output after which no other is tried.
const MOST_FRUITLESS: u32 = 3;
/// The most outputs that wait to be asked for.
const MOST_READY: usize = 1 << 12;
/// The beginning of the names of the configurations' folders.
const FOLDER: &str = "autotune_";
/// The word of the directives that change what counts as an error in the whole process.
const DIRECTIVE: &str = "diagnostic";

/// The knowledge of a source's compilations that processes for several configurations need.
#[derive(Debug, Default)]
pub(super) struct Together {
    /// The commands for the text that is read and for the target's own; `None` if there is none.
    intermediate: OnceLock<Option<Command>>,
    assembly: OnceLock<Option<Command>>,
    /// The microseconds that a configuration took last; 0 before the first one.
    took: AtomicU64,
    fruitless: AtomicU32,
    /// The target's own texts that nobody has asked for yet, by the configurations' keys.
    ready: Mutex<HashMap<String, Packed>>,
}

impl Together {
    /// Takes note of a process that made some outputs.
    pub(super) fn note(&self, elapsed: Duration, outputs: usize) {
        let each = u32::try_from(outputs).ok().and_then(|outputs| elapsed.checked_div(outputs));
        if let Some(micros) = each.and_then(|each| u64::try_from(each.as_micros()).ok()) {
            self.took.store(micros.max(1), Ordering::Relaxed);
        }
    }

    /// The time that a configuration took last; `None` before the first one.
    fn took(&self) -> Option<Duration> {
        Some(Duration::from_micros(self.took.load(Ordering::Relaxed))).filter(|took| !took.is_zero())
    }

    /// The target's own text of a configuration that was compiled ahead; `None` if it was not.
    pub(super) fn take(&self, key: &str) -> Option<String> {
        let packed = self.ready.lock().unwrap_or_else(PoisonError::into_inner).remove(key)?;
        packed.text().ok()
    }

    fn put(&self, key: &str, packed: Packed) {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if ready.len() >= MOST_READY {
            ready.clear();
        }
        ready.insert(key.to_owned(), packed);
    }

    fn has(&self, key: &str) -> bool {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner).contains_key(key)
    }
}

/// The end of a process that compiled several configurations.
struct Made {
    /// The outputs of the first configurations, up to the first one without an output.
    outputs: Vec<String>,
    /// The files that the process read.
    files: Vec<PathBuf>,
}

impl Compiler {
    /// Compiles configurations ahead of [`Compiler::compile`], several in one process. Nothing is said of those that have
    /// errors or do not finish.
    pub fn prepare(&self, configurations: &[Macros]) {
        let mut open = self.open(configurations.iter());
        if self.together.took().is_none() && open.len() > 1 {
            // The first one shows the files, on which the keys depend, and the time.
            let _ = self.compile(open[0]);
            open = self.open(open[1..].iter().copied());
        }
        self.all_together(self.source.form(), &open, &|macros, packed| {
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
        self.all_together(Form::Assembly, &open, &|macros, packed| {
            let key = self.key(macros);
            self.keep(&Self::of_assembly(&key), &packed);
            self.together.put(key.text(), packed);
        });
    }

    /// The configurations of which nothing is known, one for each key.
    fn open<'m>(&self, configurations: impl Iterator<Item = &'m Macros>) -> Vec<&'m Macros> {
        let mut keys = HashSet::new();
        let is_open = |macros: &&Macros| {
            let key = self.key(macros);
            let slot = self.slot(&key, macros);
            slot.outcome.get().is_none() && !self.has_cached(&key) && keys.insert(key.text().to_owned())
        };
        configurations.filter(is_open).collect()
    }

    /// Compiles configurations by as few processes as are worth it.
    fn all_together(&self, form: Form, configurations: &[&Macros], keep: &dyn Fn(&Macros, Packed)) {
        if self.changes_errors() {
            return;
        }
        let mut left = configurations;
        loop {
            let some = &left[..self.at_once().min(left.len())];
            if some.len() < 2 || self.limits.exceeded().is_some() {
                return;
            }
            let made = self.process(form, some).ok().flatten();
            let done = made.map_or(0, |made| self.kept_of(made, some, keep));
            if done == 0 {
                self.together.fruitless.fetch_add(1, Ordering::Relaxed);
            } else {
                self.together.fruitless.store(0, Ordering::Relaxed);
            }
            if 2 * done < some.len() {
                // Where errors are frequent, each is found by a process of its own.
                return;
            }
            // The first one without an output is left to a process of its own.
            left = &left[done + usize::from(done < some.len())..];
        }
    }

    /// The configurations that the next process compiles; 0 if processes for several are of no use.
    fn at_once(&self) -> usize {
        let Some(took) = self.together.took() else { return 0 };
        if self.together.fruitless.load(Ordering::Relaxed) >= MOST_FRUITLESS {
            return 0;
        }
        let longest = LONGEST.min(self.bounds().allowance.processor / 4);
        usize::try_from(longest.as_micros() / took.as_micros().max(1)).unwrap_or(TOGETHER).min(TOGETHER)
    }

    /// True if a file changes what counts as an error, also for the files that the same process compiles after it.
    fn changes_errors(&self) -> bool {
        self.closure.lock().unwrap_or_else(PoisonError::into_inner).names(DIRECTIVE)
    }

    /// Keeps the outputs of a process. Returns their number.
    fn kept_of(&self, made: Made, configurations: &[&Macros], keep: &dyn Fn(&Macros, Packed)) -> usize {
        let Ok(has_new) = self.meet(&made.files) else { return 0 };
        if has_new {
            self.rename();
        }
        let mut done = 0;
        for (macros, text) in configurations.iter().zip(made.outputs) {
            let Ok(packed) = self.checked(text).and_then(|text| Ok(Packed::of_text(&text)?)) else { break };
            keep(macros, packed);
            done += 1;
        }
        done
    }

    /// Compiles configurations by one process; `None` if its outputs cannot be used.
    fn process(&self, form: Form, configurations: &[&Macros]) -> Result<Option<Made>, CompileError> {
        let Some(command) = self.command(form) else { return Ok(None) };
        let folder = self.folders.compilation()?;
        let at = folder.path();
        let name = self.source.file_name();
        let mut task = Task::new(&self.clang.path, command.arguments(at), at);
        let folders: Vec<String> = (0..configurations.len()).map(|number| format!("{FOLDER}{number}")).collect();
        for (folder, macros) in folders.iter().zip(configurations) {
            fs::create_dir(at.join(folder))?;
            fs::write(at.join(folder).join(&name), self.text(macros))?;
            // Outputs name no folder of this run.
            task.arguments.push(format!("-fdebug-prefix-map={folder}/="));
            task.arguments.push(format!("-fmacro-prefix-map={folder}/="));
        }
        task.arguments.extend(folders.iter().map(|folder| format!("{folder}/{name}")));
        task.bounds = Some(self.bounds());
        let finished = process::run(&task, &self.limits)?;
        let files = self.files(at)?;
        let outputs = if finished.stopped.is_some() { Vec::new() } else { outputs(&finished, at, &folders, form)? };
        self.together.note(finished.elapsed, outputs.len());
        Ok(files.map(|files| Made { outputs, files }))
    }

    /// The compiler's own command for a form of output; `None` if the driver has none.
    fn command(&self, form: Form) -> Option<&Command> {
        let slot = match form {
            Form::Intermediate { .. } => &self.together.intermediate,
            Form::Assembly => &self.together.assembly,
        };
        slot.get_or_init(|| self.asked(form).ok().flatten()).as_ref()
    }

    /// Asks the driver for its command.
    fn asked(&self, form: Form) -> Result<Option<Command>, CompileError> {
        let folder = self.folders.compilation()?;
        let name = self.source.file_name();
        fs::write(folder.path().join(&name), &self.joined.text)?;
        let mut task = self.task(form, folder.path());
        task.arguments.insert(0, "-###".to_owned());
        let finished = process::run(&task, &self.limits)?;
        Ok(Command::read(&finished.stderr, folder.path(), &name))
    }
}

/// The outputs of a process up to the first configuration without one.
fn outputs(finished: &Finished, at: &Path, folders: &[String], form: Form) -> Result<Vec<String>, CompileError> {
    // A file that could not be written may be there in part.
    if finished.lack().is_some() {
        return Ok(Vec::new());
    }
    let ending = match form {
        Form::Intermediate { .. } => "ll",
        Form::Assembly => "s",
    };
    let mut outputs = Vec::new();
    for folder in folders {
        let path = at.join(folder).join("autotune_source").with_extension(ending);
        if !path.is_file() || fs::metadata(&path)?.len() > LONGEST_OUTPUT {
            break;
        }
        let text = files::kept(&path, LONGEST_OUTPUT).text()?;
        if structures::are_within_names(&text) {
            break;
        }
        outputs.push(alone(&text, folder));
    }
    Ok(outputs)
}

/// A text whose head names the source as that of a process of its own does.
fn alone(text: &str, folder: &str) -> String {
    let head = text.match_indices('\n').nth(1).map_or(0, |(end, _)| end);
    text[..head].replace(&format!("{folder}/"), "") + &text[head..]
}
