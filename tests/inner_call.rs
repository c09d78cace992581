//! Every case of `tests/cases/inner_call.txt` through the engine: verdict, exact text, code, and the laws.

use std::collections::BTreeMap;

use argseal::{Call, Code, End, GrantError, Grants, Judgement, Rule, Settings, Tool, Verdict};
use argseal_laws as laws;

struct Case {
    title: String,
    tool: String,
    end: End,
    text: String,
    want: Result<String, Code>,
}

type Built = Result<Tool, GrantError>;

fn read() -> (BTreeMap<String, Built>, Vec<Case>) {
    let file = include_str!("cases/inner_call.txt");
    let (mut tools, mut cases) = (BTreeMap::new(), Vec::new());
    // The texts hold other line ends than LF.
    for block in file.split("\n== ") {
        let mut lines = block.split('\n');
        let title = lines.next().expect("a block has a first line").to_owned();
        let mut case =
            Case { title, tool: String::new(), end: End::Complete, text: String::new(), want: Ok(String::new()) };
        for line in lines {
            let Some((word, rest)) = line.split_once(' ') else { continue };
            match (word, cases.is_empty() && case.title.starts_with('#')) {
                ("tool", true) => {
                    let (name, definition) = rest.split_once(' ').expect("a tool has a definition");
                    let definition = serde_json::from_str(definition).expect("a definition is JSON");
                    let grants = Grants::beside(&definition).expect("the grants are grants");
                    let tool = Tool::from_json(&definition).expect("the schema is one");
                    tools.insert(name.to_owned(), tool.with_grants(grants));
                }
                ("tool", false) => case.tool = rest.to_owned(),
                ("end", _) => case.end = End::from_name(rest).expect("an end"),
                ("text", _) => case.text = rest.to_owned(),
                ("accepted", _) => case.want = Ok(rest.to_owned()),
                ("code", false) => case.want = Err(Code::from_name(rest).expect("a code")),
                _ => {}
            }
        }
        if !case.title.starts_with('#') {
            cases.push(case);
        }
    }
    (tools, cases)
}

fn settings() -> Settings {
    Settings::default().with_judgement(Judgement::Schema)
}

#[test]
fn every_case_gives_its_verdict_and_keeps_the_laws() {
    let (tools, cases) = read();
    let (mut repaired, mut rejected) = (0, 0);
    for case in &cases {
        let tool = match &tools[&case.tool] {
            Ok(tool) => tool,
            // A right to close what is no plain string contradicts the schema: the tool is not even built.
            Err(error) => {
                assert!(case.want.is_err() && error.name() == "description", "{}: {error}", case.title);
                rejected += 1;
                continue;
            }
        };
        let mut call = Call::new(tool).with_settings(&settings());
        call.feed(&case.text);
        match (call.finish(case.end), &case.want) {
            (Ok(accepted), Ok(text)) => {
                repaired += 1;
                assert_eq!(accepted.text(), text, "{}", case.title);
                assert_eq!(accepted.verdict(), Verdict::Repaired, "{}", case.title);
                assert_eq!(accepted.audit().apply(&case.text), *text, "{}", case.title);
                assert!(accepted.audit().completes_program(), "{}", case.title);
                let rules = accepted.audit().edits().iter().flat_map(argseal::Edit::rules);
                assert!(rules.clone().all(|rule| [Rule::InnerCall, Rule::Epilogue].contains(rule)), "{}", case.title);
                let bound = accepted.audit().binding().is_some();
                let line = tool.grants().inner_call.as_ref().and_then(|grant| grant.epilogue.as_ref());
                let epilogue = rules.filter(|rule| **rule == Rule::Epilogue).count();
                assert_eq!(epilogue, usize::from(bound && line.is_some()), "{}", case.title);
            }
            (Err(refused), Err(code)) => {
                rejected += 1;
                assert_eq!(refused.diagnosis().code(), *code, "{}", case.title);
            }
            (got, _) => panic!("{}: {got:?}", case.title),
        }
        let bytes = case.text.as_bytes();
        for cut in [1, bytes.len() / 2, bytes.len() - 2, bytes.len() - 1] {
            laws::chunking(bytes, &[cut], Some(tool), &settings(), case.end);
        }
        laws::chunking(bytes, &(1..bytes.len()).collect::<Vec<_>>(), Some(tool), &settings(), case.end);
        laws::replay(bytes, Some(tool), &settings(), case.end);
        laws::inserts_only(bytes, Some(tool), &settings(), case.end);
        laws::idempotence(bytes, Some(tool), &settings(), case.end);
        laws::nothing_vanishes(bytes, Some(tool), &settings(), case.end);
    }
    assert!(repaired >= 60 && rejected >= 60, "{repaired} repaired, {rejected} rejected");
}

#[test]
fn a_rejected_cut_program_names_the_quote_that_ended_it() {
    let (tools, _) = read();
    let text = r#"{"code":"await tools.bash({\n  command: `ls`,\n  description: \"List"}"#;
    let rejected = argseal::judge(tools["ungranted"].as_ref().expect("it is built"), text, End::Complete)
        .expect_err("no right was granted");
    let diagnosis = rejected.diagnosis();
    assert_eq!((diagnosis.code(), diagnosis.pointer()), (Code::MissingRequired, Some("/description")));
    let quote = diagnosis.suspect_quote().expect("the payload ends inside a string");
    assert_eq!((quote.at as usize, quote.pointer.as_str()), (text.len() - 2, "/code"));
    assert_eq!((quote.line, quote.column), (3, 21));

    let complete = r#"{"code":"await tools.bash({\n  command: `ls`\n});"}"#;
    let rejected = argseal::judge(tools["run"].as_ref().expect("it is built"), complete, End::Complete)
        .expect_err("nothing is invented");
    assert_eq!(rejected.diagnosis().code(), Code::MissingRequired);
    assert_eq!(rejected.diagnosis().suspect_quote(), None);
}
