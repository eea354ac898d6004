-- cookies.sqlite of Firefox: a key of text that is hardly one, three kinds of time in one row.
CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, originAttributes TEXT NOT NULL DEFAULT '',
  name TEXT, value TEXT, host TEXT, path TEXT, expiry INTEGER, lastAccessed INTEGER,
  creationTime INTEGER, isSecure INTEGER, isHttpOnly INTEGER,
  inBrowserElement INTEGER DEFAULT 0, sameSite INTEGER DEFAULT 0, rawSameSite INTEGER DEFAULT 0,
  schemeMap INTEGER DEFAULT 0,
  CONSTRAINT moz_uniqueid UNIQUE (name, host, path, originAttributes));
INSERT INTO moz_cookies VALUES
  (1, '', '__Host-session', 'eyJhIjoxfQ==', '.example.org', '/', 1748701099, 1717165099000001,
    1717165000000000, 1, 1, 0, 1, 1, 2),
  (2, '^userContextId=2&partitionKey=%28https%2Cexample.org%29', '', '', 'example.org', '/',
    9223372036854775807, 0, NULL, 0, 0, 0, 0, 0, 0);
PRAGMA user_version = 14;
