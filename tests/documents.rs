//! The documents hold together: every test, file, page and place that they name exists, and the README stays short. The
//! set-up holds together with the tests.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use regex::Regex;

/// The Markdown files outside the book.
const BESIDE_THE_BOOK: [&str; 6] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "examples/kernels/README.md",
    "promela/README.md",
    "python/README.md",
];

/// The pages of the book, and the other documents.
fn documents() -> Vec<PathBuf> {
    let mut documents = book();
    documents.extend(BESIDE_THE_BOOK.map(PathBuf::from));
    documents
}

/// The Markdown files of the book, its contents among them.
fn book() -> Vec<PathBuf> {
    let files: Vec<_> = glob::glob("docs/**/*.md").unwrap().map(Result::unwrap).collect();
    assert!(files.len() > 30, "{files:?}");
    files
}

/// The text of a document without its blocks of code.
fn prose(document: &Path) -> String {
    let text = fs::read_to_string(document).unwrap_or_else(|error| panic!("{}: {error}", document.display()));
    let outside = text.split("```").step_by(2);
    outside.collect()
}

/// The texts between backquotes that begin with a folder of this project.
fn named(document: &Path) -> Vec<String> {
    let folders = "src|crates|tests|promela|docs|tuning-specs|spec-templates|templates|schemas|examples|benches|ci|python|integrations";
    let place = Regex::new(&format!("`((?:{folders})/[^`\\s*…]+)`")).unwrap();
    place.captures_iter(&prose(document)).map(|found| found[1].to_owned()).collect()
}

/// The targets of links and pictures that are not on other hosts.
fn links(document: &Path) -> Vec<String> {
    let link = Regex::new(r#"\]\(([^)\s]+)\)|src="([^"]+)""#).unwrap();
    let targets = prose(document);
    let targets = link.captures_iter(&targets).map(|found| found.get(1).or(found.get(2)).unwrap().as_str().to_owned());
    targets.filter(|target| !target.contains("://")).collect()
}

/// The path of a link's target from the root of the project.
fn target(document: &Path, link: &str) -> PathBuf {
    let mut path = document.parent().unwrap().to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{link} leaves the project"),
            part => path.push(part),
        }
    }
    path
}

/// The names by which links lead to a document's headings, as GitHub and mdBook make them.
fn places(document: &Path) -> BTreeSet<String> {
    let kept = |letter: &char| letter.is_alphanumeric() || "-_ ".contains(*letter);
    let place = |heading: &str| heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-");
    let text = prose(document);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| place(line.trim_start_matches('#').trim())).collect()
}

#[test]
fn tests_and_files_that_documents_name_exist() {
    let mut tests = 0;
    for document in documents() {
        for name in named(&document) {
            let document = document.display();
            let Some((file, test)) = name.split_once("::") else {
                assert!(Path::new(&name).exists(), "{document} names {name}, which does not exist");
                continue;
            };
            let source = fs::read_to_string(file).unwrap_or_else(|error| panic!("{document} names {name}: {error}"));
            // The tests of `proptest!` take the cases that it draws.
            let head = format!("#[test]\nfn {test}(");
            let lines = source.lines().map(|line| line.trim_start().to_owned() + "\n").collect::<String>();
            assert!(lines.contains(&head), "{document} names {name}, but {file} has no such test");
            tests += 1;
        }
    }
    assert!(tests >= 50, "only {tests} names of tests were found in the documents");
}

/// A rule of the page begins in bold type at the beginning of a line, and ends before the next rule or heading.
#[test]
fn each_rule_about_sources_names_its_test() {
    let page = Path::new("docs/theory/source.md");
    let text = prose(page).replace("\n#", "\n**#");
    let rules: Vec<&str> = text.split("\n**").skip(1).filter(|rule| !rule.starts_with('#')).collect();
    assert!(rules.len() >= 30, "only {} rules were found", rules.len());
    for rule in rules {
        assert!(rule.contains("::"), "{} has a rule without a test:\n{rule}", page.display());
    }
}

/// The audit's items of each paper. [`tests_and_files_that_documents_name_exist`] looks for the tests that rows name.
#[test]
fn each_item_of_the_papers_has_a_command_and_a_test() {
    let page = fs::read_to_string("docs/reference/papers.md").unwrap();
    let papers: Vec<&str> = page.split("\n## ").skip(1).collect();
    let mut without = 0;
    let mut items = Vec::new();
    for paper in papers {
        let rows = paper.lines().filter(|line| line.starts_with("| ")).skip(2);
        let rows: Vec<Vec<&str>> = rows.map(|row| row.split('|').map(str::trim).collect()).collect();
        for (number, row) in (1..).zip(&rows) {
            let [_, found, place, item, command, test, ..] = row.as_slice() else { panic!("{row:?}") };
            assert_eq!(found.parse(), Ok(number), "{row:?}");
            assert!(!place.is_empty() && !item.is_empty(), "{row:?}");
            if command.starts_with("`autotune ") {
                assert!(test.starts_with('`') && test.contains("::"), "{row:?} names no test");
            } else {
                assert!(command.starts_with("none: ") && command.len() > 20, "{row:?} has no reason");
                without += 1;
            }
        }
        items.push(rows.len());
    }
    assert_eq!(items, [28, 17, 26, 13, 35]);
    assert!(without <= 6, "{without} items have no command");
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut all = 0;
    for document in documents() {
        for link in links(&document) {
            let (file, place) = link.split_once('#').map_or((link.as_str(), None), |(file, place)| (file, Some(place)));
            let path = if file.is_empty() { document.clone() } else { target(&document, file) };
            assert!(path.is_file(), "{}: {link} leads to no file", document.display());
            if let Some(place) = place {
                assert!(places(&path).contains(place), "{}: {link} leads to no heading", document.display());
            }
            all += 1;
        }
    }
    assert!(all > 100, "only {all} links were found");
}

