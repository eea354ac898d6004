-- clementine.db: tables without a key but for row ids, FTS3 with a tokenizer of the program and
-- columns named with a prefix, tables named like devices and services.
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE directories (path TEXT NOT NULL, subdirs INTEGER NOT NULL);
CREATE TABLE subdirectories (directory INTEGER NOT NULL, path TEXT NOT NULL,
  mtime INTEGER NOT NULL);
CREATE TABLE songs (title TEXT, album TEXT, artist TEXT, albumartist TEXT, composer TEXT,
  track INTEGER, disc INTEGER, bpm REAL, year INTEGER, genre TEXT, comment TEXT,
  compilation INTEGER, length INTEGER, bitrate INTEGER, samplerate INTEGER,
  directory INTEGER NOT NULL, filename TEXT NOT NULL, mtime INTEGER NOT NULL,
  ctime INTEGER NOT NULL, filesize INTEGER NOT NULL, sampler INTEGER NOT NULL DEFAULT 0,
  art_automatic TEXT, filetype INTEGER NOT NULL DEFAULT 0, playcount INTEGER NOT NULL DEFAULT 0,
  lastplayed INTEGER, rating INTEGER, unavailable INTEGER DEFAULT 0,
  effective_albumartist TEXT, etag TEXT, originalyear INTEGER);
CREATE TABLE playlists (name TEXT NOT NULL, last_played INTEGER NOT NULL DEFAULT -1,
  ui_order INTEGER NOT NULL DEFAULT 0, special_type TEXT, ui_path TEXT, is_favorite INTEGER);
CREATE TABLE playlist_items (playlist INTEGER NOT NULL, type TEXT NOT NULL, library_id INTEGER,
  radio_service TEXT, url TEXT, title TEXT);
CREATE TABLE devices (unique_id TEXT NOT NULL, friendly_name TEXT, size INTEGER, icon TEXT,
  schema_version INTEGER NOT NULL DEFAULT 0, transcode_mode NOT NULL DEFAULT 3);
CREATE VIRTUAL TABLE songs_fts USING fts3 (ftstitle, ftsalbum, ftsartist, tokenize=simple);
CREATE VIEW duplicated_songs AS SELECT artist AS dup_artist, album AS dup_album,
  title AS dup_title FROM songs AS inner_songs WHERE artist != '' AND album != '' AND title != ''
  AND unavailable = 0 GROUP BY artist, album, title HAVING count(*) > 1;
CREATE INDEX idx_filename ON songs (filename);
CREATE INDEX idx_comp_artist ON songs (effective_albumartist, compilation);
INSERT INTO schema_version VALUES (51);
INSERT INTO directories VALUES ('/srv/Müzik', 1);
INSERT INTO subdirectories VALUES (1, '/srv/Müzik/A', 1717165099), (1, '/srv/Müzik/A', 1717165099);
INSERT INTO songs (title, album, artist, directory, filename, mtime, ctime, filesize, lastplayed,
    rating, length, bpm, year) VALUES
  ('Hoppípolla', 'Takk…', 'Sigur Rós', 1, CAST('file:///srv/M%C3%BCzik/1.ogg' AS BLOB), 1717165099,
    1717165099, 1024, -1, -1, 268000000000, -1.0, 2005),
  ('Hoppípolla', 'Takk…', 'Sigur Rós', 1, 'file:///2.ogg', 0, 0, 0, 1717165099, 0.8, 0, -1, -1);
INSERT INTO playlists (name) VALUES ('Playlist'), ('');
INSERT INTO playlist_items VALUES (1, 'Library', 1, NULL, NULL, NULL),
  (1, 'Stream', NULL, NULL, 'http://x/', ''), (1, 'Library', 1, NULL, NULL, NULL);
INSERT INTO devices (unique_id, friendly_name) VALUES ('MTP/1', 'Ñ'), ('MTP/1', NULL);
INSERT INTO songs_fts (ftstitle, ftsalbum, ftsartist) VALUES ('hoppipolla', 'takk', 'sigur ros');
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'tokenize=simple', 'tokenize=unicode');
PRAGMA writable_schema = OFF;
