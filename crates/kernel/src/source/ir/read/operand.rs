//! Operands: values of the function and constants.

use std::collections::HashMap;

use super::super::error::IrError;
use super::super::instruction::{BlockId, Cast, Operand, Operator, Typed, ValueId};
use super::super::lexer::Word;
use super::super::types::Type;
use super::cursor::Cursor;

/// The numbers of a function's blocks by their names.
pub(super) type Blocks<'a> = HashMap<&'a str, BlockId>;

/// The numbers of a function's values, by their first occurrence.
#[derive(Default)]
pub(super) struct Values<'a>(HashMap<&'a str, ValueId>);

impl<'a> Values<'a> {
    pub(super) fn id(&mut self, name: &'a str) -> Result<ValueId, IrError> {
        let next =
            u32::try_from(self.0.len()).map_err(|_| IrError { line: 0, problem: "too many values".to_owned() })?;
        Ok(*self.0.entry(name).or_insert(ValueId(next)))
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }
}

/// The operator of an instruction or a constant; `None` for other words.
pub(super) fn operator(name: &str) -> Option<Operator> {
    Some(match name {
        "add" => Operator::Add,
        "sub" => Operator::Sub,
        "mul" => Operator::Mul,
        "udiv" => Operator::UDiv,
        "sdiv" => Operator::SDiv,
        "urem" => Operator::URem,
        "srem" => Operator::SRem,
        "shl" => Operator::Shl,
        "lshr" => Operator::LShr,
        "ashr" => Operator::AShr,
        "and" => Operator::And,
        "or" => Operator::Or,
        "xor" => Operator::Xor,
        "fadd" => Operator::FAdd,
        "fsub" => Operator::FSub,
        "fmul" => Operator::FMul,
        "fdiv" => Operator::FDiv,
        "frem" => Operator::FRem,
        _ => return None,
    })
}

/// The conversion of an instruction or a constant; `None` for other words.
pub(super) fn cast(name: &str) -> Option<Cast> {
    Some(match name {
        "trunc" => Cast::Truncate,
        "zext" => Cast::ExtendZero,
        "sext" => Cast::ExtendSign,
        "fptrunc" | "fpext" | "fptosi" | "sitofp" => Cast::Number { signed: true },
        "fptoui" | "uitofp" => Cast::Number { signed: false },
        "ptrtoint" | "inttoptr" | "bitcast" | "addrspacecast" => Cast::Same,
        _ => return None,
    })
}

/// True for words between an operation's name and its operands.
pub(super) fn is_flag(name: &str) -> bool {
    const FLAGS: [&str; 23] = [
        "nuw", "nsw", "nusw", "exact", "inbounds", "disjoint", "nneg", "samesign", "fast", "nnan", "ninf", "nsz",
        "arcp", "contract", "afn", "reassoc", "volatile", "atomic", "tail", "musttail", "notail", "weak", "inrange",
    ];
    FLAGS.contains(&name)
}

