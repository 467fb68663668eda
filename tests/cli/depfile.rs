//! `--depfile FILE`: all files on which an answer depends, as make reads them.

use std::fs;
use std::time::{Duration, SystemTime};

use super::failures::assert_fails;
use super::*;

/// A kernel whose work groups take local memory by a number in a header. The first warp of each has more to do: large groups
/// are faster.
const SOURCE: &str = "\
#include \"tile.h\"
__kernel void scale(__global const float* x, __global float* y)
{
    __local float tile[LINES * WG];
    const int i = get_local_id(0);
    tile[i] = x[get_global_id(0)];
    if (i < 32)
        for (int k = 0; k < 64; k++)
            tile[i] = tile[i] * FACTOR + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(0)] = tile[i ^ 1] * FACTOR;
}
";

const SPEC: &str = "\
kernel: scale
problem: { n: 4194304 }
parameters: { WG: { powers_of_two: { from: 32, to: 256 } } }
launch: { work_items: n, work_group: WG }
source: { file: scale.cl, include: [shared] }
";

/// The lines of local memory that leave room for groups of 32 work items alone.
pub(super) const MANY_LINES: &str = "#define LINES 256";
pub(super) const FEW_LINES: &str = "#define LINES 1";

/// Writes a kernel with its spec into a folder: `scale.yaml`, `scale.cl`, `tile.h` and `shared/factor.h`.
pub(super) fn write_kernel(folder: &Path) {
    fs::create_dir(folder.join("shared")).unwrap();
    let header = format!("#include <factor.h>\n{FEW_LINES}\n");
    for (name, text) in
        [("scale.yaml", SPEC), ("scale.cl", SOURCE), ("tile.h", &header), ("shared/factor.h", "#define FACTOR 2\n")]
    {
        fs::write(folder.join(name), text).unwrap();
    }
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        write_kernel(folder.path());
        Self(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).unwrap();
    }

    /// The header of a question, with its depfile.
    fn header(&self, question: &[&str]) -> Ended {
        let mut command = autotune();
        command.current_dir(self.0.path()).env("XDG_CACHE_HOME", self.at("cache")).args(question);
        run(command.args(["--format", "header", "--depfile", "scale.h.d", "--depfile-target", "scale.h"]))
    }

    /// The depfile of a question that is answered.
    fn depfile(&self, question: &[&str]) -> String {
        let ended = self.header(question);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        fs::read_to_string(self.at("scale.h.d")).unwrap()
    }
}

/// The depfile of `scale.h` with these files.
fn rule(files: &[&str]) -> String {
    format!("scale.h: \\\n  {}\n", files.join(" \\\n  "))
}

#[test]
fn all_files_of_an_answer_are_listed_also_when_the_cache_has_it() {
    let place = Place::new();
    let expected = rule(&["scale.yaml", "scale.cl", "shared/factor.h", "tile.h"]);
    let question = ["scale.yaml", "--gpu", "volta"];
    for how in ["--no-cache", "-q", "-q"] {
        assert_eq!(place.depfile(&[&question[..], &[how]].concat()), expected, "{how}");
    }
    assert!(
        run(autotune().args(question).current_dir(place.0.path()).env("XDG_CACHE_HOME", place.at("cache")))
            .stdout
            .contains("this was proved before")
    );
    // AMD's back end compiles too, with the headers of another program.
    assert_eq!(place.depfile(&["scale.yaml", "--gpu", "mi50"]), expected);
    // Paths are below the folder as the question names it.
    fs::create_dir(place.at("build")).unwrap();
    let mut elsewhere = autotune();
    elsewhere.current_dir(place.at("build")).args(["../scale.yaml", "--gpu", "volta"]);
    run(elsewhere.args(["--depfile", "my.d", "--depfile-target", "scale.h"]));
    let above = rule(&["../scale.yaml", "../scale.cl", "../shared/factor.h", "../tile.h"]);
    assert_eq!(fs::read_to_string(place.at("build/my.d")).unwrap(), above);
}

