//! The laws hold for the engine, and each fails for a double that breaks it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

use argseal::_internals::{audit as audit_of, diagnosis as diagnosis_of, diagnosis_at, diagnosis_known_at, edit, note};

use super::*;
use argseal::{Edit, NoteKind};

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

/// Why the law fails, and what is done to what it sees.
pub(super) type Spoiler<T> = (&'static str, fn(&mut T));

/// The law fails, and says why.
#[track_caller]
pub(super) fn fails(reason: &str, law: impl FnOnce()) {
    let panic = catch_unwind(AssertUnwindSafe(law)).expect_err("the law holds for a double that breaks it");
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or(panic.downcast_ref::<&str>().copied()).expect("a message");
    assert!(said.contains(reason), "it fails, but not because of \"{reason}\": {said}");
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
                fuse(
                    bytes,
                    more,
                    None,
                    &settings.clone().with_limits(Limits::default().with_text(9).with_trailing(0)),
                    end,
                );
            }
            api(bytes, &every, None, &settings, end);
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
            api(bytes, &[9], Some(&tool), &settings, end);
            let outcome = observe(&[bytes], Some(&tool), &settings, end).outcome;
            repaired += usize::from(matches!(outcome, Outcome::Accepted { verdict: Verdict::Repaired, .. }));
        }
        idempotence(bytes, Some(&tool), &settings, End::Complete);
    }
    assert_eq!(repaired, 4, "two cut descriptions, at two normal ends");
}

