//! From the bytes of a stream to verdicts: a write of 4 KiB and a shell call, in deltas of 3 to 20 bytes, in three formats
//! and reads of four sizes; beside the same deltas fed to calls.

use argseal_bench::judged;
use argseal_bench::payload::{self, Cut, stream};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn assemble(criterion: &mut Criterion) {
    let tools = judged::tools();
    let (write, shell) = (payload::write_file(4 << 10), payload::shell());
    let calls = [("write_file", write.as_str()), ("bash", shell.as_str())];
    for format in stream::FORMATS {
        let text = stream::response(format, &calls).expect("a format that is written");
        let mut group = criterion.benchmark_group(format!("assemble/{}", format.name()));
        group.sample_size(20).throughput(Throughput::Bytes(text.len() as u64));
        for (name, step) in [("1 B", 1), ("64 B", 64), ("1400 B", 1400), ("whole", text.len())] {
            group.bench_function(name, |bencher| {
                bencher.iter(|| judged::assemble(format, &tools, text.as_bytes(), step));
            });
        }
        group.finish();
    }
    let mut group = criterion.benchmark_group("assemble/no stream");
    let deltas = calls.map(|(_, text)| payload::deltas(text, Cut::Between(3, 20)));
    group.sample_size(20).throughput(Throughput::Bytes((write.len() + shell.len()) as u64));
    group.bench_function("parse alone", |bencher| {
        bencher.iter(|| deltas.iter().map(|deltas| judged::parse(deltas)).sum::<usize>());
    });
    group.finish();
}

criterion_group!(benches, assemble);
criterion_main!(benches);
