//! Results in the forms of other programs, read by these programs: a C compiler, a shell, Kernel Tuner.

mod kept;
mod kernel_tuner;

use super::*;

const MATMUL: [&str; 3] = ["tuning-specs/matmul_tiled.yaml", "--gpu", "fermi"];

/// The export of a question in a format.
fn exported(question: &[&str], format: &str) -> String {
    let ended = run(autotune().args(question).args(["--format", format]));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    ended.stdout
}

/// The proved optimum of a question: names and values.
fn optimum(question: &[&str]) -> Vec<(String, i64)> {
    let result: Value = serde_json::from_str(&exported(question, "json")).unwrap();
    let parameters = result["optimum"]["parameters"].as_object().unwrap();
    parameters.iter().map(|(name, value)| (name.clone(), value.as_i64().unwrap())).collect()
}

/// A file in a new folder.
fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// The output of a C program compiled with these options.
fn compiled(folder: &tempfile::TempDir, program: &str, options: &[&str]) -> Ended {
    file(folder, "main.c", program);
    let strict = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "main.c", "-o", "main"];
    let ended = run(Command::new("gcc").args(strict).args(options).current_dir(folder.path()));
    if ended.status == 0 { run(&mut Command::new(folder.path().join("main"))) } else { ended }
}

/// A program that prints macros, a line each.
fn printing(include: &str, names: &[String]) -> String {
    let print = |name: &String| format!("    printf(\"%d\\n\", {name});\n");
    let prints: String = names.iter().map(print).collect();
    format!("#include <stdio.h>\n{include}\nint main(void) {{\n{prints}    return 0;\n}}\n")
}

fn lines(values: &[(String, i64)]) -> String {
    values.iter().flat_map(|(_, value)| [value.to_string(), "\n".to_owned()]).collect()
}

#[test]
fn a_header_gives_a_compiler_the_optimum_of_the_gpu_it_compiles_for() {
    let folder = tempfile::tempdir().unwrap();
    let results = ["fermi", "volta"].map(|gpu| {
        let name = format!("{gpu}.json");
        file(&folder, &name, &exported(&["tuning-specs/vector_add.yaml", "--gpu", gpu], "json")).display().to_string()
    });
    let ended = run(autotune().arg("export").args(&results).args(["--format", "header"]));
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    file(&folder, "best.h", &ended.stdout);
    // OpenCL C has the preprocessor of C99, and a header needs no more.
    let is_for_the_preprocessor =
        |line: &str| line.is_empty() || line.starts_with(['#', '/']) || line.starts_with(" * ");
    assert!(ended.stdout.lines().all(is_for_the_preprocessor), "{}", ended.stdout);
    for gpu in ["fermi", "volta"] {
        let best = optimum(&["tuning-specs/vector_add.yaml", "--gpu", gpu]);
        let names: Vec<_> = best.iter().map(|(name, _)| name.clone()).collect();
        // The header is included twice: the guard works.
        let program = printing("#include \"best.h\"\n#include \"best.h\"", &names);
        let target = format!("-DTARGET_{}", gpu.to_uppercase());
        assert_eq!(compiled(&folder, &program, &[&target]).stdout, lines(&best));
    }
    let program = printing("#include \"best.h\"", &[]);
    for targets in [&[][..], &["-DTARGET_FERMI", "-DTARGET_VOLTA"]] {
        let refused = compiled(&folder, &program, targets);
        assert!(refused.stderr.contains("define one of TARGET_FERMI, TARGET_VOLTA"), "{}", refused.stderr);
    }
    let fermi = ended.stdout.split("#ifdef TARGET_FERMI").nth(1).unwrap().split("#endif").next().unwrap();
    let proved: Value = serde_json::from_str(&std::fs::read_to_string(&results[0]).unwrap()).unwrap();
    assert!(fermi.contains(proved["proof"]["property"].as_str().unwrap()), "{fermi}");
}

#[test]
fn flags_are_a_compilers() {
    let folder = tempfile::tempdir().unwrap();
    let (best, flags) = (optimum(&MATMUL), exported(&MATMUL, "flags"));
    let names: Vec<_> = best.iter().map(|(name, _)| name.clone()).collect();
    let options: Vec<&str> = flags.split_whitespace().collect();
    assert_eq!(compiled(&folder, &printing("", &names), &options).stdout, lines(&best));
}

#[test]
fn variables_and_flags_are_each_shells() {
    let (best, variables) = (optimum(&MATMUL), exported(&MATMUL, "shell"));
    let echo: Vec<_> = best.iter().map(|(name, _)| format!("echo \"${name}\"")).collect();
    let echo = echo.join("; ");
    let flags = exported(&MATMUL, "flags");
    let words: String = flags.split_whitespace().flat_map(|word| [word, "\n"]).collect();
    for name in ["sh", "dash", "bash", "zsh"] {
        let ended = run(Command::new(name).args(["-euc", &format!("eval \"$1\"; {echo}"), name, &variables]));
        assert_eq!((ended.stdout, ended.stderr.as_str()), (lines(&best), ""), "{name}");
        // As the book's line gives them to a compiler.
        let split = ["-euc", "printf '%s\\n' $(printf %s \"$1\")", name, &flags];
        assert_eq!(run(Command::new(name).args(split)).stdout, words, "{name}");
    }
}

