// Two libraries with the same locks of two versions: nothing is shared between them, and neither disturbs the other.

#include <cstdio>
#include <thread>

int version_of_this();
int version_of_other();
const void* slots_of_this();
const void* slots_of_other();
void lock_in_this();
void lock_in_other();

int main() {
  for (int i = 0; i != 20; ++i) {
    std::thread one{lock_in_this};
    std::thread two{lock_in_other};
    one.join();
    two.join();
    lock_in_this();
    lock_in_other();
  }
  if (version_of_this() == version_of_other() || slots_of_this() == slots_of_other()) {
    std::fputs("the two versions are one\n", stderr);
    return 1;
  }
}
