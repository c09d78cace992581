//! JSON texts that stay as they are.

use serde_json::value::RawValue;

/// A JSON text without the blanks between its tokens. The tokens stay as they are: numbers keep their digits, strings
/// their escapes. So it is one line, also for readers that take a lone CR for the end of one.
///
/// ```
/// assert_eq!(argseal_form::compact("{ \"a b\" :\r\n1.50 }"), r#"{"a b":1.50}"#);
/// ```
pub fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(quote) = rest.find('"') {
        push_tokens(&mut out, &rest[..quote]);
        let end = string_end(rest.as_bytes(), quote);
        out.push_str(&rest[quote..end]);
        rest = &rest[end..];
    }
    push_tokens(&mut out, rest);
    out
}

/// The same for a value.
pub fn compacted(value: &RawValue) -> Box<RawValue> {
    verbatim(compact(value.get()))
}

/// A JSON text, as it is, inside another.
pub(crate) fn verbatim(text: String) -> Box<RawValue> {
    RawValue::from_string(text).expect("an accepted text is JSON, and so is a value")
}

/// Appends text that holds no string, without its blanks.
fn push_tokens(out: &mut String, text: &str) {
    out.extend(text.split([' ', '\t', '\n', '\r']));
}

/// One past the closing quote of the string that opens at `quote`; the length of the text if it is not closed.
fn string_end(bytes: &[u8], quote: usize) -> usize {
    let mut i = quote + 1;
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'"' => return i + 1,
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_go_and_tokens_stay() {
        let text = "\r\n{ \"a b\" :\t[ 1.0 , 2E5 , \"\\\" {  } \\\\\" ] , \"ü\" : { } }\n";
        assert_eq!(compact(text), r#"{"a b":[1.0,2E5,"\" {  } \\"],"ü":{}}"#);
        assert_eq!(compact(r#"{"n":3305118820117000003,"e":1e400}"#), r#"{"n":3305118820117000003,"e":1e400}"#);
    }
}
