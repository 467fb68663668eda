//! Kept proofs of a kernel's source: the folder's compiler is believed only where there is no other.

use std::fs;

use super::*;

/// A kernel whose files lie in three folders, with a configuration that does not compile and one that no GPU launches.
const FILES: [(&str, &str); 4] = [
    (
        "kernels/scaled.cl",
        "#include \"../shared/scale.h\"\n#include <limit.h>\n__kernel void scaled(__global float *a) {\n    \
        for (int i = 0; i < TS; ++i) a[get_global_id(0) + i * n] = scale(a[get_global_id(0) + i * n]);\n}\n",
    ),
    ("shared/scale.h", "inline float scale(float x) { return x * 1.5f; }\n"),
    ("limits/limit.h", "#if TS > 4\n#error too large\n#endif\n"),
    (
        "spec.yaml",
        "kernel: scaled\nproblem: { n: 4096 }\nparameters: { WG: { values: [32, 64, 4096] }, TS: { values: [1, 2, 4, 8] } }\n\
         launch: { work_items: n, work_group: WG }\nsource: { file: kernels/scaled.cl, include: [limits, shared] }\n",
    ),
];

/// A kept proof of these files.
struct KeptSource {
    folder: tempfile::TempDir,
}

impl KeptSource {
    fn new(gpu: &str) -> Self {
        Self::with(gpu, &[])
    }

    fn with(gpu: &str, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in FILES {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut command = autotune();
        command.current_dir(folder.path()).args(["spec.yaml", "--gpu", gpu, "--no-analysis", "--keep", "kept"]);
        let ended = run(command.args(options).env("AUTOTUNE_CLANG", "clang-14"));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        for name in ["kernels", "shared", "limits"] {
            fs::remove_dir_all(folder.path().join(name)).unwrap();
        }
        Self { folder }
    }

    /// Verifies the folder, from another working folder than that of the proof.
    fn verify(&self, options: &[&str]) -> Ended {
        run(autotune().arg("verify").arg(self.folder.path().join("kept")).args(options))
    }

    fn compilations(&self, options: &[&str]) -> Value {
        let ended = self.verify(&[&["--format", "json"], options].concat());
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        json(&ended, "verification.json")["compilations"].clone()
    }

    /// A program that does this before it is clang; `$last` is its last argument.
    fn clang(&self, name: &str, does: &str) -> String {
        let text = format!("#!/bin/sh\nfor last; do :; done\n{does}\nexec clang-14 \"$@\"\n");
        script(self.folder.path(), name, &text).display().to_string()
    }

    /// A clang that does this with a source before it compiles it.
    fn lying(&self, name: &str, lie: &str) -> String {
        self.clang(name, &format!("if [ \"$last\" = autotune_source.cl ]; then {lie}; fi"))
    }

    fn assert_refused(&self, options: &[&str], words: &[&str]) {
        let ended = self.verify(options);
        assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "not refused: {words:?}");
        for words in words {
            assert!(ended.stderr.contains(words), "no `{words}` in {}", ended.stderr);
        }
    }
}

const HERE: [&str; 2] = ["--clang", "clang-14"];

#[test]
fn forged_sources_are_not_believed_and_leave_nothing_behind() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/adversary/forge_source.py");
    let clang = which::which("clang-14").unwrap();
    let ended = run(Command::new("python3").arg(script).arg(assert_cmd::cargo::cargo_bin("autotune")).arg(clang));
    assert_eq!(ended.status, 0, "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.ends_with("\n7 forgeries made, 0 believed\n"), "{}", ended.stdout);
}

