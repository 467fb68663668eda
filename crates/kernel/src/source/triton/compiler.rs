//! The user's Triton as the compiler of one kernel.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::asked::Asked;
use super::described::{DescribedKernel, Description, describe};
use super::emitted::{Answer, Emitted, Texts};
use super::error::TritonError;
use super::program::{FILES, LOADING, MARKS, PROGRAM, answers};
use super::python::UserPython;
use super::target::TritonTarget;
use super::text::portable;
use crate::source::compile::{CompileError, KernelSource, LONGEST_FILE, Macros, Packed, SourcePlaces};
use autotune_base::files;
use autotune_base::files::cache::{Cache, Key};
use autotune_base::limits::{Allowance, Limits};

/// The usual allowance of a configuration: one in a thousand takes longer.
const ALLOWANCE: Allowance = Allowance { processor: Duration::from_secs(60) };
/// The allowance for starting Triton.
const START: Duration = Duration::from_secs(20);

/// A kernel that Triton compiles for one configuration after the other, from any thread.
#[derive(Debug)]
pub struct TritonCompiler {
    python: UserPython,
    source: KernelSource,
    places: SourcePlaces,
    description: Description,
    kernel: DescribedKernel,
    target: TritonTarget,
    /// The key of all that an output depends on, beside its configuration.
    base: String,
    cache: Option<Cache>,
    limits: Limits,
    /// The answers by the configurations' keys.
    answers: Mutex<HashMap<String, Packed>>,
}

impl TritonCompiler {
    /// Reads which kernels a file has, and makes ready to compile one.
    ///
    /// # Errors
    /// If Python cannot be run, a file cannot be read, or there is no such kernel.
    pub fn new(
        python: UserPython,
        source: KernelSource,
        places: SourcePlaces,
        target: TritonTarget,
        cache: Option<Cache>,
        limits: Limits,
    ) -> Result<Self, CompileError> {
        let description = describe(&python, &places.files[0], &limits)?;
        let kernel = description.kernel(source.kernel.as_deref())?.clone();
        let base = base(&source, &places, &description, &kernel, &target)?;
        let answers = Mutex::default();
        Ok(Self { python, source, places, description, kernel, target, base, cache, limits, answers })
    }

    /// The kernel, as its file describes it.
    #[must_use]
    pub fn kernel(&self) -> &DescribedKernel {
        &self.kernel
    }

    /// The machine that the kernel is compiled for.
    #[must_use]
    pub fn target(&self) -> &TritonTarget {
        &self.target
    }

    /// The places of the source's file and of the folder around it.
    #[must_use]
    pub fn places(&self) -> &SourcePlaces {
        &self.places
    }

    /// The files beside the source that it imports.
    #[must_use]
    pub fn imported(&self) -> &[PathBuf] {
        &self.description.files
    }

    /// The versions of Triton and Python in words.
    #[must_use]
    pub fn says(&self) -> String {
        let Description { python, triton, .. } = &self.description;
        format!("Triton {} (Python {python})", triton.as_deref().unwrap_or("is not installed"))
    }

    /// The key of all that a configuration's output depends on.
    #[must_use]
    pub fn key(&self, macros: &Macros) -> Key {
        match self.asked(macros) {
            Ok(asked) => self.key_of(&asked),
            Err(_) => Key::of([self.base.as_str(), "refused", &macros.text()]),
        }
    }

    /// The output for a configuration: from an equal compilation, from the cache, or by Triton.
    ///
    /// # Errors
    /// If the kernel has errors, or the compiler is stopped or exceeds its bounds.
    pub fn compile(&self, macros: &Macros) -> Result<Emitted, CompileError> {
        Ok(self.texts(macros)?.emitted(&self.places))
    }

    /// The target's own text for a configuration: PTX, or the assembly of AMD's GPUs.
    ///
    /// # Errors
    /// As [`TritonCompiler::compile`].
    pub fn assembly(&self, macros: &Macros) -> Result<String, CompileError> {
        Ok(self.texts(macros)?.assembly)
    }

    fn texts(&self, macros: &Macros) -> Result<Texts, CompileError> {
        let asked = self.asked(macros)?;
        let key = self.key_of(&asked);
        if self.known(&key).is_none() {
            self.run(&[(&key, &asked)])?;
        }
        let text = self.known(&key).and_then(|packed| packed.text().ok());
        let answer: Option<Answer> = text.and_then(|text| serde_json::from_str(&text).ok());
        answer.ok_or_else(|| self.nothing())?.texts(asked.warps(), &macros.shown(), &self.places, &self.python.path)
    }

    /// Compiles configurations ahead of [`TritonCompiler::compile`] by one process. Nothing is said of errors.
    pub fn prepare(&self, configurations: &[Macros]) {
        let mut open: Vec<(Key, Asked)> = Vec::new();
        for macros in configurations {
            let Ok(asked) = self.asked(macros) else { continue };
            let key = self.key_of(&asked);
            if !open.iter().any(|(other, _)| *other == key) && self.known(&key).is_none() {
                open.push((key, asked));
            }
        }
        if open.len() > 1 {
            let open: Vec<(&Key, &Asked)> = open.iter().map(|(key, asked)| (key, asked)).collect();
            let _ = self.run(&open);
        }
    }

