//! Launches that are inferred from host code: clang compiles random hosts, they run with a runtime that prints each launch, and the
//! inferred expressions have the same sizes and arguments, for other block and problem sizes too.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use autotune::gpu;
use autotune::inference::infer;
use autotune::source::Language;
use autotune::spec::{Configuration, Expression, Scope, SourceOptions, Spec};
use autotune::text::{Inferred, InferredKind};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The number of hosts.
const HOSTS: usize = 300;

/// A runtime that prints launches: groups, work items of a group, bytes of local memory, and arguments of four bytes.
const RUNTIME: &str = r#"
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
typedef decltype(sizeof(0)) size_t;
struct uint3 { unsigned x, y, z; };
struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
extern const __attribute__((device)) uint3 threadIdx, blockIdx;
extern const __attribute__((device)) dim3 blockDim, gridDim;
namespace std {
template <class T> __host__ __device__ T min(T a, T b) { return b < a ? b : a; }
template <class T> __host__ __device__ T max(T a, T b) { return a < b ? b : a; }
}
extern "C" int printf(const char *, ...);
extern "C" double ceil(double);
static int argc = 1;
static char **argv;
static int atoi(const char *digits)
{
    int value = 0;
    for (; *digits; ++digits) value = 10 * value + *digits - '0';
    return value;
}
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0)
{
    printf("%u %u %u %u %u %u %zu", grid.x, grid.y, grid.z, block.x, block.y, block.z, shared);
    return 0;
}
extern "C" int cudaSetupArgument(const void *argument, size_t size, size_t)
{
    if (size == 4) printf(" %d", *(const int *)argument);
    return 0;
}
extern "C" int cudaLaunch(const void *) { printf("\n"); return 0; }
"#;

/// The numbers of a host: the work items of a group along x, and two problem sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbers {
    block: i64,
    n: i64,
    m: i64,
}

/// The numbers that the text of a host has.
const STATED: Numbers = Numbers { block: 128, n: 10_000, m: 777 };
/// Other numbers, for which the expressions have to hold as well.
const OTHERS: [Numbers; 2] = [Numbers { block: 64, n: 5_001, m: 1_024 }, Numbers { block: 256, n: 65_536, m: 12 }];

/// A host's text, made of forms by number.
#[derive(Debug, Clone, Copy)]
struct Host {
    number: usize,
    block: usize,
    size: usize,
    grid: usize,
    argument: usize,
    shared: usize,
    macros: usize,
    is_wrapped: bool,
}

/// The ways to state the size of a group.
const BLOCKS: usize = 11;
/// Functions that hosts round up with.
const HELPERS: &str = "static int ceil_div(int a, int b) { return (a + b - 1) / b; }\n\
                       #define DIV_UP(a, b) (((a) + (b) - 1) / (b))\n";
/// Macros that launch, and the forms of a launch by them: the kernel, what stands in `<<<…>>>`, and the arguments.
const MACROS: [(&str, &str); 6] = [
    ("", "KERNEL<<<SIZES>>>(ARGUMENTS)"),
    ("", "KERNEL<<<SIZES>>>(ARGUMENTS)"),
    ("#define LAUNCH(k, ...) k<<<__VA_ARGS__>>>\n", "LAUNCH(KERNEL, SIZES)(ARGUMENTS)"),
    (
        "#define LAUNCH(kernel, g, b, bytes, ...) do { kernel<<<g, b, bytes>>>(__VA_ARGS__); } while (0)\n",
        "LAUNCH(KERNEL, THREE, ARGUMENTS)",
    ),
    (
        "#define BY(k, g, b, arguments, ...) k<<<g, b, ##__VA_ARGS__>>> arguments\n\
         #define LAUNCH(k, arguments, g, b, bytes) BY(k, g, b, arguments, bytes)\n",
        "LAUNCH(KERNEL, (ARGUMENTS), THREE)",
    ),
    ("#define BY(k, g, b, ...) k<<<g, b, ##__VA_ARGS__>>>(ARGUMENTS)\n", "BY(KERNEL, SIZES)"),
];
/// The way that has a template.
const TEMPLATE: usize = 6;

impl Host {
    fn random(number: usize, random: &mut StdRng) -> Self {
        Self {
            number,
            block: number % BLOCKS,
            size: random.random_range(0..11),
            grid: random.random_range(0..13),
            argument: random.random_range(0..6),
            shared: random.random_range(0..4),
            macros: random.random_range(0..MACROS.len()),
            is_wrapped: random.random_bool(0.3),
        }
    }

