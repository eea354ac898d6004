-- What a mediator knows of the remote lists whose items are kept in this database.
-- A crawl is one walk through the pages of a list; `next_page` is JSON, and NULL where it is over.
-- `total` is how many items the service last said there are; `is_steady` is 0 where that changed
-- during the crawl.
CREATE TABLE IF NOT EXISTS sectile_remote_list (
  name TEXT PRIMARY KEY,
  table_name TEXT NOT NULL,
  crawl INTEGER NOT NULL,
  next_page TEXT,
  page_count INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  total INTEGER,
  is_steady INTEGER NOT NULL,
  completed_at TEXT
) STRICT;

-- Which pages the crawl under way has stored: a service may lead in a circle.
CREATE TABLE IF NOT EXISTS sectile_remote_page (
  list TEXT NOT NULL REFERENCES sectile_remote_list (name) ON DELETE CASCADE,
  page TEXT NOT NULL,
  PRIMARY KEY (list, page)
) STRICT, WITHOUT ROWID;

-- Which rows came from which list, and the last crawl that saw them; `key` is a JSON array.
CREATE TABLE IF NOT EXISTS sectile_remote_row (
  list TEXT NOT NULL REFERENCES sectile_remote_list (name) ON DELETE CASCADE,
  key TEXT NOT NULL,
  crawl INTEGER NOT NULL,
  PRIMARY KEY (list, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS sectile_remote_row_on_key ON sectile_remote_row (key);
CREATE INDEX IF NOT EXISTS sectile_remote_row_on_crawl ON sectile_remote_row (list, crawl);
