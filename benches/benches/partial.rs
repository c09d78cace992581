//! The live view after each delta: its cost does not depend on how much text there is.

use argseal::{Call, Cursor};
use argseal_bench::payload::{self, Cut};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn partial(criterion: &mut Criterion) {
    for (name, bytes) in [("4K", 4 << 10), ("256K", 256 << 10), ("8M", 8 << 20)] {
        let text = payload::write_file(bytes);
        let deltas = payload::deltas(&text, Cut::Between(3, 20));
        let mut group = criterion.benchmark_group(format!("partial/{name}"));
        group.sample_size(10).throughput(Throughput::Elements(deltas.len() as u64));
        group.bench_function("take", |bencher| {
            bencher.iter(|| {
                let mut call = Call::default();
                let mut cursor = Cursor::member("content");
                let mut shown = 0;
                for delta in &deltas {
                    call.feed(delta);
                    shown += call.partial().take(&mut cursor).map_or(0, |grown| grown.text.len());
                }
                shown
            });
        });
        group.bench_function("get", |bencher| {
            bencher.iter(|| {
                let mut call = Call::default();
                let mut shown = 0;
                for delta in &deltas {
                    call.feed(delta);
                    let value = call.partial().get("content");
                    shown ^= value.and_then(|value| value.as_str()).map_or(0, str::len);
                }
                shown
            });
        });
        group.finish();
    }
}

criterion_group!(benches, partial);
criterion_main!(benches);
