-- db.sqlite of a messenger as Signal's desktop program keeps it: JSON beside generated columns,
-- FTS5 with external rows, indexes over expressions, partial indexes, STRICT, a trigger that
-- calls a function of the program.
CREATE TABLE conversations (id STRING PRIMARY KEY ASC, json TEXT, active_at INTEGER,
  type STRING, members TEXT, name TEXT, profileName TEXT, e164 TEXT, serviceId TEXT,
  groupId TEXT, profileLastFetchedAt INTEGER);
CREATE TABLE messages (rowid INTEGER PRIMARY KEY ASC, id STRING UNIQUE, json TEXT,
  readStatus INTEGER, expires_at INTEGER, sent_at INTEGER, schemaVersion INTEGER,
  conversationId STRING, received_at INTEGER, hasAttachments INTEGER, body TEXT,
  type STRING, isErased INTEGER, expireTimer INTEGER,
  isChangeCreatedByUs INTEGER NOT NULL DEFAULT 0,
  isStory INTEGER GENERATED ALWAYS AS (type IS 'story'),
  shouldAffectActivity INTEGER GENERATED ALWAYS AS (type IS NULL OR type NOT IN
    ('change-number-notification', 'group-v1-migration')) STORED,
  expiresAt INT GENERATED ALWAYS AS (ifnull(received_at + (expireTimer * 1000),
    9007199254740991)));
CREATE TABLE items (id STRING PRIMARY KEY ASC, json TEXT);
CREATE TABLE sessions (id TEXT PRIMARY KEY, ourServiceId TEXT, record BLOB)
  STRICT, WITHOUT ROWID;
CREATE TABLE sendLogPayloads (id INTEGER PRIMARY KEY ASC, timestamp INTEGER NOT NULL,
  contentHint INTEGER NOT NULL, proto BLOB NOT NULL, urgent INTEGER) STRICT;
CREATE TABLE sendLogRecipients (payloadId INTEGER NOT NULL, recipientServiceId TEXT NOT NULL,
  deviceId INTEGER NOT NULL, PRIMARY KEY (payloadId, recipientServiceId, deviceId),
  CONSTRAINT sendLogRecipientsForeignKey FOREIGN KEY (payloadId)
    REFERENCES sendLogPayloads(id) ON DELETE CASCADE);
CREATE TABLE reactions (conversationId STRING, emoji STRING, fromId STRING, messageReceivedAt
  INTEGER, targetAuthorAci STRING, targetTimestamp INTEGER, unread INTEGER, messageId STRING);
CREATE VIRTUAL TABLE messages_fts USING fts5 (body, content='messages', content_rowid='rowid',
  tokenize='unicode61');
CREATE VIRTUAL TABLE emojis_fts USING fts5 (body, prefix='2 3', detail=none);
CREATE INDEX messages_hasVisual ON messages (conversationId, isStory, sent_at)
  WHERE hasAttachments = 1;
CREATE INDEX messages_preview ON messages (lower(substr(body, 1, 20)), expiresAt);
CREATE VIEW unread AS SELECT conversationId, count(*) AS n, group_concat(id) AS ids
  FROM messages WHERE readStatus = 0 GROUP BY conversationId;
INSERT INTO conversations VALUES ('1e42', '{"id":"1e42","color":"A100"}', 1717165099001,
    'private', NULL, NULL, 'Ágnes', '+491511234567', 'aci', NULL, NULL),
  (7, '{}', NULL, 'group', 'a b', '', '', NULL, NULL, 'R1', 0);
INSERT INTO messages (rowid, id, json, readStatus, sent_at, conversationId, received_at, body,
    type, expireTimer) VALUES
  (1, 'm-1', '{"attachments":[]}', 0, 1717165099001, '1e42', 1717165099002, 'Grüße 👋', 'incoming',
    604800),
  (2, '0002', NULL, 1, NULL, '1e42', NULL, NULL, NULL, NULL),
  (3, '1e3', '{"a":null}', 0, 1717165099003, 7, 1, '', 'story', 0);
INSERT INTO items VALUES ('identityKeyMap', '{"id":"identityKeyMap"}'), (NULL, '{}'), (NULL, NULL);
INSERT INTO sessions VALUES ('aci.1', 'aci', x'0a'), ('', NULL, NULL);
INSERT INTO sendLogPayloads VALUES (1, 1717165099001, 1, x'0a02', NULL);
INSERT INTO sendLogRecipients VALUES (1, 'aci', 1), (404, 'pni', 2);
INSERT INTO reactions VALUES ('1e42', '👍🏽', '1e42', 1, 'aci', 1717165099001, 1, 'm-1'),
  ('1e42', '👍🏽', '1e42', 1, 'aci', 1717165099001, 1, 'm-1');
INSERT INTO messages_fts (messages_fts) VALUES ('rebuild');
INSERT INTO emojis_fts VALUES ('wave hello 👋');
CREATE TRIGGER messages_on_insert AFTER INSERT ON messages WHEN new.isErased IS NOT 1
  BEGIN INSERT INTO messages_fts (rowid, body) VALUES (new.rowid, signalTokenize(new.body)); END;
