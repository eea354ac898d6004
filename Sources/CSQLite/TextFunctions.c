#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

#include "CSQLite.h"

// SQLite's own functions of these names compare one text with another at each place. Nothing stops them midway.

typedef struct bytes
{
  const unsigned char *start;
  long long count;
} bytes;

// What a value is as text: the bytes of a blob are that already.
static int read_bytes(sqlite3_value *value, bytes *found)
{
  found->start = sqlite3_value_type(value) == SQLITE_BLOB
                     ? sqlite3_value_blob(value)
                     : sqlite3_value_text(value);
  found->count = sqlite3_value_bytes(value);
  return found->start || found->count == 0;
}

static int has_null(int count, sqlite3_value **values)
{
  for (int i = 0; i < count; i++)
  {
    if (sqlite3_value_type(values[i]) == SQLITE_NULL) return 1;
  }
  return 0;
}

// Reads two values; says what is wrong where they cannot be read, or comparing them takes too long.
static int read_both(sqlite3_context *context, sqlite3_value **values, bytes *text, bytes *part)
{
  long long limit = (long long)(intptr_t)sqlite3_user_data(context);
  if (!read_bytes(values[0], text) || !read_bytes(values[1], part))
  {
    sqlite3_result_error_nomem(context);
    return 0;
  }
  if (part->count > 0 && text->count > limit / part->count)
  {
    sqlite3_result_error_toobig(context);
    return 0;
  }
  return 1;
}

static int begins(bytes text, bytes part)
{
  return part.count <= text.count && text.start[0] == part.start[0]
         && memcmp(text.start, part.start, part.count) == 0;
}

static void find(sqlite3_context *context, int count, sqlite3_value **values)
{
  bytes text, part;
  if (has_null(count, values) || !read_both(context, values, &text, &part)) return;
  // Of two blobs, bytes are counted, else characters.
  int isText = sqlite3_value_type(values[0]) != SQLITE_BLOB
               || sqlite3_value_type(values[1]) != SQLITE_BLOB;
  long long place = 1;
  while (part.count > 0 && part.count <= text.count && !begins(text, part))
  {
    place++;
    do
    {
      text.start++;
      text.count--;
    } while (isText && text.count > 0 && (text.start[0] & 0xC0) == 0x80);
  }
  sqlite3_result_int64(context, part.count > text.count ? 0 : place);
}

// How many bytes the first character has; the text ends at a zero byte.
static long long character_length(const unsigned char *start)
{
  long long length = 1;
  if (start[0] >= 0xC0)
  {
    while ((start[length] & 0xC0) == 0x80) length++;
  }
  return length;
}

// How many bytes at the beginning, or at the end, are one of some characters; 0 where none is there.
static long long matching_length(bytes text, const unsigned char *characters, int isAtEnd)
{
  while (*characters)
  {
    long long length = character_length(characters);
    if (length <= text.count)
    {
      const unsigned char *place = text.start + (isAtEnd ? text.count - length : 0);
      if (memcmp(place, characters, length) == 0) return length;
    }
    characters += length;
  }
  return 0;
}

static void trim(
    sqlite3_context *context, int count, sqlite3_value **values, int isAtBegin, int isAtEnd)
{
  bytes text, part;
  if (has_null(count, values) || !read_both(context, values, &text, &part)) return;
  // With a zero byte at its end, also where the value is a blob.
  const unsigned char *characters = sqlite3_value_text(values[1]);
  text.start = sqlite3_value_text(values[0]);
  if (!characters || !text.start) return sqlite3_result_error_nomem(context);
  text.count = sqlite3_value_bytes(values[0]);
  while (isAtBegin && text.count > 0)
  {
    long long length = matching_length(text, characters, 0);
    if (length == 0) break;
    text.start += length;
    text.count -= length;
  }
  while (isAtEnd && text.count > 0)
  {
    long long length = matching_length(text, characters, 1);
    if (length == 0) break;
    text.count -= length;
  }
  sqlite3_result_text64(
      context, (const char *)text.start, text.count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void trim_both(sqlite3_context *context, int count, sqlite3_value **values)
{
  trim(context, count, values, 1, 1);
}

static void trim_begin(sqlite3_context *context, int count, sqlite3_value **values)
{
  trim(context, count, values, 1, 0);
}

static void trim_end(sqlite3_context *context, int count, sqlite3_value **values)
{
  trim(context, count, values, 0, 1);
}

// Writes a text with other parts, or only counts the bytes that it has then.
static long long write_replaced(bytes text, bytes part, bytes other, unsigned char *output)
{
  long long count = 0;
  while (text.count > 0)
  {
    int isPart = begins(text, part);
    bytes next = {text.start, 1};
    if (isPart) next = other;
    if (output && next.count > 0) memcpy(output + count, next.start, next.count);
    count += next.count;
    long long length = isPart ? part.count : 1;
    text.start += length;
    text.count -= length;
  }
  return count;
}

static void replace(sqlite3_context *context, int count, sqlite3_value **values)
{
  bytes text, part, other;
  if (has_null(2, values) || !read_both(context, values, &text, &part)) return;
  if (part.count == 0 || part.start[0] == 0)
  {
    // A blob is text then, too.
    sqlite3_value_text(values[0]);
    sqlite3_result_value(context, values[0]);
    return;
  }
  if (has_null(count, values)) return;
  if (!read_bytes(values[2], &other)) return sqlite3_result_error_nomem(context);
  long long length = write_replaced(text, part, other, 0);
  if (length > sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1))
  {
    sqlite3_result_error_toobig(context);
    return;
  }
  unsigned char *output = sqlite3_malloc64((sqlite3_uint64)length + 1);
  if (!output) return sqlite3_result_error_nomem(context);
  write_replaced(text, part, other, output);
  sqlite3_result_text64(
      context, (const char *)output, (sqlite3_uint64)length, sqlite3_free, SQLITE_UTF8);
}

int sectile_bound_text_functions(sqlite3 *connection, long long limit)
{
  static const struct
  {
    const char *name;
    int argumentCount;
    void (*call)(sqlite3_context *, int, sqlite3_value **);
  } functions[] = {
      {"instr", 2, find},        {"trim", 2, trim_both},  {"ltrim", 2, trim_begin},
      {"rtrim", 2, trim_end},    {"replace", 3, replace},
  };
  for (unsigned i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
  {
    int code = sqlite3_create_function_v2(
        connection, functions[i].name, functions[i].argumentCount,
        SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, (void *)(intptr_t)limit,
        functions[i].call, 0, 0, 0);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}
