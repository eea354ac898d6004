#define _GNU_SOURCE
#include "CFaultVFS.h"

#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// What a connection has open: the system's file stands behind this structure.
typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
  char *path; // NULL where the file is not watched
} FaultFile;

typedef struct {
  char actor[32];
  int kinds;
  long left;
  int is_reached, is_released;
} Gate;

enum { GATES = 32, KINDS = 12 };

// Everything here is guarded by `mutex`, but for what `fault_install` sets once.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sqlite3_vfs *system_vfs;
static sqlite3_vfs layer;
static char *folder;
static long counts[KINDS], fired;
static int plan_kinds, plan_code, plan_lasting;
static long plan_left;
static int is_journaling;
static long lie_left;
static fault_entry *journal;
static long journal_count, journal_capacity;
static Gate gates[GATES];
static int gate_count;
static _Thread_local char actor[32];

static void append(int kind, const char *path, long long offset, const void *bytes, int size)
{
  if (!is_journaling) return;
  if (journal_count == journal_capacity) {
    journal_capacity = journal_capacity ? journal_capacity * 2 : 1024;
    journal = realloc(journal, (size_t)journal_capacity * sizeof *journal);
    if (!journal) abort();
  }
  void *copy = 0;
  if (bytes && size > 0) {
    copy = malloc((size_t)size);
    if (!copy) abort();
    memcpy(copy, bytes, (size_t)size);
  }
  journal[journal_count++] =
      (fault_entry){kind, path ? strdup(path) : 0, offset, size, copy};
}

static void forget_journal(void)
{
  for (long index = 0; index < journal_count; index++) {
    free((void *)journal[index].path);
    free((void *)journal[index].bytes);
  }
  journal_count = 0;
}

static void journal_entry(
    int kind, const char *path, long long offset, const void *bytes, int size)
{
  pthread_mutex_lock(&mutex);
  append(kind, path, offset, bytes, size);
  pthread_mutex_unlock(&mutex);
}

// Counts an operation, waits at a gate, and returns how it shall fail; 0 where it shall not.
static int enter(const char *path, int kind)
{
  if (!path) return 0;
  pthread_mutex_lock(&mutex);
  counts[__builtin_ctz((unsigned)kind)]++;
  for (int index = 0; index < gate_count; index++) {
    Gate *gate = &gates[index];
    if (!(gate->kinds & kind) || gate->left <= 0 || strcmp(gate->actor, actor)) continue;
    if (--gate->left > 0) continue;
    gate->is_reached = 1;
    pthread_cond_broadcast(&changed);
    while (!gate->is_released) pthread_cond_wait(&changed, &mutex);
  }
  int code = 0;
  if ((plan_kinds & kind) && plan_left > 0) {
    if (plan_left > 1) {
      plan_left--;
    } else {
      code = plan_code;
      if (!plan_lasting) plan_left = 0;
      fired++;
    }
  }
  pthread_mutex_unlock(&mutex);
  if (code == FAULT_KILL) kill(getpid(), SIGKILL);
  return code;
}

#define FILE_OF(file) FaultFile *own = (FaultFile *)(file)
#define REAL own->real->pMethods

static int close_file(sqlite3_file *file)
{
  FILE_OF(file);
  int code = REAL ? REAL->xClose(own->real) : SQLITE_OK;
  free(own->path);
  own->path = 0;
  return code;
}

static int read_file(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset)
{
  FILE_OF(file);
  int fault = enter(own->path, FAULT_READ);
  if (fault > 0) return fault;
  int code = REAL->xRead(own->real, bytes, size, offset);
  if (!fault || code != SQLITE_OK) return code;
  memset((char *)bytes + size / 2, 0, (size_t)(size - size / 2));
  return SQLITE_IOERR_SHORT_READ;
}

static int write_file(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
  FILE_OF(file);
  int fault = enter(own->path, FAULT_WRITE);
  if (fault > 0 && fault != SQLITE_FULL) return fault;
  // A full disk takes what fits.
  int amount = fault ? size / 2 : size;
  int code = amount > 0 ? REAL->xWrite(own->real, bytes, amount, offset) : SQLITE_OK;
  if (code == SQLITE_OK && own->path) {
    journal_entry(FAULT_WRITE, own->path, offset, bytes, amount);
  }
  if (fault == FAULT_TORN_KILL) kill(getpid(), SIGKILL);
  return fault ? SQLITE_FULL : code;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
  FILE_OF(file);
  int fault = enter(own->path, FAULT_TRUNCATE);
  if (fault) return fault > 0 ? fault : SQLITE_IOERR_TRUNCATE;
  int code = REAL->xTruncate(own->real, size);
  if (code == SQLITE_OK && own->path) journal_entry(FAULT_TRUNCATE, own->path, size, 0, 0);
  return code;
}

