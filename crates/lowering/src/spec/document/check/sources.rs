//! The kernel's source in a spec.

use std::path::PathBuf;

use crate::spec::document::load::place_of;
use crate::spec::document::raw::{RawSource, Scalar, Value};
use crate::spec::error::{Problem, SpecError};
use crate::spec::expression::{Expression, Vocabulary};
use crate::spec::kernel_source::{
    Assumed, Assumption, GivenArgument, KnownArgument, SourceParts, StatedContents, StatedElements, StatedSource,
};
use crate::spec::statement::OperationKind;
use autotune_base::text::Place;
use autotune_base::yaml::Spanned;
use autotune_kernel::source::{AssumedAddress, AssumedLines, KernelSource, Language, Operations, UnreadLanguage};

use super::checker::Checker;

/// The most files and folders of a source.
const MOST_FILES: usize = 64;

/// The most operations of a kind in a line of inline assembly.
const MOST_OPERATIONS: u64 = 1 << 20;

impl Checker<'_> {
    /// Reads where a kernel's source lies and what it needs. Files lie beside the spec.
    pub(super) fn kernel_source(self, raw: &Spanned<RawSource>) -> Result<StatedSource, SpecError> {
        let place = place_of(raw);
        let raw = &raw.value;
        let files = self.files(raw, place)?;
        let define = |(name, value): &(Spanned<String>, Scalar)| Ok((self.macro_name(name)?, self.macro_value(value)?));
        let argument = |(name, value): &(Spanned<String>, Scalar)| {
            Ok(GivenArgument { name: name.value.clone(), place: place_of(value), value: self.argument(value)? })
        };
        let arguments: Vec<GivenArgument> = raw.arguments.0.iter().map(argument).collect::<Result<_, SpecError>>()?;
        let parts = SourceParts {
            kernel: raw.kernel.as_ref().map(place_of),
            include: raw.include.iter().map(place_of).collect(),
            options: raw.standard.iter().chain(&raw.options).map(place_of).collect(),
        };
        let standard = raw.standard.iter().map(|standard| format!("-cl-std={}", standard.value));
        let options = raw.options.iter().map(|option| option.value.clone());
        let source = KernelSource {
            include: raw.include.iter().map(|folder| self.beside(&folder.value)).collect(),
            language: self.language(raw, &files, place)?,
            options: standard.chain(options).collect(),
            kernel: raw.kernel.as_ref().map(|name| name.value.clone()),
            fields: arguments.iter().any(GivenArgument::is_field),
            assumed: AssumedLines::default(),
            macros: Vec::new(),
            types: raw.types.0.iter().map(|(name, of)| self.type_of(name, of)).collect::<Result<_, _>>()?,
            unaligned: raw.unaligned.iter().map(|name| name.value.clone()).collect(),
            files,
        };
        let assume = raw.assume.0.iter().map(|(what, value)| self.assumption(what, value));
        let contents = raw.contents.0.iter().map(|(name, what)| self.contents(name, what));
        Ok(StatedSource {
            place,
            source,
            define: raw.define.0.iter().map(define).collect::<Result<_, SpecError>>()?,
            arguments,
            assume: assume.collect::<Result<_, _>>()?,
            contents: contents.collect::<Result<_, _>>()?,
            parts,
        })
    }

    /// The files of a source; for a spec in a comment of a source, which names none, that one.
    fn files(self, raw: &RawSource, place: Place) -> Result<Vec<PathBuf>, SpecError> {
        let Some(raw) = &raw.file else {
            let own = self.source.commented_file().map(|file| vec![file.to_owned()]);
            return own.ok_or_else(|| self.error(place, Problem::MissingKey { key: "file" }));
        };
        let expected = Problem::Shape { expected: "a file's name, or a list of names" };
        let name = |scalar: &Scalar| match &scalar.value {
            Value::Text(name) if !name.is_empty() => Ok(self.beside(name)),
            _ => Err(self.error(place_of(scalar), Problem::Shape { expected: "a file's name" })),
        };
        match &raw.value {
            Value::List(list) if (1..=MOST_FILES).contains(&list.len()) => list.iter().map(name).collect(),
            Value::Text(_) => Ok(vec![name(raw)?]),
            _ => Err(self.error(place_of(raw), expected)),
        }
    }

    /// A path beside the spec.
    fn beside(self, name: &str) -> PathBuf {
        self.source.folder().join(name)
    }

    /// The name of an argument and its type, as Triton writes it: `*fp16`, `i32`.
    fn type_of(self, name: &Spanned<String>, of: &Scalar) -> Result<(String, String), SpecError> {
        let wrong =
            || self.error(place_of(of), Problem::Shape { expected: "a type of Triton, such as `'*fp16'` or `i32`" });
        let Value::Text(text) = &of.value else { return Err(wrong()) };
        let element = text.strip_prefix("*k").or_else(|| text.strip_prefix('*')).unwrap_or(text);
        let is_type = !element.is_empty() && element.chars().all(|c| c.is_ascii_alphanumeric());
        is_type.then(|| (name.value.clone(), text.to_owned())).ok_or_else(wrong)
    }

    /// The language of a spec's source; `None` if the spec has none or does not say it.
    pub(super) fn language_of(self, raw: Option<&Spanned<RawSource>>) -> Option<Language> {
        let (place, raw) = (place_of(raw?), &raw?.value);
        self.language(raw, &self.files(raw, place).ok()?, place).ok()
    }

    fn language(self, raw: &RawSource, files: &[PathBuf], place: Place) -> Result<Language, SpecError> {
        let found = match &raw.language {
            Some(named) => Language::from_name(&named.value),
            None => files.first().and_then(|file| Language::from_file(file)),
        };
        let file = raw.file.as_ref().map_or(place, place_of);
        let place = raw.language.as_ref().map_or(file, place_of);
        found.ok_or_else(|| {
            let unread = files.first().filter(|_| raw.language.is_none());
            if let Some(unread) = unread.and_then(|file| UnreadLanguage::from_file(file)) {
                return self.error(place, Problem::UnreadLanguage(unread));
            }
            self.error(place, Problem::Shape { expected: "`language: opencl`, `language: cuda` or `language: triton`" })
        })
    }

    fn macro_name(self, name: &Spanned<String>) -> Result<String, SpecError> {
        let text = &name.value;
        let good = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let begins = text.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
        if begins && text.chars().all(good) {
            Ok(text.clone())
        } else {
            Err(self.error(place_of(name), Problem::Shape { expected: "the name of a macro" }))
        }
    }

    fn macro_value(self, value: &Scalar) -> Result<String, SpecError> {
        match &value.value {
            Value::Integer(number) => Ok(number.to_string()),
            Value::Text(text) if !text.contains(['\n', '\0']) => Ok(text.clone()),
            Value::Number => Ok(super::expressions::scalar_text(self.source, value).to_owned()),
            _ => Err(self.error(place_of(value), Problem::Shape { expected: "a macro's value: a number or words" })),
        }
    }

    /// An integer, a floating-point number, a truth, `local BYTES` or `global BYTES`.
    fn argument(self, value: &Scalar) -> Result<KnownArgument, SpecError> {
        let names = self.body_names();
        let memory = |text: &str| {
            let (word, bytes) = text.split_once(' ')?;
            match word {
                "local" => Some((KnownArgument::Local as fn(Expression) -> KnownArgument, bytes.to_owned())),
                "global" => Some((KnownArgument::Global as fn(Expression) -> KnownArgument, bytes.to_owned())),
                _ => None,
            }
        };
        match &value.value {
            Value::Text(text) => match memory(text) {
                Some((of, bytes)) => Ok(of(Expression::parse(self.source, place_of(value), &bytes, &names)?)),
                None if text == "true" || text == "false" => {
                    Ok(KnownArgument::Integer(self.number_at(place_of(value), i64::from(text == "true"))))
                }
                None if is_float(text) => Ok(KnownArgument::Float(text.clone())),
                None => Ok(KnownArgument::Integer(self.expression(value, &names)?)),
            },
            Value::Number => {
                let found = super::expressions::scalar_text(self.source, value);
                if found.parse::<i64>().is_ok() {
                    return Ok(KnownArgument::Integer(self.expression(value, &names)?));
                }
                if is_float(found) {
                    return Ok(KnownArgument::Float(found.to_owned()));
                }
                Err(self.error(place_of(value), Problem::BadArgument { found: format!("`{found}`") }))
            }
            Value::List(_) | Value::Mapping(_) | Value::Nothing => {
                let found = match value.value {
                    Value::List(_) => "a list",
                    Value::Mapping(_) => "a mapping",
                    _ => "nothing",
                };
                Err(self.error(place_of(value), Problem::BadArgument { found: found.to_owned() }))
            }
            Value::Integer(_) => Ok(KnownArgument::Integer(self.expression(value, &names)?)),
        }
    }

    /// The stated contents of an array: `identity`, a number, or an expression of `i`.
    fn contents(self, name: &Spanned<String>, what: &Scalar) -> Result<StatedContents, SpecError> {
        let body = self.body_names();
        let elements = match &what.value {
            Value::Text(text) if text == "identity" => StatedElements::Identity,
            Value::Text(text) if Expression::parse(self.source, place_of(what), text, &body).is_err() => {
                let names = Vocabulary::of_index(self.names, &["i"]);
                StatedElements::Each(self.expression(what, &names)?)
            }
            _ => StatedElements::Number(self.expression(what, &body)?),
        };
        Ok(StatedContents { name: name.value.clone(), place: place_of(what), elements })
    }

    /// `trip@LINE: 64` or `{ 60: 0.5, 68: 0.5 }`, `taken@LINE: 0.5`, `address@LINE: random`, `value@LINE: 0` or `asm@LINE: { int32: 2 }`.
    fn assumption(self, what: &Spanned<String>, value: &Scalar) -> Result<Assumption, SpecError> {
        let expected = "`trip@LINE`, `taken@LINE`, `address@LINE`, `value@LINE` or `asm@LINE`";
        let wrong = || self.error(place_of(what), Problem::Shape { expected });
        let (kind, line) = what.value.split_once('@').ok_or_else(wrong)?;
        let line = line.parse().map_err(|_| wrong())?;
        let wrong_value = |expected| self.error(place_of(value), Problem::Shape { expected });
        let text = super::expressions::scalar_text(self.source, value);
        let assumed = match kind {
            "trip" => {
                let (count, distribution) = self.iterations(value)?;
                Assumed::Trips { count, distribution }
            }
            "taken" => match text.parse::<f64>() {
                Ok(share @ 0.0..=1.0) => Assumed::Taken(share),
                _ => return Err(wrong_value("a share from 0 to 1")),
            },
            "address" => Assumed::Address(match text {
                "coalesced" => AssumedAddress::Coalesced,
                "random" => AssumedAddress::Random,
                "same" => AssumedAddress::Same,
                _ => return Err(wrong_value("`coalesced`, `random` or `same`")),
            }),
            "value" if text == "0" => Assumed::Zero,
            "value" => return Err(wrong_value("0: the values are small")),
            "asm" => Assumed::Assembly(self.operations(value)?),
            _ => return Err(wrong()),
        };
        Ok(Assumption { line, place: place_of(what), assumed })
    }

    /// `{ int32: 2, special: 1 }`, or the same without braces as a text.
    fn operations(self, value: &Scalar) -> Result<Operations, SpecError> {
        let expected = "counts by kind, such as `{ int32: 2, special: 1 }`";
        let wrong = |at| self.error(at, Problem::Shape { expected });
        let mut counts: Vec<(&str, &str, Place)> = Vec::new();
        match &value.value {
            Value::Mapping(entries) => {
                for (kind, count) in entries {
                    counts.push((&kind.value, super::expressions::scalar_text(self.source, count), place_of(kind)));
                }
            }
            Value::Text(text) => {
                for pair in text.split(',') {
                    let (kind, count) = pair.split_once(':').ok_or_else(|| wrong(place_of(value)))?;
                    counts.push((kind.trim(), count.trim(), place_of(value)));
                }
            }
            _ => return Err(wrong(place_of(value))),
        }
        let mut operations = Operations::default();
        for (kind, count, place) in counts {
            let kind = OperationKind::ALL.into_iter().find(|known| known.name() == kind);
            let known = kind.and_then(|kind| kind.count(&mut operations)).ok_or_else(|| wrong(place))?;
            *known = count.parse().ok().filter(|count| *count <= MOST_OPERATIONS).ok_or_else(|| wrong(place))?;
        }
        Ok(operations)
    }
}

/// True for a number with a point or an exponent, in decimal digits.
fn is_float(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_decimal = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && digits.contains(['.', 'e', 'E'])
        && digits.chars().all(|c| c.is_ascii_digit() || ".eE+-".contains(c));
    is_decimal && text.parse::<f64>().is_ok_and(f64::is_finite)
}
