//! What became of every case, counted and told.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::cases::Case;
use crate::judge::{Failure, Verdict};
use crate::level::Level;
use crate::protocol::Hello;

/// A subject and its outcomes.
#[derive(Clone, Debug)]
pub struct Report {
    /// Who was asked.
    pub hello: Hello,
    /// One for each case, in order.
    pub outcomes: Vec<Outcome>,
}

/// What became of one case.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The case.
    pub id: String,
    /// Its level.
    pub level: Level,
    /// Its aspect.
    pub aspect: String,
    /// Why the case is there.
    pub why: String,
    /// What became of it.
    pub verdict: Verdict,
}

impl Outcome {
    pub(crate) fn new(case: &Case, verdict: Verdict) -> Self {
        let Case { id, level, aspect, why, .. } = case.clone();
        Self { id, level, aspect, why, verdict }
    }
}

/// How many cases came to what.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Count {
    /// Right.
    pub passed: usize,
    /// Wrong, or without an answer.
    pub failed: usize,
    /// Not asked, or not answered by the subject's own word.
    pub not_supported: usize,
}

impl Count {
    fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Failed(_) => self.failed += 1,
            Verdict::Passed => self.passed += 1,
            Verdict::Unsupported(_) => self.not_supported += 1,
        }
    }

    /// All of them.
    pub fn all(self) -> usize {
        self.passed + self.failed + self.not_supported
    }
}

impl Report {
    /// The counts of one level.
    pub fn level(&self, level: Level) -> Count {
        let mut count = Count::default();
        self.outcomes.iter().filter(|outcome| outcome.level == level).for_each(|outcome| count.add(&outcome.verdict));
        count
    }

    /// The counts of each level and aspect that has cases, in the order of the levels.
    pub fn aspects(&self) -> Vec<(Level, &'static str, Count)> {
        let mut counts: BTreeMap<(Level, usize), Count> = BTreeMap::new();
        for outcome in &self.outcomes {
            let place = outcome.level.aspects().iter().position(|&aspect| aspect == outcome.aspect).unwrap_or_default();
            counts.entry((outcome.level, place)).or_default().add(&outcome.verdict);
        }
        counts.into_iter().map(|((level, place), count)| (level, level.aspects()[place], count)).collect()
    }

    /// The cases that failed.
    pub fn failures(&self) -> impl Iterator<Item = (&Outcome, &Failure)> {
        self.outcomes.iter().filter_map(|outcome| match &outcome.verdict {
            Verdict::Failed(failure) => Some((outcome, failure)),
            Verdict::Passed | Verdict::Unsupported(_) => None,
        })
    }

    /// Whether no case failed.
    pub fn is_clean(&self) -> bool {
        self.failures().next().is_none()
    }

    /// The report for people, with at most so many failures.
    pub fn text(&self, most: usize) -> String {
        let Hello { name, version, language, note, .. } = &self.hello;
        let mut text = format!("{name} {version} ({language})\n");
        if let Some(note) = note {
            text.push_str(&format!("{note}\n"));
        }
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n{:<24}{:>8}{:>8}{:>15}", "", "passed", "failed", "not supported");
        let aspects = self.aspects();
        for level in Level::ALL {
            let count = self.level(level);
            if count.all() == 0 {
                continue;
            }
            row(&mut text, level.name(), count);
            for (_, aspect, count) in aspects.iter().filter(|(other, _, _)| *other == level) {
                row(&mut text, &format!("  {aspect}"), *count);
            }
        }
        let failed = self.failures().count();
        for (outcome, failure) in self.failures().take(most) {
            let Failure { input, expected, got } = failure;
            let _ = write!(
                text,
                "\nFAILED {}: {}\n  input     {input}\n  expected  {expected}\n  got       {got}\n",
                outcome.id, outcome.why
            );
        }
        if failed > most {
            let _ = writeln!(text, "\n{} more failures: --failures {failed} shows them", failed - most);
        }
        text
    }

    /// The report for programs.
    pub fn json(&self) -> String {
        let levels = Level::ALL.into_iter().filter(|&level| self.level(level).all() > 0);
        let aspects = self.aspects();
        let told = Told {
            subject: &self.hello,
            levels: levels
                .map(|level| ToldLevel {
                    level,
                    count: self.level(level),
                    aspects: aspects.iter().filter(|found| found.0 == level).map(|found| (found.1, found.2)).collect(),
                })
                .collect(),
            failures: self
                .failures()
                .map(|(outcome, Failure { input, expected, got })| ToldFailure {
                    id: &outcome.id,
                    why: &outcome.why,
                    input,
                    expected,
                    got,
                })
                .collect(),
            not_supported: self
                .outcomes
                .iter()
                .filter_map(|outcome| match &outcome.verdict {
                    Verdict::Unsupported(reason) => Some((outcome.id.as_str(), reason.as_str())),
                    Verdict::Failed(_) | Verdict::Passed => None,
                })
                .collect(),
        };
        serde_json::to_string_pretty(&told).expect("plain data is written without fail")
    }
}

fn row(text: &mut String, name: &str, count: Count) {
    let Count { passed, failed, not_supported } = count;
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{name:<24}{passed:>8}{failed:>8}{not_supported:>15}");
}

#[derive(Serialize)]
struct Told<'r> {
    subject: &'r Hello,
    levels: Vec<ToldLevel>,
    failures: Vec<ToldFailure<'r>>,
    not_supported: BTreeMap<&'r str, &'r str>,
}

#[derive(Serialize)]
struct ToldLevel {
    level: Level,
    #[serde(flatten)]
    count: Count,
    aspects: BTreeMap<&'static str, Count>,
}

#[derive(Serialize)]
struct ToldFailure<'r> {
    id: &'r str,
    why: &'r str,
    input: &'r str,
    expected: &'r str,
    got: &'r str,
}
