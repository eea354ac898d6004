// One pointer for each thread, and threads to run in. Swift knows values that belong to a task, which
// a task that is started inherits; it knows none that belong to a thread. And its own threads are not
// for code that may wait, as a user's callback may.

#ifndef SECTILE_CTHREAD_H
#define SECTILE_CTHREAD_H

#include <stdbool.h>

// Returns what the calling thread set last; null where it set nothing.
const void *_Nullable sectile_thread_value(void);
void sectile_set_thread_value(const void *_Nullable value);

// Runs a function in a thread of its own, which ends with it. Returns false, and runs nothing, where
// the system has no thread to give.
bool sectile_start_thread(void (*_Nonnull run)(void *_Nullable), void *_Nullable context);

#endif
