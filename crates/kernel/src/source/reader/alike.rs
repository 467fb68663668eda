//! Kernels and executions that stand for several targets, where a source cannot tell them apart.

use std::sync::Arc;

use super::super::analyse::SourceKernel;
use super::super::compile::{AlikeTargets, Compiler, Macros, Target};
use super::super::error::AnalysisError;
use super::super::run::Processor;
use super::{FIRST_WITH_COPIES, Opened, Reading, SourceReader, lock};
use autotune_base::limits::watch::apart;

impl SourceReader {
    /// True if a source is compiled and executed once for all targets that it cannot tell apart.
    #[must_use]
    pub fn shares_targets(&self) -> bool {
        self.shares_targets
    }

    /// The reader that compiles and executes a source once for all targets that it cannot tell apart, which is true of all
    /// but registers that a back end assigns. It shares all that is known.
    #[must_use]
    pub fn sharing_targets(&self) -> Self {
        Self { shares_targets: true, ..self.until(None) }
    }
}

impl<'a> Reading<'a> {
    /// True if what is compiled may stand for several targets.
    #[must_use]
    pub fn shares_targets(&self) -> bool {
        self.shared_clang().is_some()
    }

    /// True if a back end assigns the registers.
    #[must_use]
    pub fn asks_back_end(&self) -> bool {
        self.compiler().is_ok_and(|compiler| compiler.asks_back_end())
    }

    /// The kernel of a configuration with its key, without the registers of a back end, and the reading that executes it.
    ///
    /// # Errors
    /// As [`Reading::kernel`].
    pub fn shared_kernel(&self, macros: &Macros) -> Result<(Reading<'a>, (String, Arc<SourceKernel>)), AnalysisError> {
        if let Some((first, alike)) = self.stood_for_by(macros)
            && let Ok(kernel) = first.without_back_end(macros)
            // The compilation may have met a file that asks for the target.
            && first.shared_clang().is_some_and(|clang| clang.permits(alike))
        {
            return Ok((first, kernel));
        }
        Ok((self.clone(), self.without_back_end(macros)?))
    }

    /// The user's clang, if its outputs may stand for several targets.
    pub(super) fn shared_clang(&self) -> Option<&Compiler> {
        let compiler = self.compiler().ok().filter(|_| self.reader.shares_targets)?;
        compiler.clang()
    }

    /// Makes ready to see which targets a source cannot tell apart, which is shown by this configuration.
    pub fn make_ready(&self, macros: &Macros) {
        if let Some(clang) = self.shared_clang() {
            apart(|| clang.make_ready(macros));
        }
    }

    /// The number of the reading whose kernels stand for those of this one, as a first configuration shows.
    #[must_use]
    pub fn number_standing(&self, macros: &Macros) -> usize {
        self.stood_for_by(macros).map_or(self.opened.number, |(first, _)| first.opened.number)
    }

    /// The number of the reading: equal readings have one.
    #[must_use]
    pub fn number(&self) -> usize {
        self.opened.number
    }

    /// Compiles configurations for the target that stands for this one.
    pub(super) fn prepare_shared(&self, clang: &Compiler, configurations: &[Macros]) {
        let Some(macros) = configurations.first() else { return };
        let first = self.stood_for_by(macros).map(|(first, _)| first);
        let clang = first.as_ref().and_then(Self::shared_clang).unwrap_or(clang);
        apart(|| clang.prepare(configurations));
    }

    /// The reading that stands for this one, found by a first configuration.
    fn stood_for_by(&self, macros: &Macros) -> Option<(Reading<'a>, &AlikeTargets)> {
        let found = self.opened.stood_for_by.get_or_init(|| apart(|| self.first_alike(macros)));
        let (opened, alike) = found.as_ref()?;
        Some((self.of(opened), alike))
    }

    fn first_alike(&self, macros: &Macros) -> Option<(Arc<Opened>, AlikeTargets)> {
        let own = self.shared_clang()?;
        let is_older = |other: &&Arc<Opened>| {
            let (one, other) = (&self.opened, &***other);
            other.number < one.number && other.source == one.source && are_alike(&other.processor, &one.processor)
        };
        let older: Vec<Arc<Opened>> = lock(&self.reader.opened).iter().filter(is_older).cloned().collect();
        let stands_for_itself = |other: &Arc<Opened>| other.stood_for_by.get().is_none_or(Option::is_none);
        older.into_iter().filter(stands_for_itself).find_map(|other| {
            let alike = self.of(&other).shared_clang()?.alike(own, macros)?;
            Some((other, alike))
        })
    }

    /// The reading of what was opened before.
    fn of(&self, opened: &Arc<Opened>) -> Reading<'a> {
        Reading { reader: self.reader, opened: Arc::clone(opened) }
    }

    /// The kernel of a configuration and its key; its registers are an estimate.
    fn without_back_end(&self, macros: &Macros) -> Result<(String, Arc<SourceKernel>), AnalysisError> {
        let Some(clang) = self.shared_clang().filter(|_| self.asks_back_end()) else { return self.kernel(macros) };
        let named = |key: &str| format!("{key} without a back end");
        let key = named(clang.key(macros).text());
        if let Some(known) = self.reader.kernels.get(&(self.opened.number, key.clone())) {
            return Ok((key, known));
        }
        let compiled = apart(|| clang.compile(macros))?;
        // The compilation may have met a file that the key depends on too.
        let key = named(compiled.key.text());
        let read = || self.read(&compiled.text).map(Arc::new);
        let kernel = self.reader.kernels.get_or((self.opened.number, key.clone()), read)?;
        Ok((key, kernel))
    }
}

/// True if an execution for one of two processors may stand for the other one.
fn are_alike(one: &Processor, other: &Processor) -> bool {
    let is_kind_alike = match (&one.target, &other.target) {
        // What copies do wrong counts from that capability on.
        (Target::Nvidia(one), Target::Nvidia(other)) => (*one < FIRST_WITH_COPIES) == (*other < FIRST_WITH_COPIES),
        (Target::Amd(_), Target::Amd(_)) => true,
        _ => false,
    };
    is_kind_alike && one.maker == other.maker && one.warp_size == other.warp_size
}
