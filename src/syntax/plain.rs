//! The step table, interpreted byte by byte without any of the engine's short cuts, and the engine compared with it.

use super::Machine;
use super::table::{Completed, State, Step, after, step};
use crate::code::Code;
use crate::document::NodeKind;
use crate::event::{Event, Silent, Sink};
use crate::lex::escape::{Escape, Escaped};
use crate::lex::outside::Class;
use crate::lex::scalar::{Literal, Number, NumberStep};
use crate::limits::Limits;
use crate::pointer::{Container, Pointer, Token, write_token};

/// Where a text stops: code, offset, bytes consumed when it was known, pointer.
type Stopped = (Code, usize, usize, String);

enum Reading {
    Outside,
    String { name: Option<String> },
    Escape { name: Option<String> },
    HighSurrogate { name: Option<String> },
    Number(usize, Number),
    Literal(usize, Literal),
}

/// One open container: its kind, the index of its element, the name of its member.
struct Frame(Container, u32, Option<String>);

/// What the interpreter makes of a text.
struct Plain {
    events: Vec<(String, String)>,
    stopped: Option<Stopped>,
    frames: Vec<Frame>,
    state: State,
}

impl Plain {
    fn read(text: &str) -> Self {
        let mut plain = Self { events: Vec::new(), stopped: None, frames: Vec::new(), state: State::Root };
        let mut reading = Reading::Outside;
        let mut escape = Escape::default();
        let mut at = 0;
        while at < text.len() && plain.stopped.is_none() {
            let byte = text.as_bytes()[at];
            let mut next = at + 1;
            reading = match reading {
                Reading::Outside => plain.outside(byte, at),
                Reading::String { name } => match byte {
                    b'"' => plain.close(name),
                    b'\\' => {
                        escape.begin(at as u32);
                        Reading::Escape { name }
                    }
                    0..0x20 => plain.stop(Code::ControlCharInString, at, at + 1),
                    _ => {
                        let character = text[at..].chars().next().expect("a character begins here");
                        next = at + character.len_utf8();
                        plain.character(character, name)
                    }
                },
                Reading::Escape { name } => match escape.step(byte, at as u32) {
                    Escaped::More => Reading::Escape { name },
                    Escaped::High => Reading::HighSurrogate { name },
                    Escaped::Char(character) => plain.character(character, name),
                    Escaped::Rejected(code, of) => plain.stop(code, of as usize, at + 1),
                },
                Reading::HighSurrogate { name } if byte == b'\\' => {
                    escape.begin(at as u32);
                    Reading::Escape { name }
                }
                Reading::HighSurrogate { .. } => {
                    plain.stop(Code::LoneSurrogate, escape.waiting().expect("one waits") as usize, at + 1)
                }
                Reading::Number(start, number) => match number.step(byte) {
                    NumberStep::Go(number) => Reading::Number(start, number),
                    NumberStep::Rejected(code) => plain.stop(code, at, at + 1),
                    NumberStep::End => {
                        next = at;
                        plain.tell(Event::Number(&text[start..at]));
                        plain.completed(Completed::Scalar)
                    }
                },
                Reading::Literal(start, literal) => match literal.text().as_bytes().get(at - start) {
                    Some(&wanted) if wanted == byte && at + 1 - start == literal.text().len() => {
                        plain.tell(match literal {
                            Literal::False => Event::Bool(false),
                            Literal::Null => Event::Null,
                            Literal::True => Event::Bool(true),
                        });
                        plain.completed(Completed::Scalar)
                    }
                    Some(&wanted) if wanted == byte => Reading::Literal(start, literal),
                    _ => plain.stop(Code::NonJsonLiteral, at, at + 1),
                },
            };
            at = next;
        }
        plain
    }

