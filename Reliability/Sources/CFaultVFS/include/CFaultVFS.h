// A file layer for SQLite that fails, dies, journals and waits on demand.
//
// It stands in front of the system's own VFS as the process's default, so that whatever opens a
// database goes through it. Files below the watched folder are its concern; all others pass.
//
//   plan     the n-th operation of the named kinds fails with a code, is cut short, or ends the
//            process (SIGKILL)
//   journal  every write, truncation, sync, creation and deletion is kept, with marks of the
//            program's own between them: what a power cut at any point leaves is worked out from
//            it afterwards, as often as wanted
//   gates    a thread that has named itself stops before the n-th operation of a kind until it is
//            released: two connections step through a given interleaving
//
// All functions may be called from any thread.

#ifndef SECTILE_CFAULTVFS_H
#define SECTILE_CFAULTVFS_H

enum {
  FAULT_OPEN = 1,
  FAULT_READ = 2,
  FAULT_WRITE = 4,
  FAULT_TRUNCATE = 8,
  FAULT_SYNC = 16,
  FAULT_DELETE = 32,
  FAULT_LOCK = 64,
  FAULT_SHM_MAP = 128,
  FAULT_SHM_LOCK = 256,
  FAULT_MARK = 512,
  FAULT_CLOSE = 1024,
  // Not a file operation, but the one call between a checkpoint's look at the header of the log, where
  // it has changed, and its look at how much was copied. It cannot fail.
  FAULT_UNFETCH = 2048,
  FAULT_CHANGES = FAULT_WRITE | FAULT_TRUNCATE | FAULT_SYNC | FAULT_DELETE
};

// Instead of one of SQLite's result codes.
enum {
  FAULT_SHORT = -1,    // a read yields half, a write writes half and then finds the disk full
  FAULT_KILL = -2,     // the process ends before the operation
  FAULT_TORN_KILL = -3 // the process ends when half of the write is done
};

// Registers the layer as the default VFS; 0 where that went well. Again does nothing.
int fault_install(void);

// Watches the files below a folder, and forgets plan, counts and journal. NULL watches nothing.
void fault_watch(const char *folder);

// The number-th operation from now, counted from one, of the kinds fails with the code; with
// lasting all that follow, too. Kinds of 0 take the plan back.
void fault_plan(int kinds, long number, int code, int lasting);

// How many operations of the kinds there were since fault_watch.
long fault_count(int kinds);

// How many operations failed since fault_watch.
long fault_fired(void);

// Begins or ends keeping the journal.
void fault_journal(int is_on);

// Leaves the number-th sync from now out of the journal, and tells SQLite it was done: a disk that
// lies. 0 takes it back; -1 leaves out all.
void fault_lie(long number);

// Puts a mark of the program's own into the journal.
void fault_mark(long value);

typedef struct {
  int kind;
  const char *path; // NULL for a mark
  long long offset; // of a write; the size of a truncation; the value of a mark
  int size;
  const void *bytes;
} fault_entry;

long fault_journal_count(void);
fault_entry fault_journal_entry(long index);

// Names the calling thread for gates; NULL takes the name back.
void fault_actor(const char *name);

// Sets up a gate; returns its number, or -1 where there are too many.
int fault_gate(const char *actor, int kinds, long number);

// Waits until somebody stands at the gate; 0 where the time passed first.
int fault_gate_wait(int gate, int milliseconds);

// Lets through who stands at the gate, or will come.
void fault_gate_release(int gate);

// Takes all gates away; nobody may stand at one.
void fault_gates_clear(void);

#endif
