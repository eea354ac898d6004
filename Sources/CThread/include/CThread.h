// One pointer for each thread. Swift knows values that belong to a task, which a task that is started
// inherits; it knows none that belong to a thread.

#ifndef SECTILE_CTHREAD_H
#define SECTILE_CTHREAD_H

// Returns what the calling thread set last; null where it set nothing.
const void *_Nullable sectile_thread_value(void);
void sectile_set_thread_value(const void *_Nullable value);

#endif