    /// True if the size of a group is a number, and the bytes of local memory are no multiple of it: it is no parameter then.
    fn is_fixed(self) -> bool {
        matches!(self.block, 3 | TEMPLATE) && self.shared == 2
    }

    /// The size of a group: what stands before the functions, what the function declares, the group, and its work items along x.
    fn block(self, b: i64) -> [String; 4] {
        let none = String::new;
        let four =
            |before: String, declared: String, block: &str, x: &str| [before, declared, block.to_owned(), x.to_owned()];
        let number = b.to_string();
        match self.block {
            0 => four(none(), format!("const int threads = {b};"), "threads", "threads"),
            1 => four(format!("#define TILE {b}\n"), none(), "TILE", "TILE"),
            2 => four(none(), format!("dim3 block({b});"), "block", "block.x"),
            3 | TEMPLATE => four(none(), none(), &number, &number),
            4 => four(none(), format!("dim3 block; block.x = {b};"), "block", "block.x"),
            5 => four(none(), format!("const dim3 block({b}, 2);"), "block", "block.x"),
            7 => {
                let guarded = format!("#ifndef BX\n#define BX {b}\n#endif\n");
                four(guarded, "dim3 block = dim3(BX, 1, 1);".to_owned(), "block", "block.x")
            }
            8 => {
                let warps = format!("enum {{ WARPS = {} }};\n", b / 32);
                four(warps, "constexpr int threads = 32 * WARPS;".to_owned(), "threads", "threads")
            }
            9 => {
                let constant = format!("static const unsigned threads_per_block = {b};\n");
                four(constant, none(), "dim3(threads_per_block)", "threads_per_block")
            }
            _ => four(none(), format!("int threads(0); threads = {b};"), "threads", "threads"),
        }
    }

    /// The problem sizes: what stands before the functions, and what the function declares.
    fn sizes(self, n: i64, m: i64) -> [String; 2] {
        let declared = match self.size {
            0 => format!("int n = {n}; int m = {m};"),
            1 => format!("const int n = {n}, m = {m};"),
            2 => format!("int n = argc > 1 ? atoi(argv[1]) : {n}; int m = {m};"),
            3 => format!("int n = {n}, m({m}); if (argc > 1) n = atoi(argv[1]);"),
            4 => {
                let before = format!("#define SIZE {n}\nconstexpr int M = {m};\n");
                return [before, "int n = SIZE; int m = M;".to_owned()];
            }
            5 => format!(
                "const bool is_small = false; int n, m; if (is_small) {{ n = 1; m = 2; }} else {{ n = {n}; m = {m}; }}"
            ),
            6 => {
                let class = "template <class T> struct Sizes { static constexpr int n = 2500 * sizeof(T); };\n";
                let class = class.replace("2500", &(n / 4).to_string());
                let before = format!(
                    "{class}typedef float Real;\ntypedef Sizes<Real> Own;\nstruct Shape {{ static const int M = {m}; }};\n"
                );
                return [before, format!("int n = Own::n + {}; int m = Shape::M;", n % 4)];
            }
            7 => "int n = atoi(argv[1]); int m; m = atoi(argv[2]);".to_owned(),
            8 => "int n, m = 3; if (argc > 2) { n = atoi(argv[1]); m = atoi(argv[2]); } else { n = 5; }".to_owned(),
            9 => "int n = 5, m; if ((n = atoi(argv[1])) <= 0 || (m = atoi(argv[2])) <= 0) return;".to_owned(),
            _ => format!("size_t n; n = {n}; long m = {m};"),
        };
        [String::new(), declared]
    }

    /// True if the problem sizes are arguments of the command that starts the host.
    fn is_started(self) -> bool {
        (7..10).contains(&self.size)
    }

