#![no_main]

use argseal_laws::targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::partial(bytes));
