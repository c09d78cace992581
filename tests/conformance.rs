//! The cases that every language's readers are judged by: argseal in this process passes each, on every level.

use std::path::Path;

use argseal_conformance::{Level, Verdict, cases, run};
use argseal_conformance_peers::Argseal;

#[test]
fn argseal_passes_every_case() {
    let cases = cases::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/cases")).expect("cases");
    let report = run(&cases, &mut Argseal).expect("a subject");
    assert!(report.is_clean(), "{}", report.text(9));
    // A case that was not put is not passed.
    for level in Level::ALL {
        let count = report.level(level);
        assert!(count.all() > 0, "no case of level {level:?}");
    }
    assert!(report.outcomes.iter().all(|outcome| matches!(outcome.verdict, Verdict::Passed)));
}
