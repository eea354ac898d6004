-- A repository of Fossil: Julian days, compressed blobs, a table that refers to itself, a check
-- that calls length, FTS4 without contents, a view with functions of the program, an index by a
-- cast, a table without a name for its key.
CREATE TABLE blob (rid INTEGER PRIMARY KEY, rcvid INTEGER, size INTEGER,
  uuid TEXT UNIQUE NOT NULL, content BLOB, CHECK (length(uuid) >= 40 AND rid > 0));
CREATE TABLE delta (rid INTEGER PRIMARY KEY, srcid INTEGER NOT NULL REFERENCES blob);
CREATE TABLE rcvfrom (rcvid INTEGER PRIMARY KEY, uid INTEGER REFERENCES user, mtime DATETIME,
  nonce TEXT UNIQUE, ipaddr TEXT);
CREATE TABLE user (uid INTEGER PRIMARY KEY, login TEXT UNIQUE, pw TEXT, cap TEXT, cookie TEXT,
  ipaddr TEXT, cexpire DATETIME, info TEXT, mtime DATE, photo BLOB);
CREATE TABLE config (name TEXT PRIMARY KEY NOT NULL, value CLOB, mtime DATE,
  CHECK (typeof(name) = 'text' AND length(name) >= 1)) WITHOUT ROWID;
CREATE TABLE event (type TEXT, mtime DATETIME, objid INTEGER PRIMARY KEY, tagid INTEGER,
  uid INTEGER REFERENCES user, bgcolor TEXT, euser TEXT, user TEXT, ecomment TEXT, comment TEXT,
  brief TEXT, omtime DATETIME);
CREATE TABLE mlink (mid INTEGER, fid INTEGER, pmid INTEGER, pid INTEGER, fnid INTEGER
    REFERENCES filename, pfnid INTEGER, mperm INTEGER, isaux BOOLEAN DEFAULT 0);
CREATE TABLE filename (fnid INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE plink (pid INTEGER REFERENCES blob, cid INTEGER REFERENCES blob, isprim BOOLEAN,
  mtime DATETIME, baseid INTEGER REFERENCES blob, UNIQUE (pid, cid));
CREATE TABLE leaf (rid INTEGER PRIMARY KEY);
CREATE TABLE tag (tagid INTEGER PRIMARY KEY, tagname TEXT UNIQUE);
CREATE TABLE tagxref (tagid INTEGER REFERENCES tag, tagtype INTEGER, srcid INTEGER REFERENCES blob,
  origid INTEGER REFERENCES blob, value TEXT, mtime TIMESTAMP, rid INTEGER REFERENCE blob,
  UNIQUE (rid, tagid));
CREATE TABLE ticket (tkt_id INTEGER PRIMARY KEY, tkt_uuid TEXT UNIQUE, tkt_mtime DATE,
  tkt_ctime DATE, type TEXT, status TEXT, title TEXT, comment TEXT);
CREATE VIRTUAL TABLE ftsidx USING fts4 (content="", title, body);
CREATE VIEW artifact (rid, rcvid, size, atype, srcid, hash, content) AS SELECT blob.rid, rcvid,
  size, 1, srcid, uuid, content(blob.uuid) FROM blob LEFT JOIN delta ON (blob.rid = delta.rid);
CREATE VIEW timeline AS SELECT objid, datetime(mtime) AS at, coalesce(ecomment, comment) AS comment
  FROM event ORDER BY mtime DESC;
CREATE VIEW ftscontent AS SELECT rid, ftsdocid, title(type) AS title FROM ftsdocs;
CREATE INDEX delta_i1 ON delta (srcid);
CREATE INDEX event_i1 ON event (mtime);
CREATE INDEX mlink_i1 ON mlink (mid);
INSERT INTO blob VALUES (1, 1, 12, '3a1b2c3d4e5f60718293a4b5c6d7e8f901234567', x'0000000c789c'),
  (2, 1, -1, 'da39a3ee5e6b4b0d3255bfef95601890afd80709', NULL);
INSERT INTO delta VALUES (2, 1);
INSERT INTO rcvfrom VALUES (1, 1, 2460462.09504630, NULL, '127.0.0.1');
INSERT INTO user VALUES (1, 'ágnes', 'f0e4', 's', NULL, NULL, NULL, '', 1717165012, NULL),
  (2, 'anonymous', 'A1B2', 'hz', NULL, NULL, 2460462.5, 'Anon', NULL, x'89504e47');
INSERT INTO config VALUES ('aux-schema', '2015-01-24', 1717165012), ('project-code', x'00', NULL);
INSERT INTO event VALUES ('ci', 2460462.09504630, 1, NULL, 1, NULL, NULL, 'ágnes', NULL,
  'initial «empty» check-in', NULL, 2460462.09504630), ('t', 0, 2, 3, NULL, '#fff', '', '', '', '',
  '', NULL);
INSERT INTO mlink VALUES (1, 2, 0, 0, 1, 0, 0, 0), (1, 2, 0, 0, 1, 0, 0, 0);
INSERT INTO filename VALUES (1, 'src/main.c'), (2, NULL);
INSERT INTO plink VALUES (1, 2, 1, 2460462.09504630, NULL), (NULL, NULL, 0, 0, NULL);
INSERT INTO leaf VALUES (1);
INSERT INTO tag VALUES (1, 'bgcolor'), (8, 'branch');
INSERT INTO tagxref VALUES (8, 2, 1, 1, 'trunk', 2460462.09504630, 1);
INSERT INTO ticket VALUES (1, 'e1', 2460462.09, 2460462.0, 'Incident', 'Open', 'x', NULL);
INSERT INTO ftsidx (docid, title, body) VALUES (1, 'initial', 'empty check-in');
