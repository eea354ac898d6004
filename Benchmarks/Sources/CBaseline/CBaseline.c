#define _GNU_SOURCE
#include "CBaseline.h"

#include <malloc.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct baseline {
  sqlite3 *db;
  sqlite3_stmt *begin;
  sqlite3_stmt *commit;
  sqlite3_stmt *insert;
  sqlite3_stmt *update;
  sqlite3_stmt *list;
  char *list_sql;
};

static int prepare(baseline *base, const char *sql, sqlite3_stmt **statement) {
  if (*statement) return SQLITE_OK;
  return sqlite3_prepare_v3(base->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

static int run(sqlite3_stmt *statement) {
  sqlite3_step(statement);
  return sqlite3_reset(statement);
}

int baseline_open(const char *path, baseline **result) {
  baseline *base = calloc(1, sizeof *base);
  if (!base) return SQLITE_NOMEM;
  int code = sqlite3_open_v2(
      path ? path : ":memory:", &base->db,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) {
    code = sqlite3_exec(
        base->db,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;"
        "PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 67108864",
        NULL, NULL, NULL);
  }
  if (code == SQLITE_OK) code = prepare(base, "BEGIN IMMEDIATE", &base->begin);
  if (code == SQLITE_OK) code = prepare(base, "COMMIT", &base->commit);
  if (code != SQLITE_OK) {
    baseline_close(base);
    return code;
  }
  *result = base;
  return SQLITE_OK;
}

void baseline_close(baseline *base) {
  if (!base) return;
  sqlite3_finalize(base->begin);
  sqlite3_finalize(base->commit);
  sqlite3_finalize(base->insert);
  sqlite3_finalize(base->update);
  sqlite3_finalize(base->list);
  sqlite3_close(base->db);
  free(base->list_sql);
  free(base);
}

int baseline_execute(baseline *base, const char *sql) {
  return sqlite3_exec(base->db, sql, NULL, NULL, NULL);
}

int baseline_copy(baseline *base, const char *path) {
  sqlite3 *source = NULL;
  int code = sqlite3_open_v2(path, &source, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) {
    sqlite3_backup *backup = sqlite3_backup_init(base->db, "main", source, "main");
    if (backup) sqlite3_backup_step(backup, -1);
    code = backup ? sqlite3_backup_finish(backup) : sqlite3_errcode(base->db);
  }
  sqlite3_close(source);
  return code;
}

static void bind_track(sqlite3_stmt *statement, const baseline_track *track) {
  sqlite3_bind_int64(statement, 1, track->id);
  sqlite3_bind_text(statement, 2, track->title, track->title_count, SQLITE_STATIC);
  sqlite3_bind_text(statement, 3, track->artist, track->artist_count, SQLITE_STATIC);
  sqlite3_bind_text(statement, 4, track->genre, track->genre_count, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 5, track->rating);
  sqlite3_bind_double(statement, 6, track->duration);
  sqlite3_bind_int64(statement, 7, track->added_at);
}

int baseline_insert(baseline *base, const baseline_track *tracks, int64_t count) {
  int code = prepare(
      base,
      "INSERT INTO track (id, title, artist, genre, rating, duration, added_at)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
      &base->insert);
  if (code == SQLITE_OK) code = run(base->begin);
  for (int64_t row = 0; row < count && code == SQLITE_OK; row++) {
    bind_track(base->insert, &tracks[row]);
    code = run(base->insert);
  }
  return code == SQLITE_OK ? run(base->commit) : code;
}

// --- Lists -----------------------------------------------------------------------------------------

static int prepare_list(baseline *base, const char *sql) {
  if (base->list_sql && strcmp(base->list_sql, sql) == 0) return SQLITE_OK;
  sqlite3_finalize(base->list);
  free(base->list_sql);
  base->list = NULL;
  base->list_sql = strdup(sql);
  return prepare(base, sql, &base->list);
}

// Makes room for one more section; returns false without memory.
static int grow_starts(baseline_list *list, int64_t *capacity) {
  if (list->section_count < *capacity) return 1;
  *capacity = *capacity ? *capacity * 2 : 256;
  int32_t *grown = realloc(list->starts, (size_t)*capacity * sizeof *grown);
  if (grown) list->starts = grown;
  return grown != NULL;
}

static int read_list(baseline *base, baseline_list *list) {
  sqlite3_stmt *statement = base->list;
  int64_t capacity = 0, start_capacity = 0;
  char *last = NULL;
  int last_count = -1, last_capacity = 0;
  int code;
  *list = (baseline_list){0};
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    if (list->count == capacity) {
      capacity = capacity ? capacity * 2 : 1024;
      int64_t *grown = realloc(list->ids, (size_t)capacity * sizeof *grown);
      if (!grown) break;
      list->ids = grown;
    }
    list->ids[list->count] = sqlite3_column_int64(statement, 0);
    const char *identity = (const char *)sqlite3_column_text(statement, 1);
    int count = sqlite3_column_bytes(statement, 1);
    if (count != last_count || memcmp(identity, last, (size_t)count) != 0) {
      if (count > last_capacity) {
        free(last);
        last_capacity = count * 2 + 16;
        last = malloc((size_t)last_capacity);
      }
      if (!last || !grow_starts(list, &start_capacity)) break;
      memcpy(last, identity, (size_t)count);
      last_count = count;
      list->starts[list->section_count++] = (int32_t)list->count;
    }
    list->count++;
  }
  free(last);
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code == SQLITE_ROW ? SQLITE_NOMEM : code;
}

int baseline_read_list(baseline *base, const char *sql, baseline_list *result) {
  int code = prepare_list(base, sql);
  return code == SQLITE_OK ? read_list(base, result) : code;
}

void baseline_free_list(baseline_list *list) {
  free(list->ids);
  free(list->starts);
  *list = (baseline_list){0};
}

// --- Rows ------------------------------------------------------------------------------------------

static const char *copy_text(sqlite3_stmt *statement, int column, int32_t *count) {
  const void *text = sqlite3_column_text(statement, column);
  *count = sqlite3_column_bytes(statement, column);
  char *copy = malloc((size_t)*count + 1);
  if (copy && text) memcpy(copy, text, (size_t)*count + 1);
  return copy;
}

int baseline_decode(baseline *base, baseline_track **tracks, int64_t *count) {
  int code = prepare_list(
      base,
      "SELECT id, title, artist, genre, rating, duration, added_at FROM track ORDER BY id");
  if (code != SQLITE_OK) return code;
  sqlite3_stmt *statement = base->list;
  int64_t capacity = 0;
  *tracks = NULL;
  *count = 0;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    if (*count == capacity) {
      capacity = capacity ? capacity * 2 : 1024;
      baseline_track *grown = realloc(*tracks, (size_t)capacity * sizeof *grown);
      if (!grown) break;
      *tracks = grown;
    }
    baseline_track *track = *tracks + (*count)++;
    track->id = sqlite3_column_int64(statement, 0);
    track->title = copy_text(statement, 1, &track->title_count);
    track->artist = copy_text(statement, 2, &track->artist_count);
    track->genre = copy_text(statement, 3, &track->genre_count);
    track->rating = sqlite3_column_int(statement, 4);
    track->duration = sqlite3_column_double(statement, 5);
    track->added_at = sqlite3_column_int64(statement, 6);
  }
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code == SQLITE_ROW ? SQLITE_NOMEM : code;
}

