//! Inline assembly: the statements of a text and their operands, as PTX writes them.

use std::sync::Arc;

/// The most statements of a text.
const MOST_STATEMENTS: usize = 1_000;

/// An inline assembly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembly {
    /// The statements in order; `None` if the text is not understood.
    pub statements: Option<Vec<AssemblyStatement>>,
    /// The number of results, which are the first operands.
    pub results: usize,
    /// The beginning of the text.
    pub first: Arc<str>,
    /// True if no load or store moves across: the text is volatile, or says that it changes memory.
    pub is_fence: bool,
}

/// A statement: an operation and its operands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssemblyStatement {
    /// The predicate that decides whether a work item takes part; `None` if all do.
    pub predicate: Option<Predicated>,
    /// The operation with its types, such as `cp.async.cg.shared.global`.
    pub operation: Arc<str>,
    /// The operands in order.
    pub operands: Vec<AssemblyOperand>,
}

/// A predicate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predicated {
    /// The register or the operand of the assembly.
    pub of: AssemblyOperand,
    /// True if the work items take part for which it is false.
    pub negated: bool,
}

/// An operand of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssemblyOperand {
    /// An operand of the assembly, by its number.
    Slot(usize),
    /// The memory at an address, and bytes behind it.
    At(Box<AssemblyOperand>, i64),
    /// The tile of a tensor: what describes it, and the coordinates of its first element.
    Tile(Box<AssemblyOperand>, Vec<AssemblyOperand>),
    /// Several operands.
    List(Vec<AssemblyOperand>),
    /// A number.
    Integer(i64),
    /// A register of the text or of the machine, or another name.
    Register(Arc<str>),
}

impl Assembly {
    /// Reads a text and its constraints, both as LLVM writes them.
    pub(super) fn new(text: &str, constraints: &str, is_volatile: bool) -> Self {
        let text = unescaped(text);
        let results = constraints.split(',').filter(|one| one.starts_with('=') && !one.starts_with("=*")).count();
        let plain = without_comments(&text);
        let first = plain.trim_start_matches(['{', '\n', '\t', ' ']).lines().next().unwrap_or_default().trim();
        let is_fence = is_volatile || constraints.contains("~{memory}");
        let first = first.chars().take(80).collect::<String>().into();
        Self { statements: statements(&plain), results, first, is_fence }
    }
}

/// The text with LLVM's `\0A` for a character of this number.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let byte = rest.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let Some(byte) = byte.filter(u8::is_ascii) else {
            plain.push('\\');
            rest = &rest[at + 1..];
            continue;
        };
        plain.push(char::from(byte));
        rest = &rest[at + 3..];
    }
    plain + rest
}

fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        plain.push_str(&rest[..at]);
        let (end, length) = if rest[at..].starts_with("//") { ("\n", 0) } else { ("*/", 2) };
        rest = rest[at..].find(end).map_or("", |end| &rest[at + end + length..]);
    }
    plain + rest
}

/// The statements of a text; `None` if one is not understood.
fn statements(text: &str) -> Option<Vec<AssemblyStatement>> {
    let mut read = Vec::new();
    let mut rest = text.trim();
    // A text that asks a barrier again and again is one wait.
    let waits = [".try_wait", ".test_wait"].iter().any(|name| text.contains(name));
    while !rest.is_empty() {
        // Braces around statements open a scope; those of a list stand inside of a statement.
        if let Some(inner) = rest.strip_prefix(['{', '}', ';']) {
            rest = inner.trim_start();
            continue;
        }
        let end = rest.find(';').unwrap_or(rest.len());
        let one = rest[..end].trim();
        let one = without_scope(one);
        let one = if waits { without_labels(one) } else { one };
        rest = rest[end..].trim_start_matches(';').trim_start();
        if one.starts_with(".reg") || one.is_empty() || waits && is_jump(one) {
            continue;
        }
        read.push(statement(one)?);
        if read.len() > MOST_STATEMENTS {
            return None;
        }
    }
    Some(read)
}

/// A last statement without the ends of scopes behind it.
fn without_scope(mut text: &str) -> &str {
    while text.matches('}').count() > text.matches('{').count()
        && let Some(inner) = text.strip_suffix('}')
    {
        text = inner.trim_end();
    }
    text
}

/// A statement without the labels before it.
fn without_labels(mut text: &str) -> &str {
    while let Some((label, rest)) = text.split_once(':')
        && label.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'))
        && !rest.starts_with(':')
    {
        text = rest.trim_start();
    }
    text
}

/// True for a jump, also one with a predicate.
fn is_jump(text: &str) -> bool {
    let text =
        if text.starts_with('@') { text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest) } else { text };
    text.trim_start().split(['.', ' ', '\t']).next() == Some("bra")
}

fn statement(text: &str) -> Option<AssemblyStatement> {
    let (predicate, text) = match text.strip_prefix('@') {
        Some(rest) => {
            let (register, rest) = rest.split_once(char::is_whitespace)?;
            let negated = register.starts_with('!');
            let of = operand(register.trim_start_matches('!'))?;
            (Some(Predicated { of, negated }), rest.trim_start())
        }
        None => (None, text),
    };
    let (operation, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_operation = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':');
    // A label would stand before a jump, and a loop has no number of rounds here.
    if operation.is_empty() || operation.ends_with(':') || !operation.chars().all(is_operation) {
        return None;
    }
    Some(AssemblyStatement { predicate, operation: operation.into(), operands: operands_of(operands)? })
}

