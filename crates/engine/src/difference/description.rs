//! The parts of two kernels' descriptions that differ: the launch, problem sizes, parameters, arguments and conditions.

use serde::Serialize;

use autotune_base::text::InferredKind;
use autotune_lowering::spec::{Domain, Expression, KnownArgument, Launch, Spec};

/// A part of the description that the two kernels do not share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct DescriptionChange {
    /// The kind.
    pub what: InferredKind,
    /// The name: `work items`, `work group` or `shared` of a launch, or that of a size, parameter or argument; the text of a
    /// condition.
    pub name: String,
    /// The name in the old kernel; absent if it is the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    /// The old kernel's value; null if it has no such part.
    pub old: Option<String>,
    /// The line of the old kernel's text that states it; absent if it was not inferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_place: Option<StatingLine>,
    /// The new kernel's value; null if it has no such part.
    pub new: Option<String>,
    /// The line of the new kernel's text that states it; absent if it was not inferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_place: Option<StatingLine>,
    /// The problem size of both kernels in the comparison; absent if each kernel keeps its own, and for other parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<i64>,
}

/// A line of a text that states a part of a description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct StatingLine {
    /// The file, as messages name it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// Gives both kernels all values that a parameter has in one of them, if both texts state it and no option: their rule
/// makes the values from the text's own, and a configuration is to be compared in both.
pub fn share_inferred_values(old: &mut Spec, new: &mut Spec) {
    let is_inferred = |spec: &Spec, name: &str| place(spec, InferredKind::Parameter, name).is_some();
    for position in 0..new.parameters.len() {
        let name = new.parameters[position].name.clone();
        let Some(other) = old.parameters.iter().position(|one| one.name == name) else { continue };
        if !is_inferred(old, &name) || !is_inferred(new, &name) {
            continue;
        }
        let (Domain::Values(before), Domain::Values(after)) =
            (&mut old.parameters[other].domain, &mut new.parameters[position].domain)
        else {
            continue;
        };
        let mut all = after.clone();
        all.extend(before.iter().filter(|value| after.iter().all(|own| own.text() != value.text())).cloned());
        all.sort_by_key(|value| value.text().parse::<i64>().ok());
        before.clone_from(&all);
        *after = all;
    }
}

/// Two descriptions: the old kernel's as its text states it, and the new kernel's as it is compared.
#[derive(Debug, Clone, Copy)]
pub struct Descriptions<'a> {
    /// The old kernel.
    pub old: &'a Spec,
    /// The new kernel.
    pub new: &'a Spec,
}

