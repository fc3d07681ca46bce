//! parking_lot's mutex without a guard, for callers from C. Where it lies is the caller's matter.

use parking_lot::lock_api::RawMutex as _;
use parking_lot::RawMutex;

const _: () = assert!(std::mem::size_of::<RawMutex>() <= 4 && std::mem::align_of::<RawMutex>() <= 4);

/// # Safety
/// `mutex` is the caller's, and nobody else knows it yet.
#[no_mangle]
pub unsafe extern "C" fn parking_lot_init(mutex: *mut RawMutex) {
    mutex.write(RawMutex::INIT);
}

/// # Safety
/// `mutex` was initialised.
#[no_mangle]
pub unsafe extern "C" fn parking_lot_lock(mutex: *const RawMutex) {
    (*mutex).lock();
}

/// # Safety
/// The caller has the lock.
#[no_mangle]
pub unsafe extern "C" fn parking_lot_unlock(mutex: *const RawMutex) {
    (*mutex).unlock();
}
