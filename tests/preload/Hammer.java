import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that lock, wait and collect garbage; prints what came of it. */
public final class Hammer {
  private static int monitors;
  private static int locked;

  public static void main(String[] arguments) throws InterruptedException {
    final int threads = 8;
    final int rounds = 2000;
    final ReentrantLock lock = new ReentrantLock();
    final CountDownLatch done = new CountDownLatch(threads);
    for (int i = 0; i < threads; ++i) {
      new Thread(() -> {
        for (int n = 0; n < rounds; ++n) {
          synchronized (Hammer.class) {
            ++monitors;
          }
          lock.lock();
          ++locked;
          lock.unlock();
          if (n % 1000 == 0) System.gc();
        }
        done.countDown();
      }).start();
    }
    done.await();
    System.out.println(monitors + " " + locked);
  }
}
