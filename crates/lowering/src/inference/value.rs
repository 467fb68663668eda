//! Expressions of C, C++ and CUDA in host code.

use autotune_kernel::source::{Word, WordKind, behind_group, inside_group};

/// The deepest nesting of an expression that is read.
const DEEPEST: usize = 64;

/// An expression as host code writes it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value<'a> {
    Integer(i64),
    /// A number with a point or an exponent, as it is written.
    Decimal(&'a str),
    /// A text in quotes, without them.
    Text(&'a str),
    /// A name without the namespaces before it, and its place.
    Name(&'a str, usize),
    /// A name behind the name of a class, or of a namespace, with the arguments of its template: `Packed<float>::size`.
    OfClass(Vec<Word<'a>>, &'a str, usize),
    /// A member of a structure, also behind a pointer.
    Member(Box<Value<'a>>, &'a str),
    Element(Box<Value<'a>>, Box<Value<'a>>),
    /// A call, or the making of a value of a type.
    Call {
        name: &'a str,
        template: Vec<Value<'a>>,
        arguments: Vec<Value<'a>>,
    },
    /// A call of a member.
    Method(Box<Value<'a>>, &'a str, Vec<Value<'a>>),
    /// Values in braces.
    List(Vec<Value<'a>>),
    /// The address of a variable.
    Address(Box<Value<'a>>),
    Unary(&'static str, Box<Value<'a>>),
    Binary(&'static str, Box<[Value<'a>; 2]>),
    Choice(Box<[Value<'a>; 3]>),
    /// A value that is made a number with a point.
    Real(Box<Value<'a>>),
    /// The bytes of a type.
    Size(i64),
    /// Anything else.
    Unknown,
}

impl<'a> Value<'a> {
    /// The name, without classes and namespaces before it; `None` for another expression.
    pub(super) fn last_name(&self) -> Option<&'a str> {
        match self {
            Self::Name(name, _) | Self::OfClass(_, name, _) => Some(name),
            _ => None,
        }
    }
}

/// Operators from weakest to strongest.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

/// The words of types of integers.
const INTEGERS: [&str; 36] = [
    "int",
    "unsigned",
    "signed",
    "long",
    "short",
    "char",
    "size_t",
    "ssize_t",
    "uint",
    "ulong",
    "ushort",
    "uchar",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "cl_int",
    "cl_uint",
    "cl_long",
    "cl_ulong",
    "cl_short",
    "cl_ushort",
    "cl_char",
    "cl_uchar",
    "bool",
    "intmax_t",
    "std",
    "const",
    "cl_bool",
];
/// The words of types of numbers with a point.
const REALS: [&str; 4] = ["float", "double", "cl_float", "cl_double"];

/// The words of an expression.
pub(super) struct Reader<'w, 'a> {
    words: &'w [Word<'a>],
    at: usize,
    depth: usize,
}

/// The expression that the words are; `Unknown` if something else.
pub(super) fn value<'a>(words: &[Word<'a>]) -> Value<'a> {
    let mut reader = Reader { words, at: 0, depth: 0 };
    match reader.choice() {
        Some(value) if reader.at == words.len() => value,
        _ => Value::Unknown,
    }
}

/// The expressions between commas outside of brackets.
pub(super) fn values<'a>(words: &[Word<'a>]) -> Vec<Value<'a>> {
    parts(words).into_iter().map(value).collect()
}

/// The words between commas outside of brackets. Angles count where they hold the arguments of a template.
pub(super) fn parts<'w, 'a>(words: &'w [Word<'a>]) -> Vec<&'w [Word<'a>]> {
    let mut found = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while at < words.len() {
        match words[at].text {
            "(" | "[" | "{" => at = behind_group(words, at),
            "<" => at = behind_template(words, at).unwrap_or(at + 1),
            "," => {
                found.push(&words[begin..at]);
                at += 1;
                begin = at;
            }
            _ => at += 1,
        }
    }
    if begin < words.len() || !found.is_empty() {
        found.push(&words[begin..]);
    }
    found
}