static int sync_file(sqlite3_file *file, int flags)
{
  FILE_OF(file);
  int fault = enter(own->path, FAULT_SYNC);
  if (fault) return fault > 0 ? fault : SQLITE_IOERR_FSYNC;
  int code = REAL->xSync(own->real, flags);
  if (code != SQLITE_OK || !own->path) return code;
  pthread_mutex_lock(&mutex);
  int is_lie = lie_left < 0 || lie_left == 1;
  if (lie_left > 0) lie_left--;
  if (!is_lie) append(FAULT_SYNC, own->path, 0, 0, 0);
  pthread_mutex_unlock(&mutex);
  return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
  FILE_OF(file);
  return REAL->xFileSize(own->real, size);
}

static int lock_file(sqlite3_file *file, int level)
{
  FILE_OF(file);
  int fault = enter(own->path, FAULT_LOCK);
  return fault ? (fault > 0 ? fault : SQLITE_IOERR_LOCK) : REAL->xLock(own->real, level);
}

static int unlock_file(sqlite3_file *file, int level)
{
  FILE_OF(file);
  return REAL->xUnlock(own->real, level);
}

static int check_lock(sqlite3_file *file, int *result)
{
  FILE_OF(file);
  return REAL->xCheckReservedLock(own->real, result);
}

static int control(sqlite3_file *file, int operation, void *argument)
{
  FILE_OF(file);
  return REAL->xFileControl(own->real, operation, argument);
}

static int sector_size(sqlite3_file *file)
{
  FILE_OF(file);
  return REAL->xSectorSize(own->real);
}

static int characteristics(sqlite3_file *file)
{
  FILE_OF(file);
  return REAL->xDeviceCharacteristics(own->real);
}

static int shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory)
{
  FILE_OF(file);
  int fault = enter(own->path, FAULT_SHM_MAP);
  if (fault) {
    *memory = 0;
    return fault > 0 ? fault : SQLITE_IOERR_SHMMAP;
  }
  return REAL->xShmMap(own->real, page, size, extend, memory);
}

static int shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
  FILE_OF(file);
  // Letting go is not refused: nothing asks for its result.
  if (flags & SQLITE_SHM_LOCK) {
    int fault = enter(own->path, FAULT_SHM_LOCK);
    if (fault) return fault > 0 ? fault : SQLITE_IOERR_SHMLOCK;
  }
  return REAL->xShmLock(own->real, offset, count, flags);
}

static void shm_barrier(sqlite3_file *file)
{
  FILE_OF(file);
  REAL->xShmBarrier(own->real);
}

static int shm_unmap(sqlite3_file *file, int removes)
{
  FILE_OF(file);
  return REAL->xShmUnmap(own->real, removes);
}

// Nothing is ever in mapped memory, so that no read passes by.
static int fetch(sqlite3_file *file, sqlite3_int64 offset, int size, void **memory)
{
  (void)file, (void)offset, (void)size;
  *memory = 0;
  return SQLITE_OK;
}

static int unfetch(sqlite3_file *file, sqlite3_int64 offset, void *memory)
{
  (void)offset, (void)memory;
  FILE_OF(file);
  enter(own->path, FAULT_UNFETCH);
  return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    3,           close_file,      read_file, write_file,  truncate_file, sync_file,
    file_size,   lock_file,       unlock_file, check_lock, control,      sector_size,
    characteristics, shm_map,     shm_lock,  shm_barrier, shm_unmap,     fetch,
    unfetch};

static char *watched(const char *path)
{
  pthread_mutex_lock(&mutex);
  char *copy = path && folder && !strncmp(path, folder, strlen(folder)) ? strdup(path) : 0;
  pthread_mutex_unlock(&mutex);
  return copy;
}

