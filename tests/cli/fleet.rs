//! One configuration for several scenarios: the choice, its kept proof, and forged folders.

use super::verify::sha256;
use super::*;

/// Three scenarios of a small kernel on a lockstep GPU: two problem sizes and a third one.
const SIZES: [&str; 6] =
    ["tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny", "--set", "size=16,32,64", "--no-cost"];

fn fleet(options: &[&str]) -> Value {
    let ended = run(autotune().args(SIZES).args(["--format", "json"]).args(options));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    json(&ended, "fleet.json")
}

/// The native times of each configuration in each scenario, by the command that evaluates one.
pub(super) fn times(sizes: &[&str]) -> Vec<Vec<(String, u64)>> {
    let of_size = |size: &&str| {
        let asked = ["evaluate", "tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny", "--format", "json"];
        let evaluation = json(&run(autotune().args(asked).args(["--set", &format!("size={size}")])), "evaluation.json");
        let configurations = evaluation["configurations"].as_array().unwrap();
        let time = |one: &Value| Some((one["parameters"].to_string(), one["ticks"].as_u64()?));
        configurations.iter().filter_map(time).collect()
    };
    sizes.iter().map(of_size).collect()
}

/// Brute force by `evaluate`: no configuration has a lesser worst slowdown, and those of the same are the ties.
#[test]
fn the_choice_is_the_least_worst_slowdown_of_all() {
    let (report, times) = (fleet(&[]), times(&["16", "32", "64"]));
    let optima: Vec<u64> = times.iter().map(|own| own.iter().map(|(_, ticks)| *ticks).min().unwrap()).collect();
    let mut worst: Vec<(u64, u64, String)> = Vec::new();
    for (label, _) in &times[0] {
        let own: Option<Vec<u64>> =
            times.iter().map(|all| all.iter().find(|(one, _)| one == label).map(|(_, ticks)| *ticks)).collect();
        let Some(own) = own else { continue };
        let slowdowns = own.iter().zip(&optima);
        let (time, optimum) = slowdowns.max_by(|one, two| (one.0 * two.1).cmp(&(two.0 * one.1))).unwrap();
        worst.push((*time, *optimum, label.clone()));
    }
    let is_best = |one: &&(u64, u64, String)| worst.iter().all(|other| one.0 * other.1 <= other.0 * one.1);
    let mut expected: Vec<String> = worst.iter().filter(is_best).map(|(_, _, label)| label.clone()).collect();
    let others = report["ties"].as_array().unwrap();
    let mut found: Vec<String> =
        [&report["optimum"]].into_iter().chain(others).map(|one| one["parameters"].to_string()).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    let told: Vec<u64> =
        report["scenarios"].as_array().unwrap().iter().map(|one| one["optimum"]["ticks"].as_u64().unwrap()).collect();
    assert_eq!(told, optima);
    let proof = &report["proof"];
    let assigned: u64 =
        proof["scenarios"].as_array().unwrap().iter().map(|one| one["configurations"].as_u64().unwrap()).sum();
    assert_eq!(proof["configurations"].as_u64().unwrap(), assigned + found.len() as u64);
}

#[test]
fn one_scenario_is_the_usual_command_to_the_byte() {
    let usual = run(autotune().args(["tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny"]).args([
        "--set",
        "size=16",
        "--no-cost",
        "--format",
        "json",
    ]));
    assert_eq!(usual.status, 0, "{}", usual.stderr);
    let list = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(list.path(), "- { gpu: abstract-tiny, set: { size: 16 }, weight: 7 }\n").unwrap();
    let list = list.path().to_str().unwrap();
    for asked in [
        ["--gpu", "abstract-tiny,abstract-tiny", "--set", "size=16..17:2"].as_slice(),
        &["--gpu", "abstract-tiny", "--set", "size=2^4..2^4:pow2"],
        &["--scenarios", list],
    ] {
        let one = run(autotune().arg("tuning-specs/abstract_kernel.yaml").args(asked).args([
            "--no-cost",
            "--format",
            "json",
        ]));
        assert_eq!((one.status, &one.stdout), (0, &usual.stdout), "{asked:?}: {}", one.stderr);
    }
}

