-- cache4.db of Telegram: keys of two and three columns, objects of the wire as blobs, an old table
-- beside its successor, a table that is named by a number alone.
CREATE TABLE messages_v2 (mid INTEGER, uid INTEGER, read_state INTEGER, send_state INTEGER,
  date INTEGER, data BLOB, out INTEGER, ttl INTEGER, media INTEGER, replydata BLOB, imp INTEGER,
  mention INTEGER, forwards INTEGER, thread_reply_id INTEGER, is_channel INTEGER,
  PRIMARY KEY (mid, uid));
CREATE TABLE dialogs (did INTEGER PRIMARY KEY, date INTEGER, unread_count INTEGER,
  last_mid INTEGER, inbox_max INTEGER, outbox_max INTEGER, pinned INTEGER, flags INTEGER,
  data BLOB);
CREATE TABLE users (uid INTEGER PRIMARY KEY, name TEXT, status INTEGER, data BLOB);
CREATE TABLE chats (uid INTEGER PRIMARY KEY, name TEXT, data BLOB);
CREATE TABLE enc_chats (uid INTEGER PRIMARY KEY, user INTEGER, name TEXT, data BLOB, g BLOB,
  authkey BLOB, ttl INTEGER, layer INTEGER, seq_in INTEGER, use_count INTEGER, exchange_id INTEGER);
CREATE TABLE media_v4 (mid INTEGER, uid INTEGER, date INTEGER, type INTEGER, data BLOB,
  PRIMARY KEY (mid, uid, type));
CREATE TABLE params (id INTEGER PRIMARY KEY, seq INTEGER, pts INTEGER, date INTEGER, qts INTEGER,
  lsv INTEGER, sg INTEGER, pbytes BLOB);
CREATE TABLE user_contacts_v7 (key TEXT PRIMARY KEY, uid INTEGER, fname TEXT, sname TEXT,
  imported INTEGER);
CREATE TABLE user_phones_v7 (key TEXT, phone TEXT, sphone TEXT, deleted INTEGER,
  PRIMARY KEY (key, phone));
CREATE TABLE blobs_by_hash (hash BLOB PRIMARY KEY, data BLOB) WITHOUT ROWID;
CREATE TABLE "0" (k BLOB PRIMARY KEY, v);
CREATE INDEX uid_mid_read_out_idx_messages_v2 ON messages_v2 (uid, mid, read_state, out);
CREATE INDEX mention_idx ON messages_v2 (uid, mention, read_state) WHERE mention = 1;
INSERT INTO messages_v2 (mid, uid, date, data, out) VALUES (1, 777000, 1717165099, x'7600be38', 0),
  (-210001, -1001234567890, 1717165099, x'', 1), (1, 5, 0, NULL, NULL);
INSERT INTO dialogs VALUES (777000, 1717165099, 1, 1, 0, 0, 0, 0, NULL),
  (-9223372036854775808, 0, 0, 0, 0, 0, 0, 0, x'00');
INSERT INTO users VALUES (777000, 'telegram;;;42777', -1, x'b1e8'), (5, 'ñ', NULL, NULL);
INSERT INTO chats VALUES (1234567890, 'канал', x'01');
INSERT INTO enc_chats VALUES (1, 5, '', x'', x'', x'00', 0, 144, 0, 0, 9223372036854775807);
INSERT INTO media_v4 VALUES (1, 777000, 1717165099, 0, x'01'), (1, 777000, 1717165099, 1, x'02');
INSERT INTO params VALUES (1, 0, 5, 1717165099, 0, 0, 0, NULL);
INSERT INTO user_contacts_v7 VALUES ('k', 5, 'Á', '', 1), (NULL, 6, NULL, NULL, NULL);
INSERT INTO user_phones_v7 VALUES ('k', '+49151', '49151', 0);
INSERT INTO blobs_by_hash VALUES (x'', x'00'), (x'00', NULL), (x'ff80', x'ff');
INSERT INTO "0" VALUES (x'c328', 1.5), (NULL, 'two'), (NULL, x'03');
