//! Why a program is left alone.

/// Why a program is not the one cut inner call. The first reason in the order of the scan is the one given.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum NotMatched {
    /// `description: " `: the text is blank.
    BlankText,
    /// `/* …` without its end.
    CommentOpen,
    /// `"… \`: the program ends between a backslash and what it escapes.
    EscapeOpen,
    /// `\x41` in the text: JSON has no such escape, so the member's value would be a guess.
    ForeignEscape,
    /// `<!--` or `-->` in code, which scripts read as a comment and modules do not.
    HtmlComment,
    /// `"…\` and the string goes on in the next line.
    LineContinued,
    /// `\ud800` in the text without its partner.
    LoneSurrogate,
    /// `({ description: "…`: the call would lose every other member.
    NoMemberBefore,
    /// Every string is closed: a complete program, or one cut elsewhere.
    NoStringOpen,
    /// `x = await …`, `a.b = await …`.
    NotADeclaration,
    /// `["…`, `("…`, `+ "…` inside the object.
    NotAValue,
    /// `await OBJECT.` stands twice, or is not written in one piece.
    NotOneCall,
    /// The open string belongs to another key.
    OtherMember,
    /// A `/` in code: only a parser can tell a division from a regular expression.
    Slash,
    /// A block, an argument list, a template's `${`, another callee.
    SomethingElseOpen,
    /// `return await …`, `cond ? await …`, `, await …`.
    StartUncertain,
    /// `'…` or `"…` up to a line end after which the program goes on.
    StringBroken,
    /// The text holds `})`, `;`, a backtick or `, WORD:`.
    Swallowed,
    /// A template literal without its end.
    TemplateOpen,
    /// A closing bracket that closes nothing, or something else.
    Unbalanced,
}

impl NotMatched {
    /// The reason in the words of the executable specification.
    #[cfg(test)]
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::BlankText => "nothing to reuse",
            Self::CommentOpen => "comment is open",
            Self::EscapeOpen => "ends in an escape of the inner language",
            Self::ForeignEscape => "an escape that JSON does not have",
            Self::HtmlComment => "an HTML-like comment",
            Self::LineContinued => "a line continued inside a string",
            Self::LoneSurrogate => "a lone surrogate",
            Self::NoMemberBefore => "no member stands before it",
            Self::NoStringOpen => "no string is open",
            Self::NotADeclaration => "not a plain declaration",
            Self::NotAValue => "the open string is not a member's value",
            Self::NotOneCall => "not exactly one such call, comments and strings included",
            Self::OtherMember => "the open string is not the closable member",
            Self::Slash => "a slash in code: division or regular expression",
            Self::SomethingElseOpen => "something else is open, or the call is not",
            Self::StartUncertain => "the statement's start is not certain",
            Self::StringBroken => "a string broken by a line end, or another quote",
            Self::Swallowed => "the text may have swallowed program",
            Self::TemplateOpen => "template literal is open",
            Self::Unbalanced => "unbalanced bracket",
        }
    }
}
