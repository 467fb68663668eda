//! A function: its parameters and its blocks.

use std::borrow::Cow;
use std::sync::Arc;

use super::super::Marks;
use super::super::accessed::AccessReader;
use super::super::declared::declared;
use super::super::error::IrError;
use super::super::instruction::{Block, BlockId, IrFunction, IrParameter};
use super::super::lexer::Word;
use super::super::place::Notes;
use super::super::types::Type;
use super::cursor::{Cursor, Placed, words};
use super::instruction;
use super::operand::{Blocks, Values};
use super::types::is_type;
use autotune_base::limits::watch::{Phase, look};

/// The most instructions of a function.
const MOST_INSTRUCTIONS: usize = 1_000_000;

/// Reads the text of a function that begins in this line.
pub(super) fn read<'a>(text: &'a str, line: usize, notes: &Notes<'a>) -> Result<IrFunction, IrError> {
    let words = words(text, line)?;
    let end = words.iter().position(|(word, _)| *word == Word::End).unwrap_or(words.len());
    let (head, body) = words.split_at(end);
    let mut values = Values::default();
    let (name, returns, mut parameters) = self::head(&mut Cursor::new(head, line), &mut values)?;
    sign(&mut parameters, text.lines().next().unwrap_or_default(), notes);
    let note = note(text.lines().next().unwrap_or_default(), "dbg");
    let blocks = blocks(&statements(body), values.count());
    if blocks.iter().map(|(_, statements)| statements.len()).sum::<usize>() > MOST_INSTRUCTIONS {
        return Err(IrError { line, problem: format!("a function has more than {MOST_INSTRUCTIONS} instructions") });
    }
    let numbers: Blocks = (0..).zip(&blocks).map(|(number, (name, _))| (name.as_ref(), BlockId(number))).collect();
    if blocks.is_empty() {
        return Err(IrError { line, problem: "a function has no instructions".to_owned() });
    }
    let mut read = Vec::with_capacity(blocks.len());
    let mut marks = Marks::default();
    let mut accessed = AccessReader::default();
    for ((name, statements), number) in blocks.iter().zip(0..) {
        let mut instructions = statements
            .iter()
            .map(|statement| {
                look(Phase::Text);
                instruction::read(&mut Cursor::new(statement, line), &mut values, &numbers, (notes, &mut accessed))
            })
            .collect::<Result<Vec<_>, _>>()?;
        if !instructions.last().is_some_and(|last| last.kind.leaves()) {
            return Err(IrError { line, problem: format!("the block `{name}` does not end") });
        }
        marks.take(BlockId(number), &mut instructions);
        read.push(Block { name: name.as_ref().into(), instructions });
    }
    let place = note.and_then(|number| notes.beginning(number));
    let declared = note.map_or_else(Vec::new, |number| declared(notes, number));
    let (values, accessed) = (values.count(), accessed.finish());
    Ok(IrFunction { name, parameters, blocks: read, values, returns, place, declared, accessed, marks })
}

/// The number of the note that a function's first line names: `!dbg !12`.
fn note<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.rsplit_once(&format!("!{name} !"))?;
    Some(&rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())])
}

/// Notes which integers have a sign, as far as OpenCL's notes about the kernel's arguments say it.
fn sign(parameters: &mut [IrParameter], line: &str, notes: &Notes) {
    let types = note(line, "kernel_arg_base_type").map_or_else(Vec::new, |number| notes.words(number));
    if types.len() != parameters.len() {
        return;
    }
    for (parameter, of) in parameters.iter_mut().zip(types) {
        let signed = match of {
            "char" | "short" | "int" | "long" => Some(true),
            "uchar" | "ushort" | "uint" | "ulong" => Some(false),
            _ => None,
        };
        parameter.signed = parameter.signed.or(signed);
    }
}

/// The words of each instruction and each label: those of a line, or of the lines that a bracket spans.
fn statements<'w, 'a>(words: &'w [Placed<'a>]) -> Vec<&'w [Placed<'a>]> {
    let mut statements = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (at, (word, _)) in words.iter().enumerate() {
        match word {
            Word::Sign('(' | '[' | '{') => depth += 1,
            Word::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            Word::End if depth == 0 => {
                if start < at {
                    statements.push(&words[start..at]);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    statements
}

/// The statements of each block behind its name.
fn blocks<'s, 'w, 'a>(
    statements: &'s [&'w [Placed<'a>]],
    parameters: usize,
) -> Vec<(Cow<'a, str>, Vec<&'w [Placed<'a>]>)> {
    let mut blocks: Vec<(Cow<'a, str>, Vec<&'w [Placed<'a>]>)> = Vec::new();
    for statement in statements {
        match statement {
            [(Word::Name(name) | Word::Integer(name) | Word::Text(name), _), (Word::Sign(':'), _), ..] => {
                blocks.push((Cow::Borrowed(name), Vec::new()));
            }
            // A record of the debugger.
            [(Word::Attributes(_), _), ..] => {}
            _ => match blocks.last_mut() {
                Some((_, statements)) => statements.push(statement),
                // The entry has the number behind those of the parameters.
                None => blocks.push((Cow::Owned(parameters.to_string()), vec![statement])),
            },
        }
    }
    blocks
}

type FunctionHead = (Arc<str>, Type, Vec<IrParameter>);

/// `define … TYPE @name(TYPE attributes %name, …) …`.
fn head<'a>(cursor: &mut Cursor<'_, 'a>, values: &mut Values<'a>) -> Result<FunctionHead, IrError> {
    let mut returns = Type::Void;
    let name: Arc<str> = loop {
        match cursor.peek() {
            Some(Word::Global(name)) => {
                cursor.next();
                break name.into();
            }
            Some(Word::Name(word)) if !is_type(word) => {
                cursor.next();
                cursor.skip_parentheses();
            }
            Some(Word::Name(_) | Word::Local(_) | Word::Sign('{' | '[' | '<')) => returns = cursor.of_type()?,
            Some(_) => _ = cursor.next(),
            None => return Err(cursor.error("the name of a function is missing")),
        }
    };
    cursor.need('(')?;
    let mut parameters = Vec::new();
    while !cursor.eat(')') {
        if cursor.eat_word(Word::More) {
            continue;
        }
        let of = cursor.of_type()?;
        let attributes = cursor.skip_attributes();
        let name = match cursor.peek() {
            Some(Word::Local(name)) => {
                cursor.next();
                name
            }
            _ => NUMBERS.get(parameters.len()).copied().ok_or_else(|| cursor.error("a parameter has no name"))?,
        };
        let has = |one: &str| attributes.contains(&one);
        parameters.push(IrParameter {
            name: name.into(),
            of,
            value: values.id(name)?,
            no_alias: has("noalias"),
            by_value: has("byval") || has("byref"),
            signed: if has("zeroext") { Some(false) } else { has("signext").then_some(true) },
        });
        cursor.eat(',');
    }
    Ok((name, returns, parameters))
}

/// The names of the first parameters that have none.
const NUMBERS: [&str; 16] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"];
