//! The answer about several scenarios as a page and in the formats of other programs.

use super::*;

const ONE: [&str; 6] =
    ["tuning-specs/matmul_tiled.yaml", "--gpu", "a100,h100,rtx4090,mi250x", "--set", "size=1024", "--no-cost"];
const ALL: [&str; 6] = ["tuning-specs/matmul_tiled.yaml", "--gpu", "a100,h100", "--set", "size=512,1024", "--no-cost"];
const TWO: [&str; 2] = ["--variants", "2"];

fn printed(options: &[&str], format: &str) -> String {
    let ended = run(autotune().args(ONE).args(options).args(["--format", format]));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{format}");
    ended.stdout
}

fn report(options: &[&str]) -> Value {
    json(&run(autotune().args(ONE).args(options).args(["--format", "json"])), "fleet.json")
}

/// The parameters of the answer, as `TS=32 ROWS=4 COLS=4`.
fn label(parameters: &Value, separator: &str) -> String {
    let parameters = parameters.as_object().unwrap();
    parameters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(separator)
}

#[test]
fn one_configuration_has_every_form_of_an_optimum() {
    let report = report(&[]);
    let parameters = &report["optimum"]["parameters"];
    assert_eq!(printed(&[], "flags"), format!("-D{}\n", label(parameters, " -D")));
    assert_eq!(printed(&[], "shell"), label(parameters, "\n") + "\n");
    assert_eq!(printed(&[], "triton"), "triton.Config({\"TS\": 32, \"ROWS\": 4, \"COLS\": 4})\n");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("best.h"), printed(&[], "header")).unwrap();
    let program = "#include \"best.h\"\nint sum[TS == 32 && ROWS == 4 && COLS == 4 ? 1 : -1];\n";
    std::fs::write(folder.path().join("main.c"), program).unwrap();
    let strict = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", "main.c"];
    let ended = run(Command::new("gcc").args(strict).current_dir(folder.path()));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    let table = printed(&[], "csv");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!((lines.len(), lines[0]), (41, "kernel,gpu,size,TS,ROWS,COLS,ticks,slowdown"));
    assert_eq!(lines[1], "matmul_tiled,a100,1024,32,4,4,3773759,1");
}

/// "At most" is not less than the exact quotient.
#[test]
fn a_bound_of_the_slowdown_is_rounded_up() {
    let report = report(&[]);
    let worst = &report["optimum"]["worst"];
    let [numerator, denominator] = ["numerator", "denominator"].map(|name| u128::from(worst[name].as_u64().unwrap()));
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("pages");
    let text = run(autotune().args(ONE).arg("--report").arg(&page)).stdout;
    let page = std::fs::read_to_string(page.join("index.html")).unwrap();
    for (form, digits) in [(printed(&[], "header"), 6), (text, 4), (page, 4)] {
        let (_, figure) = form.split_once("at most ").unwrap();
        let figure = figure.split(' ').next().unwrap();
        let (whole, fraction) = figure.split_once('.').unwrap_or((figure, ""));
        let scaled: u128 = format!("{whole}{fraction:0<digits$}").parse().unwrap();
        let scale = 10_u128.pow(u32::try_from(digits).unwrap());
        assert_eq!(scaled, (numerator * scale).div_ceil(denominator), "{figure} for {numerator} / {denominator}");
    }
}

/// The forms that the folder of third parties' schemas accepts.
fn assert_valid(text: &str, schema: &str) -> Value {
    let ended = Ended { status: 0, stdout: text.to_owned(), stderr: String::new() };
    json(&ended, &format!("third-party/{schema}"))
}

#[test]
fn files_of_other_tuners_have_the_slowdowns() {
    let report = report(&[]);
    let results = assert_valid(&printed(&[], "t4"), "T4-1.0.0-results.json");
    let first = &results["results"][0];
    assert_eq!(first["configuration"], report["optimum"]["parameters"]);
    assert_eq!(first["measurements"][0]["value"], report["optimum"]["worst"]["slowdown"]);
    assert_eq!(first["measurements"].as_array().unwrap().len(), 5);
    let metadata = assert_valid(&printed(&[], "t4-metadata"), "T4-1.0.0-metadata.json");
    assert_eq!(metadata["metadata"]["hardware"]["hardware_description"].as_array().unwrap().len(), 4);
}

