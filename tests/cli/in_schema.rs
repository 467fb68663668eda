//! The JSON of every command is what its schema says, for kernels with matrix units, with copies, on an abstract processor and
//! from Triton.

use std::fs;

use super::*;

/// A kernel with a small space, in a folder of its own.
struct Kernel {
    folder: tempfile::TempDir,
    gpu: &'static str,
    /// A second GPU.
    other: &'static str,
    /// The spec with other sizes: a name and its values.
    sizes: &'static str,
    /// The parameters that are measured, and the time of two of their configurations.
    measured: &'static str,
    /// A configuration.
    config: &'static str,
    /// Commands that say why they do not answer: formulas of real GPUs.
    refused: &'static [&'static str],
}

impl Kernel {
    /// A kernel of the examples, whose parameters have these values alone.
    fn new(name: &str, file: &str, [problem, parameters]: [&str; 2], kernel: Self) -> Self {
        let spec = fs::read_to_string(format!("examples/kernels/{name}.yaml")).unwrap();
        let (head, rest) = spec.split_once("problem:\n").unwrap();
        let end = rest.match_indices('\n').map(|(at, _)| at + 1).find(|&at| {
            let after = &rest[at..];
            !after.starts_with(' ') && !after.starts_with("parameters:")
        });
        let rest: String =
            rest[end.unwrap()..].split_inclusive('\n').filter(|line| !line.starts_with("roles:")).collect();
        let text = format!("{head}problem: {problem}\nparameters: {parameters}\n{rest}");
        fs::write(kernel.folder.path().join("spec.yaml"), text).unwrap();
        fs::copy(format!("examples/kernels/{file}"), kernel.folder.path().join(file)).unwrap();
        fs::write(kernel.folder.path().join("measured.csv"), kernel.measured).unwrap();
        kernel
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        run(autotune().current_dir(self.folder.path()).args(arguments))
    }

    /// The answer of a command, checked against a schema.
    fn checked(&self, arguments: &[&str], schema: &str) {
        let ended = self.run(arguments);
        assert!(!ended.stdout.is_empty(), "{arguments:?}: {}", ended.stderr);
        json(&ended, schema);
    }

    /// The answer of a command about the spec on a GPU, checked against a schema.
    fn asked(&self, command: &[&str], gpu: &str, more: &[&str], schema: &str) {
        let question = [command, &["spec.yaml", "--gpu", gpu], more].concat();
        let ended = self.run(&[&question[..], &["--format", "json"]].concat());
        if command.first().is_some_and(|command| self.refused.contains(command)) {
            assert!(ended.status == 2 && ended.stderr.contains("needs a real GPU"), "{question:?}: {}", ended.stderr);
            return;
        }
        assert!(!ended.stdout.is_empty(), "{question:?}: {}", ended.stderr);
        json(&ended, schema);
    }

    /// The file in the folder, checked against a schema.
    fn file(&self, path: &str, schema: &str) {
        let text = fs::read_to_string(self.folder.path().join(path)).unwrap();
        json(&Ended { status: 0, stdout: text, stderr: String::new() }, schema);
    }

    /// Each line of a file in the folder, checked against a schema.
    fn lines(&self, path: &str, schema: &str) {
        let text = fs::read_to_string(self.folder.path().join(path)).unwrap();
        assert!(text.lines().count() > 1, "{path}: {text}");
        for line in text.lines() {
            json(&Ended { status: 0, stdout: line.to_owned(), stderr: String::new() }, schema);
        }
    }

    fn commands(&self) {
        let gpu = self.gpu;
        let one = ["--config", self.config];
        for (command, more, schema) in [
            (&[][..], &["--rank", "--top", "2", "--keep", "kept"][..], "result.json"),
            (&["evaluate"], &[], "evaluation.json"),
            (&["compare"], &[], "comparison.json"),
            (&["explain"], &one, "explanation.json"),
            (&["inspect"], &one, "inspection.json"),
            (&["locality"], &one, "locality.json"),
            (&["predict"], &[], "prediction.json"),
            (&["predict"], &one, "prediction.json"),
            (&["efficiency"], &one, "efficiency.json"),
            (&["graph"], &one, "graph.json"),
            (&["extract"], &one, "extraction.json"),
            (&["model"], &one, "program.json"),
            (&["validate"], &["--measured", "measured.csv"], "validation.json"),
            (&["suggest"], &["--measured", "measured.csv"], "suggest.json"),
            (&["check"], &[], "diagnosis.json"),
            (&["measure"], &["--run", "echo 3", "--unit", "us", "--runs", "2", "--out", "runs"], "measure.json"),
        ] {
            self.asked(command, gpu, more, schema);
        }
        self.checked(&["spec.yaml", "--gpu", gpu, "--format", "restrictions"], "restrictions.json");
        self.lines("runs/journal.jsonl", "measure_journal.json");
        self.checked(&["verify", "kept", "--trust-python", "--format", "json"], "verification.json");
        self.checked(&["diff", "spec.yaml", "spec.yaml", "--gpu", gpu, "--format", "json"], "diff.json");
        let serve = ["suggest", "spec.yaml", "--gpu", gpu, "--serve"];
        let request = r#"{"request": "next", "count": 2}"#;
        let served = run(autotune().current_dir(self.folder.path()).args(serve).write_stdin(request));
        fs::write(self.folder.path().join("replies.jsonl"), served.stdout).unwrap();
        self.lines("replies.jsonl", "serve_reply.json");
    }

