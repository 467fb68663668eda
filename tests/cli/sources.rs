//! A kernel's source in place of a spec: the command line, its errors in the user's file, and kept proofs.

use std::fs;
use std::path::Path;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::{autotune, ended, json, process, run, script, wait_until};

/// A product of a vector of tiles with a matrix: small, and compiled in a moment.
const SOURCE: &str = "\
__kernel void product(int n, __global const float* restrict a, __global const float* restrict b, __global float* restrict c)
{
    __local float tile[TS];
    const int i = get_global_id(0);
    float sum = 0;
    for (int t = 0; t < n; t += TS) {
        for (int k = get_local_id(0); k < TS; k += WG) tile[k] = a[t + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; ++k) sum += tile[k] * b[(t + k) * n + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i] = sum;
}
";

const OPTIONS: [&str; 16] = [
    "--gpu",
    "fermi",
    "--problem",
    "n=256",
    "--parameter",
    "WG=32..64:pow2",
    "--parameter",
    "TS=8,16,48",
    "--constraint",
    "n % TS == 0",
    "--work-items",
    "n",
    "--work-group",
    "WG",
    "--argument",
    "n=n",
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("product.cl"), SOURCE).unwrap();
    folder
}

/// The shipped examples, with a few values of each parameter.
const EXAMPLES: [(&str, &str); 27] = [
    ("back_propagation", "WG=64,128 ROWS=1,2"),
    ("convolution", "block_x=32 block_y=4 tile_x=1,2 tile_y=2 read_only=0"),
    ("dedispersion", "block_x=16,32 block_y=8 tile_x=2 tile_y=4"),
    ("fft", "WG=64,128 TABLE=0,1"),
    ("floyd_warshall", "TS=16,32 ROWS=4 DOWN=0 KEEP=1 STAGED=0,1"),
    ("histogram", "WG=64 TS=16,32 COPIES=1"),
    ("matmul", "WG=64,128 TS=32"),
    ("matmul_half2", "TS=16,32 ROWS=4 COLS=2"),
    ("matmul_mfma", "BM=64 BN=64,128 BK=32 DOWN=2 ACROSS=2"),
    ("matmul_mma", "BM=128 BN=64,128 BK=32 STAGES=2,4 WARPS_M=2 WARPS_N=2"),
    ("matmul_tiled", "TS=16,32 ROWS=4 COLS=2"),
    ("matmul_tiled_cuda", "TS=16,32 ROWS=4 COLS=2"),
    ("matmul_triton", "BM=128 BN=64,128 BK=32 num_warps=4 num_stages=4"),
    ("matmul_wmma", "BM=64 BN=64,128 BK=32 DOWN=2 ACROSS=2"),
    ("minimum", "WG=64 TS=16,64"),
    ("nbody", "WG=64 BODIES=1,2 STAGED=0,1"),
    ("point_in_polygon", "WG=64 POINTS=1,2 SKIP=0,1"),
    ("reduction", "WG=64,256 TS=16 VEC=4"),
    ("reduction_cuda", "block_size_x=64,256 TS=16"),
    ("rms_norm", "THREADS=64,256"),
    ("softmax_async", "THREADS=128,256 EACH=16 STAGES=2,3"),
    ("stencil", "block_x=32,64 block_y=4 ROWS=4 DEPTH=2"),
    ("transpose", "TS=16,32 ROWS=2 PAD=1"),
    ("transpose_cuda", "TS=16,32 ROWS=2 PAD=1"),
    ("transpose_naive", "block_x=16,32 block_y=8"),
    ("vector_add", "WG=64,128 ITEMS=2 VEC=4"),
    ("vector_add_cuda", "block_size_x=64,128 ITEMS=2 VEC=4"),
];

/// A T1 file with these values of parameters.
fn values(parameters: &str) -> String {
    let of = |parameter: &str| {
        let (name, values) = parameter.split_once('=').unwrap();
        let default: i64 = values.split(',').next().unwrap().parse().unwrap();
        serde_json::json!({ "Name": name, "Type": "int", "Values": format!("[{values}]"), "Default": default })
    };
    let parameters: Vec<_> = parameters.split(' ').map(of).collect();
    let space = serde_json::json!({ "TuningParameters": parameters, "Conditions": [] });
    serde_json::json!({ "General": { "FormatVersion": 1 }, "ConfigurationSpace": space }).to_string()
}

