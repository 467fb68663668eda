//! Questions that small texts state.

use std::fmt::Write;
use std::path::PathBuf;

use super::*;
use autotune_base::user_error::UserError;

/// The spec and the lines of an answer for a source and host files, or the error with its help.
fn asked(source: &str, hosts: &[&str]) -> Result<(String, String), String> {
    asked_with(source, hosts, |given| given)
}

fn asked_with(
    source: &str,
    hosts: &[&str],
    give: impl FnOnce(SourceOptions) -> SourceOptions,
) -> Result<(String, String), String> {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: String, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let is_opencl = source.contains("__kernel");
    let (language, ending) = if is_opencl { (Language::OpenCl, "cl") } else { (Language::Cuda, "cu") };
    let file = named(format!("kernel.{ending}"), source);
    let ending = |text: &str| if text.contains("./") { "sh" } else { "cpp" };
    let hosts: Vec<PathBuf> =
        hosts.iter().enumerate().map(|(number, text)| named(format!("host{number}.{}", ending(text)), text)).collect();
    // The name of the folder may need quotes.
    let short =
        |text: &str| text.replace(&format!("{}/", folder.path().display()), "").replace("\"kernel.cu\"", "kernel.cu");
    let made = infer(give(SourceOptions { file, ..SourceOptions::default() }), &hosts, language);
    made.map(|made| {
        (short(made.options.to_source().text()), short(&autotune_base::text::inferred_lines(&made.inferred)))
    })
    .map_err(|why| short(&format!("{why}\nhelp: {}", why.help().unwrap_or_default())))
}

const ADD: &str = "__global__ void add(float *a, int n)\n{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) a[i] += 1;\n}\n";

#[test]
fn a_launch_beside_the_kernel_states_the_question() {
    let host = "int main()\n{\n  const int n = 1 << 20, threads = 256;\n  add<<<(n + threads - 1) / threads, threads>>>(0, n);\n}\n";
    let (spec, lines) = asked(&format!("{ADD}{host}"), &[]).unwrap();
    assert_eq!(
        spec,
        "kernel: add\nproblem: { n: 1048576 }\nparameters:\n  threads: { values: [64, 128, 256, 512, 1024] }\nlaunch:\n  \
         work_items: \"ceil_div(n, threads) * threads\"\n  work_group: threads\nsource:\n  file: kernel.cu\n  kernel: add\n  \
         arguments: { n: n }\n"
    );
    assert_eq!(
        lines,
        "kernel    add (kernel.cu:1)\nlaunch    add<<<(n + threads - 1) / threads, threads>>> (kernel.cu:9)\n\
         n         1048576 (kernel.cu:8)\n\
         threads   64, 128, 256, 512, 1024 (kernel.cu:8), from a quarter to four times its 256\n"
    );
    // The same from another file.
    assert_eq!(asked(ADD, &[host]).unwrap().0, spec);
}

#[test]
fn a_number_that_the_kernel_has_itself_is_no_parameter() {
    let kernel = "__global__ void add(float *a)\n{\n  __shared__ float s[128];\n  s[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];\n  a[0] = s[3];\n}\n";
    let host = "void f(float *a, int n) { add<<<n / 128, 128>>>(a); }\n";
    let given = |given| SourceOptions { problem: vec![("n".to_owned(), 4096)], ..given };
    let (spec, _) = asked_with(&format!("{kernel}{host}"), &[], given).unwrap();
    assert!(spec.contains("work_items: n\n  work_group: 128\n") && !spec.contains("parameters"), "{spec}");
    // Without the array the number is one, and the groups are divided by it.
    let (spec, lines) =
        asked_with(&format!("{ADD}void f(float *a, int n) {{ add<<<n / 128, 128>>>(a, n); }}"), &[], given).unwrap();
    assert!(spec.contains("block_size_x: { values: [32, 64, 128, 256, 512] }"), "{spec}");
    assert!(spec.contains("work_items: n\n  work_group: block_size_x\n"), "{spec}");
    assert!(lines.contains("condition n % block_size_x == 0"), "{lines}");
    assert!(
        lines.contains(">>> (kernel.cu:6), the size of a group is what its number divides by (by rule)\n"),
        "{lines}"
    );
}

