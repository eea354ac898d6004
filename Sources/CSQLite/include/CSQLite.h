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

#endif
