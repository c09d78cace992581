//! Generated calls get the verdict, the value and the code of the executable specification of the verdict, and keep the
//! laws.
//!
//! Where Python, its `jsonschema` package and `../shared/reference/judge.py` are there: 20,000 calls, with and without
//! `rename`.

mod support;

use std::io::Write;
use std::process::{Command, Stdio};

use argseal::{Call, End, Grants, Judgement, Policy, Rule, Settings, Tool};
use argseal_laws::{self as laws, Outcome};
use serde_json::{Value, json};
use support::random::Random;
use support::shape::{self, Generated};
use support::shared;

#[test]
fn twenty_thousand_generated_calls() {
    let mut random = Random::seeded(4_2026);
    let calls: Vec<Generated> = (0..20_000).map(|_| shape::call(&mut random)).collect();
    let Some(answers) = judged(&calls) else { return };
    let mut kept = 0;
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for (call, answer) in calls.iter().zip(&answers) {
        let tool = tool(&call.tool);
        for (rename, said) in [(false, &answer["plain"]), (true, &answer["rename"])] {
            let settings = Settings::default().with_policy(Policy::Full).with_judgement(Judgement::Schema);
            let settings = if rename { settings.with_rule(Rule::Rename) } else { settings };
            if keeps_arguments(call, said) {
                kept += 1;
                let said = json!({"code": "ambiguous-wrapper"});
                agree(call, &tool, &settings, &said);
            } else {
                agree(call, &tool, &settings, said);
            }
            let outcome = said["code"].as_str().or(said["outcome"].as_str()).expect("an answer");
            *counts.entry(outcome.to_owned()).or_default() += 1;
        }
        let full = Settings::default().with_policy(Policy::Full).with_judgement(Judgement::Schema);
        let full = full.with_rule(Rule::Rename);
        let cuts = random.cuts(call.text.len(), 4);
        laws::chunking(call.text.as_bytes(), &cuts, Some(&tool), &full, call.end);
        laws::replay(call.text.as_bytes(), Some(&tool), &full, call.end);
        laws::idempotence(call.text.as_bytes(), Some(&tool), &full, call.end);
        laws::nothing_vanishes(call.text.as_bytes(), Some(&tool), &full, call.end);
    }
    eprintln!("{counts:?}; {kept} normalized with an undeclared `arguments` that is no wrapper");
    assert!(kept < 200, "{kept}");
    for (outcome, least) in [
        ("strict", 500),
        ("normalized", 5_000),
        ("missing-required", 500),
        ("type-mismatch", 500),
        ("constraint-violation", 100),
        ("unknown-property", 100),
        ("alias-conflict", 50),
        ("ambiguous-wrapper", 100),
    ] {
        assert!(counts.get(outcome).is_some_and(|&count| count >= least), "{outcome}: {counts:?}");
    }
}

fn tool(definition: &Value) -> Tool {
    let grants = Grants::beside(definition).expect("grants");
    Tool::from_json(definition).expect("a tool").with_grants(grants).expect("grants that fit")
}

/// The specification accepts a normalized call that keeps an undeclared `arguments` of another kind, and rejects its
/// accepted text: there it contradicts the law of idempotence, and the law stands.
fn keeps_arguments(call: &Generated, said: &Value) -> bool {
    let properties = &call.tool["parameters"]["properties"];
    let members =
        properties.as_object().is_some_and(|members| !members.is_empty() && !members.contains_key("arguments"));
    let value = said["value"].as_str().and_then(|value| serde_json::from_str::<Value>(value).ok());
    members && said["outcome"] == "normalized" && value.is_some_and(|value| value.get("arguments").is_some())
}

fn agree(call: &Generated, tool: &Tool, settings: &Settings, said: &Value) {
    let seen = laws::observe(&[call.text.as_bytes()], Some(tool), settings, call.end);
    let shown = || format!("{} {}\nspecified {said}\nanswered  {:?}", call.tool, call.text, seen.outcome);
    match (&seen.outcome, said["outcome"].as_str()) {
        (Outcome::Accepted { verdict, fingerprint, .. }, Some(outcome)) => {
            assert!(verdict.name() == outcome, "{}", shown());
            let mut value = Call::default();
            value.feed(said["value"].as_str().expect("a value"));
            let value = value.finish(End::Complete).expect("a value");
            assert!(*fingerprint == value.fingerprint(), "{}", shown());
        }
        (Outcome::Rejected { diagnosis, .. }, None) => {
            assert!(Some(diagnosis.code().name()) == said["code"].as_str(), "{}", shown());
        }
        _ => panic!("{}", shown()),
    }
}

/// What the specification says of each call; None where it cannot be asked.
fn judged(calls: &[Generated]) -> Option<Vec<Value>> {
    let path = shared("reference/judge.py", "comparison with judge.py")?;
    let folder = path.parent().expect("a folder");
    let has_jsonschema = Command::new("python3").args(["-c", "import jsonschema"]).output();
    if !has_jsonschema.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: comparison with judge.py: python3 with jsonschema is not there");
        return None;
    }
    let mut program = Command::new("python3")
        .arg("-c")
        .arg(DRIVER)
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let mut input = program.stdin.take().expect("a pipe");
    let lines: String = calls
        .iter()
        .map(|call| json!({"tool": call.tool, "text": call.text, "end": call.end.name()}).to_string() + "\n")
        .collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = program.wait_with_output().expect("python3 runs");
    writer.join().expect("the writer ends").expect("python3 reads all");
    assert!(output.status.success(), "judge.py fails");
    let output = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).expect("an answer")).collect();
    assert_eq!(answers.len(), calls.len());
    Some(answers)
}

/// Prints what judge.py says of each call, values as text, so that numbers keep their digits.
const DRIVER: &str = r#"
import sys, json
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import judge
def dump(v):
    if isinstance(v, judge.Num): return v.text
    if isinstance(v, dict): return "{" + ",".join(json.dumps(k) + ":" + dump(x) for k, x in v.items()) + "}"
    if isinstance(v, list): return "[" + ",".join(map(dump, v)) + "]"
    return json.dumps(v)
def ordered(x):
    """Schemas as they are written: `type` before what constrains it, which decides between two violations of one value."""
    if isinstance(x, dict): return {k: ordered(x[k]) for k in sorted(x, key=lambda k: (k != "type", k))}
    return [ordered(y) for y in x] if isinstance(x, list) else x
def answer(case, rename):
    try: outcome, value = judge.judge(case, rename)
    except judge.Rejected as x: return {"code": x.code, "pointer": x.pointer}
    return {"outcome": outcome, "value": dump(value)}
for line in sys.stdin:
    case = json.loads(line)
    case["tool"]["parameters"] = ordered(case["tool"]["parameters"])
    print(json.dumps({"plain": answer(case, False), "rename": answer(case, True)}))
"#;
