//! Instructions.

use std::sync::Arc;

use super::super::accessed::AccessReader;
use super::super::assembly::Assembly;
use super::super::error::IrError;
use super::super::instruction::{
    BlockId, Callee, FloatPredicate, Instruction, Kind, Operand, Operator, Predicate, Typed,
};
use super::super::lexer::Word;
use super::super::place::Notes;
use super::super::types::Type;
use super::cursor::Cursor;
use super::operand::{Blocks, Values, cast, operator};
use super::types::is_type;

/// Reads an instruction; further words and attachments behind it are left out.
pub(super) fn read<'a>(
    cursor: &mut Cursor<'_, 'a>,
    values: &mut Values<'a>,
    blocks: &Blocks,
    (notes, accessed): (&Notes<'a>, &mut AccessReader<'a>),
) -> Result<Instruction, IrError> {
    let (mut result, mut named) = (None, "");
    if let (Some(Word::Local(name)), Some(Word::Sign('='))) = (cursor.peek(), cursor.ahead(1)) {
        cursor.next();
        cursor.next();
        (result, named) = (Some(values.id(name)?), name);
    }
    cursor.flags();
    let Some(Word::Name(name)) = cursor.next() else { return Err(cursor.before("an instruction is missing")) };
    let kind = kind(name, &mut Reader { cursor, values, blocks, named })?;
    let places = cursor.note("dbg").map_or_else(|| [].into(), |number| notes.places(number));
    let tag = cursor.note("tbaa").and_then(|number| accessed.tag(number, notes));
    Ok(Instruction { result, kind, places, tag })
}

/// Where instructions are read from.
struct Reader<'r, 'w, 'a> {
    cursor: &'r mut Cursor<'w, 'a>,
    values: &'r mut Values<'a>,
    blocks: &'r Blocks<'r>,
    /// The name of the result; empty if there is none.
    named: &'a str,
}

fn kind(name: &str, reader: &mut Reader) -> Result<Kind, IrError> {
    if let Some(operator) = operator(name) {
        return reader.binary(operator);
    }
    if let Some(cast) = cast(name) {
        let from = reader.typed()?;
        reader.cursor.eat_name("to");
        return Ok(Kind::Cast(cast, from, reader.cursor.of_type()?));
    }
    match name {
        "fneg" => Ok(Kind::Negate(reader.typed()?)),
        "freeze" => Ok(Kind::Freeze(reader.typed()?)),
        "icmp" => {
            let predicate = reader.predicate()?;
            let (left, right) = reader.pair()?;
            Ok(Kind::Compare(predicate, left, right))
        }
        "fcmp" => {
            let predicate = reader.float_predicate()?;
            let (left, right) = reader.pair()?;
            Ok(Kind::CompareFloat(predicate, left, right))
        }
        "select" => Ok(Kind::Select(reader.three()?)),
        "phi" => reader.phi(),
        "load" => reader.load(),
        "store" => reader.store(),
        "atomicrmw" => {
            reader.cursor.flags();
            reader.cursor.next();
            Ok(Kind::Atomic(reader.typed_before_comma()?, reader.typed()?))
        }
        "cmpxchg" => Ok(Kind::Atomic(reader.typed_before_comma()?, reader.typed()?)),
        "getelementptr" => reader.element(),
        "alloca" => reader.allocate(),
        "call" => reader.call(),
        "extractelement" => Ok(Kind::Extract(reader.typed_before_comma()?, reader.typed()?)),
        "insertelement" => Ok(Kind::Insert(reader.three()?)),
        "shufflevector" => Ok(Kind::Shuffle(reader.three()?)),
        "extractvalue" => reader.extract_value(),
        "insertvalue" => Ok(Kind::InsertValue(reader.typed()?.of)),
        "fence" => Ok(Kind::Fence),
        "br" => reader.branch(),
        "switch" => reader.switch(),
        "ret" => Ok(Kind::Return),
        "unreachable" => Ok(Kind::Unreachable),
        _ => Err(reader.cursor.before("an instruction is not known")),
    }
}

