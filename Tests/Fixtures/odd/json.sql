-- JSON functions in a schema, as mail programs and messengers have them by now: a view, a
-- generated column, a check, an index. Some versions of SQLite take these functions for unsafe
-- where a schema is not trusted.
CREATE TABLE document (id INTEGER PRIMARY KEY, body TEXT NOT NULL CHECK (json_valid(body)));
CREATE TABLE event (id INTEGER PRIMARY KEY, body TEXT,
  kind TEXT AS (json_extract(body, '$.kind')));
CREATE VIEW kinds AS SELECT id, json_extract(body, '$.kind') AS kind FROM document;
INSERT INTO document VALUES (1, '{"kind":"mail"}'), (2, '{}');
INSERT INTO event (id, body) VALUES (1, '{"kind":"opened"}'), (2, NULL);
