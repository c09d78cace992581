//! The one cut inner call of a program: `await OBJECT.NAME({ …, MEMBER: "…`.

use bumpalo::Bump;
use logos::Logos;
use memchr::{memchr_iter, memmem};
use smallvec::SmallVec;

use super::NotMatched;
use super::scanner::{Closer, Kind, OpenString, Piece, Scanner, Step};

/// What the scan found: the one open string of the one cut inner call. Offsets are bytes of the program.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct CutCall<'p> {
    /// Of the opening `"`.
    pub(crate) quote: usize,
    /// Past the text on its line.
    pub(crate) text_end: usize,
    /// The blanks that begin the line of the call's `await`.
    pub(crate) indentation: &'p str,
    /// The name that the call's result is bound to; none for a destructuring pattern or a bare statement.
    pub(crate) binding: Option<&'p str>,
}

/// The cut inner call of `program`: a call of a member of `object`, open in the text of its own `member`.
pub(crate) fn find_cut_call<'p>(program: &'p str, object: &str, member: &str) -> Result<CutCall<'p>, NotMatched> {
    let arena = Bump::new();
    let cut = Cut::read(program, &arena)?;
    let call = cut.call(object)?;
    if awaits(program, object) != 1 {
        return Err(NotMatched::NotOneCall);
    }
    cut.check_key(member)?;
    let binding = binding(program, call)?;
    let OpenString { quote, text_end } = cut.string;
    check_text(&program[quote + 1..text_end])?;
    let line = &program[line_start(program, call.piece.at)..];
    let indentation = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    Ok(CutCall { quote, text_end, indentation, binding })
}

/// A program's tokens up to the string that is open at its end.
struct Cut<'a, 'p> {
    /// The last token before the string.
    last: Option<&'a Token<'a, 'p>>,
    /// What is open at the string, with the opening tokens: none for a template's `${`.
    open: SmallVec<[Closer; 32]>,
    opening: SmallVec<[&'a Token<'a, 'p>; 16]>,
    string: OpenString,
}

/// A token that knows what stands before it: every question here looks back.
struct Token<'a, 'p> {
    piece: Piece<'p>,
    before: Option<&'a Self>,
}

impl<'a, 'p> Cut<'a, 'p> {
    fn read(program: &'p str, arena: &'a Bump) -> Result<Self, NotMatched> {
        let mut scanner = Scanner::of(program);
        let (mut last, mut opening) = (None, SmallVec::new());
        loop {
            let piece = match scanner.step()? {
                Step::OpenString(string) => {
                    return Ok(Self { last, open: SmallVec::from_slice(scanner.open_brackets()), opening, string });
                }
                Step::Token(piece) => piece,
            };
            let token: &'a Token<'a, 'p> = arena.alloc(Token { piece, before: last });
            match piece.kind {
                Kind::Open => opening.push(token),
                Kind::Close => {
                    opening.pop();
                }
                Kind::Quoted | Kind::Sign | Kind::Template | Kind::Word => {}
            }
            last = Some(token);
        }
    }

    /// The `await` of the call, if its `(` and its `{` are all that is open.
    fn call(&self, object: &str) -> Result<&'a Token<'a, 'p>, NotMatched> {
        let (&[Closer::Paren, Closer::Brace], &[paren, brace]) = (&*self.open, &*self.opening) else {
            return Err(NotMatched::SomethingElseOpen);
        };
        let adjacent = brace.before.is_some_and(|before| std::ptr::eq(before, paren));
        let callee = || {
            let name = paren.before.filter(|token| token.piece.kind == Kind::Word)?;
            let dot = name.before.filter(|token| token.is("."))?;
            let of = dot.before.filter(|token| token.is(object))?;
            of.before.filter(|token| token.is("await"))
        };
        if adjacent { callee() } else { None }.ok_or(NotMatched::SomethingElseOpen)
    }

    /// The string must be the value of `member`, and not the first member.
    fn check_key(&self, member: &str) -> Result<(), NotMatched> {
        let colon = self.last.filter(|token| token.is(":")).ok_or(NotMatched::NotAValue)?;
        let key = colon.before.filter(|token| token.is_key(member)).ok_or(NotMatched::OtherMember)?;
        key.before.filter(|token| token.is(",")).map(|_| ()).ok_or(NotMatched::NoMemberBefore)
    }
}

