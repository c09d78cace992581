//! Shape: the cases of `tests/cases/shape.txt`, whole, byte by byte and in every 2-cut; and the laws of the plan that no
//! single case shows.

mod support;

use std::collections::BTreeMap;

use argseal::{
    Call, End, Grants, Judgement, Limits, NoteKind, Numbers, Policy, Progress, Rule, Settings, Tool, Verdict,
};
use argseal_laws::{self as laws, Outcome};
use serde_json::{Value, json};
use support::random::Random;
use support::shape::{self, Generated};

#[test]
fn every_case() {
    let file = include_str!("cases/shape.txt");
    let tools: BTreeMap<&str, Tool> = file.lines().filter_map(named_tool).collect();
    let cases: Vec<Case<'_>> = file.split("\n== ").skip(1).map(Case::of).collect();
    assert!(cases.len() >= 60, "{} cases", cases.len());
    for case in &cases {
        let tool = tools.get(case.tool).unwrap_or_else(|| panic!("{}: no such tool", case.title));
        let said = case.answer(tool);
        assert!(said == case.expected, "{}\nexpected {:#?}\nanswered {said:#?}", case.title, case.expected);
        for cuts in support::cuts(case.text.len()) {
            laws::chunking(case.text.as_bytes(), &cuts, Some(tool), &case.settings, case.end);
        }
        laws::replay(case.text.as_bytes(), Some(tool), &case.settings, case.end);
        laws::idempotence(case.text.as_bytes(), Some(tool), &case.settings, case.end);
        laws::nothing_vanishes(case.text.as_bytes(), Some(tool), &case.settings, case.end);
    }
}

fn named_tool(line: &str) -> Option<(&str, Tool)> {
    let (name, definition) = line.strip_prefix("tool ")?.split_once(' ')?;
    Some((name, tool(&serde_json::from_str(definition).unwrap_or_else(|error| panic!("{line}: {error}")))))
}

fn tool(definition: &Value) -> Tool {
    let grants = Grants::beside(definition).expect("grants");
    Tool::from_json(definition).expect("a tool").with_grants(grants).expect("grants that fit")
}

fn full() -> Settings {
    Settings::default().with_policy(Policy::Full).with_judgement(Judgement::Schema)
}

/// One case of the file, which says what its lines mean.
struct Case<'c> {
    title: &'c str,
    tool: &'c str,
    settings: Settings,
    end: End,
    text: String,
    /// The lines after the text, as they stand.
    expected: Vec<String>,
}

impl<'c> Case<'c> {
    fn of(block: &'c str) -> Self {
        let (title, rest) = block.split_once('\n').expect("a title");
        let mut case =
            Self { title, tool: "", settings: full(), end: End::Complete, text: String::new(), expected: Vec::new() };
        for line in rest.lines().filter(|line| !line.is_empty() && !line.starts_with(['#'])) {
            let (word, value) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "tool" => case.tool = value,
                "settings" => case.settings = value.split(' ').fold(case.settings, set),
                "end" => case.end = End::from_name(value).expect("an end"),
                "text" => case.text = value.replace('⏎', "\n"),
                _ => case.expected.push(line.to_owned()),
            }
        }
        case
    }

    /// What the engine says, in the words of the file; as many kinds of lines as the case has.
    fn answer(&self, tool: &Tool) -> Vec<String> {
        let mut call = Call::new(tool).with_settings(&self.settings);
        call.feed(&self.text);
        let early = call.diagnosis().and_then(argseal::Diagnosis::known_at);
        match call.finish(self.end) {
            Ok(accepted) => {
                let mut said = vec![format!("{} {}", accepted.verdict().name(), accepted.text().replace('\n', "⏎"))];
                for edit in accepted.audit().edits() {
                    let rules: Vec<&str> = edit.rules().iter().map(|rule| rule.name()).collect();
                    let insert = edit.insert().replace('\n', "⏎");
                    said.push(format!("edit {} -{} +{insert} {}", edit.at(), edit.delete(), rules.join("+")));
                }
                said.extend(accepted.audit().actions().iter().map(|action| format!("did {action}")));
                said
            }
            Err(rejected) => {
                let diagnosis = rejected.diagnosis();
                let facts = diagnosis.facts();
                let at = diagnosis.at().map_or("-".to_owned(), |at| at.to_string());
                let mut said =
                    vec![format!("rejected {} {at} {}", diagnosis.code(), diagnosis.pointer().unwrap_or("-"))];
                said.extend(facts.other.map(|other| format!("other {other}")));
                said.extend(facts.exceeded.map(|e| format!("exceeded {} of {} {}", e.size, e.limit, e.unit.name())));
                said.extend(early.map(|known| format!("known {known}")));
                let tried = rejected.notes().iter().filter(|note| note.kind() == NoteKind::Tried);
                said.extend(tried.filter_map(|note| Some(format!("tried {}", note.detail()?))));
                said
            }
        }
    }
}