#[test]
fn sizes_that_nothing_gives_are_asked_for_at_once() {
    let host = "void f(float *a, int width, int rows) { add<<<dim3((width + 63) / 64, rows), 64>>>(a, width); }\n";
    let why = asked(&format!("{ADD}{host}"), &[]).unwrap_err();
    assert_eq!(
        why,
        "the text does not say how large `width` is (kernel.cu:6), nor how large `rows` is (kernel.cu:6)\n\
         help: say it; proposals: `--problem width=4096 --problem rows=4096`"
    );
    let given = |given| SourceOptions { problem: vec![("width".to_owned(), 100), ("rows".to_owned(), 3)], ..given };
    let (spec, _) = asked_with(&format!("{ADD}{host}"), &[], given).unwrap();
    assert!(spec.contains("problem: { width: 100, rows: 3 }"), "{spec}");
}

#[test]
fn launches_that_disagree_are_listed() {
    let host = "void f(float *a) {\n  add<<<4, 64>>>(a, 100);\n  add<<<8, 64>>>(a, 100);\n}\n";
    let why = asked(ADD, &[host]).unwrap_err();
    assert_eq!(
        why,
        "2 launches of `add` disagree:\n  host0.cpp:2: add<<<4, 64>>>\n  host0.cpp:3: add<<<8, 64>>>\n\
         help: choose one by its line, such as `--host host0.cpp:2`"
    );
    // Alike, or in a loop that only repeats it, a launch is one.
    let host =
        "void f(float *a) {\n  add<<<4, 64>>>(a, 100);\n  for (int i = 0; i < 9; i++) add<<<4, 64>>>(a, 100);\n}\n";
    assert!(asked(ADD, &[host]).unwrap().0.contains("work_items: 4 * block_size_x"));
}

#[test]
fn the_launches_of_a_loop_are_proposed_as_scenarios() {
    let host = "int main() { float *a; for (int n = 1024; n <= 4096; n *= 2) add<<<n / 64, 64>>>(a, n); }\n";
    let why = asked(ADD, &[host]).unwrap_err();
    assert!(why.contains("the text gives `n` several values") && why.contains("--problem n=1024,2048,4096"), "{why}");
}

#[test]
fn the_sizes_of_a_list_are_proposed_as_scenarios() {
    let host = "int main() { float *a; std::vector<int> sizes = {128, 4096}; int n, m; for (int size : sizes) { n = m = size; \
                add<<<n / 64, 64>>>(a, m); } }\n";
    let why = asked(ADD, &[host]).unwrap_err();
    assert!(
        why.starts_with("the text does not say how large `size` is (host0.cpp:1)\n  the text gives `size` several")
            && why.contains("--problem size=128,4096`"),
        "{why}"
    );
    // An index whose default the text gives chooses one.
    let host = "int main() { int sizes[] = {128, 4096}; int number = 2; int n = sizes[number - 1]; add<<<n / 64, 64>>>(0, n); }\n";
    let (spec, lines) = asked(ADD, &[host]).unwrap();
    assert!(spec.contains("problem: { n: 4096 }"), "{spec}");
    assert!(
        lines.contains(
            "\nn         4096 (host0.cpp:1), the value that the text has where nothing else is given (by rule)\n"
        ),
        "{lines}"
    );
}

#[test]
fn an_iteration_that_only_arguments_have_is_the_first() {
    let host = "int main() { int t; for (t = 3; t < 9; t++) add<<<16, 64>>>(0, t); }\n";
    let (spec, lines) = asked(ADD, &[host]).unwrap();
    assert!(spec.contains("problem: { t: 3 }"), "{spec}");
    assert!(
        lines.contains("\nt         3 (host0.cpp:1), the first iteration of a loop around the launch (by rule)\n"),
        "{lines}"
    );
}

