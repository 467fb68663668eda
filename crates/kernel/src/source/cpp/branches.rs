//! One side of each condition of the preprocessor whose sides open or close different brackets.

use super::words::Word;

/// The deepest nesting of conditions whose sides are looked at.
const DEEPEST: usize = 64;

/// The words behind a `#if`, `#elif` or `#else`, up to the next one of these or `#endif`.
#[derive(Debug)]
struct Side {
    /// The positions of the words.
    begin: usize,
    end: usize,
    /// True for `#if 0`.
    is_dead: bool,
}

/// The words of declarations without directives: of conditions whose sides are balanced, all sides; of others, the first
/// one that is not `#if 0`.
pub(crate) fn plain<'a>(words: &[Word<'a>]) -> Vec<Word<'a>> {
    let mut is_left_out = vec![false; words.len()];
    let mut open: Vec<Vec<Side>> = Vec::new();
    for (position, word) in words.iter().enumerate() {
        let Some((kind, condition)) = word.directive() else { continue };
        is_left_out[position] = true;
        let side = |is_dead| Side { begin: position + 1, end: position + 1, is_dead };
        match kind {
            "if" | "ifdef" | "ifndef" => open.push(vec![side(kind == "if" && condition.trim() == "0")]),
            "elif" | "elifdef" | "elifndef" | "else" => {
                if let Some(sides) = open.last_mut() {
                    end(sides, position);
                    sides.push(side(false));
                }
            }
            "endif" => {
                let mut sides = open.pop().unwrap_or_default();
                end(&mut sides, position);
                if open.len() < DEEPEST {
                    choose(words, &sides, &mut is_left_out);
                }
            }
            _ => {}
        }
    }
    words.iter().zip(is_left_out).filter(|(_, is_left_out)| !is_left_out).map(|(word, _)| *word).collect()
}

fn end(sides: &mut [Side], position: usize) {
    if let Some(last) = sides.last_mut() {
        last.end = position;
    }
}

/// Leaves out the dead sides and, if the sides open different brackets, all but one.
fn choose(words: &[Word<'_>], sides: &[Side], is_left_out: &mut [bool]) {
    let opened = |side: &Side| {
        let kept = (side.begin..side.end).filter(|position| !is_left_out[*position]);
        kept.fold([0_i64; 2], |[braces, brackets], position| match words[position].text {
            "{" => [braces + 1, brackets],
            "}" => [braces - 1, brackets],
            "(" | "[" => [braces, brackets + 1],
            ")" | "]" => [braces, brackets - 1],
            _ => [braces, brackets],
        })
    };
    let is_balanced = sides.iter().all(|side| side.is_dead || opened(side) == [0, 0]);
    let first = sides.iter().position(|side| !side.is_dead);
    for (number, side) in sides.iter().enumerate() {
        if side.is_dead || (!is_balanced && Some(number) != first) {
            is_left_out[side.begin..side.end].fill(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    #[test]
    fn a_condition_that_splits_a_declaration_has_one_side() {
        let kept = |text| plain(&words(text)).iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
        assert_eq!(kept("#ifdef A\nint f(int a) {\n#else\nint f() {\n#endif\n}"), "int f ( int a ) { }");
        assert_eq!(kept("#if 0\nit's {\n#else\na;\n#endif\n"), "a ;");
        assert_eq!(kept("#if A\nint a;\n#elif B\nint b;\n#if 0\n{\n#endif\n#endif\nc"), "int a ; int b ; c");
        assert_eq!(kept("if (a) {\n#if A\n} else {\n#endif\n}"), "if ( a ) { } else { }");
        assert_eq!(kept("#endif\n#else\na\n#if B\nb"), "a b");
    }
}
