-- mmssms.db of Android: milliseconds in one table and seconds in the next, names that are nearly
-- words of SQL, a union as a view, triggers that keep counts, indexes of LIKE.
CREATE TABLE android_metadata (locale TEXT);
CREATE TABLE sms (_id INTEGER PRIMARY KEY, thread_id INTEGER, address TEXT, person INTEGER,
  date INTEGER, date_sent INTEGER DEFAULT 0, protocol INTEGER, read INTEGER DEFAULT 0,
  status INTEGER DEFAULT -1, type INTEGER, reply_path_present INTEGER, subject TEXT, body TEXT,
  service_center TEXT, locked INTEGER DEFAULT 0, error_code INTEGER DEFAULT 0, creator TEXT,
  seen INTEGER DEFAULT 0);
CREATE TABLE pdu (_id INTEGER PRIMARY KEY AUTOINCREMENT, thread_id INTEGER, date INTEGER,
  date_sent INTEGER DEFAULT 0, msg_box INTEGER, read INTEGER DEFAULT 0, m_id TEXT, sub TEXT,
  sub_cs INTEGER, ct_t TEXT, m_type INTEGER, v INTEGER, text_only INTEGER DEFAULT 0);
CREATE TABLE part (_id INTEGER PRIMARY KEY AUTOINCREMENT, mid INTEGER, seq INTEGER DEFAULT 0,
  ct TEXT, name TEXT, chset INTEGER, cd TEXT, fn TEXT, cid TEXT, cl TEXT, _data TEXT, text TEXT);
CREATE TABLE addr (_id INTEGER PRIMARY KEY, msg_id INTEGER, contact_id INTEGER, address TEXT,
  type INTEGER, charset INTEGER);
CREATE TABLE threads (_id INTEGER PRIMARY KEY AUTOINCREMENT, date INTEGER DEFAULT 0,
  message_count INTEGER DEFAULT 0, recipient_ids TEXT, snippet TEXT, snippet_cs INTEGER DEFAULT 0,
  read INTEGER DEFAULT 1, archived INTEGER DEFAULT 0, type INTEGER DEFAULT 0);
CREATE TABLE canonical_addresses (_id INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT);
CREATE TABLE raw (_id INTEGER PRIMARY KEY, date INTEGER, reference_number INTEGER,
  count INTEGER, sequence INTEGER, destination_port INTEGER, address TEXT, pdu TEXT);
CREATE TABLE sr_pending (reference_number INTEGER, action TEXT, data TEXT);
CREATE TABLE words (_id INTEGER PRIMARY KEY, index_text TEXT, source_id INTEGER,
  table_to_use INTEGER);
CREATE INDEX typeThreadIdIndex ON sms (type, thread_id);
CREATE VIEW sms_restricted AS SELECT * FROM sms WHERE type = 1 OR type = 2;
CREATE VIEW pdu_restricted AS SELECT * FROM pdu WHERE (msg_box = 1 OR msg_box = 2)
  AND (m_type != 130);
CREATE VIEW all_messages AS SELECT thread_id, date AS at, body FROM sms UNION ALL
  SELECT thread_id, date * 1000, (SELECT text FROM part WHERE mid = pdu._id) FROM pdu;
INSERT INTO android_metadata VALUES ('en_US');
INSERT INTO sms (_id, thread_id, address, date, date_sent, type, body, read) VALUES
  (1, 1, '+491511234567', 1717165099001, 1717165098000, 1, 'Hi 👋' || char(10) || 'there', 1),
  (2, 1, '+491511234567', 1717165100001, 0, 2, '', 1), (3, NULL, 'Info', 0, 0, 3, NULL, 0);
INSERT INTO pdu (_id, thread_id, date, msg_box, m_type, sub, v) VALUES (1, 1, 1717165099, 1, 132,
  'Ã±', 18);
INSERT INTO part (_id, mid, seq, ct, text, _data) VALUES (1, 1, -1, 'application/smil', '<smil/>',
  NULL), (2, 1, 0, 'image/jpeg', NULL, '/data/user_de/0/app_parts/PART_1');
INSERT INTO addr VALUES (1, 1, NULL, 'insert-address-token', 151, 106);
INSERT INTO threads VALUES (1, 1717165100001, 3, '1 2', 'Hi 👋', 106, 1, 0, 0);
INSERT INTO canonical_addresses VALUES (1, '+491511234567'), (2, '');
INSERT INTO raw VALUES (1, 1717165099001, 7, 2, 1, NULL, '+49', '07911326040000F0');
INSERT INTO sr_pending VALUES (1, 'a', NULL), (1, 'a', NULL);
INSERT INTO words VALUES (1, 'hi there', 1, 1);
CREATE TRIGGER sms_update_thread_on_insert AFTER INSERT ON sms BEGIN UPDATE threads SET
  date = (strftime('%s', 'now') * 1000), snippet = new.body WHERE threads._id = new.thread_id;
  END;
