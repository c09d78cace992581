use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Completion, complete};
use crate::program::NotMatched;
use crate::program::generate::Random;
use crate::program::tests::ask;

/// One case of `tests/cases/inner_call.txt`.
struct Case<'f> {
    title: &'f str,
    tool: &'f Value,
    text: &'f str,
    expected: Expected<'f>,
}

enum Expected<'f> {
    Accepted(&'f str),
    NotMatched(&'f str),
}

impl Case<'_> {
    /// The payload of `arguments`, where it is a string.
    fn payload(&self, arguments: &Value) -> Option<String> {
        let payload = self.tool["inner_call"]["payload"].as_str().unwrap_or("code");
        arguments[payload].as_str().map(str::to_owned)
    }

    /// The member that is missing: the first required one that is not there.
    fn member(&self, arguments: &Value) -> String {
        let required = self.tool["parameters"]["required"].as_array().expect("every tool requires members");
        let missing = required.iter().find(|member| arguments.get(member.as_str().expect("names")).is_none());
        missing.and_then(Value::as_str).expect("one is missing").to_owned()
    }

    fn complete(&self) -> Option<Result<Completion, NotMatched>> {
        let arguments = json(self.text);
        let program = self.payload(&arguments)?;
        let grant = &self.tool["inner_call"];
        let object = grant["object"].as_str().unwrap_or("tools");
        Some(complete(&program, object, &self.member(&arguments), grant["epilogue"].as_str()))
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn with_cases(judge: impl FnOnce(&[Case<'_>])) {
    let file = include_str!("../../../tests/cases/inner_call.txt");
    let (head, _) = file.split_once("\n== ").expect("there are cases");
    let tools: BTreeMap<_, _> = head
        .lines()
        .filter_map(|line| line.strip_prefix("tool ")?.split_once(' '))
        .map(|(name, definition)| (name, json(definition)))
        .collect();
    let cases: Vec<_> = file.split("\n== ").skip(1).map(|block| case(block, &tools)).collect();
    judge(&cases);
}

fn case<'f>(block: &'f str, tools: &'f BTreeMap<&str, Value>) -> Case<'f> {
    let field = |name: &str| block.split('\n').find_map(|line| line.strip_prefix(name));
    let title = block.split('\n').next().expect("a title");
    let accepted = field("accepted ").map(Expected::Accepted);
    let expected = accepted.or_else(|| field("not matched: ").map(Expected::NotMatched));
    Case {
        title,
        tool: &tools[field("tool ").expect(title)],
        text: field("text ").expect(title),
        expected: expected.expect(title),
    }
}

/// The program with what completes it.
fn completed(program: &str, call: &Completion) -> String {
    let (before, after) = program.split_at(call.close_quote_at);
    format!("{before}\"{after}{}{}", call.tail, call.epilogue.as_deref().unwrap_or_default())
}

#[test]
fn cases() {
    // These are decided by the grants, the gate, the end or the schema: before or after the program is read.
    let elsewhere = [
        "a key stands twice",
        "a violation is left",
        "another declared member might have followed",
        "not exactly one closable member missing",
        "payload is not a string",
        "payload is not the last member",
        "right not granted",
        "the end allows no repair",
    ];
    with_cases(|cases| {
        let mut reasons = BTreeMap::<&str, usize>::new();
        for case in cases {
            let title = case.title;
            match case.expected {
                Expected::Accepted(accepted) => {
                    let (sent, accepted) = (json(case.text), json(accepted));
                    let call = case.complete().expect(title).unwrap_or_else(|reason| panic!("{title}: {reason:?}"));
                    let program = case.payload(&sent).expect(title);
                    assert_eq!(Some(completed(&program, &call)), case.payload(&accepted), "{title}");
                    assert_eq!(json!(call.member_value), accepted[case.member(&sent)], "{title}");
                    assert!(complete(&completed(&program, &call), "tools", "description", None).is_err(), "{title}");
                }
                Expected::NotMatched(reason) if elsewhere.contains(&reason) => {
                    *reasons.entry(reason).or_default() += 1;
                    assert!(!matches!(case.complete(), Some(Err(_))), "{title}: the program is a reason too");
                }
                Expected::NotMatched(reason) => {
                    *reasons.entry(reason).or_default() += 1;
                    let found = case.complete().expect(title).expect_err(title);
                    assert_eq!(found.reason(), reason, "{title}");
                }
            }
        }
        let negative: usize = reasons.values().sum();
        assert!(negative >= 60 && cases.len() - negative >= 60, "{negative} of {} are not matched", cases.len());
        assert!(cases.iter().filter(|case| case.title.starts_with("as written: ")).count() >= 20);
        assert_eq!(reasons.len(), 20 + elsewhere.len(), "each reason has a case: {reasons:?}");
    });
}

/// One value of one axis, and whether a case has it.
struct Axis(&'static str, fn(&Seen<'_>) -> bool);

/// A positive case, as the axes look at it.
struct Seen<'c> {
    text: &'c str,
    program: &'c str,
    call: &'c Completion,
}

impl Seen<'_> {
    /// The call's line up to its `await`.
    fn head(&self) -> &str {
        let before = &self.program[..self.program.find("await ").expect("it is matched")];
        before.rsplit('\n').next().expect("a last line").trim_start()
    }

    /// The members before the description, its key and its colon.
    fn members(&self) -> &str {
        let text = &self.program[..self.call.close_quote_at];
        &text[text.find("({").expect("it is matched")..text.rfind(':').expect("it is matched")]
    }

    fn inner(&self) -> &str {
        let text = &self.program[..self.call.close_quote_at];
        &text[text.rfind(": \"").expect("every case writes it so") + 3..]
    }

    fn tail(&self) -> &str {
        &self.program[self.call.close_quote_at..]
    }
}

/// Every value of every axis stands in at least three positive cases.
#[test]
fn axes() {
    const AXES: &[Axis] = &[
        Axis("const", |seen| seen.head().starts_with("const ") && seen.call.binding.is_some()),
        Axis("let", |seen| seen.head().starts_with("let ") && seen.call.binding.is_some()),
        Axis("var", |seen| seen.head().starts_with("var ") && seen.call.binding.is_some()),
        Axis("destructured", |seen| seen.head().ends_with("} = ") || seen.head().ends_with("] = ")),
        Axis("no binding", |seen| seen.head().is_empty()),
        Axis("flush", |seen| seen.call.tail.trim_start_matches(['\r', '\n']).starts_with('}')),
        Axis("spaces", |seen| seen.call.tail.trim_start_matches(['\r', '\n']).starts_with(' ')),
        Axis("tabs", |seen| seen.call.tail.trim_start_matches(['\r', '\n']).starts_with('\t')),
        Axis("bare key", |seen| !seen.members().ends_with('"')),
        Axis("quoted key", |seen| seen.members().ends_with('"')),
        Axis("no tail", |seen| seen.tail().is_empty()),
        Axis("blank lines", |seen| seen.tail().matches('\n').count() > 1),
        Axis("CRLF", |seen| seen.call.tail.starts_with("\r\n")),
        Axis("string before", |seen| seen.members().contains("command: \"")),
        Axis("template before", |seen| seen.members().contains("${")),
        Axis("array before", |seen| seen.members().contains(": [")),
        Axis("nested object before", |seen| seen.members().contains(": {")),
        Axis("arrow function before", |seen| seen.members().contains("=>")),
        Axis("line comment", |seen| seen.program.contains("// ")),
        Axis("block comment", |seen| seen.program.contains("/* ")),
        Axis("ASCII", |seen| seen.inner().is_ascii()),
        Axis("CJK", |seen| seen.inner().contains(|c| ('\u{3040}'..='\u{9fff}').contains(&c))),
        Axis("emoji", |seen| seen.inner().contains(|c| c >= '\u{1f300}')),
        Axis("JSON escapes", |seen| seen.inner().contains('\\')),
        Axis("leading blanks", |seen| seen.inner().starts_with(' ')),
        Axis("escaped in the JSON", |seen| seen.text.contains("\\u") && !seen.call.member_value.is_ascii()),
        Axis("epilogue", |seen| seen.call.epilogue.is_some()),
    ];
    with_cases(|cases| {
        let mut counts: BTreeMap<_, usize> = AXES.iter().map(|Axis(value, _)| (*value, 0)).collect();
        for case in cases {
            let Expected::Accepted(_) = case.expected else { continue };
            let program = case.payload(&json(case.text)).expect(case.title);
            let call = case.complete().expect(case.title).expect(case.title);
            for Axis(value, holds) in AXES {
                let seen = Seen { text: case.text, program: &program, call: &call };
                *counts.entry(value).or_default() += usize::from(holds(&seen));
            }
        }
        assert!(counts.values().all(|count| *count >= 3), "{counts:?}");
    });
}

/// Completed programs, of the cases and generated, parse as JavaScript.
#[test]
fn completed_programs_parse() {
    let mut programs = Vec::new();
    with_cases(|cases| {
        let accepted = cases.iter().filter_map(|case| match case.expected {
            Expected::Accepted(accepted) => case.payload(&json(accepted)),
            Expected::NotMatched(_) => None,
        });
        programs.extend(accepted);
    });
    let mut random = Random::seeded(4);
    for _ in 0..2000 {
        let whole = random.program();
        let cut = random.cut(&whole);
        if let Ok(call) = complete(&cut, "tools", "description", Some("console.log({binding});")) {
            programs.push(completed(&cut, &call));
        }
        programs.push(whole.text);
    }
    let Some(failed) = ask("node", &["-e", PARSE], &json!(programs)) else {
        println!("skipped: node is not there");
        return;
    };
    let failed = failed.as_array().expect("a list of [index, message]");
    let first = failed.first().map(|at| &programs[usize::try_from(at[0].as_u64().expect("an index")).expect("small")]);
    assert!(failed.is_empty(), "{failed:?}\n{}", first.map_or("", String::as_str));
}

const PARSE: &str = r#"
const AsyncFunction = Object.getPrototypeOf(async function () {}).constructor;
const failed = [];
JSON.parse(require("fs").readFileSync(0, "utf8")).forEach((code, at) => {
  try { new AsyncFunction(code); } catch (error) { failed.push([at, String(error)]); }
});
console.log(JSON.stringify(failed));
"#;

#[test]
fn the_value_keeps_control_characters_and_decodes_escapes() {
    let program = "await tools.b({ a, description: \"\u{1}\u{1b}\\u0041\\ud83d\\ude00\\\\\\\"\u{7f}";
    let call = complete(program, "tools", "description", Some("log({binding})")).expect("it is the one call");
    assert_eq!(call.member_value, "\u{1}\u{1b}A\u{1f600}\\\"\u{7f}");
    assert_eq!(call.epilogue, None, "nothing is bound");
    assert_eq!(call.close_quote_at, program.len());
    assert_eq!(call.tail, "\n});");
}

#[test]
fn the_epilogue_names_the_binding_wherever_it_stands() {
    let program = "  const r = await tools.b({ a, description: \"x";
    let call =
        complete(program, "tools", "description", Some("log({binding}, {binding})")).expect("it is the one call");
    assert_eq!(call.epilogue.as_deref(), Some("\n  log(r, r)"));
    assert_eq!(call.binding.as_deref(), Some("r"));
    assert_eq!(complete(program, "tools", "description", Some("")).expect("the same").epilogue, None);
}