#[test]
fn profiles_spaces_and_defaults_are_files_of_an_answer() {
    let place = Place::new();
    place.write("mine.yaml", "name: mine\nbase: volta\nmultiprocessors: 40\n");
    place.write(
        "space.json",
        r#"{"ConfigurationSpace": {"TuningParameters": [{"Name": "WG", "Type": "int", "Values": "[32, 64]"}]}}"#,
    );
    place.write("defaults.yaml", "format: header\n");
    let mut command = autotune();
    command.current_dir(place.0.path()).env("AUTOTUNE_CONFIG", "defaults.yaml");
    command.args(["scale.yaml", "--gpu", "mine.yaml", "--space", "space.json", "--depfile", "a.d"]);
    let ended = run(command.args(["--depfile-target", "scale.h"]));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let files = ["scale.yaml", "space.json", "mine.yaml", "scale.cl", "shared/factor.h", "tile.h", "defaults.yaml"];
    assert_eq!(fs::read_to_string(place.at("a.d")).unwrap(), rule(&files));
    // Options in place of a spec.
    let options =
        "scale.cl --gpu volta --problem n=4194304 --parameter WG=32,64 --work-items n --work-group WG --include shared";
    let question: Vec<&str> = options.split(' ').collect();
    assert_eq!(place.depfile(&question), rule(&["scale.cl", "shared/factor.h", "tile.h"]));
    // A body needs no source, although the spec names it.
    place.write(
        "body.yaml",
        &SPEC.replace("include: [shared] }", "include: [shared] }\nbody: [ { load: { array: x } } ]"),
    );
    assert_eq!(place.depfile(&["body.yaml", "--gpu", "volta"]), rule(&["body.yaml"]));
}

#[test]
fn a_run_that_fails_leaves_no_depfile() {
    let place = Place::new();
    let question = ["scale.yaml", "--gpu", "volta"];
    place.depfile(&question);
    place.write("tile.h", "#define LINES\n");
    let failed = place.header(&question);
    assert!(failed.status != 0 && !place.at("scale.h.d").exists(), "{}", failed.stderr);
    place.write("tile.h", "#define FACTOR 2\n#define LINES 65536\n");
    fs::write(place.at("scale.h.d"), rule(&["scale.yaml"])).unwrap();
    let infeasible = place.header(&question);
    assert!(infeasible.status == 4 && !place.at("scale.h.d").exists(), "{}", infeasible.stderr);
}

#[test]
fn only_a_depfile_is_replaced() {
    let place = Place::new();
    let question = ["scale.yaml", "--gpu", "volta", "--depfile-target", "scale.h", "--depfile"];
    let refused = |file: &str, words: &str| {
        assert_fails(autotune().current_dir(place.0.path()).args(question).arg(file), 2, &[words, "help: name "]);
    };
    refused("tile.h", "`tile.h` exists, and is not a depfile of autotune");
    assert!(fs::read_to_string(place.at("tile.h")).unwrap().contains(FEW_LINES));
    refused("nowhere/a.d", "cannot write the depfile `nowhere/a.d`");
    let alone = run(autotune().args(["scale.yaml", "--gpu", "volta", "--depfile", "a.d"]));
    assert!(alone.status == 2 && alone.stderr.contains("--depfile-target <NAME>"), "{}", alone.stderr);
}

/// Each file that is touched lets make remake the target, and without a touch nothing is to be done.
#[test]
fn make_reads_names_with_any_signs() {
    let place = Place::new();
    let odd = "my $kernel #1: a";
    fs::rename(place.at("tile.h"), place.at(&format!("{odd}.h"))).unwrap();
    place.write(&format!("{odd}.cl"), &SOURCE.replace("tile.h", &format!("{odd}.h")));
    let spec = format!("{odd}\\ c.yaml");
    place.write(&spec, &SPEC.replace("scale.cl", &format!("'{odd}.cl'")));
    let target = format!("{odd}.out");
    let mut command = autotune();
    command.current_dir(place.0.path()).args([&spec, "--gpu", "volta", "--depfile", "a.d"]);
    let ended = run(command.args(["--depfile-target", &target]));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    place.write("Makefile", "include a.d\n%: ; @touch '$@'; echo made\n");
    let make = || {
        let ended = run(Command::new("make").arg("-r").current_dir(place.0.path()));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        ended.stdout == "made\n"
    };
    assert!(make(), "the target is missing");
    assert!(place.at(&target).exists());
    let names = [&spec, &format!("{odd}.cl"), &format!("{odd}.h"), "shared/factor.h"];
    let mut time = SystemTime::now();
    for name in names {
        fs::File::open(place.at(&target)).unwrap().set_modified(time).unwrap();
        assert!(!make(), "nothing is newer than the target");
        time += Duration::from_secs(2);
        fs::File::open(place.at(name)).unwrap().set_modified(time - Duration::from_secs(1)).unwrap();
        assert!(make(), "{name} is newer than the target");
    }
}
