-- db.sqlite as Signal's desktop program has it: an index of what JSON says, so that where SQLite
-- takes the function for unsafe nothing of the file can be read.
CREATE TABLE messages (rowid INTEGER PRIMARY KEY ASC, id STRING UNIQUE, json TEXT,
  conversationId STRING, sent_at INTEGER);
CREATE TABLE items (id STRING PRIMARY KEY ASC, json TEXT);
CREATE INDEX messages_hasVisual ON messages (conversationId, sent_at)
  WHERE json_extract(json, '$.attachments') IS NOT NULL;
INSERT INTO messages VALUES (1, 'm-1', '{"attachments":[]}', '1e42', 1717165099001),
  (2, 'm-2', '{"a":null}', '1e42', NULL);
INSERT INTO items VALUES ('identityKeyMap', '{"id":"identityKeyMap"}');
