//! The live view: cursors through aliases and pointers, what is held back, and diagnoses that outlive their text.

use argseal::{Call, Cursor, Grants, Progress, Tool};
use serde_json::json;

fn tool() -> Tool {
    let schema =
        json!({"type": "object", "properties": {"command": {"type": "string"}, "timeout": {"type": "integer"}}});
    let grants = Grants::from_json(&json!({"aliases": {"command": ["cmd", "script"]}})).expect("grants");
    Tool::new("bash", &schema).expect("a schema").with_grants(grants).expect("grants that fit")
}

/// What the cursor takes after each delta: text, and `.` where the string closed.
fn taken(call: &mut Call, cursor: &mut Cursor, deltas: &[&str]) -> Vec<String> {
    let each = deltas.iter().map(|delta| {
        call.feed(delta);
        let grown = call.partial().take(cursor);
        grown.map_or_else(String::new, |grown| format!("{}{}", grown.text, if grown.closed { "." } else { "" }))
    });
    each.collect()
}

#[test]
fn a_cursor_on_a_canonical_name_follows_the_alias_that_is_streaming() {
    let mut call = Call::new(&tool());
    let deltas = [r#"{"script":null,"cm"#, r#"d":"ec"#, r"ho \u00", r#"e9","timeout":1"#, "0}"];
    let mut cursor = Cursor::member("command");
    assert_eq!(taken(&mut call, &mut cursor, &deltas), ["", "ec", "ho ", "é.", ""]);
    let partial = call.partial();
    let command = partial.get("command").expect("an alias of it is there");
    assert_eq!((command.as_str(), command.is_closed()), (Some("echo é"), true));
    assert_eq!(partial.get("timeout").and_then(|value| value.as_number()?.as_u64()), Some(10));
    assert!(partial.take(&mut Cursor::member("cmd")).is_some(), "its own name is a name too");

    // Without the grant the alias is a member like any other.
    let mut call = Call::default();
    assert_eq!(taken(&mut call, &mut Cursor::member("command"), &deltas), [""; 5]);
}

#[test]
fn a_string_that_opens_and_closes_in_one_delta_is_taken_once() {
    let mut call = Call::default();
    let mut cursor = Cursor::at("/todos/1/text");
    let deltas = [r#"{"todos":[{"text":"a"},{"id":[1,{}],"text":"bc"},{"te"#, r#"xt":"d"}]}"#, " "];
    assert_eq!(taken(&mut call, &mut cursor, &deltas), ["bc.", "", ""]);
    assert_eq!(taken(&mut Call::default(), &mut Cursor::member("a"), &[r#"{"a":"""#, "}"]), [".", ""]);
    for pointer in ["/todos/01/text", "/todos/-/text", "/todos/9", "/todos/1/text/x", "todos"] {
        assert!(call.partial().take(&mut Cursor::at(pointer)).is_none(), "{pointer}");
    }
}

#[test]
fn what_is_not_complete_is_held_back() {
    let mut call = Call::default();
    let mut shown = |delta: &str| {
        call.feed(delta);
        let open = call.partial().open().map(|(at, text)| format!(" {at} {text}"));
        format!("{}{}", call.partial().to_value().expect("a value"), open.unwrap_or_default())
    };
    assert_eq!(shown("{\"n\":12"), "{}");
    assert_eq!(shown("3,\"l\":tru"), r#"{"n":123}"#);
    assert_eq!(shown("e,\"s\":\"x\\ud83d"), r#"{"l":true,"n":123,"s":"x"} /s x"#);
    assert_eq!(shown("\\ude00\\"), r#"{"l":true,"n":123,"s":"x😀"} /s x😀"#);
    assert_eq!(shown("n\",\"na"), r#"{"l":true,"n":123,"s":"x😀\n"}"#);
    assert_eq!(shown("me/x~\":[\"y"), r#"{"l":true,"n":123,"name/x~":["y"],"s":"x😀\n"} /name~1x~0/0 y"#);
}

#[test]
fn the_diagnosis_is_known_in_the_feed_that_rejects_and_needs_no_text() {
    let mut call = Call::default();
    let delta = String::from(r#"{"a":{"b":["say "h"#);
    assert_eq!(call.feed(&delta), Progress::Rejected);
    drop(delta);
    let diagnosis = call.diagnosis().expect("known at once").clone();
    drop(call);
    assert_eq!(diagnosis.code().name(), "unexpected-after-string");
    assert_eq!((diagnosis.at(), diagnosis.known_at(), diagnosis.pointer()), (Some(17), Some(18), Some("/a/b/0")));
    let quote = diagnosis.suspect_quote().expect("a string ended before it");
    assert_eq!((quote.at, quote.pointer.as_str(), quote.line, quote.column), (16, "/a/b/0", 1, 5));
    assert!(!diagnosis.to_string().contains("say"));
}
