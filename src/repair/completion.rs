//! The text part of `inner-call`: the closing tokens of the one cut inner call, and the member that its bare quote cost.
//!
//! Text only: offsets are bytes of the decoded program. The grant, the gate and the raw text are the caller's.

use crate::program::{CutCall, NotMatched, find_cut_call};

#[cfg(test)]
mod tests;

/// The completion of a cut program, to be inserted.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Completion {
    /// Where `"` closes the inner string: a byte offset in the program.
    pub(crate) close_quote_at: usize,
    /// What ends the call at the program's end: a new line of the program's kind, the call's indentation and `});`.
    pub(crate) tail: String,
    /// The owner's line after the call, beginning with its new line: an edit of its own rule, after `tail`.
    pub(crate) epilogue: Option<String>,
    /// The value of the missing member: the text of the inner one, decoded.
    pub(crate) member_value: String,
    /// The name that the call's result is bound to.
    pub(crate) binding: Option<String>,
}

/// The completion of `program`, whose one call of a member of `object` is cut in the text of its own `member`.
///
/// `epilogue` is the owner's line with `{binding}` for the name; it is used where there is a name.
pub(crate) fn complete(
    program: &str,
    object: &str,
    member: &str,
    epilogue: Option<&str>,
) -> Result<Completion, NotMatched> {
    let CutCall { quote, text_end, indentation, binding } = find_cut_call(program, object, member)?;
    let member_value = decode(&program[quote + 1..text_end])?;
    let new_line = new_line(program);
    let epilogue = epilogue.filter(|line| !line.is_empty()).zip(binding);
    Ok(Completion {
        close_quote_at: text_end,
        tail: format!("{new_line}{indentation}}});"),
        epilogue: epilogue.map(|(line, name)| format!("{new_line}{indentation}{}", line.replace("{binding}", name))),
        member_value,
        binding: binding.map(str::to_owned),
    })
}

/// The value of the inner text, whose escapes are all JSON's; control characters, which JavaScript allows unescaped, are kept.
fn decode(text: &str) -> Result<String, NotMatched> {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for c in text.chars() {
        if c < ' ' {
            json.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            json.push(c);
        }
    }
    json.push('"');
    serde_json::from_str(&json).map_err(|_| NotMatched::LoneSurrogate)
}

/// The kind of new line that ends the program's first line.
fn new_line(program: &str) -> &'static str {
    let first = program.split('\n').next();
    if first.is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" }
}
