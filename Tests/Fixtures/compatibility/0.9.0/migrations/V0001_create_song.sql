CREATE TABLE song (
  id INTEGER PRIMARY KEY,
  genre TEXT,
  title TEXT NOT NULL COLLATE NOCASE,
  length REAL,
  plays INTEGER NOT NULL DEFAULT 0,
  cover BLOB
);
CREATE INDEX song_by_genre ON song (genre, title);
CREATE TABLE tag (song INTEGER NOT NULL REFERENCES song (id), word TEXT NOT NULL, PRIMARY KEY (song, word)) WITHOUT ROWID;
