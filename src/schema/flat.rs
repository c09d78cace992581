//! A JSON value as one run of bytes, so that an equal one is recognised without allocation and without recursion.

use serde_json::Value;
use smallvec::SmallVec;

/// The flat form of a value.
#[derive(Clone, Debug)]
pub(super) struct Flat(Box<[u8]>);

impl Flat {
    pub(super) fn of(value: &Value) -> Self {
        let mut bytes = Vec::new();
        visit(value, &mut |piece| {
            bytes.extend_from_slice(piece);
            true
        });
        Self(bytes.into())
    }

    /// Whether this is the flat form of the value.
    pub(super) fn is(&self, value: &Value) -> bool {
        let mut rest = &*self.0;
        let whole = visit(value, &mut |piece| match rest.strip_prefix(piece) {
            Some(after) => {
                rest = after;
                true
            }
            None => false,
        });
        whole && rest.is_empty()
    }
}

enum Children<'v> {
    Elements(std::slice::Iter<'v, Value>),
    Members(serde_json::map::Iter<'v>),
}

/// Hands out the pieces of the flat form until `piece` says no; whether it never did.
fn visit(value: &Value, piece: &mut impl FnMut(&[u8]) -> bool) -> bool {
    let mut open: SmallVec<[Children<'_>; 8]> = SmallVec::new();
    let mut next = Some(value);
    loop {
        let go = match next {
            Some(Value::Null) => piece(b"n"),
            Some(Value::Bool(true)) => piece(b"t"),
            Some(Value::Bool(false)) => piece(b"f"),
            Some(Value::Number(number)) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(n), _, _) => piece(b"u") && piece(&n.to_le_bytes()),
                (None, Some(n), _) => piece(b"i") && piece(&n.to_le_bytes()),
                (None, None, n) => piece(b"d") && piece(&n.unwrap_or(f64::NAN).to_le_bytes()),
            },
            Some(Value::String(text)) => piece(b"s") && string(text, piece),
            Some(Value::Array(elements)) => {
                open.push(Children::Elements(elements.iter()));
                piece(b"[")
            }
            Some(Value::Object(members)) => {
                open.push(Children::Members(members.iter()));
                piece(b"{")
            }
            None => true,
        };
        if !go {
            return false;
        }
        let named = match open.last_mut() {
            None => return true,
            Some(Children::Elements(elements)) => elements.next().map(|element| (None, element)),
            Some(Children::Members(members)) => members.next().map(|(name, member)| (Some(name), member)),
        };
        next = match named {
            Some((None, element)) => Some(element),
            Some((Some(name), member)) => {
                if !string(name, piece) {
                    return false;
                }
                Some(member)
            }
            None => {
                open.pop();
                if !piece(b"]") {
                    return false;
                }
                None
            }
        };
    }
}

fn string(text: &str, piece: &mut impl FnMut(&[u8]) -> bool) -> bool {
    piece(&(text.len() as u64).to_le_bytes()) && piece(text.as_bytes())
}
