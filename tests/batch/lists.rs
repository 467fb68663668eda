//! Job lists: their results, and the errors of wrong ones.

use super::*;

#[test]
fn a_batch_gives_what_each_question_alone_gives() {
    let place = Place::new(JOBS);
    let output = place.batch(&["--out", "out", "--no-cache", "--format", "json"]).output().unwrap();
    // The broken spec is unusable input, and stops no other job.
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let results = json(&String::from_utf8(place.results()).unwrap());
    checked(&results, "batch.json");
    let results = results["results"].as_array().unwrap();
    let of = |entry: &Value| (entry["spec"].as_str().unwrap().to_owned(), entry["gpu"].as_str().unwrap().to_owned());
    let named: Vec<_> = results.iter().map(of).collect();
    let expected = [
        ("abstract.yaml", "abstract-tiny"),
        ("abstract.yaml", "abstract-tiny"),
        ("broken.yaml", "abstract-tiny"),
        ("broken.yaml", "abstract-tiny"),
        ("scale.yaml", "fermi"),
        ("scale.yaml", "volta"),
    ];
    assert_eq!(named, expected.map(|(spec, gpu)| (spec.to_owned(), gpu.to_owned())));
    for entry in results {
        let sizes = entry["set"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(name, size)| ["--set".to_owned(), format!("{name}={size}")]);
        let mut alone = Command::new(assert_cmd::cargo::cargo_bin("autotune"));
        alone.current_dir(place.folder.path()).envs(place.isolated());
        alone.args([entry["spec"].as_str().unwrap(), "--gpu", entry["gpu"].as_str().unwrap()]).args(sizes);
        let alone = alone.args(["--format", "json", "--no-cost", "--no-cache"]).output().unwrap();
        assert_eq!(alone.status.code().map(i64::from), entry["status"].as_i64());
        if entry["status"] == 0 {
            checked(&entry["result"], "result.json");
            assert_eq!(json(&stdout(&alone)), entry["result"]);
        } else {
            let told = entry["error"].as_str().unwrap();
            assert!(told.contains("unknown name `WGS`") && stderr(&alone).contains(told), "{told}");
        }
    }
    let summary = json(&stdout(&output));
    checked(&summary, "batch_summary.json");
    assert_eq!((&summary["ended"], summary["jobs"].as_array().unwrap().len()), (&6.into(), 6));
    for line in place.journal().lines() {
        checked(&json(line), "journal.json");
    }
    assert!(place.temporary_files().is_empty());
    place.has_no_processes();
}

#[test]
fn the_cache_changes_no_byte_and_how_many_run_neither() {
    let place = Place::new(JOBS);
    for jobs in ["1", "4"] {
        for _ in 0..2 {
            let output = place.batch(&["--out", "out", "--jobs", jobs]).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
            assert!(place.results() == *UNDISTURBED, "results differ with {jobs} at a time");
            std::fs::remove_dir_all(place.path("out")).unwrap();
        }
    }
}

