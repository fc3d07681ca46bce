// Goroutines that lock a mutex of C.
package main

/*
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum = 0;

static void add(int times) {
  for (int i = 0; i < times; ++i) {
    pthread_mutex_lock(&mutex);
    ++sum;
    pthread_mutex_unlock(&mutex);
  }
}
static long all(void) { return sum; }
*/
import "C"

import (
	"fmt"
	"sync"
)

func main() {
	var own sync.Mutex // which asks the kernel itself
	var team sync.WaitGroup
	calls := 0
	for i := 0; i < 32; i++ {
		team.Add(1)
		go func() {
			defer team.Done()
			for n := 0; n < 50; n++ {
				C.add(20)
				own.Lock()
				calls++
				own.Unlock()
			}
		}()
	}
	team.Wait()
	fmt.Println(calls, C.all())
}
