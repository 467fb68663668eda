//! The modules of `src` and of all crates, their imports and their definitions, as far as their text shows them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// A module that has a file, by its path from the crate's root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Module(Vec<String>);

impl Module {
    pub(crate) fn new(path: &[&str]) -> Self {
        Self(path.iter().map(|&name| name.to_owned()).collect())
    }

    /// The room that the module is in.
    pub(crate) fn room(&self) -> &str {
        self.0.first().map_or("lib", String::as_str)
    }

    fn is_test(&self) -> bool {
        self.0.iter().any(|name| name == "tests")
    }
}

impl fmt::Display for Module {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.join("::"))
    }
}

/// One name that a `use` brings into a module.
struct Use {
    path: Vec<String>,
    alias: Option<String>,
    is_public: bool,
}

impl Use {
    /// The name in the module that uses it.
    fn name(&self) -> &str {
        self.alias.as_ref().or(self.path.last()).map_or("", String::as_str)
    }
}

struct File {
    /// The text without its unit tests.
    text: String,
    uses: Vec<Use>,
    defined: BTreeSet<String>,
}

/// All files of `src` and of all crates.
pub(crate) struct Sources(BTreeMap<Module, File>);

static USE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^[ \t]*(pub(?:\([^)]*\))? )?use ([^;]+);").expect("a pattern"));
static DEFINED: LazyLock<Regex> = LazyLock::new(|| {
    let item = r"(?:const |async )*(?:fn|struct|enum|trait|type|const|static)";
    Regex::new(&format!(r"(?m)^(?:pub(?:\([^)]*\))? )?{item} ([A-Za-z_]\w*)")).expect("the sources can be read")
});
static PUBLIC_TYPE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^pub (?:struct|enum|trait|type) ([A-Z]\w*)").expect("a pattern"));
static PATH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?:crate::)?(?:[a-z_0-9]+::)+[A-Za-z_]\w*").expect("a pattern"));

impl Sources {
    pub(crate) fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = BTreeMap::new();
        for folder in glob::glob(&format!("{}/crates/*/src", root.display())).expect("a pattern").flatten() {
            read_folder(&folder, &[], &mut files);
        }
        read_folder(&root.join("src"), &[], &mut files);
        // The library hands on the rooms of all crates.
        files.entry(Module(Vec::new())).and_modify(|library| library.uses.clear());
        Self(files)
    }

    pub(crate) fn rooms(&self) -> BTreeSet<&str> {
        self.0.keys().map(Module::room).collect()
    }

    /// For each module without tests, the modules that define what it names.
    pub(crate) fn imports(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let modules = self.0.iter().filter(|(module, _)| !module.is_test());
        modules.map(|(module, file)| (module.clone(), self.imports_of(module, file))).collect()
    }

    fn imports_of(&self, module: &Module, file: &File) -> BTreeSet<Module> {
        // What is only handed on is imported by whoever uses it.
        let used = file.uses.iter().filter(|used| !used.is_public).map(|used| &used.path);
        let used = used.filter_map(|path| self.absolute(module, path));
        let named = used.chain(self.inline(module, file));
        let mut imports: BTreeSet<Module> = named.filter_map(|path| self.home(&path)).collect();
        imports.remove(module);
        imports
    }

    /// The module that defines what a path names; `None` for a path of a module.
    fn home(&self, path: &[String]) -> Option<Module> {
        self.resolve(path, 0).and_then(|(home, name)| name.map(|_| home))
    }

    /// The paths in a module's code beside its imports, from the crate's root.
    fn inline(&self, module: &Module, file: &File) -> Vec<Vec<String>> {
        let body = USE.replace_all(&file.text, "");
        let code: String =
            body.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let absolute = |path: &str| {
            let path: Vec<String> = path.split("::").map(str::to_owned).collect();
            let by_use = || {
                let used = file.uses.iter().find(|used| used.name() == path[0])?;
                Some([self.absolute(module, &used.path)?, path[1..].to_vec()].concat())
            };
            self.absolute(module, &path).or_else(by_use)
        };
        PATH.find_iter(&code).filter_map(|path| absolute(path.as_str())).collect()
    }

    /// For each module without tests, the paths that it names, from the crate's root and as they are written: a path that
    /// leads by way of a room names this room, whatever the room hands on.
    pub(crate) fn written(&self) -> BTreeMap<&Module, BTreeSet<Vec<String>>> {
        let modules = self.0.iter().filter(|(module, _)| !module.is_test());
        let written = |module: &Module, file: &File| {
            let uses = file.uses.iter().filter_map(|used| self.absolute(module, &used.path));
            uses.chain(self.inline(module, file)).collect()
        };
        modules.map(|(module, file)| (module, written(module, file))).collect()
    }

    /// The items that a module hands on though another room defines them, as they are written.
    pub(crate) fn handed_on(&self) -> Vec<(&Module, String)> {
        let mut handed_on = Vec::new();
        for (module, file) in &self.0 {
            for used in file.uses.iter().filter(|used| used.is_public) {
                if let Some(path) = self.absolute(module, &used.path)
                    && path.first().is_some_and(|room| room != module.room())
                {
                    handed_on.push((module, path.join("::")));
                }
            }
        }
        handed_on
    }

    /// True if a path from the crate's root names a function.
    pub(crate) fn is_function(&self, path: &[String]) -> bool {
        let named = self.resolve(path, 0).and_then(|(_, name)| name);
        named.is_some_and(|name| name.starts_with(|first: char| first.is_lowercase()))
    }

    /// The modules of a room that name one of these types, without tests.
    pub(crate) fn naming<'a>(&'a self, room: &'a str, types: &'a [&str]) -> impl Iterator<Item = &'a Module> {
        let modules = self.0.iter().filter(move |(module, _)| module.room() == room && !module.is_test());
        let is_named = move |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| types.contains(&word));
        modules.filter(move |(_, file)| is_named(&file.text)).map(|(module, _)| module)
    }

    pub(crate) fn public_types(&self) -> Vec<(&Module, &str)> {
        self.0
            .iter()
            .filter(|(module, _)| !module.is_test())
            .flat_map(|(module, file)| PUBLIC_TYPE.captures_iter(&file.text).map(move |found| (module, found)))
            .map(|(module, found)| (module, found.get(1).map_or("", |name| name.as_str())))
            .collect()
    }

    /// The first lines of all doc comments, with their modules.
    pub(crate) fn doc_comments(&self) -> Vec<(&Module, &str)> {
        let mut comments = Vec::new();
        for (module, file) in &self.0 {
            let mut before = "";
            for line in file.text.lines().map(str::trim_start) {
                for mark in ["/// ", "//! "] {
                    if let Some(text) = line.strip_prefix(mark)
                        && !before.starts_with(mark.trim_end())
                    {
                        comments.push((module, text));
                    }
                }
                before = line;
            }
        }
        comments
    }

    /// A path from the root of its crate; `None` if the crate is none of this project's.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Vec<String>> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        match path.first()?.as_str() {
            // A room has one name in all crates.
            name if name == "crate" || name.starts_with("autotune_") => Some(path[1..].to_vec()),
            "self" => Some([&module.0, &path[1..]].concat()),
            "super" => Some([&module.0[..module.0.len().checked_sub(ups)?], &path[ups..]].concat()),
            child => {
                let child = [&module.0[..], &[child.to_owned()]].concat();
                self.0.contains_key(&Module(child)).then(|| [&module.0, path].concat())
            }
        }
    }

    /// The module that defines what a path names, and the name; a path of a module has no name.
    fn resolve(&self, path: &[String], depth: usize) -> Option<(Module, Option<String>)> {
        let mut module = Module(Vec::new());
        for (at, name) in path.iter().enumerate() {
            let inner = Module([&module.0[..], std::slice::from_ref(name)].concat());
            if self.0.contains_key(&inner) {
                module = inner;
                continue;
            }
            let file = self.0.get(&module)?;
            if file.defined.contains(name) {
                return Some((module, Some(name.clone())));
            }
            // A path may lead by way of names that other modules hand on.
            let handed_on = file.uses.iter().find(|used| used.name() == name)?;
            let target = [self.absolute(&module, &handed_on.path)?, path[at + 1..].to_vec()].concat();
            return if depth < 8 { self.resolve(&target, depth + 1) } else { None };
        }
        Some((module, None))
    }
}

