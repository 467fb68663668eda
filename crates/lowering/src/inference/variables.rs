//! The variables of a function: their declarations and what is assigned to them.

use super::statements::Statements;
use super::value::{self, Value, behind_template};
use autotune_kernel::source::{Word, behind_group};

/// A place where a variable gets a value.
#[derive(Debug, Clone)]
pub(super) struct Definition<'a> {
    pub(super) name: &'a str,
    /// The part of the variable: a member such as `x`, or the number of an element.
    pub(super) part: Option<Part<'a>>,
    /// The value; `None` for a declaration without one.
    pub(super) value: Option<Value<'a>>,
    /// The arguments of a constructor, `dim3 grid(a, b)`; `value` is `None` then.
    pub(super) made_of: Vec<Value<'a>>,
    /// The byte of the name.
    pub(super) at: usize,
    /// The bytes of the block in braces around it.
    pub(super) block: (usize, usize),
    pub(super) is_declaration: bool,
    pub(super) kind: DefinitionKind<'a>,
    /// The words of the type before the name.
    pub(super) of_type: Vec<&'a str>,
}

impl Definition<'_> {
    /// True for the counter of a loop, and for the elements of a list in a loop.
    pub(super) fn counts(&self) -> bool {
        matches!(self.kind, DefinitionKind::Loop(..) | DefinitionKind::Each)
    }
}

/// The part of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Member(&'a str),
    Element(i64),
}

/// The circumstances of an assignment.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum DefinitionKind<'a> {
    /// A sure one: whenever its block is executed.
    Plain,
    /// One that stands directly behind a condition, an `else` or the head of a loop.
    If,
    /// The counter of a loop: its condition and its step.
    Loop(Value<'a>, Vec<&'a str>),
    /// Each element of a list in turn: `for (int n : sizes)`.
    Each,
    /// The variable changes, in a way that is not read: `n += 2`, `read(&n)`.
    Change,
}

/// Words before a name that make no declaration of it.
const NO_TYPES: [&str; 12] =
    ["return", "goto", "case", "new", "delete", "throw", "else", "do", "typename", "using", "operator", "typedef"];

/// The values that variables get in the words of a function or a file, in their order.
pub(super) fn definitions<'a>(words: &[Word<'a>]) -> Vec<Definition<'a>> {
    let end = words.last().map_or(0, Word::end);
    let mut reader =
        Reader { text: Statements::new(words), found: Vec::new(), blocks: vec![(0, end)], is_conditional: false };
    let mut at = 0;
    while at < words.len() {
        at = reader.statement(at);
    }
    reader.found
}

/// The values that the variables of a text in Python get: each assignment declares its variable.
pub(super) fn assigned_in_python<'a>(words: &[Word<'a>]) -> Vec<Definition<'a>> {
    let block = (0, words.last().map_or(0, Word::end));
    let mut found = Vec::new();
    for statement in words.split(|word| word.text == ";") {
        let [name, equals, value @ ..] = statement else { continue };
        if !name.is_name() || equals.text != "=" || value.is_empty() {
            continue;
        }
        // A tuple may have no brackets, or those of an expression.
        let bare = match value {
            [open, inside @ .., _] if open.text == "(" && behind_group(value, 0) == value.len() => inside,
            value => value,
        };
        let parts = value::parts(bare);
        let value = match parts.as_slice() {
            [_] | [] => value::value(value),
            parts => Value::List(parts.iter().filter(|part| !part.is_empty()).map(|part| value::value(part)).collect()),
        };
        found.push(Definition {
            name: name.text,
            part: None,
            value: Some(value),
            made_of: Vec::new(),
            at: name.at,
            block,
            is_declaration: true,
            kind: DefinitionKind::Plain,
            of_type: Vec::new(),
        });
    }
    found
}

struct Reader<'w, 'a> {
    text: Statements<'w, 'a>,
    found: Vec<Definition<'a>>,
    blocks: Vec<(usize, usize)>,
    /// True directly behind a condition, an `else` or the head of a loop.
    is_conditional: bool,
}

