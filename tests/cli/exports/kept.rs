//! `autotune export` of kept results: the ones that it accepts, selects and refuses.

use super::*;

/// A proved result of vector addition.
fn result(gpu: &str, size: u64) -> Value {
    let size = format!("size={size}");
    let question = ["tuning-specs/abstract_kernel.yaml", "--gpu", gpu, "--set", &size];
    serde_json::from_str(&exported(&question, "json")).unwrap()
}

fn export(results: &[&Value], options: &[&str]) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let keep = |(number, result): (usize, &&Value)| file(&folder, &format!("{number}.json"), &result.to_string());
    let files: Vec<PathBuf> = results.iter().enumerate().map(keep).collect();
    run(autotune().arg("export").args(files).args(options))
}

#[test]
fn a_kept_result_gives_what_its_tuning_gave() {
    let question = [&MATMUL[..], &["--rank"]].concat();
    let kept: Value = serde_json::from_str(&exported(&question, "json")).unwrap();
    for format in ["csv", "header", "flags", "shell", "t4", "t4-metadata", "kernel-tuner"] {
        let ended = export(&[&kept], &["--format", format]);
        assert_eq!((ended.stdout, ended.stderr.as_str()), (exported(&question, format), ""), "{format}");
    }
    let without_times = serde_json::from_str(&exported(&MATMUL, "json")).unwrap();
    let printed = export(&[&without_times], &["--format", "t4"]).stderr;
    assert!(printed.starts_with("note: ") && printed.contains("pruned configurations are left out"), "{printed}");
    assert!(printed.contains("`rank: true`"), "{printed}");
}

/// Kernel Tuner ends at a configuration that its cache lacks.
#[test]
fn a_result_without_all_times_is_no_cache_of_kernel_tuner() {
    let refused = |kept: &Value, words: &str| {
        let ended = export(&[kept], &["--format", "kernel-tuner"]);
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{}", ended.stderr);
        assert!(ended.stderr.contains(words) && ended.stderr.contains("help: "), "{}", ended.stderr);
    };
    let usual = serde_json::from_str(&exported(&MATMUL, "json")).unwrap();
    refused(&usual, "matmul_tiled on fermi, size=1024 has 2 of 77");
    // The result of a large space lists what was searched, even with `--rank`.
    let large = ["tuning-specs/measured/convolution_milo.yaml", "--gpu", "a100", "--rank"];
    refused(&serde_json::from_str(&exported(&large, "json")).unwrap(), "has 6 of 4356");
    let both = run(autotune().args(["tuning-specs/matmul_tiled.yaml", "--gpu", "fermi,volta", "--format", "json"]));
    refused(&serde_json::from_str(&both.stdout).unwrap(), "an answer about several scenarios lists the best 10");
}

/// The names that Kernel Tuner's examples have in CUDA are those of macros there, and words in OpenCL.
#[test]
fn a_word_is_refused_where_the_sources_language_has_it() {
    let mut kept = renamed(&result("abstract-tiny", 16), "read_only");
    let export_of = |kept: &Value, format: &str| export(&[kept], &["--format", format]);
    let ranked = ["examples/kernels/vector_add.yaml", "--gpu", "a100", "--format", "json", "--no-analysis"];
    let source = json(&run(autotune().args(ranked)), "result.json")["source"].clone();
    assert!(source["files"].is_array(), "{source}");
    for (file, refusal) in [
        (None, None),
        (Some("k.cu"), None),
        (Some("k.hip"), None),
        (Some("k.cl"), Some("would be called `read_only`, which is a word of OpenCL C")),
    ] {
        if let Some(file) = file {
            kept["source"] = source.clone();
            kept["source"]["files"] = serde_json::json!([file]);
        }
        for format in ["flags", "header"] {
            let ended = export_of(&kept, format);
            let is_refused = ended.status == 2 && refusal.is_some_and(|words| ended.stderr.contains(words));
            assert!(is_refused || (ended.status == 0 && refusal.is_none()), "{file:?} {format}: {}", ended.stderr);
        }
    }
}

/// The specs of the project whose kernels are CUDA's.
#[test]
fn our_own_specs_are_exported_as_flags_and_header() {
    for spec in ["convolution_2d", "measured/convolution", "measured/convolution_milo17"] {
        let question = [&*format!("tuning-specs/{spec}.yaml"), "--gpu", "a100", "--no-analysis"];
        let result: Value = serde_json::from_str(&exported(&question, "json")).unwrap();
        for (format, form) in [("flags", "-Dread_only="), ("header", "#define read_only ")] {
            let ended = export(&[&result], &["--format", format]);
            assert!(ended.status == 0 && ended.stdout.contains(form), "{spec} {format}: {}", ended.stderr);
        }
    }
}