#[test]
fn sizes_are_arguments_of_the_command_that_starts_the_host() {
    let host = "int main(int argc, char **argv) {\n  if (argc != 3) return 1;\n  int n = atoi(argv[1]);\n  int blocks = 4;\n  \
                if (argc > 2) blocks = std::stoi(argv[2]);\n  add<<<blocks, 64>>>(0, n);\n}\n";
    let makefile = "program = main\nrun: $(program)\n\t./$(program) 1000 8\n";
    let (spec, lines) = asked(ADD, &[host, makefile]).unwrap();
    assert!(spec.contains("problem: { blocks: 8, n: 1000 }"), "{spec}");
    assert!(
        lines.contains("\nn         1000 (host1.sh:3), an argument of the command that starts the program (by rule)\n"),
        "{lines}"
    );
    let why = asked(ADD, &[host]).unwrap_err();
    assert!(why.contains("how large `n` is (host0.cpp:3)"), "{why}");
    // So are the macros that a compiler is given.
    let kernel = ADD.replace("a[i] += 1", "a[i] += STEP");
    let (spec, lines) = asked(&kernel, &[host, &format!("FLAGS = -DSTEP=2 -DOTHER -D STEP=3\n{makefile}")]).unwrap();
    assert!(spec.contains("define: { STEP: 2 }"), "{spec}");
    assert!(lines.contains("argument  STEP = 2 (host1.sh:1), an option of the host's compiler (by rule)\n"), "{lines}");
    // Two commands are two questions, unless the launch needs neither.
    let two = format!("{makefile}\t./$(program) 2000 8 > log\n");
    let why = asked(ADD, &[host, &two]).unwrap_err();
    assert_eq!(
        why,
        "2 commands start the program:\n  host1.sh:3: ./$(program) 1000 8\n  host1.sh:4: ./$(program) 2000 8 > log\n\
         help: choose one by its line, such as `--host host1.sh:3`"
    );
    let plain = "int main() { add<<<4, 64>>>(0, 1000); }\n";
    assert!(asked(ADD, &[plain, &two]).is_ok());
}

#[test]
fn constants_of_classes_and_defaults_of_options_are_values() {
    let host = "template <class T> struct alignas(16) Packed { static constexpr int size = sizeof(int4) / sizeof(T); };\n\
                using real = double;\ntypedef Packed<real> own;\nint main(Options op) {\n  op.addOption(\"n\", INTEGER, \"512\", \"work \
                items\");\n  int n = op.getOptionInt(\"n\") * own::size;\n  add<<<n / Packed<float>::size, 64>>>(0, n);\n}\n";
    let (spec, _) = asked(ADD, &[host]).unwrap();
    assert!(spec.contains("problem: { n: 1024 }"), "{spec}");
    assert!(spec.contains("work_items: n / 4 * 64") || spec.contains("work_items: n / 4 * block_size_x"), "{spec}");
    // Each function has its own kernel in a variable of the same name.
    let of = |function: &str, kernel: &str, n: u32| {
        format!(
            "void {function}() {{\n  cl_kernel k = clCreateKernel(program, \"{kernel}\", 0);\n  size_t n = {n}, m = 8;\n  \
             clEnqueueNDRangeKernel(q, k, 1, 0, &n, &m, 0, 0, 0);\n}}\n"
        )
    };
    let kernel = "__kernel void scale(__global float *a) { a[0] = 1; }\n";
    let hosts = of("f", "other", 16) + &of("g", "scale", 64) + &of("h", "third", 32);
    assert!(asked(kernel, &[&hosts]).unwrap().0.contains("work_items: n\n  work_group: m"));
    let kernel = "__kernel void scale(__global float *a) { a[get_global_id(0)] *= FACTOR + OTHER; }\n";
    let host = "#define WIDTH 7\nvoid f(cl_kernel k) {\n  k = clCreateKernel(program, \"scale\", 0);\n  size_t n = 64;\n  \
                sprintf(options, \"-cl-mad %d%% -DFACTOR=%d -D OTHER=%lu -DNONE=%d\", 3, 2 * WIDTH, n, 5);\n  \
                clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0);\n}\n";
    let (spec, lines) = asked(kernel, &[host]).unwrap();
    assert!(spec.contains("define: { FACTOR: 14, OTHER: 64 }"), "{spec}");
    assert!(
        lines.contains("argument  FACTOR = 14 (host0.cpp:5), an option of the host's compiler (by rule)\n"),
        "{lines}"
    );
    let unknown = "int main() { add<<<16 * own::size, 64>>>(0, 8); }\n";
    assert!(asked(ADD, &[unknown]).unwrap_err().contains("how large `size` is (host0.cpp:1)"));
}