#[test]
fn options_about_one_scenario_are_refused_by_name() {
    for (option, value) in [
        ("--top", Some("2")),
        ("--within", Some("2")),
        ("--prefer", Some("max WG")),
        ("--strategy", Some("bisection")),
        ("--schedules", Some("any")),
        ("--rank", None),
        ("--format restrictions", None),
    ] {
        let ended = run(autotune().args(SIZES).args(option.split(' ')).args(value));
        let words = format!("`{option}` is about one GPU and one problem size, and 3 scenarios are asked for");
        assert!(ended.status == 2 && ended.stderr.contains(&words), "{option}: {} {}", ended.status, ended.stderr);
    }
    let ended = run(autotune().args(&SIZES[..3]).args(["--set", "size=1..10001"]));
    assert!(ended.status == 2 && ended.stderr.contains("more than 10000 values"), "{}", ended.stderr);
    let ended = run(autotune().args(&SIZES[..1]).args(["--gpu", "all", "--set", "size=1..1000"]));
    assert!(ended.status == 2 && ended.stderr.contains("scenarios are asked for, more than 10000"), "{}", ended.stderr);
    let ended = run(autotune().arg("evaluate").args(&SIZES[..5]));
    assert!(ended.status == 2 && ended.stderr.contains("has several values, and this command takes one"));
}

#[test]
fn a_configuration_alone_is_its_own_optimum() {
    let report = fleet(&["--config", "WG=4,TS=4"]);
    assert_eq!(report["optimum"]["worst"]["slowdown"], 1.0);
    assert_eq!(report["proof"]["configurations"], 1);
}

#[test]
fn without_a_common_configuration_each_scenario_says_what_it_excludes() {
    let folder = tempfile::tempdir().unwrap();
    let spec = "kernel: apart\nproblem: { n: 1 }\nparameters: { A: { values: [1, 2] } }\nconstraints: [ A == n ]\n\
                launch: { work_items: 64, work_group: 4 }\nbody: [ loop: { count: A, body: [ load: { array: a } ] } ]\n";
    let path = folder.path().join("apart.yaml");
    std::fs::write(&path, spec).unwrap();
    let asked = ["--gpu", "abstract-tiny", "--set", "n=1,2", "--format", "json"];
    let ended = run(autotune().arg(&path).args(asked));
    assert_eq!(ended.status, 4, "{}", ended.stderr);
    let report = json(&ended, "fleet.json");
    assert_eq!((&report["verdict"], &report["excluded"][0]["configurations"]), (&"infeasible".into(), &1.into()));
    assert_eq!(report["excluded"][0]["rules"][0]["rule"], "A == n");
    assert_eq!(report["nearest"][0]["scenarios"], 1);
}

#[test]
fn where_nothing_is_feasible_each_scenario_says_its_rules() {
    let asked = ["tuning-specs/matmul_tiled.yaml", "--gpu", "a100,h100", "--set", "size=7"];
    let ended = run(autotune().args(asked));
    assert_eq!(ended.status, 4, "{}", ended.stderr);
    assert!(ended.stdout.contains("excluded  a100, h100: all configurations; size % TS == 0 ("), "{}", ended.stdout);
}

/// A second time the answer comes from the cache, and nothing is searched or lowered as a whole.
#[test]
fn a_known_answer_is_the_same_without_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |variants: &str| {
        let question = ["tuning-specs/vector_add.yaml", "--gpu", "a100,mi250x", "--variants", variants, "-v"];
        let ended = run(autotune().args(question).env("XDG_CACHE_HOME", folder.path()));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        ended
    };
    for variants in ["1", "2"] {
        let (first, again) = (ask(variants), ask(variants));
        assert_eq!(first.stdout, again.stdout);
        assert!(first.stderr.contains(" space.lower: "), "{}", first.stderr);
        assert!(
            ![" checker.search: ", " space.lower: "].iter().any(|event| again.stderr.contains(event)),
            "{}",
            again.stderr
        );
    }
}