#[test]
fn every_example_is_proved_from_its_source() {
    let specs = fs::read_dir("examples/kernels")
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str().unwrap().strip_suffix(".yaml")?.to_owned()));
    let (mut shipped, known): (Vec<String>, Vec<&str>) = (specs.collect(), EXAMPLES.map(|(name, _)| name).into());
    shipped.sort();
    assert_eq!(shipped, known);
    let folder = tempfile::tempdir().unwrap();
    let space = folder.path().join("space.json");
    for (name, parameters) in EXAMPLES {
        fs::write(&space, values(parameters)).unwrap();
        let spec = format!("examples/kernels/{name}.yaml");
        let gpu = if name == "matmul_mfma" { "mi250x" } else { "a100" };
        let asked = [&spec, "--gpu", gpu, "--space", space.to_str().unwrap(), "--format", "json", "--no-analysis"];
        // The example's own size takes seconds.
        let size: &[&str] = match name {
            "matmul_triton" => &["--set", "n=256"],
            "softmax_async" => &["--set", "rows=1024"],
            _ => &[],
        };
        let ended = run(autotune().args(asked).args(size));
        let result = json(&ended, "result.json");
        assert_eq!(result["verdict"], "proved", "{name}: {}", ended.stderr);
        let feasible =
            result["configurations"].as_array().unwrap().iter().filter(|one| one["reason"].is_null()).count();
        assert!(feasible >= 2, "{name}: {feasible} configurations can run");
        assert!(!ended.stderr.contains("an assumption is about"), "{name}: {}", ended.stderr);
    }
}

/// The configurations of a question that can run with their times, by the evaluator.
fn times(spec: &str, gpu: &str, space: &Path) -> Vec<(serde_json::Value, u64)> {
    let asked = ["evaluate", spec, "--gpu", gpu, "--space", space.to_str().unwrap(), "--format", "json"];
    let printed = run(autotune().args(asked)).stdout;
    let printed: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let all = printed["configurations"].as_array().unwrap().iter();
    all.filter_map(|one| Some((one["parameters"].clone(), one["ticks"].as_u64()?))).collect()
}

/// Values around the optima: the whole space takes a minute. The example names the causes of differences elsewhere.
#[test]
fn the_blocked_products_optimum_by_hand_is_its_sources_within_a_half_per_cent() {
    let folder = tempfile::tempdir().unwrap();
    let space = folder.path().join("space.json");
    fs::write(&space, values("TS=16,32,64 ROWS=4,8,32 COLS=2,4,16")).unwrap();
    // On the lockstep GPUs it is the same one.
    for (gpu, slack, part) in [("abstract-fermi", 0, 20), ("abstract-tiny", 0, 20), ("a100", 1, 16)] {
        let specs = ["examples/kernels/matmul_tiled.yaml", "tuning-specs/matmul_tiled.yaml"];
        let [source, by_hand] = specs.map(|spec| times(spec, gpu, &space));
        let least = source.iter().map(|(_, ticks)| *ticks).min().unwrap();
        let (best, stated) = by_hand.iter().min_by_key(|(_, ticks)| *ticks).unwrap();
        let ticks = source.iter().find(|(one, _)| one == best).unwrap().1;
        assert!((ticks - least) * 200 <= slack * least, "on {gpu}: {best} takes {ticks}, and the fastest {least}");
        assert!(least.abs_diff(*stated) * part < *stated, "on {gpu}: {least} against {stated}");
    }
}

/// A command in a folder with the source.
fn tuning(folder: &Path, words: &[&str]) -> assert_cmd::Command {
    let mut command = autotune();
    command.current_dir(folder).args(words);
    command
}

#[test]
fn options_of_a_source_and_the_spec_that_they_stand_for_have_one_answer() {
    let folder = folder();
    let asked = [&["product.cl"], &OPTIONS[..], &["--format", "json", "--no-cost"]].concat();
    let options = json(&run(&mut tuning(folder.path(), &asked)), "result.json");
    assert_eq!((&options["verdict"], &options["kernel"]), (&"proved".into(), &"product".into()), "{options}");
    let origin = &options["source"]["registers"]["source"];
    assert_eq!((&options["source"]["files"][0], origin), (&"product.cl".into(), &"estimate".into()));
    let printed = run(&mut tuning(folder.path(), &[&["product.cl"], &OPTIONS[..], &["--print-spec"]].concat()));
    fs::write(folder.path().join("product.yaml"), &printed.stdout).unwrap();
    let of_spec = ["product.yaml", "--gpu", "fermi", "--format", "json", "--no-cost"];
    let spec = json(&run(&mut tuning(folder.path(), &of_spec)), "result.json");
    assert_eq!(spec["kernel"], "product");
    assert_eq!(spec, options);
}

