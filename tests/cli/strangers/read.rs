//! The files that are read: regular files of a limited size. Nothing else is opened or waited for.

use std::os::unix::net::UnixListener;

use super::*;

/// Files that never end, never begin or lead elsewhere, in a folder.
struct Traps {
    folder: tempfile::TempDir,
    _socket: UnixListener,
}

impl Traps {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fifo(&at("fifo.yaml"));
        symlink("fifo.yaml", at("to-fifo.yaml")).unwrap();
        symlink("/dev/zero", at("to-zero.yaml")).unwrap();
        std::fs::create_dir(at("folder.yaml")).unwrap();
        let socket = UnixListener::bind(at("socket.yaml")).unwrap();
        Self { folder, _socket: socket }
    }

    fn at(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }
}

/// Each trap, and the expected message.
const TOLD: [(&str, &str); 5] = [
    ("fifo.yaml", "it is a FIFO, not a regular file: write what it gives to a file, and name that file"),
    ("to-fifo.yaml", "it is a FIFO, not a regular file"),
    ("to-zero.yaml", "it is a device, not a regular file"),
    ("folder.yaml", "it is a folder, not a regular file: name a file in it"),
    ("socket.yaml", "it is a socket, not a regular file"),
];

#[test]
fn a_file_that_a_user_names_is_a_regular_file() {
    let traps = Traps::new();
    let spec = SMALL[0];
    for (name, words) in TOLD {
        let trap = &traps.at(name);
        let commands: [&[&str]; 8] = [
            &[trap, "--gpu", "fermi"],
            &[spec, "--gpu", trap],
            &[spec, "--gpu", "fermi", "--space", trap],
            &["evaluate", trap, "--gpu", "fermi"],
            &["model", spec, "--gpu", trap],
            &["validate", spec, "--gpu", "fermi", "--measured", trap],
            &["batch", trap, "--out", "target/none"],
            &["batch", trap, "--dry-run"],
        ];
        for arguments in commands {
            assert_refused(autotune().args(arguments), 2, &["error: ", &format!("cannot read `{trap}`: {words}")]);
        }
        if name != "folder.yaml" {
            let export = ["export", trap, "--format", "flags"];
            assert_refused(autotune().args(export), 2, &[&format!("cannot read `{trap}`: {words}")]);
        }
        let words = ["cannot use your defaults", words, "`AUTOTUNE_CONFIG=`"];
        assert_refused(autotune().args(SMALL).env("AUTOTUNE_CONFIG", trap), 2, &words);
    }
}

#[test]
fn a_file_that_is_too_large_is_refused_and_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.yaml");
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let large = path.to_str().unwrap();
    let batch: [&str; 4] = ["batch", large, "--out", "target/none"];
    assert_refused(autotune().args(batch), 2, &["large.yaml`: it has more than 64.0 MiB"]);
    let export = ["export", large, "--format", "flags"];
    assert_refused(autotune().args(export), 2, &["large.yaml`: it has more than 1.0 GiB"]);
    assert_refused(autotune().args([large, "--gpu", "fermi"]), 2, &["large.yaml", "1048576"]);
    assert_refused(autotune().args([SMALL[0], "--gpu", large]), 2, &["large.yaml` has more than 1 MiB"]);
    assert_refused(autotune().args(SMALL).env("AUTOTUNE_CONFIG", large), 2, &["it has more than 1.0 MiB"]);
}

#[test]
fn links_to_regular_files_and_results_on_standard_input_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("spec.yaml");
    symlink(std::fs::canonicalize(SMALL[0]).unwrap(), &link).unwrap();
    let ended = run(autotune().arg(&link).args(&SMALL[1..]).args(["--format", "json"]));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    let mut export = autotune();
    let exported = run(export.args(["export", "-", "--format", "flags"]).write_stdin(ended.stdout));
    assert_eq!((exported.status, exported.stdout.as_str()), (0, "-DWG=8 -DTS=8\n"), "{}", exported.stderr);
}

/// The entries that replace a file of the tool.
fn spoilers() -> [(Spoil, &'static str); 4] {
    [
        (fifo, "it is a FIFO"),
        (|path| symlink("/dev/zero", path).unwrap(), "it is a link"),
        (|path| symlink("commands.sh", path).unwrap(), "it is a link"),
        (|path| drop(UnixListener::bind(path).unwrap()), "it is a socket"),
    ]
}

#[test]
fn a_kept_proof_has_regular_files_only() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(autotune().args(SMALL).arg("--keep").arg(folder.path())).status, 0);
    let verify = |words: &[&str]| assert_refused(autotune().arg("verify").arg(folder.path()), 1, words);
    let model = "proof/model-1";
    for name in ["result.json", "SHA256SUMS", "check.sh", "more.txt", "proof/model-1/model.pml", "proof/model-1/pan"] {
        let (path, aside) = (folder.path().join(name), folder.path().with_extension("aside"));
        let is_there = path.exists();
        if is_there {
            std::fs::rename(&path, &aside).unwrap();
        }
        for (spoil, words) in spoilers() {
            spoil(&path);
            verify(&[&format!("\n  {name}: "), words]);
            std::fs::remove_file(&path).unwrap();
        }
        if is_there {
            std::fs::rename(&aside, &path).unwrap();
        }
    }
    // A folder that is a link leads out of the proof.
    std::fs::rename(folder.path().join(model), folder.path().with_extension("aside")).unwrap();
    symlink(folder.path().with_extension("aside"), folder.path().join(model)).unwrap();
    verify(&["proof/model-1: it is a link"]);
    std::fs::remove_file(folder.path().join(model)).unwrap();
    std::fs::rename(folder.path().with_extension("aside"), folder.path().join(model)).unwrap();
    assert_eq!(run(autotune().arg("verify").arg(folder.path())).status, 0);
}

