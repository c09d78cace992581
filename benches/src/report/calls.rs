//! What whole calls cost: their verdict, many of them in turns, their memory.

use std::fmt::Write as _;

use argseal::Call;

use super::measures::Measures;
use crate::contender::many::{self, Arrivals, Order};
use crate::contender::{self, Work, whole};
use crate::heap;
use crate::judged::{self, Case};
use crate::measure::{Contender, Spread, interleaved};
use crate::payload::{self, Cut};

impl Measures {
    /// The verdict on top of the parse.
    pub(super) fn verdict(&mut self) {
        self.tables.push_str(
            "## Verdict of a call of 300 B, ns a call (median)\n\n\
             `shape` judges required members and types, `schema` everything; both find nothing to change. `repair` closes \
             a description, `plan` unwraps, renames an alias and turns a string into a number. `serde_json` makes a value \
             of the whole text and judges nothing.\n\n",
        );
        let [shape, schema, repair, plan] = Case::all();
        let cuts = [(Cut::Whole, None), (Cut::Every(16), Some("verdict-16"))];
        for (cut, id) in cuts {
            let [text, cut_short, wrapped] = [&schema, &repair, &plan].map(|case| payload::deltas(&case.text, cut));
            let samples = interleaved(vec![
                Contender::new("parse alone", 1, || judged::parse(&text)),
                Contender::new("shape", 1, || shape.judge(&text)),
                Contender::new("schema", 1, || schema.judge(&text)),
                Contender::new("repair", 1, || repair.judge(&cut_short)),
                Contender::new("plan", 1, || plan.judge(&wrapped)),
                Contender::new("serde_json", 1, || whole::serde_json(&schema.text)),
            ]);
            if let Some(id) = id {
                self.ratio(id, samples[2].over(&samples[0]));
            }
            self.row(&cut.to_string(), &samples);
        }
        self.tables.push('\n');
    }

    /// Many calls in turns, as a gateway has them.
    pub(super) fn calls(&mut self) {
        let texts = payload::write_files(4 << 10, CALLS * (4 << 10));
        let each = payload::deltas_of_each(&texts, Cut::Between(3, 20));
        let orders = [(AFTER_EACH_OTHER, Order::AfterEachOther), (IN_TURNS, Order::InTurns)];
        let orders = orders.map(|(name, order)| (name, Arrivals::new(&each, order)));
        let mut contenders = Vec::new();
        for work in [many::argseal, many::append] {
            for (name, arrivals) in &orders {
                contenders.push(Contender::new(name, arrivals.deltas(), move || work(arrivals)));
            }
        }
        let samples = interleaved(contenders);
        self.ratio("calls", samples[1].over(&samples[0]));
        self.tables.push_str(
            "## 1,000 calls of 4 KiB, 3-20 B deltas, ns a delta (median)\n\n\
             1,000 calls, each of other text, are made first and kept to the end in both columns, so that both ask for the \
             same memory; the deltas lie in the order in which they are fed. One column feeds each call to its end before \
             the next, the other a delta of each call in turns. Appending to as many vectors shows what the memory costs \
             anyone.\n\n",
        );
        self.row("argseal", &samples[..2]);
        self.row("append", &samples[2..]);
        self.tables.push('\n');
    }

    pub(super) fn memory(&mut self) {
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
}

const CALLS: usize = 1000;
const AFTER_EACH_OTHER: &str = "one after the other";
const IN_TURNS: &str = "in turns";
