// The limit to measure against: what a C programmer who knows SQLite would write. Statements are
// prepared once, text is bound without a copy, and nothing is allocated that the result does not
// need. Functions return SQLITE_OK or SQLite's error code, unless they say otherwise.

#ifndef SECTILE_CBASELINE_H
#define SECTILE_CBASELINE_H

#include <stdint.h>

#include "CPrograms.h"

typedef struct baseline baseline;

typedef struct {
  int64_t id;
  const char *title;
  const char *artist;
  const char *genre;
  int32_t title_count;
  int32_t artist_count;
  int32_t genre_count;
  int32_t rating;
  double duration;
  int64_t added_at;
} baseline_track;

// Row ids in order, and the offsets at which sections begin.
typedef struct {
  int64_t *ids;
  int32_t *starts;
  int64_t count;
  int64_t section_count;
} baseline_list;

// Opens a file, or a database in memory for NULL, with the pragmas of a Sectile store.
int baseline_open(const char *path, baseline **result);
void baseline_close(baseline *base);

// Replaces everything by the pages of a file.
int baseline_copy(baseline *base, const char *path);

int baseline_execute(baseline *base, const char *sql);

// Inserts tracks in one transaction.
int baseline_insert(baseline *base, const baseline_track *tracks, int64_t count);

// Steps `sql`, whose columns are the id and the section's identity, comparing each identity with the
// one before by its bytes.
int baseline_read_list(baseline *base, const char *sql, baseline_list *result);

void baseline_free_list(baseline_list *list);

// Decodes every column of every row, in the order of ids; texts are copied to malloc'd memory.
int baseline_decode(baseline *base, baseline_track **tracks, int64_t *count);
void baseline_free_tracks(baseline_track *tracks, int64_t count);

// Updates every column of one row in a transaction of its own.
int baseline_update(baseline *base, const baseline_track *track);

// The SQLite that runs.
const char *baseline_sqlite_version(void);
const char *baseline_sqlite_source(void);

// Bytes that SQLite has allocated in this process, and bytes that malloc has
// handed out to all threads.
int64_t baseline_sqlite_memory(void);
int64_t baseline_process_memory(void);

#endif