impl Descriptions<'_> {
    /// The problem sizes that the old kernel takes from the new one: those of the same name, and those that are the same
    /// argument of the kernel.
    #[must_use]
    pub fn shared_sizes(&self) -> Vec<(String, i64)> {
        let names = self.old.problem.iter().map(|(name, _)| name);
        names.filter_map(|name| Some((name.clone(), self.counterpart(name)?.1))).collect()
    }

    /// The new kernel's size that stands for an old one; `None` if there is none.
    fn counterpart(&self, name: &str) -> Option<&(String, i64)> {
        let size = |name: &str| self.new.problem.iter().find(|(own, _)| own == name);
        size(name).or_else(|| {
            let argument = arguments(self.old).into_iter().find(|(_, value)| value == name)?.0;
            let value = arguments(self.new).into_iter().find(|(own, _)| *own == argument)?.1;
            // A size that both have stands for itself.
            size(&value).filter(|(new, _)| self.old.problem.iter().all(|(old, _)| old != new))
        })
    }

    /// The parts that differ. `is_shared` is true if the old kernel is compared at the new one's sizes; a size that is
    /// `set` for both is not stated by the texts.
    #[must_use]
    pub fn changes(&self, is_shared: bool, set: &[(String, i64)]) -> Vec<DescriptionChange> {
        let mut changes = Vec::new();
        let launches = [&self.old.launch, &self.new.launch].map(launch);
        let old = launches[0].iter().map(|(name, text)| (*name, text.as_ref().map(|text| self.with_new_names(text))));
        for ((name, old), (_, new)) in old.zip(&launches[1]) {
            changes.extend(self.change(InferredKind::Launch, name, old, new.clone()));
        }
        changes.extend(self.sizes(is_shared, set));
        let parameters =
            |spec: &Spec| spec.parameters.iter().map(|one| (one.name.clone(), domain(&one.domain))).collect::<Vec<_>>();
        changes.extend(self.named(InferredKind::Parameter, &parameters(self.old), &parameters(self.new)));
        changes.extend(self.named(InferredKind::Argument, &arguments(self.old), &arguments(self.new)));
        let conditions = |spec: &Spec| {
            spec.constraints.iter().map(|one| (one.text().to_owned(), "required".to_owned())).collect::<Vec<_>>()
        };
        changes.extend(self.named(InferredKind::Constraint, &conditions(self.old), &conditions(self.new)));
        changes
    }

    /// The problem sizes whose values differ.
    fn sizes(&self, is_shared: bool, set: &[(String, i64)]) -> Vec<DescriptionChange> {
        let mut changes = Vec::new();
        let mut met = Vec::new();
        for (name, old) in &self.old.problem {
            let new = self.counterpart(name);
            met.extend(new.map(|(name, _)| name));
            let is_set = set.iter().any(|(own, _)| own == name);
            if is_set || new.is_some_and(|(_, new)| new == old) {
                continue;
            }
            let own = new.map_or(name, |(name, _)| name);
            changes.push(DescriptionChange {
                what: InferredKind::Problem,
                name: own.clone(),
                old_name: (own != name).then(|| name.clone()),
                old: Some(old.to_string()),
                old_place: place(self.old, InferredKind::Problem, name),
                new: new.map(|(_, value)| value.to_string()),
                new_place: new.and_then(|(name, _)| place(self.new, InferredKind::Problem, name)),
                compared: new.filter(|_| is_shared).map(|(_, value)| *value),
            });
        }
        for (name, new) in self.new.problem.iter().filter(|(name, _)| !met.contains(&name)) {
            changes.extend(self.change(InferredKind::Problem, name, None, Some(new.to_string())));
        }
        changes
    }

    /// The changes of parts with names.
    fn named(&self, what: InferredKind, old: &[(String, String)], new: &[(String, String)]) -> Vec<DescriptionChange> {
        let value = |all: &[(String, String)], name: &str| {
            all.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
        };
        let old: Vec<_> = old
            .iter()
            .map(|(name, value)| {
                let is_text = what == InferredKind::Constraint;
                let name = if is_text { self.with_new_names(name) } else { name.clone() };
                (name, self.with_new_names(value))
            })
            .collect();
        let gone = old.iter().filter(|(name, _)| value(new, name).is_none()).map(|(name, _)| name);
        let names: Vec<String> = new.iter().map(|(name, _)| name).chain(gone).cloned().collect();
        names.iter().filter_map(|name| self.change(what, name, value(&old, name), value(new, name))).collect()
    }

    /// A change of a part; `None` if both are the same.
    fn change(
        &self,
        what: InferredKind,
        name: &str,
        old: Option<String>,
        new: Option<String>,
    ) -> Option<DescriptionChange> {
        (old != new).then(|| DescriptionChange {
            what,
            name: name.to_owned(),
            old_name: None,
            old_place: old.as_ref().and_then(|_| place(self.old, what, name)),
            new_place: new.as_ref().and_then(|_| place(self.new, what, name)),
            old,
            new,
            compared: None,
        })
    }

    /// An old expression with the names that the new kernel has for the same sizes.
    fn with_new_names(&self, text: &str) -> String {
        let renamed = self.old.problem.iter().filter_map(|(name, _)| {
            let (new, _) = self.counterpart(name)?;
            (new != name).then_some((name.as_str(), new.as_str()))
        });
        let renamed: Vec<(&str, &str)> = renamed.collect();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut result = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            result += renamed.iter().find(|(old, _)| *old == word).map_or(word, |(_, new)| new);
            rest = behind;
        }
        result
    }
}

