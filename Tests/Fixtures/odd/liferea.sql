-- liferea.db: a view for each search of the user, made when its feed was there, so that some are
-- broken by now; times in seconds, text of HTML, FTS4 with parts of its own.
CREATE TABLE info (name TEXT, value TEXT, PRIMARY KEY (name));
CREATE TABLE node (node_id STRING, parent_id STRING, title TEXT, type INTEGER, expanded INTEGER,
  view_mode INTEGER, sort_column INTEGER, sort_reversed INTEGER, PRIMARY KEY (node_id));
CREATE TABLE subscription (node_id STRING, source STRING, orig_source STRING,
  filter_cmd STRING, update_interval INTEGER, default_interval INTEGER, discontinued INTEGER,
  available INTEGER, PRIMARY KEY (node_id));
CREATE TABLE items (item_id INTEGER, parent_item_id INTEGER, node_id TEXT, parent_node_id TEXT,
  title TEXT, read INTEGER, updated INTEGER, popup INTEGER, marked INTEGER, source TEXT,
  source_id TEXT, valid_guid INTEGER, description TEXT, date INTEGER, comment_feed_id TEXT,
  comment INTEGER, PRIMARY KEY (item_id));
CREATE TABLE metadata (item_id INTEGER, nr INTEGER, key TEXT, value TEXT,
  PRIMARY KEY (item_id, nr));
CREATE TABLE search_folder_items (node_id STRING, parent_node_id STRING, item_id INTEGER,
  PRIMARY KEY (node_id, item_id));
CREATE VIRTUAL TABLE items_text USING fts4 (title, description, notindexed=description,
  order=desc, matchinfo=fts3);
CREATE INDEX items_idx3 ON items (node_id);
CREATE INDEX items_unread ON items (date DESC) WHERE read = 0 AND comment = 0;
CREATE VIEW view_unread AS SELECT item_id AS item_id FROM items WHERE items.read = 0
  AND items.comment != 1;
CREATE VIEW view_podcasts AS SELECT items.item_id AS item_id FROM items INNER JOIN metadata
  ON items.item_id = metadata.item_id WHERE metadata.key = 'enclosure' AND items.comment != 1;
CREATE VIEW "view_ñ&<b>" AS SELECT items.item_id AS item_id FROM items, itemsets
  WHERE itemsets.item_id = items.item_id;
CREATE VIEW view_broken AS SELECT items.item_id, items.gone FROM items;
CREATE VIEW view_circle AS SELECT item_id FROM view_square;
CREATE VIEW view_square AS SELECT item_id FROM view_circle;
CREATE VIEW view_of_broken AS SELECT * FROM view_broken;
INSERT INTO info VALUES ('schemaVersion', '11'), (NULL, NULL), (NULL, NULL);
INSERT INTO node VALUES ('abcdefg', NULL, 'Planet Müzik', 1, NULL, 0, 0, 1), (1234, 'x', '', 0, 0,
  0, 0, 0), ('1e5', 'x', NULL, 0, 0, 0, 0, 0);
INSERT INTO subscription VALUES ('abcdefg', 'https://example.org/feed', NULL, '', -1, 60, 0, 1);
INSERT INTO items VALUES (1, 0, 'abcdefg', 'abcdefg', 'Hé & <b>', 0, 0, 1, 0, 'https://example.org/',
  'tag:1', 1, '<div>…</div>', 1717165012, NULL, 0), (2, 1, 'abcdefg', NULL, NULL, 1, 0, 0, 1, NULL,
  NULL, 0, NULL, 0, NULL, 1);
INSERT INTO metadata VALUES (1, 0, 'enclosure', 'enc:0:audio/mpeg:1024:https://x/a.mp3');
INSERT INTO search_folder_items VALUES ('sf1', 'abcdefg', 1);
INSERT INTO items_text (docid, title, description) VALUES (1, 'he', 'div');
