//! The files of a question: their functions, kernels, constants and macros.

use std::collections::{HashMap, HashSet};

use super::active::{Macros, active};
use super::function::{At, File, Formal, Function};
use super::python;
use super::value::{self, behind_template};
use super::variables::{Definition, definitions};
use crate::source::{
    Declaration, DeclarationKind, KnownMacros, Language, Word, behind_group, declarations, inside_group,
};

/// All files of a question.
#[derive(Debug)]
pub(super) struct Program<'a> {
    pub(super) files: &'a [File],
    /// The number of files, from the first, that may have the kernel: the source and its headers.
    pub(super) of_kernel: usize,
    pub(super) macros: Macros<'a>,
    pub(super) functions: Vec<Function<'a>>,
    by_name: HashMap<&'a str, Vec<usize>>,
    /// The variables outside of functions, by file.
    pub(super) globals: HashMap<&'a str, (usize, Definition<'a>)>,
    /// The names in conditions of the preprocessor.
    pub(super) in_conditions: HashSet<&'a str>,
    /// The names in `#ifdef` and `#ifndef`.
    pub(super) asked_for: HashSet<&'a str>,
    /// Other names of types of integers.
    pub(super) integer_types: HashSet<&'a str>,
    /// True while the members of a class are read.
    is_in_class: bool,
}

impl<'a> Program<'a> {
    pub(super) fn new(files: &'a [File], of_kernel: usize, language: Language) -> Self {
        let of_c = files.iter().filter(|file| file.statements.is_none());
        let texts: Vec<&str> = of_c.map(|file| file.text.as_str()).collect();
        let known = KnownMacros::new(&texts);
        let mut macros = Macros::new();
        let (mut in_conditions, mut asked_for) = (HashSet::new(), HashSet::new());
        // Hosts include the source, so that its macros come first.
        let words: Vec<Vec<Word<'a>>> = files
            .iter()
            .enumerate()
            .map(|(number, file)| match file.statements {
                Some(_) => Vec::new(),
                None => active(&file.text, number, &mut macros, &mut in_conditions, &mut asked_for),
            })
            .collect();
        let mut program = Self {
            files,
            of_kernel,
            macros,
            functions: Vec::new(),
            by_name: HashMap::new(),
            globals: HashMap::new(),
            in_conditions,
            asked_for,
            integer_types: HashSet::new(),
            is_in_class: false,
        };
        for (file, words) in words.iter().enumerate() {
            let plain: Vec<Word<'a>> = words.iter().filter(|word| word.directive().is_none()).copied().collect();
            for declaration in declarations(&plain, known.attributes()) {
                let is_kernel = file < of_kernel && is_kernel(&declaration, &known, language);
                program.add(&declaration, words, file, is_kernel);
            }
        }
        for (number, file) in files.iter().enumerate() {
            program.functions.extend(file.statements.as_deref().map(|text| python::module(text, number)));
        }
        for (position, function) in program.functions.iter().enumerate() {
            program.by_name.entry(function.name).or_default().push(position);
        }
        program
    }

