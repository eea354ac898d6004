-- No program's, but all that schemas of programs have been seen with: names that are empty, of
-- one space, of quotation marks and emoji, of 200 letters; no key at all; a key of blobs; row ids
-- whose three names are columns; STRICT, generated columns, a view without columns of its own.
CREATE TABLE "" ("" INTEGER PRIMARY KEY, " " TEXT);
CREATE TABLE " " (a, "A b" TEXT);
CREATE TABLE "a""b" ("c""d" TEXT PRIMARY KEY, 'e''f' INTEGER);
CREATE TABLE "it's" ("it's" TEXT);
CREATE TABLE "😀 👨‍👩‍👧" ("🔑" INTEGER PRIMARY KEY, "naïve" REAL);
CREATE TABLE "a.b" ("c.d" INTEGER, "main.e" TEXT);
CREATE TABLE "x;y--z/*" ("p?" INTEGER PRIMARY KEY, ":q" TEXT, "@r" TEXT, "$s" TEXT, "%41" TEXT);
CREATE TABLE "tab	bed" ("line
break" TEXT);
CREATE TABLE "table" ("index" INTEGER PRIMARY KEY, "primary" TEXT, "unique" TEXT, "values" TEXT);
CREATE TABLE "0day" (rowid TEXT, oid TEXT, _rowid_ TEXT);
CREATE TABLE nokey (a, b);
CREATE TABLE blobkey (k BLOB PRIMARY KEY, v ANY) STRICT, WITHOUT ROWID;
CREATE TABLE manykeys (a TEXT, b BLOB, c REAL, d INT, PRIMARY KEY (d DESC, a, c, b));
CREATE TABLE aliases (id INTEGER PRIMARY KEY DESC, v TEXT);
CREATE TABLE intkey (id INT PRIMARY KEY, v TEXT);
CREATE TABLE realkey (id REAL PRIMARY KEY, v TEXT) WITHOUT ROWID;
CREATE TABLE generated (id INTEGER PRIMARY KEY, w INT, h INT, area INT AS (w * h),
  label TEXT GENERATED ALWAYS AS (w || '×' || h) STORED UNIQUE);
CREATE TABLE selfkeyed (id INTEGER PRIMARY KEY, parent REFERENCES selfkeyed, other REFERENCES
  nowhere (at_all), both, FOREIGN KEY (parent, both) REFERENCES selfkeyed);
CREATE TABLE sqlité (x);
CREATE TABLE "SELECT * FROM nokey" (x);
CREATE TABLE "--table" (x);
CREATE TABLE "-" (x);
CREATE TABLE tiny (x UNIQUE);
CREATE TABLE empty (a INTEGER PRIMARY KEY, b TEXT, c BLOB);
CREATE TABLE extremes (id INTEGER PRIMARY KEY, v);
CREATE TABLE fields (a, B, "a b", "a-b", "a_b", "_", "é", "É", "1", "true", "nil", "self");
CREATE VIEW "a view" AS SELECT a AS "", b AS " ", a || b AS "a""b" FROM nokey;
CREATE VIEW twice AS SELECT a, a, b AS A FROM nokey;
CREATE VIEW noname AS SELECT NULL;
CREATE VIEW chain1 (id, v) AS SELECT id, v FROM aliases;
CREATE VIEW chain2 AS SELECT id, upper(v) AS v FROM chain1;
CREATE VIEW chain3 AS SELECT c.id, c.v, d.v AS w FROM chain2 c JOIN chain1 d USING (id);
CREATE VIEW recursive AS WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n
  WHERE i < 3) SELECT i FROM n;
CREATE VIEW windowed AS SELECT id, row_number() OVER (ORDER BY v) AS rank FROM aliases;
CREATE VIEW valuesview AS VALUES (1, 'a'), (2, 'b');
CREATE VIEW functions AS SELECT round(1.5) AS r, printf('%d', 1) AS p, group_concat(a) AS g
  FROM nokey;
CREATE VIEW gone_function AS SELECT my_function(a) AS f FROM nokey;
CREATE VIEW gone_collation AS SELECT a FROM nokey ORDER BY a COLLATE mine;
CREATE VIEW gone_table AS SELECT * FROM not_there;
CREATE VIEW count_wrong (a, b) AS SELECT a FROM nokey;
CREATE VIEW fails_late AS SELECT abs(-9223372036854775807 - id) AS v FROM aliases;
CREATE VIRTUAL TABLE vocabulary_of USING fts5 (t);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (vocabulary_of, row);
CREATE INDEX "index ""of"" sums" ON nokey (a + b, lower(b)) WHERE a IS NOT NULL;
INSERT INTO "" VALUES (1, 'x'), (2, NULL);
INSERT INTO " " VALUES (1, 'x'), (1, 'x');
INSERT INTO "a""b" VALUES ('x', 1), ('"', 2), (NULL, 3);
INSERT INTO "it's" VALUES ('it''s');
INSERT INTO "😀 👨‍👩‍👧" VALUES (1, 1.5), (2, 9e999), (3, -9e999);
INSERT INTO "a.b" VALUES (1, 'x');
INSERT INTO "x;y--z/*" VALUES (1, ':q', '?', '$', '%');
INSERT INTO "tab	bed" VALUES ('a' || char(9) || 'b' || char(13, 10) || 'c');
INSERT INTO "table" VALUES (1, 'a', 'b', 'c');
INSERT INTO "0day" VALUES ('r', 'o', '_'), ('r', 'o', '_');
INSERT INTO nokey VALUES (1, 'x'), (1, 'x'), (NULL, NULL), (x'00', 1.5);
INSERT INTO blobkey VALUES (x'', 1), (x'00', 'a'), (x'ff', x'ff'), (x'c328', NULL);
INSERT INTO manykeys VALUES ('a', x'01', 1.5, 1), ('a', x'01', 1.5, 2), (NULL, NULL, NULL, NULL);
INSERT INTO aliases VALUES (1, 'a'), (2, 'b');
INSERT INTO intkey VALUES (1, 'a'), ('x', 'b'), (NULL, 'c'), (NULL, 'd');
INSERT INTO realkey VALUES (0.1, 'a'), (1e300, 'b'), (-0.0, 'c'), (9e999, 'd');
INSERT INTO generated (id, w, h) VALUES (1, 2, 3), (2, NULL, 1);
INSERT INTO selfkeyed VALUES (1, NULL, NULL, NULL), (2, 1, 'x', 1), (3, 404, 7, x'00');
INSERT INTO sqlité VALUES (1);
INSERT INTO "SELECT * FROM nokey" VALUES (1);
INSERT INTO "--table" VALUES (1);
INSERT INTO "-" VALUES (1);
INSERT INTO tiny VALUES (NULL), (NULL), (1);
INSERT INTO extremes VALUES (-9223372036854775808, 1e-320), (9223372036854775807, -0.0), (0, ''),
  (1, x''), (2, 'a' || char(0) || 'b'), (3, CAST(x'ff41' AS TEXT)), (4, 1.7976931348623157e308);
INSERT INTO fields VALUES (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
INSERT INTO vocabulary_of VALUES ('one two two');
