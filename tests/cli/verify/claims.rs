//! What is said beside the proof, and how it was made: as far as the folder shows it, it must be true.

use super::*;

const FORGERIES: [Forgery; 9] = [
    ("proof/model-1/01-pan-137.txt", "it is by spin 6.5.2, but result.json says spin 6.4.9", |result| {
        result["proof"]["checker"] = "spin 6.4.9".into();
    }),
    ("proof/model-1/model.pml", "its granularity is warp", |result| result["proof"]["granularity"] = "element".into()),
    ("proof/model-1/model.pml", "in the form roles, result.json says warp in the form wave", |result| {
        result["proof"]["form"] = "wave".into();
    }),
    ("result.json", "the strategy `guessing` is not known", |result| result["proof"]["strategy"] = "guessing".into()),
    ("result.json", "searches are not those of the strategy `branch-and-bound`", |result| {
        result["proof"]["strategy"] = "branch-and-bound".into();
    }),
    ("result.json", "the tile's TS=4 is none of the optimum's parameters", |result| {
        result["optimum"]["tile"]["TS"] = 4.into();
    }),
    ("result.json", "`naive` of 137 ticks is above the optimum's 136", |result| {
        result["analysis"]["max_plus"]["naive"] = 137.into();
    }),
    ("result.json", "`operations` of 137 ticks is above the optimum's 136", |result| {
        result["analysis"]["max_plus"]["operations"] = 137.into();
    }),
    ("result.json", "searches are not those of the strategy `bisection`", |result| {
        result["proof"]["models"][0]["descent"] = serde_json::json!({"improvements": 1, "states": 1, "steps": 1});
    }),
];

#[test]
fn a_changed_circumstance_is_found() {
    assert_all_refused(&FORGERIES);
}

/// A model that is written for one question names it.
#[test]
fn another_kernel_or_gpu_is_found_where_the_model_names_them() {
    let kept = Kept::of(&["--strategy", "blind"]);
    let good = kept.read("result.json");
    for (name, words) in [("kernel", "not about other on abstract-tiny"), ("gpu", "not about abstract_kernel on other")]
    {
        kept.write("result.json", &good);
        kept.edit(|result| result[name] = "other".into());
        kept.assert_refused(&format!("{MODEL}/model.pml"), words);
    }
}

#[test]
fn scripts_and_commands_that_this_program_does_not_write_are_found_though_sealed() {
    let kept = Kept::new();
    for (file, from, by, words) in [
        ("check.sh", "set -eu", "set -u", "it is not the script"),
        ("proof/model-1/search.sh", "ticks=136", "ticks=137", "it is not how the model was searched"),
        ("proof/model-1/search.sh", "-DSAFETY", "-DBITSTATE", "it is not how the model was searched"),
        ("top-2/model-1/search.sh", "-w16", "-w10", "it is not how the model was searched"),
        ("proof/model-1/commands.sh", "-DSAFETY", "-DBITSTATE", "makes no such command"),
        ("proof/model-1/commands.sh", "-a model.pml", "-a model.pml; rm -r /", "makes no such command"),
        ("proof/model-1/commands.sh", "AUTOTUNE_MT=136 ", "AUTOTUNE_MT=135 ", ""),
        (
            "proof/model-1/commands.sh",
            "AUTOTUNE_TABLES=tables.txt AUTOTUNE_MT=137 ./pan -w16 -r -S model.pml.trail\n",
            "",
            "0 replays follow",
        ),
    ] {
        let good = kept.read(file);
        kept.replace(file, from, by);
        kept.seal();
        kept.assert_refused(if words.is_empty() { "proof/model-1/02-pan-13" } else { file }, words);
        kept.write(file, &good);
    }
    kept.seal();
    kept.verify();
}

#[test]
fn a_witness_or_an_output_that_is_missing_or_new_is_found_though_sealed() {
    let kept = Kept::new();
    let witnesses = format!("{MODEL}/witnesses");
    let mut names: Vec<String> = kept.hashes().into_keys().filter(|name| name.starts_with(&witnesses)).collect();
    names.push(kept.file("top-2/model-1/witnesses", ".trail"));
    assert!(names.len() > 3, "{names:?}");
    for name in names {
        let good = kept.read(&name);
        std::fs::remove_file(kept.path(&name)).unwrap();
        kept.seal();
        kept.assert_refused(&name, "the commands leave it, but it is missing");
        kept.write(&name, &good);
    }
    let (last, more) = (kept.file(&witnesses, "-137-"), format!("{witnesses}/09-137-1.trail"));
    std::fs::copy(kept.path(&last), kept.path(&more)).unwrap();
    kept.seal();
    kept.assert_refused(&more, "no command leaves it");
}
