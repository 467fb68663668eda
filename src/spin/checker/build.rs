//! From a model's text to its two searches: SPIN's translation and the compiler's work, or the cache instead of both.

use std::os::unix::fs::PermissionsExt;
use std::time::Instant;

use fs_err as fs;
use tracing::info;

use super::super::process::{self, Task};
use super::super::toolchain::Tool;
use super::{Binary, ModelChecker, SpinError, refused};
use crate::cache::{Cache, Key};

/// Compilers make programs that anybody may run.
const EXECUTABLE: u32 = 0o755;

impl ModelChecker {
    /// Makes both searches, unless that has been done. The commands are noted in any case.
    pub(super) fn build(&mut self) -> Result<(), SpinError> {
        if self.built {
            return Ok(());
        }
        let translation = Task::new(&self.settings.toolchain.spin.path, ["-a", "model.pml"], &self.folder);
        let compilations = [Binary::Property, Binary::Ends].map(|binary| self.compilation(binary));
        self.log(&translation)?;
        for task in &compilations {
            self.log(task)?;
        }
        let cache = self.settings.cache.clone();
        let keys = compilations.each_ref().map(|task| self.key(task));
        if !cache.as_ref().is_some_and(|cache| self.restore(cache, &keys)) {
            self.translate(&translation)?;
            self.compile(&compilations)?;
            if let Some(cache) = cache {
                self.keep(&cache, &keys)?;
            }
        }
        self.built = true;
        Ok(())
    }

    /// All that a compiled search depends on.
    fn key(&self, compilation: &Task) -> Key {
        let toolchain = &self.settings.toolchain;
        let tools =
            [&toolchain.spin, &toolchain.compiler].map(|tool| format!("{} {}", tool.path.display(), tool.version));
        let arguments = compilation.arguments.join("\n");
        Key::of(["checker", &self.model.text, &tools[0], &tools[1], &arguments])
    }

    /// Puts both searches from the cache into the folder, or says that it could not.
    fn restore(&self, cache: &Cache, keys: &[Key; 2]) -> bool {
        [Binary::Property, Binary::Ends].iter().zip(keys).all(|(binary, key)| {
            let path = self.folder.join(binary.file());
            cache.get(key).is_some_and(|content| {
                let permissions = std::fs::Permissions::from_mode(EXECUTABLE);
                fs::write(&path, content).and_then(|()| fs::set_permissions(&path, permissions)).is_ok()
            })
        })
    }

    fn keep(&self, cache: &Cache, keys: &[Key; 2]) -> Result<(), SpinError> {
        for (binary, key) in [Binary::Property, Binary::Ends].iter().zip(keys) {
            let content = fs::read(self.folder.join(binary.file()))?;
            // A cache that cannot be written makes the next proof slower, and this one no worse.
            let _ = cache.put(key, &content);
        }
        Ok(())
    }

    fn translate(&mut self, task: &Task) -> Result<(), SpinError> {
        info!("translating the model with spin -a");
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
        info!("compiling the checker");
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

    /// The compiler that suits the model, and how far it is to optimise.
    fn compiler(&self) -> (&Tool, &'static str) {
        let toolchain = &self.settings.toolchain;
        if self.model.is_worth_optimising() {
            (&toolchain.compiler, "-O2")
        } else {
            (toolchain.quick_compiler.as_ref().unwrap_or(&toolchain.compiler), "-O0")
        }
    }

    /// How both searches are compiled.
    pub(super) fn common_options(&self) -> Vec<String> {
        vec![
            "-w".to_owned(), // SPIN's own code makes compilers warn
            self.compiler().1.to_owned(),
            "-DSAFETY".to_owned(),
            format!("-DVECTORSZ={}", self.model.vector_bytes),
            format!("-DMEMLIM={}", self.settings.memory_mib),
        ]
    }

    fn compilation(&self, binary: Binary) -> Task {
        let mut arguments = self.common_options();
        if binary == Binary::Ends {
            arguments.extend(["-DNOCLAIM".to_owned(), "-DPRINTF".to_owned()]);
        }
        arguments.extend(["-o", binary.file(), "pan.c"].map(str::to_owned));
        Task::new(&self.compiler().0.path, arguments, &self.folder)
    }
}