#[test]
fn variants_have_a_line_or_names_each() {
    let report = report(&TWO);
    let variants = report["variants"].as_array().unwrap();
    let flags: Vec<String> = variants.iter().map(|one| format!("-D{}", label(&one["parameters"], " -D"))).collect();
    assert_eq!(printed(&TWO, "flags").lines().collect::<Vec<_>>(), flags);
    let header = printed(&TWO, "header");
    assert!(header.contains("#define MATMUL_TILED_VARIANTS 2\n#define MATMUL_TILED_0_TS "), "{header}");
    assert!(printed(&TWO, "shell").contains("VARIANT_1_TS="));
    assert_eq!(printed(&TWO, "triton").lines().count(), 2);
    assert_eq!(printed(&TWO, "csv").lines().count(), 9);
    assert_valid(&printed(&TWO, "t4"), "T4-1.0.0-results.json");
}

#[test]
fn a_kept_result_gives_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fleet.json");
    std::fs::write(&path, printed(&[], "json")).unwrap();
    let export = |options: &[&str]| run(autotune().arg("export").arg(&path).args(options));
    for format in ["flags", "header", "shell", "triton", "csv", "t4", "t4-metadata"] {
        let ended = export(&["--format", format]);
        assert_eq!((ended.status, ended.stdout), (0, printed(&[], format)), "{format}");
    }
    let ended = export(&["--format", "restrictions"]);
    assert!(ended.status == 2 && ended.stderr.contains("`--format restrictions` is about one GPU"), "{}", ended.stderr);
    assert_eq!(export(&["--format", "flags", "--gpu", "fermi"]).status, 2);
    let text = std::fs::read_to_string(&path).unwrap().replacen("\"TS\"", "\"T;S\"", 20);
    std::fs::write(&path, text).unwrap();
    let ended = export(&["--format", "shell"]);
    assert!(
        ended.status == 2 && ended.stdout.is_empty() && ended.stderr.contains("not a valid name"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_page_shows_all_slowdowns_and_what_the_formats_print() {
    for (asked, options) in [(ONE, &[][..]), (ALL, &TWO)] {
        let folder = tempfile::tempdir().unwrap();
        let write = || {
            let ended =
                run(autotune().args(asked).args(options).args(["--format", "json", "--report"]).arg(folder.path()));
            assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
            (std::fs::read_to_string(folder.path().join("index.html")).unwrap(), json(&ended, "fleet.json"))
        };
        let (page, report) = write();
        let listed = if options.is_empty() { &report["best"] } else { &report["variants"] };
        for configuration in listed.as_array().unwrap() {
            for time in configuration["times"].as_array().unwrap() {
                // Rounded up from 6 digits to 4.
                let slowdown = (time["slowdown"].as_f64().unwrap() * 1e4 - 1e-6).ceil() / 1e4;
                let slowdown = format!("{slowdown:.4}</td>");
                assert!(page.contains(&slowdown), "{slowdown}");
            }
        }
        for scenario in report["scenarios"].as_array().unwrap() {
            assert!(page.contains(&label(&scenario["optimum"]["parameters"], " ")));
        }
        assert!(page.contains("<caption id=\"heat-caption\">") && page.contains("copy-flags"));
        assert!(!page.contains("http://") && !page.contains("https://"));
        assert_eq!(write().0, page);
    }
}

#[test]
fn a_page_without_an_answer_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let asked = ["tuning-specs/matmul_tiled.yaml", "--gpu", "fermi,volta", "--no-cache", "--time-limit", "1ms"];
    let ended = run(autotune().args(asked).arg("--report").arg(folder.path()));
    assert_eq!(ended.status, 3, "{}", ended.stderr);
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(page.contains("not proved") && page.contains("The least worst slowdown is at least 1.0000"));
    assert!(!page.contains("copy-flags") && page.contains("copy-json"));
}