#[test]
fn a_kernel_among_several_is_the_one_that_is_launched() {
    let other = "__global__ void other(float *a) {}\n";
    let host = "int main() { add<<<16, 64>>>(0, 1000); }\n";
    let (spec, lines) = asked(&format!("{other}{ADD}{host}"), &[]).unwrap();
    assert!(spec.starts_with("kernel: add\n"), "{spec}");
    assert!(lines.starts_with("kernel    add (kernel.cu:2), the only one that is launched\n"), "{lines}");
    let why = asked(&format!("{other}{ADD}"), &[]).unwrap_err();
    assert!(
        why.starts_with(
            "`kernel.cu` has several kernels:\n  other (kernel.cu:1)\n  add (kernel.cu:2)\nhelp: choose one"
        ),
        "{why}"
    );
    let why = asked("int main() { return 0; }\n", &[]).unwrap_err();
    assert!(why.starts_with("`kernel.cu` has no kernel\nhelp: kernels are functions with `__global__`"), "{why}");
}

#[test]
fn instances_of_a_template_give_its_values() {
    let kernel = "template <int BLOCK, class T> __global__ void sum(T *a)\n{\n  __shared__ T s[BLOCK];\n  s[threadIdx.x] = a[blockIdx.x * BLOCK + threadIdx.x];\n  a[0] = s[1];\n}\n";
    let host = "void run(float *a, int threads) {\n  switch (threads) {\n  case 64: sum<64, float><<<100, threads>>>(a); break;\n  \
                case 256: sum<256, float><<<100, threads>>>(a); break;\n  }\n}\n";
    let (spec, lines) = asked(kernel, &[host]).unwrap();
    assert!(spec.contains("BLOCK: { values: [64, 256] }") && spec.contains("kernel: \"sum<BLOCK, float>\""), "{spec}");
    assert!(spec.contains("work_items: 100 * BLOCK\n  work_group: BLOCK\n"), "{spec}");
    assert!(lines.contains("BLOCK     64, 256 (kernel.cu:1), those of the launches\n"), "{lines}");
    // One instance is the middle of its values, and the number in the launch is that of the template.
    let (spec, _) = asked(kernel, &["void run(float *a) { sum<128, double><<<100, 128>>>(a); }"]).unwrap();
    assert!(
        spec.contains("BLOCK: { values: [32, 64, 128, 256, 512] }") && spec.contains("work_group: BLOCK"),
        "{spec}"
    );
    // A type that only the compiler finds is a guess.
    let (spec, lines) = asked(kernel, &["void run(float *a) { sum<128><<<100, 128>>>(a); }"]).unwrap();
    assert!(spec.contains("kernel: \"sum<BLOCK, float>\""), "{spec}");
    assert!(
        lines.contains(
            "argument  T = float (kernel.cu:1), the text does not name this argument of the template (by rule)\n"
        ),
        "{lines}"
    );
}

