//! The step table, interpreted character by character without any of the engine's short cuts: what the engine is compared
//! with (`argseal_laws::reads_plainly`).

use super::table::{Completed, State, Step, after, step};
use crate::document::Kind;
use crate::lex::escape::{Escape, Escaped};
use crate::lex::outside::Class;
use crate::lex::scalar::{Literal, Number, NumberStep};
use crate::syntax::event::Event;
use crate::text::pointer::{Container, Token, write_token};
use crate::verdict::code::Code;

/// Where a text stops.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Stopped {
    pub code: Code,
    pub at: u64,
    /// Bytes consumed when it was known.
    pub known_at: u64,
    pub pointer: String,
}

/// One value that was read: its place, its type, its text (of a container: how many children it has), whether it is
/// complete.
pub(crate) type Read = (String, Kind, String, bool);

/// What the interpreter makes of a text.
#[derive(Default)]
pub struct Plain {
    /// Each event after its place; adjacent text is one.
    pub events: Vec<String>,
    /// Why nothing more is read.
    pub stopped: Option<Stopped>,
    /// Values in text order.
    values: Vec<Read>,
    frames: Vec<Frame>,
    state: State,
    reading: Reading,
    escape: Escape,
    /// The name, number or literal that is open.
    token: String,
    /// Bytes read.
    at: usize,
}

#[derive(Clone, Copy, Default)]
enum Reading {
    #[default]
    Outside,
    String(Of),
    Escape(Of),
    HighSurrogate(Of),
    Number(Number),
    Literal(Literal),
}

/// What a string is.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Of {
    Name,
    Value,
}

/// One open container.
struct Frame {
    container: Container,
    /// Where it stands among the values.
    value: usize,
    /// The index of its element.
    index: u32,
    /// The name of its member.
    name: Option<String>,
}

/// The byte order mark.
const MARK: char = '\u{feff}';

impl Plain {
    /// Goes on with more of the text.
    pub fn read(&mut self, text: &str) {
        for character in text.chars() {
            while self.stopped.is_none() {
                let (reading, taken) = self.character(character);
                self.reading = reading;
                if taken {
                    break;
                }
            }
            self.at += character.len_utf8();
        }
    }

    /// The values so far. One whose end is not certain is not there yet, but a string or a container that is open is.
    pub fn values(&self) -> Vec<(String, Kind, String, bool)> {
        self.values.clone()
    }

    /// The string value that is open.
    pub fn open(&self) -> Option<(&str, &str)> {
        let open = match self.reading {
            Reading::String(of) | Reading::Escape(of) | Reading::HighSurrogate(of) => of == Of::Value,
            Reading::Outside | Reading::Number(_) | Reading::Literal(_) => false,
        };
        let (pointer, _, text, _) = self.values.last().filter(|_| open && self.stopped.is_none())?;
        Some((pointer, text))
    }

    /// Nothing but blanks may follow.
    pub fn is_complete(&self) -> bool {
        matches!(self.reading, Reading::Outside) && self.state.is_end() && self.stopped.is_none()
    }

    /// What is read next, and whether the character is used up.
    fn character(&mut self, character: char) -> (Reading, bool) {
        let byte = if character.is_ascii() { character as u8 } else { 0xff };
        let reading = match self.reading {
            Reading::Outside => self.outside(character),
            Reading::String(of) => match character {
                '"' => self.close(of),
                '\\' => {
                    self.escape.begin(self.at as u32);
                    Reading::Escape(of)
                }
                '\0'..' ' => self.stop(Code::ControlCharInString, self.at),
                other => self.content(other, of),
            },
            Reading::Escape(of) => match self.escape.step(byte, self.at as u32) {
                Escaped::More => Reading::Escape(of),
                Escaped::High => Reading::HighSurrogate(of),
                Escaped::Char(decoded) => self.content(decoded, of),
                Escaped::Rejected(code, at) => self.stop(code, at as usize),
            },
            Reading::HighSurrogate(of) if character == '\\' => {
                self.escape.begin(self.at as u32);
                Reading::Escape(of)
            }
            Reading::HighSurrogate(_) => {
                let high = self.escape.waiting().expect("a high surrogate waits for its other half");
                self.stop(Code::LoneSurrogate, high as usize)
            }
            Reading::Number(number) => match number.step(byte) {
                NumberStep::Go(number) => {
                    self.token.push(character);
                    Reading::Number(number)
                }
                NumberStep::Rejected(code) => self.stop(code, self.at),
                NumberStep::End => {
                    let text = std::mem::take(&mut self.token);
                    self.scalar(Kind::Number, &text, Event::Number(&text));
                    return (Reading::Outside, false);
                }
            },
            Reading::Literal(literal) if literal.text()[self.token.len()..].starts_with(character) => {
                self.token.push(character);
                if self.token != literal.text() {
                    return (Reading::Literal(literal), true);
                }
                let (kind, event) = match literal {
                    Literal::False => (Kind::Boolean, Event::Bool(false)),
                    Literal::Null => (Kind::Null, Event::Null),
                    Literal::True => (Kind::Boolean, Event::Bool(true)),
                };
                self.scalar(kind, literal.text(), event)
            }
            Reading::Literal(_) => self.stop(Code::NonJsonLiteral, self.at),
        };
        (reading, true)
    }

