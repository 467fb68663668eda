//! The ready-made ways into a build, each from an empty folder: `CMake`, a build script of Cargo, Make, Ninja, an action of
//! GitHub.

mod ready;

use std::fs;

use super::depfile::{FEW_LINES, MANY_LINES, write_kernel};
use super::*;

/// The `CMake` that `ci/setup tests` installs.
const CMAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/python/bin/cmake");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A command in a folder, with `autotune` on the path.
fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("PATH", path_with_autotune());
    command.envs(isolated());
    command
}

/// A folder with the tutorial's spec.
fn with_spec() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let spec = crate::readme::page("tutorial.md");
    fs::write(folder.path().join("scale.yaml"), crate::readme::block(&spec, "yaml")).unwrap();
    folder
}

/// Replaces a text in a file, where it stands once.
fn change(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from} in {text}");
    // Some file systems count whole seconds, and builds compare times.
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
    fs::write(file, text.replace(from, to)).unwrap();
    fs::File::open(file).unwrap().set_modified(later).unwrap();
}

fn section(heading: &str) -> String {
    let page = crate::readme::page("guide/integrations.md");
    page[page.find(&format!("\n## {heading}")).expect("the book has this section")..].to_owned()
}

#[test]
fn cmake_builds_with_a_proved_header_and_again_when_the_spec_changes() {
    assert!(Path::new(CMAKE).exists(), "{CMAKE} is missing: `ci/setup tests` installs it");
    let section = section("CMake");
    let folder = with_spec();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("cmake")).unwrap();
    fs::copy(Path::new(ROOT).join("integrations/cmake/Autotune.cmake"), at("cmake/Autotune.cmake")).unwrap();
    fs::write(at("CMakeLists.txt"), crate::readme::block(&section, "cmake")).unwrap();
    fs::write(at("scale.c"), crate::readme::block(&section, "c")).unwrap();
    let commands = crate::readme::block(&section, "sh").replace("cmake ", &format!("{CMAKE} "));
    let ended = run(command("sh", folder.path()).args(["-e", "-c", &commands]));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.ends_with(crate::readme::block(&section, "text")), "{}", ended.stdout);
    let header = fs::read_to_string(at("build/autotune/scale/scale.h")).unwrap();
    assert!(header.contains("#ifdef TARGET_VOLTA") && header.contains("#ifdef TARGET_MI50"), "{header}");

    let build = || run(command(CMAKE, folder.path()).args(["--build", "build"]));
    let again = build();
    assert!(again.status == 0 && !again.stdout.contains("Proving"), "{}", again.stdout);
    change(&at("scale.yaml"), "to: 512", "to: 64");
    let changed = build();
    assert!(changed.status == 0 && changed.stdout.contains("Proving scale.yaml on volta"), "{}", changed.stdout);
    let program = run(command(at("build/scale").to_str().unwrap(), folder.path()).args::<[&str; 0], _>([]));
    assert_eq!(program.stdout, "work groups of 64 work items, 8 elements each\n");
    change(&at("scale.yaml"), "- n %", "- m %");
    for _ in 0..2 {
        let mistaken = build();
        assert_ne!(mistaken.status, 0);
        assert!(mistaken.stderr.contains("unknown name `m`"), "{}", mistaken.stderr);
    }
}

/// A program that prints the work group of its header, in a folder with a kernel, its source and the files that it includes.
fn with_source() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_kernel(folder.path());
    let program = "#include <stdio.h>\n#include \"scale.h\"\nint main(void) { printf(\"groups of %d\\n\", WG); }\n";
    fs::write(folder.path().join("scale.c"), program).unwrap();
    folder
}

/// A build that succeeds, and what it prints.
fn built(command: &mut Command) -> String {
    let ended = run(command);
    assert_eq!(ended.status, 0, "{}{}", ended.stdout, ended.stderr);
    ended.stdout
}