    fn asked(&self, macros: &Macros) -> Result<Asked, TritonError> {
        Asked::new(&self.kernel, &self.source, macros)
    }

    fn key_of(&self, asked: &Asked) -> Key {
        Key::of([self.base.as_str(), &asked.text()])
    }

    /// The answer of an earlier run; `None` if there is none.
    fn known(&self, key: &Key) -> Option<Packed> {
        let known = self.kept().get(key.text()).cloned();
        known.or_else(|| {
            let cached = Packed::of_bytes(self.cache.as_ref()?.get(key)?)?;
            self.kept().insert(key.text().to_owned(), cached.clone());
            Some(cached)
        })
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, Packed>> {
        // A poisoned lock still guards whole entries: nothing here panics between two writes.
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compiles configurations by one process and keeps the answers.
    ///
    /// # Errors
    /// If Python fails before it compiles, or the only configuration has not come to its end.
    fn run(&self, open: &[(&Key, &Asked)]) -> Result<(), CompileError> {
        let allowed = self.limits.allowance.unwrap_or(ALLOWANCE);
        let whole = u32::try_from(open.len()).unwrap_or(u32::MAX);
        let allowance = Allowance { processor: allowed.processor.saturating_mul(whole) + START };
        let request = self.request(open, allowed);
        for line in answers::<Box<RawValue>>(&self.python, &request, allowance, &self.limits)? {
            let read: Answer = serde_json::from_str(line.get()).map_err(|_| self.nothing())?;
            let Some(number) = read.number else {
                return read.texts(open[0].1.warps(), "", &self.places, &self.python.path).map(|_| ());
            };
            let Some((key, asked)) = open.get(number) else { continue };
            // What was ended by a signal may come to its end another time.
            if read.is_unfinished() {
                if open.len() == 1 {
                    return read.texts(asked.warps(), "", &self.places, &self.python.path).map(|_| ());
                }
                continue;
            }
            let packed = Packed::of_text(&portable(line.get(), &self.places))?;
            // A cache that cannot be written only makes the next run slower.
            let _ = self.cache.as_ref().filter(|_| !read.is_open()).map(|cache| cache.put(key, packed.bytes()));
            self.kept().insert(key.text().to_owned(), packed);
        }
        Ok(())
    }

    fn request(&self, open: &[(&Key, &Asked)], allowed: Allowance) -> Value {
        let types: HashMap<&String, &String> = self.source.types.iter().map(|(name, of)| (name, of)).collect();
        let configurations: Vec<&Asked> = open.iter().map(|(_, asked)| *asked).collect();
        let assumed = &self.source.assumed;
        json!({
            "do": "compile",
            "file": whole(&self.places.files[0]),
            "kernel": self.kernel.name,
            "target": self.target.words(),
            "types": types,
            "unaligned": self.source.unaligned,
            "assumed": { "taken": assumed.taken, "trips": assumed.trips },
            "assembly": true,
            "seconds": allowed.processor.as_secs().max(1),
            "configurations": configurations,
        })
    }

    fn nothing(&self) -> CompileError {
        TritonError::Failed { python: self.python.path.clone(), says: "it answers nothing".to_owned() }.into()
    }
}

/// A file's path without links, as outputs name it; as it is if there is none.
fn whole(file: &std::path::Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| file.to_owned())
}

/// The key of all that an output depends on, beside its configuration.
fn base(
    source: &KernelSource,
    places: &SourcePlaces,
    description: &Description,
    kernel: &DescribedKernel,
    target: &TritonTarget,
) -> Result<String, CompileError> {
    let mut parts = vec![
        "triton".to_owned(),
        PROGRAM.to_owned(),
        MARKS.to_owned(),
        FILES.to_owned(),
        LOADING.to_owned(),
        kernel.name.clone(),
        target.words().to_string(),
    ];
    parts.extend([&description.python, description.triton.as_ref().unwrap_or(&description.python)].map(Clone::clone));
    for (name, of) in &source.types {
        parts.push(format!("{name}: {of}"));
    }
    parts.push(source.unaligned.join(" "));
    parts.push(description.absent.join(" "));
    parts.extend(Some(source.assumed.text()).filter(|text| !text.is_empty()));
    for file in places.files.iter().chain(&description.files) {
        // The same file in another folder has the same outputs.
        let file_name = places.portable(&whole(file)).unwrap_or_else(|| whole(file).display().to_string());
        parts.push(file_name);
        parts.push(files::named(file, LONGEST_FILE).text().map_err(CompileError::Source)?);
    }
    Ok(Key::of(parts.iter().map(String::as_str)).text().to_owned())
}