    fn outside(&mut self, character: char) -> Reading {
        let mut bytes = [0; 4];
        character.encode_utf8(&mut bytes);
        let byte = bytes[0];
        match step(self.state, Class::of(byte)) {
            Step::Blank => {}
            Step::Begin(container) => {
                let (state, kind, event) = match container {
                    Container::Array => (State::FirstElement, Kind::Array, Event::BeginArray),
                    Container::Object => (State::FirstName, Kind::Object, Event::BeginObject),
                };
                self.value(kind, "0", false);
                self.tell(event);
                self.frames.push(Frame { container, value: self.values.len() - 1, index: 0, name: None });
                self.state = state;
            }
            Step::End => {
                let frame = self.frames.pop().expect("a container is open where one may end");
                self.values[frame.value].3 = true;
                self.tell(match frame.container {
                    Container::Array => Event::EndArray,
                    Container::Object => Event::EndObject,
                });
                self.completed(Completed::Container);
            }
            Step::Go(next) => {
                if self.state != State::Colon
                    && let Some(frame) = self.frames.last_mut()
                {
                    frame.index += 1;
                    frame.name = None;
                }
                self.state = next;
            }
            Step::Name => {
                self.token.clear();
                return Reading::String(Of::Name);
            }
            Step::String => {
                self.value(Kind::String, "", false);
                self.tell(Event::BeginString);
                return Reading::String(Of::Value);
            }
            Step::Number => {
                self.token = char::from(byte).to_string();
                return Reading::Number(Number::begin(byte));
            }
            Step::Literal(literal) => {
                self.token = char::from(byte).to_string();
                return Reading::Literal(literal);
            }
            Step::Reject(_) if character == MARK && self.at == 0 => return self.stop_after(Code::Bom, 0, 3),
            // What begins like a byte order mark is one for so long.
            Step::Reject(code) if self.at == 0 => {
                let mut mark = [0; 4];
                MARK.encode_utf8(&mut mark);
                let alike = bytes.iter().zip(mark).take_while(|(byte, mark)| *byte == mark).count();
                return self.stop_after(code, 0, alike as u64 + 1);
            }
            Step::Reject(code) => return self.stop(code, self.at),
        }
        Reading::Outside
    }

    fn content(&mut self, character: char, of: Of) -> Reading {
        match of {
            Of::Name => self.token.push(character),
            Of::Value => {
                self.tell(Event::Text(character.encode_utf8(&mut [0; 4])));
                self.values.last_mut().expect("a string is open").2.push(character);
            }
        }
        Reading::String(of)
    }

    fn close(&mut self, of: Of) -> Reading {
        match of {
            Of::Name => {
                let name = std::mem::take(&mut self.token);
                self.frames.last_mut().expect("a name stands in an object").name = Some(name.clone());
                self.tell(Event::Key(&name));
                self.state = State::Colon;
            }
            Of::Value => {
                self.values.last_mut().expect("a string is open").3 = true;
                self.tell(Event::EndString);
                self.completed(Completed::String);
            }
        }
        Reading::Outside
    }

    fn scalar(&mut self, kind: Kind, text: &str, event: Event<'_>) -> Reading {
        self.value(kind, text, true);
        self.tell(event);
        self.completed(Completed::Scalar);
        Reading::Outside
    }

    fn value(&mut self, kind: Kind, text: &str, closed: bool) {
        if let Some(frame) = self.frames.last() {
            let children = &mut self.values[frame.value].2;
            *children = (children.parse::<u32>().expect("a count") + 1).to_string();
        }
        self.values.push((self.pointer(), kind, text.to_owned(), closed));
    }

    fn completed(&mut self, value: Completed) {
        self.state = after(self.frames.last().map(|frame| frame.container), value);
    }

    /// Stops at the character that is read, whose first byte makes it known.
    fn stop(&mut self, code: Code, at: usize) -> Reading {
        self.stop_after(code, at, self.at as u64 + 1)
    }

    fn stop_after(&mut self, code: Code, at: usize, known_at: u64) -> Reading {
        self.stopped = Some(Stopped { code, at: at as u64, known_at, pointer: self.pointer() });
        Reading::Outside
    }

    fn tell(&mut self, event: Event<'_>) {
        match (event, self.events.last_mut()) {
            (Event::Text(text), Some(last)) if !matches!(self.values.last(), Some((.., text, _)) if text.is_empty()) => {
                last.push_str(text);
            }
            (Event::Text(text), _) => self.events.push(format!("{} Text {text}", self.pointer())),
            (other, _) => self.events.push(format!("{} {other:?}", self.pointer())),
        }
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for Frame { container, index, name, .. } in &self.frames {
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