void baseline_free_tracks(baseline_track *tracks, int64_t count) {
  for (int64_t row = 0; row < count; row++) {
    free((void *)tracks[row].title);
    free((void *)tracks[row].artist);
    free((void *)tracks[row].genre);
  }
  free(tracks);
}

int baseline_update(baseline *base, const baseline_track *track) {
  int code = prepare(
      base,
      "UPDATE track SET title = ?2, artist = ?3, genre = ?4, rating = ?5, duration = ?6,"
      " added_at = ?7 WHERE id = ?1",
      &base->update);
  if (code == SQLITE_OK) code = run(base->begin);
  if (code != SQLITE_OK) return code;
  bind_track(base->update, track);
  code = run(base->update);
  return code == SQLITE_OK ? run(base->commit) : code;
}

// --- The library and its memory ---------------------------------------------------------------------

const char *baseline_sqlite_version(void) { return sqlite3_libversion(); }

const char *baseline_sqlite_source(void) { return sqlite3_sourceid(); }

int64_t baseline_sqlite_memory(void) { return sqlite3_memory_used(); }

// The size in the last element of `text` that begins with `start`: the totals stand at the end.
static int64_t last_size(const char *text, const char *start) {
  const char *found = NULL;
  for (const char *next = text; (next = strstr(next, start)) != NULL; next++) found = next;
  const char *size = found ? strstr(found, "size=\"") : NULL;
  return size ? strtoll(size + strlen("size=\""), NULL, 10) : 0;
}

// mallinfo2 would count the arena of the first thread alone.
int64_t baseline_process_memory(void) {
  char *text = NULL;
  size_t count = 0;
  FILE *stream = open_memstream(&text, &count);
  if (!stream) return 0;
  int code = malloc_info(0, stream);
  fclose(stream);
  int64_t used = 0;
  if (code == 0) {
    used = last_size(text, "<system type=\"current\"") + last_size(text, "<total type=\"mmap\"") -
           last_size(text, "<total type=\"fast\"") - last_size(text, "<total type=\"rest\"");
  }
  free(text);
  return used;
}
