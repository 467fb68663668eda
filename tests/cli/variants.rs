//! Several configurations for several scenarios: the choice, its kept proof with the tree, and forged folders.

use super::fleet::Folder;
use super::*;

/// Six scenarios of a kernel whose times are scattered, some of whose configurations each scenario lacks.
const SCATTERED: &str = "
kernel: scattered
problem: { n: 1 }
parameters: { A: { values: [1, 2, 3, 4, 5] }, B: { values: [2, 4] } }
constraints: [ (A * 5 + B * 3 + n * 7) % 6 != 0 ]
launch: { work_items: 16, work_group: B }
body: [ compute: { per_item: (A * A * 11 + B * 7 + n * A * 13) % 17 * 9 + 1 }, load: { array: a } ]
varies: [fp32]
";

fn spec() -> tempfile::NamedTempFile {
    let file = tempfile::Builder::new().suffix(".yaml").tempfile().unwrap();
    std::fs::write(file.path(), SCATTERED).unwrap();
    file
}

fn asked<'a>(spec: &'a tempfile::NamedTempFile, sizes: &'a str, most: &'a str) -> [&'a str; 8] {
    let spec = spec.path().to_str().unwrap();
    [spec, "--gpu", "abstract-tiny", "--set", sizes, "--variants", most, "--no-cost"]
}

/// The times of the spec's configurations by scenario.
fn times(spec: &tempfile::NamedTempFile, sizes: u64) -> Vec<Vec<(String, u64)>> {
    let of_size = |size: u64| {
        let asked = ["--gpu", "abstract-tiny", "--format", "json", "--set", &format!("n={size}")];
        let evaluation = json(&run(autotune().arg("evaluate").arg(spec.path()).args(asked)), "evaluation.json");
        let time = |one: &Value| Some((one["parameters"].to_string(), one["ticks"].as_u64()?));
        evaluation["configurations"].as_array().unwrap().iter().filter_map(time).collect()
    };
    (1..=sizes).map(of_size).collect()
}

/// Brute force: the least worst slowdown of all sets of at most `most` configurations; `None` if none serves all.
pub(super) fn least(times: &[Vec<(String, u64)>], most: u32) -> Option<(u64, u64)> {
    let mut labels: Vec<&String> = times.iter().flatten().map(|(label, _)| label).collect();
    labels.sort();
    labels.dedup();
    let worst = |set: u32| {
        let is_chosen = |label: &String| set >> labels.binary_search(&label).unwrap() & 1 == 1;
        let slowdown = |own: &Vec<(String, u64)>| {
            let optimum = own.iter().map(|(_, time)| *time).min()?;
            let time = own.iter().filter(|(label, _)| is_chosen(label)).map(|(_, time)| *time).min()?;
            Some((time, optimum))
        };
        let all: Option<Vec<(u64, u64)>> = times.iter().map(slowdown).collect();
        all?.into_iter().max_by(|one, two| (one.0 * two.1).cmp(&(two.0 * one.1)))
    };
    let sets = (1..1_u32 << labels.len()).filter(|set| set.count_ones() <= most);
    sets.filter_map(worst).min_by(|one, two| (one.0 * two.1).cmp(&(two.0 * one.1)))
}

#[test]
fn no_other_variants_have_a_lesser_worst_slowdown() {
    let (spec, mut trees) = (spec(), 0);
    let times = times(&spec, 6);
    for most in [2, 3] {
        let ended = run(autotune().args(asked(&spec, "n=1..6", &most.to_string())).args(["--format", "json"]));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        let report = json(&ended, "fleet.json");
        let worst = &report["together"]["worst"];
        let (time, optimum) = least(&times, most).unwrap();
        let told = (worst["numerator"].as_u64().unwrap(), worst["denominator"].as_u64().unwrap());
        assert_eq!(told.0 * optimum, told.1 * time, "{most}: {told:?}, {time} / {optimum}");
        assert!(report["variants"].as_array().unwrap().len() <= most as usize);
        trees += report["proof"]["tree"]["branches"].as_u64().unwrap();
        for (number, own) in times.iter().enumerate() {
            let taken = &report["together"]["times"][number];
            let listed = |variant: &Value| {
                let label = variant["parameters"].to_string();
                (variant["times"][number]["ticks"].as_u64(), own.iter().find(|(one, _)| *one == label).map(|one| one.1))
            };
            let variants = report["variants"].as_array().unwrap();
            let all: Vec<(Option<u64>, Option<u64>)> = variants.iter().map(listed).collect();
            assert!(all.iter().all(|(listed, evaluated)| listed == evaluated), "{number}: {all:?}");
            assert_eq!(taken["ticks"].as_u64(), all.iter().filter_map(|(listed, _)| *listed).min());
        }
    }
    assert!(trees > 4, "{trees} branches");
}

