//! The report's text.

use std::fmt::Write as _;

use super::environment;
use super::{Bound, Target};
use crate::gate::{Counted, Counts, GROWTH, Grown, Trap};
use crate::measure::{ROUNDS, Spread};
use crate::payload;

/// One row a target, and how many "must" are missed. A target that nobody measured is missed.
pub(super) fn targets(targets: &[Target], found: &[(&'static str, Spread)]) -> (String, usize) {
    let mut table = String::from("| what | measured (least to greatest) | must | aim | |\n|---|--:|--:|--:|---|\n");
    let mut missed = 0;
    for Target { id, what, bound, must, aim } in targets {
        let spread = found.iter().find(|(known, _)| known == id).map(|(_, spread)| *spread);
        let (measured, word) = match spread {
            None => ("not measured".to_owned(), MISSED),
            Some(Spread { median, least, greatest }) => {
                let measured = format!("{} ({} to {})", number(median), number(least), number(greatest));
                (measured, judged(*bound, median, *must, *aim))
            }
        };
        missed += usize::from(word == MISSED);
        let sign = bound.sign();
        // Writing to a String cannot fail.
        let _ = writeln!(table, "| {what} | {measured} | {sign} {must} | {sign} {aim} | {word} |");
    }
    (table, missed)
}

pub(super) fn page(table: &str, tables: &str, counts: Option<&Counts>, aims: Option<&str>) -> String {
    let write = payload::write_file(256 << 10);
    let mut page = format!(
        "# Speed of argseal beside its peers\n\n\
         Written by `cargo run -p argseal-bench --release -- report`. Contenders take turns in one process, {ROUNDS} rounds; \
         times are thread time; a ratio is the median of the rounds' ratios, with the least and the greatest. \
         Absolute figures drift with the machine: only ratios count.\n\n\
         `argseal` reads, checks and keeps the text; a string with escapes is decoded when it is first looked at, and here \
         nobody looks. `argseal + take` looks after every delta at what is new in the content, `argseal + get` at all of \
         it. The targets are measured on `argseal`, where they do not say otherwise.\n\n\
         Payload: a `write_file` call of 256 KiB, {} bytes of JSON text, seeded text that reads like source code, \
         {:.1} escapes per 1000 bytes.\n\n\
         Peers, as the lock file has them: {}.\n\n## Targets\n\n{table}\n{}\n\n",
        write.len(),
        payload::escapes_per_kilobyte(&write),
        environment::peers().join(", "),
        environment::sentence(),
    );
    if let Some(aims) = aims {
        let _ = writeln!(page, "## What stands in the way of the aims\n\n{}\n", aims.trim());
    }
    page.push_str("## Instructions (callgrind)\n\n");
    match counts {
        None => page.push_str("valgrind is not here: not counted.\n\n"),
        Some(counts) => instructions(counts, &mut page),
    }
    page.push_str(tables.trim_end());
    page.push('\n');
    page
}

fn instructions(counts: &Counts, page: &mut String) {
    page.push_str("| workload | counted | must | aim | |\n|---|--:|--:|--:|---|\n");
    for Counted { workload, instructions } in &counts.workloads {
        let (limit, aim) = (workload.limit, workload.aim);
        let word = judged(Bound::AtMost, *instructions, limit, aim);
        let (name, per) = (&workload.name, workload.per.name());
        let _ = writeln!(page, "| {name} | {instructions:.2} a {per} | ≤ {limit} | ≤ {aim} | {word} |");
    }
    let _ = writeln!(
        page,
        "\nInputs on which careless code is quadratic, at two sizes:\n\n\
         | input | sizes | times the work | must | |\n|---|--:|--:|--:|---|"
    );
    for Grown { trap: Trap { name, size }, times, limit } in &counts.traps {
        let word = if times <= limit { "must" } else { MISSED };
        let _ = writeln!(page, "| {name} | {size}, {} | {times:.2} | ≤ {limit} | {word} |", size * GROWTH);
    }
    page.push('\n');
}

fn judged(bound: Bound, measured: f64, must: f64, aim: f64) -> &'static str {
    match (bound.holds(measured, must), bound.holds(measured, aim)) {
        (false, _) => MISSED,
        (true, false) => "must",
        (true, true) => "must, aim",
    }
}

const MISSED: &str = "**missed**";

fn number(value: f64) -> String {
    if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_met_missed_or_not_measured() {
        let target = |id: &str, bound| Target { id: id.into(), what: id.into(), bound, must: 2.0, aim: 1.5 };
        let spread = |median: f64| Spread { median, least: 1.0, greatest: 400.0 };
        let all = [target("a", Bound::AtMost), target("b", Bound::AtMost), target("c", Bound::AtLeast)];
        let (table, missed) = targets(&all, &[("a", spread(1.75)), ("c", spread(1.75))]);
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(
            rows,
            [
                "| a | 1.75 (1.00 to 400) | ≤ 2 | ≤ 1.5 | must |",
                "| b | not measured | ≤ 2 | ≤ 1.5 | **missed** |",
                "| c | 1.75 (1.00 to 400) | ≥ 2 | ≥ 1.5 | **missed** |",
            ]
        );
        assert_eq!(missed, 2);
    }

    #[test]
    fn the_page_has_the_aims_where_there_are_any() {
        let page = |aims| page("", "", None, aims);
        assert!(page(Some("Escapes.\n")).contains("## What stands in the way of the aims\n\nEscapes.\n\n## Instr"));
        assert!(!page(None).contains("in the way"));
    }
}
