//! Enough of ABNF (RFC 5234, RFC 7405) to derive random sentences of a grammar, and to recognize them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::random::Random;

/// A grammar: rules by name.
pub struct Grammar {
    rules: BTreeMap<String, Node>,
    /// The rules and, by number, the choices that were derived so far.
    derived: RefCell<BTreeSet<(String, usize)>>,
}

enum Node {
    /// One of these; the number of the first.
    Choice(Vec<Self>, usize),
    /// A character of one of these ranges.
    Range(u32, u32),
    /// Another rule.
    Rule(String),
    /// As often as from `.1` to `.2` times.
    Repeat(Box<Self>, usize, Option<usize>),
    /// One after the other.
    Sequence(Vec<Self>),
    Text(String, Case),
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Case {
    Either,
    Written,
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
        let mut choices = 0;
        let rules: BTreeMap<String, Node> = rules
            .into_iter()
            .map(|(name, rule)| {
                let mut reader = Reader { rest: rule.trim_start(), choices };
                let node = reader.choice();
                assert!(reader.rest.is_empty(), "{name}: not read: {}", reader.rest);
                choices = reader.choices;
                (name, node)
            })
            .collect();
        assert_eq!(rules.len(), count, "a rule stands twice");
        let grammar = Self { rules, derived: RefCell::default() };
        grammar.rules.values().for_each(|rule| grammar.check(rule));
        grammar
    }

    /// The rules and choices of which no sentence was derived yet.
    pub fn left(&self) -> Vec<String> {
        let mut all = BTreeSet::new();
        for (name, rule) in &self.rules {
            all.insert((name.clone(), usize::MAX));
            count(rule, name, &mut all);
        }
        let derived = self.derived.borrow();
        all.difference(&derived).map(|(name, choice)| format!("{name}, choice {choice}")).collect()
    }

    /// A random sentence of the rule. The deeper, the shorter.
    pub fn derive(&self, rule: &str, random: &mut Random) -> String {
        let mut out = String::new();
        self.write(rule, &self.rules[rule], random, 0, &mut out);
        self.derived.borrow_mut().insert((rule.to_owned(), usize::MAX));
        out
    }

    /// Whether the text is a sentence of the rule.
    pub fn matches(&self, rule: &str, text: &str) -> bool {
        let characters: Vec<char> = text.chars().collect();
        self.ends(&self.rules[rule], &characters, &BTreeSet::from([0])).contains(&characters.len())
    }

    /// Where the node may end that begins at one of these places.
    fn ends(&self, node: &Node, text: &[char], starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        if starts.is_empty() {
            return BTreeSet::new();
        }
        match node {
            Node::Choice(nodes, _) => nodes.iter().flat_map(|node| self.ends(node, text, starts)).collect(),
            Node::Range(low, high) => {
                let fits = |start: &&usize| text.get(**start).is_some_and(|&c| (*low..=*high).contains(&u32::from(c)));
                starts.iter().filter(fits).map(|start| start + 1).collect()
            }
            Node::Repeat(node, least, most) => {
                let (mut ends, mut last, mut times) = (BTreeSet::new(), starts.clone(), 0);
                loop {
                    if times >= *least {
                        // What was there before leads nowhere new.
                        last = last.difference(&ends).copied().collect();
                        ends.extend(&last);
                    }
                    if last.is_empty() || most.is_some_and(|most| times >= most) {
                        return ends;
                    }
                    last = self.ends(node, text, &last);
                    times += 1;
                }
            }
            Node::Rule(name) => self.ends(&self.rules[name], text, starts),
            Node::Sequence(nodes) => nodes.iter().fold(starts.clone(), |starts, node| self.ends(node, text, &starts)),
            Node::Text(word, case) => {
                let word: Vec<char> = word.chars().collect();
                let same = |a: &char, b: &char| a == b || *case == Case::Either && a.eq_ignore_ascii_case(b);
                let fits = |start: &&usize| {
                    let there = text.get(**start..**start + word.len());
                    there.is_some_and(|there| there.iter().zip(&word).all(|(a, b)| same(a, b)))
                };
                starts.iter().filter(fits).map(|start| start + word.len()).collect()
            }
        }
    }

    fn check(&self, node: &Node) {
        match node {
            Node::Choice(nodes, _) | Node::Sequence(nodes) => nodes.iter().for_each(|node| self.check(node)),
            Node::Repeat(node, ..) => self.check(node),
            Node::Rule(name) => assert!(self.rules.contains_key(name), "no rule is called {name}"),
            Node::Range(..) | Node::Text(..) => {}
        }
    }

    fn write(&self, rule: &str, node: &Node, random: &mut Random, depth: usize, out: &mut String) {
        const DEEP: usize = 24;
        match node {
            // Deep down only what comes last, which recurs in no rule of this grammar.
            Node::Choice(nodes, first) => {
                let last = nodes.len() - 1;
                let choice = if depth > DEEP { last } else { random.below(nodes.len()) };
                self.derived.borrow_mut().insert((rule.to_owned(), first + choice));
                self.write(rule, &nodes[choice], random, depth + 1, out);
            }
            Node::Range(low, high) => {
                // The ends of a range are where mistakes are.
                let character = match random.below(6) {
                    0 => *low,
                    1 => *high,
                    _ => low + random.below((high - low + 1) as usize) as u32,
                };
                out.push(char::from_u32(character).expect("a scalar value"));
            }
            Node::Rule(name) => {
                self.derived.borrow_mut().insert((name.clone(), usize::MAX));
                self.write(name, &self.rules[name], random, depth + 1, out);
            }
            Node::Repeat(node, least, most) => {
                let more = if depth > DEEP { 0 } else { random.below(4) };
                let times = most.map_or(least + more, |most| (least + more).min(most));
                for _ in 0..times {
                    self.write(rule, node, random, depth + 1, out);
                }
            }
            Node::Sequence(nodes) => {
                for node in nodes {
                    self.write(rule, node, random, depth + 1, out);
                }
            }
            Node::Text(text, Case::Either) if random.below(2) == 0 => out.push_str(&text.to_ascii_lowercase()),
            Node::Text(text, _) => out.push_str(text),
        }
    }
}

fn count(node: &Node, rule: &str, all: &mut BTreeSet<(String, usize)>) {
    match node {
        Node::Choice(nodes, first) => {
            all.extend((0..nodes.len()).map(|i| (rule.to_owned(), first + i)));
            nodes.iter().for_each(|node| count(node, rule, all));
        }
        Node::Sequence(nodes) => nodes.iter().for_each(|node| count(node, rule, all)),
        Node::Repeat(node, ..) => count(node, rule, all),
        Node::Range(..) | Node::Rule(_) | Node::Text(..) => {}
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
    /// Choices read so far.
    choices: usize,
}

impl Reader<'_> {
    fn choice(&mut self) -> Node {
        let mut choices = vec![self.sequence()];
        while self.take("/") {
            choices.push(self.sequence());
        }
        if choices.len() == 1 {
            return choices.remove(0);
        }
        self.choices += choices.len();
        let first = self.choices - choices.len();
        Node::Choice(choices, first)
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
        let case = if self.take("%s") { Case::Written } else { Case::Either };
        if let Some(quoted) = self.rest.strip_prefix('"') {
            let (text, rest) = quoted.split_once('"').expect("a closing quote");
            self.rest = rest.trim_start();
            return Node::Text(text.to_owned(), case);
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
