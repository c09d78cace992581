//! Silent corruption, measured: valid calls of twelve tools, each damaged in one of twenty ways.
//!
//! What anyone can see to be damaged (the text is not JSON, or not what the schema asks for) never runs with another
//! executed value. `ARGSEAL_DUMP_DAMAGE=FILE` writes the calls as NDJSON, for the scripts in `benches/peers`.

use std::collections::BTreeMap;
use std::io::Write;

use argseal::{End, Judgement, Policy, Settings, Verdict, judge};
use argseal_laws::generate::{Damage, Damaged, Draw, Effect, Meant, owned, seeded};
use serde_json::json;

const CALLS_PER_KIND: u64 = 1200;

const DOCUMENT: &str = include_str!("../docs/damage.md");
const README: &str = include_str!("../README.md");
const SECURITY: &str = include_str!("../SECURITY.md");

const COLUMNS: [Effect; 6] =
    [Effect::Equal, Effect::Rejected, Effect::Decorative, Effect::Completed, Effect::CompletedEarly, Effect::Executed];

#[derive(Default)]
struct Row {
    detectable: BTreeMap<usize, u32>,
    hidden: BTreeMap<usize, u32>,
}

impl Row {
    fn count(&mut self, detectable: bool, effect: Effect) {
        let counts = if detectable { &mut self.detectable } else { &mut self.hidden };
        *counts.entry(index(effect)).or_default() += 1;
    }

    /// Its row in `docs/damage.md`.
    fn told(&self, name: &str) -> String {
        let cells = |counts: &BTreeMap<usize, u32>| {
            COLUMNS.map(|column| counts.get(&index(column)).copied().unwrap_or_default())
        };
        let [equal, rejected, decorative, completed, early, executed] = cells(&self.detectable);
        let [known, refused, other, none, never, unseen] = cells(&self.hidden);
        assert_eq!((none, never), (0, 0), "{name}: a program is completed that is valid");
        let (seen, hidden) = (self.detectable.values().sum::<u32>(), self.hidden.values().sum::<u32>());
        format!(
            "| {name} | {seen} | {equal} | {rejected} | {decorative} | {completed} + {early} | **{executed}** \
             | {hidden} | {known} | {refused} | {other} | {unseen} |"
        )
    }

    /// Its row beside the peers: of what is detectable, and of the rest.
    fn told_beside_peers(&self, name: &str) -> [String; 2] {
        let row = self.told("");
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let completed = if cells[5] == "0 + 0" { "–" } else { cells[5] };
        let seen = format!("| {name} | {} | {} | {} | {completed} |", cells[2], cells[3], cells[4]);
        let hidden = cells[8..].join(" | ");
        [format!("{seen} {} | {hidden} | 0 |", cells[6].trim_matches('*')), format!("{seen} ")]
    }
}

fn index(effect: Effect) -> usize {
    COLUMNS.iter().position(|column| *column == effect).expect("a column")
}

/// The document holds what was measured.
#[track_caller]
fn stands_in(document: &str, text: &str, row: &str) {
    assert!(text.contains(row), "{document} does not hold what is measured: {row}");
}

fn damaged(kind: usize, number: u64, bytes: &mut Vec<u8>) -> Damaged<'static> {
    // Not every call has a place for every damage: the next is drawn.
    for again in 0.. {
        *bytes = seeded((kind as u64) << 40 | number << 12 | again);
        let mut draw = Draw::of(bytes);
        let owned = draw.pick(owned());
        if let Some(damaged) = Damaged::of(&mut draw, owned, Damage::ALL[kind]) {
            return damaged;
        }
    }
    unreachable!("some call has a place for every damage")
}

fn measured(policy: Policy) -> Vec<Row> {
    let settings = Settings::default().with_policy(policy).with_judgement(Judgement::Schema);
    let mut bytes = Vec::new();
    let mut rows = Vec::new();
    for kind in 0..Damage::ALL.len() {
        let mut row = Row::default();
        for number in 0..CALLS_PER_KIND {
            let damaged = damaged(kind, number, &mut bytes);
            let (detectable, effect) = (damaged.is_detectable(), damaged.effect(&settings));
            if detectable && effect == Effect::Executed {
                println!(
                    "{}: meant {}\nsent  {}",
                    damaged.damage.name(),
                    damaged.meant.text,
                    damaged.text().escape_ascii()
                );
            }
            row.count(detectable, effect);
        }
        rows.push(row);
    }
    rows
}

