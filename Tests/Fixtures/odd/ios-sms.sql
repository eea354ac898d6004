-- sms.db of iOS: nanoseconds since 2001, triggers that call functions of the program, views of
-- handles, properties as blobs, names in brackets.
CREATE TABLE _SqliteDatabaseProperties (key TEXT, value TEXT, UNIQUE (key));
CREATE TABLE handle (ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, id TEXT NOT NULL,
  country TEXT, service TEXT NOT NULL, uncanonicalized_id TEXT, person_centric_id TEXT,
  UNIQUE (id, service));
CREATE TABLE chat (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL,
  style INTEGER, state INTEGER, account_id TEXT, properties BLOB, chat_identifier TEXT,
  service_name TEXT, room_name TEXT, is_archived INTEGER DEFAULT 0, display_name TEXT,
  last_read_message_timestamp INTEGER DEFAULT 0);
CREATE TABLE message (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL,
  text TEXT, replace INTEGER DEFAULT 0, service_center TEXT, handle_id INTEGER DEFAULT 0,
  subject TEXT, country TEXT, attributedBody BLOB, version INTEGER DEFAULT 0,
  type INTEGER DEFAULT 0, service TEXT, account TEXT, error INTEGER DEFAULT 0, date INTEGER,
  date_read INTEGER, date_delivered INTEGER, is_from_me INTEGER DEFAULT 0,
  [is_read] INTEGER DEFAULT 0, item_type INTEGER DEFAULT 0, group_title TEXT,
  balloon_bundle_id TEXT, payload_data BLOB, associated_message_guid TEXT);
CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL,
  created_date INTEGER DEFAULT 0, filename TEXT, uti TEXT, mime_type TEXT,
  total_bytes INTEGER DEFAULT 0, user_info BLOB);
CREATE TABLE chat_handle_join (chat_id INTEGER REFERENCES chat (ROWID) ON DELETE CASCADE,
  handle_id INTEGER REFERENCES handle (ROWID) ON DELETE CASCADE, UNIQUE (chat_id, handle_id));
CREATE TABLE chat_message_join (chat_id INTEGER REFERENCES chat (ROWID) ON DELETE CASCADE,
  message_id INTEGER REFERENCES message (ROWID) ON DELETE CASCADE,
  message_date INTEGER DEFAULT 0, PRIMARY KEY (chat_id, message_id));
CREATE TABLE message_attachment_join (message_id INTEGER REFERENCES message (ROWID),
  attachment_id INTEGER REFERENCES attachment (ROWID), UNIQUE (message_id, attachment_id));
CREATE TABLE deleted_messages (ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, guid TEXT NOT NULL);
CREATE TABLE sync_deleted_messages (ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE,
  guid TEXT NOT NULL, recordID TEXT);
CREATE TABLE kvtable (ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, key TEXT UNIQUE NOT NULL,
  value BLOB NOT NULL);
CREATE INDEX message_idx_is_read ON message (is_read, is_from_me, item_type);
CREATE INDEX message_idx_undelivered ON message (date_delivered) WHERE is_from_me = 1;
CREATE VIEW chat_overview AS SELECT chat.ROWID AS chat, display_name,
  (SELECT max(date) FROM message JOIN chat_message_join ON message_id = message.ROWID
    WHERE chat_id = chat.ROWID) AS last_date FROM chat;
INSERT INTO _SqliteDatabaseProperties VALUES ('_ClientVersion', '18005'), ('counter_in_all', '9');
INSERT INTO handle VALUES (1, '+4915112345678', 'de', 'iMessage', NULL, NULL),
  (2, 'añ@example.org', NULL, 'iMessage', NULL, NULL);
INSERT INTO chat VALUES (1, 'iMessage;-;+4915112345678', 45, 3, 'A', x'62706c6973743030',
  '+4915112345678', 'iMessage', NULL, 0, '', 738857812345678000),
  (2, 'iMessage;+;chat12', 43, 3, 'A', NULL, 'chat12', 'iMessage', 'chat12', 0, 'Fam 👨‍👩‍👧', 0);
INSERT INTO message (ROWID, guid, text, handle_id, attributedBody, service, date, date_read,
    is_from_me, is_read) VALUES
  (1, 'B0E1-1', 'Hello' || char(0xFFFC), 1, x'040b73747265616d', 'iMessage', 738857812345678000,
    0, 0, 1),
  (2, 'B0E1-2', NULL, 0, x'', 'SMS', 738857812, NULL, 1, 0);
INSERT INTO attachment VALUES (1, 'at_0_B0E1-1', 738857812, '~/Library/SMS/a b/IMG_0001.HEIC',
  'public.heic', 'image/heic', 2048, x'62706c6973743030');
INSERT INTO chat_handle_join VALUES (1, 1), (2, 1), (2, 2);
INSERT INTO chat_message_join VALUES (1, 1, 738857812345678000), (2, 2, 0);
INSERT INTO message_attachment_join VALUES (1, 1), (NULL, NULL), (NULL, NULL);
INSERT INTO deleted_messages VALUES (1, 'B0E1-0');
INSERT INTO kvtable VALUES (1, 'lastFailedMessageDate', x'00');
CREATE TRIGGER before_delete_on_attachment BEFORE DELETE ON attachment
  BEGIN SELECT before_delete_attachment_path(OLD.ROWID, OLD.guid); END;
CREATE TRIGGER after_delete_on_attachment AFTER DELETE ON attachment
  BEGIN SELECT delete_attachment_path(OLD.filename); END;
CREATE TRIGGER after_insert_on_message AFTER INSERT ON message WHEN NEW.text IS NOT NULL
  BEGIN SELECT verify_chat(NEW.guid); END;