impl Token<'_, '_> {
    fn is(&self, text: &str) -> bool {
        self.piece.text == text
    }

    fn is_key(&self, member: &str) -> bool {
        match self.piece.kind {
            Kind::Word => self.is(member),
            Kind::Quoted => {
                let inside = self.piece.text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                inside == Some(member)
            }
            Kind::Close | Kind::Open | Kind::Sign | Kind::Template => false,
        }
    }

    fn declares(&self) -> bool {
        matches!(self.piece.text, "const" | "let" | "var")
    }
}

/// The name that the statement of `call` (its `await`) binds, if the statement is exactly `[const|let|var TARGET =] await …` and
/// certainly starts there.
fn binding<'p>(program: &'p str, call: &Token<'_, 'p>) -> Result<Option<&'p str>, NotMatched> {
    let (start, name) = match call.before.filter(|token| token.is("=")) {
        None => (call, None),
        Some(equals) => {
            let (target, name) = target(equals).ok_or(NotMatched::NotADeclaration)?;
            (target.before.filter(|token| token.declares()).ok_or(NotMatched::NotADeclaration)?, name)
        }
    };
    if start.before.is_none_or(|token| token.is(";") || token.is("}")) {
        return Ok(name);
    }
    let at = start.piece.at;
    if start.declares() && program[line_start(program, at)..at].chars().all(is_space) {
        return Ok(name);
    }
    Err(NotMatched::StartUncertain)
}

/// The first token of what stands before `=`, and the name if it is one: an identifier, or a pattern from its opening bracket on.
fn target<'a, 'p>(equals: &Token<'a, 'p>) -> Option<(&'a Token<'a, 'p>, Option<&'p str>)> {
    let last = equals.before?;
    match last.piece.kind {
        Kind::Word => return Some((last, Some(last.piece.text))),
        Kind::Close if !last.is(")") => {}
        Kind::Close | Kind::Open | Kind::Quoted | Kind::Sign | Kind::Template => return None,
    }
    let (mut token, mut depth) = (last, 0_usize);
    loop {
        match token.piece.kind {
            Kind::Close => depth += 1,
            Kind::Open => depth -= 1,
            Kind::Quoted | Kind::Sign | Kind::Template | Kind::Word => {}
        }
        if depth == 0 {
            return Some((token, None));
        }
        token = token.before?;
    }
}

/// How often `await OBJECT.` stands in the program, comments and strings included.
fn awaits(program: &str, object: &str) -> usize {
    let (mut found, mut past) = (0, 0);
    for at in memmem::find_iter(program.as_bytes(), "await") {
        let after = &program[at + "await".len()..];
        let name = after.trim_start_matches(is_space);
        let member = name.strip_prefix(object).map(|rest| rest.trim_start_matches(is_space));
        let Some(rest) = member.and_then(|rest| rest.strip_prefix('.')) else { continue };
        if at >= past && name.len() < after.len() {
            found += 1;
            past = program.len() - rest.len();
        }
    }
    found
}

/// The text must be the description alone, in escapes that JSON has too.
fn check_text(text: &str) -> Result<(), NotMatched> {
    if text.chars().all(char::is_whitespace) {
        return Err(NotMatched::BlankText);
    }
    if TextLexeme::lexer(text).any(|lexeme| matches!(lexeme, Ok(TextLexeme::Program))) {
        return Err(NotMatched::Swallowed);
    }
    let bytes = text.as_bytes();
    // Each backslash by itself, also one that is escaped: `\\d` is a doubt.
    let known = |at: usize| match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
        Some(b'u') => bytes.get(at + 2..at + 6).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)),
        Some(_) | None => false,
    };
    if memchr_iter(b'\\', bytes).all(known) { Ok(()) } else { Err(NotMatched::ForeignEscape) }
}

/// What a description may not hold, as it would have swallowed program, and everything else.
#[derive(Logos)]
enum TextLexeme {
    #[token(";")]
    #[token("`")]
    #[regex(r"\}[\s\x1c-\x1f]*\)")]
    #[regex(r",[\s\x1c-\x1f]*[\p{L}\p{N}_$]+[\s\x1c-\x1f]*:")]
    Program,
    #[regex(r"[^,;`}]+")]
    #[token(",")]
    #[token("}")]
    Text,
}

fn line_start(program: &str, at: usize) -> usize {
    program[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// White space and the four information separators, which the specification counts as blank outside of tokens.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}
