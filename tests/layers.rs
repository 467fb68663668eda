//! The rooms of the house: who imports whom, without a circle; what a room hands on; one name for one type; doc comments
//! that begin with their subject.

#[path = "layers/source.rs"]
mod source;

use std::collections::{BTreeMap, BTreeSet};

use source::{Module, Sources};

/// The rooms, from top to bottom, each with the rooms that it names. A room may import these and what they may import.
/// `docs/dev/architecture.md` shows the same picture.
const ROOMS: [(&str, &[&str]); 39] = [
    ("cli", &["campaign", "check", "render", "export"]),
    ("campaign", &["session", "tuners"]),
    ("session", &["certificate", "process", "inference"]),
    ("certificate", &["doubts"]),
    ("doubts", &["result"]),
    ("result", &["measuring", "check", "difference", "extraction", "schedules"]),
    ("check", &["compare"]),
    ("difference", &["explain"]),
    ("tuners", &["compare"]),
    ("explain", &["compare"]),
    ("render", &["result"]),
    ("export", &["result"]),
    ("measuring", &["compare"]),
    ("schedules", &["compare"]),
    ("extraction", &["space"]),
    ("compare", &["proof", "correction"]),
    ("proof", &["search", "spin", "space"]),
    ("space", &["models", "limits", "index", "ticks"]),
    ("models", &["lowering", "machine"]),
    ("spin", &["process", "model"]),
    ("process", &["files", "limits"]),
    ("model", &["machine", "files", "index"]),
    ("inference", &["spec"]),
    ("lowering", &["gpu", "spec", "machine"]),
    ("gpu", &["spec"]),
    ("spec", &["source", "yaml"]),
    ("source", &["process", "text"]),
    ("files", &["user_error"]),
    ("text", &[]),
    ("yaml", &[]),
    ("index", &[]),
    ("machine", &[]),
    ("correction", &[]),
    ("search", &["index", "ticks"]),
    ("ticks", &[]),
    ("limits", &[]),
    ("user_error", &[]),
    ("lib", &[]),
    ("main", &["cli"]),
];

/// The rooms that show results: they name types and constants of other rooms, and no function.
const SHOWING: [&str; 2] = ["render", "export"];

/// The room whose functions all may call: words and texts.
const TEXT: &str = "text";

/// The rooms that hold and show results.
const RESULTS: [&str; 3] = ["result", "render", "export"];

/// Names of what enumerates, lowers or executes, which the rooms of results do not name.
const WORK: [&str; 6] = ["Lowering", "Space", "evaluate", "account", "timeline", "each"];

/// Public types that share a name, because both are their field's word for it.
const NAMESAKES: [&str; 1] = ["Statement"];

/// Types whose values change behind a shared reference, and may be shared by threads.
const STATEFUL: [&str; 7] = ["Mutex", "RwLock", "OnceLock", "AtomicBool", "AtomicU32", "AtomicU64", "AtomicUsize"];

/// Words that no doc comment begins with: the subject comes first.
const QUESTIONS: [&str; 12] =
    ["What", "How", "Whether", "Why", "Where", "When", "Who", "Which", "Of", "Those", "It", "That"];

/// All rooms that a room may import.
fn below<'a>(room: &'a str) -> BTreeSet<&'a str> {
    let mut allowed = BTreeSet::new();
    let mut open: Vec<&'a str> = vec![room];
    while let Some(room) = open.pop() {
        let named = ROOMS.iter().find(|(name, _)| *name == room).map_or(&[][..], |(_, named)| named);
        open.extend(named.iter().filter(|named| allowed.insert(**named)));
    }
    allowed
}

#[test]
fn rooms_import_only_what_is_below_them() {
    let sources = Sources::read();
    let known: BTreeSet<&str> = ROOMS.iter().map(|(room, _)| *room).collect();
    assert_eq!(sources.rooms(), known, "the table has the rooms of src");
    let mut wrong = Vec::new();
    for (module, paths) in sources.written() {
        let allowed = below(module.room());
        let may = |room: &str| room == module.room() || allowed.contains(room) || !known.contains(room);
        let paths = paths.iter().filter(|path| path.first().is_some_and(|room| !may(room)));
        wrong.extend(paths.map(|path| format!("{module} names {}", path.join("::"))));
    }
    assert!(wrong.is_empty(), "a room imports what is not below it:\n{}", wrong.join("\n"));
}

/// A type has one path, so that an import names the room that defines what it imports.
#[test]
fn no_room_hands_on_what_another_defines() {
    let sources = Sources::read();
    let handed_on: Vec<_> =
        sources.handed_on().into_iter().map(|(module, path)| format!("{module} hands on {path}")).collect();
    assert!(handed_on.is_empty(), "{} items are handed on:\n{}", handed_on.len(), handed_on.join("\n"));
}

#[test]
fn what_shows_results_calls_no_function_of_another_room() {
    let sources = Sources::read();
    let mut calls = Vec::new();
    for (module, paths) in sources.written().into_iter().filter(|(module, _)| SHOWING.contains(&module.room())) {
        let is_own = |path: &[String]| path.first().is_some_and(|room| room == module.room() || room == TEXT);
        let of_others = paths.iter().filter(|path| !is_own(path) && sources.is_function(path));
        calls.extend(of_others.map(|path| format!("{module} names {}", path.join("::"))));
    }
    assert!(calls.is_empty(), "functions of other rooms:\n{}", calls.join("\n"));
}

