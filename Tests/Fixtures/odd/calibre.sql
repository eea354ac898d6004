-- metadata.db of Calibre: functions and aggregates of the program in views and triggers, a view
-- over them, a default that calls one, custom columns by number.
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE,
  sort TEXT COLLATE NOCASE, link TEXT NOT NULL DEFAULT "", UNIQUE (name));
CREATE TABLE books (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL DEFAULT 'Unknown'
    COLLATE NOCASE, sort TEXT COLLATE NOCASE, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  pubdate TIMESTAMP DEFAULT CURRENT_TIMESTAMP, series_index REAL NOT NULL DEFAULT 1.0,
  author_sort TEXT COLLATE NOCASE, isbn TEXT DEFAULT "" COLLATE NOCASE,
  lccn TEXT DEFAULT "" COLLATE NOCASE, path TEXT NOT NULL DEFAULT "",
  flags INTEGER NOT NULL DEFAULT 1, uuid TEXT, has_cover BOOL DEFAULT 0,
  last_modified TIMESTAMP NOT NULL DEFAULT "2000-01-01 00:00:00+00:00");
CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL,
  author INTEGER NOT NULL, UNIQUE (book, author));
CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating INTEGER CHECK (rating > -1 AND rating < 11),
  link TEXT NOT NULL DEFAULT '', UNIQUE (rating));
CREATE TABLE books_ratings_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL,
  rating INTEGER NOT NULL, UNIQUE (book, rating));
CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE,
  link TEXT NOT NULL DEFAULT '', UNIQUE (name));
CREATE TABLE books_tags_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, tag INTEGER NOT NULL,
  UNIQUE (book, tag));
CREATE TABLE data (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, format TEXT NOT NULL
    COLLATE NOCASE, uncompressed_size INTEGER NOT NULL, name TEXT NOT NULL,
  UNIQUE (book, format));
CREATE TABLE comments (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, text TEXT NOT NULL
    COLLATE NOCASE, UNIQUE (book));
CREATE TABLE identifiers (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, type TEXT NOT NULL
    DEFAULT "isbn" COLLATE NOCASE, val TEXT NOT NULL COLLATE NOCASE, UNIQUE (book, type));
CREATE TABLE preferences (id INTEGER PRIMARY KEY, key TEXT NOT NULL, val TEXT NOT NULL,
  UNIQUE (key));
CREATE TABLE library_id (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL, UNIQUE (uuid));
CREATE TABLE custom_column_1 (id INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL
    COLLATE NOCASE, link TEXT NOT NULL DEFAULT '', UNIQUE (value));
CREATE TABLE books_custom_column_1_link (id INTEGER PRIMARY KEY AUTOINCREMENT,
  book INTEGER NOT NULL, value INTEGER NOT NULL, UNIQUE (book, value));
CREATE VIEW meta AS SELECT id, title,
  (SELECT sortconcat(bal.id, name) FROM books_authors_link AS bal JOIN authors ON (author =
    authors.id) WHERE book = books.id) authors,
  (SELECT rating FROM ratings WHERE ratings.id IN (SELECT rating FROM books_ratings_link
    WHERE book = books.id)) rating, timestamp,
  (SELECT MAX(uncompressed_size) FROM data WHERE book = books.id) size,
  (SELECT concat(name) FROM tags WHERE tags.id IN (SELECT tag FROM books_tags_link
    WHERE book = books.id)) tags, series_index, sort, author_sort,
  (SELECT concat(format) FROM data WHERE data.book = books.id) formats, uuid FROM books;
CREATE VIEW tag_browser_authors AS SELECT id, name,
  (SELECT COUNT(id) FROM books_authors_link WHERE author = authors.id) count,
  (SELECT AVG(ratings.rating) FROM books_authors_link AS tl, books_ratings_link AS bl, ratings
    WHERE tl.author = authors.id AND bl.book = tl.book AND ratings.id = bl.rating
    AND ratings.rating <> 0) avg_rating, sort AS sort FROM authors;
CREATE VIEW tag_browser_filtered_tags AS SELECT id, name,
  (SELECT COUNT(books_tags_link.id) FROM books_tags_link WHERE tag = tags.id AND
    books_list_filter(book)) count, name AS sort FROM tags;
CREATE VIEW tag_browser_tags AS SELECT id, name, (SELECT COUNT(id) FROM books_tags_link
  WHERE tag = tags.id) count, name AS sort FROM tags;
CREATE INDEX authors_idx ON books (author_sort COLLATE NOCASE);
CREATE INDEX books_idx ON books (sort COLLATE NOCASE);
INSERT INTO authors (id, name, sort) VALUES (1, 'Gabriel García Márquez', 'García Márquez, G.'),
  (2, 'O''Brien| Flann', 'O''Brien, Flann');
INSERT INTO books (id, title, sort, timestamp, pubdate, author_sort, path, uuid, has_cover) VALUES
  (1, 'Cien años de soledad', 'Cien años', '2024-05-31 14:16:52.345678+00:00',
    '0101-01-01 00:00:00+00:00', 'García Márquez, G.', 'G/Cien (1)', 'b6f7', 1),
  (2, 'The "Third" Policeman', 'Third', '2024-05-31 14:16:52+02:00', NULL, NULL, '', NULL, 0);
INSERT INTO books_authors_link VALUES (1, 1, 1), (2, 2, 2);
INSERT INTO ratings (id, rating) VALUES (1, 8);
INSERT INTO books_ratings_link VALUES (1, 1, 1);
INSERT INTO tags (id, name) VALUES (1, 'Ficción'), (2, 'Fiction, Irish');
INSERT INTO books_tags_link VALUES (1, 1, 1), (2, 2, 2), (3, 404, 2);
INSERT INTO data VALUES (1, 1, 'EPUB', 512000, 'Cien'), (2, 1, 'PDF', 1048576, 'Cien');
INSERT INTO comments VALUES (1, 1, '<div><p>Muchos años después…</p></div>');
INSERT INTO identifiers (id, book, val) VALUES (1, 1, '9780307474728');
INSERT INTO preferences VALUES (1, 'tag_browser_hidden_categories', '[' || char(10) || ']');
INSERT INTO library_id VALUES (1, '6e0b3f8e-0000-4000-8000-000000000000');
INSERT INTO custom_column_1 (id, value) VALUES (1, 'read');
INSERT INTO books_custom_column_1_link VALUES (1, 1, 1);
CREATE TRIGGER books_insert_trg AFTER INSERT ON books BEGIN
  UPDATE books SET sort = title_sort(NEW.title), uuid = uuid4() WHERE id = NEW.id; END;
CREATE TRIGGER fkc_insert_data BEFORE INSERT ON data BEGIN SELECT CASE
  WHEN (SELECT id FROM books WHERE id = NEW.book) IS NULL
  THEN RAISE (ABORT, 'Foreign key violation: book not in books') END; END;
CREATE TRIGGER authors_view_trg INSTEAD OF DELETE ON tag_browser_authors
  BEGIN DELETE FROM authors WHERE id = OLD.id; END;
PRAGMA user_version = 26;
