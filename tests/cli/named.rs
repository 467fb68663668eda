//! The names and places of messages about a source: those of the user's files and options.

use std::fs;

use super::{autotune, json, run};

/// A kernel with arguments, on lines that messages show.
const KERNEL: &str = "__kernel void k(int m, uchar u, __global float* a, __global const int* restrict e)\n{\n    \
                      int i = get_global_id(0);\n    a[i] = m + u + e[i];\n}\n";

/// The options of a question without a mistake.
const GOOD: [&str; 8] = ["--problem", "n=256", "--parameter", "WG=32,64", "--work-items", "n", "--work-group", "WG"];

/// Standard error of an evaluation that fails with status 2.
fn told(file: &str, text: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(file), text).unwrap();
    let ended = run(autotune().current_dir(folder.path()).args(["evaluate", file, "--gpu", "a100"]).args(options));
    assert_eq!(ended.status, 2, "{options:?}: {}{}", ended.stdout, ended.stderr);
    assert!(!ended.stderr.contains("print-spec") && !ended.stderr.contains("autotune_"), "{}", ended.stderr);
    ended.stderr
}

#[test]
fn a_mistake_in_an_option_is_shown_in_the_option() {
    for (given, why, shown) in [
        ("--parameter TS=8;16", "unexpected character `;`", "  | --parameter 'TS=8;16'\n  |                  ^\n"),
        ("--parameter TS=8..4:", "the end of the expression", "  | --parameter TS=8..4:\n"),
        ("--parameter n=8", "the name `n` is already taken", "  | --parameter n=8\n  |             ^\n"),
        ("--parameter WG=8", "`WG` is given twice", "  | --parameter WG=8\n  |             ^^\n"),
        ("--constraint n%q==0", "unknown name `q`", "  | --constraint n%q==0\n  |                ^\n"),
        (
            "--constraint n/(WG-32)>0",
            "division by zero",
            "  | --constraint 'n/(WG-32)>0'\n  |               ^^^^^^^^^ n = 256, WG = 32\n",
        ),
        ("--argument x=4", "no parameter `x`", "  | --argument x=4\n  |              ^\n"),
        ("--argument u=400", "`u` holds 0 to 255, not 400", "  | --argument u=400\n  |              ^^^\n"),
        ("--argument m=n/zz", "unknown name `zz`", "  | --argument m=n/zz\n  |                ^^\n"),
        ("--define X-Y=3", "the name of a macro", "  | --define X-Y=3\n"),
        ("--assume trip@x=3", "expected `trip@LINE`", "  | --assume trip@x=3\n"),
        (
            "--assume trip@4=10:0.75,14:0.2",
            "add up to 0.95, not to 1",
            "  | --assume trip@4=10:0.75,14:0.2\n  |                 ^",
        ),
        (
            "--assume trip@4=10:0.75,x:0.25",
            "`x` is not a number of iterations",
            "  | --assume trip@4=10:0.75,x:0.25\n  |                         ^\n",
        ),
        (
            "--assume trip@4=10:0.75,14",
            "`` is not a probability",
            "  | --assume trip@4=10:0.75,14\n  |                           ^\n",
        ),
        ("--assume taken@4=3", "a share from 0 to 1", "  | --assume taken@4=3\n  |                  ^\n"),
        ("--option -foo", "`-foo` is not an option", "  | --option -foo\n  |          ^^^^\n"),
        ("--include nofolder", "cannot use the folder `nofolder`", "  | --include nofolder\n  |           ^^^^^^^^\n"),
        ("--kernel q", "the source has no kernel `q`", "  | --kernel q\n  |          ^\n"),
        ("--shared foo(", "unknown function `foo`", "  | --shared 'foo('\n  |           ^^^\n"),
        ("--work-items n/zz", "unknown name `zz`", "  | --work-items n/zz\n  |                ^^\n"),
        ("--work-group WG,1,1,1", "expected a list of one to three values", "  | --work-group WG,1,1,1\n"),
    ] {
        let (option, value) = given.split_once(' ').unwrap();
        let without = GOOD.chunks(2).filter(|one| one[0] != option || option == "--parameter").flatten();
        let options: Vec<&str> = without.copied().chain([option, value]).collect();
        let told = told("k.cl", KERNEL, &options);
        assert!(told.contains(why) && told.contains(shown), "{given}: {told}");
    }
    let told = told("k.cl", KERNEL, &GOOD[..6]);
    assert!(
        told.contains("the text does not say how `k` is launched") && told.contains("--work-group block_size_x"),
        "{told}"
    );
}

