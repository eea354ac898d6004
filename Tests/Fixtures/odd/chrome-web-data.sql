-- Web Data of Chrome: keys of texts, times in seconds of 1970 beside microseconds of 1601,
-- a column whose default is a blob, tables of tokens.
CREATE TABLE autofill (name VARCHAR, value VARCHAR, value_lower VARCHAR,
  date_created INTEGER DEFAULT 0, date_last_used INTEGER DEFAULT 0, count INTEGER DEFAULT 1,
  PRIMARY KEY (name, value));
CREATE TABLE credit_cards (guid VARCHAR PRIMARY KEY, name_on_card VARCHAR,
  expiration_month INTEGER, expiration_year INTEGER, card_number_encrypted BLOB,
  date_modified INTEGER NOT NULL DEFAULT 0, origin VARCHAR DEFAULT '',
  use_count INTEGER NOT NULL DEFAULT 0, use_date INTEGER NOT NULL DEFAULT 0, nickname VARCHAR);
CREATE TABLE keywords (id INTEGER PRIMARY KEY, short_name VARCHAR NOT NULL,
  keyword VARCHAR NOT NULL, favicon_url VARCHAR NOT NULL, url VARCHAR NOT NULL,
  safe_for_autoreplace INTEGER, originating_url VARCHAR, date_created INTEGER DEFAULT 0,
  usage_count INTEGER DEFAULT 0, input_encodings VARCHAR, prepopulate_id INTEGER DEFAULT 0,
  sync_guid VARCHAR, alternate_urls VARCHAR, image_url_post_params BLOB DEFAULT x'',
  url_hash BLOB);
CREATE TABLE token_service (service VARCHAR PRIMARY KEY NOT NULL, encrypted_token BLOB,
  binding_key BLOB);
CREATE TABLE autofill_model_type_state (model_type INTEGER NOT NULL PRIMARY KEY, value BLOB);
CREATE TABLE autofill_sync_metadata (model_type INTEGER NOT NULL, storage_key VARCHAR NOT NULL,
  value BLOB, PRIMARY KEY (model_type, storage_key));
CREATE INDEX autofill_name ON autofill (name);
CREATE INDEX autofill_name_value_lower ON autofill (name, value_lower);
INSERT INTO autofill VALUES ('email', 'A@example.org', 'a@example.org', 1717165000, 1717165099, 2),
  (NULL, 'x', 'x', 0, 0, 1), (NULL, 'x', 'x', 0, 0, 1);
INSERT INTO credit_cards VALUES ('b1e8f9a0-0000-4000-8000-000000000000', 'A. Ñ.', 12, 2030,
  x'763130', 1717165099, 'Chrome settings', 1, 1717165099, '');
INSERT INTO keywords (id, short_name, keyword, favicon_url, url, date_created) VALUES
  (2, 'DuckDuckGo', 'duckduckgo.com', '', 'https://duckduckgo.com/?q={searchTerms}',
    13361638617000000);
INSERT INTO token_service VALUES ('AccountId-1234', x'7631310102', NULL);
INSERT INTO autofill_model_type_state VALUES (6, x'0a00'), (-1, NULL);
INSERT INTO autofill_sync_metadata VALUES (6, 'email|a', x'0801'), (6, char(0) || 'n', x'');