/// The operands of a list without its braces.
fn operands_of(text: &str) -> Option<Vec<AssemblyOperand>> {
    let mut operands = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = end_of_operand(rest);
        operands.push(operand(rest[..end].trim())?);
        rest = rest[end..].trim_start_matches(',').trim_start();
    }
    Some(operands)
}

/// The bytes up to the comma behind the first operand.
fn end_of_operand(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

fn operand(text: &str) -> Option<AssemblyOperand> {
    if let Some(inside) = text.strip_prefix('{') {
        return Some(AssemblyOperand::List(operands_of(inside.strip_suffix('}')?)?));
    }
    if let Some(inside) = text.strip_prefix('[') {
        let inside = inside.strip_suffix(']')?.trim();
        let end = end_of_operand(inside);
        if end < inside.len() {
            let coordinates = match operand(inside[end + 1..].trim())? {
                AssemblyOperand::List(all) => all,
                one => vec![one],
            };
            return Some(AssemblyOperand::Tile(Box::new(operand(inside[..end].trim())?), coordinates));
        }
        let (base, behind) = match inside.rsplit_once('+') {
            Some((base, behind)) => (base.trim(), number(behind.trim())?),
            None => (inside, 0),
        };
        return Some(AssemblyOperand::At(Box::new(operand(base)?), behind));
    }
    if let Some(slot) = text.strip_prefix('$') {
        return slot.trim_matches(['{', '}']).split(':').next()?.parse().ok().map(AssemblyOperand::Slot);
    }
    if let Some(number) = number(text) {
        return Some(AssemblyOperand::Integer(number));
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '%' | '.' | '$' | '|');
    (!text.is_empty() && text.chars().all(is_name)).then(|| AssemblyOperand::Register(text.into()))
}

fn number(text: &str) -> Option<i64> {
    let (text, is_negative) = text.strip_prefix('-').map_or((text, false), |text| (text, true));
    let value = match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok()?,
        None => text.parse().ok()?,
    };
    Some(if is_negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::AssemblyOperand::{At, Integer, List, Register, Slot};
    use super::*;

    fn read(text: &str) -> Vec<AssemblyStatement> {
        Assembly::new(text, "", false).statements.unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn a_statement_has_an_operation_and_operands() {
        let copy = &read("cp.async.cg.shared.global [$0], [$1 + 16], 0x10, $2;\\0A")[0];
        assert_eq!(&*copy.operation, "cp.async.cg.shared.global");
        let at = |slot, behind| At(Box::new(Slot(slot)), behind);
        assert_eq!(copy.operands, [at(0, 0), at(1, 16), Integer(16), Slot(2)]);
        let product = &read("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1}, {$2,$3}, {$4}, {$0,$1}")[0];
        assert_eq!(product.operands[2], List(vec![Slot(4)]));
    }

    #[test]
    fn scopes_predicates_and_comments_are_read() {
        let text = "{\\0A .reg .pred p; // the guard\\0A setp.ne.b32 p, $0, 0;\\0A /* a copy */ @!p ld.global.u32 $1, [$2];\\0A}";
        let all = read(text);
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].operands, [Register("p".into()), Slot(0), Integer(0)]);
        assert_eq!(all[1].predicate, Some(Predicated { of: Register("p".into()), negated: true }));
        assert!(read("").is_empty() && read(" ; ").is_empty());
        let stored = &read("@$2 st.global.b32 [ $1 + 0 ], { $0 };")[0];
        assert_eq!(stored.predicate, Some(Predicated { of: Slot(2), negated: false }));
    }

    #[test]
    fn tiles_have_coordinates() {
        let copy = &read("@$0 cp.async.bulk.tensor.2d.shared::cta.global.tile [$1], [$2, {$3, 64}], [$4 + 8];")[0];
        let at = |slot, behind| At(Box::new(Slot(slot)), behind);
        let tile = AssemblyOperand::Tile(Box::new(Slot(2)), vec![Slot(3), Integer(64)]);
        assert_eq!(copy.operands, [at(1, 0), tile, at(4, 8)]);
    }

    #[test]
    fn a_text_that_asks_a_barrier_again_and_again_is_one_wait() {
        let triton = "\\0A{\\0A\\09.reg .pred complete;\\0A\\09waitLoop:\\0A\\09mbarrier.try_wait.parity.shared::cta.b64 complete, \
                      [$0], $1;\\0A\\09@!complete bra.uni waitLoop;\\0A}\\0A";
        let by_hand = "{ .reg .pred P1; LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra DONE; bra \
                       LAB_WAIT; DONE: }";
        for text in [triton, by_hand] {
            let all = read(text);
            assert!(all.len() == 1 && &*all[0].operation == "mbarrier.try_wait.parity.shared::cta.b64", "{all:?}");
        }
    }

    #[test]
    fn results_are_the_outputs() {
        let of = |constraints: &str| Assembly::new("", constraints, false).results;
        assert_eq!([of("=r,=r,r,~{memory}"), of("r,l,n"), of("=*m,=f,0")], [2, 0, 1]);
    }

    #[test]
    fn what_is_not_understood_is_no_statement() {
        for text in ["LOOP: bra LOOP;", "add.s32 $0, (a;", "mov.u32 $0, 'x';", "@p"] {
            assert_eq!(Assembly::new(text, "", false).statements, None, "{text}");
        }
        assert_eq!(&*Assembly::new("\\0A\\09foo.bar $$0;", "", false).first, "foo.bar $$0;");
    }
}
