//! The report: every measure against its target, in one process.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use argseal::Call;
use serde::Deserialize;

use crate::contender::{self, whole};
use crate::gate::{self, Counted, Per};
use crate::heap;
use crate::measure::{Contender, ROUNDS, Samples, Spread, interleaved};
use crate::payload::{self, Cut};
use crate::svg;

#[derive(Deserialize)]
struct Targets {
    target: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    id: String,
    what: String,
    bound: Bound,
    must: f64,
    aim: f64,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Bound {
    AtLeast,
    AtMost,
}

/// What a contender does with the deltas; the result keeps the work from being left out.
type Work = fn(&[&str]) -> usize;

impl Bound {
    fn holds(self, measured: f64, target: f64) -> bool {
        match self {
            Self::AtLeast => measured >= target,
            Self::AtMost => measured <= target,
        }
    }
}

/// What was measured, by the target's id.
struct Measures {
    found: Vec<(&'static str, Spread)>,
    tables: String,
    curves: Vec<svg::Curve>,
}

/// Measures everything and writes `REPORT.md` and `report.svg` beside the targets.
pub fn write() -> ExitCode {
    let targets: Targets = toml::from_str(include_str!("../targets.toml")).expect("targets.toml is well-formed");
    let mut measures = Measures { found: Vec::new(), tables: String::new(), curves: Vec::new() };
    measures.by_delta();
    measures.plain();
    measures.again();
    measures.whole();
    measures.size();
    measures.calls();
    measures.memory();
    measures.chinese();
    let counted = gate::counts();

    let (table, missed) = rows(&targets.target, &measures);
    let text = page(&table, &measures.tables, counted.as_deref());
    print!("{text}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let written = std::fs::write(folder.join("REPORT.md"), text)
        .and_then(|()| std::fs::write(folder.join("report.svg"), svg::chart(&measures.curves)));
    match written {
        Ok(()) if missed == 0 => ExitCode::SUCCESS,
        Ok(()) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("the report cannot be written: {error}");
            ExitCode::from(2)
        }
    }
}

/// One row a target, and how many "must" are missed.
fn rows(targets: &[Target], measures: &Measures) -> (String, usize) {
    let mut table = String::from("| what | measured (least to greatest) | must | aim | |\n|---|--:|--:|--:|---|\n");
    let mut missed = 0;
    for target in targets {
        let Some((_, spread)) = measures.found.iter().find(|(id, _)| *id == target.id) else { continue };
        let must = target.bound.holds(spread.median, target.must);
        let aim = target.bound.holds(spread.median, target.aim);
        missed += usize::from(!must);
        let word = match (must, aim) {
            (false, _) => "**missed**",
            (true, false) => "must",
            (true, true) => "must, aim",
        };
        let sign = if target.bound == Bound::AtMost { "≤" } else { "≥" };
        let Spread { median, least, greatest } = *spread;
        let number = |value: f64| if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") };
        let _ = writeln!(
            table,
            "| {} | {} ({} to {}) | {sign} {} | {sign} {} | {word} |",
            target.what,
            number(median),
            number(least),
            number(greatest),
            target.must,
            target.aim
        );
    }
    (table, missed)
}

fn page(table: &str, tables: &str, counted: Option<&[Counted]>) -> String {
    let write = payload::write_file(256 << 10);
    let mut page = format!(
        "# Speed of argseal beside its peers\n\n\
         Written by `cargo run -p argseal-bench --release -- report`. Contenders take turns in one process, {ROUNDS} rounds; \
         times are thread time; a ratio is the median of the rounds' ratios, with the least and the greatest. \
         Absolute figures drift with the machine: only ratios count.\n\n\
         `argseal` reads, checks and keeps the text; a string with escapes is decoded when it is first looked at, and here \
         nobody looks. `argseal + take` looks after every delta. The targets are measured on the former.\n\n\
         Payload: a `write_file` call of 256 KiB, {} bytes of JSON text, seeded text that reads like source code, \
         {:.1} escapes per 1000 bytes.\n\n\
         Peers: {}.\n\n## Targets\n\n{table}\n",
        write.len(),
        payload::escapes_per_kilobyte(&write),
        PEERS.join(", "),
    );
    page.push_str("## Instructions (callgrind)\n\n");
    match counted {
        None => page.push_str("valgrind is not here: not counted.\n\n"),
        Some(counted) => {
            page.push_str("| workload | counted | must | aim |\n|---|--:|--:|--:|\n");
            for Counted { workload, instructions } in counted {
                let per = if workload.per == Per::Byte { "byte" } else { "delta" };
                let _ = writeln!(
                    page,
                    "| {} | {instructions:.2} a {per} | ≤ {} | ≤ {} |",
                    workload.name, workload.limit, workload.aim
                );
            }
            page.push('\n');
        }
    }
    page.push_str(tables);
    page
}

const PEERS: &[&str] = &[
    "actson 2.1.0",
    "jiter 0.19.0",
    "jsonmodem 0.1.0",
    "partial-json-fixer 0.5.5",
    "serde_json 1",
    "simd-json 0.19.0",
    "sonic-rs 0.5.10",
];

impl Measures {
    fn ratio(&mut self, id: &'static str, spread: Spread) {
        self.found.push((id, spread));
    }