#[test]
fn macros_with_defaults_are_parameters_if_sizes_use_them() {
    let kernel = "#ifndef TILE\n#define TILE 16\n#endif\n#define BINS 256\n#define STEP 4\n#ifndef FAST\n#define FAST 1\n#endif\n\
                  __global__ void tiles(float *a, int n)\n{\n  __shared__ float tile[TILE][TILE + 1], bins[BINS];\n#if FAST\n  a += 0;\n#endif\n  \
                  for (int i = 0; i < TILE; i += STEP) tile[threadIdx.y + i][threadIdx.x] = a[i];\n  static_assert(TILE % STEP == 0, \"\");\n}\n";
    let host = "void f(float *a) { tiles<<<dim3(4096 / TILE, 4096 / TILE), dim3(TILE, STEP)>>>(a, 4096); }\n";
    let (spec, lines) = asked(&format!("{kernel}{host}"), &[]).unwrap();
    assert!(
        spec.contains(
            "  TILE: { values: [4, 8, 16, 32, 64] }\n  STEP: { values: [1, 2, 4, 8, 16] }\n  FAST: { values: [0, 1] }\n"
        ),
        "{spec}"
    );
    assert!(!spec.contains("BINS") && spec.contains("\"TILE % STEP == 0\""), "{spec}");
    assert!(lines.contains("condition 4096 % TILE == 0 (kernel.cu:18), a launch divides so (by rule)\n"), "{lines}");
}

#[test]
fn opencl_hosts_are_read_in_c_and_cpp() {
    let kernel =
        "__kernel void scale(__global float *a, int n, __local float *tile, float f) { a[get_global_id(0)] *= f; }\n";
    let c = "const char *name = \"scale\";\nvoid f(cl_command_queue q, cl_program p, cl_mem a)\n{\n  int n = 5000, i = 0;\n  \
             size_t local[1] = {64}, global[] = {n};\n  if (global[0] % local[0] != 0) global[0] = (global[0] / local[0] + 1) * local[0];\n  \
             cl_kernel k = clCreateKernel(p, name, NULL);\n  clSetKernelArg(k, i++, sizeof(cl_mem), &a);\n  clSetKernelArg(k, i++, sizeof n, &n);\n  \
             clSetKernelArg(k, i++, 64 * sizeof(float), NULL);\n  clEnqueueNDRangeKernel(q, k, 1, NULL, global, local, 0, NULL, NULL);\n}\n";
    let (spec, _) = asked(kernel, &[c]).unwrap();
    assert!(spec.contains("problem: { n: 5000 }") && spec.contains("arguments: { n: n, tile: local 256 }"), "{spec}");
    let cpp = "void f(cl::CommandQueue q, cl::Program p)\n{\n  const int n = 4096;\n  cl::Kernel k(p, \"scale\");\n  k.setArg(1, n);\n  \
               q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n), cl::NullRange);\n}\n";
    let (spec, lines) = asked(kernel, &[cpp]).unwrap();
    assert!(
        spec.contains("block_size_x: { values: [32, 64, 128, 256, 512, 1024] }") && spec.contains("work_items: n\n"),
        "{spec}"
    );
    assert!(lines.contains("condition n % block_size_x == 0"), "{lines}");
}

#[test]
fn hosts_in_python_are_read() {
    let kernel = "__kernel void scale(__global float *a, int n, __local float *tile) { a[get_global_id(0)] *= 2; }\n";
    let python = "import pyopencl as cl\nn = 5000  # numbers\ngroup = 64\nshape = ((n + group - 1) // group * group,)\n\
                  program.scale(queue, shape, (group,), buffer,\n    numpy.int32(n), cl.LocalMemory(4 * group))\n";
    let (spec, lines) = asked_python(kernel, python).unwrap();
    assert!(
        spec.contains("problem: { n: 5000 }") && spec.contains("arguments: { n: n, tile: local 4 * group }"),
        "{spec}"
    );
    assert!(spec.contains("work_group: group\n") && spec.contains("\"ceil_div(n, group) * group\""), "{spec}");
    assert!(lines.contains("(host.py:5)\n"), "{lines}");
}

fn asked_python(source: &str, host: &str) -> Result<(String, String), String> {
    let folder = tempfile::tempdir().unwrap();
    let (file, path) = (folder.path().join("kernel.cl"), folder.path().join("host.py"));
    std::fs::write(&file, source).unwrap();
    std::fs::write(&path, host).unwrap();
    let short = |text: &str| text.replace(&format!("{}/", folder.path().display()), "");
    let made = infer(SourceOptions { file, ..SourceOptions::default() }, &[path], Language::OpenCl);
    made.map(|made| {
        (short(made.options.to_source().text()), short(&autotune_base::text::inferred_lines(&made.inferred)))
    })
    .map_err(|why| short(&why.to_string()))
}

