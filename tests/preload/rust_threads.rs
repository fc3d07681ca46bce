// Threads that count under a lock of Rust's own, which never calls the C library's.

use std::sync::{Arc, Condvar, Mutex, RwLock};
use std::thread;

fn main() {
    let sum = Arc::new((Mutex::new(0), Condvar::new(), RwLock::new(0)));
    let team: Vec<_> = (0..16)
        .map(|number| {
            let sum = Arc::clone(&sum);
            thread::spawn(move || {
                let mut turn = sum.0.lock().unwrap();
                while *turn != number {
                    turn = sum.1.wait(turn).unwrap();
                }
                *turn += 1;
                sum.1.notify_all();
                drop(turn);
                for _ in 0..1000 {
                    *sum.2.write().unwrap() += 1;
                }
            })
        })
        .collect();
    for thread in team {
        thread.join().unwrap();
    }
    println!("{} {}", sum.0.lock().unwrap(), sum.2.read().unwrap());
}
