//! Several configurations in one process: their outputs are those of processes of their own, and what ends the process
//! harms none of them.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use autotune::limits::{Allowance, Limits};
use autotune::source::{Architecture, Clang, Compiler, KernelSource, Macros, Target};

use super::waiting::wait_until;
use super::{VERSIONS, Written, clang, macros};

/// A clang that writes a word for each process: `alone` or `together`.
struct Watched {
    folder: tempfile::TempDir,
    clang: Clang,
}

impl Watched {
    /// A clang of a version; `together` is what a shell does before it compiles several configurations.
    fn new(version: &str, together: &str) -> Self {
        Self::scripted(version, together, "")
    }

    /// A clang of a version; `change` is what a shell does to each `word` of the arguments.
    fn changed(version: &str, change: &str) -> Self {
        let change = format!("for word; do shift; {change}; set -- \"$@\" \"$word\"; done\n");
        Self::scripted(version, ":", &change)
    }

    fn scripted(version: &str, together: &str, change: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (path, log) = (folder.path().join("clang"), folder.path().join("log"));
        let script = format!(
            "#!/bin/sh\ncase $1 in\n-O2) echo alone >>{log};;\n-cc1) echo together >>{log}; {together};;\nesac\n\
             {change}exec {clang} \"$@\"\n",
            log = log.display(),
            clang = clang(version).path.display()
        );
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let clang = Clang::find(Some(&path), &Limits::default(), None).unwrap();
        Self { folder, clang }
    }

    /// The processes since the last question: those for one configuration and those for several.
    fn processes(&self) -> (usize, usize) {
        let log = self.folder.path().join("log");
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        let _ = std::fs::remove_file(log);
        let count = |word: &str| text.lines().filter(|line| *line == word).count();
        (count("alone"), count("together"))
    }

    fn compiler(&self, source: &KernelSource, target: &Target, limits: Limits) -> Compiler {
        Compiler::new(self.clang.clone(), source.clone(), target.clone(), None, limits).unwrap()
    }
}

/// Structures of one name, a static variable, lambdas, and the name of the file that is compiled.
const STRUCTURES: &str = "\
template <int N> struct Part { float values[N]; float last; };\n\
struct Pair { float4 first; int second; };\n\
static __device__ Part<A> parts[4];\n\
__device__ Part<A + 2> wide[4];\n\
__global__ void k(Pair* pairs, float4* out, Part<A>* few, Part<A + 2>* many, const char** name, dim3 size) {\n\
    __shared__ Pair tile[64];\n\
    tile[threadIdx.x] = pairs[threadIdx.x];\n\
    __syncthreads();\n\
    Part<A> part = parts[threadIdx.x & 3];\n\
    Pair pair = tile[63 - threadIdx.x];\n\
    auto pick = [&](int at) { return wide[at & 3]; };\n\
    out[threadIdx.x] = pair.first;\n\
    few[pair.second] = part;\n\
    many[pair.second] = pick(B);\n\
    name[0] = __FILE__;\n\
    name[1] = __BASE_FILE__;\n\
    parts[size.x & 3].last = B * expf(part.last);\n\
}\n";

fn gfx906() -> Target {
    Target::Amd(Architecture::new("gfx906").unwrap())
}

fn tiles() -> Vec<Macros> {
    let of = |(tile, rows, columns): &(&str, &str, &str)| {
        macros(&[("TS", tile), ("ROWS", rows), ("COLS", columns), ("size", "1024")])
    };
    [("16", "2", "1"), ("32", "8", "2"), ("16", "1", "4"), ("64", "8", "2"), ("8", "1", "1")].iter().map(of).collect()
}

fn values(all: &[(&str, &str)]) -> Vec<Macros> {
    all.iter().map(|(a, b)| macros(&[("A", a), ("B", b)])).collect()
}