#[test]
fn calls_of_the_runtime_launch_too() {
    let hip = "void f(float *a) { int n = 999; hipLaunchKernelGGL(add, dim3((n + 63) / 64), dim3(64), 0, 0, a, n); }\n";
    let (spec, _) = asked(ADD, &[hip]).unwrap();
    assert!(spec.contains("arguments: { n: n }") && spec.contains("work_group: block_size_x"), "{spec}");
    let array = "void f(float *a) { int n = 999; void *args[] = {&a, &n}; cudaLaunchKernel((void *)add, dim3(16), dim3(64), args, 0, 0); }\n";
    assert!(asked(ADD, &[array]).unwrap().0.contains("arguments: { n: n }"));
    let structure = "void f(float *a) { int n = 999; cudaLaunchConfig_t c = {0}; c.gridDim = dim3(16, 2); c.blockDim = 64; c.dynamicSmemBytes = 128; cudaLaunchKernelEx(&c, add, a, n); }\n";
    let (spec, _) = asked(ADD, &[structure]).unwrap();
    assert!(spec.contains("work_items: [16 * block_size_x, 2]") && spec.contains("shared: 2 * block_size_x"), "{spec}");
}

#[test]
fn macros_that_launch_are_written_out_where_they_are_used() {
    let hosts = [
        "#define LAUNCH(k, n) k<<<(n) / 64, 64>>>\nvoid f(float *a) { LAUNCH(add, 4096)(a, 4096); }\n",
        "#define RUN(k, g, b, ...) \\\n  do { k<<<g, b>>>(__VA_ARGS__); check(#k); } while (0)\nvoid f(float *a) { int n = 4096; RUN(add, n / 64, 64, a, n); }\n",
        "#define BY(k, g, ...) k<<<g, ##__VA_ARGS__>>>\n#define LAUNCH(k, g, args) BY(k, g, 64) args\nvoid f(float *a) { LAUNCH(add, 64, (a, 4096)); }\n",
        "#define HIP(k, g, b, ...) hipLaunchKernelGGL(k, g, b, 0, 0, ##__VA_ARGS__)\nvoid f(float *a) { HIP(add, dim3(64), dim3(64), a, 4096); }\n",
    ];
    for host in hosts {
        let (spec, inferred) = asked(ADD, &[host]).unwrap_or_else(|why| panic!("{host}\n{why}"));
        assert!(spec.contains("work_group: block_size_x") && spec.contains("n: "), "{host}\n{spec}");
        let place = format!(" (host0.cpp:{})", host.lines().count());
        let launch = inferred.lines().find(|line| line.starts_with("launch ")).unwrap();
        assert!(launch.contains(&place), "{host}\n{inferred}");
    }
    let (_, inferred) = asked(ADD, &[hosts[0]]).unwrap();
    assert!(inferred.contains("launch    add<<<(4096) / 64, 64>>> (host0.cpp:2)"), "{inferred}");
    // A macro that calls itself ends.
    let endless = "#define L(k) L(k); L(k); k<<<64, 64>>>(0, 4096)\nvoid f() { L(add); }\n";
    assert!(asked(ADD, &[endless]).is_ok());
}

#[test]
fn what_hides_a_launch_is_named() {
    let hidden =
        "#define LAUNCH(k, n) k##_kernel<<<(n) / 64, 64>>>\nvoid f(float *a) { LAUNCH(add, 4096)(a, 4096); }\n";
    let why = asked(ADD, &[hidden]).unwrap_err();
    assert!(why.contains("the macro `LAUNCH` (host0.cpp:1) hides a launch"), "{why}");
    assert!(
        why.contains("--work-items n --parameter block_size_x=32..1024:pow2 --work-group block_size_x --argument n=n"),
        "{why}"
    );
    let unknown = "void f(float *a, Sizes s) { add<<<s.groups(3), 64>>>(a, 4096); }\n";
    assert!(asked(ADD, &[unknown]).unwrap_err().contains("of host0.cpp:1 is not followed"));
}