#[test]
fn a_stopped_fleet_has_an_honest_interval() {
    let asked = ["tuning-specs/matmul_tiled.yaml", "--gpu", "fermi,volta", "--time-limit", "1ms", "--no-cache"];
    let ended = run(autotune().args(asked).args(["--format", "json"]));
    assert_eq!(ended.status, 3, "{}", ended.stderr);
    let report = json(&ended, "fleet.json");
    assert_eq!((&report["verdict"], &report["stopped"]), (&"best_effort".into(), &"time".into()));
    assert!(report["interval"]["lower"].as_f64().unwrap() >= 1.0 && report["interval"]["upper"].is_null());
}

/// A kept proof about several scenarios.
pub(super) struct Folder(pub(super) tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self::of(&SIZES)
    }

    /// The kept proof of the answer to a command.
    pub(super) fn of(asked: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ended = run(autotune().args(asked).arg("--keep").arg(folder.path()));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        Self(folder)
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    pub(super) fn read(&self, file: &str) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.path(file)).unwrap()).unwrap()
    }

    /// Changes a JSON file of the folder, as a forger would, and seals the folder again.
    pub(super) fn forge(&self, file: &str, change: impl FnOnce(&mut Value)) {
        let mut value = self.read(file);
        change(&mut value);
        std::fs::write(self.path(file), serde_json::to_string_pretty(&value).unwrap() + "\n").unwrap();
        self.seal(file);
    }

    /// Corrects the hash of a file, and that of the file of hashes in the folder above.
    pub(super) fn seal(&self, file: &str) {
        let (folder, name) = file.rsplit_once('/').map_or(("", file), |(folder, name)| (folder, name));
        let sums = if folder.is_empty() { "SHA256SUMS".to_owned() } else { format!("{folder}/SHA256SUMS") };
        let hash = sha256(&std::fs::read(self.path(file)).unwrap());
        let text = std::fs::read_to_string(self.path(&sums)).unwrap();
        let line = |line: &str| match line.split_once("  ") {
            Some((_, named)) if named == name => format!("{hash}  {name}\n"),
            _ => format!("{line}\n"),
        };
        std::fs::write(self.path(&sums), text.lines().map(line).collect::<String>()).unwrap();
        if !folder.is_empty() {
            let above = std::fs::read_to_string(self.path("SHA256SUMS")).unwrap();
            let hash = sha256(&std::fs::read(self.path(&sums)).unwrap());
            let line = |line: &str| match line.split_once("  ") {
                Some((_, named)) if named == sums => format!("{hash}  {named}\n"),
                _ => format!("{line}\n"),
            };
            std::fs::write(self.path("SHA256SUMS"), above.lines().map(line).collect::<String>()).unwrap();
        }
    }

    /// Leaves lines of the file of hashes out.
    pub(super) fn edit_sums(&self, stays: impl Fn(&str) -> bool) {
        let sums = std::fs::read_to_string(self.path("SHA256SUMS")).unwrap();
        let left: Vec<&str> = sums.split_inclusive('\n').filter(|line| stays(line)).collect();
        std::fs::write(self.path("SHA256SUMS"), left.concat()).unwrap();
    }

    pub(super) fn verify(&self) -> Ended {
        run(autotune().args(["verify", "--format", "json"]).arg(self.0.path()))
    }

    pub(super) fn python(&self) -> Ended {
        run(Command::new("python3").arg("-I").arg(self.path("check.py")))
    }

    pub(super) fn shell(&self) -> Ended {
        run(Command::new("sh").arg("check.sh").env("CC", "tcc").current_dir(self.0.path()))
    }

    pub(super) fn assert_refused(&self, why: &str) {
        let ended = self.verify();
        assert!(ended.status == 1 && ended.stdout.is_empty(), "{why}: not refused by verify");
        let ended = self.python();
        assert!(ended.status == 1 && ended.stdout.contains("REFUTED: "), "{why}: {}", ended.stdout);
    }
}

