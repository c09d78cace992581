#![no_main]

use argseal_laws::targets;

#[path = "../second_parser.rs"]
mod second_parser;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::strict(bytes);
    second_parser::agrees(bytes);
});