/// Files outside the book are not a part of what `ci/book` builds.
#[test]
fn links_of_the_book_stay_in_it() {
    for page in book() {
        for link in links(&page) {
            assert!(target(&page, &link).starts_with("docs"), "{}: {link} leaves the book", page.display());
        }
    }
}

#[test]
fn every_page_is_in_the_contents_once() {
    let contents = Path::new("docs/SUMMARY.md");
    let mut listed: Vec<_> = links(contents).iter().map(|link| target(contents, link)).collect();
    listed.sort();
    let pages: Vec<_> = book().into_iter().filter(|page| page != contents).collect();
    assert_eq!(listed, pages);
}

#[test]
fn the_readme_has_at_most_220_lines() {
    let lines = fs::read_to_string("README.md").unwrap().lines().count();
    assert!(lines <= 220, "README.md has {lines} lines; details belong into the book");
}

/// `tests/cli/readme.rs` runs the sessions of the README and of the book, and of no other document.
#[test]
fn sessions_stand_where_they_are_run() {
    for document in &BESIDE_THE_BOOK[1..] {
        assert!(!fs::read_to_string(document).unwrap().contains("```console"), "{document} has a session");
    }
    let sessions = |page: &PathBuf| fs::read_to_string(page).unwrap().matches("```console").count();
    assert!(book().iter().map(sessions).sum::<usize>() >= 20);
}

/// Programs of Debian's smallest installation.
const OF_DEBIAN: [&str; 10] =
    ["bash", "hostname", "mkfifo", "mount", "prlimit", "script", "setsid", "sh", "umount", "unshare"];

/// Programs that come with another one, which `ci/setup` looks for.
const BESIDE: [(&str, &str); 2] = [("cc", "gcc"), ("kill", "pkill")];

#[test]
fn setup_installs_each_program_that_a_test_starts() {
    let setup = fs::read_to_string("ci/setup").unwrap();
    let pair = Regex::new(r"([\w-]+):[\w-]+").unwrap();
    let installed: BTreeSet<&str> = pair.captures_iter(&setup).map(|found| found.get(1).unwrap().as_str()).collect();
    let started = Regex::new(r#"Command::new\("([^"/]+)"\)"#).unwrap();
    for file in glob::glob("tests/**/*.rs").unwrap().map(Result::unwrap) {
        for found in started.captures_iter(&fs::read_to_string(&file).unwrap()) {
            let program = found.get(1).unwrap().as_str();
            let with = BESIDE.iter().find(|(beside, _)| *beside == program).map_or(program, |(_, with)| *with);
            let is_there = OF_DEBIAN.contains(&with) || installed.contains(with);
            assert!(is_there, "{} starts `{program}`, which `ci/setup tests` does not install", file.display());
        }
    }
}

#[test]
fn every_schema_is_in_the_reference() {
    let page = fs::read_to_string("docs/reference/json.md").unwrap();
    for schema in glob::glob("schemas/*.json").unwrap().map(Result::unwrap) {
        let name = schema.file_name().unwrap().to_str().unwrap();
        assert!(page.contains(&format!("`{name}`")), "docs/reference/json.md lacks {name}");
    }
}

#[test]
fn the_version_is_in_the_changelog_and_in_the_citation() {
    let version = env!("CARGO_PKG_VERSION");
    let [changes, citation] = ["CHANGELOG.md", "CITATION.cff"].map(|name| fs::read_to_string(name).unwrap());
    assert!(changes.contains(&format!("\n## {version} - ")), "CHANGELOG.md lacks {version}");
    assert!(citation.contains(&format!("\nversion: {version}\n")), "CITATION.cff is of another version");
}

/// The page's program is the example that is compiled here, and its package resolves to the library without the server.
#[test]
fn the_librarys_page_is_a_package_with_the_crates_example() {
    let page = fs::read_to_string("docs/guide/library.md").unwrap();
    let block = |language: &str| {
        let (_, behind) = page.split_once(&format!("```{language}\n")).unwrap();
        behind.split_once("```").unwrap().0
    };
    assert_eq!(block("rust"), fs::read_to_string("examples/prove.rs").unwrap());
    let (folder, project) = (tempfile::tempdir().unwrap(), env!("CARGO_MANIFEST_DIR"));
    let package = block("toml").replace("\"../autotune\"", &format!("{project:?}"));
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/main.rs"), block("rust")).unwrap();
    fs::write(folder.path().join("Cargo.toml"), package).unwrap();
    fs::copy("Cargo.lock", folder.path().join("Cargo.lock")).unwrap();
    let mut cargo = std::process::Command::new(env!("CARGO"));
    let tree = ["tree", "--offline", "--quiet", "--edges", "normal", "--prefix", "none"];
    let output = cargo.args(tree).current_dir(folder.path()).output().unwrap();
    let packages = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        packages.contains("autotune v") && packages.contains("serde v") && !packages.contains("rmcp"),
        "{packages}"
    );
}
