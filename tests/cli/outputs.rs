//! The output of commands.

use super::*;

#[test]
fn a_tuning_is_proved_and_its_json_follows_the_schema() {
    let ended = run(autotune().args(SMALL).args(["--format", "json", "--top", "3"]));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    let result = json(&ended, "result.json");
    assert_eq!(result["verdict"], "proved");
    let optimum = result["optimum"]["ticks"].as_u64().unwrap();
    // Closed form: one multiprocessor, PE = 4; two global accesses at least, GMT = 10; tiles of 8.
    assert_eq!(optimum, 16 / 4 * ((16 / 8) * (10 + 2) + 10));
    assert_eq!(result["proof"]["property"], format!("[] (DONE -> (time >= {optimum}))"));
    let model = &result["proof"]["models"][0];
    let bounds: Vec<_> = model["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| (run["bound"].as_u64().unwrap(), run["holds"].as_bool().unwrap()))
        .collect();
    assert_eq!(bounds, [(optimum + 1, false), (optimum, true)]);
    let counts = &result["proof"]["configurations"];
    let sum: u64 = ["infeasible", "pruned", "equal", "checked"].iter().map(|what| counts[what].as_u64().unwrap()).sum();
    assert_eq!(counts["all"].as_u64().unwrap(), sum);
    assert_eq!(result["configurations"].as_array().unwrap().len() as u64, sum);
    let top: Vec<_> = result["top"].as_array().unwrap().iter().map(|one| one["ticks"].as_u64().unwrap()).collect();
    assert_eq!((top.len(), top[0], top.is_sorted()), (3, optimum, true));
}

#[test]
fn formulas_stand_beside_the_proof_unless_left_out() {
    let result = json(&run(autotune().args(SMALL).args(["--format", "json"])), "result.json");
    let (analysis, ticks) = (&result["analysis"], &result["optimum"]["ticks"]);
    // Nothing contends on a lockstep GPU and no two loads are in a row: operations are the machine's own time.
    assert_eq!((&analysis["max_plus"]["operations"], &analysis["max_plus"]["serialized"]), (ticks, ticks));
    assert_eq!((&analysis["of"], &analysis["kendall_tau"]["max_plus_operations"]), (&9.into(), &1.0.into()));
    assert_eq!((&analysis["winner"]["model"], &analysis["winner"]["ticks"]), (&"max_plus_operations".into(), ticks));
    let printed = run(autotune().args(SMALL)).stdout;
    assert!(printed.contains("puts first: one of 2 equal configurations, each as fast as the optimum\n"), "{printed}");
    let without = json(&run(autotune().args(SMALL).args(["--format", "json", "--no-analysis"])), "result.json");
    assert!(without["analysis"].is_null());
}

#[test]
fn the_same_question_gives_the_same_bytes() {
    let ask = || run(autotune().args(SMALL).args(["--format", "json", "--no-cost", "--no-cache"])).stdout;
    let first = ask();
    assert!(!first.contains("\"cost\""));
    assert_eq!(first, ask());
}

#[test]
fn all_strategies_find_the_same_optimum_and_ties() {
    let ask = |strategy| {
        let options = ["--format", "json", "--no-prune", "--strategy", strategy];
        json(&run(autotune().args(SMALL).args(options)), "result.json")
    };
    let (guided, bisecting, bounding) = (ask("guess"), ask("bisection"), ask("branch-and-bound"));
    for field in ["optimum", "ties", "configurations"] {
        assert_eq!((&guided[field], &guided[field]), (&bisecting[field], &bounding[field]));
    }
    assert_eq!(bounding["proof"]["strategy"], "branch-and-bound");
    let descent = &bounding["proof"]["models"][0]["descent"];
    assert!(descent["improvements"].as_u64().unwrap() >= 1 && descent["steps"].as_u64().unwrap() > 0);
    assert!(bisecting["proof"]["models"][0]["runs"].as_array().unwrap().len() > 2);
    // Plain SPIN can only simulate a model that holds its tables itself.
    assert!(bisecting["proof"]["models"][0]["tables_sha256"].is_null());
}

#[test]
fn both_forms_prove_the_same_optimum_and_ties() {
    let [roles, wave] = ["roles", "wave"].map(|form| {
        let result = json(&run(autotune().args(SMALL).args(["--form", form, "--format", "json"])), "result.json");
        assert_eq!(result["proof"]["form"], form);
        result
    });
    assert_eq!((&roles["optimum"], &roles["ties"]), (&wave["optimum"], &wave["ties"]));
    assert_eq!(roles["proof"]["models"][0]["ends"], wave["proof"]["models"][0]["ends"]);
}

#[test]
fn pruning_changes_neither_optimum_nor_ties_and_names_its_bounds() {
    let ask = |options: &[&str]| {
        let question = ["tuning-specs/vector_add.yaml", "--gpu", "volta", "--format", "json"];
        json(&run(autotune().args(question).args(options)), "result.json")
    };
    let (pruned, all, ranked) = (ask(&[]), ask(&["--no-prune"]), ask(&["--rank"]));
    for field in ["optimum", "ties"] {
        assert_eq!(pruned[field], all[field]);
        assert_eq!(pruned[field], ranked[field]);
    }
    let count = |result: &Value, what: &str| result["proof"]["configurations"][what].as_u64().unwrap();
    assert_eq!((count(&all, "pruned"), count(&pruned, "pruned") > 0), (0, true));
    assert_eq!(count(&pruned, "pruned"), count(&ranked, "pruned"));
    let optimum = pruned["optimum"]["ticks"].as_u64().unwrap();
    let times = |result: &Value| -> Vec<Value> { result["configurations"].as_array().unwrap().clone() };
    for ((one, known), evaluated) in times(&pruned).iter().zip(times(&all)).zip(times(&ranked)) {
        if one["status"] == "pruned" {
            let bound = one["bound"].as_u64().unwrap();
            assert!(bound > optimum && bound <= known["ticks"].as_u64().unwrap());
            assert_eq!((&one["ticks"], &evaluated["ticks"]), (&Value::Null, &known["ticks"]));
        }
    }
}

/// 2^30 work items, loops of 100,000 iterations, and a time far beyond 32 bits.
#[test]
fn real_sizes_are_proved_by_skipping_what_recurs() {
    let question =
        ["tuning-specs/abstract_kernel.yaml", "--gpu", "fermi", "--set", "size=1073741824", "--format", "json"];
    let result = json(&run(autotune().args(question)), "result.json");
    assert_eq!(result["verdict"], "proved");
    assert!(result["optimum"]["ticks"].as_u64().unwrap() > 1 << 40);
    let run = &result["proof"]["models"][0]["runs"][1];
    assert!(
        run["holds"] == true && run["steps"].as_u64().unwrap() * 100 < result["optimum"]["events"].as_u64().unwrap()
    );
}

#[test]
fn one_configuration_can_be_proved_alone() {
    let ended = run(autotune().args(SMALL).args(["--config", "WG=2,TS=4", "--format", "json"]));
    let result = json(&ended, "result.json");
    assert_eq!(result["optimum"]["parameters"], serde_json::json!({"WG": 2, "TS": 4}));
    assert_eq!(result["optimum"]["ticks"], 8 * (4 * (10 + 2) + 10));
}

#[test]
fn nothing_feasible_is_told_with_its_reasons() {
    let ended = run(autotune().args([
        "tuning-specs/abstract_kernel.yaml",
        "--gpu",
        "abstract-tiny",
        "--set",
        "size=2",
        "--format",
        "json",
    ]));
    assert_eq!(ended.status, 4);
    assert_eq!(json(&ended, "result.json")["verdict"], "infeasible");
}

#[test]
fn evaluate_tells_every_configuration() {
    let ended = run(autotune().arg("evaluate").args(SMALL).args(["--format", "json"]));
    let result = json(&ended, "evaluation.json");
    let ticks: Vec<_> =
        result["configurations"].as_array().unwrap().iter().map(|one| one["ticks"].as_u64().unwrap()).collect();
    assert_eq!((ticks.len(), ticks.iter().min()), (9, Some(&136)));
    assert!(run(autotune().arg("evaluate").args(SMALL)).stdout.contains("WG=4 TS=8"));
}

#[test]
fn evaluate_tells_what_is_resident_and_which_limit_binds() {
    let evaluate = |gpu: &str, config: &str| {
        let spec = ["evaluate", "tuning-specs/vector_add.yaml", "--gpu", gpu, "--config", config];
        let result = json(&run(autotune().args(spec).args(["--format", "json"])), "evaluation.json");
        result["configurations"][0]["occupancy"].clone()
    };
    let occupancy = |groups: u64, warps: u64, limit: &str| {
        let fit = [("resident_groups", groups), ("warps", warps), ("wave_groups", groups), ("wave_warps", warps)];
        let mut occupancy: Value =
            fit.into_iter().map(|(name, number)| (name.to_owned(), Value::from(number))).collect();
        occupancy["limit"] = limit.into();
        occupancy
    };
    // compute capability 2.0: 8 groups, 48 warps, 32,768 registers in units of 64 a warp
    assert_eq!(evaluate("fermi", "WG=32,ITEMS=1,VEC=1"), occupancy(8, 8, "groups"));
    assert_eq!(evaluate("fermi", "WG=512,ITEMS=1,VEC=1"), occupancy(3, 48, "warps"));
    // 12 + 2 * 8 registers of 32 lanes: 896 of a warp, 14 warps of 512 work items: 18 of 36 warps fit either scheduler
    assert_eq!(evaluate("fermi", "WG=512,ITEMS=8,VEC=1"), occupancy(2, 32, "registers"));
    assert_eq!(evaluate("abstract-fermi", "WG=512,ITEMS=8,VEC=1"), Value::Null);
}

#[test]
fn locality_tells_where_each_access_should_live() {
    let spec = ["locality", "tuning-specs/floyd_warshall.yaml", "--gpu", "fermi"];
    let config = ["--config", "TS=16,ROWS=1,DOWN=1,KEEP=0,STAGED=0"];
    let ended = run(autotune().args(spec).args(config).args(["--format", "json"]));
    let result = json(&ended, "locality.json");
    let accesses = result["accesses"].as_array().unwrap();
    let column = |key: &str| accesses.iter().map(|access| access[key].clone()).collect::<Vec<_>>();
    assert_eq!(column("statement"), ["load", "load", "load", "store"]);
    assert_eq!(column("stride"), [1024, 1024, 0, 1024]);
    assert_eq!(column("advice"), ["register", "local", "local", "register"]);
    assert_eq!(accesses[2]["classes"], serde_json::json!(["broadcast"]));
    // 64 launches of 64 * 64 groups of 8 warps, in 16 rounds; 15 of them are saved, of 16 sectors, 18 where two columns meet
    let rounds = 64 * 64 * 64 * 8 * 15;
    let saved = accesses[0]["saves"]["transactions"].as_u64().unwrap();
    assert!(saved >= rounds * 16 && saved <= rounds * 18, "{saved}");
    // Without `--config`, the fastest configuration is shown.
    let fastest = json(&run(autotune().args(spec).args(["--format", "json"])), "locality.json");
    assert_eq!((&fastest["parameters"]["KEEP"], &fastest["parameters"]["STAGED"]), (&1.into(), &1.into()));
    let without = ["locality", "tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny", "--set", "size=16"];
    let listed = json(&run(autotune().args(without).args(["--format", "json"])), "locality.json");
    let first = &listed["accesses"][0];
    assert_eq!((&first["stride"], &first["advice"], &first["conflict"]), (&1.into(), &Value::Null, &Value::Null));
    assert_eq!(first["missing"], "`index` and `shape`");
}

#[test]
fn locality_of_what_cannot_run_is_refused_with_the_reason() {
    let spec = ["locality", "tuning-specs/matmul_tiled.yaml", "--gpu", "fermi", "--config", "TS=64,ROWS=1,COLS=1"];
    let ended = run(autotune().args(spec));
    assert_eq!((ended.status, ended.stdout.as_str()), (4, ""));
    assert!(ended.stderr.contains("work_group: 4096 > 1024"), "{}", ended.stderr);
}

#[test]
fn a_lowered_program_is_what_the_reference_reads() {
    let model = ["--config", "WG=4,TS=8", "--format", "json"];
    let ended = run(autotune().arg("model").args(SMALL).args(model));
    let program = json(&ended, "program.json");
    assert_eq!((&program["groups"], &program["warps_per_group"]), (&4.into(), &2.into()));
    let without = run(autotune().arg("model").args(SMALL).args(["--format", "json"]));
    assert_eq!((without.status, without.stdout.as_str()), (2, ""));
}

#[test]
fn a_printed_model_runs_under_plain_spin() {
    let folder = tempfile::tempdir().unwrap();
    let model = run(autotune().arg("model").args(SMALL)).stdout;
    std::fs::write(folder.path().join("m.pml"), &model).unwrap();
    let mut spin = Command::new("spin");
    let simulated = run(spin.args(["-T", "m.pml"]).current_dir(folder.path())).stdout;
    assert_eq!(simulated.matches(" DONE at ").count(), 1, "{simulated}");
    let mut spin = Command::new("spin");
    assert_eq!(run(spin.args(["-a", "m.pml"]).current_dir(folder.path())).status, 0);
    assert!(folder.path().join("pan.c").exists());
}

#[test]
fn a_gpu_can_be_printed_edited_and_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let text = run(autotune().args(["gpus", "abstract-tiny"])).stdout;
    assert!(text.contains("multiprocessors: 1"));
    let mine = folder.path().join("mine.yaml");
    std::fs::write(&mine, text.replace("multiprocessors: 1", "multiprocessors: 2")).unwrap();
    let ended = run(autotune().args(SMALL).args(["--format", "json"]).args(["--gpu", mine.to_str().unwrap()]));
    assert_eq!(ended.status, 2, "--gpu is given twice");
    let spec =
        ["tuning-specs/abstract_kernel.yaml", "--set", "size=16", "--format", "json", "--gpu", mine.to_str().unwrap()];
    assert_eq!(json(&run(autotune().args(spec)), "result.json")["optimum"]["ticks"], 68);
    assert!(run(autotune().arg("gpus")).stdout.contains("abstract-fermi"));
}