#[test]
fn an_error_of_the_compiler_stands_in_the_users_file() {
    let folder = folder();
    fs::write(folder.path().join("product.cl"), SOURCE.replace("sum +=", "sun +=")).unwrap();
    let ended = run(&mut tuning(folder.path(), &[&["product.cl"], &OPTIONS[..]].concat()));
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains(" --> product.cl:9:38\n"), "{}", ended.stderr);
    assert!(ended.stderr.contains("use of undeclared identifier 'sun'"), "{}", ended.stderr);
    assert!(ended.stderr.contains("with TS=8 WG=32"), "{}", ended.stderr);
}

/// The preprocessor skips what is put between the lines of such a condition.
#[test]
fn lines_behind_a_guarded_default_are_those_of_the_file() {
    let folder = folder();
    let guarded = format!("#ifndef WG\n#define WG 32\n#endif\n{SOURCE}");
    fs::write(folder.path().join("product.cl"), guarded.replace("sum +=", "sun +=")).unwrap();
    let ended = run(&mut tuning(folder.path(), &[&["product.cl"], &OPTIONS[..]].concat()));
    assert!(ended.stderr.contains(" --> product.cl:12:38\n"), "{}", ended.stderr);
    // A branch on data is asked about where it stands, and what is assumed of it holds there.
    let branch = "\nkernel void k(global int* restrict a) { int i = get_global_id(0); if (a[i] > 0) a[i] = 1; }\n";
    fs::write(folder.path().join("branch.cl"), format!("#ifndef WG\n#define WG 32\n#endif\n{branch}")).unwrap();
    let asked = "branch.cl --kernel k --gpu fermi --problem n=4096 --parameter WG=32,64 --work-items n --work-group WG";
    let asked: Vec<&str> = asked.split(' ').collect();
    let ended = run(&mut tuning(folder.path(), &asked));
    assert!(ended.stderr.contains("--> branch.cl:5:") && ended.stderr.contains("taken@5="), "{}", ended.stderr);
    let ended = run(&mut tuning(folder.path(), &[&asked[..], &["--assume", "taken@5=0.5"]].concat()));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
}

