//! The verdict on top of the parse: the schema, a repair, a plan, each on a call of about 300 bytes. With the feature
//! `jsonschema` that crate stands beside them.

use argseal_bench::contender::whole;
use argseal_bench::judged::{self, Case};
use argseal_bench::payload::{self, Cut};
use criterion::{Criterion, criterion_group, criterion_main};

fn verdict(criterion: &mut Criterion) {
    for case in Case::all() {
        let mut group = criterion.benchmark_group(format!("verdict/{}", case.name));
        group.sample_size(20);
        for cut in [Cut::Every(16), Cut::Whole] {
            let deltas = payload::deltas(&case.text, cut);
            group.bench_function(format!("parse alone/{cut}"), |bencher| bencher.iter(|| judged::parse(&deltas)));
            group.bench_function(format!("argseal/{cut}"), |bencher| bencher.iter(|| case.judge(&deltas)));
        }
        // A cut text is no JSON: nothing to compare with.
        if case.is_json() {
            group.bench_function("serde_json alone/whole", |bencher| bencher.iter(|| whole::serde_json(&case.text)));
            #[cfg(feature = "jsonschema")]
            {
                let validator = jsonschema::draft202012::new(&judged::shell_schema()).expect("a schema");
                let validate = || {
                    let text = std::hint::black_box(case.text.as_str());
                    let value = serde_json::from_str::<serde_json::Value>(text).expect("JSON");
                    (validator.validate(&value).is_ok(), value)
                };
                group.bench_function("serde_json + jsonschema/whole", |bencher| bencher.iter(validate));
            }
        }
        group.finish();
    }
}

criterion_group!(benches, verdict);
criterion_main!(benches);