/// The outputs of all configurations, the target's own texts among them where `has_assembly`.
fn outputs(compiler: &Compiler, all: &[Macros], has_assembly: bool) -> Vec<String> {
    let texts = all.iter().map(|one| compiler.compile(one).unwrap().text);
    let assembly = all.iter().filter(|_| has_assembly).map(|one| compiler.assembly(one).unwrap());
    texts.chain(assembly).collect()
}

#[test]
fn outputs_of_one_process_are_those_of_processes_of_their_own() {
    let written = Written::new(&[("k.cu", STRUCTURES)]);
    let tiled = KernelSource::of_file(Path::new("examples/kernels/matmul_tiled.cl")).unwrap();
    let cases = [
        (&tiled, tiles()),
        (&written.source, values(&[("2", "1"), ("3", "1"), ("2", "2"), ("5", "7"), ("4", "1"), ("4", "4")])),
    ];
    for version in VERSIONS {
        for ((source, all), target) in
            cases.iter().flat_map(|case| [Target::Nvidia(70), gfx906(), Target::Portable].map(|target| (case, target)))
        {
            let what = format!("{version} {target} {:?}", source.files);
            let has_assembly = target != Target::Portable;
            let watched = Watched::new(version, ":");
            let alone = outputs(&watched.compiler(source, &target, Limits::default()), all, has_assembly);
            assert_eq!(watched.processes(), (alone.len(), 0), "{what}");
            let compiler = watched.compiler(source, &target, Limits::default());
            compiler.prepare(all);
            if has_assembly {
                compiler.prepare_assembly(all);
            }
            assert_eq!(watched.processes(), (1, 1 + usize::from(has_assembly)), "{what}");
            let together = outputs(&compiler, all, has_assembly);
            assert_eq!(watched.processes(), (0, 0), "{what}");
            for (one, other) in alone.iter().zip(&together) {
                assert!(one == other, "{what}:\n{one}\n{other}");
            }
        }
    }
}

const REFUSED: &str = "#if A == 3\n#error no three\n#endif\n#if A == 4\n#include \"four.h\"\n#endif\n\
                       __kernel void k(__global int* a) { *a = A; }\n";

/// The number that a configuration stores, or the error.
fn stored(compiler: &Compiler, a: &str) -> Result<String, String> {
    let text = compiler.compile(&macros(&[("A", a)])).map_err(|why| why.to_string())?.text;
    let (_, rest) = text.split_once("store i32 ").unwrap();
    Ok(rest.split(',').next().unwrap().to_owned())
}

fn numbers(all: &[&str]) -> Vec<Macros> {
    all.iter().map(|a| macros(&[("A", a)])).collect()
}

#[test]
fn an_error_is_that_of_its_configuration() {
    for version in VERSIONS {
        let watched = Watched::new(version, ":");
        let written = Written::new(&[("k.cl", REFUSED)]);
        let compiler = watched.compiler(&written.source, &Target::Portable, Limits::default());
        compiler.prepare(&numbers(&["1", "2", "5", "6", "3", "7", "8"]));
        // The first alone; then up to the error, and what is behind it.
        assert_eq!(watched.processes(), (1, 2), "{version}");
        for a in ["1", "2", "5", "6", "7", "8"] {
            assert_eq!(stored(&compiler, a).as_deref(), Ok(a));
        }
        assert_eq!(watched.processes(), (0, 0), "{version}");
        let why = stored(&compiler, "3").unwrap_err();
        assert!(why.starts_with("clang finds an error in the source with A=3:\n") && why.ends_with(":2:2: no three"));
        let why = stored(&compiler, "4").unwrap_err();
        assert!(why.starts_with("`four.h` is not there; it is included at "), "{why}");
    }
}

/// Processes for several configurations are soon given up if most configurations have errors.
#[test]
fn frequent_errors_end_processes_for_several() {
    let watched = Watched::new("clang-19", ":");
    let written = Written::new(&[("k.cl", "#if A % 8\n#error eighths\n#endif\n__kernel void k() {}\n")]);
    let compiler = watched.compiler(&written.source, &Target::Portable, Limits::default());
    let all: Vec<Macros> = (0..100).map(|a| macros(&[("A", &a.to_string())])).collect();
    for some in all.chunks(10) {
        compiler.prepare(some);
    }
    assert_eq!(watched.processes(), (1, 3));
}

