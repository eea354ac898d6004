-- AddressBook.sqlitedb of iOS: collations and a tokenizer of the program, labels in a table of
-- their own, an index over a missing collation.
CREATE TABLE ABPerson (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, First TEXT, Last TEXT,
  Middle TEXT, FirstPhonetic TEXT, Organization TEXT, Department TEXT, Note TEXT, Kind INTEGER,
  Birthday TEXT, JobTitle TEXT, Nickname TEXT, Prefix TEXT, Suffix TEXT, FirstSort TEXT,
  LastSort TEXT, CreationDate INTEGER, ModificationDate INTEGER, CompositeNameFallback TEXT,
  ExternalIdentifier TEXT, StoreID INTEGER, DisplayName TEXT, ExternalRepresentation BLOB,
  FirstSortSection TEXT, LastSortSection TEXT, FirstSortLanguageIndex INTEGER DEFAULT 2147483647,
  PersonLink INTEGER DEFAULT -1, guid TEXT, UNIQUE (guid));
CREATE TABLE ABMultiValue (UID INTEGER PRIMARY KEY, record_id INTEGER, property INTEGER,
  identifier INTEGER, label INTEGER, value TEXT, guid TEXT, UNIQUE (guid));
CREATE TABLE ABMultiValueEntry (parent_id INTEGER, key INTEGER, value TEXT,
  UNIQUE (parent_id, key));
CREATE TABLE ABMultiValueEntryKey (value TEXT, UNIQUE (value));
CREATE TABLE ABMultiValueLabel (value TEXT, UNIQUE (value));
CREATE TABLE ABGroup (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT, StoreID INTEGER);
CREATE TABLE ABGroupMembers (UID INTEGER PRIMARY KEY, group_id INTEGER, member_type INTEGER,
  member_id INTEGER, UNIQUE (group_id, member_type, member_id));
CREATE TABLE ABStore (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT, Type INTEGER,
  Enabled INTEGER DEFAULT 1, AccountID INTEGER DEFAULT -1);
CREATE TABLE ABPersonBasicSearch (ROWID INTEGER PRIMARY KEY,
  Name TEXT COLLATE NOCASE, Identifier TEXT COLLATE NOCASE);
CREATE VIRTUAL TABLE ABPersonFullTextSearch USING fts4 (0, tokenize=simple);
CREATE VIEW ABPersonNames AS SELECT ROWID, First || ' ' || Last AS Name FROM ABPerson;
CREATE VIEW ABPersonByName AS SELECT ROWID, Name FROM ABPersonBasicSearch ORDER BY Name;
CREATE INDEX ABFirstSortIndex ON ABPerson (FirstSortSection COLLATE NOCASE, FirstSort);
INSERT INTO ABPerson (ROWID, First, Last, FirstSort, CreationDate, ModificationDate, Birthday,
    ExternalRepresentation, guid) VALUES
  (1, 'Ágnes', 'Ñandú', char(0x2D) || ' A', 738857812, 738857812, '-410227200.0',
    x'62706c6973743030', 'F0:ABPerson'),
  (2, NULL, NULL, NULL, 738857812, 0, NULL, NULL, NULL);
INSERT INTO ABMultiValue VALUES (1, 1, 3, 0, 1, '+49 151 1234567', 'a'), (2, 1, 5, 0, 9, NULL, 'b');
INSERT INTO ABMultiValueEntry VALUES (2, 1, 'Köln'), (2, 2, '50667'), (NULL, NULL, NULL);
INSERT INTO ABMultiValueEntryKey VALUES ('City'), ('ZIP');
INSERT INTO ABMultiValueLabel VALUES ('_$!<Mobile>!$_'), (NULL), (NULL);
INSERT INTO ABGroup VALUES (1, 'Family', 0);
INSERT INTO ABGroupMembers VALUES (1, 1, 0, 1), (2, 1, 0, 404);
INSERT INTO ABStore VALUES (0, '', 0, 1, -1);
INSERT INTO ABPersonBasicSearch VALUES (1, 'agnes nandu', 'f0');
INSERT INTO ABPersonFullTextSearch (rowid, "0") VALUES (1, 'agnes nandu');
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'COLLATE NOCASE', 'COLLATE CPSectionCollation');
UPDATE sqlite_schema SET sql = replace(sql, 'tokenize=simple', 'tokenize=ab_cf_tokenizer en_US');
PRAGMA writable_schema = OFF;