/// The languages of kernels, and C++, whose host programs include the header too.
#[test]
fn a_header_and_flags_are_those_of_clangs_languages() {
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "best.h", &exported(&MATMUL, "header"));
    let flags = exported(&MATMUL, "flags");
    let names: Vec<String> = optimum(&MATMUL).into_iter().map(|(name, _)| name).collect();
    let uses = |include: &str| format!("{include}int sum(void);\nint sum(void) {{ return {}; }}\n", names.join(" + "));
    let cuda = ["--cuda-device-only", "-nocudainc", "-nocudalib"];
    for (language, more) in
        [("c", &[][..]), ("c++", &[]), ("cl", &["-Xclang", "-finclude-default-header"]), ("cuda", &cuda)]
    {
        file(&folder, "header", &uses("#include \"best.h\"\n#include \"best.h\"\n"));
        file(&folder, "flags", &uses(""));
        for (source, options) in [("header", vec!["-DTARGET_FERMI"]), ("flags", flags.split_whitespace().collect())] {
            let mut clang = Command::new("clang-19");
            clang.args(["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]).args(more).args(options);
            let ended = run(clang.args(["-x", language, source]).current_dir(folder.path()));
            assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{language} {source}");
        }
    }
}

#[test]
fn a_table_has_every_listed_configuration() {
    let question = [&MATMUL[..], &["--rank"]].concat();
    let result: Value = serde_json::from_str(&exported(&question, "json")).unwrap();
    let table = exported(&question, "csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<std::collections::HashMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let configurations = result["configurations"].as_array().unwrap();
    assert_eq!(rows.len(), configurations.len());
    for (row, one) in rows.iter().zip(configurations) {
        for (name, value) in one["parameters"].as_object().unwrap() {
            assert_eq!(row[name], value.to_string());
        }
        assert_eq!(
            (row["kernel"].as_str(), row["gpu"].as_str(), row["size"].as_str()),
            ("matmul_tiled", "fermi", "1024")
        );
        assert_eq!(row["status"], one["status"].as_str().unwrap());
        assert_eq!(row["ticks"], one["ticks"].as_u64().map_or(String::new(), |ticks| ticks.to_string()));
        assert_eq!(row["reason"], one["reason"].as_str().unwrap_or_default());
    }
    let best = rows.iter().find(|row| row["status"] == "optimum").unwrap();
    let (printed, known) =
        (best["microseconds"].parse::<f64>().unwrap(), result["optimum"]["microseconds"].as_f64().unwrap());
    assert!((printed - known).abs() < 1e-5, "{printed} {known}");
}

#[test]
fn t4_follows_its_schema_and_says_why_configurations_are_invalid() {
    let checked = |text: &str, schema: &str| {
        let ended = Ended { status: 0, stdout: text.to_owned(), stderr: String::new() };
        json(&ended, &format!("third-party/T4-1.0.0-{schema}.json"))
    };
    let results = checked(&exported(&MATMUL, "t4"), "results");
    let results = results["results"].as_array().unwrap();
    let known: Value = serde_json::from_str(&exported(&[&MATMUL[..], &["--rank"]].concat(), "json")).unwrap();
    assert_eq!(results.len(), known["configurations"].as_array().unwrap().len());
    for (result, one) in results.iter().zip(known["configurations"].as_array().unwrap()) {
        assert_eq!(result["configuration"], one["parameters"]);
        let expected = match one["reason"].as_str() {
            None => "correct",
            Some(reason) if reason.starts_with("local_memory: ") => "compile",
            Some(reason) if reason.starts_with("registers: ") => "runtime",
            Some(_) => "constraints",
        };
        assert_eq!(result["invalidity"], expected);
        let measured = |name: &str| {
            let measurements = result["measurements"].as_array().unwrap();
            measurements.iter().find(|measurement| measurement["name"] == name).cloned().unwrap_or_default()
        };
        assert_eq!(
            (&measured("ticks")["value"], measured("time")["unit"] == "ms"),
            (&one["ticks"], expected == "correct")
        );
        assert!(result["times"]["compilation"] == 0.0 && result["times"]["compilation_time"] == 0.0);
    }
    let metadata = checked(&exported(&MATMUL, "t4-metadata"), "metadata");
    assert_eq!(metadata["metadata"]["hardware"]["hardware_description"][0]["product"], "fermi");
}

#[test]
fn what_is_not_proved_gives_no_header_and_its_exit_status() {
    let nothing = ["tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny", "--set", "size=2"];
    for format in ["header", "flags", "shell"] {
        let ended = run(autotune().args(nothing).args(["--format", format]));
        assert_eq!((ended.status, ended.stdout.as_str()), (4, ""));
        assert_eq!(ended.stderr, "note: there is nothing to print: no configuration is feasible\n");
        let ended = run(autotune().args(SMALL).args(["--time-limit", "0s", "--no-cache", "--format", format]));
        assert_eq!((ended.status, ended.stdout.as_str()), (3, ""), "{}", ended.stderr);
        // The best known configuration is not proved either.
        let open = ["--gpu", "a100", "--form", "roles", "--memory", "16MiB", "--format", format];
        let ended = run(autotune().arg("tuning-specs/matmul_tiled.yaml").args(open));
        assert_eq!((ended.status, ended.stdout.as_str()), (3, ""), "{}", ended.stderr);
    }
}

#[test]
fn every_form_is_told_by_help() {
    let help = run(autotune().arg("--help")).stdout;
    for form in ["csv", "header", "flags", "shell", "t4", "t4-metadata", "kernel-tuner", "restrictions"] {
        assert!(help.contains(&format!("- {form}:")), "{form}: {help}");
    }
}