#[test]
fn a_kept_fleet_is_verified_and_checked_by_its_scripts() {
    let kept = Folder::new();
    let ended = kept.verify();
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    let verification = json(&ended, "fleet_verification.json");
    assert_eq!((&verification["scenarios"], &verification["verdict"]), (&3.into(), &"verified".into()));
    assert!(verification["proofs"].as_u64().unwrap() > 6);
    let ended = kept.python();
    assert!(ended.status == 0 && ended.stdout.ends_with("fleet confirmed\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("\nnot checked: the times of "), "{}", ended.stdout);
    let ended = kept.shell();
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
    assert!(ended.stdout.ends_with("is faster than its bound, and nothing is missing\n"), "{}", ended.stdout);
}

#[test]
fn a_verified_fleet_says_whose_profile_is_not_shipped_and_what_is_believed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("own.yaml"), "base: fermi\nname: a100-40gb\n").unwrap();
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/kernels/transpose.yaml");
    let in_folder = |arguments: &[&str]| {
        let ended = run(autotune().current_dir(folder.path()).args(arguments));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        ended
    };
    in_folder(&[
        spec.to_str().unwrap(),
        "--gpu",
        "fermi,./own.yaml",
        "--set",
        "size=512",
        "--keep",
        "kept",
        "--no-analysis",
    ]);
    let text = in_folder(&["verify", "kept", "--no-compile"]).stdout;
    let own = "\n          the profile of scenario 1 is the maker's own, not one that autotune ships as a100-40gb\n";
    assert!(text.contains(own), "{text}");
    let verification =
        json(&in_folder(&["verify", "kept", "--no-compile", "--format", "json"]), "fleet_verification.json");
    assert_eq!(verification["own_profiles"], serde_json::json!([{ "scenario": 1, "gpu": "a100-40gb" }]));
    let [believed] = &verification["compilations"].as_array().unwrap()[..] else { panic!("one compiler") };
    let in_part = |part: &str| {
        let folder = format!("kept/{part}");
        let alone = json(&in_folder(&["verify", &folder, "--no-compile", "--format", "json"]), "verification.json");
        alone["compilations"]["configurations"].as_u64().unwrap()
    };
    let parts = ["scenario-0", "scenario-1"]
        .into_iter()
        .flat_map(|one| ["optimum", "best", "others"].map(|part| format!("{one}/{part}")));
    let all: u64 = parts.filter(|part| folder.path().join("kept").join(part).is_dir()).map(|part| in_part(&part)).sum();
    assert_eq!((believed["configurations"].as_u64(), &believed["compared"]), (Some(all), &"nothing".into()));
    assert!(text.ends_with(&format!("are believed: {all}, of which 0 are errors\n")), "{text}");
}

#[test]
fn scenarios_that_an_answer_could_not_tell_apart_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("own.yaml", "base: fermi\nname: a100-40gb\n");
    write("names.yaml", "- { gpu: a100 }\n- { gpu: ./own.yaml }\n");
    write("again.yaml", "- { gpu: a100, set: { size: 64 } }\n- { gpu: a100-40gb, set: { size: 64 }, weight: 3 }\n");
    write("usual.yaml", "- { gpu: abstract-tiny }\n- { gpu: abstract-tiny, set: { size: 1024 } }\n");
    write("unknown.yaml", "- { gpu: a100, set: { size: 64 } }\n- { gpu: a100, set: { n: 64 } }\n");
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("tuning-specs/abstract_kernel.yaml");
    for (list, words) in [
        (
            "names.yaml",
            &["two different profiles are called `a100-40gb`: `a100` and `./own.yaml`", "names.yaml:2:"][..],
        ),
        ("again.yaml", &["the scenario of line 1 is listed again", "again.yaml:2:"]),
        ("usual.yaml", &["abstract-tiny size=1024 stands twice among the scenarios"]),
        ("unknown.yaml", &["the scenario of `unknown.yaml`, line 2", "the spec has no problem size `n`"]),
    ] {
        let ended = run(autotune().current_dir(folder.path()).arg(&spec).args(["--scenarios", list]));
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{list}");
        assert!(words.iter().all(|words| ended.stderr.contains(words)), "{list}: {}", ended.stderr);
    }
}

