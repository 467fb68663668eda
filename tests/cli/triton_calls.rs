//! Launches of kernels in Triton that a call of the user's makes, and lists of configurations that Python makes. A
//! stand-in has the place of Triton, and the helper's own that of `torch`; `with_pytorch` calls a real one where there is
//! one.

use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::*;

const SWIGLU: &str = "tests/data/triton/calls/swiglu.py";
const GRIDS: &str = "tests/data/triton/calls/grids.py";
const MADE: &str = "tests/data/triton/made/kernels.py";
const MATMUL: &str = "examples/kernels/matmul_triton.py";

fn asked(file: &str, more: &[&str]) -> Ended {
    run(autotune().args([file, "--gpu", "a100", "--print-spec"]).args(more))
}

/// The spec of a call.
fn spec(file: &str, more: &[&str]) -> String {
    let ended = asked(file, more);
    assert_eq!(ended.status, 0, "{more:?}: {}", ended.stderr);
    ended.stdout
}

/// The error of a call: its text without the lines of the source.
fn error(file: &str, more: &[&str]) -> String {
    let ended = asked(file, more);
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{more:?}: {}", ended.stderr);
    ended.stderr
}

fn line<'a>(text: &'a str, key: &str) -> &'a str {
    text.lines().find(|line| line.trim_start().starts_with(key)).unwrap_or_else(|| panic!("no {key} in {text}")).trim()
}

