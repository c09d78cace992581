//! A counting allocator: peak heap and number of allocations of one piece of work.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Live bytes, peak of live bytes, allocations; `None` while nothing is measured.
    static COUNTS: Cell<Option<Counts>> = const { Cell::new(None) };
}

/// What one piece of work asked of the heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    live: isize,
    /// The largest number of bytes that were live at once; a block that grows counts twice while it is copied.
    pub peak: isize,
    /// Allocations and reallocations.
    pub allocations: usize,
}

impl Counts {
    fn add(&mut self, bytes: isize) {
        self.live += bytes;
        self.peak = self.peak.max(self.live);
    }
}

/// Runs `work` and counts what it allocates on this thread. Counts nothing unless [`Counting`] is the global allocator.
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, Counts) {
    COUNTS.set(Some(Counts::default()));
    let done = work();
    (done, COUNTS.take().unwrap_or_default())
}

/// The system's allocator, with counts.
pub struct Counting;

fn note(change: impl FnOnce(&mut Counts)) {
    let _ = COUNTS.try_with(|counts| {
        if let Some(mut now) = counts.get() {
            change(&mut now);
            counts.set(Some(now));
        }
    });
}

// SAFETY: every call goes to `System` with the arguments as they came; the counts are cells without a destructor that
// allocate nothing.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(|counts| {
            counts.add(layout.size() as isize);
            counts.allocations += 1;
        });
        // SAFETY: the caller's contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        note(|counts| counts.add(-(layout.size() as isize)));
        // SAFETY: the caller's contract.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(|counts| {
            counts.add(size as isize - layout.size() as isize);
            counts.allocations += 1;
        });
        // SAFETY: the caller's contract.
        unsafe { System.realloc(block, layout, size) }
    }
}