    /// The 256 KiB write at every delta size.
    fn by_delta(&mut self) {
        let text = payload::write_file(256 << 10);
        let cuts = [
            (Cut::Every(1), None, None, None),
            (Cut::Every(4), Some("append-4"), Some("serde-4"), None),
            (Cut::Between(3, 20), Some("append-3-20"), Some("serde-3-20"), Some("actson-3-20")),
            (Cut::Every(16), Some("append-16"), Some("serde-16"), Some("actson-16")),
            (Cut::Every(64), None, None, Some("actson-64")),
            (Cut::Every(256), None, Some("serde-256"), None),
            (Cut::Every(4096), None, Some("serde-4096"), Some("actson-4096")),
        ];
        self.tables.push_str("## 256 KiB write, ns a delta (median)\n\n");
        for (i, (cut, append, serde, actson)) in cuts.into_iter().enumerate() {
            let deltas = payload::deltas(&text, cut);
            let samples = interleaved(vec![
                Contender::new("argseal", deltas.len(), || contender::argseal(&deltas)),
                Contender::new("append", deltas.len(), || contender::append(&deltas)),
                Contender::new("accumulate + serde_json", deltas.len(), || contender::accumulate_serde_json(&deltas)),
                Contender::new("accumulate + sonic-rs", deltas.len(), || contender::accumulate_sonic_rs(&deltas)),
                Contender::new("actson", deltas.len(), || contender::actson(&deltas)),
                Contender::new("argseal + take", deltas.len(), || contender::argseal_watched(&deltas)),
            ]);
            if let Some(id) = append {
                self.ratio(id, samples[0].over(&samples[1]));
            }
            if let Some(id) = serde {
                let faster = matches!(cut, Cut::Every(256..));
                let (a, b) = if faster { (2, 0) } else { (0, 2) };
                self.ratio(id, samples[a].over(&samples[b]));
            }
            if let Some(id) = actson {
                self.ratio(id, samples[4].over(&samples[0]));
            }
            self.row(i == 0, &cut.to_string(), &samples);
            if let Cut::Every(bytes) = cut {
                svg::add(&mut self.curves, bytes, &samples);
            }
        }
        self.tables.push('\n');
    }

    /// Nothing but string text: the shortest path.
    fn plain(&mut self) {
        let text = payload::plain(256 << 10);
        let deltas = payload::deltas(&text, Cut::Between(4, 16));
        let samples = interleaved(vec![
            Contender::new("argseal", deltas.len(), || contender::argseal(&deltas)),
            Contender::new("append", deltas.len(), || contender::append(&deltas)),
        ]);
        self.ratio("append-plain", samples[0].over(&samples[1]));
        self.tables.push_str("## 256 KiB without escapes, ns a delta (median)\n\n");
        self.row(true, "4-16 B", &samples);
        self.tables.push('\n');
    }

