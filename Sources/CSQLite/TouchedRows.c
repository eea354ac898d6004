#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "CSQLite.h"

// Rows in memory that statements of one connection read as tables: all of them under one name, the former ones under
// another. Both are eponymous virtual tables: they are there with their modules, and change no schema.

typedef struct value
{
  int type;
  long long integer;
  double real;
  size_t start;
  size_t count;
} value;

typedef struct row
{
  long long id;
  int isFormer;
} row;

struct sectile_rows
{
  int userCount;
  int columnCount;
  char *declaration;
  size_t rowCount, rowRoom;
  row *rows;
  size_t valueCount, valueRoom;
  value *values;
  size_t byteCount, byteRoom;
  char *bytes;
};

typedef struct module
{
  sectile_rows *rows;
  int isFormerAlone;
} module;

typedef struct table
{
  sqlite3_vtab base;
  module *module;
} table;

typedef struct cursor
{
  sqlite3_vtab_cursor base;
  module *module;
  size_t position;
} cursor;

// Makes room for more elements; zero where there is no memory.
static int make_room(void **list, size_t *room, size_t needed, size_t size)
{
  if (needed <= *room) return 1;
  size_t larger = *room ? *room : 16;
  while (larger < needed) larger *= 2;
  void *moved = realloc(*list, larger * size);
  if (!moved) return 0;
  *list = moved;
  *room = larger;
  return 1;
}

// MARK: The virtual table

static int connect_table(
    sqlite3 *connection, void *context, int count, const char *const *arguments,
    sqlite3_vtab **found, char **message)
{
  (void)count;
  (void)arguments;
  (void)message;
  module *module = context;
  int code = sqlite3_declare_vtab(connection, module->rows->declaration);
  if (code != SQLITE_OK) return code;
  sqlite3_vtab_config(connection, SQLITE_VTAB_DIRECTONLY);
  table *table = sqlite3_malloc(sizeof(*table));
  if (!table) return SQLITE_NOMEM;
  memset(table, 0, sizeof(*table));
  table->module = module;
  *found = &table->base;
  return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *table)
{
  sqlite3_free(table);
  return SQLITE_OK;
}

// It is read first, and the tables that it is joined to are searched for its few rows.
static int choose_plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
  (void)table;
  info->estimatedCost = 4;
  info->estimatedRows = 2;
  return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **opened)
{
  cursor *cursor = sqlite3_malloc(sizeof(*cursor));
  if (!cursor) return SQLITE_NOMEM;
  memset(cursor, 0, sizeof(*cursor));
  cursor->module = ((table *)base)->module;
  *opened = &cursor->base;
  return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
  sqlite3_free(cursor);
  return SQLITE_OK;
}

static void skip_present_rows(cursor *cursor)
{
  sectile_rows *rows = cursor->module->rows;
  if (!cursor->module->isFormerAlone) return;
  while (cursor->position < rows->rowCount && !rows->rows[cursor->position].isFormer)
  {
    cursor->position++;
  }
}

static int begin_scan(
    sqlite3_vtab_cursor *base, int number, const char *text, int count, sqlite3_value **values)
{
  (void)number;
  (void)text;
  (void)count;
  (void)values;
  ((cursor *)base)->position = 0;
  skip_present_rows((cursor *)base);
  return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
  ((cursor *)base)->position++;
  skip_present_rows((cursor *)base);
  return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
  cursor *place = (cursor *)base;
  return place->position >= place->module->rows->rowCount;
}

static int read_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
  cursor *place = (cursor *)base;
  sectile_rows *rows = place->module->rows;
  value *value = &rows->values[place->position * (size_t)rows->columnCount + (size_t)column];
  const char *bytes = rows->bytes ? rows->bytes + value->start : "";
  switch (value->type)
  {
    case SQLITE_INTEGER: sqlite3_result_int64(context, value->integer); break;
    case SQLITE_FLOAT: sqlite3_result_double(context, value->real); break;
    case SQLITE_TEXT:
      sqlite3_result_text64(context, bytes, value->count, SQLITE_TRANSIENT, SQLITE_UTF8);
      break;
    case SQLITE_BLOB:
      sqlite3_result_blob64(context, bytes, value->count, SQLITE_TRANSIENT);
      break;
    default: sqlite3_result_null(context);
  }
  return SQLITE_OK;
}