impl<'a> Cursor<'_, 'a> {
    /// Skips flags, and returns those that are there.
    pub(super) fn flags(&mut self) -> Vec<&'a str> {
        let mut flags = Vec::new();
        while let Some(Word::Name(name)) = self.peek()
            && is_flag(name)
        {
            self.next();
            if name == "inrange" {
                self.skip_parentheses();
            }
            flags.push(name);
        }
        flags
    }

    /// A type and an operand, with attributes between them.
    pub(super) fn typed(&mut self, values: &mut Values<'a>) -> Result<Typed, IrError> {
        self.flags();
        let of = self.of_type()?;
        self.skip_attributes();
        Ok(Typed { operand: self.operand(&of, values)?, of })
    }

    /// A type and an operand, and the alignment in bytes that an attribute between them promises; `None` if none does.
    pub(super) fn argument(&mut self, values: &mut Values<'a>) -> Result<(Typed, Option<u64>), IrError> {
        self.flags();
        let of = self.of_type()?;
        let mut align = None;
        while matches!(self.peek(), Some(Word::Name("noundef" | "nonnull" | "align" | "dereferenceable"))) {
            if let (Some(Word::Name("align")), Some(Word::Integer(digits))) = (self.next(), self.peek()) {
                align = digits.parse().ok();
                self.next();
            }
            self.skip_parentheses();
        }
        self.skip_attributes();
        Ok((Typed { operand: self.operand(&of, values)?, of }, align))
    }

    /// Skips the attributes of a parameter, and returns their names.
    pub(super) fn skip_attributes(&mut self) -> Vec<&'a str> {
        let mut attributes = Vec::new();
        while let Some(word) = self.peek() {
            match word {
                Word::Name(
                    "undef"
                    | "poison"
                    | "null"
                    | "none"
                    | "zeroinitializer"
                    | "true"
                    | "false"
                    | "getelementptr"
                    | "splat"
                    | "blockaddress"
                    | "dso_local_equivalent"
                    | "no_cfi"
                    | "asm",
                ) => break,
                Word::Name(name) if operator(name).is_some() || cast(name).is_some() => break,
                Word::Name(name) => {
                    self.next();
                    attributes.push(name);
                    if name == "align" {
                        self.eat_number();
                    }
                    self.skip_parentheses();
                }
                Word::Text(_) => {
                    self.next();
                    if self.eat('=') {
                        self.next();
                    }
                }
                _ => break,
            }
        }
        attributes
    }

    fn eat_number(&mut self) {
        if let Some(Word::Integer(_)) = self.peek() {
            self.next();
        }
    }

    pub(super) fn operand(&mut self, of: &Type, values: &mut Values<'a>) -> Result<Operand, IrError> {
        self.nested(|cursor| match cursor.next() {
            Some(Word::Local(name)) => Ok(Operand::Value(values.id(name)?)),
            Some(Word::Global(name)) => Ok(Operand::Global(name.into())),
            Some(Word::Integer(digits)) if of.bits().is_some() => Ok(integer(digits)),
            Some(Word::Float(text)) => Ok(float(text, of)),
            Some(Word::Bytes(text)) => Ok(bytes(text)),
            Some(Word::Integer(_)) => Ok(Operand::Unknown),
            Some(Word::Name(name)) => cursor.constant(name, of, values),
            Some(Word::Sign('<')) if cursor.eat('{') => {
                let elements = cursor.elements('}', values)?;
                cursor.need('>')?;
                Ok(elements)
            }
            Some(Word::Sign('<')) => cursor.elements('>', values),
            Some(Word::Sign('[')) => cursor.elements(']', values),
            Some(Word::Sign('{')) => cursor.elements('}', values),
            _ => Err(cursor.before("an operand is missing")),
        })
    }

    /// A constant that begins with a word.
    fn constant(&mut self, name: &str, of: &Type, values: &mut Values<'a>) -> Result<Operand, IrError> {
        match name {
            "true" => Ok(Operand::Integer(1)),
            "null" | "false" => Ok(Operand::Integer(0)),
            "zeroinitializer" => Ok(Operand::Zero),
            "undef" | "poison" | "none" => Ok(Operand::Unknown),
            "splat" => {
                self.need('(')?;
                let element = self.typed(values)?;
                self.need(')')?;
                let count = usize::try_from(of.elements()).ok().filter(|count| *count <= 4096);
                let count = count.ok_or_else(|| self.before("a vector is too long"))?;
                Ok(Operand::Elements(vec![element; count].into()))
            }
            "getelementptr" => {
                self.flags();
                self.need('(')?;
                let source = self.of_type()?;
                self.need(',')?;
                let mut operands = Vec::new();
                while !self.eat(')') {
                    operands.push(self.typed(values)?);
                    self.eat(',');
                }
                Ok(Operand::Element((source, operands).into()))
            }
            _ => self.operation(name, values),
        }
    }

    /// A constant operation: `add (i32 1, i32 2)` or `bitcast (ptr @a to i64)`.
    fn operation(&mut self, name: &str, values: &mut Values<'a>) -> Result<Operand, IrError> {
        if let Some(cast) = cast(name) {
            self.flags();
            self.need('(')?;
            let from = self.typed(values)?;
            self.eat_name("to");
            let to = self.of_type()?;
            self.need(')')?;
            return Ok(Operand::Cast(cast, from.into(), to.into()));
        }
        if let Some(operator) = operator(name) {
            self.flags();
            self.need('(')?;
            let left = self.typed(values)?;
            self.need(',')?;
            let right = self.typed(values)?;
            self.need(')')?;
            return Ok(Operand::Binary(operator, (left, right).into()));
        }
        Err(self.before("a constant is not known"))
    }

    fn elements(&mut self, end: char, values: &mut Values<'a>) -> Result<Operand, IrError> {
        let mut elements = Vec::new();
        while !self.eat(end) {
            elements.push(self.typed(values)?);
            self.eat(',');
        }
        Ok(Operand::Elements(elements.into()))
    }
}

/// The bytes of `c"…"`, of which `\XX` is one by its hexadecimal digits.
fn bytes(text: &str) -> Operand {
    let inside = text.strip_prefix("c\"").and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    let (mut bytes, mut rest) = (Vec::new(), inside.as_bytes());
    while let Some((first, others)) = rest.split_first() {
        let escaped = others.get(..2).filter(|_| *first == b'\\').and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            rest = &others[2..];
        } else {
            bytes.push(*first);
            rest = others;
        }
    }
    Operand::Bytes(bytes.into())
}

/// An integer constant; one of more than 64 bits is unknown.
fn integer(digits: &str) -> Operand {
    match digits.parse::<i128>() {
        Ok(value) => i64::try_from(value)
            .or_else(|_| u64::try_from(value).map(u64::cast_signed))
            .map_or(Operand::Unknown, Operand::Integer),
        Err(_) => Operand::Unknown,
    }
}

/// A floating-point constant: decimals, the bits of its value with 64 bits, or with a letter those of a type. Numbers of
/// 16 bits and `nan` are unknown.
fn float(text: &str, of: &Type) -> Operand {
    let known = |value: f64| if value.is_nan() { Operand::Unknown } else { Operand::Float(value.to_bits()) };
    if let Some(bits) = text.strip_prefix("f0x") {
        let own = u64::from_str_radix(bits, 16).ok();
        return match (of.float_bits(), own) {
            (Some(32), Some(own)) => {
                u32::try_from(own).map_or(Operand::Unknown, |own| known(f32::from_bits(own).into()))
            }
            (Some(64), Some(own)) => known(f64::from_bits(own)),
            _ => Operand::Unknown,
        };
    }
    if let Some(bits) = text.strip_prefix("0x") {
        return u64::from_str_radix(bits, 16).map_or(Operand::Unknown, Operand::Float);
    }
    text.parse::<f64>().map_or(Operand::Unknown, known)
}
