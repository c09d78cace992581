//! The reader that decides: one RFC 8259 text, byte by byte. It does not recurse, and rounds nothing.

mod strings;

use crate::tree::{Data, Node, Text, Tree};

/// What was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The values that are there. A member is there once its value has begun, a number or literal once it is whole.
    pub tree: Tree,
    /// How the text ends.
    pub ending: Ending,
}

/// How a text ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ending {
    /// It is one JSON text.
    Complete,
    /// It is the beginning of one.
    Cut,
    /// The byte at this offset continues no JSON text.
    Broken(usize),
}

/// What half a surrogate pair is, written as an escape.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Halves {
    /// A code point like others: to read what a subject answers.
    Kept,
    /// An error at the first byte that makes it one.
    Refused,
}

/// Reads one text.
pub fn read(text: &[u8], halves: Halves) -> Reading {
    let mut reader = Reader { text, at: 0, halves, tree: Tree::default(), open: Vec::new() };
    let ending = match reader.read() {
        Ok(()) => Ending::Complete,
        Err(Stop::Cut) => Ending::Cut,
        Err(Stop::Broken(at)) => Ending::Broken(at),
    };
    let end = reader.tree.nodes.len();
    for &node in &reader.open {
        reader.tree.nodes[node].end = end;
    }
    Reading { tree: reader.tree, ending }
}

/// The tree of a text that is one JSON text; `None` if it is not.
pub fn value(text: &str, halves: Halves) -> Option<Tree> {
    let Reading { tree, ending } = read(text.as_bytes(), halves);
    (ending == Ending::Complete).then_some(tree)
}

enum Stop {
    Cut,
    Broken(usize),
}

