use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::generate::{Program, Random};
use super::scanner::{Scanner, Step};
use super::{CutCall, NotMatched, find_cut_call, open_string};

const CUT: &str = "const r1 = await tools.bash({\n  command: `ls | head`,\n  description: \"List recent errors";

#[test]
fn finds_the_open_description() {
    let quote = CUT.find('"').expect("it is there");
    let found = CutCall { quote, text_end: CUT.len(), indentation: "", binding: Some("r1") };
    assert_eq!(find_cut_call(CUT, "tools", "description"), Ok(found));
    assert_eq!(open_string(CUT), Some(quote));
}

#[test]
fn open_string_needs_no_call() {
    assert_eq!(open_string("print(\"hello"), Some(6));
    assert_eq!(open_string("if (a) { b(`${x + \"hello\n\n"), Some(18));
    for closed_or_doubtful in [
        "",
        "print(\"hello\")",
        "'hello",
        "`\"hello",
        "// \"hello",
        "a / \"hello",
        "(] \"hello",
        "\"hello\\",
        "\"hello\nx",
    ] {
        assert_eq!(open_string(closed_or_doubtful), None, "{closed_or_doubtful:?}");
    }
}

#[test]
fn an_escape_and_a_line_end_are_not_blank_text() {
    assert_eq!(find_cut_call(&format!("{CUT}\\"), "tools", "description"), Err(NotMatched::EscapeOpen));
    assert_eq!(find_cut_call(&format!("{CUT}\\\n x"), "tools", "description"), Err(NotMatched::ForeignEscape));
    // A template is no name: the program is none either.
    let template = CUT.replace("r1 =", "`r1` =");
    assert_eq!(find_cut_call(&template, "tools", "description"), Err(NotMatched::NotADeclaration));
}

#[test]
fn a_complete_program_is_never_matched() {
    let mut random = Random::seeded(1);
    for _ in 0..4000 {
        let Program { text, .. } = random.program();
        assert_eq!(find_cut_call(&text, "tools", "description"), Err(NotMatched::NoStringOpen), "{text}");
        assert_eq!(open_string(&text), None, "{text}");
    }
}

#[test]
fn a_cut_description_is_found_verbatim() {
    let mut random = Random::seeded(2);
    let mut matched = 0;
    for _ in 0..4000 {
        let whole = random.program();
        let cut = random.cut(&whole);
        let Ok(found) = find_cut_call(&cut, "tools", "description") else { continue };
        matched += 1;
        let start = whole.description.start;
        assert_eq!(found.quote, start - 1, "{cut}");
        assert_eq!(open_string(&cut), Some(found.quote));
        let text = &cut[start..found.text_end];
        // Blanks after the cut on the same line belong to the text.
        assert!(whole.text[start..].starts_with(text.trim_end_matches([' ', '\t'])), "{cut}");
        let completed = format!("{}\"{}\n}});", &cut[..found.text_end], &cut[found.text_end..]);
        assert!(balances(&completed), "{completed}");
    }
    assert!(matched > 2000, "only {matched} of 4000 cuts were found");
}

fn balances(program: &str) -> bool {
    let mut scanner = Scanner::of(program);
    loop {
        match scanner.step() {
            Ok(Step::Token(_)) => {}
            Ok(Step::OpenString(_)) => return false,
            Err(reason) => return reason == NotMatched::NoStringOpen && scanner.open_brackets().is_empty(),
        }
    }
}

