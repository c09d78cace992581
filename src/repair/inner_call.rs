//! `inner-call`: a program whose one nested call closed its own description with a bare quote, and so the payload.
//!
//! Here is the JSON side: the grant, the conditions on the members, and the edits in the raw text. What the program
//! must look like is decided by [`completion`](super::completion).

use super::close_description::fits;
use super::completion::{Completion, complete};
use crate::document::Member;
use crate::schema::Tool;
use crate::settings::Rule;
use crate::settings::limits::Limits;
use crate::syntax::Machine;
use crate::verdict::audit::{Audit, Edit};

/// A completed call.
pub(crate) struct Completed {
    pub(crate) edits: Vec<Edit>,
    pub(crate) binding: Option<String>,
    pub(crate) machine: Machine,
}

/// The repair of a text that is strict JSON; `None` where the right was not granted, or a condition fails.
pub(crate) fn inner_call(sent: &Machine, tool: &Tool, epilogue: bool) -> Option<Completed> {
    let grant = tool.grants().inner_call.as_ref()?;
    let members: Vec<Member<'_>> = sent.document.root()?.members().collect();
    let missing = missing(&members, tool)?;
    let payload = members.last().filter(|member| member.name == grant.payload)?.value;
    let program = payload.as_str()?;
    let line = grant.epilogue.as_deref().filter(|_| epilogue);
    let completion = complete(program, &grant.object, missing, line).ok()?;
    let token = payload.text();
    let start = payload.span().start as usize;
    let end = payload.span().end as usize;
    let inner_end = start + raw_offset(token, completion.close_quote_at);
    let Completion { tail, epilogue, member_value, binding, .. } = completion;
    let mut edits = vec![
        Edit::insertion(inner_end, "\\\"", Rule::InnerCall),
        Edit::insertion(end - 1, escaped(&tail), Rule::InnerCall),
    ];
    edits.extend(epilogue.map(|line| Edit::insertion(end - 1, escaped(&line), Rule::Epilogue)));
    let member = format!(",\"{}\":\"{}\"", escaped(missing), escaped(&member_value));
    edits.push(Edit::insertion(end, member, Rule::InnerCall));
    let text = Audit::new(sent.len(), edits.clone(), Vec::new()).apply(sent.document.text());
    let machine = Machine::read(&text, Limits::max());
    fits(&machine, tool).then_some(Completed { edits, binding, machine })
}

/// The one required member that is missing, if it is closable and no name stands twice.
fn missing<'t>(members: &[Member<'_>], tool: &'t Tool) -> Option<&'t str> {
    let mut names: Vec<&str> = members.iter().map(|member| member.name).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    let mut absent = tool.required().filter(|name| names.binary_search(name).is_err());
    let missing = absent.next()?;
    (absent.next().is_none() && tool.is_closable(missing)).then_some(missing)
}

/// Offset in the string token `token` of the byte `decoded` of its decoded text.
fn raw_offset(token: &str, decoded: usize) -> usize {
    let bytes = token.as_bytes();
    let (mut at, mut read) = (1, 0);
    while read < decoded {
        // An escape stands for the bytes of its character; any other byte for itself.
        let (raw, text) = match bytes.get(at..) {
            Some([b'\\', b'u', ..]) => unicode(&token[at..]),
            Some([b'\\', ..]) => (2, 1),
            Some([_, ..]) => (1, 1),
            Some([]) | None => break,
        };
        at += raw;
        read += text;
    }
    at
}

/// Lengths of a `\u` escape, pairs included, and of the UTF-8 text of its character.
fn unicode(escape: &str) -> (usize, usize) {
    let unit = escape.get(2..6).and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or_default();
    match char::from_u32(unit) {
        Some(character) => (6, character.len_utf8()),
        None => (12, 4),
    }
}

/// The text as it stands between the quotes of a JSON string.
fn escaped(text: &str) -> String {
    let token = serde_json::Value::from(text).to_string();
    token[1..token.len() - 1].to_owned()
}
