//! Types.

use std::sync::Arc;

use super::super::error::IrError;
use super::super::lexer::Word;
use super::super::types::Type;
use super::cursor::Cursor;

/// The most elements of a vector.
const WIDEST: u64 = 1024;

impl Cursor<'_, '_> {
    /// A type, with the `*` of typed pointers behind it.
    pub(super) fn of_type(&mut self) -> Result<Type, IrError> {
        self.nested(|cursor| {
            let mut of = cursor.plain_type()?;
            loop {
                match cursor.peek() {
                    Some(Word::Sign('*')) => {
                        cursor.next();
                        of = Type::Pointer(0);
                    }
                    Some(Word::Name("addrspace")) => {
                        let space = cursor.space()?;
                        cursor.need('*')?;
                        of = Type::Pointer(space);
                    }
                    // The type of a function behind a pointer: `void (i32)*`.
                    Some(Word::Sign('(')) if cursor.is_function_type() => {
                        cursor.skip_parentheses();
                        of = Type::Other;
                    }
                    _ => return Ok(of),
                }
            }
        })
    }

    fn plain_type(&mut self) -> Result<Type, IrError> {
        match self.next() {
            Some(Word::Name(name)) => self.type_of_name(name),
            Some(Word::Local(name)) => Ok(Type::Named(name.into())),
            Some(Word::Sign('[')) => {
                let (count, element) = self.repeated()?;
                self.need(']')?;
                Ok(Type::Array(count, Arc::new(element)))
            }
            Some(Word::Sign('<')) if self.eat('{') => {
                let fields = self.fields()?;
                self.need('>')?;
                Ok(Type::Structure(fields, true))
            }
            Some(Word::Sign('<')) => {
                // `vscale` vectors do not occur on GPUs.
                let (count, element) = self.repeated()?;
                self.need('>')?;
                if count > WIDEST {
                    return Err(self.before("a vector is too long"));
                }
                Ok(Type::Vector(count, Arc::new(element)))
            }
            Some(Word::Sign('{')) => Ok(Type::Structure(self.fields()?, false)),
            _ => Err(self.before("a type is not known")),
        }
    }

    fn type_of_name(&mut self, name: &str) -> Result<Type, IrError> {
        Ok(match name {
            "void" => Type::Void,
            "half" | "bfloat" => Type::Float(16),
            "float" => Type::Float(32),
            "double" => Type::Float(64),
            "x86_fp80" | "fp128" | "ppc_fp128" => Type::Float(128),
            "ptr" => Type::Pointer(self.space()?),
            "label" | "metadata" | "token" | "opaque" => Type::Other,
            "target" => {
                self.skip_parentheses();
                Type::Other
            }
            _ => match name.strip_prefix('i').and_then(|bits| bits.parse().ok()) {
                Some(bits @ 1..=65_536) => Type::Integer(bits),
                _ => return Err(self.before("a type is not known")),
            },
        })
    }

    /// `N x TYPE`.
    fn repeated(&mut self) -> Result<(u64, Type), IrError> {
        let count = self.unsigned()?;
        if !self.eat_name("x") {
            return Err(self.error("`x` is missing"));
        }
        Ok((count, self.of_type()?))
    }

    /// The fields of a structure up to its `}`.
    fn fields(&mut self) -> Result<Arc<[Type]>, IrError> {
        let mut fields = Vec::new();
        while !self.eat('}') {
            fields.push(self.of_type()?);
            self.eat(',');
        }
        Ok(fields.into())
    }

    /// True if a `(` begins the parameters of a function's type: `*`, `@` or `%` follows the `)`.
    fn is_function_type(&self) -> bool {
        let mut depth = 0_usize;
        for ahead in 0.. {
            match self.ahead(ahead) {
                Some(Word::Sign('(')) => depth += 1,
                Some(Word::Sign(')')) if depth <= 1 => {
                    let next = self.ahead(ahead + 1);
                    return matches!(next, Some(Word::Sign('*') | Word::Global(_) | Word::Local(_)) | None);
                }
                Some(Word::Sign(')')) => depth -= 1,
                None | Some(Word::End) => return false,
                Some(_) => {}
            }
        }
        false
    }
}

/// True for words that begin a type.
pub(super) fn is_type(word: &str) -> bool {
    const WORDS: [&str; 12] = [
        "void", "half", "bfloat", "float", "double", "x86_fp80", "fp128", "ptr", "metadata", "token", "target", "label",
    ];
    WORDS.contains(&word)
        || word.strip_prefix('i').is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit()))
}