fn read_folder(folder: &Path, path: &[String], files: &mut BTreeMap<Module, File>) {
    for entry in std::fs::read_dir(folder).expect("the sources can be read") {
        let entry = entry.expect("the sources can be read").path();
        let stem = entry.file_stem().expect("the sources can be read").to_string_lossy().into_owned();
        let inner = [path, std::slice::from_ref(&stem)].concat();
        if entry.is_dir() {
            read_folder(&entry, &inner, files);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let module = if path.is_empty() && stem == "lib" { Vec::new() } else { inner };
            files.insert(Module(module), parsed(&std::fs::read_to_string(&entry).expect("the sources can be read")));
        }
    }
}

fn parsed(text: &str) -> File {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
    let mut uses = Vec::new();
    for found in USE.captures_iter(&text) {
        let is_public = found.get(1).is_some();
        leaves(&found[2], &[], &mut |path, alias| uses.push(Use { path, alias, is_public }));
    }
    let defined = DEFINED.captures_iter(&text).map(|found| found[1].to_owned()).collect();
    File { text, uses, defined }
}

/// Calls `each` with every path of a `use` tree.
fn leaves(tree: &str, before: &[String], each: &mut dyn FnMut(Vec<String>, Option<String>)) {
    let tree = tree.trim();
    if let Some(open) = tree.find('{') {
        let names = tree[..open].split("::").map(str::trim).filter(|name| !name.is_empty());
        let before: Vec<String> = before.iter().cloned().chain(names.map(str::to_owned)).collect();
        let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
        let (mut depth, mut start) = (0, 0);
        for (at, character) in inner.char_indices().chain([(inner.len(), ',')]) {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    if !inner[start..at].trim().is_empty() {
                        leaves(&inner[start..at], &before, each);
                    }
                    start = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let (tree, alias) = tree.split_once(" as ").map_or((tree, None), |(tree, alias)| (tree, Some(alias.to_owned())));
    let mut path: Vec<String> =
        before.iter().cloned().chain(tree.split("::").map(|name| name.trim().to_owned())).collect();
    if path.len() > 1 && path.last().is_some_and(|name| name == "self") {
        path.pop();
    }
    each(path, alias);
}