#[test]
fn an_option_that_is_given_is_not_overruled() {
    let host = "int main() { const int n = 1000, threads = 64; add<<<n / threads, threads>>>(0, n); }\n";
    let given = |given| SourceOptions {
        problem: vec![("n".to_owned(), 4096)],
        parameters: vec![("threads".to_owned(), "32".to_owned())],
        arguments: vec![("n".to_owned(), "77".to_owned())],
        ..given
    };
    let (spec, lines) = asked_with(&format!("{ADD}{host}"), &[], given).unwrap();
    assert!(spec.contains("problem: { n: 4096 }") && spec.contains("threads: { values: [32] }"), "{spec}");
    assert!(spec.contains("arguments: { n: 77 }") && !lines.contains("threads   "), "{spec}{lines}");
}

#[test]
fn brackets_that_are_missing_or_stand_elsewhere_end_nothing() {
    let host = "template <int N> void f(float *a) { if constexpr (N == 16) { add<<<4, 64>>>(a, 100); } else { add<<<4, 64>>>(a, 100); } }\n";
    assert!(asked(ADD, &[host]).unwrap().0.contains("work_items: 4 * block_size_x"));
    for end in [
        "int n = a[",
        "f(",
        "if",
        "if constexpr",
        "switch",
        "case",
        "else add<<<1, 2>>>",
        "x = {",
        "sizeof",
        "sizeof(",
        "a<b",
    ] {
        let _ = asked(ADD, &[&format!("{host}int main() {{ {end}")]);
        let _ = asked(ADD, &[&format!("{host}int main() {{ {end}; add<<<4, 64>>>(a, 100)")]);
    }
}

/// Cuts, doubles and swaps parts of texts, so that a compiler refuses them.
#[test]
fn no_text_of_a_host_stops_the_reading() {
    let hosts = ["reduction.cu", "transpose.cu", "vector_add.c", "minimum.c"]
        .map(|name| std::fs::read_to_string(format!("../../examples/hosts/{name}")).unwrap());
    let mut random = 62_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap() % below.max(1)
    };
    for number in 0..400 {
        let mut letters: Vec<char> = hosts[number % hosts.len()].chars().collect();
        for _ in 0..=next(6) {
            let (at, length) = (next(letters.len()), next(30));
            let part: Vec<char> = letters[at..letters.len().min(at + length)].to_vec();
            match next(3) {
                0 => drop(letters.drain(at..at + part.len())),
                1 => drop(letters.splice(at..at, part)),
                _ => letters.insert(at, ['{', '(', '<', '"', '#', ';', ','][next(7)]),
            }
        }
        let text: String = letters.into_iter().collect();
        let _ = asked(ADD, &[&text]);
        let _ = asked("__kernel void minimum(__global int *a) {}\n", &[&text]);
    }
}

#[test]
fn a_text_is_read_in_time_that_grows_with_its_length() {
    let many = 20_000;
    for part in [
        "add<<<",
        "a = b; ",
        "if (a) ",
        "f(a, ",
        "dim3 a(",
        "{ int n = n; ",
        "case 1: ",
        "n++; ",
        "a ? b : ",
        "- ",
        "k<<<1, 1>>>(a); ",
    ] {
        let host = format!("void f() {{ {} }}\nint main() {{ add<<<1, 64>>>(0, 1); }}\n", part.repeat(many));
        let _ = asked(ADD, &[&host]);
    }
    let mut chain = String::new();
    for n in 0..many {
        writeln!(chain, "#define A{} (A{n} + A{n})", n + 1).unwrap();
    }
    let host = format!("#define A0 1\n{chain}int main() {{ add<<<A{many}, 64>>>(0, 1); }}\n");
    let _ = asked(ADD, &[&host]);
}