    /// The arguments of the host's function beside the array.
    fn arguments(self) -> &'static str {
        if self.is_started() { ", int argc, const char **argv" } else { "" }
    }

    fn grid(self, x: &str) -> String {
        match self.grid {
            0 => format!("int groups = (n + {x} - 1) / {x};"),
            1 => format!("int groups = ceil_div(n, {x});"),
            2 => format!("unsigned groups = DIV_UP(n, {x});"),
            3 => format!("int groups = (n - 1) / {x} + 1;"),
            4 => format!("int groups = n / {x} + (n % {x} == 0 ? 0 : 1);"),
            5 => format!("int groups = n % {x} == 0 ? n / {x} : n / {x} + 1;"),
            6 => format!("int groups = (int)ceil((double)n / {x});"),
            7 => format!("int groups = std::min<int>((n + {x} - 1) / {x}, 40);"),
            8 => format!("int groups = (n + {x} - 1) / {x}; if (groups > 33) groups = 33;"),
            9 => format!("int groups = ((n + 3) / 4 + {x} - 1) / {x};"),
            10 => format!(
                "int rounded = n; if (rounded % {x} != 0) rounded = (rounded / {x} + 1) * {x}; int groups = rounded / {x};"
            ),
            11 => format!("const int total = n * 2; dim3 groups((total + {x} - 1) / {x}, m);"),
            _ => format!("dim3 groups(1, m); groups.x = ceil_div(n << 1, {x});"),
        }
    }

    /// The launch, with the kernel's arguments.
    fn launch(self, block: &str, x: &str, b: i64) -> String {
        let argument = ["n", "n + 1", "n / 2", "(int)(n - m)", "std::max<int>(n, 5000)", "m * 3 % 100"][self.argument];
        let shared = match self.shared {
            0 => String::new(),
            1 => format!(", {x} * sizeof(float)"),
            2 => format!(", ({x} + 2) * 4, 0"),
            _ => ", 0, 0".to_owned(),
        };
        let arguments = if self.block == TEMPLATE { format!("<{b}>") } else { String::new() };
        let (sizes, three) = match self.shared {
            0 => (format!("groups, {block}"), format!("groups, {block}, 0")),
            1 => (format!("groups, {block}{shared}"), format!("groups, {block}{shared}")),
            _ => (format!("groups, {block}{shared}"), format!("groups, {block}{}", shared.trim_end_matches(", 0"))),
        };
        let three = if self.shared == 3 { format!("groups, {block}, 0") } else { three };
        let kernel = format!("kernel{}{arguments}", self.number);
        let written =
            MACROS[self.macros].1.replace("KERNEL", &kernel).replace("SIZES", &sizes).replace("THREE", &three);
        format!("{};", written.replace("ARGUMENTS", &format!("p, {argument}, m")))
    }

    /// The macros that launch. One of them has the arguments itself.
    fn macros(self) -> String {
        MACROS[self.macros].0.replace("ARGUMENTS", "p, n, m")
    }

    fn text(self, numbers: Numbers) -> String {
        let Numbers { block: b, n, m } = numbers;
        let [of_block, declared, block, x] = self.block(b);
        let [of_sizes, sizes] = self.sizes(n, m);
        let body = format!("{declared}\n    {}\n    {}", self.grid(&x), self.launch(&block, &x, b));
        let mut before = of_block + &of_sizes + HELPERS + &self.macros();
        let called = if self.is_wrapped {
            write!(before, "static void launch(float *p, int n, int m)\n{{\n    {body}\n}}\n").unwrap();
            "launch(p, n, m);"
        } else {
            &body
        };
        let template = if self.block == TEMPLATE { "template <int BLOCK> " } else { "" };
        format!(
            "{template}__global__ void kernel{}(float *p, int a, int c)\n{{\n    p[blockIdx.x * blockDim.x + \
             threadIdx.x + (blockIdx.y * blockDim.y + threadIdx.y) * c] = a;\n}}\n{before}void host(float *p{})\n{{\n    \
             {sizes}\n    {called}\n}}\n",
            self.number,
            self.arguments()
        )
    }
}

/// The launches that hosts make with the numbers, in their order.
fn executed(hosts: &[Host], numbers: Numbers) -> Vec<Vec<i64>> {
    let folder = tempfile::tempdir().unwrap();
    let mut text = RUNTIME.to_owned();
    let mut calls = String::new();
    for (number, host) in hosts.iter().enumerate() {
        write!(text, "namespace host{number} {{\n{}}}\n", host.text(numbers)).unwrap();
        text.push_str("#undef TILE\n#undef BX\n#undef SIZE\n#undef DIV_UP\n#undef LAUNCH\n#undef BY\n");
        let arguments = if host.is_started() { ", 3, argv" } else { "" };
        writeln!(calls, "    host{number}::host(nullptr{arguments});").unwrap();
    }
    write!(text, "int main(int, const char **argv)\n{{\n{calls}}}\n").unwrap();
    let (file, program) = (folder.path().join("hosts.cu"), folder.path().join("hosts"));
    std::fs::write(&file, text).unwrap();
    let options = ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-w", "-O0", "-o"];
    let run = Command::new("clang-19").args(options).arg(&program).arg(&file).arg("-lm").output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let printed = String::from_utf8(
        Command::new(program).args([numbers.n.to_string(), numbers.m.to_string()]).output().unwrap().stdout,
    )
    .unwrap();
    let numbers = |line: &str| line.split(' ').map(|number| number.parse().unwrap()).collect();
    printed.lines().map(numbers).collect()
}