static int open_file(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *flags_out)
{
  (void)vfs;
  FILE_OF(file);
  memset(own, 0, sizeof *own);
  own->real = (sqlite3_file *)(own + 1);
  char *name = watched(path);
  int fault = enter(name, FAULT_OPEN);
  if (fault) {
    free(name);
    return fault > 0 ? fault : SQLITE_CANTOPEN;
  }
  int is_new = name && access(name, F_OK) != 0;
  int code = system_vfs->xOpen(system_vfs, path, own->real, flags, flags_out);
  if (code != SQLITE_OK) {
    free(name);
    return code;
  }
  if (is_new) journal_entry(FAULT_OPEN, name, 0, 0, 0);
  own->path = name;
  own->base.pMethods = &methods;
  return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs)
{
  (void)vfs;
  char *name = watched(path);
  int fault = enter(name, FAULT_DELETE);
  int code = fault ? (fault > 0 ? fault : SQLITE_IOERR_DELETE)
                   : system_vfs->xDelete(system_vfs, path, syncs);
  if (code == SQLITE_OK && name) journal_entry(FAULT_DELETE, name, syncs, 0, 0);
  free(name);
  return code;
}

int fault_install(void)
{
  if (system_vfs) return 0;
  sqlite3_vfs *found = sqlite3_vfs_find(0);
  if (!found) return 1;
  layer = *found;
  layer.pNext = 0;
  layer.zName = "sectile-fault";
  layer.szOsFile = (int)sizeof(FaultFile) + found->szOsFile;
  layer.xOpen = open_file;
  layer.xDelete = delete_file;
  system_vfs = found;
  return sqlite3_vfs_register(&layer, 1);
}

void fault_watch(const char *path)
{
  pthread_mutex_lock(&mutex);
  free(folder);
  folder = path ? strdup(path) : 0;
  memset(counts, 0, sizeof counts);
  fired = 0;
  plan_kinds = 0;
  is_journaling = 0;
  lie_left = 0;
  forget_journal();
  pthread_mutex_unlock(&mutex);
}

void fault_plan(int kinds, long number, int code, int lasting)
{
  pthread_mutex_lock(&mutex);
  plan_kinds = kinds;
  plan_left = number;
  plan_code = code;
  plan_lasting = lasting;
  pthread_mutex_unlock(&mutex);
}

long fault_count(int kinds)
{
  long sum = 0;
  pthread_mutex_lock(&mutex);
  for (int index = 0; index < KINDS; index++) {
    if (kinds & (1 << index)) sum += counts[index];
  }
  pthread_mutex_unlock(&mutex);
  return sum;
}

long fault_fired(void)
{
  pthread_mutex_lock(&mutex);
  long result = fired;
  pthread_mutex_unlock(&mutex);
  return result;
}

void fault_journal(int is_on)
{
  pthread_mutex_lock(&mutex);
  is_journaling = is_on;
  pthread_mutex_unlock(&mutex);
}

void fault_lie(long number)
{
  pthread_mutex_lock(&mutex);
  lie_left = number;
  pthread_mutex_unlock(&mutex);
}

void fault_mark(long value) { journal_entry(FAULT_MARK, 0, value, 0, 0); }

long fault_journal_count(void)
{
  pthread_mutex_lock(&mutex);
  long count = journal_count;
  pthread_mutex_unlock(&mutex);
  return count;
}

fault_entry fault_journal_entry(long index)
{
  pthread_mutex_lock(&mutex);
  fault_entry entry = journal[index];
  pthread_mutex_unlock(&mutex);
  return entry;
}

void fault_actor(const char *name)
{
  memset(actor, 0, sizeof actor);
  if (name) strncpy(actor, name, sizeof actor - 1);
}

int fault_gate(const char *name, int kinds, long number)
{
  pthread_mutex_lock(&mutex);
  int index = gate_count < GATES ? gate_count++ : -1;
  if (index >= 0) {
    gates[index] = (Gate){.kinds = kinds, .left = number};
    strncpy(gates[index].actor, name, sizeof gates[index].actor - 1);
  }
  pthread_mutex_unlock(&mutex);
  return index;
}

int fault_gate_wait(int gate, int milliseconds)
{
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += milliseconds / 1000;
  limit.tv_nsec += (milliseconds % 1000) * 1000000L;
  if (limit.tv_nsec >= 1000000000L) {
    limit.tv_sec++;
    limit.tv_nsec -= 1000000000L;
  }
  pthread_mutex_lock(&mutex);
  int code = 0;
  while (!gates[gate].is_reached && !code) {
    code = pthread_cond_timedwait(&changed, &mutex, &limit);
  }
  int is_reached = gates[gate].is_reached;
  pthread_mutex_unlock(&mutex);
  return is_reached;
}

void fault_gate_release(int gate)
{
  pthread_mutex_lock(&mutex);
  gates[gate].is_released = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

void fault_gates_clear(void)
{
  pthread_mutex_lock(&mutex);
  gate_count = 0;
  pthread_mutex_unlock(&mutex);
}
