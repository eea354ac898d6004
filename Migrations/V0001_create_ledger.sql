-- Sectile's own schema: the ledger of applied migrations.
-- `checksum` is the SHA-256 of the file's bytes, in lower-case hexadecimal.
-- `applied_at` is UTC, ISO 8601 with milliseconds.
CREATE TABLE IF NOT EXISTS sectile_migration (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at TEXT NOT NULL
) STRICT;
