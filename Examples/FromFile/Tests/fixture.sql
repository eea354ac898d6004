CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE book (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  author_id INTEGER NOT NULL REFERENCES author (id),
  pages INTEGER NOT NULL,
  shelf
);
CREATE TABLE book_tag (
  book_id INTEGER NOT NULL REFERENCES book (id),
  tag TEXT NOT NULL,
  PRIMARY KEY (book_id, tag)
) WITHOUT ROWID;
INSERT INTO "author" ("id", "name") VALUES (1, 'Ada');
INSERT INTO "author" ("id", "name") VALUES (2, 'Grace');
INSERT INTO "book" ("id", "title", "author_id", "pages", "shelf") VALUES (1, 'Notes', 1, 66, 3);
INSERT INTO "book" ("id", "title", "author_id", "pages", "shelf") VALUES (2, 'Manual', 2, 561, 'attic');
INSERT INTO "book_tag" ("book_id", "tag") VALUES (1, 'engines');
INSERT INTO "book_tag" ("book_id", "tag") VALUES (2, 'compilers');
CREATE INDEX book_by_author ON book (author_id);
