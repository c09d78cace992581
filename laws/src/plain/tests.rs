//! The engine agrees with the plain interpreter, and doubles that do not are noticed.

use super::*;
use crate::tests::{Spoiler, fails};

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
        let mut plain = Plain::default();
        plain.read(&text);
        broken += usize::from(plain.stopped.is_some());
        // Each way to read at cuts of its own.
        for way in [Way::Heard, Way::Unwatched, Way::Watched] {
            let most = [1, 3, 20, 40, 400][random.below(5)];
            let mut cuts = vec![random.below(most)];
            while cuts.last().is_some_and(|&last| last < text.len()) {
                let next = cuts[cuts.len() - 1] + 1 + random.below(most);
                cuts.push(if way == Way::Unwatched { next } else { text.ceil_char_boundary(next) });
            }
            reads_plainly_of(|pieces| readings(pieces, way), &text, &cuts);
        }
    }
    assert!((20_000..90_000).contains(&broken), "{broken} of the mutants are broken");
}

#[test]
fn every_difference_is_noticed() {
    let text = r#"{"a":[1,"b\u00e9"],"c":tru x"#;
    let cuts = [3, 9, 16];
    reads_plainly(text, &cuts);
    let spoilers: [Spoiler<Reading>; 6] = [
        ("other events", |seen| seen.events = seen.events.take().map(|events| events[1..].to_vec())),
        ("other values", |seen| {
            seen.values.pop();
        }),
        ("other values", |seen| seen.values[0].closed = true),
        ("another open string", |seen| seen.open = Some((String::new(), String::new()))),
        ("another stop", |seen| seen.stopped = None),
        ("ends elsewhere", |seen| seen.complete = true),
    ];
    for (reason, spoil) in spoilers {
        let broken = |pieces: &[&[u8]]| {
            let mut seen = readings(pieces, Way::Heard);
            seen.iter_mut().rev().take(1).flatten().for_each(spoil);
            seen
        };
        fails(reason, || reads_plainly_of(broken, text, &cuts));
    }
    // Shows nothing before it is complete.
    let late = |pieces: &[&[u8]]| {
        let mut seen = readings(pieces, Way::Watched);
        seen.iter_mut().flatten().for_each(|seen| seen.values.retain(|value| value.closed));
        seen
    };
    fails("other values", || reads_plainly_of(late, text, &cuts));
    fails("not looked at", || reads_plainly_of(|pieces| vec![None; pieces.len()], text, &cuts));
}
