//! Sizes along x, y and z.

use super::super::function::{At, Function};
use super::super::term::Term;
use super::super::value::Value;
use super::super::variables::{Definition, Part};
use super::known::Known;
use super::{Resolver, Scope, Sizes, SymbolKind};

impl<'p, 'a> Resolver<'p, 'a> {
    /// The sizes that a structure's member of type `dim3` has: `config.gridDim`.
    pub(in crate::inference) fn sizes_of_member(
        &self,
        of: &Value<'a>,
        member: &str,
        scope: Scope<'p, 'a>,
    ) -> Option<Sizes> {
        let (Value::Name(name, _), Some(function)) = (of, scope.function) else { return None };
        let is_set = |one: &&Definition<'a>| {
            one.name == *name && one.at < scope.at.byte && matches!(one.part, Some(Part::Member(own)) if own == member)
        };
        let set = function.variables.iter().rfind(is_set)?;
        self.sizes(set.value.as_ref()?, scope.before(set.at))
    }

    /// The sizes that a value of type `dim3`, or an integer, has along x, y and z.
    pub(in crate::inference) fn sizes(&self, of: &Value<'a>, scope: Scope<'p, 'a>) -> Option<Sizes> {
        self.followed(|| self.sizes_here(of, scope))
    }

    fn sizes_here(&self, of: &Value<'a>, scope: Scope<'p, 'a>) -> Option<Sizes> {
        match of {
            Value::Call { name: "dim3", arguments, .. } => self.three(arguments, scope),
            Value::List(values) => self.three(values, scope),
            Value::Name(name, _) => self.sizes_of_variable(name, scope).or_else(|| self.line(of, scope)),
            Value::Choice(parts) => {
                let (then, otherwise) = (self.sizes(&parts[1], scope)?, self.sizes(&parts[2], scope)?);
                let condition = self.term(&parts[0], scope)?;
                let chosen = then.into_iter().zip(otherwise);
                let chosen = chosen.map(|(then, otherwise)| Term::choice(condition.clone(), then, otherwise));
                chosen.collect::<Vec<_>>().try_into().ok()
            }
            other => self.line(other, scope),
        }
    }

    pub(super) fn line(&self, of: &Value<'a>, scope: Scope<'p, 'a>) -> Option<Sizes> {
        Some([self.term(of, scope)?, Term::Number(1), Term::Number(1)])
    }

    pub(in crate::inference) fn three(&self, values: &[Value<'a>], scope: Scope<'p, 'a>) -> Option<Sizes> {
        let mut sizes = [Term::Number(1), Term::Number(1), Term::Number(1)];
        if values.len() > 3 {
            return None;
        }
        for (axis, value) in values.iter().enumerate() {
            sizes[axis] = self.term(value, scope)?;
        }
        Some(sizes)
    }

    /// The sizes of a variable of type `dim3`, its members assigned one by one too; `None` for another variable.
    fn sizes_of_variable(&self, name: &'a str, scope: Scope<'p, 'a>) -> Option<Sizes> {
        let function = scope.function?;
        let Some(known) = Known::new(function, name, None, scope.at) else {
            return self.sizes_elsewhere(function, name);
        };
        let declaration = known.declaration;
        let is_dim3 = declaration.of_type.iter().any(|word| matches!(*word, "dim3" | "Dim3" | "uint3"));
        let is_made = matches!(known.value(), Some(Value::Call { name: "dim3", .. }));
        if !is_dim3 && !is_made {
            return None;
        }
        let mut sizes = match known.value() {
            Some(value) if !known.is_altered => self.sizes(value, scope.before(known.value_at()))?,
            Some(_) => return None,
            None => self.three(&declaration.made_of, scope.before(declaration.at))?,
        };
        for (axis, member) in ["x", "y", "z"].into_iter().enumerate() {
            if let Some(part) = Known::new(function, name, Some(Part::Member(member)), scope.at)
                && let Some(value) = part.value()
            {
                match self.term(value, scope.before(part.value_at())) {
                    Some(term) => sizes[axis] = term,
                    // What an option of the program may set keeps the value that it has without.
                    None if part.last.is_none() => {}
                    None => return None,
                }
            }
            if let Term::Number(number) = sizes[axis]
                && number != 1
            {
                let at = At { file: scope.at.file, byte: declaration.at };
                sizes[axis] = self.constant(&format!("{name}_{member}"), number, at, SymbolKind::Component, false);
            }
        }
        Some(sizes)
    }

    /// The sizes of an argument of a function that one call passes, or of a constant outside of functions.
    fn sizes_elsewhere(&self, function: &'p Function<'a>, name: &'a str) -> Option<Sizes> {
        if let Some(number) = function.parameters.iter().position(|parameter| parameter.name == name) {
            let is_dim3 = function.parameters[number].of_type.iter().any(|word| word.text == "dim3");
            let calls = self.calls(function, false);
            let [(scope, values)] = calls.as_slice() else { return None };
            return if is_dim3 { self.sizes(values.get(number)?, *scope) } else { None };
        }
        let (file, definition) = self.program.globals.get(name)?;
        if !definition.of_type.contains(&"dim3") {
            return None;
        }
        let outside = Scope::outside(At { file: *file, byte: definition.at });
        match &definition.value {
            Some(value) => self.sizes(value, outside),
            None => self.three(&definition.made_of, outside),
        }
    }
}
