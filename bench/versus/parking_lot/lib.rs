//! parking_lot's mutex and reader-writer lock without guards, for callers from C. Where it lies is the caller's matter.

use parking_lot::lock_api::{RawMutex as _, RawRwLock as _};
use parking_lot::{RawMutex, RawRwLock};

const _: () = assert!(std::mem::size_of::<RawMutex>() <= 4 && std::mem::align_of::<RawMutex>() <= 4);
const _: () = assert!(std::mem::size_of::<RawRwLock>() <= 8 && std::mem::align_of::<RawRwLock>() <= 8);

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

/// # Safety
/// `lock` is the caller's, and nobody else knows it yet.
#[no_mangle]
pub unsafe extern "C" fn parking_lot_shared_init(lock: *mut RawRwLock) {
    lock.write(RawRwLock::INIT);
}

/// # Safety
/// `lock` was initialised.
#[no_mangle]
pub unsafe extern "C" fn parking_lot_shared_lock(lock: *const RawRwLock) {
    (*lock).lock_exclusive();
}

/// # Safety
/// The caller has the lock alone.
#[no_mangle]
pub unsafe extern "C" fn parking_lot_shared_unlock(lock: *const RawRwLock) {
    (*lock).unlock_exclusive();
}

/// # Safety
/// `lock` was initialised.
#[no_mangle]
pub unsafe extern "C" fn parking_lot_shared_lock_shared(lock: *const RawRwLock) {
    (*lock).lock_shared();
}

/// # Safety
/// The caller has the lock shared.
#[no_mangle]
pub unsafe extern "C" fn parking_lot_shared_unlock_shared(lock: *const RawRwLock) {
    (*lock).unlock_shared();
}