#[test]
fn a_mistake_in_an_option_has_its_place_in_json() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.cl"), KERNEL).unwrap();
    let asked = ["check", "k.cl", "--gpu", "a100", "--format", "json", "--constraint", "n % q == 0"];
    let ended = run(autotune().current_dir(folder.path()).args(asked).args(GOOD));
    let diagnosis = json(&ended, "diagnosis.json");
    let error = &diagnosis["errors"][0];
    let place = (&error["file"], &error["line"], &error["column"]);
    assert_eq!(place, (&"--constraint 'n % q == 0'".into(), &1.into(), &19.into()), "{diagnosis}");
    assert_eq!(diagnosis["spec"], "k.cl");
}

/// Kernels in namespaces, one of which has no name.
const NAMESPACES: &str = "namespace lib { namespace {\n\
    template<class T> __device__ __noinline__ T deep(T x, int n) { return n > 0 ? deep(x, n - 1) * 2 : x; }\n\
    __device__ float outside(float x);\n\
    __global__ void twin(float* a) { a[threadIdx.x] = 1; }\n\
    __global__ void recursive(float* a) { a[threadIdx.x] = deep<float>(a[threadIdx.x], (int)a[3]); }\n\
    __global__ void open(float* a) { a[threadIdx.x] = outside(a[threadIdx.x]); }\n\
    __global__ void beyond(float* a) { __shared__ float tile[W]; tile[threadIdx.x + 1] = a[0]; a[1] = tile[2]; }\n\
    template<class T, int N> __global__ void __launch_bounds__(256, 2) k(T* a, T* b)\n\
    {\n    __shared__ T tile[N];\n    tile[threadIdx.x] = a[threadIdx.x];\n    __syncthreads();\n    \
    b[threadIdx.x] = tile[N - 1 - threadIdx.x];\n}\n} }\n\
    namespace other { __global__ void twin(float* a) { a[threadIdx.x] = 2; } }\n";

fn inspected(kernel: &str, format: &str) -> super::Ended {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.cu"), NAMESPACES).unwrap();
    let asked = ["inspect", "k.cu", "--gpu", "a100", "--kernel", kernel, "--format", format];
    let launch = ["--parameter", "W=32", "--work-items", "1024", "--work-group", "W"];
    let ended = run(autotune().current_dir(folder.path()).args(asked).args(launch));
    assert!(!ended.stdout.contains("_Z") && !ended.stderr.contains("_Z"), "{}{}", ended.stdout, ended.stderr);
    ended
}

#[test]
fn a_kernel_in_a_namespace_is_found_by_its_last_name() {
    for kernel in ["k<float,32>", "lib::k<float, 32>", "lib::(anonymous namespace)::k<float, 32>"] {
        let ended = inspected(kernel, "text");
        assert_eq!(ended.status, 0, "{kernel}: {}", ended.stderr);
        let function = "kernel    lib::(anonymous namespace)::k<float, 32>\n";
        assert!(ended.stdout.contains(function), "{kernel}: {}", ended.stdout);
        assert!(ended.stdout.contains("store tile, local: 4 bytes"), "{}", ended.stdout);
    }
    for kernel in ["lib::twin", "other::twin", "lib::(anonymous namespace)::twin"] {
        assert_eq!(inspected(kernel, "text").status, 0, "{kernel}");
    }
    let ended = inspected("twin", "text");
    let there = "`lib::(anonymous namespace)::twin`, `other::twin`\n";
    assert!(
        ended.stderr.contains("several kernels are called `twin`") && ended.stderr.ends_with(there),
        "{}",
        ended.stderr
    );
    let ended = inspected("no::twin", "text");
    assert!(
        ended.stderr.contains("no kernel `no::twin`") && ended.stderr.contains("`other::twin`"),
        "{}",
        ended.stderr
    );
}

