//! The laws hold for the engine, and each fails for a double that breaks it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

use super::*;
use crate::audit::{Audit, Edit};
use crate::note::{Note, NoteKind};

const TEXTS: [&[u8]; 14] = [
    br#"{"a":"b"}"#,
    br#"{"path":"a~/b","list":[1,-2.5e3,{"deep":null}],"t":true,"e":"\u00e9\ud83d\ude00\n","":{}}"#,
    "{\"k\u{e9}y\":\"v\u{1f600}lue\"} \n".as_bytes(),
    br#"{"a":"b"#,
    br#"{"a":"b" c"}"#,
    br#"{"a":1}{"a":1}"#,
    br#"{"a":1,"a":1.0}"#,
    br#"{"a":1,"a":2}"#,
    br#"{"a":"\ud83d\ude"#,
    b"{\"a\":\"\xe2\x82\"}",
    b" ",
    b"[1]",
    b"\xef\xbb\xbf{}",
    br#"{"n":1e400}"#,
];

fn engine(pieces: &[&[u8]]) -> Observation {
    observe(pieces, None, &Settings::default(), End::Complete)
}

/// The engine, but what it tells is spoiled where `spoil` says so.
fn double(spoil: impl Fn(&[&[u8]], &mut Observation)) -> impl Fn(&[&[u8]]) -> Observation {
    move |pieces| {
        let mut observation = engine(pieces);
        spoil(pieces, &mut observation);
        observation
    }
}

#[track_caller]
fn fails(law: impl FnOnce()) {
    assert!(catch_unwind(AssertUnwindSafe(law)).is_err(), "the law holds for a double that breaks it");
}

#[test]
fn the_engine_keeps_every_law() {
    let settings = Settings::default();
    for bytes in TEXTS {
        for a in 0..=bytes.len() {
            for b in a..=bytes.len() {
                chunking(bytes, &[a, b], None, &settings, End::Complete);
                monotony(bytes, &[a, b]);
            }
        }
        let every: Vec<usize> = (1..bytes.len()).collect();
        monotony(bytes, &every);
        bounds(bytes, &every, Limits::default());
        bounds(bytes, &every, Limits::default().with_text(5));
        strict(bytes);
        for end in End::ALL {
            chunking(bytes, &every, None, &settings, end);
            replay(bytes, None, &settings, end);
            inserts_only(bytes, None, &settings, end);
            nothing_vanishes(bytes, None, &settings, end);
            for more in [&b""[..], b" ", b"\n{}", b"x", b"\"", b"\xff", b"\xe2"] {
                fuse(bytes, more, None, &settings, end);
            }
        }
        idempotence(bytes, None, &settings, End::Complete);
    }
}

#[test]
fn the_engine_keeps_every_law_for_a_tool_with_grants() {
    let schema = json!({
        "type": "object",
        "properties": {"command": {"type": "string"}, "timeout": {"type": "integer"}, "description": {"type": "string"}},
        "required": ["command", "description"],
    });
    let grants = serde_json::from_value(json!({"closable": ["description"], "may_lack": ["timeout"]})).expect("grants");
    let tool = Tool::new("bash", &schema).expect("a schema").with_grants(grants).expect("grants that fit");
    let settings = Settings::default();
    let texts: [&[u8]; 6] = [
        br#"{"command":"ls","description":"List"}"#,
        br#"{"command":"ls","description":"List \"all\" of"#,
        br#"{"command":"ls","description":"List"#,
        br#"{"command":"l"#,
        br#"{"command":1,"description":"List"}"#,
        br#"{"command":"ls"}"#,
    ];
    let mut repaired = 0;
    for bytes in texts {
        for end in End::ALL {
            for cut in 0..=bytes.len() {
                chunking(bytes, &[cut], Some(&tool), &settings, end);
            }
            replay(bytes, Some(&tool), &settings, end);
            inserts_only(bytes, Some(&tool), &settings, end);
            nothing_vanishes(bytes, Some(&tool), &settings, end);
            fuse(bytes, b"\"}", Some(&tool), &settings, end);
            let outcome = observe(&[bytes], Some(&tool), &settings, end).outcome;
            repaired += usize::from(matches!(outcome, Outcome::Accepted { verdict: Verdict::Repaired, .. }));
        }
        idempotence(bytes, Some(&tool), &settings, End::Complete);
    }
    assert_eq!(repaired, 4, "two cut descriptions, at two normal ends");
}