#[derive(Clone, Copy)]
enum Expect {
    Colon,
    ElementOrEnd,
    Name,
    NameOrEnd,
    Nothing,
    Separator,
    Value,
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    halves: Halves,
    tree: Tree,
    /// The containers that are open, as nodes.
    open: Vec<usize>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Stop> {
        let mut expect = Expect::Value;
        let mut name = None;
        loop {
            while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
                self.at += 1;
            }
            let Some(byte) = self.peek() else {
                return if matches!(expect, Expect::Nothing) { Ok(()) } else { Err(Stop::Cut) };
            };
            expect = match (expect, byte) {
                (Expect::Colon, b':') => self.pass(Expect::Value),
                (Expect::Separator, b',') => match self.container() {
                    Data::Object => self.pass(Expect::Name),
                    _ => self.pass(Expect::Value),
                },
                (Expect::Separator, b'}') if self.container() == Data::Object => self.close(),
                (Expect::Separator, b']') if self.container() == Data::Array => self.close(),
                (Expect::NameOrEnd, b'}') | (Expect::ElementOrEnd, b']') => self.close(),
                (Expect::Name | Expect::NameOrEnd, b'"') => {
                    let mut text = Text::default();
                    self.string(&mut text)?;
                    name = Some(text);
                    Expect::Colon
                }
                (Expect::Value | Expect::ElementOrEnd, _) => self.value(byte, name.take())?,
                _ => return Err(self.broken()),
            };
        }
    }

    fn value(&mut self, byte: u8, name: Option<Text>) -> Result<Expect, Stop> {
        let start = self.at;
        match byte {
            b'{' | b'[' => {
                let (data, expect) =
                    if byte == b'{' { (Data::Object, Expect::NameOrEnd) } else { (Data::Array, Expect::ElementOrEnd) };
                self.open.push(self.tree.nodes.len());
                self.add(name, data, start, false);
                Ok(self.pass(expect))
            }
            b'"' => {
                let node = self.tree.nodes.len();
                self.add(name, Data::Null, start, false);
                let mut text = Text::default();
                let read = self.string(&mut text);
                self.tree.nodes[node].data = Data::String(text);
                self.tree.nodes[node].closed = read.is_ok();
                read.map(|()| self.after())
            }
            b't' => self.literal(b"true", Data::Bool(true), name),
            b'f' => self.literal(b"false", Data::Bool(false), name),
            b'n' => self.literal(b"null", Data::Null, name),
            b'-' | b'0'..=b'9' => {
                self.number()?;
                let digits = String::from_utf8_lossy(&self.text[start..self.at]).into_owned();
                let whole = self.at < self.text.len() || self.open.is_empty();
                self.add(name, Data::Number(digits), start, whole);
                Ok(self.after())
            }
            _ => Err(self.broken()),
        }
    }

    fn literal(&mut self, letters: &[u8], data: Data, name: Option<Text>) -> Result<Expect, Stop> {
        let start = self.at;
        for &letter in letters {
            match self.peek() {
                None => return Err(Stop::Cut),
                Some(byte) if byte == letter => self.at += 1,
                Some(_) => return Err(self.broken()),
            }
        }
        self.add(name, data, start, true);
        Ok(self.after())
    }

    fn number(&mut self) -> Result<(), Stop> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Stop> {
        match self.peek() {
            None => return Err(Stop::Cut),
            Some(b'0'..=b'9') => {}
            Some(_) => return Err(self.broken()),
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    fn add(&mut self, name: Option<Text>, data: Data, at: usize, closed: bool) {
        let end = self.tree.nodes.len() + 1;
        self.tree.nodes.push(Node { name, data, at, end, closed });
    }

    fn close(&mut self) -> Expect {
        let end = self.tree.nodes.len();
        if let Some(node) = self.open.pop() {
            self.tree.nodes[node].end = end;
            self.tree.nodes[node].closed = true;
        }
        let expect = self.after();
        self.pass(expect)
    }

    fn pass(&mut self, expect: Expect) -> Expect {
        self.at += 1;
        expect
    }

    /// What may follow a value.
    fn after(&self) -> Expect {
        if self.open.is_empty() { Expect::Nothing } else { Expect::Separator }
    }

    fn container(&self) -> Data {
        self.open.last().map_or(Data::Null, |&node| self.tree.nodes[node].data.clone())
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn broken(&self) -> Stop {
        Stop::Broken(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(text: &str) -> Ending {
        read(text.as_bytes(), Halves::Refused).ending
    }

    #[test]
    fn the_first_byte_that_continues_no_text() {
        for (text, at) in [
            ("", None),
            ("{\"a\":1", None),
            ("{]", Some(1)),
            ("{\"a\":01}", Some(6)),
            ("{\"a\":1.}", Some(7)),
            ("{\"a\":-}", Some(6)),
            ("{\"a\":trie}", Some(7)),
            ("{\"a\":1,}", Some(7)),
            ("[1,]", Some(3)),
            ("{}x", Some(2)),
            ("{\"a\":\"b\"c\"}", Some(8)),
            ("{\"a\":\"\n\"}", Some(6)),
            ("{\"a\":\"\\x\"}", Some(7)),
            ("{\"a\":\"\\u00g0\"}", Some(10)),
            ("{\"a\":\"\\ud83d\"}", Some(12)),
            ("{\"a\":\"\\ud83d\\n\"}", Some(13)),
            ("{\"a\":\"\\ud83d\\u0041\"}", Some(14)),
            ("{\"a\":\"\\udc00\"}", Some(9)),
            ("\u{feff}{}", Some(0)),
        ] {
            assert_eq!(ending(text), at.map_or(Ending::Cut, Ending::Broken), "{text}");
        }
        for text in ["{}", " [1, -0.5e+3, \"\\ud83d\\ude00\", true, null] ", "\"\u{10ffff}\"", "12"] {
            assert_eq!(ending(text), Ending::Complete, "{text}");
        }
    }

    #[test]
    fn a_sequence_is_broken_at_its_first_wrong_byte() {
        for (text, at) in
            [(&b"\"\xff"[..], 1), (b"\"\xc3(", 2), (b"\"\xe0\x80", 2), (b"\"\xed\xa0", 2), (b"\"\xf4\x90", 2)]
        {
            assert_eq!(read(text, Halves::Refused).ending, Ending::Broken(at), "{text:x?}");
        }
        assert_eq!(read(b"\"\xf0\x9f\x98", Halves::Refused).ending, Ending::Cut);
    }

    #[test]
    fn what_is_there_of_a_cut_text() {
        let tree = read(b"{\"a\":[1,{\"b\":\"x\\u00", Halves::Refused).tree;
        let last = tree.nodes.len() - 1;
        assert_eq!(tree.place(last), ".a[1].b");
        assert_eq!(tree.brief(last), "\"x\"");
        assert!(!tree.nodes[last].closed && tree.nodes[2].closed);
        assert_eq!(read(b"{\"a\":tru", Halves::Refused).tree.nodes.len(), 1);
        let number = read(b"{\"a\":12", Halves::Refused).tree;
        assert!(number.nodes[1].data == Data::Number("12".to_owned()) && !number.nodes[1].closed);
    }

    #[test]
    fn half_a_pair_is_kept_where_it_is_told() {
        let tree = value("\"\\ud83dx\\ude00\"", Halves::Kept).expect("a value");
        assert_eq!(tree.nodes[0].data, Data::String(Text(vec![0xd83d, 'x'.into(), 0xde00])));
    }

    #[test]
    fn depth_costs_no_stack() {
        let text = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        assert_eq!(ending(&text), Ending::Complete);
    }
}