/// The spec that a host's text states, with the script that starts it, and its inferred parts.
fn inferred(host: Host, folder: &Path) -> (Spec, Vec<Inferred>) {
    let text = host.text(STATED);
    let [file, script] = ["host.cu", "run.sh"].map(|name| folder.join(name));
    std::fs::write(&file, &text).unwrap();
    std::fs::write(&script, format!("./host {} {} > log\n", STATED.n, STATED.m)).unwrap();
    let hosts = if host.is_started() { vec![script] } else { Vec::new() };
    let made = infer(SourceOptions { file, ..SourceOptions::default() }, &hosts, Language::Cuda);
    let made = made.unwrap_or_else(|why| panic!("{why}\n{text}"));
    let spec = made.options.to_source();
    (Spec::parse(spec.text(), "inferred").unwrap_or_else(|why| panic!("{why}\n{text}\n{}", spec.text())), made.inferred)
}

/// The launch that an inferred spec states for numbers, as the runtime prints it.
fn stated((spec, inferred): &(Spec, Vec<Inferred>), numbers: Numbers) -> Vec<i64> {
    let mut spec = spec.clone();
    for (_, size) in &mut spec.problem {
        *size = match *size {
            size if size == STATED.n => numbers.n,
            size if size == STATED.m => numbers.m,
            size => size,
        };
    }
    // A parameter has the value that its own in the text becomes.
    let default = |name: &str| -> i64 {
        let own = inferred.iter().find(|one| one.what == InferredKind::Parameter && one.name == name).unwrap();
        own.rule.rsplit(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{own:?}"))
    };
    let of_text = |default: i64| match default {
        default if default == STATED.block => numbers.block,
        default if default == STATED.block / 32 => numbers.block / 32,
        default => default,
    };
    let values = spec.parameters.iter().map(|parameter| of_text(default(&parameter.name))).collect();
    let names = gpu::find("a100").unwrap().profile.names(false);
    let scope: Scope = spec.scope(&names, &Configuration(values)).unwrap();
    let value = |expression: &Expression| expression.evaluate(&scope).unwrap();
    let three = |all: &[Expression]| {
        let mut sizes: Vec<i64> = all.iter().map(value).collect();
        sizes.resize(3, 1);
        sizes
    };
    let (items, group) = (three(&spec.launch.work_items), three(&spec.launch.work_group));
    let mut launch: Vec<i64> = items.iter().zip(&group).map(|(items, group)| items / group).collect();
    launch.extend(&group);
    launch.push(spec.launch.shared.as_ref().map_or(0, value));
    for argument in &spec.kernel_source.as_ref().unwrap().arguments {
        let autotune::spec::KnownArgument::Integer(expression) = &argument.value else { panic!("{argument:?}") };
        launch.push(value(expression));
    }
    launch
}

#[test]
fn inferred_launches_are_those_that_host_code_makes() {
    let mut random = StdRng::seed_from_u64(62);
    let hosts: Vec<Host> = (0..HOSTS).map(|number| Host::random(number, &mut random)).collect();
    let folder = tempfile::tempdir().unwrap();
    let made: Vec<_> = hosts.iter().map(|host| inferred(*host, folder.path())).collect();
    for numbers in [STATED].into_iter().chain(OTHERS) {
        let executed = executed(&hosts, numbers);
        assert_eq!(executed.len(), HOSTS);
        for ((host, made), executed) in hosts.iter().zip(&made).zip(executed) {
            if host.is_fixed() && numbers.block != STATED.block {
                continue;
            }
            assert_eq!(stated(made, numbers), executed, "{numbers:?}\n{}{:?}", host.text(STATED), made.1);
        }
    }
    // Each way to state the size of a group made it a parameter.
    assert!(hosts.iter().zip(&made).all(|(host, (spec, _))| spec.parameters.is_empty() == host.is_fixed()));
}
