-- contacts2.db of Android: collations LOCALIZED and PHONEBOOK of the platform, views over views,
-- a view that calls a function of the platform, calls in the same file, data1 … data15.
CREATE TABLE android_metadata (locale TEXT);
CREATE TABLE properties (property_key TEXT PRIMARY KEY, property_value TEXT);
CREATE TABLE accounts (_id INTEGER PRIMARY KEY AUTOINCREMENT, account_name TEXT,
  account_type TEXT, data_set TEXT);
CREATE TABLE contacts (_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name_raw_contact_id INTEGER REFERENCES raw_contacts(_id), photo_id INTEGER REFERENCES data(_id),
  starred INTEGER NOT NULL DEFAULT 0, has_phone_number INTEGER NOT NULL DEFAULT 0, lookup TEXT,
  contact_last_updated_timestamp INTEGER);
CREATE TABLE raw_contacts (_id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER REFERENCES accounts(_id), sourceid TEXT, version INTEGER NOT NULL DEFAULT 1,
  deleted INTEGER NOT NULL DEFAULT 0, contact_id INTEGER REFERENCES contacts(_id),
  display_name TEXT, display_name_alt TEXT, phonetic_name TEXT,
  sort_key TEXT COLLATE NOCASE, phonebook_label TEXT, phonebook_bucket INTEGER);
CREATE TABLE mimetypes (_id INTEGER PRIMARY KEY AUTOINCREMENT, mimetype TEXT NOT NULL);
CREATE TABLE data (_id INTEGER PRIMARY KEY AUTOINCREMENT,
  mimetype_id INTEGER REFERENCES mimetype(_id) NOT NULL,
  raw_contact_id INTEGER REFERENCES raw_contacts(_id) NOT NULL,
  is_primary INTEGER NOT NULL DEFAULT 0, data_version INTEGER NOT NULL DEFAULT 0, data1 TEXT,
  data2 TEXT, data3 TEXT, data4 TEXT, data5 TEXT, data6 TEXT, data7 TEXT, data8 TEXT, data9 TEXT,
  data10 TEXT, data11 TEXT, data12 TEXT, data13 TEXT, data14 TEXT, data15 TEXT);
CREATE TABLE phone_lookup (data_id INTEGER REFERENCES data(_id) NOT NULL,
  raw_contact_id INTEGER REFERENCES raw_contacts(_id) NOT NULL,
  normalized_number TEXT NOT NULL, min_match TEXT NOT NULL);
CREATE TABLE name_lookup (data_id INTEGER REFERENCES data(_id) NOT NULL,
  raw_contact_id INTEGER NOT NULL, normalized_name TEXT NOT NULL, name_type INTEGER NOT NULL,
  PRIMARY KEY (data_id, normalized_name, name_type));
CREATE TABLE groups (_id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER, title TEXT,
  notes TEXT, group_visible INTEGER NOT NULL DEFAULT 0);
CREATE TABLE calls (_id INTEGER PRIMARY KEY AUTOINCREMENT, number TEXT,
  presentation INTEGER NOT NULL DEFAULT 1, date INTEGER, duration INTEGER, type INTEGER,
  new INTEGER, name TEXT, numbertype INTEGER, geocoded_location TEXT, voicemail_uri TEXT);
CREATE VIRTUAL TABLE search_index USING fts4 (contact_id INTEGER REFERENCES contacts(_id) NOT NULL,
  content TEXT, name TEXT, tokens TEXT);
CREATE INDEX raw_contact_sort_key1_index ON raw_contacts (sort_key);
CREATE INDEX data_mimetype_data1_index ON data (mimetype_id, data1);
CREATE VIEW view_data AS SELECT data._id AS _id, raw_contact_id, mimetype, data1, data2,
  raw_contacts.display_name AS display_name, raw_contacts.contact_id AS contact_id FROM data
  JOIN mimetypes ON (data.mimetype_id = mimetypes._id)
  JOIN raw_contacts ON (data.raw_contact_id = raw_contacts._id);
CREATE VIEW view_raw_contacts AS SELECT _id, display_name, contact_id, sort_key FROM raw_contacts;
CREATE VIEW view_contacts AS SELECT contacts._id AS _id, display_name, starred, lookup
  FROM contacts JOIN raw_contacts AS name_raw_contact
    ON (name_raw_contact_id = name_raw_contact._id);
CREATE VIEW view_entities AS SELECT view_contacts._id AS contact, view_data.*
  FROM view_contacts LEFT OUTER JOIN view_data ON (view_contacts._id = view_data.contact_id);
CREATE VIEW view_phone AS SELECT _id, _PHONE_NUMBER_STRIPPED_REVERSED(data1) AS reversed
  FROM view_data WHERE mimetype = 'vnd.android.cursor.item/phone_v2';
CREATE VIEW view_stream_items AS SELECT stream_items._id, text FROM stream_items;
INSERT INTO android_metadata VALUES ('de_DE');
INSERT INTO properties VALUES ('database_time_created', '1717165000000'), ('icu_version', '74.1');
INSERT INTO accounts VALUES (1, NULL, NULL, NULL), (2, 'a@example.org', 'com.google', NULL);
INSERT INTO mimetypes VALUES (1, 'vnd.android.cursor.item/name'),
  (2, 'vnd.android.cursor.item/phone_v2');
INSERT INTO raw_contacts VALUES (1, 2, 'c1', 3, 0, 1, 'Ágnes Ñandú', 'Ñandú, Ágnes', NULL,
    'Ágnes Ñandú', 'Á', 1), (2, 1, NULL, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO contacts VALUES (1, 1, NULL, 1, 1, '2r1-4F', 1717165099001);
INSERT INTO data (_id, mimetype_id, raw_contact_id, data1, data15) VALUES
  (1, 1, 1, 'Ágnes Ñandú', NULL), (2, 2, 1, '+49 151 1234567', NULL), (3, 2, 1, '', x'ffd8ffe0');
INSERT INTO phone_lookup VALUES (2, 1, '+491511234567', '7654321'), (2, 1, '01511', '1151');
INSERT INTO name_lookup VALUES (1, 1, '2B4F' || x'', 0), (1, 1, '2b4f.', 2);
INSERT INTO groups VALUES (1, 2, 'System Group: My Contacts', NULL, 1);
INSERT INTO calls VALUES (1, '+491511234567', 1, 1717165099001, 61, 1, 0, 'Ágnes', 2, 'Köln', NULL),
  (2, '', 2, 1717165000000, 0, 3, 1, NULL, NULL, NULL, NULL);
INSERT INTO search_index (docid, contact_id, content, name, tokens) VALUES (1, 1, 'agnes', '', '');
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'COLLATE NOCASE', 'COLLATE PHONEBOOK');
PRAGMA writable_schema = OFF;
