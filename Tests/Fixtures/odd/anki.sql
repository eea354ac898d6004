-- collection.anki2 of Anki: the collation unicase of the program in keys and indexes, fields
-- separated by U+001F, times in seconds and milliseconds, counts that are negative, a table
-- without row ids whose key has that collation.
CREATE TABLE col (id INTEGER PRIMARY KEY, crt INTEGER NOT NULL, mod INTEGER NOT NULL,
  scm INTEGER NOT NULL, ver INTEGER NOT NULL, dty INTEGER NOT NULL, usn INTEGER NOT NULL,
  ls INTEGER NOT NULL, conf TEXT NOT NULL, models TEXT NOT NULL, decks TEXT NOT NULL,
  dconf TEXT NOT NULL, tags TEXT NOT NULL);
CREATE TABLE notes (id INTEGER PRIMARY KEY, guid TEXT NOT NULL, mid INTEGER NOT NULL,
  mod INTEGER NOT NULL, usn INTEGER NOT NULL, tags TEXT NOT NULL, flds TEXT NOT NULL,
  sfld INTEGER NOT NULL, csum INTEGER NOT NULL, flags INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE cards (id INTEGER PRIMARY KEY, nid INTEGER NOT NULL, did INTEGER NOT NULL,
  ord INTEGER NOT NULL, mod INTEGER NOT NULL, usn INTEGER NOT NULL, type INTEGER NOT NULL,
  queue INTEGER NOT NULL, due INTEGER NOT NULL, ivl INTEGER NOT NULL, factor INTEGER NOT NULL,
  reps INTEGER NOT NULL, lapses INTEGER NOT NULL, left INTEGER NOT NULL, odue INTEGER NOT NULL,
  odid INTEGER NOT NULL, flags INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE revlog (id INTEGER PRIMARY KEY, cid INTEGER NOT NULL, usn INTEGER NOT NULL,
  ease INTEGER NOT NULL, ivl INTEGER NOT NULL, lastIvl INTEGER NOT NULL, factor INTEGER NOT NULL,
  time INTEGER NOT NULL, type INTEGER NOT NULL);
CREATE TABLE graves (oid INTEGER NOT NULL, type INTEGER NOT NULL, usn INTEGER NOT NULL,
  PRIMARY KEY (oid, type)) WITHOUT ROWID;
CREATE TABLE deck_config (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL COLLATE NOCASE,
  mtime_secs INTEGER NOT NULL, usn INTEGER NOT NULL, config BLOB NOT NULL);
CREATE TABLE config (KEY TEXT NOT NULL PRIMARY KEY, usn INTEGER NOT NULL,
  mtime_secs INTEGER NOT NULL, val BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE fields (ntid INTEGER NOT NULL, ord INTEGER NOT NULL, name TEXT NOT NULL COLLATE NOCASE,
  config BLOB NOT NULL, PRIMARY KEY (ntid, ord)) WITHOUT ROWID;
CREATE TABLE notetypes (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE,
  mtime_secs INTEGER NOT NULL, usn INTEGER NOT NULL, config BLOB NOT NULL);
CREATE TABLE decks (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL COLLATE NOCASE,
  mtime_secs INTEGER NOT NULL, usn INTEGER NOT NULL, common BLOB NOT NULL, kind BLOB NOT NULL);
CREATE TABLE tags (tag TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, usn INTEGER NOT NULL,
  collapsed BOOLEAN NOT NULL, config BLOB NULL) WITHOUT ROWID;
CREATE UNIQUE INDEX idx_fields_name_ntid ON fields (name, ntid);
CREATE UNIQUE INDEX idx_notetypes_name ON notetypes (name);
CREATE UNIQUE INDEX idx_decks_name ON decks (name);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX idx_notes_mid ON notes (mid);
CREATE INDEX idx_cards_odid ON cards (odid) WHERE odid != 0;
INSERT INTO col VALUES (1, 1717120800, 1717165099001, 1717165000000, 18, 0, -1, 0, '', '', '', '',
  '');
INSERT INTO notes VALUES
  (1717165099001, 'Q#z?6Nv{mV', 1, 1717165099, -1, ' verb español ', 'comer' || char(31) || 'to eat',
    'comer', 2903431034, 0, ''),
  (1717165099002, 'a`b', 1, 1717165099, 5, '', '42' || char(31), 42, 0, 0, '');
INSERT INTO cards VALUES (1717165099003, 1717165099001, 1, 0, 1717165099, -1, 2, -1, 4321, 12,
  2500, 3, 0, 0, 0, 0, 0, '{"pos":1}');
INSERT INTO revlog VALUES (1717165099004, 1717165099003, -1, 3, 12, -600, 2500, 5321, 1);
INSERT INTO graves VALUES (1, 0, -1), (1, 1, -1);
INSERT INTO deck_config VALUES (1, 'Default', 0, 0, x'0a04');
INSERT INTO config VALUES ('creationOffset', 0, 0, '-120'), ('sortBackwards', 0, 0, x'66616c7365');
INSERT INTO fields VALUES (1, 0, 'Front', x'1a05'), (1, 1, 'Rückseite', x'');
INSERT INTO notetypes VALUES (1, 'Básico', 1717165099, -1, x'1a');
INSERT INTO decks VALUES (1, 'Default', 0, 0, x'', x'0a00'),
  (2, 'Español' || char(31) || 'Verbos', 1717165099, -1, x'08', x'');
INSERT INTO tags VALUES ('español', -1, 0, NULL), ('verb', -1, 1, x'00');
ANALYZE;
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'COLLATE NOCASE', 'COLLATE unicase');
PRAGMA writable_schema = OFF;
