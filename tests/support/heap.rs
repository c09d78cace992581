//! An allocator that counts, and what a run costs by its count.
#![allow(unsafe_code, reason = "an allocator is unsafe by its trait; this one hands everything to the system's")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what the current thread allocates. A buffer that is moved as it grows counts once: that is what `realloc` is for.
pub struct Counting;

thread_local! {
    static COUNTS: Cell<Counts> = const { Cell::new(Counts { calls: 0, live: 0, peak: 0 }) };
}

#[derive(Clone, Copy)]
struct Counts {
    /// How often memory was asked for.
    calls: usize,
    /// Bytes that are held.
    live: isize,
    /// The most bytes that were held.
    peak: isize,
}

fn count(calls: usize, bytes: isize) {
    // A thread that ends frees after its counts are gone.
    let _ = COUNTS.try_with(|counts| {
        let Counts { calls: before, live, peak } = counts.get();
        let live = live + bytes;
        counts.set(Counts { calls: before + calls, live, peak: peak.max(live) });
    });
}

// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(0, -(layout.size() as isize));
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(1, size as isize - layout.size() as isize);
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// Bytes at the peak above what was held before, and how often memory was asked for.
pub fn measured<T>(run: impl FnOnce() -> T) -> (T, usize, usize) {
    let before = COUNTS.get();
    COUNTS.set(Counts { peak: before.live, ..before });
    let result = run();
    let after = COUNTS.get();
    (result, (after.peak - before.live) as usize, after.calls - before.calls)
}