/// Includes, an error in an included file, and another working folder: bytes and registers are those of the folder.
#[test]
fn a_source_is_compiled_again_to_the_same_bytes() {
    let version = clang_version();
    // A GPU launches no groups of 4096, so its compiler is not asked.
    for (gpu, all, errors) in [("volta", 8, 2), ("mi50", 8, 2), ("abstract-tiny", 12, 3)] {
        let kept = KeptSource::new(gpu);
        let compilations = kept.compilations(&HERE);
        assert_eq!((&compilations["compared"], &compilations["errors"]), (&"outputs".into(), &errors.into()), "{gpu}");
        assert_eq!(compilations["configurations"], all, "{gpu}");
        let printed = kept.verify(&HERE).stdout;
        let words =
            format!("{version} compiles {all} configurations, of which {errors} are errors, to what the folder has\n");
        assert!(printed.ends_with(&words), "{printed}");
        let files = fs::read_to_string(kept.folder.path().join("kept/inputs/compiled.json")).unwrap();
        assert!(!files.contains(kept.folder.path().to_str().unwrap()), "the folder names its place: {files}");
    }
}

fn clang_version() -> String {
    let printed = run(Command::new("clang-14").arg("--version")).stdout;
    printed.lines().next().unwrap().to_owned()
}

#[test]
fn without_a_compiler_the_last_line_says_what_is_believed() {
    let kept = KeptSource::new("volta");
    let believed = "the compiler's outputs in the folder are believed: 8, of which 2 are errors\n";
    let printed = kept.verify(&["--no-compile"]).stdout;
    assert!(printed.ends_with(believed), "{printed}");
    let nowhere =
        run(autotune().arg("verify").arg(kept.folder.path().join("kept")).env("AUTOTUNE_CLANG", "/nowhere/clang"));
    assert!(nowhere.status == 0 && nowhere.stdout.ends_with(believed), "{}{}", nowhere.stdout, nowhere.stderr);
    let compilations = kept.compilations(&["--no-compile"]);
    assert_eq!((&compilations["compared"], &compilations["compiled_by"]), (&"nothing".into(), &Value::Null));
    kept.assert_refused(&["--clang", "/nowhere/clang"], &["there is no program `/nowhere/clang`", "--no-compile"]);
}

#[test]
fn another_version_of_clang_confirms_programs() {
    let kept = KeptSource::new("volta");
    let says = "[ \"$1\" != -v ] || { echo 'clang version 14.9.9 (another)' >&2; exec clang-14 -print-resource-dir; }";
    let other = kept.clang("other", says);
    assert_eq!(kept.compilations(&["--clang", &other])["compared"], "programs");
    let printed = kept.verify(&["--clang", &other]).stdout;
    let words = format!("to the same programs; the outputs in the folder are by {}\n", clang_version());
    assert!(printed.ends_with(&words), "{printed}");
    let doubled = kept.lying("doubled", "sed -i 's/i < TS/i < 2 * TS/' autotune_source.cl");
    let text = fs::read_to_string(&doubled).unwrap().replacen("for last;", &format!("{says}\nfor last;"), 1);
    fs::write(&doubled, text).unwrap();
    kept.assert_refused(
        &["--clang", &doubled],
        &[
            "WG=32 TS=4: its output is lowered to another program",
            "name one of the folder's version with `--clang PATH`",
        ],
    );
}

#[test]
fn what_differs_is_named_with_its_configuration() {
    let kept = KeptSource::new("mi50");
    let lies = [
        ("sed -i 's/i < TS/i < 2 * TS/' autotune_source.cl", "WG=32 TS=1: its output is not clang's, from line "),
        (
            "case \"$(cat autotune_source.cl)\" in *'TS 1'*'WG 32'*) echo \"$last:1:1: error: no\" >&2; exit 1;; esac",
            "WG=32 TS=1: it has an output, but clang refuses it: `no`",
        ),
        (
            "sed -i 's/TS > 4/TS > 8/; s/TS 8$/TS 4/' autotune_source.cl",
            "WG=32 TS=8: its error is `limits/limit.h:2:2: too large`, but clang compiles it",
        ),
        (
            "case \"$*\" in *emit-llvm*) ;; *autotune_source.cl) clang-14 \"$@\" && sed -i 's/vgpr_count:.*/vgpr_count: 99/' \
          autotune_output.txt; exit;; esac",
            "registers (clang for AMD), but the tools give 99 registers (clang for AMD)",
        ),
    ];
    for (number, (lie, words)) in lies.into_iter().enumerate() {
        let clang = kept.lying(&format!("lie-{number}"), lie);
        kept.assert_refused(&["--clang", &clang], &["inputs/compiled.json: ", words]);
    }
}

