// The C interface, by a Rust program: a counter behind the mutex, between threads.

#[repr(C)]
pub struct Mutex {
    state: u32,
}

extern "C" {
    fn synchro_mutex_init(m: *mut Mutex);
    fn synchro_mutex_lock(m: *mut Mutex);
    fn synchro_mutex_try_lock(m: *mut Mutex) -> bool;
    fn synchro_mutex_unlock(m: *mut Mutex);
    fn synchro_mutex_destroy(m: *mut Mutex);
}

struct Guarded {
    lock: std::cell::UnsafeCell<Mutex>,
    count: std::cell::UnsafeCell<u64>,
}
// The mutex sees to it.
unsafe impl Sync for Guarded {}

fn main() {
    let it = Guarded {
        lock: std::cell::UnsafeCell::new(Mutex { state: 0 }),
        count: std::cell::UnsafeCell::new(0),
    };
    unsafe { synchro_mutex_init(it.lock.get()) };
    std::thread::scope(|team| {
        for _ in 0..4 {
            team.spawn(|| {
                let shared = &it;
                for _ in 0..5000 {
                    unsafe {
                        synchro_mutex_lock(shared.lock.get());
                        *shared.count.get() += 1;
                        synchro_mutex_unlock(shared.lock.get());
                    }
                }
            });
        }
    });
    unsafe {
        assert_eq!(*it.count.get(), 20000);
        assert!(synchro_mutex_try_lock(it.lock.get()));
        assert!(!synchro_mutex_try_lock(it.lock.get()));
        synchro_mutex_unlock(it.lock.get());
        synchro_mutex_destroy(it.lock.get());
    }
    println!("used from Rust");
}
