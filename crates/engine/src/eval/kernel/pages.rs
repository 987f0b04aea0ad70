//! Large pages for large tables: fewer of them to look up at every random read.

/// Asks the system to back this memory, before it is first written, by large pages. Changes nothing but the time reads
/// take; where the system has no such wish to grant, nothing at all.
#[cfg(target_os = "linux")]
pub(crate) fn prefer_large<T>(memory: &mut [T]) {
    const PAGE: usize = 4096;
    let start = memory.as_mut_ptr() as usize;
    let (from, to) = (start.next_multiple_of(PAGE), (start + size_of_val(memory)) / PAGE * PAGE);
    if from < to {
        // SAFETY: the range lies inside the slice, which is borrowed here alone, and this advice leaves its contents
        // as they are. A system that refuses says so in the result, which needs no answer.
        unsafe {
            libc::madvise(from as *mut libc::c_void, to - from, libc::MADV_HUGEPAGE);
        }
    }
}

/// Asks nothing: the system has no such wish to grant.
#[cfg(not(target_os = "linux"))]
pub(crate) fn prefer_large<T>(_memory: &mut [T]) {}
