//! The build of a model's two searches by SPIN's translation and the C compiler, or from the cache.
//!
//! A program from the cache runs only if this process compiled it or if the cache has a record of it. A record is an
//! entry with the SHA-256 of both searches; it is written after a proof by exactly these programs has passed all of its
//! checks.

use std::collections::HashSet;
use std::os::unix::fs::PermissionsExt;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Instant;

use fs_err as fs;
use tracing::info;

use super::ModelChecker;
use super::outcome::{Binary, SpinError, refused};
use crate::spin::checker::state::{Built, Level};
use crate::spin::pan_output::Claim;
use autotune_base::files::cache::{Cache, Key};
use autotune_base::files::checksum::sha256;
use autotune_base::process;
use autotune_base::process::Task;

/// The mode of compilers' output: everybody may run it.
const EXECUTABLE: u32 = 0o755;

/// The two searches of a model.
const BINARIES: [Binary; 2] = [Binary::Property(Claim::Optimum), Binary::Ends];

/// The key of the record of two searches.
fn record_key([property, ends]: &[Key; 2]) -> Key {
    Key::of(["record", property.text(), ends.text()])
}

/// The SHA-256 of both searches, for each pair that this process has compiled.
static COMPILED: LazyLock<Mutex<HashSet<[String; 2]>>> = LazyLock::new(Mutex::default);

impl ModelChecker {
    /// Makes both searches unless they are made already. The commands are logged in either case.
    pub(super) fn build(&mut self) -> Result<(), SpinError> {
        if self.built.is_some() {
            return Ok(());
        }
        let translation = Task::new(&self.settings.toolchain.spin.path, ["-a", "model.pml"], &self.folder);
        self.log(&translation)?;
        let (level, cache) = (self.level(), self.settings.cache.clone());
        let restored = cache.as_ref().and_then(|cache| self.restore(cache, level));
        let compilations = self.compilations(restored.as_ref().map_or(level, |built| built.level));
        for task in &compilations {
            self.log(task)?;
        }
        self.built = Some(if let Some(built) = restored {
            built
        } else {
            self.translate(&self.preprocessed(&translation))?;
            self.compile(&compilations)?;
            let keys = compilations.each_ref().map(|task| self.key(task));
            let hashes = self.keep(cache.as_ref(), &keys)?;
            Built { level, keys, hashes }
        });
        Ok(())
    }

    /// The translation with the quick compiler as the preprocessor, or the compiler where there is no gcc: SPIN starts gcc by
    /// itself, which takes longer for the same text.
    fn preprocessed(&self, translation: &Task) -> Task {
        let mut translation = translation.clone();
        translation.arguments.splice(1..1, self.settings.toolchain.preprocessor());
        translation
    }

    /// Writes the record of these searches to the cache after a proof has passed all of its checks: other runs may use
    /// them.
    pub(crate) fn vouch(&self) {
        let (Some(cache), Some(Built { keys, hashes, .. })) = (&self.settings.cache, &self.built) else { return };
        let (key, record) = (record_key(keys), hashes.concat());
        if cache.get(&key).as_deref() != Some(record.as_bytes()) {
            // A cache that cannot be written only makes the next proof slower.
            let _ = cache.put(&key, record.as_bytes());
        }
    }

    /// The key of a compiled search: a hash of everything that it depends on.
    fn key(&self, compilation: &Task) -> Key {
        let toolchain = &self.settings.toolchain;
        let tools =
            [&toolchain.spin, &toolchain.compiler].map(|tool| format!("{} {}", tool.path.display(), tool.version));
        let arguments = compilation.arguments.join("\n");
        Key::of(["checker", &self.model.text, &tools[0], &tools[1], &arguments])
    }

    /// Copies both searches from the cache to the folder, those that are optimised in the first place unless the folder is
    /// kept; `None` if one is missing or not known to be good.
    fn restore(&self, cache: &Cache, level: Level) -> Option<Built> {
        let quickest = if self.settings.replays_all { level } else { Level::Optimised };
        let restored = self.restore_compiled(cache, quickest);
        if level == quickest { restored } else { restored.or_else(|| self.restore_compiled(cache, level)) }
    }

