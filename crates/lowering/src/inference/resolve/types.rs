//! Types of host code: their bytes, the constants of classes, and the arguments of templates.

use super::super::function::{At, Function};
use super::super::term::Term;
use super::super::value::{self, Value};
use super::{DEEPEST, Resolver, Scope};
use autotune_kernel::source::{Word, words};

impl<'p, 'a> Resolver<'p, 'a> {
    /// A constant of a class: `Packed<float>::size`, also by another name of the class.
    pub(super) fn of_class(&self, class: &[Word<'a>], name: &str, scope: Scope<'p, 'a>) -> Option<Term> {
        let mut class = class;
        for _ in 0..DEEPEST {
            match (class, class.last().and_then(|last| self.program.aliases.get(last.text))) {
                ([_], Some(other)) => class = other,
                _ => break,
            }
        }
        let (own, arguments) = class.split_first()?;
        let constant = self.program.class_constants.get(&(own.text, name))?;
        let arguments = if arguments.len() > 2 { value::parts(&arguments[1..arguments.len() - 1]) } else { Vec::new() };
        let formals = constant.template.iter().map(|formal| formal.name);
        let types: Vec<_> = formals.zip(arguments).map(|(formal, argument)| (formal, argument.to_vec())).collect();
        let outer = self.types.replace(types);
        let at = At { file: constant.file, byte: constant.definition.at };
        let term = constant.definition.value.as_ref().and_then(|value| self.term(value, Scope { at, ..scope }));
        self.types.replace(outer);
        term.filter(|term| term.number().is_some())
    }

    /// The bytes of a type by its name, also another name of it.
    fn bytes_of_name(&self, name: &str) -> Option<i64> {
        let types = self.types.borrow();
        let own = types.iter().find(|(formal, _)| *formal == name).map(|(_, words)| words.as_slice());
        let mut words = own.or_else(|| self.program.aliases.get(name).map(Vec::as_slice))?;
        for _ in 0..DEEPEST {
            if let Some(bytes) = value::bytes_of_type(words) {
                return Some(bytes);
            }
            words = self.program.aliases.get(words.last()?.text)?;
        }
        None
    }

    /// The bytes of a variable, or of a type: 4 for a parameter of a template that no call names.
    pub(super) fn size_of(&self, of: &Value<'a>, scope: Scope<'p, 'a>) -> Option<i64> {
        let Value::Name(name, _) = of else { return None };
        if let Some(bytes) = self.bytes_of_name(name) {
            return Some(bytes);
        }
        let function = scope.function?;
        if function.template.iter().any(|parameter| parameter.name == *name) {
            let named = self.type_of_calls(function, name);
            return Some(named.and_then(|named| value::bytes_of_type(&words(&named))).unwrap_or(4));
        }
        let declared = function.variables.iter().rfind(|one| one.name == *name && one.is_declaration)?;
        value::bytes_of_type(&words(&declared.of_type.join(" ")))
    }

    /// The type that all calls of a function pass for a parameter of its template; `None` if they differ or name none.
    pub(in crate::inference) fn type_of_calls(&self, function: &'p Function<'a>, name: &str) -> Option<String> {
        self.followed(|| self.type_of_calls_here(function, name))
    }

    fn type_of_calls_here(&self, function: &'p Function<'a>, name: &str) -> Option<String> {
        let number = function.template.iter().position(|parameter| parameter.name == name)?;
        let calls = self.calls(function, true);
        let mut types = calls.iter().map(|(scope, values)| {
            let name = values.get(number)?.last_name()?;
            let caller = scope.function.filter(|caller| caller.template.iter().any(|own| own.name == name));
            caller.map_or_else(|| Some(name.to_owned()), |caller| self.type_of_calls(caller, name))
        });
        let first = types.next()??;
        types.all(|other| other.as_ref() == Some(&first)).then_some(first)
    }
}
