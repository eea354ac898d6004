-- permissions.sqlite of Firefox: milliseconds, and a former table beside its successor.
CREATE TABLE moz_perms (id INTEGER PRIMARY KEY, origin TEXT, type TEXT, permission INTEGER,
  expireType INTEGER, expireTime INTEGER, modificationTime INTEGER);
CREATE TABLE moz_hosts (id INTEGER PRIMARY KEY, host TEXT, type TEXT, permission INTEGER,
  expireType INTEGER, expireTime INTEGER, modificationTime INTEGER, isInBrowserElement INTEGER);
INSERT INTO moz_perms VALUES
  (1, 'https://example.org', 'desktop-notification', 1, 0, 0, 1717165099001),
  (2, 'https://example.org^privateBrowsingId=1', 'geo', 2, 1, 1717165099001, 1717165099001);
PRAGMA user_version = 12;