#[test]
fn results_neither_enumerate_nor_lower_nor_execute() {
    let sources = Sources::read();
    let mut work = Vec::new();
    for (module, paths) in sources.written().into_iter().filter(|(module, _)| RESULTS.contains(&module.room())) {
        let is_own = |path: &[String]| path.first().is_some_and(|room| room == module.room());
        let is_work = |path: &[String]| path.last().is_some_and(|name| WORK.contains(&name.as_str()));
        let working = paths.iter().filter(|path| !is_own(path) && is_work(path));
        work.extend(working.map(|path| format!("{module} names {}", path.join("::"))));
    }
    assert!(work.is_empty(), "the rooms of results work:\n{}", work.join("\n"));
}

/// `lib` and `main` only name the others.
#[test]
fn the_architecture_shows_the_rooms() {
    let page = std::fs::read_to_string("docs/dev/architecture.md").expect("the book has the page");
    let page = &page[page.find("## The rooms").expect("the page has the rooms")..];
    for (room, named) in ROOMS.iter().filter(|(room, _)| !["lib", "main"].contains(room)) {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{room}` |")));
        let row = row.unwrap_or_else(|| panic!("docs/dev/architecture.md lacks the room {room}"));
        let shown = row.rsplit('|').nth(1).expect("a row ends with its imports");
        let shown: Vec<_> = shown.split(',').map(|name| name.trim().trim_matches('`')).collect();
        let shown: Vec<_> = shown.into_iter().filter(|name| !name.is_empty()).collect();
        assert_eq!(&shown, named, "docs/dev/architecture.md shows other imports of {room}");
    }
}

/// A spec is what its text says: a run keeps what it learns of a source in a reader of `source`. `Sync` excludes cells,
/// and threads share a spec.
#[test]
fn a_spec_holds_no_state() {
    let sources = Sources::read();
    let stateful: Vec<String> = sources.naming("spec", &STATEFUL).map(ToString::to_string).collect();
    assert!(stateful.is_empty(), "a spec holds state: {stateful:?}");
    assert!(sources.naming("source", &STATEFUL).next().is_some(), "the reader does");
}

#[test]
fn no_file_imports_what_imports_it() {
    let sources = Sources::read();
    let imports = sources.imports();
    let circles = circles(&imports);
    assert!(circles.is_empty(), "circles of files:\n{}", circles.join("\n"));
}

#[test]
fn a_public_name_means_one_type() {
    let sources = Sources::read();
    let mut types: BTreeMap<&str, Vec<&Module>> = BTreeMap::new();
    for (module, name) in sources.public_types() {
        types.entry(name).or_default().push(module);
    }
    types.retain(|name, modules| modules.len() > 1 && !NAMESAKES.contains(name));
    assert!(types.is_empty(), "public types of one name: {types:?}");
}

#[test]
fn doc_comments_begin_with_their_subject() {
    let sources = Sources::read();
    let comments = sources.doc_comments();
    let asking: Vec<_> = comments.iter().filter(|(_, text)| QUESTIONS.iter().any(|word| begins(text, word))).collect();
    let share = asking.len() * 100;
    assert!(
        share < 5 * comments.len(),
        "{} of {} doc comments begin with a question word: {asking:#?}",
        asking.len(),
        comments.len()
    );
}

fn begins(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// The groups of files of which each imports each, directly or by others.
fn circles(imports: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<String> {
    let reach = |from: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = open.pop() {
            for import in imports.get(&module).into_iter().flatten() {
                if seen.insert(import.clone()) {
                    open.push(import.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> = imports.keys().map(|module| (module, reach(module))).collect();
    let circle = |module: &&Module| reached[*module].contains(*module);
    imports
        .keys()
        .filter(circle)
        .map(|module| {
            let others = reached[module].iter().filter(|other| reached.get(other).is_some_and(|r| r.contains(module)));
            format!("{module}: {}", others.map(ToString::to_string).collect::<Vec<_>>().join(", "))
        })
        .collect()
}

#[test]
fn a_circle_is_found() {
    let module = |name: &str| Module::new(&[name]);
    let imports = [("a", vec!["b"]), ("b", vec!["c"]), ("c", vec!["b"]), ("d", vec!["a"])];
    let imports = imports.map(|(name, names)| (module(name), names.into_iter().map(module).collect()));
    assert_eq!(circles(&BTreeMap::from(imports)), ["b: b, c", "c: b, c"]);
}

/// Places that write a value as its text for developers, each with the reason: none of them makes a key.
const FOR_DEVELOPERS: [(&str, &str); 2] = [
    ("crates/lowering/src/spec/document/t1.rs", "a number with its point"),
    ("src/campaign/state.rs", "a message about a journal that contradicts itself"),
];

/// A key that comes from `Debug` changes with a name, and two values may share it: keys come from `Hash` or JSON.
#[test]
fn no_key_is_a_text_for_developers() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["src", "crates"].map(|sources| format!("{}/{sources}/**/*.rs", folder.display()));
    for file in files.iter().flat_map(|files| glob::glob(files).unwrap()).map(Result::unwrap) {
        let name = file.strip_prefix(folder).unwrap().display().to_string();
        if name.contains("tests") || FOR_DEVELOPERS.iter().any(|(known, _)| *known == name) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let written = text.lines().find(|line| line.contains("format!(") && line.contains(":?}"));
        assert!(written.is_none(), "{name}: {}", written.unwrap_or_default().trim());
    }
}
