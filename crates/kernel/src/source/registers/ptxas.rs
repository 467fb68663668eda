//! NVIDIA's assembler, where the user has it: whether a configuration assembles, and what it spills.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fs_err as fs;
use thiserror::Error;

use super::super::demangle::in_text;
use super::{RegisterSource, Registers};
use autotune_base::files::scratch::{Scratch, ScratchError};
use autotune_base::limits::{Allowance, Limits, Overrun, Stop};
use autotune_base::process;
use autotune_base::process::{Bounds, ProcessError, Task};

/// The usual allowance of a run.
const ALLOWANCE: Allowance = Allowance { processor: Duration::from_secs(20) };
/// The most memory of a run, and the most bytes of a file that it writes.
const MOST_MEMORY: u64 = 4 << 30;
const MOST_WRITTEN: u64 = 256 << 20;
/// The oldest compute capability that every assembler knows.
const OLDEST: u32 = 50;
/// The file that it assembles, and the one that it makes.
const INPUT: &str = "autotune_kernel.ptx";
const OUTPUT: &str = "autotune_kernel.cubin";

/// NVIDIA's assembler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ptxas {
    path: PathBuf,
}

/// A kernel that NVIDIA's assembler does not assemble.
#[derive(Debug, Error)]
pub enum PtxasError {
    /// It finds an error.
    #[error("ptxas {status}: {says}")]
    Refused {
        /// The exit status, in words.
        status: String,
        /// The first line that it prints.
        says: String,
    },
    /// The allowance is used up.
    #[error("ptxas did not finish: {0}")]
    Overrun(Overrun),
    /// A signal ended it.
    #[error("ptxas did not finish: it {0}")]
    Killed(String),
    /// The system had no memory or no room for it, as it says.
    #[error("ptxas did not finish: it prints `{0}`")]
    NoRoom(String),
    /// A limit or the user stopped it.
    #[error("ptxas was stopped: {0}")]
    Stopped(Stop),
    /// It cannot be run.
    #[error("cannot run ptxas")]
    Process(#[from] ProcessError),
    /// There is no place for its files.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// A file cannot be written.
    #[error("cannot run ptxas: {0}")]
    File(#[from] std::io::Error),
}

impl PtxasError {
    /// True if a limit, a signal or a lack of room ended the assembler: whether it accepts the kernel is not known.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        matches!(self, Self::Overrun(_) | Self::Killed(_) | Self::NoRoom(_))
    }
}

impl Ptxas {
    /// The assembler that the user names, else the one on the search path; `None` if there is none.
    #[must_use]
    pub fn find(wanted: Option<&Path>) -> Option<Self> {
        which::which(wanted.unwrap_or(Path::new("ptxas"))).ok().map(|path| Self { path })
    }

    /// The program's path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path, place, size and times of the program's file; the path alone if the file is gone.
    #[must_use]
    pub fn identity(&self) -> String {
        let path = self.path.display();
        fs::metadata(&self.path).map_or_else(|_| path.to_string(), |found| process::identity(&self.path, &found))
    }

    /// The line that the program prints about its release; empty if it prints none.
    #[must_use]
    pub fn version(&self, limits: &Limits) -> String {
        let finished = process::run(&Task::new(&self.path, ["--version"], Path::new("/")), limits);
        let printed = finished.map_or(String::new(), |finished| finished.stdout);
        printed.lines().find(|line| line.contains("release")).unwrap_or_default().trim().to_owned()
    }