#[test]
fn chunking_notices_every_difference() {
    let spoilers: [fn(&mut Observation); 5] = [
        |seen| seen.events.push("/ Null".into()),
        |seen| seen.raw.push(b' '),
        |seen| seen.early = None,
        |seen| {
            if let Outcome::Rejected { notes, .. } = &mut seen.outcome {
                notes.push(Note::new(NoteKind::Resent));
            }
        },
        |seen| {
            if let Outcome::Rejected { diagnosis, .. } = &mut seen.outcome {
                *diagnosis = diagnosis.clone().with_known_at(9);
            }
        },
    ];
    for spoil in spoilers {
        let broken = double(|pieces, seen| {
            if pieces.len() > 1 {
                spoil(seen);
            }
        });
        fails(|| chunking_of(broken, br#"{"a":"b" c"}"#, &[5]));
    }
    let late = double(|pieces, seen| {
        if let [_, second, _] = seen.progress.as_mut_slice() {
            *second = Progress::Open;
        }
        assert!(pieces.len() <= 3);
    });
    fails(|| chunking_of(late, br#"{"a":"b" c"}"#, &[5, 11]));
}

#[test]
fn strict_notices_altered_text_and_lenience() {
    let trims = double(|_, seen| {
        if let Outcome::Accepted { text, .. } = &mut seen.outcome {
            text.truncate(text.trim_end().len());
        }
    });
    fails(|| strict_of(trims, b"{} "));
    let rounds = double(|_, seen| {
        if let Outcome::Accepted { value, .. } = &mut seen.outcome {
            *value = Some(json!({"a": 1}));
        }
    });
    fails(|| strict_of(rounds, br#"{"a":1.5}"#));
    let lenient = |pieces: &[&[u8]]| {
        let mut seen = engine(&[br#"{"a":1}"#]);
        if let Outcome::Accepted { text, raw, .. } = &mut seen.outcome {
            *text = String::from_utf8_lossy(pieces[0]).into_owned();
            raw.clone_from(text);
        }
        seen
    };
    fails(|| strict_of(lenient, br#"{"a":1,}"#));
    fails(|| strict_of(lenient, br#"{"a":2,"a":1}"#));
    let severe = |_: &[&[u8]]| engine(&[b"{"]);
    fails(|| strict_of(severe, b"{}"));
}

/// Accepted as repaired, by these edits of the text.
fn repaired(edits: Vec<Edit>) -> impl Fn(&[&[u8]]) -> Observation {
    move |pieces| {
        let sent = String::from_utf8_lossy(&pieces.concat()).into_owned();
        let audit = Audit::new(sent.len(), edits.clone(), Vec::new());
        let made = audit.apply(&sent);
        let mut seen = engine(&[made.as_bytes()]);
        if let Outcome::Accepted { verdict, raw, audit: kept, .. } = &mut seen.outcome {
            (*verdict, *raw, *kept) = (Verdict::Repaired, sent, audit);
        }
        seen
    }
}

#[test]
fn replay_notices_an_audit_that_does_not_make_the_text() {
    let honest = repaired(vec![Edit::insertion(6, "\"}", Rule::CloseDescription)]);
    replay_of(&honest, br#"{"a":""#);
    fails(|| {
        replay_of(
            |pieces| {
                let mut seen = honest(pieces);
                if let Outcome::Accepted { audit, .. } = &mut seen.outcome {
                    *audit = Audit::new(6, vec![Edit::insertion(6, "}", Rule::CloseDescription)], Vec::new());
                }
                seen
            },
            br#"{"a":""#,
        );
    });
    fails(|| {
        replay_of(
            |pieces| {
                let mut seen = honest(pieces);
                if let Outcome::Accepted { verdict, .. } = &mut seen.outcome {
                    *verdict = Verdict::Strict;
                }
                seen
            },
            br#"{"a":""#,
        );
    });
    let other = double(|_, seen| {
        if let Outcome::Accepted { fingerprint, .. } = &mut seen.outcome {
            *fingerprint ^= 1;
        }
    });
    fails(|| replay_of(other, b"{}"));
}

#[test]
fn inserts_only_notices_a_repair_that_deletes() {
    let inserts = repaired(vec![Edit::insertion(6, "\"}", Rule::CloseDescription)]);
    inserts_only_of(inserts, br#"{"a":""#);
    let deletes = repaired(vec![Edit::replacement(6, 2, "\"}", vec![Rule::CloseDescription])]);
    fails(|| inserts_only_of(deletes, br#"{"a":",,"#));
    let combines = repaired(vec![Edit::replacement(6, 0, "\"}", vec![Rule::CloseDescription, Rule::Alias])]);
    fails(|| inserts_only_of(combines, br#"{"a":""#));
}

#[test]
fn idempotence_notices_a_text_that_is_accepted_only_once() {
    let once = double(|pieces, seen| {
        if pieces[0].ends_with(b"{}")
            && let Outcome::Accepted { verdict, .. } = &mut seen.outcome
        {
            *verdict = Verdict::Normalized;
        }
    });
    fails(|| idempotence_of(once, b" "));
}

#[test]
fn monotony_notices_what_is_taken_back() {
    let text = br#"{"a":"bc","n":12}"#;
    let cuts = [7, 8, 14, 15];
    monotony(text, &cuts);
    let spoilers: [fn(&mut View); 5] = [
        |view| {
            if let Some(last) = view.values.last_mut() {
                last.text.push('x');
            }
        },
        |view| view.value = json!({"a": "x"}),
        |view| {
            if let Some(open) = &mut view.open {
                open.1.push('x');
            }
        },
        |view| {
            if let Some(member) = view.members.first_mut() {
                member.1 = Value::Bool(true);
            }
        },
        |view| {
            if let Some(taken) = view.taken.get_mut(1) {
                taken.0.clear();
            }
        },
    ];
    for spoil in spoilers {
        let broken = |pieces: &[&[u8]], places: &[String]| {
            let mut views = monotony::views(pieces, places);
            if pieces.len() > 1 {
                spoil(&mut views[1]);
            }
            views
        };
        fails(|| monotony_of(broken, text, &cuts));
    }
    // Shows a number before its last digit is certain.
    let hasty = |pieces: &[&[u8]], places: &[String]| {
        let mut views = monotony::views(pieces, places);
        if pieces.len() > 1 {
            views[3] = monotony::views(&[br#"{"a":"bc","n":1}"#], places).pop().expect("a view");
        }
        views
    };
    fails(|| monotony_of(hasty, text, &cuts));
}

#[test]
fn fuse_notices_a_call_that_comes_back() {
    let forgives = double(|pieces, seen| {
        if pieces.len() > 1 {
            *seen = engine(&[b"{}"]);
        }
    });
    fails(|| fuse_of(&forgives, b"{x", b"}"));
    let overlooks = double(|pieces, seen| {
        if pieces.len() > 1 {
            *seen = engine(&[b"{}", b" "]);
        }
    });
    fails(|| fuse_of(overlooks, b"{}", b"x"));
    let revises = double(|pieces, seen| {
        if pieces.len() > 1
            && let Outcome::Rejected { diagnosis, .. } = &mut seen.outcome
        {
            *diagnosis = diagnosis.clone().with_at(0);
        }
    });
    fails(|| fuse_of(revises, b"{x", b"y"));
}

#[test]
fn bounds_notices_what_is_kept_beyond_the_limit() {
    let mut fed = 0;
    let hoards = |piece: &[u8]| {
        fed += piece.len();
        (fed, fed)
    };
    fails(|| bounds_of(hoards, &[b'x'; 20], &[5, 10], Limits::default().with_text(8)));
    fails(|| bounds_of(|_| (1 << 20, 0), b"{}", &[], Limits::default()));
}

#[test]
fn nothing_vanishes_notices_a_lost_member() {
    let loses = |_: &[&[u8]]| {
        let mut seen = engine(&[br#"{"a":1}"#]);
        if let Outcome::Accepted { raw, .. } = &mut seen.outcome {
            *raw = r#"{"a":1,"b":2}"#.into();
        }
        seen
    };
    fails(|| nothing_vanishes_of(loses, b""));
    let normalized = |sent: &'static str, made: &'static str| {
        move |_: &[&[u8]]| {
            let mut seen = engine(&[made.as_bytes()]);
            if let Outcome::Accepted { verdict, raw, .. } = &mut seen.outcome {
                (*verdict, *raw) = (Verdict::Normalized, sent.into());
            }
            seen
        }
    };
    nothing_vanishes_of(normalized(r#"{"arguments":{"a":"1"}}"#, r#"{"a":1}"#), b"");
    nothing_vanishes_of(normalized(r#""{\"a\":1}""#, r#"{"a":1}"#), b"");
    fails(|| nothing_vanishes_of(normalized(r#"{"arguments":{"a":1,"b":2}}"#, r#"{"a":1}"#), b""));
    fails(|| nothing_vanishes_of(normalized(r#"{"a":1,"c":null}"#, r#"{"a":1}"#), b""));
    fails(|| nothing_vanishes_of(normalized("[1]", "{}"), b""));
}