#[test]
fn a_call_says_all_of_a_launch() {
    let spec = spec(&format!("{SWIGLU}:swiglu_kernel"), &["--call", "usual"]);
    assert_eq!(line(&spec, "problem:"), "problem: { rows: 512, columns: 1000 }");
    assert_eq!(line(&spec, "programs:"), r#"programs: ["ceil_div(rows, ROWS)", "ceil_div(columns, BLOCK)"]"#);
    assert_eq!(line(&spec, "types:"), r#"types: { gate: "*bf16", up: "*bf16", out: "*bf16" }"#);
    assert_eq!(line(&spec, "arguments:"), "arguments: { stride: 1000, scale: 0.5 }");
    assert_eq!(line(&spec, "define:"), r#"define: { bias: None, IS_WHOLE: "False", ACTIVATION: silu }"#);
    assert!(!spec.contains("unaligned"), "{spec}");
    // Of 76 configurations four have blocks longer than a row, which the list's own function prunes.
    assert_eq!(spec.lines().filter(|line| line.starts_with("  - {")).count(), 72);
    assert!(spec.contains("  - { BLOCK: 256, ROWS: 4, num_warps: 8, num_stages: 3 }\n"), "{spec}");
    // The file's name alone is enough where one kernel is launched.
    assert_eq!(spec, self::spec(SWIGLU, &["--call", "usual()"]));
}

/// A constant that follows from the configuration is one of its values.
#[test]
fn heuristics_are_evaluated_for_each_configuration() {
    let call = "swiglu(*torch.empty(2, 64, 512, dtype=torch.float16, device='meta'))";
    let spec = spec(SWIGLU, &["--call", call]);
    assert_eq!(spec.lines().filter(|line| line.starts_with("  - {")).count(), 72);
    assert_eq!(line(&spec, "define:"), r#"define: { bias: None, IS_WHOLE: "True", ACTIVATION: silu }"#);
    let odd = self::spec(SWIGLU, &["--call", &call.replace("512", "192")]);
    let rows: Vec<&str> = odd.lines().filter(|line| line.starts_with("  - {")).collect();
    let whole = |block: &str| {
        rows.iter().filter(|row| row.contains(block)).map(|row| row.contains("IS_WHOLE: 1")).collect::<Vec<_>>()
    };
    assert_eq!((rows.len(), whole("BLOCK: 64,"), whole("BLOCK: 128,")), (48, vec![true; 24], vec![false; 24]));
    assert_eq!(line(&odd, "define:"), "define: { bias: None, ACTIVATION: silu }");
}

/// The whole list has 4 configurations more than 72, and nothing says which a row's length excludes.
#[test]
fn a_list_of_python_is_evaluated_and_pruned_as_far_as_arguments_are_known() {
    let named = format!("{SWIGLU}:swiglu_kernel");
    let launch = ["--type", "gate=*bf16", "--type", "up=*bf16", "--type", "out=*bf16", "--argument", "rows=64"];
    let rest =
        ["--argument", "stride=512", "--argument", "scale=0.5", "--define", "bias=None", "--define", "IS_WHOLE=1"];
    let more = ["--define", "ACTIVATION=silu", "--programs", "64", "--configs", "--argument", "columns=n"];
    let all = [&launch[..], &rest, &more].concat();
    let count = |more: &[&str]| {
        let ended = asked(&named, &[&all[..], more].concat());
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        (ended.stdout.lines().filter(|line| line.starts_with("  - {")).count(), ended.stderr)
    };
    assert_eq!(count(&["--problem", "n=512"]), (72, String::new()));
    assert_eq!(count(&["--problem", "n=2048"]), (76, String::new()));
    let unknown: Vec<&str> = all.iter().map(|word| if *word == "columns=n" { "columns=n + 0" } else { word }).collect();
    let ended = asked(&named, &[&unknown[..], &["--problem", "n=512"]].concat());
    assert_eq!(ended.stdout.lines().filter(|line| line.starts_with("  - {")).count(), 76, "{}", ended.stderr);
    let note = "note: the list is not pruned: `early_config_prune` fails with KeyError: 'columns'\n";
    assert_eq!(ended.stderr, note);
}

/// Values by hand for 1000 rows and 300 columns, and tiles of 32 x 64, 64 x 64 and 128 x 32.
#[test]
fn a_grid_is_an_expression_of_the_configuration() {
    for (grid, programs) in [
        ("(1000 // 8 + 1,)", "126"),
        (
            "lambda meta: (triton.cdiv(1000, meta['BM']) * triton.cdiv(300, meta['BN']),)",
            r#""ceil_div(M, BM) * ceil_div(N, BN)""#,
        ),
        (
            "lambda meta: (math.ceil(1000 / meta['BM']), -(-300 // meta['BN']), 2)",
            r#"["ceil_div(M, BM)", "ceil_div(N, BN)", 2]"#,
        ),
        (
            "lambda meta: (min(multiprocessors(), triton.cdiv(meta['M'], meta['BM'])), meta['num_warps'])",
            r#"["min(108, ceil_div(M, BM))", num_warps]"#,
        ),
        (
            "lambda meta: (max(1, meta['M'] // meta['BM'] - 1) * 2 % meta['BN'],)",
            r#""max(1, floor_div(M, BM) - 1) * 2 % BN""#,
        ),
        ("lambda meta: (1000 - (meta['BM'] - meta['BN']),)", r#""M - (BM - BN)""#),
        // A comparison is not an expression, so that the values are.
        (
            "lambda meta: (triton.next_power_of_2(meta['BM']) * 3 if meta['BM'] > 40 else 7,)",
            r#""(BM == 32) * 7 + (BM == 64) * 192 + (BM == 128) * 384""#,
        ),
        ("lambda meta: meta['BM']", "BM"),
    ] {
        let spec = spec(GRIDS, &["--call", &format!("launch({grid})")]);
        assert_eq!(line(&spec, "programs:"), format!("programs: {programs}"), "{grid}");
    }
}

#[test]
fn an_option_has_its_say_before_a_call() {
    let more = ["--type", "gate=*fp32", "--argument", "scale=2.0", "--define", "num_warps=8", "--programs", "7"];
    let spec = spec(SWIGLU, &[&["--call", "usual"], &more[..]].concat());
    assert_eq!(line(&spec, "types:"), r#"types: { gate: "*fp32", up: "*bf16", out: "*bf16" }"#);
    assert_eq!(line(&spec, "arguments:"), "arguments: { scale: 2.0, stride: 1000 }");
    assert_eq!(line(&spec, "programs:"), "programs: 7");
    assert!(line(&spec, "define:").starts_with("define: { num_warps: 8, "), "{spec}");
    assert_eq!(spec.lines().filter(|line| line.starts_with("  - {")).count(), 18, "{spec}");
    let tuned = ["--parameter", "BM=16..64:pow2", "--parameter", "num_warps=4,8", "--problem", "M=512"];
    let own = self::spec(GRIDS, &[&["--call", "untuned"], &tuned[..]].concat());
    assert_eq!(line(&own, "programs:"), r#"programs: ["ceil_div(M, BM)", 3]"#);
    assert_eq!(line(&own, "problem:"), "problem: { M: 512, N: 300 }");
    assert_eq!(line(&own, "define:"), "define: { BN: 32, SPLIT: 3 }");
    assert!(!own.contains("configurations:"), "{own}");
}

#[test]
fn addresses_and_types_come_from_the_tensors() {
    let spec = spec(&format!("{SWIGLU}:sum_kernel"), &["--call", "both"]);
    assert_eq!(line(&spec, "types:"), r#"types: { values: "*bf16", total: "*fp32", count: i64 }"#);
    assert_eq!(line(&spec, "unaligned:"), "unaligned: [values]");
    assert_eq!(line(&spec, "define:"), "define: { BLOCK: 1024 }");
    assert_eq!(line(&spec, "- {"), "- { num_warps: 8, num_stages: 3 }");
    let held = self::spec(SWIGLU, &["--call", "total(torch.arange(0, 64, dtype=torch.int32))"]);
    assert_eq!(line(&held, "contents:"), "contents: { values: identity }");
}

#[test]
fn a_call_that_cannot_be_used_is_told_with_its_place() {
    let call = |call: &str| error(SWIGLU, &["--call", call]);
    let several = call("both");
    assert!(
        several.contains("the call launches several kernels: `swiglu.py:swiglu_kernel`, `swiglu.py:sum_kernel`"),
        "{several}"
    );
    assert!(several.contains("help: name one of them in place of the file alone: `FILE.py:KERNEL`"), "{several}");
    assert!(call("nothing").contains("the call launches no kernel"));
    assert!(call("swiglu").contains("the call fails: TypeError: swiglu() missing 2 required positional arguments"));
    let wrong = call("wrong");
    assert!(wrong.contains("the call fails: AssertionError") && wrong.contains("swiglu.py:58"), "{wrong}");
    let raised = call("usual(1)");
    assert!(raised.contains("TypeError: usual() takes 0 positional arguments but 1 was given"), "{raised}");
    assert!(call("1 +").contains("the call is not an expression of Python: invalid syntax"));
    assert!(call("exit(3)").contains("the call fails: SystemExit: 3"));
    assert!(call("clusters").contains("the launch asks for clusters: `num_ctas` is 2"));
    assert!(call("complexes").contains("the tensor `values` holds torch.complex64, which is not understood"));
    let other = error(&format!("{SWIGLU}:sum_kernel"), &["--call", "usual"]);
    assert!(other.contains("the call does not launch `sum_kernel`: it launches `swiglu.py:swiglu_kernel`"), "{other}");
    let float = error(GRIDS, &["--call", "launch(lambda meta: (1.5,))"]);
    assert!(float.contains("the grid of the launch is not understood: it has a float"), "{float}");
    let fixed = error(GRIDS, &["--call", "counted", "--parameter", "BM=8,16"]);
    assert!(fixed.contains("nothing says how it follows `BM`: give it with `--programs`"), "{fixed}");
    let opencl = error("examples/kernels/vector_add.cl", &["--call", "f()"]);
    assert!(
        opencl.contains(
            "`--call` is about kernels in Triton, and `examples/kernels/vector_add.cl` is in another language"
        ),
        "{opencl}"
    );
}

#[test]
fn a_kernel_that_is_launched_again_is_told() {
    let ended = asked(SWIGLU, &["--call", "twice"]);
    let note = "note: the call launches `sum_kernel` 3 times in 2 forms, at the lines 75: the first is taken\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (0, note));
    assert_eq!(line(&ended.stdout, "problem:"), "problem: { count: 1024 }");
}

#[test]
fn files_that_cannot_be_called_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let empty = file("empty.py", "x = 1\n");
    assert!(error(&empty, &["--call", "x"]).contains("the call launches no kernel"));
    assert!(error(&empty, &["--configs"]).contains("the file has no kernel"), "{}", error(&empty, &["--configs"]));
    let broken = error(&file("broken.py", "def f(:\n"), &["--call", "f"]);
    assert!(broken.contains("invalid syntax") && broken.contains("broken.py:1:7"), "{broken}");
    let list = "import triton\nimport triton.language as tl\n\n@triton.autotune(configs=[triton.Config({'B': b}) for b in \
                absent], key=[])\n@triton.jit\ndef k(x, B: tl.constexpr):\n    tl.store(x, 1)\n";
    let absent = error(&file("absent.py", list), &["--configs"]);
    assert!(absent.contains("the configurations of `k` cannot be evaluated: NameError: name 'absent' is not defined"));
    assert!(absent.contains("absent.py:4"), "{absent}");
    let launched = error(&file("absent.py", list), &["--call", "k[(1,)](torch.empty(3))"]);
    assert!(launched.contains("the configurations of `k` cannot be evaluated"), "{launched}");
    let words = error(&file("words.py", &list.replace("in absent", "in ['x']")), &["--configs"]);
    assert!(words.contains("`B` is 'x' in a configuration of the list: integers alone are compared"), "{words}");
    let untuned = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x):\n    tl.store(x, 1)\n";
    let plain = error(&file("plain.py", untuned), &["--configs"]);
    assert!(plain.contains("the kernel `k` has no decorator `triton.autotune`"), "{plain}");
    let imported = "from numbers_of_nobody import count\n\ndef call():\n    return count()\n";
    let missing = error(&file("imported.py", imported), &["--call", "call"]);
    assert!(
        missing.contains("NameError: name 'count' is not defined; it is missing since imported.py fails there with")
    );
    assert!(missing.contains("No module named 'numbers_of_nobody'") && missing.contains("imported.py:4"), "{missing}");
}

/// A package whose other modules need what is not installed.
#[test]
fn a_kernel_in_a_package_finds_what_it_imports() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("lib/ops");
    std::fs::create_dir_all(&inner).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join("lib").join(name), text).unwrap();
    write("__init__.py", "from .models import Model\nfrom .ops import scale\n");
    write("models.py", "from models_of_nobody import Base\nclass Model(Base):\n    pass\n");
    write("utils.py", "import wheels_of_nobody\nfrom lib.models import Model\ndef block(n):\n    return min(n, 256)\n");
    write("ops/__init__.py", "from .scale import scale\n");
    let kernel = "import torch\nimport triton\nimport triton.language as tl\nfrom ..utils import block\n\n@triton.jit\n\
                  def kernel(x, n, B: tl.constexpr):\n    tl.store(x + tl.arange(0, B), 1)\n\n@torch.compiler.disable\n\
                  def scale(x: torch.Unknown) -> torch.Unknown:\n    n = x.numel()\n    \
                  kernel[(triton.cdiv(n, block(n)),)](x, n, B=block(n))\n";
    write("ops/scale.py", kernel);
    let path = inner.join("scale.py");
    for call in ["scale(torch.empty(4096, device='cuda'))", "import lib; lib.scale(torch.empty(4096, device='cuda'))"] {
        let spec = spec(path.to_str().unwrap(), &["--call", call]);
        assert_eq!(line(&spec, "programs:"), "programs: 16", "{call}");
        assert_eq!(line(&spec, "define:"), "define: { B: 256 }", "{call}");
    }
}

/// Kernels that a call makes of a function, or a decorator of the package's own, have the places of the functions.
#[test]
fn kernels_are_found_however_they_are_made() {
    let cases = [
        ("scaled", "launch(scaled, 2.0, True, rounded(200))", r#"define: { IS_TWICE: "True", BLOCK: 256 }"#),
        ("worded", "launch(worded, 2.0, True, 128)", r#"define: { IS_TWICE: "True", BLOCK: 128 }"#),
        ("named", "launch(named, 2.0, True, 128)", r#"define: { IS_TWICE: "True", BLOCK: 128 }"#),
        ("own", "launch(own, 1024)", "define: { BLOCK: 1024 }"),
        ("recent", "launch(recent, 1024)", "define: { BLOCK: 1024 }"),
    ];
    for (kernel, call, define) in cases {
        let spec = spec(&format!("{MADE}:{kernel}"), &["--call", call]);
        assert_eq!(line(&spec, "problem:"), "problem: { n: 1000 }", "{kernel}");
        assert_eq!(line(&spec, "define:"), define, "{kernel}");
        assert_eq!(line(&spec, "programs:"), "programs: 4", "{kernel}");
    }
    let tuned = spec(&format!("{MADE}:listed"), &["--call", "launch(listed, 2.0, False)"]);
    let configurations: Vec<&str> = tuned.lines().filter(|line| line.starts_with("  - {")).map(str::trim).collect();
    let configuration = |block: u32, warps: u32| format!("- {{ BLOCK: {block}, num_warps: {warps}, num_stages: 3 }}");
    assert_eq!(configurations, [configuration(128, 2), configuration(256, 4), configuration(512, 8)]);
    let several = error(MADE, &[]);
    assert!(several.contains("`scaled`, `listed`, `worded`, `named`, `own`, `recent`"), "{several}");
}

#[test]
fn a_call_that_does_not_end_obeys_its_limit() {
    for call in ["endless", "waiting"] {
        let began = std::time::Instant::now();
        let limited = error(SWIGLU, &["--call", call, "--source-limit", "1s"]);
        assert!(
            limited.contains(&format!("`{call}` has not ended: ")) && limited.contains("--source-limit"),
            "{limited}"
        );
        assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    }
}

#[test]
fn ctrl_c_ends_a_call() {
    for arguments in [&["--print-spec"][..], &[]] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(SWIGLU);
        let folder = tempfile::tempdir().unwrap();
        let marker = folder.path().join("begun");
        let call = format!("open({:?}, 'w').close(); waiting()", marker.to_str().unwrap());
        let mut asked = process(folder.path());
        asked.arg(&file).args(["--gpu", "a100", "--call", &call]).args(arguments);
        let mut child = asked.spawn().unwrap();
        wait_until("the call begins", || {
            assert!(child.try_wait().unwrap().is_none(), "the tool ended");
            marker.exists()
        });
        kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
        let began = std::time::Instant::now();
        assert!(!child.wait_with_output().unwrap().status.success());
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }
}

#[test]
fn one_question_lists_what_is_missing() {
    let question = error(&format!("{MATMUL}:matmul"), &["--problem", "M=512", "--type", "c=*fp32"]);
    let words = "error: the launch of the kernel lacks the types of the pointers `a`, `b`; the values of the arguments `N`, \
                 `K`, `row_a`, `row_b`, `row_c`; the values of the constants `BM`, `BN`, `BK`, `GROUP_M`; the number of programs\n";
    assert!(question.contains(words), "{question}");
    let help = "help: give --type 'a=*fp16' --type 'b=*fp16' --argument 'N=…' --argument 'K=…' --argument 'row_a=…' \
                --argument 'row_b=…' --argument 'row_c=…' --configs --programs '…' — ";
    assert!(question.contains(help), "{question}");
    let listed = error(&format!("{SWIGLU}:sum_kernel"), &["--programs", "1"]);
    let words = "lacks the types of the pointers `values`, `total`; the values of the arguments `count`; the values of the \
                 constants `BLOCK`\n";
    assert!(listed.contains(words), "{listed}");
}

/// The call of the example asks Triton for what the options of the guide ask for: its answers are known.
#[test]
fn a_call_and_options_are_one_question() {
    let matrix = "torch.empty(256, 256, dtype=torch.float16, device='meta')";
    let call = format!("product({matrix}, {matrix})");
    let config = ["--config", "BM=128,BN=128,BK=32,num_warps=4,num_stages=4", "--format", "json", "--no-cost"];
    let ended = run(autotune().args([MATMUL, "--gpu", "a100", "--call", &call]).args(config));
    let result = json(&ended, "result.json");
    let spec = "examples/kernels/matmul_triton.yaml";
    let usual = run(autotune().args([spec, "--gpu", "a100", "--set", "n=256"]).args(config));
    let usual = json(&usual, "result.json");
    assert!(result["optimum"]["ticks"].as_u64().is_some(), "{result}");
    assert_eq!(result["optimum"]["ticks"], usual["optimum"]["ticks"]);
    assert_eq!(result["optimum"]["parameters"], usual["optimum"]["parameters"]);
}

/// A `torch` for processors, such as Debian's `python3-torch`, finds the same launches as what stands for it.
#[test]
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
fn with_pytorch() {
    let python = std::env::var("AUTOTUNE_TEST_PYTORCH").unwrap_or_else(|_| "/usr/bin/python3".to_owned());
    let found = std::process::Command::new(&python).args(["-c", "import torch"]).output();
    if !found.is_ok_and(|found| found.status.success()) {
        eprintln!("{python} has no PyTorch: its calls are not tested");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("python");
    let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/triton/python");
    let text = format!("#!/bin/sh\nAUTOTUNE_TEST_TORCH=1 exec {python} {} \"$@\"\n", stand_in.display());
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let both = format!("{SWIGLU}:sum_kernel");
    let calls = [
        (SWIGLU, "usual"),
        (&*both, "both"),
        (SWIGLU, "swiglu(*torch.empty(2, 64, 192, dtype=torch.float16, device='meta'))"),
        (SWIGLU, "total(torch.arange(0, 64, dtype=torch.int32))"),
        (SWIGLU, "x = torch.randn(64, 256, device='cuda', dtype=torch.half); swiglu(x.t().contiguous(), x.T.clone())"),
        (GRIDS, "launch(lambda meta: (multiprocessors(), triton.cdiv(300, meta['BN'])))"),
        (GRIDS, "untuned"),
    ];
    for (file, call) in calls {
        let real = spec(file, &["--call", call, "--python", script.to_str().unwrap()]);
        assert_eq!(real, spec(file, &["--call", call]), "{call}");
    }
    let raised = error(SWIGLU, &["--call", "usual().sum().item()", "--python", script.to_str().unwrap()]);
    assert!(raised.contains("the call fails: "), "{raised}");
}

/// One of two names that an address begins with is the pointer: no type is proposed for the other.
#[test]
fn no_type_of_a_pointer_is_proposed_for_a_number() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.py");
    let text = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x_ptr, y_ptr, stride, shift, rows, B: \
                tl.constexpr):\n    i = tl.arange(0, B)\n    row = tl.cdiv(rows, B) + stride.to(tl.int64) * 2\n    \
                value = tl.load(stride + x_ptr + i + row)\n    tl.store(shift + y_ptr + rows + i, value)\n";
    std::fs::write(&file, text).unwrap();
    let told = error(&format!("{}:k", file.display()), &[]);
    let words =
        "lacks the types of the pointers `x_ptr`, `y_ptr`; the values of the arguments `stride`, `shift`, `rows`";
    assert!(told.contains(words), "{told}");
    assert!(!told.contains("'stride=*") && !told.contains("'shift=*"), "{told}");
}
