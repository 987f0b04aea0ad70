#![no_main]
libfuzzer_sys::fuzz_target!(|text: &str| outflank_fuzz::board(text));
