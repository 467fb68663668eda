//! The programs that read kernels' sources, as a user chooses them.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::super::registers::RegisterSource;
use autotune_base::files::cache::Cache;
use autotune_base::limits::{Allowance, Interrupt, Limits};

/// The time behind the moment when all work stops in which the work on a configuration may end: a limit that is over at once
/// leaves a time, too, if the compiler is quick.
const GRACE: Duration = Duration::from_millis(500);

/// The tools that read sources, as a user chooses them.
#[derive(Debug, Clone, Default)]
pub struct Tools {
    /// The compiler; `None` for the one of the environment or the newest.
    pub clang: Option<PathBuf>,
    /// The Python that has Triton; `None` for the one of the environment.
    pub python: Option<PathBuf>,
    /// True if a source that is a Python program may be executed.
    pub trusts_python: bool,
    /// NVIDIA's assembler; `None` for the one on the search path, if there is one.
    pub ptxas: Option<PathBuf>,
    /// The origin of the numbers of registers; `None` for AMD's back end on its GPUs, else the estimate.
    pub registers: Option<RegisterSource>,
    /// The limit of processor time for a configuration's compilation, and again for its execution and each other step of its
    /// analysis; `None` for 20 seconds, and 10.
    pub limit: Option<Duration>,
    /// The interrupt that stops compilations and executions.
    pub interrupt: Interrupt,
    /// The moment when compilations and executions stop; `None` if there is none.
    pub deadline: Option<Instant>,
    /// True if nothing of the user's cache is used, and nothing is put there.
    pub no_cache: bool,
    /// True if NVIDIA's assembler is not asked, also where there is one.
    pub no_ptxas: bool,
}

impl Tools {
    /// The cache of what is known of sources; `None` if there is none, or it cannot be trusted.
    pub(super) fn cache(&self) -> Option<Cache> {
        if self.no_cache { None } else { Cache::of_user().ok().flatten() }
    }

    /// The limits of a compiler that several questions share: the moment when one of them stops is the watch's.
    pub(super) fn shared_limits(&self) -> Limits {
        Limits { deadline: None, ..self.limits() }
    }

    /// The limits of a compilation or an execution.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let allowance = self.limit.map(|processor| Allowance { processor });
        let deadline = self.deadline.map(|deadline| deadline + GRACE);
        Limits { deadline, interrupt: self.interrupt.clone(), allowance }
    }
}
