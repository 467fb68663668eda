//! Files that a source may not read.

use std::os::unix::fs::symlink;

use autotune::source::{Clang, CompileError};

use super::{VERSIONS, Written, clang, macros};

/// A number that the name of no temporary folder holds: such names have six random characters.
const SECRET: &str = "1734205942";

/// The error for a source that includes a file, which holds a secret.
fn refused(clang: &Clang, included: &str, include: Option<&str>) -> Outcome {
    let mut written = Written::new(&[
        ("spec/k.cl", &format!("#include {included}\n__kernel void k(__global int* a) {{ *a = secret; }}\n")),
        ("secret.h", &format!("enum {{ secret = {SECRET} }};\n")),
        ("shared/h.h", "enum { secret = 43 };\n"),
    ]);
    symlink(written.path("secret.h"), written.path("spec/link.h")).unwrap();
    symlink(written.path("."), written.path("spec/up")).unwrap();
    written.source.include = include.iter().map(|name| written.path(name)).collect();
    let text = std::fs::read_to_string(written.path("spec/k.cl")).unwrap();
    let text = text.replace("FOLDER", written.folder.path().to_str().unwrap());
    std::fs::write(written.path("spec/k.cl"), text).unwrap();
    let compiled = written.compiler(clang).compile(&macros(&[]));
    compiled.map(|compiled| compiled.text).map_err(|error| {
        let is_refused = matches!(&*error, CompileError::MissingInclude { .. } | CompileError::Outside(_));
        assert!(is_refused, "{error}");
        error.to_string()
    })
}

type Outcome = Result<String, String>;

#[test]
fn files_outside_the_folders_are_not_read() {
    for version in VERSIONS {
        let clang = clang(version);
        for included in [
            "\"FOLDER/secret.h\"",
            "\"../secret.h\"",
            "<../secret.h>",
            "\"link.h\"",
            "\"up/secret.h\"",
            "\"up/shared/h.h\"",
            "\"/etc/passwd\"",
            "\"/proc/self/environ\"",
            "\"h.h\"",
        ] {
            let error = refused(&clang, included, None).unwrap_err();
            assert!(!error.contains(SECRET) && !error.contains("root:"), "{error}");
        }
        let text = refused(&clang, "\"h.h\"", Some("shared")).unwrap();
        assert!(text.contains("store i32 43"), "{text}");
        let text = refused(&clang, "<h.h>", Some("shared")).unwrap();
        assert!(text.contains("store i32 43"), "{text}");
    }
}

#[test]
fn a_file_behind_a_link_is_not_quoted_in_an_error() {
    let written = Written::new(&[("spec/k.cl", "#include \"link.h\"\n"), ("secret", "the password is 42\n")]);
    symlink(written.path("secret"), written.path("spec/link.h")).unwrap();
    for version in VERSIONS {
        let error = written.compiler(&clang(version)).compile(&macros(&[])).unwrap_err();
        assert!(matches!(&*error, CompileError::Outside(_)) && !error.to_string().contains("password"), "{error}");
    }
}

/// What other languages or an assembler would read.
#[test]
fn nothing_is_assembled() {
    let text = "__kernel void k(__global int* a) { *a = 1; }\n__asm__(\".incbin \\\"/etc/passwd\\\"\");\n";
    for version in VERSIONS {
        if let Ok(compiled) = Written::new(&[("k.cl", text)]).compiler(&clang(version)).compile(&macros(&[])) {
            assert!(!compiled.text.contains("root:"));
        }
    }
}
