//! Enough of ABNF (RFC 5234) to derive random sentences of a grammar.

use std::collections::BTreeMap;

use super::random::Random;

/// A grammar: rules by name.
pub struct Grammar {
    rules: BTreeMap<String, Node>,
}

enum Node {
    /// One of these.
    Choice(Vec<Self>),
    /// A character of one of these ranges.
    Range(u32, u32),
    /// Another rule.
    Rule(String),
    /// As often as from `.1` to `.2` times.
    Repeat(Box<Self>, usize, Option<usize>),
    /// One after the other.
    Sequence(Vec<Self>),
    Text(String),
}

impl Grammar {
    /// Reads a grammar. Panics where it is none, or where a rule is named that is not there.
    pub fn parse(text: &str) -> Self {
        let mut rules: Vec<(String, String)> = Vec::new();
        for line in text.lines() {
            let line = without_comment(line);
            if line.trim().is_empty() {
                continue;
            }
            if line.starts_with(' ') {
                rules.last_mut().expect("a rule goes on").1.push_str(line);
            } else {
                let (name, rule) = line.split_once('=').expect("NAME = RULE");
                rules.push((name.trim().to_owned(), rule.to_owned()));
            }
        }
        let count = rules.len();
        let rules: BTreeMap<String, Node> = rules
            .into_iter()
            .map(|(name, rule)| {
                let mut reader = Reader { rest: rule.trim_start() };
                let node = reader.choice();
                assert!(reader.rest.is_empty(), "{name}: not read: {}", reader.rest);
                (name, node)
            })
            .collect();
        assert_eq!(rules.len(), count, "a rule stands twice");
        let grammar = Self { rules };
        grammar.rules.values().for_each(|rule| grammar.check(rule));
        grammar
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rules.keys().map(String::as_str)
    }

    /// A random sentence of the rule. The deeper, the shorter.
    pub fn derive(&self, rule: &str, random: &mut Random) -> String {
        let mut out = String::new();
        self.write(&self.rules[rule], random, 0, &mut out);
        out
    }

    fn check(&self, node: &Node) {
        match node {
            Node::Choice(nodes) | Node::Sequence(nodes) => nodes.iter().for_each(|node| self.check(node)),
            Node::Repeat(node, ..) => self.check(node),
            Node::Rule(name) => assert!(self.rules.contains_key(name), "no rule is called {name}"),
            Node::Range(..) | Node::Text(_) => {}
        }
    }

    fn write(&self, node: &Node, random: &mut Random, depth: usize, out: &mut String) {
        const DEEP: usize = 24;
        match node {
            // Deep down only what comes last, which recurs in no rule of this grammar.
            Node::Choice(nodes) if depth > DEEP => {
                let last = nodes.last().expect("a choice");
                self.write(last, random, depth + 1, out);
            }
            Node::Choice(nodes) => self.write(random.pick(nodes), random, depth + 1, out),
            Node::Range(low, high) => {
                // The ends of a range are where mistakes are.
                let character = match random.below(6) {
                    0 => *low,
                    1 => *high,
                    _ => low + random.below((high - low + 1) as usize) as u32,
                };
                out.push(char::from_u32(character).expect("a scalar value"));
            }
            Node::Rule(name) => self.write(&self.rules[name], random, depth + 1, out),
            Node::Repeat(node, least, most) => {
                let more = if depth > DEEP { 0 } else { random.below(4) };
                let times = most.map_or(least + more, |most| (least + more).min(most));
                for _ in 0..times {
                    self.write(node, random, depth + 1, out);
                }
            }
            Node::Sequence(nodes) => {
                for node in nodes {
                    self.write(node, random, depth + 1, out);
                }
            }
            Node::Text(text) => out.push_str(text),
        }
    }
}

fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    for (at, character) in line.char_indices() {
        match character {
            '"' => quoted = !quoted,
            ';' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

struct Reader<'r> {
    rest: &'r str,
}

impl Reader<'_> {
    fn choice(&mut self) -> Node {
        let mut choices = vec![self.sequence()];
        while self.take("/") {
            choices.push(self.sequence());
        }
        if choices.len() == 1 { choices.remove(0) } else { Node::Choice(choices) }
    }

    fn sequence(&mut self) -> Node {
        let mut parts = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with(['/', ')', ']']) {
            parts.push(self.repetition());
        }
        Node::Sequence(parts)
    }

    fn repetition(&mut self) -> Node {
        let least = self.number();
        if self.take("*") {
            let most = self.number();
            return Node::Repeat(Box::new(self.element()), least.unwrap_or(0), most);
        }
        match least {
            Some(times) => Node::Repeat(Box::new(self.element()), times, Some(times)),
            None => self.element(),
        }
    }

    fn element(&mut self) -> Node {
        if self.take("(") {
            let group = self.choice();
            assert!(self.take(")"), "`)` is expected: {}", self.rest);
            return group;
        }
        if self.take("[") {
            let option = self.choice();
            assert!(self.take("]"), "`]` is expected: {}", self.rest);
            return Node::Repeat(Box::new(option), 0, Some(1));
        }
        let _ = self.rest.starts_with("%s\"") && self.take("%s");
        if let Some(quoted) = self.rest.strip_prefix('"') {
            let (text, rest) = quoted.split_once('"').expect("a closing quote");
            self.rest = rest.trim_start();
            return Node::Text(text.to_owned());
        }
        if let Some(range) = self.rest.strip_prefix("%x") {
            let end = range.find(|c: char| !c.is_ascii_hexdigit() && c != '-').unwrap_or(range.len());
            let (range, rest) = range.split_at(end);
            self.rest = rest.trim_start();
            let (low, high) = range.split_once('-').unwrap_or((range, range));
            let value = |digits| u32::from_str_radix(digits, 16).expect("hexadecimal");
            return Node::Range(value(low), value(high));
        }
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(self.rest.len());
        assert!(end > 0, "not understood: {}", self.rest);
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        Node::Rule(name.to_owned())
    }

    fn number(&mut self) -> Option<usize> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits.parse().ok()
    }

    fn take(&mut self, token: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(token) else { return false };
        self.rest = rest.trim_start();
        true
    }
}