    /// The buffer parsed again at every delta, and the other streaming parsers.
    fn again(&mut self) {
        self.tables.push_str("## The live view by re-parsing, 16 B deltas, ns a delta (median)\n\n");
        let payloads = [
            ("jiter-300", "300 B", payload::shell()),
            ("jiter-4k", "4 KiB", payload::write_file(4 << 10)),
            ("jiter-256k", "256 KiB", payload::write_file(256 << 10)),
        ];
        for (i, (id, size, text)) in payloads.iter().enumerate() {
            let deltas = payload::deltas(text, Cut::Every(16));
            let looked = contender::looked(deltas.len(), LOOKS);
            let mut contenders = vec![
                Contender::new("argseal", deltas.len(), || contender::argseal(&deltas)),
                Contender::new("jiter", looked, || contender::jiter(&deltas, LOOKS)),
                Contender::new("partial-json-fixer + serde_json", looked, || {
                    contender::partial_json_fixer(&deltas, LOOKS)
                }),
            ];
            // It takes minutes on the longest one: it is quadratic in one string.
            if text.len() < 100_000 {
                contenders.push(Contender::new("jsonmodem", deltas.len(), || contender::jsonmodem(&deltas)));
            }
            let samples = interleaved(contenders);
            self.ratio(id, samples[1].over(&samples[0]));
            self.row(i == 0, size, &samples);
        }
        self.tables.push('\n');
    }

    /// The whole text in one delta, beside the parsers that make a value of it.
    fn whole(&mut self) {
        self.tables.push_str("## Whole text in one delta, µs a text (median)\n\n");
        let payloads = [
            ("256 KiB write", payload::write_file(256 << 10)),
            ("64 KiB nested", payload::nested(64 << 10)),
            ("300 B shell", payload::shell()),
            ("64 KiB \\u escapes", payload::escaped(64 << 10)),
        ];
        for (i, (what, text)) in payloads.iter().enumerate() {
            let samples = interleaved(vec![
                Contender::new("argseal", 1000, || whole::argseal(text)),
                Contender::new("serde_json", 1000, || whole::serde_json(text)),
                Contender::new("sonic-rs", 1000, || whole::sonic_rs(text)),
                Contender::new("simd-json", 1000, || whole::simd_json(text)),
                Contender::new("jiter", 1000, || whole::jiter(text)),
            ]);
            match i {
                0 => {
                    let best = samples[1..]
                        .iter()
                        .min_by(|a, b| a.spread().median.total_cmp(&b.spread().median))
                        .expect("there are peers");
                    self.ratio("whole-write", best.over(&samples[0]));
                }
                1 => {
                    self.ratio("whole-nested-serde", samples[1].over(&samples[0]));
                    self.ratio("whole-nested-sonic", samples[2].over(&samples[0]));
                }
                _ => {}
            }
            self.row(i == 0, what, &samples);
        }
        self.tables.push('\n');
    }

    /// A text 32 times as long costs no more a delta.
    fn size(&mut self) {
        let (short, long) = (payload::write_file(256 << 10), payload::write_file(8 << 20));
        let (few, many) = (payload::deltas(&short, Cut::Between(3, 20)), payload::deltas(&long, Cut::Between(3, 20)));
        let samples = interleaved(vec![
            Contender::new("256 KiB", few.len(), || contender::argseal(&few)),
            Contender::new("8 MiB", many.len(), || contender::argseal(&many)),
        ]);
        self.ratio("linear", samples[1].over(&samples[0]));
    }

    /// Many calls in turns, as a gateway has them.
    fn calls(&mut self) {
        let text = payload::write_file(4 << 10);
        let deltas = payload::deltas(&text, Cut::Between(3, 20));
        let samples = interleaved(vec![
            Contender::new("one", deltas.len() * CALLS, || (0..CALLS).map(|_| contender::argseal(&deltas)).sum()),
            Contender::new("interleaved", deltas.len() * CALLS, || {
                let mut calls: Vec<Call> = std::iter::repeat_with(Call::default).take(CALLS).collect();
                for delta in &deltas {
                    for call in &mut calls {
                        call.feed(std::hint::black_box(delta));
                    }
                }
                calls.iter().map(|call| call.raw().len()).sum()
            }),
        ]);
        self.ratio("calls", samples[1].over(&samples[0]));
    }

