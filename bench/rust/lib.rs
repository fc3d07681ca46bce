//! Libraries of Rust for callers from C: parking_lot's mutex and reader-writer lock without guards, which lie where the caller
//! wants them; queues of crossbeam and flume for messages of 64 bits; and dashmap, from 64 bits to a line.

use crossbeam_queue::ArrayQueue;
use dashmap::DashMap;
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

/// A library's bounded channel of both ends; `send` and `receive` wait, in the end asleep.
macro_rules! channel {
    ($channel:ident of $library:ident: $new:ident, $send:ident, $receive:ident, $delete:ident) => {
        type $channel = ($library::Sender<u64>, $library::Receiver<u64>);
        #[no_mangle]
        pub extern "C" fn $new(room: usize) -> Box<$channel> {
            Box::new($library::bounded(room))
        }
        #[no_mangle]
        pub extern "C" fn $send(channel: &$channel, message: u64) {
            channel.0.send(message).unwrap();
        }
        #[no_mangle]
        pub extern "C" fn $receive(channel: &$channel) -> u64 {
            channel.1.recv().unwrap()
        }
        #[no_mangle]
        pub extern "C" fn $delete(_channel: Box<$channel>) {}
    };
}
channel!(Crossbeam of crossbeam_channel:
    crossbeam_channel_new, crossbeam_channel_send, crossbeam_channel_receive, crossbeam_channel_delete);
channel!(Flume of flume: flume_new, flume_send, flume_receive, flume_delete);

#[no_mangle]
pub extern "C" fn array_queue_new(room: usize) -> Box<ArrayQueue<u64>> {
    Box::new(ArrayQueue::new(room))
}
/// False if it is full.
#[no_mangle]
pub extern "C" fn array_queue_push(queue: &ArrayQueue<u64>, message: u64) -> bool {
    queue.push(message).is_ok()
}
/// False if it is empty.
#[no_mangle]
pub extern "C" fn array_queue_pop(queue: &ArrayQueue<u64>, message: &mut u64) -> bool {
    queue.pop().map(|got| *message = got).is_some()
}
#[no_mangle]
pub extern "C" fn array_queue_delete(_queue: Box<ArrayQueue<u64>>) {}

type Line = [u64; 8];
type Map = DashMap<u64, Line>;

#[no_mangle]
pub extern "C" fn dashmap_new() -> Box<Map> {
    Box::new(DashMap::new())
}
#[no_mangle]
pub extern "C" fn dashmap_get(map: &Map, key: u64, to: &mut Line) -> bool {
    map.get(&key).map(|found| *to = *found).is_some()
}
/// False, and nothing is changed, if the key is there.
#[no_mangle]
pub extern "C" fn dashmap_put(map: &Map, key: u64, value: &Line) -> bool {
    match map.entry(key) {
        dashmap::Entry::Occupied(_) => false,
        dashmap::Entry::Vacant(place) => {
            place.insert(*value);
            true
        }
    }
}
#[no_mangle]
pub extern "C" fn dashmap_remove(map: &Map, key: u64) -> bool {
    map.remove(&key).is_some()
}
#[no_mangle]
pub extern "C" fn dashmap_count(map: &Map) -> usize {
    map.len()
}
#[no_mangle]
pub extern "C" fn dashmap_delete(_map: Box<Map>) {}
