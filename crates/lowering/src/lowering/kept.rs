//! Lowered configurations of kernels' sources in the user's cache: a later question asks neither for the compiler's
//! output nor for an execution.

use super::lowered::{Feasibility, Lowered};
use crate::gpu::Profile;
use crate::lowering::launch::infeasible::Infeasible;
use crate::spec::{Configuration, Spec};
use autotune_base::files::cache::{Cache, Key};
use autotune_base::files::checksum::sha256_of;
use autotune_base::text::Source;

/// The keys of `source` whose values name files and folders, and no more. The key of a compilation says what these hold.
const OF_FILES: [&str; 3] = ["file:", "files:", "include:"];

/// A spec's text without the names of the source's files: the same kernel in another folder is lowered to the same. Names that do not
/// fill a line of their own right below `source:` stay, since something else may stand beside them, or have their key.
fn without_files(text: &str) -> String {
    let (mut in_source, mut level) = (false, None);
    let mut plain = |line: &str| {
        let own = line.trim_start();
        let indent = line.len() - own.len();
        if own.is_empty() || own.starts_with('#') {
            return line.to_owned();
        }
        if indent == 0 {
            (in_source, level) = (own.trim_end() == "source:", None);
        }
        let is_entry = in_source && indent > 0 && *level.get_or_insert(indent) == indent;
        let key = OF_FILES.iter().find(|key| is_entry && own.starts_with(*key) && !own.contains([',', '{', '}', '&']));
        key.map_or_else(|| line.to_owned(), |key| line[..indent].to_owned() + key)
    };
    text.lines().map(&mut plain).collect::<Vec<_>>().join("\n")
}

/// The lowered configurations of one spec on one GPU.
#[derive(Debug)]
pub(super) struct KeptLowerings {
    cache: Cache,
    /// The key of the spec, the GPU and this build of the program.
    question: Key,
}

impl KeptLowerings {
    pub(super) fn new(cache: Cache, spec: &Spec, profile: &Profile) -> Self {
        let texts = (without_files(spec.source.text()), spec.space_source.as_deref().map(Source::text));
        let question = sha256_of(&(texts, &spec.problem, spec.requested_warm, profile));
        Self { cache, question: Key::of_build([question.as_str()]) }
    }

    /// The key of a configuration; `analysed` is the key of its compilation.
    pub(super) fn key(&self, analysed: &str, configuration: &Configuration) -> Key {
        Key::of(["lowered", self.question.text(), analysed, &sha256_of(configuration)])
    }

    /// True if a configuration's groups at the edges were executed before and do nothing wrong.
    pub(super) fn has_clean_edges(&self, key: &Key) -> bool {
        self.cache.get(&Self::of_edges(key)).is_some()
    }

    /// Keeps that a configuration's groups at the edges do nothing wrong.
    pub(super) fn put_clean_edges(&self, key: &Key) {
        // A cache that cannot be written only makes the next run slower.
        let _ = self.cache.put(&Self::of_edges(key), b"clean");
    }

    fn of_edges(key: &Key) -> Key {
        Key::of(["edges", key.text()])
    }

    /// True if a configuration seems to be there.
    pub(super) fn has(&self, key: &Key) -> bool {
        self.cache.has(key)
    }

    /// A configuration as it was lowered before; `None` if it was not.
    pub(super) fn get(&self, key: &Key) -> Option<Feasibility<Lowered>> {
        serde_json::from_slice(&self.cache.get(key)?).ok()
    }

    /// Keeps a configuration. A refusal is not kept here: the compiler's words are kept beside its outputs, and what the
    /// kernel does is named by the place where it stands now.
    pub(super) fn put(&self, key: &Key, lowered: &Feasibility<Lowered>) {
        if !matches!(lowered, Feasibility::Infeasible(Infeasible::Refused { .. }))
            && let Ok(bytes) = serde_json::to_vec(lowered)
        {
            // A cache that cannot be written only makes the next run slower.
            let _ = self.cache.put(key, &bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_left_out_and_nothing_else() {
        let text =
            "kernel: k\nsource:\n      # file: a\n  file: a/k.cl\n  include: [a]\n  arguments:\n    file: 5\n  x: 1\n";
        let plain = "kernel: k\nsource:\n      # file: a\n  file:\n  include:\n  arguments:\n    file: 5\n  x: 1";
        assert_eq!(without_files(text), plain);
        for whole in [
            "source: { file: k.cl, kernel: k }",
            "source: {\n  file: k.cl, kernel: k\n}",
            "source:\n  file: k.cl, kernel: k",
            "source:\n  files: [k.cl, l.cl]",
            "source:\n  file: &name k.cl",
            "problem:\n  file: 4096",
            "file: k.cl",
        ] {
            assert_eq!(without_files(whole), whole);
        }
    }
}
