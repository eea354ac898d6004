-- History.db of Safari: seconds since 2001 with fractions, blobs of property lists, foreign keys
-- in each column, tombstones.
CREATE TABLE history_items (id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL UNIQUE,
  domain_expansion TEXT NULL, visit_count INTEGER NOT NULL, daily_visit_counts BLOB NOT NULL,
  weekly_visit_counts BLOB NULL, autocomplete_triggers BLOB NULL,
  should_recompute_derived_visit_counts INTEGER NOT NULL, visit_count_score INTEGER NOT NULL,
  status_code INTEGER NOT NULL DEFAULT 0);
CREATE TABLE history_visits (id INTEGER PRIMARY KEY AUTOINCREMENT, history_item INTEGER NOT NULL
    REFERENCES history_items(id) ON DELETE CASCADE, visit_time REAL NOT NULL, title TEXT NULL,
  load_successful BOOLEAN NOT NULL DEFAULT 1, http_non_get BOOLEAN NOT NULL DEFAULT 0,
  synthesized BOOLEAN NOT NULL DEFAULT 0, redirect_source INTEGER NULL UNIQUE
    REFERENCES history_visits(id) ON DELETE CASCADE, redirect_destination INTEGER NULL UNIQUE
    REFERENCES history_visits(id) ON DELETE CASCADE, origin INTEGER NOT NULL DEFAULT 0,
  generation INTEGER NOT NULL DEFAULT 0, attributes INTEGER NOT NULL DEFAULT 0,
  score INTEGER NOT NULL DEFAULT 0);
CREATE TABLE history_tombstones (id INTEGER PRIMARY KEY AUTOINCREMENT, start_time REAL NOT NULL,
  end_time REAL NOT NULL, url TEXT, generation INTEGER NOT NULL DEFAULT 0);
CREATE TABLE metadata (key TEXT NOT NULL UNIQUE, value);
CREATE TABLE history_client_versions (client_version INTEGER PRIMARY KEY,
  last_seen REAL NOT NULL);
CREATE TABLE history_event_listeners (listener_name TEXT PRIMARY KEY NOT NULL UNIQUE,
  last_seen REAL NOT NULL);
CREATE TABLE history_tags (id INTEGER PRIMARY KEY AUTOINCREMENT, type INTEGER NOT NULL,
  level INTEGER NOT NULL, identifier TEXT NOT NULL, title TEXT NOT NULL,
  modification_timestamp REAL NOT NULL, item_count INTEGER NOT NULL DEFAULT 0);
CREATE TABLE history_items_to_tags (history_item INTEGER NOT NULL REFERENCES history_items(id)
    ON DELETE CASCADE, tag_id INTEGER NOT NULL REFERENCES history_tags(id) ON DELETE CASCADE,
  timestamp REAL NOT NULL, UNIQUE (history_item, tag_id) ON CONFLICT REPLACE);
CREATE INDEX history_visits__last_visit ON history_visits (history_item, visit_time DESC,
  synthesized ASC);
CREATE INDEX history_items__domain_expansion ON history_items (domain_expansion);
INSERT INTO history_items VALUES (1, 'https://www.apple.com/', 'apple', 2, x'6400000000000000',
  NULL, x'62706c6973743030', 0, 200, 0);
INSERT INTO history_visits VALUES
  (1, 1, 738857812.345678, 'Apple', 1, 0, 0, NULL, 2, 0, 7, 0, 100),
  (2, 1, 738857812.5, NULL, 1, 0, 0, 1, NULL, 1, 7, 0, 100);
INSERT INTO history_tombstones VALUES (1, -978307200.0, 738857812.5, NULL, 8);
INSERT INTO metadata VALUES ('last_maintenance_time', 738857812.345678), ('generation', '8'),
  ('cloud', x'62706c6973743030d101'), ('null', NULL);
INSERT INTO history_client_versions VALUES (2, 738857812.0);
INSERT INTO history_event_listeners VALUES ('com.apple.Safari', 1e300);
INSERT INTO history_tags VALUES (1, 1, 1, 'topic', 'Äpfel', 738857812.5, 1);
INSERT INTO history_items_to_tags VALUES (1, 1, 738857812.5);
PRAGMA user_version = 16;
