// What GRDB's own SQLite module does not show: the pre-update hook. Debian's library is built
// with SQLITE_ENABLE_PREUPDATE_HOOK, its header hides the declarations unless that is defined.
// Only forward declarations stand here, so that this module never clashes with GRDB's.

#ifndef SECTILE_CSQLITE_H
#define SECTILE_CSQLITE_H

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_value sqlite3_value;

void *sqlite3_preupdate_hook(
    sqlite3 *connection,
    void (*callback)(
        void *context,
        sqlite3 *connection,
        int operation,
        const char *schema,
        const char *table,
        long long oldRowID,
        long long newRowID),
    void *context);
int sqlite3_preupdate_old(sqlite3 *connection, int column, sqlite3_value **value);
int sqlite3_preupdate_new(sqlite3 *connection, int column, sqlite3_value **value);
int sqlite3_preupdate_count(sqlite3 *connection);
int sqlite3_preupdate_depth(sqlite3 *connection);

// Refuses SQL that would let a statement damage the file: writes to shadow tables, to the schema.
int sectile_set_defensive(sqlite3 *connection);

// Allows such SQL, for a file that is being made.
int sectile_unset_defensive(sqlite3 *connection);

// Lets triggers run, or not; those of the connection itself, which are temporary, run all the same.
int sectile_set_triggers(sqlite3 *connection, int isOn);

// Whether triggers run.
int sectile_triggers(sqlite3 *connection);

// Has foreign keys enforced, or not. Unlike the pragma this works inside a transaction.
int sectile_set_foreign_keys(sqlite3 *connection, int isOn);

// Whether foreign keys are enforced.
int sectile_foreign_keys(sqlite3 *connection);

// Has the log copied into the file, and removed, when the connection is the last one to close it; or not.
int sectile_set_checkpoint_on_close(sqlite3 *connection, int isOn);

// Replaces instr, trim, ltrim, rtrim and replace by functions that say the same, but refuse two texts, as too big, the
// product of whose lengths is above a limit: so long takes comparing them, and nothing interrupts it.
int sectile_bound_text_functions(sqlite3 *connection, long long limit);

// What a log holds.
typedef struct sectile_log
{
  unsigned pageSize;
  unsigned pageCount;
  unsigned copiedPageCount;
} sectile_log;

// Reads what the log of a connection holds that has it open already, without a transaction; zero where it cannot be
// had. Not to be called where there is no log.
int sectile_log_length(sqlite3 *connection, sectile_log *log);

// Rows in memory, which the statements of one connection read as a table.
typedef struct sectile_rows sectile_rows;

// Creates an empty list of rows, to be read under a name, and those of them that are former ones under another.
// The declaration is a CREATE TABLE whose columns have types and collations; its name does not matter. The rows last
// as long as the connection. Returns a code of SQLite's.
int sectile_create_rows(
    sqlite3 *connection,
    const char *name,
    const char *formerName,
    const char *declaration,
    int columnCount,
    sectile_rows **created);

// Forgets all rows; not while a statement reads them.
void sectile_clear_rows(sectile_rows *rows);

// Adds a row, whose columns are added next, in their order. Zero where there is no memory for it.
int sectile_add_row(sectile_rows *rows, long long id, int isFormer);
void sectile_add_null(sectile_rows *rows);
void sectile_add_integer(sectile_rows *rows, long long integer);
void sectile_add_real(sectile_rows *rows, double real);

// Adds text in UTF-8, or a blob. Zero where there is no memory for it.
int sectile_add_bytes(sectile_rows *rows, int isText, const void *bytes, long long count);

#endif