#[test]
fn a_dry_run_tells_what_would_run_and_writes_nothing() {
    let place = Place::new(JOBS);
    let output = place.batch(&["--dry-run", "--format", "json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let plan = json(&stdout(&output));
    checked(&plan, "plan.json");
    let jobs = plan["jobs"].as_array().unwrap();
    assert!(jobs[2]["error"].as_str().unwrap().contains("unknown name `WGS`"));
    assert!(!place.path("out").exists());
    // The plan is compared with the real searches of SPIN.
    let run = place.batch(&["--out", "out"]).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    let results = json(&String::from_utf8(place.results()).unwrap());
    for (planned, entry) in jobs.iter().zip(results["results"].as_array().unwrap()) {
        assert_eq!(planned["searched"], entry["result"]["proof"]["configurations"]["checked"]);
        let counts = &entry["result"]["proof"]["configurations"];
        assert_eq!(planned["configurations"], counts["all"]);
    }
}

#[test]
fn limits_of_a_job_are_kept() {
    let list = "jobs: [{ specs: [abstract.yaml], gpus: [fermi], limits: { time: 1ms, memory: 512MiB } }]";
    let place = Place::new(list);
    let output = place.batch(&["--out", "out", "--no-cache"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let results = json(&String::from_utf8(place.results()).unwrap());
    assert_eq!(results["results"][0]["result"]["stopped"], "time");
}

#[test]
fn a_pattern_names_specs_in_their_order() {
    let place = Place::new("jobs: [{ specs: ['*.yaml'], gpus: [./mine.yaml], set: { size: 16 } }]");
    let profile =
        Command::new(assert_cmd::cargo::cargo_bin("autotune")).args(["gpus", "abstract-tiny"]).output().unwrap();
    std::fs::write(place.path("mine.yaml"), profile.stdout).unwrap();
    let output = place.batch(&["--dry-run", "--format", "json"]).output().unwrap();
    let plan = json(&stdout(&output));
    let specs: Vec<&str> = plan["jobs"].as_array().unwrap().iter().map(|job| job["spec"].as_str().unwrap()).collect();
    assert_eq!(specs, ["abstract.yaml", "broken.yaml", "jobs.yaml", "mine.yaml", "scale.yaml"]);
    assert_eq!(plan["jobs"][0]["gpu"], "./mine.yaml");
    assert!(plan["jobs"][0]["searched"].as_u64().unwrap() > 0);
}

/// A mistake is shown at its place.
#[test]
fn wrong_lists_are_told_where_they_are_wrong() {
    let lists = [
        ("jobs:\n  - specs: [a.yaml]\n    gpu: [fermi]\n", "did you mean `gpus`?", "jobs.yaml:3:5"),
        ("jobs:\n  - specs: [a.yaml]\n", "the key `gpus` is missing", "jobs.yaml:2:5"),
        ("jobs:\n  - { specs: [no*.yaml], gpus: [fermi] }\n", "no file matches `no*.yaml`", "jobs.yaml:2:15"),
        (
            "jobs:\n  - { specs: [a.yaml], gpus: [fermi], limits: { time: long } }\n",
            "`long` is not a time",
            "jobs.yaml:2:55",
        ),
        (
            "jobs:\n  - { specs: [a.yaml], gpus: [fermi], limits: { memory: 1MiB } }\n",
            "`1MiB` is not an amount of memory for a search: it is not between 16.0 MiB and 4.0 TiB",
            "jobs.yaml:2:57",
        ),
        ("jobs:\n  - { specs: [a.yaml], gpus: [fermi], set: { size: big } }\n", "`big` is not", "jobs.yaml:2:52"),
        ("jobs:\n  - { specs: [a.yaml], gpus: ['vendor:nobody'] }\n", "nobody", "jobs.yaml:2:31"),
        ("jobs: []\n", "it has no jobs", "cannot use job list `jobs.yaml`"),
        ("jobs: [\n", "", "jobs.yaml:"),
    ];
    for (list, what, place) in lists {
        let here = Place::new(list);
        let output = here.batch(&["--out", "out"]).output().unwrap();
        let told = stderr(&output);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{told}");
        assert!(told.contains(what) && told.contains(place), "{list}\n{told}");
        assert!(!here.path("out").exists());
    }
    let missing = Place::new(JOBS);
    std::fs::remove_file(missing.path("jobs.yaml")).unwrap();
    let output = missing.batch(&["--out", "out"]).output().unwrap();
    assert!(output.status.code() == Some(2) && stderr(&output).contains("jobs.yaml"));
}

/// One page for the batch and one for each tuning, with links in both directions.
#[test]
fn pages_are_written_on_request() {
    let place = Place::new(JOBS);
    let output = place.batch(&["--out", "out", "--report", "pages"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let entries = std::fs::read_dir(place.path("pages")).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    let tunings =
        ["0001-abstract-abstract-tiny", "0002-abstract-abstract-tiny", "0005-scale-fermi", "0006-scale-volta"];
    let tunings = tunings.map(|name| format!("{name}.html"));
    assert_eq!(files, [tunings.as_slice(), &["index.html".to_owned()]].concat());
    let read = |file: &str| std::fs::read_to_string(place.path("pages").join(file)).unwrap();
    let index = read("index.html");
    assert!(index.contains("unknown name `WGS`"), "what failed is told");
    for tuning in tunings {
        assert!(index.contains(&tuning) && read(&tuning).contains("index.html"), "{tuning}");
    }
    let file = place.path("pages/index.html");
    std::fs::write(&file, "my own page").unwrap();
    let output = place.batch(&["--out", "out", "--resume", "--report", "pages"]).output().unwrap();
    assert!(stderr(&output).contains("index.html") && std::fs::read_to_string(file).unwrap() == "my own page");
}

/// On a terminal, a bar for each running job and one for all; otherwise lines, or nothing.
#[test]
fn progress_suits_whoever_looks() {
    let place = Place::new(JOBS);
    let batch = place.batch(&["--out", "out", "--no-cache"]);
    let mut words = vec![batch.get_program().to_str().unwrap()];
    words.extend(batch.get_args().map(|argument| argument.to_str().unwrap()));
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &words.join(" "), "/dev/null"]).current_dir(place.folder.path());
    terminal.envs(place.isolated()).env("TERM", "xterm");
    let shown = stdout(&terminal.output().expect("script, of util-linux, is needed for this test"));
    assert!(shown.contains("of 6 jobs") && shown.contains("left"), "{shown}");
    assert!(shown.contains("scale.yaml on fermi: "), "{shown}");
    std::fs::remove_dir_all(place.path("out")).unwrap();
    let lines = stderr(&place.batch(&["--out", "out"]).output().unwrap());
    assert!(lines.contains("[6/6] ") && !lines.contains('\u{1b}') && lines.lines().count() == 6, "{lines}");
    std::fs::remove_dir_all(place.path("out")).unwrap();
    assert_eq!(stderr(&place.batch(&["--out", "out", "--quiet"]).output().unwrap()), "");
}

/// Files that can be read only once, or never end, fail alone and at once.
#[test]
fn what_is_no_file_fails_alone() {
    let place = Place::new("jobs: [{ specs: [pipe.yaml, /dev/zero, scale.yaml], gpus: [fermi, ./pipe.yaml] }]");
    assert!(Command::new("mkfifo").arg(place.path("pipe.yaml")).status().unwrap().success());
    let output = place.batch(&["--out", "out", "--format", "json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let jobs = json(&stdout(&output));
    let told: Vec<_> =
        jobs["jobs"].as_array().unwrap().iter().map(|job| job["error"].as_str().unwrap_or_default()).collect();
    assert!(told[..4].iter().all(|error| error.contains("not a regular file")), "{told:?}");
    assert!(told[4].is_empty() && told[5].contains("pipe.yaml`: it is a FIFO, not a regular file"), "{told:?}");
}

#[test]
fn a_file_that_no_pattern_can_name_is_not_missed_silently() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new("jobs:\n  - { specs: ['s*.yaml'], gpus: [fermi] }\n");
    std::fs::write(place.folder.path().join(std::ffi::OsStr::from_bytes(b"s\xff.yaml")), "").unwrap();
    let output = place.batch(&["--dry-run"]).output().unwrap();
    assert!(output.status.code() == Some(2) && stderr(&output).contains("jobs.yaml:2:15"), "{}", stderr(&output));
    let literal = Place::new("jobs: [{ specs: ['[s].yaml'], gpus: [fermi] }]");
    std::fs::rename(literal.path("scale.yaml"), literal.path("[s].yaml")).unwrap();
    assert_eq!(literal.batch(&["--dry-run"]).output().unwrap().status.code(), Some(0));
}

#[test]
fn a_folder_that_cannot_be_one_is_told() {
    let place = Place::new(JOBS);
    let output = place.batch(&["--out", "scale.yaml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("scale.yaml") && stderr(&output).contains("help: "), "{}", stderr(&output));
}

/// A batch begins in a new or an empty folder, and goes on in its own.
#[test]
fn a_folder_with_files_of_others_is_refused() {
    let place = Place::new("jobs: [{ specs: [scale.yaml], gpus: [fermi] }]");
    std::fs::create_dir(place.path("notes")).unwrap();
    std::fs::write(place.path("notes/mine.txt"), "mine").unwrap();
    for (out, more) in [("notes", None), ("notes", Some("--resume")), (".", None)] {
        let files = || std::fs::read_dir(place.path(out)).unwrap().count();
        let before = files();
        let arguments: Vec<&str> = ["--out", out].into_iter().chain(more).collect();
        let output = place.batch(&arguments).output().unwrap();
        assert_eq!((output.status.code(), stdout(&output).as_str(), files()), (Some(2), "", before));
        let words = [&format!("the folder `{out}` has files, and none of them is of a batch"), "help: name a new"];
        assert!(words.iter().all(|words| stderr(&output).contains(*words)), "{}", stderr(&output));
    }
    std::fs::create_dir(place.path("empty")).unwrap();
    assert_eq!(place.batch(&["--out", "empty"]).output().unwrap().status.code(), Some(0));
    // What the user puts there later is no matter.
    std::fs::write(place.path("empty/mine.txt"), "mine").unwrap();
    assert_eq!(place.batch(&["--out", "empty", "--resume"]).output().unwrap().status.code(), Some(0));
}

#[test]
fn warnings_stand_in_every_result_and_are_told_once() {
    let place = Place::new("jobs:\n  - { specs: [doubtful.yaml, meant.yaml], gpus: [fermi, volta] }\n");
    let doubtful = "kernel: doubtful\nparameters:\n  WG: { values: [64, 128] }\n  OTHER: { values: [0, 1] }\n#\n\
                    launch: { work_items: 4096, work_group: WG }\nbody:\n  - store: { array: out, per_item: WG / 64 }\n";
    std::fs::write(place.path("doubtful.yaml"), doubtful).unwrap();
    std::fs::write(place.path("meant.yaml"), doubtful.replace('#', "unused: [OTHER]\nvaries: [out]")).unwrap();
    // The second run takes its answers from the cache.
    for (out, quiet) in [("out", None), ("again", None), ("quiet", Some("--quiet"))] {
        let arguments = [Some("--out"), Some(out), Some("--format"), Some("json"), quiet];
        let output = place.batch(&arguments.into_iter().flatten().collect::<Vec<_>>()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let results = json(&std::fs::read_to_string(place.path(out).join("results.json")).unwrap());
        checked(&results, "batch.json");
        let summary = json(&stdout(&output));
        checked(&summary, "batch_summary.json");
        for (entry, job) in results["results"].as_array().unwrap().iter().zip(summary["jobs"].as_array().unwrap()) {
            checked(&entry["result"], "result.json");
            let warnings = &entry["result"]["warnings"];
            assert_eq!(warnings, &job["warnings"]);
            let kinds: Vec<&str> =
                warnings.as_array().into_iter().flatten().map(|warning| warning["kind"].as_str().unwrap()).collect();
            let expected: &[&str] =
                if entry["spec"] == "doubtful.yaml" { &["unused_parameter", "work_varies"] } else { &[] };
            assert_eq!(kinds, expected, "{entry:#}");
        }
        let told = stderr(&output);
        let times = usize::from(quiet.is_none());
        for words in
            ["uses the parameter `OTHER`", "the bytes stored to `out` depend", "doubtful.yaml:4:3", "doubtful.yaml:8:5"]
        {
            assert_eq!(told.matches(words).count(), times, "`{words}` in {told}");
        }
    }
}