/// Changes a file that the kernel's source includes, and the source, and builds after each change. `build` returns true if
/// it has asked for a proof, and the header.
fn assert_built_when_the_source_changes(folder: &Path, build: impl Fn() -> (bool, String)) {
    let has = |header: &str, group: u32| header.contains(&format!("#define WG {group}\n"));
    let (_, first) = build();
    assert!(!has(&first, 32), "{first}");
    assert_eq!(build(), (false, first.clone()), "nothing has changed");
    change(&folder.join("tile.h"), FEW_LINES, MANY_LINES);
    let (asked, header) = build();
    assert!(asked && has(&header, 32), "tile.h has changed: {header}");
    change(&folder.join("scale.cl"), "LINES * WG", "2 * WG");
    let (asked, header) = build();
    assert!(asked && !has(&header, 32), "scale.cl has changed: {header}");
}

#[test]
fn cmake_builds_again_when_the_source_or_a_file_that_it_includes_changes() {
    for generator in ["Unix Makefiles", "Ninja"] {
        let folder = with_source();
        let at = |name: &str| folder.path().join(name);
        let lists = format!(
            "cmake_minimum_required(VERSION 3.16)\nproject(scale C)\ninclude({ROOT}/integrations/cmake/Autotune.cmake)\n\
             add_executable(scale scale.c)\nautotune_header(scale scale.yaml volta)\n\
             target_compile_definitions(scale PRIVATE TARGET_VOLTA)\n"
        );
        fs::write(at("CMakeLists.txt"), lists).unwrap();
        built(command(CMAKE, folder.path()).args(["-S", ".", "-B", "my build", "-G", generator]));
        let build = || run(command(CMAKE, folder.path()).args(["--build", "my build"]));
        assert_built_when_the_source_changes(folder.path(), || {
            let ended = build();
            assert_eq!(ended.status, 0, "{generator}: {}{}", ended.stdout, ended.stderr);
            let header = fs::read_to_string(at("my build/autotune/scale/scale.h")).unwrap();
            (ended.stdout.contains("Proving scale.yaml on volta"), header)
        });
        // A mistake in a header fails each build until it is mended.
        change(&at("tile.h"), MANY_LINES, "#error no lines");
        for _ in 0..2 {
            let mistaken = build();
            let told = mistaken.stdout + &mistaken.stderr;
            assert!(mistaken.status != 0 && told.contains("tile.h:2"), "{generator}: {told}");
        }
        change(&at("tile.h"), "#error no lines", FEW_LINES);
        let mended = build();
        assert_eq!(mended.status, 0, "{generator}: {}{}", mended.stdout, mended.stderr);
        assert!(built(&mut command(at("my build/scale").to_str().unwrap(), folder.path())).starts_with("groups of "));
    }
}

#[test]
fn make_and_ninja_build_again_when_the_source_or_a_file_that_it_includes_changes() {
    let section = section("Make and Ninja");
    for (program, file, nothing) in [("make", "Makefile", "is up to date"), ("ninja", "build.ninja", "no work to do")] {
        let folder = with_source();
        fs::write(folder.path().join(file), crate::readme::block(&section, program)).unwrap();
        assert_built_when_the_source_changes(folder.path(), || {
            let told = built(&mut command(program, folder.path()));
            (!told.contains(nothing), fs::read_to_string(folder.path().join("scale.h")).unwrap())
        });
        change(&folder.path().join("tile.h"), MANY_LINES, "#error no lines");
        for _ in 0..2 {
            assert_ne!(
                run(&mut command(program, folder.path())).status,
                0,
                "{program} takes a header that is not proved"
            );
        }
    }
}