impl<'a> Reader<'_, 'a> {
    /// Reads a statement, or a bracket of a block, and returns the position behind it.
    fn statement(&mut self, at: usize) -> usize {
        let is_conditional = std::mem::take(&mut self.is_conditional);
        match self.text.word(at) {
            "{" => {
                let end = self.text.behind(at);
                let last = self.text.words[end.saturating_sub(1).min(self.text.words.len() - 1)].end();
                self.blocks.push((self.text.words[at].at, last));
                at + 1
            }
            "}" => {
                if self.blocks.len() > 1 {
                    self.blocks.pop();
                }
                at + 1
            }
            "else" | "do" => {
                self.is_conditional = true;
                at + 1
            }
            ";" | ":" => at + 1,
            "for" if self.text.word(at + 1) == "(" => {
                self.is_conditional = true;
                self.head_of_loop(at)
            }
            "if" if matches!(self.text.word(at + 1), "(" | "constexpr") => {
                let open = at + 1 + usize::from(self.text.word(at + 1) == "constexpr");
                self.is_conditional = true;
                self.changes(open, self.text.behind(open));
                self.text.behind(open)
            }
            "while" | "switch" if self.text.word(at + 1) == "(" => {
                self.is_conditional = true;
                self.text.behind(at + 1)
            }
            "case" | "default" => self.label(at),
            _ => self.plain(at, &if is_conditional { DefinitionKind::If } else { DefinitionKind::Plain }),
        }
    }

    fn label(&self, at: usize) -> usize {
        let end = (at..self.text.words.len()).find(|at| matches!(self.text.word(*at), ":" | ";" | "{" | "}"));
        end.map_or(self.text.words.len(), |end| end + usize::from(self.text.word(end) == ":"))
    }

    /// Reads the head of a loop: its counters belong to the block behind it.
    fn head_of_loop(&mut self, at: usize) -> usize {
        let end = self.text.behind(at + 1);
        let inside = self.text.inside(at + 1).to_vec();
        let mut parts: Vec<&[Word<'a>]> = inside.split(|word| word.text == ";").collect();
        parts.truncate(3);
        let body_end = if self.text.word(end) == "{" { self.text.behind(end) } else { self.text.end_of(end) };
        let last = self.text.words[body_end.saturating_sub(1).min(self.text.words.len() - 1)].end();
        self.blocks.push((self.text.words[at].at, last));
        match parts[..] {
            [first, condition, step] => {
                let kind = DefinitionKind::Loop(value::value(condition), step.iter().map(|word| word.text).collect());
                self.assigned(first, &kind);
            }
            [only] => self.each(only),
            _ => {}
        }
        self.blocks.pop();
        end
    }

    /// Notes the variable of a loop over a list.
    fn each(&mut self, head: &[Word<'a>]) {
        let Some(colon) = head.iter().position(|word| word.text == ":") else { return };
        let (declared, list) = (&head[..colon], value::value(&head[colon + 1..]));
        let Some(target) = Target::new(declared, false).filter(|target| target.is_declaration) else { return };
        self.found.push(Definition {
            name: declared[target.name].text,
            part: None,
            value: Some(list),
            made_of: Vec::new(),
            at: declared[target.name].at,
            block: self.blocks.last().copied().unwrap_or_default(),
            is_declaration: true,
            kind: DefinitionKind::Each,
            of_type: declared[..target.name].iter().map(|word| word.text).collect(),
        });
    }

    fn plain(&mut self, at: usize, kind: &DefinitionKind<'a>) -> usize {
        let mut end = at;
        while end < self.text.words.len() {
            match self.text.word(end) {
                ";" | "}" => break,
                // A brace opens a list of values behind a name, `=` and a comma, and else a block.
                "{" if !self.opens_values(at, end) => break,
                "(" | "[" | "{" => end = self.text.behind(end),
                _ => end += 1,
            }
        }
        let end = end.max(at + 1).min(self.text.words.len());
        let statement = self.text.words[at..end].to_vec();
        self.assigned(&statement, kind);
        self.changes(at, end);
        end
    }

    fn opens_values(&self, begin: usize, at: usize) -> bool {
        let before = if at > begin { self.text.words.get(at - 1) } else { None };
        let first = self.text.word(begin);
        let is_type = matches!(first, "struct" | "class" | "union" | "enum" | "namespace" | "extern" | "typedef");
        before.is_some_and(|before| match before.text {
            "=" | "," | "]" | "return" | "dim3" => true,
            _ => before.is_name() && at >= begin + 2 && !is_type && before.text != "const",
        })
    }

    /// Notes the variables that a statement declares or assigns to.
    fn assigned(&mut self, statement: &[Word<'a>], kind: &DefinitionKind<'a>) {
        let Some(first) = statement.first().filter(|first| first.is_name()) else { return };
        if NO_TYPES.contains(&first.text) {
            return;
        }
        let declarators = value::parts(statement);
        let Some((head, rest)) = declarators.split_first() else { return };
        let is_declaration = self.one(head, &[], kind);
        let of_type: Vec<&'a str> = head.iter().take_while(|word| word.is_name()).map(|word| word.text).collect();
        for declarator in rest {
            let of_type = if is_declaration { of_type.as_slice() } else { &[] };
            self.one(declarator, of_type, kind);
        }
    }

    /// Notes the variable of a declarator. Without a type before the comma it begins with its own. Returns true for a
    /// declaration.
    fn one(&mut self, words: &[Word<'a>], of_type: &[&'a str], kind: &DefinitionKind<'a>) -> bool {
        let equals = top_level_equals(words);
        let left = &words[..equals.unwrap_or(words.len())];
        let Some(target) = Target::new(left, !of_type.is_empty()) else { return false };
        let is_compound = equals.is_some_and(|at| {
            let before = &words[at - 1];
            before.end() == words[at].at
                && matches!(before.text, "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<" | ">")
        });
        let right = equals.map(|at| &words[at + 1..]);
        // Of `a = b = c` both have the value of the last.
        let last = right.map(|right| match last_equals(right) {
            Some(at) => &right[at + 1..],
            None => right,
        });
        let value = last.map(value::value);
        if let Some(right) = right.filter(|right| top_level_equals(right).is_some()) {
            self.one(right, &[], kind);
        }
        if value.is_none() && !target.is_declaration {
            return false;
        }
        let types = left[..target.name].iter().filter(|word| word.is_name()).map(|word| word.text);
        self.found.push(Definition {
            name: left[target.name].text,
            part: target.part,
            value,
            made_of: target.made_of,
            at: left[target.name].at,
            block: self.blocks.last().copied().unwrap_or_default(),
            is_declaration: target.is_declaration,
            kind: if is_compound { DefinitionKind::Change } else { kind.clone() },
            of_type: of_type.iter().copied().chain(types).collect(),
        });
        target.is_declaration
    }

    /// Notes the variables that change without an assignment that is read: `n++`, and `&n` as the argument of a function
    /// that is not the device's.
    fn changes(&mut self, begin: usize, end: usize) {
        let mut callee = "";
        for at in begin..end {
            let (word, next) = (self.text.words[at], self.text.word(at + 1));
            if next == "(" && word.is_name() {
                callee = word.text;
            }
            let before = if at > begin { self.text.word(at - 1) } else { "" };
            let two_before = if at > begin + 1 { self.text.word(at - 2) } else { "" };
            if word.is_name() && before == "(" && next == "=" && self.text.word(at + 2) != "=" {
                self.assigned_in_condition(at);
            }
            let is_counted =
                (next == "+" && self.text.word(at + 2) == "+") || (next == "-" && self.text.word(at + 2) == "-");
            let is_before = (before == "+" && two_before == "+") || (before == "-" && two_before == "-");
            let is_of_device =
                ["cl", "cuda", "hip", "cu", "CHECK", "check"].iter().any(|start| callee.starts_with(start));
            let is_address =
                before == "&" && matches!(two_before, "(" | ",") && !is_of_device && self.is_call(begin, at);
            if word.is_name() && (is_counted || is_before || is_address) {
                self.found.push(Definition {
                    name: word.text,
                    part: None,
                    value: None,
                    made_of: Vec::new(),
                    at: word.at,
                    block: self.blocks.last().copied().unwrap_or_default(),
                    is_declaration: false,
                    kind: DefinitionKind::Change,
                    of_type: Vec::new(),
                });
            }
        }
    }

    /// Notes a variable that a condition assigns to: `if ((n = atoi(argv[1])) <= 0)`.
    fn assigned_in_condition(&mut self, at: usize) {
        let inside = self.text.inside(at - 1).to_vec();
        if top_level_equals(&inside) == Some(1) {
            self.one(&inside, &[], &DefinitionKind::Plain);
        }
    }

    /// True if a call stands between two positions.
    fn is_call(&self, begin: usize, at: usize) -> bool {
        (begin..at).any(|at| self.text.words[at].is_name() && self.text.word(at + 1) == "(")
    }
}

/// The variable that the words before a value name.
struct Target<'a> {
    /// The position of the name.
    name: usize,
    part: Option<Part<'a>>,
    is_declaration: bool,
    made_of: Vec<Value<'a>>,
}

impl<'a> Target<'a> {
    fn new(left: &[Word<'a>], has_type: bool) -> Option<Self> {
        let last = left.last()?;
        let target = |name, part, is_declaration| Some(Self { name, part, is_declaration, made_of: Vec::new() });
        match last.text {
            ")" | "}" => {
                let open = (0..left.len())
                    .find(|at| matches!(left[*at].text, "(" | "{") && behind_group(left, *at) == left.len())?;
                let name = open.checked_sub(1).filter(|name| left[*name].is_name())?;
                let is_declared = has_type || is_behind_type(left, name);
                let inside = &left[open + 1..left.len() - 1];
                is_declared.then(|| Self { name, part: None, is_declaration: true, made_of: value::values(inside) })
            }
            "]" => {
                let open = (1..left.len()).find(|at| left[*at].text == "[" && behind_group(left, *at) == left.len())?;
                let name = open - 1;
                if !left[name].is_name() {
                    return None;
                }
                if has_type || is_behind_type(left, name) {
                    return target(name, None, true);
                }
                let Value::Integer(number) = value::value(&left[open + 1..left.len() - 1]) else { return None };
                (name == 0).then(|| target(name, Some(Part::Element(number)), false)).flatten()
            }
            _ if last.is_name() => {
                let name = left.len() - 1;
                match left.get(name.wrapping_sub(1)).map(|word| word.text) {
                    None => target(name, None, has_type),
                    Some("." | "->") if name == 2 => target(0, Some(Part::Member(last.text)), false),
                    Some("*" | "&") if has_type && name == 1 => target(name, None, true),
                    _ if is_behind_type(left, name) => target(name, None, true),
                    _ => None,
                }
            }
            "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<" | ">" if left.len() == 2 && left[0].is_name() => {
                target(0, None, false)
            }
            _ => None,
        }
    }
}

/// True if the words before a position name a type.
fn is_behind_type(words: &[Word<'_>], name: usize) -> bool {
    let mut at = 0;
    let mut names = 0;
    while at < name {
        match words[at].text {
            "::" | "*" | "&" if names > 0 => at += 1,
            "::" => at += 1,
            "<" => match behind_template(words, at) {
                Some(end) if end <= name => at = end,
                _ => return false,
            },
            _ if words[at].is_name() => {
                names += 1;
                at += 1;
            }
            _ => return false,
        }
    }
    names > 0 && words[name - 1].text != "::"
}

/// The position of the last `=` outside of brackets.
fn last_equals(words: &[Word<'_>]) -> Option<usize> {
    let mut last = None;
    while let Some(next) = top_level_equals(&words[last.map_or(0, |at| at + 1)..]) {
        last = Some(last.map_or(next, |at| at + 1 + next));
    }
    last
}

/// The position of the first `=` outside of brackets that is not part of another sign.
fn top_level_equals(words: &[Word<'_>]) -> Option<usize> {
    let mut at = 0;
    while at < words.len() {
        match words[at].text {
            "(" | "[" | "{" => at = behind_group(words, at),
            "=" => return (at > 0).then_some(at),
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_kernel::source::words;

    fn read(text: &str) -> String {
        let shown = |one: &Definition<'_>| {
            let part = match one.part {
                Some(Part::Member(member)) => format!(".{member}"),
                Some(Part::Element(number)) => format!("[{number}]"),
                None => String::new(),
            };
            let kind = match one.kind {
                DefinitionKind::Plain => "",
                DefinitionKind::If => "?",
                DefinitionKind::Loop(..) | DefinitionKind::Each => "~",
                DefinitionKind::Change => "!",
            };
            let is_declared = if one.is_declaration { ":" } else { "" };
            format!("{}{part}{is_declared}{kind}", one.name)
        };
        definitions(&words(text)).iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn variables_are_found_with_their_values() {
        for (text, expected) in [
            ("a = b = c;", "b a"),
            ("int n = 4, m; size_t k(3); unsigned long j{2};", "n: m: k: j:"),
            ("dim3 grid(n, 2), block = dim3(1); grid.x = 4; a[1] = 2;", "grid: block: grid.x a[1]"),
            ("size_t global[2] = {n, m}; std::vector<int> v(3); const float* p = q;", "global: v: p:"),
            ("for (int i = 0; i < n; ++i) { int j = i; } n += 2; m++; read(&k); cudaMalloc(&p, 4);", "i:~ j: n! m! k!"),
            ("for (int n : sizes) f(n); for (const auto& m : {1, 2}) { k = m; }", "n:~ m:~ k"),
            ("if ((n = read(argv[1])) <= 0 || (m = 3) == n || (k == 4)) return;", "n m"),
            ("if (argc > 1) n = atoi(argv[1]); else m = 3; f(a, b); x == y; return n;", "n? m?"),
            ("for (;;) n = 1; while (n) { m = 2; } do k = 3; while (k);", "n? m k?"),
            ("switch (n) { case 512: m = 1; break; default: m = 2; }", "m m"),
            ("auto f = [&](int a) { return a; }; kernel<<<grid, 1>>>(a);", "f:"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn any_text_is_read() {
        for text in
            ["{", "}", "(", "= =", "a = ", "for (", "if (a", "case", "int a[", "dim3 {", "<", ", ,", "a b c = {"]
        {
            let _ = read(&text.repeat(300));
        }
    }
}