/// Compares offsets, indentation, binding and reasons with the executable specification.
#[test]
fn agrees_with_the_specification() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/reference");
    if !directory.join("inner_call.py").exists() {
        println!("skipped: no specification beside the checkout");
        return;
    }
    let mut random = Random::seeded(3);
    let mut programs = Vec::new();
    for _ in 0..2000 {
        let whole = random.program();
        let cut = random.cut(&whole);
        programs.push(random.mutate(&cut));
        programs.push(random.mutate(&whole.text));
        programs.push(random.soup());
        programs.push(cut);
    }
    let script = format!("import sys; sys.path.insert(0, {:?})\n{SPECIFICATION}", directory.display().to_string());
    let Some(answer) = ask("python3", &["-c", &script], &json!(programs)) else {
        println!("skipped: python3 is not there");
        return;
    };
    let answers = answer.as_array().expect("one answer a program");
    assert_eq!(answers.len(), programs.len());
    let mut reached = BTreeMap::<&str, usize>::new();
    for (program, expected) in programs.iter().zip(answers) {
        let ours = match find_cut_call(program, "tools", "description") {
            Ok(CutCall { quote, text_end, indentation, binding }) => json!([quote, text_end, indentation, binding]),
            Err(reason) => json!(reason.reason()),
        };
        assert_eq!(&ours, expected, "{program:?}");
        *reached.entry(expected.as_str().unwrap_or("matched")).or_default() += 1;
    }
    // Every reason but the lone surrogate, which only the value of the text shows.
    assert_eq!(reached.len(), 20, "{reached:?}");
    assert!(reached["matched"] > 1000, "{reached:?}");
    println!("{reached:?}");
}

const SPECIFICATION: &str = r#"
import json, inner_call
def answer(p):
    at = lambda i: len(p[:i].encode())
    try: quote, end, indentation, binding = inner_call.find(p, "tools", "description")
    except inner_call.NotMatched as e: return str(e)
    return [at(quote), at(end), indentation, binding]
json.dump([answer(p) for p in json.load(sys.stdin)], sys.stdout)
"#;

/// What `program` prints for `input`, both JSON; `None` if it cannot be started.
pub(crate) fn ask(program: &str, arguments: &[&str], input: &Value) -> Option<Value> {
    let mut command = Command::new(program);
    let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input.to_string().as_bytes()).expect("it reads its input whole");
    drop(stdin);
    let output = child.wait_with_output().expect("it was started");
    assert!(output.status.success(), "{program} failed");
    Some(serde_json::from_slice(&output.stdout).expect("it prints JSON"))
}

/// Doubling hostile text must about double the time: quadratic work would be 64 times the eightfold text.
/// The small stack shows that neither nesting nor a long token costs native stack.
#[test]
fn hostile_programs_cost_linear_time_and_no_stack() {
    let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(hostile_programs);
    thread.expect("threads can be started").join().expect("each program is read in time");
}

fn hostile_programs() {
    let pieces = [
        "/",
        "//",
        "/*",
        "/* ",
        "*/",
        "`",
        "`${",
        "${`",
        "`${`}",
        "await ",
        "await tools ",
        "await tools.",
        "await tools.x({ ",
        "(",
        "[{(",
        "{",
        "()",
        "\"",
        "\"\\",
        "'a'",
        "\\",
        "}",
        "} ",
        ", a",
        ",a:",
        ", ",
        "-",
        "<!-",
        "\n",
        "\r\n",
        "a",
        "1",
        "=",
        "日",
        "const {",
        "\u{2028}",
        "/**/",
        "'\\''",
    ];
    let small = 1 << 17;
    for piece in pieces {
        for frame in [("", ""), (CUT, ""), ("const [", "] = await tools.b({ a, description: \"x")] {
            let text = |size: usize| format!("{}{}{}", frame.0, piece.repeat(size / piece.len()), frame.1);
            // A busy machine may spoil a measurement, never all of them; quadratic work spoils all.
            let linear = (0..5).any(|_| cost(&text(small * 8)) < cost(&text(small)) * 30 + Duration::from_millis(60));
            assert!(linear, "{frame:?} {piece:?}");
        }
    }
}

fn cost(program: &str) -> Duration {
    let run = || {
        let start = thread_time();
        let found = find_cut_call(program, "tools", "description").is_ok();
        let open = open_string(program).is_some();
        std::hint::black_box((found, open));
        thread_time().saturating_sub(start)
    };
    run().min(run())
}

/// Time that this thread has spent on a processor, where the system tells it (Linux); else time.
fn thread_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let on_cpu = told.and_then(|line| line.split(' ').next()?.parse().ok());
    on_cpu.map_or_else(|| START.elapsed(), Duration::from_nanos)
}
