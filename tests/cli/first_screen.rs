//! The first screen: what a user sees before anything is known of the program.

use super::failures::assert_fails;
use super::*;

#[test]
fn the_program_alone_says_what_it_is_and_its_commands_run_anywhere() {
    let ended = run(&mut autotune());
    // A script whose arguments are lost must not seem to succeed.
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
    assert!(ended.stderr.starts_with("autotune finds the launch parameters "), "{}", ended.stderr);
    assert!(ended.stderr.contains("The book is "), "{}", ended.stderr);
    let commands = ended.stderr.lines().filter_map(|line| line.strip_prefix("  autotune "));
    let commands: Vec<&str> = commands.filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(commands.len(), 3);
    let folder = tempfile::tempdir().unwrap();
    for command in commands {
        let ended = run(autotune().args(command.split(' ')).current_dir(folder.path()));
        assert_eq!(ended.status, 0, "{command}: {}", ended.stderr);
    }
}

#[test]
fn help_groups_the_commands_and_h_is_one_screen() {
    let (short, long) = (run(autotune().arg("-h")).stdout, run(autotune().arg("--help")).stdout);
    assert!(short.lines().count() <= 60, "{}", short.lines().count());
    let groups = ["Prove and evaluate", "Understand", "Change and review", "Measure", "Many questions"];
    let last = ["With other programs", "The literature's formulas, for comparison"];
    for help in [&short, &long] {
        let places: Vec<usize> =
            groups.iter().chain(&last).map(|group| help.find(&format!("\n{group}:\n")).unwrap()).collect();
        assert!(places.is_sorted(), "{help}");
        assert!(!help.contains("Commands:"), "{help}");
    }
    // Options that are seldom needed are in the long help alone.
    assert!(short.contains("--gpu") && !short.contains("--branch") && !short.contains("--depfile"), "{short}");
    assert!(long.contains("--depfile") && long.contains("\nThe proof:\n") && long.contains("Exit status: 0 proved"));
}

#[test]
fn a_space_with_one_configuration_is_explained_without_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let spec = |values: &str, constraint: &str| {
        let text = format!(
            "kernel: k\nproblem: {{ n: 4096 }}\nparameters: {{ WG: {{ values: {values} }} }}\nconstraints: [ {constraint} ]\n\
             launch: {{ work_items: n, work_group: WG }}\nbody: [ {{ load: {{ array: a }} }} ]\n"
        );
        std::fs::write(folder.path().join("k.yaml"), text).unwrap();
        run(autotune().args(["explain", "k.yaml", "--gpu", "volta"]).current_dir(folder.path()))
    };
    for (values, constraint, status) in
        [("[64]", "WG > 0", 0), ("[32, 64]", "WG > 32", 0), ("[64]", "WG > 64", 4), ("[32, 64]", "WG > 0", 2)]
    {
        let ended = spec(values, constraint);
        assert_eq!(ended.status, status, "{values} {constraint}: {}{}", ended.stdout, ended.stderr);
        assert!(status == 2 || ended.stdout.contains("WG=64"), "{}", ended.stdout);
    }
}

#[test]
fn a_command_without_a_gpu_names_them_all_and_proposes_that_of_the_machine() {
    let spec = "tuning-specs/vector_add.yaml";
    let names = [
        "`--gpu <GPU",
        "NVIDIA: gtx480, ",
        "rtx4090",
        "AMD: mi50, ",
        "help: `autotune gpus` shows",
        "Usage: autotune ",
    ];
    for command in [&["evaluate"][..], &["explain"], &["diff", spec], &["suggest"], &[]] {
        let mut asked = autotune();
        assert_fails(asked.args(command).arg(spec).env("PATH", "/nowhere"), 2, &names);
    }
    let missing = ["`<SPEC>` and `--gpu <GPU>` are missing"];
    assert_fails(autotune().arg("evaluate").env("PATH", "/nowhere"), 2, &missing);
    for (tool, prints, proposed) in [
        ("nvidia-smi", "NVIDIA A100-SXM4-80GB", "`--gpu a100-80gb` is this machine's NVIDIA A100-SXM4-80GB; "),
        (
            "rocminfo",
            "  Marketing Name:   AMD Instinct MI300X",
            "`--gpu mi300x` is this machine's AMD Instinct MI300X; ",
        ),
        ("nvidia-smi", "NVIDIA H100 NVL", "help: `autotune gpus`"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        script(folder.path(), tool, &format!("#!/bin/sh\necho '{prints}'\n"));
        assert_fails(autotune().args(["evaluate", spec]).env("PATH", folder.path()), 2, &[proposed]);
    }
}

#[test]
fn a_kernel_in_another_language_is_not_called_a_spec() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, language) in [("wgsl", "WGSL"), ("metal", "Metal"), ("ptx", "PTX"), ("slang", "Slang")] {
        let file = folder.path().join(format!("kernel.{ending}"));
        std::fs::write(&file, "kernel\n").unwrap();
        let said =
            format!("it is in {language}, which is not a language that is read\nhelp: OpenCL C (.cl), CUDA and HIP");
        for command in [&["evaluate"][..], &["check"], &[], &["evaluate", "--kernel", "k"], &["diff", "--git", "HEAD"]]
        {
            let ended = run(autotune().args(command).arg(&file).args(["--gpu", "volta"]));
            assert!(ended.status == 2 && ended.stderr.contains(&said), "{command:?}: {}", ended.stderr);
            assert!(!ended.stderr.contains("spec"), "{}", ended.stderr);
        }
    }
    let spec = folder.path().join("k.yaml");
    let text = "kernel: k\nlaunch: { work_items: 64, work_group: 64 }\nsource: { file: kernel.wgsl }\n";
    std::fs::write(&spec, text).unwrap();
    assert_fails(autotune().arg("evaluate").arg(&spec).args(["--gpu", "volta"]), 2, &["in WGSL", "OpenCL C (.cl)"]);
}

/// Whoever reports a time says of which build it is.
#[test]
fn the_profile_of_the_build_is_told() {
    let profile = |ended: &Ended| ended.stdout.lines().last().unwrap().to_owned();
    let version = run(autotune().args(["--version", "--verbose"]));
    assert_eq!((version.status, profile(&version).starts_with("profile: ")), (0, true), "{}", version.stdout);
    assert_eq!(run(autotune().arg("--version")).stdout.lines().count(), 1);
    let of_doctor = json(&run(autotune().args(["doctor", "--format", "json"])), "doctor.json")["profile"].clone();
    assert_eq!(format!("profile: {}", of_doctor.as_str().unwrap()), profile(&version));
    let said = run(autotune().arg("doctor")).stdout;
    let is_release = of_doctor == "release";
    assert_eq!(said.contains(": install a release for long searches\n"), !is_release, "{said}");
}
