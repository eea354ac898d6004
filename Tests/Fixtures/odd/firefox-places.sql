-- places.sqlite of Firefox: microseconds since 1970, hashes as large integers, orphans by design,
-- partial and unique indexes, a table without row ids, sqlite_stat1.
CREATE TABLE moz_origins (id INTEGER PRIMARY KEY, prefix TEXT NOT NULL, host TEXT NOT NULL,
  frecency INTEGER NOT NULL, recalc_frecency INTEGER NOT NULL DEFAULT 0, alt_frecency INTEGER,
  UNIQUE (prefix, host));
CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR,
  rev_host LONGVARCHAR, visit_count INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0 NOT NULL,
  typed INTEGER DEFAULT 0 NOT NULL, frecency INTEGER DEFAULT -1 NOT NULL, last_visit_date INTEGER,
  guid TEXT, foreign_count INTEGER DEFAULT 0 NOT NULL, url_hash INTEGER DEFAULT 0 NOT NULL,
  description TEXT, preview_image_url TEXT, site_name TEXT,
  origin_id INTEGER REFERENCES moz_origins(id));
CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER,
  visit_date INTEGER, visit_type INTEGER, session INTEGER, source INTEGER DEFAULT 0 NOT NULL,
  triggeringPlaceId INTEGER);
CREATE TABLE moz_inputhistory (place_id INTEGER NOT NULL, input LONGVARCHAR NOT NULL,
  use_count INTEGER, PRIMARY KEY (place_id, input));
CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL,
  parent INTEGER, position INTEGER, title LONGVARCHAR, keyword_id INTEGER, folder_type TEXT,
  dateAdded INTEGER, lastModified INTEGER, guid TEXT, syncStatus INTEGER NOT NULL DEFAULT 0,
  syncChangeCounter INTEGER NOT NULL DEFAULT 1);
CREATE TABLE moz_bookmarks_deleted (guid TEXT PRIMARY KEY, dateRemoved INTEGER NOT NULL DEFAULT 0);
CREATE TABLE moz_keywords (id INTEGER PRIMARY KEY AUTOINCREMENT, keyword TEXT UNIQUE,
  place_id INTEGER, post_data TEXT);
CREATE TABLE moz_anno_attributes (id INTEGER PRIMARY KEY, name VARCHAR(32) UNIQUE NOT NULL);
CREATE TABLE moz_annos (id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL,
  anno_attribute_id INTEGER, content LONGVARCHAR, flags INTEGER DEFAULT 0,
  expiration INTEGER DEFAULT 0, type INTEGER DEFAULT 0, dateAdded INTEGER DEFAULT 0,
  lastModified INTEGER DEFAULT 0);
CREATE TABLE moz_meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
CREATE TABLE moz_places_metadata (id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL,
  referrer_place_id INTEGER, created_at INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL DEFAULT 0, total_view_time INTEGER NOT NULL DEFAULT 0,
  document_type INTEGER NOT NULL DEFAULT 0, search_query_id INTEGER,
  FOREIGN KEY (place_id) REFERENCES moz_places(id) ON DELETE CASCADE,
  FOREIGN KEY (search_query_id) REFERENCES moz_places_metadata_search_queries(id)
    ON DELETE CASCADE CHECK (place_id != referrer_place_id));
CREATE TABLE moz_previews_tombstones (hash TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE INDEX moz_places_url_hashindex ON moz_places (url_hash);
CREATE INDEX moz_places_visitcount ON moz_places (visit_count);
CREATE UNIQUE INDEX moz_places_guid_uniqueindex ON moz_places (guid);
CREATE INDEX moz_historyvisits_placedateindex ON moz_historyvisits (place_id, visit_date);
CREATE INDEX moz_bookmarks_itemindex ON moz_bookmarks (fk, type);
CREATE INDEX moz_places_altfrecencyindex ON moz_places (frecency) WHERE hidden = 0;
INSERT INTO moz_origins VALUES (1, 'https://', 'www.mozilla.org', 276, 0, NULL),
  (2, 'about:', '', -1, 1, NULL);
INSERT INTO moz_places VALUES
  (1, 'https://www.mozilla.org/privacy/firefox/', NULL, 'gro.allizom.www.', 1, 1, 0, 25,
    1717165012345678, 'NCxaSYv5-yPb', 1, 47356411089529, NULL, NULL, NULL, 1),
  (2, 'https://www.mozilla.org/ñandú?q=%F0%9F%A6%8A', 'Ñandú — 🦊', 'gro.allizom.www.', 3, 0, 1,
    2098, 1717165099000001, 'pMXnYbXYtfHv', 2, 140737488355327, 'A "quoted" page', NULL, 'MDN', 1),
  (3, 'about:newtab', '', NULL, 0, 0, 0, -1, NULL, 'aaaaaaaaaaaa', 0, -1, NULL, NULL, NULL, 2);
INSERT INTO moz_historyvisits VALUES (1, 0, 1, 1717165012345678, 1, 0, 0, NULL),
  (2, 1, 2, 1717165099000001, 2, 0, 1, 1), (3, 99, 404, -62135596800000000, 8, 0, 0, NULL);
INSERT INTO moz_inputhistory VALUES (2, 'moz', 3), (2, '', 1);
INSERT INTO moz_bookmarks VALUES
  (1, 2, NULL, 0, 0, '', NULL, NULL, 1717165000000000, 1717165099000001, 'root________', 1, 1),
  (2, 2, NULL, 1, 0, 'menu', NULL, NULL, 1717165000000000, 1717165000000000, 'menu________', 1, 3),
  (3, 1, 2, 2, 0, 'Ñandú', 1, NULL, 1717165000000000, 1717165000000000, 'bm1_________', 1, 1);
INSERT INTO moz_keywords (keyword, place_id) VALUES ('ñ', 2);
INSERT INTO moz_anno_attributes VALUES (1, 'downloads/destinationFileURI');
INSERT INTO moz_annos VALUES (1, 2, 1, 'file:///tmp/a%20b.pdf', 0, 4, 3, 1717165099000001, 0);
INSERT INTO moz_meta VALUES ('sync/bookmarks/wipeRemote', 0), ('origin_frecency_sum', 2374.5),
  ('places/expiration', x'00ff'), ('last', '');
INSERT INTO moz_places_metadata VALUES (1, 2, 1, 1717165099001, 1717165100001, 1200, 0, NULL);
INSERT INTO moz_previews_tombstones VALUES ('0cc175b9c0f1b6a831c399e269772661');
PRAGMA user_version = 75;
ANALYZE;