    /// The functions of a name, in the order of the files.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &Function<'a>> {
        self.by_name.get(name).into_iter().flatten().map(|position| &self.functions[*position])
    }

    fn add(&mut self, declaration: &Declaration<'a>, words: &[Word<'a>], file: usize, is_kernel: bool) {
        let first = words.partition_point(|word| word.at < declaration.bytes.start);
        let end = words.partition_point(|word| word.at < declaration.bytes.end);
        let all = &words[first..end];
        match declaration.kind {
            DeclarationKind::Variable if self.is_in_class => {}
            DeclarationKind::Function => {
                if let Some(function) = function(declaration, all, file, is_kernel) {
                    self.functions.push(function);
                }
            }
            DeclarationKind::Type => {
                // A member needs its class's name.
                let is_in_class = std::mem::replace(&mut self.is_in_class, true);
                declaration.members.iter().for_each(|member| self.add(member, words, file, false));
                self.is_in_class = is_in_class;
                self.enumerators(all, file);
            }
            DeclarationKind::Alias => {
                if let [first, of_type @ .., last, _] = all
                    && first.text == "typedef"
                    && last.is_name()
                    && value::number_type(of_type).is_some_and(|(_, is_real)| !is_real)
                {
                    self.integer_types.insert(last.text);
                }
                if let [first, name, _, of_type @ .., _] = all
                    && first.text == "using"
                    && value::number_type(of_type).is_some_and(|(_, is_real)| !is_real)
                {
                    self.integer_types.insert(name.text);
                }
            }
            DeclarationKind::Variable => {
                let plain: Vec<Word<'a>> = all.iter().filter(|word| word.directive().is_none()).copied().collect();
                for definition in definitions(&plain) {
                    self.globals.entry(definition.name).or_insert((file, definition));
                }
            }
            DeclarationKind::UsingNamespace | DeclarationKind::Assertion | DeclarationKind::Macro => {}
        }
    }

    /// Notes the constants of an enumeration that have values.
    fn enumerators(&mut self, words: &[Word<'a>], file: usize) {
        let Some(open) = words.iter().position(|word| word.text == "{") else { return };
        if !words[..open].iter().any(|word| word.text == "enum") {
            return;
        }
        for part in value::parts(inside_group(words, open)) {
            for mut definition in definitions(part) {
                definition.is_declaration = true;
                self.globals.entry(definition.name).or_insert((file, definition));
            }
        }
    }

    /// The line of a place, from 1.
    pub(super) fn line(&self, at: At) -> u32 {
        let text = &self.files[at.file].text;
        let lines = text.get(..at.byte).unwrap_or(text).matches('\n').count();
        u32::try_from(lines + 1).unwrap_or(u32::MAX)
    }

    /// A place as messages show it: `main.cu:88`.
    pub(super) fn shown(&self, at: At) -> String {
        format!("{}:{}", self.files[at.file].name, self.line(at))
    }

    /// The words of a kernel and of the functions that it names, in all files of the kernel.
    pub(super) fn device_words(&self, kernel: &Function<'a>) -> Vec<Word<'a>> {
        let mut words: Vec<Word<'a>> = kernel.head.iter().chain(&kernel.body).copied().collect();
        let mut seen: HashSet<&str> = HashSet::from([kernel.name]);
        let mut at = 0;
        while at < words.len() && words.len() < 1_000_000 {
            let word = words[at];
            at += 1;
            if word.is_name() && seen.insert(word.text) {
                let called = self.named(word.text).filter(|called| called.file < self.of_kernel && !called.is_kernel);
                let bodies: Vec<Word<'a>> = called.flat_map(|called| called.body.iter().copied()).collect();
                words.extend(bodies);
                if let Some(known) = self.macros.get(word.text) {
                    words.extend(known.text.iter().copied());
                }
            }
        }
        words
    }
}

/// True for the declaration of a kernel.
fn is_kernel(declaration: &Declaration<'_>, macros: &KnownMacros<'_>, language: Language) -> bool {
    match language {
        Language::OpenCl => declaration.head.iter().any(|word| matches!(word.text, "__kernel" | "kernel")),
        _ => macros.are_for_kernels(declaration),
    }
}

fn function<'a>(declaration: &Declaration<'a>, all: &[Word<'a>], file: usize, is_kernel: bool) -> Option<Function<'a>> {
    let name = *declaration.names.first()?;
    let template_end = if all.first()?.text == "template" { behind_template(all, 1).unwrap_or(1) } else { 0 };
    let template = if template_end > 2 { formals(&all[2..template_end - 1]) } else { Vec::new() };
    let open = (template_end..all.len()).find(|at| {
        all[*at].text == "("
            && *at > 0
            && (all[*at - 1].text == name || (all[*at - 1].text == ">" && is_after(all, *at, name)))
    })?;
    let end = behind_group(all, open);
    let parameters = formals(inside_group(all, open));
    let body = all[end..].iter().position(|word| word.text == "{").map_or(&[][..], |brace| &all[end + brace..]);
    let plain: Vec<Word<'a>> = body.iter().filter(|word| word.directive().is_none()).copied().collect();
    Some(Function {
        name,
        file,
        bytes: declaration.bytes.clone(),
        template,
        parameters,
        head: all[template_end..open].to_vec(),
        variables: definitions(&plain),
        body: body.to_vec(),
        is_kernel,
    })
}

/// True if the words before a bracket are a name with the arguments of a template.
fn is_after(words: &[Word<'_>], open: usize, name: &str) -> bool {
    words[..open].iter().rev().take(64).any(|word| word.text == name)
}

/// The parameters in a list without its brackets.
fn formals<'a>(list: &[Word<'a>]) -> Vec<Formal<'a>> {
    let formal = |words: &[Word<'a>]| {
        let equals = words.iter().position(|word| word.text == "=");
        let declared = &words[..equals.unwrap_or(words.len())];
        let bracket = declared.iter().position(|word| word.text == "[").unwrap_or(declared.len());
        let name = declared[..bracket].iter().rposition(Word::is_name)?;
        let default = equals.map_or(Vec::new(), |equals| words[equals + 1..].to_vec());
        let mut of_type = declared[..name].to_vec();
        // An array is a pointer.
        of_type.extend_from_slice(&declared[bracket..]);
        Some(Formal { name: declared[name].text, of_type, default })
    };
    value::parts(list)
        .into_iter()
        .map(|words| formal(words).unwrap_or(Formal { name: "", of_type: words.to_vec(), default: Vec::new() }))
        .collect()
}