/// Position behind the arguments of a template that open here; `None` if the sign compares or shifts.
pub(super) fn behind_template(words: &[Word<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = open;
    while let Some(word) = words.get(at) {
        match word.text {
            "<" if words.get(at + 1).is_some_and(|next| next.text == "<" && next.at == word.end()) => return None,
            "<" => depth += 1,
            ">" => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            "(" => {
                at = behind_group(words, at);
                continue;
            }
            ";" | "{" | "}" | ")" | "]" | "==" | "!=" | "=" => return None,
            "&" | "|" if words.get(at + 1).is_some_and(|next| next.text == word.text) => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The bytes of a type that words name, and whether it is a number with a point; `None` for another type.
pub(super) fn number_type(words: &[Word<'_>]) -> Option<(i64, bool)> {
    let names: Vec<&str> = words.iter().filter(|word| word.is_name()).map(|word| word.text).collect();
    if names.is_empty() || words.iter().any(|word| !word.is_name() && word.text != "::") {
        return None;
    }
    let is_real = names.iter().any(|name| REALS.contains(name));
    if !names.iter().all(|name| INTEGERS.contains(name) || REALS.contains(name)) {
        return None;
    }
    let has = |wanted: &[&str]| names.iter().any(|name| wanted.contains(name));
    let bytes = match () {
        () if has(&["double", "cl_double"]) => 8,
        () if is_real => 4,
        () if has(&["char", "uchar", "int8_t", "uint8_t", "cl_char", "cl_uchar", "bool"]) => 1,
        () if has(&["short", "ushort", "int16_t", "uint16_t", "cl_short", "cl_ushort"]) => 2,
        () if has(&["int32_t", "uint32_t", "uint", "cl_int", "cl_uint", "cl_bool"]) => 4,
        () if names.iter().all(|name| matches!(*name, "int" | "unsigned" | "signed" | "const")) => 4,
        () => 8,
    };
    Some((bytes, is_real))
}

/// The bytes of a type of numbers or of short vectors; `None` for another type.
pub(super) fn bytes_of_type(words: &[Word<'_>]) -> Option<i64> {
    number_type(words).map(|(bytes, _)| bytes).or_else(|| bytes_of(words.last()?.text))
}

/// The bytes of a type beside those of C's numbers.
fn bytes_of(name: &str) -> Option<i64> {
    Some(match name {
        "half" | "__half" | "__nv_bfloat16" | "cl_half" => 2,
        "half2" | "__half2" | "__nv_bfloat162" => 4,
        "float2" | "int2" | "uint2" | "cl_float2" | "cuComplex" | "cufftComplex" => 8,
        "float4" | "int4" | "uint4" | "double2" | "cl_float4" | "cl_int4" | "cl_uint4" => 16,
        "float3" | "int3" | "uint3" => 12,
        _ => return None,
    })
}

impl<'a> Reader<'_, 'a> {
    fn word(&self, ahead: usize) -> &'a str {
        self.words.get(self.at + ahead).map_or("", |word| word.text)
    }

    fn accept(&mut self, text: &str) -> bool {
        let is_here = self.word(0) == text;
        self.at += usize::from(is_here);
        is_here
    }

    /// A part that is read one level deeper; `None` beyond the deepest.
    fn nested(&mut self, read: fn(&mut Self) -> Option<Value<'a>>) -> Option<Value<'a>> {
        self.depth += 1;
        let made = if self.depth > DEEPEST { None } else { read(self) };
        self.depth -= 1;
        made
    }

    fn choice(&mut self) -> Option<Value<'a>> {
        self.nested(Self::choice_here)
    }

    fn choice_here(&mut self) -> Option<Value<'a>> {
        let condition = self.binary(1)?;
        if !self.accept("?") {
            return Some(condition);
        }
        let then = self.choice()?;
        if !self.accept(":") {
            return None;
        }
        Some(Value::Choice(Box::new([condition, then, self.choice()?])))
    }

    /// The operator here with the number of its words: `<<` is two.
    fn operator(&self) -> Option<(&'static str, u8, usize)> {
        let here = self.words.get(self.at)?;
        let next = self.words.get(self.at + 1).filter(|next| next.at == here.end());
        OPERATORS.iter().find_map(|(sign, strength)| {
            if here.text == *sign && here.kind == WordKind::Sign {
                return Some((*sign, *strength, 1));
            }
            let mut letters = sign.chars();
            let pair = (letters.next()?, letters.next()?);
            let is_pair = here.text.chars().eq([pair.0]) && next.is_some_and(|next| next.text.chars().eq([pair.1]));
            is_pair.then_some((*sign, *strength, 2))
        })
    }

    fn binary(&mut self, weakest: u8) -> Option<Value<'a>> {
        let mut left = self.unary()?;
        while let Some((sign, strength, words)) = self.operator().filter(|(_, strength, _)| *strength >= weakest) {
            self.at += words;
            let right = self.binary(strength + 1)?;
            left = Value::Binary(sign, Box::new([left, right]));
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Value<'a>> {
        self.nested(Self::unary_here)
    }

    fn unary_here(&mut self) -> Option<Value<'a>> {
        for sign in ["-", "+", "!", "~"] {
            if self.accept(sign) {
                return Some(Value::Unary(sign, Box::new(self.unary()?)));
            }
        }
        if self.accept("&") {
            return Some(Value::Address(Box::new(self.unary()?)));
        }
        if self.accept("*") {
            self.unary()?;
            return Some(Value::Unknown);
        }
        if self.word(0) == "(" {
            let (inside, end) = (inside_group(self.words, self.at), behind_group(self.words, self.at));
            if let Some(cast) = self.cast(inside, end) {
                return Some(cast);
            }
        }
        self.postfix()
    }

    /// A value that is made one of another type: `(int)n`, `(void*)&n`.
    fn cast(&mut self, inside: &[Word<'a>], end: usize) -> Option<Value<'a>> {
        let is_pointer = inside.last().is_some_and(|word| word.text == "*") && inside[0].is_name();
        let of_number = number_type(inside);
        if !is_pointer && of_number.is_none() {
            return None;
        }
        self.at = end;
        let value = self.unary()?;
        Some(if of_number.is_some_and(|(_, is_real)| is_real) { Value::Real(Box::new(value)) } else { value })
    }

    fn postfix(&mut self) -> Option<Value<'a>> {
        let mut value = self.primary()?;
        loop {
            match self.word(0) {
                "." | "->" => {
                    let name = self.words.get(self.at + 1).filter(|word| word.is_name())?.text;
                    self.at += 2;
                    // `x.data_ptr<float>()`
                    if self.word(0) == "<"
                        && let Some(end) = behind_template(self.words, self.at)
                        && self.words.get(end).is_some_and(|word| word.text == "(")
                    {
                        self.at = end;
                    }
                    value = if self.word(0) == "(" {
                        Value::Method(Box::new(value), name, self.arguments())
                    } else {
                        Value::Member(Box::new(value), name)
                    };
                }
                "[" => {
                    let number = self::value(inside_group(self.words, self.at));
                    self.at = behind_group(self.words, self.at);
                    value = Value::Element(Box::new(value), Box::new(number));
                }
                _ => return Some(value),
            }
        }
    }

    /// The arguments in the brackets here.
    fn arguments(&mut self) -> Vec<Value<'a>> {
        let inside = inside_group(self.words, self.at);
        self.at = behind_group(self.words, self.at);
        if self.depth >= DEEPEST { vec![Value::Unknown] } else { self.deeper(inside) }
    }

    fn deeper(&self, inside: &[Word<'a>]) -> Vec<Value<'a>> {
        let read = |words| {
            let mut reader = Reader { words, at: 0, depth: self.depth + 1 };
            reader.choice().filter(|_| reader.at == words.len()).unwrap_or(Value::Unknown)
        };
        parts(inside).into_iter().map(read).collect()
    }

    fn primary(&mut self) -> Option<Value<'a>> {
        let word = *self.words.get(self.at)?;
        match word.kind {
            WordKind::Number => {
                self.at += 1;
                Some(number(word.text))
            }
            WordKind::Quoted => {
                self.at += 1;
                Some(Value::Text(word.text.trim_matches('"')))
            }
            WordKind::Name => self.named(),
            WordKind::Sign if word.text == "(" => {
                let mut inside = self.arguments();
                if inside.len() == 1 { inside.pop() } else { Some(Value::Unknown) }
            }
            WordKind::Sign if word.text == "{" => Some(Value::List(self.arguments())),
            WordKind::Sign if word.text == "::" => {
                self.at += 1;
                self.named()
            }
            WordKind::Sign | WordKind::Directive => None,
        }
    }

    /// A name with the namespaces before it, a call, or the size of a type.
    fn named(&mut self) -> Option<Value<'a>> {
        let mut class: &[Word<'a>] = &[];
        while let Some(end) = self.behind_class() {
            class = &self.words[self.at..end];
            self.at = end + 1;
        }
        let word = *self.words.get(self.at).filter(|word| word.is_name())?;
        self.at += 1;
        if word.text == "sizeof" {
            return Some(self.size());
        }
        let mut template = Vec::new();
        if self.word(0) == "<"
            && let Some(end) = behind_template(self.words, self.at)
            && self.words.get(end).is_some_and(|next| matches!(next.text, "(" | "{"))
        {
            let inside = &self.words[self.at + 1..end - 1];
            let is_real = number_type(inside).is_some_and(|(_, is_real)| is_real);
            let is_cast = word.text == "static_cast";
            template = if is_cast { Vec::new() } else { self.deeper(inside) };
            self.at = end;
            if is_cast {
                let value = self.arguments().pop()?;
                return Some(if is_real { Value::Real(Box::new(value)) } else { value });
            }
        }
        // `unsigned int(n)`, `size_t{n}` and the like.
        let is_integer = INTEGERS.contains(&word.text) && word.text != "std";
        if matches!(self.word(0), "(") || (self.word(0) == "{" && (is_integer || word.text == "dim3")) {
            let mut arguments = self.arguments();
            let is_real = REALS.contains(&word.text);
            return match arguments.pop() {
                Some(value) if arguments.is_empty() && is_integer => Some(value),
                Some(value) if arguments.is_empty() && is_real => Some(Value::Real(Box::new(value))),
                last => {
                    arguments.extend(last);
                    Some(Value::Call { name: word.text, template, arguments })
                }
            };
        }
        Some(match class {
            [] => Value::Name(word.text, word.at),
            class => Value::OfClass(class.to_vec(), word.text, word.at),
        })
    }

    /// The position of `::` behind the name of a class or of a namespace; `None` if something else stands here.
    fn behind_class(&self) -> Option<usize> {
        let end = match self.word(1) {
            "<" => behind_template(self.words, self.at + 1)?,
            _ => self.at + 1,
        };
        let is_name = |at: usize| self.words.get(at).is_some_and(Word::is_name);
        (is_name(self.at) && self.words.get(end)?.text == "::" && is_name(end + 1)).then_some(end)
    }

    /// The bytes of the type in the brackets here, or of a variable that they name.
    fn size(&mut self) -> Value<'a> {
        let begin = self.at;
        let end = if self.word(0) == "(" { behind_group(self.words, begin) } else { begin + 1 };
        self.at = end.min(self.words.len());
        let inside = self.words.get(begin + 1..end.saturating_sub(1)).unwrap_or(&[]);
        if inside.last().is_some_and(|word| word.text == "*") {
            return Value::Size(8);
        }
        let of_vector = || bytes_of(inside.last().filter(|_| inside.len() <= 2)?.text);
        match number_type(inside).map(|(bytes, _)| bytes).or_else(of_vector) {
            Some(bytes) => Value::Size(bytes),
            None => match inside {
                [name] if name.is_name() => Value::Call {
                    name: "sizeof",
                    template: Vec::new(),
                    arguments: vec![Value::Name(name.text, name.at)],
                },
                _ => Value::Unknown,
            },
        }
    }
}

/// A number of C with its suffix.
fn number(text: &str) -> Value<'_> {
    let digits = text.replace('\'', "");
    let is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    let plain = if is_hexadecimal { &digits[2..] } else { &digits };
    let plain = plain.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    let radix = match plain {
        _ if is_hexadecimal => 16,
        _ if plain.len() > 1 && plain.starts_with('0') && plain.bytes().all(|digit| digit.is_ascii_digit()) => 8,
        _ => 10,
    };
    i64::from_str_radix(plain, radix).map_or(Value::Decimal(text), Value::Integer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_kernel::source::words;

    fn read(text: &str) -> String {
        format!("{:?}", value(&words(text)))
    }

    #[test]
    fn expressions_bind_as_in_c() {
        let of = |text: &str| read(text).replace("Integer", "");
        assert_eq!(of("1 + 2 * 3"), of("1 + (2 * 3)"));
        assert_eq!(of("1 << 2 + 3"), of("1 << (2 + 3)"));
        assert_eq!(of("1 + 7 & ~3"), of("(1 + 7) & (~3)"));
        assert_eq!(of("1 ? 2 : 3 ? 4 : 5"), of("1 ? 2 : (3 ? 4 : 5)"));
        assert_eq!(of("(size_t)8 * 4u"), of("8 * 4"));
        assert_eq!(of("static_cast<unsigned int>(0x10) - 1'0L"), of("16 - 10"));
        assert_eq!(read("sizeof(float) * sizeof(unsigned long long)"), read("sizeof(cl_int) * sizeof(double)"));
    }

    #[test]
    fn names_calls_and_members_are_read() {
        for text in ["a.b(c).d[3]", "std::max<int>(4, ns::f(2))", "dim3(1, 2)", "{1, {2}}", "&p->q", "(float)a / b"] {
            assert!(!read(text).contains("Unknown"), "{text}: {}", read(text));
        }
        for text in
            ["", "a b", "a ? : b", "a ? b", "[](int a) { return a; }(3)", &"(".repeat(10_000), &"-".repeat(10_000)]
        {
            assert!(read(text).contains("Unknown"), "{text}");
        }
        assert_eq!(values(&words("a<b, c>(d), e < f, (g, h)")).len(), 3);
    }
}