#[test]
fn cmake_says_what_is_wrong_with_a_call() {
    let folder = with_spec();
    fs::write(folder.path().join("scale.c"), "int main(void) { return 0; }\n").unwrap();
    for (call, expected) in [
        ("autotune_header(scale scale.yaml)", "name a GPU after the spec"),
        ("autotune_header(scale missing.yaml volta)", "missing.yaml does not exist"),
        ("autotune_header(other scale.yaml volta)", "other is not a target"),
        ("set(AUTOTUNE_PROGRAM \"\")\nautotune_header(scale scale.yaml volta)", "autotune is not on the path"),
    ] {
        let lists = format!(
            "cmake_minimum_required(VERSION 3.16)\nproject(scale C)\ninclude({ROOT}/integrations/cmake/Autotune.cmake)\n\
             add_executable(scale scale.c)\n{call}\n"
        );
        fs::write(folder.path().join("CMakeLists.txt"), lists).unwrap();
        let ended = run(command(CMAKE, folder.path()).args(["-S", ".", "-B", "build"]));
        let words = ended.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ended.status != 0 && words.contains(expected), "{expected} is not in {words}");
    }
}

#[test]
fn cargo_builds_with_proved_constants_and_again_when_the_spec_changes() {
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(ROOT).join("examples/build-script");
    copy_package(folder.path(), &["Cargo.toml", "Cargo.lock", "build.rs", "src/main.rs", "scale.yaml"]);
    let tutorial = crate::readme::page("tutorial.md");
    let spec = fs::read_to_string(example.join("scale.yaml")).unwrap();
    assert_eq!(spec, crate::readme::block(&tutorial, "yaml"), "the example's spec is the tutorial's");
    let main = fs::read_to_string(example.join("src/main.rs")).unwrap();
    for line in crate::readme::block(&section("Cargo"), "rust").lines() {
        assert!(main.contains(line), "{line} is not in {main}");
    }
    let cargo = |gpu: &str| {
        let mut cargo = command(env!("CARGO"), folder.path());
        cargo.args(["run", "--quiet", "--offline", "--locked"]).env("GPU", gpu).env_remove("AUTOTUNE");
        run(cargo.env("CARGO_TARGET_DIR", folder.path().join("target")))
    };
    let first = cargo("volta");
    assert_eq!(
        (first.status, first.stdout.as_str()),
        (0, "work groups of 128 work items, 8 elements each\n"),
        "{}",
        first.stderr
    );
    change(&folder.path().join("scale.yaml"), "to: 512", "to: 64");
    assert_eq!(cargo("volta").stdout, "work groups of 64 work items, 8 elements each\n");
    let unknown = cargo("no-such-gpu");
    assert!(unknown.status != 0 && unknown.stderr.contains("no GPU is called `no-such-gpu`"), "{}", unknown.stderr);
}

/// Copies the example's package into a folder that has its own kernel.
fn copy_package(folder: &Path, names: &[&str]) {
    let example = Path::new(ROOT).join("examples/build-script");
    fs::create_dir(folder.join("src")).unwrap();
    for name in names {
        fs::copy(example.join(name), folder.join(name)).unwrap();
    }
}

#[test]
fn cargo_builds_again_when_the_source_or_a_file_that_it_includes_changes() {
    let folder = with_source();
    copy_package(folder.path(), &["Cargo.toml", "Cargo.lock", "build.rs"]);
    let main = "include!(concat!(env!(\"OUT_DIR\"), \"/launch.rs\"));\nfn main() { println!(\"#define WG {WG}\"); }\n";
    fs::write(folder.path().join("src/main.rs"), main).unwrap();
    let asked = folder.path().join("asked");
    let noting = script(folder.path(), "noting", "#!/bin/sh\ntouch asked\nexec autotune \"$@\"\n");
    assert_built_when_the_source_changes(folder.path(), || {
        let _ = fs::remove_file(&asked);
        let mut cargo = command(env!("CARGO"), folder.path());
        cargo.args(["run", "--quiet", "--offline", "--locked"]).env("AUTOTUNE", &noting);
        cargo.env_remove("GPU").env("CARGO_TARGET_DIR", folder.path().join("target"));
        let printed = built(&mut cargo);
        (asked.exists(), printed)
    });
}