#[test]
fn functions_and_arrays_have_the_names_of_the_source() {
    for (kernel, status, shown) in [
        ("recursive", 4, "the function `lib::(anonymous namespace)::deep<float>` is called and not inlined"),
        ("open", 0, "the function `lib::(anonymous namespace)::outside` is not known"),
        ("beyond", 4, "byte 128 of the local array `tile`, which has 128"),
    ] {
        let ended = inspected(kernel, "text");
        assert_eq!(ended.status, status, "{}", ended.stderr);
        let printed = ended.stdout + &ended.stderr;
        assert!(printed.contains(shown), "{kernel}: {printed}");
    }
}

#[test]
fn an_inspection_shows_the_launches_for_which_the_kernel_is_compiled() {
    let ended = inspected("k<float, 32>", "text");
    let bounds = "\nbounds    compiled for groups of at most 256 work items, at least 2 groups on a multiprocessor\n";
    assert!(ended.stdout.contains(bounds), "{}", ended.stdout);
    let inspection = json(&inspected("k<float, 32>", "json"), "inspection.json");
    assert_eq!(
        inspection["launch"]["bounds"],
        serde_json::json!({ "required": null, "most_work_items": 256, "least_groups": 2 })
    );
    let inspection = json(&inspected("lib::twin", "json"), "inspection.json");
    assert!(inspection["launch"]["bounds"].is_null(), "{inspection}");
    let text = "__kernel __attribute__((reqd_work_group_size(WG, 4, 1))) void k(__global float* a) { *a = 1; }\n";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.cl"), text).unwrap();
    let launch = ["--parameter", "WG=32", "--work-items", "64,4", "--work-group", "WG,4"];
    for gpu in ["a100", "fermi", "mi250x"] {
        let ended = run(autotune().current_dir(folder.path()).args(["inspect", "k.cl", "--gpu", gpu]).args(launch));
        assert!(
            ended.stdout.contains("\nbounds    compiled for groups of 32 x 4 work items\n"),
            "{gpu}: {}",
            ended.stdout
        );
    }
}

#[test]
fn an_error_in_a_header_is_shown_at_the_users_line() {
    let launch = ["--parameter", "W=32", "--work-items", "64", "--work-group", "W"];
    let copied = "struct fixed { float x; fixed(const fixed&) = delete; };\n__global__ void k(const fixed* a)\n{\n    \
                  __ldg(a);\n}\n";
    let told_of = |text: &str, more: &[&str]| told("k.cu", text, &[&launch[..], more].concat());
    let told = told_of(copied, &[]);
    let shown = "call to deleted constructor of 'fixed'\n --> k.cu:4:5\n";
    assert!(told.contains(shown) && !told.contains(".h:"), "{told}");
    // A template that is not there has no line of the user's but the option that names it.
    let told = told_of("__global__ void k(float* a) { *a = 1; }\n", &["--kernel", "no<3>"]);
    assert!(told.contains("use of undeclared identifier 'no'") && told.contains("\n  | --kernel 'no<3>'\n"), "{told}");
}

#[test]
fn a_page_names_the_file_of_the_source() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.cl"), KERNEL.replace("e[i]", "1")).unwrap();
    let asked = ["k.cl", "--gpu", "fermi", "--report", "page", "--argument", "m=1", "--argument", "u=1"];
    let ended = run(autotune().current_dir(folder.path()).args(asked).args(GOOD));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let page = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    assert!(page.contains("n = 256, source <code>k.cl</code>, profile <code>gtx480</code>"), "{page}");
}
