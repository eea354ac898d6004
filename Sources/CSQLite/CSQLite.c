#include <sqlite3.h>

#include "CSQLite.h"

// `sqlite3_db_config` takes variable arguments, which Swift does not call.
int sectile_set_defensive(sqlite3 *connection)
{
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

int sectile_set_triggers(sqlite3 *connection, int isOn)
{
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn, (int *)0);
}
