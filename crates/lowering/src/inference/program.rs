//! The files of a question: their functions, kernels, constants and macros.

use std::collections::{HashMap, HashSet};

use super::active::{Macros, active};
use super::commands::{self, Start};
use super::expanded::{expanded, launching};
use super::function::{At, File, FileKind, Formal, Function};
use super::python;
use super::value;
use super::variables::{Definition, definitions};
use autotune_kernel::source::{
    Declaration, DeclarationKind, KnownMacros, Language, Word, behind_group, declarations, inside_group,
};

/// All files of a question.
#[derive(Debug)]
pub(super) struct Program<'a> {
    pub(super) files: &'a [File],
    /// The number of files, from the first, that may have the kernel: the source and its headers.
    pub(super) of_kernel: usize,
    pub(super) macros: Macros<'a>,
    /// The macros that launch kernels and are written out where they are used.
    pub(super) launching: HashSet<&'a str>,
    pub(super) functions: Vec<Function<'a>>,
    by_name: HashMap<&'a str, Vec<usize>>,
    /// The variables outside of functions, by file.
    pub(super) globals: HashMap<&'a str, (usize, Definition<'a>)>,
    /// The commands that start the host's program.
    pub(super) starts: Vec<Start<'a>>,
    /// The names in conditions of the preprocessor, in the files of the kernel.
    pub(super) in_conditions: HashSet<&'a str>,
    /// The names in `#ifdef` and `#ifndef`.
    pub(super) asked_for: HashSet<&'a str>,
    /// Other names of types of integers.
    pub(super) integer_types: HashSet<&'a str>,
    /// Other names of types.
    pub(super) aliases: HashMap<&'a str, Vec<Word<'a>>>,
    /// The constants of classes, by the names of the class and of the constant.
    pub(super) class_constants: HashMap<(&'a str, &'a str), ClassConstant<'a>>,
    /// The class whose members are read; `None` outside of classes.
    class: Option<(&'a str, Vec<Formal<'a>>)>,
}

/// A constant of a class.
#[derive(Debug)]
pub(super) struct ClassConstant<'a> {
    /// The parameters of the class's template.
    pub(super) template: Vec<Formal<'a>>,
    pub(super) file: usize,
    pub(super) definition: Definition<'a>,
}

impl<'a> Program<'a> {
    pub(super) fn new(files: &'a [File], of_kernel: usize, language: Language) -> Self {
        let of_c = files.iter().filter(|file| file.kind == FileKind::C);
        let texts: Vec<&str> = of_c.map(|file| file.text.as_str()).collect();
        let known = KnownMacros::new(&texts);
        let mut macros = Macros::new();
        let (mut in_conditions, mut asked_for) = (HashSet::new(), HashSet::new());
        // Hosts include the source, so that its macros come first.
        let words: Vec<Vec<Word<'a>>> = files
            .iter()
            .enumerate()
            .map(|(number, file)| match file.kind {
                FileKind::C if number < of_kernel => {
                    active(&file.text, number, &mut macros, &mut in_conditions, &mut asked_for)
                }
                FileKind::C => active(&file.text, number, &mut macros, &mut HashSet::new(), &mut HashSet::new()),
                FileKind::Python(_) | FileKind::Commands => Vec::new(),
            })
            .collect();
        let mut program = Self {
            files,
            of_kernel,
            launching: launching(&macros),
            macros,
            functions: Vec::new(),
            by_name: HashMap::new(),
            globals: HashMap::new(),
            starts: Vec::new(),
            in_conditions,
            asked_for,
            integer_types: HashSet::new(),
            aliases: HashMap::new(),
            class_constants: HashMap::new(),
            class: None,
        };
        for (file, words) in words.iter().enumerate() {
            let plain: Vec<Word<'a>> = words.iter().filter(|word| word.directive().is_none()).copied().collect();
            for declaration in declarations(&plain, known.attributes()) {
                let is_kernel = file < of_kernel && is_kernel(&declaration, &known, language);
                program.add(&declaration, words, file, is_kernel);
            }
        }
        for (number, file) in files.iter().enumerate() {
            match &file.kind {
                FileKind::Python(text) => program.functions.push(python::module(text, number)),
                FileKind::Commands => program.starts.extend(commands::starts(&file.text, number)),
                FileKind::C => {}
            }
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
            DeclarationKind::Variable if self.class.is_some() => self.class_constant(all, file),
            DeclarationKind::Function => {
                let function = function(declaration, all, file, is_kernel);
                if let Some(function) = function.map(|function| self.expanded(function)) {
                    self.functions.push(function);
                }
            }
            DeclarationKind::Type => {
                // A member needs its class's name.
                let own = declaration.names.first().copied().unwrap_or_default();
                let outer = self.class.replace((own, template(all).0));
                declaration.members.iter().for_each(|member| self.add(member, words, file, false));
                self.class = outer;
                self.enumerators(all, file);
            }
            DeclarationKind::Alias => {
                let (name, of_type) = match all {
                    [first, of_type @ .., last, _] if first.text == "typedef" && last.is_name() => (last.text, of_type),
                    [first, name, _, of_type @ .., _] if first.text == "using" => (name.text, of_type),
                    _ => return,
                };
                if value::number_type(of_type).is_some_and(|(_, is_real)| !is_real) {
                    self.integer_types.insert(name);
                }
                self.aliases.insert(name, of_type.to_vec());
            }
            DeclarationKind::Variable => {
                let plain: Vec<Word<'a>> = all.iter().filter(|word| word.directive().is_none()).copied().collect();
                for definition in definitions(&plain) {
                    // `extern const int n;` stands before the definition with the value.
                    let has_value =
                        |definition: &Definition<'_>| definition.value.is_some() || !definition.made_of.is_empty();
                    if self.globals.get(definition.name).is_none_or(|(_, known)| !has_value(known)) {
                        self.globals.insert(definition.name, (file, definition));
                    }
                }
            }
            DeclarationKind::UsingNamespace | DeclarationKind::Assertion | DeclarationKind::Macro => {}
        }
    }