#[test]
fn a_batch_is_taken_from_its_folder_and_standard_input_and_says_what_it_leaves_out() {
    let (tiny, fermi) = (result("abstract-tiny", 16), result("abstract-fermi", 1024));
    let infeasible = run(autotune().args(&SMALL[..3]).args(["--set", "size=2", "--format", "json"])).stdout;
    let infeasible: Value = serde_json::from_str(&infeasible).unwrap();
    let job =
        |result: &Value| serde_json::json!({"spec": "k.yaml", "gpu": "g", "set": {}, "status": 0, "result": result});
    let failed =
        serde_json::json!({"spec": "bad.yaml", "gpu": "fermi", "set": {"size": 7}, "status": 2, "error": "no"});
    let results = [job(&tiny), failed, job(&infeasible), job(&fermi)];
    let batch = serde_json::json!({"schema": "autotune.batch/1", "results": results}).to_string();
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "results.json", &batch);
    let of_folder = run(autotune().arg("export").arg(folder.path()).args(["--format", "shell"]));
    assert_eq!((of_folder.status, of_folder.stdout.lines().count()), (0, 4), "{}", of_folder.stdout);
    let left_out = "note: left out: bad.yaml on fermi, size=7: no\n\
                    note: left out: abstract_kernel on abstract-tiny, size=2: no configuration is feasible\n";
    assert_eq!(of_folder.stderr, left_out);
    let of_input = run(autotune().args(["export", "-", "--format", "shell"]).write_stdin(batch));
    assert_eq!(of_input.stdout, of_folder.stdout);
    let chosen = export(&[&tiny, &fermi], &["--format", "flags", "--gpu", "abstract-fermi"]);
    assert_eq!(chosen.stdout, export(&[&fermi], &["--format", "flags"]).stdout);
}

#[test]
fn names_tell_kernels_gpus_and_sizes_apart() {
    let (tiny, fermi, large) =
        (result("abstract-tiny", 16), result("abstract-fermi", 1024), result("abstract-fermi", 4096));
    let value = |result: &Value, name: &str| result["optimum"]["parameters"][name].clone();
    let shell = export(&[&tiny, &fermi, &large], &["--format", "shell"]).stdout;
    for line in [
        format!("ABSTRACT_TINY_WG={}", value(&tiny, "WG")),
        format!("ABSTRACT_FERMI_SIZE_1024_TS={}", value(&fermi, "TS")),
        format!("ABSTRACT_FERMI_SIZE_4096_TS={}", value(&large, "TS")),
    ] {
        assert!(shell.lines().any(|one| one == line), "{line}: {shell}");
    }
    let other: Value =
        serde_json::from_str(&exported(&["tuning-specs/minimum.yaml", "--gpu", "abstract-fermi"], "json")).unwrap();
    let header = export(&[&fermi, &other], &["--format", "header"]).stdout;
    for (kernel, result) in [("ABSTRACT_KERNEL", &fermi), ("MINIMUM", &other)] {
        let line = format!("#define {kernel}_WG {}", value(result, "WG"));
        assert!(header.lines().any(|one| one == line), "{line}: {header}");
    }
}

#[test]
fn what_would_be_ambiguous_is_refused() {
    let (small, large) = (result("abstract-fermi", 1024), result("abstract-fermi", 4096));
    assert_ne!(small["optimum"]["parameters"], large["optimum"]["parameters"]);
    let refused = |results: &[&Value], options: &[&str], words: &[&str]| {
        let ended = export(results, options);
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{}", ended.stderr);
        for word in words {
            assert!(ended.stderr.contains(word), "{word}: {}", ended.stderr);
        }
    };
    refused(&[&small, &large], &["--format", "header"], &["for size=1024; ", "for size=4096", "--set NAME=VALUE"]);
    for format in ["flags", "t4", "t4-metadata", "kernel-tuner", "restrictions"] {
        refused(
            &[&small, &large],
            &["--format", format],
            &[
                "holds one result, and these are 2: ",
                "abstract_kernel on abstract-fermi, size=4096",
                "--set NAME=VALUE",
            ],
        );
    }
    assert_eq!(export(&[&small, &large], &["--format", "header", "--set", "size=4096"]).status, 0);
    // All mentions of the time are one tick less, so the result does not contradict itself.
    let ticks = small["optimum"]["ticks"].as_u64().unwrap();
    let faster = [ticks, ticks + 1]
        .iter()
        .fold(small.to_string(), |text, time| text.replace(&time.to_string(), &(time - 1).to_string()));
    let other: Value = serde_json::from_str(&faster).unwrap();
    refused(
        &[&small, &other],
        &["--format", "flags"],
        &["two results of abstract_kernel on abstract-fermi, size=1024 differ"],
    );
    refused(
        &[&small],
        &["--format", "flags", "--gpu", "volta"],
        &["no proved result matches `--kernel`, `--gpu` and `--set`"],
    );
}