#[test]
fn an_error_in_one_scenario_names_it() {
    let spec = "tuning-specs/matmul_tensor_cores.yaml";
    for arguments in [&[spec][..], &["table", spec]] {
        let ended = run(autotune().args(arguments).args([
            "--gpu",
            "h100,p100",
            "--set",
            "M=256",
            "--set",
            "N=256",
            "--set",
            "K=64",
        ]));
        assert!(ended.stderr.contains("cannot answer for p100"), "{}", ended.stderr);
        assert!(ended.stderr.contains("this GPU has no matrix units"), "{}", ended.stderr);
    }
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, target) = entry.map(|entry| (entry.path(), to.join(entry.file_name()))).unwrap();
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(path, target).unwrap();
        }
    }
}

/// The scenarios to which configurations are assigned.
fn assigned(kept: &Folder) -> Vec<u64> {
    let report = kept.read("fleet.json");
    let scenarios = report["proof"]["scenarios"].as_array().unwrap();
    let has = |one: &&Value| one["configurations"].as_u64().unwrap() > 0;
    scenarios.iter().filter(has).map(|one| one["scenario"].as_u64().unwrap()).collect()
}

/// A forger's change of `fleet.json`, and what it is.
type Change = (&'static str, fn(&mut Value));

#[test]
fn a_folder_with_another_claim_is_refused() {
    let kept = Folder::new();
    let good = std::fs::read(kept.path("fleet.json")).unwrap();
    let changes: [Change; 15] = [
        ("a configuration of the common space is missing", |fleet| {
            let all = fleet["proof"]["configurations"].as_u64().unwrap();
            fleet["proof"]["configurations"] = (all - 1).into();
        }),
        ("a slowdown is that of another scenario", |fleet| {
            let is_first = fleet["optimum"]["worst"]["scenario"] == 0;
            fleet["optimum"]["worst"]["scenario"] = i32::from(is_first).into();
        }),
        ("a time is that of another scenario", |fleet| {
            let times = fleet["optimum"]["times"].as_array_mut().unwrap();
            times.swap(0, 2);
        }),
        ("an optimum of its own scenario is raised", |fleet| {
            let ticks = fleet["scenarios"][1]["optimum"]["ticks"].as_u64().unwrap();
            fleet["scenarios"][1]["optimum"]["ticks"] = (ticks + 1).into();
        }),
        ("a bound is raised", |fleet| {
            let bound = fleet["proof"]["scenarios"][0]["bound"].as_u64().unwrap();
            fleet["proof"]["scenarios"][0]["bound"] = (bound + 1).into();
        }),
        ("a scenario is of another GPU", |fleet| fleet["scenarios"][0]["gpu"] = "fermi".into()),
        ("an optimum of its own scenario is another", |fleet| {
            let other = fleet["best"].as_array().unwrap().last().unwrap()["parameters"].clone();
            fleet["scenarios"][1]["optimum"]["parameters"] = other;
        }),
        ("the worst slowdown looks less", |fleet| fleet["optimum"]["worst"]["slowdown"] = 1.0.into()),
        ("the mean slowdown is less", |fleet| fleet["mean_slowdown"] = 1.0.into()),
        ("a listed configuration's slowdown is less", |fleet| fleet["best"][1]["worst"]["slowdown"] = 1.0.into()),
        ("a listed configuration is another", |fleet| fleet["best"][1] = fleet["best"][2].clone()),
        ("a listed configuration is missing", |fleet| _ = fleet["best"].as_array_mut().unwrap().pop()),
        ("more was searched", |fleet| fleet["proof"]["scenarios"][0]["searched"] = 99.into()),
        ("more was pruned", |fleet| fleet["proof"]["scenarios"][0]["pruned"] = 99.into()),
        ("a tie is claimed", |fleet| {
            let last = fleet["best"].as_array().unwrap().last().unwrap().clone();
            fleet["ties"].as_array_mut().unwrap().push(last);
        }),
    ];
    for (why, change) in changes {
        kept.forge("fleet.json", change);
        kept.assert_refused(why);
        std::fs::write(kept.path("fleet.json"), &good).unwrap();
        kept.seal("fleet.json");
    }
    assert_eq!(kept.verify().status, 0);
}

/// A weight is a part of the question: where the slowdowns are equal, or all weights are multiplied, the mean is the same.
#[test]
fn another_weight_is_refused_where_the_mean_stays() {
    let kept = Folder::new();
    let good = std::fs::read(kept.path("fleet.json")).unwrap();
    kept.forge("fleet.json", |fleet| {
        for scenario in fleet["scenarios"].as_array_mut().unwrap() {
            scenario["weight"] = (2 * scenario["weight"].as_u64().unwrap()).into();
        }
    });
    kept.assert_refused("all weights are doubled");
    assert!(kept.verify().stderr.contains("kept.json: scenario 0: its weight is 1, but fleet.json says 2"));
    let ended = kept.shell();
    assert!(ended.status == 1 && ended.stderr.contains("its weights are not those of kept.json"), "{}", ended.stderr);
    std::fs::write(kept.path("fleet.json"), &good).unwrap();
    kept.seal("fleet.json");
    kept.forge("kept.json", |asked| asked["scenarios"][1]["weight"] = 3.into());
    kept.assert_refused("the question has another weight");
    assert_eq!(kept.shell().status, 1);
}

/// The proofs of a folder have one model, whose tables alone differ: it is compiled twice in all, with the property and without.
#[test]
fn the_shell_script_compiles_a_model_once() {
    let kept = Folder::new();
    let place = tempfile::tempdir().unwrap();
    let log = place.path().join("calls");
    let cc = script(place.path(), "cc", &format!("#!/bin/sh\necho call >> {}\nexec tcc \"$@\"\n", log.display()));
    let ended = run(Command::new("sh").arg("check.sh").env("CC", cc).current_dir(kept.0.path()));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let (calls, proofs) =
        (std::fs::read_to_string(log).unwrap().lines().count(), ended.stdout.matches("scenario-").count());
    assert!(proofs > 6, "{}", ended.stdout);
    let texts: std::collections::BTreeSet<String> =
        glob::glob(&format!("{}/*/*/*/model-*/model.pml", kept.0.path().display()))
            .unwrap()
            .map(|path| {
                let path = path.unwrap();
                let options = std::fs::read_to_string(path.with_file_name("search.sh")).unwrap();
                let options = options.lines().find(|line| line.starts_with("compile=")).unwrap().to_owned();
                options + &std::fs::read_to_string(path).unwrap()
            })
            .collect();
    assert_eq!(calls, 2 * texts.len(), "{proofs} proofs");
}

/// A shell compares which configurations are named, and says that it does not compare their times.
#[test]
fn the_shell_script_refuses_another_optimum() {
    let kept = Folder::new();
    let good = std::fs::read(kept.path("fleet.json")).unwrap();
    assert!(kept.shell().stdout.contains("\nnot compared: the times and slowdowns of fleet.json, "));
    let changes: [(&str, Change); 3] = [
        (
            "its optimum and ties, or its variants, are not those of `best`",
            ("another optimum", |fleet| {
                fleet["optimum"]["parameters"] =
                    fleet["best"].as_array().unwrap().last().unwrap()["parameters"].clone();
            }),
        ),
        (
            "its optimum and ties, or its variants, are not those of `best`",
            ("one more tie", |fleet| {
                fleet["ties"] = vec![fleet["best"].as_array().unwrap().last().unwrap().clone()].into();
            }),
        ),
        (
            "its optimum is not the configuration of fleet.json",
            ("another optimum of a scenario", |fleet| {
                let other = fleet["best"].as_array().unwrap().last().unwrap()["parameters"].clone();
                fleet["scenarios"][2]["optimum"]["parameters"] = other;
            }),
        ),
    ];
    for (told, (why, change)) in changes {
        kept.forge("fleet.json", change);
        let ended = kept.shell();
        assert!(ended.status == 1 && ended.stderr.contains(told), "{why}: {}", ended.stderr);
        std::fs::write(kept.path("fleet.json"), &good).unwrap();
        kept.seal("fleet.json");
    }
}

/// The proof of the assigned configurations of one scenario is put in the place of another's: configurations are then
/// missing, or assigned twice, or in another scenario.
#[test]
fn a_folder_whose_assignment_is_not_all_is_refused() {
    let kept = Folder::new();
    let scenarios = assigned(&kept);
    let (one, folder) = (scenarios[0], kept.path(&format!("scenario-{}/others", scenarios[0])));
    // A configuration is no longer assigned.
    let manifest = format!("scenario-{one}/others/kept.json");
    let good = std::fs::read(kept.path(&manifest)).unwrap();
    kept.forge(&manifest, |kept| {
        kept["questions"][0]["among"].as_array_mut().unwrap().remove(0);
    });
    let ended = kept.verify();
    assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "a configuration is missing");
    std::fs::write(kept.path(&manifest), good).unwrap();
    kept.seal(&manifest);
    // A whole proof is missing, and its configurations with it.
    std::fs::remove_dir_all(folder).unwrap();
    kept.edit_sums(|line| !line.contains(&format!("scenario-{one}/others")));
    let number = usize::try_from(one).unwrap();
    kept.forge("fleet.json", |fleet| fleet["proof"]["scenarios"][number]["configurations"] = 0.into());
    kept.assert_refused("an assignment is missing");
    let ended = kept.shell();
    assert!(ended.status == 1 && ended.stderr.contains("are not all common ones"), "{}", ended.stderr);
}

