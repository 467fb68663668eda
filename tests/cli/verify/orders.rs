//! Kept answers about every order of simultaneous events: three programs confirm them and refuse forged ones.

use super::*;
use crate::orders::{EVERY, SOME};

const RESULT: &str = "result.json";
const WAVE: &str = "schedules/1/wave-1";
const ANY: [&str; 3] = ["--schedules", "any", "--no-analysis"];

/// A change of the result.
type Forge = fn(&mut Value);

/// The ends of `check.py` and `check.sh`.
fn checks(kept: &Kept) -> [Ended; 2] {
    [run(Command::new("python3").arg("check.py").current_dir(kept.path(""))), by_hand(&kept.path(""))]
}

#[test]
fn answers_about_every_order_are_confirmed_and_forged_ones_refused() {
    let kept = kept(&EVERY, &ANY);
    let verified = kept.verify();
    assert!(verified["models"].as_u64() >= Some(2));
    assert_eq!(verified["schedules"], "every");
    let [python, script] = checks(&kept);
    assert_eq!((python.status, python.stdout.lines().last()), (0, Some("optimum confirmed")), "{}", python.stdout);
    assert!(python.stdout.contains("explored in every order of simultaneous events"), "{}", python.stdout);
    assert_eq!((script.status, script.stderr.as_str()), (0, ""), "{}", script.stdout);
    assert!(script.stdout.contains("take their least and greatest times in every order"), "{}", script.stdout);
    let good = kept.read(RESULT);
    let raised: Forge = |result| shift(result, "least", 1);
    let lowered: Forge = |result| shift(result, "greatest", -1);
    for (forge, words) in [(raised, "schedules.least is"), (lowered, "schedules.greatest is")] {
        kept.write(RESULT, &good);
        kept.edit(forge);
        kept.assert_refused(RESULT, words);
        for ended in checks(&kept) {
            assert_eq!(ended.status, 1, "{} {}", ended.stdout, ended.stderr);
        }
    }
    kept.write(RESULT, &good);
    assert_models_are_made_again(&kept);
}

/// Another configuration may win: a slow run of the optimum and the other one's run are kept, and no search is exhaustive.
#[test]
fn answers_that_name_a_configuration_that_may_win_are_confirmed_and_forged_ones_refused() {
    let kept = kept(&SOME, &ANY);
    assert_eq!(kept.verify()["schedules"], "some");
    let [python, script] = checks(&kept);
    assert_eq!((python.status, python.stdout.lines().last()), (0, Some("optimum confirmed")), "{}", python.stdout);
    assert_eq!((script.status, script.stderr.as_str()), (0, ""), "{}", script.stdout);
    for words in ["a run of the optimum's wave takes", "WG=64 TS=4 takes 109941"] {
        assert!(script.stdout.contains(words), "{}", script.stdout);
    }
    kept.edit(|result| result["schedules"]["may_win"][0]["ticks"] = 109_900.into());
    kept.assert_refused(RESULT, "schedules.may_win[0].ticks is 109900");
    for ended in checks(&kept) {
        assert_eq!(ended.status, 1, "{} {}", ended.stdout, ended.stderr);
    }
}

/// A claim that is changed in the result and in the wave that it follows from.
fn shift(result: &mut Value, name: &str, by: i64) {
    for place in ["/schedules", "/schedules/explored/0", "/schedules/explored/0/waves/0"] {
        let found = result.pointer_mut(place).unwrap();
        found[name] = (found[name].as_i64().unwrap() + by).into();
    }
}

/// Behaviours that a model leaves out, with the model's hash in the result: only the model made from the inputs shows it.
fn assert_models_are_made_again(kept: &Kept) {
    let file = format!("{WAVE}/model.pml");
    let (model, result) = (kept.read(&file), kept.read(RESULT));
    for (from, by) in [
        // The last warp is never chosen.
        (":: offered[7] -> next = 7", ":: false -> next = 7"),
        // The ready warps at one server alone are ordered, even where another may come.
        ("-> one_server = false", "-> skip"),
    ] {
        kept.replace(&file, from, by);
        let hash = sha256(kept.read(&file).as_bytes());
        kept.edit(|result| result["schedules"]["explored"][0]["waves"][0]["sha256"] = hash.into());
        kept.assert_refused(&file, "the repeated proof has");
        kept.write(&file, &model);
        kept.write(RESULT, &result);
    }
}