fn set(settings: Settings, word: &str) -> Settings {
    let (sign, name) = word.split_at(1);
    match (sign, Rule::from_name(name)) {
        ("+", Some(rule)) => settings.with_rule(rule),
        ("-", Some(rule)) => settings.without_rule(rule),
        _ => match word {
            "narrow" => settings.with_policy(Policy::Narrow),
            "shape" => settings.with_judgement(Judgement::Shape),
            "suffix" => settings.suffix_edits_only(),
            "double" => settings.with_numbers(Numbers::Double),
            "any-root" => settings.any_root(),
            "passthrough" => Settings::passthrough(),
            "text" => settings.with_judgement(Judgement::Text),
            _ => panic!("no such setting: {word}"),
        },
    }
}

#[test]
fn a_wrapper_around_a_valid_call_gives_its_exact_text_back() {
    let mut random = Random::seeded(11);
    let mut wrapped = 0;
    for _ in 0..8_000 {
        let Generated { tool: definition, text, .. } = shape::call(&mut random);
        let tool = tool(&definition);
        let is_strict = |text: &str| {
            matches!(
                laws::observe(&[text.as_bytes()], Some(&tool), &full(), End::Complete).outcome,
                Outcome::Accepted { verdict: Verdict::Strict, .. }
            )
        };
        let declares = |name: &str| !definition["parameters"]["properties"][name].is_null();
        let holds_wrapper =
            shape::WRAPPERS.iter().any(|key| text.contains(&format!("\"{key}\"")) || text.contains(&key[1..]));
        if !is_strict(&text) || declares("arguments") || declares("name") || holds_wrapper {
            continue;
        }
        let name = &definition["name"];
        let string = json!(text).to_string();
        for wrapper in [
            format!("{{\"arguments\":{text}}}"),
            format!(" {{ \"arguments\" :{text},\"name\":{name} }}\n"),
            format!("{{\"name\":{name},\"arguments\":{text}}}"),
            format!("{{\"arguments\":{{\"arguments\":{text}}}}}"),
            format!("{{\"arguments\":{string}}}"),
        ] {
            let accepted = judged(&tool, &full(), &wrapper);
            assert_eq!(accepted.text().trim(), text.trim(), "{definition} {wrapper}");
            assert!(accepted.text().contains(&text), "{wrapper}");
        }
        wrapped += 1;
    }
    assert!(wrapped > 100, "{wrapped}");
}

/// A text of so many layers.
type Text<'t> = dyn Fn(usize) -> String + 't;

fn judged(tool: &Tool, settings: &Settings, text: &str) -> argseal::Accepted {
    let mut call = Call::new(tool).with_settings(settings);
    call.feed(text);
    call.finish(End::Complete).unwrap_or_else(|rejected| panic!("{rejected}: {text}"))
}

#[test]
fn a_call_that_conforms_is_byte_identical() {
    let mut random = Random::seeded(12);
    let mut conforming = 0;
    for _ in 0..6_000 {
        let Generated { tool: definition, text, .. } = shape::call(&mut random);
        let tool = tool(&definition);
        let plain = full().with_policy(Policy::Strict);
        let as_sent = laws::observe(&[text.as_bytes()], Some(&tool), &plain, End::Complete).outcome;
        let Some(value) = as_sent.value().and_then(Value::as_object) else { continue };
        let properties = &definition["parameters"]["properties"];
        let aliases: Vec<&Value> = definition["aliases"].as_object().into_iter().flat_map(|all| all.values()).collect();
        let is_alias =
            |key: &String| aliases.iter().any(|all| all.as_array().is_some_and(|all| all.contains(&json!(key))));
        let is_apart = |key: &String| properties[key].is_null() && (key == "arguments" || is_alias(key));
        if value.keys().any(is_apart) {
            continue;
        }
        let accepted = judged(&tool, &full().with_rule(Rule::Rename), &text);
        assert_eq!((accepted.text(), accepted.verdict()), (&*text, Verdict::Strict), "{definition}");
        conforming += 1;
    }
    assert!(conforming > 200, "{conforming}");
}

#[test]
fn the_order_of_grants_does_not_matter() {
    let mut random = Random::seeded(13);
    for _ in 0..2_000 {
        let Generated { tool: definition, text, end } = shape::call(&mut random);
        let mut turned = definition.clone();
        for aliases in turned["aliases"].as_object_mut().expect("an object").values_mut() {
            aliases.as_array_mut().expect("an array").reverse();
        }
        let answers = [&definition, &turned].map(|definition| {
            laws::observe(&[text.as_bytes()], Some(&tool(definition)), &full().with_rule(Rule::Rename), end).outcome
        });
        assert!(answers[0] == answers[1], "{definition} {text}");
    }
}