/// Assigns all configurations to the first of two scenarios that are equal but for the GPU's name. Their proof holds in the second too, but there they
/// are assigned a second time.
#[test]
fn a_configuration_that_is_assigned_twice_is_refused() {
    let list = tempfile::NamedTempFile::new().unwrap();
    let twin = tempfile::NamedTempFile::with_suffix(".yaml").unwrap();
    std::fs::write(twin.path(), "base: abstract-tiny\nname: twin\n").unwrap();
    let line = |gpu: &str| format!("- {{ gpu: {gpu}, set: {{ size: 16 }} }}\n");
    std::fs::write(list.path(), line("abstract-tiny") + &line(twin.path().to_str().unwrap())).unwrap();
    let asked = ["tuning-specs/abstract_kernel.yaml", "--scenarios", list.path().to_str().unwrap(), "--no-cost"];
    let kept = Folder::of(&asked);
    assert_eq!((assigned(&kept), kept.verify().status), (vec![0], 0));
    copy(&kept.path("scenario-0/others"), &kept.path("scenario-1/others"));
    // Its inputs say the other name.
    let (part, profile) = ("scenario-1/others", "inputs/profile.yaml");
    std::fs::copy(kept.path("scenario-1/optimum").join(profile), kept.path(part).join(profile)).unwrap();
    let of_part = std::fs::read_to_string(kept.path(part).join("SHA256SUMS")).unwrap();
    let hash = sha256(&std::fs::read(kept.path(part).join(profile)).unwrap());
    let line = of_part.lines().find(|line| line.ends_with(profile)).unwrap();
    std::fs::write(kept.path(part).join("SHA256SUMS"), of_part.replace(line, &format!("{hash}  {profile}"))).unwrap();
    let sums = std::fs::read_to_string(kept.path("SHA256SUMS")).unwrap();
    let line = sums.lines().find(|line| line.ends_with("scenario-0/others/SHA256SUMS")).unwrap();
    let mut lines: Vec<String> = sums.lines().map(str::to_owned).collect();
    lines.push(line.replace("scenario-0", "scenario-1"));
    lines.sort_by_key(|line| line[66..].to_owned());
    std::fs::write(kept.path("SHA256SUMS"), lines.join("\n") + "\n").unwrap();
    kept.forge("fleet.json", |fleet| {
        let assigned = fleet["proof"]["scenarios"][0].clone();
        fleet["proof"]["scenarios"][1] = assigned;
        fleet["proof"]["scenarios"][1]["scenario"] = 1.into();
    });
    kept.forge("scenario-1/others/result.json", |result| result["gpu"] = "twin".into());
    kept.assert_refused("configurations are assigned twice");
    assert!(kept.python().stdout.contains("a configuration is assigned twice"));
    assert!(kept.shell().stderr.contains("a configuration is assigned twice"));
}
