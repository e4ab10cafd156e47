//! The fuzz target: libFuzzer's C interface, so that a stable compiler and clang's runtime are enough.

#![no_main]

mod checks;

/// # Safety
/// libFuzzer passes `size` readable bytes at `data`.
#[no_mangle]
pub unsafe extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {
    let input = if size == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(data, size)
    };
    // A panic ends the process here: it may not unwind into C.
    checks::check(input);
    0
}
