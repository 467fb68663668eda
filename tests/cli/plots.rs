//! Pictures: the content of the files that `--plot` writes.

use super::failures::assert_fails;
use super::*;

const COULOMB: [&str; 6] = [
    "validate",
    "tuning-specs/measured/coulomb.yaml",
    "--measured",
    "tests/data/measured/coulomb__rtx2080ti.csv.gz",
    "--gpu",
    "rtx2080ti",
];

/// The picture that a command draws.
fn drawn(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.svg");
    let ended = run(autotune().args(arguments).arg("--plot").arg(&file));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    std::fs::read_to_string(file).unwrap()
}

/// The number of elements with this name.
fn count(picture: &roxmltree::Document, element: &str) -> usize {
    picture.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", element))).count()
}

/// All texts in the picture.
fn texts<'a>(picture: &'a roxmltree::Document) -> Vec<&'a str> {
    picture.descendants().filter(roxmltree::Node::is_text).filter_map(|node| node.text()).map(str::trim).collect()
}

/// The number of elements whose place is outside the picture.
fn outside(picture: &roxmltree::Document) -> usize {
    let size = |name| picture.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
    let within = |node: &roxmltree::Node, names: [&str; 2], most: f64| {
        let value = names.iter().find_map(|name| node.attribute(*name));
        value.and_then(|value| value.parse::<f64>().ok()).is_none_or(|value| (0.0..=most).contains(&value))
    };
    let (width, height) = (size("width"), size("height"));
    let inside = |node: &roxmltree::Node| within(node, ["x", "cx"], width) && within(node, ["y", "cy"], height);
    picture.descendants().filter(|node| node.is_element() && !inside(node)).count()
}

#[test]
fn a_set_of_measurements_has_a_dot_for_each_run_and_says_what_it_shows() {
    let text = drawn(&COULOMB);
    let picture = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(picture.root_element().attribute("width"), Some("1000"));
    // The circles of the chart of times and of the chart of ranks.
    assert_eq!(count(&picture, "circle"), 2 * 210);
    assert_eq!(outside(&picture), 0);
    let texts = texts(&picture);
    for printed in [
        "coulomb on rtx2080ti: predictions (machine) against measurements",
        "210 runs, of which 210 succeeded and 210 of these were predicted (a dot each)",
        "measured time (ms)",
        "predicted time (ms)",
        "rank of the measured time (1 is fastest)",
        "predicted fastest",
        "measured fastest",
        "best measured time",
        "best predicted time",
        "Z_ITERATIONS",
        "INNER_UNROLL_FACTOR",
        "time / optimum",
        "cannot run",
    ] {
        assert!(texts.contains(&printed), "`{printed}` is not in {texts:?}");
    }
    assert_eq!(drawn(&COULOMB), text, "the same question gives the same bytes");
}

/// The marks of the scales beside the heat maps, left and right: where in its panel each is, and what stands there.
#[test]
fn measured_and_predicted_times_share_one_scale() {
    let text = drawn(&COULOMB);
    let picture = roxmltree::Document::parse(&text).unwrap();
    let is_text = |node: &roxmltree::Node| node.has_tag_name(("http://www.w3.org/2000/svg", "text"));
    let mut scales: [Vec<(i32, i32, &str)>; 2] = [Vec::new(), Vec::new()];
    for node in picture.descendants().filter(is_text) {
        let [x, y] = ["x", "y"].map(|name| node.attribute(name).unwrap().parse::<i32>().unwrap());
        let words = node.text().unwrap().trim();
        if y > 500 && x % 500 > 420 && words.parse::<f64>().is_ok() {
            scales[usize::from(x > 500)].push((x % 500, y, words));
        }
    }
    let words: Vec<&str> = scales[0].iter().map(|mark| mark.2).collect();
    assert_eq!(words, ["1.00", "2.00", "5.00", "10.0"]);
    assert_eq!(scales[0], scales[1]);
}

