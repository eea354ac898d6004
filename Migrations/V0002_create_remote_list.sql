-- What a mediator knows of the remote lists whose items are kept in this database.
-- A crawl is one walk through the pages of a list; `next_page` is JSON, and NULL where it is over.
CREATE TABLE IF NOT EXISTS sectile_remote_list (
  name TEXT PRIMARY KEY,
  table_name TEXT NOT NULL,
  crawl INTEGER NOT NULL,
  next_page TEXT,
  page_count INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  completed_at TEXT
) STRICT;

-- Which rows came from which list, and the last crawl that saw them; `key` is a JSON array.
CREATE TABLE IF NOT EXISTS sectile_remote_row (
  list TEXT NOT NULL REFERENCES sectile_remote_list (name) ON DELETE CASCADE,
  key TEXT NOT NULL,
  crawl INTEGER NOT NULL,
  PRIMARY KEY (list, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS sectile_remote_row_on_key ON sectile_remote_row (key);
CREATE INDEX IF NOT EXISTS sectile_remote_row_on_crawl ON sectile_remote_row (list, crawl);
