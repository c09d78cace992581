//! The codes of diagnosis, how a call's text ended, and whose fault a code is.
//!
//! The registry with titles, examples and advice is `grammar/codes.toml`; a test compares the two.

use serde::{Serialize, Serializer};

/// The registry of codes, TOML: title, smallest example, fault by end, advice and explanation of each.
pub const REGISTRY: &str = include_str!("../../grammar/codes.toml");

/// How the text of one call ended.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum End {
    /// The call's own end marker came; the stream still runs.
    CallClosed,
    /// The host stopped the call.
    Cancelled,
    /// The next call began, or the stream ended with a normal terminal reason.
    Complete,
    /// The stream ended with an error, or with nothing at all.
    Disconnected,
    /// The provider's content filter stopped the stream.
    Filtered,
    /// A length limit (output tokens, context window) stopped the stream.
    Truncated,
}

impl End {
    /// Every end, in alphabetical order.
    pub const ALL: [Self; 6] =
        [Self::CallClosed, Self::Cancelled, Self::Complete, Self::Disconnected, Self::Filtered, Self::Truncated];

    /// The name used in the NDJSON interface: `complete`, `truncated`, `filtered`, `disconnected`, `cancelled`, `closed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::CallClosed => "closed",
            Self::Cancelled => "cancelled",
            Self::Complete => "complete",
            Self::Disconnected => "disconnected",
            Self::Filtered => "filtered",
            Self::Truncated => "truncated",
        }
    }

    /// The end of this name, if it is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|end| end.name() == name)
    }

    /// A normal end: everything may be accepted that the grants and settings allow.
    pub(crate) fn is_normal(self) -> bool {
        matches!(self, Self::CallClosed | Self::Complete)
    }
}

/// How the text opens, blanks apart.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Opening {
    /// With `{` or `"` (an object, or an object inside a string), or not at all.
    #[default]
    Arguments,
    /// With anything else: such text was not assembled from its beginning. Where the host takes any root, no text is of this kind.
    Other,
}

impl Opening {
    /// The opening of a text whose first byte that is not blank is `first`.
    pub fn of(first: Option<u8>) -> Self {
        match first {
            None | Some(b'{' | b'"') => Self::Arguments,
            Some(_) => Self::Other,
        }
    }
}

/// Who can do something about a rejection.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The output was cut by a length limit: raise the budget or ask for less.
    Budget,
    /// The host's own limits or cancellation.
    Host,
    /// The model wrote it: tell the model.
    Model,
    /// The provider or a gateway assembled the text wrongly.
    Provider,
    /// The connection broke: send the request again.
    Transport,
}

impl Fault {
    /// Every fault, in alphabetical order.
    pub const ALL: [Self; 5] = [Self::Budget, Self::Host, Self::Model, Self::Provider, Self::Transport];

    /// The name used in the NDJSON interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Host => "host",
            Self::Model => "model",
            Self::Provider => "provider",
            Self::Transport => "transport",
        }
    }
}

macro_rules! codes {
    ($($group:ident { $($variant:ident $name:literal $doc:literal,)* })*) => {
        /// Why a call was rejected. Stable: codes are only ever added.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[repr(u8)]
        pub enum Code { $($(#[doc = $doc] $variant,)*)* }

        impl Code {
            /// Every code, in the order of the registry.
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)*)*];

            /// The code's stable name, such as `truncated-in-string`.
            pub const fn name(self) -> &'static str {
                match self { $($(Self::$variant => $name,)*)* }
            }

            pub(crate) const fn group(self) -> Group {
                match self { $($(Self::$variant => Group::$group,)*)* }
            }
        }
    };
}

/// What kind of thing a code speaks of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Group {
    Assembly,
    Limit,
    Shape,
    Syntax,
    Truncation,
}

