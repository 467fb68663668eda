use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::prices::Maker;
use super::super::registers::Registers;
use super::*;
use crate::source::Target;

/// A compiler that refuses each source, and counts its requests.
#[derive(Debug, Default)]
struct Refusing(AtomicUsize);

impl Compile for Refusing {
    fn key(&self, macros: &Macros) -> String {
        macros.text()
    }

    fn compile(&self, _: &Macros) -> Result<(String, String), AnalysisError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Err(AnalysisError::NotAmd)
    }

    fn registers(&self, _: &Macros, _: &str) -> Result<Option<Registers>, AnalysisError> {
        Ok(None)
    }
}

fn processor(warp_size: u32) -> Processor {
    Processor { target: Target::Portable, maker: Maker::Other, warp_size, register_limit: 255 }
}

fn source(file: &str) -> KernelSource {
    KernelSource::of_file(Path::new(file)).unwrap()
}

#[test]
fn a_failure_is_remembered_for_its_source_and_processor_and_for_no_other_question() {
    let compiler = Arc::new(Refusing::default());
    let reader = SourceReader::with_compiler(Arc::<Refusing>::clone(&compiler));
    let asked = |reader: &SourceReader, file: &str, warp_size: u32| {
        assert!(reader.reading(&source(file), &processor(warp_size)).kernel(&Macros::default()).is_err());
        compiler.0.load(Ordering::Relaxed)
    };
    assert_eq!(asked(&reader, "a.cl", 32), 1);
    assert_eq!(asked(&reader, "a.cl", 32), 1, "another reading of the same");
    assert_eq!(asked(&reader, "a.cl", 64), 2);
    assert_eq!(asked(&reader, "b.cl", 32), 3);
    assert_eq!(asked(&reader.for_another_question(), "a.cl", 32), 4);
}

#[test]
fn nothing_of_a_given_compiler_is_known_to_the_users_cache() {
    let reader = SourceReader::with_compiler(Arc::new(Refusing::default()));
    assert!(reader.cache().is_none() && reader.for_another_question().cache().is_none());
    let uncached = SourceReader::new(Tools { no_cache: true, ..Tools::default() });
    assert!(uncached.cache().is_none() && uncached.interrupted_by(Interrupt::default()).cache().is_none());
}

#[test]
fn a_reader_heeds_its_interrupt_in_each_question() {
    let interrupt = Interrupt::default();
    let reader = SourceReader::default().interrupted_by(interrupt.clone()).for_another_question();
    assert!(!reader.tools().interrupt.is_raised());
    interrupt.raise();
    assert!(reader.tools().interrupt.is_raised());
}