/// The action as GitHub reads it.
fn action() -> Value {
    let text = fs::read_to_string(Path::new(ROOT).join("integrations/github/action.yml")).unwrap();
    serde_saphyr::from_str(&text).unwrap()
}

/// Runs a step of the action with these inputs, in the place of GitHub.
fn step(name: &str, folder: &Path, inputs: &[(&str, &str)]) -> Ended {
    let action = action();
    let steps = action["runs"]["steps"].as_array().unwrap();
    let step = steps.iter().find(|step| step["name"] == name).expect("the action has this step");
    let mut shell = command("bash", folder);
    shell.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"].as_str().unwrap()]);
    for (variable, value) in step["env"].as_object().into_iter().flatten() {
        let input = value.as_str().unwrap().strip_prefix("${{ inputs.").unwrap().strip_suffix(" }}").unwrap();
        let given = inputs.iter().find(|(name, _)| *name == input).map(|(_, value)| *value);
        let default = action["inputs"][input]["default"].as_str().expect("the action has this input, with a default");
        shell.env(variable, given.unwrap_or(default));
    }
    shell.env("GITHUB_ACTION_PATH", Path::new(ROOT).join("integrations/github"));
    shell.env("GITHUB_STEP_SUMMARY", folder.join("summary.md")).env("GITHUB_ACTIONS", "true");
    run(shell.env("GITHUB_PATH", folder.join("path")).env("RUNNER_TEMP", folder))
}

#[test]
fn pins_near_the_optimum_pass_until_the_spec_changes() {
    let folder = with_spec();
    fs::write(folder.path().join("autotune.pins"), crate::readme::block(&section("GitHub"), "text")).unwrap();
    let check = || step("Pinned launch parameters", folder.path(), &[]);
    let ended = check();
    assert_eq!(ended.status, 0, "{}{}", ended.stdout, ended.stderr);
    let summary = fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(summary.contains("| scale.yaml | volta | WG=128,ITEMS=8 | 12.9 microseconds |"), "{summary}");
    assert!(summary.contains("| 0.00 % | ok |") && !summary.contains("too slow"), "{summary}");

    // More registers for each element: fewer groups are resident, and the pin of the Fermi is slow.
    change(&folder.path().join("scale.yaml"), "10 + ITEMS", "16 * ITEMS");
    fs::remove_file(folder.path().join("summary.md")).unwrap();
    let ended = check();
    assert_eq!(ended.status, 1, "{}{}", ended.stdout, ended.stderr);
    let annotation = "::error file=autotune.pins,line=3::WG=256,ITEMS=8 is ";
    assert!(ended.stdout.contains(annotation) && ended.stdout.contains(" %25 above the optimum "), "{}", ended.stdout);
    let summary = fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(summary.contains("| too slow |"), "{summary}");
    let lenient = step("Pinned launch parameters", folder.path(), &[("within", "1000")]);
    assert_eq!(lenient.status, 0, "{}{}", lenient.stdout, lenient.stderr);
}

#[test]
fn pins_that_cannot_run_or_be_read_are_errors() {
    let folder = with_spec();
    let check = |pins: &str| {
        fs::write(folder.path().join("my.pins"), pins).unwrap();
        step("Pinned launch parameters", folder.path(), &[("pins", "my.pins")])
    };
    let ended = check(
        "scale.yaml volta WG=37,ITEMS=1\nscale.yaml volta WG=512,ITEMS=8 n=2048\nscale.yaml gpu9 WG=32,ITEMS=1\n",
    );
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    for expected in [
        "line=1::WG=37,ITEMS=1 cannot run: 37 is not in the domain of `WG`%0Ahelp: the nearest values are 32 and 64",
        "line=2::WG=512,ITEMS=8 cannot run: n %25 (WG * ITEMS) == 0",
        "line=3::cannot use GPU `gpu9`",
    ] {
        assert!(ended.stdout.contains(expected), "{expected} is not in {}", ended.stdout);
    }
    for (pins, expected) in [
        ("", "my.pins has no pins"),
        ("# nothing\nscale.yaml volta\n", "my.pins:2: not a spec, a GPU, parameters"),
        ("--help volta WG=1\n", "my.pins:1: not a spec"),
    ] {
        let ended = check(pins);
        assert!(ended.status == 2 && ended.stderr.contains(expected), "{} {}", ended.status, ended.stderr);
    }
}

