//! Calls of about 300 bytes and what it takes to judge them, beside reading them alone.

use argseal::{
    Assembler, Call, End, Format, Grants, Judgement, Payload, Policy, Settings, Signal, Tool, Tools, Verdict,
};
use serde_json::{Value, json};

use crate::payload::{self, tool};

/// A text, the tool and the settings it is judged with, and the verdict it has.
pub struct Case {
    pub name: &'static str,
    pub text: String,
    tool: Tool,
    settings: Settings,
    verdict: Verdict,
}

impl Case {
    fn new(name: &'static str, text: String, settings: Settings, verdict: Verdict) -> Self {
        Self { name, text, tool: shell_tool(), settings, verdict }
    }

    /// Required members and types: what the library demands by default.
    pub fn shape() -> Self {
        Self::new("shape", payload::shell(), Settings::default(), Verdict::Strict)
    }

    /// The whole schema.
    pub fn schema() -> Self {
        Self::new("schema", payload::shell(), schema_settings(), Verdict::Strict)
    }

    /// A text that stops inside of its description.
    pub fn repair() -> Self {
        let text = json!({"command": payload::COMMAND, "timeout": 120_000}).to_string();
        let text = text.replace('}', r#","description":"Fetch, list the recent commits of the server and run"#);
        Self::new("repair", text, schema_settings(), Verdict::Repaired)
    }

    /// A wrapper, an alias, and a number written as a string.
    pub fn plan() -> Self {
        let description = "Fetch, list the recent commits of the server and run its tests";
        let arguments = json!({"cmd": payload::COMMAND, "description": description, "timeout": "120000"});
        let settings = schema_settings().with_policy(Policy::Full);
        Self::new("plan", json!({"arguments": arguments}).to_string(), settings, Verdict::Normalized)
    }

    /// Every case.
    pub fn all() -> [Self; 4] {
        [Self::shape(), Self::schema(), Self::repair(), Self::plan()]
    }

    /// Whether another parser can read the text.
    pub fn is_json(&self) -> bool {
        self.verdict != Verdict::Repaired
    }

    /// Reads the deltas and judges them.
    pub fn judge(&self, deltas: &[&str]) -> usize {
        let mut call = Call::new(&self.tool).with_settings(&self.settings);
        for delta in deltas {
            call.feed(std::hint::black_box(delta));
        }
        let accepted = call.finish(End::Complete).expect("a call that is accepted");
        assert_eq!(accepted.verdict(), self.verdict);
        std::hint::black_box(&accepted).text().len()
    }
}

/// Reads the deltas and asks for no verdict.
pub fn parse(deltas: &[&str]) -> usize {
    let mut call = Call::default();
    for delta in deltas {
        call.feed(std::hint::black_box(delta));
    }
    std::hint::black_box(&call).raw().len()
}

/// Reads a stream's bytes in pieces of `step` bytes and judges its calls.
pub fn assemble(format: Format, tools: &Tools, stream: &[u8], step: usize) -> usize {
    let mut assembler = Assembler::new(format, tools, &schema_settings().with_limits(argseal::Limits::max()));
    let mut grown = 0;
    for piece in stream.chunks(step) {
        assembler
            .push(std::hint::black_box(piece), &mut |signal| grown += usize::from(matches!(signal, Signal::Grown(_))));
    }
    let stream = assembler.finish();
    assert!(stream.errors.is_empty() && !stream.calls.is_empty(), "a stream without errors");
    for call in &stream.calls {
        assert!(matches!(call.payload, Payload::Arguments(Ok(_))), "a call that is accepted");
    }
    grown
}

/// The tools of the streams that are assembled.
pub fn tools() -> Tools {
    let (tools, issues) = Tools::of(&[tool::shell(), tool::write_file()], &|_| Grants::default(), None);
    assert!(issues.is_empty(), "{issues:?}");
    tools
}

/// The schema that the cases are judged by.
pub fn shell_schema() -> Value {
    tool::shell()["input_schema"].take()
}

fn shell_tool() -> Tool {
    let definition = tool::shell();
    let grants = Grants::beside(&definition).expect("grants");
    Tool::from_json(&definition).expect("a tool").with_grants(grants).expect("grants that fit")
}

fn schema_settings() -> Settings {
    Settings::default().with_judgement(Judgement::Schema)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::stream;
    use crate::payload::{Cut, deltas};

    #[test]
    fn the_cases_are_about_300_bytes_and_have_their_verdicts() {
        for case in Case::all() {
            assert!((250..340).contains(&case.text.len()), "{}: {} bytes", case.name, case.text.len());
            for cut in [Cut::Every(1), Cut::Every(16), Cut::Whole] {
                assert!(case.judge(&deltas(&case.text, cut)) > 0);
            }
        }
    }

    #[test]
    fn the_streams_carry_their_calls() {
        let (write, shell) = (payload::write_file(1 << 10), payload::shell());
        for format in stream::FORMATS {
            let text = stream::response(format, &[("write_file", &write), ("bash", &shell)]).expect("a format");
            assert_eq!(
                Format::detect(None, text.lines().find_map(|line| line.strip_prefix("data: ")).expect("data")),
                Some(format)
            );
            let grown = assemble(format, &tools(), text.as_bytes(), 1);
            assert!(grown > 90, "{format:?}: {grown}");
            assert_eq!(assemble(format, &tools(), text.as_bytes(), text.len()), grown);
        }
        let text = stream::interleaved("bash", r#"{"command":"ls","#, r#""description":"x"}"#, 10);
        assert_eq!(assemble(Format::OpenaiChat, &tools(), text.as_bytes(), 64), 20);
    }
}
