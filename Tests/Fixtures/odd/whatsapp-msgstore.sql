-- msgstore.db of WhatsApp: milliseconds, -1 for nobody, a view that hides deleted messages, FTS4
-- with a content of its own and another by unicode61, a key that is named key.
CREATE TABLE android_metadata (locale TEXT);
CREATE TABLE props (_id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE, value TEXT);
CREATE TABLE jid (_id INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, server TEXT NOT NULL,
  agent INTEGER, device INTEGER, type INTEGER, raw_string TEXT);
CREATE TABLE chat (_id INTEGER PRIMARY KEY AUTOINCREMENT, jid_row_id INTEGER UNIQUE,
  hidden INTEGER, subject TEXT, created_timestamp INTEGER, display_message_row_id INTEGER,
  sort_timestamp INTEGER, archived INTEGER);
CREATE TABLE message (_id INTEGER PRIMARY KEY AUTOINCREMENT, chat_row_id INTEGER NOT NULL,
  from_me INTEGER NOT NULL, key_id TEXT NOT NULL, sender_jid_row_id INTEGER, status INTEGER,
  timestamp INTEGER, received_timestamp INTEGER, message_type INTEGER, text_data TEXT,
  starred INTEGER, sort_id INTEGER NOT NULL DEFAULT 0);
CREATE TABLE message_media (message_row_id INTEGER PRIMARY KEY, chat_row_id INTEGER,
  file_path TEXT, file_size INTEGER, mime_type TEXT, media_key BLOB, width INTEGER,
  file_hash TEXT);
CREATE TABLE message_thumbnail (message_row_id INTEGER PRIMARY KEY, thumbnail BLOB);
CREATE TABLE deleted_chat_job (_id INTEGER PRIMARY KEY AUTOINCREMENT, chat_row_id INTEGER NOT NULL,
  deleted_message_row_id INTEGER);
CREATE TABLE receipt_user (_id INTEGER PRIMARY KEY AUTOINCREMENT, message_row_id INTEGER NOT NULL,
  receipt_user_jid_row_id INTEGER NOT NULL, receipt_timestamp INTEGER, read_timestamp INTEGER);
CREATE TABLE call_log (_id INTEGER PRIMARY KEY AUTOINCREMENT, jid_row_id INTEGER, from_me INTEGER,
  call_id TEXT, transaction_id INTEGER, timestamp INTEGER, video_call INTEGER, duration INTEGER);
CREATE VIRTUAL TABLE message_ftsv2 USING FTS4 (content, fts_jid, fts_namespace,
  tokenize=unicode61);
CREATE VIRTUAL TABLE message_fts USING FTS3 ();
CREATE UNIQUE INDEX message_key_index ON message (chat_row_id, from_me, key_id,
  sender_jid_row_id);
CREATE INDEX message_starred_index ON message (starred) WHERE starred = 1;
CREATE VIEW available_message_view AS SELECT message._id, message.sort_id,
  message.chat_row_id AS chat_row_id, from_me,
  key_id, text_data, timestamp FROM message LEFT JOIN deleted_chat_job AS job
  ON job.chat_row_id = message.chat_row_id
  WHERE IFNULL(NOT (job.deleted_message_row_id >= message._id), 1);
CREATE VIEW chat_view AS SELECT c._id AS _id, j.raw_string AS raw_string_jid, c.subject AS subject,
  (SELECT max(timestamp) FROM available_message_view WHERE chat_row_id = c._id) AS last
  FROM chat c LEFT JOIN jid j ON c.jid_row_id = j._id;
INSERT INTO android_metadata VALUES ('de_DE');
INSERT INTO props (key, value) VALUES ('fts_ready', '5'), ('last_ts', '1717165099001');
INSERT INTO jid VALUES (1, '491511234567', 's.whatsapp.net', 0, 0, 0,
    '491511234567@s.whatsapp.net'), (2, '12036302', 'g.us', 0, 0, 1, '12036302@g.us');
INSERT INTO chat VALUES (1, 1, 0, NULL, 0, 2, 1717165099001, 0),
  (2, 2, 0, 'Fam 👨‍👩‍👧', 1717165000000, 3, 1717165099002, 1);
INSERT INTO message VALUES
  (1, -1, 0, '-1', NULL, -1, 0, -1, -1, NULL, NULL, 0),
  (2, 1, 1, '3EB0', 0, 13, 1717165099001, -1, 0, 'Hé "quoted" ' || char(0x200F) || 'x', 1, 2),
  (3, 2, 0, '3EB1', 1, 0, 1717165099002, 1717165099500, 1, NULL, 0, 3);
INSERT INTO message_media VALUES (3, 2, 'Media/WhatsApp Images/IMG-1.jpg', 2048, 'image/jpeg',
  x'00112233445566778899aabbccddeeff', 1080, 'aGFzaA==');
INSERT INTO message_thumbnail VALUES (3, x'ffd8ffe000104a464946');
INSERT INTO deleted_chat_job VALUES (1, 2, 1);
INSERT INTO receipt_user VALUES (1, 2, 1, 1717165099100, NULL);
INSERT INTO call_log VALUES (1, 1, 0, 'call:1', -1, 1717165099001, 1, 61);
INSERT INTO message_ftsv2 (docid, content, fts_jid, fts_namespace) VALUES (2, 'he quoted', '', '');
INSERT INTO message_fts (docid, content) VALUES (2, 'he quoted');
PRAGMA user_version = 1;