    fn outside(&mut self, byte: u8, at: usize) -> Reading {
        match step(self.state, Class::of(byte)) {
            Step::Blank => {}
            Step::Begin(container) => {
                let (state, event) = match container {
                    Container::Array => (State::FirstElement, Event::BeginArray),
                    Container::Object => (State::FirstName, Event::BeginObject),
                };
                self.tell(event);
                self.frames.push(Frame(container, 0, None));
                self.state = state;
            }
            Step::End => {
                let Some(Frame(container, ..)) = self.frames.pop() else { panic!("nothing is open") };
                self.tell(if container == Container::Array { Event::EndArray } else { Event::EndObject });
                return self.completed(Completed::Container);
            }
            Step::Go(next) => {
                if self.state != State::Colon
                    && let Some(frame) = self.frames.last_mut()
                {
                    frame.1 += 1;
                    frame.2 = None;
                }
                self.state = next;
            }
            Step::Name => return Reading::String { name: Some(String::new()) },
            Step::String => {
                self.tell(Event::BeginString);
                return Reading::String { name: None };
            }
            Step::Number => return Reading::Number(at, Number::begin(byte)),
            Step::Literal(literal) => return Reading::Literal(at, literal),
            Step::Reject(code) => return self.stop(code, at, at + 1),
        }
        Reading::Outside
    }

    fn character(&mut self, character: char, name: Option<String>) -> Reading {
        if name.is_none() {
            self.tell(Event::Text(character.encode_utf8(&mut [0; 4])));
        }
        Reading::String { name: name.map(|name| name + character.encode_utf8(&mut [0; 4])) }
    }

    fn close(&mut self, name: Option<String>) -> Reading {
        let Some(name) = name else {
            self.tell(Event::EndString);
            return self.completed(Completed::String);
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.2 = Some(name.clone());
        }
        self.tell(Event::Key(&name));
        self.state = State::Colon;
        Reading::Outside
    }

    fn completed(&mut self, value: Completed) -> Reading {
        self.state = after(self.frames.last().map(|frame| frame.0), value);
        Reading::Outside
    }

    fn stop(&mut self, code: Code, at: usize, known_at: usize) -> Reading {
        self.stopped = Some((code, at, known_at, self.pointer()));
        Reading::Outside
    }

    fn tell(&mut self, event: Event<'_>) {
        let at = self.pointer();
        tell(&mut self.events, at, event);
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for Frame(container, index, name) in &self.frames {
            let token = match (container, name) {
                (Container::Array, _) => Token::Index(*index),
                (Container::Object, Some(name)) => Token::Name(name),
                (Container::Object, None) => continue,
            };
            write_token(&mut pointer, token).expect("a String can be written to");
        }
        pointer
    }
}

/// Adds the event; adjacent text is one.
fn tell(events: &mut Vec<(String, String)>, at: String, event: Event<'_>) {
    match (event, events.last_mut()) {
        (Event::Text(more), Some((_, last))) if last.starts_with("text ") => last.push_str(more),
        (Event::Text(text), _) => events.push((at, format!("text {text}"))),
        (other, _) => events.push((at, format!("{other:?}"))),
    }
}

#[derive(Default)]
struct Recorder(Vec<(String, String)>);

impl Sink for Recorder {
    fn event(&mut self, at: &Pointer, event: Event<'_>) {
        tell(&mut self.0, at.to_string(), event);
    }
}

/// What the document holds, told as events of its strings, numbers and literals.
fn scalars(machine: &Machine) -> Vec<String> {
    let document = &machine.document;
    let mut told = Vec::new();
    for node in &document.nodes {
        match node.kind {
            NodeKind::Array | NodeKind::Object => {}
            NodeKind::Name | NodeKind::NameDecoded if node.end == 0 => {}
            NodeKind::Name | NodeKind::NameDecoded => told.push(format!("{:?}", Event::Key(document.string(node)))),
            NodeKind::String | NodeKind::StringDecoded => match document.string(node) {
                "" => {}
                text => told.push(format!("text {text}")),
            },
            NodeKind::Number => told.push(format!("{:?}", Event::Number(document.token(node)))),
            NodeKind::False => told.push(format!("{:?}", Event::Bool(false))),
            NodeKind::True => told.push(format!("{:?}", Event::Bool(true))),
            NodeKind::Null => told.push(format!("{:?}", Event::Null)),
        }
    }
    told
}

