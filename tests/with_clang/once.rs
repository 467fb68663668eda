//! Equal compilations happen once, and no two different ones count as equal.

use std::collections::HashSet;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use autotune::files::cache::Cache;
use autotune::files::secret::Secret;
use autotune::limits::Limits;
use autotune::source::{Clang, Compiler, KernelSource, Macros, Target};

use super::{Written, clang, macros};

/// A clang that writes a line for each compilation.
pub(crate) struct Counted {
    folder: tempfile::TempDir,
    pub(crate) clang: Clang,
    /// The key of its caches.
    secret: Secret,
}

impl Counted {
    pub(crate) fn new() -> Self {
        Self::by("case $1 in -O2) echo x >>LOG;; esac")
    }

    /// A clang that runs this line of shell first, which adds a line to LOG for each event that counts.
    pub(crate) fn by(counting: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (path, log) = (folder.path().join("clang"), folder.path().join("log"));
        let real = clang("clang-19");
        let script = format!("{counting}\nexec CLANG \"$@\"\n");
        let script = script.replace("LOG", log.to_str().unwrap()).replace("CLANG", real.path.to_str().unwrap());
        std::fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let clang = Clang::find(Some(&path), &Limits::default(), None).unwrap();
        Self { folder, clang, secret: Secret::random() }
    }

    pub(crate) fn count(&self) -> usize {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default().lines().count()
    }

    fn compiler(&self, source: &KernelSource, cache: Option<PathBuf>) -> Compiler {
        let cache = cache.map(|folder| Cache::new(folder, self.secret.clone()));
        Compiler::new(self.clang.clone(), source.clone(), Target::Portable, cache, Limits::default()).unwrap()
    }
}

const SOURCE: &str = "#if MODE == 2\n#include \"two.h\"\n#else\n#define VALUE A\n#endif\n\
                      __kernel void k(__global int* a) { *a = VALUE; }\n";

fn configuration(mode: &str, a: &str, b: &str, other: &str) -> Macros {
    macros(&[("MODE", mode), ("A", a), ("B", b), ("OTHER", other)])
}

fn stored(compiler: &Compiler, macros: &Macros) -> i64 {
    let text = compiler.compile(macros).unwrap().text;
    let (_, rest) = text.split_once("store i32 ").unwrap();
    rest.split(',').next().unwrap().parse().unwrap()
}

#[test]
fn a_macro_that_the_source_does_not_name_makes_no_other_compilation() {
    let counted = Counted::new();
    let written = Written::new(&[("k.cl", SOURCE), ("two.h", "#define VALUE B\n")]);
    let compiler = counted.compiler(&written.source, None);
    assert_eq!(stored(&compiler, &configuration("1", "5", "6", "1")), 5);
    assert_eq!(stored(&compiler, &configuration("1", "5", "7", "2")), 5);
    assert_eq!(counted.count(), 1, "neither B nor OTHER is in the files");
    // Only now the file with B is met, by two configurations that differ in it.
    assert_eq!(stored(&compiler, &configuration("2", "5", "6", "1")), 6);
    assert_eq!(stored(&compiler, &configuration("2", "5", "7", "1")), 7);
    assert_eq!(counted.count(), 3);
    assert_eq!(stored(&compiler, &configuration("2", "5", "7", "9")), 7);
    assert_eq!(counted.count(), 3);
}

#[test]
fn configurations_that_meet_a_file_at_once_get_their_own_outputs() {
    let counted = Counted::new();
    let written = Written::new(&[("k.cl", SOURCE), ("two.h", "#define VALUE B\n")]);
    let compiler = counted.compiler(&written.source, None);
    let values = ["6", "7", "6", "7", "8"];
    let found: Vec<i64> = std::thread::scope(|scope| {
        let runs = values.map(|b| scope.spawn(|| stored(&compiler, &configuration("2", "5", b, "1"))));
        runs.map(|run| run.join().unwrap()).to_vec()
    });
    assert_eq!(found, [6, 7, 6, 7, 8]);
}