    /// Assembles a kernel of a text in PTX for a compute capability, with at most `limit` registers.
    ///
    /// # Errors
    /// If it does not assemble, or the assembler is stopped.
    pub fn registers(
        &self,
        text: &str,
        kernel: &str,
        capability: u32,
        limit: u32,
        limits: &Limits,
    ) -> Result<Registers, PtxasError> {
        let scratch = Scratch::new()?;
        fs::write(scratch.path().join(INPUT), text)?;
        let architecture = format!("-arch={}", architecture(text, capability.max(OLDEST)));
        // Without a limit, it hoists loads into whatever is free.
        let limit = format!("-maxrregcount={limit}");
        let mut task = Task::new(&self.path, ["-v", &architecture, &limit, INPUT, "-o", OUTPUT], scratch.path());
        let allowance = limits.allowance.unwrap_or(ALLOWANCE);
        task.bounds = Some(Bounds { memory: MOST_MEMORY, allowance, file: MOST_WRITTEN });
        let finished = process::run(&task, limits)?;
        if let Some(stop) = finished.stopped {
            return Err(PtxasError::Stopped(stop));
        }
        if let Some(overrun) = finished.overrun {
            return Err(PtxasError::Overrun(overrun));
        }
        if finished.status.signal().is_some() {
            return Err(PtxasError::Killed(finished.status_in_words()));
        }
        let found = if finished.status.success() { read(&finished.stderr, kernel) } else { None };
        let says = || {
            finished
                .stderr
                .lines()
                .next()
                .map_or_else(|| "it prints nothing".to_owned(), |line| in_text(line).into_owned())
        };
        if found.is_none() && (finished.lacks_memory() || finished.lack().is_some()) {
            return Err(PtxasError::NoRoom(finished.lack().map_or_else(says, str::to_owned)));
        }
        found.ok_or_else(|| PtxasError::Refused { status: finished.status_in_words(), says: says() })
    }
}

/// The architecture of a compute capability, with the letter that the text's own target adds: `sm_90a` has instructions
/// that `sm_90` lacks.
fn architecture(text: &str, capability: u32) -> String {
    let wanted = format!("sm_{capability}");
    let targets = text.lines().filter_map(|line| line.trim_start().strip_prefix(".target "));
    let mut named = targets.flat_map(|line| line.split([',', ' ']));
    let is_own = |name: &&str| name.strip_prefix(&wanted).is_some_and(|rest| matches!(rest, "a" | "f"));
    let found = named.find(is_own).map(str::to_owned);
    found.unwrap_or(wanted)
}

/// What the assembler prints about a kernel.
fn read(output: &str, kernel: &str) -> Option<Registers> {
    let heading = format!("Compiling entry function '{kernel}' for ");
    let (_, about) = output.split_once(&heading)?;
    let about = about.split("Compiling entry function").next()?;
    let number = |before: &str, after: &str| {
        let line = about.lines().find(|line| line.contains(after))?;
        let (text, _) = line.split_once(after)?;
        text.rsplit(before).next()?.trim().parse::<u64>().ok()
    };
    Some(Registers {
        value: u32::try_from(number("Used", " registers")?).ok()?,
        source: RegisterSource::Ptxas,
        spilled_bytes: number(",", " bytes spill stores"),
        spill_accesses: None,
        local_bytes: Some(number(",", " bytes smem").unwrap_or(0)),
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const PRINTED: &str = "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'other' for 'sm_70'\n\
        ptxas info    : Function properties for other\n    0 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n\
        ptxas info    : Used 32 registers, 356 bytes cmem[0]\n\
        ptxas info    : Compiling entry function 'matmul_tiled' for 'sm_70'\n\
        ptxas info    : Function properties for matmul_tiled\n    \
        952 bytes stack frame, 948 bytes spill stores, 964 bytes spill loads\n\
        ptxas info    : Used 63 registers, 8192 bytes smem, 376 bytes cmem[0]\n";

    /// An assembler that prints what ptxas 12.9 printed, or an error.
    fn replayed(script: &str) -> Result<Registers, PtxasError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ptxas");
        std::fs::write(folder.path().join("printed"), PRINTED).unwrap();
        let script = script.replace("PRINTED", folder.path().join("printed").to_str().unwrap());
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let ptxas = Ptxas::find(Some(&path)).unwrap();
        ptxas.registers(".target sm_70", "matmul_tiled", 30, 63, &Limits::default())
    }

    #[test]
    fn registers_and_spills_of_the_kernel_are_read() {
        let script = "[ \"$*\" = '-v -arch=sm_50 -maxrregcount=63 autotune_kernel.ptx -o autotune_kernel.cubin' ] && \
                      grep -q sm_70 autotune_kernel.ptx && cat PRINTED >&2";
        let found = replayed(script).unwrap();
        let expected = (63, RegisterSource::Ptxas, Some(948), Some(8192));
        assert_eq!((found.value, found.source, found.spilled_bytes, found.local_bytes), expected);
    }

    #[test]
    fn the_texts_own_architecture_is_asked_for_where_it_is_the_gpus() {
        assert_eq!(architecture("//\n.version 8.6\n.target sm_90a, debug\n", 90), "sm_90a");
        assert_eq!(architecture(".target sm_90\n", 90), "sm_90");
        assert_eq!(architecture(".target sm_80\n", 90), "sm_90");
        assert_eq!(architecture(".target sm_100f\n", 100), "sm_100f");
    }

    #[test]
    fn an_error_of_the_assembler_is_told() {
        let error = replayed("echo \"ptxas fatal   : Value 'sm_20' is not defined\" >&2; exit 255").unwrap_err();
        assert_eq!(error.to_string(), "ptxas ended with exit status 255: ptxas fatal   : Value 'sm_20' is not defined");
        assert!(matches!(error, PtxasError::Refused { .. }));
        let killed = replayed("kill -KILL $$").unwrap_err();
        assert_eq!(killed.to_string(), "ptxas did not finish: it was killed by signal 9");
        for says in ["ptxas fatal   : Memory allocation failure", "ptxas fatal   : k.cubin: No space left on device"] {
            let error = replayed(&format!("echo '{says}' >&2; exit 255")).unwrap_err();
            assert!(error.is_unfinished(), "{error}");
            assert_eq!(error.to_string(), format!("ptxas did not finish: it prints `{says}`"));
        }
        assert!(Ptxas::find(Some(Path::new("/nowhere/ptxas"))).is_none());
    }
}
