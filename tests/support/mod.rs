//! What several tests share.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

pub mod abnf;
pub mod agree;
pub mod generate;
pub mod lines;
pub mod random;
pub mod shape;

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A path of the material that lies beside the checkout. Where it is not, prints what is skipped.
pub fn shared(path: &str, skipped: &str) -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    if beside.exists() {
        return Some(beside);
    }
    eprintln!("skipped: {skipped}: ../shared/{path} is not there");
    None
}

/// Every way to cut `len` bytes that a case is run with: byte by byte, in every two, and in every three when short.
pub fn cuts(len: usize) -> Vec<Vec<usize>> {
    const SHORT: usize = 40;
    let mut all = vec![(1..len).collect()];
    all.extend((0..=len).map(|cut| vec![cut]));
    if len <= SHORT {
        all.extend((0..=len).flat_map(|a| (a..=len).map(move |b| vec![a, b])));
    }
    all
}

/// How long this thread has worked; where the system does not tell, how long the test has run.
pub fn worked() -> Duration {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGIN.elapsed(), Duration::from_nanos)
}