/// The line of a text that an inferred part follows from; `None` if it was stated.
fn place(spec: &Spec, what: InferredKind, name: &str) -> Option<StatingLine> {
    let is_it = |kind: InferredKind, own: &str| kind == what && (what == InferredKind::Launch || own == name);
    let found = spec.source.inferred().iter().find(|one| is_it(one.what, &one.name))?;
    Some(StatingLine { file: found.file.clone(), line: found.line })
}

/// The sizes of a launch.
fn launch(launch: &Launch) -> [(&'static str, Option<String>); 3] {
    let list = |sizes: &[Expression]| sizes.iter().map(Expression::text).collect::<Vec<_>>().join(", ");
    [
        ("work items", Some(list(&launch.work_items))),
        ("work group", Some(list(&launch.work_group))),
        ("shared", launch.shared.as_ref().map(|bytes| bytes.text().to_owned())),
    ]
}

/// The arguments of a kernel's source that have values.
fn arguments(spec: &Spec) -> Vec<(String, String)> {
    let given = spec.kernel_source.iter().flat_map(|stated| &stated.arguments);
    let value = |value: &KnownArgument| match value {
        KnownArgument::Integer(value) => value.text().to_owned(),
        KnownArgument::Float(text) => text.clone(),
        KnownArgument::Local(bytes) => format!("local {}", bytes.text()),
        KnownArgument::Global(bytes) => format!("global {}", bytes.text()),
    };
    given.map(|argument| (argument.name.clone(), value(&argument.value))).collect()
}

/// The values of a parameter, as options have them.
fn domain(domain: &Domain) -> String {
    match domain {
        Domain::Values(values) => values.iter().map(Expression::text).collect::<Vec<_>>().join(", "),
        Domain::PowersOfTwo { from, to } => format!("{}..{}:pow2", from.text(), to.text()),
        Domain::Range { from, to, step } => format!("{}..{}:{}", from.text(), to.text(), step.text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(problem: &str, launch: &str, argument: &str) -> Spec {
        let text = format!(
            "kernel: k\nproblem: {{ {problem} }}\nparameters: {{ WG: {{ values: [32, 64] }} }}\n\
             launch: {{ work_items: {launch}, work_group: WG }}\nsource: {{ file: k.cl, arguments: {{ count: {argument} }} }}\n"
        );
        Spec::parse(&text, "k.yaml").unwrap()
    }

    #[test]
    fn a_size_of_another_name_is_the_same_argument_of_the_kernel() {
        let (old, new) = (spec("n: 64", "n", "n"), spec("size: 128", "size", "size"));
        let both = Descriptions { old: &old, new: &new };
        assert_eq!(both.shared_sizes(), [("n".to_owned(), 128)]);
        let changes = both.changes(true, &[]);
        let [change] = &changes[..] else { panic!("{changes:?}") };
        assert_eq!((change.name.as_str(), change.old_name.as_deref()), ("size", Some("n")));
        assert_eq!(
            (change.old.as_deref(), change.new.as_deref(), change.compared),
            (Some("64"), Some("128"), Some(128))
        );
    }

    #[test]
    fn launches_and_arguments_differ_by_their_texts() {
        let (old, new) = (spec("n: 64", "n", "n"), spec("n: 64", "n / 2", "n / 2"));
        let changes = Descriptions { old: &old, new: &new }.changes(true, &[]);
        let shown: Vec<_> = changes
            .iter()
            .map(|one| (one.name.as_str(), one.old.as_deref().unwrap_or(""), one.new.as_deref().unwrap_or("")))
            .collect();
        assert_eq!(shown, [("work items", "n", "n / 2"), ("count", "n", "n / 2")]);
    }

    #[test]
    fn sizes_of_one_kernel_alone_and_sizes_that_are_set_for_both() {
        let (old, new) = (spec("n: 64, m: 2", "n", "n"), spec("n: 32, l: 3", "n", "n"));
        let both = Descriptions { old: &old, new: &new };
        let changes = both.changes(true, &[("n".to_owned(), 32)]);
        let shown: Vec<_> =
            changes.iter().map(|one| (one.name.as_str(), one.old.as_deref(), one.new.as_deref())).collect();
        assert_eq!(shown, [("m", Some("2"), None), ("l", None, Some("3"))]);
        assert_eq!(both.changes(false, &[])[0].compared, None);
    }
}
