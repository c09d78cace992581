//! Law 6: what a live view shows is never taken back.

use serde_json::Value;

use super::{pieces, shown};
use argseal::{Call, Cursor, Kind, Settings, ValueRef};

/// One value that a view shows.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Shown {
    /// Its place.
    pub pointer: String,
    /// Its type.
    pub kind: Kind,
    /// The decoded text of a string; the text of a number or literal; how many children a container has.
    pub text: String,
    /// Whether it is complete.
    pub closed: bool,
}

/// One live view, read in every way.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Its values, in text order.
    pub values: Vec<Shown>,
    /// The string that is being written: its place and its text.
    pub open: Option<(String, String)>,
    /// `to_value`; null where it has none.
    pub value: Value,
    /// What `get` answers for each member of the root.
    pub members: Vec<(String, Value)>,
    /// What the cursors took so far, and whether it is all.
    pub taken: Vec<(String, bool)>,
}

/// Law 6, monotony: in successive views a finished value never changes and an open string only grows; no view is
/// contradicted by the document of the text as sent.
pub fn monotony(bytes: &[u8], cuts: &[usize]) {
    monotony_of(views, bytes, cuts);
}

/// [`monotony`] of something else than the engine: the views after each piece, with cursors at these places.
pub fn monotony_of(views: impl Fn(&[&[u8]], &[String]) -> Vec<View>, bytes: &[u8], cuts: &[usize]) {
    let whole = views(&[bytes], &[]).pop().expect("a view after each piece");
    let mut places: Vec<String> = whole.values.iter().map(|value| value.pointer.clone()).collect();
    places.sort_unstable();
    let all = places.len();
    places.dedup();
    // Of members that stand twice, a cursor follows the first and `to_value` has the last.
    let unique = places.len() == all;
    if !unique {
        places.clear();
    }
    let mut before: Option<View> = None;
    for view in views(&pieces(bytes, cuts), &places) {
        let context = || format!("cut at {cuts:?}: {}\nbefore: {before:#?}\nview: {view:#?}", shown(bytes));
        if let Some(before) = &before {
            assert!(grows(&before.values, &view.values), "a value changes, {}", context());
            assert!(!unique || grows_value(&before.value, &view.value), "to_value changes, {}", context());
            let growing = before.taken.iter().zip(&view.taken);
            let kept = |(a, b): (&(String, bool), &(String, bool))| b.0.starts_with(&a.0) && (!a.1 || a == b);
            assert!(growing.into_iter().all(kept), "a cursor changes, {}", context());
        }
        assert!(grows(&view.values, &whole.values), "the document contradicts, {}\n{:#?}", context(), whole.values);
        assert!(!unique || grows_value(&view.value, &whole.value), "the document contradicts to_value, {}", context());
        agrees(&view, &places, unique, &context);
        before = Some(view);
    }
    let last = before.expect("a view after each piece");
    assert!(last.values == whole.values && last.value == whole.value, "the last view differs: {}", shown(bytes));
}

/// Whether all ways to read the view tell the same.
fn agrees(view: &View, places: &[String], unique: bool, context: &dyn Fn() -> String) {
    let open = view.values.last().filter(|value| value.kind == Kind::String && !value.closed);
    if let Some((pointer, text)) = &view.open {
        let same = open.is_some_and(|value| value.pointer == *pointer && value.text == *text);
        assert!(same, "open differs, {}", context());
    }
    let place = |name: &str| format!("/{}", name.replace('~', "~0").replace('/', "~1"));
    for (name, value) in &view.members {
        let found = view.values.iter().find(|shown| shown.pointer == place(name));
        let agreed = match (found.map(|found| found.kind), value) {
            (Some(Kind::String), Value::String(text)) => found.is_some_and(|found| found.text == *text),
            (Some(Kind::Number), Value::Number(_) | Value::Null) => true,
            (Some(Kind::Boolean), Value::Bool(_)) | (Some(Kind::Null), Value::Null) => true,
            (Some(Kind::Array), Value::Array(_) | Value::Null) => true,
            (Some(Kind::Object), Value::Object(_) | Value::Null) => true,
            _ => false,
        };
        assert!(agreed, "get({name:?}) differs, {}", context());
        if unique && !value.is_null() && !view.value.is_null() {
            assert!(view.value.get(name) == Some(value), "get({name:?}) is not to_value's, {}", context());
        }
    }
    for (place, (text, closed)) in places.iter().zip(&view.taken) {
        let found = view.values.iter().find(|value| value.pointer == *place && value.kind == Kind::String);
        let (wanted, complete) = found.map_or(("", false), |value| (value.text.as_str(), value.closed));
        assert!(text == wanted && *closed == complete, "the cursor at {place:?} differs, {}", context());
    }
}

