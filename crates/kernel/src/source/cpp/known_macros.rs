//! The macros that the files of a source define.

use std::collections::{HashMap, HashSet};

use super::behind_group;
use super::declaration::{Declaration, DeclarationKind};
use super::words::{Word, WordKind, words};

/// The macros that files define.
#[derive(Debug, Default)]
pub struct KnownMacros<'a> {
    /// The names in the texts of each macro.
    names: HashMap<&'a str, Vec<&'a str>>,
    /// The macros with device code, and the attributes of device code themselves.
    for_device: HashSet<&'a str>,
    /// The macros with kernels.
    for_kernels: HashSet<&'a str>,
    /// The macros with arguments that stand for attributes.
    attributes: HashSet<&'a str>,
    /// The macros with device code that only instantiate templates.
    instantiating: HashSet<&'a str>,
}

/// The attributes of device code, torch's macros among them.
const DEVICE: [&str; 8] = [
    "__global__",
    "__device__",
    "__constant__",
    "__shared__",
    "__managed__",
    "C10_DEVICE",
    "C10_HOST_DEVICE",
    "GPU_LAMBDA",
];
/// Other attributes.
const OTHER: [&str; 7] = [
    "__launch_bounds__",
    "__attribute__",
    "__align__",
    "alignas",
    "__declspec",
    "C10_LAUNCH_BOUNDS_1",
    "C10_LAUNCH_BOUNDS_2",
];

impl<'a> KnownMacros<'a> {
    /// The macros that some texts define as they stand, without conditions.
    pub fn new(texts: &[&'a str]) -> Self {
        let mut names: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut with_bodies = HashSet::new();
        let mut with_declarations = HashSet::new();
        for text in texts {
            for (name, body) in words(text).iter().filter_map(definition) {
                let body = words(body);
                if body.iter().any(|word| word.text == "{") {
                    with_bodies.insert(name);
                }
                if declares(&body) {
                    with_declarations.insert(name);
                }
                let of_body = body.iter().filter(|word| word.is_name()).map(|word| word.text);
                names.entry(name).or_default().extend(of_body);
            }
        }
        let for_device = having(&names, &DEVICE);
        let for_kernels = having(&names, &DEVICE[..1]);
        let mut attributes = having(&names, &[DEVICE.as_slice(), &OTHER].concat());
        attributes.retain(|name| !with_bodies.contains(name));
        with_declarations.extend(with_bodies);
        let declaring = having(&names, &with_declarations.into_iter().collect::<Vec<_>>());
        let is_instantiating = |name: &&&str| names.contains_key(**name) && !declaring.contains(**name);
        let instantiating: HashSet<&str> = for_device.iter().filter(is_instantiating).copied().collect();
        attributes.retain(|name| !instantiating.contains(name));
        Self { names, for_device, for_kernels, attributes, instantiating }
    }

    /// True for an explicit instantiation of a template, also by a macro that stands alone.
    #[must_use]
    pub fn is_instantiation(&self, declaration: &Declaration<'a>) -> bool {
        let mut of_device = declaration.head.iter().filter(|word| self.for_device.contains(word.text)).peekable();
        match declaration.kind {
            DeclarationKind::Macro => {
                of_device.peek().is_some() && of_device.all(|word| self.instantiating.contains(word.text))
            }
            _ => is_instantiation(&declaration.head),
        }
    }

    /// True for a declaration with an attribute of device code.
    #[must_use]
    pub(crate) fn are_for_device(&self, declaration: &Declaration<'a>) -> bool {
        declaration.head.iter().any(|word| self.for_device.contains(word.text))
    }

    /// True for the declaration of a kernel.
    #[must_use]
    pub fn are_for_kernels(&self, declaration: &Declaration<'a>) -> bool {
        declaration.head.iter().any(|word| self.for_kernels.contains(word.text))
    }

    /// True for a macro that the files define.
    #[must_use]
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// The macros with arguments that stand for attributes.
    #[must_use]
    pub fn attributes(&self) -> &HashSet<&'a str> {
        &self.attributes
    }

    /// The macros that have a name in their texts, or in those of the macros there; and the name.
    #[must_use]
    pub(crate) fn naming(&self, name: &'a str) -> HashSet<&'a str> {
        having(&self.names, &[name])
    }

    /// The names in the text of a macro.
    #[must_use]
    pub(crate) fn names_in(&self, name: &str) -> Vec<&'a str> {
        self.names.get(name).cloned().unwrap_or_default()
    }
}

/// True if a macro's text, its parameters included, has a statement of device code that instantiates no template.
fn declares(body: &[Word<'_>]) -> bool {
    let parameters = if body.first().is_some_and(|word| word.text == "(") { behind_group(body, 0) } else { 0 };
    let mut statements = body[parameters..].split(|word| word.text == ";");
    statements.any(|words| words.iter().any(|word| DEVICE.contains(&word.text)) && !is_instantiation(words))
}

/// True for the words of an explicit instantiation: `template` without parameters.
fn is_instantiation(words: &[Word<'_>]) -> bool {
    let mut texts = words.iter().map(|word| word.text).skip_while(|text| *text == "extern");
    texts.next() == Some("template") && texts.next().is_some_and(|text| text != "<")
}

/// The name and the text of a macro, its parameters included; `None` for another word.
fn definition<'a>(word: &Word<'a>) -> Option<(&'a str, &'a str)> {
    let (_, rest) = word.directive().filter(|(kind, _)| *kind == "define")?;
    let rest = rest.trim_start();
    let name = words(rest).first().filter(|name| name.kind == WordKind::Name)?.text;
    Some((name, &rest[name.len()..]))
}

/// The macros that have one of these words in their texts, or in those of the macros there; and the words.
fn having<'a>(names: &HashMap<&'a str, Vec<&'a str>>, wanted: &[&'a str]) -> HashSet<&'a str> {
    let mut users: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, body) in names {
        for word in body {
            users.entry(word).or_default().push(name);
        }
    }
    let mut having: HashSet<&str> = wanted.iter().copied().collect();
    let mut open = wanted.to_vec();
    while let Some(word) = open.pop() {
        open.extend(users.get(word).into_iter().flatten().filter(|name| having.insert(name)));
    }
    having
}