/// A file that only a later configuration of a process includes has macros on which the keys depend from then on.
#[test]
fn files_that_one_process_meets_count_for_all() {
    let text = "#if A == 2\n#include \"two.h\"\n#else\n#define VALUE A\n#endif\n\
                __kernel void k(__global int* a) { *a = VALUE; }\n";
    let watched = Watched::new("clang-19", ":");
    let written = Written::new(&[("k.cl", text), ("two.h", "#define VALUE B\n")]);
    let compiler = watched.compiler(&written.source, &Target::Portable, Limits::default());
    let all = values(&[("1", "5"), ("3", "5"), ("2", "5"), ("2", "6"), ("4", "1")]);
    compiler.prepare(&all);
    // Before `two.h` was met, the two configurations that include it had one key.
    assert_eq!(watched.processes(), (1, 1));
    let texts: Vec<String> = all.iter().map(|one| compiler.compile(one).unwrap().text).collect();
    for (text, value) in texts.iter().zip(["1", "3", "5", "6", "4"]) {
        assert!(text.contains(&format!("store i32 {value},")), "{value}: {text}");
    }
    assert_eq!(compiler.included(), [written.path("two.h")]);
}

#[test]
fn what_ends_a_process_harms_no_configuration() {
    let written = Written::new(&[("k.cl", REFUSED)]);
    let ends = [
        "kill -KILL $$",
        "kill -STOP $$",
        "exit 0",
        "echo 'clang: error: unknown argument: -cc1' >&2; exit 1",
        "echo 'LLVM ERROR: out of memory' >&2; exit 134",
        "echo 'PLEASE submit a bug report' >&2; exit 139",
    ];
    for end in ends {
        let watched = Watched::new("clang-19", end);
        let allowance = Some(Allowance { processor: Duration::from_millis(1500) });
        let compiler = watched.compiler(&written.source, &Target::Portable, Limits { allowance, ..Limits::default() });
        let all = ["1", "2", "5", "6"];
        compiler.prepare(&numbers(&all));
        assert_eq!(watched.processes(), (1, 1), "{end}");
        for a in all {
            assert_eq!(stored(&compiler, a).as_deref(), Ok(a), "{end}");
        }
        assert_eq!(watched.processes(), (3, 0), "{end}");
    }
}

/// The fourth configuration of the process ends it; the three before have their outputs by then.
#[test]
fn outputs_before_a_crash_are_used() {
    let written = Written::new(&[("k.cl", "#if A == 3\n#pragma clang __debug crash\n#endif\n__kernel void k() {}\n")]);
    for version in VERSIONS {
        let watched = Watched::new(version, ":");
        let compiler = watched.compiler(&written.source, &Target::Portable, Limits::default());
        compiler.prepare(&numbers(&["1", "2", "4", "5", "3", "6", "7"]));
        assert_eq!(watched.processes(), (1, 2), "{version}");
        let why = compiler.compile(&macros(&[("A", "3")])).unwrap_err();
        assert!(why.is_crash(), "{version}: {why}");
        for a in ["1", "2", "4", "5", "6", "7"] {
            assert!(compiler.compile(&macros(&[("A", a)])).is_ok(), "{version} {a}");
        }
        assert_eq!(watched.processes(), (1, 0), "{version}");
    }
}

#[test]
fn an_interrupt_ends_a_process_for_several() {
    let written = Written::new(&[("k.cl", REFUSED)]);
    let watched = Watched::new("clang-19", "sleep 60; : >\"$0.finished\"");
    let limits = Limits::default();
    let interrupt = limits.interrupt.clone();
    let compiler = watched.compiler(&written.source, &Target::Portable, limits);
    assert_eq!(stored(&compiler, "1").as_deref(), Ok("1"));
    thread::scope(|scope| {
        scope.spawn(|| compiler.prepare(&numbers(&["1", "2", "5", "6"])));
        wait_until("a process for several begins", || watched.processes().1 > 0);
        interrupt.raise();
    });
    assert!(!watched.folder.path().join("clang.finished").exists(), "nobody ended the process");
    assert!(stored(&compiler, "2").unwrap_err().starts_with("compiling was stopped"));
}

