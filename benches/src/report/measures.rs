//! What reading a text costs: by the size of the deltas, by what the text holds, by its length, and beside the peers.

use std::fmt::Write as _;

use crate::contender::{self, LOOKS, Work, whole};
use crate::measure::{Contender, Samples, Spread, interleaved};
use crate::payload::{self, Cut};
use crate::svg;

/// What was measured.
#[derive(Default)]
pub(super) struct Measures {
    /// By the target's id.
    pub(super) found: Vec<(&'static str, Spread)>,
    pub(super) tables: String,
    pub(super) curves: Vec<svg::Curve>,
}

impl Measures {
    pub(super) fn of_everything() -> Self {
        let mut measures = Self::default();
        measures.by_delta();
        measures.plain();
        measures.chinese();
        measures.view();
        measures.again();
        measures.whole();
        measures.size();
        measures.verdict();
        measures.calls();
        measures.memory();
        measures
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
        for (cut, append, serde, actson) in cuts {
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
            self.row(&cut.to_string(), &samples);
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
        self.row("4-16 B", &samples);
        self.tables.push('\n');
    }

    /// A look after every delta, at three lengths.
    fn view(&mut self) {
        let sizes = [("4 KiB", 4 << 10), ("64 KiB", 64 << 10), ("256 KiB", 256 << 10)];
        let texts: Vec<Vec<String>> = sizes.iter().map(|(_, bytes)| payload::write_files(*bytes, 256 << 10)).collect();
        let each: Vec<Vec<Vec<&str>>> =
            texts.iter().map(|texts| payload::deltas_of_each(texts, Cut::Between(3, 20))).collect();
        let works: [(&str, Work); 3] = [
            ("argseal", contender::argseal),
            ("argseal + take", contender::argseal_watched),
            ("argseal + get", contender::argseal_asked),
        ];
        let mut contenders = Vec::new();
        for each in &each {
            let count = each.iter().map(Vec::len).sum();
            for (name, work) in works {
                contenders.push(Contender::new(name, count, move || each.iter().map(|deltas| work(deltas)).sum()));
            }
        }
        let samples = interleaved(contenders);
        let (short, long) = (&samples[..works.len()], &samples[2 * works.len()..]);
        self.ratio("view-take", long[1].over(&short[1]));
        self.ratio("view-get", long[2].over(&short[2]));
        self.tables.push_str(
            "## The live view over the length of the text, 3-20 B deltas, ns a delta (median)\n\n\
             As many writes of each length as make 256 KiB, each of other text: nobody learns a short one by heart.\n\n",
        );
        for ((size, _), samples) in sizes.iter().zip(samples.chunks(works.len())) {
            self.row(size, samples);
        }
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
        for (id, size, text) in &payloads {
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
            self.row(size, &samples);
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
            self.row(what, &samples);
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
        self.row("text", &samples);
        self.row("bytes", &cut);
        self.tables.push('\n');
    }

    pub(super) fn ratio(&mut self, id: &'static str, spread: Spread) {
        self.found.push((id, spread));
    }

    /// A row of the table that was begun last; its first one brings the head.
    pub(super) fn row(&mut self, label: &str, samples: &[Samples]) {
        if self.tables.ends_with("\n\n") {
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
    if median < 10.0 {
        format!("{median:.2} ({least:.2} to {greatest:.2})")
    } else if median < 100.0 {
        format!("{median:.1} ({least:.1} to {greatest:.1})")
    } else {
        format!("{median:.0} ({least:.0} to {greatest:.0})")
    }
}
