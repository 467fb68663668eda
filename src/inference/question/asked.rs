//! The question about what the text does not say, with proposals that make the launch whole.

use super::super::error::InferenceError;
use super::super::launches::{self, Extent};
use super::super::program::Formal;
use super::super::resolve::SymbolKind;
use super::super::settled::is_integer;
use super::parameters::Tuned;
use super::Question;

impl Question<'_, '_, '_> {
    /// Asks for what is missing, all at once.
    pub(super) fn ask(&self, tuned: &Tuned) -> Result<(), InferenceError> {
        let mut missing = Vec::new();
        let mut answers: Vec<String> = Vec::new();
        let mut seen = String::new();
        for (name, _) in tuned.problem.iter().filter(|(_, value)| value.is_none()) {
            let known = self.resolver.symbols.borrow().get(name.as_str()).cloned();
            let place = known.as_ref().map_or(String::new(), |symbol| format!(" ({})", self.program.shown(symbol.at)));
            missing.push(format!("how large `{name}` is{place}"));
            let value = match known.map(|symbol| symbol.kind) {
                Some(SymbolKind::Loop(values)) if !values.is_empty() => {
                    seen.push_str(&format!("\n  `{name}` counts a loop around the launch"));
                    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
                }
                _ => self.proposed(name).to_string(),
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

    /// A proposal for a size: smaller where the launch has more axes, and for what the launch does not name.
    fn proposed(&self, name: &str) -> i64 {
        let of_launch: Vec<_> = self.settled.extent().iter().filter(|size| size.has(name)).collect();
        let axes = self.settled.extent().iter().filter(|size| size.number().is_none()).count();
        match (of_launch.is_empty(), axes) {
            (false, 0 | 1) if self.settled.arguments.len() < 2 => 1 << 20,
            (false, 0 | 1) => 1 << 16,
            (false, 2) => 4096,
            (false, _) => 256,
            (true, _) => 1024,
        }
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
                Extent::Unknown(part) if !part.is_empty() => format!("\n  `{part}` of {} is not followed", self.program.shown(launch.at)),
                _ => format!("\n  the launch of {} is not followed", self.program.shown(launch.at)),
            };
            seen.push_str(&part);
        }
        for (name, at) in launches::hidden(self.program) {
            seen.push_str(&format!("\n  the macro `{name}` ({}) hides a launch", self.program.shown(at)));
        }
        let axes = if self.usage.has_ids[2] { 3 } else if self.usage.has_ids[1] { 2 } else { 1 };
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
        all.filter(|formal| is_integer(self.resolver, formal) && !formal.name.is_empty() && !is_known(formal.name)).collect()
    }
}

/// The name of a size of the launch: that of an argument of the kernel, if there is one for the axis.
fn size_name(sizes: &[&Formal<'_>], axis: usize) -> String {
    sizes.get(axis).map_or_else(|| format!("items_{}", ["x", "y", "z"][axis]), |formal| formal.name.to_owned())
}