/// The result with another name for a parameter, wherever the name occurs.
fn renamed(result: &Value, name: &str) -> Value {
    serde_json::from_str(&result.to_string().replace("\"WG\"", &format!("\"{name}\""))).unwrap()
}

/// Names that a spec may use, but that have a meaning in the target language.
#[test]
fn names_that_mean_something_there_are_refused() {
    let good = result("abstract-tiny", 16);
    let named = |name: &str, format: &str| export(&[&renamed(&good, name)], &["--format", format]);
    for (name, means) in [
        ("bool", "is a word of C"),
        ("half", "is a word of OpenCL C and of CUDA"),
        ("defined", "is a word of C"),
        ("float4", "is a word of OpenCL C and of CUDA"),
        ("linux", "is a word of C"),
        ("TARGET_ABSTRACT_TINY", "a header of autotune itself goes by"),
        ("__WG", "belongs to the compiler"),
    ] {
        for format in ["header", "flags"] {
            let ended = named(name, format);
            assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{name} {format}");
            let printed = format!("a parameter would be called `{name}`, which {means}");
            assert!(ended.stderr.contains(&printed), "{}", ended.stderr);
        }
        assert_eq!(named(name, "shell").stdout, format!("{name}=8\nTS=8\n"));
    }
    for name in ["RANDOM", "_", "path", "SHELLOPTS"] {
        let ended = named(name, "shell");
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
        assert!(ended.stderr.contains(&format!("`{name}`, which a shell itself goes by")), "{}", ended.stderr);
        assert_eq!(named(name, "flags").stdout, format!("-D{name}=8 -DTS=8\n"));
    }
}

type Change<'a> = &'a dyn Fn(&mut Value);

/// The recommended configuration is exported as the optimum is, and passes the same gate.
#[test]
fn nothing_of_a_forged_recommendation_is_exported() {
    let question = ["tuning-specs/matmul_tiled.yaml", "--gpu", "gtx1080", "--set", "size=256"];
    let good: Value = serde_json::from_str(&exported(&question, "json")).unwrap();
    assert_ne!(good["recommended"]["parameters"], good["optimum"]["parameters"]);
    let header = export(&[&good], &["--format", "header", "--pick", "recommended"]).stdout;
    assert!(
        header.starts_with("/* Launch parameters for matmul_tiled, chosen beside the optimum that is proved on"),
        "{header}"
    );
    let changes: [(&str, Change); 6] = [
        ("is not a valid name", &|one| {
            one["parameters"] = serde_json::json!({"$(touch pwned)": 1, "ROWS": 4, "COLS": 1});
        }),
        ("not an integer of 64 bits", &|one| one["parameters"]["TS"] = "32;touch pwned".into()),
        ("the list of configurations contradicts", &|one| one["parameters"]["TS"] = 7.into()),
        ("other parameters than the optimum", &|one| _ = one["parameters"].as_object_mut().unwrap().remove("ROWS")),
        ("the list of configurations contradicts", &|one| one["ticks"] = 1.into()),
        ("faster by the wave model than the fastest", &|one| one["by_waves"] = 0.5.into()),
    ];
    for (words, change) in changes {
        let mut forged = good.clone();
        change(&mut forged["recommended"]);
        let ended = export(&[&forged], &["--format", "shell", "--pick", "recommended"]);
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{words}");
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
    }
}

/// A result may come from anyone, and its export is compiled and evaluated.
#[test]
fn nothing_of_a_forged_result_reaches_a_compiler_or_a_shell() {
    let good = result("abstract-tiny", 16);
    let forged = |change: Change| {
        let mut result = good.clone();
        change(&mut result);
        export(&[&result], &["--format", "shell"])
    };
    let changes: [(&str, Change); 7] = [
        ("`X; reboot` is not a valid name", &|one| one["optimum"]["parameters"] = serde_json::json!({"X; reboot": 1})),
        ("not an integer of 64 bits", &|one| one["optimum"]["parameters"]["WG"] = "$(reboot)".into()),
        ("is not a valid name of a kernel", &|one| one["kernel"] = "*/ int x; /*".into()),
        ("a shell itself goes by", &|one| *one = renamed(one, "PATH")),
        ("marked proved but has no optimum", &|one| one["optimum"] = Value::Null),
        ("neither `autotune.result/2` nor", &|one| one["schema"] = "autotune.evaluation/1".into()),
        ("missing field", &|one| _ = one.as_object_mut().unwrap().remove("verdict")),
    ];
    for (words, change) in changes {
        let ended = forged(change);
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
    }
    let ended = run(autotune().args(["export", "-", "--format", "shell"]).write_stdin("no JSON"));
    assert!(ended.status == 2 && ended.stderr.contains("line 1 column 2"), "{}", ended.stderr);
}
