//! The script in a kept folder, which repeats the proof without this program.

use super::*;

impl Kept {
    fn script(&self) -> Ended {
        run(Command::new("sh").arg("check.sh").current_dir(self.path("")))
    }

    /// Checks that the script fails with these words, although the hashes are right.
    fn assert_script_refuses(&self, words: &str) {
        self.seal();
        let ended = self.script();
        assert!(ended.status == 1 && ended.stderr.contains(words), "no `{words}` in {}", ended.stderr);
        assert!(!ended.stdout.contains("all as result.json says"));
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
    let ended = kept.script();
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
    let ended = kept.script();
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
