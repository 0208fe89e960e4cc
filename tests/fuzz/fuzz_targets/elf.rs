#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    isa_tests::fuzz::elf::target(data);
});
