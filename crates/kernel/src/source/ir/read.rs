//! The reader of LLVM's text.

mod cursor;
mod function;
mod instruction;
mod operand;
mod types;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Global;
use super::bounds::{Attributes, LaunchBounds};
use super::error::IrError;
use super::instruction::IrFunction;
use super::lexer::Word;
use super::place::Notes;
use super::types::Type;
use autotune_base::limits::watch::{Phase, look};
use cursor::Cursor;

/// The longest text in bytes.
pub(crate) const LONGEST_TEXT: usize = 64 << 20;

/// The longest line of a constant variable whose value is read.
const LONGEST_TABLE: usize = 1 << 20;

/// The number of local memory's address space.
const LOCAL: u32 = 3;

/// A module as far as one of its kernels needs it.
#[derive(Debug, Clone)]
pub struct IrModule {
    /// The kernel.
    pub kernel: IrFunction,
    /// The variables by their name.
    pub globals: HashMap<Arc<str>, Global>,
    /// The names of the functions that the module defines.
    pub defined: HashSet<Arc<str>>,
    /// The launches that the source states for its compilation.
    pub bounds: LaunchBounds,
    /// The processor that it is compiled for, such as `sm_86`; `None` for a portable form.
    pub processor: Option<Arc<str>>,
    /// The structures by their name.
    structures: HashMap<Arc<str>, Type>,
}

impl IrModule {
    /// The structure of a name; `None` if the module does not say what is in it.
    pub(super) fn named(&self, name: &str) -> Option<Type> {
        self.structures.get(name).cloned()
    }
}

/// A module's text, split at its functions.
pub struct IrText<'a> {
    heads: Vec<Head<'a>>,
    attributes: Attributes<'a>,
    structures: HashMap<Arc<str>, Type>,
    globals: HashMap<Arc<str>, Global>,
    notes: Notes<'a>,
}

/// The text of a function.
struct Head<'a> {
    name: &'a str,
    is_kernel: bool,
    /// The number of the first line, from 1.
    line: usize,
    text: &'a str,
}

impl<'a> IrText<'a> {
    /// Splits a text.
    ///
    /// # Errors
    /// If the text is longer than 64 MiB, or a variable or structure is not understood.
    pub fn split(text: &'a str) -> Result<Self, IrError> {
        let fail = |line, problem: &str| Err(IrError { line, problem: problem.to_owned() });
        if text.len() > LONGEST_TEXT {
            return fail(1, "the text is longer than 64 MiB");
        }
        let mut split = Self {
            heads: Vec::new(),
            attributes: Attributes::default(),
            structures: HashMap::new(),
            globals: HashMap::new(),
            notes: Notes::default(),
        };
        let mut lines = text.split('\n').enumerate();
        let mut from = 0;
        while let Some((number, line)) = lines.next() {
            look(Phase::Text);
            let start = from;
            from += line.len() + 1;
            match line.as_bytes().first() {
                Some(b'd') if line.starts_with("define ") => {
                    loop {
                        look(Phase::Text);
                        let Some((_, line)) = lines.next() else { return fail(number + 1, "a function does not end") };
                        from += line.len() + 1;
                        if line == "}" {
                            break;
                        }
                    }
                    let text = &text[start..(from - 1).min(text.len())];
                    let Some(name) = name_of(line) else { return fail(number + 1, "a function has no name") };
                    let is_kernel = ["spir_kernel", "ptx_kernel", "amdgpu_kernel"]
                        .iter()
                        .any(|convention| line.contains(convention));
                    split.heads.push(Head { name, is_kernel, line: number + 1, text });
                }
                Some(b'%') => split.structure(line, number + 1)?,
                Some(b'@') => split.global(line, number + 1)?,
                Some(b'!') => split.notes.take(line),
                Some(b'a') => split.attributes.take(line),
                _ => {}
            }
        }
        let kernels = split.notes.kernels();
        split.heads.iter_mut().for_each(|head| head.is_kernel |= kernels.contains(&head.name));
        Ok(split)
    }

    /// The names of the kernels in the module, in the text's order.
    #[must_use]
    pub fn kernels(&self) -> Vec<&'a str> {
        self.heads.iter().filter(|head| head.is_kernel).map(|head| head.name).collect()
    }

    /// Reads what the kernel of this name needs; `None` if there is no such function.
    ///
    /// # Errors
    /// If an instruction or type is not known.
    pub fn module(&self, kernel: &str) -> Result<Option<IrModule>, IrError> {
        let Some(head) = self.heads.iter().find(|head| head.name == kernel) else { return Ok(None) };
        let first_line = head.text.lines().next().unwrap_or_default();
        let bounds = LaunchBounds::read(kernel, first_line, &self.notes, &self.attributes);
        let processor = self.attributes.value(first_line, "target-cpu").map(Arc::from);
        let kernel = function::read(head.text, head.line, &self.notes)?;
        Ok(Some(IrModule {
            kernel,
            globals: self.globals.clone(),
            defined: self.heads.iter().map(|head| head.name.into()).collect(),
            bounds,
            processor,
            structures: self.structures.clone(),
        }))
    }

    /// `%name = type { … }`.
    fn structure(&mut self, line: &'a str, number: usize) -> Result<(), IrError> {
        let words = cursor::words(line, number)?;
        let mut cursor = Cursor::new(&words, number);
        let Some(Word::Local(name)) = cursor.next() else { return Ok(()) };
        if cursor.eat('=') && cursor.eat_name("type") {
            let of = cursor.of_type()?;
            self.structures.insert(name.into(), of);
        }
        Ok(())
    }

    /// `@name = … global TYPE …`.
    fn global(&mut self, line: &'a str, number: usize) -> Result<(), IrError> {
        let words = cursor::words(line, number)?;
        let mut cursor = Cursor::new(&words, number);
        let Some(Word::Global(name)) = cursor.next() else { return Ok(()) };
        let (mut space, mut is_external, mut is_changed) = (0, false, false);
        while let Some(word) = cursor.peek() {
            match word {
                Word::Name("addrspace") => space = cursor.space()?,
                Word::Name("external") => {
                    is_external = true;
                    cursor.next();
                }
                // The host may change a variable of `__constant__` before the kernel starts.
                Word::Name("externally_initialized") => {
                    is_changed = true;
                    cursor.next();
                }
                Word::Name(kind @ ("global" | "constant")) => {
                    cursor.next();
                    let of = cursor.of_type()?;
                    let is_constant = kind == "constant";
                    let is_table = is_constant && !is_changed && !is_external && line.len() <= LONGEST_TABLE;
                    let initial =
                        if is_table { cursor.operand(&of, &mut operand::Values::default()).ok() } else { None };
                    let is_given_at_launch = is_external && space == LOCAL && matches!(of, Type::Array(0, _));
                    let (align, position) = (cursor.aligned(), self.globals.len());
                    let global = Global { of, space, is_constant, align, position, initial, is_given_at_launch };
                    self.globals.insert(name.into(), global);
                    return Ok(());
                }
                _ => _ = cursor.next(),
            }
        }
        // An alias or a function of another module.
        Ok(())
    }
}

/// The name behind the first `@` of a function's first line.
fn name_of(line: &str) -> Option<&str> {
    let rest = line.split_once('@')?.1;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map(|(name, _)| name),
        None => rest.split_once('(').map(|(name, _)| name),
    }
}
