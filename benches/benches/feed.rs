//! `feed` at every payload and delta size, beside appending and the push parser that comes closest.

use argseal_bench::contender;
use argseal_bench::payload::{self, Cut};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn feed(criterion: &mut Criterion) {
    let payloads = [
        ("shell-300B", payload::shell()),
        ("write-4K", payload::write_file(4 << 10)),
        ("write-256K", payload::write_file(256 << 10)),
        ("write-8M", payload::write_file(8 << 20)),
        ("plain-256K", payload::plain(256 << 10)),
        ("nested-64K", payload::nested(64 << 10)),
        ("chinese-64K", payload::chinese(64 << 10)),
        ("escaped-64K", payload::escaped(64 << 10)),
    ];
    let cuts = [
        Cut::Every(1),
        Cut::Every(4),
        Cut::Every(16),
        Cut::Every(64),
        Cut::Every(256),
        Cut::Every(4096),
        Cut::Between(3, 20),
        Cut::Whole,
    ];
    for (name, text) in &payloads {
        let mut group = criterion.benchmark_group(format!("feed/{name}"));
        group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
        for cut in cuts {
            let deltas = payload::deltas(text, cut);
            group.bench_function(format!("argseal/{cut}"), |bencher| bencher.iter(|| contender::argseal(&deltas)));
            group.bench_function(format!("append/{cut}"), |bencher| bencher.iter(|| contender::append(&deltas)));
            group.bench_function(format!("serde_json at the end/{cut}"), |bencher| {
                bencher.iter(|| contender::accumulate_serde_json(&deltas));
            });
            group.bench_function(format!("actson/{cut}"), |bencher| bencher.iter(|| contender::actson(&deltas)));
        }
        group.finish();
    }
}

criterion_group!(benches, feed);
criterion_main!(benches);
