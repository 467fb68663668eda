//! A spec's text with the options of a command line over it: what an option gives wins, and what the text leaves out is
//! filled in.

mod node;

use autotune_base::text::Source;
use node::{Key, Kind, Node};

/// The keys that state the work items of a launch.
const WORK_ITEMS: [&str; 6] = ["work_items", "programs", "problem_size", "grid_div_x", "grid_div_y", "grid_div_z"];
/// The keys that state the work group.
const WORK_GROUP: [&str; 2] = ["work_group", "block_size_names"];
/// The keys that state the configurations.
const SPACE: [&str; 3] = ["parameters", "tune_params", "configurations"];

/// A spec's text that options are added to.
#[derive(Debug)]
pub struct Overlay {
    sources: Vec<Source>,
    root: Node,
    replaced: Vec<ReplacedValue>,
}

/// A value of a spec's text that an option replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplacedValue {
    /// The key that it belongs to: `problem`, `parameters`, `launch`, or one of a source.
    pub key: &'static str,
    /// The name.
    pub name: String,
    /// The option's value.
    pub value: String,
    /// The value in the text.
    pub before: String,
    /// The line of the text, from 1.
    pub line: u32,
}

impl Overlay {
    /// The text of a spec; `None` if it cannot be read as a mapping of YAML.
    #[must_use]
    pub fn new(spec: &Source) -> Option<Self> {
        let root = Node::read(spec.text(), 0).filter(|root| matches!(root.kind, Kind::Mapping(_)))?;
        Some(Self { sources: vec![spec.clone()], root, replaced: Vec::new() })
    }

    /// A spec's text; of a comment, with the file that has it, so that it says the same elsewhere.
    #[must_use]
    pub fn whole(spec: &Source) -> String {
        let Some((file, mut overlay)) = spec.commented_file().and_then(|file| Some((file, Self::new(spec)?))) else {
            return spec.text().to_owned();
        };
        overlay.name_file(&file.display().to_string());
        overlay.finish().0.text().to_owned()
    }

    /// Adds what the text leaves out, in the text of options: keys of the top level, problem sizes and parameters. False if
    /// the options cannot be read.
    #[must_use]
    pub fn fill(&mut self, options: &Source) -> bool {
        let Some(more) = self.layer(options) else { return false };
        let names: Vec<String> = SPACE.iter().chain(&["problem"]).flat_map(|key| self.names(key)).collect();
        let has_list = self.root.get("configurations").is_some();
        let has_body = self.root.get("body").is_some();
        for (key, value) in more.into_entries() {
            let is_there = self.root.get(&key.text).is_some();
            match key.text.as_str() {
                "source" if has_body => {}
                "parameters" if has_list => {}
                of @ ("problem" | "parameters") => {
                    for (name, value) in
                        value.into_entries().into_iter().filter(|(name, _)| !names.contains(&name.text))
                    {
                        self.root.entry(of, Kind::Mapping(Vec::new())).put(name, value);
                    }
                }
                _ if is_there => {}
                _ => self.root.put(key, value),
            }
        }
        true
    }

    /// Puts options over the text. False if they cannot be read.
    #[must_use]
    pub fn replace(&mut self, options: &Source) -> bool {
        let Some(over) = self.layer(options) else { return false };
        for (key, value) in over.into_entries() {
            match key.text.as_str() {
                of @ ("problem" | "parameters") => {
                    let of = if of == "problem" { "problem" } else { "parameters" };
                    for (name, value) in value.into_entries() {
                        self.set(of, name, value);
                    }
                }
                "configurations" => {
                    for key in SPACE {
                        self.root.remove(key);
                    }
                    self.root.put(key, value);
                }
                "constraints" => self.root.entry("constraints", Kind::List(Vec::new())).extend(value),
                "launch" => value.into_entries().into_iter().for_each(|(name, value)| self.set_launch(name, value)),
                "source" => value.into_entries().into_iter().for_each(|(name, value)| self.set_source(name, value)),
                // The kernel has chosen the text.
                _ => {}
            }
        }
        true
    }

    /// Names the file of the source, if the text names none and has no body.
    pub fn name_file(&mut self, file: &str) {
        if self.root.get("body").is_none() {
            let source = self.root.entry("source", Kind::Mapping(Vec::new()));
            source.put_first("file", file);
        }
    }