/// A limit is neither an agreement nor a difference, and neither is a compiler without the GPU's maker.
#[test]
fn what_is_not_known_verifies_nothing() {
    let kept = KeptSource::new("volta");
    let limited =
        "case \"$(cat autotune_source.cl)\" in *'TS 8'*) echo 'LLVM ERROR: out of memory' >&2; exit 134;; esac";
    kept.assert_refused(
        &["--clang", &kept.lying("limited", limited)],
        &[
            "TS=8 compiles is not known: clang did not finish with TS=8 WG=32: it needs more than 2",
            "of memory",
            "`--no-compile` believes",
        ],
    );
    let without = "case \"$*\" in *nvptx*) echo 'error: unable to create target: no nvptx64' >&2; exit 1;; esac";
    kept.assert_refused(
        &["--clang", &kept.clang("without", without)],
        &["cannot compile for this GPU: ", "name another clang with `--clang PATH`"],
    );
}

/// The words of NVIDIA's assembler are compared where it is installed, and believed elsewhere.
#[test]
fn what_ptxas_says_is_compared_or_said_to_be_believed() {
    let tools = tempfile::tempdir().unwrap();
    let ptxas = |name: &str, registers: u32| {
        let text = "#!/bin/sh\n[ \"$1\" != --version ] || exec echo 'Cuda compilation tools, release 12.9, V12.9.86'\n\
            echo \"ptxas info : Compiling entry function 'scaled' for 'sm_70'\" >&2\n\
            echo 'ptxas info : Used COUNT registers, 356 bytes cmem[0]' >&2\n: > autotune_kernel.cubin\n";
        script(tools.path(), name, &text.replace("COUNT", &registers.to_string())).display().to_string()
    };
    let (honest, other) = (ptxas("one", 17), ptxas("two", 18));
    let options = ["--ptxas", &honest, "--registers", "ptxas"];
    let kept = KeptSource::with("volta", &options);
    let with = |ptxas: &str| kept.verify(&["--clang", "clang-14", "--ptxas", ptxas]);
    let printed = with(&honest).stdout;
    assert!(printed.ends_with("2 are errors, to what the folder has\n"), "{printed}");
    let refused = with(&other).stderr;
    assert!(refused.contains("it has 17 registers (ptxas), but the tools give 18 registers (ptxas)"), "{refused}");
    let printed = kept.verify(&HERE).stdout;
    let words = "ptxas is not here, its registers in the folder are believed: 6, of which 0 are errors\n";
    assert!(printed.ends_with(words), "{printed}");
}

/// Names in a list of a stranger lead nowhere.
#[test]
fn a_source_is_laid_out_in_its_own_folder_only() {
    let kept = KeptSource::new("volta");
    let sealed = Kept { folder: kept.folder };
    let list = "kept/inputs/compiled.json";
    let (good, folder) = (sealed.read(list), Kept { folder: tempfile::tempdir().unwrap() });
    fs::remove_dir(folder.path("")).unwrap();
    fs::rename(sealed.path("kept"), folder.path("")).unwrap();
    for place in ["../../escaped/scale.h", "/escaped/scale.h", "kernels/scaled.cl/scale.h", "kernels/scaled.cl"] {
        folder.write("inputs/compiled.json", &good.replace("\"shared/scale.h\"", &format!("\"{place}\"")));
        let (kept, name) = (folder.file("inputs/source", "-scale.h"), place.rsplit('/').next().unwrap());
        let named = kept.replace("scale.h", name);
        if named != kept {
            fs::copy(folder.path(&kept), folder.path(&named)).unwrap();
        }
        folder.seal();
        let ended = run(autotune().arg("verify").arg(folder.path("")).args(HERE));
        assert!(ended.status == 1 && ended.stderr.contains("the source cannot be compiled again"), "{}", ended.stderr);
    }
}