fn stopped(machine: &Machine) -> Option<Stopped> {
    machine.stop().map(|stop| (stop.code, stop.at as usize, stop.known_at, stop.pointer.clone()))
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

const SEEDS: [&str; 6] = [
    r#"{"path":"src/a.rs","content":"fn main() {\n\tprintln!(\"hi \\ there\");\n}\n// a line that is longer than two blocks\n"}"#,
    r#"{"a":[1,-2.5e+10,0,{"b":true,"c":null,"d\u00e4\n":false}],"\ud83d\ude00":"\ud83d\ude00 \u0041\/\b\f\r"}"#,
    r#" [ "", "x", "\\\\\"", ["deep", [[["er"]]]], 12345678901234567890, "ein längerer Text, größer als ein Block: 漢字漢字漢字" ] "#,
    r#"{"command":"ls -la | grep \"x\" && echo 'done'","description":"List","timeout":120000}"#,
    r#""a root that is a string with \"quotes\", \\backslashes\\ and \ttabs\t, some blocks of it""#,
    "{\"k\":\"a\u{7f}\u{80}\u{7ff}\u{ffff}\u{10ffff}b\",\"l\":{}}",
];

const PIECES: [&str; 30] = [
    "\"", "\\", "\\\\", "\\\"", "\\n", "\\u", "\\u00", "\\ud83d", "\\ude00", "{", "}", "[", "]", ",", ":", "0", "1",
    "-", ".", "e", "true", "nul", " ", "\n", "\u{1}", "x", "ä", "漢", "/", "'",
];

fn mutant(random: &mut Random) -> String {
    let mut text = SEEDS[random.below(SEEDS.len())].to_owned();
    for _ in 0..random.below(4) {
        let from = text.floor_char_boundary(random.below(text.len() + 1));
        let to = match random.below(3) {
            0 => from,
            _ => text.ceil_char_boundary((from + random.below(4)).min(text.len())),
        };
        let piece = if random.below(4) == 0 { "" } else { PIECES[random.below(PIECES.len())] };
        text.replace_range(from..to, piece);
    }
    text
}

#[test]
fn the_engine_agrees_with_the_plain_interpreter_on_mutants_at_random_cuts() {
    let mut random = Random(6);
    let mut broken = 0;
    for _ in 0..100_000 {
        let text = mutant(&mut random);
        let plain = Plain::read(&text);
        broken += usize::from(plain.stopped.is_some());
        let told: Vec<String> = plain
            .events
            .iter()
            .map(|(_, event)| event.clone())
            .filter(|event| !event.starts_with("Begin") && !event.starts_with("End"))
            .collect();

        let most = [1, 3, 20, 40, 400][random.below(5)];
        let mut heard = Machine::new(Limits::default());
        let mut silent = Machine::new(Limits::default());
        let mut bytes = Machine::new(Limits::default());
        let mut recorder = Recorder::default();
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let len = rest.ceil_char_boundary((1 + random.below(most)).min(rest.len()));
            let (delta, others) = rest.split_at(len);
            heard.feed(delta, &mut recorder);
            silent.feed(delta, &mut Silent);
            // Looks now and then make decoded copies, which have to grow with the string.
            if random.below(4) == 0
                && let Some(open) = silent.open_string()
            {
                let open = format!("text {open}");
                assert!(open == "text " || told.iter().any(|event| event.starts_with(&open)), "{open} of {text}");
            }
            rest = others;
        }
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let (delta, others) = rest.split_at((1 + random.below(most)).min(rest.len()));
            bytes.feed_bytes(delta, &mut Silent);
            rest = others;
        }

        assert_eq!(recorder.0, plain.events, "{text}");
        for machine in [&heard, &silent, &bytes] {
            assert_eq!(stopped(machine), plain.stopped, "{text}");
            assert_eq!(scalars(machine), told, "{text}");
            if plain.stopped.is_none() {
                assert_eq!(machine.pointer.to_string(), plain.pointer(), "{text}");
            }
        }
    }
    assert!((20_000..90_000).contains(&broken), "{broken} of the mutants are broken");
}
