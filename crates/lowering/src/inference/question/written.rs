//! The options of a spec that a question's terms stand for.

use super::super::answer::Inference;
use super::super::error::InferenceError;
use super::super::launches::Extent;
use super::super::settled::{Argument, TemplateArgument};
use super::super::term::{Sign, Term};
use super::parameters::Tuned;
use super::state::Question;
use autotune_base::text::InferredKind;

impl Question<'_, '_, '_> {
    /// The options, complete as far as the text says.
    pub(super) fn options(mut self, tuned: &Tuned) -> Result<Inference, InferenceError> {
        self.ask(tuned)?;
        self.say_launch();
        self.launch_options();
        self.kernel_option();
        self.argument_options(tuned);
        for (name, value) in &tuned.problem {
            self.given.problem.extend(value.map(|value| (name.clone(), value)));
        }
        for (name, values) in &tuned.parameters {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            self.given.parameters.push((name.clone(), values.join(",")));
        }
        self.given.constraints.extend(tuned.constraints.iter().map(Term::written));
        let mut inferred = self.inferred;
        inferred.sort_by_key(|one| order(one.what));
        Ok(Inference { options: self.given, inferred })
    }

    fn say_launch(&mut self) {
        if let Some(launch) = self.launch {
            let rule = if self.settled.is_tied { "the size of a group is what its number divides by" } else { "" };
            self.say(InferredKind::Launch, &launch.shown.clone(), "", launch.at, rule, self.settled.is_tied);
        }
    }

    fn launch_options(&mut self) {
        let Some(group) = self.settled.group.clone() else { return };
        let items = match &self.settled.extent {
            Extent::Groups(groups) => {
                let of_axis = |(groups, group): (&Term, &Term)| times(groups, group);
                groups.iter().zip(&group).map(of_axis).collect::<Vec<_>>()
            }
            Extent::WorkItems(items) => items.to_vec(),
            Extent::Unknown(_) => return,
        };
        let is_one = |axis: usize| items[axis].number() == Some(1) && group[axis].number() == Some(1);
        let axes = (1..3).rev().find(|axis| !is_one(*axis)).map_or(1, |last| last + 1);
        let written = |sizes: &[Term]| sizes[..axes].iter().map(Term::written).collect::<Vec<_>>().join(", ");
        let (items, group) = (written(&items), written(&group));
        self.given.work_items.get_or_insert(items);
        self.given.work_group.get_or_insert(group);
        if let Some(shared) = &self.settled.shared {
            let shared = shared.written();
            self.given.shared.get_or_insert(shared);
        }
    }

    /// The kernel, a template with its arguments.
    fn kernel_option(&mut self) {
        let name = self.given.kernel.clone().unwrap_or_else(|| self.kernel.name.to_owned());
        let template = &self.settled.template;
        if name.contains('<') || template.is_empty() {
            self.given.kernel = Some(name);
            return;
        }
        let arguments: Vec<String> = template.iter().map(TemplateArgument::written).collect();
        for (parameter, argument) in self.settled.guessed.clone() {
            let rule = "the text does not name this argument of the template";
            self.say(InferredKind::Argument, &parameter, &argument, self.kernel.at(), rule, true);
        }
        self.given.kernel = Some(format!("{name}<{}>", arguments.join(", ")));
    }

    fn argument_options(&mut self, tuned: &Tuned) {
        let at = self.launch.map_or(self.kernel.at(), |launch| launch.at);
        for (name, argument) in self.settled.arguments.clone() {
            if self.given.arguments.iter().any(|(own, _)| *own == name) {
                continue;
            }
            let value = match &argument {
                Argument::Integer(term) => term.written(),
                Argument::Local(term) => format!("local {}", term.written()),
                Argument::Real(text) => text.clone(),
            };
            let is_said = tuned.problem.iter().any(|(own, _)| *own == value && *own == name);
            if !is_said {
                self.say(InferredKind::Argument, &name, &value, at, "", false);
            }
            self.given.arguments.push((name, value));
        }
    }
}

/// The work items of a number of groups: of `n / b` groups of `b` they are `n`, since `b` divides `n`.
fn times(groups: &Term, group: &Term) -> Term {
    match groups {
        Term::Binary(Sign::Divide, sides) if sides[1] == *group => sides[0].clone(),
        _ => Term::binary(Sign::Multiply, groups.clone(), group.clone()),
    }
}

fn order(what: InferredKind) -> u8 {
    match what {
        InferredKind::Kernel => 0,
        InferredKind::Launch => 1,
        InferredKind::Problem => 2,
        InferredKind::Parameter => 3,
        InferredKind::Argument => 4,
        InferredKind::Constraint => 5,
    }
}
