//! `feed` at every payload and delta size, beside appending, parsing at the end, other push parsers and parsing again; and
//! the whole text beside the parsers that make a value of it.

use std::time::Duration;

use argseal_bench::contender::{self, LOOKS, Work, whole};
use argseal_bench::payload::{self, Cut};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn feed(criterion: &mut Criterion) {
    for (name, text) in &payloads() {
        let mut group = criterion.benchmark_group(format!("feed/{name}"));
        group.sample_size(10);
        for cut in CUTS {
            let deltas = payload::deltas(text, cut);
            group.throughput(Throughput::Elements(deltas.len() as u64));
            for (name, work) in CONTENDERS {
                group.bench_function(format!("{name}/{cut}"), |bencher| bencher.iter(|| work(&deltas)));
            }
            // It is quadratic in one string: minutes on the longer ones.
            if text.len() < 100_000 {
                group.bench_function(format!("jsonmodem/{cut}"), |bencher| {
                    bencher.iter(|| contender::jsonmodem(&deltas))
                });
            }
            let looked = contender::looked(deltas.len(), LOOKS);
            group.throughput(Throughput::Elements(looked as u64));
            for (name, work) in AGAIN {
                let name = format!("{name} again at {looked} of {} deltas/{cut}", deltas.len());
                group.bench_function(name, |bencher| bencher.iter(|| work(&deltas, LOOKS)));
            }
        }
        group.finish();
    }
}

fn one_shot(criterion: &mut Criterion) {
    for (name, text) in &payloads() {
        let mut group = criterion.benchmark_group(format!("one shot/{name}"));
        group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
        for (name, work) in ONE_SHOT {
            group.bench_function(name, |bencher| bencher.iter(|| work(text)));
        }
        group.finish();
    }
}

fn payloads() -> [(&'static str, String); 8] {
    [
        ("shell-300B", payload::shell()),
        ("write-4K", payload::write_file(4 << 10)),
        ("write-256K", payload::write_file(256 << 10)),
        ("write-8M", payload::write_file(8 << 20)),
        ("plain-256K", payload::plain(256 << 10)),
        ("nested-64K", payload::nested(64 << 10)),
        ("chinese-64K", payload::chinese(64 << 10)),
        ("escaped-64K", payload::escaped(64 << 10)),
    ]
}

const CUTS: [Cut; 8] = [
    Cut::Every(1),
    Cut::Every(4),
    Cut::Every(16),
    Cut::Every(64),
    Cut::Every(256),
    Cut::Every(4096),
    Cut::Between(3, 20),
    Cut::Whole,
];

const CONTENDERS: [(&str, Work); 5] = [
    ("argseal", contender::argseal),
    ("append", contender::append),
    ("accumulate + serde_json", contender::accumulate_serde_json),
    ("accumulate + sonic-rs", contender::accumulate_sonic_rs),
    ("actson", contender::actson),
];

/// Deltas, and at how many of them the text is parsed again.
type Again = fn(&[&str], usize) -> usize;

const AGAIN: [(&str, Again); 2] =
    [("jiter", contender::jiter), ("partial-json-fixer + serde_json", contender::partial_json_fixer)];

/// A whole text.
type OneShot = fn(&str) -> usize;

const ONE_SHOT: [(&str, OneShot); 5] = [
    ("argseal", whole::argseal),
    ("simd-json", whole::simd_json),
    ("sonic-rs", whole::sonic_rs),
    ("serde_json", whole::serde_json),
    ("jiter", whole::jiter),
];

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(800));
    targets = feed, one_shot
}
criterion_main!(benches);
