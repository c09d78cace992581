//! Outside of strings: the class of a byte, as the grammar tells bytes apart.

/// What a byte is where a token may begin. The classes are disjoint and cover every byte.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub(crate) enum Class {
    /// Space, tab, line feed, carriage return (RFC 8259, section 2).
    Blank,
    BeginObject,
    EndObject,
    BeginArray,
    EndArray,
    Colon,
    Comma,
    Quote,
    /// `-` or a digit.
    Number,
    /// `t`
    True,
    /// `f`
    False,
    /// `n`
    Null,
    /// `N`, `I`, `T`, `F`: how `None`, `NaN`, `Infinity`, `True`, `False` begin.
    Capital,
    /// Another ASCII letter, or `_`.
    Letter,
    SingleQuote,
    Slash,
    BackQuote,
    /// `\` or `<`
    Junk,
    /// Any other ASCII byte.
    Other,
    /// A byte of a character beyond ASCII.
    High,
}

impl Class {
    pub(crate) const ALL: [Self; 20] = [
        Self::Blank,
        Self::BeginObject,
        Self::EndObject,
        Self::BeginArray,
        Self::EndArray,
        Self::Colon,
        Self::Comma,
        Self::Quote,
        Self::Number,
        Self::True,
        Self::False,
        Self::Null,
        Self::Capital,
        Self::Letter,
        Self::SingleQuote,
        Self::Slash,
        Self::BackQuote,
        Self::Junk,
        Self::Other,
        Self::High,
    ];

    const fn of_byte(byte: u8) -> Self {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => Self::Blank,
            b'{' => Self::BeginObject,
            b'}' => Self::EndObject,
            b'[' => Self::BeginArray,
            b']' => Self::EndArray,
            b':' => Self::Colon,
            b',' => Self::Comma,
            b'"' => Self::Quote,
            b'-' | b'0'..=b'9' => Self::Number,
            b't' => Self::True,
            b'f' => Self::False,
            b'n' => Self::Null,
            b'N' | b'I' | b'T' | b'F' => Self::Capital,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Self::Letter,
            b'\'' => Self::SingleQuote,
            b'/' => Self::Slash,
            b'`' => Self::BackQuote,
            b'\\' | b'<' => Self::Junk,
            0x80..=0xff => Self::High,
            _ => Self::Other,
        }
    }

    #[inline]
    pub(crate) fn of(byte: u8) -> Self {
        CLASSES[byte as usize]
    }
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = Class::of_byte(byte as u8);
        byte += 1;
    }
    classes
};