codes! {
    Truncation {
        TruncatedInString "truncated-in-string" "`{\"a\":\"b`",
        TruncatedInKey "truncated-in-key" "`{\"a`",
        TruncatedInEscape "truncated-in-escape" "`{\"a\":\"\\`",
        TruncatedInSurrogatePair "truncated-in-surrogate-pair" "`{\"a\":\"\\ud83d`",
        TruncatedInUtf8 "truncated-in-utf8" "the first bytes of a UTF-8 sequence",
        TruncatedInNumber "truncated-in-number" "`{\"a\":1`",
        TruncatedInLiteral "truncated-in-literal" "`{\"a\":tr`",
        TruncatedInContainer "truncated-in-container" "`{\"a\":true`",
        TruncatedAfterKey "truncated-after-key" "`{\"a\"`",
        TruncatedAfterColon "truncated-after-colon" "`{\"a\":`",
        EmptyArguments "empty-arguments" "nothing but blanks",
    }
    Syntax {
        UnexpectedAfterString "unexpected-after-string" "`{\"a\":\"b\"c`: an unescaped inner quote, or a missing closing one",
        UnexpectedToken "unexpected-token" "`{]`",
        TrailingData "trailing-data" "`{}x`",
        ConcatenatedValues "concatenated-values" "`{}{`",
        InvalidEscape "invalid-escape" "`{\"a\":\"\\d`",
        ControlCharInString "control-char-in-string" "a raw line feed inside a string",
        LoneSurrogate "lone-surrogate" "`{\"a\":\"\\ud83d\"`",
        InvalidUtf8 "invalid-utf8" "a byte 0xFF inside a string",
        Bom "bom" "a byte order mark before the text",
        InvalidNumber "invalid-number" "`{\"a\":01`",
        NonJsonLiteral "non-json-literal" "`{\"a\":None`",
        SingleQuote "single-quote" "`{'a'`",
        UnquotedKey "unquoted-key" "`{a`",
        UnquotedValue "unquoted-value" "`{\"a\":b`",
        TrailingComma "trailing-comma" "`{\"a\":1,}`",
        Comment "comment" "`{/`",
        CodeFence "code-fence" "a back quote before the text",
    }
    Shape {
        MissingRequired "missing-required" "a required member is absent",
        TypeMismatch "type-mismatch" "a value of another type than the schema's; a root that is no object",
        UnknownProperty "unknown-property" "a member that a closed schema does not declare",
        ConstraintViolation "constraint-violation" "an enum, a bound or another keyword fails",
        DuplicateKey "duplicate-key" "one key twice with different values",
        AliasConflict "alias-conflict" "an alias and its canonical member with different values",
        AmbiguousWrapper "ambiguous-wrapper" "a wrapper that may be a member, or disagrees with its siblings",
        UnknownTool "unknown-tool" "a name that is not in the tool list",
    }
    Assembly {
        FinalMismatch "final-mismatch" "the done event holds other arguments than the deltas",
        CallConflict "call-conflict" "one call is given two identities",
        Disconnected "disconnected" "the stream broke after the root closed",
        Cancelled "cancelled" "the host cancelled after the root closed",
    }
    Limit {
        DepthLimit "depth-limit" "nested deeper than the limit",
        SizeLimit "size-limit" "longer, or with more members, than the limit",
        InlineLimit "inline-limit" "a member longer than its owner allows inline",
        Placeholder "placeholder" "a marker that stands for text the model did not write",
        CallLimit "call-limit" "a call beyond the number that the limit allows in one response",
        NumberNotHeld "number-not-held" "`{\"a\":18446744073709551616}` where numbers are doubles",
    }
}

impl Code {
    /// The code of this name, if it is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// Whose fault this code is when the text ended this way: one table of code and end (design, section 6).
    ///
    /// Text that opens like no arguments is the provider's, however it ended. Codes that do not speak of how the text was written (assembly, limits, the tool's name) keep their own.
    pub fn fault(self, end: End, opening: Opening) -> Fault {
        let written = match opening {
            Opening::Arguments => Fault::Model,
            Opening::Other => Fault::Provider,
        };
        match self {
            Self::TruncatedInString
            | Self::TruncatedInKey
            | Self::TruncatedInEscape
            | Self::TruncatedInSurrogatePair
            | Self::TruncatedInUtf8
            | Self::TruncatedInNumber
            | Self::TruncatedInLiteral
            | Self::TruncatedInContainer
            | Self::TruncatedAfterKey
            | Self::TruncatedAfterColon
            | Self::EmptyArguments => match (opening, end) {
                (Opening::Other, _) | (Opening::Arguments, End::Filtered) => Fault::Provider,
                (Opening::Arguments, End::CallClosed | End::Complete) => Fault::Model,
                (Opening::Arguments, End::Truncated) => Fault::Budget,
                (Opening::Arguments, End::Disconnected) => Fault::Transport,
                (Opening::Arguments, End::Cancelled) => Fault::Host,
            },
            Self::UnexpectedAfterString
            | Self::UnexpectedToken
            | Self::InvalidEscape
            | Self::ControlCharInString
            | Self::LoneSurrogate
            | Self::InvalidUtf8
            | Self::InvalidNumber
            | Self::NonJsonLiteral
            | Self::SingleQuote
            | Self::UnquotedKey
            | Self::UnquotedValue
            | Self::TrailingComma
            | Self::Comment
            | Self::MissingRequired
            | Self::TypeMismatch
            | Self::UnknownProperty
            | Self::ConstraintViolation
            | Self::DuplicateKey
            | Self::AliasConflict
            | Self::AmbiguousWrapper => written,
            Self::UnknownTool | Self::InlineLimit | Self::Placeholder | Self::NumberNotHeld => Fault::Model,
            Self::TrailingData
            | Self::ConcatenatedValues
            | Self::Bom
            | Self::CodeFence
            | Self::FinalMismatch
            | Self::CallConflict => Fault::Provider,
            Self::Disconnected => Fault::Transport,
            Self::Cancelled | Self::DepthLimit | Self::SizeLimit | Self::CallLimit => Fault::Host,
        }
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
