//! What tools cost before any call: one schema of 4 KiB, and the list of a request, new and unchanged.

use argseal::{Grants, Tool, Tools};
use argseal_bench::payload::tool;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn tools(criterion: &mut Criterion) {
    let schema = tool::schema(4 << 10, 1);
    let mut group = criterion.benchmark_group("tools");
    group.sample_size(20).throughput(Throughput::Elements(1));
    group.bench_function("Tool::new, 4 KiB", |bencher| {
        bencher.iter(|| Tool::new("t", std::hint::black_box(&schema)).expect("a schema"));
    });
    let definitions = tool::definitions(TOOLS);
    let of = |before| Tools::of(std::hint::black_box(&definitions), &|_| Grants::default(), before);
    group.throughput(Throughput::Elements(TOOLS as u64));
    group.bench_function("Tools::of, 50 new", |bencher| bencher.iter(|| of(None)));
    let (before, _) = of(None);
    group.bench_function("Tools::of, 50 unchanged", |bencher| bencher.iter(|| of(Some(&before))));
    group.finish();
}

const TOOLS: usize = 50;

criterion_group!(benches, tools);
criterion_main!(benches);