#[test]
fn identifiers_that_the_preprocessor_makes_count_too() {
    let text = "#define JOIN(a, b) a##b\n__kernel void k(__global int* a) { *a = JOIN(WI, DTH); }\n";
    let written = Written::new(&[("k.cl", text)]);
    let compiler = written.compiler(&clang("clang-19"));
    assert_eq!(stored(&compiler, &macros(&[("WIDTH", "3")])), 3);
    assert_eq!(stored(&compiler, &macros(&[("WIDTH", "4")])), 4);
}

#[test]
fn a_second_run_starts_no_compiler_and_a_changed_file_does() {
    let counted = Counted::new();
    let written = Written::new(&[("k.cl", SOURCE), ("two.h", "#define VALUE B\n")]);
    let cache = written.path("cache");
    let all = || [("1", "5", "6"), ("2", "5", "6"), ("2", "5", "7")].map(|(mode, a, b)| configuration(mode, a, b, "1"));
    let run = || {
        let compiler = counted.compiler(&written.source, Some(cache.clone()));
        let keys: HashSet<String> =
            all().iter().map(|one| compiler.compile(one).unwrap().key.text().to_owned()).collect();
        assert_eq!(keys.len(), 3);
        all().map(|one| stored(&compiler, &one))
    };
    assert_eq!((run(), counted.count()), ([5, 6, 7], 3));
    assert_eq!((run(), counted.count()), ([5, 6, 7], 3));
    std::fs::write(written.path("two.h"), "#define VALUE (B + 1)\n").unwrap();
    assert_eq!(run(), [5, 7, 8]);
    assert!(counted.count() > 3);
}

/// A file that did not exist is now found first: beside the source, or beside the file that includes it.
#[test]
fn a_new_file_that_hides_an_included_one_is_noticed() {
    let counted = Counted::new();
    let source = "#include \"outer/one.h\"\n__kernel void k(__global int* a) { *a = VALUE; }\n";
    let shared =
        [("k.cl", source), ("shared/outer/one.h", "#include \"two.h\"\n"), ("shared/two.h", "#define VALUE 2\n")];
    let mut written = Written::new(&shared);
    written.source.include = vec![written.path("shared")];
    let cache = Some(written.path("cache"));
    let ask = || stored(&counted.compiler(&written.source, cache.clone()), &macros(&[]));
    assert_eq!((ask(), ask(), counted.count()), (2, 2, 1));
    for (path, value) in [("two.h", 3), ("shared/outer/two.h", 4)] {
        std::fs::write(written.path(path), format!("#define VALUE {value}\n")).unwrap();
        assert_eq!((ask(), ask()), (value, value), "{path}");
    }
    std::fs::create_dir(written.path("outer")).unwrap();
    std::fs::write(written.path("outer/one.h"), "#define VALUE 5\n").unwrap();
    assert_eq!(ask(), 5);
}

#[test]
fn errors_are_kept_but_not_that_a_file_is_missing() {
    let counted = Counted::new();
    let mut written = Written::new(&[("k.cl", "#if A > 1\n#error too many\n#endif\n")]);
    let cache = Some(written.path("cache"));
    for _ in 0..2 {
        let error = counted.compiler(&written.source, cache.clone()).compile(&macros(&[("A", "2")])).unwrap_err();
        assert!(error.to_string().contains("with A=2:\n") && error.to_string().contains(":2:2: too many"), "{error}");
        assert_eq!(counted.count(), 1);
    }
    std::fs::write(written.path("k.cl"), "#include \"late.h\"\n__kernel void k(__global int* a) { *a = LATE; }\n")
        .unwrap();
    written.source.files = vec![written.path("k.cl")];
    assert!(counted.compiler(&written.source, cache.clone()).compile(&macros(&[])).is_err());
    std::fs::write(written.path("late.h"), "#define LATE 8\n").unwrap();
    assert_eq!(stored(&counted.compiler(&written.source, cache), &macros(&[])), 8);
}