#[test]
fn names_of_a_spec_never_meet_promelas() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("names.yaml");
    let text = "
kernel: init
problem: { time: 8, run: 1, DONE: 2 }
parameters: { configuration: { values: [2, 4] }, proctype: { values: [1] }, WARPS: { values: [1] } }
launch: { work_items: time, work_group: configuration }
body: [ { load: { array: chan, per_item: DONE * run } } ]
";
    std::fs::write(&spec, text).unwrap();
    let ended = run(autotune().args([spec.to_str().unwrap(), "--gpu", "abstract-tiny", "--format", "json"]));
    assert_eq!(json(&ended, "result.json")["optimum"]["ticks"], 40, "{}", ended.stderr);
}

#[test]
fn what_is_there_is_told_to_programs_too() {
    let printed =
        |arguments: &[&str], schema: &str| json(&run(autotune().args(arguments).args(["--format", "json"])), schema);
    let gpus = printed(&["gpus"], "gpus.json");
    let fermi = gpus["gpus"].as_array().unwrap().iter().find(|gpu| gpu["name"] == "gtx480").unwrap().clone();
    let alone = printed(&["gpus", "fermi"], "gpus.json")["gpus"][0].clone();
    assert_eq!((&fermi["multiprocessors"], &fermi["profile"]), (&15.into(), &Value::Null));
    assert_eq!(alone["profile"], run(autotune().args(["gpus", "fermi"])).stdout);
    assert_eq!(printed(&["doctor"], "doctor.json")["ready"], true);
    let broken = run(autotune().args(["doctor", "--format", "json"]).env("AUTOTUNE_SPIN", "/nowhere/spin"));
    let missing = json(&broken, "doctor.json");
    assert_eq!((broken.status, &missing["ready"], &missing["checks"][0]["passed"]), (1, &false.into(), &false.into()));
    let folder = tempfile::tempdir().unwrap();
    let cache = |arguments: &[&str]| {
        let ended = run(autotune().args(arguments).args(["--format", "json"]).env("XDG_CACHE_HOME", folder.path()));
        json(&ended, "cache.json")
    };
    assert_eq!(cache(&["cache"])["entries"], 0);
    run(autotune().args(SMALL).env("XDG_CACHE_HOME", folder.path()));
    let kept = cache(&["cache"]);
    assert!(kept["entries"].as_u64().unwrap() > 0 && kept["bytes"].as_u64().unwrap() > 0);
    let removed = cache(&["cache", "clear"]);
    assert_eq!((&removed["entries"], &removed["removed"]), (&kept["entries"], &true.into()));
}

