-- A local store of Evernote: keys by UUID, milliseconds, names that are words of SQL, an FTS3
-- table whose rows are elsewhere, a tokenizer of the program in another.
CREATE TABLE attrs (aid INTEGER, uid INTEGER, value, PRIMARY KEY (aid, uid));
CREATE TABLE note_attr (uid INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE, date_created REAL,
  date_updated REAL, date_deleted REAL, notebook TEXT, tags TEXT, source_url TEXT,
  is_dirty BOOLEAN, size INTEGER, thumbnail BLOB);
CREATE TABLE notebook_attr (uid INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE NOT NULL,
  "default" BOOLEAN, "group" TEXT, "order" INTEGER);
CREATE TABLE Nodes_Note (TKey TEXT PRIMARY KEY, TVersion, TLabel, created INTEGER, "values" JSON)
  WITHOUT ROWID;
CREATE TABLE resource_attr (uid INTEGER PRIMARY KEY, note INTEGER REFERENCES note_attr,
  hash BLOB UNIQUE, mime TEXT, data BLOB, recognition TEXT);
CREATE TABLE "select" ("from" INTEGER PRIMARY KEY, "where" TEXT, "order by" TEXT, "limit");
CREATE VIRTUAL TABLE note_text USING fts3 (title, content, tokenize=porter);
CREATE VIRTUAL TABLE search_text USING fts5 (content, tokenize='porter unicode61');
CREATE VIEW "group" AS SELECT "from" AS "select", count(*) AS "count", 'x' AS "having"
  FROM "select" GROUP BY "where";
INSERT INTO attrs VALUES (1, 1, 'x'), (1, 2, x'00'), (NULL, NULL, 1.5);
INSERT INTO note_attr VALUES (1, 'Einkäufe', 738857.59504630, 738857.6, NULL, 'Inbox', 'a,b', NULL,
  1, 2048, x'89504e47'), (2, NULL, NULL, NULL, 0, NULL, NULL, '', 0, 0, NULL);
INSERT INTO notebook_attr VALUES (1, 'Inbox', 1, NULL, 0);
INSERT INTO Nodes_Note VALUES ('6f1f4d0e-3a4e', 1, 'Ñ', 1717165099001, '{"label":"Ñ"}'),
  ('', NULL, NULL, NULL, NULL);
INSERT INTO resource_attr VALUES (1, 1, x'd41d8cd98f00b204e9800998ecf8427e', 'image/png', x'', NULL),
  (2, 404, NULL, NULL, NULL, NULL), (3, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "select" VALUES (1, 'a', 'b', NULL), (2, 'a', NULL, 1.5);
INSERT INTO note_text (docid, title, content) VALUES (1, 'einkaufe', 'milk bread');
INSERT INTO search_text VALUES ('milk bread');
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'porter unicode61', 'evernote') WHERE name =
  'search_text';
PRAGMA writable_schema = OFF;