#[test]
fn too_few_variants_for_all_scenarios_are_infeasible_and_one_scenario_needs_none() {
    let folder = tempfile::tempdir().unwrap();
    let text = "kernel: apart\nproblem: { n: 1 }\nparameters: { A: { values: [1, 2, 3] } }\nconstraints: [ A == n ]\n\
                launch: { work_items: 64, work_group: 4 }\nbody: [ loop: { count: A, body: [ load: { array: a } ] } ]\n";
    let path = folder.path().join("apart.yaml");
    std::fs::write(&path, text).unwrap();
    let ask = |sizes: &str, most: &str| {
        let asked = ["--gpu", "abstract-tiny", "--set", sizes, "--variants", most, "--format", "json"];
        run(autotune().arg(&path).args(asked))
    };
    let ended = ask("n=1..3", "2");
    assert_eq!(ended.status, 4, "{}", ended.stderr);
    assert_eq!(json(&ended, "fleet.json")["verdict"], "infeasible");
    let ended = ask("n=1..3", "3");
    let report = json(&ended, "fleet.json");
    assert_eq!((ended.status, &report["together"]["worst"]["slowdown"]), (0, &1.0.into()));
    assert!(report["variants"][0]["times"][1].is_null());
    let ended = ask("n=1", "2");
    assert!(ended.status == 2 && ended.stderr.contains("`--variants` is about several scenarios"), "{}", ended.stderr);
}

#[test]
fn a_kept_proof_of_variants_is_verified_and_checked_by_its_scripts() {
    let spec = spec();
    let kept = Folder::of(&asked(&spec, "n=1..6", "2"));
    let ended = kept.verify();
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert_eq!(json(&ended, "fleet_verification.json")["variants"], 2);
    let ended = kept.python();
    assert!(ended.status == 0 && ended.stdout.ends_with("fleet confirmed\n"), "{}", ended.stdout);
    let ended = kept.shell();
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
    let tree = kept.read("tree.json");
    assert!(tree["nodes"].as_array().unwrap().len() > 2, "{tree}");
}

/// A forger's change of a file of the folder, and what it is.
type Change = (&'static str, &'static str, fn(&mut Value));

#[test]
fn a_forged_folder_of_variants_is_refused() {
    let spec = spec();
    let kept = Folder::of(&asked(&spec, "n=1..6", "2"));
    let changes: [Change; 12] = [
        ("tree.json", "a branch is missing", |tree| {
            let nodes = tree["nodes"].as_array_mut().unwrap();
            let node = nodes.iter_mut().find(|node| !node["branches"].as_array().unwrap().is_empty()).unwrap();
            node["branches"].as_array_mut().unwrap().pop();
        }),
        ("tree.json", "the root is about fewer configurations", |tree| {
            let root = tree["nodes"].as_array_mut().unwrap().last_mut().unwrap();
            root["left"] = 1.into();
        }),
        ("tree.json", "a node is about another scenario", |tree| {
            let node = &mut tree["nodes"][0];
            node["scenario"] = ((node["scenario"].as_u64().unwrap() + 1) % 6).into();
        }),
        ("tree.json", "a configuration is another one", |tree| {
            let one = &mut tree["configurations"][0]["A"];
            *one = (one.as_u64().unwrap() % 5 + 1).into();
        }),
        ("fleet.json", "more variants are claimed", |fleet| fleet["most_variants"] = 3.into()),
        ("fleet.json", "a scenario takes another variant", |fleet| {
            let taken = &mut fleet["together"]["times"][0]["variant"];
            *taken = (1 - taken.as_u64().unwrap()).into();
        }),
        ("fleet.json", "the worst slowdown is less", |fleet| {
            let worst = &mut fleet["together"]["worst"]["numerator"];
            *worst = (worst.as_u64().unwrap() - 1).into();
        }),
        ("fleet.json", "a bound is lower", |fleet| {
            let bound = &mut fleet["proof"]["scenarios"][0]["bound"];
            *bound = (bound.as_u64().unwrap() - 1).into();
        }),
        ("fleet.json", "the worst slowdown looks less", |fleet| fleet["together"]["worst"]["slowdown"] = 1.0.into()),
        ("fleet.json", "the mean slowdown is less", |fleet| fleet["mean_slowdown"] = 0.5.into()),
        ("fleet.json", "more was searched", |fleet| fleet["proof"]["scenarios"][0]["searched"] = 99.into()),
        ("fleet.json", "a variant lacks a time", |fleet| fleet["variants"][0]["times"][0] = Value::Null),
    ];
    for (file, why, change) in changes {
        let good = std::fs::read(kept.path(file)).unwrap();
        kept.forge(file, change);
        kept.assert_refused(why);
        std::fs::write(kept.path(file), &good).unwrap();
        kept.seal(file);
    }
    assert_eq!(kept.verify().status, 0);
}

/// Without the proof that configurations are slower, they may be faster, and the tree says nothing of them.
#[test]
fn a_folder_of_variants_without_a_scenarios_searches_is_refused() {
    let spec = spec();
    let kept = Folder::of(&asked(&spec, "n=1..6", "2"));
    let fleet = kept.read("fleet.json");
    let scenarios = fleet["proof"]["scenarios"].as_array().unwrap();
    let number = scenarios.iter().position(|one| one["configurations"].as_u64().unwrap() > 0).unwrap();
    std::fs::remove_dir_all(kept.path(&format!("scenario-{number}/others"))).unwrap();
    kept.edit_sums(|line| !line.contains(&format!("scenario-{number}/others")));
    kept.forge("fleet.json", |fleet| fleet["proof"]["scenarios"][number]["configurations"] = 0.into());
    kept.assert_refused("searches are missing");
}