#[test]
fn specs_fit_the_required_targets_or_the_action_fails() {
    let folder = with_spec();
    let check = |targets| {
        step("What fits the required targets", folder.path(), &[("require", targets), ("specs", "scale.yaml")])
    };
    let ended = check("sm_75, gfx90a");
    assert_eq!(ended.status, 0, "{}{}", ended.stdout, ended.stderr);
    let summary = fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(summary.contains("### scale.yaml on sm_75, gfx90a") && summary.contains("can run on all of"), "{summary}");
    change(&folder.path().join("scale.yaml"), "10 + ITEMS", "10 + ITEMS, local_memory: 100000");
    let ended = check("sm_70,sm_75");
    let annotation = "::error file=scale.yaml::required, and without a configuration: v100, rtx2080ti";
    assert!(ended.status == 1 && ended.stdout.contains(annotation), "{}{}", ended.stdout, ended.stderr);
    let ended = check("sm_7");
    assert!(ended.status == 2 && ended.stdout.contains("::error file=scale.yaml::error: "), "{}", ended.stdout);
}

#[test]
fn a_change_that_makes_a_kernel_worse_fails_with_its_line() {
    let folder = crate::diff::repository();
    let at = |name: &str| folder.path().join(name);
    let step = |inputs: &[(&str, &str)]| {
        let _ = fs::remove_file(at("summary.md"));
        step("What a change does to kernels", folder.path(), inputs)
    };
    let spec = fs::read_to_string(at("kernels/transpose.yaml")).unwrap();
    let smaller = spec.replace("from: 4, to: 128", "from: 32, to: 32").replace("from: 1, to: 32", "from: 8, to: 8");
    fs::write(at("kernels/transpose.yaml"), smaller.replace("values: [0, 1]", "values: [1]")).unwrap();
    fs::write(
        at("kernels/body.yaml"),
        fs::read_to_string(Path::new(ROOT).join("tuning-specs/transpose.yaml")).unwrap(),
    )
    .unwrap();
    crate::diff::git(folder.path(), &["add", "."]);
    crate::diff::git(folder.path(), &["commit", "--quiet", "-m", "a smaller space"]);
    let same = step(&[("diff", "HEAD")]);
    assert_eq!((same.status, same.stdout.as_str()), (0, "no spec has changed since HEAD\n"), "{}", same.stderr);
    // The base has the other values of the parameters, and the padding.
    let ended = step(&[("diff", "HEAD~2"), ("gpus", "a100,mi50"), ("sarif", "found.sarif")]);
    assert_eq!(ended.status, 1, "{}{}", ended.stdout, ended.stderr);
    let annotation = "::error file=kernels/transpose.cl,line=16::";
    assert!(ended.stdout.contains(annotation) && ended.stdout.contains("(a100)"), "{}", ended.stdout);
    let summary = fs::read_to_string(at("summary.md")).unwrap();
    assert!(summary.contains("| **fails**, worse | `kernels/transpose.cl:16` |"), "{summary}");
    let log: Value = serde_json::from_str(&fs::read_to_string(at("found.sarif")).unwrap()).unwrap();
    assert!(log["runs"][0]["results"].as_array().unwrap().iter().any(|one| one["level"] == "error"), "{log}");
    let unknown = step(&[("diff", "nowhere")]);
    assert!(unknown.status == 2 && unknown.stdout.contains("::error::git diff"), "{}", unknown.stdout);
    let named = step(&[("diff", "HEAD~2"), ("specs", "kernels/body.yaml")]);
    assert!(named.status == 0 && named.stdout.contains("HEAD~2 does not have this spec"), "{}", named.stdout);
}

