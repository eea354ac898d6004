-- History of Chrome: microseconds since 1601, LONGVARCHAR, a table without row ids and another
-- named as words of SQL are.
CREATE TABLE meta (key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);
CREATE TABLE urls (id INTEGER PRIMARY KEY AUTOINCREMENT, url LONGVARCHAR, title LONGVARCHAR,
  visit_count INTEGER DEFAULT 0 NOT NULL, typed_count INTEGER DEFAULT 0 NOT NULL,
  last_visit_time INTEGER NOT NULL, hidden INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE visits (id INTEGER PRIMARY KEY AUTOINCREMENT, url INTEGER NOT NULL,
  visit_time INTEGER NOT NULL, from_visit INTEGER, external_referrer_url TEXT,
  transition INTEGER DEFAULT 0 NOT NULL, segment_id INTEGER,
  visit_duration INTEGER DEFAULT 0 NOT NULL,
  incremented_omnibox_typed_score BOOLEAN DEFAULT FALSE NOT NULL, opener_visit INTEGER,
  originator_cache_guid TEXT, is_known_to_sync BOOLEAN DEFAULT FALSE NOT NULL);
CREATE TABLE visit_source (id INTEGER PRIMARY KEY, source INTEGER NOT NULL);
CREATE TABLE keyword_search_terms (keyword_id INTEGER NOT NULL, url_id INTEGER NOT NULL,
  term LONGVARCHAR NOT NULL, normalized_term LONGVARCHAR NOT NULL);
CREATE TABLE downloads (id INTEGER PRIMARY KEY, guid VARCHAR NOT NULL,
  current_path LONGVARCHAR NOT NULL, target_path LONGVARCHAR NOT NULL, start_time INTEGER NOT NULL,
  received_bytes INTEGER NOT NULL, total_bytes INTEGER NOT NULL, state INTEGER NOT NULL,
  danger_type INTEGER NOT NULL, interrupt_reason INTEGER NOT NULL, hash BLOB NOT NULL,
  end_time INTEGER NOT NULL, opened INTEGER NOT NULL, mime_type VARCHAR(255) NOT NULL);
CREATE TABLE downloads_url_chains (id INTEGER NOT NULL, chain_index INTEGER NOT NULL,
  url LONGVARCHAR NOT NULL, PRIMARY KEY (id, chain_index));
CREATE TABLE downloads_slices (download_id INTEGER NOT NULL, offset INTEGER NOT NULL,
  received_bytes INTEGER NOT NULL, finished INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (download_id, offset));
CREATE TABLE segments (id INTEGER PRIMARY KEY, name VARCHAR, url_id INTEGER NON NULL);
CREATE TABLE segment_usage (id INTEGER PRIMARY KEY, segment_id INTEGER NOT NULL,
  time_slot INTEGER NOT NULL, visit_count INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE typed_url_sync_metadata (storage_key INTEGER PRIMARY KEY NOT NULL, value BLOB);
CREATE TABLE cluster_keywords (cluster_id INTEGER NOT NULL, keyword VARCHAR NOT NULL,
  type INTEGER NOT NULL, score NUMERIC NOT NULL, collections VARCHAR NOT NULL);
CREATE TABLE clusters_and_visits (cluster_id INTEGER NOT NULL, visit_id INTEGER NOT NULL,
  score NUMERIC DEFAULT 0 NOT NULL, engagement_score NUMERIC DEFAULT 0 NOT NULL,
  PRIMARY KEY (cluster_id, visit_id)) WITHOUT ROWID;
CREATE INDEX visits_url_index ON visits (url);
CREATE INDEX keyword_search_terms_index3 ON keyword_search_terms (term);
CREATE INDEX urls_url_index ON urls (url);
INSERT INTO meta VALUES ('mmap_status', '-1'), ('version', 66), ('early_expiration_threshold',
  '13361638617000000');
INSERT INTO urls VALUES (1, 'https://example.org/', 'Example', 2, 1, 13361638699000001, 0),
  (2, 'chrome://newtab/', '', 0, 0, 0, 1);
INSERT INTO visits VALUES (1, 1, 13361638617000000, 0, '', 805306368, 1, 5000000, 0, 0, '', 0),
  (2, 1, 13361638699000001, 1, NULL, -1610612736, 0, 0, 1, NULL, NULL, 0);
INSERT INTO keyword_search_terms VALUES (2, 1, 'SQLite', 'sqlite'), (2, 1, 'SQLite', 'sqlite');
INSERT INTO downloads VALUES (1, '6f1f4d0e-3a4e-4b57-9d3f-6ea9a5e0c6b4', '', '/tmp/a b.pdf',
  13361638617000000, 1024, -1, 1, 0, 0, x'', 0, 0, 'application/pdf');
INSERT INTO downloads_url_chains VALUES (1, 0, 'https://example.org/a'), (1, 1, 'https://b.org');
INSERT INTO downloads_slices VALUES (1, 0, 512, 1), (1, 512, 512, 0);
INSERT INTO segments VALUES (1, 'http://example.org/', 1);
INSERT INTO segment_usage VALUES (1, 1, 13361576400000000, 2);
INSERT INTO typed_url_sync_metadata VALUES (1, x'0a180802');
INSERT INTO cluster_keywords VALUES (1, 'example', 0, 90.5, ''), (1, 'example', 0, 90.5, '');
INSERT INTO clusters_and_visits VALUES (1, 1, 1, 0.25), (1, 2, 0.5, 1e-12);