#[test]
fn a_batchs_folder_has_regular_files_only() {
    let place = tempfile::tempdir().unwrap();
    let list = place.path().join("jobs.yaml");
    let spec = std::fs::canonicalize(SMALL[0]).unwrap();
    let text = format!("jobs: [{{ specs: ['{}'], gpus: [abstract-tiny], set: {{ size: 16 }} }}]", spec.display());
    std::fs::write(&list, text).unwrap();
    let out = place.path().join("out");
    let mut batch = autotune();
    batch.arg("batch").arg(&list).arg("--out").arg(&out);
    assert_eq!(run(&mut batch).status, 0);
    let mut resume = autotune();
    resume.arg("batch").arg(&list).arg("--out").arg(&out).arg("--resume");
    let export = ["export", out.to_str().unwrap(), "--format", "flags"];
    for name in ["journal.jsonl", "results.json"] {
        std::fs::rename(out.join(name), place.path().join("aside")).unwrap();
        for (spoil, words) in spoilers() {
            spoil(&out.join(name));
            assert_refused(&mut resume, 2, &[name]);
            if name == "results.json" {
                assert_refused(autotune().args(export), 2, &[name, words, "not a regular file: move it away"]);
            } else {
                assert_refused(&mut resume, 2, &[words]);
            }
            std::fs::remove_file(out.join(name)).unwrap();
        }
        std::fs::rename(place.path().join("aside"), out.join(name)).unwrap();
    }
    assert_eq!(run(&mut resume).status, 0);
}

/// A question about a source with this line before its kernel, in a folder with included files: a FIFO `near.h`, a folder
/// and a file `folder.h`, `own.h`, which includes the FIFO `deep.h`, and a link `zero.h` to an endless device.
fn question_with(folder: &Path, line: &str) -> Command {
    let at = |name: &str| folder.join(name);
    if !at("near.h").exists() {
        std::fs::create_dir_all(at("include/folder.h")).unwrap();
        std::fs::create_dir(at("more")).unwrap();
        std::fs::write(at("include/own.h"), "#define ONE 1\n\n  # include <deep.h>\n").unwrap();
        std::fs::write(at("more/folder.h"), "").unwrap();
        fifo(&at("near.h"));
        fifo(&at("include/deep.h"));
        symlink("/dev/zero", at("more/zero.h")).unwrap();
    }
    let kernel = "__kernel void k(__global float* a) { a[get_global_id(0)] = WG; }";
    std::fs::write(at("k.cl"), format!("{line}\n{kernel}\n")).unwrap();
    let mut command = autotune();
    command.current_dir(folder).args(["k.cl", "--gpu", "volta", "--parameter", "WG=32,64", "--work-group", "WG"]);
    command.args(["--work-items", "4096", "--include", "include", "--include", "more"]);
    command
}

/// The compiler would wait for a FIFO until it is stopped, once for each configuration.
#[test]
fn what_a_source_includes_is_looked_at_before_the_compiler_starts() {
    let folder = tempfile::tempdir().unwrap();
    for (line, words) in [
        (
            "#include \"near.h\"",
            ["near.h` is a FIFO, not a regular file", "k.cl:1:10", "write what it gives to a file"],
        ),
        ("\n#include \"own.h\"", ["include/deep.h` is a FIFO, not a regular file", "include/own.h:3:13", "help: "]),
        ("#include <zero.h>", ["more/zero.h` is a device, not a regular file", "k.cl:1:10", "help: "]),
    ] {
        assert_refused(&mut question_with(folder.path(), line), 2, &words);
    }
    // The compiler passes over a folder of the name, and a FIFO that nothing names is no matter.
    let ended = run(&mut question_with(folder.path(), "#include <folder.h>"));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
}

#[test]
fn a_source_is_a_regular_file_and_an_include_is_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    for (name, words) in [("near.h", "it is not a folder"), ("k.cl", "it is not a folder"), ("none", "No such file")] {
        let words = [&format!("cannot use the folder `{name}` for included files"), words];
        assert_refused(question_with(folder.path(), "").args(["--include", name]), 2, &words);
    }
    let mut command = autotune();
    command.current_dir(folder.path()).args(["evaluate", "near.h", "--language", "opencl", "--gpu", "volta"]);
    command.args(["--work-items", "4096", "--work-group", "32"]);
    assert_refused(&mut command, 2, &["near.h`: it is a FIFO, not a regular file"]);
}