    /// The spec in YAML, whose messages show the text or the options, and the values that options replaced.
    #[must_use]
    pub fn finish(self) -> (Source, Vec<ReplacedValue>) {
        let (text, parts) = self.root.written();
        (Source::of_layers(&text, self.sources, parts), self.replaced)
    }

    /// The names in a mapping of the top level, or in the mappings of a list.
    fn names(&self, key: &str) -> Vec<String> {
        let Some(value) = self.root.get(key) else { return Vec::new() };
        let mappings = if let Kind::List(items) = &value.kind { &items[..] } else { std::slice::from_ref(value) };
        mappings.iter().flat_map(Node::entries).map(|(name, _)| name.text.clone()).collect()
    }

    fn layer(&mut self, options: &Source) -> Option<Node> {
        let node = Node::read(options.text(), self.sources.len())?;
        self.sources.push(options.clone());
        Some(node)
    }

    /// Sets a problem size or a parameter, which the text may have as the other of both.
    fn set(&mut self, key: &'static str, name: Key, value: Node) {
        for own in ["problem", "parameters", "tune_params"] {
            let Some(before) = self.root.get(own).and_then(|mapping| mapping.get(&name.text)) else { continue };
            let (shown, at) = (before.shown(), before.at);
            self.note(key, &name.text, &value, shown, at);
            if own != key {
                self.root.entry(own, Kind::Mapping(Vec::new())).remove(&name.text);
            }
        }
        self.root.entry(key, Kind::Mapping(Vec::new())).put(name, value);
    }

    fn set_launch(&mut self, name: Key, value: Node) {
        let same: &[&str] = [&WORK_ITEMS[..], &WORK_GROUP[..]]
            .into_iter()
            .find(|keys| keys.contains(&name.text.as_str()))
            .unwrap_or_default();
        let before = self.root.get("launch").and_then(|launch| {
            let own = |key: &str| launch.get(key).map(|before| (before.shown(), before.at));
            own(&name.text).or_else(|| same.iter().find_map(|key| own(key)))
        });
        if let Some((before, at)) = before {
            self.note("launch", &name.text, &value, before, at);
        }
        let launch = self.root.entry("launch", Kind::Mapping(Vec::new()));
        same.iter().filter(|key| **key != name.text).for_each(|key| drop(launch.remove(key)));
        launch.put(name, value);
    }

    fn set_source(&mut self, name: Key, value: Node) {
        let key = ["arguments", "define", "assume", "types", "contents"].into_iter().find(|key| *key == name.text);
        if let Some(key) = key {
            for (name, value) in value.into_entries() {
                self.set_entry(key, name, value);
            }
            return;
        }
        let is_template = value.shown().contains('<');
        let source = self.root.entry("source", Kind::Mapping(Vec::new()));
        match name.text.as_str() {
            "include" | "options" | "unaligned" => source.entry(&name.text, Kind::List(Vec::new())).extend(value),
            "language" => source.put(name, value),
            "kernel" if is_template => source.put(name, value),
            // The file is that of the text, and the kernel has chosen the text.
            _ => {}
        }
    }

    /// Sets an entry of a mapping in the source.
    fn set_entry(&mut self, key: &'static str, name: Key, value: Node) {
        if key == "define" && value.is_integer() {
            // A macro is no parameter any more: it has one value.
            let has = |of: &str| self.root.get(of).is_some_and(|mapping| mapping.get(&name.text).is_some());
            if has("parameters") || has("tune_params") {
                return self.set("parameters", name, value.only());
            } else if has("problem") {
                return self.set("problem", name, value);
            }
        }
        let before = self.root.get("source").and_then(|source| source.get(key)?.get(&name.text));
        if let Some((before, at)) = before.map(|before| (before.shown(), before.at)) {
            self.note(key, &name.text, &value, before, at);
        }
        let source = self.root.entry("source", Kind::Mapping(Vec::new()));
        source.entry(key, Kind::Mapping(Vec::new())).put(name, value);
    }

    /// Notes a value that an option replaces.
    fn note(&mut self, key: &'static str, name: &str, value: &Node, before: String, at: usize) {
        let (line, value) = (self.sources[0].place(at).line, value.shown());
        if value != before {
            self.replaced.push(ReplacedValue { key, name: name.to_owned(), value, before, line });
        }
    }
}
