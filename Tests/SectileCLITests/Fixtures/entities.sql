-- Every case that `sectile entities` knows: the schema, then the rows.

CREATE TABLE customer (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, created_at TEXT NOT NULL, seen_at INTEGER,
  visited_at INTEGER, measured_at REAL, is_active INTEGER NOT NULL, stars INTEGER NOT NULL,
  subscribed BOOLEAN, balance TEXT, rate DECIMAL(10,2), tags TEXT NOT NULL, scores TEXT,
  labels TEXT, extra TEXT, token TEXT, device TEXT, digest BLOB, photo BLOB, anything,
  updated TEXT, modified TEXT, "class" TEXT, "self" TEXT, "2nd line" TEXT, website_url TEXT,
  initial TEXT AS (substr(name, 1, 1)));
CREATE TABLE product (
  sku BLOB PRIMARY KEY NOT NULL, "Name" TEXT NOT NULL, parent_sku BLOB REFERENCES product);
CREATE TABLE topic (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE product_topic (
  product_sku BLOB NOT NULL REFERENCES product (sku), topic_id INTEGER NOT NULL REFERENCES topic,
  PRIMARY KEY (product_sku, topic_id)) WITHOUT ROWID;
CREATE TABLE purchase (
  id TEXT PRIMARY KEY NOT NULL, customer_id INTEGER NOT NULL REFERENCES customer,
  payer_id INT REFERENCES customer (id), coupon TEXT REFERENCES coupon (code), placed TIMESTAMP);
CREATE TABLE purchase_line (
  purchase_id TEXT NOT NULL REFERENCES purchase ON DELETE CASCADE, id INTEGER NOT NULL,
  product BLOB NOT NULL REFERENCES product, quantity INTEGER NOT NULL,
  PRIMARY KEY (purchase_id, id));
CREATE TABLE shipment (
  number INTEGER PRIMARY KEY, purchase_id TEXT NOT NULL, line_id INTEGER NOT NULL,
  topic_name TEXT REFERENCES topic (name), carrier INTEGER REFERENCES carrier,
  FOREIGN KEY (purchase_id, line_id) REFERENCES purchase_line (purchase_id, id));
CREATE TABLE "say ""hi""" ("id" INTEGER PRIMARY KEY, "back\slash" TEXT NOT NULL);
CREATE TABLE note (text TEXT, written_at INTEGER);
CREATE TABLE reading (at REAL PRIMARY KEY, value REAL) WITHOUT ROWID;
CREATE TABLE date (id INTEGER PRIMARY KEY, day DATE);
CREATE VIEW customer_name AS SELECT id, name FROM customer;
CREATE VIRTUAL TABLE search USING fts5 (text);

-- Rows

INSERT INTO customer VALUES
  (1, 'Ada', '2026-01-31 23:59:59', 1769903999, 1769903999123, 1769903999.25, 1, 0, 1, '12.34',
  1.5, '["a","b"]', '[1,2]', '{"k":"v"}', '{"deep":[1,{}]}', '550E8400-E29B-41D4-A716-446655440000',
  '550e8400-e29b-41d4-a716-446655440000', x'550e8400e29b41d4a716446655440000', x'00ff', 1,
  '2026-01-31T23:59:59Z', '2026-01-31T23:59:59.123Z', 'gold', 'me', 'Flat 2', 'https://a.example'),
  (2, 'Bob', '2026-02-01 00:00:00.500', NULL, NULL, NULL, 0, 1, 0, '10', 2, '[]', NULL, NULL, NULL,
  NULL, NULL, NULL, NULL, 'text', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO product VALUES
  (x'550e8400e29b41d4a716446655440001', 'Saw', NULL),
  (x'550e8400e29b41d4a716446655440002', 'Blade', x'550e8400e29b41d4a716446655440001');
INSERT INTO topic VALUES (1, 'steel'), (2, 'wood');
INSERT INTO product_topic VALUES
  (x'550e8400e29b41d4a716446655440001', 1), (x'550e8400e29b41d4a716446655440001', 2),
  (x'550e8400e29b41d4a716446655440002', 1);
INSERT INTO purchase VALUES
  ('550e8400-e29b-41d4-a716-446655440010', 1, NULL, NULL, '2026-03-01 12:00:00'),
  ('550e8400-e29b-41d4-a716-446655440011', 2, 1, NULL, NULL);
INSERT INTO purchase_line VALUES
  ('550e8400-e29b-41d4-a716-446655440010', 1, x'550e8400e29b41d4a716446655440001', 3),
  ('550e8400-e29b-41d4-a716-446655440010', 2, x'550e8400e29b41d4a716446655440002', 1);
INSERT INTO shipment VALUES (7, '550e8400-e29b-41d4-a716-446655440010', 2, 'steel', NULL);
INSERT INTO "say ""hi""" VALUES (1, 'hello');
INSERT INTO note VALUES ('n', 1769903999);
INSERT INTO reading VALUES (0.5, 1.5);