/// A kernel with its spec in a comment needs no file beside it.
#[test]
fn a_kernel_with_a_comment_is_pinned_checked_and_compared() {
    let folder = crate::diff::repository();
    fs::remove_dir_all(folder.path().join("kernels")).unwrap();
    let write = |kernel: &str| {
        let spec = "kernel: k\nproblem: { n: 65536 }\nparameters: { WG: { values: [64, 128] } }\n\
                    launch: { work_items: n, work_group: WG }\n";
        fs::write(folder.path().join("k.cl"), format!("{kernel}\n/* autotune:\n{spec}*/\n")).unwrap();
    };
    let kernel = "__kernel void k(__global float *a) { a[get_global_id(0)] += 1.0f; }";
    write(kernel);
    crate::diff::git(folder.path(), &["add", "."]);
    crate::diff::git(folder.path(), &["commit", "--quiet", "-m", "a kernel alone"]);
    let step = |name: &str, inputs: &[(&str, &str)]| step(name, folder.path(), inputs);
    let fits = step("What fits the required targets", &[("require", "sm_80"), ("specs", "k.cl")]);
    assert_eq!(fits.status, 0, "{}{}", fits.stdout, fits.stderr);
    fs::write(folder.path().join("autotune.pins"), "k.cl a100 WG=128\n").unwrap();
    let pinned = step("Pinned launch parameters", &[("within", "50")]);
    assert_eq!(pinned.status, 0, "{}{}", pinned.stdout, pinned.stderr);
    let same = step("What a change does to kernels", &[("diff", "HEAD")]);
    assert_eq!((same.status, same.stdout.as_str()), (0, "no spec has changed since HEAD\n"), "{}", same.stderr);
    write(&kernel.replace("a[get_global_id(0)]", "a[33 * get_global_id(0)]"));
    let worse = step("What a change does to kernels", &[("diff", "HEAD")]);
    assert_eq!(worse.status, 1, "{}{}", worse.stdout, worse.stderr);
    assert!(worse.stdout.contains("::error file=k.cl,line=1::"), "{}", worse.stdout);
}

/// The action's faults that GitHub would refuse, or find out only when it runs.
#[test]
fn the_actions_steps_use_its_inputs_and_files() {
    let action = action();
    assert_eq!(action["runs"]["using"], "composite");
    let text = fs::read_to_string(Path::new(ROOT).join("integrations/github/action.yml")).unwrap();
    let input = regex::Regex::new(r"inputs\.(\w+)").unwrap();
    for name in input.captures_iter(&text).map(|found| found[1].to_owned()) {
        assert!(action["inputs"][&name]["description"].is_string(), "the action has no input `{name}`");
    }
    let page = section("GitHub");
    for name in action["inputs"].as_object().unwrap().keys() {
        assert!(page.contains(&format!("`{name}`")), "the book lacks the input `{name}`");
    }
    for step in action["runs"]["steps"].as_array().unwrap() {
        assert!(step["shell"] == "bash" && !step["run"].as_str().unwrap().contains("${{"), "{step}");
    }
    let folder = tempfile::tempdir().unwrap();
    let unsummed = step("autotune from a release", folder.path(), &[("binary", "file:///nope")]);
    assert!(unsummed.status == 1 && unsummed.stdout.contains("sha256 is missing"), "{}", unsummed.stdout);
    let missing = step("autotune from a wheel", folder.path(), &[("wheel", "nope.whl")]);
    assert!(missing.status == 1 && missing.stdout.contains("nope.whl, which is not a file"), "{}", missing.stdout);
}
