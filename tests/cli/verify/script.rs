//! The script in a kept folder, which repeats the proof without this program.

use super::*;

impl Kept {
    /// Checks that the script fails with these words, although the hashes are right.
    fn assert_script_refuses(&self, words: &str) {
        self.seal();
        let ended = by_hand(&self.path(""));
        assert!(ended.status == 1 && ended.stderr.contains(words), "no `{words}` in {}", ended.stderr);
        assert!(!ended.stdout.contains("are those of result.json"));
    }

    /// Checks that the script confirms the folder; returns what it prints.
    fn assert_script_confirms(&self) -> String {
        let ended = by_hand(&self.path(""));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
        let last =
            "the times and configurations are those of result.json: the optimum, its ties, and the best in top\n";
        assert!(ended.stdout.ends_with(last), "{}", ended.stdout);
        ended.stdout
    }

    fn remove_witnesses(&self, place: &str) {
        std::fs::remove_dir_all(self.path(&format!("{place}/witnesses"))).unwrap();
    }
}

/// The folder's own script repeats the proof without this program, and writes nothing in the folder.
#[test]
fn the_script_in_the_folder_repeats_the_proof() {
    let kept = Kept::new();
    let before = kept.hashes();
    // With the compiler that the script itself takes.
    let ended = run(Command::new("sh").arg("check.sh").current_dir(kept.path("")));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
    for words in [
        "[] (DONE -> (time >= 136)): errors: 0",
        "[] (DONE -> (time >= 137)): errors: 1",
        "WG=4 TS=8 ends at 136",
        "top-2/model-1: 7 configurations",
    ] {
        assert!(ended.stdout.contains(words), "no `{words}` in {}", ended.stdout);
    }
    assert_eq!(kept.hashes(), before);
    kept.replace(&format!("{MODEL}/search.sh"), "ticks=136", "ticks=137");
    let ended = by_hand(&kept.path(""));
    assert!(ended.status == 1 && ended.stderr.contains("SHA256SUMS"), "{}", ended.stderr);
    kept.seal();
    kept.assert_script_refuses("proof/model-1/search.sh: it is about 137 ticks, result.json claims 136");
}

#[test]
fn the_script_refuses_another_time_in_the_result() {
    let kept = Kept::new();
    let good = kept.read("result.json");
    kept.replace("result.json", "\"ticks\": 136", "\"ticks\": 135");
    kept.assert_script_refuses("the optimum takes 135 ticks, but the property is about 136");
    kept.replace("result.json", "time >= 136", "time >= 135");
    kept.assert_script_refuses("proof/model-1/search.sh: it is about 136 ticks, result.json claims 135");
    kept.write("result.json", &good);
    kept.replace("result.json", "time >= 136", "time <= 136");
    kept.assert_script_refuses("its property is missing or not understood");
    let top = good.find("\"top\"").unwrap();
    kept.write("result.json", &(good[..top].to_owned() + &good[top..].replacen("\"ticks\": 136", "\"ticks\": 135", 1)));
    kept.assert_script_refuses("the first of the best takes 135 ticks, not 136");
}

/// A lower time holds as a bound; the missing trail shows that no run takes it.
#[test]
fn the_script_refuses_a_time_that_no_trail_shows() {
    let kept = Kept::of(&["--no-prune"]);
    kept.remove_witnesses(MODEL);
    kept.assert_script_refuses("'errors: 0' was expected");
    kept.replace("result.json", "\"ticks\": 136", "\"ticks\": 135");
    kept.replace("result.json", "time >= 136", "time >= 135");
    kept.replace(&format!("{MODEL}/search.sh"), "ticks=136", "ticks=135");
    kept.assert_script_refuses("proof: no trail shows a run that takes 135 ticks");
}

#[test]
fn the_script_refuses_a_place_without_models() {
    let kept = Kept::new();
    std::fs::remove_dir_all(kept.path("top-2")).unwrap();
    kept.assert_script_refuses("top-2: it holds no model");
    std::fs::remove_dir_all(kept.path("proof")).unwrap();
    kept.assert_script_refuses("proof: it holds no model");
}

/// Configurations that differ in `b` alone are equal, and three of them are the fastest.
const EQUAL: &str = "
kernel: equal
parameters: { a: { values: [1, 2] }, b: { values: [1, 2, 3] } }
launch: { work_items: 64, work_group: 32 }
body: [ compute: { per_item: a } ]
";

