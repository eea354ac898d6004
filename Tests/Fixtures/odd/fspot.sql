-- photos.db of F-Spot: a schema of SQLite 2, with names in apostrophes, seconds of 1970, and
-- tables for exports that come with programs that are gone.
CREATE TABLE 'meta' ('id' INTEGER PRIMARY KEY NOT NULL, 'name' TEXT UNIQUE NOT NULL, 'data' TEXT);
CREATE TABLE photos (id INTEGER PRIMARY KEY NOT NULL, time INTEGER NOT NULL,
  base_uri STRING NOT NULL, filename STRING NOT NULL, description TEXT NOT NULL,
  roll_id INTEGER NOT NULL, default_version_id INTEGER NOT NULL, rating INTEGER NULL);
CREATE TABLE photo_versions (photo_id INTEGER, version_id INTEGER, name STRING,
  base_uri STRING NOT NULL, filename STRING NOT NULL, import_md5 TEXT NULL,
  protected BOOLEAN, UNIQUE (photo_id, version_id));
CREATE TABLE photo_tags (photo_id INTEGER, tag_id INTEGER, UNIQUE (photo_id, tag_id));
CREATE TABLE tags (id INTEGER PRIMARY KEY NOT NULL, name TEXT UNIQUE, category_id INTEGER,
  is_category BOOLEAN, sort_priority INTEGER, icon TEXT);
CREATE TABLE rolls (id INTEGER PRIMARY KEY NOT NULL, time INTEGER NOT NULL);
CREATE TABLE exports (id INTEGER PRIMARY KEY NOT NULL, image_id INTEGER NOT NULL,
  image_version_id INTEGER NOT NULL, export_type TEXT NOT NULL, export_token TEXT NOT NULL);
CREATE TABLE jobs (id INTEGER PRIMARY KEY NOT NULL, job_type TEXT NOT NULL, job_options TEXT NOT
  NULL, run_at INTEGER, job_priority INTEGER NOT NULL);
CREATE INDEX idx_photo_versions_id ON photo_versions (photo_id);
CREATE VIEW 'photos by day' AS SELECT date(time, 'unixepoch') AS 'the day', count(*) AS 'how many'
  FROM photos GROUP BY 1;
INSERT INTO meta VALUES (1, 'F-Spot Version', '0.8.2'), (2, 'Hidden Tag Id', '2');
INSERT INTO photos VALUES (1, 1717165012, 'file:///home/a/Bilder', 'a%20b.jpg', '', 1, 1, NULL),
  (2, 0, '1e5', '007', 'Ñ', 0, 1, 5);
INSERT INTO photo_versions VALUES (1, 1, 'Original', 'file:///', 'a.jpg', '', 1),
  (NULL, NULL, NULL, '', '', NULL, NULL), (NULL, NULL, NULL, '', '', NULL, NULL);
INSERT INTO photo_tags VALUES (1, 1), (2, 404);
INSERT INTO tags VALUES (1, 'Favorites', 0, 1, -10, 'stock_icon:emblem-favorite'),
  (2, NULL, 1, 0, 0, NULL), (3, NULL, 1, 0, 0, 'AAAB');
INSERT INTO rolls VALUES (1, 1717165012);
INSERT INTO exports VALUES (1, 1, 1, 'fspot:Folder', 'file:///a');
INSERT INTO jobs VALUES (1, 'SyncMetadataJob', '1', 1717165012, 1);