#[test]
fn a_template_that_lacks_an_argument_is_named() {
    let folder = folder();
    let source =
        "template <typename T, int N>\n__global__ void scale(T* a) { a[blockIdx.x * N + threadIdx.x] *= 2; }\n";
    fs::write(folder.path().join("scale.cu"), source).unwrap();
    let asked =
        "scale.cu --kernel scale<float> --gpu a100 --problem n=4096 --parameter WG=32 --work-items n --work-group WG";
    let ended = run(&mut tuning(folder.path(), &asked.split(' ').collect::<Vec<_>>()));
    assert!(
        ended.status == 2 && ended.stderr.contains("no template takes the arguments of `scale<float>`"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_source_in_a_missing_folder_is_a_missing_file() {
    let folder = folder();
    let ended = run(&mut tuning(folder.path(), &[&["no/product.cl"], &OPTIONS[..]].concat()));
    assert!(ended.status == 2 && ended.stderr.contains("cannot read `no/product.cl`"), "{}", ended.stderr);
}

#[test]
fn a_configuration_that_does_not_compile_is_infeasible_with_the_reason() {
    let folder = folder();
    let wrong = "#if WG == 64 && TS == 8\n#error too narrow\n#endif\n";
    fs::write(folder.path().join("product.cl"), format!("{wrong}{SOURCE}")).unwrap();
    let asked = [&["product.cl"], &OPTIONS[..], &["--format", "json", "--no-cost"]].concat();
    let result = json(&run(&mut tuning(folder.path(), &asked)), "result.json");
    let all = result["configurations"].as_array().unwrap();
    let of = |wg: i64, ts: i64| {
        all.iter().find(|one| (&one["parameters"]["WG"], &one["parameters"]["TS"]) == (&wg.into(), &ts.into())).unwrap()
    };
    assert_eq!(of(64, 8)["reason"], "compilation: product.cl:2:2: too narrow");
    assert_eq!(of(64, 48)["reason"], "n % TS == 0");
    assert_eq!(result["proof"]["configurations"]["infeasible"], 3);
}

#[test]
fn an_argument_without_a_value_is_named_with_the_line_that_needs_it() {
    let folder = folder();
    let without = &OPTIONS[..OPTIONS.len() - 2];
    let renamed: Vec<String> = without.iter().map(|word| word.replace("n=256", "size=256")).collect();
    let renamed: Vec<&str> = renamed.iter().map(|word| if *word == "n" { "size" } else { word }).collect();
    let words: Vec<&str> = renamed.iter().map(|word| if *word == "n % TS == 0" { "TS < 48" } else { *word }).collect();
    let ended = run(&mut tuning(folder.path(), &[&["product.cl"], &words[..]].concat()));
    assert_eq!(ended.status, 2, "{}", ended.stderr);
    assert!(ended.stderr.contains("depends on the argument `n`, which has no value"), "{}", ended.stderr);
    assert!(ended.stderr.contains(" --> product.cl:6:"), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("help: give `arguments: { n: … }` in `source`, or `--argument n=…`"),
        "{}",
        ended.stderr
    );
    assert!(!ended.stderr.contains("depends on data"), "{}", ended.stderr);
}

#[test]
fn an_option_of_a_source_is_refused_beside_a_spec() {
    let ended = run(autotune().args(super::SMALL).args(["--work-group", "4"]));
    assert_eq!(ended.status, 2);
    assert!(
        ended.stderr.starts_with("error: `--work-group` describes a source file, and `tuning-specs/"),
        "{}",
        ended.stderr
    );
}

#[test]
fn an_answer_is_not_remembered_for_another_source() {
    let folder = folder();
    let asked = [&["product.cl"], &OPTIONS[..], &["--format", "json", "--no-cost"]].concat();
    let ticks = || json(&run(&mut tuning(folder.path(), &asked)), "result.json")["optimum"]["ticks"].as_u64().unwrap();
    let before = ticks();
    fs::write(folder.path().join("product.cl"), SOURCE.replace("c[i] = sum", "c[i] = sum; c[i + n] = sum")).unwrap();
    assert!(ticks() > before, "a second store takes time");
}

/// A configuration that AMD's back end refuses leaves the others their registers, and so their times.
#[test]
fn too_much_local_memory_for_a_back_end_changes_no_other_configuration() {
    let folder = folder();
    let mut options = OPTIONS;
    (options[1], options[7]) = ("mi50", "TS=16,32768");
    options[3] = "n=32768";
    let evaluate = |more: &[&str]| {
        let asked = [&["evaluate", "product.cl"], &options[..], &["--format", "json"], more].concat();
        let printed = run(&mut tuning(folder.path(), &asked));
        let printed: serde_json::Value =
            serde_json::from_str(&printed.stdout).unwrap_or_else(|_| panic!("{}", printed.stderr));
        printed["configurations"].clone()
    };
    let all = evaluate(&[]);
    let large = all.as_array().unwrap().iter().find(|one| one["parameters"]["TS"] == 32_768).unwrap();
    assert_eq!(large["reason"], "local_memory: 131072 > 65536");
    assert_eq!(all[0], evaluate(&["--config", "WG=32,TS=16"])[0]);
    let inspected = run(&mut tuning(folder.path(), &[&["inspect", "product.cl"], &options[..]].concat())).stdout;
    assert!(inspected.contains("(clang for AMD)"), "{inspected}");
}

/// Times that were computed before are taken from the cache, until a byte of the spec or of the source changes.
#[test]
fn a_second_evaluation_asks_the_compiler_for_nothing() {
    let folder = folder();
    let evaluate = |clang: &str| {
        let asked = [&["evaluate", "product.cl"], &OPTIONS[..], &["--clang", clang]].concat();
        run(tuning(folder.path(), &asked).env("XDG_CACHE_HOME", folder.path().join("cache")))
    };
    let text = "#!/bin/sh\ncase \"$*\" in *-emit-llvm*) [ ! -e used ] || exit 1;; esac\nexec clang \"$@\"\n";
    let clang = script(folder.path(), "once", &text.replace("used", &folder.path().join("used").display().to_string()));
    let first = evaluate(clang.to_str().unwrap());
    assert_eq!(first.status, 0, "{}", first.stderr);
    fs::write(folder.path().join("used"), "").unwrap();
    let again = evaluate(clang.to_str().unwrap());
    assert_eq!((again.status, again.stdout), (0, first.stdout));
    fs::write(folder.path().join("product.cl"), SOURCE.replace("sum +=", "sum -=")).unwrap();
    assert_ne!(evaluate(clang.to_str().unwrap()).status, 0, "the source is another one");
}

/// The configurations that were compiled are known, and the compiler ends at once.
#[test]
fn ctrl_c_ends_a_compilation_and_shows_the_best_time_known() {
    let folder = folder();
    let (begun, clang) = (folder.path().join("begun"), folder.path().join("slow"));
    let text = "#!/bin/sh\nfor word; do\n\
                case \"$(cat -- \"$word\" 2>&1)\" in *'TS 16'*'WG 256'*) : > BEGUN; sleep 600;; esac\ndone\nexec clang \"$@\"\n";
    script(folder.path(), "slow", &text.replace("BEGUN", begun.to_str().unwrap()));
    // The slow one is not among those that the findings compare.
    let options = OPTIONS.map(|option| option.replace("TS=8,16,48", "TS=8,16,32").replace("WG=32..64", "WG=32..256"));
    let asked = ["product.cl", "--format", "json", "--clang", clang.to_str().unwrap()];
    let asked = asked.into_iter().chain(options.iter().map(String::as_str));
    let mut child = process(folder.path()).args(asked).spawn().unwrap();
    wait_until("the slow compilation begins", || {
        assert!(child.try_wait().unwrap().is_none(), "the tool ended");
        begun.exists()
    });
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    let ended = ended(child.wait_with_output().unwrap());
    assert_eq!(ended.status, 3, "{}", ended.stderr);
    let result = json(&ended, "result.json");
    let known: Vec<String> =
        (1..=11).map(|known| format!("it was interrupted when {known} of 12 configurations were compiled")).collect();
    assert!(known.iter().any(|known| result["reason"] == **known), "{result}");
    assert!(result["best_known"]["ticks"].as_u64().is_some_and(|ticks| ticks > 0), "{result}");
}

/// NVIDIA's compiler unrolls less than clang where thousands of operations would follow one another.
#[test]
fn long_code_without_a_branch_is_told_in_the_answer() {
    let folder = folder();
    let source = "\
__kernel void product(int n, __global const float* restrict a, __global float* restrict c)
{
    const int i = get_global_id(0);
    float sum = a[i];
#pragma unroll
    for (int k = 0; k < LONG; ++k)
        sum = sum * sum + k;
    c[i] = sum;
}
";
    fs::write(folder.path().join("product.cl"), source).unwrap();
    let asked = ["product.cl", "--gpu", "a100", "--problem", "n=256", "--work-items", "n", "--work-group", "32"];
    let answer = |long: &str, format: &str| {
        let long = format!("LONG={long}");
        run(&mut tuning(
            folder.path(),
            &[&asked[..], &["--parameter", &long, "--format", format, "--no-cost"]].concat(),
        ))
    };
    let result = json(&answer("4000", "json"), "result.json");
    assert_eq!(result["source"]["straight_line"]["file"], "product.cl");
    let operations = result["source"]["straight_line"]["operations"].as_u64().unwrap();
    assert!((4_000..4_100).contains(&operations), "{operations}");
    let text = answer("4000", "text").stdout;
    assert!(text.contains("have no branch: NVIDIA's compiler may unroll less, or spill\n"), "{text}");
    let short = json(&answer("3000", "json"), "result.json");
    assert_eq!(short["source"]["straight_line"], serde_json::Value::Null);
}

#[test]
fn a_kept_proof_is_repeated_without_the_compiler_and_the_source() {
    let folder = folder();
    let asked = [&["product.cl"], &OPTIONS[..], &["--keep", "kept", "--no-analysis"]].concat();
    let ended = run(&mut tuning(folder.path(), &asked));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!(fs::read_to_string(folder.path().join("kept/inputs/source/0-product.cl")).unwrap(), SOURCE);
    fs::remove_file(folder.path().join("product.cl")).unwrap();
    let verify = || run(tuning(folder.path(), &["verify", "kept"]).env("AUTOTUNE_CLANG", "/nowhere/clang"));
    let verified = verify();
    assert_eq!(verified.status, 0, "{}", verified.stderr);
    let list = folder.path().join("kept/inputs/compiled.json");
    let changed = fs::read_to_string(&list).unwrap().replacen("TS=8", "TS=9", 1);
    fs::write(list, changed).unwrap();
    assert_ne!(verify().status, 0);
}

/// A header that is nowhere is part of the answer, and of what is kept.
#[test]
fn a_kept_proof_of_a_source_without_its_header_is_repeated() {
    let folder = folder();
    let source =
        "#include <elsewhere/all.hpp>\n__global__ void k(float* a) { a[blockIdx.x * WG + threadIdx.x] = 1; }\n";
    fs::write(folder.path().join("k.cu"), source).unwrap();
    let asked = "k.cu --gpu a100 --problem n=4096 --parameter WG=32,64 --work-items n --work-group WG --keep kept --format json";
    let result = json(&run(&mut tuning(folder.path(), &asked.split(' ').collect::<Vec<_>>())), "result.json");
    assert_eq!(result["source"]["absent"], serde_json::json!(["elsewhere/all.hpp"]));
    assert!(result["source"]["compiler"].as_str().unwrap().contains("clang version"), "{}", result["source"]);
    let verify = || run(&mut tuning(folder.path(), &["verify", "kept"]));
    let verified = verify();
    assert_eq!(verified.status, 0, "{}", verified.stderr);
    let list = folder.path().join("kept/inputs/compiled.json");
    let forged = fs::read_to_string(&list).unwrap().replace("elsewhere/all.hpp", "elsewhere/any.hpp");
    fs::write(list, forged).unwrap();
    assert_ne!(verify().status, 0);
}

#[test]
fn a_t1_file_with_a_kernel_is_a_question_by_itself() {
    let folder = folder();
    let t1 = r#"{
  "General": { "FormatVersion": 1 },
  "ConfigurationSpace": {
    "TuningParameters": [
      { "Name": "WG", "Type": "int", "Values": "[32, 64]", "Default": 32 },
      { "Name": "TS", "Type": "int", "Values": "[8, 16]", "Default": 8 }
    ],
    "Conditions": []
  },
  "KernelSpecification": {
    "Language": "OpenCL", "KernelName": "product", "KernelFile": "product.cl",
    "GlobalSize": { "X": "256" }, "LocalSize": { "X": "WG" },
    "Arguments": [ { "Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 256 } ]
  }
}"#;
    fs::write(folder.path().join("question.json"), t1).unwrap();
    let asked = ["--space", "question.json", "--gpu", "fermi", "--format", "json", "--no-cost", "--no-analysis"];
    let t1 = json(&run(&mut tuning(folder.path(), &asked)), "result.json");
    let options = [&["product.cl"], &OPTIONS[..], &["--format", "json", "--no-cost", "--no-analysis"]].concat();
    let options = json(&run(&mut tuning(folder.path(), &options)), "result.json");
    assert_eq!(t1["optimum"], options["optimum"]);
}

/// Both sides of a condition store to one place, and clang stores once, at no line.
#[test]
fn an_access_that_the_compiler_moved_out_of_two_lines_has_one_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("moved.cl");
    let kernel = "__kernel void moved(__global const float* a, __global float* c, int n)\n{\n    int i = get_global_id(0);\n    \
                  if (n & 1)\n        c[i] = a[i] * 2;\n    else\n        c[i] = a[i] * 3 + a[i + 64];\n}\n";
    fs::write(&file, kernel).unwrap();
    let options = "--gpu fermi --problem n=4096 --work-items n --work-group 64 --argument n=n --format json";
    let command = ["locality", file.to_str().unwrap()];
    let found = json(&run(autotune().args(command).args(options.split(' '))), "locality.json");
    let accesses = found["accesses"].as_array().unwrap();
    let store = accesses.iter().find(|access| access["statement"] == "store").unwrap();
    assert_eq!((&store["array"], &store["line"]), (&"c".into(), &7.into()));
    assert!(accesses.iter().all(|access| access["line"] != 0 && access["file"].is_string()), "{found}");
}