/// Such a directive holds for the rest of the process.
#[test]
fn directives_about_errors_keep_configurations_apart() {
    let watched = Watched::new("clang-19", ":");
    let text = "#if A == 1\n#pragma clang diagnostic ignored \"-Wint-conversion\"\n#endif\n\
                __kernel void k(__global int* a) { int b = a; *a = b + A; }\n";
    let written = Written::new(&[("k.cl", text)]);
    let compiler = watched.compiler(&written.source, &Target::Portable, Limits::default());
    compiler.prepare(&numbers(&["1", "2", "3"]));
    assert_eq!(watched.processes().1, 0);
    assert!(compiler.compile(&macros(&[("A", "1")])).is_ok());
    assert!(compiler.compile(&macros(&[("A", "2")])).unwrap_err().is_refusal());
}

/// Files outside the source's folders are refused in whatever way they are compiled.
#[test]
fn a_process_for_several_sees_no_other_files() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.h"), "#define SECRET 7\n").unwrap();
    let text = "#if A > 1\n#include \"link.h\"\n#else\n#define SECRET 1\n#endif\n\
                __kernel void k(__global int* a) { *a = A + SECRET; }\n";
    let written = Written::new(&[("k.cl", text)]);
    std::os::unix::fs::symlink(outside.path().join("secret.h"), written.path("link.h")).unwrap();
    let watched = Watched::new("clang-19", ":");
    let compiler = watched.compiler(&written.source, &Target::Portable, Limits::default());
    compiler.prepare(&numbers(&["1", "2", "3"]));
    assert_eq!(compiler.included(), Vec::<PathBuf>::new());
    assert_eq!(stored(&compiler, "1").as_deref(), Ok("2"));
    for a in ["2", "3"] {
        assert!(stored(&compiler, a).is_err(), "{a}");
    }
}

/// The compiler's own limits find no dead store that ours do not find.
#[test]
fn a_shorter_search_for_dead_stores_changes_no_output() {
    let kernels = [
        ("floyd_warshall", "DOWN=0 KEEP=0 ROWS=8 STAGED=1 TS=8 size=1024"),
        ("floyd_warshall", "DOWN=1 KEEP=1 ROWS=4 STAGED=0 TS=16 size=1024"),
        ("matmul_tiled", "TS=32 ROWS=8 COLS=4 size=1024"),
        ("matmul_tiled", "TS=32 ROWS=32 COLS=8 size=1024"),
        ("stencil", "size=1024 block_x=32 block_y=4 ROWS=8 DEPTH=2"),
    ];
    for version in VERSIONS {
        let own = "case $word in -dse-memoryssa-walk*) word=-dse-memoryssa-walklimit=150;; \
                   -dse-memoryssa-defs*) word=-dse-memoryssa-defs-per-block-limit=5000;; esac";
        let whole = Watched::changed(version, own);
        for (kernel, parameters) in kernels {
            let source = KernelSource::of_file(Path::new(&format!("examples/kernels/{kernel}.cl"))).unwrap();
            let pairs: Vec<_> = parameters.split(' ').map(|pair| pair.split_once('=').unwrap()).collect();
            let text = |clang: &Clang| {
                let (target, limits) = (Target::Nvidia(70), Limits::default());
                let compiler = Compiler::new(clang.clone(), source.clone(), target, None, limits).unwrap();
                compiler.compile(&macros(&pairs)).unwrap().text
            };
            assert!(text(&whole.clang) == text(&clang(version)), "{version} {kernel} {parameters}");
        }
        assert_eq!(whole.processes(), (kernels.len(), 0), "{version}");
    }
}
