-- Login Data of Chrome: a key of five texts, one of which may be empty, blobs of passwords.
CREATE TABLE logins (origin_url VARCHAR NOT NULL, action_url VARCHAR, username_element VARCHAR,
  username_value VARCHAR, password_element VARCHAR, password_value BLOB, submit_element VARCHAR,
  signon_realm VARCHAR NOT NULL, date_created INTEGER NOT NULL,
  blacklisted_by_user INTEGER NOT NULL, scheme INTEGER NOT NULL, password_type INTEGER,
  times_used INTEGER, form_data BLOB, display_name VARCHAR, icon_url VARCHAR,
  skip_zero_click INTEGER, generation_upload_status INTEGER, possible_username_pairs BLOB,
  id INTEGER PRIMARY KEY AUTOINCREMENT, date_last_used INTEGER NOT NULL DEFAULT 0,
  UNIQUE (origin_url, username_element, username_value, password_element, signon_realm));
CREATE TABLE stats (origin_domain VARCHAR NOT NULL, username_value VARCHAR,
  dismissal_count INTEGER, update_time INTEGER NOT NULL,
  UNIQUE (origin_domain, username_value));
CREATE TABLE insecure_credentials (parent_id INTEGER REFERENCES logins ON UPDATE CASCADE
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, insecurity_type INTEGER NOT NULL,
  create_time INTEGER NOT NULL, is_muted INTEGER NOT NULL DEFAULT 0,
  UNIQUE (parent_id, insecurity_type));
CREATE TABLE password_notes (id INTEGER PRIMARY KEY AUTOINCREMENT, parent_id INTEGER NOT NULL
    REFERENCES logins ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  key VARCHAR NOT NULL, value BLOB, date_created INTEGER NOT NULL, confidential INTEGER,
  UNIQUE (parent_id, key));
CREATE INDEX logins_signon ON logins (signon_realm);
INSERT INTO logins VALUES ('https://example.org/login', 'https://example.org/do', 'user', 'añe',
  'pass', x'76313000ff', '', 'https://example.org/', 13361638617000000, 0, 0, 0, 3, x'00', '', '',
  0, 0, x'00000000', 1, 13361638699000001);
INSERT INTO stats VALUES ('https://example.org/', NULL, 1, 13361638617000000),
  ('https://example.org/', NULL, 2, 13361638617000001);
INSERT INTO insecure_credentials VALUES (1, 0, 13361638617000000, 0);
INSERT INTO password_notes VALUES (1, 404, '', x'', 0, NULL);
