//! What several tests share.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

pub mod abnf;
pub mod agree;
pub mod generate;
pub mod heap;
pub mod lines;
pub mod random;
pub mod shape;

use std::path::PathBuf;
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

/// Measures work, not waiting: short runs by the clock, since they are seldom disturbed and the system counts the time of a
/// thread in ticks; long ones by the time that the thread was on a processor, where the system tells it.
pub struct Stopwatch {
    begun: Instant,
    on_processor: Option<Duration>,
}

impl Stopwatch {
    pub fn start() -> Self {
        Self { begun: Instant::now(), on_processor: on_processor() }
    }

    pub fn worked(&self) -> Duration {
        /// Longer than some ticks.
        const LONG: Duration = Duration::from_millis(60);
        let passed = self.begun.elapsed();
        match (self.on_processor, on_processor()) {
            (Some(before), Some(now)) if passed > LONG => now.saturating_sub(before).clamp(LONG / 2, passed),
            _ => passed,
        }
    }
}

fn on_processor() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Whether the larger input takes less than `factor` times what the smaller one takes. Other work on the machine only ever
/// makes a run slower, so that the least of several runs counts; work that is not linear is slow in all of them.
pub fn is_within(
    factor: u32,
    mut small: impl FnMut() -> Duration,
    mut large: impl FnMut() -> Duration,
) -> Result<(), String> {
    let (mut least_small, mut least_large) = (Duration::MAX, Duration::MAX);
    for _ in 0..16 {
        least_small = least_small.min(small());
        least_large = least_large.min(large());
        if least_large < least_small * factor {
            return Ok(());
        }
    }
    Err(format!("{least_small:?}, then {least_large:?}"))
}