/// The script finds the names that result.json has, in models of every kind, and with ties that are in no model.
#[test]
fn the_script_repeats_proofs_of_every_kind() {
    for options in [
        &["--strategy", "branch-and-bound"][..],
        &["--strategy", "bisection"],
        &["--granularity", "element"],
        &["--form", "wave", "--no-cost"],
        &["--config", "WG=2,TS=4"],
        &["--rank", "--configurations", "all", "--no-check-all"],
    ] {
        Kept::of(options).assert_script_confirms();
    }
    let kept = Kept { folder: tempfile::tempdir().unwrap() };
    kept.write("equal.yaml", EQUAL);
    let question = ["equal.yaml", "--gpu", "abstract-fermi", "--top", "5", "--keep", "kept"];
    assert_eq!(run(autotune().current_dir(kept.path("")).args(question)).status, 0);
    let printed = by_hand(&kept.path("kept"));
    assert_eq!((printed.status, printed.stderr.as_str()), (0, ""), "{}", printed.stdout);
    let equal = "  2 more are named, which result.json says to be equal to one of these";
    assert!(printed.stdout.lines().filter(|line| *line == equal).count() >= 2, "{}", printed.stdout);
}

/// Other names in the result, and how the script refuses them.
const MISNAMED: [Forgery; 5] = [
    ("result.json", "WG=2 TS=8: it is named as optimal, but not listed as such", |result| {
        result["optimum"]["parameters"]["WG"] = 2.into();
    }),
    ("result.json", "the optimum and its ties are not the configurations that are listed as optimal", |result| {
        result["ties"] = serde_json::json!([]);
    }),
    ("result.json", "WG=2 TS=8 is named, but no model shows that it takes this time", |result| {
        result["ties"][0]["WG"] = 2.into();
        for one in result["configurations"].as_array_mut().unwrap() {
            if one["status"] == "optimum" && one["parameters"]["WG"] == 4 {
                one["parameters"]["WG"] = 2.into();
            }
        }
    }),
    ("result.json", "WG=2 TS=2 is named, but no model shows that it takes this time", |result| {
        result["top"][2]["parameters"] = serde_json::json!({"WG": 2, "TS": 2});
    }),
    ("result.json", "WG=4 TS=8 takes this time, but is not named", |result| {
        result["top"].as_array_mut().unwrap().retain(|place| place["parameters"]["WG"] != 4 || place["ticks"] != 136);
    }),
];

#[test]
fn the_script_refuses_names_that_no_run_shows() {
    let kept = Kept::new();
    let good = kept.read("result.json");
    for (file, words, forge) in MISNAMED {
        kept.write(file, &good);
        kept.edit(forge);
        kept.assert_script_refuses(words);
    }
    kept.write("result.json", &good);
    kept.replace("top-2/model-1/configurations.txt", "WG=8 TS=4", "WG=9 TS=4");
    kept.assert_script_refuses("top-2: its models are not of all that are slower");
}

#[test]
fn the_script_names_a_wrong_trail() {
    let kept = Kept::of(&["--no-prune"]);
    let witnesses = format!("{MODEL}/witnesses");
    let trail = kept.file(&witnesses, "04-137-1");
    let text = kept.read(&trail);
    kept.write(&trail, text.lines().next().unwrap());
    kept.assert_script_refuses(&format!("{trail}: its replay shows no end of a run"));
}

/// No file is read unless all have a size that a proof can have, and a line in the file of hashes.
#[test]
fn the_script_reads_no_file_that_is_not_of_a_proof() {
    let kept = Kept::of(&["--no-prune"]);
    let sums = kept.read(SUMS);
    std::fs::File::create(kept.path("huge")).unwrap().set_len(200 << 30).unwrap();
    let refuses = |words: &str| {
        let ended = by_hand(&kept.path(""));
        assert!(ended.status == 1 && ended.stderr.contains(words), "no `{words}` in {}", ended.stderr);
    };
    refuses("./huge: it has more than 1073741824 bytes");
    std::fs::remove_file(kept.path("huge")).unwrap();
    for forged in
        [format!("{sums}{}  /dev/zero\n", "0".repeat(64)), sums.replace('\n', "\r\n"), "\n".to_owned() + &sums]
    {
        kept.write(SUMS, &forged);
        refuses("it does not have a line for each file of the folder");
    }
    kept.write(SUMS, &sums);
    kept.write("more", "");
    refuses("it does not have a line for each file of the folder");
}
