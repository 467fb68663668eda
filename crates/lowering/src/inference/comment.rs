//! A spec in a comment of a source: a block whose first line is `autotune:`.

use std::ops::Range;
use std::path::Path;

use autotune_base::text::Source;

/// The word that begins a block.
const BEGIN: &str = "autotune:";

/// A spec in a comment of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentedSpec {
    /// The spec's text: the lines of the source with all but the block left out.
    text: String,
    /// The names that the block gives the kernel: its own, and the source's.
    kernels: Vec<String>,
    /// The line of the block's first line, from 1.
    pub line: usize,
    /// The blanks before the keys.
    indent: usize,
}

/// The specs in the comments of a source, in their order. In Python a comment begins with `#`, else with `//` or `/*`.
#[must_use]
pub fn commented_specs(text: &str, is_python: bool) -> Vec<CommentedSpec> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let block = if is_python {
            by_lines(&lines, at, "#")
        } else {
            enclosed(&lines, at).or_else(|| by_lines(&lines, at, "//"))
        };
        match block {
            Some((rows, end)) => {
                found.push(CommentedSpec::new(&rows, at));
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// The lines of a block and the number of the line behind it.
type Block = (Vec<String>, usize);

/// The block of lines that each begin with the sign of a comment, if one begins here.
fn by_lines(lines: &[&str], begin: usize, sign: &str) -> Option<Block> {
    let inside = |line: &str| {
        let blanks = line.len() - line.trim_start().len();
        let rest = line.trim_start().strip_prefix(sign)?;
        Some(format!("{}{}", " ".repeat(blanks + sign.len()), rest.trim_end_matches('\r')))
    };
    if inside(lines[begin])?.trim() != BEGIN {
        return None;
    }
    let rows: Vec<String> = lines[begin + 1..].iter().map_while(|line| inside(line)).collect();
    let end = begin + 1 + rows.len();
    Some((rows, end))
}

/// The block in `/* autotune:` and `*/`, if one begins here.
fn enclosed(lines: &[&str], begin: usize) -> Option<Block> {
    let opened = lines[begin].trim().strip_prefix("/*")?.trim_start_matches('*').trim();
    // The word may stand on the next line.
    let first = match opened {
        BEGIN => begin + 1,
        "" if lines.get(begin + 1)?.trim().trim_start_matches('*').trim() == BEGIN => begin + 2,
        _ => return None,
    };
    let mut rows = vec![String::new(); first - begin - 1];
    for (number, line) in lines.iter().enumerate().skip(first) {
        let (line, is_last) = line.split_once("*/").map_or((*line, false), |(before, _)| (before, true));
        let blanks = line.len() - line.trim_start().len();
        let starred = line.trim_start().strip_prefix('*');
        rows.push(match starred {
            Some(rest) => format!("{}{}", " ".repeat(blanks + 1), rest.trim_end_matches('\r')),
            None => line.trim_end_matches('\r').to_owned(),
        });
        if is_last {
            return Some((rows, number + 1));
        }
    }
    Some((rows, lines.len()))
}

impl CommentedSpec {
    fn new(rows: &[String], begin: usize) -> Self {
        let has_text = |row: &&String| !row.trim().is_empty() && !row.trim_start().starts_with('#');
        let indent = rows.iter().find(has_text).map_or(0, |row| row.len() - row.trim_start().len());
        // A line without text may end before the others begin.
        let rows: Vec<&str> = rows.iter().map(|row| if row.trim().is_empty() { "" } else { row.as_str() }).collect();
        let text = format!("{}{}\n", "\n".repeat(begin + 1), rows.join("\n"));
        let named = rows.iter().filter_map(|row| row.trim_start().strip_prefix("kernel:"));
        let name = |name: &str| name.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']).to_owned();
        Self { text, kernels: named.map(name).collect(), line: begin + 1, indent }
    }

    /// The names of the kernel in the block: its own, and the one in the source.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(String::as_str)
    }

    /// True if the block has a key of the top level.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.key(key).is_some()
    }

    /// The bytes of a key of the top level; `None` if the block has no such key.
    fn key(&self, key: &str) -> Option<Range<usize>> {
        let start = format!("{}{key}:", " ".repeat(self.indent));
        let mut at = 0;
        self.text.split_inclusive('\n').find_map(|line| {
            let begin = at;
            at += line.len();
            line.starts_with(&start).then(|| begin + self.indent..begin + start.len())
        })
    }

    /// The names that a mapping of the top level has: the parameters, or the problem sizes.
    #[must_use]
    pub fn names_of(&self, key: &str) -> Vec<String> {
        let Some(range) = self.key(key) else { return Vec::new() };
        let rest = &self.text[range.end..];
        let end = rest
            .split_inclusive('\n')
            .skip(1)
            .scan(rest.find('\n').map_or(rest.len(), |at| at + 1), |at, line| {
                let begin = *at;
                *at += line.len();
                Some((begin, line))
            })
            .find(|(_, line)| !line.trim().is_empty() && line.len() - line.trim_start().len() <= self.indent);
        let mapping = &rest[..end.map_or(rest.len(), |(begin, _)| begin)];
        let mut names = Vec::new();
        let mut depth = 0_usize;
        let mut word = String::new();
        let is_flow = mapping.trim_start().starts_with('{');
        for letter in mapping.chars() {
            match letter {
                '{' | '[' => depth += 1,
                '}' | ']' => depth = depth.saturating_sub(1),
                ':' if depth == usize::from(is_flow) && !word.is_empty() => names.push(std::mem::take(&mut word)),
                _ if letter.is_ascii_alphanumeric() || letter == '_' => {
                    word.push(letter);
                    continue;
                }
                _ => {}
            }
            word.clear();
        }
        names
    }

    /// The spec's text with further keys of the top level behind it, for messages that show the source's lines.
    #[must_use]
    pub fn to_source(&self, file: &Path, further: &str) -> Source {
        let blanks = " ".repeat(self.indent);
        let mut text = self.text.clone();
        for line in further.lines() {
            text.extend([&blanks, line, "\n"]);
        }
        Source::of_comment(file, &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: &str = "int a;\n/* autotune:\n *   kernel: k\n *   problem: { n: 4, m: 2 }\n *\n *   parameters:\n *     WG: { values: [1, 2] }\n *     TS: { values: [1] }\n */\nint b;\n// autotune:\n// kernel: l\n\n// kernel: none\n";

    #[test]
    fn blocks_keep_their_lines() {
        let specs = commented_specs(C, false);
        let [first, second] = &specs[..] else { panic!("{specs:?}") };
        assert_eq!((first.kernels().next(), first.line), (Some("k"), 2));
        assert_eq!(first.text.lines().nth(2), Some("     kernel: k"));
        assert_eq!(first.names_of("parameters"), ["WG", "TS"]);
        assert_eq!(first.names_of("problem"), ["n", "m"]);
        assert!(first.has("problem") && !first.has("launch") && !first.has("WG"));
        assert_eq!((second.kernels().next(), second.line), (Some("l"), 11));
        assert!(second.to_source(Path::new("a.cu"), "launch: {}").text().ends_with("   kernel: l\n   launch: {}\n"));
    }

    #[test]
    fn only_comments_that_begin_so_are_specs() {
        assert!(commented_specs("// see autotune:\n/* autotune: not so */\n# autotune:\n", false).is_empty());
        assert_eq!(commented_specs("# autotune:\n#   kernel: k\nx = 1\n", true).len(), 1);
        assert_eq!(commented_specs("/* autotune:\nkernel: k", false).len(), 1);
        assert_eq!(commented_specs("/**\n * autotune:\n * kernel: k\n */", false)[0].kernels().next(), Some("k"));
    }
}