impl Reader<'_, '_, '_> {
    fn typed(&mut self) -> Result<Typed, IrError> {
        self.cursor.typed(self.values)
    }

    fn typed_before_comma(&mut self) -> Result<Typed, IrError> {
        let typed = self.typed()?;
        self.cursor.need(',')?;
        Ok(typed)
    }

    fn three(&mut self) -> Result<[Typed; 3], IrError> {
        Ok([self.typed_before_comma()?, self.typed_before_comma()?, self.typed()?])
    }

    /// `TYPE left, right`.
    fn pair(&mut self) -> Result<(Typed, Operand), IrError> {
        let left = self.typed_before_comma()?;
        let right = self.cursor.operand(&left.of, self.values)?;
        Ok((left, right))
    }

    fn binary(&mut self, operator: Operator) -> Result<Kind, IrError> {
        let flags = self.cursor.flags();
        let (left, right) = self.pair()?;
        let has = |flag: &str| flags.contains(&flag);
        let no_wrap = has("nsw");
        Ok(Kind::Binary {
            operator,
            left,
            right,
            no_wrap,
            no_unsigned_wrap: has("nuw"),
            disjoint: has("disjoint"),
            contract: has("contract") || has("fast"),
            approximate: has("arcp") || has("afn") || has("fast"),
        })
    }

    fn predicate(&mut self) -> Result<Predicate, IrError> {
        self.cursor.flags();
        let Some(Word::Name(name)) = self.cursor.next() else {
            return Err(self.cursor.before("a comparison is missing"));
        };
        Ok(match name {
            "eq" => Predicate::Eq,
            "ne" => Predicate::Ne,
            "ugt" => Predicate::Ugt,
            "uge" => Predicate::Uge,
            "ult" => Predicate::Ult,
            "ule" => Predicate::Ule,
            "sgt" => Predicate::Sgt,
            "sge" => Predicate::Sge,
            "slt" => Predicate::Slt,
            "sle" => Predicate::Sle,
            _ => return Err(self.cursor.before("a comparison is not known")),
        })
    }

    fn float_predicate(&mut self) -> Result<FloatPredicate, IrError> {
        self.cursor.flags();
        let name = if let Some(Word::Name(name)) = self.cursor.next() { name } else { "" };
        FloatPredicate::from_name(name).ok_or_else(|| self.cursor.before("a comparison is not known"))
    }

    /// `TYPE aggregate, 0, 1`.
    fn extract_value(&mut self) -> Result<Kind, IrError> {
        let aggregate = self.typed()?;
        let mut positions = Vec::new();
        while let (Some(Word::Sign(',')), Some(Word::Integer(position))) = (self.cursor.peek(), self.cursor.ahead(1)) {
            self.cursor.next();
            self.cursor.next();
            positions.push(position.parse().map_err(|_| self.cursor.before("a position is too large"))?);
        }
        Ok(Kind::ExtractValue(aggregate, positions))
    }

    fn phi(&mut self) -> Result<Kind, IrError> {
        self.cursor.flags();
        let of = self.cursor.of_type()?;
        let mut incoming = Vec::new();
        while self.cursor.eat('[') {
            let operand = self.cursor.operand(&of, self.values)?;
            self.cursor.need(',')?;
            incoming.push((self.block()?, operand));
            self.cursor.need(']')?;
            self.cursor.eat(',');
        }
        Ok(Kind::Phi(of, incoming))
    }

    fn load(&mut self) -> Result<Kind, IrError> {
        let volatile = self.is_volatile();
        let of = self.cursor.of_type()?;
        self.cursor.need(',')?;
        let from = self.typed()?;
        Ok(Kind::Load { of, from, align: self.cursor.aligned(), volatile })
    }

    fn store(&mut self) -> Result<Kind, IrError> {
        let volatile = self.is_volatile();
        let (value, to) = (self.typed_before_comma()?, self.typed()?);
        Ok(Kind::Store { value, to, align: self.cursor.aligned(), volatile })
    }

    /// True if the flags of an access say that it must happen.
    fn is_volatile(&mut self) -> bool {
        self.cursor.flags().iter().any(|flag| ["volatile", "atomic"].contains(flag))
    }

    fn element(&mut self) -> Result<Kind, IrError> {
        self.cursor.flags();
        let source = self.cursor.of_type()?;
        let mut operands = Vec::new();
        while self.cursor.eat(',') {
            if let Some(Word::Metadata(_)) = self.cursor.peek() {
                break;
            }
            operands.push(self.typed()?);
        }
        Ok(Kind::Element(source, operands))
    }

    fn allocate(&mut self) -> Result<Kind, IrError> {
        self.cursor.eat_name("inalloca");
        let of = self.cursor.of_type()?;
        let one = Typed { of: super::super::types::Type::Integer(32), operand: Operand::Integer(1) };
        let counted = matches!(self.cursor.ahead(1), Some(Word::Name(word)) if is_type(word));
        if counted && self.cursor.eat(',') {
            Ok(Kind::Allocate(of, self.typed()?, self.named.into()))
        } else {
            Ok(Kind::Allocate(of, one, self.named.into()))
        }
    }

    /// `TYPE [(parameters)] callee(arguments)`, with conventions and attributes before the type.
    fn call(&mut self) -> Result<Kind, IrError> {
        self.cursor.flags();
        while let Some(word) = self.cursor.peek() {
            match word {
                Word::Name(name) if is_type(name) => break,
                Word::Name(name) => {
                    self.cursor.next();
                    if let (true, Some(Word::Integer(_))) = (name == "align" || name == "cc", self.cursor.peek()) {
                        self.cursor.next();
                    }
                    self.cursor.skip_parentheses();
                }
                _ => break,
            }
        }
        let returns = self.cursor.of_type()?;
        if let Some(Word::Sign('(')) = self.cursor.peek() {
            self.cursor.skip_parentheses();
        }
        let callee = match self.cursor.next() {
            Some(Word::Global(name)) => Callee::Named(name.into()),
            Some(Word::Name("asm")) => self.assembly()?,
            _ => return Ok(Kind::Call { callee: Callee::Indirect, returns, arguments: Vec::new(), align: [1; 2] }),
        };
        self.cursor.need('(')?;
        let mut arguments = Vec::new();
        let mut promised = Vec::new();
        while !self.cursor.eat(')') {
            // Notes for a debugger.
            if self.cursor.peek() == Some(Word::Name("metadata")) {
                return Ok(Kind::Nothing);
            }
            let (argument, align) = self.cursor.argument(self.values)?;
            promised.extend(align);
            arguments.push(argument);
            self.cursor.eat(',');
        }
        let align = [promised.iter().min(), promised.iter().max()].map(|align| align.copied().unwrap_or(1));
        let text = match &callee {
            Callee::Named(name) => Assembly::of_function(name, returns != Type::Void),
            _ => None,
        };
        let callee = text.map_or(callee, |text| Callee::Assembly(Arc::new(text)));
        Ok(Kind::Call { callee, returns, arguments, align })
    }

    /// `[sideeffect …] "text", "constraints"`.
    fn assembly(&mut self) -> Result<Callee, IrError> {
        let mut is_volatile = false;
        while let Some(Word::Name(name)) = self.cursor.peek() {
            is_volatile |= name == "sideeffect";
            self.cursor.next();
        }
        let Some(Word::Text(text)) = self.cursor.next() else {
            return Err(self.cursor.before("the text of inline assembly is missing"));
        };
        self.cursor.need(',')?;
        let Some(Word::Text(constraints)) = self.cursor.next() else {
            return Err(self.cursor.before("the operands of inline assembly are missing"));
        };
        Ok(Callee::Assembly(Arc::new(Assembly::new(text, constraints, is_volatile))))
    }

    fn branch(&mut self) -> Result<Kind, IrError> {
        if self.cursor.eat_name("label") {
            return Ok(Kind::Jump(self.block()?));
        }
        let condition = self.typed_before_comma()?;
        let then = self.label()?;
        self.cursor.need(',')?;
        Ok(Kind::Branch(condition, [then, self.label()?]))
    }

    fn switch(&mut self) -> Result<Kind, IrError> {
        let value = self.typed_before_comma()?;
        let other = self.label()?;
        self.cursor.need('[')?;
        let mut cases = Vec::new();
        while !self.cursor.eat(']') {
            if self.cursor.eat_word(Word::End) {
                continue;
            }
            let case = self.typed_before_comma()?;
            let Operand::Integer(number) = case.operand else {
                return Err(self.cursor.error("a case is not a number"));
            };
            cases.push((number, self.label()?));
        }
        Ok(Kind::Switch(value, cases, other))
    }

    fn label(&mut self) -> Result<BlockId, IrError> {
        self.cursor.eat_name("label");
        self.block()
    }

    fn block(&mut self) -> Result<BlockId, IrError> {
        let name = self.cursor.local()?;
        self.blocks.get(name).copied().ok_or_else(|| self.cursor.before("a block is not there"))
    }
}
