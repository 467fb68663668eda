use std::os::unix::fs::PermissionsExt;
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

/// Python takes 50 ms to read a file.
#[test]
fn the_kernels_of_a_triton_file_are_read_once_for_all_questions() {
    let folder = tempfile::tempdir().unwrap();
    let [file, python, asked] = ["k.py", "python", "asked"].map(|name| folder.path().join(name));
    std::fs::write(&file, "").unwrap();
    let kernel = r#"{"name": "k", "line": 1, "arguments": [], "pointers": [], "tuned": false}"#;
    let answer = format!(r#"{{"python": "3.12", "triton": "3.3", "kernels": [{kernel}], "files": []}}"#);
    std::fs::write(&python, format!("#!/bin/sh\necho >> {}\necho '{answer}'\n", asked.display())).unwrap();
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
    let tools = Tools { python: Some(python), trusts_python: true, no_cache: true, ..Tools::default() };
    let reader = SourceReader::new(tools);
    let nvidia = |capability| Processor { target: Target::Nvidia(capability), ..processor(32) };
    let [one, same, other] = [80, 80, 90].map(|capability| {
        let question = reader.for_another_question();
        let digest = question.reading(&source(file.to_str().unwrap()), &nvidia(capability)).digest().unwrap();
        (digest, std::fs::read_to_string(&asked).unwrap().lines().count())
    });
    assert_eq!((&one.0, one.1), (&same.0, same.1));
    assert_ne!(one.0, other.0);
    assert_eq!([one.1, other.1], [1, 2], "once for each GPU");
}

#[test]
fn a_reader_heeds_its_interrupt_in_each_question() {
    let interrupt = Interrupt::default();
    let reader = SourceReader::default().interrupted_by(interrupt.clone()).for_another_question();
    assert!(!reader.tools().interrupt.is_raised());
    interrupt.raise();
    assert!(reader.tools().interrupt.is_raised());
}