fn report(policy: Policy) {
    println!("\n{policy:?}: {} calls of {} tools", CALLS_PER_KIND * Damage::ALL.len() as u64, owned().len());
    println!(
        "| damage | detectable | equal | rejected | decorative | completed | **executed differs** | undetectable | equal | rejected | decorative | executed differs |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let rows = measured(policy);
    let mut sum = Row::default();
    for (damage, row) in Damage::ALL.iter().zip(&rows) {
        let told = row.told(damage.name());
        println!("{told}");
        if policy == Policy::Full || matches!(damage, Damage::Alias | Damage::Wrapper) {
            stands_in("docs/damage.md", DOCUMENT, &told);
        }
        let hidden: u32 = row.hidden.values().sum();
        if hidden > 0 {
            let percent = |part: u32, of: u32| format!("{} %", (100 * part + of / 2) / of);
            let executed = row.hidden.get(&index(Effect::Executed)).copied().unwrap_or_default();
            let line =
                SECURITY.lines().find(|line| line.starts_with(&format!("| {} ", damage.name()))).expect("a line");
            let share = percent(hidden, CALLS_PER_KIND as u32);
            stands_in("SECURITY.md", line, &format!("| {share} | {}", percent(executed, hidden)));
        }
        for (all, some) in [(&mut sum.detectable, &row.detectable), (&mut sum.hidden, &row.hidden)] {
            for (column, count) in some {
                *all.entry(*column).or_default() += count;
            }
        }
    }
    let told = sum.told("**all**");
    println!("{told}");
    stands_in("docs/damage.md", DOCUMENT, &told);
    let [beside, summary] = sum.told_beside_peers(&format!("**argseal**, `{}`", format!("{policy:?}").to_lowercase()));
    stands_in("docs/damage.md", DOCUMENT, &beside);
    stands_in("README.md", README, &format!("{summary}**0** | 0 |"));
    let last = COLUMNS.len() - 1;
    assert_eq!(sum.detectable.get(&last), None, "a detectable damage runs with another executed value");
    let all: u32 = sum.detectable.values().chain(sum.hidden.values()).sum();
    assert!(all >= 20_000);
    // The measure must be able to fail: what cannot be detected does run with other values.
    assert!(sum.hidden.get(&last).is_some_and(|count| *count > 100), "undetectable damages are drawn");
    assert!(sum.detectable.values().sum::<u32>() > all / 2, "most damages are detectable");
    for (column, effect) in COLUMNS.iter().enumerate().take(last) {
        assert!(sum.detectable.get(&column).is_some_and(|count| *count > 0), "{effect:?} is not reached");
    }
}

#[test]
fn no_detectable_damage_executes_another_value() {
    report(Policy::Narrow);
}

#[test]
fn no_detectable_damage_executes_another_value_when_shapes_are_put_right() {
    report(Policy::Full);
}

#[test]
fn untouched_calls_are_not_altered() {
    let settings = Settings::default().with_policy(Policy::Full).with_judgement(Judgement::Schema);
    for seed in 0..CALLS_PER_KIND * Damage::ALL.len() as u64 {
        let bytes = seeded(seed);
        let mut draw = Draw::of(&bytes);
        let owned = draw.pick(owned());
        let meant = Meant::of(&mut draw, owned);
        let mut call = argseal::Call::new(&owned.tool).with_settings(&settings);
        call.feed(&meant.text);
        let accepted = call.finish(End::Complete).expect("an untouched call is accepted");
        assert_eq!((accepted.verdict(), accepted.text()), (Verdict::Strict, meant.text.as_str()));
        assert_eq!(accepted.into_value().expect("a value"), meant.value());
        assert!(judge(&owned.tool, &meant.text, End::Complete).is_ok());
    }
}

/// What a harness without argseal can do: `serde_json`, and the schema. It runs nothing that is detectable by definition.
#[test]
fn serde_json_and_validation_for_comparison() {
    let mut bytes = Vec::new();
    let mut row = Row::default();
    for kind in 0..Damage::ALL.len() {
        for number in 0..CALLS_PER_KIND {
            let damaged = damaged(kind, number, &mut bytes);
            let detectable = damaged.is_detectable();
            let effect = match serde_json::from_slice(&damaged.text()) {
                Ok(value) if !detectable => damaged.compare(&value),
                _ => Effect::Rejected,
            };
            row.count(detectable, effect);
            let control = serde_json::from_str(&damaged.meant.text).expect("JSON");
            assert_eq!(damaged.compare(&control), Effect::Equal);
        }
    }
    let [beside, summary] = row.told_beside_peers("serde_json + validation");
    println!("{beside}");
    stands_in("docs/damage.md", DOCUMENT, &beside);
    stands_in("README.md", README, &format!("{summary}0 | 0 |"));
    // What the README has of the peers is what `docs/damage.md` has, versions apart.
    let peers: Vec<&str> = README.lines().filter(|line| line.contains(" | – | ")).collect();
    assert!(peers.len() >= 9, "{peers:?}");
    for line in peers {
        let (name, cells) = line.trim_start_matches("| ").split_once(" | ").expect("cells");
        let (counts, _) = cells.rsplit_once(" | ").expect("controls");
        let same = |row: &&str| row.starts_with(&format!("| {name} ")) && row.contains(&format!(" | {counts} | "));
        assert!(DOCUMENT.lines().any(|row| same(&row)), "docs/damage.md does not hold {line}");
    }
}

/// The calls for the peers; nothing without the variable.
#[test]
fn the_calls_are_written_where_asked() {
    let Some(path) = std::env::var_os("ARGSEAL_DUMP_DAMAGE") else { return };
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).expect("a file"));
    let mut bytes = Vec::new();
    for (kind, damage) in Damage::ALL.iter().enumerate() {
        for number in 0..CALLS_PER_KIND {
            let damaged = damaged(kind, number, &mut bytes);
            let line = json!({
                "damage": damage.name(),
                "tool": damaged.owned.definition,
                "text": String::from_utf8_lossy(&damaged.text()),
                "end": format!("{:?}", damaged.end),
                "meant": damaged.meant.value(),
                "detectable": damaged.is_detectable(),
                "control": damaged.meant.text,
            });
            writeln!(file, "{line}").expect("written");
        }
    }
}
