//! The words of LLVM's text.

use logos::Logos;

/// A word; names are without their sign and quotation marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Logos)]
#[logos(skip r"[ \t\r]+")]
#[logos(skip(r";[^\n]*", allow_greedy = true))]
pub(super) enum Word<'a> {
    #[token("\n")]
    End,
    #[regex(r"%[-a-zA-Z$._0-9]+", |lex| &lex.slice()[1..])]
    #[regex(r#"%"[^"\n]*""#, |lex| quoted(&lex.slice()[1..]))]
    Local(&'a str),
    #[regex(r"@[-a-zA-Z$._0-9]+", |lex| &lex.slice()[1..])]
    #[regex(r#"@"[^"\n]*""#, |lex| quoted(&lex.slice()[1..]))]
    Global(&'a str),
    /// A name of metadata or the `!` before its braces.
    #[regex(r"![-a-zA-Z$._0-9]*", |lex| &lex.slice()[1..])]
    Metadata(&'a str),
    /// A group of attributes or a record of the debugger.
    #[regex(r"#[a-zA-Z_0-9]+")]
    Attributes(&'a str),
    #[regex(r"-?[0-9]+", priority = 5)]
    Integer(&'a str),
    #[regex(r"[-+]?[0-9]+\.[0-9]*([eE][-+]?[0-9]+)?")]
    #[regex(r"0x[KLMHR]?[0-9A-Fa-f]+")]
    #[regex(r"[-+](nan|inf)[a-zA-Z0-9()]*")]
    Float(&'a str),
    #[regex(r"[a-zA-Z$._][-a-zA-Z$._0-9]*")]
    Name(&'a str),
    #[regex(r#""[^"\n]*""#, |lex| quoted(lex.slice()))]
    Text(&'a str),
    #[regex(r#"c"[^"\n]*""#)]
    Bytes(&'a str),
    #[token("...")]
    More,
    #[regex(r"[(){}\[\]<>,=*:|^&]", |lex| lex.slice().chars().next())]
    Sign(char),
}

fn quoted(text: &str) -> &str {
    text.trim_matches('"')
}