    fn restore_compiled(&self, cache: &Cache, level: Level) -> Option<Built> {
        let keys = self.compilations(level).each_ref().map(|task| self.key(task));
        let contents = [cache.get(&keys[0])?, cache.get(&keys[1])?];
        let hashes = contents.each_ref().map(|content| sha256([&**content]));
        let is_ours = COMPILED.lock().unwrap_or_else(PoisonError::into_inner).contains(&hashes);
        if !is_ours && cache.get(&record_key(&keys))? != hashes.concat().as_bytes() {
            return None;
        }
        for (binary, content) in BINARIES.iter().zip(contents) {
            let path = self.folder.join(binary.file());
            let permissions = std::fs::Permissions::from_mode(EXECUTABLE);
            fs::write(&path, content).and_then(|()| fs::set_permissions(&path, permissions)).ok()?;
        }
        Some(Built { level, keys, hashes })
    }

    /// Puts both searches, just compiled, into the cache and returns their SHA-256.
    fn keep(&self, cache: Option<&Cache>, keys: &[Key; 2]) -> Result<[String; 2], SpinError> {
        let read = |binary: Binary| fs::read(self.folder.join(binary.file()));
        let contents = [read(BINARIES[0])?, read(BINARIES[1])?];
        let hashes = contents.each_ref().map(|content| sha256([&**content]));
        COMPILED.lock().unwrap_or_else(PoisonError::into_inner).insert(hashes.clone());
        for (key, content) in keys.iter().zip(&contents) {
            // A cache that cannot be written only makes the next proof slower.
            let _ = cache.map(|cache| cache.put(key, content));
        }
        Ok(hashes)
    }

    fn translate(&mut self, task: &Task) -> Result<(), SpinError> {
        info!(target: "model.translate", "translating the model with spin -a");
        let outcome = process::run(task, &self.settings.limits)?;
        self.cost.spin += outcome.elapsed;
        if let Some(stop) = outcome.stopped {
            return Err(SpinError::Stopped(stop));
        }
        if !outcome.status.success() || outcome.stdout.contains("Error") {
            return Err(refused(task, &outcome));
        }
        Ok(())
    }

    fn compile(&mut self, [property, ends]: &[Task; 2]) -> Result<(), SpinError> {
        info!(target: "checker.compile", "compiling the checker");
        let began = Instant::now();
        let run = |task| process::run(task, &self.settings.limits);
        let outcomes = rayon::join(|| run(property), || run(ends));
        for (task, outcome) in [(property, outcomes.0?), (ends, outcomes.1?)] {
            if let Some(stop) = outcome.stopped {
                return Err(SpinError::Stopped(stop));
            }
            if !outcome.status.success() {
                return Err(refused(task, &outcome));
            }
        }
        self.cost.compiler += began.elapsed();
        Ok(())
    }

    /// The compiler options that both searches share.
    pub(super) fn common_options(&self, level: Level) -> Vec<String> {
        vec![
            "-w".to_owned(), // SPIN's own code makes compilers warn
            self.compiler(level).1.to_owned(),
            "-DSAFETY".to_owned(),
            format!("-DVECTORSZ={}", self.model.vector_bytes),
            format!("-DMEMLIM={}", self.settings.memory_mib),
        ]
    }

    fn compilations(&self, level: Level) -> [Task; 2] {
        BINARIES.map(|binary| self.compilation(binary, level))
    }

    fn compilation(&self, binary: Binary, level: Level) -> Task {
        let mut arguments = self.common_options(level);
        if binary == Binary::Ends {
            arguments.push("-DNOCLAIM".to_owned());
        }
        if binary == Binary::Ends || !self.settings.replays_all {
            arguments.push("-DPRINTF".to_owned());
        }
        arguments.extend(["-o", binary.file(), "pan.c"].map(str::to_owned));
        self.compiler(level).0.task(arguments, &self.folder)
    }
}
