//! Several configurations compiled by one process, which starts, loads its libraries and reads its options once for all.
//!
//! Each output is to the byte that of a process of its own. The bounds are those of one configuration, so that nothing
//! passes that would not pass alone. A configuration without an output is not judged here: whoever asks for it compiles
//! it alone. For what finds an error or is stopped harms those behind it in the same process.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use fs_err as fs;

use super::command::Command;
use super::error::CompileError;
use super::packed::Packed;
use super::structures;
use super::target::Form;
use autotune_base::files;
use autotune_base::limits::Limits;
use autotune_base::process;
use autotune_base::process::{Bounds, Task};

/// The most configurations that a process compiles.
pub const TOGETHER: usize = 16;
/// The most processes without an output, one after the other; after them, no further one is tried.
const MOST_FRUITLESS: u32 = 3;
/// The most outputs that wait to be asked for.
const MOST_READY: usize = 1 << 12;
/// The beginning of the names of the configurations' folders.
const FOLDER: &str = "autotune_";
/// The word of the directives that change what counts as an error in the whole process.
pub(super) const DIRECTIVE: &str = "diagnostic";

/// The knowledge of a source's compilations that processes for several configurations need.
#[derive(Debug)]
pub(super) struct Together {
    /// The commands for the text that is read and for the target's own; `None` if there is none.
    intermediate: OnceLock<Option<Command>>,
    assembly: OnceLock<Option<Command>>,
    /// True after the first configuration, which is compiled alone: it shows the files that the keys depend on.
    pub(super) has_begun: AtomicBool,
    /// The most configurations of the next process.
    most: AtomicUsize,
    fruitless: AtomicU32,
    /// The target's own texts that nobody has asked for yet, by the configurations' keys.
    ready: Mutex<HashMap<String, Packed>>,
}

impl Default for Together {
    fn default() -> Self {
        Self {
            intermediate: OnceLock::new(),
            assembly: OnceLock::new(),
            has_begun: AtomicBool::new(false),
            most: AtomicUsize::new(TOGETHER),
            fruitless: AtomicU32::new(0),
            ready: Mutex::default(),
        }
    }
}

impl Together {
    /// The compiler's own command for a form of output, asked for once; `None` if the driver has none.
    pub(super) fn command(&self, form: Form, ask: impl FnOnce() -> Option<Command>) -> Option<&Command> {
        let slot = match form {
            Form::Intermediate { .. } => &self.intermediate,
            Form::Assembly => &self.assembly,
        };
        slot.get_or_init(ask).as_ref()
    }

    /// The most configurations that the next process compiles; 0 if such processes are of no use.
    pub(super) fn at_once(&self) -> usize {
        if self.fruitless.load(Ordering::Relaxed) < MOST_FRUITLESS { self.most.load(Ordering::Relaxed) } else { 0 }
    }

    /// Takes note of a process with this number of outputs that can be used.
    pub(super) fn note(&self, outputs: usize) {
        if outputs == 0 {
            self.fruitless.fetch_add(1, Ordering::Relaxed);
        } else {
            self.fruitless.store(0, Ordering::Relaxed);
        }
    }

    /// The target's own text of a configuration that was compiled ahead; `None` if it was not.
    pub(super) fn take(&self, key: &str) -> Option<String> {
        let packed = self.ready.lock().unwrap_or_else(PoisonError::into_inner).remove(key)?;
        packed.text().ok()
    }

    pub(super) fn put(&self, key: &str, packed: Packed) {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if ready.len() >= MOST_READY {
            ready.clear();
        }
        ready.insert(key.to_owned(), packed);
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner).contains_key(key)
    }

    /// Runs a process. Returns the outputs of the first configurations, up to the first one without an output.
    ///
    /// # Errors
    /// If a file cannot be written or read, or the process cannot be started.
    pub(super) fn run(&self, job: &Job, texts: &[String], limits: &Limits) -> Result<Vec<String>, CompileError> {
        let mut task = Task::new(job.clang, job.command.arguments(job.at), job.at);
        let folders: Vec<String> = (0..texts.len()).map(|number| format!("{FOLDER}{number}")).collect();
        for (folder, text) in folders.iter().zip(texts) {
            fs::create_dir(job.at.join(folder))?;
            fs::write(job.at.join(folder).join(job.file), text)?;
            // Outputs name no folder of this run.
            task.arguments.push(format!("-fdebug-prefix-map={folder}/="));
            task.arguments.push(format!("-fmacro-prefix-map={folder}/="));
        }
        task.arguments.extend(folders.iter().map(|folder| format!("{folder}/{}", job.file)));
        task.bounds = Some(job.bounds);
        let finished = process::run(&task, limits)?;
        if finished.overrun.is_some() {
            self.most.store(texts.len() / 2, Ordering::Relaxed);
        }
        // A file that there was no room for may be there in part.
        if finished.lack().is_some() { Ok(Vec::new()) } else { job.outputs(&folders) }
    }
}

/// A process for several configurations.
pub(super) struct Job<'a> {
    /// The program.
    pub(super) clang: &'a Path,
    /// The program's arguments, but for the files.
    pub(super) command: &'a Command,
    /// The process's own folder.
    pub(super) at: &'a Path,
    /// The name of each configuration's file.
    pub(super) file: &'a str,
    /// The form of the outputs.
    pub(super) form: Form,
    /// The bounds of the process.
    pub(super) bounds: Bounds,
    /// The most bytes of an output.
    pub(super) longest: u64,
}

impl Job<'_> {
    /// The outputs up to the first configuration without one. The compiler gives an output its name when it is complete.
    fn outputs(&self, folders: &[String]) -> Result<Vec<String>, CompileError> {
        let ending = match self.form {
            Form::Intermediate { .. } => "ll",
            Form::Assembly => "s",
        };
        let mut outputs = Vec::new();
        for folder in folders {
            let path = self.at.join(folder).join(self.file).with_extension(ending);
            if !path.is_file() || fs::metadata(&path)?.len() > self.longest {
                break;
            }
            let text = files::kept(&path, self.longest).text()?;
            if structures::are_within_names(&text) {
                break;
            }
            outputs.push(alone(&text, folder));
        }
        Ok(outputs)
    }
}

/// A text whose head names the source as that of a process of its own does.
fn alone(text: &str, folder: &str) -> String {
    let head = text.match_indices('\n').nth(1).map_or(0, |(end, _)| end);
    text[..head].replace(&format!("{folder}/"), "") + &text[head..]
}
