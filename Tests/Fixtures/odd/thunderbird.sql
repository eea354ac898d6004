-- global-messages-db.sqlite of Thunderbird: FTS3 with the tokenizer mozporter that only that
-- program has, a collation and functions of its own, JSON in columns, microseconds.
CREATE TABLE folderLocations (id INTEGER PRIMARY KEY, folderURI TEXT NOT NULL,
  dirtyStatus INTEGER NOT NULL, name TEXT NOT NULL, indexingPriority INTEGER NOT NULL);
CREATE TABLE conversations (id INTEGER PRIMARY KEY, subject TEXT NOT NULL,
  oldestMessageDate INTEGER, newestMessageDate INTEGER);
CREATE TABLE messages (id INTEGER PRIMARY KEY, folderID INTEGER, messageKey INTEGER,
  conversationID INTEGER NOT NULL, date INTEGER, headerMessageID TEXT, deleted INTEGER NOT NULL
    DEFAULT 0, jsonAttributes TEXT, notability INTEGER NOT NULL DEFAULT 0);
CREATE TABLE contacts (id INTEGER PRIMARY KEY, directoryUUID TEXT, contactUUID TEXT,
  popularity INTEGER, frecency INTEGER, name TEXT, jsonAttributes TEXT);
CREATE TABLE identities (id INTEGER PRIMARY KEY, contactID INTEGER NOT NULL, kind TEXT NOT NULL,
  value TEXT NOT NULL COLLATE NOCASE, description NOT NULL, relay INTEGER NOT NULL);
CREATE TABLE attributeDefinitions (id INTEGER PRIMARY KEY, attributeType INTEGER NOT NULL,
  extensionName TEXT NOT NULL, name TEXT NOT NULL, parameter BLOB);
CREATE TABLE messageAttributes (conversationID INTEGER NOT NULL, messageID INTEGER NOT NULL,
  attributeID INTEGER NOT NULL, value NUMERIC);
CREATE VIRTUAL TABLE messagesText USING fts3 (tokenize simple, body, subject, attachmentNames,
  author, recipients);
CREATE VIRTUAL TABLE conversationsText USING fts3 (tokenize simple, subject);
CREATE INDEX messagesLocation ON messages (folderID, messageKey);
CREATE INDEX messagesDeleted ON messages (deleted);
CREATE VIEW found AS SELECT m.id, t.subject FROM messages m JOIN messagesText t
  ON t.docid = m.id;
INSERT INTO folderLocations VALUES (1, 'imap://a%40x.org@mail/INBOX', 0, 'Posteingang', 60);
INSERT INTO conversations VALUES (1, 'Re: Grüße', 1717165012000000, 1717165099000000);
INSERT INTO messages VALUES (1, 1, 4, 1, 1717165012000000, 'a.b@x.org', 0, '{"43":[1]}', 21),
  (2, NULL, NULL, 1, NULL, 'ghost@x.org', 1, NULL, 0);
INSERT INTO contacts VALUES (1, NULL, NULL, 2, 10, 'Ágnes', '{}');
INSERT INTO identities VALUES (1, 1, 'email', 'a@x.org', '', 0);
INSERT INTO attributeDefinitions VALUES (1, 0, 'built-in', 'folder', NULL), (2, 0, '', '', x'01');
INSERT INTO messageAttributes VALUES (1, 1, 43, 1), (1, 1, 43, 1), (1, 1, 44, 'Text');
INSERT INTO messagesText (docid, body, subject) VALUES (1, 'body', 'gruesse');
INSERT INTO conversationsText (docid, subject) VALUES (1, 'gruesse');
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'tokenize simple', 'tokenize mozporter');
UPDATE sqlite_schema SET sql = replace(sql, 'COLLATE NOCASE', 'COLLATE locale');
PRAGMA writable_schema = OFF;