#[test]
fn chunking_notices_every_difference() {
    let spoilers: [Spoiler<Observation>; 5] = [
        ("cut at [5] differs", |seen| seen.events.push("/ Null".into())),
        ("cut at [5] differs", |seen| seen.raw.push(b' ')),
        ("known at None", |seen| seen.early = None),
        ("cut at [5] differs", |seen| {
            if let Outcome::Rejected { notes, .. } = &mut seen.outcome {
                notes.push(note(NoteKind::Resent));
            }
        }),
        ("cut at [5] differs", |seen| {
            if let Outcome::Rejected { diagnosis, .. } = &mut seen.outcome {
                *diagnosis = diagnosis_known_at(diagnosis, 9);
            }
        }),
    ];
    for (reason, spoil) in spoilers {
        let broken = double(|pieces, seen| {
            if pieces.len() > 1 {
                spoil(seen);
            }
        });
        fails(reason, || chunking_of(broken, br#"{"a":"b" c"}"#, &[5]));
    }
    let accepted: [fn(&mut Outcome); 6] = [
        |outcome| {
            if let Outcome::Accepted { verdict, .. } = outcome {
                *verdict = Verdict::Normalized;
            }
        },
        |outcome| {
            if let Outcome::Accepted { value, .. } = outcome {
                *value = Some(json!({"a": 2}));
            }
        },
        |outcome| {
            if let Outcome::Accepted { audit, .. } = outcome {
                *audit = audit_of(7, vec![edit(7, 0, " ", vec![Rule::Empty])], Vec::new());
            }
        },
        |outcome| {
            if let Outcome::Accepted { notes, .. } = outcome {
                notes.push(note(NoteKind::Resent));
            }
        },
        |outcome| {
            if let Outcome::Accepted { text, .. } = outcome {
                text.push(' ');
            }
        },
        |outcome| {
            if let Outcome::Accepted { checked, .. } = outcome {
                *checked = argseal::Checked::Schema { validator: "v".into() };
            }
        },
    ];
    for spoil in accepted {
        let broken = double(|pieces, seen| {
            if pieces.len() > 1 {
                spoil(&mut seen.outcome);
            }
        });
        fails("cut at [5] differs", || chunking_of(broken, br#"{"a":1}"#, &[5]));
    }
    let late = double(|pieces, seen| {
        if let [_, second, _] = seen.progress.as_mut_slice() {
            *second = Progress::Open;
        }
        assert!(pieces.len() <= 3);
    });
    fails("Open after 11 bytes, known at Some(10)", || chunking_of(late, br#"{"a":"b" c"}"#, &[5, 11]));
}

#[test]
fn strict_notices_altered_text_and_lenience() {
    let trims = double(|_, seen| {
        if let Outcome::Accepted { text, .. } = &mut seen.outcome {
            text.truncate(text.trim_end().len());
        }
    });
    fails("the text was altered", || strict_of(trims, b"{} "));
    let rounds = double(|_, seen| {
        if let Outcome::Accepted { value, .. } = &mut seen.outcome {
            *value = Some(json!({"a": 1}));
        }
    });
    fails("is not Object", || strict_of(rounds, br#"{"a":1.5}"#));
    let lenient = |pieces: &[&[u8]]| {
        let mut seen = engine(&[br#"{"a":1}"#]);
        if let Outcome::Accepted { text, raw, .. } = &mut seen.outcome {
            *text = String::from_utf8_lossy(pieces[0]).into_owned();
            raw.clone_from(text);
        }
        seen
    };
    fails("strict, but trailing comma", || strict_of(lenient, br#"{"a":1,}"#));
    fails("strict with duplicates", || strict_of(lenient, br#"{"a":2,"a":1}"#));
    let root = |pieces: &[&[u8]]| {
        let mut seen = engine(&[b"{}"]);
        if let Outcome::Accepted { text, raw, value, .. } = &mut seen.outcome {
            (*text, *raw, *value) = ("[]".into(), "[]".into(), Some(json!([])));
        }
        assert_eq!(pieces, [b"[]"]);
        seen
    };
    fails("without an object as root", || strict_of(root, b"[]"));
}

/// What cannot be explained by the text is no reason to reject it.
#[test]
fn strict_notices_a_call_that_is_rejected_without_reason() {
    for (code, reason, text) in [
        (Code::TruncatedInContainer, "serde_json reads it", &b"{}"[..]),
        (Code::DepthLimit, "not that deep", b"{}"),
        (Code::SizeLimit, "not that large", b"{}"),
        (Code::TypeMismatch, "the root is an object", b"{}"),
        (Code::DuplicateKey, "duplicates are None", br#"{"a":1}"#),
        (Code::DuplicateKey, "duplicates are Equal", br#"{"a":{"x":[1,null]},"a":{"x":[1,null]}}"#),
    ] {
        let severe = |_: &[&[u8]]| {
            let mut seen = engine(&[b"{"]);
            if let Outcome::Rejected { diagnosis, .. } = &mut seen.outcome {
                *diagnosis = diagnosis_of(code);
            }
            seen
        };
        fails(reason, || strict_of(severe, text));
    }
}

#[test]
fn judgement_notices_what_does_not_fit() {
    let schema = Settings::default().with_judgement(argseal::Judgement::Schema);
    let has_a = |value: &Value| value.get("a").is_some_and(Value::is_number);
    judgement_of(engine, &schema, End::Complete, has_a, br#"{"a":1}"#);
    judgement_of(engine, &Settings::default(), End::Complete, has_a, br#"{"b":1}"#);
    fails("it does not fit", || judgement_of(engine, &schema, End::Complete, has_a, br#"{"b":1}"#));
    fails("Strict at Disconnected", || judgement_of(engine, &schema, End::Disconnected, has_a, br#"{"a":1}"#));
    let blank = |_: &Value| true;
    fails("Normalized at Truncated", || judgement_of(engine, &schema, End::Truncated, blank, b" "));
    let lenient = |_: &[&[u8]]| engine(&[br#"{"a":1}"#]);
    fails("the text was altered", || judgement_of(lenient, &schema, End::Complete, has_a, br#"{"a":1 }"#));
    let severe = |_: &[&[u8]]| {
        let mut seen = engine(&[b"{"]);
        if let Outcome::Rejected { diagnosis, .. } = &mut seen.outcome {
            *diagnosis = diagnosis_of(Code::MissingRequired);
        }
        seen
    };
    fails("but it fits", || judgement_of(severe, &schema, End::Complete, has_a, br#"{"a":1}"#));
}

/// Accepted as repaired, by these edits of the text.
fn repaired(edits: Vec<Edit>) -> impl Fn(&[&[u8]]) -> Observation {
    move |pieces| {
        let sent = String::from_utf8_lossy(&pieces.concat()).into_owned();
        let audit = audit_of(sent.len(), edits.clone(), Vec::new());
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
    const CUT: &[u8] = br#"{"a":""#;
    let honest = repaired(vec![edit(6, 0, "\"}", vec![Rule::CloseDescription])]);
    replay_of(&honest, CUT);
    let spoilers: [Spoiler<Outcome>; 6] = [
        ("the edits make another text", |outcome| {
            if let Outcome::Accepted { audit, .. } = outcome {
                *audit = audit_of(6, vec![edit(6, 0, "}", vec![Rule::CloseDescription])], Vec::new());
            }
        }),
        ("Strict and Audit", |outcome| {
            if let Outcome::Accepted { verdict, .. } = outcome {
                *verdict = Verdict::Strict;
            }
        }),
        ("raw is not what was sent", |outcome| {
            if let Outcome::Accepted { raw, .. } = outcome {
                raw.push(' ');
            }
        }),
        ("another value", |outcome| {
            if let Outcome::Accepted { fingerprint, .. } = outcome {
                *fingerprint ^= 1;
            }
        }),
        ("Some(Object {}) is not", |outcome| {
            if let Outcome::Accepted { value, .. } = outcome {
                *value = Some(json!({}));
            }
        }),
        ("edits overlap", |outcome| {
            if let Outcome::Accepted { audit, .. } = outcome {
                *audit = audit_of(6, vec![edit(6, 0, "\"}", Vec::new())], Vec::new());
            }
        }),
    ];
    for (reason, spoil) in spoilers {
        let broken = |pieces: &[&[u8]]| {
            let mut seen = honest(pieces);
            spoil(&mut seen.outcome);
            seen
        };
        fails(reason, || replay_of(broken, CUT));
    }
    // The edits make the text, but it is not JSON.
    let broken = |pieces: &[&[u8]]| {
        let mut seen = honest(pieces);
        if let Outcome::Accepted { audit, text, value, .. } = &mut seen.outcome {
            *audit = audit_of(6, vec![edit(6, 0, "\"", vec![Rule::CloseDescription])], Vec::new());
            (*text, *value) = (r#"{"a":"""#.into(), None);
        }
        seen
    };
    fails("the accepted text is not strict", || replay_of(broken, CUT));
}

#[test]
fn inserts_only_notices_a_repair_that_deletes_or_invents() {
    const CUT: &[u8] = br#"{"a":""#;
    let insertion = |insert: &str| vec![edit(6, 0, insert, vec![Rule::CloseDescription])];
    inserts_only_of(repaired(insertion("\"}")), CUT);
    let deletes = repaired(vec![edit(6, 2, "\"}", vec![Rule::CloseDescription])]);
    fails("a repair deletes", || inserts_only_of(deletes, br#"{"a":",,"#));
    let combines = repaired(vec![edit(6, 0, "\"}", vec![Rule::CloseDescription, Rule::Alias])]);
    fails("repair and normalization combine", || inserts_only_of(combines, CUT));
    fails("a repair invents", || inserts_only_of(repaired(insertion("b\"}")), CUT));
    fails("a repair invents", || inserts_only_of(repaired(insertion("\",\"b\":1}")), CUT));
    fails("a repair invents", || inserts_only_of(repaired(insertion("\"}")), br#"{"a":"  "#));
    let normalized = repaired(vec![edit(6, 0, "\"}", vec![Rule::Empty])]);
    fails("Repaired and Audit", || inserts_only_of(normalized, CUT));

    let program = br#"{"c":"x"}"#;
    let inner_call = |call: &str, member: &str| {
        repaired(vec![
            edit(7, 0, "\\\"", vec![Rule::InnerCall]),
            edit(7, 0, call, vec![Rule::InnerCall]),
            edit(8, 0, member, vec![Rule::InnerCall]),
        ])
    };
    inserts_only_of(inner_call("\\n\\t});", ",\"d\":\"x\""), program);
    fails("a repair invents", || inserts_only_of(inner_call("\\nrun();});", ",\"d\":\"x\""), program));
    fails("a repair invents", || inserts_only_of(inner_call("\\n});", ",\"d\":\"x\",\"e\":1"), program));
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
    fails("judged again it is not strict", || idempotence_of(once, b" "));
    let rejects = double(|pieces, seen| {
        if pieces[0].ends_with(b"{}") {
            *seen = engine(&[b"{"]);
        }
    });
    fails("judged again it is not strict", || idempotence_of(rejects, b" "));
    let drifts = double(|pieces, seen| {
        if pieces[0].ends_with(b"{}")
            && let Outcome::Accepted { value, .. } = &mut seen.outcome
        {
            *value = Some(json!({"a": 1}));
        }
    });
    fails("judged again it differs", || idempotence_of(drifts, b" "));
}

#[test]
fn monotony_notices_what_is_taken_back() {
    let text = br#"{"a":"bc","n":12}"#;
    let cuts = [7, 8, 14, 15];
    monotony(text, &cuts);
    let spoilers: [Spoiler<View>; 7] = [
        ("the document contradicts", |view| {
            if let Some(last) = view.values.last_mut() {
                last.text.push('x');
            }
        }),
        ("a value changes", |view| {
            view.values.pop();
        }),
        ("to_value changes", |view| view.value = json!({"a": "x"})),
        ("open differs", |view| {
            if let Some(open) = &mut view.open {
                open.1.push('x');
            }
        }),
        ("get(\"a\") differs", |view| {
            if let Some(member) = view.members.first_mut() {
                member.1 = Value::Bool(true);
            }
        }),
        ("a cursor changes", |view| {
            if let Some(taken) = view.taken.get_mut(1) {
                taken.0.clear();
            }
        }),
        ("the cursor at \"/a\" differs", |view| {
            if let Some(taken) = view.taken.get_mut(1) {
                taken.0.push('x');
            }
        }),
    ];
    for (reason, spoil) in spoilers {
        let broken = |pieces: &[&[u8]], places: &[String]| {
            let mut views = monotony::views(pieces, places);
            if pieces.len() > 1 {
                spoil(&mut views[1]);
            }
            views
        };
        fails(reason, || monotony_of(broken, text, &cuts));
    }
    // Shows a number before its last digit is certain.
    let hasty = |pieces: &[&[u8]], places: &[String]| {
        let mut views = monotony::views(pieces, places);
        if pieces.len() > 1 {
            views[3] = monotony::views(&[br#"{"a":"bc","n":1}"#], places).pop().expect("a view");
        }
        views
    };
    fails("the document contradicts", || monotony_of(hasty, text, &cuts));
}

#[test]
fn fuse_notices_a_call_that_comes_back() {
    let fused = |read: &dyn Fn(&[&[u8]]) -> Observation, bytes: &'static [u8], more: &[u8]| {
        let restate = |full: &str| restated(&[bytes], full, None, &Settings::default(), End::Complete);
        fuse_of(read, restate, bytes, more, Limits::default());
    };
    let forgives = double(|pieces, seen| {
        if pieces.len() > 1 {
            *seen = engine(&[b"{}"]);
        }
    });
    fails("a rejected call is accepted", || fused(&forgives, b"{x", b"}"));
    let overlooks = double(|pieces, seen| {
        if pieces.len() > 1 {
            *seen = engine(&[b"{}", b" "]);
        }
    });
    fails("[Complete, Complete]", || fused(&overlooks, b"{}", b"x"));
    let revises = double(|pieces, seen| {
        if pieces.len() > 1
            && let Outcome::Rejected { diagnosis, .. } = &mut seen.outcome
        {
            *diagnosis = diagnosis_at(diagnosis, 0);
        }
    });
    fails("the diagnosis changes", || fused(&revises, b"{x", b"y"));
    let tells = double(|pieces, seen| {
        if pieces.len() > 1 {
            seen.events.push(" Null".into());
        }
    });
    fails("a sink hears what follows", || fused(&tells, b"{x", b"y"));
    fails("blanks are events", || fused(&tells, b"{}", b" "));
    let forgets = double(|pieces, seen| {
        if pieces.len() > 1 {
            seen.raw.clear();
        }
    });
    fails("is forgotten", || fused(&forgets, b"{x", b"y"));
    let full = double(|pieces, seen| {
        if pieces.len() > 1 {
            *seen = observe(
                &[b"{}", b"x"],
                None,
                &Settings::default().with_limits(Limits::default().with_text(2)),
                End::Complete,
            );
        }
    });
    fails("[Complete, Rejected]", || fused(&full, b"{}", b"x"));
    let restate = |_: &str| engine(&[b"{}"]).outcome;
    fails("None once", || fuse_of(engine, restate, b"{x", b"y", Limits::default()));
}

#[test]
fn bounds_notices_what_is_kept_beyond_the_limit() {
    let mut fed = 0;
    let hoards = |piece: &[u8]| {
        fed += piece.len();
        (fed, fed)
    };
    fails("10 bytes of text kept", || bounds_of(hoards, &[b'x'; 20], &[5, 10], Limits::default().with_text(8)));
    fails("1048576 bytes of heap", || bounds_of(|_| (1 << 20, 0), b"{}", &[], Limits::default()));
}

#[test]
fn nothing_vanishes_notices_a_lost_member() {
    let told = |verdict: Verdict, sent: &str, made: &str, actions: &[&str]| {
        let (sent, made) = (sent.to_owned(), made.to_owned());
        let actions: Vec<String> = actions.iter().map(|&action| action.to_owned()).collect();
        move |_: &[&[u8]]| {
            let mut seen = engine(&[made.as_bytes()]);
            if let Outcome::Accepted { verdict: judged, raw, audit, .. } = &mut seen.outcome {
                (*judged, *raw) = (verdict, sent.clone());
                let edit = edit(0, 0, "", vec![Rule::CloseDescription]);
                *audit = audit_of(raw.len(), vec![edit], actions.clone());
            }
            seen
        }
    };
    let strict = told(Verdict::Strict, r#"{"a":1,"b":2}"#, r#"{"a":1}"#, &[]);
    fails("strict, but altered", || nothing_vanishes_of(strict, "t", b""));

    let repaired = |sent, made| told(Verdict::Repaired, sent, made, &[]);
    nothing_vanishes_of(repaired(r#"{"a":1,"b":"x"#, r#"{"a":1,"b":"x"}"#), "t", b"");
    for (reason, sent, made) in [
        ("lost or invented", r#"{"a":1,"b":"x"#, r#"{"b":"x"}"#),
        ("lost or invented", r#"{"a":1,"b":"x"#, r#"{"a":1,"b":"x","c":1}"#),
        ("\"/a\" vanishes", r#"{"a":1,"b":"x"#, r#"{"c":1,"b":"x"}"#),
        ("\"/b\" has another text", r#"{"a":1,"b":"x"#, r#"{"a":1,"b":"xy"}"#),
        ("\"/a\" has another text", r#"{"a":1,"b":"x"#, r#"{"a":10,"b":"x"}"#),
    ] {
        fails(reason, || nothing_vanishes_of(repaired(sent, made), "t", b""));
    }

    let normalized =
        |sent, made, actions: &[&str]| nothing_vanishes_of(told(Verdict::Normalized, sent, made, actions), "t", b"");
    normalized(r#"{"arguments":{"a":"1"}}"#, r#"{"a":1}"#, &["unwrap:arguments", "coerce:/a"]);
    normalized(r#""{\"a\":1}""#, r#"{"a":1}"#, &["decode"]);
    normalized(r#"{"b":1,"a":null}"#, r#"{"a":1}"#, &["alias:b→a"]);
    normalized(r#"{"b":null,"a":1}"#, r#"{"a":1}"#, &["alias:b→a"]);
    normalized(r#"{"args":"{\"a\":[1]}","b":"1e400"}"#, r#"{"a":[1],"b":1e400}"#, &["merge:args", "coerce:/b"]);
    normalized(r#"{"name":"t","arguments":{}}"#, "{}", &["unwrap:arguments"]);
    normalized(" null", " {}", &["empty"]);
    for (reason, sent, made, actions) in [
        ("\"b\" vanishes", r#"{"arguments":{"a":1,"b":2}}"#, r#"{"a":1}"#, &["unwrap:arguments"][..]),
        ("\"c\" vanishes", r#"{"a":1,"c":null}"#, r#"{"a":1}"#, &[]),
        ("\"a\" vanishes", r#"{"b":null,"a":null}"#, "{}", &["alias:b→a"]),
        // An object that nobody unwrapped is no envelope, not even an empty one.
        ("\"env\" vanishes", r#"{"a":1,"env":{}}"#, r#"{"a":1}"#, &["alias:b→a"]),
        ("\"a\" vanishes", r#"{"a":"1"}"#, r#"{"a":1}"#, &["coerce:/b"]),
        ("\"a\" vanishes", r#"{"a":"1e400"}"#, r#"{"a":1e401}"#, &["coerce:/a"]),
        ("\"a\" vanishes", r#"{"a":1e400}"#, r#"{"a":1e401}"#, &[]),
        ("\"name\" vanishes", r#"{"name":"t","x":1,"arguments":{}}"#, r#"{"x":1}"#, &["merge:arguments"]),
        ("\"name\" vanishes", r#"{"name":"u","arguments":{}}"#, "{}", &["unwrap:arguments"]),
        ("\"b\" is invented", r#"{"a":"1"}"#, r#"{"a":1,"b":false}"#, &["coerce:/a"]),
        ("a root", "[1]", "{}", &[]),
        ("a root", r#""{}""#, "{}", &[]),
        ("is no arguments", r#"{"a":1}"#, "{}", &["empty"]),
    ] {
        fails(reason, || normalized(sent, made, actions));
    }
}

#[test]
fn api_notices_contents() {
    let settings = Settings::default();
    let text = br#"{"name":"secret \u00e9"}x"#;
    for bytes in TEXTS.into_iter().chain([&text[..]]) {
        api(bytes, &[3, 9], None, &settings, End::Complete);
    }
    let tells = |pieces: &[&[u8]]| {
        let mut call = Call::default();
        pieces.iter().for_each(|piece| {
            call.feed_bytes(piece);
        });
        (String::new(), format!("{call:?} {:?}", call.raw()))
    };
    fails("Debug prints contents", || api_of(tells, text, &[], Strings::Values));
    let tells_names = |pieces: &[&[u8]]| (String::new(), format!("{:?}", engine(pieces).events));
    fails("Debug prints contents", || api_of(tells_names, br#"{"name":1}"#, &[], Strings::All));
    let judges =
        |pieces: &[&[u8]]| (pieces[0].len().to_string() + &pieces[0].escape_ascii().to_string(), String::new());
    fails("letters decide", || api_of(judges, text, &[], Strings::All));
}
