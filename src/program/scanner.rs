//! From a program's text to its tokens, up to the string that is open at its end.

use logos::{Lexer, Logos};
use smallvec::SmallVec;

use super::NotMatched;

/// Walks a program token by token and keeps what is open.
pub(super) struct Scanner<'p> {
    lexer: Lexer<'p, Lexeme>,
    open: SmallVec<[Closer; 32]>,
}

/// What one step found.
pub(super) enum Step<'p> {
    /// The string that is open at the program's end: the last step.
    OpenString(OpenString),
    /// A token of code.
    Token(Piece<'p>),
}

/// The `"` string that is open at a program's end, in byte offsets.
pub(super) struct OpenString {
    /// Of the opening quote.
    pub(super) quote: usize,
    /// Past the text on the quote's line.
    pub(super) text_end: usize,
}

/// One token of code.
#[derive(Clone, Copy)]
pub(super) struct Piece<'p> {
    pub(super) kind: Kind,
    /// Its text; empty for a template literal, which is only ever passed over.
    pub(super) text: &'p str,
    /// Its byte offset in the program.
    pub(super) at: usize,
}

/// What a token is, as far as the questions about a cut call tell tokens apart.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Kind {
    /// `)` `]` `}`
    Close,
    /// `(` `[` `{`
    Open,
    /// A closed string in either quotes, quotes included.
    Quoted,
    /// Any other single character: an operator's character, a digit, a letter beyond ASCII.
    Sign,
    /// A template literal up to its end or its first `${`.
    Template,
    /// An identifier or keyword of ASCII letters.
    Word,
}

/// What closes an open bracket.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Closer {
    Brace,
    Bracket,
    Paren,
    /// The `}` after which a template literal goes on.
    Substitution,
}

impl<'p> Scanner<'p> {
    pub(super) fn of(program: &'p str) -> Self {
        Self { lexer: Lexeme::lexer(program), open: SmallVec::new() }
    }

    /// The next token, or the open string. After an open string or an error there is nothing more to ask.
    pub(super) fn step(&mut self) -> Result<Step<'p>, NotMatched> {
        loop {
            // `Sign` takes every character that nothing else takes: an error of the lexer cannot happen.
            let Some(Ok(lexeme)) = self.lexer.next() else { return Err(NotMatched::NoStringOpen) };
            let (text, at) = (self.lexer.slice(), self.lexer.span().start);
            let kind = match lexeme {
                Lexeme::Blank => continue,
                Lexeme::CloseBrace if self.open.last() == Some(&Closer::Substitution) => {
                    self.open.pop();
                    self.template()?;
                    continue;
                }
                Lexeme::CloseBrace => self.close(Closer::Brace)?,
                Lexeme::CloseBracket => self.close(Closer::Bracket)?,
                Lexeme::CloseParen => self.close(Closer::Paren)?,
                Lexeme::CommentOpen => return Err(NotMatched::CommentOpen),
                Lexeme::CutDouble => return self.cut_double().map(Step::OpenString),
                Lexeme::CutSingle => return Err(self.cut_single()),
                Lexeme::HtmlComment => return Err(NotMatched::HtmlComment),
                Lexeme::OpenBrace => self.open(Closer::Brace),
                Lexeme::OpenBracket => self.open(Closer::Bracket),
                Lexeme::OpenParen => self.open(Closer::Paren),
                Lexeme::OpenTemplate => {
                    self.template()?;
                    return Ok(Step::Token(Piece { kind: Kind::Template, text: "", at }));
                }
                Lexeme::Quoted if text.contains(['\n', '\r']) => return Err(NotMatched::LineContinued),
                Lexeme::Quoted => Kind::Quoted,
                Lexeme::Sign => Kind::Sign,
                Lexeme::Slash => return Err(NotMatched::Slash),
                Lexeme::Word => Kind::Word,
            };
            return Ok(Step::Token(Piece { kind, text, at }));
        }
    }

    /// What is open, outermost first.
    pub(super) fn open_brackets(&self) -> &[Closer] {
        &self.open
    }

    fn open(&mut self, closer: Closer) -> Kind {
        self.open.push(closer);
        Kind::Open
    }

    fn close(&mut self, closer: Closer) -> Result<Kind, NotMatched> {
        if self.open.pop() == Some(closer) { Ok(Kind::Close) } else { Err(NotMatched::Unbalanced) }
    }

    /// Passes over the text of a template literal, up to its end or its next `${`.
    fn template(&mut self) -> Result<(), NotMatched> {
        let mut template = TemplateLexeme::lexer(self.lexer.remainder());
        loop {
            match template.next() {
                Some(Ok(TemplateLexeme::Text)) => {}
                Some(Ok(TemplateLexeme::End)) => break,
                Some(Ok(TemplateLexeme::Substitution)) => {
                    self.open.push(Closer::Substitution);
                    break;
                }
                // The end of the program, or a backslash before it.
                Some(Err(())) | None => return Err(NotMatched::TemplateOpen),
            }
        }
        self.lexer.bump(template.span().end);
        Ok(())
    }

    fn cut_double(&self) -> Result<OpenString, NotMatched> {
        let rest = self.lexer.remainder();
        if rest == "\\" {
            return Err(NotMatched::EscapeOpen);
        }
        if !rest.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
            return Err(NotMatched::StringBroken);
        }
        let span = self.lexer.span();
        Ok(OpenString { quote: span.start, text_end: span.end })
    }

    fn cut_single(&self) -> NotMatched {
        if self.lexer.remainder() == "\\" { NotMatched::EscapeOpen } else { NotMatched::StringBroken }
    }
}

/// The tokens of code. A string or comment is one token; the longest match decides whether it is closed.
#[derive(Logos)]
enum Lexeme {
    #[regex(r"[\s\u{feff}]+")]
    #[regex(r"//[^\n\r\u{2028}\u{2029}]*")]
    #[regex(r"/\*[^*]*\*+([^/*][^*]*\*+)*/")]
    Blank,
    #[token("}")]
    CloseBrace,
    #[token("]")]
    CloseBracket,
    #[token(")")]
    CloseParen,
    #[token("/*")]
    CommentOpen,
    #[regex(r#""([^"\\\n\r]|\\(?s:.))*"#)]
    CutDouble,
    #[regex(r"'([^'\\\n\r]|\\(?s:.))*")]
    CutSingle,
    #[token("<!--")]
    #[token("-->")]
    HtmlComment,
    #[token("{")]
    OpenBrace,
    #[token("[")]
    OpenBracket,
    #[token("(")]
    OpenParen,
    #[token("`")]
    OpenTemplate,
    #[regex(r#""([^"\\\n\r]|\\(?s:.))*""#)]
    #[regex(r"'([^'\\\n\r]|\\(?s:.))*'")]
    Quoted,
    #[regex(r"(?s:.)", priority = 0)]
    Sign,
    #[token("/")]
    Slash,
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*")]
    Word,
}

/// The inside of a template literal.
#[derive(Logos)]
enum TemplateLexeme {
    #[token("`")]
    End,
    #[token("${")]
    Substitution,
    #[regex(r"([^\\`$]|\\(?s:.))+")]
    #[token("$")]
    Text,
}
