//! The question about what the text does not say, with proposals that make the launch whole.

use super::super::error::InferenceError;
use super::super::launches::{self, Extent};
use super::super::program::Formal;
use super::super::resolve::SymbolKind;
use super::super::settled::{Argument, is_integer};
use super::Question;
use super::parameters::Tuned;

/// The most work items of a launch that is proposed.
const MOST_ITEMS: i64 = 1 << 24;
/// The proposal for a number of elements that a work item takes.
const DIVISOR: i64 = 4;

impl Question<'_, '_, '_> {
    /// Asks for what is missing, all at once.
    pub(super) fn ask(&self, tuned: &Tuned) -> Result<(), InferenceError> {
        let mut missing = Vec::new();
        let mut answers: Vec<String> = Vec::new();
        let mut seen = String::new();
        for (name, proposed) in self.proposed(tuned) {
            let known = self.resolver.symbols.borrow().get(name.as_str()).cloned();
            let place = known.as_ref().map_or(String::new(), |symbol| format!(" ({})", self.program.shown(symbol.at)));
            missing.push(format!("how large `{name}` is{place}"));
            let value = match known.map(|symbol| symbol.kind) {
                Some(SymbolKind::Loop(values)) if !values.is_empty() => {
                    seen.push_str(&format!("\n  `{name}` counts a loop around the launch"));
                    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
                }
                Some(SymbolKind::Counter(first)) => first.to_string(),
                _ => proposed.to_string(),
            };
            answers.extend(["--problem".to_owned(), format!("{name}={value}")]);
        }
        let (has_items, has_group) = (self.given.work_items.is_some(), self.given.work_group.is_some());
        let needs_items = matches!(self.settled.extent, Extent::Unknown(_)) && !has_items;
        let needs_group = self.settled.group.is_none() && !has_group;
        if needs_items || needs_group {
            self.ask_for_launch(needs_items, needs_group, tuned, &mut missing, &mut answers, &mut seen);
        }
        if missing.is_empty() { Ok(()) } else { Err(InferenceError::Missing { missing, seen, answers }) }
    }

    /// Proposals for the sizes without a value: as large as a launch of some millions of work items allows.
    fn proposed(&self, tuned: &Tuned) -> Vec<(String, i64)> {
        let open: Vec<&str> =
            tuned.problem.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name.as_str()).collect();
        let is_divisor =
            |name: &str| self.settled.extent().iter().any(|size| size.divisors().iter().any(|own| own.has(name)));
        let in_launch = |name: &str| self.settled.extent().iter().any(|size| size.has(name));
        let fits = |value: i64| {
            let of = |name: &str| {
                let known = self.resolver.symbols.borrow().get(name).and_then(|symbol| symbol.default);
                let given = self.given.problem.iter().find(|(own, _)| own == name).map(|(_, value)| *value);
                known.or(given).or(Some(if is_divisor(name) { DIVISOR } else { value }))
            };
            let groups = self.settled.extent().iter().chain(self.settled.group.iter().flatten());
            let items = groups.map(|size| size.value(&of)).try_fold(1_i64, |all, size| all.checked_mul(size?));
            items.is_some_and(|items| (1..=MOST_ITEMS).contains(&items))
        };
        let size = [20, 16, 14, 12, 11, 10, 9, 8, 6, 4, 2]
            .into_iter()
            .map(|power| 1 << power)
            .find(|size| fits(*size))
            .unwrap_or(64);
        let proposed = |name: &str| match name {
            _ if self.is_truth(name) => 1,
            _ if is_divisor(name) => DIVISOR,
            _ if in_launch(name) => size,
            _ => size.min(1024),
        };
        open.into_iter().map(|name| (name.to_owned(), proposed(name))).collect()
    }

    /// True for a symbol that is nothing but an argument which is true or false.
    fn is_truth(&self, name: &str) -> bool {
        let passed =
            self.settled.arguments.iter().filter(|(_, own)| matches!(own, Argument::Integer(term) if term.has(name)));
        let mut formals = passed.filter_map(|(own, _)| self.kernel.parameters.iter().find(|formal| formal.name == own));
        formals.next().is_some_and(|formal| formal.of_type.iter().any(|word| word.text == "bool"))
    }

    fn ask_for_launch(
        &self,
        needs_items: bool,
        needs_group: bool,
        tuned: &Tuned,
        missing: &mut Vec<String>,
        answers: &mut Vec<String>,
        seen: &mut String,
    ) {
        missing.push(format!("how `{}` is launched", self.kernel.name));
        if let Some(launch) = self.launch {
            let part = match &self.settled.extent {
                Extent::Unknown(part) if !part.is_empty() => {
                    format!("\n  `{part}` of {} is not followed", self.program.shown(launch.at))
                }
                _ => format!("\n  the launch of {} is not followed", self.program.shown(launch.at)),
            };
            seen.push_str(&part);
        }
        for (name, at) in launches::hidden(self.program) {
            seen.push_str(&format!("\n  the macro `{name}` ({}) hides a launch", self.program.shown(at)));
        }
        let axes = if self.usage.has_ids[2] {
            3
        } else if self.usage.has_ids[1] {
            2
        } else {
            1
        };
        let sizes = self.integer_arguments();
        let group: Vec<&str> = ["block_size_x", "block_size_y", "block_size_z"][..axes].to_vec();
        if needs_items {
            let value = [1 << 20, 4096, 256][axes - 1];
            let named: Vec<String> = (0..axes).map(|axis| size_name(&sizes, axis)).collect();
            for name in &named {
                let is_stated = tuned.problem.iter().any(|(own, _)| own == name)
                    || self.given.problem.iter().any(|(own, _)| own == name);
                let option = format!("{name}={value}");
                if !is_stated && !answers.contains(&option) {
                    answers.extend(["--problem".to_owned(), option]);
                }
            }
            answers.extend(["--work-items".to_owned(), named.join(",")]);
        }
        if needs_group {
            let values = ["32..1024:pow2", "8..64:pow2", "4..16:pow2"][axes - 1];
            for (axis, name) in group.iter().enumerate() {
                let values = if axis == 1 && axes == 2 { "1..16:pow2" } else { values };
                if !self.given.parameters.iter().any(|(own, _)| own == name) {
                    answers.extend(["--parameter".to_owned(), format!("{name}={values}")]);
                }
            }
            answers.extend(["--work-group".to_owned(), group.join(",")]);
        }
        for formal in &sizes {
            let is_stated = self.given.arguments.iter().any(|(own, _)| own == formal.name);
            let of_launch = answers.iter().any(|answer| answer.starts_with(&format!("{}=", formal.name)));
            let value = if of_launch { formal.name.to_owned() } else { "1024".to_owned() };
            if !is_stated {
                answers.extend(["--argument".to_owned(), format!("{}={value}", formal.name)]);
            }
        }
    }

    /// The arguments of the kernel that are integers, and that no launch passes.
    fn integer_arguments(&self) -> Vec<&Formal<'_>> {
        let is_known = |name: &str| self.settled.arguments.iter().any(|(own, _)| own == name);
        let all = self.kernel.parameters.iter();
        all.filter(|formal| is_integer(self.resolver, formal) && !formal.name.is_empty() && !is_known(formal.name))
            .collect()
    }
}

/// The name of a size of the launch: that of an argument of the kernel, if there is one for the axis.
fn size_name(sizes: &[&Formal<'_>], axis: usize) -> String {
    sizes.get(axis).map_or_else(|| format!("items_{}", ["x", "y", "z"][axis]), |formal| formal.name.to_owned())
}
