use super::*;
use crate::Grants;
use crate::Limits;
use serde_json::{Value, json};

fn calls_of(definitions: &[Value]) -> Calls {
    let tools = Tools::of(definitions, &|_| Grants::default(), None).0;
    Calls::new(&tools, &Settings::default())
}

/// Index (`.`: none), id, name and arguments (`.`: none) of each chunk; the calls as `id name text verdict`.
fn settled(calls: Calls, chunks: &[(Option<u64>, &str, &str, &str)], end: End) -> Vec<String> {
    fn given(part: &str) -> Option<&str> {
        (part != ".").then_some(part)
    }
    let mut calls = calls;
    for (index, id, name, arguments) in chunks {
        calls.chunk(Chunk { index: *index, id: given(id), name: given(name), arguments: given(arguments) });
    }
    calls.finish(end).iter().map(shown).collect()
}

fn shown(call: &Settled) -> String {
    let verdict = match &call.payload {
        Payload::Arguments(Ok(accepted)) => accepted.verdict().name(),
        Payload::Arguments(Err(rejected)) => rejected.diagnosis().code().name(),
        Payload::Text(_) => "text",
    };
    let part = |part: &Option<String>| part.clone().unwrap_or_else(|| ".".to_owned());
    let notes: String = call.notes.iter().map(|note| format!(" {:?}", note.kind())).collect();
    format!("{} {} {} {verdict}{notes}", part(&call.id), part(&call.name), call.raw())
}

fn plain(chunks: &[(Option<u64>, &str, &str, &str)]) -> Vec<String> {
    settled(calls_of(&[]), chunks, End::Complete)
}

#[test]
fn identity_is_id_then_index_then_the_last_call() {
    let (zero, one) = (Some(0), Some(1));
    // New ids on one index; ids without index; neither.
    assert_eq!(plain(&[(zero, "a", "f", "{}"), (zero, "b", "f", "{}")]), ["a f {} strict", "b f {} strict"]);
    assert_eq!(plain(&[(None, "a", "f", "{}"), (None, "b", "g", "{}")]), ["a f {} strict", "b g {} strict"]);
    assert_eq!(plain(&[(None, "a", "f", "{"), (None, ".", ".", "}")]), ["a f {} strict"]);
    // "" and null change nothing.
    assert_eq!(plain(&[(zero, "a", "f", "{"), (zero, "", "", "}"), (zero, ".", ".", ".")]), ["a f {} strict"]);
    // One id on two indexes, interleaved with another call.
    let twice = [(zero, "a", "f", "{\"x\""), (one, "b", "g", "{"), (Some(7), "a", "f", ":1}"), (one, ".", ".", "}")];
    assert_eq!(plain(&twice), ["a f {\"x\":1} strict", "b g {} strict"]);
    // Arguments before the id and the name.
    assert_eq!(plain(&[(zero, ".", ".", "{\"x\""), (zero, "a", "f", ":1}")]), ["a f {\"x\":1} strict"]);
    // A second call without id on a known index cannot be told from more text.
    let merged = [(zero, ".", "f", "{\"x\":1}"), (zero, ".", "f", "{\"y\":2}")];
    assert_eq!(plain(&merged), [". f {\"x\":1}{\"y\":2} concatenated-values"]);
}

#[test]
fn a_name_is_set_once() {
    let tools = [
        json!({"name": "edit_file", "input_schema": {"type": "object"}}),
        json!({"name": "edit", "input_schema": {"type": "object"}}),
    ];
    let named = |chunks: &[(&str, &str)]| {
        let chunks: Vec<_> = chunks.iter().map(|(name, arguments)| (Some(0), ".", *name, *arguments)).collect();
        settled(calls_of(&tools), &chunks, End::Complete)
    };
    assert_eq!(named(&[("edit_", "."), ("file", "."), (".", "{}")]), [". edit_file {} strict JoinedName"]);
    assert_eq!(named(&[("ed", "."), ("it_", "."), ("file", "{}")]), [". edit_file {} strict JoinedName"]);
    assert_eq!(named(&[("edit", "{"), ("edit", "}")]), [". edit {} strict"]);
    // A piece that is a tool itself; a name after arguments; pieces that never fit.
    assert_eq!(named(&[("edit", "."), ("_file", "{}")]), [". edit {} call-conflict"]);
    assert_eq!(named(&[("edit_", "{"), ("file", "}")]), [". edit_ {} call-conflict"]);
    assert_eq!(named(&[("edit_", "."), ("fil", "{}")]), [". edit_fil {} call-conflict"]);
    assert_eq!(named(&[("other", "{}")]), [". other {} unknown-tool"]);
}

