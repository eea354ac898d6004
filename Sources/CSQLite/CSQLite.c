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

int sectile_set_checkpoint_on_close(sqlite3 *connection, int isOn)
{
  return sqlite3_db_config(
      connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, isOn ? 0 : 1, (int *)0);
}

// The index of a log is documented at https://www.sqlite.org/walformat.html, in the byte order of the machine: the
// size of a page at byte 14, the number of pages that are committed at byte 16, and how many of them are in the
// file at byte 96.
int sectile_log_length(sqlite3 *connection, sectile_log *log)
{
  sqlite3_file *file = 0;
  void volatile *index = 0;
  int code =
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || !file || !file->pMethods) return 0;
  if (file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
  code = file->pMethods->xShmMap(file, 0, 32768, 0, &index);
  if (code != SQLITE_OK || !index) return 0;
  unsigned short pageSize = ((unsigned short volatile *)index)[7];
  // 65,536 does not fit.
  log->pageSize = pageSize == 1 ? 65536 : pageSize;
  log->pageCount = ((unsigned volatile *)index)[4];
  log->copiedPageCount = ((unsigned volatile *)index)[24];
  return 1;
}
