-- formhistory.sqlite of Firefox: a table whose name is an old name's, times that may be missing.
CREATE TABLE moz_formhistory (id INTEGER PRIMARY KEY, fieldname TEXT NOT NULL,
  value TEXT NOT NULL, timesUsed INTEGER, firstUsed INTEGER, lastUsed INTEGER, guid TEXT);
CREATE TABLE moz_deleted_formhistory (id INTEGER PRIMARY KEY, timeDeleted INTEGER, guid TEXT);
CREATE TABLE moz_sources (id INTEGER PRIMARY KEY, source TEXT NOT NULL);
CREATE TABLE moz_history_to_sources (history_id INTEGER, source_id INTEGER,
  PRIMARY KEY (history_id, source_id),
  FOREIGN KEY (history_id) REFERENCES moz_formhistory(id) ON DELETE CASCADE,
  FOREIGN KEY (source_id) REFERENCES moz_sources(id) ON DELETE CASCADE) WITHOUT ROWID;
CREATE INDEX moz_formhistory_index ON moz_formhistory (fieldname);
CREATE UNIQUE INDEX moz_formhistory_guid_index ON moz_formhistory (guid);
INSERT INTO moz_formhistory VALUES
  (1, 'searchbar-history', 'sqlite "live"', 2, 1717165000000000, 1717165099000001, 'Zk3+/aaaaaaaaa'),
  (2, 'email', 'añ@example.org', 1, NULL, NULL, NULL), (3, 'email', 'b@example.org', 1, 0, 0, NULL);
INSERT INTO moz_deleted_formhistory VALUES (1, 1717165099000001, 'gone');
INSERT INTO moz_sources VALUES (1, 'Wikipedia (en)');
INSERT INTO moz_history_to_sources VALUES (1, 1), (404, 1);
PRAGMA user_version = 5;