#[test]
fn a_leading_empty_object_goes_only_where_it_cannot_be_the_models() {
    let required = json!({"name": "f", "input_schema": {"type": "object", "required": ["x"], "properties": {"x": {}}}});
    let optional = json!({"name": "f", "input_schema": {"type": "object"}});
    let texts: [&[&str]; 4] =
        [&["{}{\"x\":1}"], &["{}", "{\"x\":1}"], &["{", "}{\"x\"", ":1}"], &["{}", " ", "\n{\"x\":1}"]];
    for deltas in texts {
        let mut chunks = vec![(Some(0), "a", "f", ".")];
        chunks.extend(deltas.iter().map(|delta| (Some(0), ".", ".", *delta)));
        let dropped = settled(calls_of(std::slice::from_ref(&required)), &chunks, End::Complete);
        assert_eq!(dropped, ["a f {\"x\":1} strict LeadingEmptyObject"], "{deltas:?}");
        let kept = settled(calls_of(std::slice::from_ref(&optional)), &chunks, End::Complete);
        assert!(kept[0].contains("concatenated-values"), "{kept:?}");
    }
}

#[test]
fn cumulative_deltas_are_taken_once() {
    let fed = |deltas: &[&str], end: End| {
        let mut chunks = vec![(Some(0), "a", "f", ".")];
        chunks.extend(deltas.iter().map(|delta| (Some(0), ".", ".", *delta)));
        settled(calls_of(&[]), &chunks, end)
    };
    let all = ["a f {\"x\":[1,2]} strict CumulativeDeltas"];
    assert_eq!(fed(&["{\"x\"", "{\"x\":[1", "{\"x\":[1,2]}"], End::Complete), all);
    assert_eq!(fed(&["{\"x\"", "{\"x\":[1,2]}", "{\"x\":[1,2]}"], End::Complete), all);
    // One byte proves nothing; a second resend does.
    assert_eq!(fed(&["{", "{\"x\":[1", "{\"x\":[1,2]}"], End::Complete), all);
    assert_eq!(fed(&["{", "{\"x\":1}"], End::Complete), ["a f {{\"x\":1} unexpected-token"]);
    // Equal deltas are no resend; nor is an object that only begins like the text.
    assert_eq!(fed(&["{\"x\":1", "0", "0", "}"], End::Complete), ["a f {\"x\":100} strict"]);
    // Nested in itself, or sent again: not accepted if it is cut.
    let nested = ["{\"x\":", "{\"x\":1", ",\"y\":2}"];
    assert_eq!(fed(&nested, End::Complete), ["a f {\"x\":1,\"y\":2} strict CumulativeDeltas"]);
    assert_eq!(fed(&nested, End::Truncated), ["a f {\"x\":1,\"y\":2} disconnected CumulativeDeltas"]);
}

#[test]
fn halves_of_a_surrogate_pair_meet_across_deltas() {
    let mut calls = calls_of(&[]);
    let chunk = |index| Chunk { index: Some(index), ..Chunk::default() };
    for piece in [&b"{\"x\":\"\xED\xA0\xBD"[..], b"", b"\xED\xB8\x80\"}"] {
        calls.delta(&chunk(0), Carries::Arguments, Some(piece));
    }
    calls.delta(&chunk(1), Carries::Arguments, Some(b"{\"x\":\"\xED\xA0\xBD"));
    calls.delta(&chunk(1), Carries::Arguments, Some(b"\"}"));
    let settled: Vec<_> = calls.finish(End::Complete).iter().map(shown).collect();
    assert_eq!(settled[0], ". . {\"x\":\"😀\"} strict");
    assert!(settled[1].ends_with("invalid-utf8"), "{settled:?}");
}

#[test]
fn a_call_is_settled_at_its_own_end_if_its_root_is_closed() {
    let mut calls = calls_of(&[]);
    let open = |calls: &mut Calls, index, text| {
        calls.chunk(Chunk { index: Some(index), arguments: Some(text), ..Chunk::default() }).key
    };
    let (whole, cut, blank, broken) =
        (open(&mut calls, 0, "{}"), open(&mut calls, 1, "{\"a\""), open(&mut calls, 2, ""), open(&mut calls, 3, "{a"));
    assert_eq!(calls.close(whole, None).as_ref().map(shown), Some(". . {} strict".to_owned()));
    assert!(calls.close(whole, None).is_none(), "it is settled once");
    assert!(calls.close(cut, None).is_none());
    assert!(calls.close(blank, None).is_none());
    let broken = calls.close(broken, None).expect("rejected whatever comes");
    assert_eq!((shown(&broken), broken.ended.end), (". . {a unquoted-key".to_owned(), End::CallClosed));
    assert!(!calls.all_rejected());
    let late = calls.chunk(Chunk { index: Some(0), arguments: Some("x"), ..Chunk::default() });
    assert_eq!((late.key, late.place), (whole, Place::Late));
    let ends: Vec<_> = calls.finish(End::Truncated).iter().map(|call| (call.key, call.ended.end)).collect();
    assert_eq!(ends, [(cut, End::Complete), (blank, End::Complete)], "a later call had begun");
}

