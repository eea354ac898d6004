#include <sqlite3.h>

#include "CSQLite.h"

// `sqlite3_db_config` takes variable arguments, which Swift does not call.
int sectile_set_defensive(sqlite3 *connection)
{
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

int sectile_unset_defensive(sqlite3 *connection)
{
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 0, (int *)0);
}

int sectile_set_triggers(sqlite3 *connection, int isOn)
{
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn, (int *)0);
}

int sectile_triggers(sqlite3 *connection)
{
  int isOn = 0;
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, -1, &isOn);
  return isOn;
}

int sectile_set_foreign_keys(sqlite3 *connection, int isOn)
{
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FKEY, isOn, (int *)0);
}

int sectile_foreign_keys(sqlite3 *connection)
{
  int isOn = 0;
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FKEY, -1, &isOn);
  return isOn;
}