#[test]
fn what_failed_has_no_dot_and_what_cannot_run_is_crossed_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sizes.csv");
    let rows = [1024, 2048].map(|n| format!("{n},32,1,3\n{n},64,1,2\n{n},128,1,4\n{n},256,1,\n"));
    std::fs::write(&file, format!("n,block_x,block_y,time_ms\n{}", rows.concat())).unwrap();
    let spec = "tuning-specs/measured/nvb_conv1d_tiled.yaml";
    let text = drawn(&["validate", spec, "--gpu", "volta", "--measured", file.to_str().unwrap()]);
    let picture = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(count(&picture, "circle"), 2 * 2 * 3);
    let texts = texts(&picture);
    for printed in
        ["8 runs, of which 6 succeeded and 6 of these were predicted (a dot each)", "n=1024", "n=2048", "block_x"]
    {
        assert!(texts.contains(&printed), "`{printed}` is not in {texts:?}");
    }
    // Of four cells three are measured, relative to 2 ms; that of 256 is empty.
    assert_eq!(["1.50", "1.00", "2.00"].map(|ratio| texts.contains(&ratio)), [true; 3], "{texts:?}");
}

#[test]
fn the_shipped_picture_is_what_the_command_in_the_book_draws() {
    let page = crate::readme::page("guide/validate.md");
    let command = format!("autotune {} --plot docs/coulomb.svg", COULOMB.join(" "));
    assert!(page.contains(&command) && page.contains("](../coulomb.svg)"), "the book lacks `{command}`");
    let shipped = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/coulomb.svg")).unwrap();
    assert!(drawn(&COULOMB) == shipped, "draw docs/coulomb.svg anew with `{command}` and look at it");
}

#[test]
fn a_file_that_cannot_be_written_says_why_and_takes_no_answer() {
    let ended = run(autotune().args(COULOMB).args(["--plot", "no/such/folder/x.svg"]));
    assert!(ended.status == 1 && ended.stderr.contains("no/such/folder/x.svg"), "{}", ended.stderr);
    assert_eq!(ended.stdout, run(autotune().args(COULOMB)).stdout);
    assert_fails(autotune().args(COULOMB).args(["--plot", "picture.png"]), 2, &["picture.png", "must end in .svg"]);
}

#[test]
fn a_comparison_has_a_dot_for_each_configuration_under_the_roofs_and_by_each_model() {
    let text = drawn(&["compare", "tuning-specs/convolution_2d.yaml", "--gpu", "fermi", "--all"]);
    let picture = roxmltree::Document::parse(&text).unwrap();
    // Under the roofs the optimum is a cross; each of the five other models ranks all 422.
    assert_eq!(count(&picture, "circle"), 421 + 5 * 422);
    assert_eq!(outside(&picture), 0);
    let texts = texts(&picture);
    for printed in [
        "convolution_2d on fermi: what the machine and the formulas say",
        "422 configurations that can run",
        "roofline",
    ] {
        assert!(texts.contains(&printed), "{printed} is not in {texts:?}");
    }
    for model in ["max_plus_naive", "max_plus_operations", "max_plus_serialized", "waves", "efficiency"] {
        assert!(texts.contains(&format!("rank by {model}").as_str()), "{model} is not in {texts:?}");
        assert!(texts.iter().any(|text| text.starts_with(&format!("{model}: ranks"))), "{model}: {texts:?}");
    }
    // A lockstep GPU does not have a roofline.
    let text = drawn(&["compare", "tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-fermi"]);
    assert!(!text.contains("roofline"));
}

/// Chromium draws `docs/report.png`, so that its text is compared; the other pictures are compared byte by byte.
#[test]
fn the_pictures_of_the_book_are_those_that_the_script_draws() {
    let mut script = std::process::Command::new("python3");
    script.arg("ci/pictures").arg("--check").env("AUTOTUNE", env!("CARGO_BIN_EXE_autotune"));
    let output = script.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
