//! Mutants of the example kernels, each unsafe in some of its configurations: a dropped barrier, a wrong mask, one element too
//! few. They are refused in exactly these; the kernels as they are, in none.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::{Ended, autotune, run};

const EXAMPLES: &str = "examples/kernels";

/// A change of an example, and the configurations where it is unsafe.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    name: String,
    /// The spec, without its ending.
    example: String,
    /// The text that is replaced, and which of its occurrences in the kernel, from 0.
    old: String,
    occurrence: usize,
    new: String,
    /// The values of the parameters.
    values: BTreeMap<String, Vec<u64>>,
    /// Arguments that the spec states beside it.
    #[serde(default)]
    arguments: Option<String>,
    /// The rule that refuses it; `between_groups` for a warning, `none` for a change that is not unsafe.
    rule: String,
    /// Values that make a configuration unsafe, or `all`.
    r#unsafe: Unsafe,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Unsafe {
    All(All),
    Some(Vec<BTreeMap<String, u64>>),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum All {
    All,
}

fn mutants() -> Vec<Mutant> {
    serde_json::from_str(&fs::read_to_string("tests/data/mutants/mutants.json").unwrap()).unwrap()
}

impl Mutant {
    /// The spec with few values.
    fn spec(&self) -> String {
        let mut spec = fs::read_to_string(format!("{EXAMPLES}/{}.yaml", self.example)).unwrap();
        let is_plain = spec.contains("tune_params:");
        for (name, values) in &self.values {
            let begin = spec.find(&format!("\n  {name}: ")).unwrap() + 1;
            let end = begin + spec[begin..].find('\n').unwrap();
            let new =
                if is_plain { format!("  {name}: {values:?}") } else { format!("  {name}: {{ values: {values:?} }}") };
            spec.replace_range(begin..end, &new);
        }
        if let Some(arguments) = &self.arguments {
            let end = spec.find("file: ").map(|at| at + spec[at..].find('\n').unwrap()).unwrap();
            spec.insert_str(end, &format!("\n  arguments: {{ {arguments} }}"));
        }
        spec
    }

    /// The answer of `evaluate` about the kernel as it is, or about the mutant.
    fn evaluated(&self, is_changed: bool) -> Ended {
        let folder = tempfile::tempdir().unwrap();
        let spec = self.spec();
        let file = spec.split_once("file: ").unwrap().1.split_whitespace().next().unwrap();
        let mut text = fs::read_to_string(Path::new(EXAMPLES).join(file)).unwrap();
        if is_changed {
            let (begin, _) = text.match_indices(&self.old).nth(self.occurrence).unwrap();
            text.replace_range(begin..begin + self.old.len(), &self.new);
        }
        fs::write(folder.path().join(file), text).unwrap();
        fs::write(folder.path().join("k.yaml"), spec).unwrap();
        run(autotune().current_dir(folder.path()).args(["evaluate", "k.yaml", "--gpu", "a100", "--format", "json"]))
    }

    fn is_unsafe(&self, parameters: &Value) -> bool {
        match &self.r#unsafe {
            Unsafe::All(All::All) => true,
            Unsafe::Some(all) => all.iter().any(|values| values.iter().all(|(name, value)| parameters[name] == *value)),
        }
    }

    fn check(&self) {
        let ended = self.evaluated(true);
        if ["between_groups", "none"].contains(&self.rule.as_str()) {
            let is_warned = ended.stderr.contains("of a group beside it");
            assert_eq!((ended.status, is_warned), (0, self.rule != "none"), "{}: {}", self.name, ended.stderr);
            return;
        }
        if let Unsafe::All(All::All) = self.r#unsafe {
            assert_eq!(ended.status, 4, "{}: {}", self.name, ended.stderr);
            let words: &[&str] = match self.rule.as_str() {
                "barrier" => &["do not reach this barrier"],
                "race" => &["no barrier lies between", "no wait for the copy lies between"],
                "mask" => &["its mask does not name it", "which does not arrive", "takes no part"],
                _ => &["of the local array"],
            };
            assert!(words.iter().any(|words| ended.stderr.contains(words)), "{}: {}", self.name, ended.stderr);
            return;
        }
        let report: Value =
            serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{}: {}", self.name, ended.stderr));
        let rows = report["configurations"].as_array().unwrap();
        for row in rows {
            let reason = row["reason"].as_str().unwrap_or_default();
            let expected = self.is_unsafe(&row["parameters"]);
            assert_eq!(reason.starts_with(&format!("{}: ", self.rule)), expected, "{}: {row}", self.name);
            assert_eq!(reason.is_empty(), !expected, "{}: {row}", self.name);
        }
        assert!(rows.iter().any(|row| self.is_unsafe(&row["parameters"])), "{}", self.name);
    }
}

/// Does something for each mutant, on two threads.
fn for_each(mutants: &[Mutant], check: impl Fn(&Mutant) + Sync) {
    std::thread::scope(|scope| {
        for half in mutants.chunks(mutants.len().div_ceil(2)) {
            scope.spawn(|| half.iter().for_each(&check));
        }
    });
}

#[test]
fn a_mutant_is_refused_where_it_bites_and_nowhere_else() {
    let mutants = mutants();
    assert!(mutants.len() >= 30);
    for_each(&mutants, Mutant::check);
}

/// Neither a refusal nor a warning about bytes that work items share.
#[test]
fn the_examples_as_they_are_have_no_finding() {
    let mut mutants = mutants();
    mutants.dedup_by_key(|mutant| (mutant.example.clone(), mutant.values.clone()));
    for_each(&mutants, |mutant| {
        let ended = mutant.evaluated(false);
        let (refused, warned) = (&ended.stdout.contains("\"refused\""), ended.stderr.contains(" byte "));
        assert!(ended.status == 0 && !refused && !warned, "{}: {}{}", mutant.name, ended.stdout, ended.stderr);
    });
}