static int read_row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
  cursor *place = (cursor *)base;
  *id = place->module->rows->rows[place->position].id;
  return SQLITE_OK;
}

static const sqlite3_module touched_rows = {
    .iVersion = 0,
    .xConnect = connect_table,
    .xBestIndex = choose_plan,
    .xDisconnect = disconnect_table,
    .xDestroy = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = begin_scan,
    .xNext = next_row,
    .xEof = is_at_end,
    .xColumn = read_column,
    .xRowid = read_row_id,
};

// MARK: The rows

static void release_rows(sectile_rows *rows)
{
  if (--rows->userCount > 0) return;
  free(rows->declaration);
  free(rows->rows);
  free(rows->values);
  free(rows->bytes);
  free(rows);
}

static void release_module(void *context)
{
  module *module = context;
  release_rows(module->rows);
  free(module);
}

static int register_module(
    sqlite3 *connection, const char *name, sectile_rows *rows, int isFormerAlone)
{
  module *module = calloc(1, sizeof(*module));
  if (!module) return SQLITE_NOMEM;
  rows->userCount++;
  module->rows = rows;
  module->isFormerAlone = isFormerAlone;
  // Where it fails, SQLite releases the module.
  return sqlite3_create_module_v2(connection, name, &touched_rows, module, release_module);
}

int sectile_create_rows(
    sqlite3 *connection, const char *name, const char *formerName, const char *declaration,
    int columnCount, sectile_rows **created)
{
  *created = 0;
  sectile_rows *rows = calloc(1, sizeof(*rows));
  if (!rows) return SQLITE_NOMEM;
  rows->userCount = 1;
  rows->columnCount = columnCount;
  rows->declaration = strdup(declaration);
  int code = rows->declaration ? SQLITE_OK : SQLITE_NOMEM;
  if (code == SQLITE_OK) code = register_module(connection, name, rows, 0);
  if (code == SQLITE_OK) code = register_module(connection, formerName, rows, 1);
  if (code == SQLITE_OK) *created = rows;
  // The modules hold the rows from here on.
  release_rows(rows);
  return code;
}

void sectile_clear_rows(sectile_rows *rows)
{
  rows->rowCount = 0;
  rows->valueCount = 0;
  rows->byteCount = 0;
}

int sectile_add_row(sectile_rows *rows, long long id, int isFormer)
{
  if (!make_room((void **)&rows->rows, &rows->rowRoom, rows->rowCount + 1, sizeof(row))) return 0;
  size_t count = (rows->rowCount + 1) * (size_t)rows->columnCount;
  if (!make_room((void **)&rows->values, &rows->valueRoom, count, sizeof(value))) return 0;
  rows->valueCount = rows->rowCount * (size_t)rows->columnCount;
  memset(rows->values + rows->valueCount, 0, (size_t)rows->columnCount * sizeof(value));
  rows->rows[rows->rowCount].id = id;
  rows->rows[rows->rowCount].isFormer = isFormer;
  rows->rowCount++;
  return 1;
}

void sectile_add_null(sectile_rows *rows) { rows->values[rows->valueCount++].type = SQLITE_NULL; }

void sectile_add_integer(sectile_rows *rows, long long integer)
{
  value *value = &rows->values[rows->valueCount++];
  value->type = SQLITE_INTEGER;
  value->integer = integer;
}

void sectile_add_real(sectile_rows *rows, double real)
{
  value *value = &rows->values[rows->valueCount++];
  value->type = SQLITE_FLOAT;
  value->real = real;
}

int sectile_add_bytes(sectile_rows *rows, int isText, const void *bytes, long long count)
{
  size_t length = (size_t)count;
  if (!make_room((void **)&rows->bytes, &rows->byteRoom, rows->byteCount + length, 1)) return 0;
  if (length > 0) memcpy(rows->bytes + rows->byteCount, bytes, length);
  value *value = &rows->values[rows->valueCount++];
  value->type = isText ? SQLITE_TEXT : SQLITE_BLOB;
  value->start = rows->byteCount;
  value->count = length;
  rows->byteCount += length;
  return 1;
}