#[test]
fn help_and_version_succeed() {
    for option in ["--help", "--version"] {
        let ended = run(autotune().arg(option));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    }
    assert_eq!(run(&mut autotune()).status, 2);
    assert_eq!(run(autotune().arg("doctor")).status, 0);
}

/// A model that the optimum is not in holds above it, too: only the others' counterexamples are below.
#[test]
fn a_run_that_holds_speaks_of_its_own_model_alone() {
    let question =
        ["tuning-specs/matmul_tensor_cores.yaml", "--gpu", "rtx2080ti", "--set", "M=1024", "--set", "N=1024"];
    let more = ["--set", "K=256", "--strategy", "branch-and-bound", "--no-analysis", "--format", "json"];
    let ended = run(autotune().args(question).args(more));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let result = json(&ended, "result.json");
    let ticks = result["optimum"]["ticks"].as_u64().unwrap();
    let runs = |model: &Value| model["runs"].as_array().unwrap().clone();
    let holds_above = |run: &Value| run["holds"] == true && run["bound"].as_u64() > Some(ticks);
    let models = result["proof"]["models"].as_array().unwrap();
    assert!(models.iter().any(|model| runs(model).iter().any(holds_above)));
    assert!(models.iter().any(|model| runs(model).iter().any(|run| run["ticks"].as_u64() == Some(ticks))));
}
