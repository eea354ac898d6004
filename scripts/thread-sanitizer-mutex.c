// Tells ThreadSanitizer what it cannot see: how threads meet in the slow path of Swift's Mutex.
//
// The fast path, nobody else has the mutex, is compiled into the caller and instrumented there. The
// slow one is in the library of the toolchain, which is not: so of two threads that contend for a
// mutex the second would seem to know nothing of what the first has written. Preloaded into a
// program, this takes the place of the two functions, and says it.

#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

// Methods of Swift: `self` is the address of the mutex, in a register of its own.
__attribute__((swiftcall)) void lock_slow(
    uint32_t thread, __attribute__((swift_context)) void *mutex) __asm__(LOCK);
__attribute__((swiftcall)) void unlock_slow(
    __attribute__((swift_context)) void *mutex) __asm__(UNLOCK);

typedef __attribute__((swiftcall)) void (*lock_function)(
    uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void (*unlock_function)(
    __attribute__((swift_context)) void *mutex);

static lock_function original_lock;
static unlock_function original_unlock;

// Before any thread: looking for a symbol takes locks itself.
__attribute__((constructor)) static void find_originals(void) {
  original_lock = (lock_function)dlsym(RTLD_NEXT, LOCK);
  original_unlock = (unlock_function)dlsym(RTLD_NEXT, UNLOCK);
}

__attribute__((swiftcall)) void lock_slow(
    uint32_t thread, __attribute__((swift_context)) void *mutex) {
  original_lock(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  original_unlock(mutex);
}
