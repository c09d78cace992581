//! Time of contenders, interleaved: what disturbs one round disturbs all of them, and only ratios inside a round count.

use cpu_time::ThreadTime;

/// A piece of work with a name.
pub struct Contender<'w> {
    pub name: &'static str,
    work: Box<dyn FnMut() -> usize + 'w>,
    /// What one run of the work is divided by: deltas, usually.
    units: f64,
}

impl<'w> Contender<'w> {
    pub fn new(name: &'static str, units: usize, work: impl FnMut() -> usize + 'w) -> Self {
        Self { name, work: Box::new(work), units: units as f64 }
    }

    fn sample(&mut self, runs: usize) -> f64 {
        let start = ThreadTime::now();
        for _ in 0..runs {
            std::hint::black_box((self.work)());
        }
        start.elapsed().as_nanos() as f64 / runs as f64 / self.units
    }
}

/// Nanoseconds of thread time a unit, one sample a round.
#[derive(Clone, Debug)]
pub struct Samples {
    pub name: &'static str,
    pub nanoseconds: Vec<f64>,
}

/// A median with the least and the greatest sample.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    pub median: f64,
    pub least: f64,
    pub greatest: f64,
}

impl Spread {
    fn of(samples: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = samples.collect();
        sorted.sort_by(f64::total_cmp);
        Self { median: sorted[sorted.len() / 2], least: sorted[0], greatest: sorted[sorted.len() - 1] }
    }
}

impl Samples {
    pub fn spread(&self) -> Spread {
        Spread::of(self.nanoseconds.iter().copied())
    }

    /// This one's time over the other's, round by round.
    pub fn over(&self, other: &Self) -> Spread {
        Spread::of(self.nanoseconds.iter().zip(&other.nanoseconds).map(|(a, b)| a / b))
    }
}

/// Measures the contenders in turns. The first of them is the one that the report is about.
pub fn interleaved(mut contenders: Vec<Contender<'_>>) -> Vec<Samples> {
    let runs: Vec<usize> = contenders
        .iter_mut()
        .map(|contender| {
            contender.sample(1);
            let once = contender.sample(1) * contender.units;
            ((SAMPLE / once.max(1.0)) as usize).max(1)
        })
        .collect();
    let mut samples: Vec<Samples> =
        contenders.iter().map(|contender| Samples { name: contender.name, nanoseconds: Vec::new() }).collect();
    for round in 0..ROUNDS {
        // Every other round runs backwards, so that no contender always follows the same one.
        for turn in 0..contenders.len() {
            let i = if round % 2 == 0 { turn } else { contenders.len() - 1 - turn };
            samples[i].nanoseconds.push(contenders[i].sample(runs[i]));
        }
    }
    samples
}

pub const ROUNDS: usize = 11;
/// Nanoseconds that one sample takes at least.
const SAMPLE: f64 = 4e6;
