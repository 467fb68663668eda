//! Sources that are made to exhaust or to mislead: each is ended by the first limit that it meets, and says which.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use super::{Ended, autotune, ended};

/// The clock's limit of a question: each must end long before by itself.
const LATEST: Duration = Duration::from_secs(240);

/// The text of a file outside the source's folder.
const SECRET: &str = "int the_password_is_42 = unknown;\n";

/// A folder with a file outside, and a FIFO.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("own")).unwrap();
    fs::write(folder.path().join("secret.h"), SECRET).unwrap();
    nix::unistd::mkfifo(&folder.path().join("own/fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    folder
}

/// The end of an evaluation of a source.
fn evaluated(folder: &Path, file: &str, text: &[u8], options: &[&str]) -> Ended {
    fs::write(folder.join("own").join(file), text).unwrap();
    let launch = ["--parameter", "W=32", "--work-items", "4096", "--work-group", "W"];
    let launch = launch.chunks(2).filter(|one| !options.contains(&one[0])).flatten();
    let mut command = autotune();
    command.current_dir(folder.join("own")).args(["evaluate", file, "--gpu", "a100"]).args(launch).args(options);
    let ended = ended(command.timeout(LATEST).output().unwrap());
    let told = format!("{}{}", ended.stdout, ended.stderr);
    assert!(!told.contains("panicked") && !told.contains("password") && !told.contains("root:"), "{file}: {told}");
    ended
}

/// Asserts that sources end with a status and with words about the limit that ends them first.
fn end(cases: &[(&str, String, &[&str], i32, &str)]) {
    let folder = folder();
    for (file, text, options, status, words) in cases {
        let ended = evaluated(folder.path(), file, text.as_bytes(), options);
        let told = format!("{}{}", ended.stdout, ended.stderr);
        let shown: String = told.chars().take(2000).collect();
        assert_eq!(ended.status, *status, "{file}: {shown}");
        assert!(told.contains(words), "{file} lacks `{words}`: {shown}");
    }
}

/// A kernel in OpenCL whose statements begin on line 3.
fn kernel(statements: &str) -> String {
    format!("__kernel void k(__global float* a, __global int* b)\n{{ int i = get_global_id(0);\n{statements}\n}}\n")
}

/// Text of several parts, each with its number.
fn repeated(numbers: std::ops::Range<usize>, part: impl Fn(usize) -> String) -> String {
    numbers.fold(String::new(), |mut text, number| {
        let _ = write!(text, "{}", part(number));
        text
    })
}

const SHORT: &[&str] = &["--source-limit", "1s"];
/// Advice after the processor's limit of a compilation, or the clock's on a busy machine.
const COMPILING: &str = "help: give it more time with `--source-limit`, or let it unroll less";

#[test]
fn what_the_compiler_is_made_to_expand_ends_at_its_limits() {
    let macros = "#define A0 1+1\n".to_owned()
        + &repeated(1..15, |n| format!("#define A{n} A{0}+A{0}+A{0}+A{0}\n", n - 1))
        + &kernel("b[i] = A14;");
    let instances = "template <int N, int M> struct S { enum { v = S<N - 1, 2 * M>::v + S<N - 1, 2 * M + 1>::v }; };\n\
                     template <int M> struct S<0, M> { enum { v = 0 }; };\n\
                     __global__ void k(int* a) { *a = S<25, 1>::v; }\n";
    let deep = "template <int N> struct S { enum { v = S<N - 1>::v + 1 }; };\ntemplate <> struct S<0> { enum { v = 0 }; };\n\
                __global__ void k(int* a) { *a = S<100000>::v; }\n";
    let computed = "constexpr int f() { int i = 0; while (i >= 0) i = (i + 1) % 7; return i; }\n\
                    __global__ void k(int* a) { constexpr int v = f(); *a = v; }\n";
    let unrolled = "template <int N> struct U { static __device__ __forceinline__ void f(float* a)\n\
                    { U<N - 1>::f(a); U<N - 1>::f(a + N); a[N] += a[2 * N] * 3; } };\n\
                    template <> struct U<0> { static __device__ __forceinline__ void f(float* a) { a[0] *= 2; } };\n\
                    __global__ void k(float* a) { U<22>::f(a); }\n";
    end(&[
        ("itself.cl", format!("#include \"itself.cl\"\n{}", kernel("")), &[], 2, "#include nested too deeply"),
        ("macros.cl", macros, SHORT, 3, COMPILING),
        ("instances.cu", instances.to_owned(), SHORT, 3, COMPILING),
        ("deep.cu", deep.to_owned(), &[], 2, "template instantiation exceeded maximum depth"),
        ("computed.cu", computed.to_owned(), SHORT, 3, COMPILING),
        ("unrolled.cu", unrolled.to_owned(), SHORT, 3, COMPILING),
    ]);
}

#[test]
fn what_is_too_large_or_too_deep_ends_at_its_limits() {
    let brackets = |open: &str, close: &str| format!("b[i] = {}1{};", open.repeat(100_000), close.repeat(100_000));
    let filled = "__constant int t[1 << 28] = { [0 ... (1 << 28) - 1] = 3 };\n";
    let branches = repeated(0..200, |n| format!("if (b[i + {n}] > {n}) {{ ")) + "b[i] = 3;" + &"}".repeat(200);
    end(&[
        ("large.cl", "x".repeat(17 << 20), &[], 2, "it has more than 16.0 MiB, the largest size that is read"),
        ("brackets.cl", kernel(&brackets("(", ")")), &[], 2, "bracket nesting level exceeded maximum of 256"),
        ("blocks.cl", kernel(&("{".repeat(100_000) + &"}".repeat(100_000))), &[], 2, "bracket nesting level exceeded"),
        ("array.cl", kernel("__local float t[1ul << 60]; t[i] = 1; b[i] = t[3];"), &[], 2, "array is too large"),
        (
            "local.cl",
            kernel("__local float t[1 << 20]; t[i] = 1; barrier(1); b[i] = t[3];"),
            &[],
            4,
            "local_memory: 4194304 > 49152",
        ),
        ("filled.cl", filled.to_owned() + &kernel("b[i] = t[i];"), &[], 3, "it needs more than 2.0 GiB of memory"),
        ("branches.cl", kernel(&branches), &[], 3, "lies in 128 others that do: no more are followed"),
        (
            "statement.cl",
            kernel(&("a[0] = 1; ".repeat(1 << 15) + "unknown = 1;")),
            &[],
            2,
            "undeclared identifier 'unknown'",
        ),
        ("name.cl", kernel("a[i] = 1;").replace("* b)", &format!("* {})", "b".repeat(1 << 20))), &[], 0, "W=32"),
    ]);
}

#[test]
fn what_does_not_end_is_ended() {
    let uneven = "unsigned s = 27;\nfor (long j = 0; j < 100000000000; ++j) {\n    s = s % 2 ? 3 * s + 1 : s / 2;\n    \
                  if (s == 1) s = 27 + j % 1000;\n    b[s & 255] += 1;\n}";
    let nested =
        repeated(0..9, |n| format!("for (int j{n} = 0; j{n} < 1000000; j{n} += 1 + j{n} % 2) ")) + "b[i] += 1;";
    let recursive = "__device__ int g(int);\n__device__ __noinline__ int f(int n) { return n ? g(n - 1) : 1; }\n\
                     __device__ __noinline__ int g(int n) { return n ? f(n - 2) * 3 : 2; }\n\
                     __global__ void k(int* a) { *a = f(*a); }\n";
    let walked = "was walked and not finished, because its iterations do not repeat evenly: it ";
    end(&[
        ("endless.cl", kernel("for (;;)\n    b[i] += 1;"), &[], 4, "this loop does not end\n --> endless.cl:3:1\n"),
        ("goto.cl", kernel("l: b[i] += 1;\ngoto l;"), &[], 4, "this loop does not end\n --> goto.cl:4:1\n"),
        ("uneven.cl", kernel(uneven), SHORT, 3, walked),
        ("nested.cl", kernel(&nested), SHORT, 3, walked),
        ("recursive.cu", recursive.to_owned(), &[], 4, "the function `f` is called and not inlined"),
    ]);
}

#[test]
fn a_trace_that_is_too_long_is_ended_by_its_memory() {
    let text = kernel("for (int j = 0; j < 3000000; ++j)\n    b[(j * j) % 1023 * (i * i % 7 + 1)] = j;");
    let options = &["--parameter", "W=1024", "--source-limit", "60s"];
    end(&[("trace.cl", text, options, 3, "the steps of this loop take more than 256.0 MiB")]);
}

#[test]
fn launches_beyond_the_machine_are_refused() {
    let cases: [(&[&str], i32, &str); 4] = [
        (&["--work-items", "1099511627776"], 4, "2147483647"),
        (&["--work-items", "9223372036854775807"], 4, ""),
        (&["--work-items", "9223372036854775807 * 4"], 2, "a value does not fit 64 bits"),
        (&["--parameter", "W=65536"], 4, "1024"),
    ];
    for (options, status, words) in cases {
        end(&[("k.cl", kernel("a[i] = 1;"), options, status, words)]);
    }
}

#[test]
fn many_kernels_and_arguments_are_read() {
    let kernels = repeated(0..300, |n| format!("__kernel void k{n}(__global float* a) {{ a[0] = {n}; }}\n"));
    let arguments = repeated(1..500, |n| format!(", __global float* a{n}"));
    let arguments = format!("__kernel void k(__global float* a{arguments}) {{ a499[get_global_id(0)] = 1; }}\n");
    end(&[
        ("kernels.cl", kernels.clone(), &["--kernel", "k299"], 0, "W=32"),
        ("kernels.cl", kernels, &[], 2, "the source has several kernels"),
        ("arguments.cl", arguments, &[], 0, "W=32"),
    ]);
}

#[test]
fn files_that_are_no_texts_are_refused() {
    let folder = folder();
    let latin = [b"// \xff\xfe\n".as_slice(), kernel("").as_bytes()].concat();
    let ended = evaluated(folder.path(), "latin.cl", &latin, &[]);
    assert!(ended.status == 2 && ended.stderr.contains("it is not UTF-8: the byte at offset 3"), "{}", ended.stderr);
    let zeros = [b"\0\0".as_slice(), kernel("a[i] = 1;").as_bytes(), b"\0"].concat();
    assert_eq!(evaluated(folder.path(), "zeros.cl", &zeros, &[]).status, 0);
}

#[test]
fn files_outside_are_neither_read_nor_waited_for() {
    let including = |name: &str| format!("#include {name}\n{}", kernel(""));
    let waits = "clang did not finish with W=32: it had not ended after 3s on a busy machine";
    let found = |name: &str| format!("#if __has_include({name})\n#error it is there\n#endif\n{}", kernel("a[i] = 1;"));
    let embed = "__device__ const unsigned char t[] = {\n#embed \"/etc/passwd\"\n};\n\
                 __global__ void k(int* a) { *a = t[*a]; }\n";
    let assembled = "__asm__ volatile(\".incbin \\\"/etc/passwd\\\"\");";
    end(&[
        ("device.cl", including("\"/dev/zero\""), &[], 2, "`/dev/zero` is a device, not a regular file"),
        ("made.cl", format!("#define Z \"/dev/zero\"\n{}", including("Z")), &[], 2, "`/dev/zero` is not there"),
        ("fifo.cl", including("\"fifo\""), &[], 2, "own/fifo` is a FIFO, not a regular file"),
        ("pipe.cl", format!("#define Z \"fifo\"\n{}", including("Z")), SHORT, 3, waits),
        ("outside.cl", including("\"../secret.h\""), &[], 2, "`../secret.h` is not there"),
        ("found.cl", found("\"/etc/passwd\""), &[], 0, "W=32"),
        ("beside.cl", found("\"../secret.h\""), &[], 0, "W=32"),
        ("own.cl", found("\"own.cl\""), &[], 2, "it is there"),
        ("embed.cu", embed.to_owned(), &["--clang", "clang-19"], 2, "`/etc/passwd` is not there"),
        ("assembled.cl", kernel(assembled), &[], 0, "inline assembly counts as one instruction"),
        ("plugin.cl", format!("#pragma clang plugin load(\"x.so\")\n{}", kernel("a[i] = 1;")), &[], 0, "W=32"),
        ("crash.cl", format!("#pragma clang __debug crash\n{}", kernel("")), &[], 1, "clang did not finish with W=32"),
    ]);
}

#[test]
fn a_line_that_names_another_file_quotes_nothing_of_it() {
    let named = |name: &str, statement: &str| {
        format!("#line 1 {name}\n__kernel void k(__global float* a, __global int* b) {{ {statement} }}\n")
    };
    let asks = "for (int i = 0; i < b[0]; ++i) a[b[i]] = 1;";
    let outside = "a `#line` of the source names `../secret.h`, which is outside its folders";
    let own = "no line of your files stands for it";
    end(&[
        ("error.cl", named("\"../secret.h\"", "unknown = 1;"), &[], 2, outside),
        ("asks.cl", named("\"../secret.h\"", asks), &[], 2, outside),
        ("made.cl", format!("#define F \"../secret.h\"\n{}", named("F", asks)), &[], 2, outside),
        ("passwd.cl", named("\"/etc/passwd\"", asks), &[], 2, "a `#line` of the source names `/etc/passwd`"),
        ("nowhere.cl", named("\"../nowhere.h\"", asks), &[], 2, " --> ../nowhere.h:1:"),
        ("own.cl", named("\"autotune_source.cl\"", asks), &[], 2, own),
        ("control.cl", named("\"a\\033[31m\"", "unknown = 1;"), &[], 2, "undeclared identifier 'unknown'"),
        ("macros.cl", kernel("b[i] = __FILE__[0] + __DATE__[0] + __TIME__[0];"), &[], 0, "W=32"),
    ]);
}