#[test]
fn a_chain_of_ten_thousand_wrappers_takes_linear_time() {
    let definition = json!({"name": "t", "parameters": {"type": "object",
        "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false}});
    let tool = tool(&definition);
    let settings = full().with_limits(Limits::max());
    let alone = |depth: usize| format!("{}{{\"a\":\"x\"}}{}", "{\"arguments\": ".repeat(depth), " }".repeat(depth));
    let beside = |depth: usize| {
        let open: String = (0..depth).map(|i| ["{\"args\":", "{\"a\":\"x\",\"input\":"][i % 2]).collect();
        format!("{open}{{\"a\":\"x\"}}{}", "}".repeat(depth))
    };
    // A string that is no JSON is looked at once, not once a layer.
    let broken = |depth: usize| {
        let text = "{".repeat(depth);
        format!("{{\"a\":\"x\",\"arguments\":\"{text}\",\"args\":{}}}", beside(depth))
    };
    let chains: [&Text<'_>; 3] = [&alone, &beside, &broken];
    for text in &chains[..2] {
        assert_eq!(judged(&tool, &settings, &text(10_000)).text().trim(), "{\"a\":\"x\"}");
        let edits = judged(&tool, &settings, &text(7)).audit().edits().len();
        assert!(edits <= 8, "{edits}");
    }
    let time = |text: &str| {
        let mut call = Call::new(&tool).with_settings(&settings);
        call.feed(text);
        let watch = support::Stopwatch::start();
        let _ = call.finish(End::Complete);
        watch.worked()
    };
    for text in chains {
        // Both are long enough for memory that is given back at once.
        let (short, long) = (text(20_000), text(200_000));
        assert_eq!(support::is_within(50, || time(&short), || time(&long)), Ok(()));
    }
}

#[test]
fn a_limit_is_known_at_the_same_byte_however_it_is_cut() {
    let mut random = Random::seeded(14);
    let definition = json!({"name": "w", "parameters": {"type": "object", "properties": {
        "a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}}},
        "aliases": {"a": ["x"]}, "max_inline_bytes": {"a": 5}, "max_inline_chars": {"b": 3}, "max_inline_utf16": {"a": 4}});
    let tool = tool(&definition);
    let pieces = ["e", "é", "🐛", "\\n", "\\u00e9", "\\ud83d\\udc1b", "\\\"", "\\\\", "x", "\\q", "\n"];
    let mut passed = 0;
    for _ in 0..4_000 {
        let mut text = String::from("{");
        for i in 0..1 + random.below(3) {
            let name = random.pick(&["a", "b", "c", "x"]);
            let most = 9 + random.below(3);
            let content: String = (0..random.below(7)).map(|_| *random.pick(&pieces[..most])).collect();
            let value = if random.once_in(6) { format!("[\"{content}\"]") } else { format!("\"{content}\"") };
            text.push_str(&format!("{}\"{name}\": {value}", if i > 0 { "," } else { "" }));
        }
        text.push_str(random.pick::<&str>(&["}", "]", ""]));
        let seen = laws::observe(&[text.as_bytes()], Some(&tool), &full(), End::Complete);
        if let Some(known) = seen.early.as_ref().filter(|early| early.code().name() == "inline-limit") {
            let known = known.known_at().expect("known while it streams") as usize;
            // One byte less, and it is not known.
            let mut call = Call::new(&tool).with_settings(&full());
            assert_eq!(call.feed_bytes(&text.as_bytes()[..known - 1]), Progress::Open, "{text}");
            assert_eq!(call.feed_bytes(&text.as_bytes()[known - 1..known]), Progress::Rejected, "{text}");
            let shown = call.partial().to_value();
            call.feed_bytes(&text.as_bytes()[known..]);
            assert_eq!(call.partial().to_value(), shown, "{text}");
            assert!(call.is_decided() && !call.is_complete());
            passed += 1;
        }
        laws::chunking(text.as_bytes(), &(1..text.len()).collect::<Vec<_>>(), Some(&tool), &full(), End::Complete);
        laws::chunking(text.as_bytes(), &random.cuts(text.len(), 4), Some(&tool), &full(), End::Complete);
        laws::fuse(text.as_bytes(), b"\"}", Some(&tool), &full(), End::Complete);
        // The name may come after arguments.
        let mut late = Call::default().with_settings(&full());
        late.feed(&text);
        late.set_tool(&tool);
        assert_eq!(late.diagnosis(), seen.early.as_ref(), "{text}");
    }
    assert!(passed > 800, "{passed}");
}

#[test]
fn no_message_repeats_a_marker() {
    let definition = json!({"name": "w", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}},
        "placeholders": {"a": [{"contains": "MARKER"}]}});
    let mut call = Call::new(&tool(&definition));
    call.feed("{\"a\":\"see MARKER 7\"}");
    let rejected = call.finish(End::Complete).expect_err("a placeholder");
    let told = format!(
        "{rejected} {rejected:?} {:?} {}",
        rejected.reply(),
        serde_json::to_string(rejected.diagnosis()).expect("JSON")
    );
    assert_eq!(rejected.diagnosis().code().name(), "placeholder");
    assert!(!told.contains("MARKER"), "{told}");
}
