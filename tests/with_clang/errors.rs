//! The compiler's errors as users see them.

use std::path::Path;
use std::time::Duration;

use autotune::limits::{Limits, Stop};
use autotune::source::{CompileError, Compiler, KernelSource, Macros, SourcePlaces, Target, UnfinishedCompilation};
use autotune::user_error::UserError;

use super::{VERSIONS, Written, clang, macros};

#[test]
fn errors_are_at_places_of_the_user_and_name_the_configuration() {
    let text = "#if TS > 8\n__kernel void k(__global float* a)\n{\n    a[0] = b;\n    c();\n}\n#endif\n";
    let written = Written::new(&[("k.cl", text)]);
    for version in VERSIONS {
        let error = written.compiler(&clang(version)).compile(&macros(&[("TS", "32"), ("WG", "64")])).unwrap_err();
        let CompileError::Refused { messages, macros, .. } = &*error else { panic!("{error}") };
        assert_eq!(macros, "TS=32 WG=64");
        let places: Vec<_> = messages.iter().filter_map(|one| one.place.as_ref()).collect();
        assert_eq!(*places[0].file, *written.path("k.cl").to_str().unwrap());
        assert_eq!(places.iter().map(|place| (place.line, place.column)).collect::<Vec<_>>(), [(4, 12), (5, 5)]);
        let told = error.to_string().replace(written.path("k.cl").to_str().unwrap(), "k.cl");
        assert!(
            told.starts_with("clang finds errors in the source with TS=32 WG=64:\n  k.cl:4:12: use of und"),
            "{told}"
        );
        assert!(error.is_refusal());
    }
}

#[test]
fn only_the_first_five_errors_are_told() {
    let text = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|name| format!("void {name}() {{ 1 = 2; }}\n"));
    let text = text.concat();
    for version in VERSIONS {
        let error = Written::new(&[("k.cl", &text)]).compiler(&clang(version)).compile(&macros(&[])).unwrap_err();
        let CompileError::Refused { messages, .. } = &*error else { panic!("{error}") };
        assert_eq!(messages.len(), 5, "{error}");
    }
}

#[test]
fn a_missing_include_is_named_with_its_place() {
    let written = Written::new(&[("k.cl", "#include \"own.h\"\n"), ("own.h", "\n#include <cudnn_frontend.h>\n")]);
    for version in VERSIONS {
        let error = written.compiler(&clang(version)).compile(&macros(&[])).unwrap_err();
        let own = written.path("own.h").canonicalize().unwrap();
        assert_eq!(
            error.to_string(),
            format!("`cudnn_frontend.h` is not there; it is included at {}:2:10", own.display())
        );
        let help = "name the folder that has it: `--include DIR`, or `include: [DIR]` in `source`";
        assert_eq!(error.help().as_deref(), Some(help));
        assert!(!error.is_refusal());
    }
}

#[test]
fn what_cannot_be_asked_of_the_compiler_is_refused() {
    let mut written = Written::new(&[("k.cl", "")]);
    for option in ["-fplugin=x.so", "-Xclang", "@file", "-I/", "-DX=1", "-load", "-include/etc/passwd", ""] {
        written.source.options = vec![option.to_owned()];
        let made = Compiler::new(clang("clang-19"), written.source.clone(), Target::Portable, None, Limits::default());
        assert!(matches!(made, Err(CompileError::Option { .. })), "{option}");
    }
    let triton = KernelSource::of_file(Path::new("k.py")).unwrap();
    let places = SourcePlaces { files: vec!["k.py".into()], beside: Vec::new(), include: Vec::new() };
    let made = Compiler::with_places(clang("clang-19"), triton, places, Target::Portable, None, Limits::default());
    assert!(matches!(made, Err(CompileError::ForeignLanguage)));
    for (name, value) in [("a b", "1"), ("", "1"), ("1a", "1"), ("a\n#include", "1"), ("a", "1\n#include"), ("a", "\\")]
    {
        let refused = Macros::default().define(name, value);
        assert!(matches!(refused, Err(CompileError::Macro { .. })), "{name:?} as {value:?}");
    }
    assert!(matches!(Macros::default().parameter("-DX", 1), Err(CompileError::Macro { .. })));
}

/// A source on which the compiler works for minutes.
const ENDLESS: &str = "template <int N> struct Sum { enum { value = Sum<N - 1>::value + Sum<N - 2>::value }; };\n\
    constexpr long slow(long n) { return n < 2 ? n : slow(n - 1) + slow(n - 2); }\n\
    struct S { char a[1 << 20]; };\n\
    #define A(x) B(x, x, x, x, x, x, x, x)\n#define B(a, ...) a + a + a + a + a + a + a + a + a + a\n\
    #define C(x) A(A(A(A(A(A(A(A(A(x)))))))))\n\
    __global__ void k(int* a) { *a = C(C(C(1))); }\n";

#[test]
fn a_compilation_that_does_not_end_is_stopped() {
    let written = Written::new(&[("k.cu", ENDLESS)]);
    let error = written.compiler(&clang("clang-19")).compile(&macros(&[])).unwrap_err();
    let CompileError::Unfinished { why, .. } = &*error else { panic!("{error}") };
    assert!(matches!(why, UnfinishedCompilation::Overrun(_) | UnfinishedCompilation::Memory { .. }), "{error}");
}

/// Without the interrupt, the limit of the time of the processor would end the compiler.
#[test]
fn ctrl_c_stops_the_compiler() {
    let written = Written::new(&[("k.cu", ENDLESS)]);
    let limits = Limits::default();
    let source = written.source.clone();
    let compiler = Compiler::new(clang("clang-19"), source, Target::Portable, None, limits.clone()).unwrap();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        limits.interrupt.raise();
    });
    let error = compiler.compile(&macros(&[])).unwrap_err();
    assert!(matches!(&*error, CompileError::Stopped(Stop::Interrupt)), "{error}");
}