/// Whether nothing that `before` shows is taken back by `after`.
fn grows(before: &[Shown], after: &[Shown]) -> bool {
    before.len() <= after.len()
        && before.iter().zip(after).all(|(a, b)| {
            let place = a.pointer == b.pointer && a.kind == b.kind && (!a.closed || b.closed);
            let text = match a.kind {
                Kind::String if !a.closed => b.text.starts_with(&a.text),
                Kind::Array | Kind::Object if !a.closed => true,
                Kind::Array | Kind::Boolean | Kind::Null | Kind::Number | Kind::Object | Kind::String => {
                    a.text == b.text
                }
            };
            place && text
        })
}

fn grows_value(before: &Value, after: &Value) -> bool {
    match (before, after) {
        // Before the root, and where serde_json cannot hold the value.
        (Value::Null, _) | (_, Value::Null) => true,
        (Value::Object(a), Value::Object(b)) => {
            a.iter().all(|(name, value)| b.get(name).is_some_and(|grown| grows_value(value, grown)))
        }
        (Value::Array(a), Value::Array(b)) => a.len() <= b.len() && a.iter().zip(b).all(|(a, b)| grows_value(a, b)),
        (Value::String(a), Value::String(b)) => b.starts_with(a),
        (a, b) => a == b,
    }
}

/// The engine's views.
pub(super) fn views(pieces: &[&[u8]], places: &[String]) -> Vec<View> {
    let mut call = Call::default().with_settings(&Settings::default().any_root());
    let mut cursors: Vec<Cursor> = places.iter().map(|place| Cursor::at(place)).collect();
    let mut taken = vec![(String::new(), false); places.len()];
    let mut views = Vec::new();
    for piece in pieces {
        call.feed_bytes(piece);
        let partial = call.partial();
        for (cursor, taken) in cursors.iter_mut().zip(&mut taken) {
            if let Some(grown) = partial.take(cursor) {
                taken.0.push_str(grown.text);
                taken.1 = grown.closed;
            }
        }
        let root = partial.root();
        let members = root.into_iter().flat_map(ValueRef::members).map(|member| member.name);
        views.push(View {
            values: root.map(values).unwrap_or_default(),
            open: partial.open().map(|(pointer, text)| (pointer.to_string(), text.to_owned())),
            value: partial.to_value().unwrap_or_default(),
            members: members
                .filter_map(|name| Some((name.to_owned(), partial.get(name)?.to_value().unwrap_or_default())))
                .collect(),
            taken: taken.clone(),
        });
    }
    views
}

/// Every value below and including `root`, in text order.
pub(super) fn values(root: ValueRef<'_>) -> Vec<Shown> {
    let mut found = Vec::new();
    let mut stack = vec![(String::new(), root)];
    while let Some((pointer, value)) = stack.pop() {
        let children: Vec<(String, ValueRef<'_>)> = match value.kind() {
            Kind::Object => value
                .members()
                .map(|member| (member.name.replace('~', "~0").replace('/', "~1"), member.value))
                .collect(),
            Kind::Array => value.elements().enumerate().map(|(i, element)| (i.to_string(), element)).collect(),
            Kind::Boolean | Kind::Null | Kind::Number | Kind::String => Vec::new(),
        };
        let text = match value.kind() {
            Kind::Array | Kind::Object => children.len().to_string(),
            Kind::String => value.as_str().unwrap_or_default().to_owned(),
            Kind::Boolean | Kind::Null | Kind::Number => value.text().to_owned(),
        };
        stack.extend(children.into_iter().rev().map(|(token, child)| (format!("{pointer}/{token}"), child)));
        found.push(Shown { pointer, kind: value.kind(), text, closed: value.is_closed() });
    }
    found
}