    fn memory(&mut self) {
        let exact = |value: f64| Spread { median: value, least: value, greatest: value };
        let text = payload::write_file(256 << 10);
        let deltas = payload::deltas(&text, Cut::Every(16));
        let (_, counts) = heap::counted(|| contender::argseal(&deltas));
        self.ratio("peak", exact((counts.peak as f64 - 8192.0) / text.len() as f64));
        self.ratio("allocations", exact(counts.allocations as f64 / deltas.len() as f64));
        let (call, _) = heap::counted(|| {
            let mut call = Call::default();
            call.feed(r#"{"path":"src/server/handlers.ts","content":"import"#);
            call
        });
        self.ratio("idle", exact((size_of::<Call>() + call.heap_bytes()) as f64));
        self.tables.push_str("## Peak heap over payload and allocations a delta, 256 KiB, 16 B deltas\n\n| | peak | allocations |\n|---|--:|--:|\n");
        let peers: [(&str, Work); 6] = [
            ("argseal", contender::argseal),
            ("argseal + take", contender::argseal_watched),
            ("append", contender::append),
            ("accumulate + serde_json", contender::accumulate_serde_json),
            ("accumulate + sonic-rs", contender::accumulate_sonic_rs),
            ("actson", contender::actson),
        ];
        for (name, work) in peers {
            let (_, counts) = heap::counted(|| work(&deltas));
            let (peak, each) =
                (counts.peak as f64 / text.len() as f64, counts.allocations as f64 / deltas.len() as f64);
            let _ = writeln!(self.tables, "| {name} | {peak:.2} | {each:.4} |");
        }
        self.tables.push('\n');
    }

    fn chinese(&mut self) {
        let text = payload::chinese(256 << 10);
        let deltas = payload::deltas(&text, Cut::Between(3, 20));
        let samples = interleaved(vec![
            Contender::new("argseal", deltas.len(), || contender::argseal(&deltas)),
            Contender::new("append", deltas.len(), || contender::append(&deltas)),
        ]);
        self.ratio("cjk-text", samples[0].over(&samples[1]));
        let bytes = payload::byte_deltas(&text, Cut::Between(3, 20));
        let cut = interleaved(vec![
            Contender::new("argseal", bytes.len(), || contender::argseal_bytes(&bytes)),
            Contender::new("append", bytes.len(), || contender::append_bytes(&bytes)),
        ]);
        self.ratio("cjk-bytes", cut[0].over(&cut[1]));
        self.tables.push_str("## 256 KiB Chinese, 3-20 B deltas, ns a delta (median)\n\n");
        self.row(true, "text", &samples);
        self.row(false, "bytes", &cut);
        self.tables.push('\n');
    }

    fn row(&mut self, first: bool, label: &str, samples: &[Samples]) {
        if first {
            let names: Vec<&str> = samples.iter().map(|samples| samples.name).collect();
            let _ = writeln!(self.tables, "| | {} |\n|---|{}", names.join(" | "), "--:|".repeat(samples.len()));
        }
        let cells: Vec<String> = samples.iter().map(|samples| cell(samples.spread())).collect();
        let _ = writeln!(self.tables, "| {label} | {} |", cells.join(" | "));
    }
}

/// A median, and how far the samples lie apart.
fn cell(spread: Spread) -> String {
    let Spread { median, least, greatest } = spread;
    if median < 100.0 {
        format!("{median:.1} ({least:.1} to {greatest:.1})")
    } else {
        format!("{median:.0} ({least:.0} to {greatest:.0})")
    }
}

/// How many deltas a contender that parses again parses.
const LOOKS: usize = 32;
const CALLS: usize = 1000;