#[test]
fn the_full_value_is_compared_with_the_deltas() {
    let closed = |deltas: &str, finals: &[&str]| {
        let mut calls = calls_of(&[]);
        let key = calls.chunk(Chunk { arguments: Some(deltas), ..Chunk::default() }).key;
        let (last, first) = finals.split_last().expect("a final");
        first.iter().for_each(|statement| calls.state(key, statement));
        let settled = calls.close(key, Some(last));
        let at_once = settled.is_some();
        let settled = settled.or_else(|| calls.finish(End::Complete).pop()).expect("the call");
        format!("{} {at_once}", shown(&settled))
    };
    assert_eq!(closed("{\"a\":1}", &["{\"a\": 1}"]), ". . {\"a\":1} strict true");
    assert_eq!(closed("{\"a\":1}", &["{\"a\":2}"]), ". . {\"a\":1} final-mismatch true");
    assert_eq!(closed("{\"a\"", &["{\"a\":2}"]), ". . {\"a\":2} strict true");
    assert_eq!(closed("", &["{\"a\":2}", "{\"a\":2}"]), ". . {\"a\":2} strict true");
    assert!(closed("", &["{\"a\":2}", "{\"a\":3}"]).contains("final-mismatch"));
    assert_eq!(closed("", &[""]), ". .  normalized false");
}

#[test]
fn thousands_of_calls_cost_the_same_each() {
    let settings = Settings::default().with_limits(Limits::default().with_calls(20_000));
    let mut calls = Calls::new(&Tools::default(), &settings);
    for round in ["{\"a\"", ":1}"] {
        for at in 0..20_000_u64 {
            let id = format!("call_{at}");
            calls.chunk(Chunk { index: Some(at), id: Some(&id), name: Some("f"), arguments: Some(round) });
        }
    }
    let settled = calls.finish(End::Complete);
    assert_eq!(settled.len(), 20_000);
    assert!(settled.iter().all(|call| matches!(call.payload, Payload::Arguments(Ok(_)))));
}

#[test]
fn a_handle_of_other_calls_is_no_handle() {
    let mut other = calls_of(&[]);
    let keys: Vec<Key> = ["a", "b", "c"]
        .map(|id| other.chunk(Chunk { id: Some(id), arguments: Some("{}"), ..Chunk::default() }).key)
        .to_vec();
    let mut calls = calls_of(&[]);
    for key in keys {
        assert!(calls.get(key).is_none());
        assert!(calls.close(key, None).is_none());
        assert!(calls.close(key, Some("{}")).is_none());
    }
    assert!(calls.finish(End::Complete).is_empty());
}

#[test]
fn what_passes_the_limit_of_calls_is_counted_and_spoils_no_call() {
    let settings = Settings::default().with_limits(Limits::default().with_calls(2));
    let fed = |chunks: &[(Option<u64>, &str, &str)]| {
        let mut calls = Calls::new(&Tools::default(), &settings);
        let places: Vec<Place> = chunks
            .iter()
            .map(|(index, id, arguments)| {
                let id = (*id != ".").then_some(*id);
                calls.chunk(Chunk { index: *index, id, name: id.map(|_| "f"), arguments: Some(arguments) }).place
            })
            .collect();
        let left_out = calls.left_out();
        let settled = calls.finish(End::Complete);
        let told = settled.iter().map(shown).collect::<Vec<_>>().join(", ");
        let last = settled.last().and_then(|call| match &call.payload {
            Payload::Arguments(Err(rejected)) => rejected.diagnosis().facts().exceeded,
            Payload::Arguments(Ok(_)) | Payload::Text(_) => None,
        });
        (places, left_out, told, last.map(|exceeded| (exceeded.size, exceeded.limit)))
    };
    let (zero, one) = (Some(0), Some(1));
    // As many as are allowed.
    let (_, left_out, told, _) = fed(&[(zero, "a", "{}"), (one, "b", "{"), (one, ".", "}")]);
    assert_eq!((left_out, told.as_str()), (0, "a f {} strict, b f {} strict"));
    // Two more, in pieces, on indexes of their own and on one that was seen.
    for third in [Some(2), zero, None] {
        let chunks = [
            (zero, "a", "{}"),
            (one, "b", "{}"),
            (third, "c", "{\"x\""),
            (third, ".", ":1}"),
            (third.map(|third| third + 1), "d", "{\"y\""),
            (third.map(|third| third + 1), ".", ":1}"),
        ];
        let (places, left_out, told, exceeded) = fed(&chunks);
        assert_eq!(told, "a f {} strict, b f {} strict, c f  call-limit", "{third:?}");
        assert_eq!((left_out, exceeded), (1, Some((4, 2))), "{third:?}");
        assert_eq!((places[2], places[3], places[4]), (Place::First, Place::Later, Place::Beyond), "{third:?}");
    }
}

#[test]
fn one_call_on_indexes_without_end_is_rejected() {
    let settings = Settings::default().with_limits(Limits::default().with_calls(2));
    let mut calls = Calls::new(&Tools::default(), &settings);
    for index in 0..100 {
        calls.chunk(Chunk { index: Some(index), id: Some("a"), name: Some("f"), arguments: Some("") });
    }
    assert_eq!(calls.finish(End::Complete).iter().map(shown).collect::<Vec<_>>(), ["a f  call-limit"]);
}
