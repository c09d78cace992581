//! The live view after each delta: its cost does not depend on how much text there is. Of each length there are as many
//! texts as make 256 KiB, so that nothing learns a short one by heart.

use argseal_bench::contender::{self, Work};
use argseal_bench::payload::{self, Cut};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn partial(criterion: &mut Criterion) {
    for (name, bytes) in [("4K", 4 << 10), ("64K", 64 << 10), ("256K", 256 << 10)] {
        let texts = payload::write_files(bytes, 256 << 10);
        let each = payload::deltas_of_each(&texts, Cut::Between(3, 20));
        let count: usize = each.iter().map(Vec::len).sum();
        let mut group = criterion.benchmark_group(format!("partial/{name}"));
        group.sample_size(10).throughput(Throughput::Elements(count as u64));
        for (name, work) in CONTENDERS {
            let all = || each.iter().map(|deltas| work(deltas)).sum::<usize>();
            group.bench_function(name, |bencher| bencher.iter(all));
        }
        group.finish();
    }
}

const CONTENDERS: [(&str, Work); 3] =
    [("feed", contender::argseal), ("take", contender::argseal_watched), ("get", contender::argseal_asked)];

criterion_group!(benches, partial);
criterion_main!(benches);
