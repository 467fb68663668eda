//! Bodies in two versions: a better one, and a worse one that differs in one statement.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The keys of a statement, as YAML writes their values.
pub(crate) type Keys = BTreeMap<&'static str, String>;

/// A version of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    Better,
    Worse,
}

/// A statement of both versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Statement {
    Barrier,
    Keyed {
        keyword: &'static str,
        keys: Keys,
        /// The keys that are others in the worse version; empty but in one statement.
        worse: Keys,
    },
    Loop {
        count: u64,
        /// The count in the worse version.
        worse: u64,
        body: Vec<Statement>,
    },
    /// A statement of the worse version alone.
    Added(Box<Statement>),
}

/// The launch and the resources: the same in both versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Launch {
    pub(crate) group: [u64; 2],
    pub(crate) groups: [u64; 2],
    pub(crate) registers: u64,
    pub(crate) local_memory: u64,
}

/// A body with its launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) launch: Launch,
    pub(crate) body: Vec<Statement>,
}

impl Statement {
    /// True if the versions differ in this statement or in one inside.
    pub(crate) fn differs(&self) -> bool {
        match self {
            Self::Barrier => false,
            Self::Keyed { worse, .. } => !worse.is_empty(),
            Self::Loop { count, worse, body } => count != worse || body.iter().any(Self::differs),
            Self::Added(_) => true,
        }
    }

    fn write(&self, version: Version, depth: usize, text: &mut String) {
        let margin = "    ".repeat(depth);
        match self {
            Self::Barrier => writeln!(text, "{margin}  - barrier").unwrap(),
            Self::Keyed { keyword, keys, worse } => {
                let mut keys = keys.clone();
                if version == Version::Worse {
                    keys.extend(worse.clone());
                }
                let keys: Vec<_> = keys.iter().map(|(key, value)| format!("{key}: {value}")).collect();
                writeln!(text, "{margin}  - {keyword}: {{ {} }}", keys.join(", ")).unwrap();
            }
            Self::Loop { count, worse, body } => {
                let count = if version == Version::Worse { worse } else { count };
                writeln!(text, "{margin}  - loop:\n{margin}      count: {count}\n{margin}      var: i{depth}").unwrap();
                writeln!(text, "{margin}      body:").unwrap();
                for inner in body {
                    inner.write(version, depth + 2, text);
                }
            }
            Self::Added(added) if version == Version::Worse => added.write(version, depth, text),
            Self::Added(_) => {}
        }
    }
}

impl Pair {
    /// The spec of a version.
    pub(crate) fn spec(&self, version: Version) -> String {
        let Launch { group: [x, y], groups: [wide, high], registers, local_memory } = self.launch;
        let mut text = format!(
            "kernel: drawn\nlaunch: {{ work_items: [{}, {}], work_group: [{x}, {y}] }}\n\
             resources: {{ registers: {registers}, local_memory: {local_memory} }}\nbody:\n",
            x * wide,
            y * high,
        );
        for statement in &self.body {
            statement.write(version, 0, &mut text);
        }
        text
    }

    /// Pairs with less in them and the same difference: a statement, a key or a loop is gone, or a number is smaller.
    pub(crate) fn smaller(&self) -> Vec<Self> {
        let with_body = |body| Self { launch: self.launch.clone(), body };
        let with_launch = |launch| Self { launch, body: self.body.clone() };
        let mut found: Vec<Self> = smaller_bodies(&self.body).into_iter().map(with_body).collect();
        found.extend(self.launch.smaller().into_iter().map(with_launch));
        found
    }
}

impl Launch {
    fn smaller(&self) -> Vec<Self> {
        let mut found = Vec::new();
        for (registers, local_memory) in [(16, self.local_memory), (self.registers, 0)] {
            found.push(Self { registers, local_memory, ..self.clone() });
        }
        let [wide, high] = self.groups;
        for groups in [[wide, 1], [wide.div_ceil(2), high], [wide, high.div_ceil(2)]] {
            found.push(Self { groups, ..self.clone() });
        }
        found.retain(|smaller| smaller != self);
        found
    }
}

fn smaller_bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    for (place, statement) in body.iter().enumerate() {
        let replaced = |by: Vec<Statement>| [&body[..place], &by, &body[place + 1..]].concat();
        if !statement.differs() {
            found.push(replaced(Vec::new()));
        }
        match statement {
            Statement::Loop { count, worse, body } => {
                if count == worse {
                    found.push(replaced(body.clone()));
                }
                let fewer = (count == worse && *count > 2).then(|| (count.div_ceil(2), worse.div_ceil(2)));
                found.extend(
                    fewer.map(|(count, worse)| replaced(vec![Statement::Loop { count, worse, body: body.clone() }])),
                );
                let inner = smaller_bodies(body).into_iter();
                let (count, worse) = (*count, *worse);
                found.extend(inner.map(|body| replaced(vec![Statement::Loop { count, worse, body }])));
            }
            Statement::Keyed { keyword, keys, worse } => {
                let gone = smaller_keys(keys, worse);
                found.extend(gone.map(|keys| replaced(vec![Statement::Keyed { keyword, keys, worse: worse.clone() }])));
            }
            Statement::Barrier | Statement::Added(_) => {}
        }
    }
    // Both versions need a statement.
    found.retain(|body| body.iter().any(|statement| !matches!(statement, Statement::Added(_))));
    found
}

/// The keys without one that both versions share; a shape goes with its index.
fn smaller_keys(keys: &Keys, worse: &Keys) -> impl Iterator<Item = Keys> {
    let shared = keys.keys().filter(|key| !worse.contains_key(*key) && !["array", "shape"].contains(*key));
    let without = |gone: &str| {
        let kept = keys.iter().filter(|(key, _)| **key != gone && !(gone == "index" && **key == "shape"));
        kept.map(|(key, value)| (*key, value.clone())).collect()
    };
    shared.map(move |gone| without(gone))
}