    /// A function whose body has the launches that macros stand for.
    fn expanded(&self, function: Function<'a>) -> Function<'a> {
        if !function.body.iter().any(|word| self.launching.contains(word.text)) {
            return function;
        }
        let body = expanded(&function.body, &self.macros, &self.launching);
        Function { variables: variables(&body), body, ..function }
    }

    /// Notes a constant of the class whose members are read.
    fn class_constant(&mut self, words: &[Word<'a>], file: usize) {
        let Some((class, template)) = &self.class else { return };
        if words.iter().any(|word| matches!(word.text, "static" | "constexpr")) {
            for definition in definitions(words) {
                let constant = ClassConstant { template: template.clone(), file, definition };
                self.class_constants.entry((class, constant.definition.name)).or_insert(constant);
            }
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
    let (template, template_end) = template(all);
    let open = (template_end..all.len()).find(|at| {
        all[*at].text == "("
            && *at > 0
            && (all[*at - 1].text == name || (all[*at - 1].text == ">" && is_after(all, *at, name)))
    })?;
    let end = behind_group(all, open);
    let parameters = formals(inside_group(all, open));
    let body = all[end..].iter().position(|word| word.text == "{").map_or(&[][..], |brace| &all[end + brace..]);
    Some(Function {
        name,
        file,
        bytes: declaration.bytes.clone(),
        template,
        parameters,
        head: all[template_end..open].to_vec(),
        variables: variables(body),
        body: body.to_vec(),
        is_kernel,
    })
}

/// The variables of a body.
fn variables<'a>(body: &[Word<'a>]) -> Vec<Definition<'a>> {
    let plain: Vec<Word<'a>> = body.iter().filter(|word| word.directive().is_none()).copied().collect();
    definitions(&plain)
}

/// The position behind the head of a template, whose parameters may have defaults.
fn behind_head(words: &[Word<'_>]) -> usize {
    let (mut depth, mut at) = (0_usize, 1);
    while let Some(word) = words.get(at) {
        match word.text {
            "<" => depth += 1,
            ">" if depth <= 1 => return at + 1,
            ">" => depth -= 1,
            "(" | "[" | "{" => {
                at = behind_group(words, at);
                continue;
            }
            ";" => break,
            _ => {}
        }
        at += 1;
    }
    1
}

/// The parameters of the template that words begin with, and the position behind them: none, and 0, without a template.
fn template<'a>(words: &[Word<'a>]) -> (Vec<Formal<'a>>, usize) {
    if words.first().is_none_or(|first| first.text != "template") {
        return (Vec::new(), 0);
    }
    let end = behind_head(words);
    (if end > 2 { formals(&words[2..end - 1]) } else { Vec::new() }, end)
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