    /// The body of the source, held against it.
    fn body(&self) {
        let question = ["--gpu", self.gpu, "--config", self.config];
        let extracted = self.run(&[&["extract", "spec.yaml"][..], &question].concat());
        fs::write(self.folder.path().join("body.yaml"), extracted.stdout).unwrap();
        let check = ["--check", "--format", "json"];
        self.checked(&[&["extract", "body.yaml"][..], &question, &check].concat(), "source_agreement.json");
    }

    fn scenarios(&self) {
        let both = format!("{},{}", self.gpu, self.other);
        self.asked(&[], &both, &["--variants", "2", "--keep", "several"], "fleet.json");
        self.file("several/tree.json", "fleet_tree.json");
        self.checked(&["verify", "several", "--format", "json"], "fleet_verification.json");
        self.asked(&["table"], self.gpu, &["--set", self.sizes], "size_table.json");
        let jobs = format!("jobs:\n  - specs: [spec.yaml]\n    gpus: [{both}]\n");
        fs::write(self.folder.path().join("jobs.yaml"), jobs).unwrap();
        let batch = ["batch", "jobs.yaml", "--out", "batch", "--format", "json"];
        self.checked(&[&batch[..], &["--dry-run"]].concat(), "plan.json");
        self.checked(&batch, "batch_summary.json");
        self.file("batch/results.json", "batch.json");
        self.lines("batch/journal.jsonl", "journal.json");
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn with_matrix_units() {
    let kernel = Kernel {
        folder: folder(),
        gpu: "a100",
        other: "h100",
        sizes: "size=256,512",
        measured: "BM,BN,BK,DOWN,ACROSS,time_ms\n64,64,16,2,2,1\n64,64,32,2,2,2\n",
        config: "BM=64,BN=64,BK=16,DOWN=2,ACROSS=2",
        refused: &[],
    };
    let parameters = "{ BM: { values: [64] }, BN: { values: [64] }, BK: { values: [16, 32] }, DOWN: { values: [2] }, ACROSS: { values: [2] } }";
    let kernel = Kernel::new("matmul_wmma", "matmul_wmma.cu", ["{ size: 256 }", parameters], kernel);
    kernel.commands();
    kernel.body();
    kernel.scenarios();
    let explained =
        kernel.run(&["explain", "spec.yaml", "--gpu", "a100", "--config", kernel.config, "--format", "json"]);
    assert!(explained.stdout.contains("\"server\": \"matrix\""), "{}", explained.stdout);
}

#[test]
fn with_copies() {
    let kernel = Kernel {
        folder: folder(),
        gpu: "a100",
        other: "h100",
        sizes: "rows=64,128",
        measured: "THREADS,EACH,STAGES,time_ms\n64,8,2,1\n128,8,2,2\n",
        config: "THREADS=64,EACH=8,STAGES=2",
        refused: &[],
    };
    let parameters = "{ THREADS: { values: [64, 128] }, EACH: { values: [8] }, STAGES: { values: [2] } }";
    let sizes = "{ rows: 64, width: 256 }";
    let kernel = Kernel::new("softmax_async", "softmax_async.cu", [sizes, parameters], kernel);
    kernel.commands();
    kernel.body();
    kernel.scenarios();
}

#[test]
fn on_an_abstract_processor() {
    let kernel = Kernel {
        folder: folder(),
        gpu: "abstract-tiny",
        other: "abstract-fermi",
        sizes: "size=256,512",
        measured: "WG,TS,VEC,time_ticks\n32,1,1,1\n64,1,1,2\n",
        config: "WG=32,TS=1,VEC=1",
        refused: &["predict", "efficiency"],
    };
    let parameters = "{ WG: { values: [32, 64] }, TS: { values: [1, 2] }, VEC: { values: [1] } }";
    let kernel = Kernel::new("reduction", "reduction.cl", ["{ size: 256 }", parameters], kernel);
    kernel.commands();
    kernel.body();
    kernel.scenarios();
}

#[test]
fn from_triton() {
    let kernel = Kernel {
        folder: folder(),
        gpu: "a100",
        other: "h100",
        sizes: "n=256,512",
        measured: "BM,BN,BK,num_warps,num_stages,time_ms\n128,32,32,4,4,1\n128,64,32,4,4,2\n",
        config: "BM=128,BN=32,BK=32,num_warps=4,num_stages=4",
        refused: &[],
    };
    let parameters = "{ BM: { values: [128] }, BN: { values: [32, 64] }, BK: { values: [32] }, num_warps: { values: [4] }, num_stages: { values: [4] } }";
    Kernel::new("matmul_triton", "matmul_triton.py", ["{ n: 256 }", parameters], kernel).commands();
}

#[test]
fn about_the_program_itself() {
    for (command, schema) in [("gpus", "gpus.json"), ("cache", "cache.json"), ("doctor", "doctor.json")] {
        json(&run(autotune().args([command, "--format", "json"])), schema);
    }
}
